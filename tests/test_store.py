"""The native file: everything comes back, an interrupted save loses nothing, and what is not whole is refused."""

import io
import json
import pickle
import random
import zipfile

import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork, store

SMALL = ((0, 1), (9, 4, 8))


def learned(values="afterstate", games=10, coherence=False, **options):
    net = NTupleNetwork(SMALL, values, **options)
    lib2048.train(net, games, 0.25, p4=0.2, coherence=coherence, seed=1, progress=False)
    return net


def same(first, second):
    """Everything a network holds, to the bit."""
    names = ("patterns", "values", "symmetries", "init", "p4", "games", "history", "lookups", "coherent")
    assert [getattr(first, name) for name in names] == [getattr(second, name) for name in names]
    assert np.array_equal(first.weights, second.weights) and np.array_equal(first.errors, second.errors)


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


@pytest.mark.parametrize("values", ["afterstate", "state"])
@pytest.mark.parametrize("symmetries", [1, 8])
@pytest.mark.parametrize("coherence", [False, True])
@pytest.mark.parametrize("init", [0.0, 100.0])
def test_round_trip(tmp_path, values, symmetries, coherence, init):
    """And learning goes on in the loaded network as in the one that was saved."""
    net = learned(values, coherence=coherence, symmetries=symmetries, init=init)
    net.save(tmp_path / "net.npz")
    other = NTupleNetwork.load(tmp_path / "net.npz")
    same(net, other)
    assert net.history[0]["games"] == 10 and net.p4 == 0.2 and net.games == 10
    logs = [lib2048.train(n, 5, 0.25, coherence=coherence, seed=1, progress=False) for n in (net, other)]
    assert logs[0].scores.tolist() == logs[1].scores.tolist()
    assert np.array_equal(net.weights, other.weights) and np.array_equal(net.errors, other.errors)


def test_an_untrained_network_round_trips(tmp_path):
    net = NTupleNetwork((tuple(range(5)), (15,)), "state", init=-3.5)
    net.save(str(tmp_path / "any name"))
    same(net, NTupleNetwork.load(str(tmp_path / "any name")))


def test_numbers_of_numpy_do_not_get_in_the_way(tmp_path):
    """Options as they come out of an array are saved with the history like Python's own."""
    net = NTupleNetwork(np.array([[0, 1], [4, 5]]), init=np.float32(2))
    lib2048.train(net, np.int64(3), np.float32(0.5), p4=np.float32(0.25), seed=np.uint64(4), block=np.int16(2),
                  coherence=np.bool_(True), progress=False)
    net.save(tmp_path / "net.npz")
    same(net, NTupleNetwork.load(tmp_path / "net.npz"))


def test_mostly_zeros_take_little_room(tmp_path):
    """A bit for a weight that was never touched, four bytes for one that was."""
    net = NTupleNetwork()
    lib2048.train(net, 3, progress=False)
    net.save(tmp_path / "net.npz")
    bits, touched = 4 * 16**6 / 8, 4 * np.count_nonzero(net.weights)
    assert touched > 10_000 and (tmp_path / "net.npz").stat().st_size < bits + touched + 10_000


def test_saving_replaces_in_one_step(tmp_path, monkeypatch):
    """Stopped at any of its writes, a save leaves the old file and nothing else."""
    path, old, new = tmp_path / "net.npz", learned(games=3), learned(games=8, coherence=True)
    old.save(path)
    before, real = path.read_bytes(), store._write
    for stop in range(8):
        calls = []

        def write(archive, name, array, calls=calls, stop=stop):
            calls.append(name)
            if len(calls) > stop:
                raise KeyboardInterrupt
            real(archive, name, array)

        monkeypatch.setattr(store, "_write", write)
        if stop < 7:
            with pytest.raises(KeyboardInterrupt):
                new.save(path)
            assert path.read_bytes() == before and [file.name for file in tmp_path.iterdir()] == ["net.npz"]
        else:
            new.save(path)
    same(new, NTupleNetwork.load(path))
    assert [file.name for file in tmp_path.iterdir()] == ["net.npz"]


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    path, net = tmp_path / "net.npz", learned()
    net.save(path)
    before = path.read_bytes()
    monkeypatch.setattr(store, "_write", full)
    with pytest.raises(OSError, match="No space left"):
        net.save(path)
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


# What is refused


def test_a_file_that_is_not_there_and_a_folder(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.npz"):
        NTupleNetwork.load(tmp_path / "nothing.npz")
    with pytest.raises(ValueError, match=tmp_path.name):
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


@pytest.mark.parametrize("content", [
    b"hello", b"PK\3\4" + bytes(100), bytes(1000), b"\x93NUMPY" + bytes(200), "äöü".encode() * 50, b"\xff" * 64,
])
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
    assert "pickle" not in {line.split()[1] for line in open(store.__file__) if line.startswith("import ")}


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
    "description not json": lambda contents: contents | {"about.npy": npy(np.frombuffer(b"{oops", np.uint8))},
    "description a list": lambda contents: contents | {"about.npy": npy(np.frombuffer(b"[1]", np.uint8))},
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
    "weights not finite": array("weights0.npy", lambda a: np.where(a == a[0], np.float32(np.nan), a)),
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
