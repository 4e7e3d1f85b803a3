"""Predictions: what is asked and told, what is refused, and what readers entered."""

import json
import re

import numpy as np
import pytest

from workbook import predict
from workbook.predict import entries
from workbook.predict.texts import as_html

OPTIONS = {"16": "Too few.", "32": "", "64": "That is five cells."}
WHY = "A 32 takes all four cells."


@pytest.fixture(autouse=True)
def file(monkeypatch, tmp_path):
    """Readers' entries go into a file of the test's own."""
    monkeypatch.setattr(entries, "FILE", tmp_path / "runs" / "predictions.json")
    monkeypatch.setenv("JPY_SESSION_NAME", "somewhere/02_td0.ipynb")
    return entries.FILE


def ask(**changed):
    arguments = {"options": OPTIONS, "answer": 32, "why": WHY} | changed
    return predict.choice("largest-tile", "Which is the *largest* tile, $2^n$?", **arguments)


def shown_without_a_kernel(widget):
    data, metadata = widget._picture(), widget._about_picture()
    return data["text/markdown"], metadata["lib2048"]["prediction"]


def test_the_text_in_its_place_keeps_the_answer_folded():
    text, told = shown_without_a_kernel(ask())
    asked, _, folded = text.partition("<details>")
    assert told["asked"] == asked.strip() and "16" in asked and "five cells" not in text[:90]
    assert "**32.**" in folded and WHY in folded and "five cells" in folded
    assert not re.search("right|32\\.", asked)


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: predict.number("n", "How many?", 1, 9000, 833, "So.", "log", "points"), "833"),
        (lambda: predict.order("o", "Order?", "abc", "bca", "So.", ("most", "least")), "1. b\n2. "),
        (lambda: predict.ticks("t", "Which?", {"a": "Is.", "b": "No."}, [], "So."), "None of them"),
        (
            lambda: predict.curve("c", "How?", (0, 4, "x"), (0, 20, "y"), lambda x: x * x, "So."),
            "| 4 | 16 |",
        ),
    ],
)
def test_every_kind_has_a_question_and_a_folded_answer(make, told):
    text, prediction = shown_without_a_kernel(make())
    asked, _, folded = text.partition("<details>")
    assert "?" in asked and "So." not in asked
    assert told in folded and "So." in folded
    assert prediction["answered"] in folded


def test_the_browser_gets_html_and_formulas_as_mathml():
    about = ask().about
    assert "<em>largest</em>" in about["text"][0] and "<math" in about["text"][0]
    assert about["right"] == [1] and about["replies"] == ["Too few.", "", "That is five cells."]
    assert as_html(("a < b & c", "")) == ["a &lt; b &amp; c", ""]
    with pytest.raises(ValueError, match="no --- line"):
        as_html(("one\n\n---\n\ntwo",))


@pytest.mark.parametrize(
    "changed, reason",
    [
        ({"answer": 33}, "33 is none of 16, 32, 64"),
        ({"options": {"16": "", "32": ""}}, "say a sentence to those who chose '16'"),
        ({"options": ["16", "32"]}, "options are"),
        ({"why": " "}, "answer in words"),
    ],
)
def test_a_choice_that_cannot_be_right_is_refused(changed, reason):
    with pytest.raises(ValueError, match=reason):
        ask(**changed)


@pytest.mark.parametrize(
    "changed, reason",
    [
        ({"answer": 101}, "lies on the scale"),
        ({"answer": np.nan}, "finite number"),
        ({"low": 0, "scale": "log"}, "no log scale goes from 0"),
        ({"low": 100}, "no linear scale goes"),
        ({"scale": "square"}, "linear or log"),
        ({"close": -1}, "not a distance"),
        ({"close": 1, "scale": "log"}, "not a distance"),
    ],
)
def test_a_number_that_cannot_be_right_is_refused(changed, reason):
    arguments = {"low": 1, "high": 100, "answer": 50, "why": WHY} | changed
    with pytest.raises(ValueError, match=reason):
        predict.number("share", "How many?", **arguments)


def test_orders_and_curves_that_cannot_be_right_are_refused():
    for answer in (["a", "b"], ["a", "b", "b"], ["a", "b", "d"]):
        with pytest.raises(ValueError, match="prediction o: "):
            predict.order("o", "?", ["a", "b", "c"], answer, WHY)
    x = (0, 1, "x")
    for answer in ([(0, 1)], [(1, 0), (0, 1)], [(0, 1), (1, np.inf)], lambda x: np.nan):
        with pytest.raises(ValueError, match="a curve has two points|finite number"):
            predict.curve("c", "?", x, (0, 1, "y"), answer, WHY)
    with pytest.raises(ValueError, match="begins above 0"):
        predict.curve("c", "?", x, (0, 1, "y"), [(0, 1), (1, 1)], WHY, x_scale="log")
    with pytest.raises(ValueError, match="named by small letters"):
        predict.order("My order", "?", ["a", "b"], ["a", "b"], WHY)


def test_a_curve_is_asked_for_where_it_is_sketched():
    curve = predict.curve("c", "?", (1, 1000, "x"), (0, 3, "y"), np.log10, WHY, x_scale="log")
    xs, ys = zip(*curve.about["right"])
    assert len(xs) == curve.about["columns"]
    assert xs[0] == 1 and xs[-1] == pytest.approx(1000)
    assert np.allclose(np.diff(ys), 3 / (len(xs) - 1)), "evenly, as the columns stand"


def test_what_was_entered_is_kept_and_comes_back(file):
    first = ask()
    assert first.entry is None
    first.entry = 2
    kept = json.loads(file.read_text())
    assert kept["02_td0"]["largest-tile"]["entry"] == 2
    assert "five cells" in kept["02_td0"]["largest-tile"]["answer"]
    assert ask().entry == 2, "the cell runs again"
    text, _ = shown_without_a_kernel(ask())
    assert text == shown_without_a_kernel(first)[0], "the text knows nothing of the reader"
    assert ask(options=OPTIONS | {"128": "No."}).entry is None, "that is another question"
    predict.forget("largest-tile")
    assert ask().entry is None


def test_entries_are_kept_by_notebook(file, monkeypatch):
    ask().entry = 0
    monkeypatch.setenv("JPY_SESSION_NAME", "01_the_game.ipynb")
    assert ask().entry is None
    ask().entry = 1
    predict.forget()
    assert list(json.loads(file.read_text())["02_td0"]) == ["largest-tile"]
    monkeypatch.delenv("JPY_SESSION_NAME")
    ask().entry = 1
    assert "notebook" in json.loads(file.read_text())


def test_a_damaged_file_is_begun_anew(file):
    file.parent.mkdir()
    file.write_text("{")
    with pytest.warns(UserWarning, match="begun anew"):
        widget = ask()
    with pytest.warns(UserWarning, match="begun anew"):
        widget.entry = 1
    assert ask().entry == 1


def test_taking_an_entry_back_forgets_it(file):
    widget = ask()
    widget.entry = 1
    widget.entry = None
    assert json.loads(file.read_text())["02_td0"] == {}
