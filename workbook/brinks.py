"""Where games end, told by the sum of their tiles, and what looking further ahead saves there."""

from collections.abc import Mapping, Sequence

import numpy as np

from workbook.axes import PAGE, Picture, look, tidy
from workbook.comparing import difference_of_means, verdict_of_difference
from workbook.words import joined, milliseconds, number, percent

LEAST_SUM = 8_192
"""Where the figure begins: hardly a game of a strong player ends before."""


def going_on(sums: Sequence[int], tiles: Sequence[int]) -> Picture:
    """The share of games that go on with tiles that sum to x, for each x.

    Parameters
    ----------
    sums
        With which sum of its tiles each game ended.
    tiles
        Sums that are marked: those of a tile, or of several.

    Returns
    -------
    Picture
        The figure.
    """
    ends = np.sort(np.asarray(sums))
    figure = Picture(figsize=(PAGE, 2.8), layout="constrained")
    axes = figure.subplots()
    share = 100 * (1 - np.arange(len(ends) + 1) / len(ends))
    axes.step([LEAST_SUM, *ends], share, where="post", **look(0) | {"marker": ""})
    tidy(
        axes,
        xlabel="sum of all tiles",
        ylabel="games that go on (%)",
        ylim=(-3, 103),
    )
    axes.set_xlim(LEAST_SUM, None)
    axes.set_xticks(list(tiles), [f"{tile:,}" for tile in tiles])
    left = "; ".join(f"{tile:,}: {100 * np.mean(ends >= tile):.0f} %" for tile in tiles)
    figure.alt = f"Share of games that still go on, by the sum of their tiles. At {left}"
    return figure


def where_games_end(sums: Sequence[int], every: int) -> str:
    """Whether games end just before the sum of their tiles is so large, or a multiple of it.

    Parameters
    ----------
    sums
        With which sum of its tiles each game ended.
    every
        A tile that strong players make again and again.
    """
    eighth = every // 8
    share = np.mean(np.asarray(sums) % every >= every - eighth)
    told = f"{percent(share)} of the games end in the last eighth before the sum is a multiple of "
    if share >= 2 / 8:
        return f"{told}{number(every)}."
    return f"{told}{number(every)}, hardly more than anywhere else."


def lost_at_the_brink(sums, exponents, exponent: int, lacking: int) -> float:
    """Of the games that came half-way to a tile and not there, the share that ended at its brink.

    Parameters
    ----------
    sums, exponents
        With which sum of its tiles each game ended, and the exponent of its largest tile.
    exponent
        That of the tile. A game is half-way once it has the tile before.
    lacking
        At the brink, the sum lacks no more than this of the tile, or is larger.

    Examples
    --------
    >>> lost_at_the_brink([300, 508, 514, 700], [8, 8, 8, 9], 9, 16)
    0.6666666666666666
    """
    sums, exponents = np.asarray(sums), np.asarray(exponents)
    lost = sums[exponents == exponent - 1]
    return float(np.mean(lost >= 2**exponent - lacking))


def ways_on(rows: Sequence[Mapping]) -> list[dict]:
    """What became of the games that were begun at the brink, in each way of playing on.

    Parameters
    ----------
    rows
        Results of the experiment relay-brink.

    Returns
    -------
    list of dict
        Of each way its plies and margin, how many games it `begun` and in how many it `made` the
        tile, and the `milliseconds` that it took for a move.
    """
    parameters = rows[0].about["parameters"]
    begun = sum(result["begun"] for result in rows)
    ways = []
    for n, (plies, margin) in enumerate(parameters["ways"]):
        took = sum(result.about["measured"][f"seconds_of_way_{n}"] for result in rows)
        moves = sum(int(result["moves"][n]) for result in rows)
        ways.append(
            {
                "plies": plies,
                "margin": margin,
                "begun": begun,
                "made": sum(int(result["made"][n]) for result in rows),
                "milliseconds": 1_000 * took / moves,
            }
        )
    return ways


def further_ahead(ways: Sequence[Mapping]) -> str:
    """Whether it pays to look further ahead at the brink: the last way beside the first.

    Parameters
    ----------
    ways
        What `ways_on` gives, by rising plies.
    """
    first, last = ways[0], ways[-1]
    verdict = verdict_of_difference(*difference_of_means(_made(last), _made(first)))
    shares = joined([percent(way["made"] / way["begun"]) for way in ways])
    depths = joined([str(way["plies"]) for way in ways])
    lost = percent(1 - last["made"] / last["begun"])
    told = {
        "clearly stronger": "So it pays to look further ahead there, and at "
        f"{milliseconds(last['milliseconds'])} for a move {lost} of them are still lost.",
        "clearly weaker": "So looking further ahead even harms there.",
        "not to be told apart": "These games cannot tell whether looking further ahead pays there; "
        f"{lost} of them are lost after {milliseconds(last['milliseconds'])} for a move.",
    }[verdict]
    return f"With {depths} plies it makes the tile in {shares} of these games. {told}"


def _made(way: Mapping) -> np.ndarray:
    """100 for each game of a way that made the tile, 0 for each other one."""
    return np.repeat([100.0, 0.0], [way["made"], way["begun"] - way["made"]])
