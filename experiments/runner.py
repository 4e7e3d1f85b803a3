"""Running what is missing, each piece once: on the processes of this machine, or on a cluster.

A place (`local.Local`, `cluster.Cluster`) has machines, which start pieces and return futures. The
one loop here hands them pieces where they have room, and stores what comes back. The process that
runs this loop holds the claims on what it has begun.
"""

import time
import traceback
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import NamedTuple

from filelock import FileLock

from experiments import claims, progress, store
from experiments.cluster import Cluster
from experiments.local import Local
from experiments.piece import Piece
from experiments.place import Machine, machine_for
from experiments.worker import Outcome

TRIES = 2  # of a piece whose process is killed


class PiecesFailed(ValueError):
    """Some pieces did not come to an end; what the others made is stored."""


def run(
    stages, jobs: int | None = None, scheduler: str | None = None, show: bool = True
) -> dict[str, str]:
    """Run what is not stored yet. Returns {label: traceback} of the pieces that failed.

    Parameters
    ----------
    stages : list of lists of Piece
        What a later list needs (networks) is made by an earlier one.
    jobs : int, optional
        How many processes of this machine work at once; as many as there are cores when None.
    scheduler : str, optional
        The address of a Dask scheduler, whose workers do the work instead.
    show : bool
        Whether there is a bar.
    """
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs is a number of processes, at least 1, got {jobs}")
    if jobs and scheduler:
        raise ValueError(
            "jobs counts processes of this machine; on a cluster its workers decide: leave it out"
        )
    stages = each_once(stages)
    missing = [[piece for piece in pieces if piece.state != "stored"] for pieces in stages]
    to_make = sum(missing, [])
    if not to_make:
        return {}
    failed: dict[str, str] = {}
    place = Cluster(scheduler) if scheduler else Local(jobs)
    with closing(place), progress.Bar(to_make, show) as bar:
        for piece in to_make:
            machine_for(piece, place.machines)  # refuses what will never fit before anything begins
        bar.open(_opening(to_make, sum(map(len, stages))))
        try:
            for pieces in missing:
                failed |= _Stage(pieces, place, bar).run()
        except KeyboardInterrupt:
            bar.say("Stopping ...")
            raise
    return failed


def each_once(stages) -> list[list[Piece]]:
    """The stages without what an earlier place in them names already."""
    seen: set[str] = set()
    kept = []
    for pieces in stages:
        new = {piece.name: piece for piece in pieces if piece.name not in seen}
        seen |= new.keys()
        kept.append(list(new.values()))
    return kept


def _opening(to_make: list[Piece], asked: int) -> str:
    seconds = progress.in_words(sum(piece.seconds for piece in to_make))
    stored = asked - len(to_make)
    there = f", {stored} are stored" if stored else ""
    return (
        f"{len(to_make)} of {asked} results to make{there}; about {seconds} of one core. "
        "Ctrl-C stops, and what is finished is kept."
    )


class _Running(NamedTuple):
    """A piece that has begun, the machine that runs it, and this process's claim on it."""

    piece: Piece
    machine: Machine
    claim: FileLock


class _Stage:
    """The loop over the pieces of one stage."""

    def __init__(self, pieces: list[Piece], place: Local | Cluster, bar: progress.Bar):
        self.place = place
        self.bar = bar
        # Large networks first, then what takes long: what is small fits in beside them.
        self.waiting = sorted(pieces, key=lambda piece: (-piece.memory, -piece.seconds))
        self.running: dict[Future, _Running] = {}
        self.killed: Counter[str] = Counter()  # how often the process of each was killed
        self.failed: dict[str, str] = {}

    def run(self) -> dict[str, str]:
        """Run all pieces. Returns {label: traceback} of those that failed."""
        try:
            while self.waiting or self.running:
                for line in self.place.look():
                    self.bar.say(line)
                self._start_what_fits()
                self._wait()
        finally:
            self._give_up()
        return self.failed

    def _start_what_fits(self) -> None:
        for piece in list(self.waiting):
            machine = machine_for(piece, self.place.machines, self.killed)
            if machine is None:
                continue
            claim = claims.take(piece.name)
            if claim is None:
                continue  # another run makes it at this moment
            if piece.state == "stored":  # it has done so
                claim.release()
                self.waiting.remove(piece)
                self.bar.finish(piece.name, 0.0)
                continue
            self.waiting.remove(piece)
            progress.write(piece.name, {"started": time.time()})
            self.running[machine.submit(piece)] = _Running(piece, machine, claim)
            self.bar.begin(piece.name)

    def _wait(self) -> None:
        """Wait a moment, and deal with what is done by then."""
        if not self.running:
            time.sleep(progress.PAUSE)  # others make all that is left
        done, _ = wait(self.running, progress.PAUSE, FIRST_COMPLETED)
        for future in done:
            begun = self.running.pop(future)
            try:
                outcome = self._outcome(begun.piece, future)
                del begun.machine.running[future]
            finally:
                progress.forget(begun.piece.name)
                begun.claim.release()
            if outcome is not None:
                self.bar.finish(begun.piece.name, outcome.seconds, outcome.error)
                if outcome.error:
                    self.failed[begun.piece.label or begun.piece.name] = outcome.error
        self.bar.refresh()

    def _outcome(self, piece: Piece, future: Future) -> Outcome | None:
        """What became of a piece, stored; None when it is to be tried again."""
        try:
            return keep(piece, future.result())
        except Exception as error:
            if not _tells_of_a_death(error):  # it could not be taken there, or its outcome back
                return Outcome(error=traceback.format_exc())
        self.killed[piece.name] += 1
        if self.killed[piece.name] == TRIES:
            return Outcome(error="its process was killed, twice; had it enough memory?")
        self.bar.say(f"{piece.label}: its process was killed. It will start again.")
        self.waiting.append(piece)
        return None

    def _give_up(self) -> None:
        """Let go of what is still running: nothing, unless something was raised."""
        for begun in self.running.values():
            progress.forget(begun.piece.name)
            begun.claim.release()


def _tells_of_a_death(error: Exception) -> bool:
    """Whether an executor says in its own words that it lost the process of a piece."""
    # Dask's class is known by its name, since Dask need not be installed.
    is_of_dask = type(error).__name__ == "KilledWorker"
    return is_of_dask or isinstance(error, BrokenProcessPool | CancelledError)


def keep(piece: Piece, outcome: Outcome) -> Outcome:
    """Store what came of a piece."""
    if outcome.parts is None:
        return outcome
    try:
        store.save(piece.path, *outcome.parts)
    except (OSError, ValueError):
        return outcome._replace(error=traceback.format_exc(), parts=None)
    return outcome._replace(parts=None)
