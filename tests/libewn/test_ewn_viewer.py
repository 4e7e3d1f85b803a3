"""The game viewer: what goes to the browser, picture and page, and these in a real browser."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import base64
import io
import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from browsing import SHOTS, Lab, browser, open_page, server, wait
from matplotlib.image import imread

import libewn
from libewn import MCTS, Easy, Game, instance, play_game, player
from libewn.draw import CELL, EDGE, GOAL, side_by_side
from libewn.viewer import watch
from libewn.viewer.opposing import Opponent

# the beginning of a script that runs view.js: the module, and a model like anywidget's
MODEL = """async ([source, state]) => {
    const file = new Blob([source], { type: "text/javascript" });
    const { default: it } = await import(URL.createObjectURL(file));
    const listeners = {};
    const model = {
        get: (name) => state[name],
        set: (more) => Object.assign(state, more),
        save_changes() {},
        on: (name, call) => (listeners[name] = call),
        off: (name) => delete listeners[name],
        send: (question) => askPython(question).then((reply) => listeners["msg:custom"](reply)),
    };
"""

# turns to a ply, plays, goes back, and returns what was seen
DRIVE = (
    MODEL
    + """
    const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
    const stop = it.render({ model, el: document.body });
    const shown = () => document.querySelector("dd.ply").textContent.split(" ")[0];
    const seen = [];
    state.ply = 5;
    listeners["change:ply"]();
    await pause(300);
    seen.push([state.ply, state.playing, shown()]);
    state.playing = true;
    listeners["change:playing"]();
    await pause(300);
    document.querySelector("button.back").click();
    await pause(300);
    seen.push([state.ply, state.playing, shown()]);
    stop();
    const views = document.querySelectorAll(".vewn").length;
    return [...seen, Object.keys(listeners).length, views];
}"""
)


# controls that have no name which a screen reader could say
WITHOUT_A_NAME = """() => {
    const controls = [...document.querySelectorAll("button, select, input")];
    const hasName = node =>
        node.textContent.trim() || node.getAttribute("aria-label") || node.labels?.length;
    return controls.filter(node => !hasName(node)).map(node => node.outerHTML);
}"""


def search(**options):
    return MCTS(simulations=500, **options)


@pytest.fixture(scope="module")
def viewer():
    return watch("hard", search(visit=5, expand=10), seed=7, comment=search())


def test_the_game_arrives_as_it_was_played(viewer):
    """The same game as a match plays, with what the player's own search and the other found."""
    game = play_game(player("hard"), search(visit=5, expand=10), instance(7), seed=7)
    assert viewer.played.history == game.history and viewer.played.winner == game.winner
    about = json.loads(json.dumps(viewer.game, allow_nan=False))
    assert len(about["plies"]) == len(game.history) + 1 and about["dice"] == list(game.dice)
    assert (
        about["names"] == ["hard", "MCTS, 500 playouts a move"]
        and about["known"]
        and about["seed"] == "7"
    )
    again = Game(instance(7))
    for ply, move in zip(about["plies"], game.history):
        assert (ply["squares"], ply["mover"], ply["die"]) == (
            [*again.squares()],
            again.mover,
            again.die,
        )
        assert [tuple(one[:2]) for one in ply["moves"]] == again.legal_moves()
        assert tuple(ply["moves"][ply["move"]][:2]) == move
        if "visits" in ply:
            assert (
                len(ply["visits"]) == len(ply["means"]) == len(ply["proofs"]) == len(ply["moves"])
            )
            assert sum(ply["visits"]) == 500
        else:
            assert ply["note"]
        square = ply["moves"][ply["move"]][3]
        again.play(move)
        assert again.squares()[ply["mover"]][move[0]] == square
    last = about["plies"][-1]
    assert (last["winner"], last["by"], last["moves"]) == (game.winner, game.by, [])
    commented = [ply for ply in about["plies"][:-1] if ply["mover"] == 0 and len(ply["moves"]) > 1]
    assert commented and all("visits" in ply for ply in commented)


