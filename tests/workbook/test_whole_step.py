"""Learning with alpha = 1: the plain step is lib2048's, the other lands on its target."""

import numpy as np
import pytest

from lib2048 import NTupleNetwork, learn_episode, play, slide, train
from workbook.patterns import gain
from workbook.whole_step import train_with_whole_steps

SQUARES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5))


@pytest.mark.parametrize("symmetries", [1, 8])
def test_the_plain_step_is_that_of_lib2048(symmetries):
    net = NTupleNetwork(SQUARES, symmetries=symmetries)
    learned = train_with_whole_steps(net, 150, seed=3)
    log = train(net, 150, alpha=1.0, seed=3, progress=False)
    assert np.array_equal(learned.scores, log.scores) and learned.diverged is None


def test_it_diverges_where_lib2048_does():
    learned = train_with_whole_steps(NTupleNetwork(SQUARES), 400, seed=3)
    with pytest.raises(ValueError, match=f"diverged at game {learned.diverged}:"):
        train(NTupleNetwork(SQUARES), 400, alpha=1.0, seed=3, progress=False)


def test_the_network_is_left_as_it_is():
    net = NTupleNetwork(SQUARES)
    train_with_whole_steps(net, 30, seed=3)
    assert not net.weights.any() and net.games == 0


def test_divided_by_the_gain_it_is_what_the_rule_says():
    """A few games, learned by hand with public functions: V of each board becomes its target."""
    games = 20
    learned = train_with_whole_steps(NTupleNetwork(SQUARES), games, seed=5, by_gain=True)
    by_hand = NTupleNetwork(SQUARES)
    gains = []
    for game in range(games):
        trace = play(by_hand, seed=5, game=game)
        assert learned.scores[game] == trace.score
        largest = 0.0
        target = 0.0
        steps = list(zip(trace.boards, trace.actions, trace.rewards))
        for board, action, reward in reversed(steps):
            afterstate = slide(board, action)[0]
            gains.append(gain(by_hand, afterstate))
            after = by_hand.update(afterstate, (target - by_hand.value(afterstate)) / gains[-1])
            assert after == pytest.approx(target, rel=1e-4, abs=1e-2)
            largest = max(largest, abs(after))
            target = after + int(reward)
        assert learned.largest[game] == pytest.approx(largest, rel=1e-4)
    assert learned.repeating == np.mean(np.array(gains) > 1) > 0
    assert learned.overshooting == np.mean(np.array(gains) > 2)


def test_one_image_looks_no_weight_up_twice():
    learned = train_with_whole_steps(NTupleNetwork(SQUARES, symmetries=1), 30, seed=1)
    assert (learned.repeating, learned.overshooting) == (0.0, 0.0)
    assert not learned.ran_away


def test_a_value_that_estimates_nothing_has_run_away():
    learned = train_with_whole_steps(NTupleNetwork(SQUARES), 30, seed=1, by_gain=True)
    assert not learned.ran_away
    assert learned._replace(diverged=7).ran_away
    assert learned._replace(largest=learned.largest * 1e6).ran_away


def test_learned_backward_with_alpha_1_values_run_away_and_divided_by_the_gain_they_do_not():
    """What notebooks 04 and 06 tell, on the network they tell it of."""
    plain = train_with_whole_steps(NTupleNetwork("4x6"), 300, seed=1)
    divided = train_with_whole_steps(NTupleNetwork("4x6"), 300, seed=1, by_gain=True)
    assert plain.ran_away and plain.largest.max() > 1e9
    assert not divided.ran_away and divided.largest.max() < 10 * divided.scores.max()


@pytest.mark.parametrize(
    "net, games, message",
    [
        (NTupleNetwork(SQUARES, "state"), 10, "V\\(afterstate\\)"),
        (NTupleNetwork(SQUARES), 0, "games"),
        ("4x6", 10, "NTupleNetwork"),
    ],
)
def test_what_makes_no_sense_is_refused(net, games, message):
    with pytest.raises(ValueError, match=message):
        train_with_whole_steps(net, games)


def test_one_game_of_a_strong_player_is_enough():
    """The game need not be the learner's own: learn_episode overshoots on any."""
    net = NTupleNetwork(SQUARES)
    train(net, 2_000, seed=1, progress=False)
    game = play(net, seed=1)
    fresh = NTupleNetwork(SQUARES)
    learn_episode(fresh, game.boards, game.actions, game.rewards, 1.0, "backward")
    boards = [slide(board, action)[0] for board, action in zip(game.boards, game.actions)]
    assert max(abs(fresh.value(board)) for board in boards) > game.score
