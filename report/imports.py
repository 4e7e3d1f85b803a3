"""Which modules of this project some code reaches through its imports, read from the sources."""

import ast
from pathlib import Path

from experiments.versions import PACKAGES, ROOT


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