def test_a_finished_game_and_one_that_goes_on(viewer):
    game = play_game(player("easy"), player("normal"), instance(4, 2))
    moves = list(game.history)
    again = watch(game)
    assert again.played.history == moves == game.history and again.game["names"] == ["", ""]
    assert all("visits" not in ply for ply in again.game["plies"])
    start = Game(instance(4, 2))
    start.play(start.legal_moves()[0])
    onward = watch("easy", "easy", start)
    assert onward.game["start"] == 1 and len(start.history) == 1
    assert onward.game["plies"][0]["squares"] == start.squares()
    assert watch("easy", "easy", seed=3).played.instance == instance(3)
    classic = watch(search(), Easy(), instance(1, 0, "classic"))
    assert not classic.game["known"] and classic.game["columns"] == 5


def test_moves_about(viewer):
    viewer.playing = True
    viewer.seek(3)
    viewer.step(2)
    viewer.step(-1)
    assert (viewer.ply, viewer.playing) == (4, False)
    viewer.seek(10**6)
    assert viewer.ply == len(viewer.played.history)
    viewer.step(-(10**6))
    assert viewer.ply == 0
    with pytest.raises(ValueError, match="0.25"):
        viewer.speed = 3


def test_the_picture(viewer):
    shown = viewer._repr_mimebundle_()
    root = ElementTree.fromstring(shown["image/svg+xml"])
    assert len([child for child in root if child.tag.endswith("svg")]) == 6
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == [shown["text/plain"]] == [viewer.words] and "seed 7" in viewer.words
    assert "application/vnd.jupyter.widget-view+json" in shown
    assert len(shown["image/svg+xml"]) < 100_000 and len(shown["image/png"]) < 100_000
    png = imread(io.BytesIO(base64.b64decode(shown["image/png"])))
    height, width = png.shape[:2]
    assert width == 3 * 260 + 2 * 8 and height == round(float(root.get("height")))
    unit = 260 / (2 * EDGE + 7 * CELL)  # of the first board, in pixels
    x = int(unit * (EDGE + 7 * CELL - 4))
    y = int(unit * (EDGE + 6 * CELL - 4))
    colour = "#" + "".join(f"{round(255 * part):02x}" for part in png[y, x, :3])
    assert colour == GOAL, "beside the cube that stands on Red's goal"
    with pytest.raises(ValueError, match="nothing"):
        side_by_side([], "")


def test_close_keeps_the_picture():
    viewer = watch("easy", "easy", seed=1)
    viewer.close()
    shown = viewer._repr_mimebundle_()
    assert set(shown) == {"image/svg+xml", "image/png", "text/plain"}


