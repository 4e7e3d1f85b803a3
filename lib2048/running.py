"""Running many games: in chunks that Ctrl-C can interrupt, on one thread or several."""

import time
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from lib2048.engines import Engine
from lib2048.learning import Games

FIRST_TRY = 8  # the chunk in which all threads are tried first; each next try comes after four times as many
TRY_SHARE = (
    0.125  # of the usual number of games, in a chunk that is played only to try the slower way
)
PAUSE = 0.1  # seconds between returns to Python, where Ctrl-C acts


class Runner:
    """Plays games in chunks short enough for Ctrl-C to act, on one thread or several, results into arrays.

    The kernels themselves count the games they finish, so whatever interrupts the Python in between, the counts say
    what the network has learned from.
    """

    def __init__(self, engine: Engine, total: int, threads: int):
        self.engine = engine
        self.threads = threads
        self.scores = np.zeros(total, np.int64)
        self.max_tiles = np.zeros(total, np.uint8)
        self.moves = np.zeros(total, np.int32)
        self.done = 0  # games of finished chunks
        self.counts = [np.zeros(1, np.int64) for _ in range(threads)]  # games of the present chunk
        self.last = np.zeros(threads, np.float32)  # the last value each thread learned
        self.pace = 1.0  # games a chunk and thread
        self.chunks = 0  # how many were begun
        self.next_try = FIRST_TRY
        self.speed = {1: 0.0, threads: 0.0}  # moves a second when last seen, by number of threads
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def take_over(self, scores: np.ndarray, max_tiles: np.ndarray, moves: np.ndarray) -> None:
        """Start with the results of games played before."""
        self.done = len(scores)
        self.scores[: self.done] = scores
        self.max_tiles[: self.done] = max_tiles
        self.moves[: self.done] = moves

    def finished(self) -> int:
        """How many games are done; with several threads, those of an interrupted chunk count when all of it is."""
        return self.done + self._played_in_chunk()

    def chunk(self, most: int, first_game: int) -> int:
        """Play up to `most` games, the first of them game `first_game` of the run. Returns how many."""
        started = time.perf_counter()
        first_slot = self.done
        threads, share = self._threads()
        each = max(1, min(int(self.pace * share), -(-most // threads)))
        sizes = [
            min(each, most - worker * each) for worker in range(threads) if worker * each < most
        ]
        if threads == 1:
            self._play(0, first_slot, sizes[0], first_game)
        else:
            self._play_side_by_side(first_slot, sizes, first_game)
        played = self._close_chunk()
        passed = max(time.perf_counter() - started, 1e-6)
        self.pace = min(2 * self.pace, max(1.0, each * PAUSE / passed))
        self.speed[threads] = self.moves[first_slot : self.done].sum(dtype=np.int64) / passed
        return played

    def close(self) -> None:
        """Wait for the threads, which end with the chunk they are at, and let them go."""
        if self.pool is not None:
            self.pool.shutdown()

    def _play(self, worker: int, first_slot: int, count: int, first_game: int) -> None:
        """Let one worker play `count` games, whose results go to the slots from `first_slot` on."""
        slots = slice(first_slot, first_slot + count)
        results = Games(
            self.scores[slots],
            self.max_tiles[slots],
            self.moves[slots],
            self.counts[worker],
            self.last[worker : worker + 1],
        )
        self.engine.run(worker, results, first_game, count)

    def _play_side_by_side(self, first_slot: int, sizes: list[int], first_game: int) -> None:
        """Let each worker play a part of the games, `sizes[worker]` of them, at the same time."""
        jobs: list[Future] = []
        offset = 0
        for worker, size in enumerate(sizes):
            job = self.pool.submit(
                self._play, worker, first_slot + offset, size, first_game + offset
            )
            jobs.append(job)
            offset += size
        try:
            for job in jobs:
                job.result()
        except KeyboardInterrupt:
            for job in jobs:  # at most PAUSE long
                job.result()
            self._close_chunk()
            raise

    def _threads(self) -> tuple[int, float]:
        """How many threads play the next chunk, and what share of the usual number of games it has.

        Threads that learn keep taking the cache lines of much used weights from each other. Where cores share no cache,
        two can be half as fast as one. So the run begins with one thread, goes on with what was faster when last seen,
        and tries the other way for a short chunk ever more rarely.
        """
        self.chunks += 1
        if self.threads == 1 or not self.engine.learns:
            return self.threads, 1
        faster = self.threads if self.speed[self.threads] > self.speed[1] else 1
        if self.chunks < self.next_try:
            return faster, 1
        self.next_try *= 4
        slower = 1 if faster == self.threads else self.threads
        return slower, TRY_SHARE

    def _played_in_chunk(self) -> int:
        return int(sum(count[0] for count in self.counts))

    def _close_chunk(self) -> int:
        """Add the games of the chunk to those that are done. Returns how many."""
        played = self._played_in_chunk()
        for count in self.counts:
            count[0] = 0
        self.done += played
        return played
