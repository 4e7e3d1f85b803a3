"""The functions that experiments on 2048 are made of. What they return depends on their parameters alone."""

import numpy as np

from experiments.keys import versioned
from experiments.networks import Recipe, learn, total, trained
from lib2048 import Summary, TrainLog, evaluate

EXPONENTS = 18  # the largest tile is 2**17


@versioned(1)
def train_and_evaluate(
    games=1000,
    evaluation=1000,
    values="afterstate",
    patterns="4x6",
    symmetries=8,
    init=0.0,
    alpha=None,
    order="backward",
    coherence=False,
    p4=0.1,
    lambda_=0.0,
    restart=0,
    downgrade=None,
    seed=0,
    block=None,
    ages=(),
    every=None,
):
    """Train a network, then let it play `evaluation` games from a seed of their own.

    games: a number, or stages (games, alpha, coherence). ages: after these many games a copy of the network is kept for
    other pieces. every: leave a checkpoint every so many games, to go on from. With downgrade it plays so as well.
    """
    recipe = Recipe(
        values,
        patterns,
        symmetries,
        init,
        alpha,
        order,
        coherence,
        p4,
        lambda_,
        restart,
        downgrade,
        seed,
    )
    block = block or max(1, min(1000, total(games) // 50))
    net, log, diverged = learn(recipe, games, block, ages, every)
    found = curve(log) | {"diverged": diverged}
    if diverged is not None:
        return found | {"score": None, "max_score": None, "win_rate": None}, {
            "train_seconds": log.seconds
        }
    played, measured = strength(net, evaluation, 1, seed + 1, downgrade)
    return found | played, measured | {"train_seconds": log.seconds}


@versioned(1)
def look_ahead(plies=1, games=1000, evaluation=100, play_seed=1, play_downgrade=None, **recipe):
    """How a network trained by `games` games plays when it looks `plies` of its own moves ahead.

    play_downgrade: the tile from which on it is shown smaller boards in these games.
    """
    net = trained(Recipe(**recipe), games)
    return strength(net, evaluation, plies, play_seed, play_downgrade)


def curve(log: TrainLog) -> dict:
    """A learning curve, block by block: mean and best score, moves, and how many games ended with each largest tile."""
    size = max(1, min(log.block, len(log.scores)))
    parts = [slice(first, first + size) for first in range(0, len(log.scores) - size + 1, size)]
    counts = [np.bincount(log.max_tiles[part], minlength=EXPONENTS) for part in parts]
    return {
        "means": log.means,
        "best": log.best,
        "moves_of_block": np.array(
            [log.moves[part].sum(dtype=np.int64) for part in parts], np.int64
        ),
        "ended": np.array(counts, np.int32).reshape(-1, EXPONENTS),
    }


def strength(net, games: int, plies: int, seed: int, downgrade: int | None) -> tuple[dict, dict]:
    """How a network plays, game by game; and how long that took."""
    summary = evaluate(net, games, plies, seed=seed, progress=False, downgrade=downgrade)
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
    seconds = sum(result.about["measured"]["evaluate_seconds"] for result in results)
    return Summary.of(scores, tiles, sum(result["moves"] for result in results), seconds)


def reached(result, tile: int = 2048):
    """The share of each block's training games that reached `tile`."""
    ended = result["ended"]
    return ended[:, int(tile).bit_length() - 1 :].sum(axis=1) / ended.sum(axis=1)
