"""A drawing made of boards, words, arrows and frames, from which diagrams.py and patterns.py put theirs together."""

import re
from html import escape

import numpy as np

from lib2048.draw import FONT, MARK, SIDE, _board, _corner, _rect

INK = "#2b231c"  # of words
WIDE = 720  # of a diagram, in pixels; printed across a page its words come out at 8 points
WORD = 13  # font size of words


class Sheet:
    """A drawing on white, `wide` pixels across: boards, words, arrows and frames at places given in pixels."""

    def __init__(self, wide: float):
        self.wide, self.parts = wide, []

    def board(
        self, x, y, side, board, lastmove=None, squares=(), fill=None, faint=False, marks=None
    ) -> None:
        """A board; `marks` are words in the upper left corners of cells, {cell: word}."""
        shapes = [_board(board, lastmove, fill or {}, squares)]
        for cell, word in (marks or {}).items():
            left, top = _corner(cell)
            shapes.append(_rect(left - 8, top - 8, 40, 10, f'fill="{MARK}"'))
            look = f'font-size="33" font-weight="bold" fill="#ffffff" {FONT}'
            shapes.append(f'<text x="{left + 12}" y="{top + 24}" {look}>{escape(str(word))}</text>')
        look = ' opacity="0.3"' if faint else ""
        place = f"translate({x:g} {y:g}) scale({side / SIDE:.6g})"
        self.parts.append(f'<g transform="{place}"{look}>{"".join(shapes)}</g>')

    def words(self, x, y, text, size=WORD, bold=False, anchor="middle", colour=INK) -> None:
        """A line of words. An underscore lowers what follows, a circumflex raises it: s_t, s_{t+1}, 16^j."""
        first, *rest = re.split(r"([_^])(\{[^}]*\}|.)", text)
        pieces, shift = [escape(first)], 0.0
        for sign, small, after in zip(rest[::3], rest[1::3], rest[2::3]):
            shift = 0.28 * size if sign == "_" else -0.34 * size
            pieces.append(
                f'<tspan dy="{shift:.3g}" font-size="{0.75 * size:.3g}">{escape(small.strip("{}"))}</tspan>'
            )
            pieces.append(f'<tspan dy="{-shift:.3g}">{escape(after)}</tspan>' if after else "")
        look = f'fill="{colour}" {FONT.replace("middle", anchor)}' + (
            ' font-weight="bold"' if bold else ""
        )
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" {look}>{"".join(pieces)}</text>'
        )

    def arrow(self, *points, thick=1.5, dashed=False) -> None:
        """A line through points, with a head at the last one."""
        end, before = (np.array(point, float) for point in points[:-3:-1])
        along = (end - before) / np.hypot(*(end - before))
        base, aside = end - (6 + 2 * thick) * along, (2 + 1.3 * thick) * along[::-1] * (-1, 1)
        line = " L".join(f"{x:g} {y:g}" for x, y in [*points[:-1], base])
        head = " L".join(f"{x:g} {y:g}" for x, y in [end, base + aside, base - aside])
        dashes = ' stroke-dasharray="6 4"' if dashed else ""
        self.parts.append(
            f'<path d="M{line}" fill="none" stroke="{MARK}" stroke-width="{thick:g}"{dashes}/>'
        )
        self.parts.append(f'<path d="M{head} Z" fill="{MARK}"/>')

    def frame(self, x, y, wide, high, thick=4.0, dashed=False, fill="none") -> None:
        """A rounded rectangle."""
        look = f'fill="{fill}" stroke="{MARK}" stroke-width="{thick:g}"' + (
            ' stroke-dasharray="9 5"' if dashed else ""
        )
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="7" {look}/>'
        )

    def svg(self, high: float, title: str) -> str:
        """The drawing as an SVG document; title says in words what it shows."""
        title = title.replace("{", "").replace("}", "")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.wide:g} {high:g}" width="{self.wide:g}" '
            f'height="{high:g}" role="img"><title>{escape(title)}</title>'
            f'<rect width="{self.wide:g}" height="{high:g}" fill="#ffffff"/>{"".join(self.parts)}</svg>'
        )
