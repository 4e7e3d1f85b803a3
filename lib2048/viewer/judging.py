"""What a network says of many boards at once, and how it plays on from one of them."""

from collections.abc import Iterable

import numpy as np

from lib2048.engines import playing_rule
from lib2048.network import NTupleNetwork
from lib2048.playing import play
from lib2048.records import Trace
from lib2048.search import Search
from lib2048.validate import check_board


def judged(net: NTupleNetwork, boards: Iterable[int], how: Trace) -> np.ndarray:
    """What the four actions are worth on each of these boards, to a greedy player.

    Parameters
    ----------
    net : NTupleNetwork
        The network that is asked.
    boards : iterable of int
        The boards.
    how : Trace
        The game whose p4 and downgrade hold.

    Returns
    -------
    numpy.ndarray
        Four values for each board, float32, nan where an action is illegal.

    Examples
    --------
    >>> from lib2048 import play
    >>> net = NTupleNetwork(((0, 1),))
    >>> judged(net, [0x11], play(net)).tolist()
    [[nan, 4.0, 0.0, 4.0]]
    """
    search = Search(net, 1, playing_rule(net, how.p4, 0, how.downgrade))
    values = [search.choose(check_board(board))[1] for board in boards]
    return np.array(values, np.float32).reshape(-1, 4)


def played_on(net: NTupleNetwork, board: int, seed: int, first_move: int, how: Trace) -> Trace:
    """The game that a greedy player plays from a board on.

    Parameters
    ----------
    net : NTupleNetwork
        The player.
    board, seed, first_move
        As in `lib2048.play`.
    how : Trace
        The game whose p4 and downgrade hold.

    Returns
    -------
    Trace
        The game, which begins with that board.
    """
    return play(
        net,
        seed,
        p4=how.p4,
        downgrade=how.downgrade,
        board=board,
        first_move=first_move,
    )
