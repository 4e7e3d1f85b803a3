"""How the beginning of a result's work is done anew, for each function that pieces are made of; confirm.py asks here.

What is tried is the beginning only. Code that comes to work later (a second stage of a training, the largest tiles) is
not seen, and the games that a trained network plays are compared only where runs/networks still has it. A training that
is short, or that diverged, is done as a whole.
"""

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments import progress, store
from experiments.differences import rows_differ, values_differ
from experiments.networks import Recipe, _code, total
from experiments.piece import Piece
from experiments.pieces import curve, look_ahead, strength, train_and_evaluate
from experiments.tournaments import tournament
from lib2048 import NTupleNetwork, TrainLog, train
from lib2048.training import Diverged

SHARE = 0.03  # of the work is tried,
LEAST = 2  # but at least so many blocks or games
GAMES = 1_000  # and of a training at least so many games
MINUTE = 60.0  # seconds that trying may take, unless LEAST or GAMES need more
INSTANCES = 10  # of a tournament: its rounds say little each
WHOLE = 5_000  # a training of so many games is done as a whole
CURVE = ("means", "best", "moves_of_block", "ended")
PLAYED = ("scores", "max_tiles")
PARTNERS: dict[Callable, Callable] = {}


class Tried(NamedTuple):
    """What was done anew: the first `done` of the result's `of` blocks (games, instances), and what differs first."""

    unit: str
    done: int
    of: int
    differs: str = ""
    evaluation: int = 0  # games of a training's evaluation


class Unable(ValueError):
    """There is no way to try a beginning of this result."""


class Enough(Exception):
    """The training is as far as it was to go."""


def confirms(*functions):
    """Enter the partner of functions of pieces: partner(piece, values, seconds) does the beginning of a piece again.

    values and seconds are those of the stored result. The partner returns Tried or raises Unable.
    """

    def enter(partner):
        PARTNERS.update(dict.fromkeys(functions, partner))
        return partner

    return enter


def beginning(count: int, in_a_minute: int, least: int = LEAST) -> int:
    """How many of `count` blocks, games or instances are tried."""
    return min(count, max(least, min(math.ceil(SHARE * count), in_a_minute)))


# Training


@confirms(train_and_evaluate)
def _train(piece: Piece, values: dict, seconds: float) -> Tried:
    """Training is chaotic: a weight that differs in its last bit soon changes a move and with it all later games, so
    blocks that are alike to the bit are strong evidence that the code learns as it did.
    """
    games, blocks = total(piece.parameters["games"]), len(values.get("means", ()))
    if (last := values.get("diverged")) is not None:
        learned = _learn(piece.parameters, last)
        differs = rows_differ(learned, values, CURVE, min(blocks, len(learned["means"])), "block")
        expected = {name: values.get(name) for name in learned}
        return Tried("games", last, last, differs or values_differ(learned, expected))
    if games <= WHOLE:
        outcome = train_and_evaluate(**piece.parameters | {"ages": (), "every": None})
        scalars, arrays, _ = store.split(outcome, "train_and_evaluate")
        differs = (
            rows_differ(arrays, values, CURVE, blocks, "block")
            if scalars["diverged"] is None
            else ""
        )
        tried = Tried("blocks", blocks, blocks, differs or values_differ(scalars | arrays, values))
        return (
            tried
            if tried.differs
            else _network(piece, values, tried)._replace(evaluation=len(values["scores"]))
        )
    if not blocks or "moves_of_block" not in values:
        raise Unable("the result holds no learning curve")
    moves = np.cumsum(values["moves_of_block"])
    in_a_minute = int(np.searchsorted(moves * (seconds / max(1, moves[-1])), MINUTE))
    block = _block(piece.parameters)
    count = beginning(blocks, in_a_minute, max(LEAST, math.ceil(GAMES / block)))
    learned = _learn(piece.parameters, count * block)
    if learned["diverged"] is not None:
        return Tried("blocks", count, blocks, f"it diverges at game {learned['diverged']:,} now")
    tried = Tried("blocks", count, blocks, rows_differ(learned, values, CURVE, count, "block"))
    return tried if tried.differs else _network(piece, values, tried)


