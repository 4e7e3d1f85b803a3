"""Parts of the report -> PDF (PDF/UA-1), by Typst.

The fonts are Typst's own, matplotlib's for pictures, and the workbook's for Chinese, Japanese and
Korean (letters.py); none of the system's is used. So the same parts give the same bytes on every
machine.
"""

import functools
import json
import re
import xml.etree.ElementTree as ElementTree
from bisect import bisect
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import matplotlib
import typst
from fontTools.ttLib import TTFont

from report.document import HOMEWORK, LONG, Lost, Part
from report.letters import font_files, typeset
from report.matter import FirstPage, in_order
from report.pandoc import Converted, convert, reference_parts
from report.pictures import SMALLEST, Picture, printed_scale, smallest_letters, without_heading
from workbook.fonts import EAST_ASIAN
from workbook.lettering import in_body_face

HERE = Path(__file__).parent

# Pictures say Arial, Helvetica, DejaVu Sans: the last is matplotlib's own, everywhere the same.
MATPLOTLIB_FONTS = Path(matplotlib.get_data_path(), "fonts", "ttf")
PICTURE_FONTS = [MATPLOTLIB_FONTS / "DejaVuSans.ttf", MATPLOTLIB_FONTS / "DejaVuSans-Bold.ttf"]

# What Typst counts as the end of a line.
TYPST_NEWLINE = re.compile("\r\n|[\n\x0b\x0c\r\x85\u2028\u2029]")

SECTION = re.compile(r"^##? ", re.MULTILINE)  # where one begins, in the text of a cell

PRINTED_WIDTH = 86  # letters of printed text in a line
WIDEST_PICTURE = 453.5  # points; a picture may stand out beside the text, as tables may
HIGHEST_PICTURE = 385.0  # points, which leaves room for a caption
TALL_PICTURE = 300.0  # points; one as high leaves a hole below the text, unless a table may fill it
SHORT_REST = 1_000  # letters of text: so near the edge of a section a figure stays inside it
WIDTH_IN_HOMEWORK = 345.0
HIGHEST_IN_HOMEWORK = 300.0
HIGHEST_ON_FIRST_PAGE = 235.0
NARROW_TABLE = 60  # letters of Markdown in its longest line


def render(
    parts: list[Part],
    about: dict,
    appendix: Iterable[Part] = (),
    problems: Iterable[str] = (),
    elsewhere: Iterable[str] = (),
    floats: bool = True,
    first_page: FirstPage | None = None,
    edition: str = LONG,
) -> bytes:
    """Set parts as a PDF.

    Parameters
    ----------
    parts
        The body of the report.
    about
        The title block, as report.title.title_data reads it.
    appendix
        What comes behind the references.
    problems
        What is known to be wrong already.
    elsewhere
        Labels that may be linked to although they are not here.
    floats
        Whether figures and tables go to the top or bottom of a page; else they stay where they are,
        as tables do in the homework.
    first_page
        What stands below the title, with the parts that are for the first page.
    edition
        "long" has a list of contents.

    Raises
    ------
    Lost
        When anything would be lost.
    """
    words = about["words"]
    parts = in_order(parts, first_page)
    appendix = list(appendix)
    body = convert([*parts, *appendix], "typst", problems, elsewhere, words)
    references = convert(reference_parts(body.cited), "typst")
    page = Page(about | {"edition": edition}, floats)
    first = [converted for converted in body.parts if converted.part.is_first]
    if first:
        page.add_first(first, first_page, body.sections)
    page.begin()
    page.add_all(body.parts[len(first) : len(parts)])
    if references.parts:
        page.add_text(f"#heading(numbering: none)[{words['references']}]", "the references")
        entries = [f"[#reference[{entry.text}] <{entry.part.label}>]" for entry in references.parts]
        listed = ",\n".join(entries)
        page.add_text(f"#references(about, ({listed},))", "the references")
    if len(body.parts) > len(parts):
        page.add_text('#show: appendix.with(json("about.json"))', "the appendix")
        for converted in body.parts[len(parts) :]:
            page.add(converted)
    return page.compile()


