"""A browser for tests: chromium, JupyterLab in it, and the viewer's parts as a reader sees them.

Skips where chromium or playwright is missing, but fails there on a continuous-integration machine
(CI is set). Screenshots go to build/screenshots/. Test files import the fixtures by name.
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
from lib2048.viewer.joining import joined
from lib2048.viewer.viewer import SCRIPT

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "build" / "screenshots"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
)
TOKEN = "test"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5))

FIRST_CELL = f"""from lib2048 import *
from lib2048.viewer import watch
young, old = NTupleNetwork({PATTERNS}), NTupleNetwork({PATTERNS})
train(young, 20, seed=1, progress=False); train(old, 500, seed=1, progress=False)
viewer = watch({{"young": young, "old": old}}, seed=7)
viewer"""

CELLS = (
    FIRST_CELL,
    "print('python sees', viewer.game, viewer.move, viewer.playing, viewer.speed)",
    """import time; busy = time.time() + 5; print('training')
while time.time() < busy: train(young, 50, seed=2, progress=False)""",
    """import ctypes, time; print("stuck", flush=True); time.sleep(1)
ctypes.PyDLL(None).usleep(3_500_000)  # holds the lock that all threads of Python need""",
    "viewer.seek(5)",
    "second = watch(young, seed=1, plies=2); second",
    "second.close()",
    "viewer.close()",
    "own = viewer.own; print('own', own.seed, own.actions.tolist(), own.score)",
    "review = watch(own, net=old); review",
    "review.close()",
)
SAVED_CELLS = (
    FIRST_CELL,
    "import gc, weakref; made = []",
    "net = NTupleNetwork(((0, 1),)); made.append(weakref.ref(net)); watch(net, seed=1)",
    "gc.collect(); print(len(made), 'made', sum(one() is not None for one in made), 'kept')",
)
EWN_CELLS = (
    "from libewn import watch; viewer = watch('easy', 'normal', seed=7); viewer",
    "print('ply', viewer.ply)",
    "viewer.seek(1)",
    "viewer.close()",
)
NOTEBOOKS = {"viewer": CELLS, "saved": SAVED_CELLS, "ewn": EWN_CELLS}

# the numbers of the tiles that are visible, and where they stand
VISIBLE_TILES = """() => {
    const tiles = [...document.querySelectorAll(".stage .board > g[visibility=visible]")];
    return tiles.map(tile => {
        const place = tile.getCTM();
        return [place.f, place.e, Number(tile.textContent)];
    });
}"""

# makes what a module exports known to the page
IMPORT = """async source => {
    const file = new Blob([source], { type: "text/javascript" });
    window.it = (await import(URL.createObjectURL(file))).default.it;
}"""

# draws as ever, and notes how long each frame takes
WATCH_FRAMES = """time => new Promise(done => {
    const request = window.requestAnimationFrame;
    const costs = [];
    const start = performance.now();
    window.requestAnimationFrame = draw => request(now => {
        const begin = performance.now();
        draw(now);
        costs.push(performance.now() - begin);
    });
    setTimeout(() => {
        window.requestAnimationFrame = request;
        done([(performance.now() - start) / 1000, costs]);
    }, time);
})"""


def wait(condition, seconds=10, why=lambda: ""):
    """Wait until a condition holds."""
    end = time.time() + seconds
    while not condition():
        assert time.time() < end, f"waited {seconds} s in vain {why()}"
        time.sleep(0.1)


def unavailable(reason):
    """Skip, or fail where the browser tests must run."""
    give_up = pytest.fail if os.environ.get("CI") else pytest.skip
    give_up(f"no browser test: {reason}")


@pytest.fixture(scope="module")
def browser():
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        unavailable("chromium is not installed (apt-get install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, headless=True, args=list(FLAGS)
        )
        yield browser
        browser.close()


