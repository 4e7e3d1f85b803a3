"""The learners' self-checks accept right answers and reject wrong ones, in words that help."""

# ruff: noqa: F401, F811  (fixtures are imported by name)

import io
import itertools
import math
import re
import sys

import naive
import numpy as np
import pytest
import wrong_answers
from right_answers import RIGHT, best, disguised, run, slide
from wrong_answers import WRONG

import lib2048
from workbook import check

FAULTS = [(name, fault) for name, faults in WRONG.items() for fault in faults]


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_are_accepted(run, name):
    for fn in RIGHT[name]:
        verdict, out = run(name, fn)
        assert verdict and re.fullmatch(rf"✓ {name}: right in all \d+ cases\..*\n", out), out


@pytest.mark.parametrize("kind", ["tuples", "arrays", "numpy numbers"])
@pytest.mark.parametrize("name", RIGHT)
def test_answers_may_come_in_other_types(run, name, kind):
    fn = RIGHT[name][0]
    verdict, out = run(name, lambda *args: disguised(fn(*args), kind))
    assert verdict, out


def test_exponents_may_be_whole_floats(run):
    """As in arrays that began as np.zeros."""
    verdict, out = run(
        "slide", lambda b, a: (np.array(slide(b, a)[0], float), float(slide(b, a)[1]))
    )
    assert verdict, out
    verdict, out = run(
        "select_afterstate", lambda b, value: best(b, lambda after: value(np.array(after, float)))
    )
    assert verdict, out


def test_every_exercise_has_a_check_and_a_catalogue():
    public = {
        name
        for name, entry in vars(check).items()
        if (getattr(entry, "__doc__", "") or "").startswith(f"{name}(")
    }
    assert public == check.EXERCISES.keys()
    assert public >= RIGHT.keys() == WRONG.keys()
    assert all(len(faults) >= 10 for faults in WRONG.values())
    classic = {int(number) for _, fault in FAULTS for number in re.findall(r"_(\d+)$", fault)}
    assert {1, 2, 3, 4, 5, 7, 9, 11, 12, 13, 14} <= classic


@pytest.mark.parametrize("name", RIGHT)
def test_whether_an_answer_passes_is_told_without_a_word(capsys, name):
    assert check.passes(name, RIGHT[name][0]) is True
    for fault in itertools.islice(WRONG[name].values(), 3):
        assert check.passes(name, fault) is False
    assert check.passes(name, None) is False
    assert capsys.readouterr() == ("", "")


def test_only_exercises_can_be_passed():
    for name in ("train", "passes", None):
        with pytest.raises(ValueError, match="slide_left, slide, spawn"):
            check.passes(name, slide)


@pytest.mark.parametrize("name, fault", FAULTS)
def test_wrong_answers_are_rejected(run, name, fault):
    verdict, out = run(name, WRONG[name][fault])
    assert not verdict
    if out.startswith("…"):
        return  # it has no body at all
    lines = out.splitlines()
    titles = next(line for line in lines if re.fullmatch(r"given +expected +got", line))
    assert lines.index(titles) in (2, 3) and lines[1].startswith(f"{name}(")
    assert "something else" not in out and not re.search(r"(check|trial|answers)\.py", out)
    assert max(map(len, lines)) < 500