def check_title(about: dict) -> None:
    """Raise Lost where the title block cannot be set, such as for a letter that no font has."""
    Page(about, floats=True).compile()


class Page:
    """A Typst document in the making: its lines, where each comes from, and the files beside it."""

    def __init__(self, about: dict, floats: bool):
        self.about = {"edition": LONG} | about
        self.floats = floats
        self.standing = frozenset()  # labels of figures and tables that do not float
        self.low = frozenset()  # labels of those that float to the bottom alone
        self.files = {
            "about.json": json.dumps(self.about).encode(),
            "page.typ": (HERE / "page.typ").read_bytes(),
        }
        self.fonts = [*font_files(about["font"]), *PICTURE_FONTS]
        self.texts = []
        self.places = []  # where each text comes from
        self.starts = []  # the line of the document, counted from 1, at which each text begins
        self.line_count = 0
        self.highest_picture = self._usual_height()
        self.add_text('#import "page.typ": *', "the page")
        self.add_text('#let about = json("about.json")', "the page")
        self.add_text("#show: report.with(about)", "the page")

    def add_first(
        self, parts: list[Converted], first_page: FirstPage | None, sections: dict[str, str]
    ) -> None:
        """Add the first page: its parts stand where they are, below each other."""
        floats = self.floats
        self.floats = False
        self.highest_picture = HIGHEST_ON_FIRST_PAGE
        for converted in parts:
            if converted.part.kind == "markdown":
                self.add_text(f"#abstract[{converted.text}]", converted.part.where)
            else:
                self.add(converted)
        self.floats = floats
        self.highest_picture = self._usual_height()
        if first_page is not None and first_page.asked:
            rows = [
                f"({quoted(what)}, ({''.join(f'<{sections.get(at, at)}>,' for at in places)}))"
                for what, places in first_page.asked
            ]
            self.add_text(f"#asked-for(about.words, ({', '.join(rows)},))", "the first page")
        if first_page is not None and first_page.functions:
            self.add_text(f"#functions({quoted(first_page.functions)})", "the first page")

    def begin(self) -> None:
        """Go on with the sections, behind a list of them in the long edition."""
        self.add_text("#begin(about)", "the page")

    def _is_homework(self) -> bool:
        return self.about["edition"] == HOMEWORK

    def _usual_height(self) -> float:
        return HIGHEST_IN_HOMEWORK if self._is_homework() else HIGHEST_PICTURE

    def add_text(self, text: str, where: str) -> None:
        """Add text, of any number of lines, that comes from `where`."""
        text += "\n\n"
        self.texts.append(text)
        self.places.append(where)
        self.starts.append(self.line_count + 1)
        self.line_count += len(TYPST_NEWLINE.findall(text))

    def add(self, converted: Converted) -> None:
        """Add a converted part."""
        part = converted.part
        converted = converted.with_pictures(lambda picture: self._add_picture(picture, part))
        self.add_text(self._code_of(converted), part.where)

    def add_all(self, parts: list[Converted]) -> None:
        """Add converted parts; in the homework narrow tables in a row stand beside each other."""
        waiting = self._with_tall_figures_later(parts)
        near_end = _near_edge_of_section([converted.part for converted in reversed(waiting)])
        tall = {converted.part.label for converted in waiting if self._is_tall(converted.part)}
        self.standing = near_end - tall  # a tall one that stood would leave a hole above it
        if not self._is_homework():
            self.low = _near_edge_of_section([converted.part for converted in waiting]) - tall
        while waiting:
            first = waiting.pop(0)
            beside = waiting[0] if waiting else None
            are_narrow = beside and is_narrow(first.part) and is_narrow(beside.part)
            if not (self._is_homework() and are_narrow):
                self.add(first)
                continue
            waiting.pop(0)
            both = ", ".join(f"[{self._code_of(one)}]" for one in (first, beside))
            self.add_text(f"#beside({both})", first.part.where)

    def _with_tall_figures_later(self, parts: list[Converted]) -> list[Converted]:
        """Parts with each tall figure behind the table that comes next in its section.

        Typst keeps the order of what floats, so a figure that waits for the next page would hold
        up the table, which may well fit below the text.
        """
        in_order = list(parts)
        if self._is_homework():
            return in_order
        for place, converted in enumerate(parts):
            behind = _place_of_next_table(parts, place) if self._is_tall(converted.part) else None
            if behind is not None:
                in_order.remove(converted)
                in_order.insert(behind, converted)
        return in_order

    def _is_tall(self, part: Part) -> bool:
        if part.kind != "figure" or part.picture.size is None:
            return False
        picture = lettered(without_heading(part.picture))
        return self._scale_of(picture) * picture.size[1] >= TALL_PICTURE

    def _code_of(self, converted: Converted) -> str:
        """A converted part as Typst code."""
        part = converted.part
        caption = converted.caption
        if part.kind == "markdown":
            return converted.text
        if part.kind == "printed":
            text = quoted(break_long_words(part.text, PRINTED_WIDTH))
            lines = part.text.count("\n") + 1
            return f'#printed({lines}, raw({text}, block: true, lang: "printed"))'
        if part.kind == "table":
            rows = part.text.count("\n| ") - 1
            arguments = f"{rows}, [{caption}], [{converted.text}], {self._float_argument(part)}"
            return f"#table-of({arguments}) <{part.label}>"
        if part.kind == "listing":
            if part.is_short:  # its caption stands in a corner, and leads to nothing
                return f"#listing-in-short([{caption.rstrip(':')}], [\n{converted.text}\n])"
            return f"#listing([{caption}], [\n{converted.text}\n])"
        image = self._image(part)
        if part.kind == "figure":
            return f"#figure-of({image}, [{caption}], {self._float_argument(part)}) <{part.label}>"
        return f"#picture({image})"

    def _float_argument(self, part: Part) -> str:
        """Whether a figure or a table may go to the top or bottom of a page.

        In the homework tables stay beside the text that cites them. In the book what stands near
        the end of its section stays there, since at the bottom of a page it would come below the
        next heading; and what stands near the beginning does not go to the top of a page, where it
        would come above the heading.
        """
        if self._is_homework():
            floats = self.floats and part.kind == "figure"
        else:
            floats = self.floats and part.label not in self.standing
        if floats and part.label in self.low:
            return "float: bottom"
        return f"float: {str(floats).lower()}"

    def _image(self, part: Part) -> str:
        """The call of Typst that shows the picture of a part, no larger than the page allows."""
        part = replace(part, picture=lettered(without_heading(part.picture)))
        name = self._add_picture(part.picture, part)
        arguments = f"{quoted(name)}, alt: {quoted(part.alt)}"
        if part.picture.size is not None:
            scale = self._scale_of(part.picture)
            arguments += f", width: {scale * part.picture.size[0]:.2f}pt"
        return f"image({arguments})"

    def _scale_of(self, picture: Picture) -> float:
        """What part of its own size a picture is printed at.

        In the homework it is lower, unless that alone would make its letters too small.
        """
        if not self._is_homework():
            return printed_scale(picture, WIDEST_PICTURE, self.highest_picture)
        width, height = picture.size
        scale = min(1, WIDTH_IN_HOMEWORK / width, self.highest_picture / height)
        smallest = picture.ending == "svg" and smallest_letters(picture.content.decode())
        widest = min(1, WIDEST_PICTURE / width)
        if smallest and smallest * scale < SMALLEST <= smallest * widest:
            return SMALLEST / smallest
        return scale

    def _add_picture(self, picture: Picture, part: Part) -> str:
        """Put a picture beside the document; returns the name of its file."""
        if picture.ending == "svg":
            missing = undrawn_letters(picture.content)
            if missing:
                name = part.label or "a picture"
                raise Lost(f"{part.where}: {name} has letters that no font draws: {missing}")
        name = f"{part.label or f'picture-{len(self.files)}'}.{picture.ending}"
        self.files[name] = picture.content
        return name

    def compile(self) -> bytes:
        """The PDF. What Typst rejects or warns of raises Lost with the place it comes from."""
        text = "".join(self.texts).encode()
        try:
            pdf, warnings = typeset(self.files | {"main.typ": text}, self.fonts)
        except typst.TypstError as error:
            raise Lost(self._describe(error)) from None
        if warnings:
            raise Lost("\n".join(self._describe(warning) for warning in warnings))
        return pdf

    def _describe(self, error) -> str:
        """What Typst says, with the notebook and the cell."""
        line = re.search(r"main\.typ:(\d+)", f"{error.diagnostic}\n{error.trace}")
        missing = re.search(r'the text `"(.*?)"` could not be displayed', error.message)
        if missing and not line and self._is_in_title_block(missing[1]):
            return (
                f"report/report.toml: no font has {missing[1]}; give one that has it "
                "(font, see report.example.toml)"
            )
        message = error.message
        if missing:
            message = f"no font has {missing[1]} (U+{ord(missing[1][0]):04X})"
        if not line:
            return f"the page: {message}\n{error.diagnostic}"
        where = self.places[bisect(self.starts, int(line[1])) - 1]
        return f"{where}: {message}"

    def _is_in_title_block(self, text: str) -> bool:
        return any(text in field for field in self.about.values() if isinstance(field, str))


