"""Parts of the report -> PDF (PDF/UA-1), by Typst, with no fonts but Typst's own and the one in fonts/.

The same parts give the same bytes.
"""

import functools
import json
import re
import shutil
import tempfile
import xml.etree.ElementTree as ElementTree
from bisect import bisect
from pathlib import Path

import matplotlib
import typst
from fontTools.ttLib import TTFont

from report.document import Lost, Part
from report.outputs import decoded, svg
from report.pandoc import convert
from report.references import entries

HERE = Path(__file__).parent
TIMESTAMP = 1_735_689_600  # 2025-01-01 in every PDF
# Pictures say Arial, Helvetica, DejaVu Sans: the last is matplotlib's own, on every machine the same.
DRAWN_WITH = [
    Path(matplotlib.get_data_path(), "fonts", "ttf", f"DejaVuSans{kind}.ttf")
    for kind in ("", "-Bold")
]
PRINTED = 86  # letters of printed text in a line
WIDEST, HIGHEST = (
    453.5,
    425.0,
)  # a picture, in points: the width of the text, and what leaves room for its caption
PICTURE = re.compile(r'picture\(image\("picture:([^"]*)"')


def render(
    parts: list[Part], about: dict, appendix=(), problems=(), elsewhere=(), floats: bool = True
) -> bytes:
    """The PDF of these parts and, behind the references, of the appendix. Raises Lost when anything would be lost.

    floats: figures and tables go to the top or bottom of a page, else they stay where they are.
    """
    body = convert([*parts, *appendix], "typst", problems, elsewhere)
    cited = entries(body.cited)
    listed = convert(
        [Part("markdown", text, f"references.toml, {label}") for label, text in cited], "typst"
    )
    page = Page(about, floats)
    for one in body.parts[: len(parts)]:
        page.add(one)
    if cited:
        page.line("#heading(numbering: none)[References]", "the references")
        for (label, _), one in zip(cited, listed.parts):
            page.line(f"#reference[{one.text}] <{label}>", one.part.where)
    if appendix:
        page.line("#show: appendix", "the appendix")
        for one in body.parts[len(parts) :]:
            page.add(one)
    return page.compile()


