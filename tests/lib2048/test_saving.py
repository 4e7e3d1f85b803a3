"""The native file: everything comes back, and an interrupted save loses nothing."""

import errno
import itertools
import os
import random
import signal
import sys
import threading
import time

import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork, saving

SMALL = ((0, 1), (9, 4, 8))


def learned(values="afterstate", games=10, coherence=False, **options):
    """A network after a few games."""
    net = NTupleNetwork(SMALL, values, **options)
    lib2048.train(net, games, 0.25, p4=0.2, coherence=coherence, seed=1, progress=False)
    return net


def same(first, second):
    """Everything a network holds, to the bit."""
    for name in (*saving.DESCRIPTION, "lookups"):
        assert getattr(first, name) == getattr(second, name), name
    assert np.array_equal(first.weights, second.weights)
    assert np.array_equal(first.errors, second.errors)


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
    assert net.history[0]["games"] == 10
    assert net.p4 == 0.2
    assert net.games == 10
    options = dict(coherence=coherence, seed=1, progress=False)
    log = lib2048.train(net, 5, 0.25, **options)
    log_of_other = lib2048.train(other, 5, 0.25, **options)
    assert log.scores.tolist() == log_of_other.scores.tolist()
    assert np.array_equal(net.weights, other.weights)
    assert np.array_equal(net.errors, other.errors)


def test_an_untrained_network_round_trips(tmp_path):
    net = NTupleNetwork((tuple(range(5)), (15,)), "state", init=-3.5)
    net.save(str(tmp_path / "any name"))
    same(net, NTupleNetwork.load(str(tmp_path / "any name")))


def test_numbers_of_numpy_do_not_get_in_the_way(tmp_path):
    """Options as they come out of an array are saved with the history like Python's own."""
    net = NTupleNetwork(np.array([[0, 1], [4, 5]]), init=np.float32(2))
    lib2048.train(
        net,
        np.int64(3),
        np.float32(0.5),
        p4=np.float32(0.25),
        seed=np.uint64(4),
        block=np.int16(2),
        coherence=np.bool_(True),
        progress=False,
    )
    net.save(tmp_path / "net.npz")
    same(net, NTupleNetwork.load(tmp_path / "net.npz"))


def test_mostly_zeros_take_little_room(tmp_path):
    """A bit for a weight that was never touched, four bytes for one that was."""
    net = NTupleNetwork()
    lib2048.train(net, 3, progress=False)
    net.save(tmp_path / "net.npz")
    bits = 4 * 16**6 / 8
    touched = 4 * np.count_nonzero(net.weights)
    assert touched > 10_000
    assert (tmp_path / "net.npz").stat().st_size < bits + touched + 10_000


def test_networks_that_threads_save_at_once(tmp_path):
    """Whoever loads meanwhile gets one of them, whole."""
    path = tmp_path / "net.npz"
    networks = [learned(games=games) for games in (3, 8)]
    networks[0].save(path)
    errors = []

    def save_again_and_again(net):
        try:
            for _ in range(30):
                net.save(path)
        except BaseException as error:
            errors.append(error)

    savers = [threading.Thread(target=save_again_and_again, args=(net,)) for net in networks]
    for saver in savers:
        saver.start()
    found = set()
    while any(saver.is_alive() for saver in savers):
        net = NTupleNetwork.load(path)
        same(net, networks[0] if net.games == 3 else networks[1])
        found.add(net.games)
    assert not errors
    assert found <= {3, 8}
    assert [file.name for file in tmp_path.iterdir()] == ["net.npz"]


