"""Parts of the report -> Typst or HTML, by one call of pandoc with convert.lua. What is not convertible is an error."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pypandoc

from report.document import Lost, Part, check_labels, numbers
from report.references import REFERENCES

SCRIPT = Path(__file__).with_name("convert.lua")


@dataclass(frozen=True)
class Converted:
    """A part with its texts in the language of the page."""

    part: Part
    text: str = ""  # Markdown and tables
    caption: str = ""
    pictures: tuple[str, ...] = ()  # paths that its Markdown shows
    headings: tuple[dict, ...] = ()  # level, text, id


@dataclass(frozen=True)
class Conversion:
    """All parts, and what they cite, in order."""

    parts: list[Converted]
    cited: list[str]
    numbers: dict[str, str]


def convert(parts: list[Part], to: str, problems=(), elsewhere=()) -> Conversion:
    """Convert parts to "typst" or "html". Raises Lost with all that is wrong, `problems` first.

    elsewhere: labels that may be linked to although they are not here; only the words of such a link are printed.
    """
    labels = numbers(parts)
    cells, owners = [], []
    for n, part in enumerate(parts):
        texts = {
            "text": part.text if part.kind in ("markdown", "table", "listing") else "",
            "caption": part.caption,
        }
        for field, text in texts.items():
            if text:
                cells.append({"text": text, "shift": part.shift, "inline": field == "caption"})
                owners.append((n, field))
    known = {
        "references": dict.fromkeys((f"ref-{key}" for key in REFERENCES), True),
        "labels": labels,
    }
    results = _pandoc(
        {"cells": cells, "to": to, "elsewhere": dict.fromkeys(elsewhere, True), **known}
    )
    problems, cited = [*problems, *check_labels(parts)], {}
    found = [{} for _ in parts]
    for (n, field), result in zip(owners, results, strict=True):
        problems += [f"{parts[n].where}: {error}" for error in dict.fromkeys(result["errors"])]
        cited |= dict.fromkeys(result["cited"])
        found[n][field] = result["text"]
        found[n]["pictures"] = (*found[n].get("pictures", ()), *result["images"])
        found[n]["headings"] = (*found[n].get("headings", ()), *result["headings"])
    if problems:
        raise Lost("\n".join(dict.fromkeys(problems)))
    return Conversion(
        [Converted(part, **fields) for part, fields in zip(parts, found)], list(cited), labels
    )


def _pandoc(job: dict) -> list[dict]:
    command = [pypandoc.get_pandoc_path(), "lua", str(SCRIPT)]
    done = subprocess.run(
        command, input=json.dumps(job), capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        raise Lost(f"pandoc failed: {done.stderr.strip()[-1000:]}")
    return json.loads(done.stdout) if job["cells"] else []
