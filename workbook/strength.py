"""Figures and table rows about strength: how scores and tiles spread, and curves over long runs."""

from collections.abc import Mapping, Sequence

import numpy as np

from workbook.axes import GRID, PAGE, Picture, legend_above, look, tidy, with_commas

PALE = "#bbbbbb"
POINTS = 400  # of a curve of scores: more would not be seen, and weigh much
PER_DOUBLING = 6  # points that a curve has between n and 2n games
STRETCHES = 40  # points of a curve over moves
MANY_BLOCKS = 200  # so many are drawn behind the curve of their means
LEAST = 0.05  # a doubling of the games that adds less than this share to the mean does not pay


def row(summary, tiles: Sequence[int] = (2048, 8192, 16384), **first) -> dict:
    """A row of a table of strength.

    Parameters
    ----------
    summary
        The games of a player.
    tiles
        The tiles that have a column.
    **first
        Cells that come first.

    Returns
    -------
    dict
        The number of games, the mean score and the share that reached each tile, with 95 %
        intervals.
    """
    half = summary.mean_ci[1] - summary.mean
    cells = first | {"games": summary.games, "mean score": f"{summary.mean:,.0f} ± {half:,.0f}"}
    for tile in tiles:
        cells[f"{tile} (%)"] = share_cell(*summary.share(tile))
    return cells


def share_cell(share: float, low: float, high: float) -> str:
    """A cell of a table: a share and its interval, in per cent.

    Examples
    --------
    >>> share_cell(0.5, 0.404, 0.596)
    '50.0 (40.4-59.6)'
    """
    return f"{100 * share:.1f} ({100 * low:.1f}-{100 * high:.1f})"


# How scores and tiles spread


def survival(named: Mapping) -> Picture:
    """The share of games that score at least x, for each x.

    The curve falls in steps: a game seldom ends soon after a large tile was made.

    Parameters
    ----------
    named
        Summaries by the name of their curve.

    Returns
    -------
    Picture
        The figure.
    """
    figure = Picture(figsize=(PAGE, 3.4), layout="constrained")
    axes = figure.subplots()
    texts = []
    for n, (name, summary) in enumerate(named.items()):
        scores = np.sort(summary.scores)
        share = 100 * (1 - np.arange(len(scores)) / len(scores))
        kept = np.unique(np.linspace(0, len(scores) - 1, POINTS).astype(int))
        axes.plot(scores[kept] / 1000, share[kept], markevery=(n * 9, 45), label=name, **look(n))
        texts.append(f"{name}: half of the games score at least {np.median(scores):,.0f}")
    tidy(
        axes,
        xlabel="score (thousand points)",
        ylabel="games that score\nat least this (%)",
        ylim=(-3, 103),
    )
    axes.set_xlim(left=0)
    legend_above(figure, axes)
    figure.alt = "Share of games that score at least so much. " + "; ".join(texts)
    return figure


def reached(named: Mapping, tiles: Sequence[int] = (512, 1024, 2048, 4096, 8192, 16384)) -> Picture:
    """The share of games that reached each tile, with 95 % intervals.

    Parameters
    ----------
    named
        Summaries by name.
    tiles
        The tiles on the x axis.

    Returns
    -------
    Picture
        The figure.
    """
    figure = Picture(figsize=(PAGE, 3.4), layout="constrained")
    axes = figure.subplots()
    texts = []
    for n, (name, summary) in enumerate(named.items()):
        share, low, high = 100 * np.array([summary.share(tile) for tile in tiles]).T
        aside = 0.12 * (n - (len(named) - 1) / 2)  # the players of a tile stand beside each other
        places = np.arange(len(tiles)) + aside
        errors = np.clip([share - low, high - share], 0, None)
        style = look(n) | {"linestyle": ""}
        axes.errorbar(places, share, errors, capsize=3, label=name, **style)
        listed = ", ".join(f"{part:.1f} % {tile}" for part, tile in zip(share, tiles))
        texts.append(f"{name}: {listed}")
    _tile_axis(axes, tiles)
    legend_above(figure, axes)
    figure.alt = "Share of games that reached each tile. " + "; ".join(texts)
    return figure


def _tile_axis(axes, tiles: Sequence[int]) -> None:
    """An x axis with a strip for each tile."""
    tidy(
        axes,
        xlabel="tile",
        ylabel="games that reached it (%)",
        ylim=(-3, 103),
        xlim=(-0.5, len(tiles) - 0.5),
    )
    axes.set_xticks(range(len(tiles)), [str(tile) for tile in tiles])
    axes.grid(False, axis="x")
    for edge in np.arange(0.5, len(tiles) - 1):
        axes.axvline(edge, **GRID)


# Long runs


def doublings(means: Sequence[float], block: int) -> list[dict]:
    """What each doubling of the games brought.

    Parameters
    ----------
    means
        The mean score of each block of games.
    block
        How many games a block has.

    Returns
    -------
    list of dict
        For each doubling from n to 2n games: ``games`` n, ``to`` 2n, ``mean before`` of games n/2
        to n, ``mean after`` of games n to 2n, and ``gain``, the share that the mean grew by.

    Examples
    --------
    >>> [step["gain"] for step in doublings([1.0, 1.0, 2.0, 4.0], block=10)]
    [0.0, 2.0]
    """
    means = np.asarray(means, float)
    blocks = len(means)
    # 0, 1, 2, ..., half of the blocks, all of them
    ends = [blocks >> halvings for halvings in range(blocks.bit_length(), -1, -1)]
    levels = [float(means[low:high].mean()) for low, high in zip(ends, ends[1:])]
    return [
        {
            "games": low * block,
            "to": high * block,
            "mean before": before,
            "mean after": after,
            "gain": after / before - 1,
        }
        for low, high, before, after in zip(ends[1:], ends[2:], levels, levels[1:])
    ]


