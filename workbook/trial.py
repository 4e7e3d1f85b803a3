"""How a self-check tries a function: case by case, with an eye on the clock.

The first case that goes wrong is the one that a learner sees. So that they learn more than *that*
it went wrong, the check knows functions with the usual faults, its suspects. Those that give the
same wrong answer as the learner's function, here and in further cases, tell what the fault is.

A check runs in a thread of its own while the caller's thread watches the clock. A function that
does not end has an exception thrown into it (PyThreadState_SetAsyncExc), again and again where it
catches that, and is left behind if it still goes on. Unlike a signal this works in any thread and
on Windows; unlike sys.settrace it slows nothing down, leaves debuggers alone, and lets the check
return even from a wait in C such as time.sleep. Only C code that never lets go of the interpreter,
such as sum(itertools.count()), defeats it.
"""

import copy
import ctypes
import dis
import inspect
import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from workbook.answers import (
    Thing,
    blame,
    is_board,
    is_row,
    is_same,
    is_unchanged,
    plain,
    things,
)

TIME_LIMIT = 10.0  # seconds of the learner's own time in one check: enough to compile a kernel
LOOK = 0.02  # seconds from one look at the clock to the next
INTERRUPTIONS = 25  # of a function that does not end, before it is left behind
MISSING = "nothing"  # what a part of an answer is that is not there
MORE_CASES = 25  # in which suspects are told apart
MOSTLY = 0.6  # of these cases, the least share in which a function goes the way of a suspect
PATIENCE = 3.0  # seconds of a learner's function after which no more cases are tried for that
LONGEST_CALL = 200  # characters of a call that is shown as one could type it
RETURNS_ONLY = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}  # of bytecode
LONGEST_EXCUSE = 10  # steps of bytecode that raise NotImplementedError and do nothing else


# Cases, and what comes of them


def _call_once(function, arguments):
    return function(*arguments)


def _as_it_is(answer, arguments):
    return answer


class Told(NamedTuple):
    """What `explain` is told of a wrong answer."""

    part: Any  # the name of the part that is wrong; None where the answer has no parts
    got: Any  # that part as it came
    expected: Any
    answer: Any  # all that was returned, plain
    arguments: tuple  # of the case, as they were before the call


def _nothing_to_add(told: Told) -> list[str]:
    return []


@dataclass
class Case:
    """One call of a learner's function. What is right, the exercise's own function says.

    An answer may have named parts; then `read` gives a dict, and the first part that differs is
    shown. An answer to a whole number is a whole number.
    """

    arguments: tuple  # copied for each call
    about: str = ""  # the rule that this case is there for
    ask: Callable = _call_once  # (function, arguments) -> what it answers
    read: Callable = _as_it_is  # (answer, arguments after the call) -> what is compared
    given: list[Thing] | None = None  # what to show of the case; else the first argument
    may_change: tuple[int, ...] = ()  # the arguments, by place, that the function may change
    second: str = "reward"  # what the second of a pair is
    missing: Any = MISSING  # how a part is shown that is not there
    explain: Callable = _nothing_to_add  # (Told) -> lines of facts about a wrong answer


@dataclass
class Outcome:
    """What came of one call."""

    answer: Any = None  # plain
    got: Any = None  # what of it is compared
    is_readable: bool = True
    error: BaseException | None = None
    changed: tuple[int, ...] = ()  # places of arguments that belong to the caller
    arguments: tuple = ()  # after the call


def copied(argument):
    """A copy that can be changed without changing the original, made quickly where it is plain."""
    if isinstance(argument, int | float | str | None) or callable(argument):
        return argument
    if type(argument) is list:
        return list(map(copied, argument))
    if type(argument) is tuple:
        return tuple(map(copied, argument))
    if type(argument) is dict:
        return {key: copied(value) for key, value in argument.items()}
    return copy.deepcopy(argument)


def outcome(function, case: Case) -> Outcome:
    """Call a function for a case; its exceptions are an outcome, too."""
    given = tuple(map(copied, case.arguments))
    came = Outcome(arguments=given)
    try:
        came.answer = plain(case.ask(function, given))
    except BaseException as error:  # not even sys.exit() ends a check
        came.error = error
        return came
    came.changed = tuple(
        place
        for place, (old, new) in enumerate(zip(case.arguments, given))
        if place not in case.may_change and not is_unchanged(old, new)
    )
    try:
        came.got = case.read(came.answer, given)
    except (TypeError, ValueError, IndexError):  # nothing that can be read in this way
        came.is_readable = False
    return came


def is_right(expected, came: Outcome) -> bool:
    """Whether an outcome is the right one."""
    if came.error is not None or came.changed or not came.is_readable:
        return False
    return not wrong_parts(expected, came.got)


