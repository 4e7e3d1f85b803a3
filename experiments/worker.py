"""What is done with a piece in the process that runs it."""

import time
import traceback
from typing import NamedTuple

from experiments import progress, store
from experiments.piece import Piece


class Outcome(NamedTuple):
    """What became of a piece."""

    seconds: float = 0.0
    error: str | None = None  # the traceback of a piece that failed
    parts: tuple | None = None  # (scalars, arrays, about) of a piece that is not stored yet


def compute(piece: Piece, write) -> Outcome:
    """Run a piece in this thread; `write` is called with its progress."""
    started = time.perf_counter()
    try:
        about = store.provenance()
        with progress.reporting(write):
            outcome = piece.function(**piece.parameters)
        scalars, arrays, measured = store.split(outcome, piece.function.__name__)
        seconds = time.perf_counter() - started
        return Outcome(seconds, None, (scalars, arrays, about | _about(piece, seconds, measured)))
    except BaseException:  # SystemExit, too, is the piece's failure and not the worker's
        return Outcome(time.perf_counter() - started, traceback.format_exc())


def _about(piece: Piece, seconds: float, measured: dict) -> dict:
    """What a result says of itself beside when and where it was made."""
    parts = [value for name, value in measured.items() if name.endswith("_seconds")]
    return {
        "seconds": round(max(seconds, sum(parts)), 3),  # those of earlier starts included
        "measured": measured,
        "label": piece.label,
        "tags": piece.tags,
        "function": piece.function.__qualname__,
        "parameters": piece.parameters,
        "version": piece.version,
    }
