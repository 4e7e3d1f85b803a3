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

from lib2048.board import CELL, LARGEST
from lib2048.fast.planes import _largest_in_planes, _to_board, _to_planes
from lib2048.kernels import kernel, uint64
from lib2048.validate import check_board, check_tile


@kernel()
def _downgrade_once(board, largest):
    """The next smaller board of one with this largest exponent; the board itself if none is."""
    on_board = uint64(0)  # bit e is set once a tile of exponent e was seen
    seen_twice = uint64(0)
    rest = board
    while rest:
        exponent = uint64(1) << (rest & CELL)
        seen_twice |= on_board & exponent
        on_board |= exponent
        rest >>= 4

    missing = largest
    while missing > uint64(0) and (on_board >> missing) & uint64(1):
        missing -= uint64(1)
    nothing_missing = missing == uint64(0)
    two_of_the_largest = (seen_twice >> LARGEST) & uint64(1)
    if nothing_missing or two_of_the_largest:
        return board

    smaller = board
    for cell in range(16):
        if (board >> (4 * cell)) & CELL > missing:
            smaller -= uint64(1) << (4 * cell)
    return smaller


@kernel(forceinline=True)
def _downgrade_planes(planes, downgrade_from):
    """The board as a network is shown it that knows tiles below this exponent, in planes."""
    largest = _largest_in_planes(planes)
    while largest >= downgrade_from:
        smaller = _to_planes(_downgrade_once(_to_board(planes), largest))
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
