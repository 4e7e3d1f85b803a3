"""The long edition as a page, in a real browser, opened from the disk (see browsing.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import json
import re

import pytest
import tiny_notebooks as tiny
from browsing import browser, shoot
from tiny_notebooks import code, md, notebook

from lib2048 import NTupleNetwork, play, watch
from notebook_tools.tidy import page_states, tidy
from report import build
from report.title import title_data

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7))


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A book of one notebook with a game in it, its parts and the page."""
    root = tmp_path_factory.mktemp("book")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIB2048_PAGES", "1")
        viewer = watch(play(NTupleNetwork(PATTERNS), seed=1))
        shown = viewer._picture() | viewer._for_page()
    nb = notebook(
        md("## One game", "report"),
        code("1", outputs=tiny.stream("not for the report")),
        md("Here it is.", "report-plays"),
        code("watch(game)", "report-plays", outputs=[tiny.new_output("display_data", shown)]),
    )
    states = page_states(nb)
    tiny.write(root, **{"01_a": tidy(nb)})
    copy = root / "notebooks" / "01_a.ipynb"
    (root / "runs" / "widgets" / "small").mkdir(parents=True)
    (root / "runs" / "widgets" / "small" / "01_a.json").write_text(json.dumps(states))
    about = title_data(root)
    page = root / "long.html"
    page.write_bytes(build.written([copy], "small", "html", about, root, "long"))
    short = build.written([copy], "small", "html", about, root)
    return page, short.decode()


def test_only_the_long_edition_runs_scripts_and_only_its_own(book):
    page, short = book
    assert "<script" not in short and "Here it is." not in short
    long = page.read_text(encoding="utf-8")
    policy = re.search(r'Policy" content="([^"]*)"', long)[1]
    scripts = re.findall(r"<script>", long)
    assert len(scripts) == 2 == len(re.findall("'sha256-[^']{44}'", policy))
    assert "script-src 'sha256-" in policy and "unsafe-eval" not in policy


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (400, "dark")])
def test_a_game_plays_in_the_one_file(browser, book, width, scheme):
    how = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    page = browser.new_context(**how, reduced_motion="reduce").new_page()
    wrong = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(book[0].as_uri())
    viewer = page.locator(".site-live .v2048")
    viewer.scroll_into_view_if_needed()
    viewer.locator(".stage").focus()
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert viewer.locator("dd.move").inner_text().startswith("2 / ")
    page.keyboard.press("Space")
    page.wait_for_function("() => !document.querySelector('dd.move').innerText.startsWith('2 /')")
    page.keyboard.press("Space")
    shoot(page, f"report-{width}-{scheme}")

    # in the colours of the page, and no wider than it
    colours = "place => getComputedStyle(document.querySelector(place)).{}"
    for colour in ("color", "backgroundColor"):
        read = colours.format(colour)
        assert page.evaluate(read, ".v2048") == page.evaluate(read, "body")
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    # paper gets the picture
    page.emulate_media(media="print")
    assert page.locator(".site-still img").is_visible() and not viewer.is_visible()
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize("media", ["screen", "print"])
def test_a_line_of_code_is_not_broken_where_there_is_room(browser, tmp_path, media):
    longest = "x = " + "1 + " * 23 + "1"  # 97 letters
    nb = notebook(md("## Code", "report"), code(longest, "report", "report-source"))
    tiny.write(tmp_path, **{"01_a": nb})
    copy = tmp_path / "notebooks" / "01_a.ipynb"
    path = tmp_path / "long.html"
    path.write_bytes(build.written([copy], "small", "html", title_data(tmp_path), tmp_path, "long"))
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(path.as_uri())
    if media == "print":
        page.set_viewport_size({"width": 643, "height": 900})  # A4 within its margins
        page.emulate_media(media="print")
    code_block = page.locator("main pre").first
    assert longest in code_block.inner_text()
    assert code_block.bounding_box()["height"] < 50


def test_without_scripts_there_is_the_picture(browser, book):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(book[0].as_uri())
    picture = page.locator(".site-still img")
    picture.scroll_into_view_if_needed()
    assert picture.bounding_box()["height"] > 50 and page.locator(".v2048").count() == 0


def test_a_script_that_the_page_does_not_name_is_not_run(browser, book, tmp_path):
    planted = tmp_path / "planted.html"
    text = book[0].read_text(encoding="utf-8")
    planted.write_text(text.replace("<main>", "<script>window.planted = 1</script><main>"))
    page = browser.new_page()
    page.goto(planted.as_uri())
    assert page.evaluate("[window.planted ?? null, typeof window.site2048]") == [None, "object"]
