"""Parts of the report -> Typst or HTML, by one call of pandoc with convert.lua.

What cannot be converted is an error.
"""

import json
import secrets
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pypandoc

from report.document import UNREADABLE, Lost, Part, check_parts, number_labels
from report.pictures import Picture, UnusablePicture, read_beside
from report.references import REFERENCES
from report.words import ENGLISH, WORDS

SCRIPT = Path(__file__).with_name("convert.lua")
MARKDOWN_KINDS = ("markdown", "table", "listing", "reference")  # parts whose text is Markdown
MOST_OF_A_MESSAGE = 1000  # letters of what pandoc says when it fails


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
    """All parts converted, the labels of what they cite in order, and the numbers of figures."""

    parts: list[Converted]
    cited: list[str]
    numbers: dict[str, str]


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
        The fixed words, as report.words has them.

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
    converted = [Converted(part) for part in parts]
    for (n, name, _), result in zip(texts, _run_pandoc(job), strict=True):
        where = parts[n].where
        problems += [f"{where}: {error}" for error in dict.fromkeys(result["errors"])]
        cited |= dict.fromkeys(result["cited"])
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
    return Conversion(converted, list(cited), labels)


def _texts_of(parts: list[Part]):
    """Yields (number of the part, field, cell for convert.lua) for each text that is Markdown."""
    for n, part in enumerate(parts):
        if part.kind in MARKDOWN_KINDS and part.text:
            yield n, "text", _cell(part.text, part.shift, inline=False)
        if part.caption:
            yield n, "caption", _cell(part.caption, part.shift, inline=True)


def _cell(text: str, shift: int, inline: bool) -> dict:
    """A text as convert.lua takes it. What is unreadable in it would stop pandoc, and is told."""
    return {"text": UNREADABLE.sub("?", text), "shift": shift, "inline": inline}


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
