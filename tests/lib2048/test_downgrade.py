"""Reading large tiles as smaller ones: against a slow twin, and what must not change by it."""

import random

import naive
import numpy as np
import pytest

import lib2048
from experiments.pieces import look_ahead
from lib2048 import NTupleNetwork
from lib2048.fast.downgrading import downgrade
from lib2048.formats.episodes import read_episodes
from lib2048.random_words import GOLDEN, mix, stream

SMALL = ((0, 1, 4), (9, 4, 8))


def smaller(cells, top):
    """What `downgrade` says it does, on a list of 16 exponents."""
    if max(cells) < top or cells.count(15) > 1:
        return cells
    missing = [exponent for exponent in range(1, max(cells)) if exponent not in cells]
    return smaller([cell - (cell > missing[-1]) for cell in cells], top) if missing else cells


def boards(count, seed):
    """Boards with large tiles, some dense in exponents, some with gaps."""
    rng = random.Random(seed)
    for n in range(count):
        some = (
            rng.sample(range(1, 16), rng.randint(1, 15)) if n % 3 else range(1, rng.randint(8, 16))
        )
        yield [rng.choice([0, *some]) for _ in range(16)]


@pytest.mark.jit_off
def test_boards_are_the_twins():
    changed = 0
    for cells in boards(500, seed=1):
        board = naive.to_board(cells)
        for tile, top in ((16384, 14), (2048, 11), (2, 1)):
            assert downgrade(board, tile) == naive.to_board(smaller(cells, top)), cells
            changed += downgrade(board, tile) != board
    assert 300 < changed < 1400


@pytest.mark.jit_off
def test_the_same_tiles_are_equal_and_the_same_actions_legal():
    for cells in boards(500, seed=2):
        board = naive.to_board(cells)
        shown = naive.to_cells(downgrade(board, 2048))
        assert all(
            (cells[i] == cells[j]) == (shown[i] == shown[j]) for i in range(16) for j in range(i)
        )
        assert [cell == 0 for cell in cells] == [cell == 0 for cell in shown]
        assert lib2048.legal_actions(board) == lib2048.legal_actions(naive.to_board(shown))


def evaluate(net, games, plies=1, **options):
    return lib2048.evaluate(net, games, plies, progress=False, **options)


def taught(values="afterstate", games=300):
    net = NTupleNetwork(SMALL, values)
    lib2048.train(net, games, 0.5, seed=1, progress=False)
    return net


def slow_game(net, game, tile, plies, seed):
    """Game number `game` played in Python: (score, largest exponent, moves)."""
    trace = lib2048.play(net, seed=seed, game=game, plies=plies)
    board, state = int(trace.boards[0]), stream(np.uint64(seed), game)
    state = (int(state) + 2 * int(GOLDEN)) % 2**64
    score = moves = 0
    while (action := lib2048.best_action(net, downgrade(board, tile), plies)[0]) is not None:
        board, reward = lib2048.slide(board, action)
        state = (state + int(GOLDEN)) % 2**64
        word = mix(np.uint64(state))
        board = int(
            lib2048.board._spawn(
                np.uint64(board), np.uint64(word), lib2048.board.fours_below(net.p4)
            )
        )
        score, moves = score + reward, moves + 1
    return score, max(naive.to_cells(board)), moves


@pytest.mark.parametrize(
    "values, plies, tile", [("afterstate", 1, 128), ("state", 1, 64), ("afterstate", 2, 128)]
)
def test_games_are_those_of_a_slow_loop(values, plies, tile, tmp_path):
    net = taught(values)
    found = evaluate(net, 5, plies, seed=3, downgrade=tile, record=tmp_path / "games.txt")
    slow = [slow_game(net, game, tile, plies, 3) for game in range(5)]
    assert found.scores.tolist() == [score for score, _, _ in slow]
    assert found.max_tiles.tolist() == [largest for _, largest, _ in slow]
    assert found.moves == sum(moves for _, _, moves in slow)
    games = [lib2048.play(net, 3, plies, game=game, downgrade=tile) for game in range(5)]
    assert [trace.score for trace in games] == found.scores.tolist() and games[0].downgrade == tile
    assert [len(trace) for trace in read_episodes(tmp_path / "games.txt")] == [
        len(trace) for trace in games
    ]


def test_the_best_action_is_that_of_the_shown_board():
    net = taught()
    for cells in boards(100, seed=4):
        board = naive.to_board(cells)
        action, worths = lib2048.best_action(net, board, downgrade=256)
        shown, expected = lib2048.best_action(net, downgrade(board, 256))
        assert action == shown and np.array_equal(worths, expected, equal_nan=True)


