"""The papers: what `[words](#ref-KEY)` in a notebook points to (references.toml)."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from report.document import Part

REFERENCES = tomllib.loads(Path(__file__).with_name("references.toml").read_text(encoding="utf-8"))


def reference_parts(cited: Iterable[str]) -> list[Part]:
    """The references with these labels, by name of the first author and year."""
    parts = []
    for key, text in REFERENCES.items():
        label = f"ref-{key}"
        if label in cited:
            parts.append(Part("reference", text, f"references.toml, {label}", label))
    return sorted(parts, key=lambda part: _author_and_year(part.text))


def _author_and_year(text: str) -> tuple[str, str]:
    """The surname of the first author, past the initials, and the year."""
    surname = re.match(r"(?:-?[A-Z][\w-]*\.\s?)+([\w-]+)", text)
    year = re.search(r"\((\d{4})\)", text)
    return surname[1].casefold(), year[1] if year else ""