def _block(parameters: dict) -> int:
    """The games to a block, as train_and_evaluate chooses them."""
    return parameters["block"] or max(1, min(1000, total(parameters["games"]) // 50))


def _learn(parameters: dict, last: int) -> dict:
    """The curve of a training as far as the block that game number `last` is in, and where it diverged, if it did."""
    recipe, block = Recipe.among(parameters), _block(parameters)
    log = TrainLog(
        np.zeros(0, np.int64),
        np.zeros(0, np.uint8),
        np.zeros(0, np.int32),
        block,
        0.0,
        seed=recipe.seed,
    )
    net, diverged = recipe.network(), None

    def after_block(so_far):
        nonlocal log
        log = so_far
        progress.report(len(log.scores), last)
        if len(log.scores) >= last:
            raise Enough

    try:
        log = train(
            net,
            parameters["games"],
            block=block,
            progress=False,
            callback=after_block,
            **recipe.options(),
        )
    except Enough:
        pass
    except Diverged:
        diverged = net.games
    if log.interrupted:
        raise KeyboardInterrupt
    return curve(log) | {"diverged": diverged}


def _network(piece: Piece, values: dict, tried: Tried) -> Tried:
    """Play the first games of the evaluation with the trained network, where it is kept, and keep it for this code.

    A network that earlier code left is this result's when it plays the games that the result holds. Then that code is
    the one that made the result, and the copies it left at younger ages are of the same training.
    """
    recipe, games = Recipe.among(piece.parameters), piece.parameters["games"]
    for ending in ("-run", ""):
        path = recipe.path(games, ending)
        file = path if path.exists() else _older(path)
        net = _load(file, total(games)) if file else None
        if net is None:
            continue
        evaluation = len(values["scores"])
        count = beginning(evaluation, evaluation)
        played, _ = strength(net, count, 1, recipe.seed + 1, recipe.downgrade)
        if differs := rows_differ(
            played, values, PLAYED, count, f"with the network {file.name}, evaluation game"
        ):
            return tried._replace(differs=differs)
        tried = tried._replace(evaluation=count)
        if file != path:
            code = file.stem.removesuffix(ending)[-12:]
            _take_over(code, [path, *(recipe.path(age) for age in piece.parameters["ages"])])
    return tried


def _older(path: Path) -> Path | None:
    """The newest network that earlier code left in the place of `path`."""
    files = path.parent.glob(path.name.replace(_code()[:12], "?" * 12))
    return max(files, key=lambda file: file.stat().st_mtime, default=None)


def _load(file: Path, games: int) -> NTupleNetwork | None:
    """A kept network; None where it cannot be read or its training had not come to the end."""
    try:
        net = NTupleNetwork.load(file)
    except (ValueError, OSError):
        return None
    return net if net.games == games else None


def _take_over(code: str, paths) -> None:
    """Give networks that earlier code left the names that they have with the present code."""
    for path in paths:
        old = path.with_name(path.name.replace(_code()[:12], code))
        if old.exists() and not path.exists():
            os.replace(old, path)


# Playing


@confirms(look_ahead)
def _play(piece: Piece, values: dict, seconds: float) -> Tried:
    """The first games, where the network is kept under the present code: made by it, or taken over when confirmed."""
    recipe, games = Recipe.among(piece.parameters), piece.parameters["games"]
    if all(_load(recipe.path(games, ending), total(games)) is None for ending in ("-run", "")):
        raise Unable("its network is not kept under the present code")
    return _fewer(piece, "evaluation", PLAYED, values, seconds, LEAST)


@confirms(tournament)
def _match(piece: Piece, values: dict, seconds: float) -> Tried:
    """The rounds of the first instances: who won, how, and after how many moves."""
    return _fewer(piece, "instances", ("won", "eliminated", "plies"), values, seconds, INSTANCES)


def _fewer(piece: Piece, parameter: str, names, values: dict, seconds: float, least: int) -> Tried:
    """Run a piece with fewer games: each of them is a function of the parameters and its number alone."""
    every = piece.parameters[parameter]
    count = beginning(every, int(every * MINUTE / max(seconds, 1e-3)), least)
    outcome = piece.function(**piece.parameters | {parameter: count})
    scalars, arrays, _ = store.split(outcome, piece.function.__name__)
    unit = "games" if parameter == "evaluation" else parameter
    differs = rows_differ(arrays, values, names, count, unit.removesuffix("s"))
    if count == every:
        differs = differs or values_differ(scalars | arrays, values)
    return Tried(unit, count, every, differs)