def _place_of_next_table(parts: list[Converted], place: int) -> int | None:
    """Where the next part that floats is, if it is a table and no section begins before it."""
    for n in range(place + 1, len(parts)):
        part = parts[n].part
        if part.kind == "markdown" and SECTION.search(part.text):
            return None
        if part.kind in ("figure", "table"):
            return n if part.kind == "table" else None
    return None


def _near_edge_of_section(parts: list[Part]) -> frozenset[str]:
    """The labels of figures and tables with little text between them and the heading before.

    With the parts in reverse, that is the heading of the section that follows.
    """
    near = set()
    letters = 0  # since the heading
    for part in parts:
        if part.kind in ("figure", "table"):
            if letters < SHORT_REST:
                near.add(part.label)
        elif part.kind == "markdown" and _begins_section(part):
            letters = 0
        else:
            letters += len(part.text)
    return frozenset(near)


def _begins_section(part: Part) -> bool:
    """Whether a heading of the highest level stands in a text."""
    return re.search(rf"^#{{1,{part.shift + 1}}} ", part.text, re.MULTILINE) is not None


def is_narrow(part: Part) -> bool:
    """Whether a part is a table that needs no more than half a page's width."""
    lines = part.text.strip().split("\n")
    return part.kind == "table" and max(len(line) for line in lines) <= NARROW_TABLE


