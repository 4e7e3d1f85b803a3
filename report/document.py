"""The report as a list of parts: what the cells tagged for it say and show, in order.

Each part knows its notebook and cell. Whatever could not be printed is an error that names them,
and all such errors are told at once.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from report.outputs import Shown, Unprintable, read_outputs
from report.pictures import Picture
from workbook.marks import is_prose

TAG = "report"
MORE_TAG = "report-more"  # what goes deeper: for the long edition alone
FIRST_TAG = "report-first"  # what stands on the first page
SOURCE_TAG = "report-source"
NUMBER = "number in the notebook"  # what the metadata of a cell call its number

HOMEWORK = "homework"  # what one hands in
LONG = "long"  # the book
EDITIONS = (HOMEWORK, LONG)

# What a picture without words shows, in a notebook that is printed as a whole.
DRAWN_ABOVE = "Picture drawn by the code above"

# Letters that no text for readers holds: control characters, and halves of UTF-16 pairs.
UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")


class Lost(ValueError):
    """Something in a notebook would not reach the report, or must not.

    What is wrong may be quoted in the message, so letters that a terminal would obey are replaced.
    """

    def __init__(self, message: str):
        super().__init__(UNREADABLE.sub("?", message))


@dataclass(frozen=True)
class Part:
    """A piece of the report."""

    kind: str  # "markdown", "figure", "table", "listing", "picture", "printed" or "reference"
    text: str  # Markdown, or printed text
    where: str  # "06_training.ipynb, cell 14"
    label: str = ""
    caption: str = ""  # Markdown
    picture: Picture | None = None
    alt: str = ""
    shift: int = 0  # levels to take off the headings
    folder: str = ""  # what paths in its Markdown start from
    is_first: bool = False  # whether it is for the first page
    is_own: bool = False  # whether it is a listing of what the reader wrote
    is_short: bool = False  # whether it is a listing without docstrings

    def standing(self) -> "Part":
        """The same where there is no first page: in its place among the others."""
        return replace(self, is_first=False)


def tags_of(cell) -> list[str]:
    """The tags of a cell."""
    tags = cell.metadata.get("tags", [])
    return tags if isinstance(tags, list) else []


def is_hidden(cell) -> bool:
    """Whether the source of a cell is folded away, as that of prose and of predictions is."""
    return cell.metadata.get("jupyter", {}).get("source_hidden") is True or is_prose(cell.source)


def is_chosen(cell, edition: str = LONG) -> bool:
    """Whether the cell is one for this edition of the report."""
    tags = tags_of(cell)
    if edition == HOMEWORK:
        return TAG in tags or FIRST_TAG in tags
    return TAG in tags or MORE_TAG in tags or FIRST_TAG in tags


def is_first(cell, edition: str) -> bool:
    """Whether the cell is for the first page.

    In the long edition a cell that is tagged `report` as well stands in its section.
    """
    tags = tags_of(cell)
    return FIRST_TAG in tags and (edition == HOMEWORK or TAG not in tags)


def fence(source: str, language: str = "python") -> str:
    """A Markdown code block with this source in it, between more backticks than any line has."""
    lines_of_backticks = (line for line in source.split("\n") if line.strip("`") == "")
    longest = max((len(line) for line in lines_of_backticks), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{source}\n{ticks}"


def parts_of(
    nb, name: str, folder: str = "", whole: bool = False, edition: str = LONG
) -> tuple[list[Part], list[str]]:
    """Read one notebook.

    Parameters
    ----------
    nb
        The notebook.
    name
        What it is called, without its suffix.
    folder
        Where it lies: pictures beside it are looked for from there.
    whole
        Take all its cells, sources included, instead of those that are tagged for the report.
    edition
        Which tagged cells are taken, one of EDITIONS.

    Returns
    -------
    parts, problems
        The parts in order, and a line for each thing that cannot be printed.
    """
    parts = []
    problems = []
    for number, cell in enumerate(nb.cells, 1):
        if not cell.source.strip() or not (whole or is_chosen(cell, edition)):
            continue
        where = f"{name}.ipynb, cell {cell.metadata.get(NUMBER, number)}"
        first = not whole and is_first(cell, edition)
        for part in _parts_of_cell(cell, where, whole):
            if isinstance(part, Unprintable):
                problems.append(f"{where}: {part}")
                continue
            if part.kind == "listing" and edition == HOMEWORK and not part.is_own:
                part = _in_short(part)
            parts.append(replace(part, is_first=first))
    shift = _levels_above(parts)
    return [replace(part, shift=shift, folder=folder) for part in parts], problems


def _parts_of_cell(cell, where: str, whole: bool) -> Iterator[Part | Unprintable]:
    if cell.cell_type == "markdown":
        yield Part("markdown", cell.source, where)
    elif cell.cell_type == "code":
        yield from _parts_of_code_cell(cell, where, whole)
    else:
        yield Unprintable(f"a {cell.cell_type} cell")


def _parts_of_code_cell(cell, where: str, whole: bool) -> Iterator[Part | Unprintable]:
    if not whole and cell.execution_count is None:
        yield Unprintable("it has not been run")
    if (whole and not is_hidden(cell)) or SOURCE_TAG in tags_of(cell):
        yield Part("markdown", fence(cell.source), where)
    for shown in read_outputs(cell):
        if isinstance(shown, Unprintable):
            yield shown
        else:
            yield _part_of_output(shown, where, whole)


def _part_of_output(shown: Shown, where: str, whole: bool) -> Part | Unprintable:
    alt = shown.alt
    if shown.picture is not None and not alt:
        if not whole:
            return Unprintable("a picture without alternative text (a title)")
        alt = DRAWN_ABOVE
    part = Part(shown.kind, shown.text, where, shown.label, shown.caption, shown.picture, alt)
    return replace(part, is_own=shown.is_own)


def _in_short(part: Part) -> Part:
    """A listing of the library without docstrings and decorators: the text beside it explains."""
    first, *lines, last = part.text.strip().split("\n")
    short = fence(code_in_short("\n".join(lines))) if first.startswith("```") else part.text
    return replace(part, text=short, is_short=True)


def code_in_short(source: str) -> str:
    """Python without docstrings and decorators; as it is where it is not plain Python.

    Examples
    --------
    >>> print(code_in_short("@fast\\ndef f(x):\\n    'Double.'\\n    return 2 * x"))
    def f(x):
        return 2 * x
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    lines = source.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                _blank(lines, decorator)
            if ast.get_docstring(node) is not None and len(node.body) > 1:
                _blank(lines, node.body[0])
    kept = "\n".join(line for line in lines if line is not None)
    return re.sub(r"\n{2,}", "\n\n", kept).strip()


