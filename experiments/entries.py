'''What the catalogue is written in: an experiment asks a question, and some pieces answer it.

@experiment("alpha", small=dict(games=500), full=dict(games=10_000), seconds=(2, 40))
def alpha(games):
    """What does alpha do?"""
    for seed in range(3):
        yield piece(train_and_evaluate, games=games, alpha=0.1, seed=seed)
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
    scales: dict[str, dict]
    seconds: dict[str, float]
    record: bool | str
    after: tuple[str, ...]

    def pieces(self, scale: str) -> list[Piece]:
        """Its pieces at a scale."""
        if scale not in self.scales:
            raise ValueError(
                f"experiment {self.name} has the scales {', '.join(self.scales)}, got {scale!r}"
            )
        pieces = labelled(list(self.make(**self.scales[scale])), self.name)
        share = self.seconds[scale] / len(pieces)
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
    small: dict,
    full: dict,
    seconds: tuple[float, float],
    record: bool | str = False,
    after: tuple[str, ...] = (),
):
    """Enter a function that yields pieces into the catalogue.

    The function's docstring begins with the question that its pieces answer.

    Parameters
    ----------
    name : str
        What the experiment is called.
    small, full : dict
        What the function is called with at each scale.
    seconds : tuple of float
        What all its pieces take on one core, at the small and at the full scale.
    record : bool or str
        True keeps the results of the full scale in git, and they are what is read at any scale.
        "full" keeps them too, but at the small scale small results are made and read: what shows
        them then runs all its code at both scales.
    after : tuple of str
        Experiments whose networks its pieces use.

    Returns
    -------
    callable
        A decorator.

    Raises
    ------
    ValueError
        If there is an experiment of this name already, or it asks no question.
    """
    if name in EXPERIMENTS:
        raise ValueError(f"there are two experiments called {name}")

    def enter(make):
        told, _, _ = (inspect.getdoc(make) or "").partition("\n\n")
        if not told:
            raise ValueError(f"experiment {name} asks nothing: begin its docstring with a question")
        scales = {"small": small, "full": full}
        costs = dict(zip(scales, seconds))
        entry = Experiment(name, " ".join(told.split()), make, scales, costs, record, after)
        EXPERIMENTS[name] = entry
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
    """The pieces of experiments, and of those they are after, in the order they need each other."""
    depth: dict[str, int] = {}

    def visit(name: str) -> int:
        if name not in depth:
            earlier = [visit(other) for other in find(name).after]
            depth[name] = 1 + max(earlier, default=-1)
        return depth[name]

    for name in names:
        visit(name)
    levels: list[list[Piece]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for name, level in depth.items():
        levels[level] += find(name).pieces(scale)
    return levels
