"""How far running pieces are: small files that say it, and a bar that shows it.

A piece calls `report`. Whoever runs it writes that to a file in runs/running, where the runner's
bar and `python -m experiments status` find it.
"""

import contextlib
import json
import sys
import textwrap
import threading
import time

from tqdm.auto import tqdm

from experiments import claims, store
from lib2048.files import replace_file

PAUSE = 0.5  # seconds between two looks at the files, and between two reports of a piece
LONGEST_LABEL = 40  # characters beside the bar
NEARLY = 0.99  # of a piece that takes longer than thought is done
_here = threading.local()


def report(done: int, total: int) -> None:
    """Say how far the piece that calls this is. Outside the runner nobody listens."""
    reporter = getattr(_here, "reporter", None)
    if reporter is not None:
        reporter(done, total)


@contextlib.contextmanager
def reporting(write):
    """Within this, `report` in the same thread calls write({"done": .., "total": ..}).

    It does so no more often than is useful.
    """
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


def _file(name: str):
    return store.running() / f"{name}.json"


def write(name: str, state: dict) -> None:
    """Tell the others how far something running is."""
    file = _file(name)
    with contextlib.suppress(OSError):  # which is no reason to stop the work
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, json.dumps(state).encode(), sync=False)


def said_of(name: str) -> dict | None:
    """What was last told of something, which may have ended since."""
    try:
        return json.loads(_file(name).read_text())
    except (OSError, ValueError):
        return None


def read(name: str) -> dict | None:
    """What is known about something running; None where nobody runs it."""
    state = said_of(name)
    return state if state is not None and claims.is_held(name) else None


def forget(name: str) -> None:
    """It is not running any more."""
    _file(name).unlink(missing_ok=True)


def in_words(seconds: float) -> str:
    """A time for people: 40 s, 3 min, 1.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s" if seconds >= 1 or seconds == 0 else "1 s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def what_failed(error: str) -> str:
    """The line of a traceback that says what was raised; a message may go on for lines after it."""
    lines = error.strip().splitlines()
    frames = [n for n, line in enumerate(lines) if line.startswith('  File "')]
    after = frames[-1] + 1 if frames else 0
    return next((line for line in lines[after:] if line[:1].strip()), lines[-1])


class Bar:
    """The bar of one run, over the seconds that all its pieces are thought to take.

    Without a terminal there is a line for each piece that is done instead.
    The pieces are anything with a name, a label and seconds.
    """

    def __init__(self, pieces, show: bool = True):
        self.pieces = {piece.name: piece for piece in pieces}
        self.running: dict[str, float] = {}  # when each began
        self.finished_count = 0
        self.finished_seconds = 0.0
        self.notebook = any(kind.__module__ == "tqdm.notebook" for kind in tqdm.__mro__)
        self.show = show
        self.live = show and (sys.stderr.isatty() or self.notebook)
        self.line = tqdm(
            total=max(1.0, sum(piece.seconds for piece in pieces)),
            bar_format="{percentage:3.0f}% |{bar:20}| {elapsed}, {remaining} left{postfix}",
            disable=not self.live,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()

    def open(self, text: str) -> None:
        """What there is to do, in a line; in a notebook the bar says enough."""
        if not self.notebook:
            self.say(text)

    def begin(self, name: str) -> None:
        """A piece has begun."""
        self.running[name] = time.monotonic()

    def finish(self, name: str, seconds: float, error: str | None = None) -> None:
        """A piece is done, or has failed with an error."""
        self.running.pop(name, None)
        self.finished_count += 1
        self.finished_seconds += self.pieces[name].seconds
        count = f"[{self.finished_count}/{len(self.pieces)}]"
        if error is not None:
            self.say(f"{count} FAILED {self.pieces[name].label}: {what_failed(error)}")
        elif not self.live:
            self.say(f"{count} {self.pieces[name].label}: {in_words(seconds)}")
        self.refresh()

    def refresh(self) -> None:
        """Draw the bar anew."""
        if not self.live:
            return
        shares = {name: self._share(name) for name in self.running}
        begun = sum(self.pieces[name].seconds * share for name, share in shares.items())
        self.line.n = min(self.line.total, self.finished_seconds + begun)
        self.line.set_postfix_str(self._what_runs(shares), refresh=True)

    def _what_runs(self, shares: dict[str, float]) -> str:
        """The piece that has run longest, and how many others run."""
        if not shares:
            return ""
        name, share = next(iter(shares.items()))
        label = textwrap.shorten(self.pieces[name].label, LONGEST_LABEL, placeholder=" ...")
        others = f", {len(shares) - 1} more" if len(shares) > 1 else ""
        return f"{label} {share:.0%}{others}"

    def _share(self, name: str) -> float:
        """How much of a running piece is done: as it says, or as its usual time suggests."""
        state = said_of(name) or {}
        if state.get("total"):
            return state["done"] / state["total"]
        return min(NEARLY, (time.monotonic() - self.running[name]) / self.pieces[name].seconds)

    def say(self, text: str) -> None:
        """A line for the reader, above the bar."""
        if self.show:
            tqdm.write(text, file=sys.stderr)
