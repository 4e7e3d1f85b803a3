"""Pictures of boards, as SVG. Everything that shows a board calls `board_svg`.

Colours keep to the game's own hues: beige for the small tiles, orange to red, gold, then dark ones
of their own for what the game leaves black. No two tiles have the same lightness, so a print in
grey keeps them apart as well.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np

from lib2048.board import ACTIONS, to_array
from lib2048.validate import check_action

LastMove = int | Sequence[int | None] | None
"""An action, or an action and the cell of the new tile, either of which may be None."""

# fmt: off
TILES = (
    "#cdc1b4",  # empty
    "#f9f1e7", "#f3e4c9", "#e68e46", "#e37a3a", "#e06438",  # 2 4 8 16 32
    "#cf3222", "#f2d88a", "#edcd70", "#e8bf54", "#e3b337",  # 64 128 256 512 1024
    "#e2a701", "#236e3e", "#02576e", "#36316e", "#251e18",  # 2048 4096 8192 16384 32768
)
# fmt: on
FRAME = "#83766a"
MARK = "#10243f"
INKS = ("#fbf8f4", "#2b231c", "#000000", "#ffffff")
"""For numbers; one of the last two is always easy to read."""
EASY_TO_READ = 4.5  # the least contrast that is, by WCAG 2

# In the units of a drawing
CELL = 100
GAP = 12
EDGE = 28  # around the cells, where arrows are drawn
SIDE = 4 * CELL + 3 * GAP + 2 * EDGE
LABEL = 66  # height of the label below a board of a strip
LARGEST_LABEL = 48  # the size of its letters
BETWEEN = 32  # two boards of a strip

FONT = (
    'font-family="Arial, Helvetica, DejaVu Sans, DejaVu Sans Mono, sans-serif" text-anchor="middle"'
)
RIM = 'stroke="#2b231c" stroke-opacity="0.35" stroke-width="1.5"'
"""Around tiles, some of which are as dark as the frame."""
DIGIT = 0.7  # width of a bold digit in ems, in the widest of these fonts
LARGEST_NUMBER = 48  # on a tile
SHARE_OF_TILE = 0.86  # its width, of the tile's
BASELINE = 0.36  # ems from the middle of a number down to the line it stands on


# Colours


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it.

    Parameters
    ----------
    colour : str
        As "#rrggbb".

    Returns
    -------
    float
        From 0, black, to 1, white.

    Raises
    ------
    ValueError
        If this is no such colour.

    Examples
    --------
    >>> luminance("#000000"), luminance("#ffffff")
    (0.0, 1.0)
    """
    try:
        if len(colour) != 7 or colour[0] != "#":
            raise ValueError
        parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    except (TypeError, ValueError):
        raise ValueError(f'a colour is written as "#rrggbb", got {colour!r}') from None
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as WCAG 2 defines it.

    Parameters
    ----------
    one, other : str
        The colours, as "#rrggbb".

    Returns
    -------
    float
        From 1 to 21; text is easy to read from 4.5 on.

    Examples
    --------
    >>> contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink(colour: str) -> str:
    """A colour for numbers on a tile of this colour, easy to read there.

    Parameters
    ----------
    colour : str
        The colour of the tile, as "#rrggbb".

    Returns
    -------
    str
        One of `INKS`.

    Examples
    --------
    >>> ink("#000000")
    '#fbf8f4'
    """
    return next(number for number in INKS if contrast(number, colour) >= EASY_TO_READ)


# Boards


def board_text(board: int, lastmove: LastMove = None) -> str:
    """What a picture of a board shows, in words.

    Parameters
    ----------
    board : int
        The board.
    lastmove
        As in `board_svg`.

    Returns
    -------
    str
        The rows of the board, and the last move.

    Examples
    --------
    >>> board_text(0x21, lastmove=3)[:23], board_text(0x21, lastmove=3)[-16:]
    ('2048 board: 2 4 empty e', ' Last move: left')
    """
    rows = []
    for exponents in to_array(board).tolist():
        rows.append(" ".join(_number(exponent) or "empty" for exponent in exponents))
    text = "2048 board: " + "; ".join(rows)
    action, _ = _action_and_cell(lastmove)
    if action is not None:
        text += f". Last move: {ACTIONS[action]}"
    return text


