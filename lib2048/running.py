"""Running many games: in chunks that Ctrl-C can interrupt, on one thread or several.

A kernel that runs cannot be interrupted. So games are played in chunks of a tenth of a second, and
Ctrl-C, or the stop button of a notebook, acts between two of them.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from lib2048.engines import Engine
from lib2048.learning import Games
from lib2048.validate import check_memory

BYTES_OF_A_GAME = 8 + 1 + 4  # its score, largest tile and number of moves
PAUSE = 0.1  # seconds between returns to Python, where Ctrl-C acts
FIRST_TRY = 8  # the chunk in which the slower number of threads is tried first
LATER_TRIES = 4  # each next try comes after so many times as many chunks
TRY_SHARE = 0.125  # of the usual number of games, in a chunk that is only a try


class _Progress(NamedTuple):
    """What is done. Replaced as a whole, so that Ctrl-C at any moment finds it consistent."""

    done: int  # games of chunks that are over
    counts: list[np.ndarray]  # int64, one entry: games of the present chunk that each worker did


class Runner:
    """Plays games in chunks, on one thread or several, and collects their results.

    The kernels themselves count the games they finish. So whatever interrupts the Python in
    between, the counts say what the network has learned from.

    Parameters
    ----------
    engine : Engine
        What plays the games, and learns from them or not.
    total : int
        The most games that will be played.
    threads : int
        How many threads may play at the same time.

    Raises
    ------
    ValueError
        If what so many games leave behind does not fit into memory.
    """

    def __init__(self, engine: Engine, total: int, threads: int):
        check_memory(BYTES_OF_A_GAME * total, f"the log of {total:,} games")
        self.engine = engine
        self.threads = threads
        self.scores = np.zeros(total, np.int64)
        self.max_tiles = np.zeros(total, np.uint8)
        self.moves = np.zeros(total, np.int32)
        self.last = np.zeros(threads, np.float32)  # the last value each worker learned
        self.progress = self._progress_after(0)
        self.pace = 1.0  # games a chunk and thread
        self.chunks = 0  # how many were begun
        self.next_try = FIRST_TRY
        self.speed = {1: 0.0, threads: 0.0}  # moves a second when last seen, by number of threads
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _progress_after(self, done: int) -> _Progress:
        return _Progress(done, [np.zeros(1, np.int64) for _ in range(self.threads)])

    @property
    def done(self) -> int:
        """How many games the chunks had that are over."""
        return self.progress.done

    def finished(self) -> int:
        """How many games are done, with those of a chunk that Ctrl-C cut off.

        With several threads, call `close` before.
        """
        done, counts = self.progress
        return done + sum(int(count[0]) for count in counts)

    def take_over(self, scores: np.ndarray, max_tiles: np.ndarray, moves: np.ndarray) -> None:
        """Start with the results of games played before."""
        done = len(scores)
        self.scores[:done] = scores
        self.max_tiles[:done] = max_tiles
        self.moves[:done] = moves
        self.progress = self._progress_after(done)

    def prepare(self) -> None:
        """Have the kernel compiled in this thread, in which Ctrl-C ends the compiler as well."""
        self._play(0, self.done, 0, 0)

    def chunk(self, most: int, first_game: int) -> int:
        """Play as many games as a tenth of a second holds, at least one.

        Parameters
        ----------
        most : int
            The most games to play.
        first_game : int
            The number of the first of them, from which its random tiles come.

        Returns
        -------
        int
            How many were played.
        """
        started = time.perf_counter()
        first_slot = self.done
        threads, share = self._threads()
        evenly = -(-most // threads)
        each = max(1, min(int(self.pace * share), evenly))
        if threads == 1:
            self._play(0, first_slot, each, first_game)
        else:
            self._play_side_by_side(first_slot, _split(most, each, threads), first_game)
        self.progress = self._progress_after(self.finished())

        seconds = max(time.perf_counter() - started, 1e-6)
        self.pace = min(2 * self.pace, max(1.0, each * PAUSE / seconds))
        self.speed[threads] = self.moves[first_slot : self.done].sum(dtype=np.int64) / seconds
        return self.done - first_slot

    def close(self) -> None:
        """Wait for the threads, which end with the chunk they are at, and let them go."""
        if self.pool is not None:
            self.pool.shutdown()

    def _play(self, worker: int, first_slot: int, count: int, first_game: int) -> None:
        """Let a worker play `count` games; their results go to the slots from `first_slot` on."""
        slots = slice(first_slot, first_slot + count)
        results = Games(
            self.scores[slots],
            self.max_tiles[slots],
            self.moves[slots],
            self.progress.counts[worker],
            self.last[worker : worker + 1],
        )
        self.engine.run(worker, results, first_game, count)

    def _play_side_by_side(self, first_slot: int, sizes: list[int], first_game: int) -> None:
        """Let each worker play a part of the games, `sizes[worker]` of them, at the same time."""
        assert self.pool is not None
        jobs = []
        offset = 0
        for worker, size in enumerate(sizes):
            slot = first_slot + offset
            game = first_game + offset
            jobs.append(self.pool.submit(self._play, worker, slot, size, game))
            offset += size
        wait_for(jobs)

    def _threads(self) -> tuple[int, float]:
        """How many threads play the next chunk, and what share of the usual games it has.

        Threads that learn keep taking the cache lines of much used weights from each other. Where
        cores share no cache, two can be half as fast as one. So the run begins with one thread,
        goes on with what was faster when last seen, and tries the other way for a short chunk ever
        more rarely.
        """
        self.chunks += 1
        if self.threads == 1 or not self.engine.learns:
            return self.threads, 1
        faster = self.threads if self.speed[self.threads] > self.speed[1] else 1
        if self.chunks < self.next_try:
            return faster, 1
        self.next_try *= LATER_TRIES
        slower = 1 if faster == self.threads else self.threads
        return slower, TRY_SHARE


def _split(games: int, each: int, threads: int) -> list[int]:
    """How many games each worker plays: `each`, while there are so many left."""
    sizes = []
    for worker in range(threads):
        left = games - worker * each
        if left > 0:
            sizes.append(min(each, left))
    return sizes


def wait_for(
    jobs: Sequence[Future],
    stop: np.ndarray | None = None,
    meanwhile: Callable[[], Any] | None = None,
) -> None:
    """Wait for jobs in other threads.

    Parameters
    ----------
    jobs : sequence of Future
        What to wait for.
    stop : numpy.ndarray, optional
        A flag that the jobs look at. Ctrl-C sets it and waits until they have seen it.
    meanwhile : callable, optional
        Called every tenth of a second, and at the end.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C came; all jobs are over then.
    Exception
        What a job raised.
    """
    waiting: set[Future] = set(jobs)
    try:
        while waiting:
            ready, waiting = wait(waiting, PAUSE, FIRST_EXCEPTION)
            if meanwhile is not None:
                meanwhile()
            for job in ready:
                job.result()
    except KeyboardInterrupt:
        if stop is not None:
            stop[0] = 1
        wait(jobs)
        raise
