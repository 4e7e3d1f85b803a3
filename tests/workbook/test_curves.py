"""Figures of the game and of TD(0) show the numbers they are given, and say in words what they show."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from lib2048 import from_tiles
from workbook.curves import TINY, bands, bits, chain, histogram, spreads, tiny_boards, tiny_text

SVG = "{http://www.w3.org/2000/svg}"
BOARD = from_tiles([[2, 4, 8, 16], [0, 2048, 32, 2], [0, 0, 32768, 64], [0, 0, 0, 1024]])
STEPS = [
    ((0, 1, 2, 3), 3, 0, (1, 1, 2, 3)),
    ((1, 1, 2, 3), 3, 4, (2, 1, 2, 3)),
    ((2, 1, 2, 3), 0, 8, None),
]
BEFORE = {s: 0.0 for s, *_ in STEPS}
AFTER = {STEPS[0][0]: 2.0, STEPS[1][0]: 4.0, STEPS[2][0]: 4.0}


def words(svg):
    """All texts of a drawing, those within a text joined."""
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def from_left(svg, pattern):
    """The texts that match, as they stand from left to right."""
    texts = sorted(
        ElementTree.fromstring(svg).findall(f"{SVG}text"), key=lambda text: float(text.get("x"))
    )
    return [text.text for text in texts if re.fullmatch(pattern, text.text)]


def title(svg):
    return ElementTree.fromstring(svg).find(f"{SVG}title").text


def inside(svg):
    """Whether boxes lie on the sheet and words are tied to places on it."""
    root = ElementTree.fromstring(svg)
    _, _, wide, high = (float(part) for part in root.get("viewBox").split())
    boxes = [
        [float(box.get(key, 0)) for key in ("x", "y", "width", "height")]
        for box in root.findall(f"{SVG}rect")
    ]
    places = [[float(text.get("x")), float(text.get("y"))] for text in root.findall(f"{SVG}text")]
    corners = [(x, y) for x, y, _, _ in boxes] + [(x + w, y + h) for x, y, w, h in boxes]
    return all(0 <= x <= wide and 0 <= y <= high for x, y in corners + places)


# A board and its bits


def test_bits_are_those_of_the_board():
    drawing = bits(BOARD)
    fours = from_left(drawing, "[01]{4}")
    assert len(fours) == 16 and int("".join(fours), 2) == BOARD
    assert from_left(drawing, "row .") == ["row 3", "row 2", "row 1", "row 0"]
    below = [
        text
        for text in ElementTree.fromstring(drawing).findall(f"{SVG}text")
        if text.get("y") == "337"
    ]
    assert [text.text for text in sorted(below, key=lambda text: -float(text.get("x")))] == [
        *map(str, range(16))
    ]
    digits = [
        text
        for text in ElementTree.fromstring(drawing).findall(f"{SVG}text")
        if text.get("y") == "286"
    ]
    assert (
        "".join(text.text for text in sorted(digits, key=lambda text: float(text.get("x"))))
        == f"{BOARD:016x}"
    )


def test_bits_say_what_they_show():
    assert title(bits(BOARD)).startswith("2048 board: 2 4 8 16; empty 2048 32 2;")
    assert title(bits(BOARD)).endswith("a0006f0015b04321")
    assert inside(bits(BOARD)) and "http" not in bits(BOARD).replace(
        "http://www.w3.org/2000/svg", ""
    )


@pytest.mark.parametrize("board", [-1, 1 << 64, 0.5, None, [[0] * 4] * 4])
def test_bits_want_a_board(board):
    with pytest.raises(ValueError, match="board"):
        bits(board)


# Scores


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


# The 2x2 game


def test_tiny_text():
    assert tiny_text((0, 1, 11, 5)) == "empty 2; 2048 32"


def test_tiny_boards_show_tiles_and_labels():
    drawing = tiny_boards([(0, 1, 2, 3), (5, 1, 2, 1)], [["A", "best: 1.5"], ["B < C"]])
    assert words(drawing) == ["2", "4", "8", "A", "best: 1.5", "32", "2", "4", "2", "B < C"]
    assert title(drawing) == "empty 2; 4 8: A, best: 1.5. 32 2; 4 2: B < C"
    assert inside(drawing)


def test_tiny_boards_begin_a_new_row_after_six():
    one, two = (tiny_boards([(1, 0, 0, 1)] * number, [["x", "y"]] * number) for number in (6, 7))
    heights = [float(ElementTree.fromstring(drawing).get("height")) for drawing in (one, two)]
    assert heights[1] == 2 * heights[0] > 2 * TINY and inside(one) and inside(two)
    below = [
        float(text.get("y"))
        for text in ElementTree.fromstring(two).iter(f"{SVG}text")
        if text.text == "x"
    ]
    assert len(set(below[:6])) == 1 and below[6] == below[0] + heights[0]


@pytest.mark.parametrize(
    "boards, labels", [([], []), ([(0, 0, 0, 1)], []), ([(0, 0, 0, 1)], [["a"], ["b"]])]
)
def test_tiny_boards_want_labels_for_each(boards, labels):
    with pytest.raises(ValueError, match="labels for each"):
        tiny_boards(boards, labels)


def test_chain_shows_targets_and_errors():
    shown = words(chain(STEPS, BEFORE, AFTER))
    assert [word for word in shown if "=" in word and "+" in word] == [
        "0 + 4 = 4",
        "4 + 4 = 8",
        "8 + 0 = 8",
    ]
    assert [word for word in shown if re.fullmatch(r"[+-]\d+", word)] == ["+4", "+8", "+8"]
    assert [word for word in shown if word.startswith("r = ")] == ["r = 0", "r = 4", "r = 8"]
    assert [word for word in shown if word.startswith("sT")] == ["sT-3", "sT-2", "sT-1"]
    assert "game over" in shown and inside(chain(STEPS, BEFORE, AFTER))


def test_chain_counts_from_the_values_before():
    before = {**BEFORE, STEPS[2][0]: 20.0}
    after = {**AFTER, STEPS[2][0]: 14.0}  # 20 + (8 - 20) / 2
    shown = words(chain(STEPS, before, after))
    assert {"20", "8 + 0 = 8", "-12", "14", "4 + 14 = 18", "+18"} <= set(shown)


def test_chain_says_what_it_shows():
    said = title(chain(STEPS, BEFORE, AFTER))
    assert said.startswith(
        "The last steps of a game. empty 2; 4 8: V 0, target 4, V after 2; 2 2; 4 8: "
    )


@pytest.mark.parametrize("number", [0, 2, 4])
def test_chain_has_room_for_three(number):
    with pytest.raises(ValueError, match=f"three steps.*got {number}"):
        chain((STEPS + STEPS)[:number], BEFORE, AFTER)


# Errors over games


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
        figure.alt
        == "Spread of the targets over moves left: G 8.0 points on average; r + V 2.0 points on average"
    )
    assert "points" in axes.get_ylabel() and "moves" in axes.get_xlabel()


@pytest.mark.parametrize("targets", [{}, {"G": [1.0]}, {"G": [1.0, 2.0], "r + V": [1.0]}])
def test_spreads_want_a_number_for_each_board(targets):
    with pytest.raises(ValueError, match="each of 2 boards"):
        spreads([1.0, 2.0], targets)
