"""weights.bin of the 2048-Framework, in which students of the courses write their own program.

    u32 number of tables     (u64 in a file of the Python framework)
    for each:   u64 number of weights,  the weights

There are no names. So the reader has to be told the patterns in their order, what V is the value
of, from how many sides the program looks at a board, and which end of the index a pattern's first
cell has. Most programs put it in the low digit; those that compute `index * 16 + cell` put it in
the high one.
"""

import struct
from typing import BinaryIO

from lib2048.formats.tables import FileReader, Format, Network, pieces_of, write_numbers
from lib2048.patterns import Pattern

TABLE_SIZES = tuple(16**cells for cells in range(1, 9))


class FrameworkFormat(Format):
    """See the top of this file.

    Parameters
    ----------
    count_code : str
        The type of the number of tables, as `struct` calls it: "I", or "Q" for the Python
        framework.
    """

    names_patterns = False

    def __init__(self, count_code: str):
        self.count_code = count_code
        self.count_width = struct.calcsize("<" + count_code)

    def recognises(self, head: bytes, length: int) -> bool:
        """Whether a file begins like a weights.bin, which has no mark of its own.

        What follows a count of the right width is the size of a table. After a count of the wrong
        width it would be 0, 1 or beyond 2**32.
        """
        width = self.count_width
        count = int.from_bytes(head[:width], "little")
        size = int.from_bytes(head[width : width + 8], "little")
        return count > 0 and (size in TABLE_SIZES or 1 < size <= length // 4)

    def read(self, reader: FileReader, told: tuple[Pattern, ...] | None) -> tuple[Pattern, ...]:
        """Walk over a file and check it against the patterns told."""
        assert told is not None, "a weights.bin names no patterns"
        reader.number(self.count_code, "the number of tables", len(told))
        for k, pattern in enumerate(told):
            size = reader.number("Q", f"the size of table {k}", 16 ** len(pattern))
            reader.step_over_table(k, size)
        return told

    def write(self, file: BinaryIO, net: Network) -> None:
        """Write the weights of a network."""
        file.write(struct.pack("<" + self.count_code, len(net.patterns)))
        for k, pattern in enumerate(net.patterns):
            file.write(struct.pack("<Q", 16 ** len(pattern)))
            write_numbers(file, pieces_of(net, k), k)

    def file_size(self, patterns: tuple[Pattern, ...], coherent: bool) -> int:
        """How many bytes a file of these patterns has."""
        return self.count_width + sum(8 + 4 * 16 ** len(pattern) for pattern in patterns)
