"""Predictions and live training in JupyterLab, in a real browser (see browsing.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import re

import nbformat
import pytest
from browsing import KERNEL, SHOTS, Lab, browser, server, wait
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from notebook_tools.folding import fold

pytestmark = [pytest.mark.browser, pytest.mark.slow]
START = """from pathlib import Path
from workbook.notebook import *
from workbook.predict import entries
entries.FILE = Path("predictions.json")  # and not the file of whoever runs this test"""
CHOICE = """predict.choice(
    "tile",
    "Which *tile*, $2^n$?",
    {"16": "Too few.", "32": "", "64": "Five cells."},
    32,
    "It is so.",
)"""
NUMBER = """lookups = predict.number(
    "lookups", "How many?", 1, 10_000, 833, "So many.", scale="log", too_low="Think of the images."
)
lookups"""
ORDER = """predict.order("worth", "In order?", ["A", "B", "C"], ["B", "C", "A"], "So it is.")"""
TICKS = """predict.ticks(
    "known", "Which?", {"score": "Never.", "board": "What else?"}, ["board"], "So."
)"""
CURVE = """sketch = predict.curve(
    "growth", "How?", (0, 23, "games"), (0, 40, "score"), lambda x: x, "So."
)
sketch"""
BUSY = """import time
print("busy", flush=True)
time.sleep(8)"""
CELLS = [
    START,
    CHOICE,
    "print('the figure that tells')",
    NUMBER,
    ORDER,
    TICKS,
    CURVE,
    "print(lookups.entry, sketch.entry[0], sketch.entry[-1], len(sketch.entry))",
    BUSY,
    "print(sorted(entries.read_all()['predicting']))",
    "%%md\nThere are {3:,} games, $\\frac{a}{b}$.",
]
LIVE = [
    "from lib2048 import NTupleNetwork\nfrom workbook.live import train_live",
    "net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)))\nlive = train_live(net, 3_000_000)\nlive",
    "print('meanwhile', live.running)",
    "log = await live\nprint('stopped', log.interrupted, len(log.scores) == net.games)",
    "train_live(net, 7)",
]

HAS_KERNEL = """() => {
    const session = window.jupyterapp.shell.currentWidget?.sessionContext?.session;
    return session?.kernel?.status === "idle";
}"""
ACTIVATE = """node => {
    const { content } = window.jupyterapp.shell.currentWidget;
    content.activeCellIndex = content.widgets.findIndex(cell => cell.node === node);
}"""


def open_notebook(browser, server, name, sources):
    cells = [new_code_cell(source) for source in sources]
    if name == "predicting":
        cells[2].metadata["tags"] = ["reveal"]
        cells[2].outputs = [nbformat.v4.new_output("stream", text="the figure that tells\n")]
        cells.insert(3, new_markdown_cell("## Another section"))
    nb = fold(new_notebook(cells=cells, metadata=KERNEL))
    nbformat.write(nb, server.folder / f"{name}.ipynb")
    page = browser.new_page(viewport={"width": 1000, "height": 1300})
    lab = Lab(page, server, name)
    wait(lambda: page.evaluate(HAS_KERNEL), 60)  # the one of this notebook
    return lab


@pytest.fixture(scope="module")
def predicting(browser, server):
    lab = open_notebook(browser, server, "predicting", CELLS)
    folded = lab.cell(2).locator(".jp-OutputPlaceholder")
    folded.wait_for()
    for n, source in enumerate(CELLS):
        if "predict." in source or n == 0:
            execute(lab, n)
    lab.view = lab.page.locator(".predict")
    wait(lambda: lab.view.count() == 5, 60)
    yield lab
    assert lab.errors == []
    lab.page.close()


def execute(lab, n):
    """Run a cell whose source may be folded away, so that nobody can click it."""
    lab.cell(n).evaluate(ACTIVATE)
    lab.command("notebook:run-cell")


def result(lab, n):
    return lab.view.nth(n).locator(".result").inner_text()


