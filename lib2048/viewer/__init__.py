"""The board viewer: a widget for notebooks and pages of its own.

viewer.py is the widget's Python side, widget.py what it has in common with the second game's; the
browser's side is script/ (view.js puts it together) and style/, which joining.py makes one text of.
page.py writes a page of its own, and `python -m lib2048.viewer` (__main__.py) does so from the
command line. playing.py writes a page with a network in it, which plays by itself. Where no
JavaScript runs, a picture stands in the widget's place (png.py).

`watch` needs the packages of lib2048[viewer], so it is imported only when it is asked for; pages
that play need no more than the library does.
"""

from typing import TYPE_CHECKING

from lib2048.viewer.playing import playing_page

if TYPE_CHECKING:
    from lib2048.viewer.viewer import watch

__all__ = ["playing_page", "watch"]


def __getattr__(name: str):
    """`watch`, with the widgets."""
    if name == "watch":
        from lib2048.viewer.viewer import watch

        return watch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
