"""Pages -> whole HTML files: head, contents, body, neighbours; and links that lead there."""

import re
from html import escape
from pathlib import Path
from urllib.parse import unquote

from pages.reading import Page, Section, plain_text
from report.live import slug

TEMPLATE = Path(__file__).with_name("page.html")
PLACES = re.compile("@(policy|title|styles|scripts|contents|body|neighbours)@")
HREF = re.compile(r'href="([^"]*)"')
INNER_LINK = re.compile(r"</?a\b[^>]*>")

# Nothing from elsewhere. A page that is opened from a disk has no "self", but "file:".
POLICY = (
    "default-src 'none'; script-src 'self' file: 'unsafe-inline'; "
    "style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data: blob:; "
    "worker-src blob:; base-uri 'none'; form-action 'none'"
)

ORIGIN = (
    "This page is <code>notebooks/{}.ipynb</code> as it ran. <code>make lab</code> opens the "
    "notebook itself, where you can change everything and write your own answers."
)


class Book:
    """All pages of the site, in order, and where their labels are.

    Parameters
    ----------
    pages
        The pages that have neighbours, and those that stand beside them.
    """

    def __init__(self, pages: list[Page], beside: list[Page]):
        self.pages = pages
        self.beside = beside
        self.more: list[tuple[str, str]] = []  # (address, title) of what has no frame
        self._places = {label: page for page in pages for label in page.labels}

    def file(self, page: Page) -> str:
        """The whole HTML of a page."""
        kinds = sorted(map(slug, page.kinds))
        parts = {
            "policy": POLICY,
            "title": escape(page.title),
            "styles": "\n".join(
                f'<link rel="stylesheet" href="widgets/{kind}.css">' for kind in kinds
            ),
            "scripts": "\n".join(
                f'<script defer src="widgets/{kind}.js"></script>' for kind in kinds
            ),
            "contents": self._contents(page),
            "body": self._linked(page),
            "neighbours": self._neighbours(page),
        }
        template = TEMPLATE.read_text(encoding="utf-8")
        return PLACES.sub(lambda place: parts[place[1]], template)

    def _linked(self, page: Page) -> str:
        """The body of a page, its links as they are on the site."""
        here = set(re.findall(r' id="([^"]*)"', page.body))
        return HREF.sub(lambda link: f'href="{self._address(link[1], page, here)}"', page.body)

    def _address(self, address: str, page: Page, here: set[str]) -> str:
        """Where a link of a notebook leads on the site."""
        file, _, label = address.partition("#")
        if file.endswith((".ipynb", ".md")):
            return self._address_of_page(file, label, page)
        if file or label in here:
            return address
        if label.startswith("ref-"):
            return f"references.html#{label}"
        if label not in self._places:
            raise ValueError(
                f"{page.name} links to #{label}, which no page has; if it is new, the notebook "
                "has to run first (make notebooks)"
            )
        return f"{self._places[label].name}.html#{label}"

    def _address_of_page(self, file: str, label: str, page: Page) -> str:
        """Where a link to another notebook leads."""
        stem = Path(file).stem
        named = {other.name: other for other in [*self.pages, *self.beside]}
        if stem not in named:
            raise ValueError(f"{page.name} links to {file}, which is no page of the site")
        if not label:
            return f"{stem}.html"
        identifier = _identifier(named[stem], unquote(label))
        if identifier is None:
            raise ValueError(f"{page.name} links to {file}#{label}, which is not there")
        return f"{stem}.html#{identifier}"

    def _contents(self, page: Page) -> str:
        """The list at the side: all pages, and the sections of this one."""
        items = [self._item(other, page) for other in self.pages]
        others = [self._item(other, page) for other in self.beside]
        others += [
            f'<li><a href="{address}">{escape(title)}</a></li>' for address, title in self.more
        ]
        return f"<ol>{''.join(items)}</ol>\n<ul>{''.join(others)}</ul>"

    def _item(self, other: Page, page: Page) -> str:
        if other is not page:
            return f'<li><a href="{other.name}.html">{escape(other.title)}</a></li>'
        link = f'<a href="{page.name}.html" aria-current="page">{escape(page.title)}</a>'
        sections = "".join(map(_entry, page.sections))
        inside = f'<ul class="site-sections">{sections}</ul>' if sections else ""
        return f"<li>{link}{inside}</li>"

    def _neighbours(self, page: Page) -> str:
        """Links to the page before and the page after."""
        if page not in self.pages:
            return ""
        at = self.pages.index(page)
        links = []
        if at:
            links.append(_neighbour(self.pages[at - 1], "prev", "Back"))
        if at + 1 < len(self.pages):
            links.append(_neighbour(self.pages[at + 1], "next", "On"))
        label = "Pages before and after"
        nav = f'<nav class="site-neighbours" aria-label="{label}">{"".join(links)}</nav>'
        return f'{nav}\n<footer class="site-origin">{ORIGIN.format(page.name)}</footer>'


def _identifier(page: Page, label: str) -> str | None:
    """What a label is called on a page: that of a figure, or a heading as JupyterLab calls it."""
    if label in page.labels:
        return label
    for section in page.sections:
        in_jupyter = plain_text(section.title).replace(" ", "-")
        if label in (section.identifier, in_jupyter):
            return section.identifier
    return None


def _entry(section: Section) -> str:
    title = INNER_LINK.sub("", section.title)
    return f'<li class="site-level{section.level}"><a href="#{section.identifier}">{title}</a></li>'


def _neighbour(page: Page, relation: str, word: str) -> str:
    return (
        f'<a rel="{relation}" href="{page.name}.html"><small>{word}</small>{escape(page.title)}</a>'
    )
