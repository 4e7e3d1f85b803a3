"""Answers to exercises: brought to plain numbers and lists, compared, and drawn as text.

Learners may answer with lists, tuples or arrays, of Python's or numpy's numbers.
"""

import sys
import traceback
from pathlib import Path

import numpy as np

import lib2048
from lib2048.board import from_array, to_array

LARGEST_INTEGER = 1 << 64  # larger ones take long to write and are never right
LONGEST_TEXT = 100  # characters that are shown of an answer
LONGEST_ERROR = 300  # and of the message of an exception
OURS = (Path(__file__).parent, Path(lib2048.__file__).parent)
NOT_THEIRS = (sys.prefix, sys.base_prefix, *map(str, OURS))  # folders in which no learner writes


def plain(answer):
    """An answer as lists, ints, floats and None; a text where it is something else."""
    if isinstance(answer, np.ndarray | np.bool_):
        answer = answer.tolist()
    if isinstance(answer, list | tuple):
        return [plain(part) for part in answer]
    if answer is None:
        return None
    if isinstance(answer, bool):
        return str(answer)
    if isinstance(answer, int | np.integer):
        return int(answer) if abs(int(answer)) < LARGEST_INTEGER else "a huge number"
    if isinstance(answer, float | np.floating):
        return float(answer)
    return f"a {type(answer).__name__}"


def board_of(cells) -> int:
    """The 64-bit board of a learner's cells, which may be whole floats.

    Raises ValueError where they are none.
    """
    array = np.array(plain(cells))
    if array.dtype.kind == "f" and not (array % 1).any():
        array = array.astype(int)
    return from_array(array)


def cells_of(board: int) -> list[list[int]]:
    """A board as learners have it: four rows of four exponents."""
    return to_array(board).tolist()


def is_same(expected, got) -> bool:
    """Whether two plain answers are equal, numbers up to the rounding of float32."""
    if isinstance(expected, list):
        return (
            isinstance(got, list) and len(got) == len(expected) and all(map(is_same, expected, got))
        )
    if isinstance(expected, int | float) and isinstance(got, int | float):
        return abs(got - expected) <= 1e-5 * max(1, abs(expected))
    return expected is got


def _is_row(thing) -> bool:
    """Whether this can be drawn as a row of four tiles."""
    return (
        isinstance(thing, list)
        and len(thing) == 4
        and all(exponent in range(18) for exponent in thing)
    )


def _row_of_tiles(exponents) -> str:
    tiles = (2 ** int(exponent) if exponent else "." for exponent in exponents)
    return "".join(f"{tile:>6}" for tile in tiles)


def drawn(answer, second: str = "reward") -> list[str]:
    """An answer as lines of text: boards and rows as tiles, of a pair the second with its name."""
    answer = answer if isinstance(answer, str) else plain(answer)
    if isinstance(answer, list):
        if len(answer) == 2 and isinstance(answer[0], list):
            return [*drawn(answer[0]), f"{second} {drawn(answer[1])[0]}"]
        if _is_row(answer):
            return [_row_of_tiles(answer)]
        if len(answer) == 4 and all(map(_is_row, answer)):
            return [_row_of_tiles(row) for row in answer]
    if answer is None:
        return ["nothing (None)"]
    if isinstance(answer, float):
        answer = round(answer, 6)
    return [str(answer)[:LONGEST_TEXT]]


def drawn_part(name, value, second: str = "reward") -> list[str]:
    """One named part of an answer as lines.

    A part that is named by a board's number shows the board, which says it better.
    """
    lines = drawn(value, second)
    if isinstance(name, int):
        return lines
    if len(lines) == 1:
        return [f"{name}: {lines[0]}"]
    return [f"{name}:", *lines]


def blame(error: BaseException) -> str:
    """An exception's type and message, and the innermost line that a learner can have written."""
    theirs = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(NOT_THEIRS)
    ]
    where = ""
    if theirs:
        innermost = theirs[-1]
        where = f" in line {innermost.lineno} of {innermost.name}: {innermost.line}"
    try:
        return traceback.format_exception_only(error)[-1].strip()[:LONGEST_ERROR] + where
    except Exception:  # one that cannot be shown
        return type(error).__name__ + where
