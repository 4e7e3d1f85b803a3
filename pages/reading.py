"""An executed notebook -> the body of its page, and what else the site needs to know of it."""

import copy
import re
from dataclasses import dataclass, field
from html import unescape

from notebook_tools.cells import tags_of
from notebook_tools.folding import REVEAL, SOLUTION, asks
from notebook_tools.tidy import put_back
from pages.markdown import Texts
from pages.outputs import Shower
from workbook.marks import is_prose

HEADING = re.compile(r'<h([1-6]) id="([^"]*)">(.*?)</h\1>', re.DOTALL)
QUESTION = re.compile(r"\*\*Question\.\*\*\s*(.*?)(?:\n\s*\n|\Z)", re.DOTALL)
FIRST_IN_BOLD = re.compile(r"\*\*(.*?)\*\*", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
ANNOTATION = re.compile(r"<annotation.*?</annotation>", re.DOTALL)
LINK = r'<a href="[^"#]*\.ipynb">[^<]*</a>'
ONLY_LINKS = re.compile(rf"<p>{LINK}(?:\s*\|\s*{LINK})*</p>")  # the pages before and after
DEEPEST = 3  # heading in the contents
REVEALING = "Shown once you have predicted, or when you click"


@dataclass(frozen=True)
class Section:
    """A heading of a page."""

    level: int
    identifier: str
    title: str  # HTML


@dataclass
class Page:
    """A page of the site, without its frame."""

    name: str  # of its file, without the suffix
    title: str
    body: str
    question: str = ""
    sections: list[Section] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)  # {"fig-curves": "Figure 3"}
    pictures: dict[str, bytes] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)  # of widgets


def read_page(nb, name: str, widgets: list[list[dict]] | None = None) -> Page:
    """Make a page of a notebook.

    Parameters
    ----------
    nb
        The executed notebook.
    name
        What its page is called.
    widgets
        For each code cell the states of its widgets; without them there are pictures.
    """
    nb = copy.deepcopy(nb)
    texts = Texts()
    shower = Shower(name, texts)
    states = iter(widgets if widgets is not None else [])
    parts = []
    for cell in nb.cells:
        if cell.cell_type == "code":
            put_back(cell, next(states, []))
        if cell.source.strip():
            parts.append((_folding(cell), _cell(cell, shower, texts)))
    body = texts.filled_in("\n".join(_folded(parts)))
    body = ONLY_LINKS.sub("", body)
    page = page_of(body, name)
    page.question = _question(nb)
    page.labels = shower.labels
    page.pictures = shower.pictures
    page.kinds = shower.kinds
    return page


def page_of(body: str, name: str) -> Page:
    """A page from its body: its title and its sections are those of its headings."""
    sections = [Section(int(level), key, title) for level, key, title in HEADING.findall(body)]
    if not sections:
        raise ValueError(f"{name} has no heading, so its page would have no title")
    title = plain_text(sections[0].title)
    kept = [section for section in sections[1:] if section.level <= DEEPEST]
    return Page(name, title, body, sections=kept)


def plain_text(html: str) -> str:
    """The words of some HTML.

    Examples
    --------
    >>> plain_text("TD(<em>λ</em>) &amp; more")
    'TD(λ) & more'
    """
    return " ".join(unescape(TAG.sub("", ANNOTATION.sub("", html))).split())


def _question(nb) -> str:
    """The question that a notebook begins with, in Markdown; nothing where it asks none."""
    source = nb.cells[0].source
    asked = QUESTION.search(source) or FIRST_IN_BOLD.search(source)
    return " ".join(asked[1].split()) if asked else ""


def _folding(cell) -> str:
    """Whether a cell is folded away: "reveal", "solution", or "" where it is not."""
    tags = tags_of(cell)
    if REVEAL in tags:
        return REVEAL
    return SOLUTION if SOLUTION in tags else ""


def _cell(cell, shower: Shower, texts: Texts) -> str:
    if cell.cell_type == "markdown":
        return f'<div class="site-cell site-prose">{texts.block(cell.source)}</div>'
    if cell.cell_type != "code":
        return ""
    shown = shower.cell(cell.outputs)
    if is_prose(cell.source):
        return f'<div class="site-cell site-prose">{shown}</div>'
    if asks(cell.source):
        return f'<div class="site-cell site-asks">{shown}</div>'
    source = f'<div class="site-source">{texts.code(cell.source)}</div>'
    return f'<div class="site-cell site-code">{source}{shown}</div>'


def _folded(parts: list[tuple[str, str]]):
    """The cells, with what belongs together folded together."""
    run: list[str] = []
    how = ""
    for folding, html in [*parts, ("", "")]:
        if run and folding != how:
            yield _details(how, run)
            run = []
        how = folding
        if folding:
            run.append(html)
        else:
            yield html


def _details(how: str, cells: list[str]) -> str:
    words = REVEALING if how == REVEAL else "Solution"
    inside = "\n".join(cells)
    return f'<details class="site-{how}"><summary>{words}</summary>\n{inside}\n</details>'
