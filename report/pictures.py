"""Pictures: what may be printed of them, where a notebook may take one from, and how large it is.

A notebook may come from a stranger, so a picture is looked at before it goes into a report: an SVG
document may run nothing and refer to nothing outside itself, and a file must lie where the notebook
belongs. Print makes no drawing so small that its letters cannot be read.
"""

import base64
import binascii
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PureWindowsPath
from urllib.parse import unquote

from experiments.versions import ROOT

MIME_TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
}
SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "jpg": b"\xff\xd8\xff", "jpeg": b"\xff\xd8\xff"}

# SVG elements that act, or that hold something else than a drawing.
ACTIVE_ELEMENTS = {
    "animate",
    "animateMotion",
    "animateTransform",
    "foreignObject",
    "script",
    "set",
}
POINTS_PER_UNIT = {
    "": 0.75,  # a number alone counts pixels
    "px": 0.75,
    "pt": 1.0,
    "in": 72.0,
    "cm": 72 / 2.54,
    "mm": 72 / 25.4,
}
SVG_TITLE = "{http://www.w3.org/2000/svg}title"
# The beginning of a drawing whose first words stand as a heading in its top rows, and the units
# that these rows take.
HEADED = re.compile(
    r'viewBox="0 0 (?P<width>\d+) (?P<height>\d+)" width="(?P=width)" height="(?P=height)"'
    r"(?P<before>[^>]*><title>(?P<told>[^<]*)</title><rect [^>]*/>)"
    r'<text x="[\d.]+" y="20" [^>]*font-weight="bold">(?P<heading>[^<]*)</text>'
)
HEIGHT_OF_HEADING = 26
DUBLIN_CORE_TITLE = ".//{http://purl.org/dc/elements/1.1/}title"  # where matplotlib writes it
SMALLEST = 6.0  # points of a letter that can be read in print
HIGHEST_OF_ALL = 600.0  # points; a picture and its caption stay on one page
USUAL_SIZE = 16.0  # of letters where a drawing says nothing
LENGTH = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(px|pt|in|cm|mm)?")
SIZE_IN_STYLE = re.compile(r"\bfont(?:-size)?:[^;]*?([\d.]+)px")
SCALED = re.compile(r"scale\(\s*(-?[\d.]+)")


class UnusablePicture(ValueError):
    """A picture that cannot be printed, or that must not be."""


@dataclass(frozen=True)
class Picture:
    """The content of a picture file, and its size where it says one."""

    ending: str  # a key of MIME_TYPES
    content: bytes
    size: tuple[float, float] | None = None  # width and height in points
    title: str = ""  # what an SVG document says that it shows

    @property
    def mime_type(self) -> str:
        """The kind of content, as the web names it."""
        return MIME_TYPES[self.ending]


def read_svg(document: str) -> Picture:
    """Read an SVG document.

    Parameters
    ----------
    document
        The text of the document.

    Returns
    -------
    Picture
        The picture, with its title as an SVG element or as matplotlib's metadata give it.

    Raises
    ------
    UnusablePicture
        If it is no whole SVG document, if something in it acts, or if it refers to a place outside
        itself.

    Examples
    --------
    >>> read_svg('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="40"/>').size
    (15.0, 30.0)
    """
    if not isinstance(document, str) or "<!ENTITY" in document:
        raise UnusablePicture("a picture that is not plain SVG")
    try:
        root = ElementTree.fromstring(document)
    except ElementTree.ParseError as error:
        raise UnusablePicture(f"a picture that is no whole SVG document: {error}") from None
    for element in root.iter():
        _check_element(element)
    return Picture("svg", document.encode(), _size_of(root), _title_of(root))


def _check_element(element: ElementTree.Element) -> None:
    if not isinstance(element.tag, str):  # a comment
        return
    name = _local_name(element.tag)
    if name in ACTIVE_ELEMENTS:
        raise UnusablePicture(f"a picture with <{name}> in it, which print cannot show")
    if name == "style" and not _is_plain_style(element.text or ""):
        raise UnusablePicture("a picture with a <style> that refers to something outside it")
    for attribute, value in element.attrib.items():
        _check_attribute(_local_name(attribute), value)


def _check_attribute(name: str, value: str) -> None:
    if name.lower().startswith("on"):
        raise UnusablePicture(f"a picture with code in it ({name})")
    is_reference = name in ("href", "src")
    if (
        (is_reference and not _is_inside(value))
        or (name == "style" and not _is_plain_style(value))
        or not _has_inner_addresses_only(value)
    ):
        raise UnusablePicture(f"a picture that refers to {value[:60]}")


def _is_plain_style(style: str) -> bool:
    """Whether a style takes nothing from elsewhere. Backslashes could hide it: \\75rl is url."""
    return "@import" not in style.lower() and "\\" not in style and _has_inner_addresses_only(style)


def _has_inner_addresses_only(text: str) -> bool:
    addresses = re.findall(r"url\(([^)]*)", text, re.IGNORECASE)
    return all(_is_inside(address.strip().strip("\"'")) for address in addresses)


