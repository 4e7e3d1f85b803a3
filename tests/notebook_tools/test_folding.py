"""What is folded away in notebooks, and how the handout takes what is folded."""

import nbformat
import pytest
from nbformat.v4 import new_notebook, new_output
from tiny_notebooks import code, md

from notebook_tools import folding, handout

TOLD = {"name": "tile", "asked": "**Predict.** Which?\n\n- 16\n- 32", "answered": "**32.**"}
PREDICTION = new_output(
    "display_data",
    {"text/markdown": f"{TOLD['asked']}\n\n<details>32</details>", "text/plain": "Which?"},
    metadata={"lib2048": {"prediction": TOLD}},
)
PROSE = new_output("display_data", {"text/markdown": "It took 3 games.", "text/plain": "It"})


def notebook():
    return new_notebook(
        cells=[
            md("# A title"),
            code('predict.choice(\n    "tile", "Which?", {}, 32, ""\n)', outputs=[PREDICTION]),
            code("%%md\nIt took {n} games.", "report", outputs=[PROSE]),
            code("n = 3", "reveal"),
            md("It is 32.", "reveal"),
            code("m = 4"),
        ]
    )


def test_sources_of_prose_and_predictions_are_folded_and_what_is_revealed():
    nb = folding.fold(notebook())
    assert [cell.metadata.get("jupyter", {}) for cell in nb.cells] == [
        {},
        {"source_hidden": True},
        {"source_hidden": True},
        {"outputs_hidden": True},
        {"source_hidden": True},
        {},
    ]
    nbformat.validate(nb)


def test_nothing_else_is_folded_and_twice_is_as_once():
    nb = folding.fold(notebook())
    before = nbformat.writes(nb)
    nb.cells[5].metadata["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
    nb.cells[0].metadata["jupyter"] = {"source_hidden": True}
    assert nbformat.writes(folding.fold(nb)) == before


@pytest.mark.parametrize(
    "source, asks",
    [
        ("largest = 3\npredict.number('n', 'How many?', 1, 9, 3, 'So.')", True),
        ("net.predict(board)", False),
        ("predict = 3", False),
        ("%%md\npredict.choice", False),
    ],
)
def test_predictions_are_known_by_their_call(source, asks):
    assert folding.asks(source) is asks


WITH_CAPTION = (
    'from workbook.curves import bands\ncaption = "Runs."\nfigure(bands(runs), "f", caption)'
)


@pytest.mark.parametrize(
    "source, shows",
    [
        ('figure(curves, "fig-curves", "Curves.")', True),
        (WITH_CAPTION, True),
        ('listing("slide", my_slide)', True),
        ('rows = [1]\nfigure(Table(rows), "tab-rows", "Rows.")', False),
        ('caption = "Runs."', False),
        ("%%md\nfigure(curves)", False),
        ("curves.figure()", False),
    ],
)
def test_what_only_shows_something_is_out_of_the_way(source, shows):
    assert folding.only_shows(source) is shows
    nb = folding.fold(new_notebook(cells=[code(source)]))
    hidden = nb.cells[0].metadata.get("jupyter", {}).get("source_hidden", False)
    assert hidden is (shows or source.startswith("%%md"))


def test_files_are_folded(tmp_path):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    file = folder / "00_start.ipynb"
    nbformat.write(notebook(), file)
    assert folding.fold_files(["00"], tmp_path) == [file]
    assert folding.fold_files([], tmp_path) == []


def test_the_handout_keeps_the_questions_and_prose_that_tells_nothing_too_early():
    nb = notebook()
    nb.cells.append(code("%%md\nSo it was {n}.", "reveal", outputs=[PROSE]))
    nb = handout.handout(nb, "00_start")
    kept = [len(cell.outputs) for cell in nb.cells if cell.cell_type == "code"]
    assert kept == [1, 1, 0, 0, 0]
