"""The workers of a Dask cluster. README.md says how to start one.

Each worker is asked first what code it has. It gets pieces only when that is ours, and no more at
once than it has threads and memory for. A worker that joins later with other code is retired: it is
told to leave, has taken no piece, and the others go on.
"""

import asyncio
import contextlib
import time
from concurrent.futures import Future

from experiments import progress, versions
from experiments.piece import Piece
from experiments.place import Machine
from experiments.worker import Outcome, compute

PATIENCE = 10  # seconds to wait for an answer of the scheduler
LOADING = 60  # seconds to wait for that of workers, which have to load our modules first
ABANDONED = 120  # seconds to wait for a worker, when all have left
TOPIC = "experiments"


def work(piece: Piece) -> Outcome:
    """Run a piece on a worker."""
    from distributed import get_worker

    worker = get_worker()

    def write(update):
        worker.log_event(TOPIC, {"name": piece.name, **update})

    return compute(piece, write)


def _question():
    """What every worker is asked: what code it has, in words, and its memory in bytes or None.

    A function inside a function travels whole, so a worker with other code, or none, can answer as
    well.
    """

    def ask():
        from distributed import get_worker

        manager = getattr(get_worker(), "memory_manager", None)
        memory = getattr(manager, "memory_limit", None)
        try:
            from experiments.versions import LOADED, code_in_words

            return code_in_words(LOADED), memory
        except Exception as error:
            return f"no code of this project ({type(error).__name__}: {error})", memory

    return ask


def connect(address: str):
    """A client of the scheduler at an address, or a ValueError that says why there is none."""
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
        raise ValueError(
            f"no Dask scheduler answers at {address!r}, which should be tcp://HOST:PORT: {reason}"
        ) from None


class Worker(Machine):
    """A worker, from when it is asked what code it has."""

    def __init__(self, executor, threads: int, memory: int | None = None):
        super().__init__(threads, memory)
        self.executor = executor  # of this worker and no other
        self.answer: Future = executor.submit(_question())
        self.code: str | None = None  # in words, once it has answered

    def start(self, piece: Piece) -> Future:
        """Start a piece there."""
        return self.executor.submit(work, piece)


class Cluster:
    """The workers that the scheduler at an address, tcp://HOST:PORT, knows.

    ValueError if none answers there, it has no workers, or one of them has other code than this
    machine.
    """

    def __init__(self, address: str):
        self.code = versions.code_in_words(versions.sources_hash())
        self.client = connect(address)
        self.workers: dict[str, Worker] = {}
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
        while any(worker.code is None for worker in self.workers.values()):
            if time.monotonic() > end:
                break
            time.sleep(0.05)
            wrong |= self._meet()
        if wrong:
            raise ValueError("; ".join(wrong.values()))
        if not self.machines:
            silent = f" that answers within {LOADING} s" if self.workers else ""
            raise ValueError(
                f"the scheduler at {self.client.scheduler.address} has no worker{silent}; "
                "experiments/README.md says how to start some"
            )

    @property
    def machines(self) -> list[Worker]:
        """What pieces can be given to: the workers whose code is ours."""
        return [worker for worker in self.workers.values() if worker.code == self.code]

    def look(self) -> list[str]:
        """See who joined and who left. Returns what is to be told about it."""
        wrong = self._meet()
        for address in wrong:
            self._retire(address)
        if self.machines:
            self.last_seen = time.monotonic()
        elif time.monotonic() - self.last_seen > ABANDONED:
            raise ValueError(f"all workers have left, and for {ABANDONED} s none came")
        return list(wrong.values())

    def _meet(self) -> dict[str, str]:
        """Ask new workers what code they have, and hear the answers.

        Returns {address: what is wrong} of those that have just said that theirs is not ours.
        """
        threads = self._threads()
        for address in self.workers.keys() - threads.keys():
            self._lose(address)
        for address in threads.keys() - self.workers.keys():
            executor = self.client.get_executor(workers=[address], pure=False)
            self.workers[address] = Worker(executor, threads[address])
        wrong = {}
        answered = [
            (address, worker)
            for address, worker in self.workers.items()
            if worker.code is None and worker.answer.done()
        ]
        for address, worker in answered:
            if worker.answer.cancelled() or worker.answer.exception() is not None:
                del self.workers[address]  # it is asked again, if it is still there
                continue
            worker.code, worker.memory = worker.answer.result()
            if worker.code != self.code:
                wrong[address] = (
                    f"worker {address} has {worker.code}, this machine {self.code}; "
                    "bring its checkout to the same state and start the worker again"
                )
        return wrong

    def _threads(self) -> dict[str, int]:
        """How many threads each worker has."""
        try:
            return self.client.nthreads(callback_timeout=PATIENCE)
        except Exception as error:
            raise ValueError(f"the scheduler does not answer any more: {error!r}") from None

    def _lose(self, address: str) -> None:
        """A worker is gone; what it ran is to be tried elsewhere."""
        for future in self.workers.pop(address).running:
            future.cancel()

    def _retire(self, address: str) -> None:
        """Tell a worker to leave, so that nobody counts on it; no harm is done if it stays."""
        with contextlib.suppress(Exception):
            self.client.retire_workers([address], close_workers=True, callback_timeout=PATIENCE)

    def _heard(self, event) -> None:
        """A worker says how far it is; this comes in a thread of the client."""
        _, message = event
        name = message.pop("name")
        running = [
            piece
            for worker in list(self.workers.values())
            for piece in list(worker.running.values())
        ]
        if name in [piece.name for piece in running]:
            progress.write(name, message)

    def close(self) -> None:
        """Leave the cluster; pieces still running there come to their end unheard."""
        self.client.close()
