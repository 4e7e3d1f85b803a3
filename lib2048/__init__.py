"""Temporal-difference learning for 2048 with n-tuple networks.

    net = NTupleNetwork("4x6")      a network that knows nothing yet
    log = train(net, 10_000)        it learns from 10,000 games of its own
    print(evaluate(net, 1_000))     how well it plays now
    watch(net, seed=7)              a game of it, to be stepped through in a notebook
    net.save("net.npz")             and net = NTupleNetwork.load("net.npz") another day

`compact` gives a network that is trained already, `best_action` and `look_ahead` its opinion of a
board, `play` a game as a record, `slide` and its like the game alone. `lib2048.recipes` has the
best ways of learning, `lib2048.course` writes an agent for a course in Python.

Where things are:

    board.py, patterns.py, network.py     the game, and what values its boards
    learning.py                           how the network learns, as a textbook prints it
    options.py, training.py, records.py   what training is told, does, and leaves behind
    learning_episodes.py                  learning from a game that somebody recorded
    recipes.py                            ways of learning that proved good, by name
    playing.py                            playing, and measuring how well
    search.py, tree_search.py             looking ahead: all that may come, or trips into a tree
    thinking.py                           looking ahead for a time, or with several threads
    relay.py                              networks that take turns in a game
    saving.py, files.py, formats/         files, our own and those of other programs
    compacting.py, data/                  the small network that comes with the library
    course/                               an agent for a course in Python
    draw.py, viewer/                      pictures, and games to watch
    fast/                                 the fast engine, which learns the same as learning.py
    kernels.py, kernel_cache.py           functions that numba compiles, and keeps compiled
"""

from lib2048.board import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    from_array,
    from_tiles,
    legal_actions,
    new_board,
    show,
    slide,
    spawn,
    symmetries,
    to_array,
)
from lib2048.compacting import compact
from lib2048.formats import export
from lib2048.formats.compact import export_compact
from lib2048.formats.episodes import read_episodes, write_episodes
from lib2048.learning_episodes import learn_episode
from lib2048.network import PATTERNS, NTupleNetwork
from lib2048.playing import best_action, evaluate, look_ahead, play
from lib2048.records import Summary, Trace, TrainLog
from lib2048.training import resume, train

__all__ = [
    "DOWN",
    "LEFT",
    "PATTERNS",
    "RIGHT",
    "UP",
    "NTupleNetwork",
    "Summary",
    "Trace",
    "TrainLog",
    "best_action",
    "compact",
    "evaluate",
    "export",
    "export_compact",
    "from_array",
    "from_tiles",
    "learn_episode",
    "legal_actions",
    "look_ahead",
    "new_board",
    "play",
    "playing_page",
    "read_episodes",
    "resume",
    "show",
    "slide",
    "spawn",
    "symmetries",
    "to_array",
    "train",
    "watch",
    "write_episodes",
]


def __getattr__(name: str):
    """What takes a while to import is imported when it is asked for: the viewer, with its widgets.

    Raises
    ------
    AttributeError
        If there is no such name.
    ImportError
        If a package is missing that the viewer needs.
    """
    if name == "playing_page":
        from lib2048.viewer.playing import playing_page

        return playing_page
    if name == "watch":
        try:
            from lib2048.viewer.viewer import watch
        except ModuleNotFoundError as missing:
            raise ImportError(
                f"watch needs {missing.name}, which is not installed: pip install 'lib2048[viewer]'"
            ) from None
        return watch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
