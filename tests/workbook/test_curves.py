"""Figures of scores and errors show the numbers they are given, and say in words what they show."""

import numpy as np
import pytest

from workbook.curves import bands, histogram, spreads

SVG = "{http://www.w3.org/2000/svg}"


def test_histogram_counts_every_game():
    scores = np.array([100, 100, 300, 900, 1100])
    figure = histogram(scores, bins=5, xlabel="score (points)", ylabel="games")
    (axes,) = figure.axes
    assert [bar.get_height() for bar in axes.patches] == [2, 1, 0, 0, 2]
    assert [line.get_xdata()[0] for line in axes.lines] == [300, 500]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["median 300", "mean 500"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("score (points)", "games")
    assert (
        figure.alt == "Histogram of the scores of 5 games, from 100 to 1,100; mean 500, median 300"
    )
    assert axes.get_xlim()[0] == 0 and figure.svg().lstrip().startswith("<")
    assert axes.lines[0].get_linestyle() != axes.lines[1].get_linestyle()  # told apart in grey


def test_histogram_takes_lists_and_wants_a_game():
    assert "2 games" in histogram([1, 2]).alt
    with pytest.raises(ValueError, match="one game or more"):
        histogram([])


def test_bands_show_mean_and_spread():
    x, values = (
        [1, 10, 100],
        np.array([[1.0, 2.0, 2.0], [1.0, 2.0, 2.0], [4.0, 5.0, 14.0], [2.0, 3.0, 6.0]]),
    )
    figure = bands(
        {"P": {"one": (x, values), "two": (x, values + 1)}},
        "games",
        "error (points)",
        {"level": 5.0},
    )
    (axes,) = figure.axes
    one, two, level = axes.lines
    assert one.get_xdata().tolist() == x and one.get_ydata().tolist() == [2, 3, 6]
    assert two.get_ydata().tolist() == [3, 4, 7] and set(level.get_ydata()) == {5}
    low, high = axes.collections[0].get_datalim(axes.transData).intervaly
    assert (low, high) == pytest.approx(
        (2 - 1.5**0.5, 6 + 24**0.5)
    )  # of the first and of the last x
    assert (axes.get_xscale(), axes.get_yscale(), axes.get_ylim()[0]) == ("log", "linear", 0)
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title()) == (
        "games",
        "error (points)",
        "P",
    )
    assert figure.alt == "error (points) over games. P one: 2 to 6; P two: 3 to 7"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one", "two", "level"]
    assert (
        one.get_linestyle() != two.get_linestyle() and one.get_marker() != two.get_marker()
    )  # told apart in grey


def test_bands_share_one_scale():
    curves = {name: {"curve": ([1, 2], [[1.0, top]])} for name, top in (("A", 2.0), ("B", 50.0))}
    figure = bands(curves, "games", "error (points)", logy=True)
    left, right = figure.axes
    assert left.get_ylim() == right.get_ylim() and left.get_yscale() == "log"
    assert left.get_ylabel() and not right.get_ylabel()  # said once
    assert "A curve: 1 to 2; B curve: 1 to 50" in figure.alt


@pytest.mark.parametrize("panels", [{}, {"A": {}}])
def test_bands_want_a_curve(panels):
    with pytest.raises(ValueError, match="has a curve"):
        bands(panels, "games", "error")


def test_spreads_show_each_board_once():
    figure = spreads([1.0, 2.0, 6.0], {"G": [3.0, 9.0, 12.0], "r + V": [3.0, 2.0, 1.0]})
    (axes,) = figure.axes
    one, two = axes.lines
    assert one.get_xdata().tolist() == two.get_xdata().tolist() == [1, 2, 6]
    assert one.get_ydata().tolist() == [3, 9, 12] and two.get_ydata().tolist() == [3, 2, 1]
    assert one.get_linestyle() == two.get_linestyle() == "None"
    assert one.get_markerfacecolor() == "none" != two.get_markerfacecolor()  # told apart in grey
    assert (
        figure.alt == "Spread of the targets over moves left: G 8.0 points on average; "
        "r + V 2.0 points on average"
    )
    assert "points" in axes.get_ylabel() and "moves" in axes.get_xlabel()


@pytest.mark.parametrize("targets", [{}, {"G": [1.0]}, {"G": [1.0, 2.0], "r + V": [1.0]}])
def test_spreads_want_a_number_for_each_board(targets):
    with pytest.raises(ValueError, match="each of 2 boards"):
        spreads([1.0, 2.0], targets)
