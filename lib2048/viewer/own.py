"""A game that a person played in the browser, move by move."""

import numpy as np

from lib2048.board import fours_below
from lib2048.learning import Rule
from lib2048.records import Trace
from lib2048.search import replay
from lib2048.validate import check_action, check_seed


def replayed(seed: int, actions: list[int], p4: float) -> Trace:
    """Play given moves again, with the tiles that came up in the browser.

    Parameters
    ----------
    seed : int
        The seed of the game; the tiles are those of `play` with this seed.
    actions : list of int
        The moves that were made.
    p4 : float
        The probability of a 4-tile.

    Returns
    -------
    Trace
        The game as far as it was played. Nobody said what the actions were worth, so its values
        are nan.

    Raises
    ------
    ValueError
        If a move is not possible.
    """
    rule = Rule(alpha=0.0, p4=p4, fours=fours_below(p4), seed=check_seed(seed))
    made = np.array([check_action(action) for action in actions], np.uint8)
    boards, rewards = replay(rule, 0, made)
    return Trace(
        boards=boards,
        actions=made,
        rewards=rewards,
        values=np.full((len(actions), 4), np.nan, np.float32),
        seed=seed,
        p4=p4,
    )
