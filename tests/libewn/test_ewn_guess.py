"""The guess from the distances: its formula, its symmetry, and that it can be learned again from
games.
"""

import math
import random

import naive_ewn
import numba
import numpy as np
import pytest
from test_ewn_game import SIDES, as_dict, random_game
from test_ewn_opponents import positions

from libewn import Game, guess, instance, instances, play_game, player
from libewn.guessing import TEMPO, WORTH, features, fit

FEW = bool(numba.config.DISABLE_JIT)


@pytest.mark.jit_off
@pytest.mark.parametrize("variant", ["tcg2023", "classic"])
def test_every_cube_counts_by_its_distance(variant):
    rng = random.Random(1)
    for start in instances(3 if FEW else 100, seed=1, variant=variant):
        game = random_game(start, rng)
        for _ in range(rng.randrange(1, len(game.history))):
            game.undo()
        board, mover = as_dict(game), SIDES[game.mover]
        ahead = TEMPO
        for square, (side, cube) in board.items():
            far = naive_ewn.distance(variant, {square: (side, cube)}, side)
            ahead += WORTH[far] if side == mover else -WORTH[far]
        assert guess(game) == pytest.approx(1 / (1 + math.exp(-ahead)), abs=1e-12)
        assert np.dot(features(game), WORTH[1 : len(features(game)) + 1]) + TEMPO == pytest.approx(
            ahead
        )


def test_the_other_side_sees_it_the_other_way_round():
    """Without the tempo, two sides that stand alike are even; with it the side to move is ahead."""
    assert guess(Game(seed=1)) == pytest.approx(1 / (1 + math.exp(-TEMPO)))


def test_the_guess_is_better_than_none_and_fitting_finds_it_again():
    games = [
        play_game(player("normal"), player("normal"), start) for start in instances(400, seed=21)
    ]
    tempo, worth = fit(games)
    assert len(worth) == 6 and tempo > 0
    assert worth[0] > worth[1] > worth[2] > worth[3] > worth[5]
    told, count = 0.0, 0
    for game in positions(300, seed=5):
        mover = game.mover
        chance = guess(game)
        winner = play_game(player("hard"), player("hard"), game).winner
        told -= math.log(chance if winner == mover else 1 - chance)
        count += 1
    assert told / count < 0.6 < math.log(2)


def test_what_cannot_be_is_a_value_error():
    over = random_game(instance(seed=1), random.Random(1))
    with pytest.raises(ValueError, match="over"):
        guess(over)
    with pytest.raises(ValueError, match="ply 0"):
        fit([Game()])
    with pytest.raises(ValueError, match="no games"):
        fit([])
