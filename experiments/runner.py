"""Running what is missing: on the processes of this machine or on a cluster, each piece once.

Local pieces run in processes of their own, also a single one, so that Ctrl-C and a crash cannot leave half a result;
the worker itself stores what it made. Pieces on a cluster come back here to be stored.
"""

import functools
import itertools
import os
import signal
import threading
import time
import traceback
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

import joblib
import psutil
from joblib.externals.loky import get_reusable_executor

from experiments import keys, progress, store
from experiments.piece import Piece


class Outcome(NamedTuple):
    """What became of a piece."""

    name: str
    seconds: float = 0.0
    error: str | None = None  # the traceback of a piece that failed
    parts: tuple | None = None  # (scalars, arrays, about) of a piece that is not stored yet


class PiecesFailed(ValueError):
    """Some pieces did not come to an end; what the others made is stored."""


def compute(piece: Piece, write) -> Outcome:
    """Run a piece in this thread; `write` is called with its progress."""
    started = time.perf_counter()
    try:
        about = store.provenance()
        with progress.reporting(write):
            outcome = piece.function(**piece.parameters)
        scalars, arrays, measured = store.split(outcome, piece.function.__name__)
        seconds = round(time.perf_counter() - started, 3)
        whole = sum(
            value for name, value in measured.items() if name.endswith("_seconds")
        )  # earlier starts included
        about |= {"seconds": max(seconds, round(whole, 3)), "measured": measured}
        about |= {"label": piece.label, "tags": piece.tags}
        about |= {
            "function": piece.function.__qualname__,
            "parameters": piece.parameters,
            "code": piece.code,
        }
        return Outcome(piece.name, seconds, None, (scalars, arrays, about))
    except BaseException:  # SystemExit, too, is the piece's failure and not the worker's
        return Outcome(piece.name, time.perf_counter() - started, traceback.format_exc())


_begun = threading.Event()


_code_here = functools.cache(keys.code_hash)


def _is_edited(piece: Piece, stamp: str) -> bool:
    """Whether this process loaded other sources than those that the piece was named by when the run began."""
    if keys.loaded_stamp() == stamp:
        return False
    return piece.function.__module__ == "__main__" or _code_here(piece.function) != piece.code


def work(piece: Piece, stamp: str) -> Outcome:
    """Run a piece in a process of its own and store what it made, unless another run makes it at the same moment."""
    if not _begun.is_set():
        _begun.set()
        # Ctrl-C reaches every process of a terminal. `train` answers it with the log so far, which must not pass for
        # the whole: the runner alone listens, and ends its workers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        progress.end_with(os.getppid())
    if _is_edited(piece, stamp):
        return Outcome(
            piece.name, error="ValueError: what it runs was edited during the run; start it again"
        )
    with progress.claim(piece.name, lambda: piece.state == "stored") as mine:
        if not mine:
            return Outcome(piece.name)
        state = {**progress.me(), "started": time.time()}
        outcome = compute(piece, lambda update: progress.write(piece.name, state | update))
        return keep(piece, outcome)


def keep(piece: Piece, outcome: Outcome) -> Outcome:
    """Store what came of a piece."""
    if outcome.parts is None:
        return outcome
    try:
        store.save(piece.path, *outcome.parts)
    except (OSError, ValueError):
        return outcome._replace(error=traceback.format_exc(), parts=None)
    return outcome._replace(parts=None)


def _check_jobs(jobs: int | None) -> None:
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs is a number of processes, at least 1, got {jobs}")


