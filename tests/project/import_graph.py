"""Who imports whom in this project: `python tests/project/import_graph.py` prints it, room by room.

Rooms stand in layers. A file may import files of its own room and of rooms below it, never of rooms
above.
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = (
    "lib2048",
    "libewn",
    "workbook",
    "experiments",
    "notebook_tools",
    "report",
    "pages",
    "bench",
)
PLAIN_ENGINE = "lib2048.learning"  # knows nothing of the fast one
FAST_ENGINE = "lib2048.fast"


def module_name(path: Path) -> str:
    """The dotted name of a source file of the project."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def project_files() -> dict[str, Path]:
    """{module: file} of all packages."""
    files = [path for package in LAYERS for path in sorted((ROOT / package).rglob("*.py"))]
    return {module_name(path): path for path in files}


def imported_names(tree: ast.AST) -> set[str]:
    """Every dotted name that import statements of a file name, wherever they stand in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def graph() -> dict[str, set[str]]:
    """{module: the modules of the project that it imports}."""
    files = project_files()
    edges = {}
    for module, path in files.items():
        names = imported_names(ast.parse(path.read_text(encoding="utf-8")))
        edges[module] = {target for name in names if (target := _home(name, files))} - {module}
    return edges


def _home(name: str, files: dict[str, Path]) -> str | None:
    """The module that a dotted name is, or is taken from; None for other people's."""
    while name:
        if name in files:
            return name
        name = name.rpartition(".")[0]
    return None


def room(module: str) -> str:
    """The package a module stands in."""
    return module.split(".")[0]


def upward(edges: dict[str, set[str]]) -> list[str]:
    """Imports that go from a room to one above it."""
    wrong = []
    for module, targets in edges.items():
        for target in sorted(targets):
            if LAYERS.index(room(target)) > LAYERS.index(room(module)):
                wrong.append(f"{module} imports {target}")
    return wrong


def cycles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other in the end (Tarjan's components)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups = []

    def visit(module):
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for target in sorted(edges[module]):
            if target not in order:
                visit(target)
                lowest[module] = min(lowest[module], lowest[target])
            elif target in stack:
                lowest[module] = min(lowest[module], order[target])
        if lowest[module] == order[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1:
                groups.append(sorted(group))

    for module in edges:
        if module not in order:
            visit(module)
    return groups


def main() -> int:
    """Print the graph, and what is wrong with it; returns how much that is."""
    edges = graph()
    for package in LAYERS:
        print(f"\n{package}")
        for module in sorted(module for module in edges if room(module) == package):
            print(f"  {module:<32} <- {', '.join(sorted(edges[module])) or 'nothing of ours'}")
    wrong = upward(edges) + [f"a cycle: {' - '.join(group)}" for group in cycles(edges)]
    print("\n" + ("\n".join(wrong) or "Every import goes down, and there is no cycle."))
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
