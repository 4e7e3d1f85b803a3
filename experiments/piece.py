"""What the catalogue is written in: an experiment is a named set of pieces, a piece is a function and its parameters.

    @experiment("alpha", question="What does alpha do?", scales={"small": {"games": 500}, "full": {"games": 10_000}})
    def alpha(games):
        for seed in range(3):
            yield piece(train_and_evaluate, games=games, alpha=0.1, seed=seed)

A piece's function takes plain parameters (numbers, texts, None, tuples of these) and returns a dict of numbers, texts,
lists and numpy arrays that depend on nothing but the parameters; or a pair of such dicts, the second of them what was
measured of the machine on the way (seconds), which goes into the provenance.
"""

import difflib
import inspect
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from experiments import keys, store
from lib2048.network import check_patterns

SCALES = ("small", "full")
PROCESS = 200 << 20  # bytes of a Python process with lib2048, before it holds a network


@dataclass(frozen=True)
class Piece:
    """A function with its parameters: the smallest thing that is run, stored, and found again."""

    function: Callable
    parameters: dict
    tags: dict = field(
        default_factory=dict
    )  # columns of the table of results that are no parameters
    memory: int = 0  # bytes it takes at most
    cost: float = 30.0  # seconds, where none are recorded yet
    label: str = ""
    code: str = ""  # the hash of the sources it runs
    record: str | None = None  # name under records, for the long runs kept in git

    @cached_property
    def family(self) -> str:
        """What stays the same when only the code changes: the function and its parameters."""
        return f"{self.function.__name__}-{keys.parameter_hash(self.parameters)[:12]}"

    @property
    def name(self) -> str:
        """Its name on disk."""
        return self.record or f"{self.family}-{self.code[:12]}"

    @property
    def path(self) -> Path:
        """Where its result is kept, without the endings .json and .npz."""
        return (store.records() if self.record else store.results()) / self.name

    def load(self):
        """(values, about) of its stored result, or None; a record is returned also when it is stale."""
        return store.load(self.path)

    @property
    def state(self) -> str:
        """ "stored", "stale" (made by other code or, in a record, with other parameters) or "missing"."""
        if (stored := self.load()) is not None:
            return "stored" if self.fits(stored[1]) else "stale"
        return "stale" if not self.record and store.of_family(self.family) else "missing"

    def fits(self, about: dict) -> bool:
        """Whether a stored result was made with these parameters, by this code or by code that it was confirmed for."""
        current = about["code"] == self.code or self.confirmation(about) is not None
        return current and self.asked(about)

    def asked(self, about: dict) -> bool:
        """Whether a stored result was made with these parameters; options that came later have their defaults."""
        options = inspect.signature(self.function).parameters
        later = {
            name: option.default
            for name, option in options.items()
            if option.default is not option.empty
        }
        return later | plain("parameters", about["parameters"]) == self.parameters

    def confirmation(self, about: dict) -> dict | None:
        """What a stored result says of how it was confirmed for this code; None where it was not."""
        return next(
            (entry for entry in about.get("confirmed", ()) if entry["code"] == self.code), None
        )

    @property
    def seconds(self) -> float:
        """How long it takes: as recorded, of whatever code, or the guess of the catalogue."""
        stored = self.load() if self.record else store.of_family(self.family)
        return stored[1]["seconds"] if stored else self.cost


def plain(name: str, value):
    """A parameter as it is handed on, hashed and written down: lists become tuples, numpy's numbers Python's."""
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


def piece(
    function,
    *,
    tags: dict | None = None,
    memory: int | None = None,
    cost: float = 30.0,
    **parameters,
) -> Piece:
    """A piece of an experiment; parameters left out take the function's defaults.

    tags name a variant in tables and bars. memory, in bytes, is worked out from `patterns` where a function takes them.
    """
    try:
        bound = inspect.signature(function).bind(**parameters)
    except TypeError as error:
        raise ValueError(
            f"{function.__name__} cannot be called with {sorted(parameters)}: {error}"
        ) from None
    bound.apply_defaults()
    full = dict(bound.arguments)
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            full |= full.pop(name)
    full = {name: plain(name, value) for name, value in full.items()}
    return Piece(function, full, tags or {}, memory_of(full) if memory is None else memory, cost)


