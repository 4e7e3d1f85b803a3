"""Looking two and three moves ahead: the twin's expectimax, and a table of known values that
changes nothing.
"""

import random

import naive
import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork
from lib2048.engines import playing_rule
from lib2048.search import Search

SMALL = ((0, 1), (9, 4, 8))


def late_boards(count, empty, seed):
    """Boards with few cells empty and few different tiles, so that there is something to merge;
    all can be played.
    """
    rng, boards = random.Random(seed), []
    while len(boards) < count:
        highest = rng.randint(2, 7)
        cells = [rng.randint(1, highest) for _ in range(16)]
        for cell in rng.sample(range(16), rng.randint(0, empty)):
            cells[cell] = 0
        if not naive.is_dead(cells):
            boards.append(cells)
    return boards


def pair(values, symmetries=1, seed=0):
    """A network of random weights and its twin."""
    net, rng = NTupleNetwork(SMALL, values, symmetries=symmetries), np.random.default_rng(seed)
    twin = naive.Network(SMALL, values, symmetries=symmetries)
    for k, pattern in enumerate(SMALL):
        table = (rng.random(16 ** len(pattern)) * 60 - 10).astype(np.float32)
        net.set_table_part(k, 0, table)
        twin.tables[k] = dict(enumerate(table.tolist()))
    return net, twin


def compare(net, twin, boards, plies, p4):
    for cells in boards:
        action, four = lib2048.best_action(net, naive.to_board(cells), plies, p4)
        _, expected = naive.expectimax(twin, cells, plies, p4)
        assert four == pytest.approx(np.array(expected), rel=1e-5, abs=1e-4, nan_ok=True)
        assert action in naive.acceptable(expected) and four.dtype == np.float32


@pytest.mark.parametrize(
    "values, symmetries, plies, p4, count, empty",
    [
        ("afterstate", 1, 2, 0.1, 300, 4),
        ("afterstate", 1, 2, 0.2, 200, 4),
        ("afterstate", 1, 2, 1.0, 50, 3),
        ("afterstate", 8, 2, 0.2, 50, 2),
        ("state", 1, 2, 0.1, 100, 2),
        ("state", 1, 2, 0.2, 100, 2),
        ("state", 8, 2, 0.5, 15, 1),
        ("afterstate", 1, 3, 0.1, 80, 1),
        ("afterstate", 1, 3, 0.2, 80, 1),
        ("afterstate", 8, 3, 0.0, 15, 0),
        ("state", 1, 3, 0.1, 5, 0),
        ("state", 1, 3, 0.2, 5, 0),
    ],
)
def test_a_thousand_boards_are_the_twins(values, symmetries, plies, p4, count, empty):
    compare(*pair(values, symmetries), late_boards(count, empty, seed=count + plies), plies, p4)


@pytest.mark.jit_off
@pytest.mark.parametrize(
    "values, plies, count", [("afterstate", 2, 12), ("state", 2, 4), ("afterstate", 3, 3)]
)
def test_a_few_boards_are_the_twins(values, plies, count):
    compare(*pair(values, seed=1), late_boards(count, 1, seed=1), plies, 0.2)


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_boards_that_may_die_in_all_ways(values):
    """Full boards of one pair: after its merge one cell is empty, and many spawns leave no
    move, which counts 0.
    """
    rng, boards = random.Random(3), []
    while len(boards) < 20:
        cells = [rng.randint(1, 12) for _ in range(16)]
        deaths = [
            naive.is_dead(board)
            for a in naive.legal_actions(cells)
            for _, board in naive.successors(naive.slide(cells, a)[0])
        ]
        if deaths and sum(deaths) >= len(deaths) / 2:
            boards.append(cells)
    net, twin = pair(values)
    net.weights += 25
    for table in twin.tables:
        table.update({i: weight + 25 for i, weight in table.items()})
    compare(net, twin, boards, 2, 0.3)


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("plies", [2, 3])
def test_what_is_known_changes_no_value(values, plies):
    """A search goes through the end of a game and values each board as a fresh search does.

    What lies two moves ahead now lies one move ahead after the next, and is then worth something
    else.
    """
    net, _ = pair(values, 8)
    rule = playing_rule(net, 0.2, 0)
    used = Search(net, plies, rule)
    for board in lib2048.play(net, seed=1).boards[-40:]:
        _, fresh = Search(net, plies, rule).choose(board)
        assert np.array_equal(used.choose(board)[1], fresh, equal_nan=True)
        assert np.array_equal(lib2048.best_action(net, board, plies, 0.2)[1], fresh, equal_nan=True)


def test_each_ply_looks_one_move_further():
    """Without weights, plies moves earn at most their rewards: 2 2 4 8 16 ... merge one a move
    along a full row.
    """
    net = NTupleNetwork(SMALL)
    board = naive.to_board([1, 1, 2, 3, 5, 6, 7, 8, 6, 7, 8, 9, 7, 8, 9, 10])
    best = [np.nanmax(lib2048.best_action(net, board, plies, 0.0)[1]) for plies in (1, 2, 3)]
    assert best[0] == 4 and best[1] >= 4 + 8 and best[2] >= 4 + 8 + 16


def test_a_network_may_change_between_searches():
    """Nothing known is kept from one call to the next."""
    net, twin = pair("afterstate")
    (cells,) = late_boards(1, 2, seed=5)
    compare(net, twin, [cells], 2, 0.1)
    net.update(naive.to_board(cells), 50.0)
    net.set_table_part(0, 0, np.arange(256))
    twin.tables[0] = dict(enumerate(range(256)))
    twin.tables[1] = dict(enumerate(net.table(1).tolist()))
    compare(net, twin, [cells], 2, 0.1)
    compare(net, twin, [cells], 2, 0.9)


def test_looking_ahead_plays_better():
    """After a little learning: the mean of 30 games by two plies is above that of 30 by one."""
    net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5)))
    lib2048.train(net, 2000, 0.1, seed=1, progress=False)
    one, two = (lib2048.evaluate(net, 30, plies, seed=1, progress=False) for plies in (1, 2))
    assert two.mean_ci[0] > one.mean
