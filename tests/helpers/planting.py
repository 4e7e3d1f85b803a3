"""How answers to exercises are entered into their catalogues, and faults planted in right ones.

Most wrong answers are a right one in which a line or a word was changed, as students do. So nothing
but the fault can give them away, and it can be read at a glance:

    plant(
        "win_rate",
        win_rate_by_counting,
        Fault("beyond it", "largest >= tile", "largest > tile", says="the tile itself counts"),
    )

`says` is what the check's message must say, in so many words.
"""

import inspect
import linecache
import textwrap
from collections.abc import Callable
from typing import NamedTuple

RIGHT: dict[str, list[Callable]] = {}
"""{exercise: functions that its check must accept}."""

WRONG: dict[str, dict[str, "Wrong"]] = {}
"""{exercise: {fault: a function that its check must reject}}."""


class Wrong(NamedTuple):
    """A wrong answer, and a part of what a learner must be told of it."""

    function: Callable
    says: str


class Fault(NamedTuple):
    """A fault that can be planted in a right answer."""

    name: str
    old: str  # in its source, once
    new: str
    says: str


def right(exercise: str) -> Callable:
    """Enter a function among the right answers."""

    def enter(function):
        RIGHT.setdefault(exercise, []).append(function)
        return function

    return enter


def wrong(exercise: str, name: str, says: str) -> Callable:
    """Enter a function among the wrong answers."""

    def enter(function):
        faults = WRONG.setdefault(exercise, {})
        assert name not in faults, f"{exercise} has two faults called {name!r}"
        faults[name] = Wrong(function, says)
        return function

    return enter


def plant(exercise: str, answer: Callable, *faults: Fault) -> None:
    """Enter right answers with a fault each among the wrong ones."""
    for fault in faults:
        wrong(exercise, fault.name, fault.says)(changed(answer, fault))


def changed(answer: Callable, fault: Fault) -> Callable:
    """A function as it is but for one place in its source."""
    lines = textwrap.dedent(inspect.getsource(answer)).splitlines(keepends=True)
    source = "".join(line for line in lines if not line.startswith("@"))
    count = source.count(fault.old)
    assert count == 1, f"{fault.name}: {fault.old!r} stands {count} times in {answer.__name__}"
    source = source.replace(fault.old, fault.new)
    name = f"<{answer.__name__}: {fault.name}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope = dict(answer.__globals__)  # a copy, in which a function that calls itself finds itself
    exec(compile(source, name, "exec"), scope)
    return scope[answer.__name__]
