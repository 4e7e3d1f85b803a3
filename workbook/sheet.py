"""A drawing made of boards, words, arrows and frames, which diagrams are put together from."""

import re
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from lib2048.draw import FONT, MARK, SIDE, board_shapes, corner, rectangle
from workbook.words import SPACE

INK = "#2b231c"  # of words
WIDE = 720  # of a diagram, in pixels; printed across a page its words come out at 8 points
WORD = 13  # font size of words
SMALL = 0.8  # size of what is raised or lowered, as a share of the words around it
LOWERED = 0.28  # by so much of their size, downwards
RAISED = -0.34
PERCENT = re.compile(r"(?<=\d) ?%")
PRIME = re.compile(r"(?<=\bs)'")  # of an afterstate
MINUS = re.compile(r"(?<= )-(?= )|(?<!\w)-(?=[\d.])")
NUMBER = re.compile(r"<text [^>]*>\d+</text>")


class Sheet:
    """A drawing on white: boards, words, arrows and frames at places given in pixels.

    Parameters
    ----------
    wide
        The width of the drawing in pixels.
    """

    def __init__(self, wide: float):
        self.wide = wide
        self.parts = []

    def board(
        self,
        x: float,
        y: float,
        side: float,
        board: int,
        lastmove=None,
        squares: Sequence[int] = (),
        fill: Mapping | None = None,
        faint: bool = False,
        marks: Mapping | None = None,
        numbers: bool = True,
    ) -> None:
        """Draw a board.

        Parameters
        ----------
        x, y, side
            Where its upper left corner is, and how wide it is.
        board, lastmove, squares, fill
            As `lib2048.draw.board_svg` takes them.
        faint
            Whether it is pale.
        marks
            Words in the upper left corners of cells: ``{cell: word}``.
        numbers
            Whether tiles have numbers; on a small board nobody could read them in print.
        """
        shapes = [board_shapes(board, lastmove, fill or {}, squares)]
        if not numbers:
            shapes = [NUMBER.sub("", shapes[0])]
        shapes += [_corner_mark(cell, str(word)) for cell, word in (marks or {}).items()]
        look = ' opacity="0.3"' if faint else ""
        place = f"translate({x:g} {y:g}) scale({side / SIDE:.6g})"
        self.parts.append(f'<g transform="{place}"{look}>{"".join(shapes)}</g>')

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float = WORD,
        bold: bool = False,
        anchor: str = "middle",
        colour: str = INK,
    ) -> None:
        """Write a line of words.

        An underscore lowers what follows, a circumflex raises it: s_t, s_{t+1}, 16^j.

        Parameters
        ----------
        x, y
            Where the words stand.
        text
            The words.
        size
            Their size in pixels.
        bold
            Whether they are bold.
        anchor
            What of them is at x: "start", "middle" or "end".
        colour
            Their colour.
        """
        text = as_printed(text)
        look = f'fill="{colour}" {FONT.replace("middle", anchor)}'
        if bold:
            look += ' font-weight="bold"'
        place = f'x="{x:g}" y="{y:g}" font-size="{size:g}"'
        self.parts.append(f"<text {place} {look}>{_spans(text, size)}</text>")

    def arrow(self, *points, thick: float = 1.5, dashed: bool = False) -> None:
        """Draw a line through points, with a head at the last one."""
        before, end = (np.array(point, float) for point in points[-2:])
        along = (end - before) / np.hypot(*(end - before))
        across = along[::-1] * (-1, 1)
        base = end - (6 + 2 * thick) * along  # of the head
        wing = (2 + 1.3 * thick) * across
        line = _path([*points[:-1], base])
        head = _path([end, base + wing, base - wing])
        dashes = ' stroke-dasharray="6 4"' if dashed else ""
        self.parts += [
            f'<path d="{line}" fill="none" stroke="{MARK}" stroke-width="{thick:g}"{dashes}/>',
            f'<path d="{head} Z" fill="{MARK}"/>',
        ]

    def frame(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        thick: float = 4.0,
        dashed: bool = False,
        fill: str = "none",
    ) -> None:
        """Draw a rounded rectangle."""
        place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="7"'
        look = f'fill="{fill}" stroke="{MARK}" stroke-width="{thick:g}"'
        if dashed:
            look += ' stroke-dasharray="9 5"'
        self.parts.append(f"<rect {place} {look}/>")

    def svg(self, high: float, title: str) -> str:
        """The drawing as an SVG document.

        Parameters
        ----------
        high
            Its height in pixels.
        title
            What it shows, in words.

        Returns
        -------
        str
            The document.
        """
        title = escape(title.replace("{", "").replace("}", ""))
        size = f'width="{self.wide:g}" height="{high:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.wide:g} {high:g}" {size} '
            f'role="img"><title>{title}</title>'
            f'<rect {size} fill="#ffffff"/>{"".join(self.parts)}</svg>'
        )


def as_printed(text: str) -> str:
    """Words with a minus, percent signs, primes, apostrophes and dots as print has them.

    Examples
    --------
    >>> as_printed("V(s'_t) - 4 = -3 ...")
    'V(s′_t) − 4 = −3 …'
    >>> as_printed("9.8%")
    '9.8\\xa0%'
    >>> as_printed("cell 0's")
    'cell 0’s'
    """
    text = MINUS.sub("−", text.replace("...", "…"))
    text = PERCENT.sub(f"{SPACE}%", text)
    return PRIME.sub("′", text).replace("'", "’")


def _corner_mark(cell: int, word: str) -> str:
    """A word in the upper left corner of a cell, in the units of a board."""
    left, top = corner(cell)
    look = f'font-size="38" font-weight="bold" fill="#ffffff" {FONT}'
    return (
        rectangle(left - 8, top - 8, 40, 10, f'fill="{MARK}"')
        + f'<text x="{left + 12}" y="{top + 26}" {look}>{escape(word)}</text>'
    )


def _spans(text: str, size: float) -> str:
    """Words of this size with parts of them lowered or raised."""
    first, *rest = re.split(r"([_^])(\{[^}]*\}|.)", text)
    spans = [escape(first)]
    for sign, small, after in zip(rest[::3], rest[1::3], rest[2::3]):
        shift = size * (LOWERED if sign == "_" else RAISED)
        shifted = escape(small.strip("{}"))
        spans.append(f'<tspan dy="{shift:.3g}" font-size="{SMALL * size:.3g}">{shifted}</tspan>')
        if after:
            spans.append(f'<tspan dy="{-shift:.3g}">{escape(after)}</tspan>')
    return "".join(spans)


def _path(points) -> str:
    """A line through points, as the `d` of a path."""
    return "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
