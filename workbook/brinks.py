"""Where games end, told by the sum of their tiles, and what looking further ahead saves there.

What is called rows here are results of the experiment relay-brink (`experiments.brinks`).
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from lib2048.records import wilson
from workbook.axes import PAGE, Picture, look, tidy
from workbook.comparing import verdict_of_difference
from workbook.intervals import student
from workbook.strength import share_cell
from workbook.words import joined, milliseconds, number, percent, plus_minus

LEAST_SUM = 8_192
"""Where the figure begins: hardly a game of a strong player ends before."""

PAST = 64
"""A game may end a little past a sum, on a full board on which the chain has not merged."""

LITTLE = 0.05
"""A share of the games that is called little."""


def going_on(sums: Sequence[int], marks: Sequence[int]) -> Picture:
    """The share of games that go on with tiles that sum to x, for each x.

    Parameters
    ----------
    sums
        With which sum of its tiles each game ended.
    marks
        The sums that are marked.

    Returns
    -------
    Picture
        The figure.
    """
    ends = np.sort(np.asarray(sums))
    figure = Picture(figsize=(PAGE, 2.8), layout="constrained")
    axes = figure.subplots()
    share = 100 * (1 - np.arange(len(ends) + 1) / len(ends))
    axes.step([0, *ends], share, where="post", **look(0) | {"marker": ""})
    tidy(
        axes,
        xlabel="sum of all tiles",
        ylabel="games that go on (%)",
        ylim=(-3, 103),
    )
    axes.set_xlim(LEAST_SUM, None)
    axes.set_xticks(list(marks), [f"{mark:,}" for mark in marks])
    left = "; ".join(f"{mark:,}: {100 * np.mean(ends > mark):.0f} %" for mark in marks)
    figure.alt = f"Share of games that go on past a sum of their tiles. {left}"
    return figure


def where_games_end(sums: Sequence[int], every: int) -> str:
    """Where the most games end: near which multiples of a tile, and how few end behind them.

    Parameters
    ----------
    sums
        With which sum of its tiles each game ended.
    every
        The tile.
    """
    sums = np.asarray(sums)
    near = _near_multiples(sums, every)
    even = (every // 8 + PAST) / every
    told = (
        f"{percent(np.mean(near > 0))} of the games end in the last eighth before a multiple of "
        f"{number(every)}, or on a full board just past it. "
    )
    low, _ = wilson(int(np.sum(near > 0)), len(sums))
    if low <= even:
        return f"{told}If they ended anywhere, {percent(even)} would."
    counts = np.bincount(near[near > 0])
    worst = sorted(np.argsort(counts)[-2:].tolist())
    places = joined(
        [
            f"{number(every * multiple)} ({percent(counts[multiple] / len(sums))} of all games)"
            for multiple in worst
        ]
    )
    first = every * worst[0]
    there = sums >= first + PAST
    soon = np.mean(sums[there] < first + every - every // 8)
    safe = "A game that gets past the first of them is safe for a while: " if soon < LITTLE else ""
    return (
        f"{told}If they ended anywhere, {percent(even)} would. The worst of these places are "
        f"{places}. {safe}{percent(soon)} of the games past the first one end before the sum is "
        f"{number(first + every - every // 8)}."
    )


def _near_multiples(sums: np.ndarray, every: int) -> np.ndarray:
    """By which number the nearby multiple is one; 0 for a sum that is near none."""
    multiples = (sums + every // 8) // every
    past = sums - every * multiples
    return np.where(past < PAST, multiples, 0)


def lost_at_the_brink(sums, largest, exponent: int, lacking: int) -> tuple[int, int, int]:
    """How many games came half-way to a tile and not there, and how many of them near it.

    Parameters
    ----------
    sums, largest
        With which sum of its tiles each game ended, and the exponent of its largest tile.
    exponent
        That of the tile. A game is half-way once it has the tile before.
    lacking
        At the brink, the sum lacks no more than this of the tile.

    Returns
    -------
    tuple of int
        All these games; those that ended at the brink; those that ended past it, with a sum as
        large as the tile or larger, and still no such tile.

    Examples
    --------
    >>> lost_at_the_brink([300, 508, 514, 700], [8, 8, 8, 9], 9, 16)
    (3, 1, 1)
    """
    lost = np.asarray(sums)[np.asarray(largest) == exponent - 1]
    tile = 2**exponent
    at_brink = (lost >= tile - lacking) & (lost < tile)
    return len(lost), int(np.sum(at_brink)), int(np.sum(lost >= tile))


def ways_on(rows: Sequence[Mapping]) -> list[dict]:
    """What became of the games that were begun at the brink, in each way of playing on.

    Returns
    -------
    list of dict
        Of each way its plies and margin, how many games were `begun` in it, in how many the tile
        was `made`, how many `moves` they had together, and the `seconds` that they took.
    """
    ways = []
    for place, (plies, margin) in enumerate(rows[0].about["parameters"]["ways"]):
        measured = [result.about["measured"][f"seconds_of_way_{place}"] for result in rows]
        ways.append(
            {
                "plies": plies,
                "margin": margin,
                "begun": sum(result["begun"] for result in rows),
                "made": sum(int(result["made"][place]) for result in rows),
                "moves": sum(int(result["moves"][place]) for result in rows),
                "seconds": sum(measured),
            }
        )
    return ways


def row_of_way(way: Mapping, tile: int) -> dict:
    """A row of a table: what `ways_on` tells of a way, the share with its 95 % interval."""
    return {
        "plies": way["plies"],
        "margin": "none" if way["margin"] is None else number(way["margin"]),
        "games": way["begun"],
        f"{tile} (%)": share_cell(way["made"] / way["begun"], *wilson(way["made"], way["begun"])),
        "moves a game": round(way["moves"] / way["begun"]),
        "ms a move": f"{_milliseconds_of_a_move(way):.2g}",
    }


def _milliseconds_of_a_move(way: Mapping) -> float:
    return 1_000 * way["seconds"] / way["moves"]


def further_ahead(rows: Sequence[Mapping]) -> str:
    """Whether it pays to look further ahead at the brink: the last way beside the first."""
    ways = ways_on(rows)
    if ways[0]["begun"] == 0:
        return "No game came so far."
    first, last = ways[0], ways[-1]
    difference, half = more_of_a_hundred(rows, -1, 0)
    more = f"{plus_minus(abs(difference), half)} {'more' if difference > 0 else 'fewer'}"
    shares = joined([percent(way["made"] / way["begun"]) for way in ways])
    depths = joined([str(way["plies"]) for way in ways])
    lost = percent(1 - last["made"] / last["begun"])
    time = milliseconds(_milliseconds_of_a_move(last))
    verdict = verdict_of_difference(difference, half) if half > 0 else "not to be told apart"
    told = {
        "clearly stronger": f"So {last['plies']} plies are better than {first['plies']}. Still,",
        "clearly weaker": f"So {last['plies']} plies are worse than {first['plies']}, and",
        "not to be told apart": f"These games cannot tell whether {last['plies']} plies are better "
        f"than {first['plies']}. Even",
    }[verdict]
    return (
        f"With {depths} plies the second network makes the tile in {shares} of these games. Of a "
        f"hundred games that is {more} with {last['plies']} plies than with {first['plies']}. "
        f"{told} with {last['plies']} plies, at {time} for a move, {lost} of the games are lost."
    )


def more_of_a_hundred(rows: Sequence[Mapping], way: int, other: int) -> tuple[float, float]:
    """Of a hundred games, in how many more a way makes the tile, and half the 95 % interval.

    All ways of a result begin on the same boards, so results are compared as a whole.
    """
    begun = np.array([result["begun"] for result in rows], float)
    more = 100 * np.array([int(result["made"][way] - result["made"][other]) for result in rows])
    difference = more.sum() / begun.sum()
    spread = np.sum((more - difference * begun) ** 2) * len(rows) / (len(rows) - 1)
    return difference, student(len(rows) - 1) * math.sqrt(spread) / begun.sum()
