"""Networks of other programs, read and written piece by piece, so that no table is in memory twice.

Numbers are little-endian; a table is 16**n float32, the index being the sum of exponent(cell_j) << 4j.

    TDL2048-Demo 2048.bin       u64 tables; each: i32 length, name like "6-tuple pattern 012345", u64 size, table
    2048-Framework weights.bin  u32 tables (u64 from the Python program); each: u64 size, table
    TDL2048 .w                  u8 0, u32 tables; each: u8 4, name (8 bytes), u16 4, u64 size, table, [coherence,] u16 0
      its name                  u32 of the cells as hex digits, u16 how many (0 in old files), u16 0; or 8 letters
      its coherence             u16 4, u64 2 * size, table of the sums of errors, table of the sums of |errors|

No file says whether V is the value of afterstates or of states, what p4 was or how many games were learned from. Each
format is described once, by a function that takes a reader, a writer or a counter of bytes. Reading first walks over
the whole file; only when its sizes add up is the network made, so it never takes more memory than the file is long.
"""

import os
import re
import struct
from functools import partial
from pathlib import Path

import numpy as np

from lib2048.files import replacing
from lib2048.patterns import check_patterns

PART = 1 << 18  # weights read or written at a time: 1 MiB
SIZES = tuple(16**n for n in range(1, 9))  # the sizes a table can have
ERRORS, ABSOLUTE = (
    0,
    1,
)  # the two sums of temporal coherence, as NTupleNetwork.table_parts numbers them


def _demo(io, patterns=None, coherent=None) -> list:
    """2048.bin. Like the two below: `patterns` as far as they are known; returns the patterns that are named."""
    names = [
        f"{len(pattern)}-tuple pattern {_digits(pattern)}".encode() for pattern in patterns or []
    ]
    found = []
    for k in range(io.field("Q", "the number of tables", patterns and len(patterns))):
        length = io.field("i", f"the length of name {k}", len(names[k]) if patterns else None)
        if not 17 <= length <= 24:
            raise _refusal(
                f"a name of {length} bytes for table {k}",
                '17 to 24, as in "6-tuple pattern 012345"',
            )
        name = io.field(f"{length}s", f"name {k}", names[k] if patterns else None)
        match = re.fullmatch(rb"([1-8])-tuple pattern (.+)", name)
        if not match or int(match[1]) != len(match[2]):
            raise _refusal(f"the name {name!r} of table {k}", 'one like "6-tuple pattern 012345"')
        found.append(_cells(match[2], k))
        io.table(k, io.field("Q", f"the size of table {k}", 16 ** len(found[k])))
    return found


def _framework(io, patterns, coherent=None, code="I") -> list:
    """weights.bin, which names no patterns: `patterns` must be known. code: that of the number of tables."""
    for k in range(io.field(code, "the number of tables", len(patterns))):
        io.table(k, io.field("Q", f"the size of table {k}", 16 ** len(patterns[k])))
    return list(patterns)


