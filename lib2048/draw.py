"""Pictures of boards, as SVG. Everything that shows a board calls `board_svg`.

Colours keep to the game's own hues: beige for the small tiles, orange to red, gold, then dark ones of their own for
what the game leaves black. No two tiles have the same lightness, so a print in grey keeps them apart as well.
"""

from html import escape

import numpy as np

from lib2048.board import ACTIONS, to_array
from lib2048.validate import check_action

TILES = (
    "#cdc1b4", "#f9f1e7", "#f3e4c9", "#e68e46", "#e37a3a", "#e06438", "#cf3222", "#f2d88a",  # empty, 2 .. 128
    "#edcd70", "#e8bf54", "#e3b337", "#e2a701", "#236e3e", "#02576e", "#36316e", "#251e18",  # 256 .. 32768
)  # fmt: skip
FRAME, MARK = "#83766a", "#10243f"
INKS = (
    "#fbf8f4",
    "#2b231c",
    "#000000",
    "#ffffff",
)  # for numbers; one of the last two is always easy to read
CELL, GAP, EDGE = 100, 12, 28  # of a board, in the units of its drawing
LABEL = 62  # height of the label below a board of a strip
SIDE = 4 * CELL + 3 * GAP + 2 * EDGE
FONT = (
    'font-family="Arial, Helvetica, DejaVu Sans, DejaVu Sans Mono, sans-serif" text-anchor="middle"'
)
RIM = 'stroke="#2b231c" stroke-opacity="0.35" stroke-width="1.5"'  # where a tile is as dark as the frame
DIGIT = 0.7  # width of a bold digit in ems, in the widest of these fonts


def luminance(colour: str) -> float:
    """The relative luminance of "#rrggbb", 0 black to 1 white (WCAG 2)."""
    try:
        if len(colour) != 7 or colour[0] != "#":
            raise ValueError
        parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    except (TypeError, ValueError):
        raise ValueError(f'a colour is written as "#rrggbb", got {colour!r}') from None
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21; text is easy to read from 4.5 on (WCAG 2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink(colour: str) -> str:
    """A colour for numbers on a tile of this colour, with a contrast of at least 4.5."""
    return next(one for one in INKS if contrast(one, colour) >= 4.5)


def _move(lastmove):
    """(action, cell of the new tile) from an action, such a pair, or None."""
    action, new = lastmove if isinstance(lastmove, tuple | list) else (lastmove, None)
    return None if action is None else check_action(action), new


def board_text(board: int, lastmove=None) -> str:
    """What a picture of the board shows, in words."""
    rows = [" ".join(str(2**e) if e else "empty" for e in row) for row in to_array(board).tolist()]
    action, _ = _move(lastmove)
    return (
        "2048 board: "
        + "; ".join(rows)
        + ("" if action is None else f". Last move: {ACTIONS[action]}")
    )


def board_svg(board: int, lastmove=None, fill=None, squares=None, size: float = 240) -> str:
    """A board as an SVG document.

    lastmove: an action, shown as an arrow at the side the tiles moved to; or (action, cell), which also rings the
    cell of the new tile. fill: {cell: "#rrggbb"}, colours of cells in place of the tiles' own. squares: cells to
    outline, such as a pattern. size: width and height in pixels.

    >>> board_svg(0x21, squares=(0, 1, 4))[:4]
    '<svg'
    """
    title = escape(board_text(board, lastmove))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}" width="{size:g}" height="{size:g}" '
        f'role="img"><title>{title}</title>{_board(board, lastmove, fill or {}, squares or ())}</svg>'
    )


