"""Tables and sentences of the second game's matches: each says what its numbers say."""

import numpy as np
import pytest

from libewn import MCTS
from libewn.match import Estimate
from workbook.ewn_matches import (
    ALGORITHMS,
    REPORTED,
    REPORTED_C,
    algorithm_rows,
    budget,
    c_rows,
    count_of,
    temperature_rows,
    won,
)
from workbook.ewn_sentences import (
    at_equal_time,
    best_in_time,
    equal_or_not,
    hardly_matters,
    lost_or_won,
    textbook_constant,
    what_counts,
    where_chance_costs,
    who_profits,
    who_wins,
    worth_of_steps,
)
from workbook.in_turns import in_turns, middle_positions, searching

INSTANCES = 100
CLEAR = Estimate(0.2, 0.1, 0.3, 50)
LUCK = Estimate(0.01, -0.02, 0.04, 50)
LOSS = Estimate(-0.2, -0.3, -0.1, 50)


def match(share, simulations=1_000, instances=INSTANCES):
    """A cell of a table, of whose rounds this share is won, in both seats of an instance."""
    won = np.zeros((instances, 2), np.uint8)
    won[: round(share * instances)] = 1
    part = {
        "won": won,
        "eliminated": np.zeros_like(won),
        "plies": np.full_like(won, 20),
        "first": 0,
        "simulations": simulations,
    }
    return [part]


def test_rounds_that_were_all_won_leave_some_doubt():
    assert won(match(1.0, instances=25)) == "100.0 (86.3 to 100.0)"  # 0.863**25 is 0.025
    assert won(match(0.0, instances=25)) == "0.0 (0.0 to 13.7)"
    assert won(match(0.5)).startswith("50.0 (")


def test_budgets_and_counts_are_told():
    assert budget(match(0.5)) == "200 rounds, 1,000 playouts a move"
    assert count_of(match(0.5) + match(0.2)) == "400"


@pytest.mark.parametrize(
    ("share", "who"), [(0.8, "random"), (0.2, "eight plies"), (0.52, "about even")]
)
def test_who_wins_is_read_off_the_rounds(share, who):
    short, told = who_wins(match(share))
    assert who in short and f"{100 * share:.1f} (" in told


def test_the_first_table_has_the_reported_and_our_shares():
    played = {(opponent, name): match(0.7) for opponent in REPORTED for name in ALGORITHMS}
    rows = algorithm_rows(played)
    assert [row["against"] for row in rows[:2]] == ["hard, course report", "hard, here"]
    assert rows[0]["MCS"] == "47.7" and rows[1]["MCS"].startswith("70.0 (")
    assert len(rows) == 6


def test_the_table_of_c_leaves_out_what_was_not_played():
    rows = c_rows({("hard", c): match(0.6) for c in REPORTED_C["hard"]})
    assert rows[0]["$c = 1.4$"] == "83.3" and rows[1]["$c = 1.4$"].startswith("60.0 (")
    assert rows[2]["$c = 1.4$"] == rows[3]["$c = 1.0$"] == "–"
    assert {tuple(row) for row in rows} == {
        (
            "against",
            "$c = 1.4$",
            "$c = 1.0$",
            "$c = 0.6$",
            "$c = 0.2$",
        )
    }


def test_the_best_is_counted_on_the_rounds_that_the_others_played():
    ours = {k: match(0.5, instances=20) for k in (0.0, 2.0)}
    rows = temperature_rows(0, 200, ours, match(0.2))
    assert [row["$K$"] for row in rows] == ["0", "2", "the best"]
    assert rows[0]["course report"] == "46.5"
    assert rows[-1]["here"].startswith("100.0")  # the first 20 instances of 100 are those won


def test_the_textbooks_constant_is_judged_by_its_difference():
    rng = np.random.default_rng(1)
    low, high = rng.normal(50, 5, 100), rng.normal(100, 5, 100)
    dear = textbook_constant({"book": high, "blind": low}, "book", "blind")
    assert "costs more here" in dear and "“blind” 50" in dear
    assert "pays here" in textbook_constant({"book": low, "blind": high}, "book", "blind")
    mixed = rng.permutation(low)
    assert "may be luck" in textbook_constant({"book": low, "blind": mixed}, "book", "blind")


