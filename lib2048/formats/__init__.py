"""Networks and games as other 2048 programs write them, a file for each format.

`tdl2048_demo`, `framework` and `tdl2048` hold networks, `episodes` holds games, and `tables`
holds what the readers of networks share. This file tells the formats apart, reads and writes.
`compact` is a format of our own for networks that have to be small: those of a web page.

A network file says little beyond its weights. Unless one tells otherwise, V is taken for the
value of afterstates, and a pattern for one that the program looks at a board with from all eight
sides, because that is what these programs do as they come.

To add a format, write its class beside the others and name it in FORMATS.
"""

import os
from collections.abc import Callable
from itertools import combinations

from lib2048.files import check_source, replacing
from lib2048.formats import compact
from lib2048.formats.framework import FrameworkFormat
from lib2048.formats.tables import (
    AnyNetwork,
    FileReader,
    Format,
    Network,
    check_has_tables,
    make_network,
    refusal,
    with_first_cell_high,
)
from lib2048.formats.tdl2048 import TDL2048Format
from lib2048.formats.tdl2048_demo import DemoFormat
from lib2048.patterns import Pattern, check_patterns, pattern_images

__all__ = ["FORMATS", "export", "file_size", "load", "recognise"]

NATIVE = "native"
COMPACT = "compact"
FORMATS: dict[str, Format] = {
    "demo": DemoFormat(),
    "tdl2048": TDL2048Format(),
    "framework": FrameworkFormat("I"),
    "framework-python": FrameworkFormat("Q"),
}
HEAD = 32  # bytes enough to recognise a file by
ZIP_MARK = b"PK\3\4"


def recognise(path: str | os.PathLike) -> str:
    """What kind of network a file holds, by its first bytes.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    str
        "native" or "compact" for a file of lib2048, or a name of `FORMATS`.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it begins like none of them.
    """
    with open(check_source(path), "rb") as file:
        head = file.read(HEAD)
        length = os.fstat(file.fileno()).st_size
    if head.startswith(ZIP_MARK):
        return NATIVE
    if compact.recognises(head):
        return COMPACT
    for kind, file_format in FORMATS.items():
        if file_format.recognises(head, length):
            return kind
    beginning = head[:16].hex(" ") or "nowhere"
    raise ValueError(
        f"{path} is not a network: found {length} bytes that start {beginning}, "
        "expected a file of lib2048, a 2048.bin of TDL2048-Demo, a weights.bin of 2048-Framework "
        "or a .w of TDL2048"
    )


def load(
    network_class: Callable[..., AnyNetwork],
    path: str | os.PathLike,
    patterns: str | tuple | None = None,
    values: str | None = None,
    first_cell: str = "low",
    symmetries: int | None = None,
) -> AnyNetwork:
    """Read a network of another program, as `NTupleNetwork.load` says, which is handed in.

    ValueError if the file is none of these formats, is damaged, or leaves open what V is.
    """
    kind = recognise(path)
    wanted = None if patterns is None else check_patterns(patterns)
    _check_first_cell(first_cell)
    if kind == NATIVE:
        raise ValueError(f"{path} is a network of lib2048 itself: read it with NTupleNetwork.load")
    if kind == COMPACT:
        _check_first_cell_is_low(path, kind, first_cell)
        return _load_compact(network_class, path, wanted, values, symmetries)
    file_format = FORMATS[kind]
    if not file_format.names_patterns and wanted is None:
        raise ValueError(f'{path} does not say its patterns: tell them, such as patterns="4x6"')
    if file_format.names_patterns:
        _check_first_cell_is_low(path, kind, first_cell)
    with open(path, "rb") as file:
        try:
            reader = FileReader(file)
            found = file_format.read(reader, wanted)
            reader.check_end()
            if wanted not in (None, found):
                raise refusal(f"the patterns {found}", f"{wanted} as told")
            told_or_usual = _symmetries_of(found, symmetries)
            what_v_values = "afterstate" if values is None else values
            net = make_network(network_class, found, what_v_values, 0.0, told_or_usual)
            _fill(net, reader, file_format, first_cell)
        except ValueError as error:
            raise ValueError(f"{path}, read as a {kind} file: {error}") from None
    return net


