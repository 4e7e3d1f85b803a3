"""The title data: report/report.toml, which is yours to write; report.example.toml shows how."""

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


def title_data(root: Path, note: str = "") -> dict:
    """The fields of the title block; what report.toml leaves out is as in DEFAULTS. note: stands on every page."""
    path = root / "report" / "report.toml"
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"report/report.toml cannot be read: {error}") from None
    if unknown := given.keys() - DEFAULTS.keys():
        raise ValueError(
            f"report/report.toml has {', '.join(sorted(unknown))}; it may have {', '.join(DEFAULTS)}"
        )
    about = (
        DEFAULTS | {key: str(value) for key, value in given.items()} | {"note": note, "family": ""}
    )
    if about["font"]:
        file = root / "report" / about["font"]
        try:
            with TTFont(file, fontNumber=0) as font:
                about |= {"font": str(file), "family": font["name"].getBestFamilyName()}
        except (OSError, TTLibError) as error:
            told = (
                f"report/report.toml names the font {about['font']}, which cannot be read: {error}"
            )
            raise ValueError(told) from None
    return about
