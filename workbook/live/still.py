"""The picture that remains of a training that was watched: its curve, and a board."""

import io

from matplotlib.patches import FancyBboxPatch

from lib2048 import TrainLog, to_array
from lib2048.draw import CELL, EDGE, FRAME, GAP, SIDE, TILES, ink
from workbook.axes import PAGE, Picture, look, tidy, with_commas
from workbook.words import number, plural

HEIGHT = 2.9  # inches
EMPTY = 1000  # points, and games: how far the axes of a curve without points go
DOTS = 110  # of the PNG, in an inch


def picture(log: TrainLog | None, board: int | None, games: int | None) -> Picture:
    """Draw the mean score of each block of a training, and a board.

    Parameters
    ----------
    log
        The log so far; None before there is one.
    board
        The board, or None.
    games
        From how many games the training learns; None where it goes by time.

    Returns
    -------
    Picture
        The figure.
    """
    figure = Picture(figsize=(PAGE, HEIGHT), layout="constrained")
    curve, place = figure.subplots(1, 2, width_ratios=(5, 3))
    block = "a block"
    if log is not None and len(log.means):
        size = max(1, min(log.block, len(log.scores)))
        ends = [log.first + size * (n + 1) for n in range(len(log.means))]
        style = look(0) | ({"marker": ""} if len(ends) > 12 else {})
        curve.plot(ends, log.means, **style)
        block = plural(size, "game")
    tidy(curve, xlabel="games of training", ylabel=f"mean score of {block}", ylim=(0, None))
    if log is None:
        curve.set(xlim=(0, games or EMPTY), ylim=(0, EMPTY))
    else:
        curve.set_xlim(left=log.first)
    curve.xaxis.set_major_formatter(with_commas)
    curve.yaxis.set_major_formatter(with_commas)
    place.set_axis_off()
    if board is not None:
        _draw_board(place, board)
    figure.alt = _told(log, games)
    return figure


def _told(log: TrainLog | None, games: int | None) -> str:
    """How the training went, in words."""
    if log is None or not len(log.means):
        length = "" if games is None else f" of {plural(games, 'game')}"
        return f"A training{length} that has just begun"
    ends = f"from {number(round(log.means[0]))} to {number(round(log.means[-1]))} points"
    return f"A training: {plural(len(log.scores), 'game')}, mean score of a block {ends}"


def _draw_board(axes, board: int) -> None:
    axes.set(xlim=(0, SIDE), ylim=(SIDE, 0), aspect="equal")
    axes.add_patch(_square(0, 0, SIDE, FRAME, 14))
    for row, exponents in enumerate(to_array(board).tolist()):
        for column, exponent in enumerate(exponents):
            x = EDGE + column * (CELL + GAP)
            y = EDGE + row * (CELL + GAP)
            axes.add_patch(_square(x, y, CELL, TILES[exponent], 8))
            if exponent:
                text = str(2**exponent)
                axes.text(
                    x + CELL / 2,
                    y + CELL / 2,
                    text,
                    size=min(15, 40 / len(text)),
                    weight="bold",
                    color=ink(TILES[exponent]),
                    ha="center",
                    va="center_baseline",
                )


def _square(x: float, y: float, size: float, colour: str, radius: float) -> FancyBboxPatch:
    style = f"round,pad=0,rounding_size={radius}"
    return FancyBboxPatch((x, y), size, size, boxstyle=style, facecolor=colour, edgecolor="none")


def png(drawn: Picture) -> bytes:
    """The picture as a PNG file, for JupyterLab as long as it does not trust a notebook."""
    file = io.BytesIO()
    drawn.savefig(file, format="png", dpi=DOTS, metadata={"Software": None})
    return file.getvalue()
