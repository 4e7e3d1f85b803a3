"""Compact networks: small enough for a web page, and read by JavaScript as well as by Python.

A weight is rounded to a whole number of steps, which 16 bits hold. The step is a power of two, so a
sum of such weights is exact in float32 as long as it has no more than 24 bits: it does not matter
in which order they are added, and both languages come to the same value to the bit.

    16 bytes    "lib2048 compact\\n"
    u32         version of the format, 1
    u32         length of the description
    u32         CRC-32 of all that follows
                description: JSON, UTF-8
                all tables one after the other, as one zlib stream

A table is cut into pieces of 16**5 weights (a smaller table is one piece), in natural order. A
piece is the low bytes of its weights, then their high bytes: apart they compress better, because
most high bytes are alike. For the same reason the sign of a whole number stands in its lowest bit:
0, -1, 1, -2, 2 are written as 0, 1, 2, 3, 4.

The sums of temporal coherence learning are left out, so learning does not go on where it was.
"""

import contextlib
import json
import math
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from lib2048.files import check_source, check_target, replace_file
from lib2048.formats.tables import (
    AnyNetwork,
    Network,
    check_has_tables,
    check_numbers,
    make_network,
    refusal,
)
from lib2048.patterns import Pattern, check_patterns
from lib2048.validate import check_p4, check_seed, on_one_line, plain_number, real_number

MARK = b"lib2048 compact\n"
VERSION = 1
NUMBERS = struct.Struct("<III")  # version, length of the description, checksum
PIECE = 16**5  # weights
MOST_STEPS = 2**15 - 1
LEVEL = 9  # of compression: it is done once and read often
MOST_DEFLATED = 1032  # bytes that a byte of a zlib stream can stand for


class Description(NamedTuple):
    """What a compact file says besides its weights.

    Parameters
    ----------
    patterns, values, symmetries, p4, games, history
        As in `NTupleNetwork`.
    step : float
        What one step of a weight is worth in points.
    strength : dict or None
        How well the network plays, if somebody measured it.
    """

    patterns: tuple[Pattern, ...]
    values: str
    symmetries: int
    p4: float
    games: int
    history: list[dict]
    step: float
    strength: dict | None


