"""The papers: what `[words](#ref-KEY)` in a notebook points to (references.toml)."""

import re
import tomllib
from pathlib import Path

REFERENCES = tomllib.loads(Path(__file__).with_name("references.toml").read_text(encoding="utf-8"))


def entries(cited) -> list[tuple[str, str]]:
    """(label, Markdown) of the references that are cited, by name of the first author and year."""
    found = [(f"ref-{key}", text) for key, text in REFERENCES.items() if f"ref-{key}" in cited]
    return sorted(found, key=lambda entry: _order(entry[1]))


def _order(text: str) -> tuple[str, str]:
    """The surname of the first author, past the initials, and the year."""
    surname, year = (
        re.match(r"(?:-?[A-Z][\w-]*\.\s?)+([\w-]+)", text),
        re.search(r"\((\d{4})\)", text),
    )
    return surname[1].casefold(), year[1] if year else ""
