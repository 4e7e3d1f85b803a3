"""Widgets on a page without Python: their scripts, and their states in the page.

A widget's script wants a model, which Jupyter makes elsewhere. Here script/widgets.js makes one
that answers from what the page holds. Scripts of pages that are opened from a disk cannot be
modules, so each kind of widget becomes a script that enters what it exports into `site2048.kinds`.
"""

import importlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

from lib2048.viewer.joining import joined

HERE = Path(__file__).parent
STYLE = HERE / "live.css"
EXPORT = re.compile(r"^export default (\S+);\s*\Z", re.MULTILINE)
ROOMS = ("lib2048.", "libewn.", "workbook.")  # where widgets come from
ENDING_A_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)


def slug(kind: str) -> str:
    """A kind of widget, as its files are called.

    Examples
    --------
    >>> slug("workbook.predict.widget.Prediction")
    'workbook-predict-widget-prediction'
    """
    return kind.replace(".", "-").lower()


def place(widget: dict, still: str) -> str:
    """Where a widget is to live; until its script has run, and on paper, its picture stands there.

    The widget is its kind and its state, as `notebook_tools.tidy.page_states` gives them; the
    picture is HTML.
    """
    # so that no text of it ends the element
    state = json.dumps(widget["state"], separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="site-live" data-kind="{slug(widget["kind"])}">'
        f'<div class="site-still">{still}</div>'
        f'<script type="application/json">{state}</script></div>'
    )


def script_and_style(kind: str) -> tuple[str, str]:
    """The script and the style sheet of a kind of widget, which must be one of this project."""
    room, _, name = kind.rpartition(".")
    if not kind.startswith(ROOMS):
        raise ValueError(f"no widget of this project: {kind}")
    widget = getattr(importlib.import_module(room), name, None)
    if widget is None:
        raise ValueError(f"{room} has no widget {name}; make notebooks runs it anew")
    script = classic_script(str(widget._esm), f'site2048.kinds["{slug(kind)}"]')
    return script, str(widget._css)


def classic_script(module: str, target: str) -> str:
    """A joined module as a script that is no module: what it exports goes to a target.

    Examples
    --------
    >>> print(classic_script("const it = 1;\\nexport default it;\\n", "window.it"))
    (() => {
    const it = 1;
    window.it = it;
    })();
    """
    body, count = EXPORT.subn(rf"{target} = \1;", module)
    if count != 1:
        raise ValueError("a widget's script ends with one export")
    return f"(() => {{\n{body.strip()}\n}})();"


def inside_a_page(kinds: Iterable[str]) -> tuple[list[str], str]:
    """What a page holds that brings widgets of these kinds to life all by itself.

    Returns the scripts in the order in which they run, and the style sheet; nothing without
    widgets.
    """
    pairs = [script_and_style(kind) for kind in sorted(kinds)]
    if not pairs:
        return [], ""
    own_script = f"(() => {{\n{joined(HERE / 'script' / 'book.js')}\n}})();"
    own_style = STYLE.read_text(encoding="utf-8")
    scripts = [own_script, *(script for script, _ in pairs)]
    if any(ENDING_A_SCRIPT.search(script) for script in scripts):
        raise ValueError("a widget's script holds what would end its element in the page")
    return scripts, "\n".join([*(style for _, style in pairs), own_style])
