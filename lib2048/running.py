"""Running many games: in chunks that Ctrl-C can interrupt, on one thread or several."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from lib2048.board import fours_below
from lib2048.fast.downgrading import check_downgrade
from lib2048.fast.rules import (
    FORWARD,
    NO_LEARNING,
    ORDERS,
    Games,
    Rule,
    _run,
    _run_forward,
    new_path,
)
from lib2048.network import NTupleNetwork
from lib2048.validate import check_finite, check_p4, check_seed

FIRST_TRY = 8  # the chunk in which all threads are tried first; each next try comes after four times as many
PAUSE = 0.1  # seconds between returns to Python, where Ctrl-C acts


class Runner:
    """Plays games in chunks short enough for Ctrl-C to act, on one thread or several, results into arrays.

    The kernels themselves count the games they finish, so whatever interrupts the Python in between, the counts say
    what the network has learned from.
    """

    def __init__(self, net, rule: Rule, total: int, threads: int, run=None):
        self.net, self.rule, self.threads = net, rule, threads
        self.run = run or (_run_forward if rule.order == FORWARD else _run)
        self.scores, self.moves = np.zeros(total, np.int64), np.zeros(total, np.int32)
        self.max_tiles = np.zeros(total, np.uint8)
        self.paths = [new_path(net) for _ in range(threads)]
        self.counts = [np.zeros(1, np.int64) for _ in range(threads)]
        self.last = np.zeros(threads, np.float32)  # the last value each thread learned
        self.done = 0  # games of finished chunks
        self.pace = 1.0  # games a chunk and thread
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.chunks = 0  # how many were begun
        self.next_try = FIRST_TRY
        self.speed = {
            1: 0.0,
            threads: 0.0,
        }  # moves a second when last seen, by the number of threads that learned

    def take_over(self, scores, max_tiles, moves) -> None:
        """Start with the results of games played before."""
        self.done = len(scores)
        self.scores[: self.done], self.max_tiles[: self.done], self.moves[: self.done] = (
            scores,
            max_tiles,
            moves,
        )

    def finished(self) -> int:
        """How many games are done; with several threads, those of an interrupted chunk count when all of it is."""
        return self.done + int(sum(count[0] for count in self.counts))

    def _one(self, worker: int, first_slot: int, games: int, number: int) -> None:
        part = slice(first_slot, first_slot + games)
        results = Games(
            self.scores[part],
            self.max_tiles[part],
            self.moves[part],
            self.counts[worker],
            self.last[worker : worker + 1],
        )
        self.run(self.net.arrays, self.rule, self.paths[worker], results, number, games)

    def chunk(self, most: int, number: int) -> int:
        """Play up to `most` games, the first of them game `number` of the run. Returns how many."""
        started, first = time.perf_counter(), self.done
        threads, share = self._threads()
        each = max(1, min(int(self.pace * share), -(-most // threads)))
        sizes = [
            min(each, most - worker * each) for worker in range(threads) if worker * each < most
        ]
        if threads == 1:
            self._one(0, first, sizes[0], number)
        else:
            offsets = np.cumsum([0, *sizes])
            jobs = [
                self.pool.submit(self._one, worker, first + int(offset), size, number + int(offset))
                for worker, (offset, size) in enumerate(zip(offsets, sizes, strict=False))
            ]
            try:
                for job in jobs:
                    job.result()
            except KeyboardInterrupt:
                for job in jobs:  # at most PAUSE long
                    job.result()
                self._close_chunk()
                raise
        played = self._close_chunk()
        passed = max(time.perf_counter() - started, 1e-6)
        self.pace = min(2 * self.pace, max(1.0, each * PAUSE / passed))
        self.speed[threads] = self.moves[first : self.done].sum(dtype=np.int64) / passed
        return played

    def _threads(self) -> tuple[int, float]:
        """How many threads play the next chunk, and what share of the usual number of games it has.

        Threads that learn keep taking the cache lines of much used weights from each other. Where cores share no cache,
        two can be half as fast as one. So the run begins with one thread, goes on with what was faster when last seen,
        and tries the other way for a short chunk ever more rarely.
        """
        self.chunks += 1
        if self.threads == 1 or self.rule.order == NO_LEARNING:
            return self.threads, 1
        faster, slower = (
            (self.threads, 1) if self.speed[self.threads] > self.speed[1] else (1, self.threads)
        )
        if self.chunks < self.next_try:
            return faster, 1
        self.next_try *= 4
        return slower, 0.125

    def _close_chunk(self) -> int:
        played = int(sum(count[0] for count in self.counts))
        for count in self.counts:
            count[0] = 0
        self.done += played
        return played

    def close(self) -> None:
        """Wait for the threads, which end with the chunk they are at, and let them go."""
        if self.pool is not None:
            self.pool.shutdown()


def check_network(net) -> None:
    """ValueError when this is no network."""
    if not isinstance(net, NTupleNetwork):
        raise ValueError(f"net is an NTupleNetwork, got {net!r:.60}")


def play_rule(net, p4, seed, downgrade=None) -> Rule:
    """The rule for games that are played and not learned from."""
    check_network(net)
    p4 = net.p4 if p4 is None else check_p4(p4)
    top = check_downgrade(downgrade)
    return Rule(NO_LEARNING, 0.0, False, 0.0, top, 0, p4, fours_below(p4), check_seed(seed))


def make_rule(net, alpha, order: str, coherence: bool, p4, seed, downgrade=None) -> Rule:
    """The rule kernels need to learn, from what a user gives; ValueError names what is wrong."""
    if not isinstance(order, str) or order not in ORDERS:
        raise ValueError(f'order is "backward" or "forward", got {order!r}')
    if alpha is None:
        alpha = 1.0 if coherence else 0.1
    if check_finite("alpha, the step of V at each update, such as 0.1", alpha) < 0:
        raise ValueError(f"alpha, the step of V at each update, is not negative, got {alpha!r}")
    return play_rule(net, p4, seed, downgrade)._replace(
        order=ORDERS[order], alpha=float(alpha) / net.lookups, coherence=bool(coherence)
    )
