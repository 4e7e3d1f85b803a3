"""How far running pieces are: small files that workers write, bars that show them, an estimate of the time left.

A file in runs/running names what is being made, by which process, and how far it is. It is a claim as well: another
process that wants to make the same thing waits. The claim of a dead process counts for nothing.
"""

import contextlib
import json
import os
import sys
import threading
import time

import psutil
from tqdm.auto import tqdm

from experiments import store

PAUSE = 0.5  # seconds between two looks at the files, and between two reports of a piece
MOST_BARS = 8
_here = threading.local()


def report(done: int, total: int) -> None:
    """Say how far the piece that calls this is. Outside the runner nobody listens."""
    reporter = getattr(_here, "reporter", None)
    if reporter is not None:
        reporter(done, total)


@contextlib.contextmanager
def reporting(write):
    """Within this, `report` in the same thread calls write({"done": .., "total": ..}), not more often than useful."""
    last = 0.0

    def reporter(done, total):
        nonlocal last
        if time.monotonic() - last > PAUSE:
            write({"done": int(done), "total": int(total)})
            last = time.monotonic()

    _here.reporter = reporter
    try:
        yield
    finally:
        _here.reporter = None


def me() -> dict:
    """This process, so that others can tell whether it still lives."""
    return {"pid": os.getpid(), "born": psutil.Process().create_time()}


def lives(owner: dict) -> bool:
    """Whether the process that `me` described in there is still the same one."""
    try:
        process = psutil.Process(owner["pid"])
        return (
            abs(process.create_time() - owner["born"]) < 1
            and process.status() != psutil.STATUS_ZOMBIE
        )
    except (psutil.Error, KeyError, TypeError):
        return False


def write(name: str, state: dict) -> None:
    """Tell the others what is known about something running."""
    file = store.running() / f"{name}.json"
    temporary = file.with_suffix(f".{os.getpid()}.{threading.get_ident()}.tmp")
    with contextlib.suppress(
        OSError
    ):  # a report that cannot be written is no reason to stop the work
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(state))
        os.replace(temporary, file)


def read(name: str) -> dict | None:
    """What is known about something running; None where it is not running."""
    try:
        state = json.loads((store.running() / f"{name}.json").read_text())
    except (OSError, ValueError):
        return None
    return state if lives(state) else None


def was_begun(name: str) -> bool:
    """Whether something began to make it and did not say that it ended."""
    return (store.running() / f"{name}.json").exists()


def done(name: str) -> None:
    """It is not running any more."""
    (store.running() / f"{name}.json").unlink(missing_ok=True)


def _is_being_written(file) -> bool:
    """Whether a claim is empty because its owner is about to write its name, which on a busy machine takes a while."""
    try:
        state = file.stat()
    except OSError:
        return False
    return state.st_size == 0 and abs(time.time() - state.st_mtime) < 10


@contextlib.contextmanager
def claim(name: str, made):
    """Make `name` alone: yields True, or False when meanwhile another process made it, of which made() tells."""
    file = store.running() / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    state = {**me(), "started": time.time()}
    while True:
        if made():
            yield False
            return
        try:
            with open(file, "x") as stream:
                stream.write(json.dumps(state))
            break
        except FileExistsError:
            if read(name) is None and not _is_being_written(file):
                file.unlink(missing_ok=True)
            else:
                time.sleep(PAUSE)
    try:
        yield not made()
    finally:
        done(name)


def end_with(parent: int) -> None:
    """End this process when its parent is gone, so that nothing goes on unseen."""

    def watch():
        while os.getppid() == parent and psutil.pid_exists(parent):
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def time_left(waiting: list[float], running: list[tuple], slots: int) -> float:
    """Seconds until all is done, of the costs of what waits and (cost, seconds so far, share or None) of what runs."""
    rests = []
    for cost, passed, share in running:
        rests.append(
            passed * (1 - share) / share
            if share and share > 0.05
            else max(cost - passed, passed / 2)
        )
    longest = max([*rests, *waiting], default=0.0)
    return max(longest, (sum(rests) + sum(waiting)) / slots)


