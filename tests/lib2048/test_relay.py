"""Networks that take turns, and games that begin with boards that are given."""

import itertools
import os
import signal
import time

import numpy as np
import pytest

from lib2048 import (
    NTupleNetwork,
    best_action,
    evaluate,
    legal_actions,
    play,
    resume,
    to_array,
    train,
)
from lib2048.board import _opening, fours_below
from lib2048.kernels import uint64
from lib2048.random_words import stream
from lib2048.relay import Relay
from lib2048.search import Search, Start

SMALL = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5))
TILE = 512
DEAD = 0x1212_2121_1212_2121


@pytest.fixture(scope="module")
def first():
    net = NTupleNetwork(SMALL)
    train(net, 1_500, seed=1, coherence=True, progress=False)
    return net


@pytest.fixture(scope="module")
def boards(first):
    return Relay([first], seed=4).first_boards(TILE, games=200, progress=False)


def second_of(boards, games=200, **options):
    net = NTupleNetwork(SMALL)
    options = dict(coherence=True, lambda_=0.5, restart=10, seed=2, progress=False) | options
    log = train(net, games, starts=boards, **options)
    return net, log


# Boards to begin with


def test_first_boards_are_those_of_the_games(first, boards):
    """Each is the first board of its game that holds the tile; games without it give none."""
    expected = []
    for game in range(200):
        trace = play(first, seed=4, game=game)
        found = [int(board) for board in trace.boards if to_array(int(board)).max() >= 9]
        if found and best_action(first, found[0])[0] is not None:
            expected.append(found[0])
    assert boards == expected
    assert 100 < len(boards) < 200


def test_a_tile_that_no_game_makes_is_told(first):
    with pytest.raises(
        ValueError,
        match=r"none of 5 games went on from a 32768; the largest tile was a (512|1024|2048)\.",
    ):
        Relay([first]).first_boards(32768, games=5, progress=False)


@pytest.mark.parametrize("bad", [{"tile": 100}, {"tile": "128"}, {"games": 0}, {"progress": 1}])
def test_first_boards_refuse_what_is_wrong(first, bad):
    ((_, value),) = bad.items()
    with pytest.raises(ValueError, match=f"got {value!r}"):
        Relay([first]).first_boards(**({"tile": TILE, "games": 2} | bad))


def test_a_board_with_the_tile_on_which_nothing_moves_is_none_to_begin_with(first, monkeypatch):
    relay = Relay([first])
    left = relay._play(0)._replace(is_over=False, max_tile=9)
    ends = [left._replace(last_board=DEAD), left._replace(last_board=0x9_0011)]
    monkeypatch.setattr(relay, "_play", lambda number, exponent: ends[number])
    assert relay.first_boards(TILE, games=2, progress=False) == [0x9_0011]
    with pytest.raises(ValueError, match="none of 1 games went on from a 512; .* was a 512"):
        relay.first_boards(TILE, games=1, progress=False)


def test_first_boards_of_a_relay_are_those_of_its_games(first, boards):
    """The same network three times over plays as one, and so comes to the same boards."""
    relay = Relay([first, first, first], [128, 256], seed=4)
    assert relay.first_boards(TILE, games=200, progress=False) == boards
    later = Relay([first, first], [256], seed=4).first_boards(128, games=20, progress=False)
    assert all(to_array(board).max() == 7 for board in later)


# Training that begins with them


@pytest.mark.parametrize("plies", [1, 2])
def test_games_that_are_stopped_give_no_boards(first, plies):
    """A flag that another thread sets ends the search; the game that was cut off does not count."""
    relay = Relay([first], plies=plies)
    games = []
    play = relay._play

    def play_and_stop(number, exponent):
        game = play(number, exponent)
        games.append(game)
        relay.stop[0] = len(games) == 3
        return game

    relay._play = play_and_stop
    boards = relay.first_boards(TILE, games=50, progress=False)
    assert len(games) == 3 and len(boards) <= 2
    assert all(to_array(board).max() == 9 for board in boards)
    assert relay.stop[0] == 0


