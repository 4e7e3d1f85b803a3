"""A widget with a picture of itself, for every place where no widget lives.

That is a page made of a notebook, a notebook that is opened again, one that is not trusted, and
paper. Whatever shows a drawing of ours in a notebook is such a widget.
"""

import base64
import os
from pathlib import Path

import anywidget
from IPython.display import display

from lib2048.viewer.page import write_page
from lib2048.viewer.png import board_png

WIDGET = "application/vnd.jupyter.widget-view+json"
MARK = "lib2048"  # in the metadata of an output: what those who keep outputs should know
PAGE = "application/vnd.lib2048.page+json"  # beside a picture: what brings it to life on a page
PAGES_WANTED = "LIB2048_PAGES"  # the environment variable that asks for it, by being 1
STILL = "v2048-still"  # the class of the picture, by which style sheets know it
REOPENED = "v2048-reopened"  # the class of the output that holds but this style sheet:
REOPENED_STYLE = f"""<style class="{REOPENED}">
/* no widget is in its place, but a word about that; below it stands the picture, then this */
.jp-OutputArea-child:has(+ .jp-OutputArea-child + .jp-OutputArea-child .{REOPENED})
  > .jp-OutputArea-output.lm-Panel:not(:has(*)),
.jp-OutputArea-child:has(> .jp-OutputArea-output.jupyter-widgets):has(
  + .jp-OutputArea-child + .jp-OutputArea-child .{REOPENED}),
.jp-OutputArea-child:has(.{REOPENED}) {{
  display: none;
}}
</style>"""


def _marked(svg: str) -> str:
    """A picture with the class that tells it from others."""
    return svg.replace("<svg ", f'<svg class="{STILL}" ', 1)


class StillWidget(anywidget.AnyWidget):
    """A widget that leaves a picture behind.

    A subclass has, besides `_esm` and `_css`:

    - `svg()`, a picture of what it shows, and `words`, the same in a line;
    - `PAGE_STATE` (the traits that a page needs on which there is no Python) and `PAGE_SCRIPT` (the
      script of a page of its own).
    """

    PAGE_STATE: tuple[str, ...] = ()
    PAGE_SCRIPT = ""

    def close(self) -> None:
        """Stop everything: the view leaves the notebook. The picture stays."""
        super().close()
        self.__dict__.pop("_repr_mimebundle_", None)  # with which ipywidgets hides ours

    def svg(self) -> str:
        """What the widget shows, as an SVG document."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """The same in a line."""
        raise NotImplementedError

    def _png(self, svg: str) -> bytes:
        """The picture as a PNG image."""
        return board_png(svg)

    def _picture(self) -> dict:
        """The picture by its types, for what shows no widgets.

        JupyterLab shows no SVG of a notebook that it does not trust, so there is a PNG as well.
        """
        svg = self.svg()
        png = base64.b64encode(self._png(svg)).decode()
        return {"image/svg+xml": _marked(svg), "image/png": png, "text/plain": self.words}

    def _for_page(self) -> dict:
        """What a page made of the notebook needs to bring the picture to life, where one is made.

        It is as large as the game that is shown, so notebooks are kept without it.
        """
        if os.environ.get(PAGES_WANTED) != "1":
            return {}
        kind = f"{type(self).__module__}.{type(self).__qualname__}"
        return {PAGE: {"kind": kind, "state": self._page_state()}}

    def _about_picture(self) -> dict:
        """What those who keep outputs should know of the picture, as metadata of its output."""
        return {}

    def _live(self) -> dict:
        """The widget by its type; nothing once it is closed."""
        if self.comm is None:
            return {}
        about = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        return {WIDGET: about, "text/plain": self.words}

    def _repr_mimebundle_(self, **_):
        """The widget for a live notebook, and a picture for everything else."""
        return self._live() | self._picture()

    def _ipython_display_(self) -> None:
        """Show the widget, and after it the picture, as two outputs of a cell.

        As long as the widget lives, its style sheet hides the picture (see frame.css). A notebook
        that is opened again has no widget any more, and JupyterLab puts an error in the place of
        the whole output, pictures and all: then the second output is there to be seen. A third one
        is a style sheet that stays in the notebook, and hides the error above the picture.
        """
        live = self._live()
        if live:
            display(live, raw=True, metadata={MARK: {"picture follows": True}})
        self._show_picture()
        if live:
            display({"text/html": REOPENED_STYLE}, raw=True, metadata={MARK: {"reopened": True}})

    def _show_picture(self) -> None:
        display(self._picture() | self._for_page(), raw=True, metadata=self._about_picture())

    def _page_state(self) -> dict:
        """What a page of its own needs to know, ready for JSON."""
        return {name: getattr(self, name) for name in self.PAGE_STATE}

    def _write_page(self, path: str | Path, title: str) -> None:
        write_page(path, title, self.svg(), self._page_state(), str(self._css), self.PAGE_SCRIPT)