def board_strip(boards, labels=None, lastmoves=None, columns: int = 6, size: float = 150) -> str:
    """Boards side by side, at most `columns` in a row, as one SVG document; each label stands under its board.

    labels: a text for each board. lastmoves: for each board what `board_svg` takes. size: width of a board in pixels.
    """
    boards = list(boards)
    labels = [""] * len(boards) if labels is None else [str(label) for label in labels]
    lastmoves = [None] * len(boards) if lastmoves is None else list(lastmoves)
    if not len(boards) == len(labels) == len(lastmoves) or not boards:
        raise ValueError(
            f"a strip shows one board or more, with a label and a last move for each, got {len(boards)} boards, "
            f"{len(labels)} labels, {len(lastmoves)} last moves"
        )
    below = LABEL if any(labels) else 0
    across, high, columns = SIDE + 40, SIDE + below + 40, min(columns, len(boards))
    width, height = columns * across - 40, -(-len(boards) // columns) * high - 40
    card = _rect(0, 0, SIDE, 14, f'fill="{TILES[1]}" {RIM}', SIDE + below) if below else ""
    parts, texts = [], []
    for n, (board, label, lastmove) in enumerate(zip(boards, labels, lastmoves)):
        texts.append((f"{label}: " if label else "") + board_text(board, lastmove))
        font = min(42, (SIDE - 20) / (0.6 * max(1, len(label))))
        parts.append(
            f'<g transform="translate({n % columns * across} {n // columns * high})">{card}'
            f'{_board(board, lastmove, {}, ())}<text x="{SIDE / 2:g}" y="{SIDE + LABEL / 2 + 0.36 * font:.4g}" '
            f'font-size="{font:.4g}" fill="{ink(TILES[1])}" {FONT}>{escape(label)}</text></g>'
        )
    scale = size / SIDE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width * scale:.6g}" '
        f'height="{height * scale:.6g}" role="img"><title>{escape(". ".join(texts))}</title>{"".join(parts)}</svg>'
    )


def _corner(cell: int) -> tuple[int, int]:
    """x and y of a cell's upper left corner."""
    if cell not in range(16):
        raise ValueError(f"a cell lies between 0 and 15, got {cell!r}")
    return EDGE + cell % 4 * (CELL + GAP), EDGE + cell // 4 * (CELL + GAP)


def _rect(
    x: float, y: float, side: float, radius: float, look: str, high: float | None = None
) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{high or side:g}" rx="{radius:g}" {look}/>'


def _board(board, lastmove, fill, squares) -> str:
    """The shapes of one board, as wide and high as SIDE."""
    action, new = _move(lastmove)
    for cell, colour in fill.items():
        _corner(cell)  # these two raise on what is no cell and no colour
        luminance(colour)
    parts = [_rect(0, 0, SIDE, 14, f'fill="{FRAME}"')]
    for cell, exponent in enumerate(to_array(board).flat):
        (x, y), colour = _corner(cell), fill.get(cell, TILES[exponent])
        parts.append(_rect(x, y, CELL, 8, f'fill="{colour}" {RIM}'))
        if exponent:
            number = str(2**exponent)
            font = min(48, 0.86 * CELL / (DIGIT * len(number)))
            parts.append(
                f'<text x="{x + CELL / 2:g}" y="{y + CELL / 2 + 0.36 * font:.4g}" font-size="{font:.4g}" '
                f'font-weight="bold" fill="{ink(colour)}" {FONT}>{number}</text>'
            )
    for cell in squares:
        x, y = _corner(cell)
        parts.append(
            _rect(x - 3, y - 3, CELL + 6, 11, f'fill="none" stroke="{MARK}" stroke-width="8"')
        )
    if new is not None:
        x, y = _corner(new)
        look = f'fill="none" stroke="{MARK}" stroke-width="4" stroke-dasharray="9 6"'
        parts.append(_rect(x + 5, y + 5, CELL - 10, 5, look))
    if action is not None:  # drawn pointing up at the upper side, then turned
        middle = SIDE / 2
        parts.append(
            f'<path d="M{middle - 48:g} {EDGE - 3} L{middle:g} 3 L{middle + 48:g} {EDGE - 3} Z" fill="{MARK}" '
            f'transform="rotate({90 * action} {middle:g} {middle:g})"/>'
        )
    return "".join(parts)