def _tdl2048(io, patterns=None, coherent=None) -> list:
    """TDL2048's .w; `coherent` says whether error sums are written."""
    found = []
    io.field("B", "the first byte", 0)
    for k in range(io.field("I", "the number of tables", patterns and len(patterns))):
        cells = patterns[k] if patterns else None
        io.field("B", f"the version of table {k}", 4)
        name = io.field(
            "8s", f"name {k}", cells and struct.pack("<IHH", int(_digits(cells), 16), len(cells), 0)
        )
        io.field("H", f"the bytes of a weight of table {k}", 4)
        size = io.field("Q", f"the size of table {k}", cells and 16 ** len(cells))
        number, count, end = struct.unpack("<IHH", name)
        digits = (
            name.rstrip(b" ")
            if end
            else b"%0*x" % (min(count or size.bit_length() // 4, 9), number)
        )
        found.append(_cells(digits, k))
        if size != 16 ** len(found[k]):
            raise _refusal(
                f"{size} as the size of table {k}",
                f"{16 ** len(found[k])} for pattern {digits.decode()}",
            )
        io.table(k, size)
        width = io.field("H", f"what follows table {k}", None if coherent is None else 4 * coherent)
        if width not in (0, 4):
            raise _refusal(f"{width} after table {k}", "0, or 4 and error sums")
        if width:
            io.field("Q", f"the number of error sums of table {k}", 2 * size)
            io.table(k, size, ERRORS)
            io.table(k, size, ABSOLUTE)
            io.field("H", f"the end of table {k}", 0)
    return found


_framework_python = partial(_framework, code="Q")
FORMATS = {
    "demo": _demo,
    "framework": _framework,
    "framework-python": _framework_python,
    "tdl2048": _tdl2048,
}


def _refusal(found, expected) -> ValueError:
    return ValueError(f"found {found}, expected {expected}")


def _digits(pattern) -> str:
    return "".join(f"{cell:x}" for cell in pattern)


def _cells(digits: bytes, k: int) -> tuple[int, ...]:
    """A pattern from the hex digits of its cells."""
    if not re.fullmatch(b"[0-9a-f]{1,8}", digits) or len(set(digits)) < len(digits):
        raise _refusal(
            f"the name {digits.decode(errors='replace')!r} of table {k}",
            "1 to 8 distinct hex digits",
        )
    return tuple(int(digit, 16) for digit in digits.decode())


class _Reader:
    """Reads and checks fields, steps over tables and notes where they are."""

    def __init__(self, file):
        self.file, self.length = file, os.fstat(file.fileno()).st_size
        self.tables = []  # (k, size, sums, first byte)

    def step(self, nbytes: int, what: str) -> int:
        """Check that there are `nbytes` more bytes; returns where they start."""
        here = self.file.tell()
        if nbytes > self.length - here:
            raise _refusal(
                f"the end of the file, {self.length - here} bytes ahead",
                f"{nbytes} bytes for {what}",
            )
        return here

    def field(self, code: str, what: str, expected=None):
        self.step(struct.calcsize("<" + code), what)
        (found,) = struct.unpack("<" + code, self.file.read(struct.calcsize("<" + code)))
        if expected is not None and found != expected:
            raise _refusal(f"{found} as {what}", expected)
        return found

    def table(self, k: int, size: int, sums: int | None = None):
        self.tables.append((k, size, sums, self.step(4 * size, f"table {k}")))
        self.file.seek(4 * size, os.SEEK_CUR)

    def finish(self, count: int) -> None:
        """Check that the file ends here, with `count` tables, and error sums for all of them or none."""
        if self.file.tell() < self.length:
            raise _refusal(
                f"{self.length - self.file.tell()} bytes after the last table",
                "the end of the file",
            )
        if len(self.tables) not in (count, 3 * count):
            raise _refusal(
                f"error sums of {(len(self.tables) - count) // 2} of {count} tables",
                "those of all or none",
            )

    def fill(self, net) -> None:
        """Read the tables that were stepped over into a network, in place."""
        if len(self.tables) > len(net.patterns):
            net.keep_errors()
        for k, size, sums, start in self.tables:
            self.file.seek(start)
            part = np.empty(min(PART, size), "<f4")
            for first in range(0, size, len(part)):
                if self.file.readinto(part) < part.nbytes:
                    raise _refusal(
                        "a file that grew shorter while it was read", f"{self.length} bytes"
                    )
                _check_numbers(part, k, first, sums)
                net.set_table_part(k, first, part, sums)


class _Writer:
    """Writes fields and the tables of a network; without a file it only counts the bytes."""

    def __init__(self, net=None, file=None):
        self.net, self.file, self.nbytes = net, file, 0

    def field(self, code: str, what: str, value):
        self.nbytes += struct.calcsize("<" + code)
        if self.file:
            self.file.write(struct.pack("<" + code, value))
        return value

    def table(self, k: int, size: int, sums: int | None = None):
        self.nbytes += 4 * size
        for first, part in self.net.table_parts(k, PART, sums) if self.file else ():
            _check_numbers(part, k, first, sums)
            self.file.write(part.astype("<f4", copy=False))


def _check_numbers(part, k: int, first: int, sums: int | None) -> None:
    """ValueError for a number that is not finite, or negative in a sum of |errors|."""
    good = np.isfinite(part) & (part >= 0) if sums == ABSOLUTE else np.isfinite(part)
    if not good.all():
        n, what = (
            int(np.argmin(good)),
            {None: "weight", ERRORS: "sum of errors", ABSOLUTE: "sum of |errors|"}[sums],
        )
        expected = "a finite number" + " of at least 0" * (sums == ABSOLUTE)
        raise _refusal(f"{part[n]} as {what} {first + n} of table {k}", expected)


def recognise(path) -> str:
    """What kind of network a file holds, by its head: "native" (ours) or a name of FORMATS."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no file {path}")
    with open(path, "rb") as file:
        head, length = file.read(32), os.fstat(file.fileno()).st_size
    if head.startswith(b"PK\3\4"):
        return "native"
    if b"-tuple" in head[12:]:
        return "demo"
    if head[:1] == b"\0" and head[5:6] == b"\4":
        return "tdl2048"
    # A weights.bin has no mark. Its first size, read after a count of the wrong width, is 0, 1 or beyond 2**32.
    for kind, width in (("framework", 4), ("framework-python", 8)):
        count, size = (
            int.from_bytes(part, "little") for part in (head[:width], head[width : width + 8])
        )
        if count and (size in SIZES or 1 < size <= length // 4):
            return kind
    raise ValueError(
        f"{path} is not a network: found {length} bytes that start {head[:16].hex(' ') or 'nowhere'}, expected a file "
        "of lib2048, a 2048.bin of TDL2048-Demo, a weights.bin of 2048-Framework or a .w of TDL2048"
    )


def load(network_class, path, patterns=None, values: str | None = None, first_cell: str = "low"):
    """Read a network of another program. network_class makes it: NTupleNetwork, whose file imports this one.

    patterns: for a weights.bin, which does not say them; of other files they must be the file's. values: what V is
    the value of, "afterstate" (taken for granted) or "state". first_cell: which end of the index a pattern's first
    cell is in a weights.bin, "low", or "high" where the program counts index * 16 + exponent.
    """
    kind, wanted = recognise(path), None if patterns is None else check_patterns(patterns)
    if first_cell not in ("low", "high"):
        raise ValueError(f'first_cell is "low" or "high", got {first_cell!r}')
    if kind == "native":
        raise ValueError(f"{path} is a network of lib2048 itself: read it with NTupleNetwork.load")
    unnamed = kind.startswith("framework")
    if unnamed and wanted is None:
        raise ValueError(f'{path} does not say its patterns: tell them, such as patterns="4x6"')
    if first_cell == "high" and not unnamed:
        raise ValueError(
            f'{path} is a {kind} file, where the first cell is the low one, got first_cell="high"'
        )
    with open(path, "rb") as file:
        try:
            reader = _Reader(file)
            found = tuple(FORMATS[kind](reader, wanted if unnamed else None))
            reader.finish(len(found))
            if wanted not in (None, found):
                raise _refusal(f"the patterns {found}", f"{wanted} as told")
            # A table in plane order does not depend on the order of its pattern's cells: a network of the patterns read
            # backwards takes the weights as they come, and is then told the right order.
            step = -1 if first_cell == "high" else 1
            net = network_class(
                [cells[::step] for cells in found], "afterstate" if values is None else values
            )
            reader.fill(net)
        except ValueError as error:
            raise ValueError(f"{path}, read as a {kind} file: {error}") from None
    net.patterns = found
    return net


def file_size(patterns, kind: str, coherent: bool = False) -> int:
    """How many bytes `export` writes for a network of these patterns, with or without error sums."""
    counter = _Writer()
    FORMATS[kind](counter, check_patterns(patterns), coherent)
    return counter.nbytes


def export(net, path, kind: str) -> None:
    """Write a network for another program; `kind` is a name of FORMATS. Only "tdl2048" takes error sums along."""
    if kind not in FORMATS:
        raise ValueError(f"a network is written as one of {', '.join(FORMATS)}, got {kind!r}")
    if net.symmetries != 8:
        raise ValueError(
            f"other programs look at a board from all 8 sides, this network from {net.symmetries}"
        )
    if kind == "tdl2048" and len(set(net.patterns)) < len(net.patterns):
        raise ValueError(
            f"TDL2048 merges tables of the same pattern, this network has {net.patterns}"
        )
    with replacing(path, file_size(net.patterns, kind, net.coherent)) as file:
        FORMATS[kind](_Writer(net, file), net.patterns, net.coherent)