def memory_of(parameters: dict) -> int:
    """Bytes of a process that trains the network these parameters describe, 4x6 where they do not say."""
    weights = sum(
        16 ** len(pattern) for pattern in check_patterns(parameters.get("patterns", "4x6"))
    )
    stages = parameters.get("games") if isinstance(parameters.get("games"), tuple) else ()
    coherent = parameters.get("coherence") or any(
        isinstance(stage, tuple) and stage[2:] == (True,) for stage in stages
    )
    return PROCESS + 4 * weights * (3 if coherent else 1)


def identified(pieces: list[Piece], name: str) -> list[Piece]:
    """The pieces with the hash of their code, and with labels made of what differs between them."""
    codes = {
        function: keys.code_hash(function) for function in {piece.function for piece in pieces}
    }
    labels = []
    for piece in pieces:  # the tags tell variants apart, parameters the pieces of a variant
        alike = [other.parameters for other in pieces if other.tags == piece.tags]
        varied = {
            key: value
            for key, value in piece.parameters.items()
            if any(p.get(key) != value for p in alike)
        }
        labels.append(
            ", ".join(f"{key} {value}"[:40] for key, value in (piece.tags | varied).items())
        )
    labels = [f"{name}: {label}".rstrip(": ") for label in labels]
    return [
        replace(piece, label=label, code=codes[piece.function])
        for piece, label in zip(pieces, labels)
    ]


@dataclass(frozen=True)
class Experiment:
    """An entry of the catalogue."""

    name: str
    question: str
    scales: dict[str, dict]  # what `make` is called with at each scale
    cost: dict[
        str, float
    ]  # seconds of work at each scale on two slow cores' machine class, all pieces together
    record: (
        bool | str
    )  # its full scale is kept in git: True, or "full" where the small scale is run like any other
    after: tuple[str, ...]  # experiments whose networks its pieces use
    make: Callable

    def pieces(self, scale: str) -> list[Piece]:
        """Its pieces at a scale."""
        if scale not in self.scales:
            raise ValueError(
                f"experiment {self.name} has the scales {', '.join(self.scales)}, got {scale!r}"
            )
        pieces = identified(list(self.make(**self.scales[scale])), self.name)
        share = self.cost.get(scale, 30.0) / len(pieces)
        pieces = [replace(piece, cost=share) for piece in pieces]
        if self.record and scale == "full":
            pieces = [
                replace(piece, record=re.sub(r"[^\w.-]+", "-", piece.label)) for piece in pieces
            ]
        return pieces

    def reads_record(self, scale: str) -> bool:
        """Whether what is asked for at a scale is read from the record, and never run."""
        return bool(self.record) and (scale == "full" or self.record is True)


EXPERIMENTS: dict[str, Experiment] = {}


def experiment(
    name: str, *, question: str, scales: dict, cost: dict, record: bool | str = False, after=()
):
    """Enter a function that yields pieces into the catalogue. It is called with the parameters of a scale.

    record: True keeps the results of the full scale in git, and they are what is read at any scale. "full" keeps them
    too, but at the small scale small results are made and read: what shows them then runs all its code at both scales.
    """
    if name in EXPERIMENTS:
        raise ValueError(f"there are two experiments called {name}")

    def enter(make):
        EXPERIMENTS[name] = Experiment(name, question, scales, cost, record, tuple(after), make)
        return make

    return enter


def find(name: str) -> Experiment:
    """The experiment of this name."""
    if name not in EXPERIMENTS:
        near = difflib.get_close_matches(str(name), EXPERIMENTS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(EXPERIMENTS)}"
        raise ValueError(f"no experiment is called {name!r}; {hint}")
    return EXPERIMENTS[name]


def check_scale(scale: str | None = None) -> str:
    """The scale to work at: the one given, else the environment's SCALE, else "full". It is read here only."""
    scale = scale or os.environ.get("SCALE") or "full"
    if scale not in SCALES:
        raise ValueError(f"a scale is {' or '.join(SCALES)}, got {scale!r}")
    return scale
