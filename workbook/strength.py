"""Figures and table rows about strength: how scores and tiles spread, curves over long runs, what networks think of one
board and which lookups its value comes from."""

from html import escape

import numpy as np

from lib2048.board import ACTIONS
from lib2048.draw import CURVES, FONT, LINES, MARK, MARKS, SIDE, Picture, _board, board_text

PALE, RULE = "#bbbbbb", {"color": "#dddddd", "linewidth": 0.6}
PER_DOUBLING = 6  # points that a curve has between n and 2n games
LEAST = (
    0.05  # a doubling of the games that adds less than this share to the mean is said not to pay
)


def row(summary, tiles=(2048, 8192, 16384), **first) -> dict:
    """A row of a table of strength: `first`, the games, the mean score, who reached each tile, with 95 % intervals."""
    half = summary.mean_ci[1] - summary.mean
    cells = first | {"games": summary.games, "mean score": f"{summary.mean:,.0f} ± {half:,.0f}"}
    for tile in tiles:
        share, low, high = (100 * part for part in summary.share(tile))
        cells[f"{tile} (%)"] = f"{share:.1f} ({low:.1f}-{high:.1f})"
    return cells


def _look(n: int) -> dict:
    """Colour, line and mark of the n-th curve of a figure."""
    return {
        "color": CURVES[n % 6],
        "linestyle": LINES[n % 4],
        "marker": MARKS[n % 6],
        "markersize": 4.5,
    }


