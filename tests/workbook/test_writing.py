"""A small notebook written in the manner of WRITING.md, run on a kernel and kept."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from notebook_tools import folding
from notebook_tools.execute import NotebookFailed, Run
from notebook_tools.tidy import tidy
from report.document import read_outputs

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
CELLS = (
    "from lib2048 import NTupleNetwork\nfrom workbook.notebook import *\n"
    "SIZES = sizes(games=(200, 300))",
    "ready()",
    "net = NTupleNetwork(((0, 1, 2), (4, 5, 6)))\n"
    "live = train_live(net, SIZES.games, seed=1)\nlive",
    "log = await live",
    "predict.number(\n"
    '    "lookups", "How many lookups, $n$?", 1, 100, net.lookups, "Two patterns."\n)',
    "%%md\nAfter {SIZES.games} games it scores {points(log.means[-1])}: $V(s_{t+1})$.",
    "live.view.points[-1][0], len(log.scores)",
)


def notebook(*cells):
    return new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=KERNEL)


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    nb = folding.fold(notebook(*CELLS))
    Run("written", nb).execute(tmp_path_factory.mktemp("written"), "small")
    return tidy(nb)


@pytest.mark.slow
def test_it_runs_and_shows_what_it_should(executed):
    shown = [list(read_outputs(cell)) for cell in executed.cells]
    kinds = [[piece.kind for piece in of_cell] for of_cell in shown]
    assert kinds == [
        [],  # how things look, which no reader of the report sees
        ["markdown"],
        ["picture"],
        [],
        ["markdown"],
        ["markdown"],
        ["printed"],
    ]
    assert "Everything is ready" in shown[1][0].text
    assert "A training: 200" in shown[2][0].alt, "its picture is that of the end"
    assert shown[4][0].text.startswith("**Predict.** How many lookups, $n$?")
    assert "16" not in shown[4][0].text, "the answer"
    assert "After 200 games it scores" in shown[5][0].text
    assert "$V(s_{t+1})$" in shown[5][0].text
    assert shown[6][0].text == "(200, 200)"


@pytest.mark.slow
def test_a_page_made_of_it_folds_the_answer(executed, tmp_path):
    file = tmp_path / "written.ipynb"
    nbformat.write(executed, file)
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "html", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    page = (tmp_path / "written.html").read_text(encoding="utf-8")
    asked, _, folded = page.partition("<summary>Answer</summary>")
    assert "Two patterns." in folded.partition("</details>")[0]
    assert "Predict." in asked


@pytest.mark.slow
def test_a_sentence_that_cannot_be_said_fails_the_run(tmp_path):
    nb = notebook("from workbook.notebook import *", "%%md\nIt scores {points(float('nan'))}.")
    nb.cells.insert(0, new_markdown_cell("# Title"))
    with pytest.raises(NotebookFailed, match=r"cell 3: ProseError: \{points\(float\('nan'\)\)\}"):
        Run("written", nb).execute(tmp_path, "small")
