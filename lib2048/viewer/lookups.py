"""Every lookup of a board, one by one: what the lens of the viewer shows."""

from lib2048.board import symmetries
from lib2048.network import NTupleNetwork

Lookup = tuple[int, int, int, float]
"""A weight that is looked up: number of the pattern, number of the image, index, weight."""


def lookups(net: NTupleNetwork, board: int) -> list[Lookup]:
    """Every lookup of a board, as rows of pattern, image, index and weight.

    Image i is `symmetries(board)[i]`, the index `net.index(pattern, that image)`, and the weight
    `net.table(pattern)[index]`.

    Parameters
    ----------
    net : NTupleNetwork
        The network that looks the board up.
    board : int
        The board.

    Returns
    -------
    list of Lookup
        The rows, pattern by pattern. Their weights add up to V of the board, but for rounding.

    Examples
    --------
    >>> net = NTupleNetwork(((0, 1), (5,)), init=6.0)
    >>> rows = lookups(net, 0x21)
    >>> len(rows), rows[0]
    (16, (0, 0, 33, 0.375))
    """
    images = symmetries(board)[: net.symmetries]
    rows = []
    for pattern in range(len(net.patterns)):
        for number, image in enumerate(images):
            index = net.index(pattern, image)
            rows.append((pattern, number, index, net.weight(pattern, index)))
    return rows
