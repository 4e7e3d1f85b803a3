"""One's own game and edited boards on a page, in a real browser (see browsing.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import json
import re

import pytest
from browsing import VISIBLE_TILES, browser, games, open_page, shoot, wait
from test_viewer_page import CONTRASTS, WITHOUT_A_NAME

from lib2048 import NTupleNetwork, from_tiles, slide, to_array, train
from lib2048.draw import TILES, contrast
from lib2048.viewer import watch
from lib2048.viewer.playing import playing_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ARROWS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
LETTERS = "wdsa"


@pytest.fixture
def page(browser, games, tmp_path):
    """A page with two games, on which nothing may go wrong."""
    games.save_html(tmp_path / "game.html")
    page, wrong = open_page(
        browser, tmp_path / "game.html", viewport={"width": 1000, "height": 900}
    )
    yield page
    assert wrong == []
    page.context.close()


def tiles(page):
    """The numbers on the board in reading order, without the empty cells."""
    return [number for _, _, number in sorted(page.evaluate(VISIBLE_TILES))]


def shows(page, board):
    wanted = [2**exponent for exponent in to_array(board).flat if exponent]
    wait(lambda: tiles(page) == wanted, 5, lambda: f"{tiles(page)} is shown, not {wanted}")


def is_drawn(page, rows):
    shows(page, from_tiles(rows))


def text(page, selector):
    return page.locator(selector).first.text_content()


def play(page, actions, keys=ARROWS):
    for action in actions:
        page.keyboard.press(keys[action])


def test_letters_move_as_arrows_do_and_merges_say_what_they_earn(page, games):
    trace = games.traces[0]
    page.locator("button.mine").click()
    for move, action in enumerate(trace.actions[:12]):
        key = LETTERS[action]
        page.keyboard.press(key.upper() if move % 2 else key)
        earned = [int(word) for word in page.locator(".float").all_text_contents()]
        assert sum(earned) == trace.rewards[move]
    shows(page, trace.boards[12])
    assert text(page, "dd.score") == str(trace.rewards[:12].sum())
    assert trace.rewards[:12].any()
    wait(lambda: page.locator(".float").count() == 0)


def test_a_game_survives_a_reload(page, games):
    trace = games.traces[0]
    page.locator("button.mine").click()
    play(page, trace.actions[:9])
    page.keyboard.press("u")
    page.reload()
    page.locator("button.mine").click()
    shows(page, trace.boards[8])
    assert text(page, "dd.move") == "8"
    page.keyboard.press("u")
    shows(page, trace.boards[7])


def test_what_the_browser_keeps_may_be_damaged(page, games):
    page.locator("button.mine").click()
    play(page, games.traces[0].actions[:3])
    for damaged in ("{", "[]", '{"seed": "x", "fours": 1, "actions": "0123"}'):
        page.evaluate(
            """text => Object.keys(localStorage).filter(key => key.includes("game"))
                .forEach(key => localStorage.setItem(key, text))""",
            damaged,
        )
        page.reload()
        page.locator("button.mine").click()
        shows(page, games.traces[0].boards[0])


def test_the_end_of_a_game(page, games):
    trace = games.traces[0]
    page.locator("button.mine").click()
    play(page, trace.actions)
    over = page.locator(".over")
    wait(over.is_visible)
    score = f"{trace.score:,} points"
    assert score in over.inner_text() and f"largest tile {trace.max_tile}" in over.inner_text()
    assert "your best score" in over.inner_text()
    assert text(page, ".heard").startswith(f"You: {score}")
    shoot(page, "over")
    over.get_by_text("Undo").click()
    shows(page, trace.boards[-2])
    assert not over.is_visible()
    play(page, trace.actions[-1:])
    wait(over.is_visible)
    over.get_by_text("Same game again").click()
    shows(page, trace.boards[0])
    play(page, trace.actions[:5])
    page.locator("button.next").evaluate("button => button.click()")
    assert text(page, "dd.seed") == "8" and text(page, "dd.move") == "0"
    play(page, [3, 2] * 10)
    assert text(page, ".best") == f"best {trace.score:,}", "it is kept in later games"
    page.reload()
    page.locator("button.mine").click()
    assert text(page, ".best") == f"best {trace.score:,}"


def test_plays_on_from_a_board_with_the_tiles_of_that_game(page, games):
    trace = games.traces[0]
    page.locator(".stage").focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    page.locator("button.onmyself").click()
    shows(page, trace.boards[30])
    assert text(page, "dd.score") == "0" and text(page, "dd.move") == "0"
    play(page, trace.actions[30:40])
    shows(page, trace.boards[40])
    assert text(page, "dd.score") == str(trace.rewards[30:40].sum())
    page.reload()
    page.locator("button.mine").click()
    shows(page, trace.boards[40])
    play(page, trace.actions[40:])
    wait(page.locator(".over").is_visible)
    assert page.locator(".best").text_content() == "", "a head start makes no best score"


def test_ones_own_game_can_be_watched(page, games):
    trace = games.traces[0]
    page.locator("button.mine").click()
    play(page, trace.actions[:6])
    page.locator(".hand button.review").click()
    assert page.locator("button.age").last.text_content().startswith("You")
    assert text(page, "dd.move") == "0 / 6"
    assert "only a network can say" in text(page, ".reviewed")
    page.locator(".stage").focus()
    page.keyboard.press("End")
    shows(page, trace.boards[6])
    assert text(page, "dd.score") == str(trace.rewards[:6].sum())
    page.locator("button.edit").click()
    assert not page.locator(".reviewed").is_visible()
    page.locator("button.mine").click()
    shows(page, trace.boards[6])


# A board of one's own


@pytest.fixture
def editing(page):
    page.locator("button.edit").click()
    page.locator("button.clear").click()
    return page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_a_board_is_edited_by_keys(editing):
    editing.locator(".stage").focus()
    press(editing, "+", "ArrowRight", "PageUp", "=", "ArrowDown", "ArrowDown", "ArrowDown")
    press(editing, "ArrowDown", "+", "+", "+", "-")
    is_drawn(editing, [[2, 4, 0, 0], [0] * 4, [0] * 4, [0, 4, 0, 0]])
    assert editing.locator(".heard").text_content() == "row 4, column 2: empty"
    press(editing, "Delete", "ArrowLeft", "ArrowLeft", *["+"] * 20)
    is_drawn(editing, [[2, 4, 0, 0], [0] * 4, [0] * 4, [32768, 0, 0, 0]])
    press(editing, *["PageDown"] * 20)
    is_drawn(editing, [[2, 4, 0, 0], [0] * 4, [0] * 4, [0] * 4])


def test_a_board_is_edited_by_clicks_and_the_wheel(editing):
    box = editing.locator(".board").first.bounding_box()

    def place(row, column):
        step = box["width"] / 4
        return box["x"] + (column + 0.5) * step, box["y"] + (row + 0.5) * step

    for row, column, clicks in ((0, 0, 1), (3, 3, 2), (2, 1, 3)):
        for _ in range(clicks):
            editing.mouse.click(*place(row, column))
    is_drawn(editing, [[2, 0, 0, 0], [0] * 4, [0, 8, 0, 0], [0, 0, 0, 4]])
    editing.keyboard.down("Shift")
    editing.mouse.click(*place(2, 1))
    editing.keyboard.up("Shift")
    editing.mouse.click(*place(3, 3), button="right")
    is_drawn(editing, [[2, 0, 0, 0], [0] * 4, [0, 4, 0, 0], [0, 0, 0, 2]])
    editing.mouse.move(*place(1, 2))
    for _ in range(5):
        editing.mouse.wheel(0, -100)
    is_drawn(editing, [[2, 0, 0, 0], [0, 0, 32, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
    editing.mouse.wheel(0, 100)
    is_drawn(editing, [[2, 0, 0, 0], [0, 0, 16, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
    assert editing.evaluate("scrollY") == 0
    editing.locator("button.lower").click()
    editing.locator("button.raise").click()
    editing.locator("button.empty").click()
    is_drawn(editing, [[2, 0, 0, 0], [0] * 4, [0, 4, 0, 0], [0, 0, 0, 2]])


ROWS = [[2, 4, 8, 16], [0, 0, 0, 0], [0, 0, 32768, 0], [1024, 0, 0, 2]]


@pytest.mark.parametrize(
    "typed",
    [
        f"{from_tiles(ROWS):016x}",
        hex(from_tiles(ROWS)).upper().replace("X", "x"),
        json.dumps(ROWS),
        str(ROWS).replace("],", "]\n").replace(",", ""),  # as numpy prints it
    ],
)
def test_a_board_can_be_typed(editing, typed):
    editing.locator(".boardtext").fill(typed)
    editing.keyboard.press("Enter")
    is_drawn(editing, ROWS)
    assert editing.locator(".boardtext").input_value() == f"{from_tiles(ROWS):016x}"
    assert not editing.locator(".editor .problem").is_visible()


def test_a_short_number_of_python_can_be_typed(editing):
    editing.locator(".boardtext").fill("0x21")
    editing.locator("button.set").click()
    is_drawn(editing, [[2, 4, 0, 0], [0] * 4, [0] * 4, [0] * 4])


def test_a_board_can_be_pasted_on_the_board(editing):
    editing.locator(".stage").focus()
    editing.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text", text);
            const about = { clipboardData: data, bubbles: true, cancelable: true };
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", about));
        }""",
        json.dumps(ROWS),
    )
    is_drawn(editing, ROWS)


