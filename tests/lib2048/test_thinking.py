"""Thinking about a move: by plies and with threads, the same bits; by time, what was finished."""

import numpy as np
import pytest

import lib2048
from lib2048 import NTupleNetwork, best_action, look_ahead
from lib2048.engines import playing_rule
from lib2048.search import Search
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


def worths_by_hand(board, plies, p4, margin):
    """What the actions are worth that are looked into, by action: those that look best at once
    come first, until the next one looks worse by more than the margin than the best has become.
    """
    at_once = best_action(NET, board, 1, p4)[1]
    worths = {}
    for action in sorted(lib2048.legal_actions(board), key=lambda action: -at_once[action]):
        if worths and at_once[action] < max(worths.values()) - margin:
            break
        worths[action] = float(at_once[action])
        if plies > 1:
            afterstate, reward = lib2048.slide(board, action)
            worths[action] = reward + mean_by_hand(afterstate, plies - 1, p4, margin)
    return worths


def mean_by_hand(afterstate, plies, p4, margin):
    """The mean, over every tile that may appear, of what the best action is worth then."""
    empty = [cell for cell in range(16) if (afterstate >> 4 * cell) & 15 == 0]
    total = 0.0
    for cell in empty:
        for exponent, share in ((1, 1 - p4), (2, p4)):
            after = worths_by_hand(afterstate | exponent << 4 * cell, plies, p4, margin)
            total += share * max(after.values(), default=0.0)
    return total / len(empty)


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
@pytest.mark.parametrize("margin", [0, 5.0, 20.0])
def test_a_margin_leaves_out_what_looks_worse_by_more_at_once(plies, margin):
    """At the root as well as below it; what is left out there keeps what it is worth at once."""
    left_out = 0
    for board in BOARDS[-6:-2]:
        thought = look_ahead(NET, board, plies, p4=0.3, margin=margin)
        worths = worths_by_hand(board, plies, 0.3, margin)
        for action, worth in worths.items():
            assert thought.values[action] == pytest.approx(worth, rel=1e-5)
        assert worths[thought.action] == pytest.approx(max(worths.values()), rel=1e-5)
        at_once = best_action(NET, board, 1, 0.3)[1]
        for action in set(lib2048.legal_actions(board)) - set(worths):
            assert thought.values[action] == at_once[action]
            left_out += 1
        full = look_ahead(NET, board, plies, p4=0.3)
        assert np.array_equal(np.isnan(thought.values), np.isnan(full.values))
        assert thought.positions <= full.positions
    assert left_out


@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_threads_change_no_bit_with_a_margin(values):
    net = NTupleNetwork(SMALL, values)
    net.weights[:] = np.random.default_rng(3).random(len(net.weights)) * 60 - 10
    options = {"p4": 0.2, "margin": 8}
    for board in BOARDS[-6:-1]:
        alone = look_ahead(net, board, 4, **options)
        shared = look_ahead(net, board, 4, threads=2, memory=1, **options)
        assert same(shared, (alone.action, alone.values))


def test_games_are_played_and_measured_with_a_margin():
    options = {"plies": 3, "seed": 4, "margin": 10}
    trace = lib2048.play(NET, **options)
    assert trace.margin == 10 and lib2048.play(NET, seed=4).margin is None
    for move in (0, len(trace) // 2, len(trace) - 1):
        action, values = best_action(NET, int(trace.boards[move]), 3, margin=10)
        assert action == trace.actions[move]
        assert np.array_equal(values, trace.values[move], equal_nan=True)
    summary = lib2048.evaluate(NET, 3, threads=2, progress=False, **options)
    assert summary.scores[0] == trace.score
    plain = lib2048.evaluate(NET, 3, plies=3, seed=4, progress=False)
    assert summary.scores.tolist() != plain.scores.tolist()


def test_a_margin_counts_where_time_decides_too(monkeypatch):
    margins = []

    class Recorded(Thinker):
        def __init__(self, *arguments, margin, **options):
            margins.append(margin)
            super().__init__(*arguments, margin=margin, **options)

    monkeypatch.setattr(lib2048.playing, "Thinker", Recorded)
    best_action(NET, 0x11, seconds=1e-9, margin=10)
    lib2048.play(NET, seconds=1e-9, margin=11)
    lib2048.evaluate(NET, 1, seconds=1e-9, margin=12, progress=False)
    assert margins == [10, 11, 12]


def test_a_search_is_not_deeper_than_there_is_room_for():
    with pytest.raises(ValueError, match=f"at most {DEEPEST} plies ahead, got {DEEPEST + 1}"):
        Search(NET, DEEPEST + 1, playing_rule(NET, None, 0))


def test_a_margin_that_nothing_falls_short_of_changes_no_bit():
    for board in BOARDS[-5:]:
        assert same(look_ahead(NET, board, 4, margin=1e6), best_action(NET, board, 4))


def test_an_action_whose_worth_at_once_is_no_number_is_looked_into():
    net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)), symmetries=1)
    board = lib2048.from_tiles([[2, 2, 0, 0], [4, 8, 16, 2], [8, 4, 2, 16], [2, 16, 8, 4]])
    afterstate, _ = lib2048.slide(board, lib2048.LEFT)
    net.set_table_part(0, net.index(0, afterstate), np.array([np.nan], np.float32))
    at_once = look_ahead(net, board, 1, margin=0)
    assert np.isnan(at_once.values[lib2048.LEFT]) and at_once.action != lib2048.LEFT
    assert np.isfinite(look_ahead(net, board, 3, margin=0).values[lib2048.LEFT])


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
        (lambda: look_ahead(NET, 0x11, 0), "1 to 12, got 0"),
        (lambda: look_ahead(NET, 0x11, seconds=0), "above 0, got 0"),
        (lambda: look_ahead(NET, 0x11, seconds="long"), "above 0, got 'long'"),
        (lambda: look_ahead(NET, 0x11, 2, memory=0), "memory, .* at least 1, got 0"),
        (lambda: look_ahead(NET, 0x11, 2, threads=0), "threads is .* got 0"),
        (
            lambda: look_ahead(NET, 0x11, 2, margin=-1),
            "margin is a finite number of points.* got -1",
        ),
        (lambda: look_ahead(NET, 0x11, 2, margin="wide"), "0 or more, or None, got 'wide'"),
        (lambda: look_ahead(NET, 0x11, 2, margin=1e300), "0 or more, or None, got 1e.300"),
        (lambda: best_action(NET, 0x11, 2, margin=-2), "0 or more, or None, got -2"),
        (lambda: lib2048.play(NET, plies=2, margin=-3), "0 or more, or None, got -3"),
        (lambda: lib2048.evaluate(NET, 1, plies=2, margin=-4), "0 or more, or None, got -4"),
        (lambda: look_ahead(NET, 0x11, 2, margin=float("nan")), "0 or more, or None, got nan"),
        (lambda: best_action(NET, 0x11, 2, seconds=1), "plies=2 beside it"),
        (lambda: lib2048.play(NET, plies=2, seconds=1), "plies=2 beside it"),
        (lambda: lib2048.evaluate(NET, 1, plies=2, seconds=1), "plies=2 beside it"),
        (lambda: lib2048.evaluate(NET, 1, seconds=-1), "got -1"),
    ],
)
def test_what_cannot_be_thought_about_is_refused(wrong, why):
    with pytest.raises(ValueError, match=why):
        wrong()
