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

import cloudpickle
import psutil
from tqdm import tqdm

from experiments import progress, versions
from experiments.piece import Piece
from experiments.place import Machine
from experiments.worker import Outcome, compute
from libewn.agent import ONE_THREAD

EDITED = "ValueError: files of the project were edited since this run began; start it again"


def work(content: bytes, expected: str) -> Outcome:
    """Run a piece in a process of its own."""
    piece = cloudpickle.loads(content)
    if expected != versions.LOADED:
        return Outcome(error=EDITED)
    state = {"started": time.time(), "process": os.getpid()}
    progress.write(piece.name, state)
    return compute(piece, lambda update: progress.write(piece.name, state | update))


def _begin() -> None:
    """What each process does first."""
    # Ctrl-C reaches every process of a terminal. `train` answers it with the log so far, which must
    # not pass for the whole: the runner alone listens, and ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Otherwise tqdm makes a lock between processes, which nobody would clean up.
    tqdm.set_lock(threading.RLock())
    threading.Thread(target=_end_with_the_runner, daemon=True).start()


def _end_with_the_runner() -> None:
    """Nothing goes on unseen when the runner is gone, however it ended."""
    multiprocessing.parent_process().join()
    os._exit(1)


@contextlib.contextmanager
def _starting_processes():
    """Within this, new processes are born deaf to Ctrl-C, single-threaded, without a script.

    Numpy starts a thread for each core when it is imported, and pieces need none of them. Python's
    way of starting a process imports the main module again there. Pieces travel with the functions
    they need, so that is not necessary; and a script that is not written for it would begin the
    whole run anew in each process.
    """
    main = sys.modules["__main__"]
    environment = {name: os.environ.get(name) for name in ONE_THREAD}
    can_block = hasattr(signal, "pthread_sigmask")
    if can_block:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        for name, value in environment.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        if can_block:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def count_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Local(Machine):
    """So many processes of this machine, one a core if not told, as far as its memory allows."""

    def __init__(self, jobs: int | None = None):
        super().__init__(jobs or count_cores(), psutil.virtual_memory().available)
        self.machines = [self]
        self.sources = versions.sources_hash()
        self.executors: dict[ProcessPoolExecutor, Future] = {}  # with what each was given last
        self.processes: set[multiprocessing.process.BaseProcess] = set()

    def could_hold(self, piece: Piece) -> bool:
        """Alone, every piece may run."""
        return True

    def start(self, piece: Piece) -> Future:
        """Start a piece on an idle process, or a new one."""
        content = cloudpickle.dumps(piece)
        executor = self._take_idle_executor()
        others = set(multiprocessing.active_children())
        with _starting_processes():
            answer = executor.submit(work, content, self.sources)
        self.executors[executor] = answer
        self.processes |= set(multiprocessing.active_children()) - others
        return answer

    def _take_idle_executor(self) -> ProcessPoolExecutor:
        """One whose process is done and alive, or a new one, whose process starts with its work."""
        for executor, answer in self.executors.items():
            if answer.done() and answer.exception() is None:
                del self.executors[executor]
                return executor
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, mp_context=context, initializer=_begin)

    def look(self) -> list[str]:
        """Nothing changes here."""
        return []

    def close(self) -> None:
        """End all processes: they hold memory, and code that may be changed before the next run."""
        for process in self.processes:
            process.kill()  # a kernel may keep it from listening to anything less
        for executor in self.executors:
            executor.shutdown()
