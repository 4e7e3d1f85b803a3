"""A notebook with a viewer that is saved and opened again, in JupyterLab (see browsing.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import pytest
from browsing import SHOTS, Lab, browser, server, wait

from lib2048.viewer.networks import KEEPERS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PICTURE = ".jp-OutputArea-output:is(.jp-RenderedSVG, .jp-RenderedImage) img"


def forget_kernels(server):
    """End all kernels, so that a notebook that is opened gets a new one, without widgets."""
    for session in server.ask("api/sessions"):
        server.ask(f"api/sessions/{session['id']}", "DELETE")


@pytest.fixture(scope="module")
def saved(browser, server):
    """A notebook whose viewer was run, saved and closed -> its page before that, and how it was."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    lab = Lab(page, server, "saved")
    lab.run(0)
    lab.view.wait_for(timeout=120_000)
    yield lab
    page.close()


def test_the_picture_is_hidden_while_the_viewer_lives(saved):
    picture = saved.cell(0).locator(PICTURE)
    assert saved.view.first.is_visible()
    assert picture.count() == 1
    assert not picture.is_visible()


def test_a_cell_that_is_run_again_does_not_keep_every_network(saved):
    saved.run(1)
    for _ in range(5):
        saved.run(2)
    assert saved.run(3) == f"5 made {KEEPERS} kept"


def test_an_opened_notebook_shows_the_picture(saved, server):
    saved.command("docmanager:save")
    file = server.folder / "saved.ipynb"
    wait(lambda: "image/png" in file.read_text())
    saved.page.wait_for_timeout(500)
    saved.page.goto("about:blank")
    forget_kernels(server)
    saved.open("saved")
    picture = saved.cell(0).locator(PICTURE)
    picture.wait_for(timeout=60_000)
    saved.page.wait_for_timeout(6000)  # the widget manager looks for the widget, in vain
    SHOTS.mkdir(parents=True, exist_ok=True)
    saved.page.screenshot(path=SHOTS / "saved.png")
    assert saved.view.count() == 0
    assert picture.is_visible()
    width, height = picture.evaluate("image => [image.naturalWidth, image.naturalHeight]")
    assert width > 300 and height > 200
    words = saved.cell(0).locator(".jp-OutputArea").inner_text()
    assert "model not found" not in words and "Loading" not in words
    assert saved.cell(0).locator(".jp-OutputArea-child").filter(visible=True).count() == 1


def test_a_stranger_s_notebook_shows_it_too(saved, server):
    """A file that came from elsewhere is not trusted: JupyterLab shows no SVG of it, but PNG."""
    file = server.folder / "saved.ipynb"
    stranger = server.folder / "stranger.ipynb"
    stranger.write_text(file.read_text().replace("seed=7", "seed=8"))
    saved.open("stranger")
    picture = saved.cell(0).locator(PICTURE)
    picture.wait_for(timeout=60_000)
    assert picture.get_attribute("src").startswith("data:image/png")
    assert picture.is_visible()


RESTART = """() => {
    const { sessionContext } = window.jupyterapp.shell.currentWidget;
    return sessionContext.session.kernel.restart();
}"""


def make_viewer(saved):
    """Run the first cell; its viewer has the lens open and the focus on the board."""
    saved.command("notebook:clear-all-cell-outputs")
    wait(lambda: saved.view.count() == 0)
    saved.run(0)
    saved.view.first.wait_for(timeout=120_000)
    saved.view.first.locator("button.toggle").click()
    wait(lambda: "weights of" in saved.text(".status"), 20, lambda: saved.text(".status"))
    saved.stage.first.focus()


def looks_up(saved, words):
    """Go on by a move; wait until the lens says why there is no answer."""
    saved.page.keyboard.press("ArrowRight")
    wait(lambda: words in saved.text(".status"), 20, lambda: saved.text(".status"))


@pytest.mark.long  # JupyterLab itself sometimes loses a kernel that is restarted behind its back
def test_a_kernel_that_was_started_anew_is_told_from_a_stopped_one(saved, server):
    anew = "the kernel was started anew"
    saved.page.goto("about:blank")
    forget_kernels(server)  # those of other notebooks too
    saved.open("saved")
    make_viewer(saved)
    (kernel,) = [session["kernel"]["id"] for session in server.ask("api/sessions")]
    server.ask(f"api/kernels/{kernel}/restart", "POST")  # behind the back of JupyterLab
    looks_up(saved, anew)
    saved.view.first.locator("button.mine").click()
    saved.page.keyboard.press("ArrowLeft")
    saved.page.keyboard.press("ArrowUp")
    wait(lambda: anew in saved.text(".bars .note"))
    saved.open("saved")
    make_viewer(saved)
    saved.page.evaluate(RESTART)
    looks_up(saved, anew)
    make_viewer(saved)
    forget_kernels(server)
    looks_up(saved, "the kernel was stopped")
    saved.shoot("stopped")
