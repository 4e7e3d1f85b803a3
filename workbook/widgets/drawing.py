"""Drawings for the pictures of widgets: a sheet that has rows and small boards of tiles as well."""

from collections.abc import Sequence
from html import escape

from lib2048.draw import (
    BASELINE,
    CELL,
    DIGIT,
    EDGE,
    FONT,
    FRAME,
    GAP,
    RIM,
    TILES,
    ink,
    rectangle,
)
from workbook.sheet import Sheet


def extent(count: int) -> int:
    """The length of a side that so many cells lie along, in the units of a board.

    Examples
    --------
    >>> extent(4)
    492
    """
    return count * CELL + (count - 1) * GAP + 2 * EDGE


class Drawing(Sheet):
    """A sheet on which boards of any size can be drawn."""

    def tiles(
        self, x: float, y: float, wide: float, exponents: Sequence[int], columns: int = 4
    ) -> float:
        """Draw a board of any size.

        Parameters
        ----------
        x, y
            Where its upper left corner is.
        wide
            How wide it is.
        exponents
            Its tiles, row by row.
        columns
            How many of them stand in a row.

        Returns
        -------
        float
            How high it is.
        """
        rows = len(exponents) // columns
        shapes = [rectangle(0, 0, extent(columns), 14, f'fill="{FRAME}"', extent(rows))]
        for number, exponent in enumerate(exponents):
            row, column = divmod(number, columns)
            shapes.append(_tile(column, row, exponent))
        scale = wide / extent(columns)
        place = f"translate({x:g} {y:g}) scale({scale:.6g})"
        self.parts.append(f'<g transform="{place}">{"".join(shapes)}</g>')
        return scale * extent(rows)


def _tile(column: int, row: int, exponent: int) -> str:
    """A cell, and the number in it."""
    x = EDGE + column * (CELL + GAP)
    y = EDGE + row * (CELL + GAP)
    colour = TILES[exponent]
    square = rectangle(x, y, CELL, 8, f'fill="{colour}" {RIM}')
    if not exponent:
        return square
    number = str(2**exponent)
    font = min(48, 0.86 * CELL / (DIGIT * len(number)))
    baseline = y + CELL / 2 + BASELINE * font
    return (
        f'{square}<text x="{x + CELL / 2:g}" y="{baseline:.4g}" font-size="{font:.4g}" '
        f'font-weight="bold" fill="{ink(colour)}" {FONT}>{escape(number)}</text>'
    )
