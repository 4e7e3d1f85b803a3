"""The board viewer: a widget for notebooks and a page of its own.

viewer.py is the widget's Python side, widget.py what it has in common with the second game's; the
browser's side is script/ (view.js puts it together) and style/, which joining.py makes one text of.
page.py writes a page of its own, and `python -m lib2048.viewer` (__main__.py) does so from the
command line. Where no JavaScript runs, a picture stands in its place (png.py).
"""

from lib2048.viewer.viewer import watch

__all__ = ["watch"]
