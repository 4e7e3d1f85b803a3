"""The workers of a Dask cluster. README.md says how to start one.

Each worker is asked first what code it has. It gets pieces only when that is ours, and no more at
once than it has threads and memory for. A worker that joins later with other code is retired: it is
told to leave, has taken no piece, and the others go on.
"""

import asyncio
import contextlib
import platform
import re
import time
from concurrent.futures import Future

from experiments import progress, versions
from experiments.piece import Piece
from experiments.worker import Killed, Outcome, compute

PATIENCE = 10  # seconds to wait for an answer of the scheduler
LOADING = 60  # seconds to wait for that of workers, which have to load our modules first
ABANDONED = 120  # seconds to wait for a worker, when all have left
TOPIC = "experiments"
ADDRESS = re.compile(r"(tcp|tls)://([^/:\[\]]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})")


def work(piece: Piece) -> Outcome:
    """Run a piece on a worker."""
    from distributed import get_worker

    worker = get_worker()

    def write(update):
        worker.log_event(TOPIC, {"name": piece.name, **update})

    return compute(piece, write)


def _question():
    """What every worker is asked.

    It answers (hash of its sources or what is wrong, version of Python, bytes of memory or None).

    A function inside a function travels whole, so a worker with other code, or none, can answer as
    well.
    """

    def ask():
        import platform

        from distributed import get_worker

        manager = getattr(get_worker(), "memory_manager", None)
        memory = getattr(manager, "memory_limit", None)
        try:
            from experiments.versions import LOADED
        except Exception as error:
            return f"no code of this project ({type(error).__name__}: {error})", "", memory
        return LOADED, platform.python_version(), memory

    return ask


def check_address(address: str) -> str:
    """The address of a scheduler, or a ValueError where it is none."""
    match = ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[3]) < 65536:
        raise ValueError(
            "the address of a Dask scheduler is tcp://HOST:PORT (or tls://HOST:PORT), "
            f"got {address!r}"
        )
    return address


def connect(address: str):
    """A client of the scheduler at an address, or a ValueError that says why there is none."""
    check_address(address)
    try:
        import distributed
    except ImportError:
        raise ValueError(
            f"--scheduler {address} needs Dask: python -m pip install 'lib2048[cluster]'"
        ) from None
    kind = _identity(distributed, address)
    if kind != "Scheduler":
        raise ValueError(f"what answers at {address} is a {kind}, not a Dask scheduler")
    return distributed.Client(address, timeout=PATIENCE, set_as_default=False)


def _identity(distributed, address: str) -> str:
    """What answers at an address: "Scheduler". A client of something else would wait for ever."""

    async def ask() -> str:
        there = distributed.rpc(address, timeout=PATIENCE)
        try:
            identity = await there.identity()
            return identity["type"]
        finally:
            await there.close_rpc()

    try:
        return asyncio.run(asyncio.wait_for(ask(), PATIENCE))
    except Exception as error:  # whatever else listens there may answer with anything
        reason = str(error) or f"no answer within {PATIENCE} s"
        raise ValueError(f"no Dask scheduler answers at {address}: {reason}") from None


class Machine:
    """A worker whose code is ours."""

    def __init__(self, executor, threads: int, memory: int | None):
        self.executor = executor
        self.threads = threads
        self.memory = memory  # bytes; None where it has no limit
        self.running: dict[Future, Piece] = {}

    def could_hold(self, piece: Piece) -> bool:
        """Whether a piece fits into its memory, if nothing else runs."""
        return self.memory is None or piece.memory <= self.memory

    def has_room(self, piece: Piece) -> bool:
        """Whether a piece fits in beside what runs."""
        used = sum(other.memory for other in self.running.values())
        fits = self.memory is None or used + piece.memory <= self.memory
        return fits and len(self.running) < self.threads


