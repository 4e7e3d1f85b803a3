"""What the readers and writers of all network files share.

Numbers in these files are little-endian. A table is 16**n weights, float32, in natural order: the
index is the sum of exponent(cell_j) << 4j, so the first cell of a pattern has the low digit.

Reading first walks over the whole file and steps over the tables. Only when all sizes add up is a
network made, so a damaged file never makes it larger than the file is. Then the tables pass through
memory piece by piece, and no table is ever there twice.
"""

import copy
import os
import struct
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple, Protocol, TypeVar

import numpy as np

from lib2048.patterns import Pattern

PIECE = 1 << 18  # weights read or written at a time: 1 MiB

# What a table holds, as the methods of NTupleNetwork number it.
WEIGHTS = None
ERROR_SUMS = 0
ABSOLUTE_ERROR_SUMS = 1
NAMES_OF_CONTENTS = {
    WEIGHTS: "weight",
    ERROR_SUMS: "sum of errors",
    ABSOLUTE_ERROR_SUMS: "sum of |errors|",
}


# A table piece by piece: (the index of the first number, numbers).
Pieces = Iterator[tuple[int, np.ndarray]]


class Network(Protocol):
    """What files need of an NTupleNetwork, which imports them and so cannot be imported here."""

    patterns: tuple[Pattern, ...]
    symmetries: int
    values: str
    init: float
    p4: float
    games: int
    history: list[dict]
    weights: np.ndarray
    errors: np.ndarray

    @property
    def lookups(self) -> int: ...

    @property
    def coherent(self) -> bool: ...

    def keep_errors(self) -> None: ...

    def plane_table(self, k: int) -> np.ndarray: ...

    def plane_errors(self, k: int) -> np.ndarray: ...

    def table_parts(self, k: int, part: int = ..., sums: int | None = ...) -> Pieces: ...

    def set_table_part(
        self, k: int, first: int, values: np.ndarray, sums: int | None = ...
    ) -> None: ...


AnyNetwork = TypeVar("AnyNetwork", bound=Network)


def check_has_tables(net: object) -> None:
    """ValueError when this is no network."""
    if not hasattr(net, "plane_table"):
        raise ValueError(f"net is an NTupleNetwork, got {net!r:.60}")


class Table(NamedTuple):
    """Where in a file a table lies."""

    pattern: int  # the number of its pattern
    contents: int | None  # WEIGHTS, ERROR_SUMS or ABSOLUTE_ERROR_SUMS
    size: int
    start: int  # its first byte


class FileReader:
    """Reads and checks the numbers of a file, and steps over its tables, noting where they are.

    Parameters
    ----------
    file : BinaryIO
        The file, open at its beginning.
    """

    def __init__(self, file: BinaryIO):
        self.file = file
        self.length = os.fstat(file.fileno()).st_size
        self.tables: list[Table] = []

    def take(self, nbytes: int, what: str) -> bytes:
        """The next bytes, or a ValueError where the file has fewer."""
        self._check_that_there_are(nbytes, what)
        return self.file.read(nbytes)

    def number(self, code: str, what: str, expected: int | None = None) -> int:
        """The next number, of a type named as in `struct`; ValueError if it is not as expected."""
        layout = struct.Struct("<" + code)
        (number,) = layout.unpack(self.take(layout.size, what))
        if expected is not None and number != expected:
            raise refusal(f"{number} as {what}", str(expected))
        return number

    def step_over_table(self, pattern: int, size: int, contents: int | None = WEIGHTS) -> None:
        """Note where a table lies and go on behind it."""
        start = self.file.tell()
        self._check_that_there_are(4 * size, f"table {pattern}")
        self.tables.append(Table(pattern, contents, size, start))
        self.file.seek(4 * size, os.SEEK_CUR)

    def check_end(self) -> None:
        """ValueError where the file goes on."""
        left = self.length - self.file.tell()
        if left:
            raise refusal(f"{left} bytes after the last table", "the end of the file")

    @property
    def has_error_sums(self) -> bool:
        """Whether there are other tables than those of weights."""
        return any(table.contents is not WEIGHTS for table in self.tables)

    def pieces(self, table: Table) -> Pieces:
        """The numbers of a table, piece by piece."""
        self.file.seek(table.start)
        piece = np.empty(min(PIECE, table.size), "<f4")
        for first in range(0, table.size, len(piece)):
            nbytes = self.file.readinto(piece)  # type: ignore[attr-defined]
            if nbytes < piece.nbytes:
                raise refusal(
                    "a file that became shorter while it was read", f"{self.length} bytes"
                )
            check_numbers(piece, table.pattern, first, table.contents)
            yield first, piece

    def _check_that_there_are(self, nbytes: int, what: str) -> None:
        left = self.length - self.file.tell()
        if nbytes > left:
            raise refusal(f"the end of the file, {left} bytes ahead", f"{nbytes} bytes for {what}")


