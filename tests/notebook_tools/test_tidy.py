"""What is cleaned of what a notebook showed: widgets, progress bars, places on this machine."""

import tiny_notebooks as tiny
from nbformat.v4 import new_output
from tiny_notebooks import code, md, notebook, stream

from notebook_tools import tidy
from workbook.marks import MARK


def test_widgets_leave_a_picture_or_a_line():
    view = {tidy.VIEW: {"model_id": "top"}, "text/plain": "VBox(children=())"}
    svg = view | {"image/svg+xml": "<svg/>"}
    outputs = [new_output("display_data", view), new_output("display_data", svg)]
    nb = tidy.tidy(notebook(code("x", outputs=outputs)))
    line, picture = nb.cells[0].outputs
    assert line.data == {"text/plain": tidy.WIDGET} and line.metadata == {MARK: {"widget": True}}
    assert "image/svg+xml" in picture.data and tidy.VIEW not in picture.data


def test_a_widget_whose_picture_is_the_next_output_goes():
    view = {tidy.VIEW: {"model_id": "top"}, "text/plain": "a game"}
    follows = {MARK: {"picture follows": True}}
    outputs = [
        new_output("display_data", view, metadata=follows),
        new_output("display_data", {"image/svg+xml": "<svg/>"}),
    ]
    nb = tidy.tidy(notebook(code("x", outputs=outputs)))
    (picture,) = nb.cells[0].outputs
    assert "image/svg+xml" in picture.data


def test_streams_are_joined_and_bars_go():
    bar = stream("10%|#  | 1/10\r20%|## |\n", "stderr")
    outputs = stream("a\n") + bar + stream("b\rc\n") + stream("warning", "stderr")
    nb = tidy.tidy(notebook(code("x", outputs=outputs)))
    kept = [(output.name, output.text) for output in nb.cells[0].outputs]
    assert kept == [("stdout", "a\nc\n"), ("stderr", "warning")]


def test_machine_paths_are_found():
    home = "/".join(["", "home", "me", "x"])  # so that it does not stand here
    outputs = stream(f"see {home} and https://a.org{home}") + tiny.data(
        text_html="<a>C:\\Users\\me</a>"
    )
    places = tidy.machine_paths(notebook(md(home), code(home, outputs=outputs)))
    assert places == [f"cell 2: {home}", "cell 2: C:\\Users\\me"]
