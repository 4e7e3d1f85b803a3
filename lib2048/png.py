"""Boards as PNG, for what shows no SVG: LaTeX, and JupyterLab as long as it does not trust a notebook."""

import io
import re
from xml.etree import ElementTree

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon
from matplotlib.transforms import Affine2D


def board_png(svg: str, scale: float = 1) -> bytes:
    """A document of `board_svg` or `board_strip` as PNG, `scale` times its size in pixels."""
    root = ElementTree.fromstring(svg)
    width, height = map(float, root.get("viewBox").split()[2:])
    figure = Figure(
        (width / 72, height / 72), dpi=72 * scale * float(root.get("width")) / width
    )  # a unit is a point
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    corner = np.zeros(2)
    for node in root.iter():
        kind, look = node.tag.rpartition("}")[2], node.attrib
        place = corner + [float(look.get(name, 0)) for name in "xy"]
        if kind == "g":  # a board of a strip; the groups do not nest
            corner = _numbers(look["transform"])
        elif kind == "rect":
            side, style = float(look["width"]), f"round,pad=0,rounding_size={look['rx']}"
            shape = FancyBboxPatch(
                place, side, float(look["height"]), boxstyle=style, facecolor=look["fill"]
            )
            shape.set_edgecolor(
                to_rgba(look.get("stroke", "none"), float(look.get("stroke-opacity", 1)))
            )
            shape.set(
                linewidth=float(look.get("stroke-width", 0)),
                linestyle=":" if "stroke-dasharray" in look else "-",
            )
            axes.add_patch(shape)
        elif kind == "path":
            angle, *middle = _numbers(look["transform"])
            turn = Affine2D().rotate_deg_around(*middle, angle)
            axes.add_patch(
                Polygon(
                    corner + turn.transform(_numbers(look["d"]).reshape(-1, 2)), color=look["fill"]
                )
            )
        elif kind == "text" and node.text:
            font = {
                "size": float(look["font-size"]),
                "weight": look.get("font-weight"),
                "color": look["fill"],
            }
            axes.text(*place, node.text, font, horizontalalignment="center")
    file = io.BytesIO()
    figure.savefig(file, format="png", transparent=True, metadata={"Software": None})
    return file.getvalue()


def _numbers(text: str) -> np.ndarray:
    return np.array(re.findall(r"-?\d+\.?\d*", text), float)
