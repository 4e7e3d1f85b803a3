"""A recorded game on its way to the browser: a few words about it, and the rest as bytes."""

import numpy as np

from lib2048.board import ACTIONS, fours_below
from lib2048.network import NTupleNetwork
from lib2048.records import Trace
from lib2048.validate import check_p4
from lib2048.viewer.moments import key_moves


def described(name: str, trace: Trace, net: NTupleNetwork | None) -> dict:
    """What the browser has to know of a game besides its boards.

    Parameters
    ----------
    name : str
        What the reader knows the game by.
    trace : Trace
        The game.
    net : NTupleNetwork or None
        The network that may be asked about it.

    Returns
    -------
    dict
        What recording.js reads, ready for JSON.
    """
    return {
        "name": str(name),
        "moves": len(trace),
        # as text, because JavaScript's numbers have 53 bits
        "seed": None if trace.seed is None else str(trace.seed),
        "plies": trace.plies,
        "fours": int(fours_below(check_p4(trace.p4))),
        "learned": None if net is None else net.values,  # "afterstate" or "state"
        "patterns": [] if net is None else [list(pattern) for pattern in net.patterns],
        "images": 1 if net is None else net.symmetries,
        "keys": key_moves(trace),
    }


def packed(trace: Trace) -> bytes:
    """A game as recording.js reads it, little-endian.

    Parameters
    ----------
    trace : Trace
        The game of T moves.

    Returns
    -------
    bytes
        T + 1 boards of 8 bytes, T x 4 values of 4 bytes (float32), T actions of one byte.

    Raises
    ------
    ValueError
        If the parts of the trace do not fit together.
    """
    moves = len(trace.actions)
    has_all_boards = len(trace.boards) == moves + 1
    has_all_values = np.shape(trace.values) == (moves, 4)
    has_real_actions = not np.any(trace.actions >= len(ACTIONS))
    if not (has_all_boards and has_all_values and has_real_actions):
        raise ValueError(
            "a trace has T + 1 boards, T actions from 0 to 3 and T x 4 values, got "
            f"{len(trace.boards)} boards, {moves} actions, values {np.shape(trace.values)}"
        )
    boards = np.asarray(trace.boards, "<u8")
    values = np.asarray(trace.values, "<f4")
    actions = np.asarray(trace.actions, "u1")
    return boards.tobytes() + values.tobytes() + actions.tobytes()
