"""The explorers in a real browser, on pages of their own (browsing.py)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import random

import numpy as np
import pytest
from browsing import browser, open_page, wait
from looking import CONTRASTS, WITHOUT_A_NAME
from test_explorers import random_cells

from lib2048 import NTupleNetwork, play, train
from lib2048.board import ACTIONS, from_tiles, slide, symmetries, to_array
from lib2048.viewer.joining import joined
from lib2048.viewer.viewer import LOOK
from workbook import explore
from workbook.explorers.index import BOARD, index_of
from workbook.explorers.slide import SCRIPT, board_of, slide_steps

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


def board_of_page(page):
    """The board that is edited."""
    return from_tiles(np.array([int(t) if t != "empty" else 0 for t in tiles(page)]).reshape(4, 4))


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


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_tiles_move_unless_motion_is_reduced(opened, motion):
    page = opened(explore.slide((0, 0, 0, 2)), reduced_motion=motion)
    seen = page.evaluate("""() => new Promise(done => {
        const tile = document.querySelector(".board > g[visibility=visible]");
        const places = new Set();
        const look = () => places.add(tile.getAttribute("transform"));
        new MutationObserver(look).observe(tile, { attributes: true });
        document.querySelector("button.step").click();
        setTimeout(() => done(places.size), 1500);
    })""")
    assert (seen > 1) == (motion == "no-preference")


def test_the_steps_play_by_themselves_and_stop(opened):
    page = opened(explore.slide((2, 2, 0, 0)))
    page.get_by_role("button", name="Play").click()
    wait(lambda: "earned so far: 4" in page.locator(".earned").inner_text())
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").count() == 1


# The index machine


def test_looks_up_what_python_looks_up(browser):
    rng = random.Random(8)
    boards = [rng.getrandbits(64) for _ in range(40)]
    pattern = (0, 1, 2, 4, 9)
    cells = [to_array(board).ravel().tolist() for board in boards]
    page = browser.new_page()
    script = "argument[0].map(cells => it.sides(cells, argument[1], argument[2]))"
    results = evaluate_module(page, SCRIPT / "lookup.js", script, [cells, pattern, LOOK["places"]])
    for board, found in zip(boards, results):
        wanted = [index_of(image, pattern) for image in symmetries(board)]
        assert [side["index"] for side in found] == wanted
    page.close()


def test_boards_are_made_up_that_share_a_weight(browser):
    page = browser.new_page()
    script = """argument.map(seed => {
        const cells = Uint8Array.from({ length: 16 }, (_, cell) => (7 * cell) % 16);
        const other = it.sharing(cells, [0, 1, 5], [12, 8, 9], seed);
        return [it.indexOf(cells, [0, 1, 5]), it.indexOf(other, [12, 8, 9]), other.join()];
    })"""
    results = evaluate_module(page, SCRIPT / "lookup.js", script, [1, 2, 3])
    assert {(mine, its) for mine, its, _ in results} == {(0x370, 0x370)}
    assert len({cells for _, _, cells in results}) == 3
    page.close()


def test_a_pattern_is_drawn_and_tiles_are_changed(opened):
    page = opened(explore.index([(0, 1, 2, 3), (5,)]))
    index = page.locator("strong.index")
    assert index.inner_text() == f"{index_of(BOARD, (0, 1, 2, 3)):,}"
    page.get_by_role("button", name="Pattern 1").click()
    assert index.inner_text() == "6"
    page.get_by_role("button", name="draw the pattern").click()
    page.get_by_label("row 1, column 1").click()
    assert index.inner_text() == f"{6 + 16:,}"
    assert "digit 1 of the index" in page.get_by_label("row 1, column 1").get_attribute(
        "aria-label"
    )
    page.get_by_label("row 1, column 1").focus()
    page.keyboard.press("+")  # the 2 becomes a 4
    assert index.inner_text() == f"{6 + 2 * 16:,}"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("p")
    assert index.inner_text() == f"{6 + 2 * 16 + 2 * 256:,}"
    page.get_by_role("button", name="Side 2, upside down").click()
    assert index.inner_text() == f"{5 + 0 * 16 + 1 * 256:,}"


def test_another_board_with_the_weight_is_taken_over(opened):
    page = opened(explore.index([(0, 1, 4)]))
    index = page.locator("strong.index").inner_text()
    before = tiles(page)
    for number in (2, 0):
        page.locator(".gallery").last.locator("button").nth(number).click()
        assert page.locator("strong.index").inner_text() == index
        assert tiles(page) != before


# Step size and games


def test_the_value_at_a_number_of_games(opened):
    widget = explore.alpha(200, alphas=(0.1, 1))
    state = widget.state
    page = opened(widget)
    now = page.locator(".now")

    def value(step, board, games):
        met = sum(game <= games for game in state["visits"][board])
        return state["values"][0][step][board][met - 1] if met else 0

    assert now.inner_text().startswith(f"After 200 games: V = {value(1, 0, 200):.1f}")
    page.get_by_role("button", name="Step size 0.1").click()
    assert now.inner_text().startswith(f"After 200 games: V = {value(0, 0, 200):.1f}")
    page.keyboard.press("Home")
    assert now.inner_text().startswith("After 1 game: V = 0.0")
    page.locator(".gallery button").nth(1).click()
    page.get_by_role("slider").fill(str(len(state["marks"]) // 2))
    games = state["marks"][len(state["marks"]) // 2]
    assert now.inner_text().startswith(f"After {games} games: V = {value(0, 1, games):.1f}")
    assert page.locator("path.line").count() == 2
    page.get_by_role("button", name="Monte-Carlo").click()
    assert (
        f"met {sum(g <= games for g in state['visits'][1])} ×"
        in page.locator(".gallery").inner_text()
    )


def test_the_games_go_on_by_themselves(opened):
    page = opened(explore.alpha(50))
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play").click()
    wait(lambda: int(page.locator(".now").inner_text().split()[1]) > 3)


# The backup stepper


def test_backups_are_gone_through(opened):
    widget = explore.backup(alpha=0.5, moves=4, passes=3)
    page = opened(widget, reduced_motion="reduce")

    def row():
        return page.locator("tr.now td").all_inner_texts()

    def wanted(kind, order, number, t):
        step = widget.runs[kind][order]["passes"][number][t]
        numbers = (step.before, step.target, step.error, step.after)
        return [f"{number:,.2f}".replace("-", "−") for number in numbers]

    page.get_by_role("button", name="One backup on").click()
    page.keyboard.press("ArrowRight")
    assert row()[:4] == wanted("afterstate", "backward", 0, 1)
    page.keyboard.press("PageDown")
    assert row()[:4] == wanted("afterstate", "backward", 1, 1)
    page.get_by_role("button", name="V(state)").click()
    assert row()[:4] == wanted("state", "backward", 1, 1)
    page.keyboard.press("o")
    assert row()[:4] == wanted("state", "forward", 1, 1)
    assert page.locator(".strip .step.now").count() == 1
    assert row()[4] == str(sum(widget.moves.rewards[1:]))
    page.keyboard.press("End")
    values = page.locator(".strip .value").all_inner_texts()
    last = widget.runs["state"]["forward"]["passes"][2][-1].values
    assert values == [f"{value:,.2f}" for value in last]
    assert "error" in page.locator(".heard").text_content()


# Action selection


def test_actions_of_stored_boards_unfold(opened):
    net = NTupleNetwork(((0, 1, 2, 3), (0, 1, 4, 5)), values="state")
    train(net, 50, seed=1, progress=False)
    trace = play(net, seed=3)
    widget = explore.choose(net, trace)
    page = opened(widget, reduced_motion="reduce")
    assert (
        page.locator("tr.best th").inner_text().split()[-1]
        == ACTIONS[widget.opinions[0][0]["best"]]
    )
    page.get_by_role("button", name="To the end").click()
    (found,) = widget.opinions[-1]
    action = found["best"]
    assert (
        page.locator("tr.best td").last.inner_text() == f"{found['actions'][action]['worth']:,.2f}"
    )
    page.get_by_role("button", name=ACTIONS[action]).click()
    shown = page.locator(".gallery .small:visible")
    spawns = found["actions"][action]["spawns"]
    assert shown.count() == 2 * len(spawns)
    label = shown.first.get_attribute("aria-label")
    assert label.startswith(f"a 2 in cell {spawns[0][0]}: {90 / len(spawns):.1f} %")
    page.keyboard.press("Enter")  # the button still has the focus
    assert shown.count() == 0
    page.get_by_label("row 1, column 1").click()
    assert board_of_page(page) == widget.boards[-1], "without Python tiles stay as they are"
    assert "Without Python" in page.locator(".saying[role=status]").inner_text()


def test_boards_follow_as_python_says(browser):
    page = browser.new_page()
    board = 0x0000_1234_4321_5511
    cells = to_array(board).ravel().tolist()
    script = """it.boardsAfter(Uint8Array.from(argument), 3, 0.1)
        .map(({ board, probability }) => [[...board], probability])"""
    results = evaluate_module(page, SCRIPT / "spawns.js", script, cells)
    afterstate, _ = slide(board, 3)
    wanted = {}
    empty = [cell for cell in range(16) if not afterstate >> 4 * cell & 15]
    for cell in empty:
        for exponent, share in ((1, 0.9), (2, 0.1)):
            wanted[afterstate | exponent << 4 * cell] = pytest.approx(share / len(empty))
    assert {board_of(found): probability for found, probability in results} == wanted
    page.close()


# Search under a microscope


def test_a_tree_grows_trip_by_trip(opened):
    net = NTupleNetwork(((0, 1, 2, 3), (0, 1, 4, 5)))
    train(net, 50, seed=1, progress=False)
    widget = explore.search(net, trips=9)
    page = opened(widget, reduced_motion="reduce")
    runs = widget.state["runs"]

    def shows(run, at):
        step = runs[run]["steps"][at]
        rows = [row.locator("th, td").all_inner_texts() for row in page.locator("tbody tr").all()]
        assert rows == step["rows"]
        assert page.locator("tr.now th").inner_text() == rows[step["marked"]][0]
        assert page.locator("ol.told li").all_inner_texts() == step["told"]
        assert page.locator(".tree .disk").count() == step["visible"]
        assert page.locator(".tree .disk.taken").count() == len(step["path"])

    shows(0, 0)
    page.get_by_role("button", name="One step on").click()
    shows(0, 1)
    page.get_by_role("button", name=runs[2]["name"], exact=True).click()
    shows(2, 0)
    page.keyboard.press("End")
    shows(2, 9)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("m")
    shows(3, 0)
    assert page.locator(".heard").text_content() == " ".join(runs[3]["steps"][0]["told"])


# All of them


def explorers():
    """Each explorer, small."""
    net = NTupleNetwork(((0, 1, 2, 3), (0, 1, 4, 5)), values="state")
    train(net, 30, seed=1, progress=False)
    return {
        "slide": explore.slide(),
        "slide a board": explore.slide(board=BOARD),
        "index": explore.index(),
        "alpha": explore.alpha(60),
        "backup": explore.backup(),
        "choose": explore.choose(net, play(net)),
        "search": explore.search(net, trips=8),
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_are_easy_to_read_and_controls_have_names(opened, scheme):
    """Light and dark, at 400 pixels, on which nothing may be wider than the page."""
    for name, widget in explorers().items():
        how = dict(color_scheme=scheme, reduced_motion="reduce")
        page = opened(widget, viewport={"width": 400, "height": 700}, **how)
        page.locator("button.step").first.click() if name != "index" else None
        contrasts = page.evaluate(CONTRASTS.replace(".v2048", ".w2048"))
        assert contrasts, name
        assert [found for found in contrasts if found[1] < 4.5] == [], name
        assert page.evaluate(WITHOUT_A_NAME) == 0, name
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, name
