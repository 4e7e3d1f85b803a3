"""Training a network from a recipe, and trained networks kept in runs/networks for other pieces.

A network's file is named by its recipe and by the code that trains, so it cannot be stale; one that is not there (on
another machine of a cluster, say) is trained again, to the same bits.
"""

import dataclasses
import functools
from pathlib import Path

import numpy as np

from experiments import keys, progress, store
from lib2048 import NTupleNetwork, TrainLog, resume, train
from lib2048.training import Diverged


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How a network is made and taught: the options of NTupleNetwork and train."""

    values: str = "afterstate"
    patterns: str | tuple = "4x6"
    symmetries: int = 8
    init: float = 0.0
    alpha: float | None = None
    order: str = "backward"
    coherence: bool = False
    p4: float = 0.1
    lambda_: float = 0.0
    restart: int = 0
    downgrade: int | None = None
    seed: int = 0

    @classmethod
    def among(cls, parameters: dict) -> "Recipe":
        """The recipe within the parameters of a piece."""
        return cls(
            **{
                name: value
                for name, value in parameters.items()
                if name in cls.__dataclass_fields__
            }
        )

    def network(self) -> NTupleNetwork:
        """The network before it has learned."""
        return NTupleNetwork(self.patterns, self.values, self.init, self.symmetries)

    def options(self) -> dict:
        """What train is told."""
        names = ("alpha", "order", "coherence", "p4", "lambda_", "restart", "downgrade", "seed")
        return {name: getattr(self, name) for name in names}

    def path(self, games, ending: str = "") -> Path:
        """Where the network is kept after so many games (or stages of games)."""
        about = dataclasses.asdict(self) | ({} if isinstance(games, int) else {"stages": games})
        family = keys.parameter_hash(about)[:12]
        return (
            store.networks() / f"{self.values}-{family}-{total(games)}-{_code()[:12]}{ending}.npz"
        )


@functools.cache
def _code() -> str:
    """The hash of the code that trains, as this process has it in memory: a notebook may be older than its files."""
    if keys.project_stamp() != keys.loaded_stamp():
        raise ValueError(
            "files of the project were edited since this process loaded them; start it anew"
        )
    return keys.code_hash(learn)


def total(games) -> int:
    """The number of games of a number, or of a sequence of stages (games, alpha, coherence)."""
    return games if isinstance(games, int) else sum(stage[0] for stage in games)


@keys.versioned(1)
def learn(
    recipe: Recipe, games, block: int = 1000, ages=(), every: int | None = None, show: bool = False
):
    """Train a network. Returns (network, log, number of the game at which it diverged or None).

    games is a number or a sequence of stages. At each of `ages`, multiples of block, a copy is kept. With `every`, the
    training leaves a checkpoint every so many games and goes on from there when it is called again.
    """
    wrong = [age for age in ages if age % block or not 0 < age <= total(games)]
    if wrong:
        raise ValueError(f"ages are multiples of block={block} up to {total(games)}, got {wrong}")
    net = recipe.network()
    log = TrainLog(
        np.zeros(0, np.int64),
        np.zeros(0, np.uint8),
        np.zeros(0, np.int32),
        block,
        0.0,
        seed=recipe.seed,
    )

    def after_block(so_far):
        nonlocal log
        log = so_far
        progress.report(len(log.scores), total(games))
        if len(log.scores) in ages:
            keep(net, recipe.path(len(log.scores)))

    checkpoint = recipe.path(games, "-run")
    try:
        if every and checkpoint.exists():
            net, log = resume(checkpoint, show, after_block)
        else:
            saving = {"checkpoint": _make_room(checkpoint), "every": every} if every else {}
            log = train(
                net,
                games,
                block=block,
                progress=show,
                callback=after_block,
                **saving,
                **recipe.options(),
            )
    except Diverged:
        return net, log, net.games
    if log.interrupted:
        raise KeyboardInterrupt
    return net, log, None


def keep(net: NTupleNetwork, path: Path) -> None:
    """Save a network."""
    net.save(_make_room(path))


def _make_room(path: Path) -> Path:
    """The path of a network or checkpoint, once what older code left in its place is deleted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob(path.name.replace(_code()[:12], "?" * 12)):
        if old != path:
            old.unlink(missing_ok=True)
    return path


def trained(recipe: Recipe, games, show: bool = False) -> NTupleNetwork:
    """The network of a recipe after so many games: read from its file, or trained now."""
    path, run = recipe.path(games), recipe.path(games, "-run")
    if run.exists() and (net := NTupleNetwork.load(run)).games == total(games):
        return net
    with progress.claim(f"network-{path.stem}", path.exists) as mine:
        if mine:
            net, _, diverged = learn(recipe, games, show=show)
            if diverged is not None:
                raise ValueError(f"training diverged at game {diverged} with {recipe}")
            keep(net, path)
            return net
    return NTupleNetwork.load(path)
