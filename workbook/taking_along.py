"""Sentences of the notebook on taking a network along, made from the numbers they speak of."""

import math
from typing import NamedTuple

from workbook.comparing import verdict_of_difference, with_interval
from workbook.words import number, points

RANDOM = 1_100  # points of a player that moves at random; a test plays such games anew
UNTRAINED = 3_100  # points of a greedy player whose network knows nothing


class Verdict(NamedTuple):
    """How one player does beside another."""

    answer: str
    """Which option of the prediction is right."""

    why: str
    """What the numbers are."""

    sentence: str
    """What to make of them."""


def verdict_between(one, other) -> str:
    """Whether one of two is the stronger, by their games.

    Parameters
    ----------
    one, other
        Summaries of the games of either.
    """
    difference = one.mean - other.mean
    half = math.hypot(one.mean_ci[1] - one.mean, other.mean_ci[1] - other.mean)
    return verdict_of_difference(difference, half)


def search_beside_search(plies, tree) -> Verdict:
    """TD-MCTS beside expectimax, where both think about equally long.

    Parameters
    ----------
    plies, tree
        Summaries of the games of either.
    """
    answers = {
        "clearly stronger": "clearly more",
        "clearly weaker": "clearly less",
        "not to be told apart": "so that they cannot be told apart",
    }
    said = {
        "clearly stronger": (
            "In the same time the tree finds more than expectimax: it looks deep where it pays, "
            "and wastes nothing on actions that nobody would take."
        ),
        "clearly weaker": (
            "In the same time expectimax is the better way. The tree draws the new tiles at "
            "random, and what it learns of a board from a few of them is noise beside the mean "
            "that three plies work out; and numpy, which is fast at many boards at once, gets "
            "them one by one."
        ),
        "not to be told apart": (
            "Between the tree and three plies these games do not decide: their intervals are wide, "
            "because so few games were played of each."
        ),
    }
    verdict = verdict_between(tree, plies)
    why = (
        f"Expectimax has {with_interval(plies)} points and the tree {with_interval(tree)}, from "
        f"{plies.games} and {tree.games} games."
    )
    return Verdict(answers[verdict], why, said[verdict])


def beside_a_beginner(mean: float) -> str:
    """How a mean score compares with players that know nothing.

    Parameters
    ----------
    mean
        The mean score.

    Examples
    --------
    >>> beside_a_beginner(6_200)[:25]
    '2.0 times what a network '
    """
    if mean < 1.2 * RANDOM:
        return f"no more than moving at random brings (about {points(RANDOM)})"
    if mean < UNTRAINED:
        return (
            f"more than moving at random brings (about {points(RANDOM)}), but less than a network "
            f"that has learned nothing at all (about {number(UNTRAINED)})"
        )
    if mean < 10 * UNTRAINED:
        return (
            f"{mean / UNTRAINED:.1f} times what a network brings that has learned nothing at all "
            f"(about {points(UNTRAINED)})"
        )
    raise ValueError(f"a mean of {mean:,.0f} points is no beginner's")
