"""Matches of libewn's players as pieces of experiments, and shares of wins with intervals from what they leave."""

import math

import numpy as np

from experiments import progress
from experiments.keys import versioned
from libewn.match import Estimate, Round, paired_difference, play_rounds, player, win_share


@versioned(1)
def tournament(algorithm, opponent, simulations, instances, first=0, seed=1, **options):
    """Let "mcs" or "mcts" with these options play an opponent on `instances` instances of the set `seed`, from number
    `first` on, both seats each.

    won, eliminated, plies: uint8 (instances, 2), the columns Red and Blue as the seat of `algorithm`. children: of all
    trees grown, those with playouts; at_cap: of these, those whose tuned bound stood at its cap when a search ended.
    """
    one, other = player(algorithm, simulations=simulations, **options), player(opponent)
    rounds = []
    for number in range(first, first + instances):
        rounds += play_rounds(one, other, [number], seed=seed)
        progress.report(number + 1 - first, instances)
    columns = {
        "won": [one.won for one in rounds],
        "eliminated": [one.by == "elimination" for one in rounds],
        "plies": [one.plies for one in rounds],
    }
    found = {
        name: np.array(values, np.uint8).reshape(instances, 2) for name, values in columns.items()
    }
    return found | {
        "wins": sum(columns["won"]),
        "at_cap": int(one.caps[0]),
        "children": int(one.caps[1]),
    }


def cells(results, *columns) -> dict:
    """The results of each cell: {the values of these columns: [the parts of the cell]}; of one column, its value."""
    found = {}
    for result in results:
        place = tuple(result.get(column) for column in columns)
        found.setdefault(place if len(columns) > 1 else place[0], []).append(result)
    return found


def rounds_of(results) -> list[Round]:
    """The rounds of some results, as libewn.match has them."""
    rounds = []
    for result in results:
        for (row, seat), won in np.ndenumerate(result["won"]):
            by = "elimination" if result["eliminated"][row, seat] else "goal"
            rounds.append(
                Round(result["first"] + row, seat, bool(won), by, int(result["plies"][row, seat]))
            )
    return rounds


def share(results) -> Estimate:
    """The share of rounds won, with its interval."""
    return win_share(rounds_of(results))


def gain(results, baseline) -> Estimate:
    """By how much that share is above the one of `baseline`, with its interval, on the instances that both played."""
    sides = rounds_of(results), rounds_of(baseline)
    both = set.intersection(*({one.number for one in side} for side in sides))
    return paired_difference(*([one for one in side if one.number in both] for side in sides))


def percent(estimate: Estimate, sign: str = "") -> str:
    """An estimate in per cent for a table: 77.0 (74.5 to 79.4). sign="+" writes the sign of a difference."""
    value, low, high = (f"{100 * part:{sign}.1f}" for part in estimate[:3])
    return f"{value} ({low} to {high})"


def count(results) -> tuple[int, int]:
    """(rounds won, rounds lost)."""
    won, played = (
        sum(result["wins"] for result in results),
        sum(result["won"].size for result in results),
    )
    return won, played - won


def capped(results) -> float:
    """The share of children whose tuned bound stood at its cap, nan where nobody looked."""
    children = sum(result["children"] for result in results)
    return sum(result["at_cap"] for result in results) / children if children else math.nan
