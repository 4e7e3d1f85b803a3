"""The game on bit planes, which is how the fast loops see a board.

Plane b holds bit b of the exponents of all 16 cells, and the four planes lie side by side in one word: bit b of cell i
at place 16b + i. It is the same 64 bits as in board.py, in another order, and this order spares work everywhere:

- A row or a column is one `_gather`, also where its cells lie far apart, and one `_scatter` puts it back. So a slide
  upward is a slide to the left of the columns, and the board need not be turned for it and turned back.
- Mirroring or turning the board is a handful of shifts that move all four planes at once.
- What a network looks weights up by is one `_gather` too (see lookup.py), with nothing to be done to the board before.

Moves and new tiles are those of board.py, to the bit: the tests play both.
"""

import numpy as np

from lib2048.board import RIGHT, ROW, ROWS, UP, _count_bits
from lib2048.kernels import FAST_BITS, U, _gather, _nth_bit, _pdep, formula, gather_plan, kernel

LINES = np.array(
    [gather_plan(range(4 * row, 4 * row + 4)) for row in range(4)]
    + [gather_plan(range(column, 16, 4)) for column in range(4)]
)
"""uint64 (8, 6): how to gather each of the four rows, then of the four columns."""


def _line_table():
    """As board.ROWS (uint64[65536]), for four cells in plane order: bit b of cell i at place 4b + i."""
    rows = np.arange(1 << 16, dtype=np.uint64)
    table = np.empty_like(rows)
    table[_in_planes(rows)] = (
        _in_planes(ROWS & ROW) | _in_planes(ROWS >> U(16) & ROW) << U(16) | ROWS >> U(32) << U(32)
    )
    return table


def _in_planes(rows):
    """Rows of four cells in plane order."""
    return sum(
        (rows >> U(4 * cell + bit) & U(1)) << U(4 * bit + cell)
        for cell in range(4)
        for bit in range(4)
    )


SLID = _line_table()  # what a line slides to, to its front and to its back, and the reward


@formula
def _swapped(word, by, mask):
    """The bits under `mask` trade places with those `by` places above."""
    return ((word & mask) << by) | ((word >> by) & mask)


@formula
def _moved(word, by, mask):
    """The bits under `mask` trade places with those `by` places above; all others stay."""
    moving = (word ^ (word >> by)) & mask
    return word ^ moving ^ (moving << by)


@formula
def _planes(board):
    """The bit planes of a board."""
    board = _moved(_moved(board, U(3), U(0x0A0A_0A0A_0A0A_0A0A)), U(6), U(0x00CC_00CC_00CC_00CC))
    return _moved(_moved(board, U(12), U(0x0000_F0F0_0000_F0F0)), U(24), U(0x0000_0000_FF00_FF00))


@formula
def _board(planes):
    """The board with these bit planes: the steps of `_planes` backwards, each of which undoes itself."""
    planes = _moved(
        _moved(planes, U(24), U(0x0000_0000_FF00_FF00)), U(12), U(0x0000_F0F0_0000_F0F0)
    )
    return _moved(_moved(planes, U(6), U(0x00CC_00CC_00CC_00CC)), U(3), U(0x0A0A_0A0A_0A0A_0A0A))


@formula
def _mirrored(planes):
    """Left and right swapped."""
    return _swapped(
        _swapped(planes, U(1), U(0x5555_5555_5555_5555)), U(2), U(0x3333_3333_3333_3333)
    )


@formula
def _flipped(planes):
    """Top and bottom swapped."""
    return _swapped(
        _swapped(planes, U(4), U(0x0F0F_0F0F_0F0F_0F0F)), U(8), U(0x00FF_00FF_00FF_00FF)
    )


@formula
def _transposed(planes):
    """Rows and columns swapped."""
    return _moved(_moved(planes, U(3), U(0x0A0A_0A0A_0A0A_0A0A)), U(6), U(0x00CC_00CC_00CC_00CC))


if FAST_BITS:

    @kernel(forceinline=True)
    def _scatter(bits, plans, k):
        """The lowest 16 bits of `bits` in the four cells of line k: the way back from `_gather` (uint64)."""
        return _pdep(bits, plans[k, 0])

else:

    @kernel(forceinline=True)
    def _scatter(bits, plans, k):
        """The lowest 16 bits of `bits` in the four cells of line k: the way back from `_gather` (uint64)."""
        planes = (
            (bits & U(0xF))
            | (bits & U(0xF0)) << U(12)
            | (bits & U(0xF00)) << U(24)
            | (bits & U(0xF000)) << U(36)
        )
        arrived = planes & (plans[k, 4] >> U(8))
        planes = (planes ^ arrived) | (arrived << U(8))
        arrived = planes & (plans[k, 3] >> U(4))
        planes = (planes ^ arrived) | (arrived << U(4))
        arrived = planes & (plans[k, 2] >> U(2))
        planes = (planes ^ arrived) | (arrived << U(2))
        arrived = planes & (plans[k, 1] >> U(1))
        return (planes ^ arrived) | (arrived << U(1))


@kernel(forceinline=True)
def _slide_lines(planes, first):
    """The four lines of LINES from `first` on slid: (board slid to the front of its lines, to their back, reward)."""
    a, b, c, d = U(first), U(first + 1), U(first + 2), U(first + 3)
    w, x = SLID[_gather(planes, LINES, a)], SLID[_gather(planes, LINES, b)]
    y, z = SLID[_gather(planes, LINES, c)], SLID[_gather(planes, LINES, d)]
    front = (_scatter(w, LINES, a) | _scatter(x, LINES, b)) | (
        _scatter(y, LINES, c) | _scatter(z, LINES, d)
    )
    back = (_scatter(w >> U(16), LINES, a) | _scatter(x >> U(16), LINES, b)) | (
        _scatter(y >> U(16), LINES, c) | _scatter(z >> U(16), LINES, d)
    )
    return front, back, (w >> U(32)) + (x >> U(32)) + (y >> U(32)) + (z >> U(32))


@kernel(forceinline=True)
def _slides(planes):
    """All four slides: (planes slid up, right, down, left, reward of up or down, reward of right or left)."""
    left, right, across = _slide_lines(planes, 0)
    up, down, along = _slide_lines(planes, 4)
    return up, right, down, left, along, across


@kernel(forceinline=True)
def _empty(planes):
    """The empty cells, one bit each (uint64)."""
    taken = planes | (planes >> U(32))
    return ~(taken | (taken >> U(16))) & ROW


@kernel(forceinline=True)
def _spawned(planes, word, fours):
    """As board._spawn: one more tile, from one random word."""
    empty = _empty(planes)
    cell = _nth_bit(empty, ((word >> U(32)) * _count_bits(empty)) >> U(32))
    return planes | (cell << U(16) if (word & U(0xFFFF_FFFF)) < fours else cell)


@kernel(forceinline=True)
def _slid(planes, action):
    """One slide: (afterstate, reward)."""
    up, right, down, left, along, across = _slides(planes)
    if action % 2:
        return (right if action == RIGHT else left), across
    return (up if action == UP else down), along


@kernel(forceinline=True)
def _largest(planes):
    """The exponent of the largest tile, bit by bit from the top: if cells have it, only those stay (uint64)."""
    cells, exponent = ROW, U(0)
    for bit in range(3, -1, -1):
        having = cells & (planes >> U(16 * bit))
        if having:
            cells = having
            exponent |= U(1) << U(bit)
    return exponent


@kernel()
def _is_stuck(planes):
    """Whether no action moves anything."""
    up, right, down, left, _, _ = _slides(planes)
    return up == planes and right == planes and down == planes and left == planes
