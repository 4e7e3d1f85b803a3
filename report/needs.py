"""What the outputs of a notebook depend on: its code, the project's files that it imports, experiments, versions.

The hash of all that is kept with the outputs. While it stays the same the outputs are used again, whatever happens to
the prose between the code.
"""

import ast
import hashlib
import importlib.metadata
import json
import platform
import re
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from experiments import EXPERIMENTS, store
from experiments.versions import PACKAGES, ROOT
from report.imports import imported, imported_by, module_file

HERE = Path(__file__).parents[1] / "workbook"
LIBRARIES = ("anywidget", "ipykernel", "ipywidgets", "matplotlib", "numba", "numpy")
READERS = ("result", "table", "network", "stages")  # functions of experiments that are told a name
# Of what runs experiments, only what stands below shows in what a notebook prints; the version of
# what makes their results is in the results' names.
SHOWN = {"experiments.pieces", "experiments.sweep", "experiments.table"}
SILENT = {
    f"experiments.{file.stem}"
    for name in ("asking", "catalogue*", "claims", "cluster", "entries", "local", "museum", "piece")
    for file in (ROOT / "experiments").glob(f"{name}.py")
} | {f"experiments.{name}" for name in ("progress", "runner", "store", "versions", "worker")}


def code(nb) -> list[str]:
    """The sources of the code cells."""
    return [cell.source for cell in nb.cells if cell.cell_type == "code"]


def trees(nb) -> list[ast.Module]:
    """The syntax trees of the code cells, magic commands taken out; a cell that is no Python counts as empty."""
    found = []
    for source in code(nb):
        try:
            found.append(ast.parse(TransformerManager().transform_cell(source)))
        except SyntaxError:
            found.append(ast.parse(""))
    return found


def _called(node) -> str:
    """The last part of the name of what a call calls."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def experiments_of(nb) -> list[str]:
    """The experiments that a notebook reads: every name of one in a cell that calls experiments.result and its like."""
    found = []
    for tree in trees(nb):
        nodes = list(ast.walk(tree))
        if any(isinstance(node, ast.Call) and _called(node) in READERS for node in nodes):
            texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
            found += [text for text in texts if isinstance(text, str) and text in EXPERIMENTS]
    return list(dict.fromkeys(found))


def _results(nb, scale: str) -> dict[str, str]:
    """What the results that a notebook reads are: names (which hold the code's hash), of records the contents."""
    found = {}
    for name in experiments_of(nb):
        recorded = EXPERIMENTS[name].reads_record(scale)
        for piece in EXPERIMENTS[name].pieces("full" if recorded else scale):
            file = Path(f"{piece.path}.json")
            kept = recorded and file.exists()
            found[piece.name] = hashlib.sha256(file.read_bytes()).hexdigest() if kept else ""
    return found


def modules_of(nb) -> set[str]:
    """The modules of this project that a notebook reaches through imports."""
    found = trees(nb)
    if prints_sources(nb):
        found.append(ast.parse((HERE / "listings.py").read_bytes()))
    todo = [name for tree in found for name in imported(tree)]
    seen = set()
    while todo:
        name = todo.pop()
        if name in seen or name in SILENT:
            continue
        seen.add(name)
        if name == "experiments":
            todo += SHOWN
        elif name in PACKAGES:  # the bare package: any of it
            todo += [f"{name}.{file.stem}" for file in (ROOT / name).glob("[a-z]*.py")]
        else:
            todo += imported_by(name)
    return {name for name in seen if name not in PACKAGES}


def prints_sources(nb) -> bool:
    """Whether a notebook shows code of the project, so that comments in it count as well."""
    return re.search(r"\b(listing|getsource)\b", "\n".join(code(nb))) is not None


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def key(nb, scale: str) -> str:
    """The hash of what the outputs of a notebook depend on, at a scale."""
    files = {name: _digest(module_file(name)) for name in sorted(modules_of(nb))}
    if any("workbook.cells" in source for source in code(nb)):
        files |= {name: _digest(HERE / name) for name in ("cells.py", "listings.py")}
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES}
    versions["python"] = platform.python_version()
    everything = [code(nb), files, _results(nb, scale), versions, scale, store.FORMAT]
    return hashlib.sha256(json.dumps(everything, sort_keys=True).encode()).hexdigest()