class Server:
    """JupyterLab, with a folder of notebooks and nothing of the user's settings."""

    def __init__(self, home):
        self.home = home
        self.folder = home / "notebooks"
        self.log = home / "log"
        self.port = _free_port()
        self.folder.mkdir()
        for name, cells in NOTEBOOKS.items():
            notebook = new_notebook(metadata=KERNEL, cells=[*map(new_code_cell, cells)])
            nbformat.write(notebook, self.folder / f"{name}.ipynb")
        self._write_settings()
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                self._command(), stdout=log, stderr=log, env=self._environment(), cwd=home
            )

    def _write_settings(self):
        settings = self.home / "settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True)
        (settings / "notification.jupyterlab-settings").write_text(
            '{"fetchNews": "false", "checkForUpdates": false}'
        )

    def _command(self):
        return [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            "--expose-app-in-browser",
            f"--port={self.port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.folder}",
            f"--IdentityProvider.token={TOKEN}",
            "--LabApp.news_url=",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ]

    def _environment(self):
        project = [str(ROOT), os.environ.get("PYTHONPATH")]
        return os.environ | {
            "JUPYTER_CONFIG_DIR": str(self.home / "config"),
            "JUPYTER_DATA_DIR": str(self.home / "data"),
            "JUPYTER_RUNTIME_DIR": str(self.home / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(self.home / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(self.home / "workspaces"),
            "PYTHONPATH": os.pathsep.join(filter(None, project)),
        }

    def address(self, path):
        """The address of a page, or of a question to the server."""
        return f"http://127.0.0.1:{self.port}/{path}?token={TOKEN}"

    def ask(self, path, method="GET"):
        """What the server answers, read from JSON; None where it answers nothing."""
        request = urllib.request.Request(self.address(path), method=method)
        answer = urllib.request.urlopen(request, timeout=5).read()
        return json.loads(answer) if answer else None

    @property
    def has_ended(self):
        return self.process.poll() is not None

    @property
    def answers(self):
        try:
            self.ask("api/status")
        except OSError:
            return False
        return True

    def stop(self):
        """Two Ctrl-C, since the server asks back after the first one."""
        for patience in (0.5, 10):
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(patience)
                return
            except subprocess.TimeoutExpired:
                continue
        self.process.kill()
        self.process.wait()


def _free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.fixture(scope="module")
def server(browser, tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("lab"))
    try:
        wait(lambda: server.has_ended or server.answers, 120)
        if server.has_ended:
            unavailable("JupyterLab does not start: " + server.log.read_text()[-600:])
        yield server
    finally:
        server.stop()


def open_page(browser, path, address="", **how):
    """A page of its own, without the net -> (page, list of what went wrong).

    `address` is what stands behind its name: # and more.
    """
    context = browser.new_context(offline=True, **how)
    page = context.new_page()
    wrong = []

    def on_console(message):
        if message.type in ("error", "warning"):
            wrong.append(message.text)

    def on_request(request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            wrong.append(request.url)

    page.on("console", on_console)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", on_request)
    page.goto(Path(path).as_uri() + address)
    return page, wrong


def shoot(page, name):
    """Take a screenshot of a whole page."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.wait_for_timeout(300)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


SLOW_START = re.compile(r"^Plugin .* took [\d.]+ms to activate")
"""What JupyterLab says of any of its plugins on a computer with much to do."""


class Lab:
    """A notebook in JupyterLab, and the viewers in it."""

    def __init__(self, page, server, notebook="viewer"):
        self.page = page
        self.server = server
        self.errors = []
        self.warnings = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.open(notebook)
        wait(self._has_idle_kernel, 90)
        self.view = page.locator(".v2048")
        self.stage = self.view.locator(".stage")

    def _note(self, message):
        if message.type == "error":
            self.errors.append(message.text)
        if message.type == "warning" and not SLOW_START.search(message.text):
            self.warnings.append(message.text)

    def open(self, notebook):
        """Open a notebook anew, as it is in its file."""
        self.page.goto(self.server.address(f"lab/tree/{notebook}.ipynb") + "&reset")
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=90_000)
        self.page.wait_for_function("() => window.jupyterapp !== undefined")
        self.command("application:toggle-left-area")

    def _has_idle_kernel(self):
        try:
            kernels = self.server.ask("api/kernels")
        except urllib.error.URLError:  # the answer is 500 while a kernel starts
            return False
        return any(
            kernel.get("connections") and kernel.get("execution_state") == "idle"
            for kernel in kernels
        )

    def command(self, name, **arguments):
        """Execute a command of JupyterLab."""
        script = "([name, given]) => { window.jupyterapp.commands.execute(name, given) }"
        self.page.evaluate(script, [name, arguments])

    def cell(self, n):
        return self.page.locator(".jp-CodeCell").nth(n)

    def run(self, n, finish=True):
        """Run cell n; returns its text output, once it is done."""
        prompt = self.cell(n).locator(".jp-InputArea .jp-InputPrompt")
        before = prompt.inner_text()
        self.cell(n).locator(".jp-InputArea-editor .cm-content").click()
        self.page.keyboard.press("Control+Enter")
        if not finish:
            return None

        def has_new_number():
            text = prompt.inner_text()
            return re.search(r"\d", text) and text != before

        wait(has_new_number, 120)
        self.page.wait_for_timeout(200)
        return self.output(n)

    def output(self, n):
        """What cell n printed."""
        return " ".join(self.cell(n).locator(".jp-RenderedText").all_inner_texts()).strip()

    def text(self, selector):
        """A text in the first viewer, also while JupyterLab does not paint what is out of sight."""
        return self.view.locator(selector).first.text_content()

    def move(self, view=0):
        """The number of the move that a viewer shows."""
        text = self.view.nth(view).locator("dd.move").text_content()
        return int(text.split("/")[0].replace(",", ""))

    def board(self):
        """The numbers on the tiles that are visible, in reading order."""
        return [number for _, _, number in sorted(self.page.evaluate(VISIBLE_TILES))]

    def shows(self, board):
        """Wait until the viewer shows this board."""
        tiles = [2**exponent for exponent in to_array(board).flat if exponent]
        wait(lambda: self.board() == tiles, 5, lambda: f"{self.board()} is shown")

    def frames(self, time):
        """Watch the page draw for some milliseconds -> (seconds, milliseconds of each frame)."""
        return self.page.evaluate(WATCH_FRAMES, time)

    def start(self):
        """Watch the first game from its start, paused, with focus on the board."""
        watching = self.view.locator("button.watch")
        if watching.get_attribute("aria-pressed") != "true":
            watching.click()
        self.view.locator("button.age").first.click()
        self.stage.focus()
        self.page.keyboard.press("Home")
        assert self.move() == 0

    def shoot(self, name):
        """Take a screenshot."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.view.first.scroll_into_view_if_needed()
        self.page.wait_for_timeout(400)
        self.page.screenshot(path=SHOTS / f"{name}.png")


@pytest.fixture(scope="module")
def lab(browser, server):
    page = browser.new_page(viewport={"width": 1200, "height": 1150})
    lab = Lab(page, server)
    lab.run(0)
    lab.view.wait_for(timeout=120_000)
    yield lab
    page.close()


@pytest.fixture(scope="module")
def games():
    """What the notebook's first cell makes."""
    young = NTupleNetwork(PATTERNS)
    old = NTupleNetwork(PATTERNS)
    train(young, 20, seed=1, progress=False)
    train(old, 500, seed=1, progress=False)
    return watch({"young": young, "old": old}, seed=7)


@pytest.fixture(scope="module")
def modules(browser, tmp_path_factory):
    """Our scripts by themselves, on an empty page.

    Called with names such as "game.slide", it returns a function that evaluates a script which sees
    those exports, by their own names, in the object `it`.
    """
    folder = tmp_path_factory.mktemp("modules")
    pages = []

    def load(*names):
        by_module = {}
        for name in names:
            module, export = name.split(".")
            by_module.setdefault(module, []).append(export)
        imports = [
            f'import {{ {", ".join(exports)} }} from "{SCRIPT / module}.js";'
            for module, exports in by_module.items()
        ]
        together = ", ".join(name.split(".")[1] for name in names)
        entry = folder / f"entry{len(pages)}.js"
        entry.write_text("\n".join([*imports, f"export const it = {{ {together} }};", ""]))
        page = browser.new_page()
        pages.append(page)
        page.evaluate(IMPORT, joined(entry))
        return page.evaluate

    yield load
    for page in pages:
        page.close()
