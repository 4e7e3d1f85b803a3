"""Figures of the game and of TD(0): a board's 64 bits, how scores spread, the 2x2 game, errors over games of learning.

Boards of the 2x2 game (workbook/tiny.py) are tuples of four exponents, row by row.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from lib2048.board import to_array
from lib2048.draw import (
    FONT,
    FRAME,
    MARK,
    RIM,
    SIDE,
    TILES,
    Picture,
    _corner,
    _rect,
    board_text,
    ink,
)
from workbook.sheet import Sheet
from workbook.strength import _head, _look, _tidy

PALE = "#e9e6e1"
TINY = 86  # height and width of a 2x2 board: cells of 37, edges of 5, a gap of 2


def bits(board: int) -> str:
    """A board, with its cells numbered, above its 64 bits: four a cell, cell 0 at the right."""
    sheet, exponents, side = Sheet(720), to_array(board).ravel().tolist(), 220
    sheet.board(250, 4, side, board)
    for cell, exponent in enumerate(exponents):
        colour, (left, top) = ink(TILES[exponent]), _corner(cell)
        sheet.words(
            258 + left * side / SIDE, 16 + top * side / SIDE, str(cell), size=10, colour=colour
        )
        x = 9 + 43 * (15 - cell) + 4 * (3 - cell // 4)
        sheet.parts.append(
            f'<rect x="{x}" y="262" width="41" height="58" rx="3" fill="{TILES[exponent]}" {RIM}/>'
            f'<text x="{x + 20.5}" y="286" font-size="19" font-weight="bold" fill="{colour}" {FONT}>{exponent:x}</text>'
            f'<text x="{x + 20.5}" y="310" font-size="14" fill="{colour}" {FONT}>{exponent:04b}</text>'
        )
        sheet.words(x + 20.5, 337, str(cell))
        if cell % 4 == 3:
            sheet.parts.append(
                f'<path d="M{x} 346 v6 h170 v-6" fill="none" stroke="{MARK}" stroke-width="1.5"/>'
            )
            sheet.words(x + 85, 369, f"row {cell // 4}")
    sheet.words(9, 252, "exponent (hexadecimal), its four bits, cell", anchor="start")
    return sheet.svg(376, f"{board_text(board)}. Its 64 bits, written in hexadecimal: {board:016x}")


def histogram(scores, bins: int = 40, **labels) -> Picture:
    """How many games had which score. labels: xlabel, ylabel."""
    scores = np.asarray(scores)
    if not scores.size:
        raise ValueError("a histogram shows the scores of one game or more, got none")
    figure = Picture(figsize=(7, 3), layout="constrained")
    axes = figure.subplots()
    axes.hist(scores, bins=bins, color="#b9b0a4", edgecolor="#5d564d", linewidth=0.6)
    for value, name, line in ((np.median(scores), "median", "-"), (scores.mean(), "mean", "--")):
        axes.axvline(value, color=MARK, linestyle=line, linewidth=1.6, label=f"{name} {value:,.0f}")
    _tidy(axes, **labels)
    axes.legend(frameon=False)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    figure.alt = (
        f"Histogram of the scores of {len(scores):,} games, from {scores.min():,} to {scores.max():,}; "
        f"mean {scores.mean():,.0f}, median {np.median(scores):,.0f}"
    )
    return figure


def tiny_text(board) -> str:
    """A 2x2 board in words."""
    one, two, three, four = (str(2**e) if e else "empty" for e in board)
    return f"{one} {two}; {three} {four}"


def _tiny(sheet: Sheet, x: float, y: float, board) -> None:
    sheet.parts.append(_rect(x, y, TINY, 5, f'fill="{FRAME}"'))
    for cell, exponent in enumerate(board):
        left, top, colour = x + 5 + 39 * (cell % 2), y + 5 + 39 * (cell // 2), TILES[exponent]
        sheet.parts.append(_rect(left, top, 37, 3, f'fill="{colour}" {RIM}'))
        if exponent:
            look = f'font-size="17" font-weight="bold" fill="{ink(colour)}" {FONT}'
            sheet.parts.append(
                f'<text x="{left + 18.5:g}" y="{top + 24.5:g}" {look}>{2**exponent}</text>'
            )


def tiny_boards(boards: Sequence, labels: Sequence[Sequence[str]]) -> str:
    """2x2 boards side by side, at most six in a row; labels: the lines of words below each."""
    if not boards or len(boards) != len(labels):
        raise ValueError(
            f"one board or more, with labels for each, got {len(boards)} and {len(labels)}"
        )
    sheet, high = Sheet(720), TINY + 18 * max(map(len, labels)) + 18
    for n, (board, lines) in enumerate(zip(boards, labels)):
        x, y = n % 6 * 120 + 17, n // 6 * high + 4
        _tiny(sheet, x, y, board)
        for row, line in enumerate(lines):
            sheet.words(x + TINY / 2, y + TINY + 19 + 18 * row, line)
    texts = [f"{tiny_text(board)}: {', '.join(lines)}" for board, lines in zip(boards, labels)]
    return sheet.svg(-(-len(boards) // 6) * high, ". ".join(texts))


def chain(steps: Sequence, before: dict, after: dict) -> str:
    """The last three steps of a 2x2 game, learned from the last one back: whose value moves toward what.

    steps: (board, action, reward, next board); the last next board is None. before and after: V of these boards.
    """
    if len(steps) != 3:
        raise ValueError(f"the last three steps of a game have room here, got {len(steps)}")
    sheet, texts = Sheet(720), []
    sheet.parts.append(f'<rect x="0" y="166" width="720" height="26" fill="{PALE}"/>')
    for y, words in ((147, "V before"), (183, "target r + V"), (219, "TD error"), (255, "V after")):
        sheet.words(4, y, words, anchor="start")
    for n, (board, _, reward, following) in enumerate(steps):
        x = 165 + 165 * n
        known = 0.0 if following is None else after[following]
        target = reward + known
        _tiny(sheet, x - TINY / 2, 8, board)
        sheet.arrow((x + TINY / 2 + 8, 51), (x + 165 - TINY / 2 - 8, 51))
        sheet.words(x + 82, 42, f"r = {reward}")
        sheet.words(x, 116, "s_" + "{T-" + str(len(steps) - n) + "}")
        sheet.words(x, 147, f"{before[board]:g}")
        sheet.words(x, 183, f"{reward} + {known:g} = {target:g}", bold=True)
        sheet.words(x, 219, f"{target - before[board]:+g}")
        sheet.words(x, 255, f"{after[board]:g}", bold=True)
        sheet.arrow((x + 165 - 30, 246), (x + 50, 194), dashed=True)
        texts.append(
            f"{tiny_text(board)}: V {before[board]:g}, target {target:g}, V after {after[board]:g}"
        )
    end = 165 + 165 * len(steps)
    sheet.words(end, 56, "game over", bold=True)
    sheet.words(end, 255, "0", bold=True)
    return sheet.svg(266, "The last steps of a game. " + "; ".join(texts))


def bands(
    panels: dict, xlabel: str, ylabel: str, levels: dict | None = None, logy: bool = False
) -> Picture:
    """Curves with bands, on a logarithmic x axis: {title of a panel: {name: (x, values)}}.

    values: an array (repetitions, x); drawn are the mean and, as a band, one standard deviation to either side.
    levels: {name: y} of horizontal lines.
    """
    if not panels or not all(panels.values()):
        raise ValueError(f"each of one panel or more has a curve, got {panels!r}")
    figure, texts = Picture(figsize=(7, 3.5), layout="constrained"), []
    row = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, (title, curves) in zip(row, panels.items()):
        for n, (name, (x, values)) in enumerate(curves.items()):
            mean, spread = np.mean(values, axis=0), np.std(values, axis=0)
            look = _look(n)
            axes.plot(x, mean, label=name, **look)
            axes.fill_between(
                x, mean - spread, mean + spread, color=look["color"], alpha=0.15, linewidth=0
            )
            texts.append(f"{title} {name}: {mean[0]:.3g} to {mean[-1]:.3g}".strip())
        for n, (name, y) in enumerate((levels or {}).items()):
            axes.axhline(
                y, color="#555555", linewidth=1.2, linestyle=("--", ":", "-.")[n % 3], label=name
            )
        _tidy(axes, xlabel=xlabel, title=title, xscale="log", yscale="log" if logy else "linear")
        if logy:
            axes.yaxis.set(
                major_locator=LogLocator(subs=(1, 2, 5)), minor_formatter=NullFormatter()
            )
        else:
            axes.set_ylim(bottom=0)
        axes.xaxis.set_major_formatter("{x:,g}")
        axes.yaxis.set_major_formatter("{x:g}")
    row[0].set_ylabel(ylabel)
    _head(figure, *row[0].get_legend_handles_labels())
    figure.alt = f"{ylabel} over {xlabel}. " + "; ".join(texts)
    return figure


def spreads(left, targets: dict) -> Picture:
    """How far the targets of boards spread. left: moves left on average, of each board; targets: {name: spreads}."""
    if not targets or any(len(spread) != len(left) for spread in targets.values()):
        raise ValueError(
            f"a spread of each target for each of {len(left)} boards, got {targets!r:.80}"
        )
    figure = Picture(figsize=(7, 3), layout="constrained")
    axes, texts = figure.subplots(), []
    for n, (name, spread) in enumerate(targets.items()):
        look = _look(n) | {"linestyle": "", "markerfacecolor": ("none", _look(n)["color"])[n % 2]}
        axes.plot(left, spread, label=name, **look)
        texts.append(f"{name} {np.mean(spread):.1f} points on average")
    _tidy(
        axes,
        xlabel="moves left in the game (mean)",
        ylabel="spread of the target\n(points, standard deviation)",
    )
    _head(figure, *axes.get_legend_handles_labels())
    figure.alt = "Spread of the targets over moves left: " + "; ".join(texts)
    return figure
