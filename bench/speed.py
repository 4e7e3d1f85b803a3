"""How fast lib2048 is beside the fixed yardstick (plain.py), measured so that the ratio can be trusted.

Absolute speeds depend on the machine, on what else it does and on how warm it is. So both sides play the same games,
from the same weights, on the same core, taking turns in segments of a fraction of a second; each pair of segments
gives one ratio, and the median over the pairs is reported. Where a process can be kept on one core, time is what the
process had of it, so that a program that wants the same core does not count; two threads are timed by the clock.

A network is trained by lib2048, backward, up to a checkpoint; each piece of work there starts from copies of it, and
learning goes on from there (to twice as many games at most).
"""

import gc
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import psutil

from bench import plain
from lib2048 import NTupleNetwork, evaluate, train
from lib2048.network import new_like

ROOT = Path(__file__).resolve().parents[1]
KINDS = {"afterstate": plain.AFTERSTATE, "state": plain.STATE}
ORDERS = {"backward": plain.BACKWARD, "forward": plain.FORWARD}
WORKS = ("backward", "forward", "evaluation")
CHECKPOINTS = (1_000, 10_000, 100_000)
REPEATS = 9  # pairs of segments
SEGMENT = 0.5  # seconds of the slower side
UNTIMED = 1 << 32  # seeds of games that only warm the caches
FIRST_CALL = "import lib2048; lib2048.train(lib2048.NTupleNetwork(), 100, progress=False)"
PINNED = hasattr(os, "sched_setaffinity")  # Linux
CLOCK = time.process_time if PINNED else time.perf_counter


@contextmanager
def one_core():
    """Keep this process on the core that is least busy, where the system can."""
    if not PINNED:
        yield
        return
    before = os.sched_getaffinity(0)
    busy = psutil.cpu_percent(interval=0.3, percpu=True)
    os.sched_setaffinity(0, {min(before, key=lambda core: busy[core] if core < len(busy) else 0)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def checkpoints(games: int) -> list[int]:
    """The checkpoints up to `games`, which is the last of them."""
    return [n for n in CHECKPOINTS if n < games] + [games]


def train_to(net, games: int, progress: bool = False) -> None:
    """Train a network backward until it has learned from `games` games."""
    if net.games < games and train(net, games - net.games, progress=progress).interrupted:
        raise KeyboardInterrupt


def copies(net):
    """A copy of the network for lib2048, and its weights as plain wants them."""
    fast, weights = new_like(net), plain.new_weights()
    fast.weights[:], fast.games = net.weights, net.games
    for k in range(len(weights)):
        weights[k] = net.table(k)
    return fast, weights


def fast_side(net, threads: int = 1):
    """A function (work, offset, games) -> moves that does a segment of work with lib2048."""

    def segment(work: str, offset: int, games: int) -> int:
        if work == "evaluation":
            summary = evaluate(net, games, threads=threads, seed=offset, progress=False)
            if summary.games < games:
                raise KeyboardInterrupt
            return summary.moves
        log = train(net, games, order=work, threads=threads, progress=False)
        if log.interrupted:
            raise KeyboardInterrupt
        return int(log.moves.sum())

    return segment


def plain_side(weights, values: str, trained: int):
    """The same with plain, for a network that has learned from `trained` games."""

    def segment(work: str, offset: int, games: int) -> int:
        if work == "evaluation":
            _, moves = plain.play(weights, KINDS[values], plain.NO_LEARNING, offset, 0, games)
        else:
            _, moves = plain.play(weights, KINDS[values], ORDERS[work], 0, trained + offset, games)
        return int(moves.sum())

    return segment


def alternate(one, other, work: str, most: int, repeats: int, seconds: float, clock) -> dict:
    """Let two sides take turns. Returns their speeds and the ratio of the first to the second, medians over the pairs.

    A segment is as many games as the slower side plays in about `seconds`, at most `most`. Before its turn a side
    plays some games untimed, because the other one has filled the caches. Who begins changes from pair to pair.
    """
    games, offset = min(5, most), 0
    speeds, moves = ([], []), ([], [])
    for pair in range(-1, repeats):  # pair -1 is not counted: it tells how long a game takes
        slowest = 0.0
        for side in (0, 1) if pair % 2 else (1, 0):
            play = (one, other)[side]
            play("evaluation", UNTIMED + offset, -(-games // 4))
            started = clock()
            played = play(work, offset, games)
            passed = clock() - started
            slowest = max(slowest, passed)
            moves[side].append(played)
            speeds[side].append(played / passed)
        offset += games
        if pair < 0:
            games = max(1, min(most, round(games * seconds / slowest)))
    first, second = np.array(speeds)[:, 1:]
    ratios = first / second
    return {
        "speeds": [float(np.median(first)), float(np.median(second))],
        "ratio": float(np.median(ratios)),
        "quartiles": [float(part) for part in np.percentile(ratios, (25, 75))],
        "ratios": [round(float(ratio), 4) for ratio in ratios],
        "segment_games": games,
        "same_moves": moves[0] == moves[1],
    }


def compare(net, work: str, repeats: int = REPEATS, seconds: float = SEGMENT) -> dict:
    """lib2048 against plain at one piece of work, starting from copies of a network."""
    fast, weights = copies(net)
    most = net.games if work == "evaluation" else max(1, net.games // (repeats + 1))
    with one_core():
        sides = fast_side(fast), plain_side(weights, net.values, net.games)
        found = alternate(*sides, work, most, repeats, seconds, CLOCK)
    return {"values": net.values, "work": work, "games": net.games} | found


def compare_threads(net, work: str, repeats: int = 5, seconds: float = 12 * SEGMENT) -> dict:
    """Two threads against one, not bound to a core, on a copy of a network."""
    fast, _ = copies(net)
    sides = fast_side(fast, threads=2), fast_side(fast)
    found = alternate(*sides, work, net.games, repeats, seconds, time.perf_counter)
    return {"values": net.values, "work": work, "games": net.games} | found


def first_call() -> dict:
    """Seconds from starting Python until 100 games are learned from: kernels compiled anew, and kernels kept."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder, "PYTHONPATH": str(ROOT)}
        seconds = []
        for _ in range(4):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", FIRST_CALL], env=environment, check=True)
            seconds.append(time.perf_counter() - started)
    return {"cold": seconds[0], "warm": float(np.median(seconds[1:]))}


def resident() -> int:
    """Bytes of memory this process has in use (RSS)."""
    gc.collect()
    return psutil.Process().memory_info().rss


def warm_up() -> None:
    """Compile, or load, every kernel that is going to be measured."""
    for values in KINDS:
        sides = fast_side(NTupleNetwork(values=values)), plain_side(plain.new_weights(), values, 0)
        for work in WORKS:
            for side in sides:
                side(work, 0, 1)


def measure(games: int, progress: bool = False):
    """Measure everything, one (section, result) after the other."""
    yield "first call", first_call()
    warm_up()
    for values in KINDS:
        before = resident()
        net = NTupleNetwork(values=values)
        for checkpoint in checkpoints(games):
            train_to(net, checkpoint, progress)
            used = resident() - before
            for work in WORKS:
                yield "speed", compare(net, work)
        yield "memory", {"values": values, "games": games, "bytes": used}
        for work in ("backward", "evaluation"):
            yield "threads", compare_threads(net, work)
        del net  # before the next one's memory is measured
