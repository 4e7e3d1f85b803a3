"""What the widgets of the workbook have in common: their base, their style, how they are joined.

A widget is a class here in Python and a script in script/, which may be several modules (see
lib2048/viewer/joining.py) and may use those of the viewer:

    class Bench(PicturedWidget):
        _esm = script("bench")          # script/bench.js, which exports `render`
        _css = style("bench")           # the viewer's style, style.css, and bench.css

Its outermost element has the classes "v2048" (the viewer's colours, light and dark, and controls)
and "workbook-widget" (see style.css).
"""

import base64
from pathlib import Path

import anywidget
from IPython.display import display

from lib2048.viewer.joining import joined
from lib2048.viewer.png import board_png
from lib2048.viewer.widget import MARK, WIDGET, shared_style

HERE = Path(__file__).parent


def script(name: str) -> str:
    """The script of a widget: script/NAME.js and all it imports, as one text."""
    return joined(HERE / "script" / f"{name}.js")


def style(*topics: str) -> str:
    """A style sheet: the viewer's, what all widgets here share, and some topics of their own."""
    own = [HERE / f"{topic}.css" for topic in ("style", *topics)]
    return "\n".join([shared_style(), *(path.read_text(encoding="utf-8") for path in own)])


class StillWidget(anywidget.AnyWidget):
    """A widget with a second output that stands in its place wherever no widget lives.

    The second output is hidden by the style sheet while the widget lives (style.css). A notebook
    that is opened again has no widget any more, nor has an export: there it is all there is.
    """

    def _still(self) -> tuple[dict, dict]:
        """The second output: its data by type, and its metadata."""
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        still, metadata = self._still()
        if self.comm is not None:
            about = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
            live = {WIDGET: about, "text/plain": still["text/plain"]}
            display(live, raw=True, metadata={MARK: {"picture follows": True}})
        display(still, raw=True, metadata=metadata)

    def _repr_mimebundle_(self, **_):
        return self._still()

    def close(self) -> None:
        """The view leaves the notebook; what stands in its place stays."""
        super().close()
        self.__dict__.pop("_repr_mimebundle_", None)  # with which ipywidgets hides ours


class PicturedWidget(StillWidget):
    """A widget with a picture in its place: `svg()` draws it, `words` says what it shows."""

    def svg(self) -> str:
        """A picture of what is shown, as an SVG document."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """What is shown, in a line."""
        raise NotImplementedError

    def _png(self, svg: str) -> bytes:
        """The picture for JupyterLab, which shows no SVG of a notebook that it does not trust."""
        return board_png(svg)

    def _still(self) -> tuple[dict, dict]:
        svg = self.svg()
        png = base64.b64encode(self._png(svg)).decode()
        return {"image/svg+xml": svg, "image/png": png, "text/plain": self.words}, {}
