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
ALIGNED = {"start": "left", "middle": "center", "end": "right"}


class Place(NamedTuple):
    """Where a part of the drawing lies in the whole, and how much larger it is drawn there."""

    x: float = 0
    y: float = 0
    scale: float = 1

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the part, in the whole."""
        return self.x + self.scale * x, self.y + self.scale * y


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
        dpi=POINTS_PER_INCH * scale * _number(root, "width") / width,
    )
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    _draw_children(axes, root, Place())
    file = io.BytesIO()
    figure.savefig(file, format="png", transparent=True, metadata={"Software": None})
    return file.getvalue()


def _number(node: ElementTree.Element, name: str, default: float = 0) -> float:
    """An attribute as a number."""
    return float(node.get(name, default))


def _numbers(node: ElementTree.Element, name: str) -> np.ndarray:
    """All numbers that stand in an attribute, such as a path's."""
    return np.array(NUMBER.findall(node.get(name, "")), float)


def _extent(node: ElementTree.Element) -> tuple[float, float]:
    """Width and height of a drawing in its own units."""
    _, _, width, height = _numbers(node, "viewBox").tolist()
    return width, height


def _corner(node: ElementTree.Element, place: Place) -> tuple[float, float]:
    return place.point(_number(node, "x"), _number(node, "y"))


def _line_width(node: ElementTree.Element, place: Place) -> float:
    """The width of a line; 1 where a stroke says nothing of it, 0 without a stroke."""
    return place.scale * _number(node, "stroke-width", 1 if "stroke" in node.attrib else 0)


def _draw_children(axes: Axes, parent: ElementTree.Element, place: Place) -> None:
    for node in parent:
        kind = node.tag.rpartition("}")[2]  # without the namespace
        draw = DRAWN.get(kind)
        if draw is not None:
            draw(axes, node, place)


def _draw_group(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    """A group that is moved to a place, and may be drawn larger or smaller there."""
    across, down, *scale = _numbers(node, "transform").tolist()
    x, y = place.point(across, down)
    _draw_children(axes, node, Place(x, y, place.scale * (scale[0] if scale else 1)))


def _draw_nested(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    """A drawing in the drawing, with units of its own."""
    width, _ = _extent(node)
    x, y = _corner(node, place)
    _draw_children(axes, node, Place(x, y, place.scale * _number(node, "width") / width))


def _draw_rect(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    radius = place.scale * _number(node, "rx")
    box = FancyBboxPatch(
        _corner(node, place),
        place.scale * _number(node, "width"),
        place.scale * _number(node, "height"),
        boxstyle=f"round,pad=0,rounding_size={radius}",
        facecolor=node.get("fill"),
    )
    opacity = _number(node, "stroke-opacity", 1)
    box.set_edgecolor(to_rgba(node.get("stroke", "none"), opacity))
    box.set_linewidth(_line_width(node, place))
    box.set_linestyle(":" if "stroke-dasharray" in node.attrib else "-")
    axes.add_patch(box)


def _draw_path(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    """A path of straight lines, perhaps turned around a point."""
    corners = _numbers(node, "d").reshape(-1, 2)
    if "transform" in node.attrib:
        angle, x, y = _numbers(node, "transform").tolist()
        corners = Affine2D().rotate_deg_around(x, y, angle).transform(corners)
    points = [place.point(x, y) for x, y in corners]
    if node.get("fill") == "none":
        width = _line_width(node, place)
        xs, ys = zip(*points, strict=True)
        axes.add_line(Line2D(xs, ys, color=node.get("stroke"), linewidth=width))
    else:
        axes.add_patch(Polygon(points, color=node.get("fill")))


def _draw_line(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    start = place.point(_number(node, "x1"), _number(node, "y1"))
    end = place.point(_number(node, "x2"), _number(node, "y2"))
    xs, ys = zip(start, end, strict=True)
    width = _line_width(node, place)
    colour = node.get("stroke")
    axes.add_line(Line2D(xs, ys, color=colour, linewidth=width, solid_capstyle="butt"))


def _draw_text(axes: Axes, node: ElementTree.Element, place: Place) -> None:
    words = "".join(node.itertext())  # raised and lowered parts stand on the line
    if not words:
        return
    x, y = _corner(node, place)
    text = axes.text(
        x,
        y,
        words,
        size=place.scale * _number(node, "font-size"),
        weight=node.get("font-weight"),
        color=node.get("fill"),
        horizontalalignment=ALIGNED[node.get("text-anchor", "start")],
    )
    if "stroke" in node.attrib:
        rim = withStroke(linewidth=_line_width(node, place), foreground=node.get("stroke"))
        text.set_path_effects([rim])


DRAWN = {
    "g": _draw_group,
    "svg": _draw_nested,
    "rect": _draw_rect,
    "path": _draw_path,
    "line": _draw_line,
    "text": _draw_text,
}