class Format(ABC):
    """A kind of network file: how to recognise, read and write it. Each has a file of its own."""

    names_patterns = True  # whether a file says what its patterns are
    holds_error_sums = False  # whether a file can hold the sums of temporal coherence learning

    @abstractmethod
    def recognises(self, head: bytes, length: int) -> bool:
        """Whether a file of `length` bytes that begins with these 32 bytes is of this kind."""

    @abstractmethod
    def read(self, reader: FileReader, told: tuple[Pattern, ...] | None) -> tuple[Pattern, ...]:
        """Walk over a file and give its patterns; a file that names none has those `told`."""

    @abstractmethod
    def write(self, file: BinaryIO, net: Network) -> None:
        """Write a network."""

    @abstractmethod
    def file_size(self, patterns: tuple[Pattern, ...], coherent: bool) -> int:
        """How many bytes `write` writes."""

    def numbers_for_network(
        self, piece: np.ndarray, pattern: Pattern, contents: int | None, symmetries: int
    ) -> np.ndarray:
        """What numbers of a file become in a network that looks at a board from so many sides."""
        return piece


def make_network(
    network_class: Callable[..., AnyNetwork],
    patterns: tuple[Pattern, ...],
    values: str,
    init: float,
    symmetries: int,
) -> AnyNetwork:
    """A new network for what a file holds.

    Whoever made the network was warned of what is unwise in its patterns; who reads it is not.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return network_class(patterns, values, init, symmetries)


def refusal(found: str, expected: str) -> ValueError:
    """The error that says what a file holds, and what it should hold."""
    return ValueError(f"found {found}, expected {expected}")


def digits_of(pattern: Pattern) -> str:
    """A pattern as the hexadecimal digits of its cells.

    Examples
    --------
    >>> digits_of((8, 9, 10))
    '89a'
    """
    return "".join(f"{cell:x}" for cell in pattern)


def pattern_of(digits: bytes, k: int) -> Pattern:
    """The pattern of table k from the hexadecimal digits of its cells, or a ValueError."""
    are_digits = digits.strip(b"0123456789abcdef") == b""
    if not are_digits or not 1 <= len(digits) <= 8 or len(set(digits)) < len(digits):
        name = digits.decode(errors="replace")
        raise refusal(f"the name {name!r} of table {k}", "1 to 8 distinct hex digits")
    return tuple(int(digit, 16) for digit in digits.decode())


def pieces_of(net: Network, k: int, contents: int | None = WEIGHTS) -> Pieces:
    """The numbers of a network's table k."""
    return net.table_parts(k, PIECE, contents)


def write_numbers(file: BinaryIO, pieces: Pieces, k: int, contents: int | None = WEIGHTS) -> None:
    """Write the numbers of table k, or a ValueError for one that is not finite."""
    for first, piece in pieces:
        check_numbers(piece, k, first, contents)
        file.write(piece.astype("<f4", copy=False).data)


def check_numbers(piece: np.ndarray, k: int, first: int, contents: int | None) -> None:
    """ValueError for a number that is not finite, or negative in a sum of |errors|."""
    are_good = np.isfinite(piece)
    expected = "a finite number"
    if contents == ABSOLUTE_ERROR_SUMS:
        are_good &= piece >= 0
        expected = "a finite number of at least 0"
    if not are_good.all():
        worst = int(np.argmin(are_good))
        name = NAMES_OF_CONTENTS[contents]
        raise refusal(f"{piece[worst]} as {name} {first + worst} of table {k}", expected)


def with_first_cell_high(net: AnyNetwork) -> AnyNetwork:
    """The same tables, seen with the first cell of each pattern in the high digit of the index.

    It shares its memory with the network, where a table lies in an order that does not depend on
    the order of the pattern's cells. So it is enough to name the cells backwards.
    """
    view = copy.copy(net)
    view.patterns = tuple(pattern[::-1] for pattern in net.patterns)
    return view
