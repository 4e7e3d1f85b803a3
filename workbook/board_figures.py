"""Pictures made of boards: a board's 64 bits, what networks think of a board, cells, the 2x2 game.

All are SVG documents, with a title that says in words what they show. Boards of the 2x2 game
(tiny.py) are tuples of four exponents, row by row.
"""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from lib2048.board import ACTIONS, to_array
from lib2048.draw import (
    FONT,
    FRAME,
    MARK,
    RIM,
    SIDE,
    TILES,
    board_shapes,
    board_text,
    corner,
    ink,
    rectangle,
)
from workbook.axes import CURVES
from workbook.sheet import WIDE, Sheet, as_printed

PALE = "#e9e6e1"


# The 64 bits of a board

BOARD_SIDE = 220  # of the board above the bits
BOARD_LEFT, BOARD_TOP = 250, 4
NIBBLE = 41  # width of the four bits of a cell; between two there is a gap, and more between rows
GAP = 2
ROW_GAP = 4


def bits(board: int) -> str:
    """A board, with its cells numbered, above its 64 bits: four a cell, cell 0 at the right.

    Parameters
    ----------
    board
        The board.

    Returns
    -------
    str
        An SVG document.
    """
    sheet = Sheet(WIDE)
    sheet.board(BOARD_LEFT, BOARD_TOP, BOARD_SIDE, board)
    for cell, exponent in enumerate(to_array(board).ravel().tolist()):
        _cell_number(sheet, cell, exponent)
        _nibble(sheet, cell, exponent)
    for row in range(4):
        left = _nibble_left(4 * row + 3)
        bracket = f"M{left} 346 v6 h170 v-6"
        sheet.parts.append(f'<path d="{bracket}" fill="none" stroke="{MARK}" stroke-width="1.5"/>')
        sheet.words(left + 85, 369, f"row {row}")
    sheet.words(9, 252, "exponent (hexadecimal), its four bits, cell", anchor="start")
    return sheet.svg(376, f"{board_text(board)}. Its 64 bits, written in hexadecimal: {board:016x}")


def _cell_number(sheet: Sheet, cell: int, exponent: int) -> None:
    """The number of a cell in its upper left corner on the board."""
    scale = BOARD_SIDE / SIDE
    left, top = corner(cell)
    x, y = BOARD_LEFT + 8 + left * scale, BOARD_TOP + 12 + top * scale
    sheet.words(x, y, str(cell), size=10, colour=ink(TILES[exponent]))


