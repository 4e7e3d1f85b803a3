"""Matches of libewn's players as pieces of experiments, and shares of wins with intervals."""

import math

import numpy as np

from experiments import progress
from experiments.versions import versioned
from libewn.match import Estimate, Round, paired_difference, play_rounds, player, win_share


@versioned(1)
def tournament(algorithm, opponent, simulations, instances, first=0, seed=1, **options):
    """Let a player meet an opponent on some instances, from both seats each.

    Parameters
    ----------
    algorithm : str
        The player: "mcs" or "mcts".
    opponent : str
        Whom it meets.
    simulations : int
        How many simulations the player has for a move.
    instances, first, seed : int
        How many instances of the set `seed` are played, from number `first` on.
    **options
        Of the player.

    Returns
    -------
    dict
        won, eliminated, plies: uint8 (instances, 2), the columns Red and Blue as the player's seat.
        children: of all trees grown, those with playouts; at_cap: of these, those whose tuned bound
        stood at its cap when a search ended. wins: how many rounds the player won.
    """
    candidate = player(algorithm, simulations=simulations, **options)
    other = player(opponent)
    rounds = []
    for number in range(first, first + instances):
        rounds += play_rounds(candidate, other, [number], seed=seed)
        progress.report(number + 1 - first, instances)

    def column(values) -> np.ndarray:
        return np.array(values, np.uint8).reshape(instances, 2)

    at_cap, children = candidate.caps[:2]
    return {
        "won": column([played.won for played in rounds]),
        "eliminated": column([played.by == "elimination" for played in rounds]),
        "plies": column([played.plies for played in rounds]),
        "wins": sum(played.won for played in rounds),
        "at_cap": int(at_cap),
        "children": int(children),
    }


def cells(results, *columns) -> dict:
    """The results of each cell of a table.

    Returns
    -------
    dict
        {the values of these columns: the parts of the cell}; of one column, its value.
    """
    parts_of = {}
    for result in results:
        place = tuple(result.get(column) for column in columns)
        if len(columns) == 1:
            place = place[0]
        parts_of.setdefault(place, []).append(result)
    return parts_of


def rounds_of(results) -> list[Round]:
    """The rounds of some results, as libewn.match has them."""
    rounds = []
    for result in results:
        for (row, seat), won in np.ndenumerate(result["won"]):
            by = "elimination" if result["eliminated"][row, seat] else "goal"
            plies = int(result["plies"][row, seat])
            rounds.append(Round(result["first"] + row, seat, bool(won), by, plies))
    return rounds


def share(results) -> Estimate:
    """The share of rounds won, with its interval."""
    return win_share(rounds_of(results))


def gain(results, baseline) -> Estimate:
    """By how much that share is above the one of `baseline`, on the instances that both played."""
    rounds = rounds_of(results)
    base = rounds_of(baseline)
    shared = {played.number for played in rounds} & {played.number for played in base}
    return paired_difference(
        [played for played in rounds if played.number in shared],
        [played for played in base if played.number in shared],
    )


def percent(estimate: Estimate, sign: str = "") -> str:
    """An estimate in per cent for a table: 77.0 (74.5 to 79.4).

    sign="+" writes the sign of a difference.
    """
    value, low, high = (f"{100 * part:{sign}.1f}" for part in estimate[:3])
    return f"{value} ({low} to {high})"


def count(results) -> tuple[int, int]:
    """(rounds won, rounds lost)."""
    won = sum(result["wins"] for result in results)
    played = sum(result["won"].size for result in results)
    return won, played - won


def capped(results) -> float:
    """The share of children whose tuned bound stood at its cap, nan where nobody looked."""
    children = sum(result["children"] for result in results)
    at_cap = sum(result["at_cap"] for result in results)
    return at_cap / children if children else math.nan
