"""A widget of the workbook: small, made once by Python, and alive without it.

Everything a widget shows goes to the browser once, as its `state`. So it works while Python is
busy, after the kernel has gone, and on a page of its own (`save_html`). Where no script runs, its
picture stands in its place.
"""

import json
import re
from pathlib import Path

import numpy as np
import traitlets

from lib2048.viewer.joining import joined
from lib2048.viewer.still import StillWidget
from lib2048.viewer.viewer import LOOK
from lib2048.viewer.widget import HERE as VIEWER

HERE = Path(__file__).parent
ROOT_CLASS = "w2048"
VIEWER_CLASS = re.compile(r"\.v2048(?![\w-])")
BORROWED = ("frame", "controls", "board", "page")  # style sheets of the viewer


def widget_style(*more: Path) -> str:
    """The style sheet of a widget.

    The viewer's rules are taken over under another class, so that a viewer and a widget in one
    notebook do not meddle with each other.

    Parameters
    ----------
    *more : Path
        Style sheets of this widget alone.

    Returns
    -------
    str
        The style sheet.

    Examples
    --------
    >>> ".w2048 button" in widget_style(), ".v2048 button" in widget_style()
    (True, False)
    """
    borrowed = "\n".join(
        (VIEWER / "style" / f"{topic}.css").read_text(encoding="utf-8") for topic in BORROWED
    )
    own = [HERE / "style" / "widget.css", *more]
    return "\n".join(
        [
            VIEWER_CLASS.sub(f".{ROOT_CLASS}", borrowed),
            *(path.read_text(encoding="utf-8") for path in own),
        ]
    )


def plain(thing):
    """Numbers, lists and dicts as JSON holds them; what is not a finite number becomes None.

    Examples
    --------
    >>> plain({"values": np.array([1.5, np.nan]), "moves": np.int64(3)})
    {'values': [1.5, None], 'moves': 3}
    """
    if isinstance(thing, dict):
        return {str(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple | np.ndarray):
        return [plain(value) for value in thing]
    if isinstance(thing, np.generic):
        thing = thing.item()
    if isinstance(thing, float) and not np.isfinite(thing):
        return None
    return thing


class WorkbookWidget(StillWidget):
    """A widget whose state goes to the browser once.

    A subclass sets `_esm` and `_css`, and `PAGE_SCRIPT` where it can stand on a page of its own;
    it has `svg()` and `words`.

    Parameters
    ----------
    state : dict
        All that the script needs, ready for `plain`.
    """

    PAGE_STATE = ("look", "state")

    look = traitlets.Dict(LOOK).tag(sync=True)  # colours and measures of boards
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, state: dict):
        super().__init__(state=plain(state))

    def save_html(self, path: str | Path, title: str) -> None:
        """Write a page that shows the widget without Python.

        Parameters
        ----------
        path : str or Path
            The file to write.
        title : str
            What stands above it.

        Raises
        ------
        ValueError
            If this kind of widget cannot stand alone.
        """
        if not self.PAGE_SCRIPT:
            raise ValueError(f"{type(self).__name__} has no page of its own")
        json.dumps(self.state, allow_nan=False)
        self._write_page(path, title)


def page_script(entry: Path) -> str:
    """The script of a page of its own, from the module that draws the widget.

    Parameters
    ----------
    entry : Path
        The module, which exports `render`. Beside it or in another folder, a module of the same
        name that ends in "_page" calls it.

    Returns
    -------
    str
        The joined script.
    """
    return joined(entry.with_name(f"{entry.stem}_page.js"))
