"""The n-tuple network: what a board looks up, what it is worth, what an update changes, and
where weights lie.
"""

import math
import os
import random
import subprocess
import sys
import warnings
from pathlib import Path

import naive
import numpy as np
import psutil
import pytest
from fingerprint import fingerprint
from test_board import random_boards

import lib2048
from lib2048 import PATTERNS, NTupleNetwork
from lib2048.fast.bits import FAST_BITS, gather_plan
from lib2048.fast.lookup import _images, _look_up, _plane_place
from lib2048.fast.planes import _to_planes
from lib2048.kernels import uint64

SMALL = ((0, 1), (9, 4, 8), (15,), (14, 2, 6))
BOARDS = random_boards(150, seed=1).tolist()
#     1 2 3 4     equal to its transpose
#     2 5 6 7
#     3 6 8 9
#     4 7 9 10
TRANSPOSE = naive.to_board([1, 2, 3, 4, 2, 5, 6, 7, 3, 6, 8, 9, 4, 7, 9, 10])


def pair(patterns=SMALL, values="afterstate", symmetries=8, seed=0):
    """A network of random weights, which are whole multiples of 1/64, and its twin."""
    net, rng = NTupleNetwork(patterns, values, symmetries=symmetries), np.random.default_rng(seed)
    twin = naive.Network(patterns, values, symmetries=symmetries)
    for k, pattern in enumerate(patterns):
        table = rng.integers(-6400, 6400, 16 ** len(pattern)) / 64
        net.set_table_part(k, 0, table)
        twin.tables[k] = dict(enumerate(table.tolist()))
    return net, twin


def test_the_named_networks():
    six = "012456 456789 012345 234569 01259a 345678"
    named = {
        "4x6": "012345 456789 012456 45689a",
        "5x6": "012345 456789 89abcd 012456 45689a",
        "6x6": six,
    }
    named |= {"7x6": six + " 134567", "8x6": six + " 134567 01489a"}
    for name, patterns in lib2048.PATTERNS.items():
        assert patterns == tuple(
            tuple(int(cell, 16) for cell in word) for word in named.pop(name).split()
        )
    assert named == {}
    net = NTupleNetwork()
    assert (
        net.patterns == lib2048.PATTERNS["4x6"] and net.lookups == 32 and net.values == "afterstate"
    )
    assert (net.p4, net.games, net.value(BOARDS[0])) == (0.1, 0, 0.0)


@pytest.mark.jit_off
def test_index_is_the_hand_formula():
    net = NTupleNetwork(SMALL)
    for board in BOARDS:
        for k, pattern in enumerate(SMALL):
            expected = sum((board >> 4 * cell & 15) << 4 * j for j, cell in enumerate(pattern))
            assert net.index(k, board) == expected == naive.index(naive.to_cells(board), pattern)
            assert type(net.index(k, np.uint64(board))) is int


@pytest.mark.jit_off
@pytest.mark.parametrize("symmetries", [1, 8])
def test_values_are_the_twins(symmetries):
    """Weights of few bits, so that float32 sums are exact in whatever order."""
    net, twin = pair(symmetries=symmetries)
    assert net.lookups == twin.lookups == symmetries * len(SMALL)
    for board in BOARDS[:60]:
        assert net.value(board) == twin.value(naive.to_cells(board))
        assert type(net.value(np.uint64(board))) is float


@pytest.mark.jit_off
def test_the_eight_images_have_one_value_to_the_bit():
    """With weights of all 24 bits and of all sizes, sums in different orders would differ."""
    net, rng = NTupleNetwork(SMALL), np.random.default_rng(2)
    net.weights[:] = rng.normal(size=len(net.weights)) * 10.0 ** rng.integers(
        -3, 4, len(net.weights)
    )
    values = [{net.value(image) for image in lib2048.symmetries(board)} for board in BOARDS]
    assert all(len(images) == 1 for images in values) and len(set.union(*values)) > 100


@pytest.mark.jit_off
def test_one_symmetry_looks_from_one_side_only():
    net, _ = pair(symmetries=1)
    different = sum(
        len({net.value(image) for image in lib2048.symmetries(board)}) > 1 for board in BOARDS
    )
    assert different > 100
    board = BOARDS[3]
    places = [(k, net.index(k, board)) for k in range(len(SMALL))]
    before = {place: net.weight(*place) for place in places}
    assert net.value(board) == sum(before.values())
    net.update(board, 4.0)
    assert {place: net.weight(*place) for place in places} == {
        place: w + 1 for place, w in before.items()
    }


