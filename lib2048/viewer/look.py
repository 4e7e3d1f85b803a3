"""What the browser's side of the viewer is made of and drawn with. Nothing here needs widgets."""

from pathlib import Path

import numpy as np

from lib2048.board import from_array, symmetries, to_array
from lib2048.draw import CELL, EDGE, FRAME, GAP, TILES, ink

HERE = Path(__file__).parent
SCRIPT = HERE / "script"
STYLES = (
    "frame",
    "controls",
    "board",
    "bars",
    "lens",
    "graph",
    "own",
    "desk",
    "page",
    "play",
)
SPEEDS = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)


def _seen_cells() -> list[list[int]]:
    """Of each of the 8 images of a board: the cell of the board that its cells 0 to 15 show."""
    numbered = from_array(np.arange(16).reshape(4, 4))
    return [to_array(image).ravel().tolist() for image in symmetries(numbered)]


LOOK = {
    "tiles": TILES,
    "inks": [ink(colour) for colour in TILES],
    "frame": FRAME,
    "cell": CELL,
    "gap": GAP,
    "edge": EDGE,
    "speeds": SPEEDS,
    "places": _seen_cells(),
}


def shared_style() -> str:
    """The style sheet of both viewers."""
    return "\n".join(
        (HERE / "style" / f"{topic}.css").read_text(encoding="utf-8") for topic in STYLES
    )
