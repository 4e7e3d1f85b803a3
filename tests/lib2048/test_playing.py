"""Choosing, playing and summing up, against the slow twin and against each other."""

import functools
import math
import random
import re

import naive
import numpy as np
import pytest
from test_board import random_boards

import lib2048
from lib2048 import NTupleNetwork, Summary, play, train
from lib2048.formats.episodes import read_episodes
from lib2048.records import wilson
from lib2048.search import Search

SMALL = ((0, 1), (9, 4, 8))
KINDS = ("afterstate", "state")
BOARDS = [board for board in random_boards(60, seed=1).tolist() if lib2048.legal_actions(board)]


@functools.cache
def learned(values, games=400, symmetries=8, p4=0.1):
    """A network that learned a little; the tests leave it as it is."""
    net = NTupleNetwork(SMALL, values, symmetries=symmetries)
    lib2048.train(net, games, 0.5, p4=p4, seed=1, progress=False)
    return net


def twin_of(net):
    """The twin with the same weights."""
    twin = naive.Network(net.patterns, net.values, symmetries=net.symmetries)
    for k in range(len(net.patterns)):
        twin.tables[k] = dict(enumerate(net.table(k).tolist()))
    return twin


# Choosing


@pytest.mark.jit_off
@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize("symmetries, p4", [(8, None), (8, 0.5), (1, 0.2), (8, 1.0), (1, 0.0)])
def test_best_action_is_the_twins(values, symmetries, p4):
    net = learned(values, 3, symmetries)
    twin = twin_of(net)
    for board in BOARDS[:25]:
        action, four = lib2048.best_action(net, board, p4=p4)
        _, expected = naive.choose(twin, naive.to_cells(board), 0.1 if p4 is None else p4)
        assert four.dtype == np.float32 and four.shape == (4,) and type(action) is int
        assert four == pytest.approx(np.array(expected), rel=1e-5, abs=1e-4, nan_ok=True)
        assert action in naive.acceptable(expected) and four[action] == np.nanmax(four)


@pytest.mark.parametrize("values", KINDS)
def test_images_of_a_board_are_played_alike_to_the_bit(values):
    """What the four actions are worth moves with the board: after a quarter turn LEFT is what
    DOWN was.
    """
    net = learned(values)
    for board in BOARDS:
        _, four = lib2048.best_action(net, board)
        images, turned = lib2048.symmetries(board), four
        for image in images[:4]:
            assert np.array_equal(lib2048.best_action(net, image)[1], turned, equal_nan=True)
            mirrored = naive.to_board(naive.reflect(naive.to_cells(image)))
            assert np.array_equal(
                lib2048.best_action(net, mirrored)[1], turned[[0, 3, 2, 1]], equal_nan=True
            )
            turned = turned[[3, 0, 1, 2]]


@pytest.mark.jit_off
@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize(
    "corner, actions", [(0, [1, 2]), (3, [2, 3]), (12, [0, 1]), (15, [0, 3]), (5, [0, 1, 2, 3])]
)
def test_of_equals_the_lowest_action(values, corner, actions):
    """A lone tile on a network without weights: all moves it has are worth nothing."""
    action, four = lib2048.best_action(NTupleNetwork(SMALL, values), 1 << 4 * corner)
    assert action == actions[0] and [a for a in range(4) if four[a] == 0] == actions
    assert np.isnan(four).sum() == 4 - len(actions)


@pytest.mark.jit_off
@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize("plies", [1, 2])
def test_right_before_left(values, plies):
    """4 2 2 16 above rows that stay makes 4 4 16 . or . 4 4 16: 4 points, and 8 for the next
    move.
    """
    board = naive.to_board([2, 1, 1, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 9, 10])
    action, four = lib2048.best_action(NTupleNetwork(SMALL, values), board, plies)
    assert action == lib2048.RIGHT and np.isnan(four[[0, 2]]).all()
    assert four[1] == four[3] == pytest.approx(4 if plies == 1 else 12)