def board_svg(
    board: int,
    lastmove: LastMove = None,
    fill: Mapping[int, str] | None = None,
    squares: Iterable[int] | None = None,
    size: float = 240,
) -> str:
    """A board as an SVG document.

    Parameters
    ----------
    board : int
        The board.
    lastmove : int or pair, optional
        An action, shown as an arrow at the side the tiles moved to; or (action, cell), which also
        rings the cell of the new tile.
    fill : dict, optional
        {cell: "#rrggbb"}: colours of cells in place of the tiles' own.
    squares : iterable of int, optional
        Cells to outline, such as a pattern.
    size : float
        Width and height in pixels.

    Returns
    -------
    str
        The document.

    Raises
    ------
    ValueError
        If this is no board, or there is no such action, cell or colour.

    Examples
    --------
    >>> board_svg(0x21, squares=(0, 1, 4))[:4]
    '<svg'
    """
    shapes = board_shapes(board, lastmove, fill or {}, squares or ())
    return _document(SIDE, SIDE, f"{size:g}", f"{size:g}", board_text(board, lastmove), shapes)


def board_strip(
    boards: Iterable[int],
    labels: Iterable | None = None,
    lastmoves: Iterable[LastMove] | None = None,
    columns: int = 6,
    size: float = 150,
) -> str:
    """Boards side by side as one SVG document, each with its label below.

    Parameters
    ----------
    boards : iterable of int
        The boards, at least one.
    labels : iterable, optional
        A text for each board.
    lastmoves : iterable, optional
        For each board what `board_svg` takes.
    columns : int
        How many stand in a row at most.
    size : float
        Width of a board in pixels.

    Returns
    -------
    str
        The document.

    Raises
    ------
    ValueError
        If there is no board, or not as many labels or moves as boards.

    Examples
    --------
    >>> board_strip([0x11, 0x12], labels=["before", "after"]).count("<g ")
    2
    """
    boards = list(boards)
    labels = [""] * len(boards) if labels is None else [str(label) for label in labels]
    lastmoves = [None] * len(boards) if lastmoves is None else list(lastmoves)
    if not len(boards) == len(labels) == len(lastmoves) or not boards:
        raise ValueError(
            "a strip shows one board or more, with a label and a last move for each, "
            f"got {len(boards)} boards, {len(labels)} labels, {len(lastmoves)} last moves"
        )
    card_height = SIDE + (LABEL if any(labels) else 0)
    columns = min(columns, len(boards))
    rows = -(-len(boards) // columns)
    longest = max(1, *map(len, labels))
    font = min(LARGEST_LABEL, (SIDE - 20) / (0.6 * longest))  # one size for all labels
    shapes = []
    texts = []
    for n, (board, label, lastmove) in enumerate(zip(boards, labels, lastmoves, strict=True)):
        row, column = divmod(n, columns)
        x = column * (SIDE + BETWEEN)
        y = row * (card_height + BETWEEN)
        card = _card(card_height, board_shapes(board, lastmove), label, font)
        shapes.append(f'<g transform="translate({x} {y})">{card}</g>')
        texts.append((f"{label}: " if label else "") + board_text(board, lastmove))
    width = columns * (SIDE + BETWEEN) - BETWEEN
    height = rows * (card_height + BETWEEN) - BETWEEN
    scale = size / SIDE
    pixels_wide = f"{width * scale:.6g}"
    pixels_high = f"{height * scale:.6g}"
    text = ". ".join(texts)
    return _document(width, height, pixels_wide, pixels_high, text, "".join(shapes))


# Their parts


def board_shapes(
    board: int,
    lastmove: LastMove = None,
    fill: Mapping[int, str] | None = None,
    squares: Iterable[int] = (),
) -> str:
    """The shapes of one board, as wide and high as `SIDE`, for a document that shows more.

    Parameters
    ----------
    board, lastmove, fill, squares
        As in `board_svg`.

    Returns
    -------
    str
        SVG elements.
    """
    fill = fill or {}
    for cell, colour in fill.items():
        corner(cell)  # these two raise on what is no cell and no colour
        luminance(colour)
    shapes = [rectangle(0, 0, SIDE, 14, f'fill="{FRAME}"')]
    for cell, exponent in enumerate(to_array(board).flat):
        shapes.append(_tile(cell, exponent, fill.get(cell, TILES[exponent])))
    for cell in squares:
        shapes.append(_outline(cell))
    action, new_cell = _action_and_cell(lastmove)
    if new_cell is not None:
        shapes.append(_ring(new_cell))
    if action is not None:
        shapes.append(_arrow(action))
    return "".join(shapes)


def corner(cell: int) -> tuple[int, int]:
    """Where a cell lies in the drawing of a board.

    Parameters
    ----------
    cell : int
        The cell.

    Returns
    -------
    (int, int)
        x and y of its upper left corner.

    Raises
    ------
    ValueError
        If there is no such cell.

    Examples
    --------
    >>> corner(0) == (EDGE, EDGE)
    True
    """
    if cell not in range(16):
        raise ValueError(f"a cell lies between 0 and 15, got {cell!r}")
    row, column = divmod(cell, 4)
    return EDGE + column * (CELL + GAP), EDGE + row * (CELL + GAP)


def rectangle(
    x: float, y: float, side: float, radius: float, look: str, height: float | None = None
) -> str:
    """A square, or a rectangle where `height` is given, with round corners.

    Parameters
    ----------
    x, y, side, radius, height : float
        Its upper left corner, its size, and how round the corners are.
    look : str
        Further attributes.

    Returns
    -------
    str
        An SVG element.
    """
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{height or side:g}" '
        f'rx="{radius:g}" {look}/>'
    )


