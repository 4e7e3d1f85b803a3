"""Sentences that compare ways of learning: none is called ahead that cannot be told apart."""

import numpy as np
import pytest

from lib2048 import Summary
from workbook.comparing import (
    another_training,
    beginnings,
    chosen_by,
    difference_of_means,
    equal_budgets,
    in_turn_and_alone,
    longer_and_search,
    more_or_fewer,
    plain_teaching,
    practised_to_the_end,
    printed_difference,
    search_and_chance,
    short_verdict,
    sizes_and_search,
    step_and_restart,
    told_apart,
    what_a_margin_brings,
    who_gains,
)

LOW = [10.0, 11.0, 12.0]
HIGH = [20.0, 21.0, 22.0]
NEARLY = [20.0, 21.0, 23.0]


def test_who_leads_clearly_whatever_is_held_equal_is_said_once():
    both = {"TD": LOW, "TC": HIGH}
    assert equal_budgets(both, both, both).startswith("Whatever is held equal, *TC* is clearly")


def test_a_lead_that_may_be_luck_is_no_lead():
    clear = {"TD": LOW, "TC": HIGH}
    close = {"TD": NEARLY, "TC": HIGH}
    said = equal_budgets(clear, close, close)
    assert said == (
        "At equal games *TC* is clearly ahead. At equal moves *TD* has the best mean, but *TC* "
        "cannot be told from it by so few trainings. At equal seconds *TD* has the best mean, but "
        "*TC* cannot be told from it by so few trainings. So much of what is won at equal games is "
        "paid for: in moves, and in time."
    )


def test_what_is_held_equal_may_decide():
    first = {"TD": LOW, "TC": HIGH}
    other = {"TD": HIGH, "TC": LOW}
    assert equal_budgets(first, first, other) == (
        "At equal games *TC* is clearly ahead, and at equal moves as well. At equal seconds *TD* "
        "is clearly ahead."
    )


def test_a_difference_is_more_or_fewer_points():
    assert more_or_fewer(-40.2, 100.0) == "40 ± 100 points fewer"


def test_a_difference_is_that_of_the_printed_means():
    assert printed_difference(1_000.4, 899.6) == 100.0  # 1,000 and 900 stand in the table
    difference, _ = difference_of_means([1_000.2, 1_000.6], [899.4, 899.8])
    assert difference == 100.0


@pytest.mark.parametrize(("restarted", "told"), [(HIGH, "points more"), (LOW, "points fewer")])
def test_what_the_best_step_and_restarts_bring(restarted, told):
    said = step_and_restart(LOW, HIGH, [15.0, 16.0, 17.0], restarted)
    assert "scores 1.9 times as much" in said and told in said


@pytest.mark.parametrize(
    ("shift", "short", "told"),
    [
        (50, "the tree", "ahead of"),
        (-50, "expectimax", "behind"),
        (0, "they cannot be told apart", "told apart from"),
    ],
)
def test_players_are_told_apart_by_their_interval(shift, short, told):
    scores = np.arange(100.0)
    assert short_verdict(scores + shift, scores) == short
    assert told in told_apart("the tree", scores + shift, "expectimax", scores)


def test_the_tree_on_2048_is_judged_by_both_budgets():
    assert "the tree loses" in search_and_chance(["expectimax", "expectimax"])
    assert "worth its time" in search_and_chance(["the tree", "the tree"])
    assert "close" in search_and_chance(["expectimax", "they cannot be told apart"])


def test_which_c_gains():
    scores = np.arange(100.0)
    assert who_gains({0.0: scores, 0.5: scores, 2.0: scores}) == "neither does"
    assert who_gains({0.0: scores, 0.5: scores + 80}) == "c = 0.5 scores clearly more"


@pytest.mark.parametrize(
    ("difference", "told"),
    [(-200, "flattered it"), (200, "did not flatter it"), (50, "flattered nobody")],
)
def test_games_that_something_was_chosen_by_flatter_it_or_not(difference, told):
    assert told in chosen_by(difference, 100)


def games_of(share: float, score: float) -> Summary:
    """A hundred games, this share of which made a 32768."""
    made = int(100 * share)
    tiles = np.array([15] * made + [14] * (100 - made), np.uint8)
    scores = np.linspace(score - 10, score + 10, 100).astype(np.int64)
    return Summary.of(scores, tiles, 1_000, 1.0)


RISING = {1: games_of(0.05, 300), 2: games_of(0.3, 350), 3: games_of(0.6, 400)}
LEVEL = {1: games_of(0.08, 310), 2: games_of(0.08, 360), 3: games_of(0.09, 390)}
FALLING = {1: games_of(0.6, 300), 2: games_of(0.3, 350), 3: games_of(0.05, 390)}