def recognises(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a compact network."""
    return head.startswith(MARK)


def check_compact_step(step: Any) -> float:
    """A power of two that float32 holds, as float, or a ValueError.

    Parameters
    ----------
    step : float
        The step of a compact network.

    Returns
    -------
    float
        The same number.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> check_compact_step(0.25)
    0.25
    >>> check_compact_step(3)
    Traceback (most recent call last):
        ...
    ValueError: step is a power of two such as 0.25, 1 or 8, got 3
    """
    number = real_number(step)
    if number is not None and 2.0**-60 <= number <= 2.0**60 and math.frexp(number)[0] == 0.5:
        return number
    raise ValueError(f"step is a power of two such as 0.25, 1 or 8, got {step!r}")


def smallest_step(net: Network) -> float:
    """The smallest step with which 16 bits hold all weights of a network.

    Parameters
    ----------
    net : NTupleNetwork
        The network.

    Returns
    -------
    float
        A power of two; 1 for a network whose weights are all 0.

    Raises
    ------
    ValueError
        If a weight is not finite.
    """
    largest = 0.0
    for k, first, weights in _pieces(net):
        check_numbers(weights, k, first, None)
        largest = max(largest, float(np.abs(weights).max()))
    if largest == 0:
        return 1.0
    step = 2.0 ** math.ceil(math.log2(largest / MOST_STEPS))
    return step / 2 if round(2 * largest / step) <= MOST_STEPS else step  # it may be rounded down


def export_compact(
    net: Network,
    path: str | os.PathLike,
    step: float | None = None,
    strength: dict | None = None,
) -> None:
    """Write a network with its weights rounded, in a small file. `NTupleNetwork.load` reads it.

    What the rounding costs, `lib2048.compacting.measure_loss` tells.

    Parameters
    ----------
    net : NTupleNetwork
        The network.
    path : str or Path
        The file to make or to replace.
    step : float, optional
        A power of two; weights become multiples of it. The larger it is, the smaller is the file.
        The smallest that 16 bits allow when None.
    strength : dict, optional
        How well the network plays, for whoever reads the file: what JSON can hold, by name.

    Raises
    ------
    FileNotFoundError
        If the folder of the file does not exist.
    ValueError
        If a weight is not finite, or has too many steps for 16 bits, or if JSON cannot hold the
        strength.

    Examples
    --------
    >>> import tempfile
    >>> from lib2048 import NTupleNetwork
    >>> net = NTupleNetwork(((0, 1),), init=80.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export_compact(net, f"{folder}/small.bin", step=1)
    ...     NTupleNetwork.load(f"{folder}/small.bin").value(0x21)
    80.0
    """
    check_target(path)
    replace_file(path, compact_bytes(net, step, strength))


def compact_bytes(net: Network, step: float | None = None, strength: dict | None = None) -> bytes:
    """What `export_compact` writes.

    Parameters
    ----------
    net, step, strength
        As in `export_compact`.

    Returns
    -------
    bytes
        The content of the file.

    Raises
    ------
    ValueError
        As in `export_compact`.
    """
    check_has_tables(net)
    chosen = smallest_step(net) if step is None else check_compact_step(step)
    description = {
        "patterns": [list(pattern) for pattern in net.patterns],
        "values": net.values,
        "symmetries": net.symmetries,
        "p4": net.p4,
        "games": net.games,
        "history": net.history,
        "step": chosen,
        "strength": strength,
    }
    words = _in_json(description).encode()
    packer = zlib.compressobj(LEVEL)
    packed = [packer.compress(folded_bytes(steps)) for steps in whole_steps(net, chosen)]
    body = words + b"".join(packed) + packer.flush()
    return MARK + NUMBERS.pack(VERSION, len(words), zlib.crc32(body)) + body


def _in_json(description: dict) -> str:
    """The description as JavaScript can read it as well, or a ValueError."""
    strength = description["strength"]
    if strength is None or isinstance(strength, dict):
        with contextlib.suppress(TypeError, ValueError):  # which say nothing of what was given
            return json.dumps(description, allow_nan=False, default=plain_number)
    raise ValueError(
        "strength is a dict of texts and finite numbers, which JSON can hold, "
        f"got {on_one_line(strength)}"
    )


def tables_checksum(net: Network, step: float) -> str:
    """The CRC-32 of a network's rounded weights, as 8 hexadecimal digits.

    Unlike that of a file, it does not depend on how well they were compressed.

    Parameters
    ----------
    net : NTupleNetwork
        The network.
    step : float
        The step of rounding.

    Returns
    -------
    str
        The checksum.
    """
    checksum = 0
    for steps in whole_steps(net, check_compact_step(step)):
        checksum = zlib.crc32(folded_bytes(steps), checksum)
    return f"{checksum:08x}"


def rounded_network(
    network_class: Callable[..., AnyNetwork], net: Network, step: float
) -> AnyNetwork:
    """A copy of a network with rounded weights: what reading its compact file gives.

    Parameters
    ----------
    network_class : type
        `NTupleNetwork`, which makes the network. It imports this package, so it is handed in.
    net : NTupleNetwork
        The network.
    step : float
        The step of rounding.

    Returns
    -------
    NTupleNetwork
        The copy.

    Raises
    ------
    ValueError
        As in `export_compact`.
    """
    checked = check_compact_step(step)
    copy = make_network(network_class, net.patterns, net.values, 0.0, net.symmetries)
    copy.p4 = net.p4
    copy.games = net.games
    copy.history = net.history
    for (k, first, _), steps in zip(_pieces(net), whole_steps(net, checked), strict=True):
        copy.set_table_part(k, first, (steps * np.float32(checked)).astype(np.float32))
    return copy


def _pieces(net: Network) -> Iterator[tuple[int, int, np.ndarray]]:
    """The weights of all tables: (number of the table, index of the first weight, weights)."""
    for k in range(len(net.patterns)):
        for first, weights in net.table_parts(k, PIECE):
            yield k, first, weights


def whole_steps(net: Network, step: float) -> Iterator[np.ndarray]:
    """The weights of all tables as whole numbers of steps, piece by piece.

    Parameters
    ----------
    net : NTupleNetwork
        The network.
    step : float
        What one step is worth.

    Yields
    ------
    ndarray of int32
        The next weights, in natural order, table after table.

    Raises
    ------
    ValueError
        If a weight is not finite, or has too many steps for 16 bits.
    """
    for k, first, weights in _pieces(net):
        check_numbers(weights, k, first, None)
        steps = np.rint(weights / np.float32(step))
        if np.abs(steps).max() > MOST_STEPS:
            largest = float(np.abs(weights).max())
            raise ValueError(
                f"table {k} has a weight of size {largest:,.1f}, which is more than {MOST_STEPS:,} "
                f"steps of {step}: take a larger step, such as {smallest_step(net)}"
            )
        yield steps.astype(np.int32)


def folded_bytes(steps: np.ndarray) -> bytes:
    """Whole numbers as they are written: the low bytes of all, then the high ones.

    Parameters
    ----------
    steps : ndarray of int32
        Weights as whole numbers of steps.

    Returns
    -------
    bytes
        Two for each.
    """
    folded = np.where(steps < 0, -2 * steps - 1, 2 * steps)
    low = (folded & 255).astype(np.uint8)
    high = (folded >> 8).astype(np.uint8)
    return low.tobytes() + high.tobytes()


def _steps_of(content: bytes) -> np.ndarray:
    """A piece as it was before it was written."""
    both = np.frombuffer(content, np.uint8).reshape(2, -1).astype(np.int32)
    folded = both[0] | both[1] << 8
    return np.where(folded & 1, -(folded + 1) // 2, folded // 2)


# Reading


def read_compact(
    network_class: Callable[..., AnyNetwork], path: str | os.PathLike
) -> tuple[AnyNetwork, Description]:
    """Read a compact network.

    Parameters
    ----------
    network_class : type
        `NTupleNetwork`, which makes the network. It imports this package, so it is handed in.
    path : str or Path
        The file.

    Returns
    -------
    (NTupleNetwork, Description)
        The network, its weights multiples of the step, and what the file says of it.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is no compact network, or damaged.
    """
    content = check_source(path).read_bytes()
    try:
        description, tables = _opened(content)
        _check_that_tables_fit(description, len(tables))
        net = make_network(
            network_class, description.patterns, description.values, 0.0, description.symmetries
        )
        net.p4 = description.p4
        net.games = description.games
        net.history = description.history
        _fill(net, tables, description.step)
    except (ValueError, zlib.error) as error:
        raise ValueError(f"{path}, read as a compact network: {error}") from None
    return net, description


def read_description(path: str | os.PathLike) -> Description:
    """What a compact file says besides its weights.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Description
        Patterns, step, strength and the like.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is no compact network, or damaged.
    """
    content = check_source(path).read_bytes()
    try:
        return _opened(content)[0]
    except ValueError as error:
        raise ValueError(f"{path}, read as a compact network: {error}") from None


def _opened(content: bytes) -> tuple[Description, bytes]:
    """(the description, the compressed tables) of a file, or a ValueError."""
    start = len(MARK) + NUMBERS.size
    if not recognises(content) or len(content) < start:
        raise refusal(f"{len(content)} bytes that start {content[:16]!r}", f"{MARK!r} at the start")
    version, length, checksum = NUMBERS.unpack_from(content, len(MARK))
    if version != VERSION:
        raise refusal(f"version {version} of the format", str(VERSION))
    body = content[start:]
    if zlib.crc32(body) != checksum:
        raise refusal(f"the checksum {zlib.crc32(body):08x}", f"{checksum:08x} as the file says")
    if length > len(body):
        raise refusal(f"a description of {length} bytes", f"at most {len(body)}")
    return _described(body[:length]), body[length:]


def _described(words: bytes) -> Description:
    try:
        about = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its description is not JSON: {error}") from None
    if not isinstance(about, dict) or set(about) != set(Description._fields):
        expected = ", ".join(Description._fields)
        raise ValueError(f"it is described by {expected}, found {about!r:.80}")
    history = about["history"]
    if not isinstance(history, list) or not all(isinstance(entry, dict) for entry in history):
        raise ValueError(f"the history is a list of trainings, got {history!r:.60}")
    strength = about["strength"]
    if strength is not None and not isinstance(strength, dict):
        raise ValueError(f"the strength is a dict or null, got {strength!r:.60}")
    return Description(
        patterns=check_patterns(about["patterns"]),
        values=about["values"],  # this and the symmetries are checked by the network
        symmetries=about["symmetries"],
        p4=check_p4(about["p4"]),
        games=int(check_seed(about["games"], "games, the number of games learned from,")),
        history=history,
        step=check_compact_step(about["step"]),
        strength=strength,
    )


def _check_that_tables_fit(description: Description, length: int) -> None:
    """ValueError for tables larger than so many compressed bytes can hold: no memory is taken."""
    size = sum(2 * 16 ** len(pattern) for pattern in description.patterns)
    if size > MOST_DEFLATED * length:
        raise refusal(f"{length} bytes of compressed tables", f"enough for {size:,} bytes")


def _fill(net: Network, tables: bytes, step: float) -> None:
    """Unpack the tables into the network, in place."""
    unpacker = zlib.decompressobj()
    left = tables
    for k, pattern in enumerate(net.patterns):
        size = 16 ** len(pattern)
        for first in range(0, size, PIECE):
            count = min(PIECE, size - first)
            content, left = _unpacked(unpacker, left, 2 * count)
            weights = _steps_of(content) * np.float32(step)
            net.set_table_part(k, first, weights.astype(np.float32))
    if unpacker.decompress(left, 1) or not unpacker.eof or unpacker.unused_data:
        raise refusal("more bytes after the last table", "the end of the file")


def _unpacked(unpacker: Any, left: bytes, count: int) -> tuple[bytes, bytes]:
    """(the next so many bytes of a zlib stream, what is left of the compressed ones)."""
    parts = []
    missing = count
    while missing:
        part = unpacker.decompress(left, missing)
        left = unpacker.unconsumed_tail
        if not part:
            raise refusal(f"tables that end {missing} bytes early", f"{count} bytes a piece")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts), left
