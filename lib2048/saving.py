"""Saving and loading networks.

The native format is numpy's .npz, read without pickle, so a file from a stranger cannot run code. A trained 4x6 network
holds mostly weights nobody ever touched, so each table is stored as a bitmap of the touched places and their weights.
Files of other programs are in foreign.py, games in episodes.py.
"""

import json
import operator
import zipfile
from contextlib import contextmanager

import numpy as np
from numpy.lib import format as npy

from lib2048.files import replacing
from lib2048.formats.foreign import export, recognise
from lib2048.formats.foreign import load as load_foreign
from lib2048.options import Plan
from lib2048.patterns import check_patterns
from lib2048.records import TrainLog
from lib2048.validate import check_p4

__all__ = ["export", "load", "save"]


FORMAT = "lib2048 network, plane order, version 1"
LOG = {"scores": np.int64, "max_tiles": np.uint8, "moves": np.int32}
DESCRIPTION = ("patterns", "values", "symmetries", "init", "p4", "games", "history", "coherent")


def __getattr__(name: str):
    """Games are read and written in episodes.py, which needs the player, which needs this file."""
    if name in ("read_episodes", "write_episodes"):
        from lib2048.formats import episodes

        return getattr(episodes, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def save(net, path) -> None:
    """Write a network to `path`. A file that is there is replaced in one step, so an interruption loses nothing."""
    _save(net, path, {}, {})


def save_checkpoint(net, path, plan: Plan, log: TrainLog) -> None:
    """Write a network in the middle of training, with the plan of the training and its log so far."""
    run = {name: getattr(log, name) for name in ("block", "seconds", "first", "seed")}
    _save(
        net, path, {"plan": plan.as_dict(), "log": run}, {name: getattr(log, name) for name in LOG}
    )


def _save(net, path, more: dict, arrays: dict) -> None:
    about = {name: getattr(net, name) for name in DESCRIPTION} | {"format": FORMAT} | more
    if not np.isfinite(net.weights).all():
        raise ValueError(
            "this network holds weights that are not finite: it diverged in training, and is not saved"
        )
    size = (4 * np.count_nonzero(net.weights) + net.weights.size // 8) * (3 if net.coherent else 1)
    with replacing(path, size) as file, _new_archive(file) as archive:
        _write(archive, "about", np.frombuffer(json.dumps(about).encode(), np.uint8))
        for name, array in arrays.items():
            _write(archive, name, array)
        for k in range(len(net.patterns)):
            table, errors = net.plane_table(k), net.plane_errors(k)
            touched = table != np.float32(net.init / net.lookups)
            if net.coherent:
                touched |= errors[:, 1] > 0
                _write(archive, f"errors{k}", errors[touched])
            _write(archive, f"touched{k}", np.packbits(touched))
            _write(archive, f"weights{k}", table[touched])


@contextmanager
def _new_archive(file):
    """A ZIP archive in `file`, which is finished when all went well, and only then.

    Python's own ZipFile finishes it in any case, and where a member is still being written it raises an error that
    hides what happened: Ctrl-C or a full disk. With no file to write to it does neither.
    """
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED)
    try:
        yield archive
        archive.close()
    except BaseException:
        archive.fp = None
        raise


def _write(archive, name: str, array) -> None:
    with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
        npy.write_array(file, array, allow_pickle=False)


def load(network_class, path, patterns=None, values=None, first_cell: str = "low"):
    """Read a network from a file of ours or of another program, told apart by what is in it.

    network_class is NTupleNetwork: network.py imports this file, so this file is told what it cannot import.

    patterns, values ("afterstate" or "state") and first_cell ("low" or "high": which end of the index the first cell
    is) say what a foreign file does not; where the file says it, they must agree.
    """
    if recognise(path) != "native":
        return load_foreign(
            network_class, path, patterns=patterns, values=values, first_cell=first_cell
        )
    return _open(path, lambda archive: _read_native(network_class, archive, patterns, values))


def load_checkpoint(network_class, path):
    """What save_checkpoint wrote: (network, plan, log)."""
    if recognise(path) != "native":
        raise ValueError(f"{path} is a network of another program, not a checkpoint of lib2048")

    def read(archive):
        about = json.loads(_read(archive, "about", np.uint8).tobytes())
        if "plan" not in about:
            raise ValueError(
                "it holds a network but no training to go on with; use NTupleNetwork.load and train"
            )
        log = TrainLog(
            *(_read(archive, name, dtype).copy() for name, dtype in LOG.items()), **about["log"]
        )
        net = _read_native(network_class, archive, None, None)
        return net, Plan.from_dict(about["plan"]), log

    return _open(path, read)


def _open(path, read):
    try:
        with zipfile.ZipFile(path) as archive:
            return read(archive)
    except (
        zipfile.BadZipFile,
        KeyError,
        EOFError,
        OSError,
        RuntimeError,
        TypeError,
        ValueError,
    ) as error:
        raise ValueError(f"{path}, read as a network of lib2048: {error}") from None


def _read_native(network_class, archive, patterns, values):
    about = json.loads(_read(archive, "about", np.uint8).tobytes())
    if (
        not isinstance(about, dict)
        or about.get("format") != FORMAT
        or not set(DESCRIPTION) <= set(about)
    ):
        raise ValueError(f"this version of lib2048 cannot read it, expected {FORMAT!r}")
    wanted = check_patterns(about["patterns"])
    if patterns is not None and check_patterns(patterns) != wanted:
        raise ValueError(f"it holds patterns {wanted}, got patterns={patterns!r}")
    if values is not None and values != about["values"]:
        raise ValueError(f"it holds V({about['values']}), got values={values!r}")
    for k, pattern in enumerate(
        wanted
    ):  # before memory is taken: the bitmaps must be there, and as long as they say
        bits = archive.getinfo(f"touched{k}.npy").file_size * 8
        if bits < 16 ** len(pattern):
            raise ValueError(
                f"table {k} has {16 ** len(pattern)} weights, its bitmap at most {bits} bits"
            )
    net = network_class(wanted, about["values"], about["init"], about["symmetries"])
    net.p4, net.games, net.history = (
        check_p4(about["p4"]),
        operator.index(about["games"]),
        list(about["history"]),
    )
    if net.games < 0:
        raise ValueError(f"the number of games is at least 0, got {net.games}")
    if about["coherent"]:
        net.keep_errors()
    for k in range(len(wanted)):
        table = net.plane_table(k)
        bitmap = _read(archive, f"touched{k}", np.uint8)
        weights = _read(archive, f"weights{k}", np.float32)
        touched = np.unpackbits(bitmap, count=len(table)).astype(bool)
        if len(bitmap) != -(-len(table) // 8) or touched.sum() != len(weights):
            raise ValueError(
                f"table {k} marks {touched.sum()} weights as touched and holds {len(weights)}"
            )
        if not np.isfinite(weights).all():
            raise ValueError(f"table {k} holds weights that are not finite")
        table[touched] = weights
        if net.coherent:
            errors = _read(archive, f"errors{k}", np.float32)
            if errors.shape != (len(weights), 2) or not np.isfinite(errors).all():
                raise ValueError(
                    f"table {k} has error sums {errors.shape}, expected {(len(weights), 2)}"
                )
            net.plane_errors(k)[touched] = errors
    return net


def _read(archive, name: str, dtype) -> np.ndarray:
    """An array of the archive, taken only when it is as long as its header says and of the type expected."""
    info = archive.getinfo(f"{name}.npy")
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
        raise ValueError(f"{name} is compressed, lib2048 writes it as it is")
    with archive.open(info) as file:
        version = npy.read_magic(file)
        shape, _, found = (
            npy.read_array_header_1_0(file)
            if version == (1, 0)
            else npy.read_array_header_2_0(file)
        )
        data = file.read()
    if found != np.dtype(dtype) or len(data) != int(np.prod(shape)) * found.itemsize:
        raise ValueError(
            f"{name} holds {len(data)} bytes for {shape} of {found}, expected {np.dtype(dtype)}"
        )
    return np.frombuffer(data, found).reshape(shape)