@pytest.mark.parametrize(
    ("eight", "four", "end"),
    [
        (LEVEL, RISING, "of its games and another in 60\xa0%."),
        (LEVEL, LEVEL, "the size is not what makes it."),
        (RISING, RISING, "the size is not what makes it."),
        (LEVEL, FALLING, "of its games and another in 60\xa0%."),
    ],
)
def test_what_the_size_has_to_do_with_the_brink(eight, four, end):
    told = sizes_and_search(eight, four, [LEVEL[3], RISING[3]])
    assert told.startswith("Greedily, four patterns score ") and told.endswith(end)


def test_one_training_of_each_size_is_no_proof():
    told = sizes_and_search(LEVEL, RISING, [LEVEL[3], RISING[3]])
    assert "the size may have to do with it. But that is one training of each" in told
    assert "of the two of four patterns" in told


WEAK = {1: games_of(0.1, 200), 3: games_of(0.2, 380)}


@pytest.mark.parametrize(
    ("short", "long", "end"),
    [
        (WEAK, RISING, "whether one searches or not."),
        (RISING, WEAK, "has brought nothing here."),
        (WEAK, {1: games_of(0.1, 300), 3: games_of(0.1, 350)}, "or learn from real boards."),
        (WEAK, {1: games_of(0.1, 300), 3: games_of(0.1, 380)}, "too few to show it."),
    ],
)
def test_what_learning_longer_brings_to_search(short, long, end):
    assert longer_and_search(short, long).endswith(end)


@pytest.mark.parametrize(
    ("shown", "plain", "end"),
    [
        (WEAK, {1: games_of(0.1, 190), 3: games_of(0.6, 420)}, "leave the showing to the play."),
        (WEAK, {1: games_of(0.1, 190), 3: games_of(0.6, 380)}, "the mean is not clearly higher."),
        (WEAK, {1: games_of(0.1, 190), 3: games_of(0.2, 350)}, "search comes to less."),
        (WEAK, {1: games_of(0.1, 190), 3: games_of(0.2, 380)}, "search gains so little here."),
    ],
)
def test_what_plain_teaching_brings_to_search(shown, plain, end):
    told = plain_teaching(shown, plain)
    assert told.startswith("Greedily, the plainly taught network scores ") and told.endswith(end)


NEVER = {1: games_of(0, 210), 3: games_of(0, 340)}


def games_to(tiles: list[int], score: float) -> Summary:
    """A hundred games that ended with these largest tiles in turn, as exponents."""
    scores = np.linspace(score - 10, score + 10, 100).astype(np.int64)
    return Summary.of(scores, np.resize(np.array(tiles, np.uint8), 100), 1_000, 1.0)


@pytest.mark.parametrize(
    ("shown", "share", "score", "told"),
    [
        (WEAK, 0.0, 390, "practice at the end was not what was missing."),
        (WEAK, 0.5, 390, "practice does better. And it costs nothing"),
        (WEAK, 0.3, 390, "without a trick. And it costs nothing: this network scores 10.0"),
        (RISING, 0.3, 400, "the trick still does more than the practice. And it costs"),
        (WEAK, 0.5, 350, "this network scores 30.0 ± 1.6 points fewer than that. Whoever had"),
    ],
)
def test_what_practice_at_the_end_brings_to_search(shown, share, score, told):
    practised = {1: games_of(0, 180), 3: games_of(share, score), 4: games_of(1, 500)}
    said = practised_to_the_end(NEVER, shown | {4: games_of(1, 600)}, practised)
    assert said.startswith("Greedily, and on boards as they are, ") and told in said
    assert "30.0 ± 1.6 points fewer" in said and "looking 3 plies ahead" in said


def test_what_practice_at_the_end_costs_is_explained_by_the_games_that_get_there():
    practised = {1: games_of(0, 180), 3: games_to([13, 13, 15, 15], 350)}
    said = practised_to_the_end(NEVER, WEAK, practised)
    assert "only 50.0\xa0% of its games get as far as a 16384, of the other's 100.0\xa0%" in said


@pytest.mark.parametrize(
    ("share", "score", "verdict", "growth"),
    [
        (0.5, 500, "So it pays to teach the end", "grows with the plies: 0.0\xa0%, 50.0"),
        (0.5, 300, "So networks that each begin from nothing", "grows with the plies"),
        (0.5, 380, "So no gain can be told", "grows with the plies"),
        (0.0, 380, "So no gain can be told", "does not clearly grow with the plies: 0.0\xa0%, 0.0"),
    ],
)
def test_networks_in_turn_beside_a_single_one(share, score, verdict, growth):
    relay = {1: games_of(0, 180), 3: games_of(share, score), 4: games_of(share, 550)}
    said = in_turn_and_alone(relay, WEAK)
    assert said.startswith("Greedily the relay scores 20.0 ± 1.6 points fewer than the single")
    assert verdict in said and growth in said and " with 1, 3 and 4. " in said
    assert said.endswith("for a move and scores 549.5 ± 1.1 points in 100 games.")
    assert "a 32768 in 50.0" in said or share == 0
    assert "the single network in 20.0\xa0%" in said