@pytest.mark.jit_off
@pytest.mark.parametrize("symmetries", [1, 8])
def test_update_changes_the_weights_that_the_twin_changes(symmetries):
    net, twin = pair(symmetries=symmetries)
    for board in BOARDS[:20]:
        assert net.update(board, 2.0) == twin.update(naive.to_cells(board), 2.0) == net.value(board)
    for k in range(len(SMALL)):
        assert net.table(k).tolist() == twin.table(k)


@pytest.mark.jit_off
def test_update_moves_v_by_delta_or_by_the_documented_amount():
    """By delta where no lookup repeats; a weight looked up n times gets n shares and counts n
    times.
    """
    net, rng, repeats = NTupleNetwork(((0, 1), (0, 1, 4))), random.Random(3), set()
    boards = [naive.to_board([rng.randint(0, 15) for _ in range(16)]) for _ in range(30)]
    boards += [naive.to_board([rng.randint(0, 1) for _ in range(16)]) for _ in range(30)] + [
        0,
        TRANSPOSE,
    ]
    for board in boards:
        lookups = naive.Network(net.patterns).indices(naive.to_cells(board))
        squares = sum(lookups.count(lookup) ** 2 for lookup in set(lookups))
        before = net.value(board)
        assert net.update(board, 16.0) == before + squares == net.value(board)
        repeats.add(squares)
    assert min(repeats) == 16 and max(repeats) == 128 and len(repeats) > 8


@pytest.mark.parametrize("symmetries", [1, 8])
def test_init_is_the_value_of_every_board(symmetries):
    net = NTupleNetwork(SMALL, init=160.0, symmetries=symmetries)
    assert {net.value(board) for board in BOARDS} == {160.0}
    assert net.weight(0, 0) == 160 / net.lookups


@pytest.mark.jit_off
@pytest.mark.parametrize("pattern", [(7,), (3, 12), (12, 3), (9, 4, 8)])
def test_tables_are_in_natural_order(pattern):
    """What is put in at an index comes out there, singly, as a table and in parts, and is what
    a board looks up.
    """
    net, size = NTupleNetwork(((5,), pattern), symmetries=1), 16 ** len(pattern)
    values = np.random.default_rng(4).normal(size=size).astype(np.float32)
    for first in range(0, size, 100):
        net.set_table_part(1, first, values[first : first + 100])
    table = net.table(1)
    assert table.dtype == np.float32 and np.array_equal(table, values)
    parts = list(net.table_parts(1, 100))
    assert [first for first, _ in parts] == list(range(0, size, 100))
    assert np.array_equal(np.concatenate([part for _, part in parts]), values)
    assert [net.weight(1, i) for i in range(0, size, 7)] == [float(v) for v in values[::7]]
    assert all(net.value(board) == values[net.index(1, board)] for board in BOARDS)
    assert not net.table(0).any()
    table[:] = 0
    assert np.array_equal(net.table(1), values), "table gives a copy"


@pytest.mark.jit_off
@pytest.mark.parametrize("cells", range(1, 9))
def test_patterns_of_one_to_eight_cells(cells):
    """The place a kernel finds for a board is where its natural index lies.

    In every pattern and image.

    All weights are one and the same 0, as a pattern of eight cells takes 16 GiB of them.
    """
    rng = random.Random(cells)
    patterns = [tuple(rng.sample(range(16), cells)) for _ in range(4)]
    start = 16**cells
    plans = np.array(
        [gather_plan(15 - c for c in p) + [uint64(k * start)] for k, p in enumerate(patterns)]
    )
    shape, weights = NTupleNetwork(((0,),)).arrays, np.broadcast_to(np.float32(0), 4 * start)
    for images in (1, 8):
        net, places = (
            shape._replace(weights=weights, plans=plans, symmetries=images),
            np.empty(4 * images, np.uint64),
        )
        for board in BOARDS[:25]:
            _look_up(net, _images(_to_planes(uint64(board))), places)
            seen = naive.symmetries(naive.to_cells(board))[:images]
            for k, pattern in enumerate(patterns):
                order = sorted(pattern, reverse=True)
                ranks = np.array([order.index(cell) for cell in pattern], np.uint64)
                expected = [
                    int(_plane_place(uint64(naive.index(image, pattern)), ranks)) + k * start
                    for image in seen
                ]
                assert sorted(places[k * images : (k + 1) * images].tolist()) == sorted(expected)


