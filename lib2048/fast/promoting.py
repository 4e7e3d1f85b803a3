"""Handing what is known of small tiles on to larger ones.

A network that has just made its first 16384 has weights for every pattern with an 8192 in it, and
none for those with a 16384: they are 0 still, and boards with a 16384 look worthless until each of
their weights was learned. Yet what is a good place for an 8192 beside a 4096 is a good one for a
16384 beside an 8192. So weights that were never learned are **promoted**: a pattern that sees a
large tile takes the weight of the same pattern with smaller ones, as downgrading.py makes them from
a board (the tiles above the largest gap are read as half of what they are, until the pattern is one
that the network has met).

    16384  4096  512  8  .  .     takes the weight of     8192  4096  512  8  .  .
    16384  8192  512  8  .  .     takes the weight of     8192  4096  512  8  .  .

In training this is done each time the number of games has doubled: often at first, when most is
new, and rarely later.

That is a first guess and no more: from then on both weights learn on their own, and a board with a
16384 is told apart from one with an 8192, as it is not while it is *shown* as one. (Weights were
handed from stage to stage of a game by Yeh et al. 2016, "Multi-stage temporal difference learning
for 2048-like games".)
"""

from lib2048.fast.downgrading import _downgrade_once
from lib2048.kernels import kernel, uint64
from lib2048.network import NTupleNetwork
from lib2048.validate import check_tile

FIRST = 256  # games, after which weights are promoted for the first time


def next_time(games: int) -> int:
    """After how many games weights are promoted: the first such number from `games` on.

    Examples
    --------
    >>> next_time(0), next_time(256), next_time(257)
    (256, 256, 512)
    """
    doubled = FIRST
    while doubled < games:
        doubled *= 2
    return doubled


@kernel(forceinline=True)
def _largest_in_pattern(place, cells):
    """The largest exponent of what a pattern sees, from its place in the table (uint64)."""
    having = (uint64(1) << cells) - uint64(1)
    exponent = uint64(0)
    for bit in range(3, -1, -1):
        with_bit = having & (place >> (uint64(bit) * cells))
        if with_bit:
            having = with_bit
            exponent |= uint64(1) << uint64(bit)
    return exponent


@kernel(forceinline=True)
def _known_smaller(errors, place, cells, exponent):
    """The place of the first smaller pattern that was learned; the place itself if there is none.

    Only patterns with a tile of this exponent, or of a larger one, have smaller ones.
    """
    smaller = place
    while True:
        largest = _largest_in_pattern(smaller, cells)
        if largest < exponent:
            return place
        next_smaller = _downgrade_once(smaller, cells, largest)
        if next_smaller == smaller:
            return place
        smaller = next_smaller
        if errors[smaller, 1] > 0:
            return smaller


@kernel(nogil=True)
def _promote_table(table, errors, cells, exponent):
    """Promote the weights of one table, in place. Returns how many."""
    promoted = 0
    for number in range(len(table)):
        if errors[number, 1] > 0:
            continue
        place = uint64(number)
        smaller = _known_smaller(errors, place, cells, exponent)
        if smaller != place:
            table[number] = table[smaller]
            promoted += 1
    return promoted


def promote(net: NTupleNetwork, tile: int = 2048) -> int:
    """Give weights that were never learned those of smaller tiles, in place.

    Parameters
    ----------
    net : NTupleNetwork
        A network that learned coherently: its sums of errors tell which weights were learned.
    tile : int
        Only weights of patterns with this tile, or a larger one, are given another value.

    Returns
    -------
    int
        How many weights were.

    Raises
    ------
    ValueError
        If the network keeps no sums of errors, or this is no tile.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, train
    >>> net = NTupleNetwork(((0, 1, 2),))
    >>> log = train(net, 200, seed=1, coherence=True, progress=False)
    >>> known = net.weight(0, net.index(0, 0x078))  # 256 and 128
    >>> unknown = net.weight(0, net.index(0, 0x09A))  # 1024 and 512
    >>> promoted = promote(net, 256)
    >>> unknown, net.weight(0, net.index(0, 0x09A)) == known
    (0.0, True)
    """
    exponent = uint64(check_tile(tile))
    if not net.coherent:
        raise ValueError(
            "a network is promoted that learned with coherence=True, whose sums of errors tell "
            f"which weights were learned; got {net!r}, which keeps none"
        )
    promoted = 0
    for k, pattern in enumerate(net.patterns):
        table = net.plane_table(k)
        promoted += _promote_table(table, net.plane_errors(k), uint64(len(pattern)), exponent)
    return int(promoted)
