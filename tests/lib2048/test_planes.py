"""The game on bit planes against the game on boards: the same moves, rewards and new tiles."""

import os
import subprocess
import sys

import numpy as np
import pytest
from test_board import random_boards

import lib2048
from lib2048 import board
from lib2048.board import fours_below
from lib2048.fast import bits, planes
from lib2048.fast.bits import _gather, _scatter
from lib2048.fast.planes import LINES
from lib2048.kernels import uint64

FULL = 0xFFFF_FFFF_FFFF_FFFF  # sixteen 32768-tiles
EDGES = [
    0,
    FULL,
    0x0123_4567_89AB_CDEF,
    *(e << 4 * cell for cell in range(16) for e in (1, 2, 4, 8, 15)),
]
ONE_WAY = [
    0x4321,
    0x4321 << 48,
    0x0004_0003_0002_0001,
    0x4000_3000_2000_1000,
]  # move down, up, right, left only


def boards(count, seed):
    """Boards of all kinds (uint64), the empty one and the full one among them."""
    edges = np.array(EDGES + ONE_WAY, np.uint64)
    return np.concatenate(
        [edges, random_boards(count - len(edges), seed), np.array(full_boards(40, seed), np.uint64)]
    )


def full_boards(count, seed):
    """Boards without an empty cell, on which few neighbours are equal: some of them are dead."""
    cells = np.random.default_rng(seed).integers(1, 16, (count, 16))
    return [sum(e << 4 * i for i, e in enumerate(row)) for row in cells.tolist()]


def grids(words):
    """The exponents of boards, uint64 (n, 4, 4)."""
    return (words[:, None] >> np.arange(0, 64, 4, dtype=np.uint64) & uint64(15)).reshape(-1, 4, 4)


def planes_of(cells):
    """Bit b of cell i at place 16b + i, written as that (uint64)."""
    flat = cells.reshape(-1, 16)
    return sum(
        (flat[:, i] >> uint64(b) & uint64(1)) << uint64(16 * b + i)
        for b in range(4)
        for i in range(16)
    )


def pair(count, seed):
    """(board, its planes), one after the other, as kernels take them."""
    words = boards(count, seed)
    return list(zip(words, planes_of(grids(words))))


# Forms


@pytest.mark.jit_off
def test_planes_and_boards_are_inverse():
    words = boards(3000, seed=1)
    expected = planes_of(grids(words))
    assert np.array_equal(planes._to_planes(words), expected) and np.array_equal(
        planes._to_board(expected), words
    )
    assert np.array_equal(planes._to_planes(planes._to_board(words)), words)
    assert [int(planes._to_planes(word)) for word in words[:200]] == expected[:200].tolist()
    assert [int(planes._to_board(word)) for word in expected[:200]] == words[:200].tolist()
    assert len(set(expected.tolist())) == len(set(words.tolist())) > 2500


@pytest.mark.jit_off
@pytest.mark.parametrize(
    "formula, image",
    [
        (planes._mirrored, lambda cells: cells[:, :, ::-1]),
        (planes._flipped, lambda cells: cells[:, ::-1]),
        (planes._transposed, lambda cells: cells.transpose(0, 2, 1)),
    ],
    ids=["mirrored", "flipped", "transposed"],
)
def test_images_are_numpys(formula, image):
    cells = grids(boards(1000, seed=2))
    expected = planes_of(image(cells))
    assert np.array_equal(formula(planes_of(cells)), expected)
    assert np.array_equal(formula(expected), planes_of(cells))
    assert (expected != planes_of(cells)).mean() > 0.7


# Lines


@pytest.mark.jit_off
def test_lines_are_gathered_and_scattered():
    """Four rows or four columns, taken out of the planes and put back, give the board again."""
    for word, all_planes in pair(200, seed=3):
        cells = grids(np.array([word]))[0]
        for first, lines in ((0, cells), (4, cells.T)):
            whole = 0
            for k, line in enumerate(lines.tolist(), first):
                bits = int(_gather(all_planes, LINES, uint64(k)))
                assert bits == sum(
                    (e >> b & 1) << 4 * b + j for b in range(4) for j, e in enumerate(line)
                )
                part = int(_scatter(uint64(bits), LINES, uint64(k)))
                assert part == int(
                    _scatter(uint64(bits | 0xABCD_EF01_2345 << 16), LINES, uint64(k))
                )
                assert part & whole == 0
                whole |= part
            assert whole == int(all_planes)


# Moves