def test_steps_are_clear_lucky_or_lost():
    told = worth_of_steps({"a": CLEAR, "b": LUCK, "c": LOSS})
    assert told.startswith("What adds most is a, +20.0 (+10.0 to +30.0)")
    assert "What came of b (" in told and "because its interval holds 0" in told
    assert "lost by c (" in told
    assert worth_of_steps({"a": LUCK, "b": LOSS}).startswith("No step is clear of 0")
    best = Estimate(0.4, 0.3, 0.5, 50)
    one_more = worth_of_steps({"a": best, "b": CLEAR})
    assert "The interval of b (" in one_more and "lies clear of 0 as well" in one_more
    two_more = worth_of_steps({"a": best, "b": CLEAR, "c": CLEAR, "d": LUCK, "e": LUCK})
    assert "The intervals of b (" in two_more and "their intervals hold 0" in two_more


def test_the_best_and_the_worst_c_are_compared():
    assert "chance makes as well" in hardly_matters({0.1: match(0.5), 0.2: match(0.5)})
    assert "more than chance" in hardly_matters({0.1: match(0.2), 0.2: match(0.9)})


def test_single_playouts_are_compared_at_equal_time():
    trees = {1_000: match(0.4, 1_000), 4_000: match(0.6, 4_000)}
    clear = at_equal_time(match(0.9), 4.0, trees)
    assert "4,000 playouts" in clear and "less, but still clearly above 0" in clear
    assert "nothing is left" in at_equal_time(match(0.6), 4.0, trees)
    assert "they lose" in at_equal_time(match(0.2), 4.0, trees)


def test_more_playouts_help_one_or_both():
    bandit = {1_000: match(0.5), 10_000: match(0.5, 10_000)}
    tree = {1_000: match(0.5), 10_000: match(0.9, 10_000)}
    assert "What the bandit lacks is not precision" in who_profits(bandit, tree)
    assert "cannot be told apart" in who_profits(tree, tree)
    steeper = {1_000: match(0.4), 10_000: match(0.9, 10_000)}
    assert "cannot be told apart" in who_profits(tree, steeper)  # their intervals overlap
    with pytest.raises(ValueError, match="two budgets"):
        who_profits({1_000: match(0.5)}, tree)


def test_the_best_player_is_set_beside_a_tree_that_takes_longer():
    by_budget = {"best": {1_000: match(0.9)}, "tree": {1_000: match(0.4), 9_000: match(0.5)}}
    assert "more than a tree of 9,000" in best_in_time(by_budget, {"best": 4.0})
    worse = {"best": {1_000: match(0.2)}, "tree": {9_000: match(0.5)}}
    assert "fewer rounds than a tree" in best_in_time(worse, {"best": 4.0})
    alike = {"best": {1_000: match(0.5)}, "tree": {9_000: match(0.5)}}
    assert "about as many rounds" in best_in_time(alike, {"best": 4.0})
    assert "do not overlap" in best_in_time(by_budget, {"best": 40.0})


def test_a_change_that_costs_rounds_loses_and_another_wins():
    assert lost_or_won(Estimate(-0.135, -0.21, -0.055, 9)) == "loses 13.5 (−21.0 to −5.5)"
    assert lost_or_won(Estimate(0.01, -0.02, 0.04, 9)) == "wins 1.0 more (−2.0 to +4.0)"


@pytest.mark.parametrize(
    ("down", "end", "told"),
    [
        (LOSS, LOSS, "in both places"),
        (LUCK, LOSS, "rounds at the end; elsewhere"),
        (LUCK, LUCK, "cannot be seen"),
    ],
)
def test_where_chance_costs_rounds(down, end, told):
    assert told in where_chance_costs(down, end)


@pytest.mark.parametrize(
    ("visit", "expansion", "told"),
    [
        (CLEAR, CLEAR, "both count"),
        (CLEAR, LUCK, "smaller visits"),
        (LUCK, CLEAR, "sooner children"),
        (LUCK, LUCK, "Neither alone"),
    ],
)
def test_what_makes_single_playouts_strong(visit, expansion, told):
    assert told in what_counts(visit, expansion)


def test_times_are_equal_or_not():
    assert "about equal time" in equal_or_not([0.9, 1.1])
    assert "not equal" in equal_or_not([0.9, 1.6])


def test_work_is_measured_in_turns():
    order = []

    def job(name, units):
        def work(number):
            order.append((name, number))
            return units

        return work

    seconds = in_turns({"a": job("a", 1), "b": job("b", 2)}, 2)
    assert [name for name, _ in order] == ["a", "b"] * 3  # the first round warms up
    assert set(seconds) == {"a", "b"} and min(seconds.values()) >= 0


def test_searches_are_jobs_whose_units_are_playouts():
    job = searching(MCTS(simulations=100), middle_positions(2))
    assert job(0) == 100 and job(3) == 100
