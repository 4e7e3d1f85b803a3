"""The 2x2 game: its rules and values by hand, against the real game, and by playing."""

import math
from random import Random
from statistics import mean, stdev

import pytest

from lib2048 import DOWN, LEFT, RIGHT, UP, from_array, slide, to_array
from workbook import tiny

BOARDS, AT_RANDOM, BEST = tiny.boards(), tiny.values(tiny.at_random), tiny.best_values()
FULL = (1, 2, 3, 3)  # 2 4 over 8 8


def iterate(choose):
    """Values by sweeps over all boards until nothing changes; and how many changed something."""
    V, sweeps = dict.fromkeys(BOARDS, 0.0), 0
    while True:
        new = {}
        for s in BOARDS:
            after = [tiny.outcomes(s, a) for a in tiny.moves(s)]
            new[s] = choose(sum(p * (r + V.get(n, 0.0)) for p, r, n in some) for some in after)
        if new == V:
            return V, sweeps
        V, sweeps = new, sweeps + 1


def longest():
    """The number of moves of the longest game from each board; None, the end, has 0."""
    moves = {None: 0}
    for s in reversed(BOARDS):
        moves[s] = 1 + max(moves[n] for a in tiny.moves(s) for _, _, n in tiny.outcomes(s, a))
    return moves


def test_slides_by_hand():
    assert tiny.moves((0, 1, 0, 1)) == {
        UP: ((0, 2, 0, 0), 4),
        DOWN: ((0, 0, 0, 2), 4),
        LEFT: ((1, 0, 1, 0), 0),
    }
    assert tiny.moves((3, 3, 1, 1)) == {RIGHT: ((0, 4, 0, 2), 20), LEFT: ((4, 0, 2, 0), 20)}
    assert tiny.moves((1, 2, 2, 1)) == {}  # full, and nothing merges


def test_slides_are_those_of_the_real_board():
    """With the four cells in the corner that the tiles slide to, all else empty."""
    for s in BOARDS:
        for action, (row, column) in {
            UP: (0, 0),
            RIGHT: (0, 2),
            DOWN: (2, 0),
            LEFT: (0, 0),
        }.items():
            board = to_array(0)
            board[row : row + 2, column : column + 2] = s[:2], s[2:]
            after, reward = slide(from_array(board), action)
            there = to_array(after)[row : row + 2, column : column + 2]
            found = (tuple(there.ravel().tolist()), reward) if reward >= 0 else None
            assert tiny.moves(s).get(action) == found, (s, action)


def test_new_tiles():
    left = tiny.outcomes(
        FULL, LEFT
    )  # 2 4 over 16 and an empty cell: with a 2 there the game is over
    assert left == [(pytest.approx(0.9), 16, None), (pytest.approx(0.1), 16, (1, 2, 4, 2))]
    assert len(tiny.spawns((0, 0, 0, 5))) == 6
    for s in BOARDS:
        for action in tiny.moves(s):
            outcomes = tiny.outcomes(s, action)
            assert sum(p for p, _, _ in outcomes) == pytest.approx(1)
            assert all(
                n is None or tiny.size(n) in (tiny.size(s) + 2, tiny.size(s) + 4)
                for _, _, n in outcomes
            )


def test_games_start_with_two_tiles():
    starts = tiny.starts()
    assert sum(starts.values()) == pytest.approx(1)
    assert all(board.count(0) == 2 and set(board) <= {0, 1, 2} for board in starts)
    assert len(starts) == 24  # two of four cells, each a 2 or a 4
    assert starts[(1, 1, 0, 0)] == pytest.approx(0.9**2 / 6) and starts[
        (0, 2, 0, 2)
    ] == pytest.approx(0.1**2 / 6)


def test_the_boards_are_those_that_can_come_up():
    known = set(BOARDS)
    assert len(known) == len(BOARDS) == 476
    assert known >= set(tiny.starts()) and all(tiny.moves(s) for s in known)
    reached = {n for s in BOARDS for a in tiny.moves(s) for _, _, n in tiny.outcomes(s, a)} - {None}
    assert known == reached | set(tiny.starts())
    assert max(max(after) for s in BOARDS for after, _ in tiny.moves(s).values()) == 5  # a 32
    assert [tiny.size(s) for s in BOARDS] == sorted(tiny.size(s) for s in BOARDS)


def test_values_by_hand():
    for V in (AT_RANDOM, BEST):
        assert V[(2, 2, 4, 5)] == pytest.approx(8)  # 4 4 over 16 32: one merge, then it is over
        assert V[(1, 1, 4, 5)] == pytest.approx(
            4 + 0.1 * 8
        )  # 2 2 over 16 32: it goes on if a 4 comes
    V = {(1, 2, 4, 2): 50.0}
    assert tiny.worth(V, FULL, LEFT) == pytest.approx(16 + 0.1 * 50)


