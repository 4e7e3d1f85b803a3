"""Sizes that keep the project readable: files, the package, kernels and their arguments, docstrings."""

import ast
import subprocess
from pathlib import Path

import pytest

import lib2048

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(lib2048.__file__).parent
FILE, LIBRARY, KERNEL, ARGUMENTS = 250, 2400, 40, 7
BUILDERS = ("kernel", "formula", "njit")


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def sources():
    """The Python files of the project: those that git tracks or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def decorator(node):
    """The name a decorator goes by, called or not."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def functions(path):
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)]


def kernels(folder):
    """(file, function) of everything numba compiles in a package."""
    found = [(path, node) for path in sorted(folder.glob("*.py")) for node in functions(path)]
    return [(path, node) for path, node in found if {decorator(d) for d in node.decorator_list} & set(BUILDERS)]


def test_python_files_are_short():
    paths = sources()
    assert len(paths) > 20 and PACKAGE / "td.py" in paths
    assert {str(path.relative_to(ROOT)): lines(path) for path in paths if lines(path) > FILE} == {}


def test_the_library_is_short():
    """What one reads to know how learning works; files, pictures, the viewer and the self-checks stand beside it."""
    files, checks = {"store.py", "files.py", "foreign.py", "episodes.py"}, {"check.py", "trial.py"}
    pictures = {"draw.py", "sheet.py", "diagrams.py", "patterns.py", "curves.py", "comparison.py", "strength.py"}
    beside = files | checks | pictures | {"viewer.py", "png.py"}
    counts = {path.name: lines(path) for path in PACKAGE.glob("*.py") if path.name not in beside}
    assert len(counts) >= 10 and sum(counts.values()) <= LIBRARY, counts


def test_kernels_are_short_and_take_few_arguments():
    found = kernels(PACKAGE)
    assert len(found) > 30
    for path, node in found:
        where = f"{path.name}: {node.name}"
        assert node.end_lineno - node.lineno + 1 <= KERNEL, where
        assert len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs) <= ARGUMENTS, where


def test_kernels_are_private_and_say_what_they_do():
    for path, node in kernels(PACKAGE):
        assert node.name.startswith("_") and ast.get_docstring(node), f"{path.name}: {node.name}"


def test_what_is_public_says_what_it_does():
    """Modules, their functions and classes, and the methods of these."""
    for path in PACKAGE.glob("*.py"):
        module = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(module), path.name
        classes = [node for node in module.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        for node in [*module.body, *(inner for outer in classes for inner in outer.body)]:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{path.name}: {node.name}"


def test_the_public_names_are_there():
    surface = """slide legal_actions symmetries spawn new_board to_array from_array from_tiles PATTERNS NTupleNetwork
        best_action train evaluate play UP RIGHT DOWN LEFT Trace Summary TrainLog"""
    assert set(surface.split()) <= set(lib2048.__all__)
    assert all(hasattr(lib2048, name) for name in lib2048.__all__)
