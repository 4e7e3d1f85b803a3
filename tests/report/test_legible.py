"""Letters in figures can be read in print: in the face of the text, never under 6 points."""

import re

import pytest

from lib2048 import NTupleNetwork, play
from notebook_tools.cells import mark_of
from notebook_tools.files import read, sources
from report.document import read_output
from report.pdf import HIGHEST_PICTURE, WIDEST_PICTURE, lettered
from report.pictures import (
    SMALLEST,
    Picture,
    letters_in,
    printed_scale,
    read_svg,
    smallest_letters,
    without_heading,
)
from workbook.diagrams import action_selection
from workbook.lettering import in_body_face

TENTH = 0.05  # points, for what is rounded

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="400" viewBox="0 0 400 800">'
    '<g transform="translate(5 5) scale(0.5)"><text x="9" y="9" font-size="40">12</text></g>'
    '<text font-size="50">s<tspan font-size="25">t</tspan></text>'
    '<svg width="100" viewBox="0 0 50 50"><text font-size="9">9</text></svg>'
    "<text style=\"font: 32px 'A', serif\">m</text></svg>"
)


def test_letters_are_measured_wherever_they_stand():
    points = [(round(size, 6), text) for size, text in letters_in(DRAWING)]
    assert points == [(7.5, "12"), (18.75, "s"), (9.375, "t"), (6.75, "9"), (12.0, "m")]
    assert smallest_letters(DRAWING) == pytest.approx(6.75)
    assert smallest_letters('<svg xmlns="http://www.w3.org/2000/svg" width="2"/>') is None


def test_a_picture_is_higher_rather_than_too_small_to_read():
    picture = read_svg(DRAWING)  # 150 by 300 points
    assert printed_scale(picture, 450, 300) == 1
    assert printed_scale(picture, 450, 100) == pytest.approx(SMALLEST / 6.75)
    assert printed_scale(picture, 75, 100) == pytest.approx(0.5)  # the width is what there is
    assert printed_scale(Picture("png", b"", (150, 300)), 450, 100) == pytest.approx(1 / 3)


def test_numbers_on_tiles_grow_where_their_face_is_narrow():
    tile = (
        '<text x="78" y="89.06" font-size="30.71" font-weight="bold" font-family="Arial">{}</text>'
    )
    larger = in_body_face(tile.format(1024))
    assert float(re.search('font-size="(.*?)"', larger)[1]) == pytest.approx(40.57)
    assert float(re.search(' y="(.*?)"', larger)[1]) == pytest.approx(92.6, abs=0.1)
    for other in (tile.format("0x10"), tile.format(99), tile.format(256)):
        assert 'font-size="30.71"' in in_body_face(other)


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem[:2])
def test_figures_of_the_notebooks(path):
    for number, cell in enumerate(read(path).cells, 1):
        for output in cell.get("outputs", []):
            if not str(mark_of(output).get("label", "")).startswith("fig-"):
                continue
            picture = lettered(read_output(output).picture)
            families = set(re.findall(r'font-family="([^"]*)"', picture.content.decode()))
            assert families <= {"Libertinus Serif"}, f"cell {number}: {families}"
            smallest = smallest_letters(picture.content.decode())
            if smallest is not None:
                points = smallest * printed_scale(picture, WIDEST_PICTURE, HIGHEST_PICTURE)
                assert points > SMALLEST - TENTH, f"cell {number}: {mark_of(output)['label']}"


def test_a_drawing_loses_the_heading_that_its_title_says_too():
    """As the caption below it says the same once more."""
    net = NTupleNetwork(((0, 1),))
    picture = read_svg(action_selection(net, play(net, seed=1), 0))
    shown = without_heading(picture)
    heading = "Action selection of V(afterstate), t = 0"
    assert picture.content.decode().count(heading) == 2
    assert shown.content.decode().count(heading) == 1
    assert shown.size[0] == picture.size[0] and shown.size[1] < picture.size[1]
    assert read_svg(shown.content.decode()).size == pytest.approx(shown.size)
    assert without_heading(shown) == shown