class Local:
    """The processes of this machine."""

    def __init__(self, jobs: int | None = None):
        _check_jobs(jobs)
        self.jobs = jobs or joblib.cpu_count()
        self.free = psutil.virtual_memory().available
        self.stamp = keys.project_stamp()

    def slots(self, piece: Piece) -> int:
        """How many pieces such as this one may run at once."""
        return min(self.jobs, max(1, self.free // max(1, piece.memory)))

    def outcomes(self, pieces: list[Piece], slots: int):
        """Run pieces, `slots` at a time. Yields outcomes as they come."""
        # joblib would run a single job in this process: with two workers and one piece handed out it does not.
        parallel = joblib.Parallel(
            n_jobs=max(2, slots),
            pre_dispatch=slots,
            batch_size=1,
            return_as="generator_unordered",
            backend="loky",
        )
        return parallel(joblib.delayed(work)(piece, self.stamp) for piece in pieces)

    def close(self) -> None:
        """End the processes: they hold memory, and code that may be changed before the next run."""
        get_reusable_executor().shutdown(wait=True, kill_workers=True)


def waves(pieces: list[Piece], place) -> list[tuple[int, list[Piece]]]:
    """The pieces in groups that one after the other run with so many slots; in a group the longest come first.

    Large networks go first, with fewer at a time.
    """
    ordered = sorted(pieces, key=lambda piece: (place.slots(piece), -piece.seconds))
    return [(slots, list(group)) for slots, group in itertools.groupby(ordered, key=place.slots)]


def run(
    stages, jobs: int | None = None, scheduler: str | None = None, show: bool = True
) -> dict[str, str]:
    """Run what is not stored yet. Returns {label: traceback} of the pieces that failed.

    stages: lists of pieces; what a later list needs (networks) is made by an earlier one.
    """
    _check_jobs(jobs)
    if jobs and scheduler:
        raise ValueError(
            "jobs counts processes of this machine; on a cluster its workers decide: leave it out"
        )
    seen = set()
    stages = [[p for p in unique(pieces, seen) if p.state != "stored"] for pieces in stages]
    missing = [piece for stage in stages for piece in stage]
    if not missing:
        return {}
    if scheduler:
        from experiments.cluster import Cluster

        place = Cluster(scheduler)
    else:
        place = Local(jobs)
    failed = {}
    try:
        slots = max(place.slots(piece) for piece in missing)
        with progress.Board(missing, slots, show) as board:
            board.begin(_opening(len(missing), len(seen), board.estimate(), slots))
            try:
                for stage in stages:
                    for slots, pieces in waves(stage, place):
                        _run_wave(place, pieces, slots, board, failed)
            except KeyboardInterrupt:
                board.say("Stopping ...")
                raise
    finally:
        place.close()
    return failed


def _opening(missing: int, asked: int, seconds: float, slots: int) -> str:
    stored = f", {asked - missing} are stored" if asked > missing else ""
    work = f"{missing} of {asked} results to make{stored}; about {progress.in_words(seconds)}, {slots} at once."
    return f"{work} Ctrl-C stops, and what is finished is kept."


def unique(pieces, seen: set) -> list[Piece]:
    """The pieces whose name is not in `seen` yet, to which it is added."""
    new = {piece.name: piece for piece in pieces if piece.name not in seen}
    seen.update(new)
    return list(new.values())


def _run_wave(place, pieces: list[Piece], slots: int, board, failed: dict) -> None:
    """Run pieces and note in `failed` what went wrong. What ran while a process died is tried again, one at a time."""
    batches = [(pieces, slots, False)]
    while batches:
        batch, slots, alone = batches.pop()
        left = {piece.name: piece for piece in batch}
        try:
            for outcome in place.outcomes(batch, slots):
                _finish(left.pop(outcome.name), outcome, board, failed)
        except BrokenProcessPool:
            if alone:
                error = "its process was killed, twice; had it enough memory?"
                _finish(batch[0], Outcome(batch[0].name, error=error), board, failed)
                continue
            board.say("A process was killed. What was running starts again, one at a time.")
            suspects = [piece for piece in left.values() if progress.was_begun(piece.name)] or list(
                left.values()
            )
            others = [piece for piece in left.values() if piece not in suspects]
            batches += [(others, slots, False)] if others else []
            batches += [([piece], 1, True) for piece in suspects]


def _finish(piece: Piece, outcome: Outcome, board, failed: dict) -> None:
    outcome = keep(piece, outcome)
    board.finished(piece.name, outcome.seconds, outcome.error)
    if outcome.error:
        failed[piece.label or piece.name] = outcome.error
