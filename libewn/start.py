"""How games start: instances drawn from a seed; and checks of what a user gives."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from lib2048.validate import check_whole
from libewn.rules import CUBES, VARIANTS, Variant

RED, BLUE = range(2)
SIDES = ("Red", "Blue")


def check_variant(name: Any) -> Variant:
    """The variant of this name, or a ValueError."""
    if not isinstance(name, str) or name not in VARIANTS:
        raise ValueError(f'a variant is "tcg2023" or "classic", got {name!r}')
    return VARIANTS[name]


def check_wholes(name: str, values: Any, low: int, high: int) -> tuple[int, ...]:
    """Such numbers as a tuple, or a ValueError."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ValueError(f"{name} is a sequence of whole numbers, got {values!r}")
    return tuple(check_whole(f"each of {name}", value, low, high) for value in values)


class Instance(NamedTuple):
    """What is drawn before a game: each side's cubes, row by row, and the line of dice."""

    variant: str
    red: tuple[int, ...]
    blue: tuple[int, ...]
    dice: tuple[int, ...]


def instance(seed: int = 0, number: int = 0, variant: str = "tcg2023") -> Instance:
    """Draw an instance: number `number` of the set with this seed, a function of the two alone.

    Examples
    --------
    >>> instance(seed=1).red
    (4, 0, 2, 1, 5, 3)
    """
    rules = check_variant(variant)
    rng = np.random.default_rng(
        (check_whole("seed", seed), check_whole("number", number), rules.code)
    )
    red = tuple((rng.permutation(CUBES) + rules.first).tolist())
    blue = tuple((rng.permutation(CUBES) + rules.first).tolist())
    dice = tuple((rng.integers(0, CUBES, rules.dice) + rules.first).tolist())
    return Instance(variant, red, blue, dice)


def instances(count: int, seed: int = 0, variant: str = "tcg2023") -> list[Instance]:
    """The first `count` instances of a set."""
    return [instance(seed, number, variant) for number in range(check_whole("count", count))]
