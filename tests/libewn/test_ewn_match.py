"""Matches: rounds that depend on nothing but their number, shares and paired differences with their
intervals.
"""

import numpy as np
import pytest

from libewn import Round, instance, paired_difference, play_game, play_rounds, player, win_share


def rounds_of(won):
    """Rounds of both seats from an array (instances, 2)."""
    return [
        Round(number, seat, bool(won[number][seat]), "goal", 20)
        for number in range(len(won))
        for seat in (0, 1)
    ]


def test_a_table_may_be_played_in_pieces_and_in_any_order():
    options = dict(simulations=300, reuse=True, visit=5, expand=10)
    whole = play_rounds(player("mcts", **options), player("easy"), range(6), seed=3)
    one, other = player("mcts", **options), player("easy")
    pieces = play_rounds(one, other, [5, 1], seed=3) + play_rounds(
        one, other, [0, 2, 3, 4], (1, 0), seed=3
    )
    assert sorted(pieces) == whole and len(whole) == 12
    assert {(r.number, r.seat) for r in whole} == {(n, s) for n in range(6) for s in (0, 1)}


def test_a_round_is_its_game():
    hard, normal = player("hard"), player("normal")
    (red,) = play_rounds(normal, hard, [4], seats=[0], seed=1)
    game = play_game(normal, hard, instance(1, 4))
    assert (red.won, red.by, red.plies) == (game.winner == 0, game.by, game.ply)
    (blue,) = play_rounds(hard, normal, [4], seats=[1], seed=1)
    assert blue.won == (not red.won) and blue.plies == red.plies


def test_intervals_hold_what_they_should():
    """The bootstrap interval of a share covers the truth about 95 times in 100; pairs shrink that
    of a difference.
    """
    rng, covered = np.random.default_rng(1), 0
    for trial in range(200):
        share = win_share(rounds_of(rng.random((120, 2)) < 0.7), draws=300, seed=trial)
        covered += share.low <= 0.7 <= share.high
    assert 180 <= covered <= 199
    luck = rng.random((400, 2))
    one, other = rounds_of(luck < 0.7), rounds_of(luck < 0.62)
    paired = paired_difference(one, other)
    assert paired.low > 0 and paired.value == pytest.approx(0.08, abs=0.03)
    alone = [win_share(part) for part in (one, other)]
    assert paired.high - paired.low < 0.6 * sum(part.high - part.low for part in alone)
    assert str(win_share(rounds_of([[1, 0]] * 4))) == "50.0 % (50.0 to 50.0, 4 instances)"


def test_what_cannot_be_paired_is_a_value_error():
    one, other = rounds_of([[1, 0]] * 3), rounds_of([[1, 0]] * 4)
    with pytest.raises(ValueError, match=r"\(3, 0\)"):
        paired_difference(one, other)
    with pytest.raises(ValueError, match="no rounds"):
        win_share([])
    with pytest.raises(ValueError, match="number"):
        play_rounds(player("easy"), player("easy"), [-1])
