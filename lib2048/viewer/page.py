"""A page of its own that shows a game: everything it needs stands in it."""

import json
import re
from html import escape
from pathlib import Path

from lib2048.files import replace_file

HERE = Path(__file__).parent
PLACES = re.compile("@(title|picture|state|style|script)@")


def write_page(
    path: str | Path, title: str, picture: str, state: dict, style: str, script: str
) -> None:
    """Write a page that shows a game without Python or the net.

    Parameters
    ----------
    path : str or Path
        The file to write.
    title : str
        What stands above the game.
    picture : str
        An SVG document for browsers in which no script runs.
    state : dict
        What the script finds in the page, ready for JSON.
    style, script : str
        The style sheet and the joined script.
    """
    template = (HERE / "page.html").read_text(encoding="utf-8")
    # No text in the state may end the element that holds it.
    state_text = json.dumps(state).replace("<", "\\u003c")
    parts = {
        "title": escape(str(title)),
        "picture": picture,
        "state": state_text,
        "style": style,
        "script": script,
    }
    # all at once: what is filled in may itself hold such a place
    page = PLACES.sub(lambda place: parts[place[1]], template)
    replace_file(path, page.encode())