def _tidy(axes, **labels) -> None:
    axes.set(**labels)
    axes.grid(**RULE)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _head(figure, handles, names) -> None:
    """A legend above the axes, of as many columns as fit."""
    if len(names) > 1:
        columns = max(1, min(len(names), 84 // (max(map(len, names)) + 7)))
        figure.legend(handles, names, loc="outside upper center", ncols=columns, frameon=False)


def survival(named) -> Picture:
    """The share of games that score at least x, for each x. named: {name: Summary}.

    The curve falls in steps: a game seldom ends soon after a large tile was made.
    """
    figure, texts = Picture(figsize=(7, 3.4), layout="constrained"), []
    axes = figure.subplots()
    for n, (name, summary) in enumerate(named.items()):
        scores = np.sort(summary.scores)
        share = 100 * (1 - np.arange(len(scores)) / len(scores))
        kept = np.unique(
            np.linspace(0, len(scores) - 1, 400).astype(int)
        )  # more would not be seen, and weigh much
        axes.plot(scores[kept] / 1000, share[kept], markevery=(n * 9, 45), label=name, **_look(n))
        texts.append(f"{name}: half of the games score at least {np.median(scores):,.0f}")
    _tidy(
        axes,
        xlabel="score (thousand points)",
        ylabel="games that score\nat least this (%)",
        ylim=(-3, 103),
    )
    axes.set_xlim(left=0)
    _head(figure, *axes.get_legend_handles_labels())
    figure.alt = "Share of games that score at least so much. " + "; ".join(texts)
    return figure


def reached(named, tiles=(512, 1024, 2048, 4096, 8192, 16384)) -> Picture:
    """The share of games that reached each tile, with 95 % intervals. named: {name: Summary}."""
    figure, texts = Picture(figsize=(7, 3.4), layout="constrained"), []
    axes = figure.subplots()
    for n, (name, summary) in enumerate(named.items()):
        share, low, high = 100 * np.array([summary.share(tile) for tile in tiles]).T
        places = np.arange(len(tiles)) + 0.12 * (n - (len(named) - 1) / 2)  # beside each other
        errors = np.clip([share - low, high - share], 0, None)
        axes.errorbar(places, share, errors, capsize=3, label=name, **_look(n) | {"linestyle": ""})
        listed = ", ".join(f"{part:.1f} % {tile}" for part, tile in zip(share, tiles))
        texts.append(f"{name}: {listed}")
    _tidy(
        axes,
        xlabel="tile",
        ylabel="games that reached it (%)",
        ylim=(-3, 103),
        xlim=(-0.5, len(tiles) - 0.5),
    )
    axes.set_xticks(range(len(tiles)), [str(tile) for tile in tiles])
    axes.grid(False, axis="x")
    for edge in np.arange(0.5, len(tiles) - 1):
        axes.axvline(edge, **RULE)
    _head(figure, *axes.get_legend_handles_labels())
    figure.alt = "Share of games that reached each tile. " + "; ".join(texts)
    return figure


def doublings(means, block: int) -> list[dict]:
    """What each doubling of the games brought: n, mean score of games n/2 to n, of n to 2n, the gain in it."""
    means, blocks = np.asarray(means, float), len(means)
    ends = [blocks >> n for n in range(blocks.bit_length() + 1)][
        ::-1
    ]  # 0, 1, ..., half of the blocks, all of them
    levels = [float(means[low:high].mean()) for low, high in zip(ends, ends[1:])]
    return [
        {
            "games": n * block,
            "to": m * block,
            "mean before": before,
            "mean after": after,
            "gain": after / before - 1,
        }
        for n, m, before, after in zip(ends[1:], ends[2:], levels, levels[1:])
    ]


def stops_paying(means, block: int, least: float = LEAST) -> int | None:
    """The number of games from which on no doubling added the share `least` to the mean; None when the last did."""
    games = None
    for step in reversed(doublings(means, block)):
        if step["gain"] >= least:
            break
        games = step["games"]
    return games


def _thinned(values, block: int) -> tuple[np.ndarray, np.ndarray]:
    """(games, values): means over stretches of blocks that look equally long on a log axis."""
    values = np.asarray(values, float)
    steps = 2.0 ** np.arange(0, np.log2(len(values)) + 1 / PER_DOUBLING, 1 / PER_DOUBLING)
    ends = np.unique(np.minimum(steps.round(), len(values)).astype(int))
    starts = np.append(0, ends[:-1])
    parts = [values[low:high].mean() for low, high in zip(starts, ends)]
    return block * (starts + 1 + ends) / 2, np.array(parts)  # the middle of the blocks' ends


def over_games(above, below, games: str, share: str = "2048 reached (%)", marks=None) -> Picture:
    """Curves over the games of training, on a log axis: {name: (values, block)}, scores above and shares (0-1) below.

    A curve is drawn as means over stretches of blocks; where there are many blocks, they lie pale behind the scores.
    If the names above and below are the same they share one legend. marks: {name: games}, lines down from the curves.
    """
    figure, texts = Picture(figsize=(7, 5), layout="constrained"), []
    axes = figure.subplots(2, sharex=True, height_ratios=(3, 2))
    for upper, curves in zip((True, False), (above, below)):
        for n, (name, (values, block)) in enumerate(curves.items()):
            scale = 1e-3 if upper else 100
            if upper and len(values) > 200:
                raw = block * np.arange(1, len(values) + 1), scale * np.asarray(values)
                axes[0].plot(*raw, color=PALE, linewidth=0.5, zorder=0.5)
            x, y = _thinned(values, block)
            axes[1 - upper].plot(
                x, scale * y, markevery=(n, max(2, len(x) // 9)), label=name, **_look(n)
            )
            texts.append(
                f"{name} ends at {y[-1]:,.0f} points" if upper else f"{name} ends at {y[-1]:.1%}"
            )
            at = (marks or {}).get(name)
            if upper and at:
                axes[0].plot(
                    [at, at],
                    [0, scale * np.interp(at, x, y)],
                    color=CURVES[n % 6],
                    linestyle=LINES[n % 4],
                )
                place = {"transform": axes[0].get_xaxis_transform(), "ha": "left", "fontsize": 9}
                axes[0].text(at, 0.02 + 0.09 * n, f" {at:,}", color=CURVES[n % 6], **place)
                texts.append(f"{name} is marked at {at:,} games")
    _tidy(axes[0], ylabel="score (thousand points)", ylim=(0, None))
    _tidy(
        axes[1], ylabel=share, ylim=(-3, 103), xlabel=f"games of training ({games})", xscale="log"
    )
    axes[1].xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    figure.align_ylabels()
    _head(figure, *axes[0].get_legend_handles_labels())
    if list(above) != list(below):
        axes[1].legend(frameon=False, fontsize=9)
    figure.alt = "Curves over the games of training. " + "; ".join(texts)
    return figure


def _words(x, y, text, size=34, anchor="start", bold=False) -> str:
    look = FONT.replace('"middle"', f'"{anchor}"') + (' font-weight="bold"' if bold else "")
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:.4g}" fill="{MARK}" {look}>{escape(text)}</text>'


def choices(board: int, named, size: float = 190) -> str:
    """A board, and beside it what networks think of its four actions, as an SVG document.

    named: {name: values}, as best_action returns them. A bar is as long as its action lies below that network's best.
    """
    best = {name: np.nanmax(values) for name, values in named.items()}
    most = max(1.0, *(float(best[name] - np.nanmin(values)) for name, values in named.items()))
    parts, texts, wide = [_board(board, None, {}, ())], [board_text(board)], 520
    for n, (name, values) in enumerate(named.items()):
        left = SIDE + 60 + n * (wide + 40)
        parts.append(_words(left, 40, name, 40, bold=True))
        for action, value in enumerate(values):
            y, gap = 110 + 100 * action, best[name] - value
            possible, chosen = not np.isnan(value), gap == 0
            tail = "best" if chosen else f"({-gap:,.0f})"
            says = f"{round(float(value)):,} {tail}" if possible else "not possible"
            parts.append(_words(left, y, ACTIONS[action], bold=chosen))
            parts.append(_words(left + wide, y, says, anchor="end", bold=chosen))
            if possible:
                bar = f'y="{y + 14}" height="22" fill="{CURVES[0] if chosen else "#9a9a9a"}"'
                parts.append(f'<rect x="{left}" width="{max(6, wide * gap / most):.4g}" {bar}/>')
            texts.append(f"{name}, {ACTIONS[action]}: {says}")
    width = SIDE + 20 + len(named) * (wide + 40)
    return _document(width, SIDE, parts, texts, size / SIDE)


def outlined(board: int, squares, labels, columns: int = 3, size: float = 150) -> str:
    """One board several times, each with other cells outlined and a label below, as an SVG document."""
    across, high, parts = SIDE + 60, SIDE + 90, []
    for n, (cells, label) in enumerate(zip(squares, labels, strict=True)):
        at = f'<g transform="translate({n % columns * across} {n // columns * high})">'
        font = min(40, SIDE / (0.61 * max(1, len(label))))  # fits in a typewriter's letters, too
        parts.append(
            at
            + _board(board, None, {}, cells)
            + _words(SIDE / 2, SIDE + 50, label, font, "middle")
            + "</g>"
        )
    width, height = min(columns, len(parts)) * across - 60, -(-len(parts) // columns) * high
    texts = [
        board_text(board),
        *(f"{label}: cells {list(cells)}" for cells, label in zip(squares, labels)),
    ]
    return _document(width, height, parts, texts, size / SIDE)


def _document(width, height, parts, texts, scale) -> str:
    size = (
        f'viewBox="0 0 {width} {height}" width="{width * scale:.6g}" height="{height * scale:.6g}"'
    )
    title = escape(". ".join(texts))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{title}</title>{"".join(parts)}</svg>'