def _is_inside(address: str) -> bool:
    """Whether an address names a part of the same document, or holds a picture itself."""
    return address.strip().startswith(("#", "data:image/png;", "data:image/jpeg;"))


def _local_name(name: str) -> str:
    """The name of an element or attribute without its namespace."""
    return name.split("}")[-1]


def _title_of(root: ElementTree.Element) -> str:
    title = root.find(SVG_TITLE)
    if title is None:
        title = root.find(DUBLIN_CORE_TITLE)
    if title is None:
        return ""
    return (title.text or "").strip()


def without_heading(picture: Picture) -> Picture:
    """A drawing without the heading in it that its title begins with: its caption says the same."""
    document = picture.content.decode() if picture.ending == "svg" else ""
    found = HEADED.search(document)
    if not found or picture.size is None or not found["told"].startswith(found["heading"]):
        return picture
    width, height = int(found["width"]), int(found["height"])
    lower = height - HEIGHT_OF_HEADING
    box = f'viewBox="0 {HEIGHT_OF_HEADING} {width} {lower}" width="{width}" height="{lower}"'
    document = document[: found.start()] + box + found["before"] + document[found.end() :]
    size = (picture.size[0], picture.size[1] * lower / height)
    return replace(picture, content=document.encode(), size=size)


def _size_of(root: ElementTree.Element) -> tuple[float, float] | None:
    """Width and height in points; where one is missing, the view box has it."""
    view_box = root.get("viewBox", "").replace(",", " ").split()
    box_width, box_height = view_box[2:4] if len(view_box) == 4 else ("", "")
    width = _in_points(root.get("width", box_width))
    height = _in_points(root.get("height", box_height))
    if not width or not height:
        return None
    return (width, height)


def _in_points(text: str) -> float | None:
    """A length in points, None for what is none."""
    found = _length(text)
    return None if found is None else found[0] * POINTS_PER_UNIT[found[1]]


def read_raster(ending: str, encoded: str, size=None) -> Picture:
    """Read a PNG or JPEG picture as notebooks hold it, in base64. May raise UnusablePicture."""
    try:
        content = base64.b64decode("".join(encoded.split()), validate=True)
    except (binascii.Error, ValueError, AttributeError):
        raise UnusablePicture(f"a picture that is no {MIME_TYPES[ending]}") from None
    _check_signature(ending, content)
    return Picture(ending, content, size)


def _check_signature(ending: str, content: bytes) -> None:
    if not content.startswith(SIGNATURES[ending]):
        raise UnusablePicture(f"a picture that is no {MIME_TYPES[ending]}")


def read_beside(address: str, folder: str) -> Picture:
    """Read a picture file that a notebook in a folder shows; its address is relative to that.

    UnusablePicture if there is no such picture, or if it lies outside the checkout (of a notebook
    that is itself outside the checkout: outside the notebook's folder).
    """
    path = unquote(address)
    if _is_absolute(path):
        raise UnusablePicture(
            f"the picture {path} is named by more than a path beside the notebook"
        )
    try:
        file = Path(folder, path).resolve()
        home = _home_of(Path(folder).resolve())
        if not file.is_relative_to(home):
            raise UnusablePicture(f"the picture {path} lies outside {home.name}")
        is_picture = file.is_file() and _ending_of(file) in MIME_TYPES
    except (OSError, ValueError) as error:
        if isinstance(error, UnusablePicture):
            raise
        is_picture = False  # a name that no file can have
    if not is_picture:
        raise UnusablePicture(f"there is no picture {path}")
    return _read_file(file, path)


def _is_absolute(path: str) -> bool:
    """Whether a path begins at a root, on this system or on Windows."""
    on_windows = PureWindowsPath(path)
    return bool(on_windows.root or on_windows.drive) or path.startswith("~")


def _home_of(folder: Path) -> Path:
    """The folder that pictures of a notebook must lie in."""
    return ROOT if folder.is_relative_to(ROOT) else folder


def _ending_of(file: Path) -> str:
    return file.suffix.lower().removeprefix(".")


def _read_file(file: Path, path: str) -> Picture:
    ending = _ending_of(file)
    content = file.read_bytes()
    try:
        if ending == "svg":
            return read_svg(content.decode())
        _check_signature(ending, content)
    except (UnusablePicture, UnicodeDecodeError) as error:
        raise UnusablePicture(f"{path}: {error}") from None
    return Picture(ending, content)


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
    """What part of its own size a picture is printed at, where there is room for so many points.

    It is no wider than the page allows, and no higher, but where its letters would become too small
    for that.
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
    if element.text and element.text.strip() and _local_name(str(element.tag)) in ("text", "tspan"):
        yield scale * size, element.text.strip()
    for child in element:
        scaled = SCALED.search(child.get("transform", ""))
        scale_there = scale * abs(float(scaled[1])) if scaled else scale
        size_there = _size_in(child, size)
        if _local_name(str(child.tag)) == "svg":
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


def _length(text: str | None) -> tuple[float, str] | None:
    """A length and its unit, None for what is not one of the units that print knows."""
    found = LENGTH.fullmatch(text or "")
    return (float(found[1]), found[2] or "") if found else None
