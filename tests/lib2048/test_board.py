"""The game against its slow twin: every row, many boards, and what is drawn at random."""

import functools
import random
from collections import Counter

import naive
import numpy as np
import pytest
from chance import agrees
from naive import ACTIONS, DOWN, LEFT, RIGHT, UP

import lib2048
from lib2048.board import _first_board, _spawn, fours_below
from lib2048.kernels import uint64
from lib2048.random_words import mix, stream

#     2   8 128   .
#    16   .   .   4
#     .   .   .   .
# 32768   2   2   1024
SAMPLE = naive.to_board([1, 3, 7, 0, 4, 0, 0, 2, 0, 0, 0, 0, 15, 1, 1, 10])


def random_boards(count, seed):
    """Boards of all kinds, as uint64: sparse and full, with few and many different tiles."""
    rng = np.random.default_rng(seed)
    highest = rng.integers(1, 16, (count, 1))
    lowest = np.maximum(1, highest - rng.integers(0, 15, (count, 1)))
    cells = rng.integers(lowest, highest + 1, (count, 16))
    cells[rng.random((count, 16)) < rng.choice([0, 0.1, 0.3, 0.7], (count, 1))] = 0
    return (cells.astype(np.uint64) << np.arange(0, 64, 4, dtype=np.uint64)).sum(
        axis=1, dtype=np.uint64
    )


@functools.cache
def twin_rows():
    """What the twin makes of every row of four exponents, the first in the low bits.

    (rows slid left, rewards).
    """
    slid, rewards = np.zeros(65_536, np.uint64), np.zeros(65_536, np.int64)
    for code in range(65_536):
        row, rewards[code] = naive.slide_row_left([code >> 4 * j & 15 for j in range(4)])
        slid[code] = naive.to_board(row)
    return slid, rewards


@pytest.mark.parametrize("action", ACTIONS)
def test_every_row(action):
    """Row `code` lies along line code % 4 of an empty board, its front at the edge moved to."""
    (slid, rewards), lines, wrong = twin_rows(), naive.lines(action), []
    for code in range(65_536):
        line = lines[code % 4]
        board, after = (
            sum((row >> 4 * j & 15) << 4 * line[j] for j in range(4))
            for row in (code, int(slid[code]))
        )
        expected = (after, int(rewards[code]) if after != board else -1)
        if lib2048.slide(board, action) != expected:
            wrong.append((f"{code:#06x}", lib2048.slide(board, action), expected))
    assert wrong == []


@pytest.mark.parametrize("action", ACTIONS)
def test_100_000_boards(action):
    """Each line of each board as the twin slides it, put back where the line lies."""
    boards, (slid, rewards) = random_boards(100_000, seed=1), twin_rows()
    after, reward = np.zeros_like(boards), np.zeros(len(boards), np.int64)
    for line in naive.lines(action):
        codes = sum(
            (boards >> uint64(4 * cell) & uint64(15)) << uint64(4 * j)
            for j, cell in enumerate(line)
        )
        reward += rewards[codes]
        after |= sum(
            (slid[codes] >> uint64(4 * j) & uint64(15)) << uint64(4 * cell)
            for j, cell in enumerate(line)
        )
    reward[after == boards] = -1
    assert 0.02 < (reward == -1).mean() < 0.5 and reward.max() >= 4 * 32768
    found = [lib2048.slide(board, action) for board in boards.tolist()]
    assert found == list(zip(after.tolist(), reward.tolist()))


@pytest.mark.jit_off
def test_boards_move_by_move():
    """Afterstate, reward and the legal actions, with the twin called for each board."""
    for board in random_boards(400, seed=2).tolist():
        cells = naive.to_cells(board)
        for action in ACTIONS:
            after, reward = naive.slide(cells, action)
            assert lib2048.slide(board, action) == (naive.to_board(after), reward)
        assert lib2048.legal_actions(board) == naive.legal_actions(cells)


