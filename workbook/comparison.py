"""Figures that set trainings beside each other: over seeds, against a standard, game by game.

What is compared are results of experiments: dicts with `seed` and, an entry a block of games,
`means`, `best` and `ended` (how many games ended with which largest exponent).
"""

import numpy as np

from lib2048.validate import check_tile
from workbook.axes import CURVES, PAGE, Picture, legend_above, look, tidy, with_commas

MOST = 3_000  # points of single games that are drawn


class Curve:
    """The blocks of a result, as `learning_curve` takes a log.

    Of the single games only their number is known.
    """

    first = 0

    def __init__(self, result):
        self.means = result["means"]
        self.best = result["best"]
        self.seed = result["seed"]
        self.ended = np.asarray(result["ended"])
        self.block = int(self.ended[0].sum()) if len(self.ended) else 1
        self.scores = range(self.block * len(self.means))

    def rate(self, tile: int = 2048) -> np.ndarray:
        """The share of games in each block that reached `tile`."""
        return self.ended[:, check_tile(tile) :].sum(axis=1) / self.ended.sum(axis=1)


# Single games


def single_games(log, most: int = MOST) -> Picture:
    """Every game of a training as a point, and the means of its blocks as steps.

    Parameters
    ----------
    log
        The TrainLog of the training.
    most
        How many games are drawn, the last ones.

    Returns
    -------
    Picture
        The figure.
    """
    scores = np.asarray(log.scores[-most:])
    last = log.first + len(log.scores)
    first = last - len(scores)
    figure = Picture(figsize=(PAGE, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.plot(
        np.arange(first, last) + 1,
        scores / 1000,
        label="one game",
        linestyle="",
        marker=".",
        markersize=2.5,
        color="#9a938a",
        rasterized=True,
    )
    axes.stairs(
        log.means / 1000,
        log.first + log.block * np.arange(len(log.means) + 1),
        baseline=None,
        color=CURVES[0],
        linewidth=2.2,
        label=f"mean of {log.block:,}",
    )
    axes.set_xlim(first, last)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    games_of_training = f"games of training (seed {log.seed})"
    tidy(axes, xlabel=games_of_training, ylabel="score (thousand points)", ylim=(0, None))
    legend_above(figure, axes)
    figure.alt = (
        f"Scores of {len(scores):,} single games, from {scores.min():,} to {scores.max():,}, "
        "scattered over all of the picture; the means of blocks rise from "
        f"{log.means[0]:,.0f} to {log.means[-1]:,.0f}"
    )
    return figure


# Several seeds


def seed_curves(named: dict, panels: int = 1) -> Picture:
    """Learning curves over several seeds: the mean, and a band from the lowest to the highest.

    Parameters
    ----------
    named
        Results by name: ``{name: results}``. With several panels, ``{title: {name: results}}``,
        where the names of all panels are the same.
    panels
        How many panels stand in a row.

    Returns
    -------
    Picture
        The figure.
    """
    groups = named if panels > 1 else {"": named}
    rows = -(-len(groups) // panels)
    high = 3.4 if rows == panels == 1 else 0.7 + 1.75 * rows
    figure = Picture(figsize=(PAGE, high), layout="constrained")
    grid = list(figure.subplots(rows, panels, sharex=True, squeeze=False).flat)
    texts = []
    for n, (axes, (title, curves)) in enumerate(zip(grid, groups.items())):
        told = [_mean_over_seeds(axes, k, *curve) for k, curve in enumerate(curves.items())]
        texts.append((f"{title}: " if title else "") + ", ".join(told))
        _panel(axes, title, most_ticks=4 if panels > 1 else 7)
        is_last_of_its_column = n + panels >= len(groups)
        axes.tick_params(labelsize=8.5, length=0, labelbottom=is_last_of_its_column)
    for axes in grid[len(groups) :]:
        axes.set_visible(False)
    figure.supxlabel(_games_of_training(groups), fontsize=10)
    figure.supylabel("score (thousand points)", fontsize=10)
    legend_above(figure, grid[0])
    figure.alt = "Learning curves, mean score. " + "; ".join(texts)
    return figure


def _mean_over_seeds(axes, n: int, name: str, results) -> str:
    """Draw the n-th curve of a panel, the mean of several results.

    Returns what it shows, in words.
    """
    curves = [Curve(result) for result in results]
    blocks = min(len(curve.means) for curve in curves)  # a training that diverged has fewer
    if not blocks:
        return f"{name} diverged at once"
    scores = np.array([curve.means[:blocks] for curve in curves]) / 1000
    means = scores.mean(axis=0)
    games = curves[0].block * np.arange(1, blocks + 1)
    style = look(n) | {"markersize": 3.5, "linewidth": 1.4}
    axes.plot(games, means, label=name, markevery=(n, max(2, blocks // 6)), **style)
    lowest, highest = scores.min(axis=0), scores.max(axis=0)
    axes.fill_between(games, lowest, highest, color=style["color"], alpha=0.18, linewidth=0)
    text = f"{name} {1000 * means[0]:,.0f} to {1000 * means[-1]:,.0f}"
    if any(result.get("diverged") for result in results):
        _mark_divergence(axes, games[-1], means[-1], style["color"])
        text += ", where it diverged"
    return text


def _mark_divergence(axes, x: float, y: float, colour: str) -> None:
    axes.plot(x, y, "X", color=colour, markersize=9)
    axes.annotate(
        "diverged",
        (x, y),
        fontsize=8.5,
        textcoords="offset points",
        xytext=(9, 1),
        color=colour,
    )


def _panel(axes, title: str, most_ticks: int) -> None:
    """What all panels have alike."""
    tidy(axes, ylim=(0, None), title=title)
    axes.grid(False, axis="x")
    axes.title.set_fontsize(9)
    axes.xaxis.set_major_formatter(with_commas)
    axes.locator_params(axis="x", nbins=4)
    axes.locator_params(axis="y", nbins=most_ticks)


def _games_of_training(groups: dict) -> str:
    """The label of the x axis, with the seeds."""
    results = [result for curves in groups.values() for rows in curves.values() for result in rows]
    seeds = sorted({result["seed"] for result in results})
    if len(seeds) > 2:
        return f"games of training (seeds {seeds[0]} to {seeds[-1]})"
    word = "seeds" if len(seeds) > 1 else "seed"
    return f"games of training ({word} {' and '.join(map(str, seeds))})"


# Changes against a standard


def changes(groups: dict, xlabel: str) -> Picture:
    """Variants against a standard, which is the line at 100 %.

    Parameters
    ----------
    groups
        The variants of each group: ``{group: [(name, ratio, low, high), ...]}``, where the ratio is
        None for a training that diverged.
    xlabel
        What the ratios are.

    Returns
    -------
    Picture
        The figure, with a line for each variant.
    """
    variants = [variant for members in groups.values() for variant in members]
    figure = Picture(figsize=(PAGE, 0.9 + 0.3 * len(variants)), layout="constrained")
    axes = figure.subplots()
    for n, (_, ratio, low, high) in enumerate(variants):
        _variant(axes, -n, ratio, low, high)
    tidy(axes, xlabel=xlabel, ylim=(0.6 - len(variants), 0.6))
    axes.set_yticks([-n for n in range(len(variants))], [name for name, *_ in variants])
    _name_groups(axes, groups)
    axes.axvline(100, color="#555555", linestyle="--", linewidth=1.2)
    axes.set_xlim(-4, None)
    told = [
        f"{name}: {'diverged' if ratio is None else f'{ratio:.0%}'}" for name, ratio, *_ in variants
    ]
    figure.alt = f"{xlabel}. " + "; ".join(told)
    return figure


def _variant(axes, y: float, ratio: float | None, low: float, high: float) -> None:
    """One variant: a point with its interval, or a cross where there is none."""
    if ratio is None:
        axes.plot(0, y, "X", color=CURVES[1], markersize=8)
        axes.annotate(
            "diverged", (0, y), textcoords="offset points", xytext=(9, -4), color=CURVES[1]
        )
        return
    below, above = 100 * (ratio - max(low, 0)), 100 * (high - ratio)
    axes.errorbar(
        [100 * ratio],
        [y],
        xerr=[[below], [above]],
        color=CURVES[0],
        marker="o",
        markersize=5,
        capsize=3,
    )


def _name_groups(axes, groups: dict) -> None:
    """The names of the groups at the right, and lines between them."""
    sizes = [len(members) for members in groups.values()]
    starts = np.cumsum([0, *sizes[:-1]]).tolist()
    for start in starts[1:]:
        axes.axhline(0.5 - start, color="#bbbbbb", linewidth=0.8)
    right = axes.secondary_yaxis("right")
    right.set_yticks([-start for start in starts], list(groups))
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
