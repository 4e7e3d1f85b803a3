"""The table of known values: what it keeps, what it gives up, and that it changes nothing."""

import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork
from lib2048.engines import playing_rule
from lib2048.fast.expecting import (
    ASKED,
    BYTES_OF_A_SLOT,
    FOUND,
    POSITIONS,
    SLOTS_OF_A_BUCKET,
    _find,
    _keep,
    known_values,
)
from lib2048.kernels import uint64
from lib2048.search import Search

SMALL = ((0, 1), (9, 4, 8))
BUCKET = uint64(0)


def one_bucket():
    """A table of four slots, in its first search."""
    known = known_values(SLOTS_OF_A_BUCKET, np.zeros(1, np.uint8))
    known.search[0] = 1
    return known


def held(known):
    """The boards of a table of one bucket with their plies."""
    slots = zip(known.boards[0].tolist(), known.plies[0].tolist(), strict=True)
    return {slot for slot in slots if slot[0]}


@pytest.mark.parametrize("slots", [1, 3, 4, 7, 8, 1000, 1 << 15])
def test_a_table_is_no_larger_than_asked_for(slots):
    known = known_values(slots, np.zeros(1, np.uint8))
    arrays = (known.boards, known.values, known.plies, known.searches)
    assert known.boards.size <= max(slots, SLOTS_OF_A_BUCKET) < 2 * known.boards.size + 8
    assert sum(array.nbytes for array in arrays) == BYTES_OF_A_SLOT * known.boards.size


def test_what_is_found_has_the_plies_that_are_asked_for():
    known = one_bucket()
    _keep(known, BUCKET, uint64(7), 3, np.float32(30))
    _keep(known, BUCKET, uint64(7), 2, np.float32(20))
    assert known.values[0, _find(known, BUCKET, uint64(7), 3)] == 30
    assert known.values[0, _find(known, BUCKET, uint64(7), 2)] == 20
    assert _find(known, BUCKET, uint64(7), 4) == -1 and _find(known, BUCKET, uint64(8), 3) == -1
    assert known.counts[ASKED] == 4 and known.counts[FOUND] == 2


def test_a_newcomer_takes_the_place_of_the_fewest_plies():
    known = one_bucket()
    for board, plies in ((1, 3), (2, 4), (3, 2), (4, 3)):
        _keep(known, BUCKET, uint64(board), plies, np.float32(0))
    assert held(known) == {(1, 3), (2, 4), (3, 2), (4, 3)}
    _keep(known, BUCKET, uint64(5), 2, np.float32(0))
    assert held(known) == {(1, 3), (2, 4), (5, 2), (4, 3)}
    _keep(known, BUCKET, uint64(6), 5, np.float32(0))
    assert held(known) == {(1, 3), (2, 4), (6, 5), (4, 3)}


def test_what_an_earlier_search_left_goes_first():
    known = one_bucket()
    for board in (1, 2, 3):
        _keep(known, BUCKET, uint64(board), 6, np.float32(0))
    known.search[0] = 2
    for board in (4, 5, 6, 7):
        _keep(known, BUCKET, uint64(board), 2, np.float32(0))
    assert held(known) == {(4, 2), (5, 2), (6, 2), (7, 2)}


@pytest.mark.parametrize("values, plies", [("afterstate", 4), ("state", 4)])
def test_a_table_of_any_size_gives_the_same_bits(values, plies):
    """Four slots, some hundred, and the usual ones, through the end of a game."""
    net = NTupleNetwork(SMALL, values)
    rng = np.random.default_rng(1)
    for k, pattern in enumerate(SMALL):
        net.set_table_part(k, 0, rng.random(16 ** len(pattern)).astype(np.float32) * 60 - 10)
    rule = playing_rule(net, 0.2, 0)
    sizes = (1, 300 * BYTES_OF_A_SLOT, None)
    searches = [Search(net, plies, rule, memory=size) for size in sizes]
    for board in lib2048.play(net, seed=2).boards[-5:-2]:
        first, *others = [search.choose(board)[1] for search in searches]
        for other in others:
            assert first.tobytes() == other.tobytes()
    asked, found, positions = np.array([search.known.counts for search in searches]).T
    assert np.all(positions > asked) and np.all(found < asked)
    assert found[0] < found[1] <= found[2] and positions[0] > positions[1] >= positions[2]
    assert list(range(3)) == [ASKED, FOUND, POSITIONS]
