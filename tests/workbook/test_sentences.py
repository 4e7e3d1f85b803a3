"""Sentences that judge numbers: each says what its numbers say, or refuses to."""

from types import SimpleNamespace

import numpy as np
import pytest

from workbook.sentences import (
    after_one_game,
    alpha_1_in_short,
    best_against_best,
    from_first_to_last,
    joined,
    one_table,
    optimist_at_birth,
    order_of_updates,
    overtaking,
    search_in_training,
    shrinking_steps,
    stuck,
    two_values_of_a_board,
    why_alpha_1_diverges,
)
from workbook.whole_step import WholeSteps


def test_a_list_in_words():
    assert [joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])] == [
        "a",
        "a and b",
        "a, b and c",
    ]


LEARNED = {
    (0.1, "forward"): [78.0, 69.0, 80.0, 48.0],
    (0.1, "backward"): [85.0, 76.0, 88.0, 54.0],
    (1.0, "forward"): [413.0, 394.0, 444.0, 314.0],
    (1.0, "backward"): [-19_657_316.0, -13_438_141.0, -13_267_990.0, -8_774_858.0],
    (1.0, "backward, by the gain"): [76_628.0, 76_777.0, 69_012.0, 47_740.0],
}
STILL_TO_COME = [73_110.0, 53_160.0, 28_381.0, 8_236.0]


def test_values_that_ran_away_are_not_said_to_have_learned_the_game():
    said = after_one_game(LEARNED, STILL_TO_COME)
    assert "the values run away, to −19,657,316" in said
    assert "the values come to 76,628" in said and "still too high (47,740 where 8,236" in said


def test_values_that_did_not_run_away_are_not_said_to():
    learned = LEARNED | {(1.0, "backward"): [80_000.0, 70_000.0, 60_000.0, 30_000.0]}
    said = after_one_game(learned, STILL_TO_COME)
    assert "run away" not in said and "not exactly (80,000)" in said
    learned |= {(1.0, "backward, by the gain"): [70_000.0, 50_000.0, 20_000.0, 8_000.0]}
    assert "too high" not in after_one_game(learned, STILL_TO_COME)


@pytest.mark.parametrize(
    "wrong",
    [
        {(1.0, "backward, by the gain"): [np.nan] * 4},
        {(1.0, "backward, by the gain"): [1e9] * 4},
        {(0.1, "backward"): [90_000.0] * 4},
    ],
)
def test_numbers_that_fit_no_sentence_on_one_game_are_refused(wrong):
    with pytest.raises(ValueError):
        after_one_game(LEARNED | wrong, STILL_TO_COME)


def test_which_rule_ends_closer_is_said_only_where_it_is_clear():
    monte_carlo, td = [0.7, 0.8, 0.6], [0.9, 0.7, 0.8]
    wins = shrinking_steps(monte_carlo, td, (0.1, 0.02, 0.18), 20_000)
    assert "after 20,000 games it is 0.70 points for Monte-Carlo and 0.80 for TD(0)" in wins
    assert "Monte-Carlo wins on average, though with 2 of 3 seeds only" in wins
    assert "with every seed" in shrinking_steps(monte_carlo, [1, 1, 1], (0.3, 0.2, 0.4), 20_000)
    assert "may be luck" in shrinking_steps(monte_carlo, td, (0.1, -0.02, 0.18), 20_000)
    assert "TD(0) is ahead" in shrinking_steps(td, monte_carlo, (-0.1, -0.18, -0.02), 20_000)
    with pytest.raises(ValueError, match="interval"):
        shrinking_steps(monte_carlo, td, (0.1, np.nan, np.nan), 20_000)


def test_the_order_of_updates_is_called_unimportant_only_where_it_is():
    close = order_of_updates({"V(afterstate)": 0.98, "V(state)": 0.94}, 0.32)
    assert "reaches 98\xa0% with V(afterstate) and 94\xa0% with V(state)" in close
    assert "share weights" in close and "32\xa0% as much" in close
    assert "the order of the updates matters" in order_of_updates({"V(state)": 0.5}, 0.32)
    with pytest.raises(ValueError, match="share some"):
        order_of_updates({"V(state)": 0.98}, 0.0)


def training(largest, diverged=None, repeating=0.25, overshooting=0.05):
    return WholeSteps(np.full(10, 850.0), np.full(10, largest), repeating, overshooting, diverged)


RAN, STAYED, ONE_IMAGE = training(1e38, 9), training(5e3), training(5e3, None, 0.0, 0.0)


def test_the_cause_of_divergence_is_given_where_only_the_plain_step_diverges():
    said = why_alpha_1_diverges([RAN, RAN, STAYED], [STAYED] * 3, [ONE_IMAGE] * 2)
    assert (
        "ran away in 2 of 3 trainings" in said and r"(in one of them to $1 \times 10^{38}$)" in said
    )
    assert "25\xa0% of all updates" in said and "5\xa0% by more than twice" in said
    assert "all 3 trainings of 10 games" in said and "in all 2" in said and "850 points" in said
    brief = alpha_1_in_short([RAN, RAN, STAYED], [STAYED] * 3)
    assert "in 2 of 3 trainings the values ran away, and in none of 3" in brief


