"""Easy, normal and hard: alpha-beta against plain minimax, ties, and who beats whom."""

import random

import naive_ewn
import numba
import pytest
from test_ewn_game import SIDES, as_dict, random_game

from libewn import (
    AlphaBeta,
    Easy,
    Game,
    best_move,
    instance,
    instances,
    play_game,
    play_rounds,
    player,
    win_share,
)

FEW = bool(numba.config.DISABLE_JIT)


def positions(count, seed, plies=None):
    """Games in the middle, some of them close to their end."""
    rng = random.Random(seed)
    for start in instances(count, seed):
        game = random_game(start, rng)
        for _ in range(min(len(game.history), plies or rng.randrange(1, len(game.history) + 1))):
            game.undo()
        yield game


@pytest.mark.jit_off
@pytest.mark.parametrize("depth, count", [(1, 60), (2, 60), (3, 40), (4, 25), (5, 6)])
def test_alpha_beta_is_minimax_with_the_first_of_the_best_moves(depth, count):
    wins = 0
    for game in positions(3 if FEW else count, seed=depth):
        board, side, dice = as_dict(game), SIDES[game.mover], game.dice
        move, value = best_move(game, depth)
        assert value == naive_ewn.minimax("tcg2023", board, side, dice, game.ply, depth)
        assert move == naive_ewn.opponent_move("tcg2023", board, side, dice, game.ply, depth)
        assert AlphaBeta(depth).move(game) == move
        wins += value == 10_000
    assert FEW or depth in (1, 5) or wins


def test_depth_eight_at_the_end_of_games():
    compared = 0
    for game in positions(40, seed=8, plies=4):
        move, value = best_move(game, 8)
        board, side = as_dict(game), SIDES[game.mover]
        if len(naive_ewn.cubes(board, "red")) + len(naive_ewn.cubes(board, "blue")) <= 4:
            assert value == naive_ewn.minimax("tcg2023", board, side, game.dice, game.ply, 8)
            assert move == naive_ewn.opponent_move("tcg2023", board, side, game.dice, game.ply, 8)
            compared += 1
    assert compared > 10


def test_a_win_in_one_is_played_by_normal_and_never_given_away_by_hard():
    """A won game is worth the same however far away it is, and the first best move is played: hard
    may take longer.
    """
    for start in instances(40, seed=12):
        game = random_game(start, random.Random(start.red[0]))
        game.undo()
        mover = game.mover
        assert best_move(game, 8)[1] == 10_000
        longer = Game(start, game.squares(), game.ply)
        assert play_game(player("hard"), player("hard"), longer).winner == mover
        game.play(player("normal").move(game))
        assert game.winner == mover


def test_when_every_move_loses_the_first_diagonal_one_is_played():
    """Blue's cube stands before its goal and Red cannot take it, whatever Red does."""
    start = instance(seed=1)._replace(dice=(0,) * 21)
    game = Game(start, ([24, -1, -1, -1, -1, -1], [1, -1, -1, -1, -1, -1]))
    assert game.legal_moves() == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert best_move(game, 2) == ((0, 2), -10_000)
    stuck = Game(start, ([6, -1, -1, -1, -1, -1], [7, -1, -1, -1, -1, -1]))
    assert stuck.legal_moves() == [(0, 1)] and best_move(stuck, 2) == ((0, 1), -10_000)


def test_easy_plays_every_legal_move_and_is_a_function_of_seed_and_ply():
    game, easy, seen = Game(seed=3), Easy(), []
    for seed in range(600):
        easy.start(seed)
        seen.append(easy.move(game))
        assert easy.move(game) == seen[-1]
    moves = game.legal_moves()
    expected = 600 / len(moves)
    assert set(seen) == set(moves)
    assert all(abs(seen.count(move) - expected) < 5 * expected**0.5 for move in moves)


def test_easy_loses_to_normal_and_normal_to_hard():
    """The shares measured on other re-implementations, 1000 games each: 80.9, 95.6 and 85.2 %."""
    for one, other, share in (
        ("normal", "easy", 0.81),
        ("hard", "easy", 0.956),
        ("hard", "normal", 0.852),
    ):
        won = win_share(play_rounds(player(one), player(other), range(150), seed=1)).value
        assert abs(won - share) < 0.075, f"{one} won {won:.1%} against {other}"


@pytest.mark.parametrize(
    "call, named",
    [
        (lambda: AlphaBeta(0), "0"),
        (lambda: AlphaBeta(2.5), "2.5"),
        (lambda: best_move(Game(), -1), "-1"),
        (lambda: best_move(Game("classic"), 2), "'classic'"),
        (lambda: best_move(random_game(instance(seed=1), random.Random(1)), 2), "over"),
        (lambda: player("impossible"), "'impossible'"),
        (lambda: player("hard", simulations=5), "simulations"),
        (lambda: play_rounds(Easy(), Easy(), [0], seats=[2]), "2"),
    ],
)
def test_what_cannot_be_is_a_value_error(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def test_easy_refuses_what_it_cannot_do():
    game = random_game(instance(seed=1), random.Random(1))
    with pytest.raises(ValueError, match="the game is over"):
        Easy().move(game)
    with pytest.raises(ValueError, match="seed is a whole number of at least 0, got -1"):
        Easy().start(-1)
    assert Easy().move(Game(seed=1)) in Game(seed=1).legal_moves()
