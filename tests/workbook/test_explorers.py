"""What the explorers compute, and the pictures they leave behind (workbook/explorers)."""

import base64
import random
import re
from pathlib import Path

import pytest

from lib2048 import NTupleNetwork
from lib2048.board import slide, to_array
from workbook import explore, tiny
from workbook.explorers.index import index_of
from workbook.explorers.slide import board_of, slide_steps

FULL = 0x1234_4321_1234_4320


def random_cells(rng):
    """16 exponents, sparse or full, with few kinds of tiles so that many merge."""
    kinds = rng.choice(((0, 1), (0, 1, 2), (1, 2), (0, 14, 15, 15), (0, 0, 0, 3)))
    return [rng.choice(kinds) for _ in range(16)]


@pytest.mark.parametrize(
    "explorer",
    [
        explore.slide,
        lambda: explore.slide(board=0x1234, action=2),
        explore.index,
        lambda: explore.alpha(20),
        explore.backup,
        lambda: explore.choose(NTupleNetwork(((0, 1),)), 0x1122),
        lambda: explore.search(NTupleNetwork(((0, 1),)), FULL, trips=3),
    ],
    ids=["slide a row", "slide a board", "index", "alpha", "backup", "choose", "search"],
)
def test_a_picture_stands_in_for_every_explorer(explorer):
    widget = explorer()
    svg = widget.svg()
    assert f"title>{widget.words[:12]}" in svg
    shown = widget._repr_mimebundle_()
    assert {"image/svg+xml", "image/png", "text/plain"} < set(shown)
    assert base64.b64decode(shown["image/png"]).startswith(b"\x89PNG")


def test_the_guide_for_writers_names_every_explorer():
    guide = (Path(explore.__file__).parent / "WRITING.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `explore\.(\w+)\(", guide, re.MULTILINE)
    assert set(named) == set(explore.__all__)


# The slide bench


def test_the_steps_of_a_slide_end_as_slide_does():
    rng = random.Random(3)
    for _ in range(300):
        cells = random_cells(rng)
        action = rng.randrange(4)
        steps = slide_steps(cells, action)
        after, reward = slide(board_of(cells), action)
        assert steps[-1].cells == to_array(after).ravel().tolist()
        assert sum(sum(step.earned) for step in steps) == max(reward, 0)


def test_each_tile_merges_once():
    kinds = [step.kind for step in slide_steps([1, 1, 2, 0] + 12 * [0], 3)]
    assert kinds == ["start", "push", "pair", "pair", "close", "end"], "the new 4 is looked at too"


@pytest.mark.parametrize(
    "wrong, why",
    [
        (dict(row=(2, 4)), "4 tiles"),
        (dict(row=(2, 3, 4, 8)), "3"),
        (dict(row=(2, 2, 4, 0), board=5), "not both"),
        (dict(action=0), "left"),
        (dict(action=7), "7"),
    ],
)
def test_what_is_no_slide_is_refused(wrong, why):
    with pytest.raises(ValueError, match=why):
        explore.slide(**wrong)


# The index machine


def test_the_index_is_the_network_s():
    net = NTupleNetwork(((0, 1, 4, 5, 10), (3,), (15, 2, 7)))
    rng = random.Random(6)
    for _ in range(50):
        board = rng.getrandbits(64)
        for k, pattern in enumerate(net.patterns):
            assert index_of(board, pattern) == net.index(k, board)


def test_the_index_machine_takes_what_a_network_takes():
    assert len(explore.index("8x6").state["patterns"]) == 8
    with pytest.raises(ValueError, match="16"):
        explore.index([(0, 16)])
    with pytest.raises(ValueError, match="-1"):
        explore.index(board=-1)


# Step size and games


def test_the_walks_are_those_of_the_rules():
    """Two of the walks once more, written out on their own."""
    games = 60
    state = explore.alpha(games, alphas=(0.1, "1/n"), boards=((1, 1, 0, 0),), seed=5).state
    rng = random.Random(5)
    V = dict.fromkeys(tiny.boards(), 0.0)
    returns = []
    td = []
    for _ in range(games):
        game = tiny.play(tiny.at_random, rng)
        for board, _, reward, following in game[::-1]:
            V[board] += 0.1 * (reward + V.get(following, 0.0) - V[board])
        if game[0][0] == (1, 1, 0, 0):
            returns.append(sum(reward for _, _, reward, _ in game))
            td.append(V[1, 1, 0, 0])
    assert state["values"][0][0][0] == pytest.approx(td, abs=1e-3)
    means = [sum(returns[: n + 1]) / (n + 1) for n in range(len(returns))]
    assert state["values"][1][1][0] == pytest.approx(means, abs=1e-3), "1/n is the plain mean"
    truth = tiny.values(tiny.at_random)
    assert state["exact"] == [pytest.approx(truth[1, 1, 0, 0], abs=1e-4)]
    wanted = tiny.error(V, truth, tiny.visits(tiny.at_random))
    assert state["errors"][0][0][-1] == pytest.approx(wanted, abs=1e-4)
    assert len(state["errors"][0][0]) == len(state["marks"])


@pytest.mark.parametrize(
    "wrong, why",
    [
        (dict(games=3), "3"),
        (dict(alphas=(0,)), "0"),
        (dict(alphas=("1/m",)), "1/m"),
        (dict(boards=((1, 2, 2, 1),)), "(1, 2, 2, 1)"),
        (dict(seed=-1), "-1"),
    ],
)
def test_what_cannot_be_walked_is_refused(wrong, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        explore.alpha(**wrong)
