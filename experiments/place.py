"""The machines that run pieces, and which of them gets the next one.

The two places that have machines, local.py and cluster.py, differ in how a piece is started there,
and in who comes and goes (`look`). What a machine takes at once is the same.
"""

from collections.abc import Container, Iterable
from concurrent.futures import Future

from experiments.piece import Piece


class Machine:
    """Something that runs pieces: so many at once, which together take so many bytes at most.

    Memory is None where nobody knows it; then there is enough.
    """

    def __init__(self, threads: int, memory: int | None):
        self.threads = threads
        self.memory = memory
        self.running: dict[Future, Piece] = {}

    def start(self, piece: Piece) -> Future:
        """Start a piece. The future holds its Outcome, or raises what kept it from having one."""
        raise NotImplementedError

    def submit(self, piece: Piece) -> Future:
        """Start a piece; that it cannot start is told by the future too."""
        try:
            future = self.start(piece)
        except Exception as error:
            future = Future()
            future.set_exception(error)
        self.running[future] = piece
        return future

    def could_hold(self, piece: Piece) -> bool:
        """Whether a piece fits in if nothing else runs."""
        return self.memory is None or piece.memory <= self.memory

    def has_room(self, piece: Piece, killed: Container[str] = ()) -> bool:
        """Whether a piece fits in beside what runs.

        Pieces whose process was killed, those named in `killed`, had too little memory perhaps, so
        next time they have a machine for themselves.
        """
        if not self.running:
            return self.could_hold(piece)
        together = [piece, *self.running.values()]
        if len(together) > self.threads or any(other.name in killed for other in together):
            return False
        return self.memory is None or sum(other.memory for other in together) <= self.memory


def machine_for(
    piece: Piece, machines: Iterable[Machine], killed: Container[str] = ()
) -> Machine | None:
    """The machine that has least to do of those that have room for a piece; None if none has.

    ValueError if it will never fit into any.
    """
    machines = list(machines)
    if machines and not any(machine.could_hold(piece) for machine in machines):
        needed = f"{piece.memory / 2**30:.1f} GiB"
        raise ValueError(f"{piece.label} takes {needed}, more than any worker has")
    able = [machine for machine in machines if machine.has_room(piece, killed)]
    return min(able, key=lambda machine: len(machine.running) / machine.threads, default=None)
