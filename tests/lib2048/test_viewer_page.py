"""The page that `save_html` writes, and the rules in game.js, in a real browser (browsing.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import random
import re

import numpy as np
import pytest
from browsing import SHOTS, browser, games, open_page, wait
from looking import CONTRASTS, WITHOUT_A_NAME

from lib2048 import NTupleNetwork, Trace, from_tiles, play, slide, to_array
from lib2048.viewer import watch
from lib2048.viewer.joining import joined
from lib2048.viewer.viewer import SCRIPT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# the widths of the tiles that are visible, and of their numbers
TILES_AND_NUMBERS = """() => {
    const tiles = [...document.querySelectorAll(".stage .board > g[visibility=visible]")];
    const width = part => part.getBoundingClientRect().width;
    return tiles.map(tile => [...tile.children].map(width));
}"""


@pytest.fixture(scope="module")
def rules(browser):
    """game.js on an empty page: evaluates a script that sees its exports as `it`."""
    page = browser.new_page()
    source = joined(SCRIPT / "game.js")
    page.evaluate(
        """async source => {
        const file = new Blob([source], { type: "text/javascript" });
        window.it = (await import(URL.createObjectURL(file))).default;
    }""",
        source,
    )
    yield page.evaluate
    page.close()


def test_slides_as_python_does(rules):
    rng = random.Random(5)
    boards = [
        sum(rng.choice((0, 1, 1, 2, 3, 14, 15, 15)) << 4 * cell for cell in range(16))
        for _ in range(400)
    ]
    results = rules(
        """boards => boards.map(cells => [0, 1, 2, 3].map(action => {
        const { after, reward, moved } = it.slide(cells, action);
        return [[...after], moved ? reward : -1];
    }))""",
        [to_array(board).ravel().tolist() for board in boards],
    )
    wanted = [[slide(board, action) for action in range(4)] for board in boards]
    assert results == [
        [[to_array(after).ravel().tolist(), reward] for after, reward in four] for four in wanted
    ]


@pytest.mark.parametrize(("seed", "p4"), [(0, 0.1), (7, 0.5), (2**63 - 1, 0.0)])
def test_spawns_as_python_does(rules, seed, p4):
    """A person who takes the network's actions gets the network's game, tile by tile."""
    trace = play(NTupleNetwork(((0, 1),)), seed=seed, p4=p4)
    results = rules(
        """([seed, fours, actions]) => {
        const games = [it.newGame(BigInt(seed), fours)];
        for (const action of actions) games.push(it.nextGame(games.at(-1), action, fours));
        return games.map(game => [[...game.cells], game.score]);
    }""",
        [str(seed), round(p4 * 2**32), trace.actions.tolist()],
    )
    scores = [0, *np.cumsum(trace.rewards).tolist()]
    assert results == [
        [to_array(board).ravel().tolist(), score] for board, score in zip(trace.boards, scores)
    ]


def test_page_of_its_own(browser, games, tmp_path):
    games.save_html(tmp_path / "game.html", "<Two> games")
    page, wrong = open_page(
        browser, tmp_path / "game.html", reduced_motion="reduce", color_scheme="dark"
    )
    assert page.title() == "<Two> games"
    page.locator(".stage").focus()
    page.locator("button.toggle").click()
    trace, net = games.traces[0], games.nets[0]
    after, _ = slide(int(trace.boards[0]), int(trace.actions[0]))
    text = lambda selector: page.locator(selector).inner_text()  # noqa: E731
    wait(lambda: text("dd.total").startswith(f"{net.value(after):,.2f} "))
    page.locator(".stage").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    wait(lambda: "key boards only" in text(".status"))
    page.get_by_label("Speed").select_option("64")
    page.locator(".stage").focus()
    page.keyboard.press(" ")
    wait(lambda: text("dd.move") == f"{len(trace):,} / {len(trace):,}", 30)
    page.locator("button.mine").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert "needs Python" in text(".note")
    assert wrong == []
    page.context.close()


# What Jupyter Notebook 7 does: its shortcuts act before the page's elements hear of a key, unless
# the element with the focus, or one around it, is marked.
SHORTCUTS_FIRST = """() => {
    window.taken = [];
    const take = (event) => {
        if (event.target.closest("[data-lm-suppress-shortcuts]")) return;
        window.taken.push(event.key);
        event.preventDefault();
        event.stopPropagation();
    };
    document.addEventListener("keydown", take, { capture: true });
}"""


def test_plain_keys_are_the_viewers_where_shortcuts_come_first(browser, games, tmp_path):
    games.save_html(tmp_path / "game.html", "A game")
    page, _ = open_page(browser, tmp_path / "game.html", reduced_motion="reduce")
    page.evaluate(SHORTCUTS_FIRST)
    page.locator(".stage").focus()
    for key in ("ArrowRight", "ArrowRight", "d", "Control+s", "Shift+Enter", "ArrowLeft"):
        page.keyboard.press(key)
    wait(lambda: page.locator("dd.move").inner_text().startswith("1 "))
    assert page.evaluate("window.taken") == ["Control", "s", "Enter"]
    page.context.close()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_tiles_slide_and_pop_unless_motion_is_reduced(browser, games, tmp_path, motion):
    games.save_html(tmp_path / "game.html")
    page, wrong = open_page(browser, tmp_path / "game.html", reduced_motion=motion)
    page.locator(".stage").focus()
    seen = page.evaluate("""() => new Promise(done => {
        const seen = new Set(), start = performance.now();
        const key = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
        document.querySelector(".stage").dispatchEvent(key);
        requestAnimationFrame(function look(now) {
            document.querySelectorAll(".board > g[visibility=visible]").forEach(
                tile => seen.add(tile.getAttribute("transform")));
            now - start > 400 ? done([...seen]) : requestAnimationFrame(look);
        });
    })""")
    places = [[*map(float, re.findall(r"-?\d[\d.]*", transform))] for transform in seen]
    on_their_way = [(x, y) for x, y, _ in places if (x - 78) % 112 or (y - 78) % 112]
    growing = [scale for _, _, scale in places if scale != 1]
    assert bool(on_their_way) == bool(growing) == (motion == "no-preference"), places
    assert wrong == []
    page.context.close()


def test_a_finger_plays(browser, games, tmp_path):
    games.save_html(tmp_path / "game.html")
    page, wrong = open_page(
        browser, tmp_path / "game.html", has_touch=True, viewport={"width": 400, "height": 600}
    )
    page.locator("button.mine").tap()
    stage, trace = page.locator(".stage"), games.traces[0]
    touch = page.context.new_cdp_session(page).send
    for action, board in zip(trace.actions[:6], trace.boards[1:7]):
        box = stage.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[action]
        touch("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for way in (15, 40, 60):
            points = [{"x": x + way * dx, "y": y + way * dy}]
            touch("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
        touch("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        words = "; ".join(
            " ".join(str(2**e) if e else "empty" for e in row) for row in to_array(board).tolist()
        )
        wait(lambda words=words: words in stage.get_attribute("aria-label"), 5)
    stage.tap()  # a touch without a way is no move; the page has not scrolled under the finger
    assert page.locator("dd.move").text_content() == "6" and page.evaluate("scrollY") == 0
    assert wrong == []
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read(browser, games, tmp_path, scheme):
    """All words but those of disabled buttons, in the colours that the browser computes."""
    games.save_html(tmp_path / "game.html")
    page, wrong = open_page(browser, tmp_path / "game.html", color_scheme=scheme)
    page.locator("button.toggle").click()
    page.locator("button.more").click()
    page.locator(".lens tbody td").first.wait_for()
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > 60
    assert [(text, contrast) for text, contrast in contrasts if contrast < 4.5] == []
    assert wrong == []
    page.context.close()


def test_large_tiles_on_a_narrow_page(browser, tmp_path):
    rows = [[32768, 16384, 8192, 4096], [256, 512, 1024, 2048], [128, 64, 32, 16], [0, 2, 4, 8]]
    board = from_tiles(rows)
    after, reward = slide(board, 3)
    values = np.array([[np.nan, np.nan, 311_234, 398_765.4]], np.float32)
    boards = np.array([board, after | 1 << 60], np.uint64)
    trace = Trace(boards, np.array([3], np.uint8), np.array([reward]), values, 7)
    watch(trace).save_html(tmp_path / "large.html")
    SHOTS.mkdir(parents=True, exist_ok=True)
    for name, width, scheme in (
        ("32768", 900, "light"),
        ("narrow", 400, "light"),
        ("narrow-dark", 400, "dark"),
    ):
        window = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
        page, wrong = open_page(browser, tmp_path / "large.html", **window)
        page.wait_for_selector(".v2048")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = page.evaluate(TILES_AND_NUMBERS)
        assert len(boxes) == 15 and all(text < tile for tile, text in boxes)
        assert page.evaluate(WITHOUT_A_NAME) == 0
        page.screenshot(path=SHOTS / f"{name}.png", full_page=True)
        assert wrong == []
        page.context.close()
