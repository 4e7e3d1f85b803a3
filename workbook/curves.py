"""Figures of scores and errors: how scores spread, curves with bands, how far targets spread."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from lib2048.draw import MARK
from workbook.axes import PAGE, Picture, legend_above, look, tidy

LEVELS = ("--", ":", "-.")  # lines of levels


def histogram(scores, bins: int = 40, **labels) -> Picture:
    """How many games had which score, with the median and the mean.

    Parameters
    ----------
    scores
        The scores.
    bins
        How many bars there are.
    **labels
        `xlabel` and `ylabel`.

    Returns
    -------
    Picture
        The figure.

    Raises
    ------
    ValueError
        If there is no score.
    """
    scores = np.asarray(scores)
    if not scores.size:
        raise ValueError("a histogram shows the scores of one game or more, got none")
    median, mean = np.median(scores), scores.mean()
    figure = Picture(figsize=(PAGE, 3), layout="constrained")
    axes = figure.subplots()
    axes.hist(scores, bins=bins, color="#b9b0a4", edgecolor="#5d564d", linewidth=0.6)
    axes.axvline(median, color=MARK, linestyle="-", linewidth=1.6, label=f"median {median:,.0f}")
    axes.axvline(mean, color=MARK, linestyle="--", linewidth=1.6, label=f"mean {mean:,.0f}")
    tidy(axes, **labels)
    axes.legend(frameon=False)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    figure.alt = (
        f"Histogram of the scores of {len(scores):,} games, from {scores.min():,} to "
        f"{scores.max():,}; mean {mean:,.0f}, median {median:,.0f}"
    )
    return figure


def bands(
    panels: Mapping,
    xlabel: str,
    ylabel: str,
    levels: Mapping | None = None,
    logy: bool = False,
) -> Picture:
    """Curves with bands on a logarithmic x axis, in one panel or several side by side.

    Drawn are the mean over repetitions and, as a band, one standard deviation to either side.

    Parameters
    ----------
    panels
        Curves by the title of their panel: ``{title: {name: (x, values)}}``, values an array of
        repetitions by x.
    xlabel, ylabel
        What the axes show.
    levels
        Horizontal lines: ``{name: y}``.
    logy
        Whether the y axis is logarithmic, too.

    Returns
    -------
    Picture
        The figure.

    Raises
    ------
    ValueError
        If there is no panel, or one without a curve.
    """
    if not panels or not all(panels.values()):
        raise ValueError(f"each of one panel or more has a curve, got {panels!r}")
    figure = Picture(figsize=(PAGE, 3.5), layout="constrained")
    row = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    texts = []
    for axes, (title, curves) in zip(row, panels.items()):
        for n, (name, (x, values)) in enumerate(curves.items()):
            mean = _band(axes, n, name, x, values)
            texts.append(f"{title} {name}: {mean[0]:.3g} to {mean[-1]:.3g}".strip())
        for n, (name, y) in enumerate((levels or {}).items()):
            line = LEVELS[n % len(LEVELS)]
            axes.axhline(y, color="#555555", linewidth=1.2, linestyle=line, label=name)
        _scales(axes, xlabel, title, logy)
    row[0].set_ylabel(ylabel)
    legend_above(figure, row[0])
    figure.alt = f"{ylabel} over {xlabel}. " + "; ".join(texts)
    return figure


def _band(axes, n: int, name: str, x, values) -> np.ndarray:
    """Draw the n-th curve of a panel with its band. Returns its mean."""
    mean, spread = np.mean(values, axis=0), np.std(values, axis=0)
    style = look(n)
    axes.plot(x, mean, label=name, **style)
    low, high = mean - spread, mean + spread
    axes.fill_between(x, low, high, color=style["color"], alpha=0.15, linewidth=0)
    return mean


def _scales(axes, xlabel: str, title: str, logy: bool) -> None:
    """Labels and scales of a panel."""
    tidy(axes, xlabel=xlabel, title=title, xscale="log", yscale="log" if logy else "linear")
    if logy:
        ticks = LogLocator(subs=(1, 2, 5))
        axes.yaxis.set(major_locator=ticks, minor_formatter=NullFormatter())
    else:
        axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.yaxis.set_major_formatter("{x:g}")


def spreads(left: Sequence, targets: Mapping) -> Picture:
    """How far the targets of boards spread, against how many moves are left.

    Parameters
    ----------
    left
        The moves left, on average, of each board.
    targets
        The spreads of each target, one for each board: ``{name: spreads}``.

    Returns
    -------
    Picture
        The figure.

    Raises
    ------
    ValueError
        If a target has not a spread for each board.
    """
    if not targets or any(len(spread) != len(left) for spread in targets.values()):
        raise ValueError(
            f"a spread of each target for each of {len(left)} boards, got {targets!r:.80}"
        )
    figure = Picture(figsize=(PAGE, 3), layout="constrained")
    axes = figure.subplots()
    texts = []
    for n, (name, spread) in enumerate(targets.items()):
        style = look(n) | {"linestyle": ""}
        filling = style["color"] if n % 2 else "none"
        axes.plot(left, spread, label=name, markerfacecolor=filling, **style)
        texts.append(f"{name} {np.mean(spread):.1f} points on average")
    tidy(
        axes,
        xlabel="moves left in the game (mean)",
        ylabel="spread of the target\n(points, standard deviation)",
    )
    legend_above(figure, axes)
    figure.alt = "Spread of the targets over moves left: " + "; ".join(texts)
    return figure