def test_every_board_begins_as_many_games():
    starts = np.array([3, 5, 7, 9], np.uint64)
    fours = fours_below(0.1)
    counts = dict.fromkeys(starts.tolist(), 0)
    for game in range(4_000):
        random = uint64(stream(uint64(1), uint64(game)))
        counts[int(_opening(random, starts, fours))] += 1
    counts = np.array(list(counts.values()))
    assert counts.sum() == 4_000
    assert (abs(counts - 1_000) < 5 * np.sqrt(4_000 * 0.25 * 0.75)).all()


def test_games_begin_with_them(boards):
    """A network that values nothing takes the first action with the largest reward, so its first
    game can be played again by hand.
    """
    net, log = second_of(boards[:1], games=1, coherence=False, lambda_=0.0, restart=0, alpha=0.0)
    again = play(net, seed=2, board=boards[0], game=0)
    assert again.boards[0] == boards[0]
    assert int(log.scores[0]) == again.score
    assert int(log.moves[0]) == len(again)


def test_no_game_ends_below_the_tile(boards):
    _, log = second_of(boards)
    assert log.max_tiles.min() >= 9
    _, whole = second_of(None)
    assert whole.max_tiles.min() < 9


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"order": "forward", "lambda_": 0.0, "restart": 0},
        {"coherence": False, "restart": 0},
    ],
)
@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_both_engines_learn_the_same(boards, options, values):
    learned = []
    for engine in ("fast", "plain"):
        net = NTupleNetwork(SMALL, values=values)
        chosen = dict(coherence=True, lambda_=0.5, restart=10) | options
        log = train(net, 60, starts=boards, seed=2, engine=engine, progress=False, **chosen)
        learned.append((net.weights.copy(), log.scores.tolist()))
    assert np.array_equal(learned[0][0], learned[1][0])
    assert learned[0][1] == learned[1][1]


def test_a_checkpoint_keeps_them(boards, tmp_path):
    path = tmp_path / "run.npz"

    def stop(log):
        if len(log.scores) == 60:
            raise KeyboardInterrupt

    options = dict(every=20, block=20)
    second_of(boards, games=120, checkpoint=path, callback=stop, **options)
    resumed, log = resume(path, progress=False)
    whole, whole_log = second_of(boards, games=120, **options)
    assert np.array_equal(resumed.weights, whole.weights)
    assert log.scores.tolist() == whole_log.scores.tolist()


def test_the_history_tells_how_many(boards, tmp_path):
    net, _ = second_of(boards, games=5)
    net.save(tmp_path / "net.npz")
    assert NTupleNetwork.load(tmp_path / "net.npz").history[0]["number_of_starts"] == len(boards)


@pytest.mark.parametrize(
    ("starts", "message"),
    [
        ([], "got an empty list"),
        (5, "is a list of boards that games begin with, got 5"),
        (np.array(5), "is a list of boards that games begin with, got array"),
        ("boards", "is a list of boards that games begin with, got 'boards'"),
        ([0x11, DEAD], f"starts, number 1: nothing moves on board {DEAD}"),
        ([0], "starts, number 0: nothing moves on board 0"),
        ([0x11, 1 << 64], "starts, number 1: a board is an integer from 0 to"),
        ([[1, 1]], "starts, number 0: a board is one 64-bit integer"),
    ],
)
def test_what_is_no_start_is_refused(starts, message):
    net = NTupleNetwork(SMALL)
    with pytest.raises(ValueError, match=message):
        train(net, 5, starts=starts, progress=False)
    assert net.games == 0


@pytest.mark.parametrize("options", [{"threads": 2}, {"downgrade": 256}, {"promote": 64}])
def test_they_go_with_other_options(boards, options):
    _, log = second_of(boards, games=60, **options)
    assert log.max_tiles.min() >= 9


def test_a_recipe_takes_none(boards):
    with pytest.raises(ValueError, match="recipe='minutes' learns from whole games, got starts"):
        train(NTupleNetwork("4x6"), recipe="minutes", starts=boards, progress=False)


def test_an_array_of_boards_will_do(boards):
    from_list, _ = second_of(boards, games=5)
    from_array, _ = second_of(np.array(boards, np.uint64), games=5)
    assert np.array_equal(from_list.weights, from_array.weights)


# A game left at a tile


