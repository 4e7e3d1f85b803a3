"""All explorers in one notebook in JupyterLab (browsing.py), with real clicks and keys."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import nbformat
import numpy as np
import pytest
from browsing import KERNEL, SHOTS, Lab, browser, server, wait
from nbformat.v4 import new_code_cell, new_notebook

from lib2048 import NTupleNetwork, from_tiles, play, train
from workbook.explorers.choose import opinion

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NETS = """from lib2048 import NTupleNetwork, play, train
from workbook import explore
patterns = ((0, 1, 2, 3), (0, 1, 4, 5))
nets = [NTupleNetwork(patterns, values=kind) for kind in ("afterstate", "state")]
for net in nets: train(net, 200, seed=1, progress=False)"""
SLIDE, INDEX, ALPHA, BACKUP, CHOOSE, SEARCH = EXPLORERS = range(1, 7)
CELLS = (
    NETS,
    "explore.slide((2, 0, 2, 4))",
    "explore.index()",
    "explore.alpha(200)",
    "explore.backup(play(nets[0]), nets, alpha=0.1)",
    "explore.choose(nets, play(nets[1]))",
    "explore.search(nets[0], trips=10)",
    "import time; time.sleep(6); print('done')",
)
BUSY = 7
PICTURE = ".jp-OutputArea-output:is(.jp-RenderedSVG, .jp-RenderedImage) img"


@pytest.fixture(scope="module")
def lab(browser, server):
    """A notebook in which all explorers have been made."""
    notebook = new_notebook(metadata=KERNEL, cells=[*map(new_code_cell, CELLS)])
    nbformat.write(notebook, server.folder / "explorers.ipynb")
    page = browser.new_page(viewport={"width": 1200, "height": 1150})
    lab = Lab(page, server, "explorers")
    for cell in range(SEARCH + 1):
        lab.run(cell)
    yield lab
    page.close()


def explorer(lab, n):
    """The explorer in cell n, in sight."""
    view = lab.cell(n).locator(".w2048")
    view.wait_for(timeout=30_000)
    view.scroll_into_view_if_needed()
    return view


def test_every_explorer_is_alive_and_hides_its_picture(lab):
    for n in EXPLORERS:
        assert explorer(lab, n).is_visible()
        picture = lab.cell(n).locator(PICTURE)
        assert picture.count() == 1 and not picture.is_visible(), CELLS[n]
        SHOTS.mkdir(parents=True, exist_ok=True)
        lab.page.screenshot(path=SHOTS / f"explorer-{n}.png")
    assert lab.errors == []


def test_a_row_is_slid_and_keys_stay_inside(lab):
    view = explorer(lab, SLIDE)
    view.get_by_role("button", name="Slide right").click()
    view.get_by_label("cell 1").focus()
    for key in ("+", "d", "d", "End"):  # "d d" would delete the cell that shows it
        lab.page.keyboard.press(key)
    view.get_by_role("button", name="To the end").click()
    names = [cell.get_attribute("aria-label") for cell in view.locator(".cell").all()]
    assert names == ["cell 1: empty", "cell 2: 4", "cell 3: 2", "cell 4: 4"]
    assert lab.page.locator(".jp-CodeCell").count() == len(CELLS)


def test_they_work_while_the_kernel_is_busy(lab):
    """What Python has computed is gone through; what only Python knows comes when it is free."""
    lab.run(BUSY, finish=False)
    for n, name in ((SLIDE, "step"), (ALPHA, "number of games"), (BACKUP, "backup")):
        view = explorer(lab, n)
        view.get_by_role("button", name="To the start").click()
        view.get_by_role("button", name=f"One {name} on").click()
        assert view.get_by_role("slider").input_value() == "1"
    assert explorer(lab, ALPHA).locator(".now").inner_text().startswith("After 2 games")
    search = explorer(lab, SEARCH)
    search.get_by_role("button", name="MCTS, c = 0").click()
    search.get_by_role("button", name="One step on").click()
    assert "trip 1 of 10" in search.inner_text()
    index = explorer(lab, INDEX)
    before = index.locator("strong.index").inner_text()
    index.get_by_label("row 1, column 2").click()
    assert index.locator("strong.index").inner_text() != before


def test_a_board_of_the_readers_own_is_valued_by_python(lab):
    view = explorer(lab, CHOOSE)
    view.get_by_label("row 1, column 1").click()
    said = view.locator(".saying[role=status]")
    wait(lambda: "busy" in said.inner_text() or "your own" in said.inner_text(), 5)
    wait(lambda: "your own" in said.inner_text(), 30)
    tiles = [
        cell.get_attribute("aria-label").split(": ")[1] for cell in view.locator(".cell").all()
    ]
    numbers = [0 if tile == "empty" else int(tile) for tile in tiles]
    board = from_tiles(np.reshape(numbers, (4, 4)))
    for kind, panel in zip(("afterstate", "state"), view.locator(".panel").all()):
        net = NTupleNetwork(((0, 1, 2, 3), (0, 1, 4, 5)), values=kind)
        train(net, 200, seed=1, progress=False)
        found = opinion(net, board, 0.1)
        best = found["actions"][found["best"]]
        row = panel.locator("tr.best td").all_inner_texts()
        wanted = [f"{best['reward']:,}", f"{best['future']:,.2f}", f"{best['worth']:,.2f}"]
        assert row == [text.replace("-", "−") for text in wanted]


def test_they_are_read_in_the_dark(lab):
    lab.command("apputils:change-theme", theme="JupyterLab Dark")
    wait(lambda: lab.page.locator("body[data-jp-theme-light=false]").count() == 1)
    for n in (BACKUP, SEARCH):
        view = explorer(lab, n)
        lab.page.wait_for_timeout(300)
        lab.page.screenshot(path=SHOTS / f"explorer-{n}-dark.png")
        colours = view.evaluate(
            "view => [getComputedStyle(view).color, getComputedStyle(view).backgroundColor]"
        )
        ink, paper = (sum(map(float, colour[4:-1].split(",")[:3])) for colour in colours)
        assert ink > 3 * 150 and paper < 3 * 60
    lab.command("apputils:change-theme", theme="JupyterLab Light")


def test_an_opened_notebook_shows_the_pictures(lab, server):
    lab.command("docmanager:save")
    file = server.folder / "explorers.ipynb"
    wait(lambda: file.read_text().count("image/png") == len(EXPLORERS))
    lab.page.wait_for_timeout(500)
    lab.page.goto("about:blank")
    for session in server.ask("api/sessions"):
        server.ask(f"api/sessions/{session['id']}", "DELETE")
    lab.open("explorers")
    lab.cell(SLIDE).locator(PICTURE).wait_for(timeout=60_000)
    lab.page.wait_for_timeout(3000)  # the widget manager looks for the widgets, in vain
    for n in EXPLORERS:
        picture = lab.cell(n).locator(PICTURE)
        picture.scroll_into_view_if_needed()
        assert picture.is_visible(), CELLS[n]
        assert picture.evaluate("image => image.naturalWidth") > 200