def wrong_parts(expected, got) -> list:
    """The names of the parts that are missing, superfluous or not right; None for the whole."""
    if not isinstance(expected, dict):
        return [] if _is_same_kind(expected, got) else [None]
    if not isinstance(got, dict):
        return [None]
    return [
        part
        for part in expected | got
        if part not in expected or part not in got or not _is_same_kind(expected[part], got[part])
    ]


def _is_same_kind(expected, got) -> bool:
    is_whole = type(expected) is not int or type(got) is int
    return is_whole and is_same(expected, got)


def are_alike(suspect: Outcome, other: Outcome, expected) -> bool:
    """Whether a function goes the way of a suspect, where something is expected of both."""
    if suspect.error is not None or other.error is not None:
        return _are_equal_errors(suspect.error, other.error)
    if suspect.changed != other.changed or suspect.is_readable != other.is_readable:
        return False
    if not suspect.is_readable:
        return is_same(suspect.answer, other.answer)
    is_whole = type(expected) is int  # then 3.0 is not the same fault as 3
    if is_whole and type(suspect.got) is not type(other.got):
        return False
    return is_same(suspect.got, other.got)


def _are_equal_errors(one: BaseException | None, other: BaseException | None) -> bool:
    """Whether two exceptions are of a kind; of those that can mean much the text counts as well."""
    if type(one) is not type(other):
        return False
    return type(one) not in (TypeError, ValueError) or blame(one)[:40] == blame(other)[:40]


# What a learner reads


class Suspect(NamedTuple):
    """A function with a usual fault, and the sentence that names it."""

    sentence: str
    function: Callable


@dataclass
class Failure:
    """All there is to say about the first wrong case."""

    number: int  # of the case, from 1
    call: str  # how to call the function in this way
    about: str
    given: list[Thing]
    expected: list[Thing]
    got: list[Thing]
    facts: list[str] = field(default_factory=list)
    reason: str = ""  # what this usually means


class Verdict(NamedTuple):
    """What came of a check."""

    right: bool
    count: int  # of the cases that were right
    failure: Failure | None = None  # None as well where the function is not written yet


class Wrong(Exception):
    """Ends a trial at the first wrong case."""

    def __init__(self, failure: Failure):
        super().__init__(failure.call)
        self.failure = failure


def written_call(exercise, case: Case) -> str:
    """A call as one could type it; what is too long for that stands as its name."""
    names = list(inspect.signature(exercise.right).parameters)
    written = []
    for name, argument in zip(names, case.arguments):
        text = "" if callable(argument) else repr(argument)
        is_literal = isinstance(argument, int | float | str | list | tuple | dict | None)
        is_short = len(text) <= LONGEST_CALL and "object at" not in text and "array" not in text
        written.append(text if is_literal and is_short else name)
    return f"{exercise.name}({', '.join(written)})"


# Trying


