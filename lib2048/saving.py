"""Saving and loading networks and checkpoints.

The native format is numpy's .npz, a ZIP archive of arrays, read without pickle: a file from a
stranger cannot run code. A trained 4x6 network holds mostly weights that nobody ever touched, so
each table is stored as a bitmap of its touched places and the weights there. What is not a number
is described in JSON.

    about           the description, as UTF-8 bytes
    touched<k>      a bit for each weight of table k, whether it was ever touched
    weights<k>      the touched weights, float32
    errors<k>       with temporal coherence: their sums of errors and of |errors|, float32 (n, 2)
    scores, max_tiles, moves      in a checkpoint: one entry for each game so far

A reader trusts nothing in a file: whatever does not add up is refused with the reason.

Files of other programs are read and written in formats/.
"""

import contextlib
import errno
import json
import math
import os
import tokenize
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from lib2048 import formats
from lib2048.board import LARGEST
from lib2048.files import replacing
from lib2048.formats.tables import AnyNetwork, Network, make_network
from lib2048.options import Plan
from lib2048.patterns import check_patterns
from lib2048.records import TrainLog
from lib2048.validate import check_count, check_p4, check_seed, plain_number

__all__ = ["load", "load_checkpoint", "save", "save_checkpoint"]

FORMAT = "lib2048 network, plane order, version 1"

# The fields of a network, of the description of a log, and the arrays of a log.
DESCRIPTION = ("patterns", "values", "symmetries", "init", "p4", "games", "history", "coherent")
LOG_DESCRIPTION = ("block", "seconds", "first", "seed")
LOG_ARRAYS = {"scores": np.int64, "max_tiles": np.uint8, "moves": np.int32}

# What numpy raises on headers that are damaged, and Python on archives and descriptions.
DAMAGED_HEADER = (
    tokenize.TokenError,
    MemoryError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)
DAMAGED_ARCHIVE = (
    zipfile.BadZipFile,
    EOFError,
    KeyError,
    NotImplementedError,
    OverflowError,
    RecursionError,
    RuntimeError,
    TypeError,
    ValueError,
)


def save(net: Network, path: str | os.PathLike) -> None:
    """Write a network to a file, in one step: an interruption leaves the file that was there.

    Parameters
    ----------
    net : NTupleNetwork
        The network.
    path : str or Path
        The file to make or to replace.

    Raises
    ------
    FileNotFoundError
        If the folder of the file does not exist.
    ValueError
        If weights are not finite, because training diverged.
    OSError
        If the disk is full.
    """
    _write(net, path, {}, {})


def save_checkpoint(net: Network, path: str | os.PathLike, plan: Plan, log: TrainLog) -> None:
    """Write a network in the middle of its training.

    Parameters
    ----------
    net : NTupleNetwork
        The network.
    path : str or Path
        The file to make or to replace.
    plan : Plan
        The whole training, of which a part is over.
    log : TrainLog
        What happened so far.

    Raises
    ------
    FileNotFoundError, ValueError, OSError
        As `save` does.
    """
    described = {name: getattr(log, name) for name in LOG_DESCRIPTION}
    arrays = {name: getattr(log, name) for name in LOG_ARRAYS}
    _write(net, path, {"plan": plan.as_dict(), "log": described}, arrays)


def load(
    network_class: Callable[..., AnyNetwork],
    path: str | os.PathLike,
    patterns: str | tuple | None = None,
    values: str | None = None,
    first_cell: str = "low",
    symmetries: int | None = None,
) -> AnyNetwork:
    """What `NTupleNetwork.load` says. That class imports this module, so it is handed in."""
    if formats.recognise(path) != formats.NATIVE:
        return formats.load(network_class, path, patterns, values, first_cell, symmetries)
    if first_cell != "low":
        raise ValueError(
            f"{path} is a network of lib2048, where the first cell is the low one, "
            f"got first_cell={first_cell!r}"
        )
    with _archive(path) as archive:
        about = _read_description(archive)
        _check_told(about, patterns, values, symmetries)
        return _read_network(network_class, archive, about)