def in_words(seconds: float) -> str:
    """A time for people: 40 s, 3 min, 1.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s" if seconds >= 1 or seconds == 0 else "1 s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def what_failed(error: str) -> str:
    """The line of a traceback that says what was raised; a message may go on for lines after it."""
    lines = error.strip().splitlines()
    frames = [n for n, line in enumerate(lines) if line.startswith('  File "')]
    return next(
        (line for line in lines[frames[-1] + 1 if frames else 0 :] if line[:1].strip()), lines[-1]
    )


class Board:
    """The bars of one run: one for the whole, one for each running piece; without a terminal, a line a piece."""

    def __init__(self, pieces, slots: int, progress: bool = True):
        self.costs = {piece.name: piece.seconds for piece in pieces}
        self.labels = {piece.name: piece.label or piece.name for piece in pieces}
        self.left, self.slots, self.progress = set(self.costs), slots, progress
        self.known, self.spent = 0.0, 0.0  # what finished pieces were thought to take, and took
        self.started = {}
        self.notebook = any(kind.__module__ == "tqdm.notebook" for kind in tqdm.__mro__)
        self.live = progress and (sys.stderr.isatty() or self.notebook)
        self.lock, self.over = threading.Lock(), threading.Event()
        self.bars = []

    def __enter__(self):
        if self.live:
            self.bars = [
                tqdm(
                    total=len(self.left),
                    bar_format="{n_fmt}/{total_fmt} |{bar}| {elapsed}{postfix}",
                )
            ]
            for _ in range(min(self.slots, MOST_BARS, len(self.left))):
                look = "  |{bar:20}| {percentage:3.0f}% {desc}"
                self.bars.append(
                    tqdm(total=1.0, leave=False, bar_format=look, position=len(self.bars))
                )
            self.thread = threading.Thread(target=self._watch, daemon=True)
            self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        if self.live:
            self.thread.join()
            self.bars[0].set_postfix_str("", refresh=False)
        for bar in reversed(self.bars):
            bar.close()

    def _watch(self):
        while not self.over.wait(PAUSE):
            self.refresh()

    def running(self) -> list[tuple]:
        """(label, cost, seconds so far, share done or None) of each piece that is running."""
        found = []
        for name in sorted(self.left):
            if (state := read(name)) is not None:
                passed = time.time() - self.started.setdefault(
                    name, state.get("started", time.time())
                )
                share = state["done"] / state["total"] if state.get("total") else None
                found.append((name, self.labels[name], self.costs[name], passed, share))
        return sorted(found, key=lambda entry: self.started[entry[0]])

    def estimate(self) -> float:
        """Seconds until all is done."""
        running = self.running()
        pace = self.spent / self.known if self.known else 1.0
        waiting = [pace * self.costs[name] for name in self.left - {entry[0] for entry in running}]
        return time_left(
            waiting,
            [(pace * cost, passed, share) for _, _, cost, passed, share in running],
            self.slots,
        )

    def refresh(self) -> None:
        """Draw the bars anew."""
        with self.lock:
            running = self.running()
            self.bars[0].set_postfix_str(f"about {in_words(self.estimate())} left", refresh=False)
            self.bars[0].refresh()
            for n, bar in enumerate(self.bars[1:]):
                _, label, cost, passed, share = (
                    running[n] if n < len(running) else ("", "", 1.0, 0.0, 0.0)
                )
                overdue = share is None and passed > cost  # nobody knows how far it is
                bar.n = 0 if overdue else min(0.99, passed / cost) if share is None else share
                state = f"{label}, {in_words(passed)}{', longer than thought' if overdue else ''}"
                bar.set_description_str(state if label else "", refresh=True)

    def finished(self, name: str, seconds: float, error: str | None = None) -> None:
        """A piece is done, or has failed with an error."""
        with self.lock:
            self.left.discard(name)
            if error is None:
                self.known, self.spent = self.known + self.costs[name], self.spent + seconds
            if self.live:
                self.bars[0].update(1)
        count = f"[{len(self.costs) - len(self.left)}/{len(self.costs)}]"
        if error is not None:
            self.say(f"{count} FAILED {self.labels[name]}: {what_failed(error)}")
        elif self.progress and not self.live:
            rest = f", about {in_words(self.estimate())} left" if self.left else ""
            self.say(f"{count} {self.labels[name]}: {in_words(seconds)}{rest}")

    def begin(self, text: str) -> None:
        """What there is to do, in a line; a notebook has its bars."""
        if not self.notebook:
            self.say(text)

    def say(self, text: str) -> None:
        """A line for the reader, above the bars."""
        if self.progress:
            tqdm.write(text, file=sys.stderr)
