"""What does the work of an exercise: the learner's own function where it is right, else lib2048's.

What is shown of lib2048 is the plain engine (learning.py) and the game (board.py). Before it stands
what the names in it mean.
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
    "estimate": (learning.find, learning.estimate),
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

NOTES = {
    "symmetries": (
        "`to_array` makes a 4 × 4 array of the 64 bits of a board, four bits for each cell, cell 0 "
        "in the lowest, and `from_array` makes bits of it; `np.rot90` turns an array."
    ),
    "td0": (
        "Here $V$ is a sum of $m$ weights ([N-tuple network](03_ntuple_networks.ipynb"
        "#N-tuple-network:-implementation-and-use)): `estimate` adds them up, `update` adds `step` "
        "to each of them and returns $V$ after that. Since `rule.alpha` is $\\alpha / m$, `step` "
        "is $\\alpha \\, \\delta_t / m$. `F32` is a number of 32 bits, and `update_coherently` is "
        "`update` with [temporal coherence](09_further.ipynb"
        "#Temporal-coherence:-a-step-for-each-weight)."
    ),
    "index": (
        "Pattern `k` has `net.digits[k]` cells. The bits of the board stay where they are: "
        "`net.shifts[k, i, j]` says how many of them lie below its cell `j` on image `i`. They are "
        "shifted out, four bits are kept (15 is 1111 in binary), and these go to their place in "
        "the index. `uint64` is a whole number of 64 bits."
    ),
    "estimate": (
        "`find` keeps the indices in `net.indices`. Table `k` is `net.tables[k]`, and `net.terms` "
        "has room for eight weights, which `add_in_pairs` adds up two by two, so that a board and "
        "its mirror image have the same value to the last bit."
    ),
    "update": (
        "The `step` that comes in here is $u / m$ already: `learn` has made it with $\\alpha / m$ "
        "([TD(0) as code](02_td0.ipynb#Learning-from-games))."
    ),
    "select_afterstate": (
        "`_slide` looks a slide up in a table of all rows. `afterstate_value` is what is still to "
        "come: `estimate` for V(afterstate), the mean below for V(state)."
    ),
    "spawn_mean": (
        "The mean of a sum is the sum of the means, so `spawn_mean` asks each lookup for its part "
        "(`spawn_sum`): a new tile outside the pattern leaves its weight, `unchanged`, as it is; "
        "one inside makes a digit 0 of the index 1 (a 2) or 2 (a 4). Only where a single cell is "
        "empty may the next board be dead, so there the two boards are valued themselves. "
        "`_empty_cells` has a 1 in the lowest bit of each empty cell, `_count_bits` counts them, "
        "and `_is_dead` asks whether nothing moves."
    ),
    "update_episode_afterstate": (
        "`learn` ([TD(0) as code](02_td0.ipynb#Learning-from-games)) returns $V$ after its step, "
        "and that is `following`, since `rule.lambda_` is 0 in TD(0). `episode` holds the boards "
        "and the rewards, and `end` is what comes after the last board: 0 where nothing moves any "
        "more."
    ),
}
"""What the names in a listing of lib2048 mean that are not in the listing."""


def listing(name: str, own: Callable | None = None) -> None:
    """Show the code for an exercise: the learner's own where its check accepts it, else lib2048's.

    What the names in lib2048's code mean stands above it.

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
    if name in NOTES:
        display({"text/markdown": NOTES[name], "text/plain": NOTES[name]}, raw=True)
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
