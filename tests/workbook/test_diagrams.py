"""Diagrams of a move show the network's numbers, and whoever cannot see them can read them."""

import copy
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from lib2048 import NTupleNetwork, Trace, best_action, from_tiles, legal_actions, play, slide, train
from lib2048.board import ACTIONS
from workbook.diagrams import action_selection, backup, backup_of, options, spawns
from workbook.sheet import Sheet

PATTERNS = ((0, 1, 2, 4), (4, 5, 6, 8))
SVG = "{http://www.w3.org/2000/svg}"
# The last move of a game: a 2 in the gap leaves two 2s side by side, a 4 is the end.
NARROW = from_tiles([[2, 4, 2, 4], [4, 2, 4, 2], [8, 16, 8, 16], [4, 2, 16, 16]])


@pytest.fixture(scope="module", params=["afterstate", "state"])
def played(request):
    """A small network of either kind and a game of it."""
    net = NTupleNetwork(PATTERNS, request.param)
    train(net, 100, seed=1, progress=False)
    return net, play(net, seed=2)


TYPED = str.maketrans({"−": "-", "′": "'", "…": "..."})  # as the code has them


def words(svg):
    texts = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return ["".join(text.itertext()).translate(TYPED) for text in texts]


def title(svg):
    return ElementTree.fromstring(svg).find(f"{SVG}title").text


def after(svg, name):
    """The numbers that stand behind "name = ", from left to right."""
    found = [re.fullmatch(rf"{re.escape(name)} = (-?[\d,]+\.\d)", line) for line in words(svg)]
    return [float(match[1].replace(",", "")) for match in found if match]