class Trial:
    """A learner's function, the case it is at, and the time it has taken."""

    def __init__(self, exercise, function, tells_why: bool = True):
        self.exercise = exercise
        self.function = function
        self.tells_why = tells_why  # or only whether it is right
        self.count = 0  # of cases that were right
        self.case: Case | None = None
        self.seconds_used = 0.0  # in calls that have ended
        self.call_began = None  # when the present call began
        self.preliminary: Failure | None = None  # while suspects are told apart

    def seconds(self) -> float:
        """The learner's own time, without that of the check."""
        began = self.call_began  # read once: the trial runs in another thread
        if not began:
            return 0.0  # between two calls nothing can be too slow
        return self.seconds_used + time.monotonic() - began

    def theirs(self, case: Case) -> Outcome:
        """What the learner's function makes of a case."""
        own_case = copy.copy(case)
        own_case.ask = self._timed(case.ask)
        return outcome(self.function, own_case)

    def _timed(self, ask: Callable) -> Callable:
        def timed(function, arguments):
            self.call_began = time.monotonic()
            try:
                return ask(function, arguments)
            finally:
                began = self.call_began
                self.call_began = None
                self.seconds_used += time.monotonic() - began

        return timed

    def judge_all(self) -> None:
        """Try the function in one case after the other; raises Wrong at the first wrong one."""
        cases = iter(self.exercise.cases())
        done = []
        for case in cases:
            self.case = case
            expected = outcome(self.exercise.right, case).got
            came = self.theirs(case)
            if not is_right(expected, came):
                failure = self.failure_of(case, expected, came)
                self.preliminary = failure
                if not self.tells_why:
                    raise Wrong(failure)
                failure.reason = self._diagnosis(case, came, done, cases) or failure.reason
                raise Wrong(failure)
            self.count += 1
            done.append(case)

    def failure_of(self, case: Case, expected, came: Outcome) -> Failure:
        """A wrong case, put into words as far as it says by itself what is wrong."""
        given = case.given or things(case.arguments[0])
        failure = Failure(
            number=self.count + 1,
            call=written_call(self.exercise, case),
            about=case.about,
            given=given,
            expected=_shown_whole(expected, case),
            got=[],
        )
        if came.error is not None:
            failure.got = [Thing("", f"raised {blame(came.error)}")]
            failure.reason = usual_error(self.exercise, came.error)
        elif came.changed:
            place = came.changed[0]
            name = list(inspect.signature(self.exercise.right).parameters)[place]
            was, is_now = case.arguments[place], came.arguments[place]
            failure.expected = _told_argument(was, f"{name} as it was")
            failure.got = _told_argument(is_now, f"{name} after the call")
            failure.reason = (
                f"It changes its argument {place + 1}, {name}, which others still need. "
                f"{_how_to_copy(name, was)}"
            )
        elif not came.is_readable:
            failure.got = things(came.answer, case.second)
            failure.reason = usual_kind(expected, came.answer) or self.exercise.wanted
        else:
            self._compare(failure, case, expected, came)
        return failure

    def _compare(self, failure: Failure, case: Case, expected, came: Outcome) -> None:
        """Put the first part that differs side by side."""
        part = wrong_parts(expected, came.got)[0]
        if part is None:
            right, got = expected, came.got
            failure.got = things(got, case.second)
        else:
            right = expected.get(part, case.missing)
            got = came.got.get(part, case.missing)
            failure.expected = _shown_part(part, right, case)
            failure.got = _shown_part(part, got, case)
        if part is None or got is not None:
            failure.reason = usual_kind(right, got)
        told = Told(part, got, right, came.answer, case.arguments)
        failure.facts = list(case.explain(told))

    def _diagnosis(self, case: Case, came: Outcome, done: list[Case], cases) -> str:
        """The sentence of the suspect that goes wrong as the learner's function does.

        It must go the same way in most of the cases that are tried and in which one of the two is
        wrong: not in all of them, as a function may have a second fault.
        """
        tried = [Tried(self.exercise, case, came)]
        suspects = [one for one in self.exercise.suspects if tried[0].is_as_in(one)]
        if not suspects:
            return ""
        for earlier in done[-MORE_CASES:]:
            tried.append(Tried(self.exercise, earlier, None))
        for further in itertools.islice(cases, MORE_CASES):
            if self.seconds_used < PATIENCE:
                tried.append(Tried(self.exercise, further, self.theirs(further)))
        shares = [_share_alike(suspect, tried) for suspect in suspects]
        best = max(shares)
        return suspects[shares.index(best)].sentence if best >= MOSTLY else ""


class Tried:
    """A case, what is right in it, and what the learner's function made of it."""

    def __init__(self, exercise, case: Case, came: Outcome | None):
        self.case = case
        self.expected = outcome(exercise.right, case).got
        self.came = Outcome(got=self.expected) if came is None else came
        self.is_right = is_right(self.expected, self.came)

    def is_as_in(self, suspect: Suspect) -> bool:
        """Whether the learner's function went the way of a suspect."""
        return are_alike(outcome(suspect.function, self.case), self.came, self.expected)


def _share_alike(suspect: Suspect, tried: list[Tried]) -> float:
    """How often a function goes the way of a suspect, of the times that one of them is wrong."""
    alike = 0
    different = 0
    for one in tried:
        if not one.is_as_in(suspect):
            different += 1
        elif not one.is_right:
            alike += 1
    return alike / (alike + different)


def _told_argument(argument, name: str) -> list[Thing]:
    """An argument that a function has changed: drawn where it is a board, else only named."""
    value = plain(argument)
    return things(value, name=name) if is_board(value) or is_row(value) else [Thing("", name)]


def _how_to_copy(name: str, argument) -> str:
    if is_board(plain(argument)):
        return "Work on a copy: of a board, [list(row) for row in board]."
    if isinstance(argument, list):
        return f"Work on a copy, list({name}); reversed({name}) leaves it as it is, too."
    if isinstance(argument, dict):
        return f"Work on a copy, dict({name}), or return the answer and change nothing."
    return "Work on a copy."


def _shown_whole(expected, case: Case) -> list[Thing]:
    """A right answer as it is shown; where it has parts, the last of them."""
    if isinstance(expected, dict):
        *_, (part, value) = expected.items()
        return _shown_part(part, value, case)
    return things(expected, case.second)


def _shown_part(part, value, case: Case) -> list[Thing]:
    """One named part of an answer.

    A part that is named by a board's number shows the board, which says it better.
    """
    if isinstance(value, str):
        return [Thing("" if isinstance(part, int) else f"{part}:", value)]
    name = "" if isinstance(part, int) else f"{part}:"
    return things(value, case.second, name)


# What is usually meant by an answer of the wrong kind

