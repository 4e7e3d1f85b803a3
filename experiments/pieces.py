"""The functions that experiments on 2048 are made of.

What they return depends on their parameters alone: a dict of results, and one of the seconds that
its parts took. Parameters that a function does not explain are those of `train_and_evaluate`.
"""

import numpy as np

from experiments.networks import OPTIONS, Recipe, keep, learn, trained
from experiments.versions import versioned
from lib2048 import NTupleNetwork, Summary, TrainLog, evaluate
from lib2048.formats.compact import compact_bytes, rounded_network, tables_checksum
from lib2048.tree_search import TreeSearch

EXPONENTS = 18  # the largest tile is 2**17


@versioned(1, OPTIONS)
def train_and_evaluate(games=1000, evaluation=1000, block=None, ages=(), every=None, **options):
    """Train a network, then let it play some games from a seed of their own.

    Parameters
    ----------
    games : int or tuple
        A number of games, or stages (games, alpha, coherence).
    evaluation : int
        How many games it plays then.
    block : int, optional
        Games to a point of the curve; such that there are 50 when None, but 1,000 at most.
    ages : tuple of int
        After so many games a copy of the network is kept for other pieces.
    every : int, optional
        Leave a checkpoint every so many games, to go on from.
    **options
        The recipe, see networks.py. With downgrade it plays so as well.

    Returns
    -------
    tuple of dict
        The curve and the games played; the seconds both took.
    """
    recipe = Recipe.among(options)
    net, log, diverged = learn(recipe, games, block, ages, every)
    result = curve(log) | {"diverged": diverged}
    measured = {"train_seconds": log.seconds}
    if diverged is not None:
        return result | {"score": None, "max_score": None, "win_rate": None}, measured
    seed = recipe.learning.seed + 1
    played, playing = strength(net, evaluation, 1, seed, recipe.learning.downgrade)
    return result | played, playing | measured


@versioned(1, OPTIONS)
def train_compact(games=1000, evaluation=1000, step=1.0, block=None, every=None, **options):
    """Train a network, round its weights, and let it play as it was and rounded.

    Parameters
    ----------
    step : float
        The step to which weights are rounded, see lib2048/formats/compact.py.

    Returns
    -------
    tuple of dict
        The curve; the games that the rounded network played, and under `before` those that the
        network as it was played from the same seed; the checksum of the rounded weights, and how
        many bytes they take. The seconds training and playing took.
    """
    recipe = Recipe.among(options)
    net, log, diverged = learn(recipe, games, block, every=every)
    if diverged is not None:
        raise ValueError(f"training diverged at game {diverged} with {recipe}")
    keep(net, recipe.path(games))
    rounded = rounded_network(NTupleNetwork, net, step)
    seed = recipe.learning.seed + 1
    before, _ = strength(net, evaluation, 1, seed, None)
    played, playing = strength(rounded, evaluation, 1, seed, None)
    of_file = {
        "checksum": tables_checksum(net, step),
        "bytes": len(compact_bytes(net, step)),
        "score_before": before["score"],
        "win_rate_before": before["win_rate"],
        "scores_before": before["scores"],
        "max_tiles_before": before["max_tiles"],
    }
    return curve(log) | played | of_file, playing | {"train_seconds": log.seconds}


@versioned(1, OPTIONS)
def look_ahead(plies=1, games=1000, evaluation=100, play_seed=1, play_downgrade=None, **options):
    """Let a trained network play, looking so many of its own moves ahead.

    Parameters
    ----------
    plies : int
        How many moves it looks ahead.
    play_seed : int
        The seed of the games it plays.
    play_downgrade : int, optional
        The tile from which on it is shown smaller boards in these games.
    """
    net = trained(Recipe.among(options), games)
    return strength(net, evaluation, plies, play_seed, play_downgrade)


@versioned(1, OPTIONS)
def search_a_tree(trips=10, c=0.0, games=1000, evaluation=100, play_seed=1, **options):
    """Let a trained network play by Monte-Carlo tree search.

    Parameters
    ----------
    trips : int
        How many trips into the tree it makes for a move.
    c : float
        How much it tries out, see `lib2048.tree_search`.
    play_seed : int
        The seed of the games it plays.
    """
    net = trained(Recipe.among(options), games)
    summary = TreeSearch(net, trips, c, seed=play_seed).evaluate(evaluation, progress=False)
    return played_games(summary, evaluation)


def curve(log: TrainLog) -> dict:
    """A learning curve, block by block.

    Mean and best score, moves, and how many games ended with each largest tile.
    """
    size = max(1, min(log.block, len(log.scores)))
    whole = len(log.scores) // size * size  # games of whole blocks
    moves = log.moves[:whole].reshape(-1, size)
    largest = log.max_tiles[:whole].reshape(-1, size)
    ended = [np.bincount(tiles, minlength=EXPONENTS) for tiles in largest]
    return {
        "means": log.means,
        "best": log.best,
        "moves_of_block": moves.sum(axis=1, dtype=np.int64),
        "ended": np.array(ended, np.int32).reshape(-1, EXPONENTS),
    }


def strength(net, games: int, plies: int, seed: int, downgrade: int | None) -> tuple[dict, dict]:
    """How a network plays, game by game; and how long that took."""
    summary = evaluate(net, games, plies, seed=seed, progress=False, downgrade=downgrade)
    return played_games(summary, games)


def played_games(summary: Summary, games: int) -> tuple[dict, dict]:
    """The games of an evaluation, one by one; and how long they took."""
    if summary.games < games:
        raise KeyboardInterrupt
    played = {
        "score": summary.mean,
        "max_score": summary.max,
        "win_rate": summary.share(2048)[0],
        "moves": summary.moves,
        "scores": summary.scores.astype(np.int32),
        "max_tiles": summary.max_tiles,
    }
    return played, {"evaluate_seconds": summary.seconds}


def summary_of(*results) -> Summary:
    """The Summary of the evaluation games of one result, or of several taken together."""
    scores = np.concatenate([result["scores"] for result in results]).astype(np.int64)
    tiles = np.concatenate([result["max_tiles"] for result in results])
    moves = sum(result["moves"] for result in results)
    seconds = sum(result.about["measured"]["evaluate_seconds"] for result in results)
    return Summary.of(scores, tiles, moves, seconds)


def summaries_by_plies(
    rows, shown_smaller: int | None = None, margin: float | None = None
) -> dict[int, Summary]:
    """The evaluation games of results that looked ahead, by how many plies they did.

    Only those count that were shown smaller boards in play from this tile on, or never when None;
    and that left out actions by this margin, or looked into all of them when None.
    """
    same = [
        row
        for row in rows
        if row.get("play_downgrade") == shown_smaller and row.get("margin") == margin
    ]
    plies = sorted({row["plies"] for row in same})
    return {n: summary_of(*(row for row in same if row["plies"] == n)) for n in plies}


def reached(result, tile: int = 2048):
    """The share of each block's training games that reached `tile`."""
    ended = result["ended"]
    exponent = int(tile).bit_length() - 1
    return ended[:, exponent:].sum(axis=1) / ended.sum(axis=1)