@pytest.mark.parametrize("name", RIGHT)
def test_whatever_a_function_does_a_check_does_not_raise(run, name):
    cycle = []
    cycle.append(cycle)

    def throw(error):
        raise error

    for fn in (
        lambda *_: throw(KeyError("nobody knows")),
        lambda *_: throw(RuntimeError),
        lambda *_: sys.exit(3),
        lambda *_: throw(KeyboardInterrupt()),
        lambda *_: throw(Unspeakable()),
        lambda: 0,
        lambda *_: disguised,
        lambda *_: (lambda f: f(f))(lambda f: f(f)),
        lambda *_: "left",
        lambda *_: math.nan,
        lambda *_: 10**5000,
        lambda *_: -2,
        lambda *_: [[], 1j],
        lambda *_: np.array([None]),
        lambda *_: [[[1, 2], [3]], [[]]],
        lambda *_: cycle,
        lambda *_: np.float64(1e308),
        lambda *_: [10**400] * 2,
        lambda *_: np.longdouble(1),
        lambda *_: np.full((8, 4, 4), np.nan),
        lambda *_: [["a"] * 4] * 4,
        lambda *_: Unspeakable(),
        lambda *_: True,
        lambda *_: np.zeros((0, 4)),
        lambda *_: (n for n in range(8)),
        lambda *_: {},
        lambda *_: [np.inf, -np.inf],
        None,
        5,
        "slide",
        Unspeakable(),
        type,
    ):
        verdict, out = run(name, fn)
        assert not verdict and " wrong in case " in out, out


class Unspeakable(BaseException):
    """An object that answers every question with an error."""

    def __repr__(self):
        raise RuntimeError

    __str__ = __eq__ = __len__ = __iter__ = __bool__ = __float__ = __int__ = __repr__
    __hash__ = None


def test_an_exception_is_shown_with_the_learners_line(run):
    def my_slide(board, action):
        row = board[action]
        return lib2048.slide(row[4], action)

    verdict, out = run("slide", my_slide)
    line = my_slide.__code__.co_firstlineno + 2
    assert not verdict and "raised IndexError: list index out of range" in out
    assert f" in line {line} of my_slide: return lib2048.slide(row[4], action)" in out
    verdict, out = run("select_afterstate", lambda board, value: value(naive.flat(board)))
    assert (
        "raised ValueError: a board is 4 rows of 4 whole numbers" in out
        and "value(naive.flat(board))" in out
    )
    verdict, out = run("slide", lambda board, action: lib2048.slide(board, action))
    assert (
        "raised ValueError: a board is one 64-bit integer" in out
        and "lib2048.slide(board, action)" in out
    )
    assert " in line " not in run("slide", None)[1], "a line of trial.py is shown"


def test_what_a_learner_reads(run):
    verdict, out = run("slide", lambda b, a: wrong_answers.slide(b, a, of="old"))
    assert [line.rstrip() for line in out.splitlines()] == [
        "✗ slide: wrong in case 9",
        "slide([[1, 1, 2, 0], [0, 1, 0, 1], [3, 3, 3, 4], [5, 0, 0, 5]], 3)",
        "given                       expected                    got",
        "     2     2     4     .         4     4     .     .         4     4     .     .",
        "     .     2     .     2         4     .     .     .         4     .     .     .",
        "     8     8     8    16        16     8    16     .        16     8    16     .",
        "    32     .     .    32        64     .     .     .        64     .     .     .",
        "action 3 (left)             reward 88                   reward 44",
        "In a row of the board: It looks as if a merge earned the value of one of the two old "
        "tiles, half of what it should: two tiles of 2 earn 4, the value of the tile that is made.",
        "Asked for: slide(board, action) -> (board, reward). help(check.slide) says all of it.",
    ]


def test_a_screen_that_cannot_show_every_letter(monkeypatch):
    def fails(*_):
        raise ValueError("\u5de6 \ud800")

    screen = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", screen)
    check.slide(fails)
    screen.flush()
    assert rb"\u5de6 \ud800" in screen.buffer.getvalue()


def test_answers_keep_no_trace_in_the_check(run):
    """Functions that spoil what they are given do not spoil it for the next."""
    spoiling = "(changes_its|turns_the|empties|plays_on|leaves_its|sorts_its)_"
    for name, fault in [(name, fault) for name, fault in FAULTS if re.match(spoiling, fault)]:
        verdict, out = run(name, WRONG[name][fault])
        assert not verdict and "It changes its argument" in out
        assert run(name, RIGHT[name][0])[0]
