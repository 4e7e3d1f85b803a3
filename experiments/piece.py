"""A piece is a function and its parameters: the smallest thing that is run, stored, found again.

The function takes plain parameters (numbers, texts, None, tuples of these) and returns a dict of
numbers, texts, lists and numpy arrays that depend on nothing but the parameters; or a pair of such
dicts, the second of them what was measured of the machine on the way (seconds), which goes into the
provenance.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from experiments import store
from experiments.versions import version_of
from lib2048.network import check_patterns

PROCESS = 200 << 20  # bytes of a Python process with lib2048, before it holds a network
LABEL = 40  # characters of a parameter in a label
GUESS = 30.0  # seconds, where nobody knows


@dataclass(frozen=True)
class Piece:
    """A function with its parameters, complete: those left out have their defaults."""

    function: Callable
    parameters: dict
    tags: dict = field(default_factory=dict)  # columns of tables that are no parameters
    memory: int = 0  # bytes it takes at most
    cost: float = GUESS  # seconds, where none are recorded yet
    label: str = ""
    record: str | None = None  # its name under records, for the long runs kept in git

    @cached_property
    def version(self) -> int | str:
        """The version that its result must have, see versions.py."""
        return version_of(self.function)

    @cached_property
    def family(self) -> str:
        """What its results are called, of whatever version.

        Parameters that have their defaults do not count, so that an option that comes later renames
        nothing.
        """
        defaults = defaults_of(self.function)
        chosen = {
            name: value
            for name, value in self.parameters.items()
            if name not in defaults or defaults[name] != value
        }
        return f"{self.function.__name__}-{store.json_hash(chosen)[:12]}"

    @property
    def name(self) -> str:
        """Its name on disk."""
        if self.record:
            return self.record
        version = f"v{self.version}" if isinstance(self.version, int) else self.version
        return f"{self.family}-{version}"

    @property
    def path(self) -> Path:
        """Where its result is kept, without the endings .json and .npz."""
        folder = store.records() if self.record else store.results()
        return folder / self.name

    def load(self) -> tuple[dict, dict] | None:
        """(values, about) of its stored result, or None. A record may be stale."""
        return store.load(self.path)

    @property
    def state(self) -> str:
        """Its result is "stored", "stale" (of another version or other parameters) or "missing"."""
        stored = self.load()
        if stored is not None:
            return "stored" if self.fits(stored[1]) else "stale"
        older = None if self.record else store.newest(self.family)
        return "missing" if older is None else "stale"

    def fits(self, about: dict) -> bool:
        """Whether a stored result was made by this version and with these parameters.

        Options that came later than the result count as having had their defaults.
        """
        if about["version"] != self.version:
            return False
        stored = plain("parameters", about["parameters"])
        return defaults_of(self.function) | stored == self.parameters

    @property
    def seconds(self) -> float:
        """How long it takes: as recorded, of whatever version, or the guess of the catalogue."""
        path = self.path if self.record else store.newest(self.family)
        stored = store.load(path) if path else None
        return stored[1]["seconds"] if stored else self.cost


def plain(name: str, value):
    """A parameter as it is hashed and stored: lists become tuples, numpy's numbers Python's."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple | range):
        return tuple(plain(name, item) for item in value)
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: plain(name, item) for key, item in value.items()}
    raise ValueError(
        f"parameter {name} is a number, a text, None or a list of these, got {value!r:.80}"
    )


def defaults_of(function) -> dict:
    """The defaults of a function's parameters."""
    return {
        name: plain(name, parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty
    }


def piece(
    function,
    *,
    tags: dict | None = None,
    memory: int | None = None,
    **parameters,
) -> Piece:
    """A piece of an experiment.

    Parameters
    ----------
    function : callable
        What is run.
    tags : dict, optional
        What names a variant in tables and bars and is no parameter.
    memory : int, optional
        Bytes it takes at most; worked out from `patterns` when None.
    **parameters
        What the function is called with: numbers, texts, None and lists of these. Those left out
        take the function's defaults.
    """
    signature = inspect.signature(function)
    try:
        signature.bind(**parameters)
    except TypeError as error:
        raise ValueError(
            f"{function.__name__} cannot be called with {sorted(parameters)}: {error}; "
            f"it takes {', '.join(signature.parameters)}"
        ) from None
    complete = defaults_of(function)
    complete |= {name: plain(name, value) for name, value in parameters.items()}
    in_order = [name for name in signature.parameters if name in complete]
    complete = {name: complete[name] for name in [*in_order, *complete]}
    if memory is None:
        memory = memory_of(complete)
    return Piece(function, complete, tags or {}, memory)


def memory_of(parameters: dict) -> int:
    """Bytes of a process that trains the network of these parameters, 4x6 if they do not say."""
    patterns = check_patterns(parameters.get("patterns", "4x6"))
    weights = sum(16 ** len(pattern) for pattern in patterns)
    tables = 3 if _learns_coherently(parameters) else 1  # the weights, and two sums for each
    return PROCESS + 4 * weights * tables


def _learns_coherently(parameters: dict) -> bool:
    """Whether a training keeps the sums of temporal coherence, in one of its stages at least."""
    if parameters.get("coherence"):
        return True
    stages = parameters.get("games")
    if not isinstance(stages, tuple):
        return False
    return any(isinstance(stage, tuple) and stage[2:] == (True,) for stage in stages)


def labelled(pieces: list[Piece], name: str) -> list[Piece]:
    """The pieces with labels.

    The tags tell variants apart, and the parameters that differ the pieces of a variant.
    """
    result = []
    for one in pieces:
        variant = [other.parameters for other in pieces if other.tags == one.tags]
        varied = {
            key: value
            for key, value in one.parameters.items()
            if any(parameters.get(key) != value for parameters in variant)
        }
        parts = [f"{key} {value}"[:LABEL] for key, value in (one.tags | varied).items()]
        label = f"{name}: {', '.join(parts)}" if parts else name
        result.append(replace(one, label=label))
    return result
