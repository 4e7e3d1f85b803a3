"""A piece of an experiment: a trained network that is shown large tiles as smaller ones (see lib2048/downgrade.py)."""

import numpy as np

from lib2048.downgrade import evaluate_downgraded

from .networks import Recipe, trained


def play_downgraded(plies=1, games=1000, evaluation=100, tile=16384, play_seed=1, **recipe):
    """How a network trained by `games` games plays when it is shown smaller boards from `tile` on."""
    net = trained(Recipe(**recipe), games)
    summary = evaluate_downgraded(net, evaluation, tile, plies, seed=play_seed, progress=False)
    if summary.games < evaluation:
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
