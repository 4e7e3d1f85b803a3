"""Files that are not whole networks of lib2048.

Each is refused with a ValueError that names it and says why, and runs no code.
"""

import io
import json
import pickle
import random
import zipfile

import numpy as np
import pytest
from test_saving import SMALL, learned, same

from lib2048 import NTupleNetwork, resume, train


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
    """A changed bit is refused or was of no importance: never another network, or another error."""
    path, net = tmp_path / "net.npz", learned(coherence=True)
    net.save(path)
    whole = path.read_bytes()
    rng = random.Random(2)
    anywhere = rng.sample(range(len(whole)), 150)
    in_the_directory = rng.sample(range(len(whole) - 700, len(whole)), 150)
    refused = 0
    for place in [*anywhere, *in_the_directory, *range(60)]:
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
        return contents | {"about.npy": npy(text(json.dumps(kept)))}

    return edit


def text(words):
    """Text as bytes in an array."""
    return np.frombuffer(words.encode(), np.uint8)


def array(name, make):
    """One array of a file replaced by make(array)."""
    return lambda contents: contents | {name: npy(make(np.load(io.BytesIO(contents[name]))))}


def raw(name, make):
    """One member of a file replaced by make(its bytes)."""
    return lambda contents: contents | {name: make(contents[name])}


def without(name):
    """A file without one of its members."""

    def edit(contents):
        return {other: data for other, data in contents.items() if other != name}

    return edit


def description(words):
    """A file with other words in place of its description."""
    return lambda contents: contents | {"about.npy": npy(text(words))}


def with_one(array, place, value):
    """A copy of an array with another value in one place."""
    array = array.copy()
    array[place] = value
    return array


NO_FORMAT = "this version of lib2048 cannot read it"

EDITS = {
    "no description": (without("about.npy"), "no item named 'about.npy'"),
    "description not json": (description("{oops"), "Expecting property name"),
    "description a list": (description("[1]"), NO_FORMAT),
    "description very deep": (description("[" * 100_000), "net.npz"),
    "other format": (about(format="lib2048 network, version 99"), NO_FORMAT),
    "no history": (about(history=None), NO_FORMAT),
    "games a word": (about(games="many"), "got 'many'"),
    "games a list": (about(games=[1]), r"got \[1\]"),
    "games negative": (about(games=-5), "games, .* is a whole number from 0 .*, got -5"),
    "games too many": (about(games=2**63), f"games, .* from 0 .*, got {2**63}"),
    "games true": (about(games=True), "games, .* is a whole number .*, got True"),
    "p4 a list": (about(p4=[0.1]), r"p4, .*got \[0.1\]"),
    "p4 out of range": (about(p4=7.0), "p4, .*lies between 0 and 1, got 7.0"),
    "p4 not a number": (about(p4=float("nan")), "p4, .*lies between 0 and 1, got nan"),
    "other kind": (about(values="board"), "values is .*, got 'board'"),
    "kind a list": (about(values=["state"]), r"values is .*, got \['state'\]"),
    "other symmetries": (about(symmetries=4), "symmetries is 8 or 1, got 4"),
    "init a word": (about(init="zero"), "init, .*got 'zero'"),
    "init infinite": (about(init=float("inf")), "init, .*got inf"),
    "history a number": (about(history=3), "the history is a list of trainings, got 3"),
    "history of numbers": (about(history=[3]), r"the history is a list of trainings, got \[3\]"),
    "coherent a word": (about(coherent="yes"), "coherent is true or false, got 'yes'"),
    "other patterns": (about(patterns=[[0, 1], [9, 4, 8, 12]]), "table 1 has 65536 weights"),
    "more patterns": (about(patterns=[[0, 1], [9, 4, 8], [5]]), "no item named 'touched2.npy'"),
    "fewer patterns": (about(patterns=[]), "at least one pattern, got none"),
    "patterns out of range": (about(patterns=[[0, 16], [9, 4, 8]]), "a cell lies between"),
    "huge pattern": (about(patterns=[[0, 1], list(range(8))]), "table 1 has 4294967296 weights"),
    "missing table": (without("weights1.npy"), "no item named 'weights1.npy'"),
    "short weights": (array("weights0.npy", lambda a: a[:-1]), "weights as touched and holds"),
    "long weights": (
        array("weights0.npy", lambda a: np.append(a, a[0])),
        "weights as touched and holds",
    ),
    "double weights": (
        array("weights0.npy", lambda a: a.astype(np.float64)),
        "weights0 holds float64 .* expected float32 with 1 dimensions",
    ),
    "weights of another machine": (
        array("weights0.npy", lambda a: a.astype(">f4")),
        "weights0 holds >f4 .* expected float32 with 1 dimensions",
    ),
    "weights in a square": (
        array("weights0.npy", lambda a: np.stack([a, a], axis=1)),
        r"weights0 holds float32 of shape \(.*, 2\), expected float32 with 1 dimensions",
    ),
    "weights not finite": (
        array("weights0.npy", lambda a: with_one(a, 0, np.nan)),
        "table 0 holds weights that are not finite",
    ),
    "short bitmap": (array("touched1.npy", lambda a: a[:-1]), "touched"),
    "long bitmap": (array("touched1.npy", lambda a: np.append(a, a[:1])), "touched"),
    "short errors": (array("errors1.npy", lambda a: a[:-1]), "table 1 has error sums .*, expected"),
    "flat errors": (
        array("errors1.npy", np.ravel),
        r"errors1 holds float32 of shape \(\d+,\), expected float32 with 2 dimensions",
    ),
    "errors by columns": (
        array("errors1.npy", np.asfortranarray),
        r"errors1 holds float32 of shape \(\d+, 2\) by columns, expected",
    ),
    "errors not finite": (
        array("errors1.npy", lambda a: a + np.float32(np.inf)),
        "table 1 holds error sums that are not finite",
    ),
    "errors of whole numbers": (
        array("errors1.npy", lambda a: a.astype(np.int32)),
        "errors1 holds int32",
    ),
    "absolute errors negative": (
        array("errors1.npy", lambda a: a * np.array([1, -1], np.float32)),
        "table 1 holds errors that sum up to .* while their absolute values sum up to -",
    ),
    "errors larger than absolute errors": (
        array("errors1.npy", lambda a: with_one(a, (0, 0), -2 * a[0, 1])),
        "table 1 holds errors that sum up to -.* while their absolute values sum up to",
    ),
    "half an array": (raw("weights1.npy", lambda data: data[:200]), "weights1 holds 72 bytes"),
    "half a header": (raw("weights1.npy", lambda data: data[:100]), "the header of weights1 is da"),
    "not an array": (raw("weights1.npy", lambda data: b"weights"), "header of weights1 is damaged"),
    "header that never ends": (
        raw("weights1.npy", lambda data: data.replace(b"}", b"(")),
        "the header of weights1 is damaged",
    ),
    "header of nonsense": (
        raw("weights1.npy", lambda data: data.replace(b"'shape'", b'"shape')),
        "the header of weights1 is damaged",
    ),
}