def _blank(lines: list[str | None], node: ast.stmt | ast.expr) -> None:
    """Take the lines of a node out, and the empty line that follows."""
    for number in range(node.lineno - 1, node.end_lineno):
        lines[number] = None
    if node.end_lineno < len(lines) and lines[node.end_lineno] == "":
        lines[node.end_lineno] = None


def _levels_above(parts: Iterable[Part]) -> int:
    """How many levels the highest heading lies below the first: notebooks begin at `#` or `##`."""
    levels = []
    for part in parts:
        if part.kind == "markdown":
            for line in _prose_lines(part.text):
                level = len(line) - len(line.lstrip("#"))
                if 1 <= level <= 6:
                    levels.append(level)
    return min(levels, default=1) - 1


def _prose_lines(markdown: str) -> Iterator[str]:
    """The lines outside code blocks."""
    open_fence = None
    for line in markdown.split("\n"):
        mark = line.lstrip()[:3]
        if open_fence is None and mark in ("```", "~~~"):
            open_fence = mark
        elif open_fence is not None and mark == open_fence:
            open_fence = None
        elif open_fence is None:
            yield line


def check_parts(parts: list[Part]) -> list[str]:
    """Problems with parts: a label that is given twice, letters that nobody can read."""
    problems = []
    first_place = {}
    for part in parts:
        if part.label and part.label in first_place:
            other = first_place[part.label]
            problems.append(f"{part.where}: the label {part.label} is taken, by {other}")
        first_place.setdefault(part.label, part.where)
        unreadable = UNREADABLE.search(part.text + part.caption + part.alt)
        if unreadable:
            problems.append(f"{part.where}: the control character U+{ord(unreadable[0]):04X}")
    return problems


def number_labels(parts: list[Part], words: dict[str, str]) -> dict[str, str]:
    """What each label is called in the text: {"fig-curves": "Figure 3"}."""
    numbers = {}
    counts = {"figure": 0, "table": 0}
    for part in parts:
        if part.kind in counts:
            counts[part.kind] += 1
            numbers[part.label] = f"{words[part.kind]} {counts[part.kind]}"
    return numbers
