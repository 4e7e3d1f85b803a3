"""What cases are made of: boards from plain to random, tables of weights, value functions.

The value functions are 0 for a dead board, so it does not matter whether a learner asks for that.
"""

from collections.abc import Callable, Iterator

import numpy as np

from lib2048 import board as game
from lib2048.learning import board_sides
from workbook import grid
from workbook.answers import board_of, cells_of

EMPTY_ROW = [0, 0, 0, 0]
EMPTY = [EMPTY_ROW, EMPTY_ROW, EMPTY_ROW, EMPTY_ROW]
PLAIN = [[0, 0, 0, 1], [0, 0, 0, 2], [0, 1, 0, 3], [0, 0, 0, 4]]  # every action moves something
MIXED = [[1, 1, 2, 0], [0, 1, 0, 1], [3, 3, 3, 4], [5, 0, 0, 5]]
TOP = [[1, 2, 3, 4], EMPTY_ROW, EMPTY_ROW, EMPTY_ROW]  # only DOWN moves something
EQUAL = [[2, 1, 1, 2], [1, 3, 3, 1], [1, 3, 3, 1], [2, 1, 1, 2]]  # all its images are one board
DEAD = [[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [2, 1, 2, 3]]
NARROW = [[0, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [2, 1, 2, 1]]  # with a 2 in its gap it is dead
PATTERNS = [
    ((0, 1, 4),),
    ((0, 1, 2), (6,)),
    ((4, 1, 0), (5, 9), (3,)),
    ((0, 1, 4), (9, 5, 10)),
]
SIDES = [[int(cell) for cell in side.ravel()] for side in board_sides()]
"""Which cell of a board is seen where, for each of its 8 images."""


def random_boards(count: int, seed: int) -> Iterator[list]:
    """Random boards, full and sparse, of few and many kinds of tiles."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        tiles = rng.integers(1, rng.choice([3, 4, 6, 12]), (4, 4))
        filled = rng.random((4, 4)) >= rng.choice([0, 0.3, 0.6])
        yield (tiles * filled).tolist()


def hashed(board: int) -> int:
    """A whole number below 512 that depends on a board as if at random."""
    return board * int(game.GOLDEN) >> 55 & 511


def values(low: float, step: float = 0.125, liked_row=None) -> Callable:
    """A value function: low + 0 to 511 steps as if at random.

    Boards whose top row is the liked one are worth 10,000 more.
    """

    def value(cells):
        board = board_of(cells)
        rows = cells_of(board)
        if grid.is_dead(rows):
            return 0.0
        bonus = 10_000.0 if rows[0] == liked_row else 0.0
        return low + step * hashed(board) + bonus

    return value


def index(board: int, pattern) -> int:
    """The index of a pattern on a board."""
    return sum((board >> 4 * cell & 15) << 4 * j for j, cell in enumerate(pattern))


def random_tables(patterns, seed: int) -> list[np.ndarray]:
    """Weights that are multiples of 1/64, so that sums are the same in any order."""
    rng = np.random.default_rng(seed)
    return [
        (rng.integers(-640, 640, 16 ** len(pattern)) / 64).astype(np.float32)
        for pattern in patterns
    ]


def lookups(cells, patterns) -> list[tuple[int, int]]:
    """(table, index) of every lookup, image by image."""
    board = board_of(cells)
    return [
        (k, index(board, [side[cell] for cell in pattern]))
        for side in SIDES
        for k, pattern in enumerate(patterns)
    ]


def estimate(board, patterns, tables) -> float:
    """V of a board."""
    return sum(float(tables[k][index]) for k, index in lookups(board, patterns))


def update(board, patterns, tables, delta) -> float:
    """Add delta / m to the weight of each of the m lookups, in place. Returns V after."""
    all_lookups = lookups(board, patterns)
    for k, index in all_lookups:
        tables[k][index] += delta / len(all_lookups)
    return estimate(board, patterns, tables)


def spawns(afterstate, p4: float) -> list[tuple[float, list]]:
    """All boards that may follow an afterstate: [(probability, board), ...]."""
    empty = grid.empty_cells(afterstate)
    return [
        (probability / len(empty), grid.place(afterstate, row, column, exponent))
        for row, column in empty
        for exponent, probability in ((1, 1 - p4), (2, p4))
    ]


def spawn_mean(afterstate, value, p4) -> float:
    """The mean of value over all boards that may follow an afterstate."""
    return sum(probability * value(board) for probability, board in spawns(afterstate, p4))


def random_path(rng) -> list[tuple]:
    """A game of random moves: [(board, action, reward, afterstate), ...]."""
    path = []
    board = grid.new_board(rng)
    while legal := grid.legal_actions(board):
        action = int(rng.choice(legal))
        afterstate, reward = grid.slide(board, action)
        path.append((board, action, reward, afterstate))
        board = grid.spawn(afterstate, rng)
    return path
