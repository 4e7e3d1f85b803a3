"""How fast lib2048 is beside its plain engine, measured so that the ratio can be trusted.

The plain engine (lib2048/learning.py) is the yardstick: it says the same rules as plainly as they
can be said, gives the same bits, and is not tuned. The ratio tells what the fast engine is worth.

Absolute speeds depend on the machine, on what else it does and on how warm it is. So both sides
play the same games, from the same weights, on the same core, taking turns in segments of a fraction
of a second. Each pair of segments gives one ratio, and the median over the pairs is reported. Where
a process can be kept on one core, time is what the process had of it, so that a program that wants
the same core does not count; two threads are timed by the clock.

A network is trained by the fast engine, backward, up to a checkpoint. Each piece of work there
starts from copies of it, and learning goes on from there (to twice as many games at most).
"""

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import psutil

from experiments.versions import ROOT
from lib2048 import NTupleNetwork, evaluate, learning, train
from lib2048.engines import learning_rule, playing_rule
from lib2048.network import VALUES, new_like
from lib2048.options import TrainOptions
from lib2048.plain_network import plain_network

WORKS = ("backward", "forward", "evaluation")
CHECKPOINTS = (1_000, 10_000, 100_000)
REPEATS = 9  # pairs of segments
SEGMENT = 0.5  # seconds of the slower side
FIRST_GAMES = 5  # in the pair of segments that tells how long a game takes
UNTIMED = 1 << 32  # seeds of games that only warm the caches
FIRST_CALL = "import lib2048; lib2048.train(lib2048.NTupleNetwork(), 100, progress=False)"
PINNED = hasattr(os, "sched_setaffinity")  # Linux
CLOCK = time.process_time if PINNED else time.perf_counter

Side = Callable[[str, int, int], int]
"""side(work, offset, games) does a segment of work and returns the number of moves it made.

Learning begins with game number `offset` after those that the network has learned from; in an
evaluation, `offset` is the seed.
"""


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on the core that is least busy, where the system can."""
    if not PINNED:
        yield
        return
    cores = os.sched_getaffinity(0)
    busy = psutil.cpu_percent(interval=0.3, percpu=True)
    os.sched_setaffinity(0, {min(cores, key=lambda core: busy[core] if core < len(busy) else 0)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def checkpoints(games: int) -> list[int]:
    """The checkpoints up to `games`, which is the last of them."""
    return [number for number in CHECKPOINTS if number < games] + [games]


def train_to(net: NTupleNetwork, games: int, progress: bool = False) -> None:
    """Train a network backward until it has learned from `games` games."""
    missing = games - net.games
    if missing > 0 and train(net, missing, progress=progress).interrupted:
        raise KeyboardInterrupt


# The two sides


def copy_of(net: NTupleNetwork) -> NTupleNetwork:
    """A network with the same weights."""
    copy = new_like(net)
    copy.weights[:] = net.weights
    copy.games = net.games
    return copy


def fast_side(net: NTupleNetwork, threads: int = 1) -> Side:
    """The fast engine, in this network."""

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


def plain_side(net: NTupleNetwork) -> Side:
    """The plain engine, in a copy of this network."""
    network = plain_network(net)
    episode = learning.new_episode()
    trained = net.games

    def segment(work: str, offset: int, games: int) -> int:
        if work == "evaluation":
            rule = playing_rule(net, None, offset)
            first = 0
        else:
            rule = learning_rule(net, TrainOptions(order=work))
            first = trained + offset
        played = learning.new_games(games)
        learning.train(network, rule, episode, played, first, games)
        return int(played.moves.sum())

    return segment


# Comparing them


def alternate(
    one: Side,
    other: Side,
    work: str,
    most: int,
    repeats: int,
    seconds: float,
    clock: Callable[[], float],
) -> dict:
    """Let two sides take turns at a piece of work.

    A segment is as many games as the slower side plays in about `seconds`, at most `most`. Before
    its turn a side plays some games untimed, because the other one has filled the caches. Who
    begins changes from pair to pair.

    Returns
    -------
    dict
        "speeds": moves a second of each side. "ratio": of the first to the second. Both are medians
        over the pairs. "quartiles" and "ratios": the quartiles of all ratios, and all of them.
        "segment_games": the games of a segment. "same_moves": whether both made equally many moves.
    """
    sides = (one, other)
    speeds: tuple[list, list] = ([], [])
    moves: tuple[list, list] = ([], [])
    games = min(FIRST_GAMES, most)
    offset = 0
    for pair in range(-1, repeats):  # pair -1 is not counted: it tells how long a game takes
        slowest = 0.0
        order = (0, 1) if pair % 2 else (1, 0)
        for number in order:
            side = sides[number]
            side("evaluation", UNTIMED + offset, -(-games // 4))
            started = clock()
            made = side(work, offset, games)
            passed = clock() - started
            slowest = max(slowest, passed)
            moves[number].append(made)
            speeds[number].append(made / passed)
        offset += games
        if pair < 0:
            games = max(1, min(most, round(games * seconds / slowest)))
    first = np.array(speeds[0][1:])
    second = np.array(speeds[1][1:])
    ratios = first / second
    return {
        "speeds": [float(np.median(first)), float(np.median(second))],
        "ratio": float(np.median(ratios)),
        "quartiles": [float(part) for part in np.percentile(ratios, (25, 75))],
        "ratios": [round(float(ratio), 4) for ratio in ratios],
        "segment_games": games,
        "same_moves": moves[0] == moves[1],
    }


def compare(
    net: NTupleNetwork, work: str, repeats: int = REPEATS, seconds: float = SEGMENT
) -> dict:
    """The fast engine against the plain one at a piece of work, in copies of a network."""
    most = net.games if work == "evaluation" else max(1, net.games // (repeats + 1))
    fast = fast_side(copy_of(net))
    plain = plain_side(net)
    with one_core():
        compared = alternate(fast, plain, work, most, repeats, seconds, CLOCK)
    return {"values": net.values, "work": work, "games": net.games} | compared


def compare_threads(
    net: NTupleNetwork, work: str, repeats: int = 5, seconds: float = 12 * SEGMENT
) -> dict:
    """Two threads against one, not bound to a core, in a copy of a network."""
    copy = copy_of(net)
    two = fast_side(copy, threads=2)
    one = fast_side(copy)
    compared = alternate(two, one, work, net.games, repeats, seconds, time.perf_counter)
    return {"values": net.values, "work": work, "games": net.games} | compared


# Everything


def first_call() -> dict:
    """Seconds from starting Python until 100 games are learned from.

    "cold": all kernels are compiled anew. "warm": kernels that were kept are loaded.
    """
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
    for values in VALUES:
        net = NTupleNetwork(values=values)
        for side in (fast_side(net), plain_side(net)):
            for work in WORKS:
                side(work, 0, 1)


def measure(games: int, progress: bool = False) -> Iterator[tuple[str, dict]]:
    """Measure everything, one (section, result) after the other."""
    yield "first call", first_call()
    warm_up()
    for values in VALUES:
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