def export(
    net: Network,
    path: str | os.PathLike,
    kind: str,
    first_cell: str = "low",
    symmetries: int | None = None,
) -> None:
    """Write a network for another program or for a web page.

    Only "tdl2048" takes error sums along. "compact" is `compact.export_compact` as it comes: the
    weights are rounded to 16 bits.

    Parameters
    ----------
    net : NTupleNetwork
        The network.
    path : str or Path
        The file to make or to replace.
    kind : str
        The format, "compact" or a name of `FORMATS`: "demo", "tdl2048", "framework" or
        "framework-python".
    first_cell : str
        Which end of the index a pattern's first cell is to have in a weights.bin, "low" or "high".
    symmetries : int, optional
        From how many sides the other program looks at a board: 8 (the default) or 1. It must be as
        many as the network's.

    Raises
    ------
    FileNotFoundError
        If the folder of the file does not exist.
    ValueError
        If this is no network, if the format cannot say what it is, or if a weight is not finite.
    OSError
        If the disk is full.
    """
    check_has_tables(net)
    if kind == COMPACT:
        compact.export_compact(net, path)
        return
    if kind not in FORMATS:
        kinds = ", ".join(sorted([*FORMATS, COMPACT]))
        raise ValueError(f"a network is written as one of {kinds}, got {kind!r}")
    file_format = FORMATS[kind]
    _check_first_cell(first_cell)
    if first_cell == "high":
        if file_format.names_patterns:
            raise ValueError(
                f'a {kind} file has the first cell at the low end, got first_cell="high"'
            )
        net = with_first_cell_high(net)
    symmetries_there = _check_symmetries(symmetries) or 8
    if net.symmetries != symmetries_there:
        raise ValueError(
            f"the other program is taken to have symmetries={symmetries_there}, this network has "
            f"symmetries={net.symmetries}: if the program has as many, say so"
        )
    with replacing(path, file_size(net.patterns, kind, net.coherent)) as file:
        file_format.write(file, net)


def file_size(patterns: str | tuple, kind: str, coherent: bool = False) -> int:
    """How many bytes `export` writes.

    Parameters
    ----------
    patterns : str or tuple of tuples of int
        The patterns of the network.
    kind : str
        The format, a name of `FORMATS`.
    coherent : bool
        Whether the network has error sums.

    Returns
    -------
    int
        The length of the file.

    Examples
    --------
    >>> file_size("4x6", "demo")
    268435600
    """
    return FORMATS[kind].file_size(check_patterns(patterns), coherent)


def _fill(net: Network, reader: FileReader, file_format: Format, first_cell: str) -> None:
    """Read the tables that were stepped over into the network, in place."""
    if reader.has_error_sums:
        net.keep_errors()
    seen = with_first_cell_high(net) if first_cell == "high" else net
    for table in reader.tables:
        pattern = net.patterns[table.pattern]
        for first, piece in reader.pieces(table):
            numbers = file_format.numbers_for_network(
                piece, pattern, table.contents, net.symmetries
            )
            seen.set_table_part(table.pattern, first, numbers, table.contents)


def _load_compact(
    network_class: Callable[..., AnyNetwork],
    path: str | os.PathLike,
    patterns: tuple[Pattern, ...] | None,
    values: str | None,
    symmetries: int | None,
) -> AnyNetwork:
    """Read a compact network, which says all of itself; ValueError where it was told otherwise."""
    net, _ = compact.read_compact(network_class, path)
    told = {"patterns": patterns, "values": values, "symmetries": symmetries}
    for name, value in told.items():
        found = getattr(net, name)
        if value not in (None, found):
            raise ValueError(f"{path}: found {name} {found!r}, expected {value!r} as told")
    return net


def _check_first_cell_is_low(path: str | os.PathLike, kind: str, first_cell: str) -> None:
    if first_cell == "high":
        raise ValueError(
            f'{path} is a {kind} file, where the first cell is the low one, got first_cell="high"'
        )


def _check_first_cell(first_cell: str) -> None:
    if first_cell not in ("low", "high"):
        raise ValueError(f'first_cell is "low" or "high", got {first_cell!r}')


def _check_symmetries(symmetries: int | None) -> int | None:
    """The same, or None where it is left open; ValueError for what no network here has."""
    if symmetries is not None and symmetries not in (1, 8):
        raise ValueError(
            f"symmetries is 8 or 1, got {symmetries!r}; a network that adds up another number of "
            "lookups, such as a Demo's with pattern(p, 4), has another V and cannot be had"
        )
    return symmetries


def _symmetries_of(patterns: tuple[Pattern, ...], symmetries: int | None) -> int:
    """From how many sides a program looks at a board; ValueError where that cannot be told."""
    told = _check_symmetries(symmetries)
    if told is not None:
        return told
    for one, other in combinations(patterns, 2):
        same_cells = [set(image) == set(other) for image in pattern_images(one)]
        if any(same_cells):
            raise ValueError(
                f"patterns {one} and {other} are images of each other, so the program may look at "
                "a board from one side only, as TDL2048 does with 8x4patt; "
                "say symmetries=1 if it does, symmetries=8 if not"
            )
    return 8
