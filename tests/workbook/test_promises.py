"""Promises beside what came: groups, intervals, and the sentences that judge them."""

import numpy as np
import pytest

from workbook.promises import FEWEST, beside, promise_curves, where_largest
from workbook.sentences import (
    corner_or_edge,
    key_moment,
    price_of_a_mistake,
    right_by_stage,
    what_one_table_did,
    without_the_sums,
)


def many(first, last):
    """Games of two moves each, with the errors of their promises about `first` and `last`."""
    noise = np.random.default_rng(1).normal(0, 10, (40, 2))
    came = [np.array([1_000.0, 100.0]) + own for own in noise]
    promised = [np.array([1_000.0 + first, 100.0 + last])] * 40
    return beside(promised, came, [np.array([128, 2048])] * 40)


def test_each_game_counts_once_in_a_group():
    promised = [np.array([10.0] * 9)] + [np.array([0.0])] * (FEWEST - 1)
    came = [np.zeros(len(claims)) for claims in promised]
    (row,) = beside(promised, came, [np.ones(len(claims)) for claims in promised])
    assert row.games == FEWEST and row.promised == pytest.approx(10 / FEWEST)
    assert beside(promised[1:], came[1:], [np.ones(1)] * (FEWEST - 1)) == []


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (-300, 50, "too little early in the game and too much late"),
        (300, -50, "too much early in the game, too little late"),
        (-300, -50, "too little throughout"),
        (300, 50, "too much throughout"),
        (-300, 0, "too little on the boards with a 128"),
        (0, 50, "too much on the boards with a 2048"),
        (0, 0, "may be luck"),
    ],
)
def test_stages_are_judged_by_their_intervals(first, last, said):
    assert said in right_by_stage(many(first, last))


def test_promises_are_drawn_with_what_they_say_in_words():
    picture = promise_curves(many(-300, 50), "largest tile")
    assert "128: 700 promised" in picture.alt and picture.svg().startswith("<?xml")


def test_tiles_are_written_as_on_a_board():
    picture = promise_curves([many(-300, 50)[0]._replace(group=1024)], "largest tile")
    (axes,) = picture.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1024"]


def test_the_largest_tile_is_found_in_every_row():
    assert where_largest([0x1 << 4 * cell for cell in range(16)]) == {
        "in a corner": 0.25,
        "elsewhere at the edge": 0.5,
        "inside": 0.25,
    }


def test_the_price_of_a_mistake():
    assert "exaggerates" in price_of_a_mistake(12_000, (5_000, 4_000, 6_000))
    assert "2.4 times" in price_of_a_mistake(12_000, (5_000, 4_000, 6_000))
    assert "understates" in price_of_a_mistake(1_000, (5_000, 4_000, 6_000))
    assert "by how much" in price_of_a_mistake(5_000, (5_100, 4_000, 6_000))
    assert "do not even show" in price_of_a_mistake(5_000, (100, -900, 1_100))
    assert "would have been the better" in price_of_a_mistake(5_000, (-800, -900, -700))


def test_a_key_moment():
    assert "matters less than it said" in key_moment(14_209, 6_000, 2_000)
    assert "do not even tell" in key_moment(14_209, 1_000, 2_000)
    assert "the claim as well" in key_moment(5_000, 6_000, 2_000)
    assert "do not tell which" in key_moment(1_500, 1_000, 2_000)
    assert "matters more" in key_moment(1_500, 6_000, 2_000)
    assert "youngest was right" in key_moment(2_538, -3_717, 2_024)


def test_the_corner():
    assert "out of the corner most of the time" in corner_or_edge([0.1, 0.2], 0.4)
    assert "more often, on 40 %" in corner_or_edge([0.1, 0.2], 0.4)
    assert "so does" in corner_or_edge([0.1, 0.2], 0.15)
    assert "have it in a corner on between 10 and 60 %" in corner_or_edge([0.1, 0.6], 0.7)


def test_one_table_may_help_or_harm():
    share = {"ratio": 1.2, "ratio_low": 1.1, "ratio_high": 1.3}
    assert "learns *better*" in what_one_table_did(share, 5_000)
    assert "does not give it away" in what_one_table_did(share | {"ratio_low": 0.9}, 5_000)
    worse = {"ratio": 0.8, "ratio_low": 0.7, "ratio_high": 0.9}
    assert "but less" in what_one_table_did(worse, 5_000)


def test_a_frozen_training_is_told_of_where_the_lost_sums_thawed_it():
    right = {1: 100.0, 2: 102.0, 3: 50.0}
    unclear = {"ratio": 1.1, "ratio_low": 0.8, "ratio_high": 1.4}
    thawed = without_the_sums(right, {1: 98.0, 2: 101.0, 3: 70.0}, unclear)
    assert "right program had 50 points" in thawed and "98\xa0% to 99\xa0%" in thawed
    not_thawed = without_the_sums(right, {1: 98.0, 2: 101.0, 3: 50.0}, unclear)
    assert "frozen" not in not_thawed
    level = without_the_sums({1: 100.0, 2: 90.0}, {1: 100.0, 2: 120.0}, unclear)
    assert "frozen" not in level
    costly = {"ratio": 0.7, "ratio_low": 0.6, "ratio_high": 0.8}
    assert "not made good" in without_the_sums(right, right, costly)
