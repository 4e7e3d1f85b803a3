"""python -m notebook_tools.handout: the notebooks for a class, into handout/.

They have no solutions and no cells that give an exercise away, and of outputs only prose and the
questions of predictions, whose answers are folded; and they are ready for nbgrader. What nbgrader
makes of a cell that is graded (nbgrader.utils.determine_grade): an error is no point; a number
above 0 as its value is that many points; anything else, 0 and False included, is all points. Our
checks only show, so each graded cell gets lines that turn the answers into this.
"""

import ast
import hashlib
import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat

from experiments.versions import ROOT
from notebook_tools.cells import code_cells, mark_of, tags_of
from notebook_tools.files import read, sources, write
from notebook_tools.folding import REVEAL
from workbook.marks import is_prose
from workbook.prose import pieces_of

LEFT_OUT = {"solution", "gives-away"}
"""Tags of cells that are not handed out."""

INNER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

README = Path(__file__).with_name("handout.md")
WRITTEN = ".written.json"  # hashes of what was written into the folder


def tests(source: str, prefix: str = "my_") -> list[ast.Expr]:
    """The tests of a check cell: the calls in it that are told a function `my_...` first."""
    return [node for node in ast.parse(source).body if _is_test(node, prefix)]


def _is_test(node: ast.stmt, prefix: str) -> bool:
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if not is_call or not node.value.args:
        return False
    first = node.value.args[0]
    return isinstance(first, ast.Name) and first.id.startswith(prefix)


def graded(source: str) -> tuple[str, int]:
    """Make a check cell into one that nbgrader counts: (its source, a point for each test in it).

    ValueError if the cell tests nothing.
    """
    nodes = tests(source)
    if not nodes:
        raise ValueError("it tests no function called my_...")
    lines = source.split("\n")
    for node in reversed(nodes):
        first = node.lineno - 1
        lines[first : node.end_lineno] = _counted(node, lines[first : node.end_lineno])
    lines.insert(0, "passed = []")
    lines.append("assert any(passed)")
    if len(nodes) > 1:
        lines.append("sum(passed)  # points")
    return "\n".join(lines), len(nodes)


def _counted(test: ast.Expr, lines: list[str]) -> list[str]:
    """The lines of a test, with what keeps its answer.

    `check.slide(my_slide)` only prints, so `check.passes` is asked as well; a test that a notebook
    has defined itself returns its answer.
    """
    function = test.value.func
    if isinstance(function, ast.Attribute):
        asked = ast.unparse(test.value.args[0])
        question = f'{ast.unparse(function.value)}.passes("{function.attr}", {asked})'
        return [*lines, f"passed.append({question})"]
    if len(lines) == 1:
        return [f"passed.append({lines[0]})"]
    return ["passed.append(", *(f"    {line}" for line in lines), ")"]


def handout(nb, name: str):
    """Make a notebook into one for a class, in place; returns it.

    ValueError if it would not work without the cells that are left out.
    """
    kept = [cell for cell in nb.cells if not LEFT_OUT & set(tags_of(cell))]
    missing = _defined_in(cell for cell in nb.cells if LEFT_OUT & set(tags_of(cell)))
    missing -= _defined_in(kept)
    nb.cells = kept
    exercise = ""
    for cell in code_cells(nb):
        try:
            exercise = _hand_out_cell(cell, name, exercise, missing)
        except (ValueError, SyntaxError) as error:
            start = cell.source.split("\n")[0]
            raise ValueError(
                f"{name}.ipynb, the cell that begins with {start!r}: {error}"
            ) from None
    nbformat.validate(nb)
    return nb


