"""Playing on past the tiles that a network knows.

A network that has hardly ever got beyond a 16384 knows little of what comes then. But take a board with a 16384 and
without an 8192: if the 16384 is read as an 8192, the same tiles are equal as before, so the same tiles merge, until the
missing 8192 is made. So from a given tile on the network is shown a smaller board: of the tiles that are missing, the
largest below the board's largest tile is found, and every tile above it is read as half of what it is. This is done
until no tile is that large any more, or none is missing.

    16384  4096  512  8      is read as       8192  4096  512  8        8192 is missing
    16384  8192  512  8      is read as       8192  4096  512  8        4096 is missing
    32768  8192  512  8      is read as       8192  4096  512  8        16384 is missing, then 4096

The action that is best there is taken on the real board. A network may also learn from the boards it is shown; then it
hardly meets boards with large tiles, and learns the more often from others. (Guei, Chen and Wu 2021, "Optimistic
temporal difference learning for 2048", call this tile-downgrading.)

What it cannot tell: once the missing 8192 is made, the shown afterstate has two, one of them a 16384 in truth, and they
look as if they would merge. The next board is shown anew, but a search over several moves counts that merge. And two
32768-tiles do not merge, but two 16384-tiles would: a board with two 32768-tiles is shown as it is.
"""


from lib2048.board import LARGEST
from lib2048.fast.planes import _board, _largest, _planes
from lib2048.kernels import U, kernel
from lib2048.validate import check_board, check_tile


@kernel()
def _downgrade(board, largest):
    """One step: the next smaller board than one with this largest exponent, or the board itself if there is none."""
    there, twice, rest = U(0), U(0), board
    while rest:
        tile = U(1) << (rest & U(15))
        twice |= there & tile
        there |= tile
        rest >>= U(4)
    missing = largest
    while (there >> missing) & U(1) and missing > U(0):
        missing -= U(1)
    if missing == U(0) or (twice >> U(LARGEST)) & U(1):
        return board
    smaller = board
    for cell in range(16):
        exponent = (board >> U(4 * cell)) & U(15)
        if exponent > missing:
            smaller -= U(1) << U(4 * cell)
    return smaller


@kernel(forceinline=True)
def _shown(planes, top):
    """The board as it is shown to a network that knows tiles below exponent `top`; planes in, planes out (uint64)."""
    largest = _largest(planes)
    while largest >= top:
        smaller = _planes(_downgrade(_board(planes), largest))
        if smaller == planes:
            break
        planes, largest = smaller, _largest(smaller)
    return planes


def downgrade(board: int, tile: int = 16384) -> int:
    """The board to show a network that does not know boards with `tile` well; the board itself while it has none.

    >>> from lib2048 import from_tiles, show
    >>> print(show(downgrade(from_tiles([[16384, 4096, 512, 8], [2, 0, 0, 0], [0] * 4, [0] * 4]))).splitlines()[0])
     8192  4096   512     8
    """
    return int(_board(_shown(_planes(check_board(board)), U(check_tile(tile)))))
