"""Training a network from a recipe, and trained networks kept in runs/networks for other pieces.

A network's file is named by its recipe and by the version of the training, so it cannot be stale;
one that is not there (on another machine of a cluster, say) is trained again, to the same bits.
"""

import shutil
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np

from experiments import claims, progress, store
from experiments.piece import PROCESS, memory_of
from experiments.versions import versioned
from lib2048 import NTupleNetwork, TrainLog, resume, train
from lib2048.options import TrainOptions
from lib2048.training import Diverged

BLOCKS = 50  # of a curve, where a block is not given
LARGEST_BLOCK = 1000  # games

# Options of train that say how it goes about its work. The network comes out the same, or, with
# threads, not as the same twice, so they are no part of a recipe.
WAYS_OF_WORKING = ("threads", "block", "every", "engine")


@dataclass(frozen=True)
class Recipe:
    """How a network is made and taught: the options of NTupleNetwork, and those of train."""

    values: str = "afterstate"
    patterns: str | tuple = "4x6"
    symmetries: int = 8
    init: float = 0.0
    learning: TrainOptions = TrainOptions(p4=0.1)

    @classmethod
    def among(cls, parameters: dict) -> "Recipe":
        """The recipe within the parameters of a piece."""
        learning = {name: parameters[name] for name in LEARNING if name in parameters}
        making = {name: parameters[name] for name in MAKING if name in parameters}
        return cls(**making, learning=replace(cls.learning, **learning))

    def parameters(self) -> dict:
        """The recipe as parameters of a piece."""
        learning = asdict(self.learning)
        parameters = {name: getattr(self, name) for name in MAKING}
        return parameters | {name: learning[name] for name in LEARNING}

    def network(self) -> NTupleNetwork:
        """The network before it has learned."""
        return NTupleNetwork(self.patterns, self.values, self.init, self.symmetries)

    def path(self, games, ending: str = "") -> Path:
        """Where the network is kept after so many games (or stages of games)."""
        about = self.parameters()
        about = {name: value for name, value in about.items() if value != OPTIONS[name]}
        if not isinstance(games, int):
            about["stages"] = games
        family = f"{self.values}-{store.json_hash(about)[:12]}-{total(games)}"
        return store.networks() / f"{family}-v{learn.version}{ending}.npz"


LEARNING = [option.name for option in fields(TrainOptions) if option.name not in WAYS_OF_WORKING]
MAKING = [option.name for option in fields(Recipe) if option.name != "learning"]
OPTIONS = Recipe().parameters()  # with their defaults, for pieces that take them


def total(games) -> int:
    """The number of games of a number, or of a sequence of stages (games, alpha, coherence)."""
    return games if isinstance(games, int) else sum(stage[0] for stage in games)


def games_learned(parameters: dict) -> int:
    """How many games the network of a piece learned from; in a relay, all of its networks.

    Examples
    --------
    >>> games_learned({"games": 100}), games_learned({"legs": [{"games": 100}, {"games": 20}]})
    (100, 120)
    """
    return sum(total(leg["games"]) for leg in parameters.get("legs", [parameters]))


def default_block(games) -> int:
    """The games to a point of a curve: such that there are 50, but 1,000 at most."""
    return max(1, min(LARGEST_BLOCK, total(games) // BLOCKS))


@versioned(1)
def learn(recipe: Recipe, games, block=None, ages=(), every=None, show: bool = False):
    """Train a network, and go on from the checkpoint when there is one.

    Games, block, ages and every are as in `pieces.train_and_evaluate`; ages are multiples of block.
    Returns (network, log, number of the game at which it diverged or None).
    """
    block = block or default_block(games)
    wrong = [age for age in ages if age % block or not 0 < age <= total(games)]
    if wrong:
        raise ValueError(f"ages are multiples of block={block} up to {total(games)}, got {wrong}")
    net = recipe.network()
    log = _empty_log(block, recipe.learning.seed)

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
            options = {name: getattr(recipe.learning, name) for name in LEARNING}
            if every:
                options |= {"checkpoint": _make_room(checkpoint), "every": every}
            log = train(net, games, block=block, progress=show, callback=after_block, **options)
    except Diverged:
        return net, log, net.games
    if log.interrupted:
        raise KeyboardInterrupt
    return net, log, None


def _empty_log(block: int, seed: int) -> TrainLog:
    """What there is of a training that has not begun."""
    scores = np.zeros(0, np.int64)
    max_tiles = np.zeros(0, np.uint8)
    moves = np.zeros(0, np.int32)
    return TrainLog(scores, max_tiles, moves, block, 0.0, seed=seed)


def keep(net: NTupleNetwork, path: Path) -> None:
    """Save a network."""
    net.save(_make_room(path))


def _make_room(path: Path) -> Path:
    """The path of a file, once what an older version left in its place is deleted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    any_version = path.name.replace(f"-v{learn.version}", "-v*")
    for old in path.parent.glob(any_version):
        if old != path:
            old.unlink(missing_ok=True)
    return path


def trained(recipe: Recipe, games, show: bool = False) -> NTupleNetwork:
    """The network of a recipe after so many games: read from its file, or trained now.

    ValueError where its training diverges, or the disk has no room for it: it would be trained for
    each piece anew.
    """
    path = recipe.path(games)
    checkpoint = recipe.path(games, "-run")
    if checkpoint.exists():
        net = NTupleNetwork.load(checkpoint)
        if net.games == total(games):
            return net
    with claims.waiting_for(f"network-{path.stem}"):
        if path.exists():
            return NTupleNetwork.load(path)
        check_room(path, recipe, games)
        net, _, diverged = learn(recipe, games, show=show)
        if diverged is not None:
            raise ValueError(f"training diverged at game {diverged} with {recipe}")
        keep(net, path)
        return net


def check_room(path: Path, recipe: Recipe, games) -> None:
    """Refuse a training whose network could not be kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(path.parent).free
    needed = memory_of(recipe.parameters() | {"games": games}) - PROCESS
    if free < needed:
        raise ValueError(
            f"{path.name} may take {needed / 1e9:.1f} GB, the disk has {free / 1e9:.1f} GB free; "
            "it is not trained, because it could not be kept"
        )