def test_nothing_is_told_before_something_is_entered(predicting):
    for n in range(5):
        assert not predicting.view.nth(n).locator(".result").is_visible()
        assert predicting.view.nth(n).locator(".result").inner_text() == ""
    texts = " ".join(predicting.view.all_inner_texts())
    assert "It is so." not in texts and "Five cells" not in texts
    folded = predicting.page.locator(".jp-OutputArea details")
    assert not any(details.is_visible() for details in folded.all()), "the text in its place"


def test_a_choice_is_made_by_keys_and_unfolds_what_tells(predicting):
    lab = predicting
    view = lab.view.first
    assert view.locator("legend math").count() == 1
    assert view.locator("button.enter").is_disabled()
    view.locator("input").first.focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        lab.page.keyboard.press(key)
    wait(lambda: "Five cells." in result(lab, 0))
    assert "It comes out otherwise." in result(lab, 0) and "It is so." in result(lab, 0)
    assert view.locator(".is-right").inner_text().split() == ["32", "right"]
    assert view.locator(".is-wrong").inner_text().split() == ["64", "you"]
    assert view.locator(".result").get_attribute("aria-live") == "polite"
    wait(lambda: lab.output(2) == "the figure that tells", why=lambda: "what tells is folded")
    lab.shoot("predict-choice")


def test_it_can_be_entered_again(predicting):
    view = predicting.view.first
    view.locator("button.again").click()
    assert result(predicting, 0) == "" and view.locator("input:checked").count() == 0
    view.locator("input").nth(1).check()
    view.locator("button.enter").click()
    assert "That is right." in result(predicting, 0)


def test_a_number_is_entered_by_slider_or_typed(predicting):
    view = predicting.view.nth(1)
    slider = view.locator("input[type=range]")
    assert slider.get_attribute("aria-valuetext") == "nothing entered yet"
    slider.focus()
    for _ in range(20):
        predicting.page.keyboard.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "40"
    field = view.locator("input.number")
    field.fill("1e9")
    assert field.get_attribute("aria-invalid") == "true"
    assert view.locator("button.enter").is_disabled()
    field.fill("1,000")
    view.locator("button.enter").click()
    assert "You said 1,000; it is 833. That is close." in result(predicting, 1)


def test_items_are_put_in_order_by_keys(predicting):
    view = predicting.view.nth(2)
    view.get_by_label("move A down").focus()
    predicting.page.keyboard.press("Enter")
    assert view.locator(".items").first.inner_text().split()[::3][:1] == ["B"]
    predicting.page.keyboard.press("Enter")  # the focus has gone with it
    view.locator("button.enter").click()
    assert "That is the order." in result(predicting, 2)


def test_ticks_and_a_sketch_are_entered_by_keys(predicting):
    lab = predicting
    lab.view.nth(3).locator("input").first.focus()
    lab.page.keyboard.press(" ")
    lab.view.nth(3).locator("button.enter").click()
    assert "right about 0 of 2" in result(lab, 3) and "Never." in result(lab, 3)
    plot = lab.view.nth(4).locator(".plot")
    plot.focus()
    for _ in range(23):
        lab.page.keyboard.press("ArrowUp")
        lab.page.keyboard.press("ArrowRight")
    assert plot.get_attribute("aria-valuetext") == "at 23: 23"
    lab.view.nth(4).locator("button.enter").click()
    assert "That is close." in result(lab, 4)
    assert lab.view.nth(4).locator("path.truth").get_attribute("d").startswith("M")
    assert lab.run(7) == "1000 1 23 24", "Python has what was entered"


def test_it_works_while_python_is_busy_and_is_kept(predicting):
    lab = predicting
    lab.run(8, finish=False)
    wait(lambda: lab.output(8) == "busy")
    view = lab.view.first
    view.locator("button.again").click()
    view.locator("input").first.check()
    view.locator("button.enter").click()
    assert "Too few." in result(lab, 0)
    wait(lambda: "]" in lab.run(9), 30)
    assert lab.output(9) == "['growth', 'known', 'lookups', 'tile', 'worth']"
    execute(lab, 1)
    wait(lambda: lab.view.count() == 5 and "Too few." in result(lab, 0), 20)


