"""The machines that run pieces, and which of them gets the next one.

The two places that have machines, local.py and cluster.py, differ in how a piece is started there,
and in who comes and goes (`look`). What a machine takes at once, and what is told of a process that
died, is the same.
"""

from collections.abc import Container, Iterable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

from experiments.piece import Piece


class Killed(Exception):
    """The process that ran a piece is gone."""


class Machine:
    """Something that runs pieces, a few at once.

    Parameters
    ----------
    threads : int
        How many at once.
    memory : int, optional
        Bytes that they may take together; as many as they like when None.
    """

    def __init__(self, threads: int, memory: int | None):
        self.threads = threads
        self.memory = memory
        self.running: dict[Future, Piece] = {}

    def start(self, piece: Piece) -> Future:
        """Start a piece in its own way. What it returns may tell of deaths in its own words."""
        raise NotImplementedError

    def could_hold(self, piece: Piece) -> bool:
        """Whether a piece fits in if nothing else runs."""
        return self.memory is None or piece.memory <= self.memory

    def has_room(self, piece: Piece) -> bool:
        """Whether a piece fits in beside what runs."""
        if not self.running:
            return self.could_hold(piece)
        used = sum(other.memory for other in self.running.values())
        fits = self.memory is None or used + piece.memory <= self.memory
        return fits and len(self.running) < self.threads

    def submit(self, piece: Piece) -> Future:
        """Start a piece. The future holds its Outcome, or raises Killed or why it cannot start."""
        future: Future = Future()
        self.running[future] = piece
        try:
            answer = self.start(piece)
        except Exception as error:
            future.set_exception(_in_our_words(error))
        else:
            answer.add_done_callback(lambda answer: _hand_on(answer, future))
        return future


def _hand_on(answer: Future, future: Future) -> None:
    """Give what an executor answered to the runner's future."""
    if future.done():  # it is known already that the machine is gone
        return
    error = Killed("its worker is gone") if answer.cancelled() else answer.exception()
    if error is None:
        future.set_result(answer.result())
    else:
        future.set_exception(_in_our_words(error))


def _in_our_words(error: BaseException) -> BaseException:
    """Killed, where an executor says in its own words that it lost a process."""
    # Dask's class is known by its name, since Dask need not be installed.
    if isinstance(error, BrokenProcessPool) or type(error).__name__ == "KilledWorker":
        return Killed("its process was killed")
    return error


def machine_for(
    piece: Piece, machines: Iterable[Machine], killed: Container[str] = ()
) -> Machine | None:
    """The machine that has least to do of those that have room for a piece; None if none has.

    A piece whose process was killed, one of those named in `killed`, had too little memory perhaps,
    so next time it has a machine for itself.

    Raises
    ------
    ValueError
        If it will never fit into any.
    """
    machines = list(machines)
    if machines and not any(machine.could_hold(piece) for machine in machines):
        needed = f"{piece.memory / 2**30:.1f} GiB"
        raise ValueError(f"{piece.label} takes {needed}, more than any worker has")

    def may_run_on(machine: Machine) -> bool:
        together = [piece, *machine.running.values()]
        is_shared = len(together) > 1 and any(other.name in killed for other in together)
        return machine.has_room(piece) and not is_shared

    able = filter(may_run_on, machines)
    return min(able, key=lambda machine: len(machine.running) / machine.threads, default=None)
