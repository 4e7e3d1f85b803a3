"""python -m notebook_tools.folding [NAME ...]: fold away what should not be seen at once.

Folded are the sources of prose (`%%md`), which reads as its output, of cells that do nothing but
show a figure or a listing, of predictions, which hold the answers, and of solutions; and of cells
tagged `reveal`, which tell what a prediction was about, the outputs (of Markdown cells all). In
JupyterLab three dots stand in the place of what is folded.
"""

import ast
import sys
from pathlib import Path

from experiments.versions import ROOT
from notebook_tools.cells import tags_of
from notebook_tools.files import read, sources, write
from workbook.marks import is_prose

REVEAL = "reveal"
SOLUTION = "solution"
SHOWS = ("figure", "listing")


def asks(source: str) -> bool:
    """Whether a cell asks for a prediction.

    Examples
    --------
    >>> asks("predict.choice('tile', 'Which?', OPTIONS, 32, WHY)"), asks("predict = 3")
    (True, False)
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "predict"
        for function in called
    )


def only_shows(source: str) -> bool:
    """Whether a cell does nothing but show figures, tables or listings, each with its caption.

    Examples
    --------
    >>> only_shows('from workbook.curves import bands\\nfigure(bands(runs), "fig-runs", "Runs.")')
    True
    >>> only_shows('runs = train(net, 10)\\nfigure(runs, "fig-runs", "Runs.")')
    False
    """
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return False
    kinds = [_kind(statement) for statement in statements]
    return "shows" in kinds and "other" not in kinds


def _kind(statement: ast.stmt) -> str:
    """What a statement is for, in a cell that only shows something."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return "import"
    if isinstance(statement, ast.Assign):
        names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        return "caption" if names == ["caption"] else "other"
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return "other"
    called = statement.value.func
    return "shows" if isinstance(called, ast.Name) and called.id in SHOWS else "other"


def folding_of(cell) -> dict[str, bool]:
    """What of a cell is to be folded, as Jupyter's metadata say it."""
    is_told_later = REVEAL in tags_of(cell)
    is_solution = SOLUTION in tags_of(cell)
    if cell.cell_type != "code":
        return {"source_hidden": True} if is_told_later else {}
    folded = {}
    is_out_of_the_way = is_prose(cell.source) or only_shows(cell.source)
    if is_out_of_the_way or asks(cell.source) or is_solution:
        folded["source_hidden"] = True
    if is_told_later:
        folded["outputs_hidden"] = True
    return folded


def fold(nb):
    """Fold what is to be folded, and nothing else, in place; returns the notebook."""
    for cell in nb.cells:
        about = dict(cell.metadata.get("jupyter", {}))
        for name in ("source_hidden", "outputs_hidden"):
            about.pop(name, None)
        about |= folding_of(cell)
        cell.metadata.pop("jupyter", None)
        if about:
            cell.metadata["jupyter"] = about
    return nb


def fold_files(names: list[str], root: Path = ROOT) -> list[Path]:
    """Fold notebooks in their files; returns the files that changed."""
    return [path for path in sources(root, names) if write(fold(read(path)), path)]


def main() -> int:
    """Do it; returns the exit code."""
    try:
        changed = fold_files(sys.argv[1:])
    except (ValueError, OSError) as error:
        print(f"notebook_tools.folding: {error}", file=sys.stderr)
        return 1
    print(f"Folded: {', '.join(path.name for path in changed) or 'nothing was left to fold'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
