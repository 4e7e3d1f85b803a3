"""Figures and rows about strength show the numbers they are given."""

from xml.etree import ElementTree

import numpy as np
import pytest

from lib2048 import Summary, from_tiles
from lib2048.records import wilson
from workbook.strength import (
    doublings,
    growing_shares,
    over_games,
    reached,
    row,
    stops_paying,
    survival,
)

SVG = "{http://www.w3.org/2000/svg}"
BOARD = from_tiles([[2, 4, 8, 16], [256, 128, 64, 32], [0, 0, 0, 0], [0, 0, 0, 2]])
NAN = float("nan")


def summary(scores, exponents, seconds=1.0):
    return Summary.of(np.array(scores), np.array(exponents, np.uint8), 100, seconds)


FEW = summary([1000, 4000, 2000, 3000], [9, 11, 10, 11])
MANY = summary(np.arange(1, 5001) * 10, np.repeat([10, 11, 12, 13, 14], 1000))


def test_a_row_holds_the_summary():
    cells = row(MANY, (2048, 16384), player="me")
    assert list(cells) == ["player", "games", "mean score", "2048 (%)", "16384 (%)"]
    half = 1.959964 * np.std(MANY.scores, ddof=1) / 5000**0.5
    assert cells["games"] == 5000 and cells["mean score"] == f"25,005 ± {half:,.0f}"
    low, high = wilson(4000, 5000)
    assert cells["2048 (%)"] == f"80.0 ({100 * low:.1f}-{100 * high:.1f})"
    assert cells["16384 (%)"].startswith("20.0 (")


def test_survival_is_the_share_that_scores_so_much():
    figure = survival({"few": FEW, "many": MANY})
    few, many = figure.axes[0].lines
    assert few.get_xdata().tolist() == [1, 2, 3, 4] and few.get_ydata().tolist() == [
        100,
        75,
        50,
        25,
    ]
    assert len(many.get_xdata()) == 400  # thinned, and right all the same
    for x, share in zip(1000 * many.get_xdata(), many.get_ydata()):
        assert share == pytest.approx(100 * (MANY.scores >= x - 1e-6).mean())
    assert (
        "2,500" in figure.alt
        and "points" in figure.axes[0].get_xlabel()
        and "%" in figure.axes[0].get_ylabel()
    )


def test_reached_shows_shares_and_intervals():
    figure = reached({"few": FEW, "many": MANY}, (1024, 2048, 4096))
    axes = figure.axes[0]
    (points, _, bars), other = axes.containers
    assert points.get_ydata().tolist() == [75, 50, 0]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1024", "2048", "4096"]
    for (low, high), count in zip((segment[:, 1] for segment in bars[0].get_segments()), (3, 2, 0)):
        assert (low, high) == pytest.approx([100 * end for end in wilson(count, 4)], abs=1e-9)
    assert not set(points.get_xdata()) & set(other[0].get_xdata())
    assert "75.0 % 1024" in figure.alt and "few" in figure.alt


def test_doublings_by_hand():
    steps = doublings([1, 2, 3, 4, 5, 6, 7, 8], 10)
    assert [(step["games"], step["to"]) for step in steps] == [(10, 20), (20, 40), (40, 80)]
    assert [step["mean before"] for step in steps] == [1, 2, 3.5]
    assert [step["mean after"] for step in steps] == [2, 3.5, 6.5]
    assert steps[-1]["gain"] == pytest.approx(3 / 3.5)
    assert [step["games"] for step in doublings(np.ones(1000), 1000)][-3:] == [
        125_000,
        250_000,
        500_000,
    ]
    assert doublings([5], 10) == []


@pytest.mark.parametrize(
    "levels, games",
    [
        ([10, 20, 40, 80], None),  # each doubling pays
        ([10, 10, 10, 10], 10),  # none does
        ([10, 20, 20.5, 20.6], 20),  # from 20 games on none does
        ([10, 10, 20, 20.1], 40),  # one that pays after one that does not
        ([10, 20, 20.5, 30], None),  # the last one pays again
        ([10, 20, 15, 15], 20),  # a fall does not pay
    ],
)
def test_where_doublings_stop_paying(levels, games):
    means = np.repeat(levels, [1, 1, 2, 4])
    assert stops_paying(means, 10) == games


