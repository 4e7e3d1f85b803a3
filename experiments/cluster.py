"""The same pieces on other machines: a Dask cluster, through joblib's Dask backend. README.md says how to start one."""

import asyncio
import platform
import time

import joblib

from experiments import keys, progress, runner
from experiments.piece import Piece

PATIENCE = 10  # seconds to wait for an answer
TOPIC = "experiments"
LOST = ""  # the name in the outcome of a task that Dask gave up without saying which it was

try:
    import distributed
    from joblib._dask import DaskDistributedBackend
except ImportError:
    distributed, DaskDistributedBackend = None, object


class Backend(DaskDistributedBackend):
    """joblib's Dask backend, which waits for ever for a task that Dask gave up; this one hands over its failure."""

    def effective_n_jobs(self, n_jobs):
        """How many run at once; a single one joblib would run in this process, which is no worker."""
        return max(2, super().effective_n_jobs(n_jobs))

    async def _collect(self):
        while self._continue:
            async for future, result in self.waiting_futures:
                task, callback = self._results.pop(future), self._callbacks.pop(future)
                if future.status != "finished":
                    error = result[1] if isinstance(result, tuple) else result
                    result = [runner.Outcome(LOST, error=f"{type(error).__name__}: {error}")]
                task.set_result(result)
                callback(result)
            await asyncio.sleep(0.01)


def work(piece: Piece, expected: str) -> runner.Outcome:
    """Run a piece on a worker, whose code must be ours: also where the worker joined after the first look."""
    worker = distributed.get_worker()
    if keys.loaded_hash() != expected:
        error = f"ValueError: {_refusal(worker.address, keys.loaded_hash(), expected)}"
        return runner.Outcome(piece.name, 0.0, error)

    def write(update):
        worker.log_event(TOPIC, {"name": piece.name, **update})

    write({})
    return runner.compute(piece, write)


def _refusal(address: str, found: str, expected: str) -> str:
    return (
        f"worker {address} has {found if ' ' in found else 'other code, ' + found[:12]}, this machine {expected[:12]}; "
        "bring its checkout to the same state and start the worker again"
    )


def _question():
    """What every worker is asked. A function inside a function travels whole, so an old checkout can answer as well."""

    def ask(dask_worker):
        import platform

        try:
            from experiments.keys import loaded_hash

            memory = getattr(getattr(dask_worker, "memory_manager", None), "memory_limit", None)
            return loaded_hash(), platform.python_version_tuple()[:2], memory
        except Exception as error:
            return f"no code of this project ({type(error).__name__}: {error})", None, None

    return ask


class Cluster:
    """The workers that a Dask scheduler knows."""

    def __init__(self, address: str):
        if distributed is None:
            raise ValueError(
                f"--scheduler {address} needs Dask: python -m pip install 'lib2048[cluster]'"
            )
        try:
            self.client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ValueError(
                f"no Dask scheduler answers at {address!r}, expected tcp://HOST:PORT: {error}"
            ) from None
        try:
            self.expected = keys.project_hash()
            self.memory = self._check()
        except BaseException:
            self.client.close()
            raise
        self.names = set()
        self.client.subscribe_topic(TOPIC, self._heard)

    def _check(self) -> dict[str, int | None]:
        """The memory of each worker; ValueError where the code of one is not ours."""
        answers = self.client.run(_question(), on_error="return")
        if not answers:
            raise ValueError(
                f"the scheduler at {self.client.scheduler.address} has no workers; README.md starts some"
            )
        refused = []
        for worker, answer in answers.items():
            found, version, _ = (
                answer if isinstance(answer, tuple) else (f"no answer ({answer})", None, None)
            )
            if found != self.expected:
                refused.append(_refusal(worker, found, self.expected))
            elif version != platform.python_version_tuple()[:2]:
                mismatch = f"Python {'.'.join(version)}, this machine {platform.python_version()}"
                refused.append(f"worker {worker} has {mismatch}")
        if refused:
            raise ValueError("; ".join(refused))
        return {worker: answer[2] for worker, answer in answers.items()}

    def slots(self, piece: Piece) -> int:
        """How many pieces such as this one may run at once: a worker's threads share its memory."""
        fitting = []
        for worker, threads in self.client.nthreads().items():
            memory = (
                self.memory.get(worker) or 1 << 60
            )  # a worker may have no limit, or may have joined meanwhile
            fitting.append(min(threads, memory // max(1, piece.memory)))
        if not any(fitting):
            raise ValueError(
                f"{piece.label} takes {piece.memory / 2**30:.1f} GiB, more than any worker has"
            )
        return sum(fitting)

    def outcomes(self, pieces: list[Piece], slots: int):
        """Run pieces, `slots` at a time; all at once where memory is no limit, for workers that join later.

        Yields outcomes as they come.
        """
        self.names |= {piece.name for piece in pieces}
        ahead = "all" if slots >= sum(self.client.nthreads().values()) else slots
        parallel = joblib.Parallel(
            n_jobs=-1,
            pre_dispatch=ahead,
            batch_size=1,
            return_as="generator_unordered",
            backend=Backend(client=self.client),
        )
        left, lost = {piece.name for piece in pieces}, []
        for outcome in parallel(joblib.delayed(work)(piece, self.expected) for piece in pieces):
            if outcome.name == LOST:
                lost.append(outcome.error)
                continue
            left.discard(outcome.name)
            progress.done(outcome.name)
            yield outcome
        for name in left:
            yield runner.Outcome(name, error="; ".join(lost))

    def _heard(self, event) -> None:
        """A worker says how far it is."""
        _, message = event
        known = progress.read(message["name"]) or {**progress.me(), "started": time.time()}
        progress.write(message["name"], known | message)

    def close(self) -> None:
        """Leave the cluster; pieces still running there come to their end unheard."""
        self.client.close()
        for name in self.names:
            progress.done(name)
