"""The title data: report/report.toml, which is yours to write; report.example.toml shows how.

How the title looks is in page.typ for the PDF, and in html.py for the page.
"""

import re
import tomllib
from pathlib import Path

from fontTools.ttLib import TTFont, TTLibError

DEFAULTS = {
    "title": "TD(0) learning for 2048",
    "name": "",
    "number": "",
    "course": "",
    "date": "",
    "font": "",
}
FILE = "report/report.toml"
UNQUOTED = re.compile(r"^\s*(\w+)\s*=\s*([^\s\"'\[{#][^#]*?)\s*(?:#.*)?$")


def title_data(root: Path, note: str = "") -> dict[str, str]:
    """Read the fields of the title block.

    Parameters
    ----------
    root
        The checkout.
    note
        What stands on every page.

    Returns
    -------
    dict
        The fields, as in DEFAULTS where report.toml leaves them out, with the note and the name
        of the family of the font.

    Raises
    ------
    ValueError
        If report.toml is not as it should be; the message says what to write.
    """
    given = _read(root / FILE)
    unknown = sorted(given.keys() - DEFAULTS.keys())
    if unknown:
        raise ValueError(f"{FILE} has {', '.join(unknown)}; it may have {', '.join(DEFAULTS)}")
    fields = DEFAULTS | {name: _as_text(name, value) for name, value in given.items()}
    fields |= {"note": note, "family": ""}
    if fields["font"]:
        font = root / "report" / fields["font"]
        fields |= {"font": str(font), "family": _family_of(font, fields["font"])}
    return fields


def _read(path: Path) -> dict:
    """What report.toml says, nothing where there is none."""
    if not path.exists():
        return {}
    text = _decode(path.read_bytes())
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_describe(error, text)) from None


def _decode(content: bytes) -> str:
    """Text in UTF-8, with the mark that some editors put before it or without."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{FILE} is not in UTF-8 (line {line}); save it with that encoding: your editor may "
            "have written Big5, GBK or UTF-16"
        ) from None


def _describe(error: tomllib.TOMLDecodeError, text: str) -> str:
    """What is wrong, and where a text only lacks its quotes, how the line should be."""
    for number, line in enumerate(text.splitlines(), 1):
        unquoted = UNQUOTED.match(line)
        if unquoted and not _is_toml(line):
            name, value = unquoted.groups()
            value = value.strip("\"'“”「」")
            return f'{FILE}, line {number}: a text stands in quotes: {name} = "{value}"'
    return f"{FILE} cannot be read: {error}"


def _is_toml(line: str) -> bool:
    try:
        tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _as_text(name: str, value) -> str:
    if isinstance(value, list):
        several = ", ".join(str(entry) for entry in value)
        raise ValueError(f'{FILE}: {name} is one text, not a list; write {name} = "{several}"')
    if isinstance(value, dict | bool):
        raise ValueError(f'{FILE}: {name} is a text, such as {name} = "...", got {value!r}')
    return str(value)


def _family_of(font: Path, given: str) -> str:
    """What Typst calls a font."""
    try:
        with TTFont(font, fontNumber=0) as file:
            return file["name"].getBestFamilyName()
    except (OSError, TTLibError) as error:
        raise ValueError(f"{FILE} names the font {given}, which cannot be read: {error}") from None
