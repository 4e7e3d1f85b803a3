"""The report as a list of parts: what the cells tagged for it say and show, in order.

Each part knows its notebook and cell. What a cell shows either becomes a part or is told with the
reason why it cannot be printed: an error that names notebook and cell, and all such errors are told
at once.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lib2048.viewer.still import PAGE
from notebook_tools.cells import mark_of, tags_of
from notebook_tools.tidy import VIEW, WIDGET
from report.pictures import Picture, UnusablePicture, read_raster, read_svg
from workbook.marks import LABEL, is_prose

TAG = "report"
MORE_TAG = "report-more"  # what goes deeper: for the long edition alone
PLAYS_TAG = "report-plays"  # what moves, and what leads to it: for the long edition as a page
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

RASTER_ENDINGS = {"image/png": "png", "image/jpeg": "jpg"}
PICTURE_TYPES = ("image/svg+xml", *RASTER_ENDINGS)  # the best first
ANSI_CODE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
TAB_WIDTH = 8
POINTS_PER_PIXEL = 0.75

# Marks of outputs that the report leaves out: captions, which it sets itself, widgets that are
# followed by their picture, and how things look in a notebook.
NOT_PRINTED = {"caption of", "picture follows", "reopened", "style"}

# What `repr` says of things that have no text of their own.
NAME_OF_AN_OBJECT = re.compile(
    r"<[\w.]+ (object|at 0x)|<[\w.]+\.[\w.]+.*>$|^\w+\(children=|^<Figure size"
)


class Unprintable(ValueError):
    """An output that cannot be printed."""


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
    text: str = ""  # Markdown, or printed text
    where: str = ""  # "06_training.ipynb, cell 14"
    label: str = ""
    caption: str = ""  # Markdown
    picture: Picture | None = None
    alt: str = ""
    shift: int = 0  # levels to take off the headings
    folder: str = ""  # what paths in its Markdown start from
    is_first: bool = False  # whether it is for the first page
    is_own: bool = False  # whether it is a listing of what the reader wrote
    is_short: bool = False  # whether it is a listing without docstrings
    widget: dict | None = None  # what brings its picture to life on a page

    def standing(self) -> "Part":
        """The same where there is no first page: in its place among the others."""
        return replace(self, is_first=False)


def is_hidden(cell) -> bool:
    """Whether the source of a cell is folded away, as that of prose and of predictions is."""
    return cell.metadata.get("jupyter", {}).get("source_hidden") is True or is_prose(cell.source)


def is_chosen(cell, edition: str = LONG, plays: bool = False) -> bool:
    """Whether the cell is one for this edition of the report, on paper or where games play."""
    wanted = {TAG, FIRST_TAG}
    if edition == LONG:
        wanted.add(MORE_TAG)
        if plays:
            wanted.add(PLAYS_TAG)
    return not wanted.isdisjoint(tags_of(cell))


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
    nb,
    name: str,
    folder: str = "",
    whole: bool = False,
    edition: str = LONG,
    plays: bool = False,
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
    plays
        Whether the parts are for a page, where games play.

    Returns
    -------
    parts, problems
        The parts in order, and a line for each thing that cannot be printed.
    """
    parts = []
    problems = []
    for number, cell in enumerate(nb.cells, 1):
        if not cell.source.strip() or not (whole or is_chosen(cell, edition, plays)):
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
    for part in read_outputs(cell):
        yield part if isinstance(part, Unprintable) else _told(part, where, whole)


def _told(part: Part, where: str, whole: bool) -> Part | Unprintable:
    """What an output shows, with its place; a picture of a tagged cell says what is on it."""
    alt = part.alt
    if part.picture is not None and not alt:
        if not whole:
            return Unprintable("a picture without alternative text (a title)")
        alt = DRAWN_ABOVE
    return replace(part, where=where, alt=alt)


def read_outputs(cell) -> Iterator[Part | Unprintable]:
    """What a code cell shows, output by output; in place of what cannot be printed, the reason."""
    for output in cell.outputs:
        try:
            part = read_output(output)
        except (Unprintable, UnusablePicture) as error:
            yield Unprintable(str(error))
        else:
            if part is not None:
                yield part


def read_output(output) -> Part | None:
    """What one output shows, as a part; None for what the report leaves out.

    That is a caption, which the report sets itself, a widget whose picture is the next output, and
    the style sheet that goes with it.

    Raises
    ------
    Unprintable, UnusablePicture
        If it cannot be printed.
    """
    if output.output_type == "error":
        raise Unprintable(f"it raised {output.ename}: {output.evalue}")
    if output.output_type == "stream":
        return _read_stream(output)
    return _read_display(output.get("data", {}), output.get("metadata", {}), mark_of(output))


