"""The report of the notebooks as they are, at the small scale: all that it must hold is in it."""

import io
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from experiments.versions import ROOT
from notebook_tools.execute import copy_of
from notebook_tools.files import sources
from report import build
from report.document import EDITIONS, HOMEWORK
from report.exporter import PartsExporter
from report.matter import ASKED
from report.title import ENGLISH, WORDS, title_data

SECTIONS = [
    "The game",
    "A board in 64 bits",
    "Player and environment in turn",
    "The record of an episode",
    "The mechanism of TD(0)",
    "N-tuple network: implementation and use",
    "Eight isomorphisms",
    "One shared table, or one table for each image",
    "Estimate: the value of a board",
    "Update: moving the value of a board",
    "Index, estimate and update in detail",
    "Action selection of V(afterstate)",
    "Action selection of V(state)",
    "TD backup of V(afterstate)",
    "TD backup of V(state)",
    "Select best move and update episode in detail",
    "Training",
    "What is each ingredient worth",
    "Strength",
    "Looking ahead",
    "Temporal coherence",
    "A million games",
    "Another game: EinStein würfelt nicht!",
    "References",
    "Where the numbers come from",
    "Networks",
    "Experiments",
    "Recorded runs",
]
PAGES = range(25, 91)
PAGES_OF_HOMEWORK = range(10, 15)
SMALL = WORDS[ENGLISH]["small"]
pytestmark = pytest.mark.slow


CITATION = re.compile(r"\(#((?:fig|tab)-[\w-]+)\)")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_figure_and_table_is_cited(executed, edition):
    exporter = PartsExporter(edition=edition)
    labels = {}
    cited = set()
    for name, nb in executed.items():
        parts, _ = exporter.parts(nb, name, str(ROOT / "notebooks"))
        for part in parts:
            labels |= {part.label: part.where} if part.label else {}
            cited |= set(CITATION.findall(part.text + part.caption))
    uncited = {label: where for label, where in labels.items() if label not in cited}
    assert len(labels) > 8 and uncited == {}


@pytest.fixture(scope="module")
def homework(executed):
    """The text of each page of the homework."""
    reader = PdfReader(io.BytesIO(written(edition=HOMEWORK)))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def test_the_homework_has_ten_to_fourteen_pages(homework):
    assert len(homework) in PAGES_OF_HOMEWORK


def test_the_first_page_says_what_came_of_it_and_where_all_that_is_asked_for_stands(homework):
    first = homework[0]
    for words in ("Abstract.", "Table 1. Key results", "Figure 1.", "asked for", "Own functions"):
        assert words in first, words
    for what, _ in ASKED:
        assert what in first, what


def test_the_homework_needs_no_contents_and_ends_with_the_sources(homework):
    assert not any("Contents" in page for page in homework)
    assert "References" in " ".join(homework) and "SHA-256" in homework[-1]


@pytest.fixture(scope="module")
def pdf(executed):
    """The bytes of the report."""
    return written()


def written(kind="pdf", edition="long"):
    copies = [copy_of(path, "small") for path in sources()]
    about = title_data(Path("nowhere")) | {"note": SMALL, "name": "王小明"}
    return build.written(copies, "small", kind, about, ROOT, edition)


@pytest.fixture(scope="module")
def pages(pdf):
    """The text of each page."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]


def test_every_required_section_is_there(pages):
    contents = " ".join(pages[:3])
    assert [
        title for title in SECTIONS if not re.search(rf"{re.escape(title)}[^.]*[ .]+\d", contents)
    ] == []


def test_pages_are_as_they_should_be(pages):
    assert len(pages) in PAGES
    for number, page in enumerate(pages, 1):
        assert SMALL in page and page.endswith(str(number)), f"page {number}"


def test_nothing_shows_that_should_not(pages):
    for number, page in enumerate(pages, 1):
        for bad in (
            "VBox(",
            "HBox(",
            "<Figure",
            "object at",
            "�",
            "□",
            "￿",
            "#ref",
            "#fig-",
            "](",
            "None None",
        ):
            assert bad not in page, f"page {number}: {bad}"
        raw = re.findall(r"\\(?:frac|alpha|text|left|begin|sum|leftarrow|mathbb)|\$[^$ ]", page)
        assert not raw, f"page {number}: {raw}"


def test_figures_and_tables_are_numbered_and_named(pages):
    text = " ".join(pages)
    for word in ("Figure", "Table"):
        captions = rf"\b{word} (\d+)\.(?= [A-Z0-9\"“])"  # one may follow another at once
        numbers = {int(number) for number in re.findall(captions, text)}
        assert len(numbers) >= 15 and numbers == set(range(1, max(numbers) + 1))


def test_it_is_the_same_when_built_twice(pdf):
    assert written() == pdf


def test_the_page_of_html_needs_nothing_beside_it(executed):
    page = written("html").decode()
    assert not re.findall(r'<(?:img|script|link|iframe)[^>]*(?:src|href)="(?!data:)', page)
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(re.findall(r' id="([^"]*)"', page))
