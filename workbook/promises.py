"""Is V right? What a network promised on the boards of its games, beside what then came.

    rows = beside(promised, came, groups)      a row for each group of boards
    promise_curves(rows, "largest tile")       their picture

The boards of one game have one end in common, so they are not so many independent cases. Each game
counts once in a group, with the mean over its boards there, and intervals are over games.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbook.axes import PAGE, Picture, legend_above, look, tidy
from workbook.intervals import interval

FEWEST = 20  # games, in a group that can be judged
CORNER = (0, 3, 12, 15)
MIDDLE = (5, 6, 9, 10)


class Promise(NamedTuple):
    """What was promised in a group of boards, and what came."""

    group: object
    """What the boards have in common."""

    games: int
    """How many games came by."""

    promised: float
    """V(s'), on average."""

    came: float
    """The points still made, on average."""

    off: tuple[float, float, float]
    """promised - came, on average, and the ends of its 95 % interval."""

    @property
    def verdict(self) -> str:
        """Whether that was "too little", "too much", or "right", as far as chance lets us see."""
        _, low, high = self.off
        if high < 0:
            return "too little"
        return "too much" if low > 0 else "right"


def beside(promised: Sequence, came: Sequence, groups: Sequence) -> list[Promise]:
    """Set promises beside what came, in groups of boards.

    Parameters
    ----------
    promised, came
        For each game an array: V(s') of each move, and the points that the moves after it made.
    groups
        For each game an array: the group that each move belongs to.

    Returns
    -------
    list of Promise
        The groups in order, those that fewer than FEWEST games came by left out.

    Examples
    --------
    >>> promised, came = [np.array([5.0, 1.0])] * 20, [np.array([3.0, 0.0])] * 20
    >>> [row.off[0] for row in beside(promised, came, [np.array([2, 4])] * 20)]
    [2.0, 1.0]
    """
    means: dict = {}
    for claims, points, names in zip(promised, came, groups, strict=True):
        for name in np.unique(names):
            there = names == name
            means.setdefault(name, []).append((claims[there].mean(), points[there].mean()))
    rows = []
    for name in sorted(means):
        claims, points = np.array(means[name]).T
        if len(claims) >= FEWEST:
            off = interval(claims - points)
            rows.append(Promise(name, len(claims), claims.mean(), points.mean(), off))
    return rows


def exponents_of(boards) -> np.ndarray:
    """The sixteen exponents of each board, a row for each.

    Examples
    --------
    >>> exponents_of([0x21])[0, :3].tolist()
    [1, 2, 0]
    """
    shifts = 4 * np.arange(16, dtype=np.uint64)
    cells = np.asarray(boards, np.uint64)[:, None] >> shifts & np.uint64(15)
    return cells.astype(np.int64)


def where_largest(boards) -> dict[str, float]:
    """The share of boards whose largest tile is in a corner, elsewhere at the edge, or inside.

    Of several equal ones the first counts.

    Examples
    --------
    >>> where_largest([0x1, 0x10, 0x100, 0x20_0001])
    {'in a corner': 0.25, 'elsewhere at the edge': 0.5, 'inside': 0.25}
    """
    cells = exponents_of(boards).argmax(axis=1)
    corner = float(np.isin(cells, CORNER).mean())
    inside = float(np.isin(cells, MIDDLE).mean())
    return {"in a corner": corner, "elsewhere at the edge": 1 - corner - inside, "inside": inside}


def promise_curves(rows: Sequence[Promise], xlabel: str) -> Picture:
    """What was promised and what came, by group.

    Parameters
    ----------
    rows
        As `beside` gives them.
    xlabel
        What the groups are.

    Returns
    -------
    Picture
        The figure. The interval stands at what came: it is that of the difference.
    """
    figure = Picture(figsize=(PAGE, 3.2), layout="constrained")
    axes = figure.subplots()
    places = np.arange(len(rows))
    halves = [row.off[2] - row.off[0] for row in rows]
    axes.plot(places, [row.promised / 1000 for row in rows], label="promised, V(s′)", **look(0))
    came = [row.came / 1000 for row in rows]
    spread = np.array(halves) / 1000
    axes.errorbar(places, came, spread, capsize=3, label="what came", **look(1))
    tidy(axes, xlabel=xlabel, ylabel="points still to come\n(thousands)")
    axes.set_ylim(bottom=0)
    axes.set_xticks(places, [str(row.group) for row in rows])
    legend_above(figure, axes)
    said = (f"{row.group}: {row.promised:,.0f} promised, {row.came:,.0f} came" for row in rows)
    figure.alt = f"What V promised and what came, by {xlabel}. " + "; ".join(said)
    return figure
