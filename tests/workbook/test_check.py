"""The learners' self-checks accept right answers and reject wrong ones, in words that help."""

# ruff: noqa: F401, F811  (fixtures are imported by name)

import io
import itertools
import math
import re
import sys

import numpy as np
import pytest
from right_answers import RIGHT, disguised, run, slide
from right_answers_choosing import select_afterstate_from_none
from wrong_answers import WRONG

import lib2048
from workbook import check, grid
from workbook.check import showing
from workbook.check.exercise import EXERCISES
from workbook.trial import is_unwritten, verdict

LEAST_RIGHT = 150
LEAST_WRONG = 300


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_are_accepted(run, name):
    for function in RIGHT[name]:
        is_right, out = run(name, function)
        assert is_right and re.fullmatch(rf"✓ {name}: right in all \d+ cases\. .+\n", out), out


@pytest.mark.parametrize("kind", ["tuples", "arrays", "numpy numbers"])
@pytest.mark.parametrize("name", RIGHT)
def test_answers_may_come_in_other_types(run, name, kind):
    function = RIGHT[name][-1]
    is_right, out = run(name, lambda *arguments: disguised(function(*arguments), kind))
    assert is_right, out


def test_exponents_may_be_whole_floats(run):
    """As in arrays that began as np.zeros."""

    def slide_in_floats(board, action):
        after, reward = slide(board, action)
        return np.array(after, float), float(reward)

    def select_in_floats(board, value):
        return select_afterstate_from_none(board, lambda after: value(np.array(after, float)))

    for name, function in (("slide", slide_in_floats), ("select_afterstate", select_in_floats)):
        is_right, out = run(name, function)
        assert is_right, out


def test_there_are_enough_answers_of_both_kinds():
    public = {
        name
        for name, entry in vars(check).items()
        if (getattr(entry, "__doc__", "") or "").startswith(f"{name}(")
    }
    assert public == EXERCISES.keys() == RIGHT.keys() == WRONG.keys()
    assert public | {"EXERCISES", "passes"} == set(check.__all__)
    assert all(len(answers) >= 5 for answers in RIGHT.values())
    assert all(len(faults) >= 10 for faults in WRONG.values())
    assert sum(map(len, RIGHT.values())) >= LEAST_RIGHT
    assert sum(map(len, WRONG.values())) >= LEAST_WRONG


@pytest.mark.parametrize("name", RIGHT)
def test_whether_an_answer_passes_is_told_without_a_word(capsys, name):
    assert check.passes(name, RIGHT[name][0]) is True
    for fault in itertools.islice(WRONG[name].values(), 2):
        assert check.passes(name, fault.function) is False
    assert check.passes(name, None) is False
    assert capsys.readouterr() == ("", "")


def test_only_exercises_can_be_passed():
    for name in ("train", "passes", None):
        with pytest.raises(ValueError, match="slide_left, slide, spawn"):
            check.passes(name, slide)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_are_rejected_and_their_fault_is_named(run, name):
    for fault, wrong in WRONG[name].items():
        is_right, out = run(name, wrong.function)
        assert not is_right, f"accepted: {fault}"
        assert wrong.says and wrong.says in out, f"{fault}: {out}"
        lines = out.splitlines()
        assert lines[1].startswith(f"{name}("), "how to call it like this"
        titles = [line for line in lines[2:4] if re.fullmatch(r"given +expected +got", line)]
        assert titles, out
        assert f"help(check.{name})" in lines[-1]
        assert "something else" not in out
        assert not re.search(r"(check/\w+|trial|answers)\.py", out)
        assert max(map(len, lines)) < 500 and len(lines) < 40


