"""What a code cell shows, as pieces of the report.

Each output either becomes a piece or is told with the reason why it cannot be printed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from report.pictures import Picture, UnusablePicture, read_raster, read_svg
from report.tidy import VIEW, WIDGET
from workbook.marks import LABEL, MARK

RASTER_ENDINGS = {"image/png": "png", "image/jpeg": "jpg"}
PICTURE_TYPES = ("image/svg+xml", *RASTER_ENDINGS)  # the best first
ANSI_CODE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
TAB_WIDTH = 8
POINTS_PER_PIXEL = 0.75

# Marks of outputs that the report leaves out: captions, which it sets itself, widgets that are
# followed by their picture, and how things look in a notebook.
NOT_PRINTED = {"caption of", "picture follows", "reopened", "style"}

# What `repr` says of things that have no text of their own.
NAME_OF_AN_OBJECT = re.compile(
    r"<[\w.]+ (object|at 0x)|<[\w.]+\.[\w.]+.*>$|^\w+\(children=|^<Figure size"
)


class Unprintable(ValueError):
    """An output that cannot be printed."""


@dataclass(frozen=True)
class Shown:
    """What a cell shows in one output."""

    kind: str  # "markdown", "figure", "table", "listing", "picture" or "printed"
    text: str = ""  # Markdown, or printed text
    label: str = ""
    caption: str = ""  # Markdown
    picture: Picture | None = None
    alt: str = ""
    is_own: bool = False  # a listing of what the reader wrote


def read_outputs(cell) -> Iterator[Shown | Unprintable]:
    """What a code cell shows, output by output; in place of what cannot be printed, the reason."""
    for output in cell.outputs:
        try:
            shown = read_output(output)
        except (Unprintable, UnusablePicture) as error:
            yield Unprintable(str(error))
        else:
            if shown is not None:
                yield shown


def read_output(output) -> Shown | None:
    """What one output shows; None for what the report leaves out.

    That is a caption, which the report sets itself, a widget whose picture is the next output, and
    the style sheet that goes with it.

    Raises
    ------
    Unprintable, UnusablePicture
        If it cannot be printed.
    """
    if output.output_type == "error":
        raise Unprintable(f"it raised {output.ename}: {output.evalue}")
    if output.output_type == "stream":
        return _read_stream(output)
    return _read_display(output.get("data", {}), output.get("metadata", {}), mark_of(output))


def mark_of(output) -> dict:
    """What workbook.cells says of an output; nothing where it says nothing."""
    mark = output.get("metadata", {}).get(MARK, {})
    return mark if isinstance(mark, dict) else {}


def _read_stream(output) -> Shown:
    if output.name == "stderr":
        raise Unprintable(f"it wrote to stderr: {output.text.strip()[:200]}")
    return Shown("printed", _as_printed(output.text))


def _as_printed(text: str) -> str:
    """A text as a terminal without colours would show it."""
    return ANSI_CODE.sub("", text).expandtabs(TAB_WIDTH).rstrip()


def _read_display(data, metadata, mark: dict) -> Shown | None:
    if NOT_PRINTED & set(mark):
        return None
    has_picture = _picture_type(data) is not None
    if mark.get("widget") or (VIEW in data and not has_picture):
        raise Unprintable("a widget without a picture")
    if "prediction" in mark:  # its question: the answer is for those who have thought about it
        return Shown("markdown", _text(mark["prediction"], "asked"))
    if "listing" in mark:
        title, _, code = _text(data, "text/markdown").partition("\n\n")
        return Shown("listing", code, caption=title, is_own=mark.get("own") is True)
    if "label" in mark:
        return _read_labelled(data, mark)
    return _read_unlabelled(data, metadata)


def _picture_type(data) -> str | None:
    return next((mime for mime in PICTURE_TYPES if mime in data), None)


def _text(data, name: str) -> str:
    """What stands under a name, which must be text; folded outputs begin with an empty line."""
    text = data.get(name)
    if not isinstance(text, str):
        raise Unprintable(f"an output whose {name} is {text!r:.60}")
    return text.removeprefix("\n")


def _read_labelled(data, mark: dict) -> Shown:
    """A figure or a table, as workbook.cells.figure shows it."""
    label = _text(mark, "label")
    if not LABEL.fullmatch(label):
        raise Unprintable(
            f"the label {label!r:.60}; a label is fig- or tab- and a name of small letters, digits "
            "and hyphens"
        )
    caption = _text(mark, "caption")
    if label.startswith("tab-"):
        return Shown("table", _text(data, "text/markdown"), label, caption)
    try:
        picture = read_svg(_text(data, "image/svg+xml"))
    except UnusablePicture as error:
        raise Unprintable(f"{label}: {error}") from None
    return Shown("figure", "", label, caption, picture, _text(mark, "alt"))


def _read_unlabelled(data, metadata) -> Shown:
    mime = _picture_type(data)
    if mime == "image/svg+xml":
        picture = read_svg(_text(data, mime))
        return Shown("picture", picture=picture, alt=picture.title)
    if mime is not None:
        return _read_raster(mime, data, metadata)
    if "text/markdown" in data:
        return Shown("markdown", _text(data, "text/markdown"))
    if "text/latex" in data:
        return Shown("markdown", _text(data, "text/latex"))
    if "text/plain" in data:
        return _read_plain_text(data)
    raise Unprintable(f"an output of the kind {', '.join(data) or 'nothing'}")


def _read_raster(mime: str, data, metadata) -> Shown:
    picture = read_raster(RASTER_ENDINGS[mime], _text(data, mime), _raster_size(mime, metadata))
    alt = metadata.get("alt")
    if not isinstance(alt, str) or not alt:
        text = data.get("text/plain", "")
        says_something = isinstance(text, str) and not NAME_OF_AN_OBJECT.search(text)
        alt = text if says_something else ""
    return Shown("picture", picture=picture, alt=alt)


def _raster_size(mime: str, metadata) -> tuple[float, float] | None:
    """Width and height in points, where the metadata of an output give them in pixels."""
    about = metadata.get(mime, {})
    if not isinstance(about, dict):
        return None
    sides = (about.get("width"), about.get("height"))
    if not all(isinstance(side, int | float) and 0 < side < 1e6 for side in sides):
        return None
    width, height = sides
    return (POINTS_PER_PIXEL * width, POINTS_PER_PIXEL * height)


def _read_plain_text(data) -> Shown:
    text = _text(data, "text/plain")
    if NAME_OF_AN_OBJECT.search(text) or text == WIDGET:
        other_kinds = ", ".join(mime for mime in data if mime != "text/plain")
        what = other_kinds or "nothing but the name of an object"
        raise Unprintable(f"an output that is {what}: {text[:80]}")
    return Shown("printed", _as_printed(text))