def steps(trace):
    return [0, 1, len(trace) // 3, len(trace) // 2, len(trace) - 2, len(trace) - 1]


def test_a_backup_adds_up_as_it_is_printed(played):
    """A reader who subtracts the printed numbers gets the printed difference."""
    net, trace = played
    signed = r"\(?(-?[\d,]+\.\d)\)?"
    for t in range(len(trace)):
        said = re.search(rf"{signed} - {signed} = {signed}\. new", title(backup(net, trace, t)))
        target, old, error = (float(number.replace(",", "")) for number in said.groups())
        assert round(target - old, 1) == error


def test_an_action_is_worth_what_the_network_says(played):
    net, trace = played
    name = "r + V(s')" if net.values == "afterstate" else "r + mean"
    for t in steps(trace):
        svg, legal = action_selection(net, trace, t), legal_actions(trace.boards[t])
        _, worth = best_action(net, trace.boards[t])
        assert after(svg, name) == pytest.approx(worth[legal], rel=1e-5, abs=0.06)
        rewards = [slide(trace.boards[t], action)[1] for action in legal]
        later = after(svg, name.removeprefix("r + "))
        assert later == pytest.approx(worth[legal] - rewards, rel=1e-5, abs=0.06)
        assert words(svg).count("moves nothing") == 4 - len(legal)


def test_the_action_that_was_taken_is_marked(played):
    net, trace = played
    for t in steps(trace):
        svg = action_selection(net, trace, t)
        assert words(svg).count("chosen") == 1
        said = re.search(r"(\w+): [^.]*?[\d.,]+ = -?[\d.,]+, chosen", title(svg))
        assert said[1] == ACTIONS[trace.actions[t]]
        assert f"t = {t} of 0 to {len(trace) - 1}, game of seed 2" in title(svg)
        frames = [
            x
            for x in ElementTree.fromstring(svg).iter(f"{SVG}rect")
            if x.get("stroke-width") == "4"
        ]
        assert [float(frame.get("x")) // 180 for frame in frames] == [trace.actions[t]]


def test_an_action_that_seems_worse_is_said_to_be():
    trace = Trace(
        np.array([NARROW, 0], np.uint64), np.array([1], np.uint8), np.array([32]), np.zeros((1, 4))
    )
    net = NTupleNetwork(PATTERNS)
    assert "is best" not in action_selection(net, trace, 0)
    net.update(slide(NARROW, 3)[0], 100.0)
    assert any("left is best" in line for line in words(action_selection(net, trace, 0)))


def test_boards_that_may_follow():
    net, board = NTupleNetwork(PATTERNS, "state", init=50.0), slide(NARROW, 3)[0]
    two, four = spawns(board, 0.2)
    assert (two.tile, two.cell, four.tile, four.cell) == (2, 15, 4, 15)
    assert (two.probability, four.probability) == pytest.approx((0.8, 0.2))
    assert (two.board, four.board) == (board | 1 << 60, board | 2 << 60)
    trace = Trace(
        np.array([NARROW, four.board], np.uint64),
        np.array([3], np.uint8),
        np.array([32]),
        None,
        p4=0.2,
    )
    svg = action_selection(net, trace, 0)
    dead = [one for one in (two, four) if not legal_actions(one.board)]
    mean = sum(50.0 * one.probability for one in (two, four) if one not in dead)
    assert after(svg, "mean")[-1] == pytest.approx(mean)
    assert dead and "dead: V = 0" in words(svg) and "p = 0.8/1" in words(svg)


def test_some_boards_are_drawn_and_the_rest_counted():
    net = NTupleNetwork(PATTERNS, "state")
    trace = play(net, seed=1)
    four = [
        option for option in options(net, int(trace.boards[0]), 0.1) if option.worth is not None
    ]
    for shown in (1, 2, 5):
        svg = action_selection(net, trace, 0, shown)
        assert sum("new " in line for line in words(svg)) == shown * len(four)
        more = [f"... {len(option.spawns) - shown} more" for option in four]
        assert [line for line in words(svg) if line.endswith("more")] == more
    assert sum(one.probability for one in four[0].spawns) == pytest.approx(1)


def test_a_backup_is_what_an_update_does(played):
    net, trace = played
    for t in steps(trace):
        svg, twin, last = backup(net, trace, t, alpha=0.25), copy.deepcopy(net), t == len(trace) - 1
        if net.values == "state":
            moved, reward = int(trace.boards[t]), trace.rewards[t]
            value = 0.0 if last else net.value(trace.boards[t + 1])
        else:
            moved = slide(trace.boards[t], trace.actions[t])[0]
            reward = 0 if last else trace.rewards[t + 1]
            value = 0.0 if last else net.value(slide(trace.boards[t + 1], trace.actions[t + 1])[0])
        old, target = net.value(moved), reward + value
        new = twin.update(moved, 0.25 * (target - old))
        found = backup_of(net, trace, t, 0.25)
        numbers = found.old, found.target, found.error, found.new
        assert numbers == pytest.approx((old, target, target - old, new), rel=1e-5, abs=0.05)
        said = re.search(
            r"TD error = .* = (-?[\d,.]+)\. new V.* = (-?[\d,.]+)\. 2048 board", title(svg)
        )
        error, last_number = (float(number.replace(",", "")) for number in said.groups())
        assert error == pytest.approx(target - old, abs=0.06)
        assert last_number == pytest.approx(new, rel=1e-5, abs=0.1)
        name = "V(st)" if net.values == "state" else "V(s't)"
        assert after(svg, name) == [pytest.approx(old, abs=0.06)]
        assert ("dead: V = 0" in words(svg)) == last


def test_the_last_targets():
    for values, target in (("afterstate", "0.0, as nothing"), ("state", "rt + 0 = ")):
        net = NTupleNetwork(PATTERNS, values, init=10.0)
        trace = play(net, seed=3)
        found = backup_of(net, trace, len(trace) - 1, 0.1)
        assert found.target == (0 if values == "afterstate" else trace.rewards[-1])
        assert any(
            line.startswith(f"= {target}") for line in words(backup(net, trace, len(trace) - 1))
        )


def test_weights_looked_up_twice_are_counted_twice():
    net = NTupleNetwork(PATTERNS, init=10.0)
    trace = play(net, seed=3)
    found = backup_of(net, trace, 0, 0.5)
    assert found.gain > 1 and f"× {found.gain:.3g} = " in backup(net, trace, 0, 0.5)
    assert net.update(found.boards[1], 0.5 * found.error) == pytest.approx(found.new, rel=1e-5)


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("init", [0.0, -999_999.0])
def test_words_stay_on_the_sheet(values, init):
    """Also in the widest of the fonts, each letter 0.602 wide, and with the largest values."""
    net = NTupleNetwork(PATTERNS, values, init)
    trace = play(net, seed=1)
    for t in (0, len(trace) - 2, len(trace) - 1):
        for svg in (action_selection(net, trace, t), backup(net, trace, t)):
            root = ElementTree.fromstring(svg)
            wide, high = (float(part) for part in root.get("viewBox").split()[2:])
            for text in root.findall(f"{SVG}text"):
                long = 0.602 * float(text.get("font-size")) * len("".join(text.itertext()))
                left = (
                    float(text.get("x"))
                    - {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")] * long
                )
                assert left >= 0 and left + long <= wide and 0 < float(text.get("y")) <= high, (
                    "".join(text.itertext())
                )


def test_words_low_and_high():
    sheet = Sheet(100)
    sheet.words(50, 10, "V(s'_{t+1}) < 16^j & s_t")
    svg = sheet.svg(20, "V(s'_{t+1}) < 1")
    assert words(svg) == ["V(s't+1) < 16j & st"]
    assert title(svg) == "V(s'_t+1) < 1"
    shifts = [float(span.get("dy")) for span in ElementTree.fromstring(svg).iter(f"{SVG}tspan")]
    assert shifts == [3.64, -3.64, -4.42, 4.42, 3.64]


@pytest.mark.parametrize("draw", [action_selection, backup])
@pytest.mark.parametrize("t", [-1, 10_000, True, 1.5, "3", None])
def test_a_move_that_is_not_there(draw, t):
    net = NTupleNetwork(PATTERNS)
    trace = play(net, seed=1)
    with pytest.raises(
        ValueError, match=f"0 to {len(trace) - 1} in this game, got {re.escape(repr(t))}"
    ):
        draw(net, trace, t)


def test_other_bad_input():
    net = NTupleNetwork(PATTERNS)
    trace = play(net, seed=1)
    with pytest.raises(ValueError, match="shown"):
        action_selection(net, trace, 0, shown=0)
    with pytest.raises(ValueError, match="alpha"):
        backup(net, trace, 0, alpha=float("nan"))
    with pytest.raises(ValueError, match="NTupleNetwork"):
        backup("net", trace, 0)


def test_a_choice_is_drawn_with_the_values_that_were_recorded(played):
    net, trace = played
    if net.values == "state":
        pytest.skip("a trace holds r + V(s') of each action")
    for t in steps(trace):
        assert action_selection(None, trace, t) == action_selection(net, trace, t)
