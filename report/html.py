"""Parts of the report -> one page of HTML that needs nothing beside it: formulas as MathML, pictures inside."""

import base64
import re
from html import escape
from pathlib import Path

from report.document import Lost, Part
from report.outputs import decoded
from report.pandoc import convert
from report.references import entries

MIME = {"svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg"}
PICTURE = re.compile(r'src="picture:([^"]*)"')
LINE_ANCHOR = re.compile(
    r'<a href="#cb[^"]*" aria-hidden="true" tabindex="-1"></a>| id="cb\d+(?:-\d+)?"'
)


def render(parts: list[Part], about: dict, appendix=(), problems=(), elsewhere=()) -> bytes:
    """The page of these parts and, behind the references, of the appendix. Raises Lost when anything would be lost."""
    found = convert([*parts, *appendix], "html", problems, elsewhere)
    cited = entries(found.cited)
    listed = convert(
        [Part("markdown", text, f"references.toml, {label}") for label, text in cited], "html"
    )
    sections = Sections()
    body = [sections.numbered(_shown(one, found.numbers)) for one in found.parts[: len(parts)]]
    if cited:
        body.append(sections.numbered('<h1 id="references">References</h1>', plain=True))
        for (label, _), one in zip(cited, listed.parts):
            body.append(f'<div class="reference" id="{label}">{one.text}</div>')
    sections.letters = True
    body += [sections.numbered(_shown(one, found.numbers)) for one in found.parts[len(parts) :]]
    return _page(about, sections.contents(), "\n".join(body)).encode()


def _shown(one, numbers: dict) -> str:
    """A converted part as HTML."""
    part, text = one.part, LINE_ANCHOR.sub("", one.text)
    caption = f"<b>{numbers.get(part.label, '')}.</b> {one.caption}"
    if part.kind == "markdown":
        return PICTURE.sub(lambda match: f'src="{_beside(match[1], part)}"', text)
    if part.kind == "printed":
        return f'<pre class="printed">{escape(part.text)}</pre>'
    if part.kind == "listing":
        return f'<p class="listing">{one.caption}</p>\n{text}'
    if part.kind == "table":
        return f'<figure id="{part.label}"><figcaption>{caption}</figcaption>{text}</figure>'
    ending, content = decoded(part.text)
    width = f' style="width: {part.size[0]:.0f}pt"' if part.size else ""
    image = f'<img src="{_inside(MIME[ending], content)}" alt="{escape(part.alt)}"{width}>'
    if part.kind == "picture":
        return f"<p>{image}</p>"
    return f'<figure id="{part.label}">{image}<figcaption>{caption}</figcaption></figure>'


def _beside(path: str, part: Part) -> str:
    """A picture that a notebook has beside it, as an address that holds it."""
    file = Path(part.folder) / path
    if not file.is_file() or file.suffix.lower()[1:] not in MIME:
        raise Lost(f"{part.where}: there is no picture {path}")
    return _inside(MIME[file.suffix.lower()[1:]], file.read_bytes())


def _inside(mime: str, content: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(content).decode()}"


class Sections:
    """Numbers for the headings, and the list of contents."""

    HEADING = re.compile(r'<h(\d) id="([^"]*)">(.*?)</h\d>', re.S)

    def __init__(self):
        self.counts, self.entries, self._letters = [0] * 6, [], False

    @property
    def letters(self) -> bool:
        """Whether sections are counted A, B, ... from here on."""
        return self._letters

    @letters.setter
    def letters(self, on: bool):
        self._letters, self.counts = on, [0] * 6

    def numbered(self, text: str, plain: bool = False) -> str:
        """A text with numbers before its headings, which are pushed down below the title."""

        def number(match):
            level, id, title = int(match[1]), match[2], match[3]
            shown = "" if plain else self._next(level)
            self.entries.append((level, id, f"{shown} {title}".strip()))
            return f'<h{level + 1} id="{id}">{shown} {title}</h{level + 1}>'

        return self.HEADING.sub(number, text)

    def _next(self, level: int) -> str:
        self.counts = [*self.counts[: level - 1], self.counts[level - 1] + 1, *[0] * (6 - level)]
        first = chr(64 + self.counts[0]) if self.letters else str(self.counts[0])
        return ".".join([first, *map(str, self.counts[1:level])])

    def contents(self) -> str:
        """The list of contents."""
        shown = [entry for entry in self.entries if entry[0] < 3]
        items = [
            f'<li class="level{level}"><a href="#{id}">{title}</a></li>'
            for level, id, title in shown
        ]
        return f'<nav aria-label="Contents"><h2>Contents</h2><ul>{"".join(items)}</ul></nav>'


def _page(about: dict, contents: str, body: str) -> str:
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    lines = [escape(about[name]) for name in ("name", "number", "course", "date") if about[name]]
    note = f'<p class="note">{escape(about["note"])}</p>' if about["note"] else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(about["title"])}</title>
<style>
{style}</style>
</head>
<body>
<header><h1>{escape(about["title"])}</h1>{"".join(f"<p>{line}</p>" for line in lines)}{note}</header>
{contents}
<main>
{body}
</main>
</body>
</html>
"""
