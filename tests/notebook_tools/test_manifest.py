"""The committed notebooks are executed, unchanged since, and what the committed report says."""

import json

import pytest
import tiny_notebooks as tiny
from tiny_notebooks import code, md, notebook

from notebook_tools import manifest
from notebook_tools.files import read, sources, write


def test_of_this_checkout():
    assert manifest.problems() == []


@pytest.fixture
def root(tmp_path):
    """A checkout in which all agrees."""
    first = notebook(md("# A"), code("x = 1"), code("x", outputs=tiny.stream("1"), count=2))
    second = notebook(md("# B"), code("y = 1", "report"))
    tiny.write(tmp_path, **{"01_a": first, "02_b": second})
    (tmp_path / "report").mkdir()
    manifest.note_executed(sources(tmp_path), tmp_path)
    for report in manifest.REPORTS:
        (tmp_path / report).write_bytes(b"a report")
        manifest.note_report(sources(tmp_path), tmp_path, tmp_path / report)
    assert manifest.problems(tmp_path) == []
    return tmp_path


def change(root, edit, name="01_a.ipynb"):
    """Edit a notebook in its file; returns what is wrong then."""
    path = root / "notebooks" / name
    nb = read(path)
    edit(nb)
    write(nb, path)
    return manifest.problems(root)


def edit_code(nb):
    nb.cells[1].source = "x = 2"


def edit_output(nb):
    nb.cells[2].outputs[0].text = "2"


def edit_prose(nb):
    nb.cells[0].source = "# Other words"


def edit_tags(nb):
    nb.cells[2].metadata.tags = ["report"]


def take_out_a_cell(nb):
    del nb.cells[1]


CHANGED = "01_a.ipynb: changed since it was executed (make notebooks)"
NOT_PRINTED = [
    "01_a.ipynb: not what report/report.pdf was made of (make report)",
    "01_a.ipynb: not what report/report-long.pdf was made of (make report EDITION=long)",
]


@pytest.mark.parametrize(
    ("edit", "problems"),
    [
        (edit_code, [CHANGED, *NOT_PRINTED]),
        (edit_output, [CHANGED, *NOT_PRINTED]),
        (edit_prose, NOT_PRINTED),
        (edit_tags, NOT_PRINTED),
        (take_out_a_cell, ["01_a.ipynb: cell 2 has run as number 2, not 1", CHANGED, *NOT_PRINTED]),
    ],
)
def test_what_was_changed_by_hand_is_told(root, edit, problems):
    assert change(root, edit) == problems


def test_cells_that_were_not_run_or_failed_are_told(root):
    def clear(nb):
        nb.cells[2].outputs = []
        nb.cells[2].execution_count = None

    def fail(nb):
        error = tiny.new_output("error", ename="E", evalue="v", traceback=[])
        nb.cells[1].outputs = [error]

    assert "01_a.ipynb: cell 3 has not been run" in change(root, clear)
    assert "02_b.ipynb: cell 2 failed" in change(root, fail, "02_b.ipynb")
    expected = change(
        root, lambda nb: nb.cells[1].metadata.tags.append("raises-exception"), "02_b.ipynb"
    )
    assert "02_b.ipynb: cell 2 failed" not in expected


def test_a_report_that_was_changed_or_is_gone_is_told(root):
    report = root / "report" / "report.pdf"
    report.write_bytes(b"another")
    assert manifest.problems(root) == ["report/report.pdf: changed since it was made (make report)"]
    report.unlink()
    assert manifest.problems(root) == ["report/report.pdf: not there (make report)"]
    (root / "report" / "report-long.pdf").unlink()
    assert (
        manifest.problems(root)[1] == "report/report-long.pdf: not there (make report EDITION=long)"
    )


def test_executing_one_notebook_notes_that_one_and_forgets_what_is_gone(root):
    change(root, edit_code)
    change(root, lambda nb: nb.cells.append(md("more")), "02_b.ipynb")
    (root / "notebooks" / "03_c.ipynb").write_bytes(
        (root / "notebooks" / "02_b.ipynb").read_bytes()
    )
    manifest.note_executed([root / "notebooks" / "03_c.ipynb"], root)
    assert CHANGED in manifest.problems(root)
    manifest.note_executed([root / "notebooks" / "01_a.ipynb"], root)
    assert CHANGED not in manifest.problems(root)
    (root / "notebooks" / "03_c.ipynb").unlink()
    manifest.note_executed([], root)
    noted = json.loads((root / manifest.MANIFEST).read_text())["notebooks"]
    assert list(noted) == ["01_a.ipynb", "02_b.ipynb"]


@pytest.mark.parametrize("content", ["<<<<<<< HEAD", "[5]", "5"])
def test_a_damaged_manifest_says_what_to_do(root, content):
    (root / manifest.MANIFEST).write_text(content)
    with pytest.raises(ValueError, match="manifest.json cannot be read: .*; delete it"):
        manifest.problems(root)


def test_a_checkout_without_a_manifest_has_all_to_do(root):
    (root / manifest.MANIFEST).unlink()
    assert len(manifest.problems(root)) == 4