def stops_paying(means: Sequence[float], block: int, least: float = LEAST) -> int | None:
    """The number of games from which on no doubling added much to the mean.

    Parameters
    ----------
    means, block
        As in `doublings`.
    least
        The share of the mean that a doubling must add to pay.

    Returns
    -------
    int or None
        None where the last doubling paid.
    """
    games = None
    for step in reversed(doublings(means, block)):
        if step["gain"] >= least:
            break
        games = step["games"]
    return games


def _thinned(values: Sequence[float], block: int) -> tuple[np.ndarray, np.ndarray]:
    """(games, values): means over stretches of blocks that look equally long on a log axis."""
    values = np.asarray(values, float)
    last_step = np.log2(len(values))
    steps = 2.0 ** np.arange(0, last_step + 1 / PER_DOUBLING, 1 / PER_DOUBLING)
    ends = np.unique(np.minimum(steps.round(), len(values)).astype(int))
    starts = np.append(0, ends[:-1])
    means = [values[low:high].mean() for low, high in zip(starts, ends)]
    middles = block * (starts + 1 + ends) / 2  # of the ends of the blocks
    return middles, np.array(means)


def over_games(
    scores: Mapping,
    shares: Mapping,
    games: str,
    share: str = "2048 reached (%)",
    marks: Mapping | None = None,
) -> Picture:
    """Curves over the games of training on a log axis, scores above and shares below.

    A curve is drawn as means over stretches of blocks; where there are many blocks, they lie pale
    behind the scores. If the names above and below are the same they share one legend.

    Parameters
    ----------
    scores, shares
        ``{name: (values, block)}``, a value for each block of so many games; shares lie between 0
        and 1.
    games
        What is said in brackets of the games of training, such as the seed.
    share
        What the shares are.
    marks
        ``{name: games}``, lines down from the curves.

    Returns
    -------
    Picture
        The figure.
    """
    figure = Picture(figsize=(PAGE, 5), layout="constrained")
    above, below = figure.subplots(2, sharex=True, height_ratios=(3, 2))
    texts = []
    for n, (name, (values, block)) in enumerate(scores.items()):
        x, y = _long_curve(above, n, name, values, block, scale=1e-3)
        texts.append(f"{name} ends at {y[-1]:,.0f} points")
        if mark := (marks or {}).get(name):
            _mark(above, n, mark, 1e-3 * np.interp(mark, x, y))
            texts.append(f"{name} is marked at {mark:,} games")
    for n, (name, (values, block)) in enumerate(shares.items()):
        _, y = _long_curve(below, n, name, values, block, scale=100)
        texts.append(f"{name} ends at {y[-1]:.1%}")
    tidy(above, ylabel="score (thousand points)", ylim=(0, None))
    tidy(below, ylabel=share, ylim=(-3, 103), xlabel=f"games of training ({games})", xscale="log")
    below.xaxis.set_major_formatter(with_commas)
    figure.align_ylabels()
    legend_above(figure, above)
    if list(scores) != list(shares):
        below.legend(frameon=False, fontsize=9)
    figure.alt = "Curves over the games of training. " + "; ".join(texts)
    return figure


def growing_shares(named: Mapping) -> Picture:
    """How large a share of the games of training made a tile, over the moves learned from.

    A curve is drawn as means over stretches of blocks, each in the middle of its stretch.

    Parameters
    ----------
    named
        ``{name: (shares, moves)}``, a share between 0 and 1 and a number of moves for each block of
        games; a block at least.

    Returns
    -------
    Picture
        The figure.
    """
    figure = Picture(figsize=(PAGE, 3.2), layout="constrained")
    axes = figure.subplots()
    texts = []
    for n, (name, (shares, moves)) in enumerate(named.items()):
        stretches = np.array_split(np.arange(len(shares)), min(STRETCHES, len(shares)))
        learned = np.cumsum(moves) / 1e6
        middles = [learned[stretch[len(stretch) // 2]] for stretch in stretches]
        share = 100 * np.array([np.mean(np.asarray(shares)[stretch]) for stretch in stretches])
        axes.plot(middles, share, markevery=(n, 6), label=name, **look(n))
        texts.append(f"{name}: {share[-1]:.1f} % in the last of {learned[-1]:,.0f} million moves")
    tidy(
        axes,
        xlabel="million moves learned from",
        ylabel="games of training\nthat make the tile (%)",
        ylim=(-3, 103),
    )
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(with_commas)
    legend_above(figure, axes)
    figure.alt = "Shares of games over the moves of training. " + "; ".join(texts)
    return figure


def _long_curve(axes, n: int, name: str, values, block: int, scale: float):
    """Draw the n-th curve of a panel. Returns its points, without the scale."""
    is_score = scale < 1
    if is_score and len(values) > MANY_BLOCKS:
        ends = block * np.arange(1, len(values) + 1)
        axes.plot(ends, scale * np.asarray(values), color=PALE, linewidth=0.5, zorder=0.5)
    x, y = _thinned(values, block)
    axes.plot(x, scale * y, markevery=(n, max(2, len(x) // 9)), label=name, **look(n))
    return x, y


def _mark(axes, n: int, games: int, height: float) -> None:
    """A line down from the n-th curve, with the number of games at its foot."""
    style = look(n)
    axes.plot([games, games], [0, height], color=style["color"], linestyle=style["linestyle"])
    axes.text(
        games,
        0.02 + 0.09 * n,  # the number of another curve stands above it
        f" {games:,}",
        color=style["color"],
        transform=axes.get_xaxis_transform(),
        ha="left",
        fontsize=9,
    )
