"""Patterns: the cells of the board that a table of weights looks at.

A pattern is a tuple of cells, such as (0, 1, 2, 4, 5, 6). Cells are numbered by rows, from 0 at
the top left to 15 at the bottom right. Names such as 01259a write them as hexadecimal digits.
"""

import operator
from collections.abc import Iterable

Pattern = tuple[int, ...]


def _patterns(*names: str) -> tuple[Pattern, ...]:
    """The patterns whose cells are written as hexadecimal digits."""
    return tuple(tuple(int(digit, 16) for digit in name) for name in names)


_EIGHT = _patterns("012456", "456789", "012345", "234569", "01259a", "345678", "134567", "01489a")

PATTERNS = {
    "4x6": _patterns("012345", "456789", "012456", "45689a"),
    "5x6": _patterns("012345", "456789", "89abcd", "012456", "45689a"),
    "6x6": _EIGHT[:6],
    "7x6": _EIGHT[:7],
    "8x6": _EIGHT,
}


def check_patterns(patterns: str | Iterable[Iterable[int]]) -> tuple[Pattern, ...]:
    """Patterns as a tuple of tuples of cells.

    Parameters
    ----------
    patterns : str or sequence of sequences of int
        A name of `PATTERNS`, or the patterns themselves, each of 1 to 8 distinct cells.

    Returns
    -------
    tuple of tuples of int
        The patterns.

    Raises
    ------
    ValueError
        If there is no network of that name, or if these are no patterns.

    Examples
    --------
    >>> check_patterns("4x6")[0]
    (0, 1, 2, 3, 4, 5)
    >>> check_patterns([[0, 1, 4], [5]])
    ((0, 1, 4), (5,))
    >>> check_patterns([[0, 16]])
    Traceback (most recent call last):
        ...
    ValueError: a cell lies between 0 and 15, got 16 in pattern (0, 16)
    """
    if isinstance(patterns, str):
        if patterns not in PATTERNS:
            raise ValueError(
                f"no network is named {patterns!r}; "
                f"there are {', '.join(PATTERNS)}, or give the cells"
            )
        return PATTERNS[patterns]
    try:
        checked = tuple(tuple(operator.index(cell) for cell in pattern) for pattern in patterns)
    except TypeError:
        raise ValueError(
            f"patterns are a name or a tuple of tuples of cells, got {patterns!r}"
        ) from None
    if not checked:
        raise ValueError("a network needs at least one pattern, got none")
    for pattern in checked:
        _check_pattern(pattern)
    return checked


def _check_pattern(pattern: Pattern) -> None:
    if not 1 <= len(pattern) <= 8:
        raise ValueError(f"a pattern has 1 to 8 cells, got {len(pattern)} in {pattern}")
    for cell in pattern:
        if not 0 <= cell <= 15:
            raise ValueError(f"a cell lies between 0 and 15, got {cell} in pattern {pattern}")
    if len(set(pattern)) < len(pattern):
        raise ValueError(f"a pattern's cells are distinct, got {pattern}")


def pattern_images(pattern: Pattern) -> list[Pattern]:
    """The eight images of a pattern: turned, and mirrored and turned.

    To look at the eight sides of a board with one pattern, or at one side with its eight images,
    comes to the same.

    Parameters
    ----------
    pattern : tuple of int
        The cells of a pattern.

    Returns
    -------
    list of tuples of int
        Eight patterns, the first of them the pattern itself. The images of a pattern that lies on a
        diagonal are four, each of them twice.

    Examples
    --------
    >>> pattern_images((0, 1))
    [(0, 1), (3, 7), (15, 14), (12, 8), (0, 4), (3, 2), (15, 11), (12, 13)]
    >>> len(set(pattern_images((0, 5, 10, 15))))
    4
    """
    images = []
    for side in (pattern, tuple(_transposed(cell) for cell in pattern)):
        for _ in range(4):
            images.append(side)
            side = tuple(_turned(cell) for cell in side)
    return images


def _transposed(cell: int) -> int:
    """Where a cell comes to lie when rows become columns."""
    row, column = divmod(cell, 4)
    return 4 * column + row


def _turned(cell: int) -> int:
    """Where a cell comes to lie when the board is turned clockwise."""
    row, column = divmod(cell, 4)
    return 4 * column + (3 - row)
