"""`python -m experiments confirm`: results that are stale only because code changed are kept when it does the same.

Code that became faster gives the same numbers, and hours of training need not be repeated to have them again. The
beginning of a result's work is done anew (beginnings.py says how) and compared to the bit. Where it is alike, the
result says so in a field "confirmed" and counts as the present code's; all else in it still tells what made it.
"""

import collections
import time
import traceback
from dataclasses import dataclass

from tqdm.auto import tqdm

from experiments import keys, progress, runner, store
from experiments.beginnings import MINUTE, PARTNERS, SHARE, Tried, Unable
from experiments.piece import Piece

CONFIRMED, DIFFERENT, UNABLE, FAILED = "confirmed", "different", "cannot be confirmed", "failed"


@dataclass(frozen=True)
class Attempt:
    """A piece as the bars show it."""

    piece: Piece
    name: str
    label: str
    seconds: float


def run(stages, show: bool = True) -> collections.Counter:
    """Try all stale results among these pieces, earlier stages first. Returns how many came out how."""
    _check_sources()
    seen = set()
    pieces = [
        piece for stage in stages for piece in runner.unique(stage, seen) if piece.state == "stale"
    ]
    attempts = [
        Attempt(piece, piece.name, piece.label or piece.name, _guess(piece)) for piece in pieces
    ]
    verdicts = collections.Counter()
    if not attempts:
        return verdicts
    with progress.Board(attempts, 1, show) as board:
        few = "a stale result" if len(attempts) == 1 else f"{len(attempts)} stale results"
        board.begin(
            f"The beginning of {few} to be done anew; about {progress.in_words(board.estimate())}."
        )
        for attempt in attempts:
            started = time.perf_counter()
            verdict, text, error = _outcome(attempt.piece)
            verdicts[verdict] += 1
            board.finished(attempt.name, time.perf_counter() - started, error)
            tqdm.write(f"{attempt.label}: {text}")
    return verdicts


def _guess(piece: Piece) -> float:
    """Seconds that trying a beginning may take."""
    return min(MINUTE, max(1.0, SHARE * piece.seconds))


def _check_sources() -> None:
    """The hashes are of the files, what is tried is in memory: they have to be the same."""
    if keys.project_stamp() != keys.loaded_stamp():
        raise ValueError(
            "files of the project were edited since this process loaded them; start it anew"
        )


def _outcome(piece: Piece) -> tuple[str, str, str | None]:
    """(verdict, a line about it, traceback of what failed) of a stale piece."""
    state = {**progress.me(), "started": time.time()}
    try:
        with progress.claim(piece.name, lambda: piece.state == "stored") as mine:
            if not mine:
                return CONFIRMED, "stored by another process meanwhile", None
            with progress.reporting(lambda update: progress.write(piece.name, state | update)):
                tried = confirm(piece)
    except Unable as reason:
        return UNABLE, f"cannot be confirmed, run it: {reason}", None
    except Exception as error:
        return FAILED, f"cannot be tried: {type(error).__name__}: {error}", traceback.format_exc()
    if tried.differs:
        return DIFFERENT, f"stays stale: {tried.differs}", None
    return CONFIRMED, f"confirmed: {_part(_counts(tried))} the same", None


def confirm(piece: Piece) -> Tried:
    """Do the beginning of a stale piece anew; where it is as before, keep its result for the present code."""
    source = piece.path if piece.record else store.newest(piece.family)
    stored = store.load(source) if source else None
    if stored is None:
        raise Unable("there is no whole result of it")
    values, about = stored
    if not piece.asked(about):
        raise Unable("its result was made with other parameters")
    if piece.function not in PARTNERS:
        raise Unable(f"nothing says how to do a beginning of {piece.function.__name__}")
    tried = PARTNERS[piece.function](piece, values, about["seconds"])
    _check_sources()
    if not tried.differs:
        made_now = store.provenance()
        when = {"date": made_now["date"], "versions": made_now["versions"]}
        store.confirm(source, piece.path, {"code": piece.code, **_counts(tried), **when})
    return tried


def _counts(tried: Tried) -> dict:
    """What was tried, as the result's file says it: {"blocks": 30, "of": 1000}."""
    evaluation = {"evaluation": tried.evaluation} if tried.evaluation else {}
    return {tried.unit: tried.done, "of": tried.of, **evaluation}


def in_words(entry: dict) -> str:
    """An entry of a result's field "confirmed" for a reader."""
    return f"made by earlier code, {_part(entry)} the same with the present one"


def _part(entry: dict) -> str:
    """ "first 30 of 1,000 blocks", "all 50 blocks and 100 games of the evaluation"."""
    unit = next(name for name in ("blocks", "games", "instances") if name in entry)
    part = f"first {entry[unit]:,} of {entry['of']:,} {unit}"
    if entry[unit] == entry["of"]:
        part = (
            f"all {entry['of']:,} {unit}"
            if entry["of"] > 1
            else f"the one {unit.removesuffix('s')}"
        )
    return part + (
        f" and {entry['evaluation']:,} games of the evaluation" if "evaluation" in entry else ""
    )
