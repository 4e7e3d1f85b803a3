"""What notebook 11 says of its numbers."""

import numpy as np
import pytest

from lib2048 import NTupleNetwork, evaluate, legal_actions, new_board, slide, spawn
from lib2048.records import Summary
from workbook.taking_along import RANDOM, UNTRAINED, beside_a_beginner, search_beside_search


def games(mean, spread, count=30):
    scores = mean + spread * np.random.default_rng(1).normal(size=count)
    return Summary.of(scores.astype(np.int64), np.full(count, 11, np.uint8), 1_000, 1.0)


@pytest.mark.parametrize(
    ("tree", "answer", "says"),
    [
        (100_000, "clearly less", "expectimax is the better way"),
        (300_000, "clearly more", "the tree finds more"),
        (201_000, "so that they cannot be told apart", "do not decide"),
    ],
)
def test_searches_are_judged_by_their_intervals(tree, answer, says):
    verdict = search_beside_search(games(200_000, 20_000), games(tree, 20_000))
    assert verdict.answer == answer
    assert says in verdict.sentence
    assert "from 30 and 30 games" in verdict.why


def test_scores_of_beginners():
    assert beside_a_beginner(1_150).startswith("no more than moving at random")
    assert beside_a_beginner(2_000).startswith("more than moving at random")
    assert beside_a_beginner(6_200).startswith("2.0 times")
    with pytest.raises(ValueError, match="50,000"):
        beside_a_beginner(50_000)


def score_at_random(rng):
    """The score of a game in which every action is drawn."""
    board = new_board(rng)
    score = 0
    while actions := legal_actions(board):
        afterstate, reward = slide(board, int(rng.choice(actions)))
        score += reward
        board = spawn(afterstate, rng)
    return score


def test_a_player_that_moves_at_random_scores_what_is_said_of_it():
    rng = np.random.default_rng(2)
    scores = [score_at_random(rng) for _ in range(1_000)]
    assert np.mean(scores) == pytest.approx(RANDOM, rel=0.05)  # three standard errors


def test_a_network_that_knows_nothing_scores_what_is_said_of_it():
    nothing = NTupleNetwork(((0, 1),))
    summary = evaluate(nothing, 20_000, seed=1, progress=False)
    assert summary.mean == pytest.approx(UNTRAINED, rel=0.02)