def load_checkpoint(
    network_class: Callable[..., AnyNetwork], path: str | os.PathLike
) -> tuple[AnyNetwork, Plan, TrainLog]:
    """What `save_checkpoint` wrote: the network, the whole training, and what happened so far.

    ValueError if the file holds no training, or is damaged.
    """
    if formats.recognise(path) != formats.NATIVE:
        raise ValueError(f"{path} holds a network in another format, not a checkpoint of lib2048")
    with _archive(path) as archive:
        about = _read_description(archive)
        if "plan" not in about:
            raise ValueError(
                "it holds a network but no training to go on with; use NTupleNetwork.load and train"
            )
        plan = Plan.from_dict(about["plan"])
        log = _read_log(archive, about, plan)
        return _read_network(network_class, archive, about), plan, log


# Writing


def _write(net: Network, path: str | os.PathLike, more: dict, log_arrays: dict) -> None:
    """Write a network, what else is to be described, and the arrays of a log."""
    about = {name: getattr(net, name) for name in DESCRIPTION}
    text = json.dumps(about | {"format": FORMAT} | more, default=plain_number)
    with replacing(path, _size_of(net)) as file, _new_archive(file) as archive:
        _write_array(archive, "about", np.frombuffer(text.encode(), np.uint8))
        for name, array in log_arrays.items():
            _write_array(archive, name, array)
        for k in range(len(net.patterns)):
            _write_table(archive, net, k)


def _size_of(net: Network) -> int:
    """About how many bytes the tables of a network take in a file."""
    bytes_of_a_weight = 12 if net.coherent else 4
    size = 0
    for k in range(len(net.patterns)):
        touched = _touched(net, k)
        size += touched.size // 8 + bytes_of_a_weight * int(np.count_nonzero(touched))
    return size


def _touched(net: Network, k: int) -> np.ndarray:
    """Which weights of table k are not as a new network has them."""
    touched = net.plane_table(k) != np.float32(net.init / net.lookups)
    if net.coherent:
        touched |= net.plane_errors(k)[:, 1] != 0
    return touched


def _write_table(archive: zipfile.ZipFile, net: Network, k: int) -> None:
    touched = _touched(net, k)
    weights = net.plane_table(k)[touched]
    _check_finite(weights)
    if net.coherent:
        errors = net.plane_errors(k)[touched]
        _check_finite(errors)
        # Threads that learn without locks may lose an addition to one of the sums.
        errors[:, 1] = np.maximum(errors[:, 1], np.abs(errors[:, 0]))
        _write_array(archive, f"errors{k}", errors)
    _write_array(archive, f"touched{k}", np.packbits(touched))
    _write_array(archive, f"weights{k}", weights)


def _check_finite(numbers: np.ndarray) -> None:
    if not np.isfinite(numbers).all():
        raise ValueError(
            "this network holds weights that are not finite: "
            "it diverged in training, and is not saved"
        )


@contextlib.contextmanager
def _new_archive(file: BinaryIO) -> Iterator[zipfile.ZipFile]:
    """A ZIP archive in `file`, which is finished when all went well, and only then.

    Python's own ZipFile finishes it in any case. Where a member is still being written, that
    raises an error which hides what happened: Ctrl-C, or a full disk. Without a file to write to
    it does neither.
    """
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED)
    try:
        yield archive
        archive.close()
    except BaseException:
        archive.fp = None
        raise


def _write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray) -> None:
    with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
        npy.write_array(file, array, allow_pickle=False)


# Reading


