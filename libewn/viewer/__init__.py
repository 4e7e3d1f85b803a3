"""The game viewer: a widget for notebooks and a page of its own, on the pieces of the 2048 viewer.

viewer.py is the widget's Python side, recording.py plays a game and notes what was thought of every
position; the browser's side is script/ (view.js puts it together) and style/.
"""

from libewn.viewer.viewer import watch

__all__ = ["watch"]
