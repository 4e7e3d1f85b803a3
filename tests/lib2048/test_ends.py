"""Games of training that end at a tile, and what such an end is worth."""

import numpy as np
import pytest

from lib2048 import NTupleNetwork, evaluate, play, resume, to_array, train

SMALL = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5))
PRIZE = 3_000.0


def taught(games=300, engine="fast", **options):
    net = NTupleNetwork(SMALL)
    options = dict(until=256, prize=PRIZE, coherence=True, lambda_=0.5, restart=10) | options
    log = train(net, games, seed=2, engine=engine, progress=False, **options)
    return net, log


@pytest.mark.parametrize("until", [8, 16, 256])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"restart": 1},  # such a restart may begin with the tile itself
        {"restart": 0, "coherence": False, "lambda_": 0.0},
        {"p4": 0.5},
    ],
)
def test_both_engines_learn_the_same(until, options):
    fast, of_fast = taught(60, until=until, **options)
    plain, of_plain = taught(60, "plain", until=until, **options)
    assert np.array_equal(fast.weights, plain.weights)
    assert np.array_equal(fast.errors, plain.errors)
    assert of_fast.scores.tolist() == of_plain.scores.tolist()
    assert of_fast.moves.tolist() == of_plain.moves.tolist()
    assert of_fast.max_tiles.tolist() == of_plain.max_tiles.tolist()


def test_a_game_ends_on_the_first_board_that_has_the_tile():
    """A network that learns nothing plays the games that `play` plays; they are cut off."""
    net = NTupleNetwork(SMALL)
    options = dict(alpha=0.0, coherence=False, lambda_=0.0, restart=0)
    log = train(net, 40, seed=2, until=256, progress=False, **options)
    for number in range(40):
        whole = play(net, seed=2, game=number)
        complete = [to_array(int(board)).max() >= 8 for board in whole.boards]
        moves = complete.index(True) if any(complete) else len(whole)
        assert log.moves[number] == moves
        assert log.scores[number] == whole.rewards[:moves].sum()
    assert 10 < (log.max_tiles == 8).sum() < 40


def test_the_end_is_worth_the_prize():
    """Where every game is one move long and makes the tile, its afterstate learns the prize."""
    net = NTupleNetwork(SMALL)
    board = 0x0000_0000_0000_0033  # two 8-tiles side by side
    log = train(net, 50, until=16, prize=PRIZE, starts=[board], alpha=0.1, seed=1, progress=False)
    assert log.max_tiles.tolist() == [4] * 50 and log.moves.tolist() == [1] * 50
    assert net.value(0x4) == pytest.approx(PRIZE, abs=0.01)


def test_values_of_states_take_none():
    """No board with the tile would ever learn what it is worth, and so nobody would go there."""
    net = NTupleNetwork(SMALL, values="state")
    with pytest.raises(ValueError, match=r"until goes with V\(afterstate\).* got until=256 for"):
        train(net, 5, until=256, prize=PRIZE, progress=False)
    assert net.games == 0


def test_a_larger_prize_is_played_for():
    """What ends by the tile is as good as the prize says: without one it is put off."""
    _, without = taught(1_000, prize=0.0)
    _, with_prize = taught(1_000)
    made = [(log.max_tiles[-200:] >= 8).mean() for log in (without, with_prize)]
    assert made[1] > made[0] + 0.15


def test_a_checkpoint_keeps_both(tmp_path):
    path = tmp_path / "run.npz"

    def stop(log):
        if len(log.scores) == 60:
            raise KeyboardInterrupt

    options = dict(games=120, every=20, block=20)
    taught(checkpoint=path, callback=stop, **options)
    resumed, log = resume(path, progress=False)
    whole, whole_log = taught(**options)
    assert np.array_equal(resumed.weights, whole.weights)
    assert log.scores.tolist() == whole_log.scores.tolist()
    assert resumed.history[-1]["until"] == 256 and resumed.history[-1]["prize"] == PRIZE


def test_evaluation_plays_to_the_end():
    net, log = taught(400)
    assert log.max_tiles.max() == 8
    assert evaluate(net, 100, seed=1, progress=False).max_tiles.max() > 8


@pytest.mark.parametrize(
    "options",
    [
        {"threads": 2},
        {"promote": 32},
        {"starts": [0x11, 0x44]},
        {"downgrade": 32},
        {"downgrade": 128},
        {"p4": 1.0},
    ],
)
def test_they_go_with_other_options(options):
    _, log = taught(60, until=64, **options)
    assert log.max_tiles.max() == 6


def test_a_recipe_takes_none():
    with pytest.raises(ValueError, match="recipe='minutes' learns from whole games, got until"):
        train(NTupleNetwork("4x6"), recipe="minutes", until=256, progress=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"until": 65_536}, "until, the tile at which .*, got 65536"),
        ({"until": 3}, "got 3"),
        ({"until": 4}, "power of two from 8 to 32768, .* got 4"),
        ({"until": 24}, "got 24"),
        ({"until": "256"}, "got '256'"),
        ({"until": 256.5}, "got 256.5"),
        ({"until": 256, "prize": -1}, "prize, the points .*, got -1"),
        ({"until": 256, "prize": "much"}, "got 'much'"),
        ({"until": 256, "prize": float("nan")}, "got nan"),
        ({"prize": 5.0}, "give both, got prize=5 without until"),
        ({"until": 256, "order": "forward"}, "got order='forward', until=256"),
        (
            {"until": 256, "starts": [0x11, 0x9_0011]},
            "number 1: board .* has a 512, .* at a 256; give",
        ),
    ],
)
def test_what_is_wrong_is_refused(options, message):
    net = NTupleNetwork(SMALL)
    with pytest.raises(ValueError, match=message):
        train(net, 5, progress=False, **options)
    assert net.games == 0