@contextlib.contextmanager
def _archive(path: str | os.PathLike) -> Iterator[zipfile.ZipFile]:
    """An archive to read. What shows that it is damaged becomes a ValueError naming the file."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except DAMAGED_ARCHIVE as error:
        reason = str(error) or type(error).__name__
        raise ValueError(f"{path}, read as a network of lib2048: {reason}") from None
    except OSError as error:
        if error.errno != errno.EINVAL:  # what a damaged archive leads to is a place that is none
            raise
        raise ValueError(f"{path}, read as a network of lib2048: {error}") from None


def _read_description(archive: zipfile.ZipFile) -> dict[str, Any]:
    """What a file says of itself. Only that it is of this format, and complete, is checked here."""
    about = json.loads(_read_array(archive, "about", np.uint8, 1).tobytes())
    is_ours = isinstance(about, dict) and about.get("format") == FORMAT
    if not is_ours or not set(DESCRIPTION) <= set(about):
        raise ValueError(f"this version of lib2048 cannot read it, expected {FORMAT!r}")
    return about


def _check_told(
    about: dict, patterns: str | tuple | None, values: str | None, symmetries: int | None
) -> None:
    """ValueError where the file is another network than it was said to be."""
    found = check_patterns(about["patterns"])
    if patterns is not None and check_patterns(patterns) != found:
        raise ValueError(f"it holds patterns {found}, got patterns={patterns!r}")
    if values is not None and values != about["values"]:
        raise ValueError(f"it holds V({about['values']}), got values={values!r}")
    if symmetries is not None and symmetries != about["symmetries"]:
        raise ValueError(f"it has symmetries={about['symmetries']}, got symmetries={symmetries!r}")


def _read_network(
    network_class: Callable[..., AnyNetwork], archive: zipfile.ZipFile, about: dict
) -> AnyNetwork:
    patterns = check_patterns(about["patterns"])
    p4 = check_p4(about["p4"])
    games = int(check_seed(about["games"], "games, the number of games learned from,"))
    if not isinstance(about["coherent"], bool):
        raise ValueError(f"coherent is true or false, got {about['coherent']!r}")
    history = about["history"]
    if not isinstance(history, list) or not all(isinstance(entry, dict) for entry in history):
        raise ValueError(f"the history is a list of trainings, got {history!r:.60}")
    # Before a network takes memory, its bitmaps must be there, and as long as they say.
    for k, pattern in enumerate(patterns):
        _check_that_bitmap_is_there(archive, k, 16 ** len(pattern))

    net = make_network(network_class, patterns, about["values"], about["init"], about["symmetries"])
    net.p4 = p4
    net.games = games
    net.history = history
    if about["coherent"]:
        net.keep_errors()
    for k in range(len(patterns)):
        _read_table(archive, net, k)
    return net


def _check_that_bitmap_is_there(archive: zipfile.ZipFile, k: int, size: int) -> None:
    member = _member(archive, f"touched{k}")
    if member.file_size * 8 < size:
        raise ValueError(
            f"table {k} has {size} weights, its bitmap at most {member.file_size * 8} bits"
        )


def _read_table(archive: zipfile.ZipFile, net: Network, k: int) -> None:
    """Read the weights of table k, and their error sums, into a network, in place."""
    table = net.plane_table(k)
    bitmap = _read_array(archive, f"touched{k}", np.uint8, 1)
    weights = _read_array(archive, f"weights{k}", np.float32, 1)
    touched = np.unpackbits(bitmap, count=len(table)).astype(bool)
    if len(bitmap) != len(table) // 8 or touched.sum() != len(weights):
        raise ValueError(
            f"table {k} marks {touched.sum()} weights as touched and holds {len(weights)}"
        )
    if not np.isfinite(weights).all():
        raise ValueError(f"table {k} holds weights that are not finite")
    table[touched] = weights
    if net.coherent:
        errors = _read_array(archive, f"errors{k}", np.float32, 2)
        _check_errors(errors, k, len(weights))
        net.plane_errors(k)[touched] = errors


def _check_errors(errors: np.ndarray, k: int, count: int) -> None:
    """ValueError for error sums of table k that no training gives."""
    if errors.shape != (count, 2):
        raise ValueError(f"table {k} has error sums {errors.shape}, expected {(count, 2)}")
    if not np.isfinite(errors).all():
        raise ValueError(f"table {k} holds error sums that are not finite")
    too_large = np.abs(errors[:, 0]) > errors[:, 1]
    if too_large.any():
        first = int(np.argmax(too_large))
        total, absolute = errors[first]
        raise ValueError(
            f"table {k} holds errors that sum up to {total}, "
            f"while their absolute values sum up to {absolute}, which is less"
        )


def _read_log(archive: zipfile.ZipFile, about: dict, plan: Plan) -> TrainLog:
    """The log of a training so far, checked against its plan."""
    described = about.get("log")
    if not isinstance(described, dict) or set(described) != set(LOG_DESCRIPTION):
        raise ValueError(f"its log is described by {LOG_DESCRIPTION}, found {described!r:.60}")
    seconds = described["seconds"]
    if not isinstance(seconds, int | float) or not 0 <= seconds < math.inf:
        raise ValueError(f"seconds, the time spent, is a number of at least 0, got {seconds!r}")
    arrays = {name: _read_array(archive, name, dtype, 1) for name, dtype in LOG_ARRAYS.items()}
    log = TrainLog(
        scores=arrays["scores"].copy(),
        max_tiles=arrays["max_tiles"].copy(),
        moves=arrays["moves"].copy(),
        block=check_count("block", described["block"]),
        seconds=float(seconds),
        first=int(check_seed(described["first"], "first, the number of the first game,")),
        seed=int(check_seed(described["seed"])),
    )
    _check_log(log, about, plan)
    return log


def _check_log(log: TrainLog, about: dict, plan: Plan) -> None:
    games = len(log.scores)
    if len(log.max_tiles) != games or len(log.moves) != games:
        raise ValueError(
            f"its log has {games} scores, {len(log.max_tiles)} largest tiles "
            f"and {len(log.moves)} numbers of moves"
        )
    if games > plan.games:
        raise ValueError(f"its log has {games} games, its plan {plan.games}")
    if log.first != plan.first or log.first + games != about["games"]:
        raise ValueError(
            f"its log has {games} games from game {log.first} on, its plan begins with game "
            f"{plan.first}, and the network learned from {about['games']}"
        )
    if (log.scores < 0).any() or (log.moves < 0).any() or (log.max_tiles > LARGEST).any():
        raise ValueError("its log has scores, numbers of moves or tiles that no game has")


def _member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """The entry of an array in the archive's directory, checked against the length of the file."""
    member = archive.getinfo(f"{name}.npy")
    if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
        raise ValueError(f"{name} is compressed, lib2048 writes it as it is")
    assert archive.fp is not None
    length = os.fstat(archive.fp.fileno()).st_size
    if member.header_offset + member.file_size > length:
        raise ValueError(f"{name} goes on beyond the end of the file")
    return member


def _read_array(archive: zipfile.ZipFile, name: str, dtype: type, dimensions: int) -> np.ndarray:
    """An array of the archive, if it is of the expected type and as long as its header says."""
    with archive.open(_member(archive, name)) as file:
        shape, is_fortran_order, stored_dtype = _read_header(file, name)
        data = file.read()
    expected = np.dtype(dtype)
    if is_fortran_order or stored_dtype != expected or len(shape) != dimensions:
        order = " by columns" if is_fortran_order else ""
        raise ValueError(
            f"{name} holds {stored_dtype} of shape {shape}{order}, "
            f"expected {expected} with {dimensions} dimensions"
        )
    if len(data) != math.prod(shape) * expected.itemsize:
        raise ValueError(f"{name} holds {len(data)} bytes for shape {shape} of {expected}")
    return np.frombuffer(data, expected).reshape(shape)


def _read_header(file: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    """The header of an array: its shape, whether it is stored by columns, and its type."""
    try:
        version = npy.read_magic(file)
        if version == (1, 0):
            return npy.read_array_header_1_0(file)
        return npy.read_array_header_2_0(file)
    except DAMAGED_HEADER as error:
        raise ValueError(f"the header of {name} is damaged: {error}") from None