def same_slides(both):
    """Check that every action does the same to each (board, planes).

    Returns the largest reward, and how often a board stayed as it was.
    """
    largest, stayed = 0, 0
    for word, all_planes in both:
        found = [int(part) for part in planes._slide_all_ways(all_planes)]
        for action in range(4):
            after, reward = (int(part) for part in board._slide(word, action))
            expected = int(planes._to_planes(uint64(after))), reward
            assert (found[action], found[5 if action % 2 else 4]) == expected, (hex(word), action)
            assert (
                tuple(int(part) for part in planes._slide_planes(all_planes, action)) == expected
            ), (
                hex(word),
                action,
            )
            largest, stayed = max(largest, reward), stayed + (after == word)
    return largest, stayed


@pytest.mark.jit_off
def test_slides_of_a_few_boards():
    assert same_slides(pair(300, seed=4))[1] > 40


def test_slides_of_10_000_boards():
    largest, stayed = same_slides(pair(10_000, seed=5))
    assert largest >= 4 * 32768 and stayed > 1000


def test_slides_of_every_row():
    """Every row of four tiles comes up in each row and each column, with others beside it."""
    codes = np.arange(65_536, dtype=np.uint64)
    words = sum(
        (codes * uint64(9) + uint64(7919 * row) & uint64(0xFFFF)) << uint64(16 * row)
        for row in range(4)
    )
    turned = grids(words).transpose(0, 2, 1).reshape(-1, 16)
    columns = sum(turned[:, i] << uint64(4 * i) for i in range(16))
    for some, actions in ((words, (1, 3)), (columns, (0, 2))):
        found = np.array(
            [planes._slide_all_ways(word) for word in planes._to_planes(some)], np.uint64
        )
        for action in actions:
            expected = np.array([board._slide(word, action) for word in some], np.uint64)
            assert np.array_equal(planes._to_board(found[:, action]), expected[:, 0])
            assert np.array_equal(found[:, 5 if action % 2 else 4], expected[:, 1])


@pytest.mark.jit_off
def test_the_largest_reward_a_move_can_earn():
    up, right, down, left, along, across = (
        int(part) for part in planes._slide_all_ways(planes._to_planes(uint64(FULL // 15 * 14)))
    )
    assert along == across == 8 * 32768
    assert (
        int(planes._to_board(uint64(left))) == 0x00FF_00FF_00FF_00FF
        and int(planes._to_board(uint64(up))) == 0xFFFF_FFFF
    )
    assert (
        int(planes._to_board(uint64(right))) == 0xFF00_FF00_FF00_FF00
        and int(planes._to_board(uint64(down))) == 0xFFFF_FFFF << 32
    )


# What else is asked of a board


@pytest.mark.jit_off
def test_empty_cells_largest_tile_and_dead_boards():
    dead, largest = 0, set()
    for word, all_planes in pair(300, seed=6):
        cells = grids(np.array([word])).reshape(16).tolist()
        lowest_bits = int(board._empty_cells(word))
        assert int(planes._empty_in_planes(all_planes)) == sum(
            (lowest_bits >> 4 * i & 1) << i for i in range(16)
        )
        assert (
            int(planes._largest_in_planes(all_planes))
            == int(board._largest_exponent(word))
            == max(cells)
        )
        stuck = planes._is_dead_in_planes(all_planes)
        assert stuck == board._is_dead(word), hex(word)
        dead += stuck
        largest.add(max(cells))
    assert dead > 5 and largest == set(range(16))
    assert [lib2048.legal_actions(word) for word in ONE_WAY] == [[2], [0], [1], [3]]
    assert planes._is_dead_in_planes(uint64(FULL)) and not planes._is_dead_in_planes(
        planes._to_planes(uint64(FULL >> 4))
    )


@pytest.mark.jit_off
@pytest.mark.parametrize("p4", [0.0, 0.1, 0.5, 1.0])
def test_new_tiles_are_those_of_the_board(p4):
    """The same cell and tile from the same random word, also at the edge between a 2 and a 4."""
    rng, fours = np.random.default_rng(7), fours_below(p4)
    for word, all_planes in pair(120, seed=7):
        if board._empty_cells(word):
            upper = rng.integers(0, 1 << 32, 6, np.uint64) << 32
            lower = [
                0,
                max(0, int(fours) - 1),
                min(int(fours), 2**32 - 1),
                2**32 - 1,
                *rng.integers(0, 1 << 32, 2),
            ]
            for random_word in upper | np.array(lower, np.uint64):
                expected = planes._to_planes(uint64(board._spawn(word, random_word, fours)))
                assert int(planes._spawn_in_planes(all_planes, random_word, fours)) == int(expected)


@pytest.mark.skipif(not bits.FAST_BITS, reason="this processor has the portable code only")
def test_portable_bit_code_does_the_same():
    """The tests of lines, moves and new tiles in a process without pext and pdep."""
    command = [sys.executable, "-m", "pytest", __file__, "-q", "-p", "no:cacheprovider"]
    command += ["-k", "lines or few or new_tiles"]
    env = {**os.environ, "LIB2048_PORTABLE": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0 and "6 passed" in done.stdout, done.stdout + done.stderr
