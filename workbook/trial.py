"""How a self-check (check.py) tries a function: the clock, comparing answers, what the learner reads.

A check runs in a thread of its own while the caller's thread watches the clock. A function that does not end has an
exception thrown into it (PyThreadState_SetAsyncExc), again and again where it catches that, and is left behind if it
still goes on. Unlike a signal this works in any thread and on Windows; unlike sys.settrace it slows nothing down,
leaves debuggers alone, and lets the check return even from a wait in C such as time.sleep. Only C code that never lets
go of the interpreter, such as sum(itertools.count()), defeats it.
"""

import copy
import ctypes
import sys
import threading
import time
import traceback
from itertools import zip_longest

import numpy as np

from lib2048 import board as game

TIME_LIMIT = 10.0  # seconds of the learner's own time in one check: enough to compile a kernel
NOT_THEIRS = (
    sys.prefix,
    sys.base_prefix,
    __file__.removesuffix("trial.py"),
)  # folders in which no learner writes


class _Wrong(Exception):
    """What the learner reads about the first wrong case."""


class _Trial:
    """A learner's function and the case it is at."""

    def __init__(self, fn):
        self.fn, self.cases, self.case = fn, 0, ("", [], [])
        self.used, self.since = (
            0.0,
            None,
        )  # seconds spent in fn before this call; when this call began

    def same(self, what, expected, *args, see=None, shown=None, change=(), word="reward"):
        """One case: fn(*args), or what `see` makes of it, is `expected`: an int if that is one, each entry of a dict.

        shown: lines to show instead of the first argument; change: places of arguments it may change; word: see _draw.
        """
        self.cases, self.case = (
            self.cases + 1,
            (what, shown or _draw(args[0]), _draw(expected, word)),
        )
        given = [arg if place in change else copy.deepcopy(arg) for place, arg in enumerate(args)]
        self.since = time.monotonic()
        try:
            got = _plain(self.fn(*given))
        except BaseException as error:  # not even sys.exit() ends a check
            raise self.wrong([f"raised {_blame(error)}"]) from None
        finally:
            since, self.since = self.since, None
            self.used += time.monotonic() - since
        for place, (old, new) in enumerate(zip(args, given), 1):
            if _plain(old) != _plain(new):
                drawn = [line + " (changed)" for line in _draw(new)[:1]] + _draw(new)[1:]
                raise self.wrong(drawn, _draw(old), f"it changes its argument {place}; ")
        try:
            got = see(got) if see else got
        except (TypeError, ValueError):  # nothing that `see` can look at
            raise self.wrong(_draw(got)) from None
        for key in expected | got if isinstance(expected, dict) else ():
            if key not in got or key not in expected or not _same(expected[key], got[key]):
                raise self.wrong(
                    *(_draw({key: answer.get(key, "nothing")}, word) for answer in (got, expected))
                )
        if not _same(expected, got) or (type(expected) is int and type(got) is not int):
            raise self.wrong(_draw(got, word))

    def wrong(self, got, expected=None, fault=""):
        """The present case as what a learner reads: given, expected and got side by side."""
        what, *columns = self.case
        columns = ["given", *columns[0]], ["expected", *(expected or columns[1])], ["got", *got]
        wide = [max(map(len, column)) + 4 for column in columns]
        rows = zip_longest(*columns, fillvalue="")
        return _Wrong(
            "\n".join(
                [fault + what, *("".join(map(str.ljust, row, wide)).rstrip() for row in rows)]
            )
        )


