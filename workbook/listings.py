"""What does the work of an exercise: the learner's own function where it is right, else lib2048's.

What is shown of lib2048 is the plain engine (learning.py) and the game (board.py).
"""

import inspect
import textwrap
from collections.abc import Callable

from IPython.display import display

from lib2048 import board, learning
from lib2048.records import Summary
from workbook import check
from workbook.marks import MARK

WORKERS = {
    "slide_left": (board._slide_rows_left,),
    "slide": (board._transpose, board._slide_rows, board._slide),
    "symmetries": (board.symmetries,),
    "index": (learning.index,),
    "estimate": (learning.find, learning.add_in_pairs, learning.estimate),
    "update": (learning.update,),
    "spawn_mean": (learning.spawn_sum, learning.live_value, learning.spawn_mean),
    "select_afterstate": (learning.select_best_move,),
    "select_state": (learning.afterstate_value,),
    "td0": (learning.learn,),
    "update_episode_afterstate": (learning.update_episode_afterstate,),
    "update_episode_state": (learning.update_episode_state,),
    "win_rate": (Summary.share,),
}
"""The functions that do the work of each exercise, in the order they are read in."""


def listing(name: str, own: Callable | None = None) -> None:
    """Show the code for an exercise: the learner's own where its check accepts it, else lib2048's.

    Parameters
    ----------
    name : str
        The exercise, as its check is called.
    own : callable, optional
        The learner's function.

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    if name not in WORKERS:
        raise ValueError(f"listing shows the code for {', '.join(WORKERS)}, got {name!r}")
    own_source = _source_if_right(name, own)
    if own_source is not None:
        title = f"The author's own `{own.__name__}`, accepted by `check.{name}`:"
        _show(name, title, own_source, is_own=True)
        return
    functions = [getattr(worker, "py_func", worker) for worker in WORKERS[name]]
    source = "\n\n".join(_source_of(function) for function in functions)
    files = [f"{function.__module__.replace('.', '/')}.py" for function in functions]
    title = f"From `{'`, `'.join(dict.fromkeys(files))}`:"
    _show(name, title, source, is_own=False)


def _source_if_right(name: str, own: Callable | None) -> str | None:
    """The source of the learner's function if it is right."""
    if own is None or not check.passes(name, own):
        return None
    try:
        return _source_of(own)
    except (OSError, TypeError):  # a function that was not written in a cell or a file
        return None


def _source_of(function: Callable) -> str:
    """The source of a function, as if it stood at the beginning of the line."""
    return textwrap.dedent(inspect.getsource(function)).strip()


def _show(name: str, title: str, source: str, is_own: bool) -> None:
    """Show a source below its title."""
    shown = {
        "text/markdown": f"{title}\n\n```python\n{source}\n```",
        "text/plain": f"{title}\n\n{source}",
    }
    display(shown, metadata={MARK: {"listing": name, "own": is_own}}, raw=True)
