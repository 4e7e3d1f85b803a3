"""The processes of this machine.

Each runs one piece at a time, so that one that is killed takes no other with it.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import types
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

import cloudpickle
import psutil
from tqdm import tqdm

from experiments import progress, versions
from experiments.piece import Piece
from experiments.worker import Killed, Outcome, compute
from libewn.agent import ONE_THREAD

PATIENCE = 5  # seconds that a process has to end by itself; a kernel may keep it from listening
EDITED = "ValueError: files of the project were edited since this run began; start it again"


def work(content: bytes, expected: str) -> Outcome:
    """Run a piece in a process of its own."""
    piece = cloudpickle.loads(content)
    if expected != versions.LOADED:
        return Outcome(error=EDITED)
    state = {"started": time.time(), "process": os.getpid()}
    progress.write(piece.name, state)
    return compute(piece, lambda update: progress.write(piece.name, state | update))


def _begin(leash) -> None:
    """What each process does first.

    It ends when the other end of its leash is closed, which also the death of its runner does.
    """
    # Ctrl-C reaches every process of a terminal. `train` answers it with the log so far, which must
    # not pass for the whole: the runner alone listens, and ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Otherwise tqdm makes a lock between processes, which nobody would clean up.
    tqdm.set_lock(threading.RLock())

    def watch():
        wait([leash])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _one_thread_each():
    """Within this, new processes start no threads for linear algebra.

    Numpy starts one for each core when it is imported. Pieces need none of them, and as many
    processes as cores would have the square of that.
    """
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _starting_processes():
    """Within this, new processes do not hear Ctrl-C, and do not run the reader's script once more.

    Python's way of starting a process imports the main module again there. Pieces travel with the
    functions they need, so that is not necessary; and a script that is not written for it would
    begin the whole run anew in each process.
    """
    main = sys.modules["__main__"]
    can_block = hasattr(signal, "pthread_sigmask")
    if can_block:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if can_block:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def count_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Local:
    """So many processes of this machine, as far as its memory allows.

    Parameters
    ----------
    jobs : int, optional
        How many pieces run at once at most; the number of cores when None.
    """

    retries_alone = True

    def __init__(self, jobs: int | None = None):
        self.jobs = jobs or count_cores()
        self.memory = psutil.virtual_memory().available
        self.sources = versions.sources_hash()
        self.context = multiprocessing.get_context("spawn")
        self.leash, self.end_of_leash = self.context.Pipe(duplex=False)
        self.idle: list[ProcessPoolExecutor] = []
        self.busy: dict[Future, tuple[ProcessPoolExecutor, Piece]] = {}
        self.processes: set[multiprocessing.Process] = set()

    def has_room(self, piece: Piece) -> bool:
        """Whether this piece may start now: alone it always may."""
        used = sum(other.memory for _, other in self.busy.values())
        fits = not self.busy or used + piece.memory <= self.memory
        return fits and len(self.busy) < self.jobs

    def submit(self, piece: Piece) -> Future:
        """Start a piece on an idle process, or a new one."""
        content = cloudpickle.dumps(piece)
        executor = self.idle.pop() if self.idle else self._new_executor()
        others = set(multiprocessing.active_children())
        with _starting_processes(), _one_thread_each():
            answer = executor.submit(work, content, self.sources)
        self.processes |= set(multiprocessing.active_children()) - others
        future: Future = Future()
        answer.add_done_callback(lambda answer: _pass_on(answer, future))
        self.busy[future] = executor, piece
        return future

    def _new_executor(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            1, mp_context=self.context, initializer=_begin, initargs=(self.leash,)
        )

    def free(self, future: Future) -> None:
        """The process of this piece is idle again, unless it is gone."""
        if future not in self.busy:
            return  # it never started
        executor, _ = self.busy.pop(future)
        if future.exception() is None:
            self.idle.append(executor)
        else:
            executor.shutdown(wait=False)

    def look(self) -> list[str]:
        """Nothing changes here."""
        return []

    def close(self) -> None:
        """End all processes: they hold memory, and code that may be changed before the next run."""
        self.end_of_leash.close()
        for process in self.processes:
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
        for executor in self.idle + [executor for executor, _ in self.busy.values()]:
            executor.shutdown(wait=True, cancel_futures=True)
        self.leash.close()


def _pass_on(answer: Future, future: Future) -> None:
    """Hand an executor's answer on, and say in our words that its process was killed."""
    if answer.cancelled():
        future.cancel()
        return
    error = answer.exception()
    if isinstance(error, BrokenProcessPool):
        error = Killed("its process was killed")
    if error is None:
        future.set_result(answer.result())
    else:
        future.set_exception(error)
