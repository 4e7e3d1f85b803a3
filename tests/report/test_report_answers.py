"""Whose functions the report prints, and what was predicted."""

import json

import pytest
from nbformat.v4 import new_output
from tiny_notebooks import code, md, notebook

from report import answers
from report.pandoc import convert
from workbook.check import EXERCISES, verdict
from workbook.check.showing import mark_of
from workbook.predict import entries


def shown(mark):
    """An output that says this of itself."""
    data = {"text/plain": "x", "text/markdown": "x"}
    return new_output("display_data", data, metadata={"lib2048": mark})


def checked(name, function):
    """What the check of an exercise leaves in its output."""
    return shown(mark_of(EXERCISES[name], verdict(EXERCISES[name], function)))


def my_returns(rewards): ...


@pytest.fixture
def tried():
    """Answers: one right and printed, one right, one wrong, one not written, one mended later."""

    def win_rate(tiles, tile):
        return sum(largest >= tile for largest in tiles) / len(tiles)

    def ucb1(mean, n, total, c):
        return mean + 1

    listing = shown({"listing": "win_rate", "own": True})
    first = notebook(
        code("check", outputs=[checked("win_rate", win_rate), listing]),
        code("check", outputs=[checked("ucb1", ucb1)]),
        code("check", outputs=[checked("returns", my_returns)]),
    )
    second = notebook(md("# B"), code("check", outputs=[checked("win_rate", ucb1)]))
    return answers.answers_in({"01_a": first, "02_b": second})


def test_the_first_check_of_an_exercise_counts(tried):
    assert [(answer.name, answer.verdict, answer.is_printed) for answer in tried] == [
        ("win_rate", "right", True),
        ("ucb1", "wrong", False),
        ("returns", "unwritten", False),
    ]


def test_a_build_says_what_is_printed_and_what_is_not_and_why(tried):
    printed, refused, rest = answers.in_lines(tried)
    assert printed == "Printed as yours: win_rate."
    assert refused.startswith("Not accepted: ucb1 (01_a: ") and len(refused) > 40
    assert rest == "Not tried: returns."
    ended = [answer._replace(why="It is not 1.") for answer in tried if answer.verdict == "wrong"]
    assert answers.in_lines(ended)[-1] == "Not accepted: ucb1 (01_a: It is not 1)."
    assert answers.in_lines([]) == []


def test_the_first_page_says_how_many_are_the_authors(tried):
    told = answers.in_a_sentence(tried)
    assert told.startswith("Own functions: 1 of the 3 ") and "author’s: win_rate." in told
    none = [answer._replace(verdict="unwritten", is_printed=False) for answer in tried]
    assert answers.in_a_sentence(none).endswith("come from the workbook.")
    assert answers.in_a_sentence([]) == ""


def test_predictions_are_listed_with_what_is_right(tmp_path, monkeypatch):
    kept = {
        "02_td0": {
            "step": {
                "question": "**Predict.** Which $\\alpha$?\n\n- 0.1\n\n- 0.5",
                "entry": 1,
                "answer": "**0.1.**\n\nBecause.",
            },
            "games": {
                "question": "How many?\n\n(Between 1 and 9.)",
                "entry": 4,
                "answer": "**7.**",
            },
            "shape": {"question": "Sketch.", "entry": [[0, 1]], "answer": "| x |"},
            "damaged": 5,
        }
    }
    monkeypatch.setattr(entries, "FILE", tmp_path / "predictions.json")
    assert answers.predictions() == []
    entries.FILE.write_text(json.dumps(kept))
    (part,) = answers.predictions()
    for words in ("Which $\\alpha$? *Entered:* 0.5.", "*Right:* 0.1.", "*Entered:* 4.", "a curve."):
        assert words in part.text, words
    assert "damaged" not in part.text
    assert "Predictions" in convert([part], "typst").parts[0].text
