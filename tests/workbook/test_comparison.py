"""Figures that set trainings beside each other: they show what the results hold."""

from xml.etree import ElementTree

import numpy as np
import pytest

from lib2048 import TrainLog
from workbook.comparison import Curve, changes, seed_curves, single_games
from workbook.learning_curve import learning_curve


def result(seed=1, blocks=4, block=50, slope=1000, diverged=None):
    """A result as an experiment gives it.

    Block n has the mean n * slope, and n of its games reached 2048.
    """
    ended = np.zeros((blocks, 18), np.int32)
    ended[:, 11] = np.arange(blocks)
    ended[:, 8] = block - np.arange(blocks)
    means = slope * np.arange(1.0, blocks + 1)
    return {"seed": seed, "means": means, "best": 2 * means, "ended": ended, "diverged": diverged}


def words(figure):
    """All that stands in the titles and labels of a figure."""
    texts = [*figure.texts, *(text for axes in figure.axes for text in (axes.title, *axes.texts))]
    texts += [text for legend in figure.legends for text in legend.texts]
    return {
        text.get_text()
        for text in [*texts, figure._supxlabel, figure._supylabel]
        if text is not None
    }


def test_a_result_is_drawn_like_a_log():
    log = TrainLog(
        np.repeat([100, 300], 50),
        np.repeat([8, 11], 50).astype(np.uint8),
        np.full(100, 9),
        50,
        1.0,
        0,
        7,
    )
    ended = np.zeros((2, 18), int)
    ended[0, 8] = ended[1, 11] = 50
    curve = Curve({"means": log.means, "best": log.best, "ended": ended, "seed": 7})
    assert (
        curve.block == 50
        and np.array_equal(curve.rate(2048), log.rate(2048))
        and curve.rate(256).tolist() == [1, 1]
    )
    assert learning_curve(curve).svg() == learning_curve(log).svg()


def test_single_games_and_their_means():
    log = TrainLog(np.arange(4000), np.full(4000, 8, np.uint8), np.full(4000, 9), 500, 1.0, 0, 3)
    figure = single_games(log, most=3000)
    (dots,) = figure.axes[0].lines
    assert dots.get_xdata()[[0, -1]].tolist() == [1001, 4000] and dots.get_ydata()[0] == 1.0
    (steps,) = figure.axes[0].patches
    values, edges, _ = steps.get_data()
    assert (1000 * values).tolist() == log.means.tolist() and edges.tolist() == list(
        range(0, 4001, 500)
    )
    assert (
        "seed 3" in figure.axes[0].get_xlabel()
        and "3,000 single games, from 1,000 to 3,999" in figure.alt
    )


def test_curves_over_seeds():
    named = {
        "one": [result(1), result(2, slope=3000)],
        "other": [result(1, slope=500), result(2, slope=500)],
    }
    figure = seed_curves(named)
    one, other = figure.axes[0].lines
    assert one.get_xdata().tolist() == [50, 100, 150, 200] and one.get_ydata().tolist() == [
        2,
        4,
        6,
        8,
    ]
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == 1 and band[:, 1].max() == 12, "from the lowest seed to the highest"
    assert one.get_linestyle() != other.get_linestyle() and one.get_marker() != other.get_marker()
    assert words(figure) >= {
        "one",
        "other",
        "games of training (seeds 1 and 2)",
        "score (thousand points)",
    }
    assert figure.alt.endswith("one 2,000 to 8,000, other 500 to 2,000")


def test_panels_side_by_side():
    groups = {
        name: {"right": [result(s) for s in (1, 2, 3)], "wrong": [result(1)]} for name in "abcd"
    }
    figure = seed_curves(groups, panels=3)
    assert [axes.get_visible() for axes in figure.axes] == [True] * 4 + [False] * 2
    assert words(figure) >= {*"abcd", "right", "wrong", "games of training (seeds 1 to 3)"}
    assert figure.legends[0].texts[0].get_text() == "right" and len(figure.legends[0].texts) == 2
    ElementTree.fromstring(figure.svg())


def test_what_diverged_is_marked():
    short = [result(1, blocks=2, diverged=110), result(2, blocks=3, diverged=160)]
    figure = seed_curves({"wrong": short, "right": [result()]})
    assert "diverged" in words(figure) and "wrong 1,000 to 2,000, where it diverged" in figure.alt
    assert figure.axes[0].lines[0].get_xdata().tolist() == [50, 100], "as far as all seeds go"
    assert (
        "wrong diverged at once"
        in seed_curves({"wrong": [result(blocks=0)], "right": [result()]}).alt
    )


def test_changes():
    groups = {
        "size": [("small", 0.5, 0.4, 0.6), ("large", 1.2, -0.1, 2.5)],
        "step": [("huge", None, None, None)],
    }
    figure = changes(groups, "score (% of the standard)")
    assert figure.alt == "score (% of the standard). small: 50%; large: 120%; huge: diverged"
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["small", "large", "huge"]
    assert [text.get_text() for text in axes.texts] == ["diverged"]
    ends = [container.lines[2][0].get_segments()[0][:, 0].tolist() for container in axes.containers]
    assert ends == [pytest.approx([40, 60]), pytest.approx([0, 250])], "no score lies below 0"
    ElementTree.fromstring(figure.svg())
