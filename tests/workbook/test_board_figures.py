"""Pictures made of boards show the numbers they are given, and say in words what they show."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from lib2048 import from_tiles
from lib2048.draw import SIDE
from workbook.board_figures import (
    TINY,
    bits,
    chain,
    choices,
    outlined,
    tiny_boards,
    tiny_text,
)

SVG = "{http://www.w3.org/2000/svg}"
BOARD = from_tiles([[2, 4, 8, 16], [0, 2048, 32, 2], [0, 0, 32768, 64], [0, 0, 0, 1024]])
CROWDED = from_tiles([[2, 4, 8, 16], [256, 128, 64, 32], [0, 0, 0, 0], [0, 0, 0, 2]])
NAN = float("nan")
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
    assert [word for word in shown if word.startswith("sT")] == ["sT−3", "sT−2", "sT−1"]
    assert "game over" in shown and inside(chain(STEPS, BEFORE, AFTER))


def test_chain_counts_from_the_values_before():
    before = {**BEFORE, STEPS[2][0]: 20.0}
    after = {**AFTER, STEPS[2][0]: 14.0}  # 20 + (8 - 20) / 2
    shown = words(chain(STEPS, before, after))
    assert {"20", "8 + 0 = 8", "−12", "14", "4 + 14 = 18", "+18"} <= set(shown)


def test_chain_says_what_it_shows():
    said = title(chain(STEPS, BEFORE, AFTER))
    assert said.startswith(
        "The last steps of a game. empty 2; 4 8: V 0, target 4, V after 2; 2 2; 4 8: "
    )


@pytest.mark.parametrize("number", [0, 2, 4])
def test_chain_has_room_for_three(number):
    with pytest.raises(ValueError, match=f"three steps.*got {number}"):
        chain((STEPS + STEPS)[:number], BEFORE, AFTER)


def test_choices():
    text = choices(
        CROWDED, {"young": [10.0, NAN, 30.4, 20.0], "old & wise": np.float32([500, 400, -0.2, 100])}
    )
    root = ElementTree.fromstring(text)
    words = [node.text for node in root.iter(f"{SVG}text")]
    assert words.count("not possible") == 1 and "30 best" in words and "10 (−20)" in words
    assert "500 best" in words and "0 (−500)" in words and "old & wise" in words
    bars = [float(bar.get("width")) for bar in root.iter(f"{SVG}rect") if bar.get("height") == "22"]
    gaps = [20.4, 0, 10.4, 0, 100, 500.2, 400]
    assert bars == pytest.approx([max(6, 520 * gap / 500.2) for gap in gaps], abs=0.1)
    width = float(root.get("viewBox").split()[2])
    assert (
        max(
            float(bar.get("x")) + 520
            for bar in root.iter(f"{SVG}rect")
            if bar.get("height") == "22"
        )
        <= width
    )
    assert "old & wise, up: 500 best" in root.find(f"{SVG}title").text


def test_outlined():
    text = outlined(
        CROWDED,
        [(0, 1), (5,), (), (3, 7, 11)],
        ["one", "two & a half", "none", "x" * 60],
        columns=3,
    )
    root = ElementTree.fromstring(text)
    groups = root.findall(f"{SVG}g")
    plain = len(list(groups[2].iter(f"{SVG}rect")))
    assert [len(list(group.iter(f"{SVG}rect"))) - plain for group in groups] == [2, 1, 0, 3]
    width, height = (float(part) for part in root.get("viewBox").split()[2:])
    for group in groups:
        x, y = (float(part) for part in re.findall(r"[\d.]+", group.get("transform")))
        label = group.findall(f"{SVG}text")[-1]
        assert x + SIDE <= width and y + float(label.get("y")) < height
        assert 0.605 * float(label.get("font-size")) * len(label.text) <= SIDE
    with pytest.raises(ValueError):
        outlined(CROWDED, [(0,)], ["one", "two"])