USUAL_ERRORS = {
    "RecursionError": "The function calls itself without end.",
    "empty sequence": (
        "max or min of nothing is an error: think of a board on which there is nothing to choose."
    ),
    "high <= 0": "rng.integers(n) draws one of 0, 1, ..., n - 1, so n must be 1 or more.",
    "ZeroDivisionError": "Something is divided by 0: which of the numbers can be 0 here?",
    "math domain error": "A logarithm or a root has no answer here: is its argument 0 or below?",
    "IndexError": "A list ends before that place: places go from 0 to its length less 1.",
}
"""What exceptions usually mean, by words in their text."""


def usual_error(exercise, error: BaseException) -> str:
    """What an exception usually means; empty where only the exercise can tell."""
    text = blame(error)
    arguments = ", ".join(inspect.signature(exercise.right).parameters)
    if isinstance(error, TypeError) and "positional argument" in text:
        return f"The check calls the function with ({arguments}), in this order."
    if isinstance(error, NameError):
        return "A name is unknown here: is it misspelt, or has its cell not been run?"
    return next((told for words, told in USUAL_ERRORS.items() if words in text), "")


def usual_kind(expected, got) -> str:
    """What an answer of the wrong kind usually means; empty where the kind is right."""
    if got is None and expected is not None:
        return "It returns nothing (None). Is there a return, on every way through the function?"
    if isinstance(got, str):
        return _usual_text(got)
    if type(expected) is int and isinstance(got, float):
        return "This is a whole number: an int is wanted, not a float. Use // or int()."
    if isinstance(expected, list) and not isinstance(got, list):
        return f"{_count(expected)} are wanted, and this is one thing alone."
    if isinstance(expected, int | float) and isinstance(got, list):
        return "One number is wanted, and this is a list."
    return ""


def _usual_text(got: str) -> str:
    """What an answer usually means that is no number, no list and not None."""
    if got in ("True", "False"):
        return f"It returns {got}, where a number is wanted: is a comparison returned?"
    if got == "a generator":
        return "It returns a generator, which can be gone through only once. Return a list."
    if got == "a str":
        return "It returns a text (str), where a number or a list is wanted."
    if got == "a set":
        return "It returns a set, which has no order and keeps equal things once. Return a list."
    return ""


def _count(expected: list) -> str:
    return f"{len(expected)} things"


# The clock


def verdict(exercise, function, tells_why: bool = True) -> Verdict:
    """Try a function in one case after the other, until one goes wrong or time is up."""
    if is_unwritten(function):
        return Verdict(False, 0)
    trial = Trial(exercise, function, tells_why)
    verdicts = []  # of the thread, and before it that of the clock
    ended = threading.Event()  # not Thread.join: after Ctrl-C in it a thread passes for ended

    def work():
        try:
            verdicts.append(_try_all(trial))
        finally:
            ended.set()

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        while not ended.wait(LOOK):
            if trial.seconds() > TIME_LIMIT:
                verdicts.insert(0, Verdict(False, trial.count, _out_of_time(trial)))
                break
    finally:
        _interrupt(worker, ended)
    return verdicts[0]


def _out_of_time(trial: Trial) -> Failure:
    """What is said of a function that has not come back."""
    if trial.preliminary is not None:
        return trial.preliminary
    expected = outcome(trial.exercise.right, trial.case).got
    failure = trial.failure_of(trial.case, expected, Outcome(is_readable=False))
    failure.got = [Thing("", f"no answer within {TIME_LIMIT:g} s")]
    failure.reason = (
        "It does not end, or takes too long: does the condition of a loop ever become false, and "
        "does it do no more than is asked for?"
    )
    return failure


def _try_all(trial: Trial) -> Verdict:
    try:
        trial.judge_all()
    except Wrong as wrong:
        return Verdict(False, trial.count, wrong.failure)
    except BaseException as error:  # an answer that cannot be looked at
        return Verdict(False, trial.count, _unheard_of(trial, error))
    return Verdict(True, trial.count)


def _unheard_of(trial: Trial, error: BaseException) -> Failure:
    """What is said of an answer that cannot even be looked at."""
    expected = outcome(trial.exercise.right, trial.case).got
    failure = trial.failure_of(trial.case, expected, Outcome(is_readable=False))
    failure.got = [Thing("", f"something else: {blame(error)}")]
    failure.reason = "What is returned is of a kind that nothing can be done with."
    return failure


def is_unwritten(function) -> bool:
    """Whether a function has no body yet but `...`, `pass`, a docstring or NotImplementedError."""
    code = getattr(function, "__code__", None)
    if code is None or function.__name__ == "<lambda>":
        return False
    steps = list(dis.get_instructions(code))
    if code.co_names == ("NotImplementedError",):
        return len(steps) <= LONGEST_EXCUSE
    constants = [step.argval for step in steps if step.opname in ("LOAD_CONST", "RETURN_CONST")]
    return constants == [None] and all(step.opname in RETURNS_ONLY for step in steps)


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
