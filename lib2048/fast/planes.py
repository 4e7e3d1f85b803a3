"""The game on bit planes, which is how the fast engine sees a board.

Plane b holds bit b of the exponents of all 16 cells, and the four planes lie side by side in one
word: bit b of cell i at place 16b + i. It is the same 64 bits as in board.py, in another order, and
this order spares work everywhere:

- A row or a column is one `_gather`, also where its cells lie far apart, and one `_scatter` puts it
  back. So a slide upward is a slide to the left of the columns, and the board need not be turned
  for it and turned back.
- Mirroring or turning the board is a handful of shifts that move all four planes at once.
- What a network looks weights up by is one `_gather` too (see lookup.py), with nothing to be done
  to the board before.

Moves and new tiles are those of board.py, to the bit: the tests play both. A function here that has
a twin there is named after it, `_slide_planes` after `_slide`.
"""

import numpy as np

from lib2048.board import DOWN, LEFT, ROW, ROWS, UP, _count_bits
from lib2048.fast.bits import _gather, _nth_bit, _scatter, formula, gather_plan
from lib2048.kernels import kernel, uint64

PLANE = uint64(0xFFFF)  # the bits of plane 0


# Lines: a row or a column, whichever way tiles move

_CELLS_OF_ROWS = [range(4 * row, 4 * row + 4) for row in range(4)]
_CELLS_OF_COLUMNS = [range(column, 16, 4) for column in range(4)]

LINES = np.array([gather_plan(cells) for cells in _CELLS_OF_ROWS + _CELLS_OF_COLUMNS])
"""uint64 (8, 6): how to gather each of the four rows, then of the four columns."""

FIRST_ROW, FIRST_COLUMN = 0, 4


def _line_in_planes(rows):
    """Rows of four cells (bit b of cell i at place 4i + b) in plane order (at place 4b + i)."""
    lines = np.zeros_like(rows)
    for cell in range(4):
        for bit in range(4):
            lines |= ((rows >> 4 * cell + bit) & uint64(1)) << 4 * bit + cell
    return lines


def _line_table():
    """uint64[65536], as board.ROWS, for lines in plane order.

    Bits 0-15 hold the line slid to its front, 16-31 slid to its back, 32-63 the reward.
    """
    rows = np.arange(1 << 16, dtype=np.uint64)
    front = _line_in_planes(ROWS & ROW)
    back = _line_in_planes((ROWS >> 16) & ROW)
    reward = ROWS >> 32
    table = np.empty_like(rows)
    table[_line_in_planes(rows)] = front | back << 16 | reward << 32
    return table


LINE_SLIDES = _line_table()


# From boards to planes and back


@formula
def _swap(word, distance, mask):
    """The bits under `mask` trade places with those `distance` above; no others are kept."""
    return ((word & mask) << distance) | ((word >> distance) & mask)


@formula
def _swap_some(word, distance, mask):
    """The bits under `mask` trade places with those `distance` places above; all others stay."""
    different = (word ^ (word >> distance)) & mask
    return word ^ different ^ (different << distance)


@formula
def _to_planes(board):
    """The bit planes of a board.

    The number of a place in the word has six bits, "cell, cell, cell, cell, bit, bit" for a board
    and "bit, bit, cell, cell, cell, cell" for its planes. Each of the four steps exchanges two
    neighbours in this list of six.
    """
    board = _swap_some(board, uint64(3), uint64(0x0A0A_0A0A_0A0A_0A0A))
    board = _swap_some(board, uint64(6), uint64(0x00CC_00CC_00CC_00CC))
    board = _swap_some(board, uint64(12), uint64(0x0000_F0F0_0000_F0F0))
    return _swap_some(board, uint64(24), uint64(0x0000_0000_FF00_FF00))


