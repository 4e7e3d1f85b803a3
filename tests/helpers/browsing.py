"""A browser for tests: chromium, JupyterLab in it, and the viewer's parts as a reader sees them.

Skips where chromium or playwright is missing, but fails there on a continuous-integration machine (CI is set).
Screenshots go to build/screenshots/. Test files import the fixtures by name.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from lib2048 import NTupleNetwork, to_array, train
from lib2048.viewer import watch

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "build" / "screenshots"
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5))

CELLS = [
    f"""from lib2048 import *
from lib2048.viewer import watch
young, old = NTupleNetwork({PATTERNS}), NTupleNetwork({PATTERNS})
train(young, 20, seed=1, progress=False); train(old, 500, seed=1, progress=False)
viewer = watch({{"young": young, "old": old}}, seed=7)
viewer""",
    "print('python sees', viewer.game, viewer.move, viewer.playing, viewer.speed)",
    """import time; busy = time.time() + 5; print('training')
while time.time() < busy: train(young, 50, seed=2, progress=False)""",
    """import ctypes, time; print("stuck", flush=True); time.sleep(1)
ctypes.PyDLL(None).usleep(3_500_000)  # holds the lock that all threads of Python need""",
    "viewer.seek(5)",
    "second = watch(young, seed=1, plies=2); second",
    "second.close()",
    "viewer.close()",
]


def wait(condition, seconds=10, why=lambda: ""):
    """Wait until a condition holds."""
    end = time.time() + seconds
    while not condition():
        assert time.time() < end, f"waited {seconds} s in vain {why()}"
        time.sleep(0.1)


