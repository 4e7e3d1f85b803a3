"""Matches of the second game, as an experiment stored them, and the tables made of them.

A result holds the rounds of some instances; a cell of a table holds several, its parts.
"""

import math
from collections.abc import Mapping

import numpy as np

from libewn.match import Estimate, Round, paired_difference, win_share
from workbook.words import joined, number, typeset

ALGORITHMS = {
    "MCS": "MCS",
    "MCTS": "MCTS, UCB1",
    "MCTS, rich": "+ rich",
    "MCTS, rich, tuned": "+ tuned",
}
"""The players of the first table: as the experiments call them, and as the table does."""

REPORTED = {
    "hard": (477, 793, 825, 808),
    "normal": (783, 962, 952, 957),
    "easy": (991, 986, 991, 990),
}
"""The course report's rounds won of 1,000, by opponent, in the order of ALGORITHMS."""

REPORTED_C = {
    "hard": {1.4: 833, 1.0: 808, 0.6: 832, 0.2: 796},
    "normal": {1.0: 957, 0.6: 953},
    "easy": {1.0: 990, 0.6: 992},
}
"""The course report's rounds won of 1,000, by opponent and c of the tuned formula."""

REPORTED_K = {
    0.0: (93, 18),
    2.0: (115, 86),
    5.0: (136, 175),
    10.0: (143, 225),
    20.0: (158, 273),
    40.0: (161, 351),
}
"""By K: rounds won of 200 with chance on the way down, of 500 with chance at the end."""

SURE = 0.025  # the chance of the furthest values on either side of a 95 % interval
NOTHING = "–"  # in a cell of a table


# What was played


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


def capped(results) -> float:
    """The share of children whose tuned bound stood at its cap, nan where nobody looked."""
    children = sum(result["children"] for result in results)
    at_cap = sum(result["at_cap"] for result in results)
    return at_cap / children if children else math.nan


# What stands in a cell


def won(parts) -> str:
    """The share of rounds won, in per cent with its interval.

    Where all rounds were won, or none, drawing instances again says nothing: the interval is the
    exact one then, with an instance for one observation.
    """
    estimate = share(parts)
    end = SURE ** (1 / estimate.instances)
    if estimate.value == 1.0:
        estimate = estimate._replace(low=end)
    elif estimate.value == 0.0:
        estimate = estimate._replace(high=1.0 - end)
    return as_percent(estimate)


def as_percent(estimate: Estimate, sign: str = "") -> str:
    """An estimate in per cent.

    Examples
    --------
    >>> as_percent(Estimate(0.5, 0.4, 0.6, 10)), as_percent(Estimate(0.01, -0.02, 0.04, 10), "+")
    ('50.0 (40.0 to 60.0)', '+1.0 (−2.0 to +4.0)')
    """
    value, low, high = (typeset(f"{100 * part:{sign}.1f}") for part in estimate[:3])
    return f"{value} ({low} to {high})"


def more(parts, baseline) -> str:
    """How many percentage points more were won than by `baseline`, instance by instance."""
    return as_percent(gain(parts, baseline), "+")


def budget(parts) -> str:
    """What a cell was played with, in words."""
    rounds = sum(part["won"].size for part in parts)
    return f"{rounds:,} rounds, {parts[0]['simulations']:,} playouts a move"


def when_played(parts) -> str:
    """On which days some results were made, and by which sources, in words.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> made = {"date": "2026-11-18T10:00", "sources": "aded906ef391a0"}
    >>> when_played([SimpleNamespace(about=made)])
    'on 2026-11-18 by code aded906ef391'
    """
    days = sorted({part.about["date"][:10] for part in parts})
    sources = sorted({part.about["sources"][:12] for part in parts})
    when = f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"
    return f"{when} by code {joined(sources)}"


def count_of(parts) -> str:
    """How many rounds a cell has, as a text."""
    return number(sum(part["won"].size for part in parts))


# Tables


def two_rows(opponent: str, reported: Mapping, ours: Mapping) -> list[dict]:
    """A row of the course report's shares (per cent), and one of ours; columns may be missing."""
    theirs = {name: f"{value:.1f}" for name, value in reported.items()}
    here = {name: won(parts) for name, parts in ours.items() if parts}
    return [
        {"against": f"{opponent}, course report"} | theirs,
        {"against": f"{opponent}, here"} | here,
    ]


def algorithm_rows(played: Mapping) -> list[dict]:
    """The first table: by opponent, the course report's shares and ours."""
    rows = []
    for opponent, wins in REPORTED.items():
        reported = {title: count / 10 for title, count in zip(ALGORITHMS.values(), wins)}
        ours = {title: played[opponent, name] for name, title in ALGORITHMS.items()}
        rows += two_rows(opponent, reported, ours)
    return rows


def c_rows(tuned: Mapping) -> list[dict]:
    """The second table: by opponent and c of the tuned formula."""
    rows = []
    for opponent, wins in REPORTED_C.items():
        columns = {c: f"$c = {c}$" for c in REPORTED_C["hard"]}
        reported = {columns[c]: count / 10 for c, count in wins.items()}
        ours = {column: tuned.get((opponent, c)) for c, column in columns.items()}
        empty = dict.fromkeys(columns.values(), NOTHING)
        for row in two_rows(opponent, reported, ours):
            rows.append({"against": row["against"]} | empty | row)
    return rows


def temperature_rows(place: int, rounds: int, ours: Mapping, best) -> list[dict]:
    """For each K the course report's share and ours, and ours when the best is taken.

    Parameters
    ----------
    place, rounds
        Which column of REPORTED_K, and of how many rounds.
    ours
        {K: parts}.
    best
        The parts of the player that takes the best; the rounds that `ours` played count.
    """
    rows = []
    for k, parts in ours.items():
        reported = f"{100 * REPORTED_K[k][place] / rounds:.1f}"
        rows.append({"$K$": f"{k:g}", "course report": reported, "here": won(parts)})
    numbers = {played.number for played in rounds_of(ours[0.0])}
    same = [played for played in rounds_of(best) if played.number in numbers]
    last = {"$K$": "the best", "course report": NOTHING, "here": as_percent(win_share(same))}
    return [*rows, last]
