"""The boards that tell a game: where a new largest tile came up, the first one and the last."""

import numpy as np

from lib2048.records import Trace

FEWEST = 6


def key_moves(trace: Trace, count: int = 8) -> list[int]:
    """Choose the boards that tell a game.

    Parameters
    ----------
    trace : Trace
        The game.
    count : int
        How many boards at most.

    Returns
    -------
    list of int
        The numbers of the boards, in order: the first, the last, those on which a new largest
        tile came up, and others in between where that makes fewer than six.
    """
    chosen = {0, len(trace), *_growths(trace)[-(count - 2) :]}
    for move in np.linspace(0, len(trace), count).astype(int).tolist():
        if len(chosen) < min(FEWEST, count):
            chosen.add(move)
    return sorted(chosen)


def _growths(trace: Trace) -> list[int]:
    """The numbers of the boards with a larger tile than any board before."""
    boards = np.asarray(trace.boards, np.uint64)
    shifts = np.arange(0, 64, 4, dtype=np.uint64)
    exponents = boards[:, None] >> shifts & np.uint64(15)
    largest = np.maximum.accumulate(exponents.max(axis=1).astype(int))
    grown = np.flatnonzero(np.diff(largest)) + 1
    return grown.tolist()