@functools.cache
def drawable_code_points() -> set[int]:
    """The code points that the fonts of pictures have."""
    points = set()
    for file in (PICTURE_FONTS[0], *EAST_ASIAN):
        with TTFont(file) as font:
            points.update(font.getBestCmap())
    return points


def lettered(picture: Picture) -> Picture:
    """A drawing with its words in the face of the text; another picture as it is."""
    if picture.ending != "svg":
        return picture
    return replace(picture, content=in_body_face(picture.content.decode()).encode())


def undrawn_letters(document: bytes) -> str:
    """The letters in an SVG document's texts that no font of ours has.

    Typst would leave them out without a word.
    """
    letters = set()
    for element in ElementTree.fromstring(document).iter():
        if isinstance(element.tag, str) and element.tag.endswith("}text"):
            for text in element.itertext():
                letters.update(text)
    visible = (letter for letter in letters if letter > " ")
    return "".join(
        sorted(letter for letter in visible if ord(letter) not in drawable_code_points())
    )


def break_long_words(text: str, width: int) -> str:
    """A text whose words, which alone are never broken, are no longer than a line.

    Examples
    --------
    >>> break_long_words("abcdefg hi", 3)
    'abc\\ndef\\ng hi'
    """
    return re.sub(rf"\S{{{width}}}(?=\S)", lambda word: f"{word[0]}\n", text)


def quoted(text: str) -> str:
    """A Typst string.

    Examples
    --------
    >>> print(quoted('a "b"'))
    "a \\"b\\""
    """
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "", "\t": "\\t"}
    return '"' + "".join(escapes.get(letter, letter) for letter in text) + '"'
