"""Self-checks for learners: `check.slide(my_slide)` says whether it is right, or what is wrong.

Each check is made from a function that yields cases, from the plainest to the rarest; the first
that goes wrong is shown, and where the fault is a usual one, its name. Boards are 4 rows of 4
exponents. Answers may be lists, tuples or arrays, of Python's or numpy's numbers. What is asked
for is what `help(check.slide)` says.


Whoever adds an exercise adds a case function with its suspects to the file of its topic, a plain
answer to solutions.py, its name to listings.py (WORKERS) if it is for the report, and right and
wrong answers to tests/helpers.
"""

from workbook.check.board import play_game, slide, slide_left, spawn, symmetries
from workbook.check.choosing import expectimax, select_afterstate, select_state, spawn_mean
from workbook.check.exercise import EXERCISES
from workbook.check.learning import (
    lambda_target,
    returns,
    tc_step,
    update_episode_afterstate,
    update_episode_state,
)
from workbook.check.measuring import get_action, win_rate
from workbook.check.network import estimate, index, update
from workbook.check.second_game import mcts_backup, movable, tuned, ucb1
from workbook.check.table import (
    bellman_afterstate,
    monte_carlo,
    td0,
    td0_backward,
    value_iteration,
)
from workbook.trial import verdict

__all__ = [
    "EXERCISES",
    "passes",
    "bellman_afterstate",
    "estimate",
    "expectimax",
    "get_action",
    "index",
    "lambda_target",
    "mcts_backup",
    "monte_carlo",
    "movable",
    "play_game",
    "returns",
    "select_afterstate",
    "select_state",
    "slide",
    "slide_left",
    "spawn",
    "spawn_mean",
    "symmetries",
    "tc_step",
    "td0",
    "td0_backward",
    "tuned",
    "ucb1",
    "update",
    "update_episode_afterstate",
    "update_episode_state",
    "value_iteration",
    "win_rate",
]


def passes(name: str, function) -> bool:
    """Whether a function is right, without a word.

    Parameters
    ----------
    name
        The name of a check, such as ``"slide"``.
    function
        The function to try.

    Raises
    ------
    ValueError
        If there is no check of this name.

    Examples
    --------
    >>> passes("win_rate", lambda max_tiles, tile: (max_tiles >= tile).mean())
    True
    """
    if name not in EXERCISES:
        raise ValueError(f"there are checks for {', '.join(EXERCISES)}, got {name!r}")
    return verdict(EXERCISES[name], function, tells_why=False).right
