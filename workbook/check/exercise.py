"""What an exercise is, how its check is made, and the list of all exercises."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workbook.check.showing import show
from workbook.trial import Case, Suspect, verdict


@dataclass
class Exercise:
    """A function that a learner writes, and how to find out whether it is right."""

    name: str
    specification: str  # the first line is the signature
    right: Callable  # a function that is right; it says what is expected
    cases: Callable[[], Iterator[Case]]  # from the plainest to the rarest
    suspects: list[Suspect]  # functions with the usual faults
    now: str  # what is said when it is right
    wanted: str  # what is said of an answer of another kind

    @property
    def signature(self) -> str:
        """How the function is called, and what it gives."""
        return self.specification.splitlines()[0]


EXERCISES: dict[str, Exercise] = {}
"""All exercises by name, in the order of the files of this package."""


class Suspects(list):
    """The functions with the usual faults of an exercise, the most usual first."""

    def add(self, sentence: str) -> Callable:
        """Enter a function; the sentence tells a learner what its fault is."""

        def enter(function: Callable) -> Callable:
            self.append(Suspect(sentence, function))
            return function

        return enter


def located(place: str, sentence: str) -> str:
    """The sentence of a suspect that is a part of another one, with the place of the fault.

    Examples
    --------
    >>> located("In a step", "It looks as if the reward were missing.")
    'In a step, it looks as if the reward were missing.'
    """
    return f"{place}, {sentence[0].lower()}{sentence[1:]}"


def exercise(
    right: Callable, suspects: list[Suspect] = (), now: str = "", wanted: str = ""
) -> Callable:
    """Make the public check of an exercise from the function that yields its cases.

    That function's docstring is the specification.
    """

    def make(cases: Callable[[], Iterator[Case]]) -> Callable:
        made = Exercise(
            name=cases.__name__,
            specification=inspect.cleandoc(cases.__doc__),
            right=right,
            cases=cases,
            suspects=list(suspects),
            now=now,
            wanted=wanted,
        )
        EXERCISES[made.name] = made

        def check(function) -> None:
            show(made, verdict(made, function))

        check.__name__ = made.name
        check.__qualname__ = made.name
        check.__module__ = cases.__module__
        check.__doc__ = made.specification
        return check

    return make
