"""Parts of the report, and the papers they cite -> Typst or HTML, by one call of pandoc.

convert.lua does it; what cannot be converted is an error. The papers stand in references.toml:
`[words](#ref-KEY)` in a notebook points to one.
"""

import json
import re
import secrets
import subprocess
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pypandoc

from report.document import UNREADABLE, Lost, Part, check_parts, number_labels
from report.pictures import Picture, UnusablePicture, read_beside
from report.title import ENGLISH, WORDS
from workbook.typography import as_printed

REFERENCES = tomllib.loads(Path(__file__).with_name("references.toml").read_text(encoding="utf-8"))
SCRIPT = Path(__file__).with_name("convert.lua")
MARKDOWN_KINDS = ("markdown", "table", "listing", "reference")  # parts whose text is Markdown
MOST_OF_A_MESSAGE = 1000  # letters of what pandoc says when it fails


def reference_parts(cited: Iterable[str]) -> list[Part]:
    """The references with these labels, by name of the first author and year."""
    cited = set(cited)
    parts = []
    for key, text in REFERENCES.items():
        label = f"ref-{key}"
        if label in cited:
            parts.append(Part("reference", text, f"references.toml, {label}", label))
    return sorted(parts, key=lambda part: _author_and_year(part.text))


def _author_and_year(text: str) -> tuple[str, str]:
    """The surname of the first author, past the initials if there are any, and the year."""
    surname = re.match(r"(?:-?[A-Z][\w-]*\.\s?)*([\w-]+)", text)
    year = re.search(r"\((\d{4})\)", text)
    return surname[1].casefold(), year[1] if year else ""


@dataclass
class Converted:
    """A part with its texts in the language of the page.

    The texts hold placeholders for the pictures beside the notebook; `with_pictures` replaces them.
    """

    part: Part
    text: str = ""
    caption: str = ""
    pictures: dict[str, Picture] = field(default_factory=dict)  # by placeholder

    def with_pictures(self, address_of: Callable[[Picture], str]) -> "Converted":
        """The same with each picture's address in place of its placeholder."""
        text = self.text
        caption = self.caption
        for placeholder, picture in self.pictures.items():
            address = address_of(picture)
            text = text.replace(placeholder, address)
            caption = caption.replace(placeholder, address)
        return Converted(self.part, text, caption)


@dataclass(frozen=True)
class Conversion:
    """All parts converted, and what is to be known of all of them."""

    parts: list[Converted]
    cited: list[str]  # the labels of papers, in order
    numbers: dict[str, str]  # of figures and tables
    sections: dict[str, str]  # {title: identifier} of the headings


def convert(
    parts: list[Part],
    to: str,
    problems: Iterable[str] = (),
    elsewhere: Iterable[str] = (),
    words: dict[str, str] = WORDS[ENGLISH],
) -> Conversion:
    """Convert parts.

    Parameters
    ----------
    parts
        The parts, in order.
    to
        "typst" or "html".
    problems
        What is known to be wrong already.
    elsewhere
        Labels that may be linked to although they are not here; of such a link only the words are
        printed.
    words
        The fixed words, as report.title has them.

    Raises
    ------
    Lost
        With all that is wrong, `problems` first.
    """
    labels = number_labels(parts, words)
    texts = [*_texts_of(parts)]
    job = {
        "cells": [cell for _, _, cell in texts],
        "to": to,
        "token": secrets.token_hex(16),
        "labels": labels,
        "references": dict.fromkeys((f"ref-{key}" for key in REFERENCES), True),
        "elsewhere": dict.fromkeys(elsewhere, True),
    }
    problems = [*problems, *check_parts(parts)]
    cited = {}
    sections: dict[str, str] = {}
    converted = [Converted(part) for part in parts]
    for (n, name, _), result in zip(texts, _run_pandoc(job), strict=True):
        where = parts[n].where
        problems += [f"{where}: {error}" for error in dict.fromkeys(result["errors"])]
        cited |= dict.fromkeys(result["cited"])
        for heading in result["headings"]:
            sections.setdefault(heading["text"], heading["id"])
        setattr(converted[n], name, result["text"])
        for shown in result["pictures"]:
            try:
                picture = read_beside(shown["address"], parts[n].folder)
            except UnusablePicture as error:
                problems.append(f"{where}: {error}")
            else:
                converted[n].pictures[shown["placeholder"]] = picture
    if problems:
        raise Lost("\n".join(dict.fromkeys(problems)))
    return Conversion(converted, list(cited), labels, sections)


def _texts_of(parts: list[Part]):
    """Yields (number of the part, field, cell for convert.lua) for each text that is Markdown."""
    for n, part in enumerate(parts):
        if part.kind in MARKDOWN_KINDS and part.text:
            about = {
                "leads": part.kind == "markdown" and _stands_still(parts[n + 1 : n + 2]),
                "follows_text": n > 0 and _ends_in_text(parts[n - 1]),
            }
            yield n, "text", _cell(part, part.text) | about
        if part.caption:
            yield n, "caption", _cell(part, part.caption, inline=True)


def _ends_in_text(part: Part) -> bool:
    """Whether the last thing of a part is a paragraph, so that the next one is indented."""
    if part.kind != "markdown":
        return False
    last_block = part.text.rstrip().split("\n\n")[-1].lstrip()
    ends_in_code = last_block.endswith("```")
    return not (ends_in_code or last_block.startswith(("#", "$$", "- ", "* ", "|", "1. ")))


def _stands_still(parts: list[Part]) -> bool:
    """Whether what comes next stands where it is, so that the text before it leads to it."""
    return any(part.kind in ("listing", "printed") for part in parts)


def _cell(part: Part, text: str, inline: bool = False) -> dict:
    """A text as convert.lua takes it. What is unreadable in it would stop pandoc, and is told."""
    return {
        "text": as_printed(UNREADABLE.sub("?", text)),
        "shift": part.shift,
        "inline": inline,
        "notebook": part.where.partition(",")[0],
    }


def _run_pandoc(job: dict) -> list[dict]:
    if not job["cells"]:
        return []
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "lua", str(SCRIPT)],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise Lost(f"pandoc failed: {done.stderr.strip()[-MOST_OF_A_MESSAGE:]}")
    return json.loads(done.stdout)