@pytest.mark.jit_off
@pytest.mark.parametrize("values", KINDS)
def test_an_untrained_network_is_played_as_the_twin_to_the_last_tie(values):
    """Values are rewards, which are exact; evaluate, whose kernel has its own way to choose,
    ties likewise.
    """
    net, twin = NTupleNetwork(SMALL, values), naive.Network(SMALL, values)
    trace = lib2048.play(net, 8)
    for t in range(0, len(trace), 3 if values == "afterstate" else 12):
        action, four = naive.choose(twin, naive.to_cells(trace.boards[t]))
        assert trace.actions[t] == action and np.array_equal(trace.values[t], four, equal_nan=True)
    scores = lib2048.evaluate(net, 3, seed=8, progress=False).scores.tolist()
    assert scores == [lib2048.play(net, 8, game=game).score for game in range(3)]


@pytest.mark.jit_off
@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize("plies", [1, 2, 3])
def test_a_dead_board_has_no_action(values, plies):
    dead = lib2048.from_tiles([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]])
    action, four = lib2048.best_action(learned(values, 3), dead, plies)
    assert action is None and four.shape == (4,) and np.isnan(four).all()


def test_p4_is_the_networks_own_unless_told():
    net = learned("state", 20, p4=0.75)
    board = BOARDS[7]
    own, told, other = (lib2048.best_action(net, board, p4=p4)[1] for p4 in (None, 0.75, 0.1))
    assert np.array_equal(own, told, equal_nan=True) and not np.array_equal(
        own, other, equal_nan=True
    )
    assert lib2048.play(net).p4 == 0.75 and lib2048.play(net, p4=0.1).p4 == 0.1
    means = [lib2048.evaluate(net, 20, p4=p4, progress=False).mean for p4 in (None, 0.75, 0.1)]
    assert means[0] == means[1] != means[2]


# Playing


@pytest.mark.jit_off
@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize("plies, p4", [(1, None), (1, 1.0), (2, 0.3)])
def test_a_trace_is_a_game(values, plies, p4):
    """Replayed by the twin: every move the best of its values, every reward and spawn by the
    rules, the last dead.
    """
    net = learned(values, 3, symmetries=1)
    trace = lib2048.play(net, 5, plies, p4)
    boards, actions = [naive.to_cells(board) for board in trace.boards], trace.actions.tolist()
    steps = naive.episode(boards, actions)
    moves = len(steps)
    assert [step.r for step in steps] == trace.rewards.tolist() and trace.score == sum(
        step.r for step in steps
    )
    assert trace.max_tile == 2 ** max(boards[-1]) and len(trace) == moves > 5
    dtypes = [part.dtype for part in (trace.boards, trace.actions, trace.rewards, trace.values)]
    assert dtypes == [np.uint64, np.uint8, np.int32, np.float32] and trace.values.shape == (
        moves,
        4,
    )
    assert (trace.seed, trace.p4, trace.plies) == (5, net.p4 if p4 is None else p4, plies)
    for t in random.Random(1).sample(range(moves), 5):
        action, four = lib2048.best_action(net, trace.boards[t], plies, p4)
        assert action == actions[t] and np.array_equal(four, trace.values[t], equal_nan=True)
    stream = naive.Stream(5, 0, trace.p4)
    assert stream.first_board() == boards[0]
    assert [stream.spawn(step.after) for step in steps] == boards[1:]


@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize("plies", [1, 2])
def test_evaluate_plays_the_games_of_play(values, plies):
    """Game 0 is play(seed), the others follow; the kernel that plays many games chooses as
    best_action does.
    """
    net, games = learned(values), 6 if plies == 1 else 2
    summary = lib2048.evaluate(net, games, plies, seed=9, progress=False)
    traces = [lib2048.play(net, 9, plies, game=game) for game in range(games)]
    assert summary.scores.tolist() == [trace.score for trace in traces]
    assert [2 ** int(e) for e in summary.max_tiles] == [trace.max_tile for trace in traces]
    assert summary.moves == sum(len(trace) for trace in traces)
    assert np.array_equal(lib2048.play(net, 9, plies).boards, traces[0].boards)
    assert (
        traces[1].score != traces[0].score and lib2048.play(net, 10, plies).score != traces[0].score
    )


def test_a_game_of_training_is_the_game_of_play():
    net, same = (NTupleNetwork(SMALL) for _ in range(2))
    for game in range(5):
        expected = lib2048.play(same, seed=3, game=game)
        assert lib2048.train(net, 1, 0.5, seed=3, progress=False).scores.tolist() == [
            expected.score
        ]
        lib2048.train(same, 1, 0.5, seed=3, progress=False)


