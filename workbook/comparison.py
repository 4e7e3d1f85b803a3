"""Figures that set trainings beside each other: curves over several seeds, changes against a standard, single games.

What is compared are results of experiments: dicts with `seed` and, an entry a block of games, `means`, `best` and
`ended` (how many games ended with which largest exponent).
"""

import numpy as np

from lib2048.draw import CURVES, Picture
from lib2048.validate import check_tile
from workbook.strength import _head, _look, _tidy

WIDE = 7.0  # of a figure, in inches: the width of a page


class Curve:
    """The blocks of a result, as `learning_curve` takes a log. Of the single games only their number is known."""

    first = 0

    def __init__(self, result):
        self.means, self.best, self.seed = result["means"], result["best"], result["seed"]
        self.ended = np.asarray(result["ended"])
        self.block = int(self.ended[0].sum()) if len(self.ended) else 1
        self.scores = range(self.block * len(self.means))

    def rate(self, tile: int = 2048) -> np.ndarray:
        """The share of games in each block that reached `tile`."""
        return self.ended[:, check_tile(tile) :].sum(axis=1) / self.ended.sum(axis=1)


def single_games(log, most: int = 3000) -> Picture:
    """Every game of a training as a point (at most the last `most`), and the means of its blocks as steps."""
    figure, scores = (
        Picture(figsize=(WIDE, 3.2), layout="constrained"),
        np.asarray(log.scores[-most:]),
    )
    axes, first = figure.subplots(), log.first + len(log.scores) - len(scores)
    games, blocks = (
        first + 1 + np.arange(len(scores)),
        log.first + log.block * np.arange(len(log.means) + 1),
    )
    dots = {
        "linestyle": "",
        "marker": ".",
        "markersize": 2.5,
        "color": "#9a938a",
        "rasterized": True,
    }
    axes.plot(games, scores / 1000, label="one game", **dots)
    axes.stairs(
        log.means / 1000,
        blocks,
        baseline=None,
        color=CURVES[0],
        linewidth=2.2,
        label=f"mean of {log.block:,}",
    )
    axes.set_xlim(first, games[-1])
    axes.xaxis.set_major_formatter("{x:,.0f}")
    _tidy(
        axes,
        xlabel=f"games of training (seed {log.seed})",
        ylabel="score (thousand points)",
        ylim=(0, None),
    )
    _head(figure, *axes.get_legend_handles_labels())
    figure.alt = (
        f"Scores of {len(scores):,} single games, from {scores.min():,} to {scores.max():,}, scattered over all of the "
        f"picture; the means of blocks rise from {log.means[0]:,.0f} to {log.means[-1]:,.0f}"
    )
    return figure


