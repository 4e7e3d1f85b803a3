"""The slide bench: a row or a board is slid in steps, and every merge is looked at."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lib2048.board import ACTIONS, LARGEST, LEFT, RIGHT, from_tiles, show, to_array
from lib2048.validate import check_action, check_board
from lib2048.viewer.joining import joined
from workbook.widgets.drawing import Drawing
from workbook.widgets.widget import WorkbookWidget, page_script, widget_style

SCRIPT = Path(__file__).parent / "script"
ROW = (2, 0, 2, 4)
SIZE = 150  # of a board in the picture, in pixels
BETWEEN = 14  # two boards
STARTS = {  # of each action: the first cell of its first line, along a line, from line to line
    0: (0, 4, 1),
    1: (3, -1, 4),
    2: (12, -4, 1),
    3: (0, 1, 4),
}
NAMES = {
    "start": "before",
    "push": "compress",
    "pair": "merge",
    "close": "compress",
    "end": "after",
}


class Step(NamedTuple):
    """One step of a slide."""

    kind: str  # "start", "push", "pair", "close" or "end"
    cells: list[int]  # the exponents after it
    earned: list[int]  # the tiles that were made in it


def board_of(cells: Sequence[int]) -> int:
    """The board of 16 exponents.

    Examples
    --------
    >>> hex(board_of([1, 2] + 14 * [0]))
    '0x21'
    """
    return sum(exponent << 4 * cell for cell, exponent in enumerate(cells))


def slide_steps(cells: Sequence[int], action: int) -> list[Step]:
    """A slide in steps: compress, compare neighbours from the wall on, compress again.

    Parameters
    ----------
    cells : sequence of int
        The 16 exponents of a board.
    action : int
        Where to slide.

    Returns
    -------
    list of Step
        The steps. The last one holds the afterstate, and all that was earned is the reward.

    Examples
    --------
    >>> steps = slide_steps([1, 0, 1, 2] + 12 * [0], LEFT)
    >>> [(step.kind, step.cells[:4], step.earned) for step in steps[1:4]]
    [('push', [1, 1, 2, 0], []), ('pair', [2, 0, 2, 0], [4]), ('pair', [2, 0, 2, 0], [])]
    >>> steps[-1].cells[:4]
    [2, 2, 0, 0]
    """
    lines = _lines(check_action(action))
    steps = [Step("start", list(cells), [])]
    steps.append(Step("push", _pushed(steps[-1].cells, lines), []))
    made: set[int] = set()
    for pair in range(3):
        step = _compared(steps[-1].cells, lines, pair, made)
        if step is not None:
            steps.append(step)
    if made:
        steps.append(Step("close", _pushed(steps[-1].cells, lines), []))
    steps.append(Step("end", steps[-1].cells, []))
    return steps


def _lines(action: int) -> list[list[int]]:
    """The four lines of cells that an action slides along, each from its wall on."""
    first, along, across = STARTS[action]
    return [[first + line * across + place * along for place in range(4)] for line in range(4)]


def _pushed(cells: list[int], lines: list[list[int]]) -> list[int]:
    """The tiles of all lines against the wall."""
    after = [0] * 16
    for line in lines:
        tiles = [cells[cell] for cell in line if cells[cell]]
        for cell, tile in zip(line, tiles):
            after[cell] = tile
    return after


def _compared(cells: list[int], lines: list[list[int]], pair: int, made: set[int]) -> Step | None:
    """Compare neighbours number `pair` of all lines and merge equal ones.

    `made` gathers the cells of new tiles. There is no step where no line has anything to compare.
    """
    after = list(cells)
    earned = []
    has_something = False
    for line in lines:
        near = line[pair]
        far = line[pair + 1]
        if cells[near] and cells[far]:
            has_something = True
            if cells[near] == cells[far] < LARGEST:
                after[near] += 1
                after[far] = 0
                made.add(near)
                earned.append(2 ** after[near])
        elif cells[far] and pair and line[pair - 1] in made:
            has_something |= cells[line[pair - 1]] == cells[far]  # which merges only once
    return Step("pair", after, earned) if has_something else None


class SlideBench(WorkbookWidget):
    """What `slide` shows."""

    _esm = joined(SCRIPT / "slide.js")
    _css = widget_style()
    PAGE_SCRIPT = page_script(SCRIPT / "slide.js")

    def __init__(self, board: int, rows: int, action: int):
        self.board = board
        self.action = action
        cells = to_array(board).ravel().tolist()
        self.steps = slide_steps(cells, action)
        super().__init__({"cells": cells, "rows": rows, "action": action})

    @property
    def words(self) -> str:
        """The slide in a line."""
        before = show(self.board).split("\n")
        after = show(board_of(self.steps[-1].cells)).split("\n")
        rows = self.state["rows"]
        points = sum(sum(step.earned) for step in self.steps)
        return (
            f"Slide bench: {_in_a_line(before[:rows])} slid {ACTIONS[self.action]} becomes "
            f"{_in_a_line(after[:rows])}, reward {points}"
        )

    def svg(self) -> str:
        """The steps of the slide, side by side."""
        shown = [step for step in self.steps[:-1] if step.kind != "pair" or step.earned]
        drawing = Drawing(len(shown) * (SIZE + BETWEEN) + 4)
        high = 0.0
        for number, step in enumerate(shown):
            left = 9 + number * (SIZE + BETWEEN)
            cells = step.cells[: 4 * self.state["rows"]]
            high = drawing.tiles(left, 8, SIZE, cells)
            earned = "".join(f" +{points}" for points in step.earned)
            drawing.words(left + SIZE / 2, 28 + high, f"{NAMES[step.kind]}{earned}")
        return drawing.svg(40 + round(high), self.words)


def _in_a_line(rows: list[str]) -> str:
    return " / ".join(" ".join(row.split()) for row in rows)


def slide(
    row: Sequence[int] | None = None, board: int | None = None, action: int = LEFT
) -> SlideBench:
    """A bench to slide tiles on, step by step. The reader sets other tiles and slides again.

    Parameters
    ----------
    row : sequence of int, optional
        Four tiles as they are written on the board, 0 for none, such as (2, 0, 2, 4).
    board : int, optional
        A whole board instead of a row.
    action : int
        Where it slides first; a row slides left or right.

    Returns
    -------
    SlideBench
        The widget, which a notebook shows.

    Raises
    ------
    ValueError
        If both a row and a board are given, the row has not four tiles, or the action is none.

    Examples
    --------
    >>> slide((2, 2, 4, 0)).words
    'Slide bench: 2 2 4 . slid left becomes 4 4 . ., reward 4'
    """
    action = check_action(action)
    if board is not None:
        if row is not None:
            raise ValueError("give slide a row or a board, not both")
        return SlideBench(int(check_board(board)), 4, action)
    row = ROW if row is None else tuple(row)
    if len(row) != 4:
        raise ValueError(f"a row has 4 tiles, 0 where there is none, got {row!r}")
    if action not in (LEFT, RIGHT):
        raise ValueError(
            f"a row slides left (3) or right (1), got {action!r}; give board= to slide up"
        )
    return SlideBench(from_tiles([row, [0] * 4, [0] * 4, [0] * 4]), 1, action)
