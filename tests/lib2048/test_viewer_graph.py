"""The graph of a game as a slider, the surprises in it, and bars that show what they lead to."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import re

import numpy as np
import pytest
from browsing import browser, games, modules, open_page, wait

from lib2048 import Trace, from_tiles, slide, to_array
from lib2048.viewer import watch

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ACTIONS = ("up", "right", "down", "left")
LONG = 20_000  # moves
# the numbers on a board's tiles by place, top left first, 0 where there is none
TILES = """selector => {
    const board = document.querySelector(selector);
    const box = board.getBoundingClientRect();
    const cells = Array(16).fill(0);
    for (const tile of board.querySelectorAll("g[visibility=visible]")) {
        const { x, y, width, height } = tile.getBoundingClientRect();
        const column = Math.floor((4 * (x + width / 2 - box.x)) / box.width);
        const row = Math.floor((4 * (y + height / 2 - box.y)) / box.height);
        cells[4 * row + column] = Number(tile.textContent);
    }
    return cells;
}"""
LABELS = """() => [...document.querySelectorAll(".plot .tick")].map(label => {
    const { left, right } = label.getBoundingClientRect();
    return [label.textContent, left, right];
})"""


def tiles_of(board):
    return [2**exponent if exponent else 0 for exponent in to_array(board).ravel().tolist()]


def td_errors(trace):
    """By board: what its chosen action is worth, less what was expected before the new tile."""
    worths = trace.values[np.arange(len(trace)), trace.actions].astype(float)
    expected = worths - trace.rewards
    return np.append(np.nan, np.append(worths[1:], 0) - expected)


def ranked(trace):
    """The boards by the size of their TD error, the largest first."""
    errors = np.abs(td_errors(trace))
    return [int(k) for k in np.argsort(-np.nan_to_num(errors), kind="stable") if errors[k] > 0]


@pytest.fixture(scope="module")
def shown(browser, games, tmp_path_factory):
    """The page of two games: reloaded by `fresh`, shared by all tests here."""
    path = tmp_path_factory.mktemp("graph") / "game.html"
    games.save_html(path)
    page, wrong = open_page(
        browser, path, viewport={"width": 1000, "height": 900}, reduced_motion="reduce"
    )
    yield page
    assert wrong == []
    page.context.close()


@pytest.fixture
def page(shown):
    """The page as it is when it is opened, with the second game chosen."""
    shown.reload()
    shown.locator("button.age").nth(1).click()
    return shown


def move(page):
    return int(page.locator("dd.move").text_content().split("/")[0].replace(",", ""))


def place(page, at, last):
    """Where a position stands in the graph, in pixels of the page."""
    box = page.locator(".plot").bounding_box()
    left, right = 40, 8  # as in plot.js
    return box["x"] + left + at / last * (box["width"] - left - right), box["y"] + 40


def test_it_is_a_slider_for_the_keyboard(page, games):
    trace = games.traces[1]
    slider = page.get_by_role("slider", name="Move")
    slider.focus()
    last = len(trace)
    leap = max(10, round(0.05 * last))
    for key, wanted in (
        ("ArrowRight", 1),
        ("ArrowUp", 2),
        ("PageUp", 2 + leap),
        ("ArrowDown", 1 + leap),
        ("ArrowLeft", leap),
        ("End", last),
        ("PageDown", last - leap),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        assert move(page) == wanted, key
        assert slider.get_attribute("aria-valuenow") == str(wanted)
    assert slider.get_attribute("aria-valuemin") == "0"
    assert slider.get_attribute("aria-valuemax") == str(last)
    page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == (
        f"move {last} of {last}, score {trace.score:,}, largest tile {trace.max_tile}"
    )


def test_a_click_seeks_and_a_drag_goes_on_seeking(page, games):
    last = len(games.traces[1])
    page.mouse.click(*place(page, 100, last))
    assert move(page) == pytest.approx(100, abs=1)
    page.mouse.move(*place(page, 50, last))
    page.mouse.down()
    seen = []
    for at in (120, 200, 300):
        page.mouse.move(*place(page, at, last))
        seen.append(move(page))
    page.mouse.move(5, 5)  # beside the graph
    assert move(page) == 0
    page.mouse.up()
    assert seen == pytest.approx([120, 200, 300], abs=1)
    page.mouse.move(*place(page, 200, last))
    assert move(page) == 0, "the button is up again"
    assert page.evaluate("document.activeElement.className") == "plot"


def test_the_pointer_previews_a_board(page, games):
    trace = games.traces[1]
    page.mouse.move(*place(page, 250, len(trace)))
    glance = page.locator(".glance")
    wait(glance.is_visible)
    at = int(re.search(r"move ([\d,]+)", glance.text_content())[1].replace(",", ""))
    assert at == pytest.approx(250, abs=1)
    assert page.evaluate(TILES, ".glance .board") == tiles_of(int(trace.boards[at]))
    assert move(page) == 0
    assert page.evaluate(TILES, ".stage .board") == tiles_of(int(trace.boards[0]))
    for at in (0, len(trace)):  # at both ends it stays inside of the viewer
        page.mouse.move(*place(page, at, len(trace)))
        wait(lambda at=at: f"move {at}" in glance.text_content())
        box, frame = glance.bounding_box(), page.locator(".v2048").bounding_box()
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]
    page.mouse.move(5, 5)
    assert not glance.is_visible()


def test_every_age_has_a_line(page, games):
    assert page.locator(".plot .line.worth").count() == 1
    assert page.locator(".plot .line.score").count() == 1
    assert page.locator(".plot .line.other").count() == 1
    assert page.locator(".plot .errors").count() == 1
    page.locator("button.age").first.click()
    assert page.locator(".plot .othername").text_content() == "old"
    short = len(games.traces[0])
    assert short < len(games.traces[1])
    page.mouse.click(*place(page, len(games.traces[1]), len(games.traces[1])))
    assert move(page) == short, "beyond its end a game stays at its end"


@pytest.mark.parametrize("width", [400, 700, 1200])
def test_labels_of_ticks_never_touch(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    svg = page.locator(".plot svg")
    room = page.locator(".plot").bounding_box()["width"]
    wait(lambda: svg.get_attribute("viewBox").split()[2] == f"{room:g}")
    labels = page.evaluate(LABELS)
    page.set_viewport_size({"width": 1000, "height": 900})
    in_order = sorted(labels, key=lambda label: label[1])
    assert len(labels) >= 3
    assert in_order[-1][0] == "512", "the largest tile matters most"
    numbers = [int(text) for text, _, _ in in_order]
    assert numbers == sorted(numbers)
    for (_, _, right), (_, left, _) in zip(in_order, in_order[1:], strict=False):
        assert left > right + 2


def test_the_next_surprise_is_the_largest_not_yet_seen(page, games):
    trace = games.traces[1]
    order = ranked(trace)
    page.locator("button.surprise").click()
    assert move(page) == order[0]
    assert "The largest surprise" in page.locator(".about").text_content()
    page.keyboard.press("n")  # with the focus on the button
    assert move(page) == order[1]
    page.locator(".stage").focus()
    for _ in range(abs(order[2] - order[1])):
        page.keyboard.press("ArrowRight" if order[2] > order[1] else "ArrowLeft")
    page.wait_for_timeout(400)  # the third largest is seen by itself
    page.keyboard.press("n")
    assert move(page) == order[3]
    page.keyboard.press("Shift+N")
    assert move(page) == order[1], "back to the one before"
    wait(lambda: "Surprise number 2" in page.locator(".heard").text_content())


def test_the_ten_largest_are_listed_with_a_sentence(page, games):
    trace = games.traces[1]
    errors, order = td_errors(trace), ranked(trace)
    page.locator("button.more").click()
    lines = page.locator(".surprises .line")
    texts = lines.all_inner_texts()
    assert len(texts) == 10
    for text, k in zip(texts, order, strict=False):
        at, size, why = [part.strip() for part in text.split("\n") if part.strip()]
        assert at.endswith(f"move {k:,}")
        assert size == f"{'−' if errors[k] < 0 else '+'}{int(np.floor(abs(errors[k]) + 0.5)):,}"
        assert re.fullmatch(r"[A-Z].{10,}\.", why)
    lines.nth(6).click()
    assert move(page) == order[6]
    assert lines.nth(6).get_attribute("aria-current") == "true"
    assert lines.nth(6).locator(".why").text_content() in page.locator(".about").text_content()
    wait(lambda: "seen" in lines.nth(6).get_attribute("class"))
    assert page.locator(".plot .dot").count() == 10


def test_a_bar_shows_its_afterstate_and_what_may_come(page, games):
    board = int(games.traces[1].boards[30])
    page.locator(".stage").focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    legal = [action for action in range(4) if slide(board, action)[1] >= 0]
    for action in legal:
        after, _ = slide(board, action)
        page.locator(f"[data-action={ACTIONS[action]}] .track").hover()
        assert page.evaluate(TILES, ".stage .board") == tiles_of(after)
        empty = tiles_of(after).count(0)
        spawns = page.locator(".stage .spawns > g").all_text_contents()
        assert len(spawns) == empty
        chances = [float(p) for p in re.findall(r": ([\d.]+) %", spawns[0])]
        assert chances == pytest.approx([90 / empty, 10 / empty], abs=0.51)
    page.mouse.move(5, 5)
    assert page.evaluate(TILES, ".stage .board") == tiles_of(board)
    assert page.locator(".stage .spawns > g").count() == 0
    name = page.locator(f"[data-action={ACTIONS[legal[-1]]}] .name")
    name.focus()  # by the keyboard as well
    after, _ = slide(board, legal[-1])
    assert page.evaluate(TILES, ".stage .board") == tiles_of(after)
    wait(lambda: "empty cells" in page.locator(".heard").text_content())
    page.keyboard.press("ArrowRight")
    assert move(page) == 31, "the keys of the player work from there"
    page.locator(".stage").focus()
    assert page.evaluate(TILES, ".stage .board") == tiles_of(int(games.traces[1].boards[31]))


def test_a_finger_seeks_and_points(browser, games, tmp_path):
    games.save_html(tmp_path / "game.html")
    page, wrong = open_page(
        browser, tmp_path / "game.html", has_touch=True, viewport={"width": 400, "height": 1300}
    )
    page.locator("button.age").nth(1).tap()
    last = len(games.traces[1])
    touch = page.context.new_cdp_session(page).send
    seen = []
    for kind, at in (("touchStart", 100), ("touchMove", 200), ("touchMove", 300)):
        x, y = place(page, at, last)
        touch("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        page.wait_for_timeout(100)
        seen.append(move(page))
    touch("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert seen == pytest.approx([100, 200, 300], abs=2)
    board = int(games.traces[1].boards[move(page)])
    action = next(action for action in range(4) if slide(board, action)[1] >= 0)
    page.locator(f"[data-action={ACTIONS[action]}] .track").tap()
    assert page.evaluate(TILES, ".stage .board") == tiles_of(slide(board, action)[0])
    page.locator(".stage").tap()
    assert page.evaluate(TILES, ".stage .board") == tiles_of(board)
    assert wrong == []
    page.context.close()


def test_each_scale_has_a_switch(page):
    scales = page.get_by_role("group", name="Scale of the bars")
    page.locator(".stage").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")  # where little is to come
    parts = {"difference": ".loss", "whole game": ".value", "this move": ".value"}
    widths = {}
    for name, part in parts.items():
        scales.get_by_role("button", name=name).click()
        pressed = scales.locator("[aria-pressed=true]").all_text_contents()
        assert pressed == [name]
        widths[name] = [
            box.evaluate("node => node.getBoundingClientRect().width")
            for box in page.locator(f".bar {part}").all()
        ]
        assert max(widths[name]) > 0
    assert max(widths["this move"]) > max(widths["whole game"])


def test_the_curves_are_those_of_the_game(modules, games):
    """The TD errors as numpy has them; of a curve of many points no peak is lost."""
    script = modules("recording.readGames", "thinning.thinned")
    trace = games.traces[1]
    single = watch(trace)
    read = script(
        """([games, bytes]) => {
        const data = new DataView(Uint8Array.from(bytes).buffer);
        const [recording] = it.readGames({ get: name => ({ games, data })[name] });
        const { errors, growths, usualError } = recording.curves;
        return [[...errors].map(error => Number.isNaN(error) ? null : error), growths, usualError];
    }""",
        [single.games, list(single.data)],
    )
    errors, growths, usual = read
    wanted = td_errors(trace)
    assert errors[0] is None
    assert errors[1:] == pytest.approx(wanted[1:].tolist(), abs=0.01)
    assert usual == pytest.approx(np.median(np.abs(wanted[1:])), rel=0.05)
    assert growths[-1]["tile"] == trace.max_tile
    numbers = np.random.default_rng(1).normal(size=LONG).round(6)
    runs = script("([numbers, columns]) => it.thinned(numbers, columns)", [numbers.tolist(), 900])
    (points,) = runs
    assert len(points) <= 2 * 901
    places = [at for at, _ in points]
    assert places == sorted(places)
    assert all(number == numbers[at] for at, number in points)
    found = {number for _, number in points}
    assert set(np.sort(numbers)[:5]) <= found
    assert set(np.sort(numbers)[-5:]) <= found


def test_a_game_without_values_has_a_score_only(browser, games, tmp_path):
    trace = games.traces[1]
    bare = Trace(
        trace.boards, trace.actions, trace.rewards, np.full_like(trace.values, np.nan), trace.seed
    )
    watch(bare).save_html(tmp_path / "bare.html")
    page, wrong = open_page(browser, tmp_path / "bare.html")
    assert page.locator("button.surprise").is_disabled()
    assert page.locator(".plot .line.score").get_attribute("d")
    assert not page.locator(".plot .line.worth").get_attribute("d")
    page.locator(".stage").focus()
    page.keyboard.press("n")
    assert "recorded without values" in page.locator(".about").text_content()
    assert wrong == []
    page.context.close()
