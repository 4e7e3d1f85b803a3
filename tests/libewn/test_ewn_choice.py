"""Which move the tree search plays: a win at once, an only move, the best mean, or one by
chance.
"""

import math
import random

import numpy as np
import pytest
from test_ewn_game import random_game

from libewn import MCTS, Game, instance, instances


@pytest.mark.parametrize(
    "options", [{}, dict(visit=1, expand=1, solve=True), dict(tree=False), dict(pv_k=5.0)]
)
def test_a_win_in_one_is_always_played(options):
    search, wins = MCTS(simulations=200, **options), 0
    for start in instances(60, seed=12):
        game = random_game(start, random.Random(start.red[0]))
        game.undo()
        game.play(search.move(game))
        wins += game.winner is not None
    assert wins == 60


def test_temperature_zero_is_uniform_and_a_large_one_greedy():
    game = Game(seed=5)
    moves, best = game.legal_moves(), MCTS(simulations=2000).search(Game(seed=5))
    assert len(moves) >= 2
    for k, shares in (
        (0.0, [1 / len(moves)] * len(moves)),
        (1e6, [float(move == best.move) for move in moves]),
    ):
        search, chosen = MCTS(simulations=2000, move_k=k), []
        for seed in range(200):
            if k or not chosen:
                search.start(seed if k == 0 else 0)
            chosen.append(search.search(game).move)
        for move, share in zip(moves, shares):
            assert abs(chosen.count(move) / 200 - share) <= 4.5 * math.sqrt(
                share * (1 - share) / 200
            )
    even = MCTS(simulations=40_000, tree=False, pv_k=0.0).search(game)
    assert (abs(even.visits / even.playouts - 1 / len(moves)) < 0.04).all()
    sharp, greedy = (
        MCTS(simulations=5000, tree=False, pv_k=k).search(game).visits for k in (1e9, None)
    )
    assert (abs(sharp - greedy) <= 0.15 * greedy.sum()).all()


def test_a_move_is_chosen_with_a_chance_proportional_to_exp_k_times_its_mean():
    search, draws = MCTS(simulations=4000, move_k=8.0), 4000
    found = search.search(Game(seed=5))
    weights = np.exp(8.0 * found.means)
    assert weights.min() < 0.9 * weights.max()
    chosen = [search._choose(found) for _ in range(draws)]
    for move, share in zip(found.moves, weights / weights.sum()):
        assert abs(chosen.count(move) / draws - share) <= 4.5 * math.sqrt(
            share * (1 - share) / draws
        )


@pytest.mark.parametrize("reuse", [False, True])
def test_what_is_proven_is_not_left_to_chance(reuse):
    """With solved endings a root can be proven before any playout, and a proven win or loss has no
    share in a draw.
    """
    surely = 0
    for start in instances(30, seed=3):
        one = MCTS(
            simulations=200, move_k=0.0, solve=True, visit=1, expand=1, reuse=reuse, shortcut=False
        )
        game = Game(start)
        while game.winner is None:
            move = one.move(game)
            proofs = one.findings.proofs
            if proofs.max() > 0 or proofs.max() > proofs.min():
                assert proofs[one.findings.moves.index(move)] == proofs.max()
                surely += 1
            game.play(move)
    assert surely > 30


def test_no_time_at_all_is_enough_for_a_move():
    for move_k in (None, 5.0):
        one = MCTS(seconds=0.0, move_k=move_k)
        assert one.move(Game(seed=4)) in Game(seed=4).legal_moves()


def test_an_only_move_is_played_without_a_search():
    start = instance(seed=1)._replace(dice=(0,) * 21)
    game = Game(start, ([6, -1, -1, -1, -1, -1], [7, -1, -1, -1, -1, -1]))
    for shortcut, playouts_made in ((True, 0), (False, 100)):
        search = MCTS(simulations=100, shortcut=shortcut)
        assert search.move(game) == (0, 1)
        assert (search.findings.playouts if search.findings else 0) == playouts_made
