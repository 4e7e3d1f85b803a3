"""The next moves of a search: the cells of a gap share an entry, and nothing is left out."""

import random

import numpy as np
import pytest

from lib2048 import NTupleNetwork, slide
from lib2048.fast.expecting import _expect, _list_next_moves, known_values
from lib2048.fast.planes import _to_board, _to_planes
from lib2048.kernels import uint64

UP, RIGHT, DOWN, LEFT = range(4)
PLIES = 2
KNOWN = known_values(1, np.zeros(1, np.uint8))
"""One for all tests: a list is written over the one before, and must not see it."""


def listed(afterstate: int):
    """The boards listed after an afterstate, and what each new tile and action lead to.

    The latter by (cell, exponent, action): the number of a board in the list, and the reward.
    """
    length, spawns = _list_next_moves(KNOWN, PLIES, uint64(_to_planes(uint64(afterstate))))
    moves = KNOWN.next_moves
    boards = [int(_to_board(planes)) for planes in moves.boards[PLIES, :length]]
    cells = [cell for cell in range(16) if afterstate >> 4 * cell & 15 == 0]
    assert spawns == 2 * len(cells)
    outcomes = {}
    for spawn in range(spawns):
        along, across = moves.rewards[PLIES, spawn]
        for action in range(4):
            entry = int(moves.entries[PLIES, spawn, action])
            reward = across if action in (RIGHT, LEFT) else along
            outcomes[cells[spawn // 2], 1 + spawn % 2, action] = entry, reward
    return boards, outcomes


def afterstates(count: int, seed: int) -> list[int]:
    """Boards with an empty cell at least, some nearly full, some nearly empty."""
    rng = random.Random(seed)
    boards = []
    for _ in range(count):
        empty = rng.sample(range(16), rng.randint(1, 15))
        board = 0
        for cell in range(16):
            if cell not in empty:
                board |= rng.randint(1, 6) << 4 * cell
        boards.append(board)
    return boards


@pytest.mark.parametrize("afterstate", afterstates(60, seed=1))
def test_each_new_tile_and_action_lead_where_they_do_in_the_game(afterstate):
    boards, outcomes = listed(afterstate)
    for (cell, exponent, action), (entry, reward) in outcomes.items():
        slid, earned = slide(afterstate | exponent << 4 * cell, action)
        if earned < 0:
            assert entry == 0
        else:
            assert boards[entry] == slid and reward == earned


@pytest.mark.parametrize("afterstate", afterstates(60, seed=2))
def test_no_board_is_listed_twice_that_a_gap_leads_to_from_both_ends(afterstate):
    """Along a row or a column, the same new tile leads to one entry for each board it makes."""
    boards, outcomes = listed(afterstate)
    entries_of = {}
    for (cell, exponent, action), (entry, _) in outcomes.items():
        line = cell // 4 if action in (RIGHT, LEFT) else cell % 4
        if entry:
            entries_of.setdefault((exponent, action, line, boards[entry]), set()).add(entry)
    assert all(len(entries) == 1 for entries in entries_of.values())


def test_an_empty_row_needs_one_entry_for_each_tile_and_side():
    boards, outcomes = listed(0x0000_2134_3121_1212)  # the lowest row is empty
    sideways = {entry for (_, _, action), (entry, _) in outcomes.items() if action in (RIGHT, LEFT)}
    assert len(sideways - {0}) == 4
    legal = [entry for entry, _ in outcomes.values() if entry]
    assert len(legal) == 28 and len(boards) == 1 + 20


@pytest.mark.parametrize("spoiled", range(1, 5))
def test_a_value_that_is_no_number_is_never_hidden(spoiled):
    """Whichever board on the list has it: the mean over what follows is no number either."""
    net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)), symmetries=1)
    afterstate = uint64(_to_planes(uint64(0x0000_2134_3121_1212)))
    KNOWN.boards[:] = 0  # nothing is known
    assert np.isfinite(_expect(net.arrays, KNOWN, afterstate, PLIES, np.float32(0.1)))
    boards, _ = listed(0x0000_2134_3121_1212)
    net.set_table_part(0, net.index(0, boards[spoiled]), np.array([np.nan], np.float32))
    KNOWN.boards[:] = 0
    assert np.isnan(_expect(net.arrays, KNOWN, afterstate, PLIES, np.float32(0.1)))


@pytest.mark.parametrize("margin", [np.inf, 0.0])
def test_a_value_that_is_no_number_comes_up_from_below(margin):
    """Every value but those of the first list: with a margin too, three plies find no number."""
    known = known_values(1, np.zeros(1, np.uint8), margin)
    net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)), symmetries=1)
    afterstate = uint64(_to_planes(uint64(0x0000_2134_3121_1212)))
    arrays = net.arrays
    assert np.isfinite(_expect(arrays, known, afterstate, 3, np.float32(0.1)))
    boards, _ = listed(0x0000_2134_3121_1212)
    at_once = {net.index(0, board) for board in boards[1:]}
    for index in range(16**4):
        if index not in at_once:
            net.set_table_part(0, index, np.array([np.nan], np.float32))
    known.boards[:] = 0
    assert np.isnan(_expect(arrays, known, afterstate, 3, np.float32(0.1)))