def test_widgets_are_loaded_by_the_viewer_alone():
    code = (
        "import sys, libewn; "
        "assert not {'anywidget', 'matplotlib', 'libewn.viewer'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert libewn.watch is watch and not hasattr(libewn, "look")


@pytest.mark.parametrize(
    "call, named",
    [
        (lambda: watch("hard", "harder"), "'harder'"),
        (lambda: watch("hard", None), "two players"),
        (lambda: watch(Game()), "two players"),
        (lambda: watch("easy", "easy", start=3), "3"),
        (lambda: watch("easy", "easy", seed=-1), "-1"),
        (lambda: watch("easy", "easy", comment="hard"), "'hard'"),
    ],
)
def test_what_cannot_be_watched_is_a_value_error(call, named):
    with pytest.raises(ValueError, match=named):
        call()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_page_in_a_browser(browser, viewer, tmp_path, motion):
    """Steps and seeks by key, only with focus; plays, pauses, starts again; says what it shows."""
    viewer.save_html(tmp_path / "game.html", "<A> game")
    page, wrong = open_page(
        browser,
        tmp_path / "game.html",
        reduced_motion=motion,
        viewport={"width": 1000, "height": 700},
    )
    text = lambda selector: page.locator(selector).first.inner_text()  # noqa: E731
    ply = lambda: int(text("dd.ply").split("/")[0])  # noqa: E731
    plies = viewer.game["plies"]
    end = len(plies) - 1
    assert page.title() == "<A> game" and ply() == 0
    page.keyboard.press("ArrowRight")
    assert ply() == 0, "keys need focus"
    page.locator(".stage").click()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    page.wait_for_timeout(400)
    assert ply() == 2
    number, way = plies[2]["moves"][plies[2]["move"]][:2]
    assert page.locator(".bar.chosen").get_attribute("data-move") == f"{number} {way}"
    assert page.locator(".bar").count() == len(plies[2]["moves"])
    assert f"{plies[2]['visits'][0]:,} playouts" in text(".bar .words")
    wait(lambda: f"Ply 2 of {end}" in page.locator(".heard").inner_text())
    assert "Red 0 on row" in page.locator(".stage").get_attribute("aria-label")
    places = page.locator(".cube[visibility=visible]").count()
    assert places == sum(square >= 0 for side in plies[2]["squares"] for square in side)
    assert (
        page.locator(".dice").get_attribute("aria-label").startswith(f"Die {plies[2]['die']}, then")
    )
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"ewn-{motion}.png")
    page.keyboard.press("End")
    assert ply() == end and "has won" in text(".caption") and page.locator(".bar").count() == 0
    for _ in range(4):
        page.keyboard.press("+")
    assert page.locator(".speed select").input_value() == "16"
    page.keyboard.press(" ")  # at the end, play starts again
    wait(lambda: 0 < ply() < end)
    page.keyboard.press("ArrowLeft")
    assert page.locator("button.play").get_attribute("aria-label") == "Play", "stepping pauses"
    plot = page.get_by_role("slider", name="Ply")
    plot.click(position={"x": 40, "y": 40})
    assert ply() == 0
    plot.press("ArrowUp")
    assert ply() == 1
    chance = 100 * chance_of_red(plies[1])
    assert f"Red’s chance {round(chance)} %" in plot.get_attribute("aria-valuetext")
    assert not page.locator("button.mine").is_visible(), "there is nobody to play against"
    assert page.evaluate(WITHOUT_A_NAME) == [] and wrong == []
    page.context.close()


def chance_of_red(ply):
    """What the mean of the move that was played says of Red."""
    mean = ply["means"][ply["move"]]
    return mean if ply["mover"] == 0 else 1 - mean


def test_the_tree_that_is_shown_is_the_one_that_was_searched(viewer):
    """The root's children are the moves, playouts add up, and small nodes are left out."""
    searched = [ply for ply in viewer.game["plies"] if "visits" in ply]
    assert searched
    for ply in searched:
        root, *others = ply["tree"]
        assert root[:2] == [-1, sum(ply["visits"])]
        children = [row for row in others if row[0] == 0]
        visits = dict(zip([tuple(move[:2]) for move in ply["moves"]], ply["visits"], strict=True))
        for _, playouts, mean, _, cube, way in children:
            assert visits[cube, way] == playouts and 0 <= mean <= 1
        assert {row[1] >= 10 for row in others} == {True}, "a fiftieth of 500"
        for parent, row in enumerate(ply["tree"]):
            below = [other[1] for other in others if other[0] == parent]
            assert sum(below) <= row[1]
    assert any(row[0] > 0 for ply in searched for row in ply["tree"]), "more than one level"


@pytest.mark.browser
@pytest.mark.slow
def test_the_tree_unfolds(browser, viewer, tmp_path):
    viewer.save_html(tmp_path / "game.html")
    page, wrong = open_page(browser, tmp_path / "game.html")
    number, ply = next(
        (number, ply)
        for number, ply in enumerate(viewer.game["plies"])
        if any(row[0] > 0 for row in ply.get("tree", []))
    )
    page.locator(".stage").focus()
    for _ in range(number):
        page.keyboard.press("ArrowRight")
    page.locator(".tree button.toggle").click()
    rows = page.locator(".panel > .branches > li")
    children = [row for row in ply["tree"] if row[0] == 0]
    assert rows.count() == len(children)
    most = max(children, key=lambda row: row[1])
    first = rows.first
    assert f"{most[1]:,} playouts" in first.inner_text()
    assert f"cube {most[4]}" in first.inner_text()
    branch = page.locator(".branch.more").first
    assert branch.get_attribute("aria-expanded") == "false"
    branch.press("Enter")
    assert branch.get_attribute("aria-expanded") == "true"
    below = branch.locator("xpath=following-sibling::ul/li")
    opened = [n for n, row in enumerate(ply["tree"]) if row[0] == 0]
    opened.sort(key=lambda n: -ply["tree"][n][1])
    parents = [row[0] for row in ply["tree"]]
    with_children = [n for n in opened if n in parents]
    assert below.count() == parents.count(with_children[0])
    branch.press("Enter")
    assert not below.first.is_visible()
    assert wrong == []
    page.context.close()


