"""Parts of the report -> one page of HTML that needs nothing beside it.

Formulas are MathML, pictures are inside, and so are the scripts by which recorded games play. The
page runs nothing else and loads nothing, and tells browsers to see to it: it names the hashes of
its scripts.
"""

import base64
import hashlib
import io
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from report import live
from report.document import LONG, Part
from report.matter import FirstPage, in_order
from report.pandoc import Conversion, Converted, convert, reference_parts
from report.pictures import Picture
from workbook.fonts import EAST_ASIAN, EAST_ASIAN_FAMILY

# Anchors that pandoc gives to each line of code; nothing points to them.
LINE_ANCHOR = re.compile(
    r'<a href="#cb[^"]*" aria-hidden="true" tabindex="-1"></a>| id="cb\d+(?:-\d+)?"'
)
HEADING = re.compile(r'<h(\d) id="([^"]*)">(.*?)</h\d>', re.DOTALL)
SECTION_LINK = re.compile(r'<a href="#([\w-]+)" class="section-number"></a>')
DEEPEST_IN_CONTENTS = 2
FIRST_EAST_ASIAN = 0x2E80  # where the blocks of Chinese, Japanese and Korean letters begin
TITLE_FIELDS = ("name", "number", "course", "date")

# No frames, no forms, nothing from the net; but the pictures and styles inside.
POLICY = (
    "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'"
)
# A viewer's own pictures and its thread that learns are made in the page.
POLICY_WITH_SCRIPTS = POLICY.replace("img-src", "img-src blob:") + "; worker-src blob:; script-src "

FONT_RULE = """@font-face {{
  font-family: "{family}";
  src: url("data:font/otf;base64,{content}");
}}
"""

PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{contents}
<main>
<header><h1>{title}</h1>{lines}</header>
{body}
</main>
{scripts}</body>
</html>
"""


def render(
    parts: list[Part],
    about: dict,
    appendix: Iterable[Part] = (),
    problems: Iterable[str] = (),
    elsewhere: Iterable[str] = (),
    first_page: FirstPage | None = None,
    edition: str = LONG,
) -> bytes:
    """Set parts as a page of HTML; the parameters are those of pdf.render, and so is Lost."""
    words = about["words"]
    parts = in_order(parts, first_page)
    converted = convert([*parts, *appendix], "html", problems, elsewhere, words)
    references = convert(reference_parts(converted.cited), "html")
    sections = Sections()
    body = []
    first = [part for part in converted.parts if part.part.is_first]
    if first:
        body += [_show(part, converted.numbers) for part in first]
        body.append(_show_first_page(first_page, converted))
    for part in converted.parts[len(first) : len(parts)]:
        body.append(sections.numbered(_show(part, converted.numbers)))
    if references.parts:
        heading = f'<h1 id="references">{words["references"]}</h1>'
        body.append(sections.numbered(heading, plain=True))
        for entry in references.parts:
            body.append(f'<div class="reference" id="{entry.part.label}">{entry.text}</div>')
    sections.begin_appendix()
    for part in converted.parts[len(parts) :]:
        body.append(sections.numbered(_show(part, converted.numbers)))
    text = sections.referred_to("\n".join(body), words["section"])
    kinds = {part.part.widget["kind"] for part in converted.parts if part.part.widget}
    return _page(about, sections.contents(words["contents"]), text, kinds).encode()


def _show_first_page(first_page: FirstPage | None, converted: Conversion) -> str:
    """What is asked for and where it is, and whose functions are printed."""
    if first_page is None:
        return ""
    rows = []
    for what, places in first_page.asked:
        links = [_number_of(place, converted) for place in places]
        rows.append(f"<tr><td>{escape(what)}</td><td>{', '.join(links)}</td></tr>")
    table = f'<table class="asked-for"><tbody>{"".join(rows)}</tbody></table>' if rows else ""
    functions = f"<p>{escape(first_page.functions)}</p>" if first_page.functions else ""
    return table + functions


def _number_of(place: str, converted: Conversion) -> str:
    """A link to a figure or a section, by its number."""
    if place in converted.numbers:
        return f'<a href="#{place}">{converted.numbers[place]}</a>'
    return f'<a href="#{converted.sections[place]}" class="section-number"></a>'


def _show(converted: Converted, numbers: dict[str, str]) -> str:
    """A converted part as HTML."""
    part = converted.part
    converted = converted.with_pictures(_address_that_holds)
    text = LINE_ANCHOR.sub("", converted.text)
    caption = f"<b>{numbers.get(part.label, '')}.</b> {converted.caption}"
    if part.kind == "markdown":
        return text
    if part.kind == "printed":
        return f'<pre class="printed">{escape(part.text)}</pre>'
    if part.kind == "listing":
        return f'<p class="listing">{converted.caption}</p>\n{text}'
    if part.kind == "table":
        return f'<figure id="{part.label}"><figcaption>{caption}</figcaption>{text}</figure>'
    image = _image(part)
    if part.kind == "picture" and part.widget is not None:
        return live.place(part.widget, image)
    if part.kind == "picture":
        return f"<p>{image}</p>"
    return f'<figure id="{part.label}">{image}<figcaption>{caption}</figcaption></figure>'


def _image(part: Part) -> str:
    """The picture of a part, in its own size where it has one."""
    style = ""
    if part.picture.size is not None:
        style = f' style="width: {part.picture.size[0]:.0f}pt"'
    return f'<img src="{_address_that_holds(part.picture)}" alt="{escape(part.alt)}"{style}>'


def _address_that_holds(picture: Picture) -> str:
    """An address that is the picture itself."""
    encoded = base64.b64encode(picture.content).decode()
    return f"data:{picture.mime_type};base64,{encoded}"


class Sections:
    """Numbers for the headings, and the list of contents."""

    def __init__(self):
        self._counts = [0] * 6
        self._entries = []  # level, identifier, numbered title
        self._numbers = {}  # {identifier: number}
        self._in_appendix = False

    def begin_appendix(self) -> None:
        """Count sections A, B, ... from here on."""
        self._in_appendix = True
        self._counts = [0] * 6

    def numbered(self, text: str, plain: bool = False) -> str:
        """A text with numbers before its headings, which are pushed down below the title."""

        def number(match: re.Match) -> str:
            level = int(match[1])
            identifier = match[2]
            number = "" if plain else self._next_number(level)
            self._numbers[identifier] = number
            title = f"{number} {match[3]}"
            self._entries.append((level, identifier, title.strip()))
            return f'<h{level + 1} id="{identifier}">{title}</h{level + 1}>'

        return HEADING.sub(number, text)

    def _next_number(self, level: int) -> str:
        self._counts[level - 1] += 1
        self._counts[level:] = [0] * (6 - level)
        numbers = [str(count) for count in self._counts[:level]]
        if self._in_appendix:
            numbers[0] = chr(ord("A") + self._counts[0] - 1)
        return ".".join(numbers)

    def referred_to(self, text: str, word: str) -> str:
        """A text with the numbers of sections in the links that show nothing else."""

        def show(link: re.Match) -> str:
            number = self._numbers.get(link[1], "")
            return f'<a href="#{link[1]}">{word} {number}</a>'

        return SECTION_LINK.sub(show, text)

    def contents(self, title: str) -> str:
        """The list of contents, below its title."""
        items = [
            f'<li class="level{level}"><a href="#{identifier}">{title}</a></li>'
            for level, identifier, title in self._entries
            if level <= DEEPEST_IN_CONTENTS
        ]
        return f'<nav aria-label="{title}"><h2>{title}</h2><ul>{"".join(items)}</ul></nav>'


def _page(about: dict, contents: str, body: str, kinds: set[str]) -> str:
    """The whole page; `kinds` are those of its widgets."""
    lines = [f"<p>{escape(about[name])}</p>" for name in TITLE_FIELDS if about[name]]
    if about["note"]:
        lines.append(f'<p class="note">{escape(about["note"])}</p>')
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    scripts, style_of_widgets = live.inside_a_page(kinds)
    return PAGE.format(
        policy=_policy(scripts),
        language=about["language"],
        title=escape(about["title"]),
        style=_fonts(f"{about['title']}{''.join(lines)}{body}") + style + style_of_widgets,
        lines="".join(lines),
        contents=contents,
        body=body,
        scripts="".join(f"<script>{script}</script>\n" for script in scripts),
    )


def _policy(scripts: list[str]) -> str:
    """What a page with these scripts may do: run them, and no other."""
    if not scripts:
        return POLICY
    hashes = [hashlib.sha256(script.encode()).digest() for script in scripts]
    named = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes]
    return POLICY_WITH_SCRIPTS + " ".join(named)


def _fonts(text: str) -> str:
    """The style rule for a font with the Chinese, Japanese and Korean letters of a text."""
    letters = {ord(letter) for letter in text if ord(letter) >= FIRST_EAST_ASIAN}
    if not letters:
        return ""
    with TTFont(EAST_ASIAN[0], recalcTimestamp=False) as font:
        letters &= font.getBestCmap().keys()
        if not letters:
            return ""
        subsetter = Subsetter(Options(notdef_outline=True))
        subsetter.populate(unicodes=letters)
        subsetter.subset(font)
        content = io.BytesIO()
        font.save(content)
    encoded = base64.b64encode(content.getvalue()).decode()
    return FONT_RULE.format(family=EAST_ASIAN_FAMILY, content=encoded)
