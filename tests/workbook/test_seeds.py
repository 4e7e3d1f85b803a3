"""Means over a few trainings."""

import numpy as np
import pytest

from workbook.seeds import after_moves, against, each_training, over_seeds, ratio
from workbook.table import Table


def test_interval_of_a_mean():
    mean, half = over_seeds([1.0, 2.0, 3.0, 4.0, 5.0])
    assert mean == 3.0
    assert half == pytest.approx(2.776 * np.sqrt(2.5) / np.sqrt(5))


@pytest.mark.parametrize("n", [2, 3, 5, 10, 20])
def test_intervals_hold_the_mean_95_times_of_100(n):
    rng = np.random.default_rng(n)
    held = 0
    for _ in range(4_000):
        mean, half = over_seeds(rng.normal(size=n))
        held += abs(mean) <= half
    assert 0.93 < held / 4_000 < 0.97


@pytest.mark.parametrize("values", [[1.0], [], [1.0, np.nan]])
def test_refuses_what_gives_no_interval(values):
    with pytest.raises(ValueError, match="trainings|finite"):
        over_seeds(values)


def test_after_so_many_moves():
    result = {"means": [10.0, 20.0, 30.0], "moves_of_block": [100, 200, 300]}
    assert [after_moves(result, count) for count in (1, 100, 101, 300, 301, 600)] == [
        10.0,
        10.0,
        20.0,
        20.0,
        30.0,
        30.0,
    ]
    with pytest.raises(ValueError, match="600 moves only"):
        after_moves(result, 601)


def test_picture_says_what_it_shows():
    figure = each_training({"TD": [1.0, 2.0], "TC": [3.0, 4.0]}, "mean score")
    assert "TD: 2 ± 6; TC: 4 ± 6" in figure.alt
    assert "<svg" in figure.svg()


def test_ratios_are_of_equal_seeds():
    right = [{"seed": 1, "score": 10.0}, {"seed": 2, "score": 20.0}]
    assert ratio([{"seed": 2, "score": 10.0}, {"seed": 1, "score": 5.0}], right) == {
        "ratio": 0.5, "ratio_low": 0.5, "ratio_high": 0.5
    }  # fmt: skip
    assert ratio([{"seed": 1, "score": None}], right)["ratio"] is None


def test_variants_stand_against_their_standard():
    scores = {0.1: (10.0, 20.0), 0.3: (12.0, 30.0), 9.0: (None, 5.0)}
    rows = [
        {"alpha": alpha, "seed": seed, "score": scores[alpha][seed], "win_rate": 0.5}
        for alpha in scores
        for seed in range(2)
    ]
    names = {0.3: "large", 9.0: "huge"}
    better, gone = against(Table(rows), "alpha", 0.1, names)
    assert better["name"] == "large" and better["score"] == 21 and better["win_rate"] == 0.5
    assert better["ratio"] == pytest.approx(1.35) and better["ratio_low"] < 1 < better["ratio_high"]
    assert gone["ratio"] is None
