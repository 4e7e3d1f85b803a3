"""What stands on the site beside the notebooks."""

import re
import subprocess
import sys
from html import escape
from pathlib import Path

from experiments.versions import ROOT
from lib2048 import playing_page
from lib2048.files import replace_file
from pages.markdown import Texts
from pages.outputs import Shower
from pages.reading import Page, page_of
from report.build import build as build_report
from report.document import LONG
from report.pandoc import REFERENCES, reference_parts

API_MODULES = (
    "lib2048",
    "lib2048.learning",
    "lib2048.course",
    "lib2048.formats",
    "lib2048.relay",
    "lib2048.tree_search",
    "lib2048.viewer",
    "libewn",
    "libewn.viewer",
    "workbook.check",
)
API_LOOK = Path(__file__).with_name("api")  # what pdoc's pages get from us
TITLE = "TD learning for 2048"
PLAYING = ("play.html", "Watch it play")  # address and title of the playing page
SHOWN = "The same game, played by a network at three ages."
WELCOME = """
A program learns to play 2048 from nothing but its own games. This is the book about it, as it
ran: games play, explorers answer to your hands, questions wait for your prediction, and solutions
stay folded until you ask for them. Nothing needs to be installed for that.

To run it, change it, and write the important functions yourself, get the project and start
`make lab`.
"""


def glossary(file: Path) -> Page:
    """The page of the glossary."""
    texts = Texts()
    body = texts.block(file.read_text(encoding="utf-8"))
    classes = "site-cell site-prose site-glossary"
    return page_of(f'<div class="{classes}">{texts.filled_in(body)}</div>', file.stem)


def references() -> Page:
    """The page of the papers that the notebooks point to."""
    texts = Texts()
    parts = [texts.block("# References")]
    for part in reference_parts(f"ref-{key}" for key in REFERENCES):
        parts.append(
            f'<div class="site-reference" id="{part.label}">{texts.block(part.text)}</div>'
        )
    return page_of(texts.filled_in("\n".join(parts)), "references")


def welcome(
    pages: list[Page],
    beside: list[Page],
    more: list[tuple[str, str]],
    picture: bytes | None = None,
) -> Page:
    """The first page.

    Parameters
    ----------
    pages, beside
        The pages of the book, and those beside it.
    more
        Address and title of what else there is.
    picture
        An SVG document to begin with.
    """
    texts = Texts()
    shower = Shower("welcome", texts)
    shown = ""
    if picture is not None:
        shown = f"<figure>{shower.svg(picture.decode())}<figcaption>{SHOWN}</figcaption></figure>"
    items = [
        f'<li><a href="{page.name}.html"><b>{escape(page.title)}</b></a>'
        f"<span>{texts.inline(page.question)}</span></li>"
        for page in pages
    ]
    others = [(f"{page.name}.html", page.title) for page in beside] + more
    links = "".join(
        f'<li><a href="{address}">{escape(title)}</a></li>' for address, title in others
    )
    start = f'<p class="site-start"><a href="{pages[0].name}.html">Start reading</a>'
    if PLAYING in more:
        start += '<a href="{}">{}</a>'.format(*PLAYING)
    body = (
        f'<h1 id="welcome">{TITLE}</h1>\n{texts.block(WELCOME)}\n{start}</p>\n{shown}\n'
        f'<h2 id="book">The book</h2>\n<ol class="site-book">{"".join(items)}</ol>\n'
        f'<h2 id="beside">Beside it</h2>\n<ul>{links}</ul>'
    )
    page = page_of(texts.filled_in(body), "index")
    page.sections = []
    page.pictures = shower.pictures
    return page


def write_playing_page(path: Path) -> None:
    """Write the page on which a network plays, with a way back."""
    playing_page(path)
    page = path.read_text(encoding="utf-8")
    back = f'</h1>\n<p style="margin-left:4px"><a href="index.html">{TITLE}</a></p>'
    replace_file(path, page.replace("</h1>", back, 1).encode())


def write_api(folder: Path) -> None:
    """Write the pages of all that is public, made by pdoc.

    Raises
    ------
    ValueError
        If pdoc fails, or is not installed.
    """
    command = [sys.executable, "-m", "pdoc", "--docformat", "numpy"]
    command += ["--template-directory", str(API_LOOK), "--output-directory", str(folder)]
    done = subprocess.run([*command, *API_MODULES], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"pdoc failed: {done.stderr.strip()[-500:]}")


def write_report(path: Path, scale: str) -> None:
    """Make the long edition of the report as one page, and copy it, with a way back.

    Raises
    ------
    ValueError, OSError
        If it cannot be made.
    """
    page = build_report(scale, "html", edition=LONG).read_text(encoding="utf-8")
    back = rf'\1<p><a href="index.html">{TITLE}</a></p>'
    replace_file(path, re.sub("(<nav[^>]*>)", back, page, count=1).encode())