def _over_seeds(axes, named: dict) -> list[str]:
    """Draw {name: results of several seeds} into one panel: mean over the seeds, lowest and highest as a band."""
    texts = []
    for n, (name, rows) in enumerate(named.items()):
        curves = [Curve(row) for row in rows]
        blocks = min(len(curve.means) for curve in curves)
        if not blocks:
            texts.append(f"{name} diverged at once")
            continue
        means = np.array([curve.means[:blocks] for curve in curves]) / 1000
        games = curves[0].block * np.arange(1, blocks + 1)
        look = _look(n) | {
            "markersize": 3.5,
            "linewidth": 1.4,
            "markevery": (n, max(2, blocks // 6)),
        }
        axes.plot(games, means.mean(axis=0), label=name, **look)
        axes.fill_between(
            games,
            means.min(axis=0),
            means.max(axis=0),
            color=look["color"],
            alpha=0.18,
            linewidth=0,
        )
        texts.append(
            f"{name} {1000 * means[:, 0].mean():,.0f} to {1000 * means[:, -1].mean():,.0f}"
        )
        if any(row.get("diverged") for row in rows):
            axes.plot(games[-1], means.mean(axis=0)[-1], "X", color=look["color"], markersize=9)
            note = {"textcoords": "offset points", "xytext": (9, -3), "color": look["color"]}
            axes.annotate("diverged", (games[-1], means.mean(axis=0)[-1]), fontsize=8.5, **note)
            texts[-1] += ", where it diverged"
    axes.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    axes.locator_params(axis="x", nbins=4)
    return texts


def seed_curves(named: dict, panels: int = 1) -> Picture:
    """Learning curves over several seeds: {name: results}; with `panels` > 1, {title: {name: results}}, so many a row.

    Drawn are the mean over the seeds and a band from the lowest to the highest. The names of all panels are the same.
    """
    groups, texts = named if panels > 1 else {"": named}, []
    rows = -(-len(groups) // panels)
    figure = Picture(
        figsize=(WIDE, 3.4 if rows == panels == 1 else 0.7 + 1.75 * rows), layout="constrained"
    )
    places = figure.subplots(rows, panels, sharex=True, squeeze=False)
    for axes, (title, curves) in zip(places.flat, groups.items()):
        texts.append(f"{title}: ".lstrip(": ") + ", ".join(_over_seeds(axes, curves)))
        _tidy(axes, ylim=(0, None), title=title)
        axes.grid(False, axis="x")
        axes.title.set_fontsize(9)
        axes.locator_params(axis="y", nbins=4 if panels > 1 else 7)
    for axes in list(places.flat)[len(groups) :]:
        axes.set_visible(False)
    for n, axes in enumerate(list(places.flat)[: len(groups)]):
        axes.tick_params(labelsize=8.5, length=0, labelbottom=n + panels >= len(groups))
    seeds = sorted(
        {
            row["seed"]
            for curves in groups.values()
            for results in curves.values()
            for row in results
        }
    )
    listed = f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 2 else " and ".join(map(str, seeds))
    figure.supxlabel(f"games of training (seed{'s' * (len(seeds) > 1)} {listed})", fontsize=10)
    figure.supylabel("score (thousand points)", fontsize=10)
    _head(figure, *places.flat[0].get_legend_handles_labels())
    figure.alt = "Learning curves, mean score. " + "; ".join(texts)
    return figure


def changes(groups: dict, xlabel: str) -> Picture:
    """Variants against a standard, which is the line at 100 %: {group: [(name, ratio, low, high)]}, None: diverged."""
    lines = [(group, *line) for group, members in groups.items() for line in members]
    figure = Picture(figsize=(WIDE, 0.9 + 0.3 * len(lines)), layout="constrained")
    axes, texts = figure.subplots(), []
    for n, (_, name, share, low, high) in enumerate(lines):
        if share is None:
            axes.plot(0, -n, "X", color=CURVES[1], markersize=8)
            axes.annotate(
                "diverged", (0, -n), textcoords="offset points", xytext=(9, -4), color=CURVES[1]
            )
        else:
            ends = [[100 * (share - max(low, 0))], [100 * (high - share)]]
            axes.errorbar(
                [100 * share], [-n], xerr=ends, color=CURVES[0], marker="o", markersize=5, capsize=3
            )
        texts.append(f"{name}: {'diverged' if share is None else f'{share:.0%}'}")
    starts = [
        sum(len(members) for members in list(groups.values())[:n]) for n in range(len(groups))
    ]
    for start in starts[1:]:
        axes.axhline(0.5 - start, color="#bbbbbb", linewidth=0.8)
    axes.axvline(100, color="#555555", linestyle="--", linewidth=1.2)
    _tidy(axes, xlabel=xlabel, ylim=(0.6 - len(lines), 0.6))
    axes.set_yticks([-n for n in range(len(lines))], [name for _, name, *_ in lines])
    right = axes.secondary_yaxis("right")
    right.set_yticks([-start for start in starts], list(groups))
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
    axes.set_xlim(-4, None)
    figure.alt = f"{xlabel}. " + "; ".join(texts)
    return figure
