"""The notebooks are written as WRITING.md says: folded, named, and waited for."""

import ast
from collections import Counter

import nbformat
import pytest

from notebook_tools import folding
from notebook_tools.cells import code_cells
from notebook_tools.files import read, sources

SOURCES = {path.stem: read(path) for path in sources()}
MOST_LINES = 8  # of the first code cell
STAR = "from workbook.notebook import *"


def sources(name):
    return [cell.source for cell in code_cells(SOURCES[name])]


def prediction_names(source):
    """The names of the predictions that a cell asks for."""
    if not folding.asks(source):
        return []
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and ast.unparse(call.func.value) == "predict"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    ]


def test_names_of_predictions_are_read_from_calls():
    source = 'predict.choice(\n    "tile", "Which?", OPTIONS, answer=predict, why=WHY\n)'
    assert prediction_names(source) == ["tile"]
    assert prediction_names("predict.choice(name, text)") == []


@pytest.mark.parametrize("name", SOURCES)
def test_what_should_be_folded_is(name):
    nb = SOURCES[name]
    before = nbformat.writes(nb)
    folded = folding.fold(nbformat.from_dict(nb))
    assert nbformat.writes(folded) == before, f"python -m notebook_tools.folding {name[:2]}"


@pytest.mark.parametrize("name", SOURCES)
def test_predictions_have_names_of_their_own(name):
    named = Counter(asked for text in sources(name) for asked in prediction_names(text))
    assert [asked for asked, count in named.items() if count > 1] == []


@pytest.mark.parametrize("name", SOURCES)
def test_a_notebook_begins_shortly(name):
    first = sources(name)[0]
    if STAR in first:
        assert len([line for line in first.splitlines() if line]) <= MOST_LINES, first


@pytest.mark.parametrize("name", SOURCES)
def test_trainings_in_the_background_are_waited_for(name):
    text = "\n".join(sources(name))
    if "train_live(" in text or "learner(" in text:
        assert "await " in text or ".wait()" in text