@pytest.mark.jit_off
@pytest.mark.parametrize("action", ACTIONS)
def test_two_32768_do_not_merge(action):
    """Four bits cannot hold 65536: such tiles stay apart, and a full board of them is dead."""
    assert lib2048.slide(0xFFFF_FFFF_FFFF_FFFF, action) == (0xFFFF_FFFF_FFFF_FFFF, -1)
    for line in naive.lines(action):
        apart, together = (
            15 << 4 * line[1] | 15 << 4 * line[3],
            15 << 4 * line[0] | 15 << 4 * line[1],
        )
        assert lib2048.slide(apart, action) == (together, 0)
        assert lib2048.slide(together, action) == (together, -1)
        two_16384 = 14 << 4 * line[1] | 14 << 4 * line[3] | 15 << 4 * line[2]
        assert lib2048.slide(two_16384 ^ 15 << 4 * line[2], action) == (15 << 4 * line[0], 32768)
        assert lib2048.slide(two_16384, action)[1] == 0
    assert lib2048.legal_actions(0xFFFF_FFFF_FFFF_FFFF) == []


@pytest.mark.jit_off
def test_the_largest_reward_a_move_can_earn():
    after, reward = lib2048.slide(0xEEEE_EEEE_EEEE_EEEE, LEFT)
    assert (after, reward) == (0x00FF_00FF_00FF_00FF, 8 * 32768)


@pytest.mark.jit_off
def test_results_are_python_integers_whatever_integers_go_in():
    for kind in (int, np.uint64, np.int64):
        for action in (LEFT, np.uint8(LEFT), np.int64(LEFT)):
            after, reward = lib2048.slide(kind(0x21), action)
            assert (type(after), type(reward), after, reward) == (int, int, 0x21, -1)
        assert lib2048.slide(kind(0x11), UP) == (0x11, -1)
        assert [type(image) for image in lib2048.symmetries(kind(1))] == [int] * 8
        assert type(lib2048.spawn(kind(1), np.random.default_rng(0))) is int


# Chance


@pytest.mark.parametrize("p4", [0.0, 0.1, 0.2, 0.75, 1.0])
def test_spawn_frequencies(p4):
    """Each empty cell alike, in it a 4 with p4; every other cell as it was."""
    rng, counts = np.random.default_rng(3), Counter()
    empty = naive.empty_cells(naive.to_cells(SAMPLE))
    for _ in range(8000):
        new = lib2048.spawn(SAMPLE, rng, p4) - SAMPLE
        counts[new] += 1
    chances = {e << 4 * cell: p / len(empty) for cell in empty for e, p in ((1, 1 - p4), (2, p4))}
    assert agrees(counts, chances), counts


def test_new_boards():
    rng, counts = np.random.default_rng(4), Counter()
    for _ in range(8000):
        cells = naive.to_cells(lib2048.new_board(rng, 0.25))
        counts[
            tuple(cell for cell in range(16) if cells[cell]), tuple(sorted(filter(None, cells)))
        ] += 1
    tiles = {(1, 1): 0.75**2, (1, 2): 2 * 0.75 * 0.25, (2, 2): 0.25**2}
    assert agrees(
        counts,
        {
            ((a, b), t): p / 120
            for a in range(16)
            for b in range(a + 1, 16)
            for t, p in tiles.items()
        },
    )


@pytest.mark.jit_off
def test_the_games_stream_of_spawns_is_the_twins():
    """The random state of game n, the first board and the spawns after it, from (seed, n, p4)."""
    rng = random.Random(5)
    for _ in range(60):
        seed, game, p4 = (
            rng.getrandbits(63),
            rng.randrange(10**9),
            rng.choice([0.0, 0.1, 0.2, 0.5, 1.0]),
        )
        twin, fours, state = (
            naive.Stream(seed, game, p4),
            fours_below(p4),
            int(stream(uint64(seed), game)),
        )
        assert state == twin.state
        assert int(_first_board(uint64(state), fours)) == naive.to_board(twin.first_board())
        state = twin.state
        for board in random_boards(6, seed=game).tolist():
            if 0 in naive.to_cells(board):
                state = (state + 0x9E37_79B9_7F4A_7C15) % 2**64
                after = naive.to_board(twin.spawn(naive.to_cells(board)))
                assert int(_spawn(uint64(board), uint64(mix(uint64(state))), fours)) == after


