'''What the catalogue is written in: an experiment asks a question, and some pieces answer it.

@experiment("alpha", games=(500, 10_000), seconds=(2, 40))
def alpha(games):
    """What does alpha do?"""
    for seed in range(3):
        yield piece(train_and_evaluate, games=games, alpha=0.1, seed=seed)

Each pair is of the value at the small scale and that at the full one.
'''

import difflib
import inspect
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from experiments.piece import Piece, labelled

SCALES = ("small", "full")


@dataclass(frozen=True)
class Experiment:
    """An entry of the catalogue; `experiment` says what its fields mean."""

    name: str
    question: str
    make: Callable
    seconds: tuple[float, float]
    record: bool | str
    after: tuple[str, ...]
    parameters: dict[str, tuple]

    def pieces(self, scale: str) -> list[Piece]:
        """Its pieces at a scale."""
        number = SCALES.index(check_scale(scale))
        parameters = {name: pair[number] for name, pair in self.parameters.items()}
        pieces = labelled(list(self.make(**parameters)), self.name)
        share = self.seconds[number] / len(pieces)
        is_record = self.record and scale == "full"
        return [
            replace(piece, cost=share, record=_file_name(piece.label) if is_record else None)
            for piece in pieces
        ]

    def reads_record(self, scale: str) -> bool:
        """Whether what is asked for at a scale is read from the record, and never run."""
        return bool(self.record) and (scale == "full" or self.record is True)


def _file_name(label: str) -> str:
    """A label as the name of a file."""
    return re.sub(r"[^\w.-]+", "-", label)


EXPERIMENTS: dict[str, Experiment] = {}


def experiment(
    name: str,
    *,
    seconds: tuple[float, float],
    record: bool | str = False,
    after: tuple[str, ...] = (),
    **parameters: tuple,
):
    """Enter a function that yields pieces into the catalogue.

    Parameters
    ----------
    name : str
        What the experiment is called. Its question is how the function's docstring begins.
    seconds : pair of float
        What all its pieces take on one core.
    record : bool or str
        True keeps the results of the full scale in git, and they are what is read at any scale.
        "full" keeps them too, but at the small scale small results are made and read: what shows
        them then runs all its code at both scales.
    after : tuple of str
        Experiments whose networks its pieces use.
    **parameters : pairs
        What the function is called with.
    """
    if name in EXPERIMENTS:
        raise ValueError(f"there are two experiments called {name}")

    def enter(make):
        told, _, _ = (inspect.getdoc(make) or "").partition("\n\n")
        if not told:
            raise ValueError(f"experiment {name} asks nothing: begin its docstring with a question")
        question = " ".join(told.split())
        EXPERIMENTS[name] = Experiment(name, question, make, seconds, record, after, parameters)
        return make

    return enter


def find(name: str) -> Experiment:
    """The experiment of this name, or a ValueError that suggests one."""
    if name in EXPERIMENTS:
        return EXPERIMENTS[name]
    near = difflib.get_close_matches(str(name), EXPERIMENTS, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(EXPERIMENTS)}"
    raise ValueError(f"no experiment is called {name!r}; {hint}")


def check_scale(scale: str | None = None) -> str:
    """The scale to work at: the one given, else the environment's SCALE, else "full"."""
    scale = scale or os.environ.get("SCALE") or "full"
    if scale not in SCALES:
        raise ValueError(f"a scale is {' or '.join(SCALES)}, got {scale!r}")
    return scale


def stages(names, scale: str) -> list[list[Piece]]:
    """The pieces of experiments, and before them those of the experiments that they are after."""
    levels: list[list[Piece]] = []
    names = list(names)
    while names:
        levels.insert(0, [piece for name in names for piece in find(name).pieces(scale)])
        names = list(dict.fromkeys(other for name in names for other in find(name).after))
    return levels
