"""2048.bin of TDL2048-Demo, the C++ program that the courses hand out, and of its Python twin.

    u64 number of tables
    for each:   i32 length of its name,  the name, such as "6-tuple pattern 012345",
                u64 number of weights,  the weights

The program looks at a board from all eight sides, with each pattern alike, and reads a file only
if names and sizes are those it was compiled with. With `pattern(p, 1)` or `pattern(p, 4)` a
student can have it look from fewer sides, of which the file says nothing.
"""

import re
import struct
from typing import BinaryIO

from lib2048.formats.tables import (
    FileReader,
    Format,
    Network,
    digits_of,
    pattern_of,
    pieces_of,
    refusal,
    write_numbers,
)
from lib2048.patterns import Pattern

EXAMPLE = '"6-tuple pattern 012345"'
SHORTEST_NAME = len("1-tuple pattern 0")
LONGEST_NAME = len("8-tuple pattern 01234567")


class DemoFormat(Format):
    """See the top of this file."""

    def recognises(self, head: bytes, length: int) -> bool:
        """Whether a file begins like a 2048.bin."""
        return b"-tuple" in head[12:]

    def read(self, reader: FileReader, told: tuple[Pattern, ...] | None) -> tuple[Pattern, ...]:
        """Walk over a file and give the patterns it names."""
        count = reader.number("Q", "the number of tables")
        return tuple(_read_table(reader, k) for k in range(count))

    def write(self, file: BinaryIO, net: Network) -> None:
        """Write the weights of a network."""
        file.write(struct.pack("<Q", len(net.patterns)))
        for k, pattern in enumerate(net.patterns):
            name = _name_of(pattern)
            file.write(struct.pack("<i", len(name)) + name)
            file.write(struct.pack("<Q", 16 ** len(pattern)))
            write_numbers(file, pieces_of(net, k), k)

    def file_size(self, patterns: tuple[Pattern, ...], coherent: bool) -> int:
        """How many bytes a file of these patterns has."""
        sizes = [4 + len(_name_of(pattern)) + 8 + 4 * 16 ** len(pattern) for pattern in patterns]
        return 8 + sum(sizes)


def _name_of(pattern: Pattern) -> bytes:
    return f"{len(pattern)}-tuple pattern {digits_of(pattern)}".encode()


def _read_table(reader: FileReader, k: int) -> Pattern:
    """The pattern of the next table, which is stepped over."""
    length = reader.number("i", f"the length of name {k}")
    if not SHORTEST_NAME <= length <= LONGEST_NAME:
        expected = f"{SHORTEST_NAME} to {LONGEST_NAME}, as in {EXAMPLE}"
        raise refusal(f"a name of {length} bytes for table {k}", expected)
    name = reader.take(length, f"name {k}")
    match = re.fullmatch(rb"([1-8])-tuple pattern (.+)", name)
    if not match or int(match[1]) != len(match[2]):
        raise refusal(f"the name {name!r} of table {k}", f"one like {EXAMPLE}")
    pattern = pattern_of(match[2], k)
    size = reader.number("Q", f"the size of table {k}", 16 ** len(pattern))
    reader.step_over_table(k, size)
    return pattern