def slow_training(values, order, games, tile):
    """What train does with smaller boards shown, one update after the other, in Python."""
    net = NTupleNetwork(SMALL, values)
    for game in range(games):
        state = int(stream(np.uint64(1), game))
        fours = lib2048.board.fours_below(net.p4)
        board = int(lib2048.board._first_board(np.uint64(state), fours))
        state = (state + 2 * int(GOLDEN)) % 2**64
        path, before = [], None
        while True:
            shown = downgrade(board, tile)
            action, worths = lib2048.best_action(net, shown)
            if order == "forward" and values == "afterstate" and before is not None:
                target = np.float32(0) if action is None else worths[action]
                learn(net, before, target)
            if action is None:
                break
            before, reward = lib2048.slide(shown, action)
            path.append((before if values == "afterstate" else shown, reward))
            state = (state + int(GOLDEN)) % 2**64
            word = np.uint64(mix(np.uint64(state)))
            board = int(
                lib2048.board._spawn(np.uint64(lib2048.slide(board, action)[0]), word, fours)
            )
            if order == "forward" and values == "state":
                following = downgrade(board, tile)
                rest = net.value(following) if lib2048.legal_actions(following) else 0
                learn(net, shown, np.float32(reward) + np.float32(rest))
        if order == "backward":
            target = np.float32(0)
            for board, reward in reversed(path):
                after = learn(net, board, target + np.float32(reward if values == "state" else 0))
                target = after + np.float32(reward if values == "afterstate" else 0)
    return net


def learn(net, board, target):
    """Move V(board) half of the way to the target. Returns V after, as float32."""
    step = np.float32(0.5 / net.lookups) * (np.float32(target) - np.float32(net.value(board)))
    return np.float32(net.update(board, float(step * np.float32(net.lookups))))


@pytest.mark.parametrize("order", ["backward", "forward"])
@pytest.mark.parametrize("values", ["afterstate", "state"])
def test_what_is_learned_are_the_boards_that_were_shown(values, order):
    net = NTupleNetwork(SMALL, values)
    log = lib2048.train(net, 60, 0.5, order, seed=1, progress=False, downgrade=32)
    assert log.max_tiles.max() > 6
    slow = slow_training(values, order, 60, 32)
    assert np.allclose(net.weights, slow.weights, rtol=1e-3, atol=1e-2)
    assert not np.allclose(net.weights, taught(values, 60).weights, rtol=1e-3, atol=1e-2)


def test_a_stopped_training_goes_on_with_it(tmp_path):
    def train(checkpoint, games=40):
        net = NTupleNetwork(SMALL)
        options = {"downgrade": 64, "restart": 20, "lambda_": 0.5, "coherence": True, "every": 20}
        lib2048.train(net, games, seed=1, progress=False, checkpoint=checkpoint, **options)
        return net

    whole = train(tmp_path / "whole.npz")
    stopped = []

    def stop(log):
        stopped.append(log)
        raise KeyboardInterrupt

    net = NTupleNetwork(SMALL)
    options = {
        "downgrade": 64,
        "restart": 20,
        "lambda_": 0.5,
        "coherence": True,
        "every": 20,
        "block": 20,
    }
    path = tmp_path / "part.npz"
    lib2048.train(net, 40, seed=1, progress=False, checkpoint=path, callback=stop, **options)
    again, log = lib2048.resume(path, progress=False)
    assert len(stopped) == 1 and len(log.scores) == 40
    assert (again.weights == whole.weights).all() and again.history[-1]["downgrade"] == 64


@pytest.mark.parametrize("plies", [1, 2])
def test_below_its_tile_nothing_changes(plies):
    net = taught()
    plain = evaluate(net, 20, plies, seed=3)
    assert (
        evaluate(net, 20, plies, seed=3, downgrade=32768).scores.tolist() == plain.scores.tolist()
    )
    other = evaluate(net, 20, plies, seed=3, downgrade=64, threads=2)
    assert other.scores.tolist() != plain.scores.tolist()
    assert other.scores.tolist() == evaluate(net, 20, plies, seed=3, downgrade=64).scores.tolist()


def test_two_of_the_largest_tiles_stay_as_they_are():
    """They do not merge. Shown as 16384-tiles they would, and such an action might be chosen."""
    board = naive.to_board([15, 15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5])
    assert downgrade(board, 2048) == board
    assert lib2048.best_action(taught(), board, downgrade=2048)[0] is None


def test_the_piece_of_an_experiment_plays_so(monkeypatch):
    net = taught()
    monkeypatch.setattr("experiments.pieces.trained", lambda recipe, games: net)
    found, _ = look_ahead(evaluation=20, play_downgrade=64, play_seed=3, patterns=SMALL)
    summary = evaluate(net, 20, seed=3, downgrade=64)
    assert found["scores"].tolist() == summary.scores.tolist() and found["moves"] == summary.moves
    assert found["scores"].tolist() != evaluate(net, 20, seed=3).scores.tolist()


def test_what_cannot_be_is_refused():
    net, message = (
        taught(games=1),
        "downgrade, the tile from which on smaller boards are shown, is a power of two",
    )
    for tile in (0, 3, 65536, "big", True, 2.5):
        with pytest.raises(ValueError, match="a tile is a power of two from 2 to 32768, got "):
            downgrade(0x1, tile)
        asked = (
            (lib2048.evaluate, (net, 1)),
            (lib2048.play, (net,)),
            (lib2048.best_action, (net, 0x1)),
        )
        for function, arguments in (*asked, (lib2048.train, (net, 1))):
            with pytest.raises(ValueError, match=message):
                function(*arguments, downgrade=tile)
    assert net.games == 1
