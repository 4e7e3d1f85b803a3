"""Stopping by hand: what was learned, counted and logged belongs together, and training goes on
as if never stopped.
"""

import subprocess
import sys

import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork, playing, running
from lib2048.engines import FastEngine, playing_rule
from lib2048.search import Search

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
    """The kernel counts the games itself, so those of the chunk that Ctrl-C cut off are neither
    lost nor repeated.
    """
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


class CtrlCAtLine:
    """Let Ctrl-C come at the n-th line of Python that a training runs between its games."""

    PARTS = ("_learn_a_chunk", "_pause")

    def __init__(self, n):
        self.n = n
        self.lines = 0
        self.part = None

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self.enter)
        return self

    def __exit__(self, *_):
        sys.settrace(self.before)

    def enter(self, frame, event, _):
        if self.part is None and frame.f_code.co_name in self.PARTS:
            self.part = frame
        return self.follow if self.part is not None else None

    def follow(self, frame, event, _):
        if event == "return" and frame is self.part:
            self.part = None
        if event == "line":
            self.lines += 1
            if self.lines >= self.n and not is_in_a_finalizer(frame):
                sys.settrace(None)
                raise KeyboardInterrupt
        return self.follow


def is_in_a_finalizer(frame):
    """Whether a `__del__` is running, in which Python ignores every exception."""
    while frame is not None and frame.f_code.co_name != "__del__":
        frame = frame.f_back
    return frame is not None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_stop_at_any_line_of_python(tmp_path):
    """Also while a checkpoint is written: net, log and history agree, and the checkpoint is
    whole.
    """
    expected = NTupleNetwork(SMALL)
    options = {"seed": 1, "block": 2, "every": 3, "progress": False}
    scores = lib2048.train(expected, 6, **options, checkpoint=tmp_path / "whole.npz").scores
    tried = 0
    for n in range(1, 100_000, 29):
        net, path = NTupleNetwork(SMALL), tmp_path / f"{n}.npz"
        with CtrlCAtLine(n) as ctrl_c:
            log = lib2048.train(net, 6, **options, checkpoint=path)
        if ctrl_c.lines < n:
            break
        tried += 1
        games = len(log.scores)
        assert log.interrupted and net.games == games, n
        assert log.scores.tolist() == scores[:games].tolist(), n
        assert sum(entry["games"] for entry in net.history) == games, n
        if path.exists():
            resumed, _ = lib2048.resume(path, progress=False)
            assert np.array_equal(resumed.weights, expected.weights), n
    assert tried > 50
    assert not [file for file in tmp_path.iterdir() if file.name.startswith(".")]


def test_a_second_stop_while_the_first_is_dealt_with(monkeypatch):
    """Who presses Ctrl-C twice loses nothing either."""
    net, real_close, closed = NTupleNetwork(SMALL), running.Runner.close, []

    def close(self):
        real_close(self)
        closed.append(self)
        if len(closed) < 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(running.Runner, "close", close)
    log = lib2048.train(net, 8, 0.5, seed=1, block=2, progress=False, callback=stopper(4))
    assert log.interrupted and len(log.scores) == net.games == 4 and len(closed) == 3
    assert [entry["games"] for entry in net.history] == [4]


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
print(used, log.interrupted,
      50 + len(log.scores) + 25 == net.games, more.first == 50 + len(log.scores),
      len(log.scores) == len(log.moves) == len(log.max_tiles) > 0, bool((log.moves > 0).all()),
      threads > 1 or bool((through.scores[50:] == [*log.scores, *more.scores]).all()),
      threads > 1 or bool((again.weights == net.weights).all()))
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_real_interrupt(threads):
    """SIGINT while the kernels run: train uses less than half a second more.

    Going on gives the same bits.

    Counted in processor time, which other programs do not stretch; that of two threads adds up.
    """
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(threads)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    used, *flags = done.stdout.split()
    assert float(used) < 0.5 * threads and flags == ["True"] * 7, done.stdout


def test_training_returns_to_python_every_tenth_of_a_second(monkeypatch):
    """A chunk grows to PAUSE seconds and no further, told from a clock that the test winds
    itself.
    """

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


# Looking ahead, where a single move can take seconds


def learned():
    """A network that plays some hundred moves a game."""
    net = NTupleNetwork(SMALL)
    lib2048.train(net, 50, 0.5, seed=1, progress=False)
    return net


@pytest.mark.parametrize("margin", [np.inf, 50])
def test_a_search_that_is_told_to_stop_makes_no_move_and_keeps_no_value(margin):
    net = learned()
    search = Search(net, 3, playing_rule(net, None, 0), margin=margin)
    search.stop[0] = 1
    search.choose(np.uint64(0x1_0021_0011))
    assert not search.known.boards.any() and not search.known.values.any()
    game = search.play(0)
    assert game.moves == 0 and game.score == 0 and not game.is_over
    search.stop[0] = 0
    search.choose(np.uint64(0x1_0021_0011))
    assert search.known.boards.any()


