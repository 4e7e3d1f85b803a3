"""Pictures of patterns: turned patterns, lookups and indices agree with the network."""

import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

from lib2048 import NTupleNetwork, from_tiles, symmetries
from workbook.patterns import (
    gain,
    images_svg,
    index_svg,
    lookups,
    overlap,
    patterns_svg,
    sizes_figure,
    touched_figure,
    touched_weights,
    turned,
    weights_there,
)

SVG = "{http://www.w3.org/2000/svg}"
BOARD = from_tiles([[2, 8, 0, 4], [0, 4, 16, 2], [2, 0, 32, 8], [4, 2, 64, 128]])
EQUAL = from_tiles([[4, 2, 2, 4], [2, 8, 8, 2], [2, 8, 8, 2], [4, 2, 2, 4]])
PATTERNS = ((0, 1, 4), (13, 2, 5, 6))


def boards(count=50):
    return [
        int(board) for board in np.random.default_rng(1).integers(0, 2**64, count, dtype=np.uint64)
    ]


def words(svg):
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.filterwarnings("ignore:.* are images of each other")
def test_a_turned_pattern_sees_what_the_pattern_sees_on_a_turned_board():
    for pattern in PATTERNS:
        images = turned(pattern)
        assert images[0] == pattern and len(set(images)) == 8
        net = NTupleNetwork((pattern, *images))
        for board in boards():
            on_images = [net.index(0, image) for image in symmetries(board)]
            assert on_images == [net.index(1 + i, board) for i in range(8)]


@pytest.mark.parametrize("count", [1, 8])
def test_lookups_are_those_of_the_network(count):
    net = NTupleNetwork(PATTERNS, symmetries=count)
    net.set_table_part(0, 0, np.arange(16**3) / 64)
    net.set_table_part(1, 0, np.arange(16**4) / 64)
    for board in [BOARD, EQUAL, 0, *boards()]:
        found = lookups(net, board)
        assert len(found) == net.lookups
        assert sum(net.weight(k, index) for k, index in found) == net.value(board)


@pytest.mark.parametrize("count", [1, 8])
def test_gain_is_how_far_an_update_moves(count):
    for board in [BOARD, EQUAL, 0, 0x21, *boards(10)]:
        net = NTupleNetwork("4x6", symmetries=count)
        assert net.update(board, 32.0) == pytest.approx(32 * gain(net, board), rel=1e-6)
    assert gain(NTupleNetwork("4x6"), BOARD) == 1 and gain(NTupleNetwork("4x6"), EQUAL) == 8


@pytest.mark.parametrize("count", [1, 8])
def test_overlap_is_how_far_an_update_of_another_board_moves(count):
    near, far = BOARD ^ 1, int(np.bitwise_xor(BOARD, 0x1234_5678_9ABC_DEF0))
    for board, updated in [(BOARD, near), (near, BOARD), (EQUAL, 0), (0, 0x21), (BOARD, far)]:
        net = NTupleNetwork("4x6", symmetries=count)
        net.update(updated, 32.0)
        assert net.value(board) == pytest.approx(32 * overlap(net, board, updated), rel=1e-6)
    assert overlap(net, BOARD, near) > 0 == overlap(net, BOARD, far)


def test_an_index_is_made_up_digit_by_digit():
    said = words(index_svg(BOARD, (0, 1, 4, 5)))
    assert "0 0 2 1 1 1  1 1 8 3 16 48  2 4 empty 0 256 0  3 5 4 2 4,096 8,192".replace(
        "  ", " "
    ) in " ".join(said)
    assert said[-2:] == ["index = 8,241", "in hexadecimal 0x2031, the last digit is cell 0’s"]
    net = NTupleNetwork(((9, 8, 2, 15, 6),))
    for board in boards(5):
        assert f"index = {net.index(0, board):,}" in words(index_svg(board, net.patterns[0]))


def test_both_views_find_the_same_indices():
    net = NTupleNetwork(((0, 1, 4, 5),))
    expected = [
        f"image {i}: {net.index(0, image):#06x}" for i, image in enumerate(symmetries(BOARD))
    ]
    found = [line for line in words(images_svg(BOARD, net.patterns[0])) if line.startswith("image")]
    assert found == expected * 2


def test_patterns_are_drawn_with_their_cells():
    svg = patterns_svg("8x6")
    said = words(svg)
    assert [line for line in said if ":" in line][0] == "0: 0 1 2 4 5 6"
    assert Counter(said)["15"] == 8 and len(ElementTree.fromstring(svg).findall(f"{SVG}g")) == 8
    title = ElementTree.fromstring(svg).find(f"{SVG}title").text
    assert "pattern 7: cells 0 1 4 8 9 10" in title


@pytest.mark.parametrize("init", [0.0, 100.0])
def test_touched_weights_are_counted(init):
    net, touched = NTupleNetwork(PATTERNS, init=init), set()
    assert not touched_weights(net).any()
    for board in [BOARD, EQUAL, *boards(20)]:
        net.update(board, 8.0)
        touched |= set(lookups(net, board))
    expected = np.zeros((2, 16), int)
    for k, index in touched:
        expected[k, max(index >> 4 * j & 15 for j in range(len(PATTERNS[k])))] += 1
    assert (touched_weights(net) == expected).all()


def test_all_weights_are_there():
    there = weights_there(NTupleNetwork(PATTERNS))
    assert there.sum(axis=1).tolist() == [16**3, 16**4]
    assert there[0, :3].tolist() == [1, 7, 19]


def test_the_figure_says_how_many_were_touched():
    net = NTupleNetwork(PATTERNS)
    net.update(0, 1.0)
    net.games = 1234
    figure = touched_figure(net)
    assert "1,234 games" in figure.alt and "empty: 2 of 2; 2: 0 of 22" in figure.alt
    assert [bar.get_height() for bar in figure.axes[0].containers[1]] == touched_weights(net).sum(
        axis=0
    ).tolist()
    ElementTree.fromstring(figure.svg())


@pytest.mark.parametrize(
    "draw", [lambda p: turned(p), lambda p: index_svg(BOARD, p), lambda p: images_svg(BOARD, p)]
)
@pytest.mark.parametrize(
    ("pattern", "says"), [((0, 16), "16"), ((1, 1), "distinct"), ((), "1 to 8"), (3, "pattern")]
)
def test_what_is_no_pattern(draw, pattern, says):
    with pytest.raises(ValueError, match=says):
        draw(pattern)


def test_other_bad_input():
    with pytest.raises(ValueError, match="-1"):
        index_svg(-1, (0, 1))
    with pytest.raises(ValueError, match="NTupleNetwork"):
        lookups(None, 0)
    with pytest.raises(ValueError, match=re.escape("'9x9'")):
        patterns_svg("9x9")


def test_sizes_are_said_in_units_that_fit():
    picture = sizes_figure({"a few": 40, "four tables": 2**28, "all": 4 * 16**16})
    assert picture.alt.endswith("a few: 40 bytes; four tables: 268 MB; all: 73.8 million TB")
    assert "four tables" in picture.svg()