def _nibble_left(cell: int) -> int:
    """Where the bits of a cell begin, in pixels from the left."""
    return 9 + (NIBBLE + GAP) * (15 - cell) + ROW_GAP * (3 - cell // 4)


def _nibble(sheet: Sheet, cell: int, exponent: int) -> None:
    """The four bits of a cell, and its number below them."""
    left = _nibble_left(cell)
    colour = ink(TILES[exponent])
    paper = TILES[exponent]
    middle = left + NIBBLE / 2
    sheet.parts += [
        f'<rect x="{left}" y="262" width="{NIBBLE}" height="58" rx="3" fill="{paper}" {RIM}/>',
        f'<text x="{middle}" y="286" font-size="19" font-weight="bold" fill="{colour}" {FONT}>'
        f"{exponent:x}</text>",
        f'<text x="{middle}" y="310" font-size="14" fill="{colour}" {FONT}>{exponent:04b}</text>',
    ]
    sheet.words(middle, 337, str(cell))


# What networks think of a board


def choices(board: int, named: Mapping, size: float = 190) -> str:
    """A board, and beside it what networks think of its four actions.

    A bar is as long as its action lies below that network's best.

    Parameters
    ----------
    board
        The board.
    named
        The values of the four actions, as `best_action` returns them, by the name of the network.
    size
        Width of the board in pixels.

    Returns
    -------
    str
        An SVG document.
    """
    column = 520  # widths, in the units of the board
    gap = 40
    largest_gaps = [float(np.nanmax(values) - np.nanmin(values)) for values in named.values()]
    longest = max(1.0, *largest_gaps)
    parts = [board_shapes(board, None, {}, ())]
    texts = [board_text(board)]
    for n, (name, values) in enumerate(named.items()):
        left = SIDE + 60 + n * (column + gap)
        parts.append(_words(left, 40, name, 40, bold=True))
        best = np.nanmax(values)
        for action, value in enumerate(values):
            behind = best - value
            says = _judgement(value, behind)
            y = 110 + 100 * action
            parts.append(_words(left, y, ACTIONS[action], bold=behind == 0))
            parts.append(_words(left + column, y, says, anchor="end", bold=behind == 0))
            if not np.isnan(value):
                wide = max(6, column * behind / longest)
                parts.append(_bar(left, y + 14, wide, CURVES[0] if behind == 0 else "#9a9a9a"))
            texts.append(f"{name}, {ACTIONS[action]}: {says}")
    width = SIDE + gap + len(named) * (column + gap)
    return _document(width, SIDE, parts, texts, size / SIDE)


def _judgement(value: float, behind: float) -> str:
    """A value, and how far it is behind the best."""
    if np.isnan(value):
        return "not possible"
    return f"{round(float(value)):,} " + ("best" if behind == 0 else f"({-behind:,.0f})")


def _bar(left: float, top: float, wide: float, colour: str) -> str:
    place = f'x="{left}" width="{wide:.4g}" y="{top}" height="22"'
    return f'<rect {place} fill="{colour}"/>'


def outlined(
    board: int, squares: Sequence, labels: Sequence[str], columns: int = 3, size: float = 150
) -> str:
    """One board several times, each with other cells outlined and a label below.

    Parameters
    ----------
    board
        The board.
    squares
        The cells to outline, for each time.
    labels
        A text for each time.
    columns
        How many boards stand in a row, at most.
    size
        Width of a board in pixels.

    Returns
    -------
    str
        An SVG document.
    """
    across, high = SIDE + 60, SIDE + 90
    parts = []
    texts = [board_text(board)]
    for n, (cells, label) in enumerate(zip(squares, labels, strict=True)):
        row, column = divmod(n, columns)
        font = min(40, SIDE / (0.61 * max(1, len(label))))  # fits in a typewriter's letters, too
        below = _words(SIDE / 2, SIDE + 50, label, font, "middle")
        shapes = board_shapes(board, None, {}, cells) + below
        place = f"translate({column * across} {row * high})"
        parts.append(f'<g transform="{place}">{shapes}</g>')
        texts.append(f"{label}: cells {list(cells)}")
    rows = -(-len(parts) // columns)
    width = min(columns, len(parts)) * across - 60
    return _document(width, rows * high, parts, texts, size / SIDE)


def _words(
    x: float, y: float, text: str, size: float = 34, anchor: str = "start", bold: bool = False
) -> str:
    """A line of words."""
    look = FONT.replace('"middle"', f'"{anchor}"') + (' font-weight="bold"' if bold else "")
    place = f'x="{x:g}" y="{y:g}" font-size="{size:.4g}"'
    return f'<text {place} fill="{MARK}" {look}>{escape(as_printed(text))}</text>'


def _document(width: float, height: float, parts: list, texts: list, scale: float) -> str:
    """Parts as an SVG document, with its size in pixels."""
    box = f'viewBox="0 0 {width} {height}"'
    size = f'width="{width * scale:.6g}" height="{height * scale:.6g}"'
    paper = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'  # also in a dark notebook
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} {size} role="img">'
        f"<title>{escape('. '.join(texts))}</title>{paper}{''.join(parts)}</svg>"
    )


# The 2x2 game

TINY = 86  # height and width of a 2x2 board: cells of 37, edges of 5, a gap of 2
TINY_CELL = 37
TINY_EDGE = 5
TINY_GAP = 2
TINY_COLUMNS = 6  # boards in a row
LINE = 18  # height of a line of words


def tiny_text(board) -> str:
    """A 2x2 board in words."""
    one, two, three, four = (str(2**exponent) if exponent else "empty" for exponent in board)
    return f"{one} {two}; {three} {four}"


def _tiny(sheet: Sheet, x: float, y: float, board) -> None:
    """Draw a 2x2 board."""
    sheet.parts.append(rectangle(x, y, TINY, 5, f'fill="{FRAME}"'))
    for cell, exponent in enumerate(board):
        row, column = divmod(cell, 2)
        left = x + TINY_EDGE + (TINY_CELL + TINY_GAP) * column
        top = y + TINY_EDGE + (TINY_CELL + TINY_GAP) * row
        colour = TILES[exponent]
        sheet.parts.append(rectangle(left, top, TINY_CELL, 3, f'fill="{colour}" {RIM}'))
        if exponent:
            place = f'x="{left + 18.5:g}" y="{top + 24.5:g}"'
            look = f'font-size="17" font-weight="bold" fill="{ink(colour)}" {FONT}'
            sheet.parts.append(f"<text {place} {look}>{2**exponent}</text>")


