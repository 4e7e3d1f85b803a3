"""Thinking about a move: by plies and with threads, the same bits; by time, what was finished."""

import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork, best_action, look_ahead
from lib2048.engines import playing_rule
from lib2048.thinking import DEEPEST, Thinker

SMALL = ((0, 1), (9, 4, 8))
NET = NTupleNetwork(SMALL)
NET.weights[:] = np.random.default_rng(1).random(len(NET.weights)) * 60 - 10
BOARDS = [int(board) for board in lib2048.play(NET, seed=2).boards]


def same(thought, expected):
    action, values = expected
    return thought.action == action and thought.values.tobytes() == values.tobytes()


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_threads_share_a_search_and_change_no_bit(values):
    net = NTupleNetwork(SMALL, values)
    net.weights[:] = np.random.default_rng(2).random(len(net.weights)) * 60 - 10
    for board in BOARDS[-4:]:
        expected = best_action(net, board, 4, p4=0.2)
        for threads in (1, 3):
            assert same(look_ahead(net, board, 4, p4=0.2, threads=threads, memory=1), expected)


def test_what_is_shown_smaller_is_so_at_the_root_only():
    board = lib2048.from_tiles([[512, 64, 16, 8], [2, 4, 2, 4], [8, 2, 8, 2], [0, 4, 2, 16]])
    expected = best_action(NET, board, 4, downgrade=128)
    assert not same(look_ahead(NET, board, 4), expected)
    for threads in (1, 2):
        assert same(look_ahead(NET, board, 4, downgrade=128, threads=threads), expected)


def best_by_hand(board, plies, p4):
    """What the best action is worth when a 4 takes two plies: every board that may follow, one by
    one. None on a dead board.
    """
    if not lib2048.legal_actions(board):
        return None
    if plies <= 2:  # with one move to come no 4 makes a difference
        return float(np.nanmax(best_action(NET, board, max(plies, 1), p4)[1]))
    worths = []
    for action in lib2048.legal_actions(board):
        afterstate, reward = lib2048.slide(board, action)
        empty = [cell for cell in range(16) if (afterstate >> 4 * cell) & 15 == 0]
        after = 0.0
        for cell in empty:
            two = best_by_hand(afterstate | 1 << 4 * cell, plies - 1, p4) or 0.0
            four = best_by_hand(afterstate | 2 << 4 * cell, plies - 2, p4) or 0.0
            after += ((1 - p4) * two + p4 * four) / len(empty)
        worths.append(reward + after)
    return max(worths)


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_shallow_fours_look_one_ply_less_far_after_a_four(plies):
    differ = False
    for board in BOARDS[-6:-2]:
        thought = look_ahead(NET, board, plies, p4=0.3, shallow_fours=True)
        expected = best_by_hand(board, plies, 0.3)
        assert np.nanmax(thought.values) == pytest.approx(expected, rel=1e-5)
        shared = look_ahead(NET, board, plies, p4=0.3, threads=2, shallow_fours=True)
        assert same(shared, (thought.action, thought.values))
        full = look_ahead(NET, board, plies, p4=0.3)
        differ = differ or not same(full, (thought.action, thought.values))
        assert thought.positions <= full.positions
    assert differ == (plies > 2)


def test_a_time_decides_by_the_last_search_that_came_to_its_end():
    board = BOARDS[len(BOARDS) // 2]
    for seconds in (1e-9, 0.2):
        thought = look_ahead(NET, board, seconds=seconds)
        assert 1 <= thought.plies <= DEEPEST and thought.seconds > 0
        if thought.plies <= 4:
            assert same(thought, best_action(NET, board, thought.plies))
    assert look_ahead(NET, board, seconds=1e-9).plies == 1
    bounded = look_ahead(NET, board, plies=2, seconds=600)
    assert bounded.plies == 2 and same(bounded, best_action(NET, board, 2))


def test_dead_boards_and_forced_moves_take_no_time():
    dead = look_ahead(NET, BOARDS[-1], seconds=600)
    assert dead.action is None and np.isnan(dead.values).all() and dead.plies == 1
    forced = lib2048.from_tiles([[0, 2, 4, 2], [0, 4, 2, 4], [0, 2, 4, 2], [0, 4, 2, 4]])
    assert lib2048.legal_actions(forced) == [lib2048.LEFT]
    thought = look_ahead(NET, forced, seconds=600)
    assert thought.action == lib2048.LEFT and thought.plies == 1
    assert look_ahead(NET, forced, 3).plies == 3


def test_what_a_search_tells_of_itself():
    thought = look_ahead(NET, BOARDS[-5], 4)
    assert thought.positions > 0 and 0 < thought.hit_rate < 1
    assert look_ahead(NET, BOARDS[-5], 4, memory=64).positions <= thought.positions


def test_games_by_time_go_by_the_rules():
    trace = lib2048.play(NET, seed=1, seconds=1e-6)
    greedy = lib2048.play(NET, seed=1)
    assert np.array_equal(trace.boards, greedy.boards) and trace.plies == 1
    assert np.array_equal(trace.values, greedy.values, equal_nan=True)
    summary = lib2048.evaluate(NET, 3, seconds=1e-6, seed=1, threads=2, progress=False)
    assert np.array_equal(summary.scores, lib2048.evaluate(NET, 3, seed=1, progress=False).scores)


def test_a_player_that_is_told_to_stop_ends_its_game():
    thinker = Thinker(NET, playing_rule(NET, None, 0), seconds=600)
    thinker.stop[0] = 1
    game = thinker.play(0)
    assert game.moves == 0 and not game.is_over


def test_values_that_are_no_numbers_are_refused():
    net = NTupleNetwork(((0,),))
    net.weights[:] = np.nan
    assert look_ahead(net, 0x11, seconds=0.01).action is None
    with pytest.raises(ValueError, match="not numbers"):
        lib2048.play(net, seconds=0.01)


@pytest.mark.parametrize(
    "wrong, why",
    [
        (lambda: look_ahead(NET, 0x11), "plies, seconds or both, got neither"),
        (lambda: look_ahead(NET, 0x11, 0), "1 to 6, got 0"),
        (lambda: look_ahead(NET, 0x11, seconds=0), "above 0, got 0"),
        (lambda: look_ahead(NET, 0x11, seconds="long"), "above 0, got 'long'"),
        (lambda: look_ahead(NET, 0x11, 2, memory=0), "memory, .* at least 1, got 0"),
        (lambda: look_ahead(NET, 0x11, 2, threads=0), "threads is .* got 0"),
        (lambda: look_ahead(NET, 0x11, 2, shallow_fours=3), "shallow_fours .* got 3"),
        (lambda: best_action(NET, 0x11, 2, seconds=1), "plies=2 beside it"),
        (lambda: lib2048.play(NET, plies=2, seconds=1), "plies=2 beside it"),
        (lambda: lib2048.evaluate(NET, 1, plies=2, seconds=1), "plies=2 beside it"),
        (lambda: lib2048.evaluate(NET, 1, seconds=-1), "got -1"),
    ],
)
def test_what_cannot_be_thought_about_is_refused(wrong, why):
    with pytest.raises(ValueError, match=why):
        wrong()
