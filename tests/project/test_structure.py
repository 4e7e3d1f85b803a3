"""The shape of the code: rooms that depend on rooms below, functions that fit in one's head.

How long a file or a function may be is nowhere said. What makes code hard to read is depth,
branching, and several things said at once.
"""

import ast
import subprocess
import sys
from pathlib import Path

import import_graph
import measures
import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_BRANCHES = 12  # ways through a function, but for the one straight down
DEEPEST = 4  # statements inside statements, from the function's own
PACKED_OF_1000 = 10
NODES_A_LINE = 12
BRANCHES = (
    ast.If,
    ast.For,
    ast.While,
    ast.IfExp,
    ast.ExceptHandler,
    ast.comprehension,
    ast.match_case,
)
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

FILES = sorted(path for room in measures.ROOMS for path in (ROOT / room).rglob("*.py"))


def functions():
    """(where, function) of every function in the packages."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, FUNCTIONS):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node


def own_nodes(function):
    """The nodes of a function without those of functions defined in it."""
    todo = list(function.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, FUNCTIONS):
            todo += ast.iter_child_nodes(node)


def depth(node, is_elif=False) -> int:
    """How many blocks stand inside each other below a node; `elif` does not count as one more."""
    if isinstance(node, FUNCTIONS):
        return 0
    deepest = 0
    for child in ast.iter_child_nodes(node):
        chained = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        deepest = max(deepest, depth(child, chained))
    return deepest + (isinstance(node, BLOCKS) and not is_elif)


def test_imports_go_down_and_never_round():
    edges = import_graph.graph()
    assert len(edges) > 60
    assert import_graph.upward(edges) == []
    assert import_graph.cycles(edges) == []


def test_the_plain_engine_knows_nothing_of_the_fast_one():
    edges = import_graph.graph()
    todo = [import_graph.PLAIN_ENGINE]
    reached = set()
    while todo:
        module = todo.pop()
        if module not in reached and module != "lib2048":
            reached.add(module)
            todo += edges[module]
    assert import_graph.PLAIN_ENGINE in reached
    assert [name for name in reached if name.startswith(import_graph.FAST_ENGINE)] == []


def test_one_module_says_where_the_checkout_lies():
    saying = [path for path in FILES if "\nROOT = Path" in path.read_text(encoding="utf-8")]
    assert saying == [ROOT / "experiments" / "versions.py"]


def test_a_cycle_and_an_upward_import_would_be_seen():
    edges = {"lib2048.a": {"lib2048.b"}, "lib2048.b": {"lib2048.a", "report.c"}, "report.c": set()}
    assert import_graph.cycles(edges) == [["lib2048.a", "lib2048.b"]]
    assert import_graph.upward(edges) == ["lib2048.b imports report.c"]


def test_functions_do_not_branch_too_much():
    found = []
    for where, function in functions():
        branches = sum(isinstance(node, BRANCHES) for node in own_nodes(function))
        if branches > MOST_BRANCHES:
            found.append(f"{where}: {branches}")
    assert found == []


def test_functions_do_not_nest_too_deeply():
    found = []
    for where, function in functions():
        deepest = max(map(depth, function.body))
        if deepest > DEEPEST:
            found.append(f"{where}: {deepest}")
    assert found == []


@pytest.mark.parametrize("room", measures.ROOMS)
def test_lines_say_one_thing(room):
    total = measures.Measures(0, 0, 0, 0, 0)
    for path in sorted((ROOT / room).rglob("*.py")):
        total += measures.measure(path)
    assert total.long == 0
    assert total.packed / total.code <= PACKED_OF_1000 / 1000
    assert total.nodes / total.code <= NODES_A_LINE


def public_places():
    """(where, function) of every function of a module or a class; not those inside functions."""
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        for holder in [tree, *classes]:
            for node in holder.body:
                if isinstance(node, FUNCTIONS):
                    yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node


def is_compiled(function) -> bool:
    """Whether numba compiles a function: it takes its types from the call."""
    decorators = " ".join(map(ast.unparse, function.decorator_list))
    return "kernel" in decorators or "formula" in decorators


def untyped(function) -> list[str]:
    """What a function takes or gives without saying of which type."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    missing = [argument.arg for argument in arguments if argument.annotation is None]
    missing = [name for name in missing if name not in ("self", "cls")]
    if function.returns is None and function.name != "__init__":
        missing.append("its result")
    return missing


def test_public_functions_say_what_they_take_and_give():
    """Public functions of the two libraries have types for all they take and give."""
    found = []
    for where, function in public_places():
        is_public = where.startswith(("lib2048", "libewn")) and not function.name.startswith("_")
        if is_public and not is_compiled(function) and untyped(function):
            found.append(f"{where}: {', '.join(untyped(function))}")
    assert found == []


def test_types():
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