def test_networks_in_turn_are_compared_where_both_played_often():
    few = Summary.of(np.array([900, 910]), np.array([15, 15], np.uint8), 10, 1.0)
    relay = {1: games_of(0, 180), 3: games_of(0.5, 500), 4: few}
    said = in_turn_and_alone(relay, WEAK | {4: few})
    assert (
        "and with 3 plies 120.0" in said and "with 1, 3 and 4. With 4 plies the relay needs" in said
    )


@pytest.mark.parametrize(
    ("score", "of_further", "told"),
    [
        (520, 540, "20.0 ± 1.6 points more. So it even plays better. "),
        (520, 540, "20.0 ± 1.6 points more than with 4. So the time that is saved is worth"),
        (480, 500, "20.0 ± 1.6 points fewer. So some of what it leaves out was worth a thought. "),
        (500, 501, "0.0 ± 1.6 points fewer. These games cannot tell the two apart. "),
        (
            500,
            501,
            "1.0 ± 1.6 points more than with 4. These games cannot tell whether the further",
        ),
        (500, 490, "10.0 ± 1.6 points fewer than with 4. So looking further even harms it."),
    ],
)
def test_what_a_margin_costs_and_what_it_makes_room_for(score, of_further, told):
    every = {1: games_of(0, 180), 4: games_of(0.5, 500)}
    said = what_a_margin_brings(every, {5: games_of(0.5, of_further), 4: games_of(0.5, score)})
    assert said.startswith("To look 4 moves ahead the relay then needs 1\xa0millisecond in place")
    assert "In 1\xa0millisecond it looks 5 moves ahead, and scores " in said
    assert told in said


@pytest.mark.parametrize(
    ("shallow", "deep", "told"),
    [
        (500, 600, "So the two cannot be told apart. Both had begun well, though"),
        (520, 600, "So the other one is even stronger."),
        (500, 580, "So the other one is weaker: the seed matters."),
        (520, 580, "So the seed matters, in one way or the other."),
    ],
)
def test_another_training_is_set_beside_the_first(shallow, deep, told):
    first = {"3 plies": games_of(0.4, 500), "4 plies": games_of(0.5, 600)}
    other = {"3 plies": games_of(0.3, shallow), "4 plies": games_of(0.6, deep)}
    said = another_training({way: (first[way], other[way]) for way in first})
    assert said.startswith("With 3 plies it scores ") and "; with 4 plies it scores " in said
    assert "makes a 32768 in 30\xa0% of 100 games, the first in 40\xa0% of 100; with" in said
    assert said.endswith(told) or told + ": what would have come of the others" in said


STRAIGHT = [[5, 14, 11, 9], [3, 5, 6, 8], [1, 2, 3, 2], [1, 1, 1, 1]]
BENT = [[5, 14, 11, 2], [3, 5, 7, 9], [1, 3, 3, 1], [1, 1, 1, 1]]


def said_of(means, chosen, straight=(False, True)) -> str:
    """What is said of beginnings with these means; `straight` are the boards of the best."""
    begun = [{"seed": seed, "means": [1.0, mean]} for seed, mean in enumerate(means, 1)]
    boards = [STRAIGHT if each else BENT for each in straight]
    boards = [BENT] * (len(means) - len(boards)) + boards
    return beginnings(begun, dict(enumerate(boards, 1)), chosen)


@pytest.mark.parametrize(
    ("means", "chosen", "told"),
    [
        ((40, 60), 2, "The best scores 1.5 times as much as the worst. One can see why."),
        ((40, 58, 60), 2, "The training of seed 2, which began well, was carried through."),
        ((40, 44), 2, "They lie close together: the best scores 1.1 times as much"),
        ((40, 50, 60), 1, "The training of seed 1 was carried through"),
    ],
)
def test_beginnings_lie_apart_or_not(means, chosen, told):
    assert told in said_of(means, chosen)


def test_no_habit_is_told_where_beginnings_lie_close_together():
    assert "One can see why" in said_of((40, 60), 2)
    assert "One can see why" not in said_of((40, 44), 2)


@pytest.mark.parametrize(
    ("straight", "told"),
    [
        ((False, False, True), "On the board of seed 3 the row of the largest tiles runs on"),
        ((False, True, True), "On the boards of seed 2 and 3 each row of the largest tiles runs"),
        ((False, True, False), None),
        ((False, False, False), None),
        ((True, True, True), None),
    ],
)
def test_a_habit_is_told_where_it_sets_the_best_apart(straight, told):
    said = said_of((40, 50, 60), 3, straight)
    assert ("One can see why" in said) == (told is not None)
    assert told is None or told in said


def test_networks_are_compared_at_the_deepest_search_of_both():
    plain = {1: games_of(0.1, 190), 3: games_of(0.2, 380), 4: games_of(0.9, 500)}
    told = plain_teaching(WEAK, plain)
    assert "looking 3 plies ahead" in told and "a 32768 in 20.0" in told