# A person plays


@pytest.fixture
def opponent():
    game = Game(instance(7))
    return Opponent([player("normal"), search()], game, 3, search())


def test_the_other_side_answers(opponent):
    """As Red one begins; as Blue one finds Red's first move, and the answers are legal."""
    (first,) = opponent.answer(0, [], False)
    assert first["mover"] == 0 and "move" not in first and "visits" not in first
    begun = opponent.answer(1, [], False)
    assert [ply["mover"] for ply in begun] == [0, 1] and "move" in begun[0]
    moves = []
    while True:
        plies = opponent.answer(0, moves, False)
        moves += [ply["moves"][ply["move"]][:2] for ply in plies[:-1]]
        if "winner" in plies[-1]:
            break
        moves.append(plies[-1]["moves"][0][:2])
    game = Game(instance(7))
    for move in moves:
        game.play(tuple(move))
    assert game.winner == plies[-1]["winner"] and len(moves) > 10


def test_answers_depend_on_the_game_alone(opponent):
    moves = [opponent.answer(0, [], False)[-1]["moves"][0][:2]]
    once = opponent.answer(0, moves, True)
    opponent.answer(1, [], True)
    assert opponent.answer(0, moves, True) == once
    json.dumps(once, allow_nan=False)
    assert sum(once[0]["visits"]) == sum(once[1]["visits"]) == 500, "Blue's search, and advice"
    assert "visits" not in opponent.answer(0, moves, False)[-1]


def test_after_a_recorded_game_the_adviser_answers():
    game = play_game(player("easy"), player("normal"), instance(4, 2))
    seen = watch(game, comment=search())
    (first, *_) = seen._opponent.answer(1, [], False)
    assert sum(first["visits"]) == 500


@pytest.mark.parametrize(
    "person, moves, named", [(2, [], "Red .0. or Blue"), (0, [[9, 9]], "legal moves")]
)
def test_what_cannot_be_answered_is_refused(opponent, person, moves, named):
    with pytest.raises(ValueError, match=named):
        opponent.answer(person, moves, False)


@pytest.fixture
def seat(browser):
    """A view in which a person plays, its questions answered by Python: (page, asked)."""
    seen = watch("normal", search(), seed=7, comment=search())
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    asked = []

    def answer(question):
        asked.append(question)
        said = []
        seen.send = said.append
        seen._answer(seen, question, [])
        return said[0]

    page.expose_function("askPython", answer)
    state = {name: getattr(seen, name) for name in ("look", "game", "speed")}
    page.add_style_tag(content=str(seen._css))
    page.evaluate(SIT_DOWN, [str(seen._esm), state | {"ply": 0, "playing": False}])
    yield page, asked
    page.close()


SIT_DOWN = (
    MODEL
    + """
    it.render({ model, el: document.body });
}"""
)


def ply_of(page):
    return int(page.locator("dd.ply").text_content().split("/")[0])