@formula
def _to_board(planes):
    """The board with these planes: the steps of `_to_planes` backwards, as each undoes itself."""
    planes = _swap_some(planes, uint64(24), uint64(0x0000_0000_FF00_FF00))
    planes = _swap_some(planes, uint64(12), uint64(0x0000_F0F0_0000_F0F0))
    planes = _swap_some(planes, uint64(6), uint64(0x00CC_00CC_00CC_00CC))
    return _swap_some(planes, uint64(3), uint64(0x0A0A_0A0A_0A0A_0A0A))


# Images


@formula
def _mirrored(planes):
    """Left and right swapped: the columns within each pair, then the pairs."""
    planes = _swap(planes, uint64(1), uint64(0x5555_5555_5555_5555))
    return _swap(planes, uint64(2), uint64(0x3333_3333_3333_3333))


@formula
def _flipped(planes):
    """Top and bottom swapped: the rows within each pair, then the pairs."""
    planes = _swap(planes, uint64(4), uint64(0x0F0F_0F0F_0F0F_0F0F))
    return _swap(planes, uint64(8), uint64(0x00FF_00FF_00FF_00FF))


@formula
def _transposed(planes):
    """Rows and columns swapped: within each block of 2 x 2 cells, then the blocks."""
    planes = _swap_some(planes, uint64(3), uint64(0x0A0A_0A0A_0A0A_0A0A))
    return _swap_some(planes, uint64(6), uint64(0x00CC_00CC_00CC_00CC))


# Moves


@kernel(forceinline=True)
def _slide_lines(planes, first):
    """Four lines slid, those of LINES from `first` on: (to their front, to their back, reward)."""
    front = uint64(0)
    back = uint64(0)
    reward = uint64(0)
    for line in range(first, first + 4):
        slides = LINE_SLIDES[_gather(planes, LINES, line)]
        front |= _scatter(slides, LINES, line)
        back |= _scatter(slides >> 16, LINES, line)
        reward += slides >> 32
    return front, back, reward


@kernel(forceinline=True)
def _slide_all_ways(planes):
    """All four slides: (up, right, down, left, reward of up or down, reward of right or left).

    Whoever compares moves needs all four, and two of them come from the same gathers.
    """
    left, right, reward_across = _slide_lines(planes, FIRST_ROW)
    up, down, reward_along = _slide_lines(planes, FIRST_COLUMN)
    return up, right, down, left, reward_along, reward_across


@kernel(forceinline=True)
def _slide_planes(planes, action):
    """One slide: (afterstate, reward); the same planes and reward 0 when nothing moves."""
    up, right, down, left, reward_along, reward_across = _slide_all_ways(planes)
    if action == UP:
        return up, reward_along
    if action == DOWN:
        return down, reward_along
    if action == LEFT:
        return left, reward_across
    return right, reward_across


@kernel()
def _is_dead_in_planes(planes):
    """Whether no action moves anything."""
    up, right, down, left, _, _ = _slide_all_ways(planes)
    return up == planes and right == planes and down == planes and left == planes


@kernel(forceinline=True)
def _empty_in_planes(planes):
    """The empty cells, one bit each (uint64)."""
    taken = planes | (planes >> 32)
    taken |= taken >> 16
    return ~taken & PLANE


@kernel(forceinline=True)
def _spawn_in_planes(planes, word, fours):
    """One more tile, from one random word: upper half the cell, lower half a 2 or a 4."""
    empty = _empty_in_planes(planes)
    cell = _nth_bit(empty, ((word >> 32) * _count_bits(empty)) >> 32)
    is_four = (word & uint64(0xFFFF_FFFF)) < fours
    return planes | (cell << 16 if is_four else cell)


@kernel(forceinline=True)
def _largest_in_planes(planes):
    """The exponent of the largest tile, bit by bit from the highest (uint64).

    Where some of the cells that are left have a bit, only those stay.
    """
    cells = PLANE
    exponent = uint64(0)
    for bit in range(3, -1, -1):
        having = cells & (planes >> (16 * bit))
        if having:
            cells = having
            exponent |= uint64(1) << bit
    return exponent