def test_the_file_that_is_edited_is_a_good_one(tmp_path):
    path, net = tmp_path / "net.npz", learned(coherence=True)
    net.save(path)
    assemble(path, parts(path))
    same(net, NTupleNetwork.load(path))


@pytest.mark.parametrize("edit, reason", EDITS.values(), ids=EDITS)
def test_files_that_do_not_add_up(tmp_path, edit, reason):
    """Whole archives whose contents contradict each other."""
    path = tmp_path / "net.npz"
    learned(coherence=True).save(path)
    assemble(path, edit(parts(path)))
    with pytest.raises(ValueError, match=reason) as caught:
        NTupleNetwork.load(path)
    assert "net.npz" in str(caught.value)


def test_a_member_that_is_said_to_be_longer_than_the_file(tmp_path):
    """A table of 16**8 weights is not made because an entry of the directory promises it."""
    path = tmp_path / "net.npz"
    learned().save(path)
    assemble(path, about(patterns=[[0, 1], list(range(8))])(parts(path)))
    data = path.read_bytes()
    promised = (2**31).to_bytes(4, "little")
    start = data.rindex(b"touched1.npy") - 46  # of the entry in the directory
    entry = data[start : start + 46]
    path.write_bytes(data[:start] + entry[:20] + promised * 2 + entry[28:] + data[start + 46 :])
    with pytest.raises(ValueError, match="touched1 goes on beyond the end of the file"):
        NTupleNetwork.load(path)


