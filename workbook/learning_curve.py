"""The learning curve: how scores, and the share of games that reach a tile, grow with training."""

import numpy as np

from workbook.axes import PAGE, Picture, look, tidy, with_commas

HEIGHTS = (5, 3, 3)  # of the three panels, in proportion
MOST_COLUMNS = 4  # of the legend


def learning_curve(logs, tile: int = 2048) -> Picture:
    """Draw how the score, and the share of games that reach `tile`, grow with training.

    Above stands the mean of each block of games; below it, on an axis of its own that it would
    stretch otherwise, the best game of each block; below that, the share.

    Parameters
    ----------
    logs
        A TrainLog, or several by name: ``{name: TrainLog}``.
    tile
        The tile whose share is drawn, as it is written on the board.

    Returns
    -------
    Picture
        The figure.
    """
    named = logs if isinstance(logs, dict) else {"mean": logs}
    figure = Picture(figsize=(PAGE, 4.8), layout="constrained")
    above, middle, below = figure.subplots(3, sharex=True, height_ratios=HEIGHTS)
    texts = []
    for n, (name, log) in enumerate(named.items()):
        _draw((above, middle, below), log, tile, n, len(named))
        texts += _told(name, log, tile)
    figure.alt = "Learning curve. " + "; ".join(texts)
    _legend(figure, above, named, is_single=not isinstance(logs, dict))
    size = _size_of_blocks(named)
    figure.align_ylabels()
    tidy(above, ylabel=f"mean of {size}", ylim=(0, None))
    tidy(middle, ylabel="best game", ylim=(0, None))
    tidy(below, ylabel=f"{tile} reached (%)", ylim=(-3, 103), xlabel=_games_of_training(named))
    below.set_xlim(left=min(log.first for log in named.values()))
    for axis in (above.yaxis, middle.yaxis, below.yaxis, below.xaxis):
        axis.set_major_formatter(with_commas)
    return figure


def _block(log) -> int:
    """How many games a block of this log has; a short training is one block."""
    return max(1, min(log.block, len(log.scores)))


def _draw(panels, log, tile: int, n: int, curves: int) -> None:
    """Draw the n-th of so many curves."""
    above, middle, below = panels
    games = log.first + _block(log) * np.arange(1, len(log.means) + 1)
    every = max(1, len(games) // 10)  # marks stand at every tenth of a curve,
    style = look(n) | {"markevery": (n * every // curves, every)}  # none above another
    above.plot(games, log.means, **style)
    middle.plot(games, log.best, **style | {"linewidth": 1, "markersize": 3})
    below.plot(games, 100 * log.rate(tile), **style)


def _told(name: str, log, tile: int) -> list[str]:
    """What a curve shows, in words; nothing where it has no point."""
    if not len(log.means):
        return []
    first = log.means[0]
    last = log.means[-1]
    share = log.rate(tile)[-1]
    scores = f"{name} from {first:,.0f} to {last:,.0f} points"
    return [f"{scores}, at the end {share:.1%} reach {tile}"]


def _legend(figure, above, named: dict, is_single: bool) -> None:
    """A line for each curve; a single one needs none."""
    if is_single:
        return
    columns = min(len(named), MOST_COLUMNS)
    figure.legend(
        above.lines, list(named), loc="outside upper center", ncols=columns, frameon=False
    )


def _size_of_blocks(named: dict) -> str:
    """How many games a point is the mean of: "1,000 games"."""
    blocks = {_block(log) for log in named.values()}
    return f"{blocks.pop():,} games" if len(blocks) == 1 else "a block"


def _games_of_training(named: dict) -> str:
    """The label of the x axis, with the seeds."""
    seeds = sorted({log.seed for log in named.values()})
    word = "seed" if len(seeds) == 1 else "seeds"
    return f"games of training ({word} {', '.join(map(str, seeds))})"
