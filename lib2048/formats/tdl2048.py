"""Networks of TDL2048, the fastest C++ program for 2048: a .w file, or one of another suffix.

    "w" where the suffix is not .w,  u8 0,  u32 number of tables
    for each:   u8 4,  name (8 bytes),
                u16 4,  u64 number of weights,  the weights,
                with temporal coherence also
                u16 4,  u64 2 x number of weights,  sums of errors,  sums of |errors|,
                u16 0

A name is a u32 whose hexadecimal digits are the cells, a u16 with their number (0 in old files) and
a u16 0; or it is eight letters, with spaces behind the digits.

**Patterns on a diagonal.** TDL2048 makes each way to look at a board once. The images of a pattern
that lies on a diagonal are the same two by two, so it looks four weights of that pattern up, where
eight are looked up here, each twice. Half the weight twice is the weight once, to the last bit: so
such weights are halved in reading and doubled in writing, and V is the same in both programs.

**Error sums.** Where nothing was learned yet, TDL2048 keeps 1.2e-38 (the smallest normal float32)
in both sums, to divide by. Here they are 0. No error is so small that this could be told apart.
"""

import struct
from typing import BinaryIO

import numpy as np

from lib2048.formats.tables import (
    ABSOLUTE_ERROR_SUMS,
    ERROR_SUMS,
    WEIGHTS,
    FileReader,
    Format,
    Network,
    Pieces,
    digits_of,
    pattern_of,
    pieces_of,
    refusal,
    write_numbers,
)
from lib2048.patterns import Pattern, pattern_images

MARK = b"w"
VERSION = 4
WEIGHT_WIDTH = 4  # bytes
UNTOUCHED_SUM = np.finfo(np.float32).tiny


class TDL2048Format(Format):
    """See the top of this file."""

    holds_error_sums = True

    def recognises(self, head: bytes, length: int) -> bool:
        """Whether a file begins like one of TDL2048."""
        unmarked = head.removeprefix(MARK)
        return unmarked[:1] == b"\0" and unmarked[5:6] == bytes([VERSION])

    def read(self, reader: FileReader, told: tuple[Pattern, ...] | None) -> tuple[Pattern, ...]:
        """Walk over a file and give the patterns it names."""
        first = reader.take(1, "the first byte")
        if first == MARK:
            first = reader.take(1, "the byte after the mark")
        if first != b"\0":
            raise refusal(f"{first[0]} as the first byte", "0")
        count = reader.number("I", "the number of tables")
        patterns = tuple(_read_table(reader, k) for k in range(count))
        with_sums = {table.pattern for table in reader.tables if table.contents is ERROR_SUMS}
        if with_sums and len(with_sums) < count:
            found = f"error sums of {len(with_sums)} of {count} tables"
            raise refusal(found, "those of all or none")
        return patterns

    def write(self, file: BinaryIO, net: Network) -> None:
        """Write the weights of a network, and its error sums where it has any."""
        if len(set(net.patterns)) < len(net.patterns):
            raise ValueError(
                f"TDL2048 merges tables of the same pattern, this network has {net.patterns}"
            )
        file.write(struct.pack("<BI", 0, len(net.patterns)))
        for k in range(len(net.patterns)):
            _write_table(file, net, k)

    def file_size(self, patterns: tuple[Pattern, ...], coherent: bool) -> int:
        """How many bytes a file of these patterns has."""
        size = 1 + 4
        for pattern in patterns:
            table_size = WEIGHT_WIDTH * 16 ** len(pattern)
            size += 1 + 8 + 2 + 8 + table_size + 2
            if coherent:
                size += 2 + 8 + 2 * table_size
        return size

    def numbers_for_network(
        self, piece: np.ndarray, pattern: Pattern, contents: int | None, symmetries: int
    ) -> np.ndarray:
        """Halved weights for patterns on a diagonal, and 0 for untouched error sums."""
        if contents is WEIGHTS:
            return piece * _share_of_lookups(pattern, symmetries)
        return np.where(piece == UNTOUCHED_SUM, np.float32(0), piece)


def _share_of_lookups(pattern: Pattern, symmetries: int) -> np.float32:
    """How many lookups TDL2048 has for each one here: 1, or a half for a pattern on a diagonal."""
    if symmetries == 1:
        return np.float32(1)
    images = pattern_images(pattern)
    return np.float32(len(set(images)) / len(images))


def _read_table(reader: FileReader, k: int) -> Pattern:
    """The pattern of the next table, which is stepped over, and so are its error sums."""
    reader.number("B", f"the version of table {k}", VERSION)
    name = reader.take(8, f"name {k}")
    reader.number("H", f"the bytes of a weight of table {k}", WEIGHT_WIDTH)
    size = reader.number("Q", f"the size of table {k}")
    digits = _digits_in(name, size)
    pattern = pattern_of(digits, k)
    if size != 16 ** len(pattern):
        expected = f"{16 ** len(pattern)} for pattern {digits.decode()}"
        raise refusal(f"{size} as the size of table {k}", expected)
    reader.step_over_table(k, size)
    width = reader.number("H", f"what follows table {k}")
    if width not in (0, WEIGHT_WIDTH):
        raise refusal(f"{width} after table {k}", f"0, or {WEIGHT_WIDTH} and error sums")
    if width:
        reader.number("Q", f"the number of error sums of table {k}", 2 * size)
        reader.step_over_table(k, size, ERROR_SUMS)
        reader.step_over_table(k, size, ABSOLUTE_ERROR_SUMS)
        reader.number("H", f"the end of table {k}", 0)
    return pattern


def _digits_in(name: bytes, size: int) -> bytes:
    """The cells in a name, as hexadecimal digits.

    An old file leaves their number out, which the size of the table tells.
    """
    number, count, zero = struct.unpack("<IHH", name)
    if zero:
        return name.rstrip(b" ")
    if count == 0:
        count = size.bit_length() // 4
    longest = 9  # one more than there may be, so that a wrong count is refused and fills no memory
    return f"{number:0{min(count, longest)}x}".encode()


def _write_table(file: BinaryIO, net: Network, k: int) -> None:
    pattern = net.patterns[k]
    size = 16 ** len(pattern)
    number = int(digits_of(pattern), 16)
    file.write(struct.pack("<BIHH", VERSION, number, len(pattern), 0))
    file.write(struct.pack("<HQ", WEIGHT_WIDTH, size))
    write_numbers(file, _weights_there(net, k), k)
    if net.coherent:
        file.write(struct.pack("<HQ", WEIGHT_WIDTH, 2 * size))
        for contents in (ERROR_SUMS, ABSOLUTE_ERROR_SUMS):
            write_numbers(file, _sums_there(net, k, contents), k, contents)
    file.write(struct.pack("<H", 0))


def _weights_there(net: Network, k: int) -> Pieces:
    """The weights of table k as TDL2048 has them."""
    share = _share_of_lookups(net.patterns[k], net.symmetries)
    for first, piece in pieces_of(net, k):
        with np.errstate(over="ignore"):  # what grows beyond all bounds is refused in writing
            piece /= share
        yield first, piece


def _sums_there(net: Network, k: int, contents: int) -> Pieces:
    """Error sums of table k as TDL2048 has them."""
    sums = pieces_of(net, k, contents)
    absolute_sums = pieces_of(net, k, ABSOLUTE_ERROR_SUMS)
    for (first, piece), (_, absolute) in zip(sums, absolute_sums):
        piece[absolute == 0] = UNTOUCHED_SUM
        yield first, piece
