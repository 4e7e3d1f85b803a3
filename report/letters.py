"""Setting pages by Typst: its fonts, and the letters that none of them has.

Typst leaves out a letter that no font has, or stops at the very end. So letters are looked at
before anything is computed: a page with each of them on it takes a twentieth of a second.
"""

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import typst

from notebook_tools.cells import tags_of
from notebook_tools.files import passing_folder, read
from report.document import SOURCE_TAG, is_chosen
from workbook.fonts import EAST_ASIAN, EAST_ASIAN_FAMILY

# Every list of fonts in page.typ holds these families, and then the reader's own.
FAMILIES = (
    "Libertinus Serif",
    "New Computer Modern Math",
    EAST_ASIAN_FAMILY,
    "DejaVu Sans Mono",
)
EXERCISE_TAG = "exercise"  # of cells with an answer, which the report prints where it is right
TIMESTAMP = 1_735_689_600  # 2025-01-01 in every PDF
NOT_DISPLAYED = re.compile(r'the text `"(.*?)"` could not be displayed')
HELP = (
    "Write it another way, or give the report a font that has it (font in report/report.toml, "
    "see report.example.toml)."
)


def font_files(own: str = "") -> list[Path]:
    """The font files that Typst is given beside its own; the reader's own is one of them."""
    files = list(EAST_ASIAN)
    if own:
        files.append(Path(own))
    return files


def unusual(text: str) -> set[str]:
    """The letters of a text that not every font has.

    Examples
    --------
    >>> sorted(unusual("a = α + 1"))
    ['α']
    """
    return {letter for letter in text if letter > "~" and letter.isprintable()}


def undrawable(letters: Iterable[str], own: str = "", family: str = "") -> set[str]:
    """The letters that no font has, the reader's own (its path and its family) included."""
    letters = sorted(set(letters))
    if not letters:
        return set()
    families = [*FAMILIES, family] if family else FAMILIES
    named = ", ".join(f'"{name}"' for name in families)
    lines = [
        '#set document(title: "letters")',
        f"#set text(font: ({named}), fallback: false)",
        *(f'#"\\u{{{ord(letter):x}}}"\n' for letter in letters),
    ]
    try:
        typeset({"main.typ": "\n".join(lines).encode()}, font_files(own))
    except typst.TypstError as error:
        return set(NOT_DISPLAYED.findall(f"{error.message}\n{error.diagnostic}"))
    return set()


def typeset(files: dict[str, bytes], fonts: Iterable[Path]) -> tuple[bytes, list]:
    """Set a document as a PDF (PDF/UA-1), with these fonts and Typst's own, not the system's.

    Files are main.typ and what it reads, by name. Returns the PDF, which is the same each time, and
    what Typst warns of; typst.TypstError tells what it rejects.
    """
    with passing_folder() as folder:
        for name, content in files.items():
            (folder / name).write_bytes(content)
        for font in fonts:
            shutil.copy(font, folder)
        known_fonts = typst.Fonts(
            include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(folder)]
        )
        # Typst reads nothing outside its root.
        compiler = typst.Compiler(
            str(folder / "main.typ"), root=str(folder), font_paths=known_fonts
        )
        return compiler.compile_with_warnings(
            format="pdf", pdf_standards=["ua-1"], timestamp=TIMESTAMP
        )


def texts_of(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """What the report may print of notebooks that have not run: (place, text), cell by cell."""
    for path in paths:
        for number, cell in enumerate(read(path).cells, 1):
            if is_chosen(cell) or {EXERCISE_TAG, SOURCE_TAG} & set(tags_of(cell)):
                yield f"{path.name}, cell {number}", cell.source


def check(texts: Iterable[tuple[str, str]], own: str = "", family: str = "") -> None:
    """Make sure that fonts have all letters of (place, text) pairs.

    The ValueError names each place that holds a letter which no font has.
    """
    letters_at = {where: unusual(text) for where, text in texts}
    missing = undrawable(set().union(*letters_at.values()), own, family)
    problems = []
    for where, letters in letters_at.items():
        here = sorted(letters & missing)
        if here:
            told = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in here)
            problems.append(f"{where}: no font has {told}")
    if problems:
        raise ValueError("\n".join([*problems, HELP]))
