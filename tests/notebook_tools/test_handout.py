"""The notebooks for a class: without solutions, and ready for nbgrader."""

from types import SimpleNamespace

import nbformat
import pytest
import tiny_notebooks as tiny
from tiny_notebooks import code, md, notebook

from notebook_tools import handout

EXERCISE = code("def my_slide(board, action):\n    ...  # your turn", "exercise")
SOLUTION = code(
    "def solved_slide(board, action):\n    return board, -1\n\n\ncheck.slide(solved_slide)",
    "solution",
)


def test_the_handout_has_no_solutions_and_nbgraders_marks(tmp_path):
    check = code(
        "from lib2048 import check\ncheck.slide(my_slide)", "check", outputs=tiny.stream("wrong")
    )
    root = tiny.write(tmp_path, **{"01_a": notebook(md("# A"), EXERCISE, check, SOLUTION)})
    (root / "notebooks" / "glossary.md").write_text("words")
    folder = handout.make(root)
    assert sorted(file.name for file in folder.iterdir()) == [
        handout.WRITTEN,
        "01_a.ipynb",
        "README.md",
        "glossary.md",
    ]
    assert "not left out" in (folder / "README.md").read_text()
    nb = nbformat.read(folder / "01_a.ipynb", as_version=4)
    nbformat.validate(nb)
    assert len(nb.cells) == 3 and all(not cell.get("outputs") for cell in nb.cells)
    exercise, check = (cell.metadata.nbgrader for cell in nb.cells[1:])
    assert exercise == {
        "schema_version": 3,
        "grade_id": "01_a-slide",
        "grade": False,
        "locked": False,
        "solution": True,
        "task": False,
    }
    changed = {
        "grade_id": "01_a-slide-check",
        "grade": True,
        "locked": True,
        "solution": False,
        "points": 1,
    }
    assert check == exercise | changed


def test_a_handout_that_a_teacher_changed_is_not_made_anew(tmp_path):
    root = tiny.write(tmp_path, **{"01_a": notebook(md("# A"), EXERCISE)})
    folder = handout.make(root)
    assert handout.make(root) == folder, "nothing was changed"
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "01_a.ipynb").write_text("a program's own")
    (folder / "01_a.ipynb").write_text("mine")
    (folder / "lesson.md").write_text("mine as well")
    with pytest.raises(ValueError, match=r"01_a.ipynb, lesson.md in it was changed or added"):
        handout.make(root)
    assert (folder / "lesson.md").read_text() == "mine as well"
    (folder / handout.WRITTEN).unlink()
    with pytest.raises(ValueError, match=r"01_a.ipynb, README.md, lesson.md in it"):
        handout.make(root)


CREDIT = [
    ((False,), None),
    ((True,), "full"),
    ((False, False), None),
    ((True, False), 1),
    ((True, True), 2),
]


@pytest.mark.parametrize("test", ["check.slide", "compare"])
@pytest.mark.parametrize(("right", "credit"), CREDIT)
def test_graded_cells_end_as_nbgrader_counts(right, credit, test):
    """An error is no point, a number above 0 that many, no number all of them."""
    source, points = handout.graded("\n".join(f"{test}(my_{n})" for n in range(len(right))))
    assert points == len(right)
    names = {f"my_{n}": answer for n, answer in enumerate(right)} | {"compare": bool}
    names["check"] = SimpleNamespace(slide=print, passes=lambda name, answer: answer)
    *body, last = source.split("\n")
    if credit is None:
        with pytest.raises(AssertionError):
            exec(source, names)
    elif credit == "full":
        exec(source, names)
        assert last.startswith("assert")
    else:
        exec("\n".join(body), names)
        assert eval(last, names) == credit


def test_graded_cells_ask_the_real_checks(capsys):
    wrong = "def my_slide(board, action):\n    return board, 7\n\n\n"
    right = "import lib2048\n\n\ndef my_win_rate(tiles, tile):\n    return (tiles >= tile).mean()\n"
    imports = "from workbook import check\n"
    source, _ = handout.graded("check.slide(my_slide)")
    with pytest.raises(AssertionError):
        exec(imports + wrong + source, {})
    source, _ = handout.graded("check.win_rate(\n    my_win_rate\n)")
    exec(imports + right + source, {})
    assert "right in all" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (
            code("check.slide(solved_slide)", "check"),
            "it uses solved_slide, which only cells define that are left out",
        ),
        (code("print(1)", "check"), "it tests no function called my_"),
    ],
)
def test_a_handout_that_would_not_work_is_refused(cell, reason):
    with pytest.raises(ValueError, match=reason):
        handout.handout(notebook(EXERCISE, cell, SOLUTION), "01_a")
