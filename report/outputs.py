"""What a code cell shows, as parts of the report; each output that cannot be printed is told with the reason."""

import base64
import re
import xml.etree.ElementTree as ElementTree

from report.tidy import MARK, VIEW, WIDGET

RASTER = {"image/png": "png", "image/jpeg": "jpg"}
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
OBJECT = re.compile(r"<[\w.]+ (object|at 0x)|<[\w.]+\.[\w.]+.*>$|^\w+\(children=|^<Figure size")
UNITS = {"": 0.75, "px": 0.75, "pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4}
ACTIVE = {"script", "foreignObject", "animate", "animateTransform", "animateMotion", "set", "style"}


def shown(cell):
    """Yields, for each output in turn, the fields of a Part, or {"lost": reason}."""
    for output in cell.outputs:
        about = output.get("metadata", {}).get(MARK, {})
        if output.output_type == "error":
            yield {"lost": f"it raised {output.ename}: {output.evalue}"}
        elif output.output_type == "stream":
            yield _stream(output)
        elif "caption of" in about:
            continue  # the report writes its own, below the figure or above the table
        elif about.get("widget") or (VIEW in output.data and not _image(output.data)):
            yield {"lost": "a widget without a picture"}
        elif "listing" in about:
            title, _, code = output.data["text/markdown"].partition("\n\n")
            yield {"kind": "listing", "caption": title, "text": code}
        elif "label" in about:
            yield from _labelled(output.data, about)
        else:
            yield from _plain(output.data, output.get("metadata", {}))


def _stream(output) -> dict:
    if output.name == "stderr":
        return {"lost": f"it wrote to stderr: {output.text.strip()[:200]}"}
    return {"kind": "printed", "text": ANSI.sub("", output.text).expandtabs(8).rstrip()}


def _image(data) -> str | None:
    """The kind of picture in an output, the best first."""
    return next((kind for kind in ("image/svg+xml", *RASTER) if kind in data), None)


def _labelled(data, about):
    label, caption = about["label"], about["caption"]
    if label.startswith("tab-"):
        yield {"kind": "table", "text": data["text/markdown"], "label": label, "caption": caption}
    else:
        picture, problems = svg(data["image/svg+xml"])
        yield from ({"lost": f"{label}: {problem}"} for problem in problems)
        if not problems:
            yield {
                "kind": "figure",
                "label": label,
                "caption": caption,
                "alt": about["alt"],
                **picture,
            }


def _plain(data, metadata):
    kind = _image(data)
    if kind == "image/svg+xml":
        picture, problems = svg(data[kind])
        yield from ({"lost": problem} for problem in problems)
        if not problems:
            yield {"kind": "picture", **picture}
    elif kind:
        width = metadata.get(kind, {}).get("width")
        height = metadata.get(kind, {}).get("height")
        text = data.get("text/plain", "")
        alt = metadata.get("alt") or ("" if OBJECT.search(text) else text)
        size = (0.75 * width, 0.75 * height) if width and height else None
        yield {"kind": "picture", "text": f"{RASTER[kind]}:{data[kind]}", "alt": alt, "size": size}
    elif "text/markdown" in data or "text/latex" in data:
        yield {"kind": "markdown", "text": data.get("text/markdown") or data["text/latex"]}
    elif "text/plain" in data:
        text = data["text/plain"]
        if OBJECT.search(text) or text == WIDGET:
            kinds = (
                ", ".join(kind for kind in data if kind != "text/plain")
                or "nothing but the name of an object"
            )
            yield {"lost": f"an output that is {kinds}: {text[:80]}"}
        else:
            yield {"kind": "printed", "text": ANSI.sub("", text).expandtabs(8).rstrip()}
    else:
        yield {"lost": f"an output of the kind {', '.join(data) or 'nothing'}"}


def svg(document: str) -> tuple[dict, list[str]]:
    """(text, alt and size of an SVG document, what in it would be lost)."""
    try:
        root = ElementTree.fromstring(document)
    except ElementTree.ParseError as error:
        return {}, [f"a picture that is no whole SVG document: {error}"]
    problems = []
    for node in root.iter():
        name = node.tag.split("}")[-1] if isinstance(node.tag, str) else ""
        if name in ACTIVE and not (name == "style" and "url(" not in (node.text or "")):
            problems.append(f"a picture with <{name}> in it, which print cannot show")
        for key, value in node.attrib.items():
            if key.split("}")[-1] in ("href", "src") and not value.startswith(("#", "data:")):
                problems.append(f"a picture that refers to {value[:60]}")
    title = root.find("{http://www.w3.org/2000/svg}title")
    alt = "" if title is None else (title.text or "").strip()
    if title is None:  # matplotlib writes it as metadata
        found = root.find(".//{http://purl.org/dc/elements/1.1/}title")
        alt = (found.text or "").strip() if found is not None else ""
    return {"text": document, "alt": alt, "size": _size(root)}, problems


def _size(root) -> tuple[float, float] | None:
    """Width and height in points."""
    sides = []
    box = root.get("viewBox", "").replace(",", " ").split()
    for name, of_box in zip(("width", "height"), box[2:] or ("", "")):
        found = re.fullmatch(r"([\d.]+)(px|pt|in|cm|mm)?", root.get(name, of_box))
        if not found:
            return None
        sides.append(float(found[1]) * UNITS[found[2] or ""])
    return (sides[0], sides[1]) if len(sides) == 2 and all(sides) else None


def decoded(text: str) -> tuple[str, bytes]:
    """(ending, content) of a picture as parts hold it: SVG as it is, others as "png:base64"."""
    kind, _, content = text.partition(":")
    if kind in RASTER.values():
        return kind, base64.b64decode(content)
    return "svg", text.encode()
