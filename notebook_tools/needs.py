"""What the outputs of a notebook depend on, as a hash that is kept with them.

These are its code cells, the modules of this project that they reach through imports, byte by
byte, the stored results that they read, and the versions of Python and of what draws. While the
hash stays the same the outputs are used again, whatever happens to the prose between the code.
"""

import ast
import importlib.metadata
import platform
from collections.abc import Iterable
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from experiments import EXPERIMENTS, store
from experiments.store import file_hash, json_hash
from experiments.versions import PACKAGES, ROOT
from notebook_tools.cells import code_cells
from workbook.marks import is_prose
from workbook.prose import pieces_of

LIBRARIES = ("anywidget", "ipykernel", "ipywidgets", "matplotlib", "numba", "numpy")

# Functions of experiments that are told the name of one.
READERS = ("result", "table", "network", "stages")

# What runs and keeps results changes no output, since a result is named by what made it. So of
# experiments these alone count, and the bare `import experiments` shows the following of itself.
OF_EXPERIMENTS = {f"experiments.{name}" for name in ("asking", "museum", "networks", "pieces")}
SHOWN_BY_EXPERIMENTS = {"experiments.pieces", "experiments.asking", "workbook.table"}


def module_file(name: str) -> Path | None:
    """The file of a module of this project, None for any other module."""
    if name.split(".")[0] not in PACKAGES:
        return None
    place = ROOT.joinpath(*name.split("."))
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None


def imported(tree: ast.AST) -> set[str]:
    """The modules of this project that the import statements in a syntax tree name."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {_home(node.module, alias.name) for alias in node.names}
    return {name for name in names if module_file(name)}


def imported_by(module: str) -> set[str]:
    """The modules of this project that a module of it imports."""
    return imported(_tree(module_file(module)))


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_bytes())


def _home(module: str, name: str) -> str:
    """The module that `from module import name` takes it from: past a package that passes it on."""
    if module_file(f"{module}.{name}"):
        return f"{module}.{name}"
    file = module_file(module)
    if file is None or file.name != "__init__.py":
        return module
    for node in _tree(file).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            passed_on = {alias.asname or alias.name for alias in node.names}
            if name in passed_on:
                return _home(node.module, name)
    return module


def key(nb, scale: str) -> str:
    """The hash of what the outputs of a notebook depend on, at a scale."""
    modules = {name: file_hash(module_file(name)) for name in sorted(modules_of(nb))}
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES}
    versions["python"] = platform.python_version()
    return json_hash([code(nb), modules, _results(nb, scale), versions, scale, store.FORMAT])


def code_hash_of_all(notebooks: Iterable) -> str:
    """The hash of the code cells of some notebooks."""
    return json_hash([code(nb) for nb in notebooks])


def code(nb) -> list[str]:
    """The sources of the code cells."""
    return [cell.source for cell in code_cells(nb)]


def _trees(nb) -> list[ast.Module]:
    """The syntax trees of the code cells that are Python, magic commands taken out.

    Of prose (`%%md`) they are those of its expressions.
    """
    trees = []
    for source in code(nb):
        for text in _expressions(source) if is_prose(source) else [source]:
            try:
                trees.append(ast.parse(TransformerManager().transform_cell(text)))
            except (SyntaxError, ValueError, RecursionError):
                continue
    return trees


def _expressions(source: str) -> list[str]:
    """The expressions in a cell of prose; none where it cannot be read, which its run will tell."""
    _, _, body = source.lstrip().partition("\n")
    try:
        return [f"({piece.text}\n)" for piece in pieces_of(body) if piece.is_expression]
    except ValueError:
        return []


def experiments_of(nb) -> list[str]:
    """The experiments that a notebook reads.

    These are the names of experiments in any cell that calls one of READERS.
    """
    names = {}
    for tree in _trees(nb):
        nodes = list(ast.walk(tree))
        if any(isinstance(node, ast.Call) and _name_called(node) in READERS for node in nodes):
            texts = (node.value for node in nodes if isinstance(node, ast.Constant))
            for text in texts:
                if isinstance(text, str) and text in EXPERIMENTS:
                    names[text] = None
    return list(names)


def experiments_of_all(notebooks: Iterable) -> list[str]:
    """The experiments that some notebooks read, each once."""
    return list(dict.fromkeys(name for nb in notebooks for name in experiments_of(nb)))


def _name_called(call: ast.Call) -> str:
    """The last part of the name of what a call calls."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    if isinstance(call.func, ast.Name):
        return call.func.id
    return ""


def _results(nb, scale: str) -> dict[str, str]:
    """What says which results a notebook reads.

    The name of a result holds its parameters and its version, so it stands for its content; a
    record has one name for ever, so its content is looked at.
    """
    results = {}
    for name in experiments_of(nb):
        experiment = EXPERIMENTS[name]
        is_record = experiment.reads_record(scale)
        for piece in experiment.pieces("full" if is_record else scale):
            file = Path(f"{piece.path}.json")
            results[piece.name] = file_hash(file) if is_record and file.exists() else ""
    return results


def modules_of(nb) -> set[str]:
    """The modules of this project that a notebook reaches through imports."""
    waiting = [name for tree in _trees(nb) for name in imported(tree)]
    seen = set()
    while waiting:
        name = waiting.pop()
        is_machinery = name.startswith("experiments.") and name not in OF_EXPERIMENTS
        if name in seen or is_machinery:
            continue
        seen.add(name)
        waiting += SHOWN_BY_EXPERIMENTS if name == "experiments" else imported_by(name)
    return seen - set(PACKAGES)