@pytest.mark.parametrize("plies", [1, 2])
def test_a_search_leaves_its_game_at_the_tile(first, plies):
    search = Search(first, plies, Relay([first], seed=3).rule)
    left_there = 0
    for number, until in itertools.product(range(5), (1, 2, 3, 6, 9)):
        left = search.play(number, until=until)
        whole = play(first, seed=3, game=number, plies=plies)
        if left.is_over:
            assert left.score == whole.score
            continue
        left_there += 1
        assert to_array(left.last_board).max() >= until
        assert left.last_board == whole.boards[left.moves]
        assert all(to_array(int(board)).max() < until for board in whole.boards[: left.moves])
        assert left.score == whole.rewards[: left.moves].sum()
    assert left_there > 20


def test_it_makes_no_move_where_the_tile_is_there_already(first):
    board = 0x9_0011
    left = Search(first, 1, Relay([first, first], [TILE]).rule).play(0, Start(board), until=9)
    assert (left.moves, left.last_board, left.is_over) == (0, board, False)


# Taking turns


@pytest.mark.parametrize("plies", [1, 2])
def test_a_network_that_relieves_itself_plays_on_as_it_would(first, plies):
    alone = evaluate(first, 30, plies, seed=6, progress=False)
    relay = Relay([first, first, first], [128, TILE], plies, seed=6)
    together = relay.evaluate(30, progress=False)
    assert together.scores.tolist() == alone.scores.tolist()
    assert together.max_tiles.tolist() == alone.max_tiles.tolist()
    assert together.moves == alone.moves


def test_each_plays_its_part(first, boards):
    """Before the tile the moves are those of the first network, from then on of the second."""
    second, _ = second_of(boards)
    relay = Relay([first, second], [TILE], seed=6)
    handed_over = 0
    for number in range(10):
        game = relay.play(number)
        assert not game.interrupted and legal_actions(int(game.boards[-1])) == []
        rest = relay.searches[0].play(number, until=9)
        if rest.is_over:
            assert game.score == rest.score
            continue
        handed_over += 1
        trace = play(second, seed=6, game=number, board=rest.last_board, first_move=rest.moves)
        assert game.score == rest.score + trace.score
        assert game.actions.tolist() == [*rest.actions, *trace.actions]
        assert game.boards[rest.moves :].tolist() == trace.boards.tolist()
        assert np.array_equal(game.values[rest.moves :], trace.values, equal_nan=True)
    assert handed_over > 5


def test_what_was_taught_for_late_boards_plays_them_better(first, boards):
    second, _ = second_of(boards, games=1_500)
    alone = evaluate(first, 300, seed=7, progress=False).mean
    together = Relay([first, second], [TILE], seed=7).evaluate(300, progress=False).mean
    assert together > 1.1 * alone


def test_networks_of_both_kinds_of_values_take_turns(first):
    of_states = NTupleNetwork(SMALL, values="state")
    train(of_states, 300, seed=1, progress=False)
    for nets in ([first, of_states], [of_states, first]):
        relay = Relay(nets, [64], seed=6)
        game = relay.play()
        before = relay.searches[0].play(0, until=6)
        after = play(nets[1], seed=6, board=before.last_board, first_move=before.moves)
        assert game.score == before.score + after.score


def test_all_play_by_the_p4_of_the_first(first):
    of_fours = NTupleNetwork(SMALL)
    of_fours.p4 = 0.9
    assert (
        Relay([of_fours, first], [64]).play().score
        == Relay([of_fours, first], [64], p4=0.9).play().score
        != Relay([of_fours, first], [64], p4=0.1).play().score
    )
    alone = evaluate(first, 5, p4=0.9, seed=3, progress=False)
    together = Relay([first, of_fours], [32768], p4=0.9, seed=3).evaluate(5, progress=False)
    assert together.scores.tolist() == alone.scores.tolist()


def test_all_are_shown_smaller_boards(first):
    alone = evaluate(first, 10, downgrade=256, seed=3, progress=False)
    relay = Relay([first, first], [TILE], downgrade=256, seed=3)
    assert relay.evaluate(10, progress=False).scores.tolist() == alone.scores.tolist()
    assert alone.scores.tolist() != evaluate(first, 10, seed=3, progress=False).scores.tolist()


