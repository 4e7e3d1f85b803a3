"""The report as a list of parts: what the cells tagged `report` say and show, in order, and where each part is from.

Whatever could not be printed is an error that names the notebook and the cell; all of them are told at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from report import outputs

TAG, SOURCE_TAG = "report", "report-source"
DRAWN = (
    "Picture drawn by the code above"  # where a notebook that is printed as a whole says no more
)


class Lost(ValueError):
    """Something in a notebook would not reach the report."""


@dataclass(frozen=True)
class Part:
    """A piece of the report."""

    kind: str  # "markdown", "figure", "table", "listing", "picture" or "printed"
    text: str  # Markdown; of a figure or picture the file's content; printed text
    where: str  # "05_training.ipynb, cell 14"
    label: str = ""
    caption: str = ""  # Markdown
    alt: str = ""
    size: tuple[float, float] | None = (
        None  # of pictures: width and height in points, where they say so
    )
    shift: int = 0  # levels to take off the headings
    folder: str = ""  # what paths in its Markdown start from


def is_chosen(cell) -> bool:
    """Whether the cell is one for the report."""
    return TAG in cell.metadata.get("tags", [])


def fence(source: str, language: str = "python") -> str:
    """A Markdown code block with this source in it."""
    ticks = "`" * max(
        3, 1 + max((len(run) for run in source.split("\n") if run.strip("`") == ""), default=0)
    )
    return f"{ticks}{language}\n{source}\n{ticks}"


def parts_of(nb, name: str, folder: str = "", whole: bool = False) -> tuple[list[Part], list[str]]:
    """(parts, problems) of one notebook: of its cells tagged `report`, or of the whole, sources and all."""
    found, problems = [], []
    for number, cell in enumerate(nb.cells, 1):
        where = f"{name}.ipynb, cell {number}"
        if not (whole or is_chosen(cell)) or not cell.source.strip():
            continue
        if cell.cell_type == "markdown":
            found.append(Part("markdown", cell.source, where))
        elif cell.cell_type == "code":
            if not whole and cell.execution_count is None:
                problems.append(f"{where}: it has not been run")
            if whole or SOURCE_TAG in cell.metadata.get("tags", []):
                found.append(Part("markdown", fence(cell.source), where))
            for shown in outputs.shown(cell):
                if shown.get("alt") == "":
                    shown |= (
                        {"alt": DRAWN}
                        if whole
                        else {"lost": "a picture without alternative text (a title)"}
                    )
                if "lost" in shown:
                    problems.append(f"{where}: {shown['lost']}")
                else:
                    found.append(Part(where=where, **shown))
        else:
            problems.append(f"{where}: a {cell.cell_type} cell")
    shift = _shift(found)
    return [replace(part, shift=shift, folder=folder) for part in found], problems


def _shift(parts: Iterable[Part]) -> int:
    """How many levels the highest heading of these parts lies below the first: notebooks begin at `#` or at `##`."""
    lines = [line for part in parts if part.kind == "markdown" for line in _prose(part.text)]
    levels = [len(line) - len(line.lstrip("#")) for line in lines if line.startswith("#")]
    return min((level for level in levels if 1 <= level <= 6), default=1) - 1


def _prose(markdown: str):
    """The lines outside code blocks."""
    fence_line = None
    for line in markdown.split("\n"):
        mark = line.lstrip()[:3]
        if fence_line is None and mark in ("```", "~~~"):
            fence_line = mark
        elif fence_line is not None and mark == fence_line:
            fence_line = None
        elif fence_line is None:
            yield line


def check_labels(parts: list[Part]) -> list[str]:
    """Problems with labels: each may be given once."""
    seen, problems = {}, []
    for part in parts:
        if part.label and part.label in seen:
            problems.append(f"{part.where}: the label {part.label} is taken, by {seen[part.label]}")
        seen.setdefault(part.label, part.where)
    return problems


def numbers(parts: list[Part]) -> dict[str, str]:
    """What each label is called in the text: {"fig-curves": "Figure 3"}."""
    found, counts = {}, {"figure": 0, "table": 0}
    for part in parts:
        if part.label:
            counts[part.kind] += 1
            found[part.label] = f"{part.kind.capitalize()} {counts[part.kind]}"
    return found