def tiny_boards(boards: Sequence, labels: Sequence[Sequence[str]]) -> str:
    """2x2 boards side by side, at most six in a row.

    Parameters
    ----------
    boards
        The boards.
    labels
        The lines of words below each board.

    Returns
    -------
    str
        An SVG document.

    Raises
    ------
    ValueError
        If there is no board, or not a label for each.
    """
    if not boards or len(boards) != len(labels):
        raise ValueError(
            f"one board or more, with labels for each, got {len(boards)} and {len(labels)}"
        )
    sheet = Sheet(WIDE)
    high = TINY + LINE * max(map(len, labels)) + LINE
    for n, (board, lines) in enumerate(zip(boards, labels)):
        row, column = divmod(n, TINY_COLUMNS)
        x, y = column * 120 + 17, row * high + 4
        _tiny(sheet, x, y, board)
        for k, line in enumerate(lines, start=1):
            sheet.words(x + TINY / 2, y + TINY + 1 + LINE * k, line)
    rows = -(-len(boards) // TINY_COLUMNS)
    texts = [f"{tiny_text(board)}: {', '.join(lines)}" for board, lines in zip(boards, labels)]
    return sheet.svg(rows * high, ". ".join(texts))


STEP = 165  # pixels from one step of a chain to the next
# Where the lines of words stand, in pixels from the top:
VALUE_LINE = 147
TARGET_LINE = 183
ERROR_LINE = 219
AFTER_LINE = 255


def chain(steps: Sequence, before: Mapping, after: Mapping) -> str:
    """The last three steps of a 2x2 game, learned from the last one back.

    Parameters
    ----------
    steps
        (board, action, reward, next board) of each; the last next board is None.
    before, after
        V of these boards before and after learning.

    Returns
    -------
    str
        An SVG document.

    Raises
    ------
    ValueError
        If these are not three steps.
    """
    if len(steps) != 3:
        raise ValueError(f"the last three steps of a game have room here, got {len(steps)}")
    sheet = Sheet(WIDE)
    sheet.parts.append(f'<rect x="0" y="166" width="{WIDE}" height="26" fill="{PALE}"/>')
    sheet.words(4, VALUE_LINE, "V before", anchor="start")
    sheet.words(4, TARGET_LINE, "target r + V", anchor="start")
    sheet.words(4, ERROR_LINE, "TD error", anchor="start")
    sheet.words(4, AFTER_LINE, "V after", anchor="start")
    texts = []
    for n, (board, _, reward, following) in enumerate(steps):
        next_value = 0.0 if following is None else after[following]
        name = f"s_{{T−{len(steps) - n}}}"
        values = before[board], after[board]
        texts.append(_link(sheet, STEP * (n + 1), name, board, reward, next_value, *values))
    end = STEP * (len(steps) + 1)
    sheet.words(end, 56, "game over", bold=True)
    sheet.words(end, AFTER_LINE, "0", bold=True)
    return sheet.svg(266, "The last steps of a game. " + "; ".join(texts))


def _link(
    sheet: Sheet, x: float, name: str, board, reward, next_value, before: float, after: float
) -> str:
    """One step of a chain, around x. Returns what it shows, in words."""
    target = reward + next_value
    _tiny(sheet, x - TINY / 2, 8, board)
    sheet.arrow((x + TINY / 2 + 8, 51), (x + STEP - TINY / 2 - 8, 51))
    sheet.words(x + 82, 42, f"r = {reward}")
    sheet.words(x, 116, name)
    sheet.words(x, VALUE_LINE, f"{before:g}")
    sheet.words(x, TARGET_LINE, f"{reward} + {next_value:g} = {target:g}", bold=True)
    sheet.words(x, ERROR_LINE, f"{target - before:+g}")
    sheet.words(x, AFTER_LINE, f"{after:g}", bold=True)
    sheet.arrow((x + STEP - 30, 246), (x + 50, 194), dashed=True)
    return f"{tiny_text(board)}: V {before:g}, target {target:g}, V after {after:g}"