def test_prose_reads_as_prose(predicting):
    execute(predicting, 10)
    cell = predicting.cell(10)
    wait(lambda: "There are 3 games" in cell.locator(".jp-RenderedMarkdown").inner_text())
    assert not cell.locator(".cm-content").is_visible()
    assert not cell.locator(".jp-PlaceholderText").is_visible()
    height = cell.locator(".jp-InputPlaceholder").bounding_box()["height"]
    assert height < 20, "no bar across the page"


def test_it_fits_a_narrow_page(predicting):
    page = predicting.page
    page.set_viewport_size({"width": 400, "height": 900})
    page.wait_for_timeout(500)
    wide = page.evaluate(
        """() => [...document.querySelectorAll(".predict")].flatMap(view =>
            [...view.querySelectorAll("*")].filter(node => !node.closest("svg, math, .heard")
                && node.getBoundingClientRect().right > view.getBoundingClientRect().right + 1)
            .map(node => node.outerHTML.slice(0, 80)))"""
    )
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / "predict-narrow.png")
    page.set_viewport_size({"width": 1000, "height": 1300})
    assert wide == []


def test_a_training_is_watched_and_stopped(browser, server):
    lab = open_notebook(browser, server, "training", LIVE)
    lab.run(0)
    lab.run(1)
    view = lab.view = lab.page.locator(".live")
    view.wait_for(timeout=60_000)

    def played():
        return int(view.locator(".number").inner_text().split()[0].replace(",", ""))

    wait(lambda: played() > 0, 60)
    before = played()
    board = view.locator(".playing").get_attribute("aria-label")
    wait(lambda: played() > before)
    wait(lambda: view.locator(".playing").get_attribute("aria-label") != board)
    assert board.startswith("2048 board: ")
    assert lab.run(2) == "meanwhile True"
    lab.run(3, finish=False)
    view.locator("button.halt").focus()
    lab.page.keyboard.press("Enter")
    wait(lambda: lab.output(3) == "stopped True True", 30, lambda: lab.output(3))
    wait(lambda: "was stopped; what it learned is kept" in view.locator(".saying").inner_text())
    assert not view.locator("button.halt").is_visible()
    assert view.locator("path.mean").last.get_attribute("d").startswith("M")
    lab.shoot("live")
    lab.command("docmanager:save")
    file = server.folder / "training.ipynb"

    def kept():
        nb = nbformat.read(file, as_version=4)
        return [output.data.get("text/plain", "") for output in nb.cells[1].outputs[:2]]

    wait(lambda: len(kept()) == 2 and kept()[1].startswith("A training: "), 10, kept)

    lab.run(4)
    told = lab.page.locator(".live .saying").last
    wait(lambda: re.search(r"The last game: [\d,]+ points\.", told.inner_text()), 30)
    assert lab.errors == []
    lab.page.close()


def test_what_is_opened_again_says_no_error_and_folds_as_before(browser, server):
    """Also where its first cell was run twice, which clears what stood below that."""
    lab = open_notebook(browser, server, "reopened", [START, CHOICE, CELLS[-1]])
    for n in (0, 0, 1, 2):
        execute(lab, n)
    file = server.folder / "reopened.ipynb"
    wait(lambda: "There are" in lab.cell(2).locator(".jp-OutputArea").inner_text(), 60)
    lab.command("docmanager:save")
    wait(lambda: "There are 3" in file.read_text())
    lab.page.goto("about:blank")
    for session in server.ask("api/sessions"):
        server.ask(f"api/sessions/{session['id']}", "DELETE")
    lab.open("reopened")
    prediction = lab.cell(1).locator(".jp-OutputArea")
    prediction.locator("details").wait_for(timeout=60_000)
    lab.page.wait_for_timeout(6_000)  # the widget manager looks for the widget, in vain
    lab.page.screenshot(path=SHOTS / "reopened.png")
    assert "Which tile" in prediction.inner_text()
    assert "model not found" not in prediction.inner_text()
    folded = lab.cell(2).locator(".jp-InputPlaceholder")
    assert folded.is_visible()
    assert not folded.locator(".jp-PlaceholderText").is_visible()
    lab.page.close()