def curve(blocks, block=10):
    return np.linspace(1000, 90_000, blocks), block


def test_curves_over_games():
    above = {"a": curve(1000, 50), "b": curve(300, 50)}
    below = {name: (values / 100_000, block) for name, (values, block) in above.items()}
    figure = over_games(above, below, "seed 3", marks={"a": 25_000, "b": None})
    scores, shares = figure.axes
    assert scores.get_xscale() == shares.get_xscale() == "log" and "seed 3" in shares.get_xlabel()
    lines = {line.get_label(): line for line in scores.lines}
    x, y = lines["a"].get_xdata(), lines["a"].get_ydata()
    assert x[0] == 50 and x[-1] < 50_000 and (np.diff(x) > 0).all()
    assert y == pytest.approx(
        np.interp(x, 50 * np.arange(1, 1001), above["a"][0]) / 1000
    )  # of a straight line: on it
    assert sum(list(line.get_xdata()) == [25_000, 25_000] for line in scores.lines) == 1
    assert (
        "25,000" in [text.get_text().strip() for text in scores.texts]
        and "marked at 25,000" in figure.alt
    )
    assert shares.lines[0].get_ydata()[-1] == pytest.approx(y[-1])
    assert [text.get_text() for text in figure.legends[0].texts] == [
        "a",
        "b",
    ] and shares.get_legend() is None


def test_shares_grow_over_the_moves_learned_from():
    shares = np.linspace(0, 1, 1000)
    moves = np.full(1000, 2_000_000)
    figure = growing_shares({"long": (shares, moves), "short": (shares[:10], moves[:10])})
    long, short = figure.axes[0].lines
    assert len(long.get_xdata()) == 40 and len(short.get_xdata()) == 10
    assert short.get_xdata().tolist() == list(range(2, 21, 2))
    assert long.get_xdata()[0] == 2 * 13 and long.get_xdata()[-1] == 2 * 988
    assert long.get_ydata()[0] == pytest.approx(100 * shares[:25].mean())
    assert short.get_ydata() == pytest.approx(100 * shares[:10])
    assert "long: 98.8 % in the last of 2,000 million moves" in figure.alt
    ElementTree.fromstring(figure.svg())


def test_few_blocks_are_drawn_without_a_background():
    one, many = (
        over_games({"a": curve(blocks)}, {"x": curve(blocks)}, "seed 1") for blocks in (50, 1000)
    )
    assert len(one.axes[0].lines) == 1 and len(many.axes[0].lines) == 2
    assert len(many.axes[0].lines[0].get_xdata()) == 1000 and not one.legends
    assert [text.get_text() for text in one.axes[1].get_legend().texts] == ["x"]
    ElementTree.fromstring(over_games({"a": curve(1)}, {"a": curve(1)}, "seed 1").svg())


def test_every_block_counts_once():
    values = np.random.default_rng(1).random(777)
    figure = over_games({"a": (1000 * values, 1)}, {"a": (values, 1)}, "seed 1")
    x, y = figure.axes[1].lines[0].get_data()
    ends, low = [], 0
    for middle in x:  # the middle of blocks low + 1 .. high
        ends.append(round(2 * middle - low - 1))
        low = ends[-1]
    assert ends[-1] == 777
    for low, high, share in zip([0, *ends], ends, y):
        assert share == pytest.approx(100 * values[low:high].mean())


def test_figures_are_the_same_twice_and_differ_in_grey():
    named = dict.fromkeys("abcdef", MANY)
    for draw in (lambda: survival(named), lambda: reached(named)):
        assert draw().svg() == draw().svg()
    looks = {(line.get_linestyle(), line.get_marker()) for line in survival(named).axes[0].lines}
    assert len(looks) == 6
    assert len({points.get_marker() for points, *_ in reached(named).axes[0].containers}) == 6
