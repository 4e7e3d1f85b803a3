"""The explorers in a real browser, on pages of their own (browsing.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import random

import pytest
from browsing import browser, open_page, wait
from test_explorers import random_cells

from lib2048.viewer.joining import joined
from workbook import explore
from workbook.explorers.slide import SCRIPT, slide_steps

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def opened(browser, tmp_path):
    """A function that opens an explorer -> its page, on which nothing may go wrong."""
    complaints = []
    pages = []

    def open_explorer(widget, **how):
        widget.save_html(tmp_path / "page.html", "Explorer")
        page, wrong = open_page(browser, tmp_path / "page.html", **how)
        complaints.append(wrong)
        pages.append(page)
        return page

    yield open_explorer
    assert not any(complaints), complaints
    for page in pages:
        page.context.close()


def evaluate_module(page, path, script, argument):
    """Run a script that sees what a module exports as `it`."""
    return page.evaluate(
        """async ([source, script, argument]) => {
        const file = new Blob([source], { type: "text/javascript" });
        const it = (await import(URL.createObjectURL(file))).default;
        return new Function("it", "argument", "return " + script)(it, argument);
    }""",
        [joined(path), script, argument],
    )


# The slide bench


def test_slides_in_the_steps_that_python_makes(browser):
    rng = random.Random(4)
    cases = [(random_cells(rng), rng.randrange(4)) for _ in range(200)]
    page = browser.new_page()
    script = """argument.map(([cells, action]) => it.slideSteps(Uint8Array.from(cells), action)
        .map(({ kind, to, earned }) => [kind, [...to], earned]))"""
    results = evaluate_module(page, SCRIPT / "steps.js", script, cases)
    wanted = [[list(step) for step in slide_steps(cells, action)] for cells, action in cases]
    assert results == wanted
    page.close()


def tiles(page):
    """The names of the cells of the board that is edited."""
    return [cell.get_attribute("aria-label").split(": ")[1] for cell in page.locator(".cell").all()]


def test_a_row_is_edited_and_slid(opened):
    page = opened(explore.slide((2, 0, 2, 4)), reduced_motion="reduce")
    assert tiles(page) == ["2", "empty", "2", "4"]
    page.get_by_label("cell 4").click()  # 8
    page.get_by_label("Smaller tile in the chosen cell").click()  # 4 again
    page.get_by_label("cell 2").focus()
    page.keyboard.press("+")
    assert tiles(page) == ["2", "2", "2", "4"]
    page.get_by_role("button", name="Slide left").click()
    page.locator("button.step").click()
    assert tiles(page) == ["4", "empty", "2", "4"]
    page.keyboard.press("End")
    assert tiles(page) == ["4", "2", "4", "empty"]
    assert page.locator(".reward").inner_text() == "4"
    assert "The reward is 4" in page.locator(".heard").text_content()
    page.keyboard.press("d")  # to the right, from the tiles as they were set
    page.keyboard.press("End")
    assert tiles(page) == ["empty", "2", "4", "4"]


def test_the_steps_play_by_themselves_and_stop(opened):
    page = opened(explore.slide((2, 2, 0, 0)))
    page.get_by_role("button", name="Play").click()
    wait(lambda: "earned so far: 4" in page.locator(".earned").inner_text())
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").count() == 1