def _document(
    width: float, height: float, pixels_wide: str, pixels_high: str, text: str, shapes: str
) -> str:
    """An SVG document of shapes, with a text for those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{pixels_wide}" height="{pixels_high}" role="img">'
        f"<title>{escape(text)}</title>{shapes}</svg>"
    )


def _card(height: float, shapes: str, label: str, font: float) -> str:
    """A board with a label below it; the card behind them is seen only where there is a label."""
    card = ""
    if height > SIDE:
        card = rectangle(0, 0, SIDE, 14, f'fill="{TILES[1]}" {RIM}', height)
    y = SIDE + LABEL / 2 + BASELINE * font
    return (
        f'{card}{shapes}<text x="{SIDE / 2:g}" y="{y:.4g}" font-size="{font:.4g}" '
        f'fill="{ink(TILES[1])}" {FONT}>{escape(label)}</text>'
    )


def _tile(cell: int, exponent: int, colour: str) -> str:
    """A cell, and the number in it."""
    x, y = corner(cell)
    square = rectangle(x, y, CELL, 8, f'fill="{colour}" {RIM}')
    number = _number(exponent)
    if not number:
        return square
    font = min(LARGEST_NUMBER, SHARE_OF_TILE * CELL / (DIGIT * len(number)))
    return (
        f'{square}<text x="{x + CELL / 2:g}" y="{y + CELL / 2 + BASELINE * font:.4g}" '
        f'font-size="{font:.4g}" font-weight="bold" fill="{ink(colour)}" {FONT}>{number}</text>'
    )


def _outline(cell: int) -> str:
    """A line around a cell."""
    x, y = corner(cell)
    look = f'fill="none" stroke="{MARK}" stroke-width="8"'
    return rectangle(x - 3, y - 3, CELL + 6, 11, look)


def _ring(cell: int) -> str:
    """A dotted line inside a cell, where a tile is new."""
    x, y = corner(cell)
    look = f'fill="none" stroke="{MARK}" stroke-width="4" stroke-dasharray="9 6"'
    return rectangle(x + 5, y + 5, CELL - 10, 5, look)


def _arrow(action: int) -> str:
    """A triangle at the side of the board that the tiles moved to: the upper one, turned."""
    middle = SIDE / 2
    return (
        f'<path d="M{middle - 48:g} {EDGE - 3} L{middle:g} 3 L{middle + 48:g} {EDGE - 3} Z" '
        f'fill="{MARK}" transform="rotate({90 * action} {middle:g} {middle:g})"/>'
    )


def _number(exponent: int) -> str:
    """What is written on a tile; nothing for an empty cell."""
    return str(2**exponent) if exponent else ""


def _action_and_cell(lastmove: LastMove) -> tuple[int | None, int | None]:
    """The action and the cell of the new tile, each None where it is not told."""
    if isinstance(lastmove, tuple | list):
        action, new_cell = lastmove
    else:
        action = lastmove
        new_cell = None
    return (None if action is None else check_action(action)), new_cell
