"""The slow twin of the game holds what must be true of it whatever lib2048 does."""

import itertools
import math
import random

import naive
import pytest

UP, RIGHT, DOWN, LEFT = naive.ACTIONS
ROWS = [list(row) for row in itertools.product(range(16), repeat=4)]
#     2   8 128   4        1 3 7 2
#     8  32  64 256        3 5 6 8
#     2   4  32 128        1 2 5 7
#     4   2   8  16        2 1 3 4
SAMPLE = naive.from_tiles([[2, 8, 128, 4], [8, 32, 64, 256], [2, 4, 32, 128], [4, 2, 8, 16]])


def tile_sum(cells):
    """The sum of the tiles of a row or board."""
    return sum(2**exponent for exponent in cells if exponent)


def random_cells(rng, empty=0.3):
    """A board of any tiles, 32768 included."""
    return [0 if rng.random() < empty else rng.randint(1, 15) for _ in range(16)]


def test_boards_as_numbers_and_rows():
    board = 0x4312_7521_8653_2731  # the cells of SAMPLE from the last to the first
    assert naive.to_board(SAMPLE) == board
    assert naive.to_cells(board) == SAMPLE
    assert naive.to_rows(SAMPLE) == [[1, 3, 7, 2], [3, 5, 6, 8], [1, 2, 5, 7], [2, 1, 3, 4]]
    assert naive.flat(naive.to_rows(SAMPLE)) == SAMPLE
    assert naive.to_cells(2**64 - 1) == [15] * 16


def test_every_row_keeps_its_tile_sum_and_earns_what_it_merges():
    assert len(ROWS) == 65_536
    for row in ROWS:
        after, reward = naive.slide_row_left(row)
        assert tile_sum(after) == tile_sum(row)
        # Merging two of 2^e into 2^(e+1) leaves the sum, so it is the sum of squares that shows
        # which tiles merged: it grows by 2 * 4^e for a reward of 2^(e+1)
        gone = sum(exponent > 0 for exponent in row) - sum(exponent > 0 for exponent in after)
        growth = sum(4**e for e in after if e) - sum(4**e for e in row if e)
        assert (reward == 0) == (gone == 0)
        if gone == 1:
            assert reward * reward == 2 * growth
        if gone == 2:
            assert reward == 2 ** after[0] + 2 ** after[1]


def test_every_row_ends_packed_to_the_left_with_no_gap():
    for row in ROWS:
        after, _ = naive.slide_row_left(row)
        kept = [exponent for exponent in after if exponent]
        assert after == kept + [0] * (4 - len(kept)) and max(after) <= 15


def test_right_is_mirrored_left_and_columns_are_turned_rows():
    rng = random.Random(1)
    for _ in range(2000):
        cells = random_cells(rng)
        left, reward = naive.slide(cells, LEFT)
        mirrored = naive.reflect(cells)
        turned = naive.rotate(cells)
        assert naive.slide(mirrored, RIGHT) == (naive.reflect(left), reward)
        assert naive.slide(turned, UP) == (naive.rotate(left), reward)
        assert naive.slide(naive.rotate(naive.rotate(turned)), DOWN)[1] == reward


def test_all_rows_slide_right_as_their_mirror_image_slides_left():
    for row in ROWS:
        cells = [0] * 8 + row + [0] * 4
        after, reward = naive.slide_row_left(row[::-1])
        expected = (cells, -1) if after[::-1] == row else ([0] * 8 + after[::-1] + [0] * 4, reward)
        assert naive.slide(cells, RIGHT) == expected


def test_slide_leaves_its_board_alone():
    cells = list(SAMPLE)
    for action in naive.ACTIONS:
        naive.slide(cells, action)
    assert cells == SAMPLE


def test_dead_is_full_without_equal_neighbours_below_32768():
    rng = random.Random(2)
    for _ in range(3000):
        cells = random_cells(rng, empty=rng.choice([0.0, 0.0, 0.05]))
        pairs = [(i, i + 1) for i in range(16) if i % 4 < 3] + [(i, i + 4) for i in range(12)]
        alive = 0 in cells or any(cells[i] == cells[j] != 15 for i, j in pairs)
        assert naive.is_dead(cells) != alive
    assert naive.is_dead([15] * 16)
    assert naive.is_dead([0] * 16)
    assert naive.is_dead(SAMPLE)


def test_images():
    assert naive.to_rows(naive.rotate(SAMPLE))[0] == [2, 1, 3, 1]  # the left column read upwards
    images = naive.symmetries(SAMPLE)
    assert images[0] == SAMPLE and len({tuple(image) for image in images}) == 8
    for image in images:
        assert {tuple(again) for again in naive.symmetries(image)} == {
            tuple(image) for image in images
        }
    transpose = [1, 2, 3, 4, 2, 5, 6, 7, 3, 6, 8, 9, 4, 7, 9, 10]
    assert len({tuple(image) for image in naive.symmetries(transpose)}) == 4
    assert len({tuple(image) for image in naive.symmetries([3] * 16)}) == 1


def test_symmetries_keep_neighbours():
    """Each image keeps the 24 pairs of neighbours, as only the symmetries of the square do."""
    pairs = {
        frozenset(p)
        for p in [(i, i + 1) for i in range(16) if i % 4 < 3] + [(i, i + 4) for i in range(12)]
    }
    for image in naive.symmetries(list(range(16))):
        assert {frozenset(image[i] for i in pair) for pair in pairs} == pairs


def test_spawns():
    after = [0 if i in (3, 9) else 5 for i in range(16)]
    spawns = naive.successors(after, 0.1)
    assert [p for p, _ in spawns] == pytest.approx([0.45, 0.05, 0.45, 0.05])
    assert [board[3] for _, board in spawns] == [1, 2, 0, 0]
    assert [board[9] for _, board in spawns] == [0, 0, 1, 2]
    assert naive.successors([5] * 16) == []
    assert math.fsum(p for p, _ in naive.successors([0] * 16, 0.2)) == pytest.approx(1)


def test_only_an_afterstate_with_one_empty_cell_can_spawn_a_dead_board():
    """With two empty cells one is left after the spawn, and a tile beside it can move."""
    rng = random.Random(3)
    for _ in range(500):
        cells = random_cells(rng)
        if cells.count(0) >= 2:
            assert not any(naive.is_dead(board) for _, board in naive.successors(cells))


def test_the_words_of_splitmix64():
    """The first outputs from state 0, as published with it; a game starts from another state."""
    stream = naive.Stream(0, 0)
    stream.state = 0
    assert [stream.word() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    starts = {naive.Stream(seed, game).state for seed in range(50) for game in range(50)}
    assert len(starts) == 2500 and all(0 <= start < 2**64 for start in starts)


@pytest.mark.parametrize("p4", [0.0, 0.25, 1.0])
def test_spawns_of_the_stream(p4):
    """Over 4,000 words: each of four empty cells near a quarter, 4-tiles near p4."""
    stream, after = naive.Stream(1, 2, p4), [0 if i in (0, 5, 9, 15) else 7 for i in range(16)]
    seen = {}
    for _ in range(4000):
        board = stream.spawn(after)
        (cell,) = [i for i in range(16) if board[i] != after[i]]
        seen[cell, board[cell]] = seen.get((cell, board[cell]), 0) + 1
    for cell in (0, 5, 9, 15):
        assert abs(seen.get((cell, 1), 0) - 1000 * (1 - p4)) < 120
        assert abs(seen.get((cell, 2), 0) - 1000 * p4) < 120
