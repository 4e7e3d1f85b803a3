"""The one game that comes back throughout the book, and one board of it.

    game = the_game()        the game, as a Trace: boards, actions, rewards, values
    board = the_board()      the board before its move number KEY_MOVE

The network "afterstate" of the experiments plays it at the full scale, 100,000 games old, with seed
GAME: `play(network("afterstate"), seed=GAME)` gives it again, to the bit. It is kept in a file, so
that every notebook shows the same game at either scale, and the first one need not train before
it can tell of it. `python -m experiments.story` makes the file anew.

It is an ordinary game of this network, neither its best nor its worst: it ends with one tile of
each size from 64 to 4096, one chain of merges before the 8192, as many of its games do. On the
board before KEY_MOVE the first 4096 is three moves away, and the action that is taken is not the
one that leads to the afterstate of the largest value: the reward decides.
"""

from functools import cache
from pathlib import Path

import numpy as np

from lib2048 import Trace

GAME = 1
KEY_MOVE = 1_858
FILE = Path(__file__).with_name("story.npz")
ARRAYS = ("boards", "actions", "rewards", "values")


@cache
def the_game() -> Trace:
    """The game of the book.

    Examples
    --------
    >>> the_game().max_tile, len(the_game().boards) - len(the_game())
    (4096, 1)
    """
    with np.load(FILE) as kept:
        arrays = {name: kept[name] for name in ARRAYS}
    for array in arrays.values():
        array.setflags(write=False)  # all notebooks of a kernel share it
    return Trace(**arrays, seed=GAME)


def the_board() -> int:
    """The board before move KEY_MOVE of the game.

    Examples
    --------
    >>> from lib2048.board import show
    >>> print(show(the_board()))
        .     .     .  2048
        .     .     2  1024
        2     .     4   512
        .     4     8   512
    """
    return int(the_game().boards[KEY_MOVE])