def _check(body):
    """The public check made of `body(trial)`, which raises _Wrong at the first wrong answer."""

    def check(fn) -> bool:
        trial, said = _Trial(fn), []
        done = (
            threading.Event()
        )  # rather than Thread.join, after whose Ctrl-C a thread passes for ended (bpo-45274)

        def work():
            try:
                body(trial)
                said.append(f"right in all {trial.cases} cases")
            except _Wrong as wrong:
                said.append(f"wrong. {wrong}")
            except BaseException as error:  # an answer that cannot be looked at
                said.append(f"wrong. {trial.wrong([f'something else: {_blame(error)}'])}")
            finally:
                done.set()

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        try:
            while not done.wait(0.02):
                since = trial.since
                if since and trial.used + time.monotonic() - since > TIME_LIMIT:
                    said.insert(
                        0,
                        f"wrong. {trial.wrong([f'no answer within {TIME_LIMIT:g} s: it does not end'])}",
                    )
                    break
        finally:
            for _ in range(
                25
            ):  # at most half a second; a thread that ends by SystemExit does so silently
                if not done.is_set():
                    thread, error = ctypes.c_ulong(worker.ident), ctypes.py_object(SystemExit)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)
                    done.wait(0.02)
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        print(f"{body.__name__}: {said[0]}".encode(encoding, "backslashreplace").decode(encoding))
        return said[0].startswith("right")

    check.__name__, check.__qualname__, check.__doc__ = body.__name__, body.__name__, body.__doc__
    return check


def _plain(thing):
    """An answer as lists, ints, floats and None; a text where it is something else."""
    thing = thing.tolist() if isinstance(thing, np.ndarray | np.bool_) else thing
    if isinstance(thing, list | tuple):
        return [_plain(part) for part in thing]
    if thing is None or isinstance(thing, bool):
        return thing if thing is None else str(thing)
    if isinstance(thing, int | np.integer):
        return int(thing) if abs(int(thing)) < 1 << 64 else "a huge number"
    return float(thing) if isinstance(thing, float | np.floating) else f"a {type(thing).__name__}"


def _board(cells):
    """The 64-bit board of a learner's cells, which may be whole floats; ValueError for what is none."""
    array = np.array(_plain(cells))
    return game.from_array(
        array.astype(int) if array.dtype.kind == "f" and not (array % 1).any() else array
    )


def _cells(board):
    return game.to_array(board).tolist()


def _same(expected, got):
    """Equal up to float32 rounding."""
    if isinstance(expected, list):
        return (
            isinstance(got, list) and len(got) == len(expected) and all(map(_same, expected, got))
        )
    if not isinstance(expected, int | float) or not isinstance(got, int | float):
        return isinstance(expected, dict) or expected is got
    return abs(got - expected) <= 1e-5 * max(1, abs(expected))


def _draw(thing, word="reward"):
    """Lines of text: boards and rows as tiles; of a pair, the second as `word`; of a dict, the last entry."""
    if isinstance(thing, dict):
        *_, (key, value) = thing.items()
        lines = _draw(value, word)
        return (
            lines
            if isinstance(key, int)
            else [f"{key}: {lines[0]}"]
            if len(lines) == 1
            else [f"{key}:", *lines]
        )
    thing = thing if isinstance(thing, str) else _plain(thing)
    if isinstance(thing, list) and len(thing) == 2 and isinstance(thing[0], list):
        return _draw(thing[0]) + [f"{word} {_draw(thing[1])[0]}"]
    rows = (
        thing
        if isinstance(thing, list) and len(thing) == 4 and isinstance(thing[0], list)
        else [thing]
    )
    if all(
        isinstance(row, list) and len(row) == 4 and all(e in range(18) for e in row) for row in rows
    ):
        return ["".join(f"{2 ** int(e) if e else '.':>6}" for e in row) for row in rows]
    return [
        "nothing (None)"
        if thing is None
        else str(round(thing, 6) if isinstance(thing, float) else thing)[:100]
    ]


def _blame(error):
    """An exception's type and message, and the innermost line that a learner can have written."""
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if not f.filename.startswith(NOT_THEIRS)
    ]
    where = (
        f" in line {frames[-1].lineno} of {frames[-1].name}: {frames[-1].line}" if frames else ""
    )
    try:
        return traceback.format_exception_only(error)[-1].strip()[:300] + where
    except Exception:  # one that cannot be shown
        return type(error).__name__ + where