def test_values_are_those_of_value_iteration():
    moves = longest()
    for V, choose in ((AT_RANDOM, lambda worths: mean(list(worths))), (BEST, max)):
        found, sweeps = iterate(choose)
        assert found == pytest.approx(V)
        assert (
            sweeps == max(moves.values()) == 24
        )  # exact once there are as many sweeps as a game has moves


def test_values_satisfy_the_bellman_equation():
    assert set(AT_RANDOM) == set(BEST) == set(BOARDS)
    for s in BOARDS:
        assert AT_RANDOM[s] == pytest.approx(
            mean(tiny.worth(AT_RANDOM, s, a) for a in tiny.moves(s))
        )
        assert BEST[s] == pytest.approx(max(tiny.worth(BEST, s, a) for a in tiny.moves(s)))
        assert BEST[s] >= AT_RANDOM[s] - 1e-9


def test_greedy_on_the_best_values_is_the_best_player():
    assert tiny.values(tiny.greedy(BEST)) == pytest.approx(BEST)
    nothing = dict.fromkeys(BOARDS, 0.0)
    assert tiny.greedy(nothing)((1, 1, 2, 2)) == {RIGHT: 1.0}  # as good as left, and lower
    assert tiny.greedy(nothing)((0, 1, 0, 1)) == {UP: 1.0}
    assert tiny.greedy({**nothing, (1, 0, 1, 1): 99.0})((0, 1, 0, 1)) == {LEFT: 1.0}


def test_players_choose_legal_actions():
    for s in BOARDS:
        for player in (tiny.at_random, tiny.greedy(BEST)):
            chances = player(s)
            assert set(chances) <= set(tiny.moves(s)) and sum(chances.values()) == pytest.approx(1)


def test_a_game_is_a_chain_of_moves():
    game = tiny.play(tiny.at_random, Random(0))
    assert game == tiny.play(tiny.at_random, Random(0)) != tiny.play(tiny.at_random, Random(1))
    assert game[0][0] in tiny.starts() and game[-1][3] is None
    for (s, action, reward, n), later in zip(game, [*game[1:], (None,)]):
        assert later[0] == n and (reward, n) in [(r, n) for _, r, n in tiny.outcomes(s, action)]
    assert tiny.play(tiny.greedy(BEST), Random(0), (2, 2, 4, 5)) == [((2, 2, 4, 5), RIGHT, 8, None)]


@pytest.mark.parametrize("player", [tiny.at_random, tiny.greedy(BEST)], ids=["at random", "best"])
def test_what_is_computed_is_what_games_bring(player):
    """Of 3,000 games (seed 3): mean score, length, and how often a start board comes up.

    All are within 4 standard errors.
    """
    rng, number = Random(3), 3000
    games = [tiny.play(player, rng) for _ in range(number)]
    V, met = tiny.values(player), tiny.visits(player)
    scores, lengths = (
        [sum(r for _, _, r, _ in game) for game in games],
        [len(game) for game in games],
    )
    for seen, exact in ((scores, tiny.mean_score(V)), (lengths, sum(met.values()))):
        assert abs(mean(seen) - exact) < 4 * stdev(seen) / math.sqrt(number)
    seen = [sum(s == (0, 1, 0, 1) for s, *_ in game) for game in games]
    assert abs(mean(seen) - met[(0, 1, 0, 1)]) < 4 * stdev(seen) / math.sqrt(number)


def test_the_error_counts_boards_as_often_as_they_are_met():
    truth, met = {"a": 1.0, "b": 5.0}, {"a": 3.0, "b": 1.0}
    assert tiny.error(truth, truth, met) == 0
    assert tiny.error({"a": 1.0, "b": 9.0}, truth, met) == pytest.approx(math.sqrt(16 / 4))
    assert tiny.error({"a": 3.0, "b": 5.0}, truth, met) == pytest.approx(math.sqrt(3 * 4 / 4))


def test_afterstates_are_worth_the_mean_of_what_may_follow():
    best = tiny.best_values()
    after = tiny.afterstate_values(best)
    for board in tiny.boards():
        worths = [reward + after[afterstate] for afterstate, reward in tiny.moves(board).values()]
        assert max(worths) == pytest.approx(best[board])


def test_to_stay_alive_and_take_the_largest_reward_is_the_best_on_four_cells():
    alike = dict.fromkeys(tiny.boards(), 100.0)
    score = tiny.mean_score(tiny.values(tiny.greedy(alike)))
    assert score == pytest.approx(tiny.mean_score(tiny.best_values()))
