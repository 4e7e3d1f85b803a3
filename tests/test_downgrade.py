"""Reading large tiles as smaller ones: against a slow twin, and what must not change by it."""

import random

import naive
import numpy as np
import pytest

import experiments.downgraded
import lib2048
from lib2048 import NTupleNetwork
from lib2048.downgrade import downgrade, evaluate_downgraded

SMALL = ((0, 1, 4), (9, 4, 8))


def smaller(cells, top):
    """What `downgrade` says it does, on a list of 16 exponents."""
    if max(cells) < top:
        return cells
    missing = [exponent for exponent in range(1, max(cells)) if exponent not in cells]
    return [cell - 1 if missing and cell > missing[-1] else cell for cell in cells]


def boards(count, seed):
    """Boards with large tiles, some dense in exponents, some with gaps."""
    rng = random.Random(seed)
    for n in range(count):
        some = rng.sample(range(1, 16), rng.randint(1, 15)) if n % 3 else range(1, rng.randint(8, 16))
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
        assert all((cells[i] == cells[j]) == (shown[i] == shown[j]) for i in range(16) for j in range(i))
        assert [cell == 0 for cell in cells] == [cell == 0 for cell in shown]
        if cells.count(15) < 2:  # two 32768-tiles do not merge, two 16384-tiles do
            assert lib2048.legal_actions(board) == lib2048.legal_actions(naive.to_board(shown))


def taught(values="afterstate", games=300):
    net = NTupleNetwork(SMALL, values)
    lib2048.train(net, games, 0.5, seed=1, progress=False)
    return net


def slow_game(net, game, tile, plies, seed):
    """Game number `game` played in Python: (score, largest exponent, moves)."""
    trace = lib2048.play(net, seed=seed, game=game, plies=plies)
    board, state = int(trace.boards[0]), lib2048.board._stream(np.uint64(seed), game)
    state = (int(state) + 2 * int(lib2048.board.GOLDEN)) % 2**64
    score = moves = 0
    while (action := lib2048.best_action(net, downgrade(board, tile), plies)[0]) is not None:
        board, reward = lib2048.slide(board, action)
        state = (state + int(lib2048.board.GOLDEN)) % 2**64
        word = lib2048.board._mix(np.uint64(state))
        board = int(lib2048.board._spawn(np.uint64(board), np.uint64(word), lib2048.board.fours_below(net.p4)))
        score, moves = score + reward, moves + 1
    return score, max(naive.to_cells(board)), moves


@pytest.mark.parametrize("values, plies, tile", [("afterstate", 1, 128), ("state", 1, 64), ("afterstate", 2, 128)])
def test_games_are_those_of_a_slow_loop(values, plies, tile):
    net = taught(values)
    found = evaluate_downgraded(net, 5, tile, plies, seed=3, progress=False)
    slow = [slow_game(net, game, tile, plies, 3) for game in range(5)]
    assert found.scores.tolist() == [score for score, _, _ in slow]
    assert found.max_tiles.tolist() == [largest for _, largest, _ in slow]
    assert found.moves == sum(moves for _, _, moves in slow)


@pytest.mark.parametrize("plies", [1, 2])
def test_below_its_tile_nothing_changes(plies):
    net = taught()
    plain = lib2048.evaluate(net, 20, plies, seed=3, progress=False)
    assert evaluate_downgraded(net, 20, 32768, plies, seed=3, progress=False).scores.tolist() == plain.scores.tolist()
    other = evaluate_downgraded(net, 20, 64, plies, seed=3, progress=False, threads=2)
    assert other.scores.tolist() != plain.scores.tolist()
    assert other.scores.tolist() == evaluate_downgraded(net, 20, 64, plies, seed=3, progress=False).scores.tolist()


def test_the_piece_of_an_experiment_says_how_each_game_went(monkeypatch):
    net = taught()
    monkeypatch.setattr(experiments.downgraded, "trained", lambda recipe, games: net)
    found, measured = experiments.downgraded.play_downgraded(evaluation=20, tile=64, play_seed=3, patterns=SMALL)
    summary = evaluate_downgraded(net, 20, 64, seed=3, progress=False)
    assert found["scores"].tolist() == summary.scores.tolist() and found["moves"] == summary.moves
    assert (found["score"], found["max_score"], found["win_rate"]) == (summary.mean, summary.max, 0.0)
    assert found["max_tiles"].tolist() == summary.max_tiles.tolist() and list(measured) == ["evaluate_seconds"]


def test_what_cannot_be_is_refused():
    net = taught(games=1)
    for tile in (0, 3, 65536, "big", None):
        with pytest.raises(ValueError, match="a tile is a power of two from 2 to 32768, got "):
            downgrade(0x1, tile)
        with pytest.raises(ValueError, match="a tile is a power of two from 2 to 32768, got "):
            evaluate_downgraded(net, 1, tile)
    with pytest.raises(ValueError, match="games"):
        evaluate_downgraded(net, 0)
    with pytest.raises(ValueError, match="NTupleNetwork"):
        evaluate_downgraded("net", 1)
    net.weights += np.float32(np.nan)
    with pytest.raises(ValueError, match="not numbers"):
        evaluate_downgraded(net, 1, progress=False)