@pytest.mark.browser
@pytest.mark.slow
def test_a_person_plays_by_keys(seat):
    """Arrow keys choose a move, Enter plays it, the other side answers, U takes both back."""
    page, asked = seat
    page.locator("button.mine").click()
    page.locator("button.own").first.wait_for()
    assert ply_of(page) == 0 and "Your move: Red" in page.locator(".caption").text_content()
    first = page.locator("button.own").first.get_attribute("aria-label")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.locator("button.own").first.get_attribute("aria-current") == "true"
    page.keyboard.press("Enter")
    wait(lambda: ply_of(page) == 2)
    cube, way = asked[-1]["moves"][0]
    assert first.startswith(f"Play cube {cube} ") and len(asked[-1]["moves"]) == 1
    wait(lambda: page.locator("button.own").count() > 0)
    assert asked[-1]["person"] == 0 and page.locator("dd.red").text_content() == "you"
    page.locator(".stage").focus()
    page.keyboard.press("u")
    wait(lambda: ply_of(page) == 0)
    assert page.locator("button.own").first.get_attribute("aria-label") == first
    assert page.locator("button.undo").is_disabled()
    page.locator(".peek").check()
    page.locator(".bar .words", has_text="playouts").first.wait_for()
    page.locator("button.watch").click()
    assert page.locator("dd.red").text_content() == "normal"
    assert not page.locator(".table").is_visible()


@pytest.mark.browser
@pytest.mark.slow
def test_a_person_plays_by_mouse(seat):
    """A click on a cube and one on the square beside it are a move, as Blue as well."""
    page, asked = seat
    page.locator("button.mine").click()
    page.locator("button.own").first.wait_for()
    page.locator("button.seat1").click()
    wait(lambda: ply_of(page) == 1)
    page.locator("button.own").first.wait_for()
    begun = asked[-1]
    assert begun["person"] == 1 and begun["moves"] == []
    seen = watch("normal", search(), seed=7, comment=search())
    position = seen._opponent.answer(1, [], False)[-1]
    cube, way, start, target = position["moves"][0]
    board = page.locator(".stage .board").bounding_box()

    def click(square):
        scale = board["width"] / (7 * CELL + 2 * EDGE)
        row, column = divmod(square, 7)
        x = board["x"] + scale * (EDGE + (column + 0.5) * CELL)
        y = board["y"] + scale * (EDGE + (row + 0.5) * CELL)
        page.mouse.click(x, y)

    def is_refused():
        click(0 if start else 1)
        return "No cube" in page.locator(".table .status").text_content()

    wait(is_refused)  # while Red's cube still slides, a click means nothing
    click(start)
    assert ply_of(page) == 1, "a cube is only picked"
    click(target)
    wait(lambda: ply_of(page) == 3)
    assert asked[-1]["moves"][-1] == [cube, way]
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / "ewn-person.png")


@pytest.mark.browser
@pytest.mark.slow
def test_python_and_the_browser_follow_each_other(browser, viewer):
    """What view.js sets, what it does when Python sets something, and its end."""
    page = browser.new_page()
    state = {name: getattr(viewer, name) for name in ("look", "game", "speed")}
    told = page.evaluate(DRIVE, [str(viewer._esm), state | {"ply": 0, "playing": False}])
    assert told == [[5, False, "5"], [4, False, "4"], 0, 0]
    page.close()


@pytest.mark.browser
@pytest.mark.slow
def test_in_jupyterlab(browser, server):
    """It plays, follows Python, leaves the notebook its keys, and nobody complains."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    lab = Lab(page, server, "ewn")
    lab.run(0)
    lab.view.wait_for(timeout=120_000)
    ply = lambda: int(lab.text("dd.ply").split("/")[0])  # noqa: E731
    lab.stage.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert ply() == 2
    wait(lambda: lab.run(1) == "ply 2")
    lab.run(2)
    wait(lambda: ply() == 1)
    assert not lab.cell(0).locator(".jp-RenderedSVG img").is_visible()
    ring = lab.stage.bounding_box()["y"] - 5
    facts = lab.view.locator(".facts").bounding_box()
    assert facts["y"] + facts["height"] <= ring, "the focus ring covers the numbers above it"
    lab.stage.focus()
    lab.shoot("ewn-lab")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    assert ply() == 1
    lab.view.locator("button.mine").click()
    lab.view.locator("button.own").first.click()
    wait(lambda: ply() == 2, 30)  # Python has answered
    lab.view.locator("button.watch").click()
    assert [text for text in lab.warnings if "anywidget" in text.lower()] == []
    lab.run(3)
    wait(lambda: lab.view.count() == 0)
    lab.cell(0).locator(".jp-RenderedSVG img").wait_for()
    page.close()
