"""Pictures: well-formed, readable, the same each time."""

import io
import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.image import imread

from lib2048 import from_tiles
from lib2048.draw import (
    EDGE,
    SIDE,
    TILES,
    board_strip,
    board_svg,
    board_text,
    contrast,
    ink,
    luminance,
)
from lib2048.viewer.png import board_png

BOARD = from_tiles(
    [[2, 4, 8, 16], [256, 128, 64, 32], [512, 1024, 2048, 4096], [0, 32768, 16384, 8192]]
)
SVG = "{http://www.w3.org/2000/svg}"


def test_a_board_shows_its_tiles():
    root = ElementTree.fromstring(board_svg(BOARD))
    numbers = [text.text for text in root.iter(f"{SVG}text")]
    assert " ".join(numbers) == "2 4 8 16 256 128 64 32 512 1024 2048 4096 32768 16384 8192"
    assert root.find(f"{SVG}title").text == board_text(BOARD)
    assert board_text(BOARD, 3).endswith("empty 32768 16384 8192. Last move: left")


def test_numbers_fit_their_tiles_and_stand_out():
    for text in ElementTree.fromstring(board_svg(BOARD)).iter(f"{SVG}text"):
        assert 0.7 * float(text.get("font-size")) * len(text.text) < 100
    mixed = (
        f"#{red:02x}{green:02x}{blue:02x}"
        for red, green, blue in itertools.product(range(0, 256, 15), repeat=3)
    )
    for colour in (*TILES, *mixed):
        assert contrast(ink(colour), colour) >= 4.5, colour


def test_tiles_differ_in_grey():
    lightness = sorted(116 * luminance(colour) ** (1 / 3) - 16 for colour in TILES[1:])
    assert min(np.diff(lightness)) > 3  # CIE L*; 1 is just visible side by side
    rgb = np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in TILES[1:]])
    assert (
        min(np.diff(np.sort(rgb @ (0.299, 0.587, 0.114)))) > 5
    )  # what a grey print makes of them, 0 to 255


def test_marks():
    plain, marked = (
        board_svg(BOARD),
        board_svg(BOARD, squares=(0, 5), fill={1: "#123456"}, lastmove=(2, 15)),
    )
    assert marked.count("<rect") == plain.count("<rect") + 3
    assert "#123456" in marked and "rotate(180 " in marked
    for action in range(4):
        assert f"rotate({90 * action} {SIDE / 2:g}" in board_svg(BOARD, lastmove=action)
    tip = re.search(r"<path d=\"M\S+ (\S+) L\S+ (\S+)", marked)
    assert 0 < float(tip[2]) < float(tip[1]) < EDGE


def test_strip():
    strip = board_strip(
        [BOARD] * 5, ["a", "b < c", "", "d", "e"], [None, 0, (1, 3), 2, 3], columns=3
    )
    root = ElementTree.fromstring(strip)
    assert len(root.findall(f"{SVG}g")) == 5
    assert [group.findall(f"{SVG}text")[-1].text for group in root.iter(f"{SVG}g")] == [
        "a",
        "b < c",
        None,
        "d",
        "e",
    ]
    width, height = (float(part) for part in root.get("viewBox").split()[2:])
    for group in root.iter(f"{SVG}g"):
        x, y = (float(part) for part in re.findall(r"[\d.]+", group.get("transform")))
        card, label = group.find(f"{SVG}rect"), group.findall(f"{SVG}text")[-1]
        assert x + SIDE <= width and y + float(card.get("height")) <= height
        assert SIDE < float(label.get("y")) < float(card.get("height")) - 10
        assert contrast(card.get("fill"), label.get("fill")) >= 4.5  # whatever the page's colour is


def test_a_long_label_stays_below_its_board():
    label = ElementTree.fromstring(board_strip([0], ["100,000 games: move 12,345"])).findall(
        f".//{SVG}text"
    )[-1]
    assert 0.6 * float(label.get("font-size")) * len(label.text) < SIDE


def test_png_shows_what_the_svg_shows():
    strip = board_strip([BOARD] * 3, ["a", "b", "c"], [None, 0, (1, 14)], columns=2, size=246)
    root, png = ElementTree.fromstring(strip), board_png(strip)
    picture = imread(io.BytesIO(png))
    assert picture.shape[:2] == tuple(int(float(root.get(name))) for name in ("height", "width"))

    def colour(x, y):
        return (
            "#" + "".join(f"{round(255 * part):02x}" for part in picture[y, x, :3])
            if picture[y, x, 3]
            else None
        )

    # the corners of the first board's tiles on the left, the arrow of the second, a label, what
    # is between boards
    assert [colour(20, y) for y in (20, 76, 132, 188)] == [
        TILES[exponent] for exponent in (1, 8, 9, 0)
    ]
    assert (colour(266 + 123, 5), colour(8, 265), colour(256, 140)) == ("#10243f", TILES[1], None)
    assert board_png(strip) == png


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda: board_svg(-1), "-1"),
        (lambda: board_svg(0, lastmove=4), "4"),
        (lambda: board_svg(0, lastmove=(0, 16)), "16"),
        (lambda: board_svg(0, squares=[16]), "16"),
        (lambda: board_svg(0, fill={0: "red"}), "red"),
        (lambda: board_svg(0, fill={16: "#000000"}), "16"),
        (lambda: board_strip([]), "0 boards"),
        (lambda: board_strip([0, 0], ["a"]), "1 labels"),
    ],
)
def test_what_cannot_be_drawn(draw, says):
    with pytest.raises(ValueError, match=says):
        draw()
