"""Checkpoints: training that was stopped, or killed at any moment, goes on to the same result
as if it had not been.
"""

import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from lib2048 import NTupleNetwork, resume, train

PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 8))
STAGES = [(2500, None, False), (1500, None, True)]  # TD first, then TC
OPTIONS = {"seed": 5, "block": 500, "progress": False, "lambda_": 0.5, "restart": 50}


class Stop(Exception):
    """Ends training from a callback."""


def uninterrupted():
    net = NTupleNetwork(PATTERNS)
    return net, train(net, STAGES, **OPTIONS)


def assert_same(one, log_one, other, log_other):
    assert np.array_equal(one.weights, other.weights) and np.array_equal(one.errors, other.errors)
    assert one.games == other.games and one.p4 == other.p4
    for name in ("scores", "max_tiles", "moves"):
        assert np.array_equal(getattr(log_one, name), getattr(log_other, name))
    assert log_one.block == log_other.block and log_one.first == log_other.first


@pytest.mark.parametrize("stop_at", [500, 2500, 3000, 3500])
def test_a_stopped_training_goes_on(tmp_path, stop_at):
    """Stopped before, at and after the change of stage; the checkpoint may be older than the
    stop.
    """

    def stop(log):
        if len(log.scores) == stop_at:
            raise Stop

    net, path = NTupleNetwork(PATTERNS), tmp_path / "run.npz"
    with pytest.raises(Stop):
        train(net, STAGES, **OPTIONS, checkpoint=path, every=400, callback=stop)
    assert net.games == stop_at
    assert_same(*resume(path, progress=False), *uninterrupted())


def test_a_finished_training_is_not_repeated(tmp_path):
    net, path = NTupleNetwork(PATTERNS), tmp_path / "run.npz"
    log = train(net, STAGES, **OPTIONS, checkpoint=path, every=3000)
    again, log_again = resume(path, progress=False)
    assert_same(again, log_again, net, log)
    assert len(again.history) == 1
    assert again.history[0]["stages"] == [[2500, None, False], [1500, None, True]]


def test_two_calls_are_not_one_run(tmp_path):
    """A checkpoint continues the call of train it belongs to, counted from the games learned
    before it.
    """
    net, path = NTupleNetwork(PATTERNS), tmp_path / "run.npz"
    train(net, 300, seed=5, progress=False)
    log = train(net, 200, seed=5, progress=False, checkpoint=path)
    again, log_again = resume(path, progress=False)
    assert_same(again, log_again, net, log)
    assert again.games == 500 and log_again.first == 300


CHILD = """
import sys
from pathlib import Path
from lib2048 import NTupleNetwork, resume, train
path, patterns, stages, options = Path(sys.argv[1]), *map(eval, sys.argv[2:])
print("begin", flush=True)
if path.exists():
    resume(path, progress=False)
else:
    train(NTupleNetwork(patterns), stages, **options, checkpoint=path, every=50)
print("done", flush=True)
"""


def test_killed_at_any_moment(tmp_path):
    """kill -9 at random times until a child gets through; whatever it left behind is a whole
    checkpoint.
    """
    path, rng, kills = tmp_path / "run.npz", random.Random(1), 0
    command = [sys.executable, "-c", CHILD, str(path), repr(PATTERNS), repr(STAGES), repr(OPTIONS)]
    while True:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)
        assert child.stdout.readline() == "begin\n"
        if kills < 12:
            time.sleep(rng.uniform(0, 0.25))
            child.send_signal(signal.SIGKILL)
        out, _ = child.communicate()
        if out == "done\n":
            break
        assert child.returncode == -signal.SIGKILL
        kills += 1
    assert_same(*resume(path, progress=False), *uninterrupted())
    left = {file.name for file in tmp_path.iterdir()}
    assert "run.npz" in left and all(name.endswith(".part") for name in left - {"run.npz"})


def test_a_place_that_cannot_be_written_is_refused_before_training(tmp_path):
    net = NTupleNetwork(PATTERNS)
    with pytest.raises(FileNotFoundError, match="missing"):
        train(net, 1000, seed=5, progress=False, checkpoint=tmp_path / "missing" / "run.npz")
    with pytest.raises(ValueError, match="not a regular file"):
        train(net, 1000, seed=5, progress=False, checkpoint=tmp_path)
    assert net.games == 0 and not net.weights.any() and not net.history


def test_a_full_disk_costs_nothing(tmp_path, monkeypatch):
    net, path = NTupleNetwork(PATTERNS), tmp_path / "run.npz"
    train(net, 100, seed=5, progress=False, checkpoint=path)
    before = path.read_bytes()
    monkeypatch.setattr(
        "lib2048.files.os.fsync", lambda file: (_ for _ in ()).throw(OSError(28, "No space left"))
    )
    with pytest.raises(OSError, match="No space left"):
        train(net, 100, seed=5, progress=False, checkpoint=path, every=50)
    assert net.games == 150 and path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["run.npz"]


def test_a_network_is_not_a_checkpoint(tmp_path):
    net, path = NTupleNetwork(PATTERNS), tmp_path / "net.npz"
    net.save(path)
    with pytest.raises(ValueError, match="no training to go on with"):
        resume(path)
