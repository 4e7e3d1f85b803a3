"""The learning curve shows what the log holds, in lines that differ in grey, the same each time."""

from xml.etree import ElementTree

import numpy as np
import pytest

from lib2048 import TrainLog
from workbook.learning_curve import learning_curve


def log(games, block=1000, seed=1, first=0):
    scores = np.arange(games) * 10
    return TrainLog(
        scores, np.full(games, 11, np.uint8), np.full(games, 9, np.int32), block, 1.0, first, seed
    )


def test_learning_curve_shows_the_log():
    figure = learning_curve(log(2500, first=5000, seed=7))
    above, middle, below = figure.axes
    (mean,) = above.lines
    (best,) = middle.lines
    assert mean.get_xdata().tolist() == [6000, 7000]
    assert mean.get_ydata().tolist() == [4995, 14995]
    assert best.get_ydata().tolist() == [9990, 19990]
    assert below.lines[0].get_ydata().tolist() == [100, 100]
    assert (
        "seed 7" in below.get_xlabel()
        and above.get_ylabel() == "mean of 1,000 games"
        and "2048" in below.get_ylabel()
    )
    assert "4,995 to 14,995" in figure.alt


def test_curves_differ_in_grey():
    figure = learning_curve({name: log(20_000, seed=3) for name in "abcdef"})
    looks = {(line.get_linestyle(), line.get_marker()) for line in figure.axes[1].lines}
    assert len(looks) == 6
    assert [text.get_text() for text in figure.legends[0].texts] == [*"abcdef"]


def test_the_best_games_do_not_stretch_the_axis_of_the_means():
    scores = np.full(4000, 100)
    scores[1500] = 100_000
    figure = learning_curve(TrainLog(scores, np.full(4000, 9, np.uint8), scores, 1000, 1.0, 0, 1))
    means, best, _ = (axes.get_ylim()[1] for axes in figure.axes)
    assert means < 300 and best > 100_000


@pytest.mark.parametrize("games", [0, 1, 999])
def test_learning_curve_of_few_games(games):
    ElementTree.fromstring(learning_curve(log(games)).svg())


def test_the_same_figure_is_the_same_file():
    assert learning_curve(log(3000)).svg() == learning_curve(log(3000)).svg()
