"""Files that are not whole networks of lib2048: each is refused with a ValueError that names it, and runs no code."""

import io
import json
import pickle
import random
import zipfile

import numpy as np
import pytest
from test_saving import SMALL, learned, same

from lib2048 import NTupleNetwork


def parts(path):
    """The files inside a network's file."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def assemble(path, contents):
    """A network's file of these files."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents.items():
            archive.writestr(name, data)


def npy(array, allow_pickle=False):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=allow_pickle)
    return file.getvalue()


def test_a_file_that_is_not_there_and_a_folder(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.npz"):
        NTupleNetwork.load(tmp_path / "nothing.npz")
    with pytest.raises((ValueError, FileNotFoundError), match=tmp_path.name):
        NTupleNetwork.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such"):
        learned().save(tmp_path / "no such" / "net.npz")


@pytest.mark.parametrize("coherence", [False, True])
def test_truncated_files(tmp_path, coherence):
    """Cut anywhere, at the end by a single byte: a ValueError that names the file."""
    path, net = tmp_path / "net.npz", learned(coherence=coherence)
    net.save(path)
    whole = path.read_bytes()
    rng = random.Random(1)
    for length in [0, 1, 4, 22, *rng.sample(range(len(whole)), 60), len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="net.npz"):
            NTupleNetwork.load(path)


def test_damaged_files(tmp_path):
    """A changed byte is either refused by a ValueError or was of no importance: never another network or error."""
    path, net = tmp_path / "net.npz", learned(coherence=True)
    net.save(path)
    whole, rng, refused = path.read_bytes(), random.Random(2), 0
    directory = range(len(whole) - 700, len(whole))
    for place in [*rng.sample(range(len(whole)), 150), *rng.sample(directory, 150), *range(60)]:
        data = bytearray(whole)
        data[place] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            same(net, NTupleNetwork.load(path))
        except ValueError:
            refused += 1
    assert refused > 150


@pytest.mark.parametrize(
    "content",
    [
        b"hello",
        b"PK\3\4" + bytes(100),
        bytes(1000),
        b"\x93NUMPY" + bytes(200),
        "äöü".encode() * 50,
        b"\xff" * 64,
    ],
)
def test_files_of_another_kind(tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(ValueError, match="other"):
        NTupleNetwork.load(tmp_path / "other")


def test_other_archives(tmp_path):
    np.savez(tmp_path / "mine.npz", weights=np.zeros(3))
    with pytest.raises(ValueError, match="mine.npz"):
        NTupleNetwork.load(tmp_path / "mine.npz")


def test_files_of_another_network(tmp_path):
    path = tmp_path / "net.npz"
    learned().save(path)
    assert NTupleNetwork.load(path, patterns=SMALL, values="afterstate").patterns == SMALL
    with pytest.raises(ValueError, match=r"net.npz.*\(9, 4, 8\).*4x6"):
        NTupleNetwork.load(path, patterns="4x6")
    with pytest.raises(ValueError, match="net.npz.*afterstate.*state"):
        NTupleNetwork.load(path, values="state")


class Mischief:
    """Unpickled, it would do what a stranger likes."""

    done = []

    def __reduce__(self):
        return self.done.append, ("done",)


def test_no_pickle_is_run(tmp_path):
    """Neither one inside an array nor one in place of the file."""
    path, net = tmp_path / "net.npz", learned(coherence=True)
    net.save(path)
    contents = parts(path)
    evil = npy(np.array([Mischief()], object), allow_pickle=True)
    for name in contents:
        assemble(path, {**contents, name: evil})
        with pytest.raises(ValueError):
            NTupleNetwork.load(path)
    path.write_bytes(pickle.dumps(Mischief()))
    with pytest.raises(ValueError, match="net.npz"):
        NTupleNetwork.load(path)
    assert Mischief.done == []


def about(**changes):
    """The description of a file with something changed in it; None takes it out."""

    def edit(contents):
        described = json.loads(np.load(io.BytesIO(contents["about.npy"])).tobytes()) | changes
        kept = {name: value for name, value in described.items() if value is not None}
        return contents | {"about.npy": npy(np.frombuffer(json.dumps(kept).encode(), np.uint8))}

    return edit


def array(name, make):
    """One array of a file replaced by make(array)."""
    return lambda contents: contents | {name: npy(make(np.load(io.BytesIO(contents[name]))))}


EDITS = {
    "nothing": lambda contents: contents,
    "no description": lambda contents: {k: v for k, v in contents.items() if k != "about.npy"},
    "description not json": lambda contents: (
        contents | {"about.npy": npy(np.frombuffer(b"{oops", np.uint8))}
    ),
    "description a list": lambda contents: (
        contents | {"about.npy": npy(np.frombuffer(b"[1]", np.uint8))}
    ),
    "other format": about(format="lib2048 network, version 99"),
    "no history": about(history=None),
    "games a word": about(games="many"),
    "games a list": about(games=[1]),
    "p4 a list": about(p4=[0.1]),
    "p4 out of range": about(p4=7.0),
    "games negative": about(games=-5),
    "other kind": about(values="board"),
    "kind a list": about(values=["state"]),
    "other symmetries": about(symmetries=4),
    "init a word": about(init="zero"),
    "history a number": about(history=3),
    "other patterns": about(patterns=[[0, 1], [9, 4, 8, 12]]),
    "more patterns": about(patterns=[[0, 1], [9, 4, 8], [5]]),
    "fewer patterns": about(patterns=[]),
    "patterns out of range": about(patterns=[[0, 16], [9, 4, 8]]),
    "huge pattern": about(patterns=[[0, 1], [0, 1, 2, 3, 4, 5, 6, 7]]),
    "missing table": lambda contents: {k: v for k, v in contents.items() if k != "weights1.npy"},
    "short weights": array("weights0.npy", lambda a: a[:-1]),
    "long weights": array("weights0.npy", lambda a: np.append(a, a[0])),
    "double weights": array("weights0.npy", lambda a: a.astype(np.float64)),
    "weights in a square": array("weights0.npy", lambda a: np.stack([a, a], axis=1)),
    "weights not finite": array(
        "weights0.npy", lambda a: np.where(a == a[0], np.float32(np.nan), a)
    ),
    "short bitmap": array("touched1.npy", lambda a: a[:-1]),
    "long bitmap": array("touched1.npy", lambda a: np.append(a, a[:1])),
    "short errors": array("errors1.npy", lambda a: a[:-1]),
    "flat errors": array("errors1.npy", np.ravel),
    "errors not finite": array("errors1.npy", lambda a: a + np.float32(np.inf)),
    "errors of whole numbers": array("errors1.npy", lambda a: a.astype(np.int32)),
    "half an array": lambda contents: contents | {"weights1.npy": contents["weights1.npy"][:200]},
    "not an array": lambda contents: contents | {"weights1.npy": b"weights"},
}


@pytest.mark.parametrize("edit", EDITS)
def test_files_that_do_not_add_up(tmp_path, edit):
    """Whole archives whose contents contradict each other; each but the first gets a ValueError that names the file."""
    path, net = tmp_path / "net.npz", learned(coherence=True)
    net.save(path)
    assemble(path, EDITS[edit](parts(path)))
    if edit == "nothing":
        same(net, NTupleNetwork.load(path))
    else:
        with pytest.raises(ValueError, match="net.npz"):
            NTupleNetwork.load(path)
