"""The whole site, into a folder."""

import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from experiments.versions import ROOT
from lib2048.files import replace_file
from lib2048.viewer.joining import joined
from notebook_tools import execute
from notebook_tools.files import read, sources
from pages import extras, search
from pages.frame import Book
from pages.reading import Page, read_page
from report import live

HERE = Path(__file__).parent
SITE = ROOT / "build" / "site"
INDEX = "search-index.js"
PICTURE = Path("figures", "ages.svg")  # of the first page
STYLES = ("colours", "frame", "text", "code", "cells", "print")
EXTRAS = {  # what is no notebook: address and title
    "play": extras.PLAYING,
    "report": ("report.html", "The report, long edition"),
    "api": ("api/lib2048.html", "The functions of lib2048"),
}


def build(
    scale: str = "full",
    folder: Path = SITE,
    root: Path = ROOT,
    jobs: int = 2,
    committed: bool = False,
    without: Iterable[str] = (),
) -> Path:
    """Make the site.

    Parameters
    ----------
    scale
        "small" or "full": at which scale the notebooks run, as far as they are not up to date.
    folder
        Where the site goes; what a site left there is replaced.
    root
        The checkout.
    jobs
        How many notebooks run at once.
    committed
        Whether to take the notebooks as they lie in notebooks/, and run none. Then there are
        pictures where widgets would live, as far as no run left their states.
    without
        What of `EXTRAS` to leave out.

    Returns
    -------
    Path
        The page to begin with.
    """
    folder = Path(folder).resolve()
    _check_folder(folder)
    paths = sources(root)
    if not committed:
        execute.run(scale, jobs=jobs, root=root)
    pages = [_page(path, scale, root, committed) for path in paths]
    beside = [extras.references()]
    glossary = root / "notebooks" / "glossary.md"
    if glossary.exists():
        beside.insert(0, extras.glossary(glossary))
    fresh = _fresh_folder(folder)
    book = Book(pages, beside)
    # of notebooks that did not run just now no report is made either
    left_out = {*without, "report"} if committed else set(without)
    book.more = _write_extras(fresh, scale, [name for name in EXTRAS if name not in left_out])
    picture = root / PICTURE
    write(book, fresh, picture.read_bytes() if picture.exists() else None)
    if folder.exists():
        shutil.rmtree(folder)
    fresh.rename(folder)
    return folder / "index.html"


def _check_folder(folder: Path) -> None:
    """Refuse a folder that holds something else than a site, which would be deleted."""
    if folder.exists() and any(folder.iterdir()) and not (folder / INDEX).exists():
        raise ValueError(f"{folder} holds something that is no site of ours; give an empty folder")


def _fresh_folder(folder: Path) -> Path:
    """A folder beside the one that is wanted, so that an earlier site stays until all is made."""
    fresh = folder.with_name(f"{folder.name}.new")
    if fresh.exists():  # left by a run that was stopped
        shutil.rmtree(fresh)
    fresh.mkdir(parents=True)
    return fresh


def _page(path: Path, scale: str, root: Path, committed: bool) -> Page:
    """The page of a notebook, from its executed copy or as it is committed."""
    states = execute.states_of(path, scale, root)
    if committed:
        return read_page(read(path), path.stem)
    widgets = json.loads(states.read_text(encoding="utf-8"))
    return read_page(read(execute.copy_of(path, scale, root)), path.stem, widgets)


def _write_extras(folder: Path, scale: str, wanted: list[str]) -> list[tuple[str, str]]:
    """Write what is no notebook; returns address and title of what could be made."""
    writers = {
        "play": lambda: extras.write_playing_page(folder / "play.html"),
        "report": lambda: extras.write_report(folder / "report.html", scale),
        "api": lambda: extras.write_api(folder / "api"),
    }
    made = []
    for name in wanted:
        address, title = EXTRAS[name]
        try:
            writers[name]()
        except (ValueError, OSError) as error:
            print(f"The site is made without “{title}”: {error}", file=sys.stderr)
        else:
            made.append((address, title))
    return made


def write(book: Book, folder: Path, picture: bytes | None = None) -> None:
    """Write the pages of a book, and all that they load; the first page shows the picture."""
    first = extras.welcome(book.pages, book.beside, book.more, picture)
    every = [first, *book.pages, *book.beside]
    for page in every:
        replace_file(folder / f"{page.name}.html", book.file(page).encode())
        for name, content in page.pictures.items():
            (folder / "pictures").mkdir(exist_ok=True)
            replace_file(folder / "pictures" / name, content)
    for kind in sorted(set().union(*(page.kinds for page in every))):
        _write_kind(kind, folder / "widgets")
    sheets = [*(HERE / "style" / f"{topic}.css" for topic in STYLES), live.STYLE]
    style = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    replace_file(folder / "site.css", style.encode())
    script = f"(() => {{\n{joined(HERE / 'script' / 'site.js')}\n}})();\n"
    replace_file(folder / "site.js", script.encode())
    replace_file(folder / INDEX, search.script(every[1:]).encode())


def _write_kind(kind: str, folder: Path) -> None:
    """Write the script and the style sheet of a kind of widget into a folder."""
    script, style = live.script_and_style(kind)
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / f"{live.slug(kind)}.js", script.encode())
    replace_file(folder / f"{live.slug(kind)}.css", style.encode())
