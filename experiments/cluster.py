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
from experiments.place import Killed, Machine
from experiments.worker import Outcome, compute

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


class Worker(Machine):
    """A worker whose code is ours."""

    def __init__(self, executor, threads: int, memory: int | None):
        super().__init__(threads, memory)
        self.executor = executor

    def start(self, piece: Piece) -> Future:
        """Start a piece there."""
        return self.executor.submit(work, piece)


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

    def __init__(self, address: str):
        self.expected = versions.sources_hash()
        self.client = connect(address)
        self.workers: dict[str, Worker] = {}  # those whose code is ours
        self.asked: dict[str, Future] = {}  # workers that have not said yet what code they have
        self.refused: set[str] = set()  # those that get no pieces
        self.last_seen = time.monotonic()
        try:
            self.client.subscribe_topic(TOPIC, self._heard)
            self._wait_for_first_answers()
        except BaseException:
            self.close()
            raise

    def _wait_for_first_answers(self) -> None:
        end = time.monotonic() + LOADING
        wrong = self._meet()
        while self.asked and time.monotonic() < end:
            time.sleep(0.05)
            wrong |= self._meet()
        if wrong:
            raise ValueError("; ".join(wrong.values()))
        if not self.workers:
            silent = f" that answers within {LOADING} s" if self.asked else ""
            raise ValueError(
                f"the scheduler at {self.client.scheduler.address} has no worker{silent}; "
                "experiments/README.md says how to start some"
            )

    @property
    def machines(self) -> list[Worker]:
        """What pieces can be given to."""
        return list(self.workers.values())

    def look(self) -> list[str]:
        """See who joined and who left. Returns what is to be told about it."""
        wrong = self._meet()
        for address in wrong:
            self._retire(address)
        if self.workers:
            self.last_seen = time.monotonic()
        elif time.monotonic() - self.last_seen > ABANDONED:
            raise ValueError(f"all workers have left, and for {ABANDONED} s none came")
        return list(wrong.values())

    def _meet(self) -> dict[str, str]:
        """Ask new workers what code they have, and use those whose code is ours.

        Returns {address: what is wrong} of those that have just been refused.
        """
        threads = self._threads()
        for address in self.workers.keys() - threads.keys():
            self._lose(address)
        # What comes back at an address may have other code by then.
        self.asked = {name: answer for name, answer in self.asked.items() if name in threads}
        self.refused &= threads.keys()
        wrong: dict[str, str] = {}
        for address in threads.keys() - self.workers.keys() - self.refused:
            if address not in self.asked:
                self.asked[address] = self._executor(address).submit(_question())
            elif self.asked[address].done():
                wrong |= self._take_on(address, threads[address])
        self.refused |= wrong.keys()
        return wrong

    def _threads(self) -> dict[str, int]:
        """How many threads each worker has."""
        try:
            return self.client.nthreads(callback_timeout=PATIENCE)
        except Exception as error:
            raise ValueError(f"the scheduler does not answer any more: {error!r}") from None

    def _executor(self, address: str):
        """What runs things on this worker and on no other."""
        return self.client.get_executor(workers=[address], pure=False)

    def _take_on(self, address: str, threads: int) -> dict[str, str]:
        """Use a worker that has answered, or return {address: what is wrong with it}."""
        answer = self.asked.pop(address)
        if answer.cancelled() or answer.exception() is not None:
            return {}  # it is asked again, if it is still there
        sources, python, memory = answer.result()
        wrong = self._what_is_wrong(sources, python)
        if not wrong:
            self.workers[address] = Worker(self._executor(address), threads, memory)
            return {}
        mend = "bring its checkout to the same state and start the worker again"
        return {address: f"worker {address} has {wrong}; {mend}"}

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
        for future in self.workers.pop(address).running:
            if not future.done():
                future.set_exception(Killed(f"the worker {address} is gone"))

    def _heard(self, event) -> None:
        """A worker says how far it is; this comes in a thread of the client."""
        _, message = event
        name = message.pop("name")
        running = [list(worker.running.values()) for worker in self.machines]
        if any(piece.name == name for pieces in running for piece in pieces):
            progress.write(name, message)

    def close(self) -> None:
        """Leave the cluster; pieces still running there come to their end unheard."""
        self.client.close()
