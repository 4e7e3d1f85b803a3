"""Playing on past the tiles that a network knows.

A network that has hardly ever got beyond a 16384 knows little of what comes then. But take a board
with a 16384 and without an 8192: if the 16384 is read as an 8192, the same tiles are equal as
before, so the same tiles merge, until the missing 8192 is made. So from a given tile on the network
is shown a smaller board: find the largest tile size that is missing below the board's largest tile,
and read every tile above this gap as half of what it is. Repeat until no tile is that large any
more, or nothing is missing.

    16384  4096  512  8      is read as       8192  4096  512  8        8192 is missing
    16384  8192  512  8      is read as       8192  4096  512  8        4096 is missing
    32768  8192  512  8      is read as       8192  4096  512  8        16384 is missing, then 4096

The action that is best there is taken on the real board. A network may also learn from the boards
it is shown; then it hardly meets boards with large tiles, and learns the more often from others.
(Guei, Chen and Wu 2021, "Optimistic temporal difference learning for 2048", call this
tile-downgrading.)

What it cannot tell: once the missing 8192 is made, the shown afterstate has two, one of them a
16384 in truth, and they look as if they would merge. The next board is shown anew, but a search
over several moves counts that merge. And two 32768-tiles do not merge, but two 16384-tiles would: a
board with two 32768-tiles is shown as it is.
"""

from lib2048.board import LARGEST
from lib2048.fast.planes import _largest_in_planes, _to_board, _to_planes
from lib2048.kernels import kernel, uint64
from lib2048.validate import check_board, check_tile

BOARD = uint64(16)  # the cells of a board; a pattern has fewer


@kernel(forceinline=True)
def _cells_with(planes, cells, exponent):
    """The cells that hold this exponent, one bit each (uint64)."""
    having = (uint64(1) << cells) - uint64(1)
    for bit in range(4):
        plane = planes >> (uint64(bit) * cells)
        having &= plane if (exponent >> uint64(bit)) & uint64(1) else ~plane
    return having


@kernel(forceinline=True)
def _cells_above(planes, cells, exponent):
    """The cells that hold more than this exponent, one bit each (uint64).

    Compared from the highest bit down: a cell is above as soon as it has a bit that the exponent
    lacks, as long as the bits before were the same.
    """
    same = (uint64(1) << cells) - uint64(1)
    above = uint64(0)
    for bit in range(3, -1, -1):
        plane = planes >> (uint64(bit) * cells)
        if (exponent >> uint64(bit)) & uint64(1):
            same &= plane
        else:
            above |= same & plane
            same &= ~plane
    return above


@kernel(forceinline=True)
def _halve(planes, cells, halved):
    """The tiles of some cells, one bit each, read as half of what they are.

    One is taken from each exponent; where a bit is 0 already, it is borrowed from the next plane.
    """
    borrowed = halved
    smaller = planes
    for bit in range(4):
        shift = uint64(bit) * cells
        plane = planes >> shift
        smaller ^= borrowed << shift
        borrowed &= ~plane
    return smaller


@kernel()
def _downgrade_once(planes, cells, largest):
    """The next smaller board of one with this largest exponent; the board itself if none is.

    It is in planes, and may be what a pattern sees of a board, which has fewer cells.
    """
    missing = largest - uint64(1)
    while missing > uint64(0) and _cells_with(planes, cells, missing):
        missing -= uint64(1)
    of_largest = _cells_with(planes, cells, uint64(LARGEST))
    two_of_the_largest = of_largest & (of_largest - uint64(1))
    if missing == uint64(0) or two_of_the_largest:
        return planes
    return _halve(planes, cells, _cells_above(planes, cells, missing))


@kernel(forceinline=True)
def _downgrade_planes(planes, downgrade_from):
    """The board as a network is shown it that knows tiles below this exponent, in planes."""
    largest = _largest_in_planes(planes)
    while largest >= downgrade_from:
        smaller = _downgrade_once(planes, BOARD, largest)
        if smaller == planes:
            break
        planes = smaller
        largest = _largest_in_planes(planes)
    return planes


def downgrade(board: int, tile: int = 16384) -> int:
    """The board to show a network that does not know boards with a large tile well.

    Parameters
    ----------
    board : int
        The board, 64 bits.
    tile : int
        The tile, as written on it, from which on smaller boards are shown.

    Returns
    -------
    int
        The smaller board; the board itself while it has no such tile.

    Raises
    ------
    ValueError
        For what is no board or no tile.

    Examples
    --------
    >>> from lib2048 import from_tiles, show
    >>> board = from_tiles([[16384, 4096, 512, 8], [2, 0, 0, 0], [0] * 4, [0] * 4])
    >>> print(show(downgrade(board)))
     8192  4096   512     8
        2     .     .     .
        .     .     .     .
        .     .     .     .
    """
    planes = _to_planes(check_board(board))
    return int(_to_board(_downgrade_planes(planes, uint64(check_tile(tile)))))
