"""The papers: what `[words](#ref-KEY)` in a notebook points to (references.toml)."""

import tomllib
from pathlib import Path

REFERENCES = tomllib.loads(Path(__file__).with_name("references.toml").read_text(encoding="utf-8"))


def entries(cited) -> list[tuple[str, str]]:
    """(label, Markdown) of the references that are cited, by name of the first author and year."""
    return [(f"ref-{key}", text) for key, text in sorted(REFERENCES.items()) if f"ref-{key}" in cited]
