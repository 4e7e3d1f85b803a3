"""What does the work of an exercise: the learner's own function where it is right, else lib2048's."""

import inspect
import textwrap

from IPython.display import Markdown, display

from lib2048 import board
from lib2048.fast import choosing, lookup, rules
from lib2048.network import NTupleNetwork
from lib2048.records import Summary
from workbook import check
from workbook.marks import MARK

WORKERS = {
    "slide_left": (board._slide_rows_left,),
    "slide": (board._slide_rows, board._slide),
    "symmetries": (board.symmetries,),
    "index": (NTupleNetwork.index,),
    "estimate": (lookup._value,),
    "update": (lookup._look_up, lookup._add_to_lookups),
    "spawn_mean": (choosing._spawn_share, choosing._mean_over_spawns),
    "select_afterstate": (choosing._outcomes, choosing._choose),
    "select_state": (choosing._worth,),
    "td0": (rules._learn,),
    "update_episode_afterstate": (rules._learn_backward,),
    "update_episode_state": (rules._learn_backward,),
    "win_rate": (Summary.share,),
}
_first = {}  # the exercise that each of these functions was shown for first: none is printed twice in a notebook


def listing(name: str, own=None) -> None:
    """Show lib2048's code for an exercise; or own, the learner's function, when its check accepts it."""
    if name not in WORKERS:
        raise ValueError(f"listing shows the code for {', '.join(WORKERS)}, got {name!r}")
    source = _accepted(name, own)
    if source is None:
        functions = [getattr(worker, "py_func", worker) for worker in WORKERS[name]]
        if name not in {_first.setdefault(function, name) for function in functions}:
            display(
                Markdown(f"For `{name}` this is the function shown for `{_first[functions[0]]}`.")
            )
            return
        source = "\n\n".join(
            textwrap.dedent(inspect.getsource(function)).strip() for function in functions
        )
        places = dict.fromkeys(
            f"{function.__module__.replace('.', '/')}.py" for function in functions
        )
        title = f"From `{'`, `'.join(places)}`:"
    else:
        title = f"The author's own `{own.__name__}`, accepted by `check.{name}`:"
    shown = {
        "text/markdown": f"{title}\n\n```python\n{source}\n```",
        "text/plain": f"{title}\n\n{source}",
    }
    display(
        shown, metadata={MARK: {"listing": name, "own": title.startswith("The author")}}, raw=True
    )


def _accepted(name: str, own) -> str | None:
    """The source of the learner's function if it is right."""
    if own is None:
        return None
    right = check.passes(name, own)
    try:
        return textwrap.dedent(inspect.getsource(own)).strip() if right else None
    except (OSError, TypeError):  # a function that was not written in a cell or a file
        return None