def ctrl_c_when(monkeypatch, enough):
    """Let Ctrl-C come as soon as `enough(searches)` is true of the players of a game or
    evaluation.
    """
    searches = []
    real_init, real_wait = Search.__init__, playing.wait_for

    def init(self, *args, **options):
        real_init(self, *args, **options)
        searches.append(self)

    def meanwhile():
        if enough(searches):
            raise KeyboardInterrupt

    def wait_for(jobs, stop, _=None):
        monkeypatch.setattr(running, "PAUSE", 0.001)
        real_wait(jobs, stop, meanwhile)

    monkeypatch.setattr(Search, "__init__", init)
    monkeypatch.setattr(playing, "wait_for", wait_for)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stopped_evaluation_that_looks_ahead_sums_up_its_first_games(monkeypatch, threads):
    """Not those that happened to be short, so that the games are the same as of a shorter
    evaluation.
    """
    net, played = learned(), []
    real_play = Search.play

    def play(self, number):
        game = real_play(self, number)
        if game.is_over:
            played.append(number)
        return game

    with monkeypatch.context() as patch:
        patch.setattr(Search, "play", play)
        ctrl_c_when(patch, lambda searches: {0, 1, 2} <= {*played})
        part = lib2048.evaluate(net, 10_000, 2, threads=threads, seed=2, progress=False)
    assert 3 <= part.games < 10_000 and {*range(part.games)} <= {*played}
    shorter = lib2048.evaluate(net, part.games, 2, seed=2, progress=False)
    assert part.scores.tolist() == shorter.scores.tolist() and part.moves == shorter.moves


def test_an_evaluation_that_is_stopped_before_its_first_game_is_over(monkeypatch):
    ctrl_c_when(monkeypatch, lambda searches: True)
    with pytest.raises(KeyboardInterrupt):
        lib2048.evaluate(learned(), 10, 5, threads=2, progress=False)


def test_a_stopped_game_is_kept_as_far_as_it_came(monkeypatch):
    net = learned()
    whole = lib2048.play(net, seed=4, plies=3)
    with monkeypatch.context() as patch:
        ctrl_c_when(patch, lambda searches: (searches[-1].known.plies > 0).sum() > 200)
        part = lib2048.play(net, seed=4, plies=3)
    assert part.interrupted and not whole.interrupted and 0 < len(part) < len(whole)
    moves = len(part)
    assert np.array_equal(part.boards, whole.boards[: moves + 1])
    assert np.array_equal(part.actions, whole.actions[:moves])
    assert np.array_equal(part.rewards, whole.rewards[:moves])
    assert np.array_equal(part.values, whole.values[:moves], equal_nan=True)


def test_a_game_that_is_stopped_before_its_first_move(monkeypatch):
    ctrl_c_when(monkeypatch, lambda searches: True)
    with pytest.raises(KeyboardInterrupt):
        lib2048.play(learned(), plies=9)
    with pytest.raises(KeyboardInterrupt):
        lib2048.best_action(learned(), 0x1_0021_0011, plies=9)


def test_an_error_in_a_thread_comes_out_and_ends_the_others(monkeypatch):
    net, real_play = learned(), Search.play

    def play(self, number):
        if number == 1:
            raise ValueError("mine")
        return real_play(self, number)

    monkeypatch.setattr(Search, "play", play)
    with pytest.raises(ValueError, match="mine"):
        lib2048.evaluate(net, 10_000, 3, threads=3, progress=False)


SEARCHING = """
import signal, sys, threading, time
import lib2048
from lib2048.search import Search

what, plies, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
net = lib2048.NTupleNetwork()
lib2048.train(net, 2000, seed=1, progress=False)
lib2048.play(net, plies=2)  # compiled
sent = []

def ctrl_c():
    sent.append(time.process_time())
    signal.raise_signal(signal.SIGINT)

timer = threading.Timer(1.0, ctrl_c)
timer.start()
try:
    if what == "evaluate":
        lib2048.evaluate(net, 1000, plies, threads=threads, progress=False)
    elif what == "play":
        lib2048.play(net, plies=plies)
    else:
        while True:
            lib2048.best_action(net, 0x1_0021_0011, plies)
except KeyboardInterrupt:
    pass
used = time.process_time() - sent[0]
timer.join()
players = [thread for thread in threading.enumerate() if "Pool" in thread.name]
for player in players:
    player.join(20)  # Ctrl-C may have come while it was ending
print(used, sum(player.is_alive() for player in players))
"""


@pytest.mark.parametrize(
    "what, plies, threads",
    [("evaluate", 4, 1), ("evaluate", 5, 2), ("play", 5, 1), ("best_action", 6, 1)],
)
def test_a_real_interrupt_of_a_search(what, plies, threads):
    """SIGINT in the middle of a move: less than half a second more, and no thread is left.

    Counted in processor time, which other programs do not stretch.
    """
    command = [sys.executable, "-c", SEARCHING, what, str(plies), str(threads)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    used, players = done.stdout.split()
    assert float(used) < 0.5 * threads and players == "0", done.stdout