def test_all_leave_out_what_looks_hopeless_when_told_so(first):
    relay = Relay([first, first], [TILE], plies=3, seed=3, margin=100)
    alone = Search(first, 3, relay.rule, margin=100)
    scores = relay.evaluate(4, progress=False).scores.tolist()
    assert scores == [alone.play(number).score for number in range(4)]
    deep = Relay([first, first], [TILE], plies=3, seed=3).evaluate(4, progress=False)
    assert scores != deep.scores.tolist()
    with pytest.raises(ValueError, match="margin is a finite number of points.* got 'wide'"):
        Relay([first], margin="wide")


def test_a_relay_stops_where_it_is(first):
    """A flag that is set ends the search of whoever plays, and nobody takes over."""
    relay = Relay([first, first], [64], plies=2, seed=3)
    relay.stop[0] = 1
    game = relay._play(0)
    assert game.moves == 0 and not game.is_over
    assert relay.evaluate(2, progress=False).games == 2, "a flag of before does not matter"
    relay.stop[0] = 1
    assert not relay.play().interrupted


def test_ctrl_c_leaves_the_moves_made_so_far(first, monkeypatch):
    relay = Relay([first, first], [64], plies=3, seed=3)
    whole = relay.play()
    play_on = relay.searches[1].play

    def interrupted(*arguments):
        time.sleep(0.3)  # the search is handed over by then, and the main thread waits for it
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.3)  # the main thread sets the flag meanwhile
        return play_on(*arguments)

    monkeypatch.setattr(relay.searches[1], "play", interrupted)
    game = relay.play()
    assert game.interrupted and 0 < len(game) < len(whole)
    assert game.boards.tolist() == whole.boards[: len(game) + 1].tolist()


def test_a_relay_sums_up_what_is_done_when_it_is_stopped(first):
    relay = Relay([first, first], [64], seed=3)
    alone = evaluate(first, 10, seed=3, progress=False)
    played = []

    def play_and_stop(number):
        if number == 4:
            relay.stop[0] = 1
        game = Relay._play(relay, number)
        played.append(number)
        return game

    relay._play = play_and_stop
    summary = relay.evaluate(10, progress=False)
    assert summary.scores.tolist() == alone.scores[:4].tolist() and played == [0, 1, 2, 3, 4]
    relay._play = lambda number: play_and_stop(4)
    with pytest.raises(KeyboardInterrupt):
        relay.evaluate(10, progress=False)


def test_it_is_said_which_network_diverged(first):
    diverged = NTupleNetwork(SMALL)
    diverged.set_table_part(0, 0, np.full(16**4, np.nan, np.float32))
    with pytest.raises(ValueError, match="network 2 of the relay: .* not numbers"):
        Relay([first, diverged], [64]).play()


@pytest.mark.parametrize(
    ("nets", "tiles", "message"),
    [
        (0, [], "got 0 networks and the tiles"),
        (1, [TILE], r"got 1 networks and the tiles \[512\]"),
        (2, [], r"got 2 networks and the tiles \[\]"),
        (2, 256, "tiles is a list of tiles, such as .16384., got 256"),
        (3, [128, 64], r"the tiles of a relay rise, got \[128, 64\]"),
        (3, [64, 64], r"the tiles of a relay rise, got \[64, 64\]"),
        (2, [100], "a tile is a power of two from 2 to 32768, got 100"),
    ],
)
def test_a_relay_refuses_what_is_wrong(first, nets, tiles, message):
    with pytest.raises(ValueError, match=message):
        Relay([first] * nets, tiles)


@pytest.mark.parametrize("bad", [{"plies": 0}, {"p4": 2}, {"seed": -1}, {"downgrade": 3}])
def test_a_relay_refuses_other_options(first, bad):
    ((_, value),) = bad.items()
    with pytest.raises(ValueError, match=f"got {value}"):
        Relay([first, first], [TILE], **bad)


def test_a_relay_is_of_networks(first):
    with pytest.raises(ValueError, match="net is an NTupleNetwork"):
        Relay([first, "second"], [TILE])
    with pytest.raises(ValueError, match=r"nets is a list of networks, .*; one is \[net\]"):
        Relay(first)
    with pytest.raises(ValueError, match="number of a game, is .* got -1"):
        Relay([first, first], [TILE]).play(-1)
    with pytest.raises(ValueError, match="games is a whole number of at least 1, got 0"):
        Relay([first, first], [TILE]).evaluate(0)
