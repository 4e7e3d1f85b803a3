"""python -m report.handout: the notebooks for a class, into handout/ - no solutions, no outputs, ready for nbgrader.

What nbgrader makes of a cell that is graded (nbgrader.utils.determine_grade): an error is no point; a number above 0
as its value is that many points; anything else, 0 and False included, is all points. Our checks never raise, so each
graded cell gets two lines that turn their answers into this.
"""

import ast
import shutil
import sys
from pathlib import Path

import nbformat

from report import ROOT
from report.files import read, sources, write

README = Path(__file__).with_name("handout.md")


def tests(source: str, prefix: str = "my_") -> list[ast.Expr]:
    """The tests of a check cell: the calls in it that are told a function `my_...` first."""
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
            first = node.value.args[0]
            if isinstance(first, ast.Name) and first.id.startswith(prefix):
                found.append(node)
    return found


def graded(source: str) -> tuple[str, int]:
    """(source, points) of a check cell: each test in it is worth a point."""
    found, lines = tests(source), source.split("\n")
    if not found:
        raise ValueError("it tests no function called my_...")
    for node in reversed(found):
        part = lines[node.lineno - 1 : node.end_lineno]
        lines[node.lineno - 1 : node.end_lineno] = [
            "passed += [",
            *(f"    {line}" for line in part),
            "]",
        ]
        if len(part) == 1:
            lines[node.lineno - 1 : node.lineno + 2] = [f"passed += [{part[0]}]"]
    end = ["assert any(passed)"] + (["sum(passed)  # points"] if len(found) > 1 else [])
    return "\n".join(["passed = []", *lines, *end]), len(found)


def handout(nb, name: str):
    """A notebook as a class gets it. Raises ValueError where it would not work without its solutions."""
    defined = {
        made for cell in nb.cells if "solution" in _tags(cell) for made in _defined(cell.source)
    }
    nb.cells = [cell for cell in nb.cells if "solution" not in _tags(cell)]
    exercise = ""
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = [], None
        try:
            if used := defined & _used(cell.source):
                raise ValueError(
                    f"it uses {', '.join(sorted(used))}, which only the solution defines"
                )
            if "exercise" in _tags(cell):
                exercise = f"{name}-{'-'.join(sorted(_defined(cell.source)))}".replace("my_", "")
                cell.metadata["nbgrader"] = _about(exercise, solution=True)
            elif "check" in _tags(cell):
                cell.source, points = graded(cell.source)
                cell.metadata["nbgrader"] = _about(
                    f"{exercise}-check", grade=True, locked=True, points=points
                )
        except (ValueError, SyntaxError) as error:
            start = cell.source.split("\n")[0]
            raise ValueError(
                f"{name}.ipynb, the cell that begins with {start!r}: {error}"
            ) from None
    nbformat.validate(nb)
    return nb


def _tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def _about(grade_id: str, **fields) -> dict:
    nothing = {"grade": False, "locked": False, "solution": False, "task": False}
    return {"schema_version": 3, "grade_id": grade_id, **nothing, **fields}


def _defined(source: str) -> set[str]:
    """The functions that a cell defines."""
    return {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}


def _used(source: str) -> set[str]:
    """The names in a cell; none where it is not plain Python."""
    try:
        return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    except SyntaxError:
        return set()


def make(root: Path = ROOT) -> Path:
    """Write the handout of all notebooks into handout/, made anew. Returns the folder."""
    made = {path.name: handout(read(path), path.stem) for path in sources(root)}
    folder = root / "handout"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, nb in made.items():
        write(nb, folder / name)
    for path in (root / "notebooks").glob("*.md"):
        shutil.copy(path, folder)
    shutil.copy(README, folder / "README.md")
    return folder


def main() -> int:
    """Do it; returns the exit code."""
    try:
        folder = make()
    except (ValueError, OSError) as error:
        print(f"report.handout: {error}", file=sys.stderr)
        return 1
    print(f"Wrote {len(list(folder.glob('*.ipynb')))} notebooks into {folder.name}/.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