def kill_while_saving(path, networks, kills):
    """Kill a process that saves these networks by turns, again and again, at any moment.

    After each time the file is one of them, whole, and at most one temporary file is left.
    """
    rng = random.Random(1)
    networks[0].save(path)
    for _ in range(kills):
        child = os.fork()
        if child == 0:
            try:
                for net in itertools.cycle(networks):
                    net.save(path)
            finally:
                os._exit(1)
        time.sleep(rng.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        net = NTupleNetwork.load(path)
        same(net, networks[0] if net.games == 3 else networks[1])
        assert len(list(path.parent.iterdir())) <= 2
    networks[0].save(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it has threads, and forks
@pytest.mark.parametrize("kills", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_killed_at_any_moment(tmp_path, kills):
    networks = [learned(games=3), learned(games=8, coherence=True)]
    kill_while_saving(tmp_path / "net.npz", networks, kills)


@pytest.mark.parametrize("stop", range(8))
def test_saving_replaces_in_one_step(tmp_path, monkeypatch, stop):
    """Stopped at any of its seven arrays, a save leaves the old file and nothing else."""
    path = tmp_path / "net.npz"
    learned(games=3).save(path)
    before = path.read_bytes()
    new = learned(games=8, coherence=True)
    write_array = saving._write_array
    written = []

    def write(archive, name, array):
        if len(written) == stop:
            raise KeyboardInterrupt
        written.append(name)
        write_array(archive, name, array)

    monkeypatch.setattr(saving, "_write_array", write)
    if stop < 7:
        with pytest.raises(KeyboardInterrupt):
            new.save(path)
        assert path.read_bytes() == before
    else:
        new.save(path)
        same(new, NTupleNetwork.load(path))
    assert [file.name for file in tmp_path.iterdir()] == ["net.npz"]


@pytest.fixture
def file_size_limit():
    """A function that sets the size beyond which no file grows, like a full disk."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda nbytes: resource.setrlimit(resource.RLIMIT_FSIZE, (nbytes, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_fills_up_at_any_byte_leaves_the_old_file(tmp_path, file_size_limit):
    path, net = tmp_path / "net.npz", learned(coherence=True)
    learned(games=1).save(path)
    before = path.read_bytes()
    net.save(tmp_path / "whole.npz")
    size = (tmp_path / "whole.npz").stat().st_size
    for nbytes in [0, 1, 30, 31, *range(100, size, 997), size - 1]:
        file_size_limit(nbytes)
        with pytest.raises(OSError) as caught:
            net.save(path)
        assert caught.value.errno == errno.EFBIG
        assert path.read_bytes() == before
        assert len(list(tmp_path.iterdir())) == 2
    file_size_limit(size)
    net.save(path)
    same(net, NTupleNetwork.load(path))


class CtrlC:
    """Counts the lines of Python that run, and presses Ctrl-C at one of them."""

    def __init__(self, at=None):
        self.lines = 0
        self.at = at

    def __call__(self, frame, event, argument):
        if event == "line":
            self.lines += 1
            if self.lines == self.at:
                raise KeyboardInterrupt
        return self

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self)
        return self

    def __exit__(self, *exception):
        sys.settrace(self.before)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_at_any_line_of_a_save(tmp_path):
    """It comes out as KeyboardInterrupt, and there is a whole file: nearly always the old one.

    Python drops an exception that is raised while it tidies an object up. The save then goes on.
    """
    path, old, new = tmp_path / "net.npz", learned(games=3), learned(games=8, coherence=True)
    with CtrlC() as counter:
        new.save(path)
    new_content = path.read_bytes()
    old.save(path)
    old_content, interrupted = path.read_bytes(), 0
    assert counter.lines > 300
    points = range(1, counter.lines, 3)
    for point in points:
        try:
            with CtrlC(point):
                new.save(path)
        except KeyboardInterrupt:
            interrupted += 1
        content = path.read_bytes()
        assert content in (old_content, new_content)
        if content == new_content:
            old.save(path)
    assert interrupted > len(points) * 0.95
    old.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["net.npz"]


def test_numbers_of_numpy_that_somebody_put_into_a_network_are_saved(tmp_path):
    net = NTupleNetwork(((0, 1),))
    net.games = np.int64(7)
    net.p4 = np.float32(0.5)
    net.history.append({"games": np.int32(7), "means": [np.float64(2.5)]})
    net.save(tmp_path / "net.npz")
    lib2048.export(net, tmp_path / "net.bin", "compact")
    for file in tmp_path.iterdir():
        again = NTupleNetwork.load(file)
        assert (again.games, again.p4, again.history[0]["means"]) == (7, 0.5, [2.5])