class Page:
    """A Typst document in the making: its lines, where each comes from, and the files beside it."""

    def __init__(self, about: dict, floats: bool):
        self.about, self.float = about, f", float: {str(floats).lower()}"
        self.files = {
            "about.json": json.dumps(about).encode(),
            "page.typ": (HERE / "page.typ").read_bytes(),
        }
        self.lines, self.starts, self.places = [], [], []
        self.fonts = [
            HERE / "fonts" / "names.otf",
            *DRAWN_WITH,
            *([Path(about["font"])] if about["font"] else []),
        ]
        self.line('#import "page.typ": *', "the page")
        self.line('#show: report.with(json("about.json"))', "the page")

    def line(self, text: str, where: str) -> None:
        """Add text, of any number of lines, that comes from `where`."""
        self.starts.append(len(self.lines) + 1)
        self.places.append(where)
        self.lines += [*text.split("\n"), ""]

    def file(self, name: str, content: bytes) -> str:
        """Put a file beside the document; returns its name."""
        self.files[name] = content
        return name

    def add(self, one) -> None:
        """Add a converted part."""
        part = one.part
        if part.kind == "markdown":
            text = PICTURE.sub(
                lambda found: f'picture(image("{self._beside(found[1], part)}"', one.text
            )
            self.line(text, part.where)
        elif part.kind == "printed":
            text = quoted(hard_wrapped(part.text, PRINTED))
            self.line(f'#printed(raw({text}, block: true, lang: "printed"))', part.where)
        elif part.kind == "table":
            rows = part.text.count("\n| ") - 1
            self.line(
                f"#table-of({rows}, [{one.caption}], [{one.text}]{self.float}) <{part.label}>",
                part.where,
            )
        elif part.kind == "listing":
            self.line(f"#listing([{one.caption}], [\n{one.text}\n])", part.where)
        else:
            ending, content = decoded(part.text)
            if ending == "svg" and (missing := undrawn(part.text)):
                raise Lost(f"{part.where}: {part.label} has letters that no font draws: {missing}")
            name = self.file(f"{part.label or f'picture-{len(self.files)}'}.{ending}", content)
            picture = image(name, part.alt, part.size)
            if part.kind == "figure":
                self.line(
                    f"#figure-of({picture}, [{one.caption}]{self.float}) <{part.label}>", part.where
                )
            else:
                self.line(f"#picture({picture})", part.where)

    def _beside(self, path: str, part: Part) -> str:
        """The name of a picture that a notebook has beside it."""
        file = Path(part.folder) / path
        if not file.is_file():
            raise Lost(f"{part.where}: there is no picture {path}")
        if file.suffix.lower() == ".svg":
            text = file.read_text(encoding="utf-8")
            if lost := svg(text)[1] or undrawn(text):
                raise Lost(f"{part.where}: {path}: {lost}")
        return self.file(f"picture-{len(self.files)}{file.suffix.lower()}", file.read_bytes())

    def compile(self) -> bytes:
        """The PDF. What Typst rejects or warns of raises Lost with the place it comes from."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in self.files.items():
                (Path(folder) / name).write_bytes(content)
            main = Path(folder) / "main.typ"
            main.write_text("\n".join(self.lines), encoding="utf-8")
            for file in self.fonts:
                shutil.copy(file, folder)
            fonts = typst.Fonts(
                include_system_fonts=False, include_embedded_fonts=True, font_paths=[folder]
            )
            compiler = typst.Compiler(str(main), root=folder, font_paths=fonts)
            try:
                pdf, warnings = compiler.compile_with_warnings(
                    format="pdf", pdf_standards=["ua-1"], timestamp=TIMESTAMP
                )
            except typst.TypstError as error:
                raise Lost(self._told(error)) from None
            if warnings:
                raise Lost("\n".join(self._told(warning) for warning in warnings))
            return pdf

    def _told(self, error) -> str:
        """What Typst says, with the notebook and the cell."""
        found = re.search(r"main\.typ:(\d+)", f"{error.diagnostic}\n{error.trace}")
        missing = re.search(r'the text `"(.*?)"` could not be displayed', error.message)
        if missing and not found and any(missing[1] in text for text in self.about.values()):
            return f"report/report.toml: no font has {missing[1]}; give one that has it (font, see report.example.toml)"
        where = self.places[bisect(self.starts, int(found[1])) - 1] if found else "the page"
        message = (
            f"no font has {missing[1]} (U+{ord(missing[1][0]):04X})" if missing else error.message
        )
        return f"{where}: {message}" + ("" if found else f"\n{error.diagnostic}")


@functools.cache
def drawable() -> set[int]:
    """The code points that the font of pictures has."""
    with TTFont(DRAWN_WITH[0]) as font:
        return set(font.getBestCmap())


def undrawn(document: str) -> str:
    """The letters in an SVG document's texts that no font of ours has; Typst would leave them out without a word."""
    nodes = (node for node in ElementTree.fromstring(document).iter() if node.tag.endswith("}text"))
    letters = {letter for node in nodes for text in node.itertext() for letter in text}
    return "".join(
        sorted(letter for letter in letters if letter > " " and ord(letter) not in drawable())
    )


def hard_wrapped(text: str, width: int) -> str:
    """A text whose words, which alone are never broken, are no longer than a line."""
    return re.sub(rf"\S{{{width}}}(?=\S)", lambda word: f"{word[0]}\n", text)


def image(name: str, alt: str, size: tuple[float, float] | None) -> str:
    """The call of Typst that shows a picture: at its natural size, or smaller where that is too wide or too high."""
    scale = min(1, WIDEST / size[0], HIGHEST / size[1]) if size else 1
    width = f", width: {scale * size[0]:.2f}pt" if size else ""
    return f"image({quoted(name)}, alt: {quoted(alt)}{width})"


def quoted(text: str) -> str:
    """A Typst string."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "", "\t": "\\t"}
    return '"' + "".join(escapes.get(letter, letter) for letter in text) + '"'