@pytest.mark.parametrize("name", RIGHT)
def test_suspects_are_wrong_and_mostly_named_by_their_own_sentence(name):
    """A sentence that belongs to a right function would mislead."""
    suspects = EXERCISES[name].suspects
    assert suspects
    for suspect in suspects[:: len(suspects) // 5 + 1]:
        came = verdict(EXERCISES[name], suspect.function)
        assert not came.right, suspect.sentence
        assert came.failure is None or came.failure.reason, suspect.sentence


@pytest.mark.parametrize("name", RIGHT)
def test_an_exercise_that_is_not_written_yet_is_told_what_it_asks_for(run, name):
    def my_answer(*arguments): ...

    def my_plan(*arguments):
        """What I want to do."""

    def my_excuse(*arguments):
        raise NotImplementedError("later")

    for function in (my_answer, my_plan, my_excuse):
        is_right, out = run(name, function)
        assert not is_right and EXERCISES[name].specification in out
        assert check.passes(name, function) is False


def test_what_returns_none_on_purpose_is_written():
    def sets(V, s):
        V[s] = 1

    def calls(V):
        print(V)
        return None

    assert not any(map(is_unwritten, (sets, calls, lambda: None, None, 5, print)))


@pytest.mark.parametrize("name", RIGHT)
def test_whatever_a_function_does_a_check_does_not_raise(run, name):
    for function in STRANGE:
        is_right, out = run(name, function)
        assert not is_right and " wrong in case " in out, out


class Unspeakable(BaseException):
    """An object that answers every question with an error."""

    def __repr__(self):
        raise RuntimeError

    __str__ = __eq__ = __len__ = __iter__ = __bool__ = __float__ = __int__ = __repr__
    __hash__ = None


def thrower(error):
    def throw(*_):
        raise error

    return throw


def calls_itself(*arguments):
    return calls_itself(*arguments)


CYCLE = []
CYCLE.append(CYCLE)
STRANGE_ANSWERS = [
    "left",
    math.nan,
    10**5000,
    -2,
    [[], 1j],
    np.array([None]),
    [[[1, 2], [3]], [[]]],
    CYCLE,
    np.float64(1e308),
    [10**400] * 2,
    np.longdouble(1),
    np.full((8, 4, 4), np.nan),
    [["a"] * 4] * 4,
    Unspeakable(),
    True,
    np.zeros((0, 4)),
    {},
    {"A": None},
    {Unspeakable: 1},
    [np.inf, -np.inf],
    disguised,
]
STRANGE = [
    thrower(KeyError("nobody knows")),
    thrower(RuntimeError),
    thrower(KeyboardInterrupt()),
    thrower(Unspeakable()),
    lambda *_: sys.exit(3),
    lambda *_: (number for number in range(8)),
    calls_itself,
    lambda: 0,
    None,
    5,
    "slide",
    Unspeakable(),
    type,
    *(lambda *_, answer=answer: answer for answer in STRANGE_ANSWERS),
]


def test_an_exception_is_shown_with_the_learners_line(run):
    def my_slide(board, action):
        row = board[action]
        return lib2048.slide(row[4], action)

    is_right, out = run("slide", my_slide)
    line = my_slide.__code__.co_firstlineno + 2
    assert not is_right and "raised IndexError: list index out of range" in out
    assert f" in line {line} of my_slide: return lib2048.slide(row[4], action)" in out
    assert "places go from 0" in out
    out = run("slide", lambda board, action: lib2048.slide(board, action))[1]
    assert "raised ValueError: a board is one 64-bit integer" in out
    assert "lib2048.slide(board, action)" in out
    assert " in line " not in run("slide", None)[1], "a line of trial.py is shown"


def slide_with_old_tiles(board, action):
    after, reward = grid.slide(board, action)
    return after, (reward if reward < 0 else reward // 2)


def test_what_a_learner_reads(run):
    _, out = run("slide", slide_with_old_tiles)
    assert out.splitlines() == [
        "✗ slide: wrong in case 9",
        "slide([[1, 1, 2, 0], [0, 1, 0, 1], [3, 3, 3, 4], [5, 0, 0, 5]], 3)",
        "given                       expected                    got",
        "     2     2     4     .         4     4     .     .         4     4     .     .",
        "     .     2     .     2         4     .     .     .         4     .     .     .",
        "     8     8     8    16        16     8    16     .        16     8    16     .",
        "    32     .     .    32        64     .     .     .        64     .     .     .",
        "action 3 (left)             reward 88                   reward 44",
        "In a row of the board, it looks as if a merge earned the value of one of the two old "
        "tiles, half of what it should: two tiles of 2 earn 4, the value of the tile that is made.",
        "Asked for: slide(board, action) -> (board, reward). help(check.slide) says all of it.",
    ]


def test_what_a_learner_reads_about_lookups_and_targets(run):
    out = run("estimate", WRONG["estimate"]["rotations"].function)[1]
    assert "V is the sum of 8 lookups, one for each pattern on each image:" in out
    assert "  table 0, cells (0, 1, 4): 1 x [0x011] 0.859375" in out
    out = run("update_episode_state", WRONG["update_episode_state"]["forward"].function)[1]
    assert "The updates, one for each move, the last move first:" in out
    assert re.search(r"move 1: V\(s\) is \S+, its target \S+, so delta is", out)


def test_how_to_call_a_function_as_the_check_did(run):
    """What is short stands as it is, what is long by its name."""
    out = run("select_afterstate", lambda board, value: 7)[1]
    call = out.splitlines()[1]
    assert call.startswith("select_afterstate([[") and call.endswith("]], value)")
    out = run("td0", WRONG["td0"]["no alpha"].function)[1]
    assert out.splitlines()[1].endswith("'A', 4, 'B', 0.5)")
    assert run("tc_step", lambda *_: 0)[1].splitlines()[1].startswith("tc_step([")


def test_a_screen_that_cannot_show_every_letter(monkeypatch):
    def fails(*_):
        raise ValueError("\u5de6 \ud800")

    screen = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", screen)
    check.slide(fails)
    screen.flush()
    assert rb"\u5de6 \ud800" in screen.buffer.getvalue()
    assert rb"\u2717 slide: wrong" in screen.buffer.getvalue()


def test_answers_keep_no_trace_in_the_check(run):
    """Functions that spoil what they are given do not spoil it for the next."""
    spoiling = [
        (name, wrong)
        for name, faults in WRONG.items()
        for wrong in faults.values()
        if "It changes its argument" in wrong.says
    ]
    assert len({name for name, _ in spoiling}) >= 10
    for name, wrong in spoiling:
        assert wrong.says in run(name, wrong.function)[1]
        assert run(name, RIGHT[name][0])[0]


# In a notebook


class Notebook:
    """What `get_ipython()` gives in a notebook."""

    kernel = object()


@pytest.fixture
def shown(monkeypatch):
    """shown(name, function) -> what a notebook is given to show, by its kind."""
    pages = []
    monkeypatch.setattr(showing, "get_ipython", Notebook)
    monkeypatch.setattr(showing, "display", lambda data, raw, metadata: pages.append(data))

    def shown(name, function):
        getattr(check, name)(function)
        return pages[-1]

    return shown


def test_a_notebook_shows_a_tick_a_cross_and_boards(shown, capsys):
    page = shown("slide", slide)
    assert page["text/html"].count("✓") == 1 and showing.COLOURS["✓"] in page["text/html"]
    assert page["text/plain"].startswith("✓ slide: right in all ")
    page = shown("slide", slide_with_old_tiles)
    assert page["text/html"].count("✗") == 1 and showing.COLOURS["✗"] in page["text/html"]
    assert page["text/html"].count("<svg") == 3, "given, expected and got"
    assert "reward 44" in page["text/html"] and "two old tiles" in page["text/html"]
    assert page["text/plain"].startswith("✗ slide: wrong in case 9\n")
    page = shown("slide", lambda board, action: ([[17, 0, 0, 0]] * 4, 0))
    assert page["text/html"].count("<svg") == 2, "a tile that there is not is written"
    assert capsys.readouterr() == ("", "")


def test_what_a_learner_returns_is_no_part_of_the_page(shown):
    page = shown("slide", thrower(ValueError("<b>bold</b>")))
    assert "<b>bold" not in page["text/html"] and "&lt;b&gt;bold" in page["text/html"]
    assert "<b>bold</b>" in page["text/plain"]


@pytest.mark.parametrize("name", RIGHT)
def test_every_exercise_has_a_page_for_each_verdict(shown, name):
    def my_answer(*arguments): ...

    first_fault = next(iter(WRONG[name].values()))
    assert "<th" in shown(name, first_fault.function)["text/html"]
    assert "not written yet" in shown(name, my_answer)["text/html"]
    assert "right in all" in shown(name, RIGHT[name][0])["text/html"]