def _read_stream(output) -> Part:
    if output.name == "stderr":
        raise Unprintable(f"it wrote to stderr: {output.text.strip()[:200]}")
    return Part("printed", as_in_a_terminal(output.text))


def as_in_a_terminal(text: str) -> str:
    """A text as a terminal without colours would show it."""
    return ANSI_CODE.sub("", text).expandtabs(TAB_WIDTH).rstrip()


def _read_display(data, metadata, mark: dict) -> Part | None:
    if NOT_PRINTED & set(mark):
        return None
    has_picture = _picture_type(data) is not None
    if mark.get("widget") or (VIEW in data and not has_picture):
        raise Unprintable("a widget without a picture")
    if "prediction" in mark:  # its question: the answer is for those who have thought about it
        return Part("markdown", _text(mark["prediction"], "asked"))
    if "listing" in mark:
        title, _, code = _text(data, "text/markdown").partition("\n\n")
        return Part("listing", code, caption=title, is_own=mark.get("own") is True)
    if "label" in mark:
        return _read_labelled(data, mark)
    return _read_unlabelled(data, metadata)


def _picture_type(data) -> str | None:
    return next((mime for mime in PICTURE_TYPES if mime in data), None)


def _text(data, name: str) -> str:
    """What stands under a name, which must be text; folded outputs begin with an empty line."""
    text = data.get(name)
    if not isinstance(text, str):
        raise Unprintable(f"an output whose {name} is {text!r:.60}")
    return text.removeprefix("\n")


def _read_labelled(data, mark: dict) -> Part:
    """A figure or a table, as workbook.cells.figure shows it."""
    label = _text(mark, "label")
    if not LABEL.fullmatch(label):
        raise Unprintable(
            f"the label {label!r:.60}; a label is fig- or tab- and a name of small letters, digits "
            "and hyphens"
        )
    caption = _text(mark, "caption")
    if label.startswith("tab-"):
        return Part("table", _text(data, "text/markdown"), label=label, caption=caption)
    try:
        picture = read_svg(_text(data, "image/svg+xml"))
    except UnusablePicture as error:
        raise Unprintable(f"{label}: {error}") from None
    return Part("figure", label=label, caption=caption, picture=picture, alt=_text(mark, "alt"))


def _read_unlabelled(data, metadata) -> Part:
    mime = _picture_type(data)
    if mime == "image/svg+xml":
        picture = read_svg(_text(data, mime))
        return Part("picture", picture=picture, alt=picture.title, widget=data.get(PAGE))
    if mime is not None:
        return _read_raster(mime, data, metadata)
    if "text/markdown" in data:
        return Part("markdown", _text(data, "text/markdown"))
    if "text/latex" in data:
        return Part("markdown", _text(data, "text/latex"))
    if "text/plain" in data:
        return _read_plain_text(data)
    raise Unprintable(f"an output of the kind {', '.join(data) or 'nothing'}")


def _read_raster(mime: str, data, metadata) -> Part:
    picture = read_raster(RASTER_ENDINGS[mime], _text(data, mime), _raster_size(mime, metadata))
    alt = metadata.get("alt")
    if not isinstance(alt, str) or not alt:
        text = data.get("text/plain", "")
        says_something = isinstance(text, str) and not NAME_OF_AN_OBJECT.search(text)
        alt = text if says_something else ""
    return Part("picture", picture=picture, alt=alt)


def _raster_size(mime: str, metadata) -> tuple[float, float] | None:
    """Width and height in points, where the metadata of an output give them in pixels."""
    about = metadata.get(mime, {})
    if not isinstance(about, dict):
        return None
    sides = (about.get("width"), about.get("height"))
    if not all(isinstance(side, int | float) and 0 < side < 1e6 for side in sides):
        return None
    width, height = sides
    return (POINTS_PER_PIXEL * width, POINTS_PER_PIXEL * height)


def _read_plain_text(data) -> Part:
    text = _text(data, "text/plain")
    if NAME_OF_AN_OBJECT.search(text) or text == WIDGET:
        other_kinds = ", ".join(mime for mime in data if mime != "text/plain")
        what = other_kinds or "nothing but the name of an object"
        raise Unprintable(f"an output that is {what}: {text[:80]}")
    return Part("printed", as_in_a_terminal(text))


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