def unavailable(reason):
    """Skip, or fail where the browser tests must run."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no browser test: {reason}")


@pytest.fixture(scope="module")
def browser():
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if chromium is None:
        unavailable("chromium is not installed (apt-get install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, headless=True, args=FLAGS.split()
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(browser, tmp_path_factory):
    """JupyterLab with the notebook -> its address and token as a function of a path."""
    home = tmp_path_factory.mktemp("lab")
    settings = home / "set" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(
        '{"fetchNews": "false", "checkForUpdates": false}'
    )
    (home / "nb").mkdir()
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(
        new_notebook(metadata=kernel, cells=[*map(new_code_cell, CELLS)]),
        home / "nb" / "viewer.ipynb",
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = {"CONFIG_DIR": "cfg", "DATA_DIR": "data", "RUNTIME_DIR": "run"}
    env = os.environ | {f"JUPYTER_{name}": str(home / place) for name, place in places.items()}
    env |= {
        "JUPYTERLAB_SETTINGS_DIR": str(home / "set"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "ws"),
    }
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    options = f"--no-browser --allow-root --expose-app-in-browser --port={port} --ServerApp.port_retries=0 "
    options += (
        f"--IdentityProvider.token=test --ServerApp.root_dir={home / 'nb'} --LabApp.news_url= "
    )
    options += "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"
    with open(home / "log", "w") as log:
        command = [sys.executable, "-m", "jupyterlab", *options.split(" ")]
        process = subprocess.Popen(command, stdout=log, stderr=log, env=env, cwd=home)
    address = f"http://127.0.0.1:{port}/{{}}?token=test".format
    try:
        for _ in range(600):
            if process.poll() is not None:
                break
            try:
                urllib.request.urlopen(address("api/status"), timeout=1)
                break
            except OSError:
                time.sleep(0.2)
        if process.poll() is not None:
            unavailable("JupyterLab does not start: " + (home / "log").read_text()[-600:])
        yield address
    finally:
        for wait in (0.5, 10):
            process.send_signal(signal.SIGINT)
            try:
                process.wait(wait)
                break
            except subprocess.TimeoutExpired:
                continue
        else:
            process.kill()
        process.wait()


def open_page(browser, path, **how):
    """A page of its own, without the net -> (page, list of what went wrong)."""
    context = browser.new_context(offline=True, **how)
    page, wrong = context.new_page(), []
    page.on(
        "console",
        lambda message: message.type in ("error", "warning") and wrong.append(message.text),
    )
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request",
        lambda request: request.url.startswith(("file:", "data:")) or wrong.append(request.url),
    )
    page.goto(Path(path).as_uri())
    return page, wrong


class Lab:
    """The notebook in JupyterLab, and the viewer in it."""

    def __init__(self, page, address):
        self.page, self.errors = page, []
        page.on(
            "console", lambda message: message.type == "error" and self.errors.append(message.text)
        )
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address("lab/tree/viewer.ipynb") + "&reset")
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=90_000)

        def ready():
            try:
                kernels = json.load(urllib.request.urlopen(address("api/kernels"), timeout=5))
            except urllib.error.URLError:  # /api/kernels answers 500 while the kernel starts
                return False
            return any(
                kernel.get("connections") and kernel.get("execution_state") == "idle"
                for kernel in kernels
            )

        wait(ready, 90)
        self.command("application:toggle-left-area")
        self.view = page.locator(".v2048")
        self.stage = self.view.locator(".stage")
        self.run(0)
        self.view.wait_for(timeout=120_000)

    def command(self, name, **arguments):
        script = "([name, given]) => { window.jupyterapp.commands.execute(name, given) }"
        self.page.evaluate(script, [name, arguments])

    def run(self, n, finish=True):
        """Run cell n (its text output, once it is done)."""
        cell = self.page.locator(".jp-CodeCell").nth(n)
        prompt = cell.locator(".jp-InputArea .jp-InputPrompt")
        before = prompt.inner_text()
        cell.locator(".jp-InputArea-editor .cm-content").click()
        self.page.keyboard.press("Control+Enter")
        if finish:
            wait(
                lambda: re.search(r"\d", prompt.inner_text()) and prompt.inner_text() != before, 120
            )
            self.page.wait_for_timeout(200)
            return self.output(n)

    def output(self, n):
        """What cell n printed."""
        return " ".join(
            self.page.locator(".jp-CodeCell").nth(n).locator(".jp-RenderedText").all_inner_texts()
        ).strip()

    def text(self, selector):
        """A text in the (first) viewer, also while JupyterLab does not paint the cell because it is out of sight."""
        return self.view.locator(selector).first.text_content()

    def move(self, view=0):
        return int(
            self.view.nth(view).locator("dd.move").text_content().split("/")[0].replace(",", "")
        )

    def board(self):
        """The numbers on the tiles that are visible, in reading order."""
        return self.page.evaluate("""() => [...document.querySelectorAll(".v2048 .board > g[visibility=visible]")]
            .map(tile => [tile.getCTM(), tile.textContent]).sort(([a], [b]) => a.f - b.f || a.e - b.e)
            .map(([, text]) => Number(text))""")

    def shows(self, board):
        wait(
            lambda: self.board() == [2**e for e in to_array(board).flat if e],
            5,
            lambda: f"{self.board()} is shown",
        )

    def frames(self, time):
        """Watch the page draw for some milliseconds -> (seconds, milliseconds that each frame took)."""
        return self.page.evaluate(
            """time => new Promise(done => {
            const request = window.requestAnimationFrame, costs = [], start = performance.now();
            window.requestAnimationFrame = draw => request(now => {
                const begin = performance.now();
                draw(now);
                costs.push(performance.now() - begin);
            });
            setTimeout(() => {
                window.requestAnimationFrame = request;
                done([(performance.now() - start) / 1000, costs]);
            }, time);
        })""",
            time,
        )

    def start(self):
        """Watch the first game from its start, paused, with focus on the board."""
        if self.view.locator("button.watch").get_attribute("aria-pressed") != "true":
            self.view.locator("button.watch").click()
        self.view.locator("button.age").first.click()
        self.stage.focus()
        self.page.keyboard.press("Home")
        assert self.move() == 0

    def shoot(self, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.view.scroll_into_view_if_needed()
        self.page.wait_for_timeout(400)
        self.page.screenshot(path=SHOTS / f"{name}.png")


@pytest.fixture(scope="module")
def lab(browser, server):
    page = browser.new_page(viewport={"width": 1200, "height": 1150})
    lab = Lab(page, server)
    yield lab
    page.close()


@pytest.fixture(scope="module")
def games():
    """What the notebook's first cell makes."""
    young, old = NTupleNetwork(PATTERNS), NTupleNetwork(PATTERNS)
    train(young, 20, seed=1, progress=False)
    train(old, 500, seed=1, progress=False)
    return watch({"young": young, "old": old}, seed=7)
