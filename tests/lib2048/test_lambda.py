"""TD(lambda) and playing on from the middle of games, against slow twins written from their
definitions.
"""

import naive
import numpy as np
import pytest
from test_training import SMALL, pair, same, train

from lib2048 import NTupleNetwork

KINDS = ("afterstate", "state")


def learn(twin, steps, alpha, lambda_):
    """Backward: each target is the reward and a blend of the value one step on and of that
    step's own target.
    """
    blend, after = 0.0, 0.0
    for step in reversed(steps):
        if twin.values == "state":
            blend += step.r
            board = step.s
        else:
            board = step.after
        after = twin.update(board, alpha * (blend - twin.value(board)))
        blend = (1 - lambda_) * after + lambda_ * blend
        if twin.values == "afterstate":
            blend += step.r


def play(twin, stream, board, p4):
    """Greedy play from a board to the end."""
    steps = []
    while (action := naive.choose(twin, board, p4)[0]) is not None:
        after, reward = naive.slide(board, action)
        steps.append(naive.Step(board, action, reward, after))
        board = stream.spawn(after)
    return steps, board


@pytest.mark.jit_off
@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize("lambda_, restart", [(0.5, 0), (1.0, 0), (0.0, 20), (0.3, 7)])
def test_games_are_the_twins(values, lambda_, restart):
    (net, twin), p4 = pair(values), 0.1
    games = 1 if restart else 2  # more, and rounding comes to decide between actions
    log = train(net, games, 0.1, lambda_=lambda_, restart=restart, seed=3, p4=p4)
    for game in range(games):
        stream = naive.Stream(3, game, p4)
        steps, last = play(twin, stream, stream.first_board(), p4)
        assert (log.scores[game], log.max_tiles[game]) == (sum(step.r for step in steps), max(last))
        learn(twin, steps, 0.1, lambda_)
        made = len(steps)
        while restart and len(steps) // 2 >= restart:
            middle = steps[len(steps) // 2]
            word = stream.spawn(
                middle.after
            )  # a state is gone on from as it is, but the random word is used up
            steps, _ = play(twin, stream, word if values == "afterstate" else middle.s, p4)
            learn(twin, steps, 0.1, lambda_)
            made += len(steps)
        assert log.moves[game] == made
    for k in range(len(SMALL)):
        assert net.table(k) == pytest.approx(np.array(twin.table(k)), rel=1e-4, abs=1e-3)


@pytest.mark.parametrize("values", KINDS)
def test_neither_is_td0(values):
    nets = [pair(values)[0] for _ in range(4)]
    for net, options in zip(
        nets, ({}, {"lambda_": 0.0, "restart": 0}, {"lambda_": 0.1}, {"restart": 10}), strict=True
    ):
        train(net, 20, **options)
    assert same(nets[0], nets[1]) and not same(nets[0], nets[2]) and not same(nets[0], nets[3])


@pytest.mark.parametrize(
    "options, message",
    [
        ({"lambda_": 1.5}, "between 0 and 1, got 1.5"),
        ({"lambda_": float("nan")}, "between 0 and 1, got nan"),
        ({"lambda_": "much"}, "between 0 and 1, got 'much'"),
        ({"restart": -1}, "got -1"),
        ({"restart": 0.5}, "got 0.5"),
        ({"restart": 10, "order": "forward"}, "order='backward'"),
        ({"lambda_": 0.5, "order": "forward"}, "order='backward'"),
    ],
)
def test_what_they_refuse(options, message):
    net = NTupleNetwork(SMALL)
    with pytest.raises(ValueError, match=message):
        train(net, 1, **options)
    assert net.games == 0 and not net.weights.any()
