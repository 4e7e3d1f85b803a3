"""Stopping by hand: what was learned, counted and logged belongs together, and training goes on as if never stopped."""

import subprocess
import sys

import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork, running
from lib2048.engines import FastEngine

SMALL = ((0, 1), (9, 4, 8))
RULES = [(values, order) for values in ("afterstate", "state") for order in ("backward", "forward")]


def whole(values, order, games, **options):
    """A network that learned without a stop, and its log."""
    net = NTupleNetwork(SMALL, values)
    return net, lib2048.train(net, games, 0.5, order, seed=1, progress=False, **options)


def stopper(games):
    """A callback that stands for Ctrl-C once so many games are done."""

    def callback(log):
        if len(log.scores) >= games:
            raise KeyboardInterrupt

    return callback


@pytest.mark.jit_off
@pytest.mark.parametrize("values, order", RULES)
def test_a_stop_between_blocks(values, order):
    net = NTupleNetwork(SMALL, values)
    log = lib2048.train(net, 8, 0.5, order, seed=1, block=2, progress=False, callback=stopper(4))
    assert (
        log.interrupted
        and len(log.scores) == len(log.moves) == len(log.max_tiles) == net.games == 4
    )
    assert [entry["games"] for entry in net.history] == [4]
    more = lib2048.train(net, 2, 0.5, order, seed=1, progress=False)
    assert not more.interrupted and more.first == 4
    through, expected = whole(values, order, 6)
    assert np.array_equal(net.weights, through.weights)
    assert [*log.scores, *more.scores] == expected.scores.tolist()


def halt(monkeypatch, stop):
    """Let Ctrl-C come when the engine has played the games of its `stop`-th call."""
    real_run, calls = FastEngine.run, []

    def run(*args):
        real_run(*args)
        calls.append(args)
        if len(calls) == stop:
            raise KeyboardInterrupt

    monkeypatch.setattr(FastEngine, "run", run)


@pytest.mark.parametrize("threads, alpha", [(1, 0.5), (2, 0.0)])
@pytest.mark.parametrize("stop", [1, 2, 5])
def test_a_stop_right_after_the_kernel(monkeypatch, threads, alpha, stop):
    """The kernel counts the games itself, so those of the chunk that Ctrl-C cut off are neither lost nor repeated."""
    halt(monkeypatch, stop)
    monkeypatch.setattr(
        running.Runner, "_threads", lambda self: (self.threads, 1)
    )  # all from the first chunk on
    net, through = NTupleNetwork(SMALL), NTupleNetwork(SMALL)
    log = lib2048.train(net, 10_000, alpha, seed=1, threads=threads, progress=False)
    monkeypatch.undo()
    assert log.interrupted and 0 < len(log.scores) == net.games < 10_000
    expected = lib2048.train(through, net.games, alpha, seed=1, progress=False)
    assert (
        log.scores.tolist() == expected.scores.tolist()
        and log.moves.tolist() == expected.moves.tolist()
    )
    assert np.array_equal(net.weights, through.weights)
    assert [entry["games"] for entry in net.history] == [net.games]


def test_a_stop_before_the_first_game(monkeypatch):
    def stop(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(FastEngine, "run", stop)
    net = NTupleNetwork(SMALL)
    log = lib2048.train(net, 10, progress=False)
    assert (
        log.interrupted
        and len(log.scores) == 0
        and log.means.tolist() == []
        and log.rate().tolist() == []
    )
    assert net.games == 0 and net.history == [] and not net.weights.any()
    with pytest.raises(KeyboardInterrupt):
        lib2048.evaluate(net, 10, progress=False)


def test_a_stopped_evaluation_sums_up_what_is_done(monkeypatch):
    net, _ = whole("afterstate", "backward", 20)
    halt(monkeypatch, 3)
    part = lib2048.evaluate(net, 10_000, seed=2, progress=False)
    monkeypatch.undo()
    assert 0 < part.games < 10_000
    assert (
        part.scores.tolist()
        == lib2048.evaluate(net, part.games, seed=2, progress=False).scores.tolist()
    )


def test_an_error_in_a_callback_leaves_what_was_done():
    def callback(log):
        raise RuntimeError("mine")

    net = NTupleNetwork(SMALL)
    with pytest.raises(RuntimeError, match="mine"):
        lib2048.train(net, 20, 0.5, seed=1, block=5, progress=False, callback=callback)
    assert net.games == 5 and np.array_equal(
        net.weights, whole("afterstate", "backward", 5)[0].weights
    )


CHILD = """
import signal, sys, threading, time
import lib2048
from lib2048 import running

running.Runner._threads = lambda self: (self.threads, 1)  # all from the first chunk on
threads = int(sys.argv[1])
net = lib2048.NTupleNetwork(((0, 1), (9, 4, 8)))
lib2048.train(net, 50, 0.5, seed=1, threads=threads, progress=False)
sent, waiting = [], []

def ctrl_c():
    sent.append(time.process_time())
    signal.raise_signal(signal.SIGINT)

def callback(log):
    if not waiting:
        waiting.append(threading.Timer(0.2, ctrl_c))
        waiting[0].start()

log = lib2048.train(net, 10**8, 0.5, seed=1, threads=threads, progress=False, callback=callback)
used = time.process_time() - sent[0]
more = lib2048.train(net, 25, 0.5, seed=1, progress=False)
again = lib2048.NTupleNetwork(net.patterns)
through = lib2048.train(again, net.games, 0.5, seed=1, progress=False)
print(used, log.interrupted, 50 + len(log.scores) + 25 == net.games, more.first == 50 + len(log.scores),
      len(log.scores) == len(log.moves) == len(log.max_tiles) > 0, bool((log.moves > 0).all()),
      threads > 1 or bool((through.scores[50:] == [*log.scores, *more.scores]).all()),
      threads > 1 or bool((again.weights == net.weights).all()))
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_real_interrupt(threads):
    """SIGINT while the kernels run: train uses less than half a second more, and going on gives the same bits.

    Counted in processor time, which other programs do not stretch; that of two threads adds up.
    """
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(threads)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    used, *flags = done.stdout.split()
    assert float(used) < 0.5 * threads and flags == ["True"] * 7, done.stdout


def test_training_returns_to_python_every_tenth_of_a_second(monkeypatch):
    """A chunk grows to PAUSE seconds and no further, told from a clock that the test winds itself."""

    class Clock:
        now = 0.0

        def perf_counter(self):
            return self.now

    clock, sizes = Clock(), []
    monkeypatch.setattr(running, "time", clock)

    def run(worker, games, first, count):
        sizes.append(count)
        clock.now += count * 0.003
        games.done[0] += count

    engine = FastEngine(NTupleNetwork(SMALL), 1)
    engine.run = run
    slow = running.Runner(engine, 1000, 1)
    while slow.done < 1000:
        slow.chunk(1000 - slow.done, slow.done)
    assert sizes[:6] == [1, 2, 4, 8, 16, 32] and max(sizes) * 0.003 <= 0.2 and sum(sizes) == 1000