@pytest.mark.parametrize(
    "plain, by_gain, one_image",
    [
        ([STAYED], [STAYED], [ONE_IMAGE]),
        ([RAN], [RAN], [ONE_IMAGE]),
        ([RAN], [STAYED], [RAN]),
        ([RAN], [STAYED], [STAYED]),  # one image, and yet weights are looked up twice
    ],
)
def test_no_cause_is_given_that_the_trainings_do_not_show(plain, by_gain, one_image):
    with pytest.raises(ValueError):
        why_alpha_1_diverges(plain, by_gain, one_image)


@pytest.mark.parametrize("plain, by_gain", [([STAYED], [STAYED]), ([RAN], [RAN])])
def test_nor_in_short(plain, by_gain):
    with pytest.raises(ValueError):
        alpha_1_in_short(plain, by_gain)


def games_of(moves, games=1_000):
    return SimpleNamespace(moves=moves, games=games)


def test_search_brings_more_moves_to_a_game_and_fewer_to_a_second():
    said = search_in_training(games_of(3_156_000), games_of(4_776_000), 44)
    assert "1.51 times the moves" in said and "4,776 moves each in place of 3,156" in said
    assert "44 times as long" in said and "about 29 times fewer" in said
    same = search_in_training(games_of(3_000_000), games_of(3_000_000), 44)
    assert "no more moves" in same
    with pytest.raises(ValueError, match="gain"):
        search_in_training(games_of(1_000_000), games_of(5_000_000), 2)


def test_two_values_of_a_board_are_a_riddle_only_where_they_differ():
    riddle = two_values_of_a_board(833.4, 18.9)
    assert "worth 833.4, and the best action on it r + mean = 18.9" in riddle
    assert "Which of the two" in riddle
    assert "the two agree" in two_values_of_a_board(833.4, 800.0)


def test_overtaking_tells_from_when_td_stays_ahead():
    crossing = {"Monte-Carlo": [9, 6, 5], "TD(0)": [12, 7, 3]}
    never = {"Monte-Carlo": [9, 6, 5], "TD(0)": [12, 7, 6]}
    text = overtaking({0.2: crossing, 0.03: never}, [10, 100, 1_000])
    assert text.startswith("Monte-Carlo is ahead at first")
    assert "with a step size of 0.2 from game 1,000 on and at 0.03 not yet at the end" in text
    always = {"Monte-Carlo": [9, 6, 5], "TD(0)": [8, 5, 4]}
    assert "for a while" in overtaking({0.2: crossing, 0.7: always}, [10, 100, 1_000])
    assert overtaking({0.7: always}, [10, 100, 1_000]).startswith("TD(0) is ahead from the first")


@pytest.mark.parametrize(
    "monte_carlo, td, says",
    [
        (
            [8.0, 4.0],
            [7.2, 3.0],
            "of TD(0) is the smaller one at every number of games, by 10 to 25 %",
        ),
        ([7.0, 3.0], [8.0, 4.0], "Monte-Carlo has the smaller error"),
        ([7.0, 5.0], [8.0, 4.0], "now the one and now the other"),
    ],
)
def test_the_best_of_each_rule_are_compared(monte_carlo, td, says):
    assert says in best_against_best(monte_carlo, td, (0.1, 1.0))


def test_a_greedy_player_is_stuck_only_where_it_is_behind():
    text = stuck(67.0, 59.2, {"from any board": 66.9, "with hope": 59.9})
    assert "no more than 59.2" in text and "it gets to 66.9 from any board" in text
    assert "hope" not in text
    assert "Nothing that was tried" in stuck(67.0, 59.2, {"with hope": 59.9})
    assert "not stuck" in stuck(67.0, 66.9, {"from any board": 66.9})


def test_an_optimist_that_is_perfect_from_birth_has_learned_nothing():
    assert "nothing left to learn" in optimist_at_birth(66.96, 66.96)
    assert "something to learn" in optimist_at_birth(50.0, 66.96)


@pytest.mark.parametrize(
    "last, said", [(3_000, "Yes: it learns"), (1_000, "below all twenty"), (9_000, "above all")]
)
def test_a_learner_is_set_beside_twenty_trainings(last, said):
    scores = [500.0] * 10 + [last] * 10
    text = from_first_to_last(scores, 10, 2_000, 4_000)
    assert said in text and f"500 points on average, and the last 10 brought {last:,}" in text
    assert "too few" in from_first_to_last(scores[:15], 10, 2_000, 4_000)


def test_one_table_is_said_to_help_only_where_it_does():
    assert "50 % more, and more with 2 of 2 seeds" in one_table([1_000, 1_000], [1_400, 1_600], 200)
    assert "costs 50 %" in one_table([1_000, 1_000], [400, 600], 200)
