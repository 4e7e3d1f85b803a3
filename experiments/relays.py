"""The functions that experiments on relays are made of: networks that play a game in turns.

A relay is described by its `legs`, one for each network in the order in which they play: how it is
made and how it learns, as parameters of `train_and_evaluate`, its games among them; by the `tiles`
at which a network hands over to the next; and by `seen`, how many games are played to find the
boards on which those before it have just made such a tile. There its own games begin.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments import claims, store
from experiments.networks import OPTIONS, Recipe, check_room, keep, learn, total, trained
from experiments.piece import PROCESS, memory_of, piece
from experiments.pieces import curve, played_games
from experiments.versions import versioned
from lib2048 import NTupleNetwork, Trace, TrainLog, play, symmetries, to_array
from lib2048.relay import Relay

FIRST_TAKEN, TAKEN_EVERY = 500, 100
"""The boards of a game that a typical board is made of: the first, and how many moves apart."""

SEED_OF_STARTS = 77
"""Of the games that are played to find boards to begin with."""


@versioned(1)
def train_leg(legs, tiles, seen, block=None, every=None):
    """Train the last network of a relay; those before it are there, or are trained first.

    Parameters
    ----------
    legs, tiles, seen
        The relay.
    block, every : int, optional
        As in `train_and_evaluate`.

    Returns
    -------
    tuple of dict
        The curve, and how many boards its games began with; the seconds of the training.
    """
    net, log, starts = _teach(legs, tiles, seen, block, every)
    keep(net, _path(legs, tiles, seen))
    return curve(log) | {"starts": starts}, {"train_seconds": log.seconds}


@versioned(1)
def habit(legs, tiles, seen, looked_at=100):
    """How the last network of a relay arranges its tiles.

    Parameters
    ----------
    legs, tiles, seen
        The relay.
    looked_at : int
        On how many of the boards with which its games of training begin it plays.

    Returns
    -------
    tuple of dict
        The mean score, counted from these boards on, and the typical board; no seconds.
    """
    *before, net = networks_of(legs, tiles, seen)
    starts = _handed_over(before, tiles, seen)[:looked_at]
    games = [play(net, board=start, game=number) for number, start in enumerate(starts)]
    score = float(np.mean([game.score for game in games]))
    return {"score": score, "typical_board": typical_board(games)}, {}


def typical_board(games: Sequence[Trace]) -> np.ndarray:
    """The median of each cell's exponent over boards of some games: uint8 (4, 4).

    All are turned and mirrored alike: the row along an edge with the largest sum of tiles is on
    top, and its larger half is on the left. Where no game is long enough, the board is empty.
    """
    taken = [_laid(int(board)) for game in games for board in game.boards[FIRST_TAKEN::TAKEN_EVERY]]
    if not taken:
        return np.zeros((4, 4), np.uint8)
    return np.median(taken, axis=0).astype(np.uint8)


def _laid(board: int) -> np.ndarray:
    """The exponents of a board, its heaviest edge on top, the heavier half of that on the left.

    Of equal halves, the one with the larger second tile.
    """

    def weights_of_upper_row(exponents: np.ndarray) -> tuple[int, int, int]:
        tiles = np.where(exponents[0] > 0, 1 << exponents[0], 0)
        return tiles.sum(), tiles[:2].sum(), tiles[1]

    return max((to_array(side) for side in symmetries(board)), key=weights_of_upper_row)


@versioned(1)
def play_a_relay(
    legs,
    tiles,
    seen,
    plies=1,
    evaluation=100,
    play_seed=1,
    margin=None,
):
    """Let the networks of a relay play in turns.

    Parameters
    ----------
    legs, tiles, seen
        The relay.
    plies : int
        How many moves they look ahead.
    evaluation, play_seed : int
        How many games they play, and the seed of these.
    margin : float, optional
        To look ahead only at what is in doubt; see `lib2048.best_action`.

    Returns
    -------
    tuple of dict
        The games; the seconds they took.
    """
    relay = relay_of(legs, tiles, seen, plies, play_seed, margin)
    return played_games(relay.evaluate(evaluation, progress=False), evaluation)


def relay_piece(function, legs, tiles, **parameters):
    """A piece of one of these functions, with the memory that all its networks take."""
    memory = PROCESS + sum(memory_of(leg) - PROCESS for leg in legs)
    return piece(function, memory=memory, legs=legs, tiles=tiles, **parameters)


def relay_of(
    legs, tiles, seen: int, plies: int = 1, seed: int = 0, margin: float | None = None
) -> Relay:
    """The relay of these legs; its networks are read from their files, or trained now."""
    return Relay(networks_of(legs, tiles, seen), tiles, plies, seed=seed, margin=margin)


def networks_of(legs, tiles, seen: int) -> list[NTupleNetwork]:
    """The networks of a relay: read from their files, or trained now."""
    return [_network(legs[: number + 1], tiles[:number], seen) for number in range(len(legs))]


def _network(legs, tiles, seen: int) -> NTupleNetwork:
    """The last network of a relay: read from its file, or trained now."""
    if len(legs) == 1:
        recipe, games = _recipe(legs[0])
        return trained(recipe, games)
    path = _path(legs, tiles, seen)
    with claims.waiting_for(f"network-{path.stem}"):
        if path.exists():
            return NTupleNetwork.load(path)
        check_room(path, *_recipe(legs[-1]))
        net, _, _ = _teach(legs, tiles, seen)
        keep(net, path)
        return net


def _teach(legs, tiles, seen: int, block=None, every=None) -> tuple[NTupleNetwork, TrainLog, int]:
    """Train the last network of a relay. Returns it, the log, and with how many boards it began."""
    if len(legs) < 2 or len(tiles) != len(legs) - 1:
        raise ValueError(
            "a later network of a relay is taught after the others, from the last of the tiles on: "
            f"got {len(legs)} legs and tiles {tiles} (train_and_evaluate teaches the first network)"
        )
    *before, last = legs
    starts = tuple(_handed_over(networks_of(before, tiles[:-1], seen), tiles, seen))
    recipe, games = _recipe(last)
    recipe = replace(recipe, learning=replace(recipe.learning, starts=starts))
    net, log, diverged = learn(recipe, games, block, every=every)
    if diverged is not None:
        raise ValueError(f"training diverged at game {diverged} with {last}")
    return net, log, len(starts)


def _handed_over(before: Sequence[NTupleNetwork], tiles, seen: int) -> list[int]:
    """The boards on which networks hand over to the one that plays from the last of the tiles on.

    There its games of training begin.
    """
    *earlier, tile = tiles
    relay = Relay(before, earlier, seed=SEED_OF_STARTS)
    return relay.first_boards(tile, seen, progress=False)


def _recipe(leg: dict) -> tuple[Recipe, int | tuple]:
    """How a leg's network is made and learns, and from how many games, or stages of games.

    ValueError for options that there are not, and for those that a relay does not play by.
    """
    options = dict(leg)
    games = options.pop("games")
    unknown = [name for name in options if name not in OPTIONS or name in ("starts", "downgrade")]
    if unknown:
        raise ValueError(f"a leg of a relay has no option {', '.join(unknown)}, got {leg}")
    return Recipe.among(options), games


def _path(legs, tiles, seen: int) -> Path:
    """Where the last network of a relay is kept, named by all that decides what it learns."""
    about = {"legs": legs, "tiles": tiles, "seen": seen, "seed": SEED_OF_STARTS}
    name = f"relay-{store.json_hash(about)[:12]}-{total(legs[-1]['games'])}"
    return store.networks() / f"{name}-v{learn.version}.{train_leg.version}.npz"