@pytest.mark.parametrize(
    "values, plies, games", [("afterstate", 1, 120), ("state", 1, 60), ("afterstate", 2, 5)]
)
def test_evaluate_does_not_depend_on_threads(values, plies, games):
    net = learned(values)
    before = net.weights.copy()
    first, *others = (
        lib2048.evaluate(net, games, plies, threads=n, seed=4, progress=False) for n in (1, 2, 3)
    )
    for other in others:
        assert (
            other.scores.tolist() == first.scores.tolist()
            and other.max_tiles.tolist() == first.max_tiles.tolist()
        )
        assert (other.mean, other.mean_ci, other.moves, other.reached) == (
            first.mean,
            first.mean_ci,
            first.moves,
            first.reached,
        )
    assert np.array_equal(net.weights, before) and net.games == 400


# Summing up


SCORES = np.array([100, 200, 300, 1000], np.int64)
SUMMARY = Summary.of(
    SCORES, np.array([5, 6, 6, 8], np.uint8), np.array([10, 20, 30, 40], np.int32), 2.0
)


def test_summary_of_four_games_by_hand():
    """Tiles 32, 64, 64, 256: all reached 32, three 64, one 128 and 256.

    Deviations -300 -200 -100 600.
    """
    assert (SUMMARY.games, SUMMARY.mean, SUMMARY.max, SUMMARY.moves, SUMMARY.seconds) == (
        4,
        400,
        1000,
        100,
        2.0,
    )
    half = 1.959964 * math.sqrt(500_000 / 3) / 2
    assert SUMMARY.mean_ci == pytest.approx((400 - half, 400 + half))
    assert SUMMARY.ended == {32: 0.25, 64: 0.5, 128: 0.0, 256: 0.25}
    shares = {32: 4, 64: 3, 128: 1, 256: 1}
    assert {tile: share for tile, (share, _, _) in SUMMARY.reached.items()} == {
        t: n / 4 for t, n in shares.items()
    }
    for tile, n in [*shares.items(), (2, 4), (16, 4), (512, 0), (32768, 0)]:
        share, low, high = SUMMARY.share(tile)
        assert share == n / 4 and (low, high) == pytest.approx(naive.wilson(n, 4), abs=1e-6)
        assert tile not in shares or SUMMARY.reached[tile] == SUMMARY.share(tile)


def test_the_printed_mean_is_cut_off_not_rounded():
    """As TDL2048-Demo and the 2048-Framework print it: a mean of 100.75 is 100 there."""
    scores = np.array([100, 100, 100, 103])
    summary = Summary.of(scores, np.full(4, 5, np.uint8), np.full(4, 10, np.int32), 1.0)
    assert summary.mean == 100.75 and str(summary).startswith("4\tavg = 100, max = 103, ")