def _hand_out_cell(cell, name: str, exercise: str, missing: set[str]) -> str:
    """Make a code cell into one for a class; returns the exercise that it belongs to.

    `missing` are the names that only cells define which are left out.
    """
    cell.outputs = [output for output in cell.outputs if _is_handed_out(cell, output)]
    cell.execution_count = None
    used = missing & _used_names(cell.source)
    if used:
        names = ", ".join(sorted(used))
        raise ValueError(f"it uses {names}, which only cells define that are left out")
    if "exercise" in tags_of(cell):
        functions = "-".join(sorted(defined_functions(cell.source)))
        exercise = f"{name}-{functions}".replace("my_", "")
        cell.metadata["nbgrader"] = _nbgrader_metadata(exercise, solution=True)
    elif "check" in tags_of(cell):
        cell.source, points = graded(cell.source)
        about = _nbgrader_metadata(f"{exercise}-check", grade=True, locked=True, points=points)
        cell.metadata["nbgrader"] = about
    return exercise


def _is_handed_out(cell, output) -> bool:
    """Whether an output stays: prose that tells nothing too early, and questions of predictions."""
    is_plain_prose = is_prose(cell.source) and REVEAL not in tags_of(cell)
    return is_plain_prose or "prediction" in mark_of(output)


def _nbgrader_metadata(grade_id: str, **fields) -> dict:
    nothing = {"grade": False, "locked": False, "solution": False, "task": False}
    return {"schema_version": 3, "grade_id": grade_id, **nothing, **fields}


def defined_functions(source: str) -> set[str]:
    """The functions that a cell defines."""
    return {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}


def _defined_in(cells: Iterable) -> set[str]:
    """The names that cells of code define: functions, classes, variables, what is imported."""
    return {name for cell in cells if cell.cell_type == "code" for name in _defined(cell.source)}


def _defined(source: str) -> set[str]:
    """The names that a cell defines; none where it is not plain Python."""
    names = set()
    to_visit: list[ast.AST] = [_tree(source)]
    while to_visit:
        node = to_visit.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif not isinstance(node, INNER):  # what has names of its own
            to_visit += ast.iter_child_nodes(node)
    return names


def _used_names(source: str) -> set[str]:
    """The names that a cell reads, in code or in the expressions of prose."""
    if is_prose(source):
        pieces = [piece.text for piece in pieces_of(source) if piece.is_expression]
        return {name for piece in pieces for name in _used_names(piece)}
    names = [node for node in ast.walk(_tree(source)) if isinstance(node, ast.Name)]
    return {node.id for node in names if isinstance(node.ctx, ast.Load)}


def _tree(source: str) -> ast.Module:
    """A source as Python reads it; nothing where it is not plain Python."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.Module([], [])


def make(root: Path = ROOT) -> Path:
    """Write the handout of all notebooks into handout/, made anew. Returns the folder.

    ValueError if a notebook would not work without what is left out, or if handout/ holds what
    somebody changed or added since it was written.
    """
    handouts = {path.name: handout(read(path), path.stem) for path in sources(root)}
    folder = root / "handout"
    own = _not_written_here(folder)
    if own:
        raise ValueError(
            f"{folder.name}/ would be made anew, and {', '.join(own)} in it was changed or added "
            "since it was written: move it away, or delete the folder"
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, nb in handouts.items():
        write(nb, folder / name)
    for path in (root / "notebooks").glob("*.md"):
        shutil.copy(path, folder)
    shutil.copy(README, folder / "README.md")
    (folder / WRITTEN).write_text(json.dumps(_hashes(folder)))
    return folder


def _hashes(folder: Path) -> dict[str, str]:
    """All files in a folder, with hashes of them. Hidden ones are those of programs."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.parts[-2:])
    }


def _not_written_here(folder: Path) -> list[str]:
    """The files of an earlier handout that are not as they were written."""
    try:
        written = json.loads((folder / WRITTEN).read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        written = {}
    return [name for name, hashed in _hashes(folder).items() if written.get(name) != hashed]


def main() -> int:
    """Do it; returns the exit code."""
    try:
        folder = make()
    except (ValueError, OSError) as error:
        print(f"notebook_tools.handout: {error}", file=sys.stderr)
        return 1
    count = len(list(folder.glob("*.ipynb")))
    print(f"Wrote {count} notebooks into {folder.name}/.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
