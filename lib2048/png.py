"""Pictures of boards as PNG, for what shows no SVG.

That is LaTeX, and JupyterLab as long as it does not trust a notebook. No library that turns SVG
into PNG is light enough to depend on for that, and the drawings of both games use little of SVG:
squares, lines, triangles and numbers. Matplotlib draws these.
"""

import io
import re
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, Polygon
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Affine2D

POINTS_PER_INCH = 72
NUMBER = re.compile(r"-?\d+\.?\d*")


class Place(NamedTuple):
    """Where a part of the drawing lies in the whole, and how much larger it is drawn there."""

    x: float = 0
    y: float = 0
    scale: float = 1

    def point(self, x, y) -> np.ndarray:
        """A point of the part, in the whole."""
        return np.array([self.x + self.scale * float(x), self.y + self.scale * float(y)])

    def length(self, length) -> float:
        """A length of the part, in the whole."""
        return self.scale * float(length)


def board_png(svg: str, scale: float = 1) -> bytes:
    """Turn a drawing of boards into a PNG image.

    Parameters
    ----------
    svg : str
        A document that a draw module of this project made.
    scale : float
        How many times its own size in pixels the image is.

    Returns
    -------
    bytes
        The content of a PNG file, with a transparent ground.
    """
    root = ElementTree.fromstring(svg)
    width, height = _extent(root)
    figure = Figure(
        (width / POINTS_PER_INCH, height / POINTS_PER_INCH),  # so that a unit is a point
        dpi=POINTS_PER_INCH * scale * float(root.get("width")) / width,
    )
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    _draw_children(axes, root, Place())
    file = io.BytesIO()
    figure.savefig(file, format="png", transparent=True, metadata={"Software": None})
    return file.getvalue()


def _extent(node: ElementTree.Element) -> tuple[float, float]:
    """Width and height of a drawing in its own units."""
    _, _, width, height = node.get("viewBox").split()
    return float(width), float(height)


def _draw_children(axes: Axes, parent: ElementTree.Element, place: Place) -> None:
    for node in parent:
        kind = node.tag.rpartition("}")[2]  # without the namespace
        draw = DRAWN.get(kind)
        if draw is not None:
            draw(axes, node, place)


def _draw_group(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    x, y = place.point(*_numbers(node.get("transform", "0 0")))
    _draw_children(axes, node, Place(x, y, place.scale))


def _draw_nested(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    """A drawing in the drawing, with units of its own."""
    width, _ = _extent(node)
    x, y = place.point(node.get("x", 0), node.get("y", 0))
    _draw_children(axes, node, Place(x, y, place.length(node.get("width")) / width))


def _draw_rect(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    radius = place.length(node.get("rx", 0))
    box = FancyBboxPatch(
        place.point(node.get("x", 0), node.get("y", 0)),
        place.length(node.get("width")),
        place.length(node.get("height")),
        boxstyle=f"round,pad=0,rounding_size={radius}",
        facecolor=node.get("fill"),
    )
    edge = to_rgba(node.get("stroke", "none"), float(node.get("stroke-opacity", 1)))
    box.set_edgecolor(edge)
    box.set_linewidth(_line_width(node, place))
    box.set_linestyle(":" if "stroke-dasharray" in node.attrib else "-")
    axes.add_patch(box)


def _draw_path(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    """A path of straight lines, perhaps turned around a point."""
    corners = _numbers(node.get("d")).reshape(-1, 2)
    if "transform" in node.attrib:
        angle, *middle = _numbers(node.get("transform"))
        corners = Affine2D().rotate_deg_around(*middle, angle).transform(corners)
    points = [place.point(x, y) for x, y in corners]
    axes.add_patch(Polygon(points, color=node.get("fill")))


def _draw_line(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    start = place.point(node.get("x1"), node.get("y1"))
    end = place.point(node.get("x2"), node.get("y2"))
    xs, ys = zip(start, end, strict=True)
    width = _line_width(node, place)
    colour = node.get("stroke")
    axes.add_line(Line2D(xs, ys, color=colour, linewidth=width, solid_capstyle="butt"))


def _draw_text(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    if not node.text:
        return
    x, y = place.point(node.get("x", 0), node.get("y", 0))
    text = axes.text(
        x,
        y,
        node.text,
        size=place.length(node.get("font-size")),
        weight=node.get("font-weight"),
        color=node.get("fill"),
        horizontalalignment="center",
    )
    if "stroke" in node.attrib:
        rim = withStroke(linewidth=_line_width(node, place), foreground=node.get("stroke"))
        text.set_path_effects([rim])


def _line_width(node: ElementTree.Element, place: Place) -> float:
    """The width of a line; 1 where a stroke says nothing of it, 0 without a stroke."""
    return place.length(node.get("stroke-width", 1 if "stroke" in node.attrib else 0))


def _numbers(text: str) -> np.ndarray:
    return np.array(NUMBER.findall(text), float)


DRAWN = {
    "g": _draw_group,
    "svg": _draw_nested,
    "rect": _draw_rect,
    "path": _draw_path,
    "line": _draw_line,
    "text": _draw_text,
}