@pytest.mark.parametrize("games", [1, 2, 7, 100, 10_000])
def test_wilson_is_the_twins(games):
    for hits in {0, 1, games // 2, games - 1, games}:
        low, high = wilson(hits, games)
        assert (low, high) == pytest.approx(naive.wilson(hits, games), abs=1e-6)
        assert 0 <= low <= hits / games <= high <= 1


def test_one_game_has_no_interval_of_the_mean():
    one = Summary.of(SCORES[:1], np.array([5], np.uint8), np.array([10], np.int32), 1.0)
    assert one.mean == 100 and one.mean_ci == (-math.inf, math.inf)


def test_the_mean_interval_holds_the_mean_nineteen_times_in_twenty():
    """Of 400 evaluations of 50 scores drawn from one distribution, about 380."""
    rng, tiles, moves = np.random.default_rng(1), np.full(50, 8, np.uint8), np.full(50, 9, np.int32)
    inside = 0
    for _ in range(400):
        low, high = Summary.of(rng.gamma(4, 250, 50), tiles, moves, 1.0).mean_ci
        inside += low <= 1000 <= high
    assert 365 <= inside <= 392


def test_the_statistics_block():
    """As the courses' programs print it: tabs, one decimal, a blank line after it."""
    expected = (
        "4\tavg = 400, max = 1000, ops = 50\n"
        "\t32\t100.0%\t(25.0%)\n\t64\t75.0%\t(50.0%)\n\t128\t25.0%\t(0.0%)\n"
        "\t256\t25.0%\t(25.0%)\n"
    )
    assert str(SUMMARY) == expected
    block = str(lib2048.evaluate(learned("afterstate"), 50, progress=False))
    head, *rows = block.splitlines()
    assert re.fullmatch(r"50\tavg = \d+, max = \d+, ops = \d+", head)
    assert rows and all(re.fullmatch(r"\t\d+\t\d+\.\d%\t\(\d+\.\d%\)", row) for row in rows)
    tiles = [int(row.split("\t")[1]) for row in rows]
    assert tiles == [2**e for e in range(tiles[0].bit_length() - 1, tiles[-1].bit_length())]
    assert rows[0].split("\t")[2] == "100.0%"


def test_recorded_games(tmp_path):
    net, path = learned("afterstate"), tmp_path / "games.txt"
    summary = lib2048.evaluate(net, 4, seed=2, record=path, progress=False)
    lines = path.read_text().splitlines()
    games = [naive.read_episode(line) for line in lines]
    assert [sum(rewards) for _, _, rewards in games] == summary.scores.tolist()
    assert [naive.to_board(cells) for cells in games[3][0]] == lib2048.play(
        net, 2, game=3
    ).boards.tolist()


@pytest.mark.parametrize("plies", [1, 2])
def test_recording_plays_no_game_twice(tmp_path, monkeypatch, plies):
    """What is written comes from the moves as they were made, so it costs little beside playing."""
    net, played, real_play = NTupleNetwork(((0, 1), (4, 5))), [], Search.play

    def play(self, number):
        played.append(number)
        return real_play(self, number)

    monkeypatch.setattr(Search, "play", play)
    path = tmp_path / "games.txt"
    options = {"plies": plies, "threads": 2, "seed": 5, "progress": False}
    summary = lib2048.evaluate(net, 6, record=path, **options)
    assert sorted(played) == [*range(6)]
    assert [trace.score for trace in read_episodes(path)] == summary.scores.tolist()
    assert summary.scores.tolist() == lib2048.evaluate(net, 6, **options).scores.tolist()


@pytest.mark.parametrize(
    "error, reason",
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (KeyboardInterrupt(), "stopped by Ctrl-C"),
    ],
)
def test_games_that_cannot_be_written_do_not_cost_the_summary(tmp_path, monkeypatch, error, reason):
    def fail(file):
        raise error

    net, path = NTupleNetwork(((0, 1), (4, 5))), tmp_path / "games.txt"
    path.write_text("what was there")
    expected = lib2048.evaluate(net, 5, seed=3, progress=False)
    monkeypatch.setattr("lib2048.files.os.fsync", fail)
    with pytest.warns(UserWarning, match=f"not written to .*games.txt: .*{reason}"):
        summary = lib2048.evaluate(net, 5, seed=3, progress=False, record=path)
    assert summary.scores.tolist() == expected.scores.tolist()
    assert path.read_text() == "what was there"
    assert [file.name for file in tmp_path.iterdir()] == ["games.txt"]


@pytest.mark.parametrize("plies", [1, 2])
def test_a_game_from_a_board_is_the_rest_of_that_game(plies):
    net = NTupleNetwork(((0, 1, 2), (4, 5)))
    train(net, 20, seed=3, progress=False)
    whole = play(net, seed=5, plies=plies)
    for move in (0, 7, len(whole)):
        rest = play(net, seed=5, plies=plies, board=whole.boards[move], first_move=move)
        assert np.array_equal(rest.boards, whole.boards[move:])
        assert np.array_equal(rest.actions, whole.actions[move:])
        assert rest.score == whole.rewards[move:].sum()
    assert play(net, board=0x11, seed=5).boards[0] == 0x11


def test_a_game_from_what_is_no_board_is_refused():
    net = NTupleNetwork(((0, 1),))
    with pytest.raises(ValueError, match=r"2\*\*64"):
        play(net, board=1 << 64)
    with pytest.raises(ValueError, match="first_move, 3,"):
        play(net, first_move=3)
    with pytest.raises(ValueError, match="of at least 0, got -1"):
        play(net, board=0x11, first_move=-1)