def test_compressed_arrays(tmp_path):
    path = tmp_path / "net.npz"
    learned().save(path)
    contents = parts(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    with pytest.raises(ValueError, match="about is compressed, lib2048 writes it as it is"):
        NTupleNetwork.load(path)


def test_error_sums_that_threads_left_behind_are_mended_in_saving(tmp_path):
    """Threads without locks may lose an addition to one of the two sums."""
    path, net = tmp_path / "net.npz", learned(coherence=True)
    touched = np.flatnonzero(net.errors[:, 1] > 0)
    net.errors[touched[0]] = (-8, 3)
    net.save(path)
    again = NTupleNetwork.load(path)
    assert again.errors[touched[0]].tolist() == [-8, 8]
    rest = np.delete(np.arange(len(net.errors)), touched[0])
    assert np.array_equal(again.errors[rest], net.errors[rest])


def test_a_network_that_diverged_is_not_saved(tmp_path):
    for spoil in ("weights", "errors"):
        net = learned(coherence=True)
        getattr(net, spoil)[1] = np.nan
        with pytest.raises(ValueError, match="not finite: it diverged in training, and is not sav"):
            net.save(tmp_path / "net.npz")
    assert list(tmp_path.iterdir()) == []


# Checkpoints


def log(**changes):
    """The description of a log with something changed in it."""

    def edit(contents):
        described = json.loads(np.load(io.BytesIO(contents["about.npy"])).tobytes())
        return about(log=described["log"] | changes)(contents)

    return edit


def plan(**changes):
    """The plan of a training with something changed in it."""

    def edit(contents):
        described = json.loads(np.load(io.BytesIO(contents["about.npy"])).tobytes())
        return about(plan=described["plan"] | changes)(contents)

    return edit


def shorter(contents):
    """A log with one game fewer."""
    for name in ("scores.npy", "max_tiles.npy", "moves.npy"):
        contents = array(name, lambda a: a[:-1])(contents)
    return contents


CHECKPOINT_EDITS = {
    "no plan": (about(plan=None), "it holds a network but no training to go on with"),
    "plan a list": (about(plan=[1]), "the plan of its training cannot be followed"),
    "plan without stages": (plan(stages=[]), "the plan of its training cannot be followed"),
    "plan of no games": (plan(stages=[[0, 0.1, False]]), "the plan of its training cannot be"),
    "plan of fewer games": (plan(stages=[[1, 0.1, False]]), "its log has 4 games, its plan 1"),
    "plan from elsewhere": (plan(first=7), "its plan begins with game 7"),
    "plan of many threads": (plan(threads=0), "the plan of its training cannot be followed"),
    "plan with a word": (plan(seed="one"), "the plan of its training cannot be followed"),
    "plan with an option more": (plan(magic=1), "the plan of its training cannot be followed"),
    "no log": (about(log=None), "its log is described by .*, found None"),
    "log a number": (about(log=3), "its log is described by .*, found 3"),
    "log with a field more": (log(magic=1), "its log is described by"),
    "block of none": (log(block=0), "block is a whole number of at least 1, got 0"),
    "seconds negative": (log(seconds=-1), "seconds, the time spent, .*, got -1"),
    "seconds endless": (log(seconds=float("inf")), "seconds, the time spent, .*, got inf"),
    "seconds a word": (log(seconds="long"), "seconds, the time spent, .*, got 'long'"),
    "log from elsewhere": (log(first=3), "its log has 4 games from game 3 on"),
    "log from before": (log(first=-3), "first, .*, got -3"),
    "log of a seed that is none": (log(seed=0.5), "a seed is a whole number .*, got 0.5"),
    "games not those of the log": (about(games=9), "and the network learned from 9"),
    "log shorter than the training": (shorter, "its log has 3 games .* learned from 4"),
    "no scores": (without("scores.npy"), "no item named 'scores.npy'"),
    "one score less": (array("scores.npy", lambda a: a[:-1]), "has 3 scores, 4 largest tiles"),
    "moves in a square": (array("moves.npy", lambda a: a.reshape(2, 2)), "moves holds int32 of sh"),
    "scores of another type": (
        array("scores.npy", lambda a: a.astype(np.int32)),
        "scores holds int32 .* expected int64",
    ),
    "a score below 0": (array("scores.npy", lambda a: with_one(a, 0, -4)), "that no game has"),
    "a tile too large": (array("max_tiles.npy", lambda a: with_one(a, 0, 16)), "that no game has"),
    "moves below 0": (array("moves.npy", lambda a: with_one(a, 0, -1)), "that no game has"),
}


def save_a_checkpoint(path):
    train(NTupleNetwork(SMALL), 4, 0.1, progress=False, coherence=True, checkpoint=path)


@pytest.mark.parametrize("edit, reason", CHECKPOINT_EDITS.values(), ids=CHECKPOINT_EDITS)
def test_checkpoints_that_do_not_add_up(tmp_path, edit, reason):
    path = tmp_path / "run.npz"
    save_a_checkpoint(path)
    resume(path, progress=False)
    assemble(path, edit(parts(path)))
    with pytest.raises(ValueError, match=reason) as caught:
        resume(path, progress=False)
    assert "run.npz" in str(caught.value)
