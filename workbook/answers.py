"""Answers to exercises: brought to plain numbers and lists, compared, and drawn as text.

Learners may answer with lists, tuples or arrays, of Python's or numpy's numbers.
"""

import math
import sys
import traceback
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import lib2048
from lib2048.board import from_array
from workbook.grid import number_of_lists, rows_of

LARGEST_INTEGER = 1 << 64  # larger ones take long to write and are never right
LONGEST_TEXT = 100  # characters that are shown of an answer
LONGEST_ERROR = 300  # and of the message of an exception
LARGEST_SHOWN = 17  # the exponent of the largest tile that a game could have
OURS = (Path(__file__).parent, Path(lib2048.__file__).parent)
NOT_THEIRS = (sys.prefix, sys.base_prefix, *map(str, OURS))  # folders in which no learner writes


def plain(answer):
    """An answer as lists, dicts, ints, floats and None; a text where it is something else."""
    if isinstance(answer, np.ndarray | np.bool_):
        answer = answer.tolist()
    if isinstance(answer, list | tuple):
        return [plain(part) for part in answer]
    if isinstance(answer, dict):
        return {_plain_key(key): plain(part) for key, part in answer.items()}
    if answer is None:
        return None
    if isinstance(answer, bool):
        return str(answer)
    if isinstance(answer, int | np.integer):
        return int(answer) if abs(int(answer)) < LARGEST_INTEGER else "a huge number"
    if isinstance(answer, float | np.floating | Fraction):
        return float(answer)
    return f"a {type(answer).__name__}"


def _plain_key(key):
    """A key of a dict: a state, such as a name or a tuple of numbers."""
    if isinstance(key, str):
        return key
    if isinstance(key, tuple):
        return tuple(_plain_key(part) for part in key)
    return plain(key)


def board_of(cells) -> int:
    """The 64-bit board of a learner's cells, which may be whole floats.

    Raises ValueError where they are none.
    """
    number = number_of_lists(cells)
    if number is not None:
        return number
    array = np.array(plain(cells))
    if array.dtype.kind == "f" and not (array % 1).any():
        array = array.astype(int)
    return from_array(array)


def cells_of(board: int) -> list[list[int]]:
    """A board as learners have it: four rows of four exponents."""
    return rows_of(board)


def is_same(expected, got) -> bool:
    """Whether two plain answers are equal, numbers up to the rounding of float32.

    A whole number is expected as a whole number, and no other number will do for it.
    """
    if isinstance(expected, list):
        return (
            isinstance(got, list) and len(got) == len(expected) and all(map(is_same, expected, got))
        )
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and got.keys() == expected.keys()
            and all(is_same(expected[part], got[part]) for part in expected)
        )
    if isinstance(expected, int | float) and isinstance(got, int | float):
        if math.isinf(expected):
            return got == expected
        return abs(got - expected) <= 1e-5 * max(1, abs(expected))
    return type(expected) is type(got) and expected == got


def is_unchanged(old, new) -> bool:
    """Whether an argument is to the last bit what it was before a call."""
    if isinstance(old, np.ndarray):
        return isinstance(new, np.ndarray) and np.array_equal(old, new)
    if isinstance(old, list | tuple):
        return len(old) == len(new) and all(map(is_unchanged, old, new))
    if callable(old):
        return True
    if isinstance(old, dict | int | float | str | None):
        return old == new
    return plain(old) == plain(new)


# Drawing


class Thing(NamedTuple):
    """One thing that is shown to a learner, with its name where it has one."""

    name: str
    value: Any  # plain; a text is shown as it is

    def lines(self) -> list[str]:
        """It as lines of text."""
        lines = drawn(self.value)
        if not self.name:
            return lines
        if len(lines) == 1 and not is_row(self.value):
            return [f"{self.name} {lines[0].strip()}"]
        return [self.name, *lines]


def things(answer, second: str = "reward", name: str = "") -> list[Thing]:
    """What there is to show of an answer; of a pair, the second gets a name."""
    answer = answer if isinstance(answer, str) else plain(answer)
    if isinstance(answer, list) and len(answer) == 2 and isinstance(answer[0], list):
        return [Thing(name, answer[0]), Thing(second, answer[1])]
    return [Thing(name, answer)]


def is_row(thing) -> bool:
    """Whether this can be drawn as a row of four tiles."""
    return (
        isinstance(thing, list)
        and len(thing) == 4
        and all(type(exponent) in (int, float) for exponent in thing)
        and all(exponent in range(LARGEST_SHOWN + 1) for exponent in thing)
    )


def is_board(thing) -> bool:
    """Whether this can be drawn as a board."""
    return isinstance(thing, list) and len(thing) == 4 and all(map(is_row, thing))


def _row_of_tiles(exponents) -> str:
    tiles = (2 ** int(exponent) if exponent else "." for exponent in exponents)
    return "".join(f"{tile:>6}" for tile in tiles)


def drawn(value) -> list[str]:
    """A plain value as lines of text; boards and rows as tiles."""
    if is_row(value):
        return [_row_of_tiles(value)]
    if is_board(value):
        return [_row_of_tiles(row) for row in value]
    if value is None:
        return ["nothing (None)"]
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | dict):
        value = _rounded(value)
    if isinstance(value, float):
        return [f"{value:.9g}"]
    return [str(value)[:LONGEST_TEXT]]


def _rounded(value):
    """Lists and dicts with numbers that are short to write."""
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return float(f"{value:.9g}") if isinstance(value, float) else value


def blame(error: BaseException) -> str:
    """An exception's type and message, and the innermost line that a learner can have written."""
    theirs = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(NOT_THEIRS) and not frame.filename.endswith(".pyx")
    ]
    where = ""
    if theirs:
        innermost = theirs[-1]
        where = f" in line {innermost.lineno} of {innermost.name}: {innermost.line}"
    try:
        return traceback.format_exception_only(error)[-1].strip()[:LONGEST_ERROR] + where
    except Exception:  # one that cannot be shown
        return type(error).__name__ + where
