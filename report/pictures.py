"""Pictures: what may be printed of them, and where a notebook may take one from.

A notebook may come from a stranger, so a picture is looked at before it goes into a report: an SVG
document may run nothing and refer to nothing outside itself, and a file must lie where the notebook
belongs.
"""

import base64
import binascii
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, replace
from pathlib import Path, PureWindowsPath
from urllib.parse import unquote

from report import ROOT

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
    width = _length(root.get("width", box_width))
    height = _length(root.get("height", box_height))
    if not width or not height:
        return None
    return (width, height)


def _length(text: str) -> float | None:
    """A length in points, None for what is not one of the units that print knows."""
    number_and_unit = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)(px|pt|in|cm|mm)?", text)
    if number_and_unit is None:
        return None
    number, unit = number_and_unit.groups(default="")
    return float(number) * POINTS_PER_UNIT[unit]


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
    """Read a picture file that a notebook shows.

    Parameters
    ----------
    address
        The path as the notebook's Markdown has it, relative to the notebook.
    folder
        Where the notebook lies.

    Raises
    ------
    UnusablePicture
        If there is no such picture, or if it lies outside the checkout (of a notebook that is
        itself outside the checkout: outside the notebook's folder).
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
