"""How a self-check (check.py) tries a function: case by case, with an eye on the clock.

A check runs in a thread of its own while the caller's thread watches the clock. A function that
does not end has an exception thrown into it (PyThreadState_SetAsyncExc), again and again where it
catches that, and is left behind if it still goes on. Unlike a signal this works in any thread and
on Windows; unlike sys.settrace it slows nothing down, leaves debuggers alone, and lets the check
return even from a wait in C such as time.sleep. Only C code that never lets go of the interpreter,
such as sum(itertools.count()), defeats it.
"""

import copy
import ctypes
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from workbook.answers import blame, drawn, drawn_part, is_same, plain

TIME_LIMIT = 10.0  # seconds of the learner's own time in one check: enough to compile a kernel
LOOK = 0.02  # seconds from one look at the clock to the next
INTERRUPTIONS = 25  # of a function that does not end, before it is left behind
MISSING = "nothing"  # what a part of an answer is that is not there


def _as_it_is(answer):
    return answer


def _nothing_to_add(part, answer) -> list[str]:
    return []


@dataclass
class Case:
    """One call of a learner's function, and the answer that is right.

    An answer may have named parts; then `expected` is a dict, and the first part that differs is
    shown. An answer to a whole number is a whole number.
    """

    title: str  # what the case is about
    arguments: tuple
    expected: Any  # numbers, lists of them, None, or a dict of such parts
    read: Callable = _as_it_is  # what of the answer (plain, see answers.py) is compared
    given: list[str] | None = None  # lines to show of the case; else the first argument is drawn
    may_change: tuple[int, ...] = ()  # the arguments, by place, that the function may change
    second: str = "reward"  # what the second of a pair is
    missing: Any = MISSING  # how a part is shown that is not there
    explain: Callable = _nothing_to_add  # (part, answer) -> lines of help
    number: int = 0  # which of the cases of a check it is, from 1

    def table(self, got: list[str], expected: list[str] | None = None) -> str:
        """Given, expected and got side by side."""
        columns = (
            ["given", *(self.given or [])],
            ["expected", *(expected or self.expected_lines())],
            ["got", *got],
        )
        widths = [max(map(len, column)) + 4 for column in columns]
        rows = zip_longest(*columns, fillvalue="")
        return "\n".join("".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def expected_lines(self) -> list[str]:
        """The right answer as text; where it has parts, the last of them."""
        if isinstance(self.expected, dict):
            *_, (name, value) = self.expected.items()
            return drawn_part(name, value, self.second)
        return drawn(self.expected, self.second)


class Wrong(Exception):
    """What the learner reads about the first wrong case."""

    def __init__(self, case: Case, got, expected=None, fault="", help_lines=()):
        place = f"In case {case.number}{fault}: {case.title}"
        super().__init__("\n".join([place, case.table(got, expected), *help_lines]))


class Verdict(NamedTuple):
    """What came of a check."""

    right: bool
    text: str


class Trial:
    """A learner's function, the case it is at, and the time it has taken."""

    def __init__(self, function):
        self.function = function
        self.count = 0  # of cases that were begun
        self.case = Case("", (), [])
        self.seconds_used = 0.0  # in calls that have ended
        self.call_began = None  # when the present call began

    def seconds(self) -> float:
        """The learner's own time, without that of the check."""
        began = self.call_began  # read once: the trial runs in another thread
        if not began:
            return 0.0  # between two calls nothing can be too slow
        return self.seconds_used + time.monotonic() - began

    def judge(self, case: Case) -> None:
        """Call the function for one case; raises Wrong where the answer is not right."""
        self.count += 1
        # drawn now, as the function may change what it is given
        given_lines = case.given or drawn(case.arguments[0])
        self.case = case = replace(case, number=self.count, given=given_lines)
        given = [
            argument if place in case.may_change else copy.deepcopy(argument)
            for place, argument in enumerate(case.arguments)
        ]
        answer = self._call(given)
        self._compare_arguments(given)
        try:
            answer = case.read(answer)
        except (TypeError, ValueError):  # nothing that can be read in this way
            raise Wrong(case, drawn(answer)) from None
        if isinstance(case.expected, dict):
            self._compare_parts(answer)
        else:
            self._compare(answer)

    def _call(self, given):
        """The function's answer, plain; its exceptions become Wrong, so that none ends a check."""
        self.call_began = time.monotonic()
        try:
            return plain(self.function(*given))
        except BaseException as error:  # not even sys.exit() ends a check
            raise Wrong(self.case, [f"raised {blame(error)}"]) from None
        finally:
            began = self.call_began
            self.call_began = None
            self.seconds_used += time.monotonic() - began

    def _compare_arguments(self, given) -> None:
        """Raise Wrong where an argument was changed that belongs to the caller."""
        for number, (old, new) in enumerate(zip(self.case.arguments, given), start=1):
            if plain(old) != plain(new):
                first, *rest = drawn(new)
                changed = [f"{first} (changed)", *rest]
                raise Wrong(self.case, changed, drawn(old), f" it changes its argument {number}")

    def _compare_parts(self, answer: dict) -> None:
        """Raise Wrong at the first part that is missing, superfluous or not right."""
        case = self.case
        for part in case.expected | answer:
            both = part in case.expected and part in answer
            if not both or not is_same(case.expected[part], answer[part]):
                got, expected = (
                    drawn_part(part, parts.get(part, case.missing), case.second)
                    for parts in (answer, case.expected)
                )
                raise Wrong(case, got, expected, help_lines=case.explain(part, answer))

    def _compare(self, answer) -> None:
        """Raise Wrong where the answer as a whole is not right."""
        expected = self.case.expected
        whole = type(expected) is not int or type(answer) is int
        if not whole or not is_same(expected, answer):
            help_lines = self.case.explain(None, answer)
            raise Wrong(self.case, drawn(answer, self.case.second), help_lines=help_lines)


def verdict(cases: Callable[[], Iterable[Case]], function) -> Verdict:
    """Try a function in one case after the other, until one goes wrong or time is up."""
    trial = Trial(function)
    verdicts = []  # of the thread, and before it that of the clock
    ended = threading.Event()  # not Thread.join: after Ctrl-C in it a thread passes for ended

    def work():
        try:
            verdicts.append(_try_all(trial, cases))
        finally:
            ended.set()

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        while not ended.wait(LOOK):
            if trial.seconds() > TIME_LIMIT:
                message = f"no answer within {TIME_LIMIT:g} s: it does not end"
                verdicts.insert(0, Verdict(False, f"wrong. {Wrong(trial.case, [message])}"))
                break
    finally:
        _interrupt(worker, ended)
    return verdicts[0]


def _try_all(trial: Trial, cases) -> Verdict:
    try:
        for case in cases():
            trial.judge(case)
    except Wrong as wrong:
        return Verdict(False, f"wrong. {wrong}")
    except BaseException as error:  # an answer that cannot be looked at
        message = f"something else: {blame(error)}"
        return Verdict(False, f"wrong. {Wrong(trial.case, [message])}")
    return Verdict(True, f"right in all {trial.count} cases")


def _interrupt(worker: threading.Thread, ended: threading.Event) -> None:
    """Throw SystemExit into a thread until it ends, for at most half a second.

    A thread that ends by SystemExit does so silently.
    """
    for _ in range(INTERRUPTIONS):
        if ended.is_set():
            return
        thread = ctypes.c_ulong(worker.ident)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(SystemExit))
        ended.wait(LOOK)
