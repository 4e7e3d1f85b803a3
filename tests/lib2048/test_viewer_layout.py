"""Where the viewer's parts stand: nothing out of sight, nothing that jumps, and frames in time."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import json

import numpy as np
import pytest
from browsing import SHOTS, browser, games, open_page

from lib2048 import Trace
from lib2048.viewer import watch

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONG = 20_000  # moves
WINDOWS = {
    "laptop": (1280, 720),
    "zoomed to 200 %": (640, 450),
    "phone": (400, 800),
    "phone on its side": (844, 390),
    "small phone on its side": (667, 375),
}
# where all parts stand that should not move while numbers change
PLACES = """() => {
    const parts = ".stage, .controls, .transport, .speed, .plot, .bar, .track, .legend, .scale,"
        + ".lens, .surprising, dd, .modes, .keys";
    const top = document.querySelector(".v2048").getBoundingClientRect().y;
    const shown = [...document.querySelectorAll(parts)].filter(node => node.checkVisibility());
    return shown.map(node => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return [node.className, x, y - top, node.matches("dd") ? 0 : width, height];
    });
}"""


@pytest.fixture(scope="module")
def path(games, tmp_path_factory):
    path = tmp_path_factory.mktemp("layout") / "game.html"
    games.save_html(path)
    return path


@pytest.mark.parametrize("name", WINDOWS)
def test_board_and_controls_are_seen_together(browser, path, name):
    width, height = WINDOWS[name]
    window = {"width": width, "height": height}
    page, wrong = open_page(browser, path, viewport=window, has_touch="phone" in name)
    page.locator("button.age").nth(1).click()
    board = page.locator(".stage").bounding_box()
    assert board["height"] <= max(170, 0.55 * height) + 1
    assert board["height"] == pytest.approx(board["width"], abs=1)
    page.locator(".stage").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('.top').scrollIntoView()")
    for part in (".stage", ".facts", ".buttons", ".speed"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= height, part
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.locator(".stage").focus()
    page.keyboard.press("n")
    page.wait_for_timeout(300)
    page.screenshot(path=SHOTS / f"layout {name}.png")
    assert wrong == []
    page.context.close()


def test_where_there_is_room_all_is_in_sight(browser, path):
    """Board, controls, bars and the graph; the graph stays there while the lens is open."""
    page, wrong = open_page(browser, path, viewport={"width": 1280, "height": 760})
    for height in (760, 820):
        page.set_viewport_size({"width": 1280, "height": height})
        for part in (".stage", ".transport", ".bars", ".plot"):
            box = page.locator(part).bounding_box()
            assert box["y"] + box["height"] <= height, part
        bars, board = (page.locator(part).bounding_box() for part in (".bars", ".stage"))
        assert bars["x"] > board["x"] + board["width"], "two columns"
        page.locator("button.toggle").click()
    assert wrong == []
    page.context.close()


@pytest.mark.parametrize("width", [400, 1000])
def test_nothing_jumps_while_numbers_change(browser, path, width):
    page, wrong = open_page(
        browser, path, viewport={"width": width, "height": 900}, reduced_motion="reduce"
    )
    page.locator(".stage").focus()
    places = page.evaluate(PLACES)
    assert len(places) > 20

    def moved():
        return [
            (before, after)
            for before, after in zip(places, page.evaluate(PLACES), strict=True)
            if after[1:] != pytest.approx(before[1:], abs=0.6)
        ]

    for key in ["ArrowRight"] * 12 + ["PageUp"] * 5 + ["n"] * 4 + ["End", "ArrowLeft"]:
        page.keyboard.press(key)
        assert moved() == [], key
    page.locator("[data-action=left] .track").hover()
    assert moved() == []
    assert wrong == []
    page.context.close()


def long_game(trace):
    """A game of many moves: one played over and over, which is no game, but as much to draw."""
    times = -(-LONG // len(trace))
    boards = np.append(np.tile(trace.boards[:-1], times)[:LONG], trace.boards[-1])
    actions = np.tile(trace.actions, times)[:LONG]
    rewards = np.tile(trace.rewards, times)[:LONG]
    values = np.tile(trace.values, (times, 1))[:LONG]
    return Trace(boards, actions, rewards, values, trace.seed)


def test_20000_moves_at_64x_take_under_6_milliseconds_a_frame(browser, games, tmp_path):
    """Of the processor's time, by the browser's own record; other programs may run as well."""
    watch(long_game(games.traces[1])).save_html(tmp_path / "long.html")
    page, wrong = open_page(browser, tmp_path / "long.html")
    page.locator(".stage").focus()
    for _ in range(6):
        page.keyboard.press("+")
    assert page.locator(".speed select").input_value() == "64"
    record = tmp_path / "record.json"
    browser.start_tracing(page=page, path=record, categories=["devtools.timeline"])
    page.keyboard.press(" ")
    page.wait_for_timeout(2500)
    page.keyboard.press(" ")
    for part in np.linspace(0.2, 0.9, 30):  # and while somebody drags
        box = page.locator(".plot").bounding_box()
        page.mouse.move(box["x"] + part * box["width"], box["y"] + 30)
        if part == 0.2:
            page.mouse.down()
    page.mouse.up()
    browser.stop_tracing()
    events = json.loads(record.read_text())["traceEvents"]
    costs = [
        event["tdur"] / 1000
        for event in events
        if event.get("name") == "FunctionCall" and "tdur" in event
    ]
    print(
        f"{len(costs)} calls of scripts: median {np.median(costs):.2f} ms, "
        f"99 % under {np.percentile(costs, 99):.2f} ms, longest {max(costs):.2f} ms"
    )
    assert len(costs) > 40
    assert np.percentile(costs, 99) < 6
    assert wrong == []
    page.context.close()