@pytest.mark.parametrize(
    "typed, told",
    [
        ("", "16 hexadecimal digits"),
        ("123", "got 3"),
        ("1" * 17, "got 17"),
        ("000000000000000g", "“g” is no hexadecimal digit"),
        ("[[2, 4], [0]]", "got rows of 2, 1"),
        ("[[2,4,8,16,2],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "rows of 5, 4, 4, 4"),
        ("[[1,2,3,4],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "1 is no tile"),
        ("[[65536,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "65536 is no tile"),
        ("[[two,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "two is no tile"),
    ],
)
def test_what_is_no_board_is_refused(editing, typed, told):
    editing.locator("button.raise").click()
    field = editing.locator(".boardtext")
    field.fill(typed)
    editing.keyboard.press("Enter")
    assert told in editing.locator(".editor .problem").text_content()
    assert field.get_attribute("aria-invalid") == "true"
    assert field.input_value() == typed, "it can be mended"
    assert tiles(editing) == [2], "the board stays"
    field.fill("0x1")
    assert not editing.locator(".editor .problem").is_visible()


def test_an_edited_board_is_played_on_from(editing):
    board = from_tiles(ROWS)
    editing.locator(".boardtext").fill(f"{board:016x}")
    editing.keyboard.press("Enter")
    assert editing.locator(".bar.illegal").count() == sum(
        slide(board, action)[1] < 0 for action in range(4)
    )
    shoot(editing, "editing")
    editing.locator("button.onmyself").click()
    editing.keyboard.press("ArrowDown")
    after, reward = slide(board, 2)
    wait(lambda: text(editing, "dd.move") == "1")
    assert text(editing, "dd.score") == str(reward)
    left = sorted(2**exponent for exponent in to_array(after).flat if exponent)
    wait(lambda: len(tiles(editing)) == len(left) + 1)
    assert all(tiles(editing).count(tile) >= left.count(tile) for tile in left)


def test_a_dead_board_cannot_be_played_on_from(editing):
    assert editing.locator("button.onmyself").is_disabled(), "an empty board has no move"
    assert "No tile can move" in text(editing, ".caption")
    editing.locator("button.raise").click()
    assert editing.locator("button.onmyself").is_enabled()


def test_a_board_alone_is_a_place_to_start_from(browser, tmp_path):
    watch(ROWS).save_html(tmp_path / "board.html")
    page, wrong = open_page(browser, tmp_path / "board.html")
    is_drawn(page, ROWS)
    assert text(page, "dd.move") == "0 / 0" and text(page, ".caption") == "A board to start from."
    page.locator("button.onmyself").click()
    page.keyboard.press("ArrowDown")
    wait(lambda: text(page, "dd.move") == "1")
    assert wrong == []
    page.context.close()


# How it looks


@pytest.fixture(scope="module")
def playing(tmp_path_factory):
    """A page in which a small network plays and advises."""
    file = tmp_path_factory.mktemp("playing") / "playing.html"
    net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)))
    train(net, 200, seed=1, progress=False)
    playing_page(file, net, seed=7)
    return file


SIZES = {"wide": (1100, 900), "narrow": (400, 800), "landscape": (740, 360)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_mode_can_be_read_and_fits(browser, playing, size, scheme):
    width, height = SIZES[size]
    window = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    page, wrong = open_page(browser, playing, **window)

    def is_fine(name):
        page.wait_for_timeout(300)
        shoot(page, f"{name}-{size}-{scheme}")
        contrasts = page.evaluate(CONTRASTS)
        on_board = page.locator(".over > *").all_inner_texts()  # its ground lets the tiles through
        assert [
            (words, ratio) for words, ratio in contrasts if ratio < 4.5 and words not in on_board
        ] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(WITHOUT_A_NAME) == 0

    page.locator("button.mine").click()
    play(page, [3, 2, 1, 0] * 3)
    is_fine("own")
    play(page, [3, 2, 1, 0] * 150)
    wait(page.locator(".over").is_visible)
    inside = page.locator(".over").evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    assert inside, "all of it is in sight"
    is_fine("over")
    page.locator(".over button.review").click()
    wait(lambda: "points" in text(page, ".reviewed"))
    is_fine("review")
    page.locator("button.edit").click()
    page.locator(".boardtext").fill("[[3]]")
    page.keyboard.press("Enter")
    is_fine("edit")
    page.locator("button.clear").click()
    page.locator("button.raise").click()
    page.locator("button.onnetwork").click()
    wait(lambda: "from your board" in page.locator(".ages").inner_text())
    assert wrong == []
    page.context.close()


def test_the_end_can_be_read_over_every_tile(browser, playing):
    page, _ = open_page(browser, playing)
    colour = page.locator(".over").evaluate("node => getComputedStyle(node).backgroundColor")
    *ground, opacity = map(float, re.findall(r"[\d.]+", colour))
    for tile in TILES:
        behind = bytes.fromhex(tile.removeprefix("#"))
        mixed = [round(opacity * a + (1 - opacity) * b) for a, b in zip(ground, behind)]
        assert contrast("#" + bytes(mixed).hex(), "#ffffff") >= 4.5
    page.context.close()


def test_a_merge_says_what_it_earns_without_moving_where_motion_is_reduced(browser, playing):
    names = {}
    for motion in ("reduce", "no-preference"):
        page, wrong = open_page(browser, playing, reduced_motion=motion)
        page.locator("button.mine").click()
        for key in ["ArrowLeft", "ArrowRight"] * 20:
            page.keyboard.press(key)
            if page.locator(".float").count():
                break
        style = "node => getComputedStyle(node).animationName"
        names[motion] = page.locator(".float").first.evaluate(style)
        assert wrong == []
        page.context.close()
    assert names == {"reduce": "none", "no-preference": "v2048-rise"}
