"""The site in a real browser, from the file system and from a server (see browsing.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest
import tiny_notebooks as tiny
from browsing import browser, shoot
from tiny_notebooks import code, figure, md, notebook

from lib2048 import NTupleNetwork, play, watch
from notebook_tools.tidy import page_states, tidy
from pages import build
from pages.extras import glossary
from pages.frame import Book
from pages.reading import read_page
from workbook import explore, predict

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDE = {"width": 1200, "height": 900}
NARROW = {"width": 400, "height": 800}
TERMS = """# Glossary

| term | Traditional Chinese | meaning | notebook |
|---|---|---|---|
| action selection | 動作選擇 | How a player picks one of its legal actions. | [02](02_b.ipynb) |
"""


def showing(widget):
    """The outputs of a cell that shows a widget in a run whose outputs become pages."""
    shown = widget._picture() | widget._for_page()
    return [tiny.new_output("display_data", shown, metadata=widget._about_picture())]


def first():
    """A notebook with one widget of each sort."""
    net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)))
    game = play(net, seed=1)
    question = predict.choice("tile", "Which, $2^n$?", {"16": "Few.", "32": ""}, "32", "So it is.")
    return notebook(
        md("# 01 The first\n\n[02 second](02_b.ipynb)"),
        md("## Guess\n\n$$V(s) = 0$$"),
        code("predict.choice('tile', 'Which?', {}, '32', 'why')", outputs=showing(question)),
        md("It is the 32.", "reveal"),
        md("## Watch\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
        code("watch(game, net=net)", outputs=showing(watch(game, net=net))),
        code("explore.choose([net], board)", outputs=showing(explore.choose([net], 0x1234))),
        code("explore.slide((2, 0, 2, 4))", outputs=showing(explore.slide((2, 0, 2, 4)))),
        *[md(f"### Part {n}\n\n" + "Words and words. " * 60) for n in range(5)],
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Two pages, and a server that serves them."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIB2048_PAGES", "1")
        nb = first()
    states = page_states(nb)
    other = notebook(md("# 02 The second\n\nA needle."), code("1", outputs=figure()))
    terms = tmp_path_factory.mktemp("terms") / "glossary.md"
    terms.write_text(TERMS, encoding="utf-8")
    book = Book([read_page(tidy(nb), "01_a", states), read_page(other, "02_b")], [glossary(terms)])
    build.write(book, folder)
    handler = functools.partial(QuietHandler, directory=folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    served = f"http://127.0.0.1:{server.server_port}/"
    yield SimpleNamespace(file=folder.as_uri() + "/", served=served)
    server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    """A server that tells nobody what it serves."""

    def log_message(self, *_):
        pass


class Reader:
    """A page of the site, and all that went wrong on it."""

    def __init__(self, browser, start, **how):
        self.start = start
        self.wrong = []
        self.page = browser.new_context(**how).new_page()
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._look_at)

    def _note(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(message.text)

    def _look_at(self, request):
        if not request.url.startswith((self.start, "data:", "blob:")):
            self.wrong.append(request.url)

    def open(self, address):
        self.page.goto(self.start + address)
        return self.page

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)


@pytest.mark.parametrize("place", ["file", "served"])
def test_a_reader_with_a_keyboard(browser, site, place):
    reader = Reader(browser, getattr(site, place), viewport=WIDE, reduced_motion="reduce")
    page = reader.open("01_a.html")
    reader.press("Tab")
    assert page.evaluate("document.activeElement.className") == "site-skip"
    reader.press("Enter")

    # a prediction: nothing is told before, and everything after
    assert not page.get_by_text("It is the 32.").is_visible()
    page.locator(".predict input").first.focus()
    reader.press("Space", "Enter")
    assert page.locator(".predict .result").inner_text().startswith("✗")
    assert page.get_by_text("It is the 32.").is_visible()

    # a game plays, and says what it cannot do without Python
    viewer = page.locator(".site-live .v2048")
    viewer.scroll_into_view_if_needed()
    viewer.locator(".stage").focus()
    reader.press("ArrowRight", "ArrowRight")
    assert viewer.locator("dd.move").inner_text().startswith("2 / ")
    assert not page.locator(".site-lives > .site-still").first.is_visible()
    chooser = page.locator(".site-live[data-kind*=choose]")
    chooser.get_by_text("Without Python only these boards").wait_for()

    # what was predicted stays (of files, chromium now and then forgets what was stored just now)
    if place == "served":
        page.reload()
        page.locator(".predict.entered").wait_for()
        assert page.get_by_text("It is the 32.").is_visible()

    # the search leads to another page
    page.locator("h1").click()
    reader.press("/")
    page.keyboard.type("needle")
    page.locator(".site-search li a").wait_for()
    reader.press("ArrowDown", "Enter")
    page.wait_for_url("**/02_b.html")
    page.locator(".site-neighbours a").focus()
    reader.press("Enter")
    page.wait_for_url("**/01_a.html")
    assert reader.wrong == []


def test_a_small_window_a_dark_one_and_paper(browser, site):
    reader = Reader(browser, site.served, viewport=NARROW, reduced_motion="reduce")
    page = reader.open("01_a.html")
    page.locator(".site-live").last.scroll_into_view_if_needed()
    page.locator(".site-live .v2048").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    page.locator(".site-menu").focus()
    reader.press("Enter")
    assert page.locator(".site-side").is_visible()
    shoot(page, "site_narrow")
    reader.press("Escape")
    assert not page.locator(".site-side").is_visible()

    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.locator(".site-theme").click()
    assert page.evaluate(paper) != light
    dark = page.evaluate(paper)
    shoot(page, "site_dark")
    page.reload()
    assert page.evaluate(paper) == dark, "what the reader chose stays"

    page.emulate_media(media="print")
    assert not page.locator(".site-bar").is_visible()
    assert page.locator(".site-live .site-still img").first.is_visible()
    assert reader.wrong == []


def test_a_term_of_the_glossary_fits_a_telephone(browser, site):
    reader = Reader(browser, site.served, viewport=NARROW)
    cells = reader.open("glossary.html").locator("td")
    term, _, meaning, link = (cells.nth(n).bounding_box() for n in range(4))
    assert meaning["y"] > term["y"] and meaning["width"] > 300
    assert link["y"] == pytest.approx(term["y"], abs=2) and link["x"] + link["width"] <= 400
    wide = Reader(browser, site.served, viewport=WIDE).open("glossary.html").locator("td")
    assert wide.nth(2).bounding_box()["y"] == wide.nth(0).bounding_box()["y"]
    assert reader.wrong == []


def test_the_section_that_is_read_is_marked(browser, site):
    reader = Reader(browser, site.file, viewport=WIDE, reduced_motion="reduce")
    page = reader.open("01_a.html#part-2")
    marked = page.locator(".site-side [aria-current=location]")
    marked.wait_for()
    assert marked.inner_text() == "Part 2"
    assert page.locator(".site-side [aria-current=page]").inner_text() == "01 The first"
    shoot(page, "site")
    assert reader.wrong == []
