"""The index machine: from a pattern and tiles to the weight that is looked up."""

from collections.abc import Iterable
from pathlib import Path

from lib2048.board import from_tiles, symmetries, to_array
from lib2048.patterns import Pattern, check_patterns
from lib2048.validate import check_board
from lib2048.viewer.joining import joined
from lib2048.viewer.viewer import LOOK
from workbook.widgets.drawing import Drawing
from workbook.widgets.widget import WorkbookWidget, page_script, widget_style

SCRIPT = Path(__file__).parent / "script"
STYLE = Path(__file__).parents[1] / "widgets" / "style"
BOARD = from_tiles([[2, 4, 8, 2], [16, 64, 4, 2], [128, 256, 32, 0], [1024, 512, 2, 0]])
LARGE = 210  # the board in the picture, in pixels
SMALL = 100


def index_of(board: int, pattern: Pattern) -> int:
    """The index of a board: the exponents in the pattern's cells, the first the lowest digit.

    Examples
    --------
    >>> index_of(0x4321, (0, 1, 3))
    1057
    >>> hex(1057)
    '0x421'
    """
    return sum((board >> 4 * cell & 15) << 4 * j for j, cell in enumerate(pattern))


class IndexMachine(WorkbookWidget):
    """What `index` shows."""

    _esm = joined(SCRIPT / "index.js")
    _css = widget_style(STYLE / "gallery.css")
    PAGE_SCRIPT = page_script(SCRIPT / "index.js")

    def __init__(self, patterns: tuple[Pattern, ...], board: int):
        self.patterns = patterns
        self.board = board
        cells = to_array(board).ravel().tolist()
        super().__init__({"cells": cells, "patterns": patterns})

    @property
    def words(self) -> str:
        """The first pattern and its index in a line."""
        pattern = self.patterns[0]
        number = index_of(self.board, pattern)
        cells = " ".join(map(str, pattern))
        digits = f"{number:0{len(pattern)}x}"
        return f"Index machine: cells {cells} of this board give the index 0x{digits} = {number:,}"

    def svg(self) -> str:
        """The board with the first pattern on it, its digits, and its eight sides."""
        pattern = self.patterns[0]
        drawing = Drawing(LARGE + 4 * (SMALL + 12) + 40)
        marks = {cell: str(j) for j, cell in enumerate(pattern)}
        drawing.board(10, 10, LARGE, self.board, squares=pattern, marks=marks)
        number = index_of(self.board, pattern)
        drawing.words(10 + LARGE / 2, LARGE + 34, f"0x{number:0{len(pattern)}x} = {number:,}")
        images = symmetries(self.board)
        for side, places in enumerate(LOOK["places"]):
            row, column = divmod(side, 4)
            left = LARGE + 34 + column * (SMALL + 12)
            top = 10 + row * (SMALL + 28)
            seen = [places[cell] for cell in pattern]
            drawing.board(left, top, SMALL, self.board, squares=seen)
            found = f"0x{index_of(images[side], pattern):0{len(pattern)}x}"
            drawing.words(left + SMALL / 2, top + SMALL + 16, found, size=11)
        return drawing.svg(LARGE + 58, self.words)


def index(
    patterns: str | Iterable[Iterable[int]] = "4x6", board: int | None = None
) -> IndexMachine:
    """A machine that turns tiles into an index. The reader draws patterns and changes tiles.

    Parameters
    ----------
    patterns : str or sequence of sequences of int
        What `NTupleNetwork` takes; the reader chooses among them, or draws another one.
    board : int, optional
        The board to begin with.

    Returns
    -------
    IndexMachine
        The widget, which a notebook shows.

    Raises
    ------
    ValueError
        If these are no patterns, or this is no board.

    Examples
    --------
    >>> index([(0, 1)], board=0x21).words
    'Index machine: cells 0 1 of this board give the index 0x21 = 33'
    """
    board = BOARD if board is None else int(check_board(board))
    return IndexMachine(check_patterns(patterns), board)
