"""The game on boards as the exercises have them: four rows of four exponents, in plain lists.

The libraries keep a board in one number of 64 bits, which is fast. A learner's functions work on
lists, which can be read. What is here takes and gives lists and asks the library, so it is right,
and may stand in for a function that a learner has not written.
"""

import operator

import numpy as np

from lib2048 import board as game

BITS_BELOW = range(0, 64, 4)  # each cell in the number of a board


def slide(board, action: int) -> tuple[list, int]:
    """Slide a board: (afterstate, reward), or (the same board, -1) where nothing moves.

    Examples
    --------
    >>> slide([[1, 1, 2, 0], [0] * 4, [0] * 4, [0] * 4], game.LEFT)
    ([[2, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], 4)
    """
    afterstate, reward = game.slide(number_of(board), action)
    return rows_of(afterstate), reward


def legal_actions(board) -> list[int]:
    """The actions that move something."""
    return game.legal_actions(number_of(board))


def empty_cells(board) -> list[tuple[int, int]]:
    """(row, column) of each empty cell, row by row."""
    places = [(row, column) for row in range(4) for column in range(4)]
    return [(row, column) for row, column in places if board[row][column] == 0]


def is_dead(board) -> bool:
    """Whether no action moves anything on a board without an empty cell."""
    return not empty_cells(board) and not legal_actions(board)


def place(board, row: int, column: int, exponent: int) -> list:
    """A copy of a board with one more tile."""
    after = [list(cells) for cells in board]
    after[row][column] = exponent
    return after


def spawn(board, rng: np.random.Generator, p4: float = 0.1) -> list:
    """A copy of a board with a new tile in a random empty cell."""
    return rows_of(game.spawn(number_of(board), rng, p4))


def new_board(rng: np.random.Generator, p4: float = 0.1) -> list:
    """A board as a game begins with it: two tiles."""
    return rows_of(game.new_board(rng, p4))


def symmetries(board) -> list:
    """The 8 images of a board."""
    return [rows_of(image) for image in game.symmetries(number_of(board))]


def rows_of(board: int) -> list[list[int]]:
    """A board of the libraries as rows.

    Examples
    --------
    >>> rows_of(0x4321)
    [[1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    exponents = [board >> bits & 15 for bits in BITS_BELOW]
    return [exponents[0:4], exponents[4:8], exponents[8:12], exponents[12:16]]


def number_of(board) -> int:
    """Rows as a board of the libraries.

    Examples
    --------
    >>> hex(number_of([[1, 2, 3, 4], [0] * 4, [0] * 4, [0] * 4]))
    '0x4321'
    """
    number = number_of_lists(board)
    return game.from_array(board) if number is None else number


def number_of_lists(board) -> int | None:
    """The same for plain lists, of which there are very many, quickly; None for all else."""
    if type(board) is not list or list(map(type, board)) != [list] * 4:
        return None
    exponents = board[0] + board[1] + board[2] + board[3]
    if set(map(type, exponents)) != {int} or list(map(len, board)) != [4] * 4:
        return None
    if min(exponents) < 0 or max(exponents) > game.LARGEST:
        return None
    return sum(map(operator.lshift, exponents, BITS_BELOW))
