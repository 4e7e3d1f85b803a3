"""How large the letters of a drawing are, so that print does not make them too small to read."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

from report.pictures import Picture

SMALLEST = 6.0  # points of a letter that can be read in print
HIGHEST_OF_ALL = 600.0  # points; a picture and its caption stay on one page
POINTS_PER_UNIT = {"": 0.75, "px": 0.75, "pt": 1.0}
USUAL_SIZE = 16.0  # of letters where a drawing says nothing
LENGTH = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(px|pt)?")
SIZE_IN_STYLE = re.compile(r"\bfont(?:-size)?:[^;]*?([\d.]+)px")
SCALED = re.compile(r"scale\(\s*(-?[\d.]+)")


def letters_in(document: str) -> Iterator[tuple[float, str]]:
    """Yields (points, text) for each text of a drawing, at the drawing's own size.

    Examples
    --------
    >>> svg = '<svg width="40" viewBox="0 0 80 20"><text font-size="24">V</text></svg>'
    >>> list(letters_in(svg))
    [(9.0, 'V')]
    """
    root = ElementTree.fromstring(document)
    width, unit = _length(root.get("width")) or (1.0, "")
    yield from _letters_of_drawing(root, width * POINTS_PER_UNIT[unit], USUAL_SIZE)


def printed_scale(picture: Picture, widest: float, highest: float) -> float:
    """What part of its own size a picture is printed at.

    It is no wider than the page allows, and no higher, but where its letters would become too small
    for that.

    Parameters
    ----------
    picture
        A picture that says how large it is.
    widest, highest
        What there is room for, in points.
    """
    width, height = picture.size
    to_fit = min(1, widest / width)
    scale = min(to_fit, highest / height)
    smallest = smallest_letters(picture.content.decode()) if picture.ending == "svg" else None
    if smallest is None or smallest * scale >= SMALLEST:
        return scale
    return min(to_fit, SMALLEST / smallest, HIGHEST_OF_ALL / height)


def smallest_letters(document: str) -> float | None:
    """The points of the smallest letters, None where there are none."""
    return min((points for points, _ in letters_in(document)), default=None)


def _letters_of_drawing(svg, points: float, size: float) -> Iterator[tuple[float, str]]:
    """The texts in an <svg> element that is so many points wide."""
    box = svg.get("viewBox", "").replace(",", " ").split()
    units = float(box[2]) if len(box) == 4 else points / POINTS_PER_UNIT[""]
    yield from _letters_of(svg, points / units, _size_in(svg, size))


def _letters_of(element, scale: float, size: float) -> Iterator[tuple[float, str]]:
    """The texts in an element, where so many points are a unit and letters have such a size."""
    if element.text and element.text.strip() and _name(element) in ("text", "tspan"):
        yield scale * size, element.text.strip()
    for child in element:
        scaled = SCALED.search(child.get("transform", ""))
        scale_there = scale * abs(float(scaled[1])) if scaled else scale
        size_there = _size_in(child, size)
        if _name(child) == "svg":
            width, _ = _length(child.get("width")) or (1.0, "")
            yield from _letters_of_drawing(child, width * scale_there, size_there)
        else:
            yield from _letters_of(child, scale_there, size_there)


def _size_in(element, size: float) -> float:
    """The size of the letters in an element, in units."""
    styled = SIZE_IN_STYLE.search(element.get("style", ""))
    if styled:
        return float(styled[1])
    given = _length(element.get("font-size"))
    return given[0] if given else size


def _name(element) -> str:
    return str(element.tag).split("}")[-1]


def _length(text: str | None) -> tuple[float, str] | None:
    """A length and its unit, None for what is none."""
    found = LENGTH.fullmatch(text or "")
    return (float(found[1]), found[2] or "") if found else None
