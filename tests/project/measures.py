"""How dense the code is: `python tests/project/measures.py [FOLDER]` prints a row for each room.

A line of code is one that holds some: not blank, not a comment, not a docstring. Nodes are those of
Python's syntax tree. A packed assignment gives several values to several names in one statement, as
in `a, b = 1, len(x)`.
"""

import ast
import io
import sys
import tokenize
from pathlib import Path
from typing import NamedTuple

from import_graph import LAYERS as ROOMS

ROOT = Path(__file__).resolve().parents[2]
LONGEST_LINE = 100
DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


class Measures(NamedTuple):
    """What is counted in some files."""

    lines: int  # all of them
    code: int  # those that hold code
    nodes: int
    packed: int
    long: int

    def __add__(self, other):
        return Measures(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def code_lines(source: str, tree: ast.Module) -> set[int]:
    """The numbers of the lines that hold code."""
    numbers = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NOT_CODE:
            numbers |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            numbers -= set(range(docstring.lineno, docstring.end_lineno + 1))
    return numbers


def is_packed(node: ast.AST) -> bool:
    """Whether a node is an assignment of several values to several names."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Tuple)
    )


def measure(path: Path) -> Measures:
    """The measures of one file."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    lines = source.splitlines()
    return Measures(
        lines=len(lines),
        code=len(code_lines(source, tree)),
        nodes=len(nodes),
        packed=sum(map(is_packed, nodes)),
        long=sum(len(line) > LONGEST_LINE for line in lines),
    )


def main(root: Path = ROOT) -> None:
    """Print a row for each room."""
    row = "{:<14} {:>6} {:>6} {:>6} {:>13} {:>16} {:>5}"
    print(row.format("room", "files", "lines", "code", "nodes a line", "packed of 1,000", "long"))
    for room in ROOMS:
        files = sorted((root / room).rglob("*.py"))
        if not files:
            continue
        total = Measures(0, 0, 0, 0, 0)
        for file in files:
            total += measure(file)
        nodes = f"{total.nodes / total.code:.1f}"
        packed = f"{1000 * total.packed / total.code:.0f}"
        print(row.format(room, len(files), total.lines, total.code, nodes, packed, total.long))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