def test_a_network_of_seven_cells():
    """1 GiB of zeros, of which only the pages that are written take memory."""
    net = NTupleNetwork(((0, 1, 2, 3, 4, 5, 6), (15, 11, 7, 3, 2, 1, 0)))
    assert [len(net.plane_table(k)) for k in range(2)] == [16**7] * 2
    assert net.update(BOARDS[5], 32.0) == net.value(BOARDS[5]) != 0
    assert net.weight(0, net.index(0, BOARDS[5])) >= 2


def test_memory_is_refused_before_it_is_taken(monkeypatch):
    class Small:
        available = 8 * 2**30

    monkeypatch.setattr(psutil, "virtual_memory", Small)
    with pytest.raises(ValueError, match=r"4,294,967,296 weights takes 16\.0 GiB.* 8\.0"):
        NTupleNetwork((tuple(range(8)),))
    Small.available = 100
    net = NTupleNetwork(((0,),))
    with pytest.raises(ValueError, match="coherence"):
        net.keep_errors()
    with pytest.raises(ValueError, match="coherence"):
        lib2048.train(net, 1, coherence=True, progress=False)
    assert not net.coherent and net.games == 0 and not net.weights.any()


def test_a_4x6_network_takes_at_most_300_mb():
    lib2048.train(NTupleNetwork(SMALL), 1, progress=False)  # compiles what is not in the cache
    before = psutil.Process().memory_info().rss
    net = NTupleNetwork()
    lib2048.train(net, 20, progress=False)
    net.weights += 1  # touches all of it
    assert psutil.Process().memory_info().rss - before < 300e6


def test_repr_says_what_it_is():
    assert repr(NTupleNetwork(SMALL, "state")) == (
        "NTupleNetwork(4 patterns, V(state), 32 lookups, 8,464 weights, 0 games learned from)"
    )


@pytest.mark.skipif(not FAST_BITS, reason="this processor has the portable code only")
def test_portable_bit_code_gives_the_same_bits():
    """Values, spawns and training: in a process without pext and pdep everything is as in this
    one with them.
    """
    env = {**os.environ, "LIB2048_PORTABLE": "1"}
    script = Path(fingerprint.__code__.co_filename)
    done = subprocess.run([sys.executable, str(script)], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["portable", fingerprint()]


def test_gather_plans_of_every_set_of_cells():
    """The portable body in plain integers: bits of the chosen cells side by side, for all
    65,535 sets of cells.
    """
    rng = random.Random(6)
    for mask in range(1, 65_536):
        cells = [cell for cell in range(16) if mask >> cell & 1]
        plan, bits = [int(word) & 0xFFFF for word in gather_plan(cells)], rng.getrandbits(16)
        found = bits & plan[0]
        for move, step in zip(plan[1:5], (1, 2, 4, 8)):
            found = found & ~move | (found & move) >> step
        assert found == sum((bits >> cell & 1) << rank for rank, cell in enumerate(cells)), cells
        assert plan[5] == len(cells)
    assert math.prod(map(int, gather_plan([0]))) == 0


@pytest.mark.parametrize(
    "patterns, pairs",
    [
        (((0, 1, 2, 3), (12, 13, 14, 15)), 1),  # upper and lower row
        (((0, 1), (0, 4)), 1),  # mirrored at the diagonal
        (((0, 1, 2), (2, 0, 1)), 1),  # the same cells, in another order
        (((5, 6), (9, 10), (5, 9)), 3),
        (((0, 1, 2, 3), (4, 5, 6, 7)), 0),
        (((0, 1), (1, 2), (0, 1, 4)), 0),
    ],
)
def test_patterns_that_are_images_of_each_other_are_warned_of(patterns, pairs):
    """The second one is work without use, since the network looks at all eight sides of a board."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        NTupleNetwork(patterns)
    assert len(caught) == pairs
    for warning in caught:
        assert "images of each other" in str(warning.message) and warning.filename == __file__


def test_no_warning_where_images_are_of_use_and_for_the_networks_that_have_names():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        NTupleNetwork(((0, 1), (0, 4)), symmetries=1)
        for name in PATTERNS:
            NTupleNetwork(name)