class Cluster:
    """The workers that a Dask scheduler knows.

    Parameters
    ----------
    address : str
        tcp://HOST:PORT of the scheduler.

    Raises
    ------
    ValueError
        If none answers there, it has no workers, or one of them has other code than this machine.
    """

    retries_alone = False

    def __init__(self, address: str):
        self.expected = versions.sources_hash()
        self.client = connect(address)
        self.machines: dict[str, Machine] = {}
        self.asked: dict[str, Future] = {}  # workers that have not said yet what code they have
        self.refused: dict[str, str] = {}  # why others get no pieces
        self.news: list[str] = []
        self.has_begun = False  # from then on, workers that do not fit are retired
        self.last_seen = time.monotonic()
        try:
            self.client.subscribe_topic(TOPIC, self._heard)
            self._wait_for_first_answers()
        except BaseException:
            self.close()
            raise

    def _wait_for_first_answers(self) -> None:
        end = time.monotonic() + LOADING
        self.look()
        while self.asked and time.monotonic() < end:
            time.sleep(0.05)
            self.look()
        if self.refused:
            raise ValueError("; ".join(self.refused.values()))
        if not self.machines:
            silent = f" that answers within {LOADING} s" if self.asked else ""
            raise ValueError(
                f"the scheduler at {self.client.scheduler.address} has no worker{silent}; "
                "experiments/README.md says how to start some"
            )
        self.news.clear()
        self.has_begun = True

    def look(self) -> list[str]:
        """See who joined and who left. Returns what is to be told about it."""
        threads = self._threads()
        for address in threads.keys() - self.machines.keys() - self.refused.keys():
            self._meet(address, threads[address])
        for address in self.machines.keys() - threads.keys():
            self._lose(address)
        for address in self.asked.keys() - threads.keys():
            del self.asked[address]
        for address in self.refused.keys() - threads.keys():
            del self.refused[address]  # what comes back there may have other code by then
        if self.machines:
            self.last_seen = time.monotonic()
        elif time.monotonic() - self.last_seen > ABANDONED:
            raise ValueError(f"all workers have left, and for {ABANDONED} s none came")
        news, self.news = self.news, []
        return news

    def _threads(self) -> dict[str, int]:
        """How many threads each worker has."""
        try:
            return self.client.nthreads(callback_timeout=PATIENCE)
        except Exception as error:
            raise ValueError(f"the scheduler does not answer any more: {error!r}") from None

    def _executor(self, address: str):
        """What runs things on this worker and on no other."""
        return self.client.get_executor(workers=[address], pure=False)

    def _meet(self, address: str, threads: int) -> None:
        """Ask a worker what code it has; once it has answered, use it or leave it."""
        if address not in self.asked:
            self.asked[address] = self._executor(address).submit(_question())
            return
        answer = self.asked[address]
        if not answer.done():
            return
        del self.asked[address]
        if answer.cancelled() or answer.exception() is not None:
            return  # it is asked again, if it is still there
        sources, python, memory = answer.result()
        wrong = self._what_is_wrong(sources, python)
        if wrong:
            self.refused[address] = (
                f"worker {address} has {wrong}; "
                "bring its checkout to the same state and start the worker again"
            )
            self.news.append(self.refused[address])
            if self.has_begun:
                self._retire(address)
        else:
            self.machines[address] = Machine(self._executor(address), threads, memory)

    def _retire(self, address: str) -> None:
        """Tell a worker to leave, so that nobody counts on it; no harm is done if it stays."""
        with contextlib.suppress(Exception):
            self.client.retire_workers([address], close_workers=True, callback_timeout=PATIENCE)

    def _what_is_wrong(self, sources: str, python: str) -> str:
        """Why a worker would not give the same results; nothing where it would."""
        if " " in sources:
            return sources
        if sources != self.expected:
            return f"other code, {sources[:12]}, this machine {self.expected[:12]}"
        here = platform.python_version()
        if python.split(".")[:2] != here.split(".")[:2]:
            return f"Python {python}, this machine {here}"
        return ""

    def _lose(self, address: str) -> None:
        """A worker is gone; what it ran is to be tried elsewhere."""
        for future in self.machines.pop(address).running:
            if not future.done():
                future.set_exception(Killed(f"the worker {address} is gone"))

    def has_room(self, piece: Piece) -> bool:
        """Whether a worker can take this piece now; ValueError when it fits into none."""
        machines = self.machines.values()
        if machines and not any(machine.could_hold(piece) for machine in machines):
            raise ValueError(
                f"{piece.label} takes {piece.memory / 2**30:.1f} GiB, more than any worker has"
            )
        return any(machine.has_room(piece) for machine in machines)

    def submit(self, piece: Piece) -> Future:
        """Start a piece on the worker that has least to do."""
        able = [machine for machine in self.machines.values() if machine.has_room(piece)]
        machine = min(able, key=lambda machine: len(machine.running) / machine.threads)
        answer = machine.executor.submit(work, piece)
        future: Future = Future()
        machine.running[future] = piece
        answer.add_done_callback(lambda answer: _pass_on(answer, future))
        return future

    def free(self, future: Future) -> None:
        """This piece is done with."""
        for machine in self.machines.values():
            machine.running.pop(future, None)

    def _heard(self, event) -> None:
        """A worker says how far it is."""
        _, message = event
        name = message.pop("name")
        running = [machine.running.values() for machine in self.machines.values()]
        if any(piece.name == name for pieces in running for piece in pieces):
            progress.write(name, message)

    def close(self) -> None:
        """Leave the cluster; pieces still running there come to their end unheard."""
        self.client.close()


def _pass_on(answer: Future, future: Future) -> None:
    """Hand a worker's answer on, and say in our words that Dask gave up because the worker died."""
    if future.done():
        return
    if answer.cancelled():
        future.set_exception(Killed("the worker is gone"))
        return
    error = answer.exception()
    if type(error).__name__ == "KilledWorker":
        error = Killed("its worker was killed")
    if error is None:
        future.set_result(answer.result())
    else:
        future.set_exception(error)