@pytest.mark.parametrize("p4", [0.0, 0.1, 0.2, 0.75, 1.0])
def test_spawn_frequencies_of_the_stream(p4):
    """What games are made of: over the first boards of many games, and over one game's words."""
    fours, firsts, laters, state = fours_below(p4), Counter(), Counter(), 6
    empty = naive.empty_cells(naive.to_cells(SAMPLE))
    for game in range(20_000):
        cells = naive.to_cells(_first_board(uint64(stream(uint64(1), game)), fours))
        firsts[tuple(i for i in range(16) if cells[i]), tuple(sorted(filter(None, cells)))] += 1
        state = (state + 0x9E37_79B9_7F4A_7C15) % 2**64
        laters[int(_spawn(uint64(SAMPLE), uint64(mix(uint64(state))), fours)) - SAMPLE] += 1
    tiles = {(1, 1): (1 - p4) ** 2, (1, 2): 2 * (1 - p4) * p4, (2, 2): p4**2}
    pairs = [(a, b) for a in range(16) for b in range(a + 1, 16)]
    assert agrees(firsts, {(pair, t): p / 120 for pair in pairs for t, p in tiles.items()})
    assert agrees(
        laters, {e << 4 * i: p / len(empty) for i in empty for e, p in ((1, 1 - p4), (2, p4))}
    ), laters


def test_a_seeded_generator_repeats_its_spawns():
    first, second = (
        [lib2048.new_board(np.random.default_rng(seed)) for seed in range(50)] for _ in range(2)
    )
    assert first == second and len(set(first)) > 40


# Symmetries and forms


def test_symmetries_are_the_twins():
    """The four quarter turns clockwise, then each of them mirrored."""
    for board in random_boards(300, seed=7).tolist():
        cells = naive.to_cells(board)
        turns = [cells]
        for _ in range(3):
            turns.append(naive.rotate(turns[-1]))
        expected = [
            naive.to_board(image) for image in turns + [naive.reflect(turn) for turn in turns]
        ]
        assert lib2048.symmetries(board) == expected
        assert sorted(expected) == sorted(
            naive.to_board(image) for image in naive.symmetries(cells)
        )


def test_arrays_and_tiles_round_trip():
    for board in random_boards(300, seed=8).tolist():
        rows = naive.to_rows(naive.to_cells(board))
        array = lib2048.to_array(board)
        assert array.shape == (4, 4) and array.dtype.kind == "i" and array.tolist() == rows
        tiles = [[2**exponent if exponent else 0 for exponent in row] for row in rows]
        for cells in (array, array.astype(np.uint8), rows):
            assert lib2048.from_array(cells) == board and type(lib2048.from_array(cells)) is int
        assert lib2048.from_tiles(tiles) == lib2048.from_tiles(np.array(tiles)) == board


def test_text():
    assert lib2048.show(SAMPLE).splitlines() == [
        "    2     8   128     .",
        "   16     .     .     4",
        "    .     .     .     .",
        "32768     2     2  1024",
    ]
    for board in random_boards(100, seed=9).tolist():
        rows = [
            [int(word.replace(".", "0")) for word in line.split()]
            for line in lib2048.show(board).splitlines()
        ]
        assert lib2048.from_tiles(rows) == board


def test_directions():
    """UP, RIGHT, DOWN, LEFT are 0, 1, 2, 3 and move where they say."""
    middle = lib2048.from_tiles([[0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert (
        (lib2048.UP, lib2048.RIGHT, lib2048.DOWN, lib2048.LEFT)
        == (UP, RIGHT, DOWN, LEFT)
        == (0, 1, 2, 3)
    )
    ends = [
        np.argwhere(lib2048.to_array(lib2048.slide(middle, action)[0]))[0].tolist()
        for action in ACTIONS
    ]
    assert ends == [[0, 1], [1, 3], [3, 1], [1, 0]]
