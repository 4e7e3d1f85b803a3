"""Figures are lettered as the report is, as text, and come with a PNG picture."""

import base64
import io
import re

from PIL import Image
from tiny_notebooks import SVG, code, data, notebook

from notebook_tools.tidy import add_dots, empty_first_lines
from workbook import lettering
from workbook.axes import PAGE, Picture, look


def drawn(label: str) -> Picture:
    picture = Picture(figsize=(PAGE, 2))
    picture.alt = "a line"
    axes = picture.subplots()
    axes.plot([-1, 2], label=label, **look(0))
    axes.set_title(label)
    return picture


def test_a_figure_is_lettered_in_the_face_of_the_text_and_in_chinese(caplog):
    svg = drawn("平均分數 ≥ 2048 ✓").svg()
    assert "平均分數 ≥ 2048 ✓</text>" in svg and "−1" in svg
    families = set(re.findall(r"font-family: ([^;]*);", svg))
    assert families == {f"'{lettering.BODY_FAMILY}', {lettering.IN_BROWSERS}"}
    assert not caplog.records  # matplotlib complains of letters and fonts that it lacks
    assert svg == drawn("平均分數 ≥ 2048 ✓").svg()


def test_a_figure_has_the_signs_of_print():
    svg = drawn("lambda 0.5, V(s') < 95%").svg()
    assert "λ 0.5, V(s′) &lt; 95\u00a0%</text>" in svg


def test_a_figure_comes_with_its_picture_in_dots():
    shown, about = drawn("x")._repr_mimebundle_()
    assert shown["text/plain"] == "a line" and shown["image/svg+xml"].endswith("</svg>\n")
    content = base64.b64decode(shown["image/png"])
    assert len(content) < 40_000
    picture = Image.open(io.BytesIO(content)).convert("L")
    width = about["image/png"]["width"]
    assert width == PAGE * 96 and picture.width == width * lettering.DOTS_PER_PIXEL
    dark, light = picture.getextrema()
    assert dark < 60 and light == 255


def test_chinese_is_drawn_in_dots():
    empty, full = (lettering.png(SVG.format(alt="a", text=text)) for text in ("", "盤面"))
    assert empty != full


def test_pictures_of_a_notebook_get_dots_where_they_can():
    good = SVG.format(alt="a", text="b")
    nb = notebook(*(code("f()", outputs=data(**{"image_svg+xml": svg})) for svg in (good, "<g/>")))
    first, second = (cell.outputs[0] for cell in add_dots(nb).cells)
    assert set(first.data) == {"image/svg+xml", "image/png"}
    assert first.metadata == {"image/png": {"width": 200}}
    assert set(second.data) == {"image/svg+xml"} and second.metadata == {}


def test_what_is_folded_tells_nothing_in_its_first_line():
    svg = '<?xml version="1.0"?>\n<!DOCTYPE svg>\n' + SVG.format(alt="a", text="the answer")
    given = {"image_svg+xml": svg, "text_markdown": "The answer", "text_plain": "an object"}
    nb = notebook(code("f()", outputs=data(**given)), code("f()", outputs=data(**given)))
    nb.cells[0].metadata["jupyter"] = {"outputs_hidden": True}
    folded, open_one = (cell.outputs[0].data for cell in empty_first_lines(nb).cells)
    assert folded["image/svg+xml"].startswith("\n<svg")
    assert folded["text/markdown"] == "\nThe answer" and folded["text/plain"] == "an object"
    assert open_one["image/svg+xml"] == svg and open_one["text/markdown"] == "The answer"
    assert lettering.dots(folded["image/svg+xml"]) == lettering.dots(svg)
