"""The page that plays by itself: real clicks and keys in a real browser, the net switched off."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import io
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from browsing import SHOTS, VISIBLE_TILES, browser, open_page, wait
from looking import CONTRASTS, WITHOUT_A_NAME
from PIL import Image

from lib2048 import (
    NTupleNetwork,
    best_action,
    compact,
    export_compact,
    legal_actions,
    play,
    playing_page,
    to_array,
    train,
    watch,
)
from lib2048.draw import TILES
from lib2048.viewer.__main__ import main
from lib2048.viewer.look import SCRIPT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = 7
KEYS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
WORDS = ("up", "right", "down", "left")
PAGE_LIMIT = 4_000_000  # bytes


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A small network, as a page has it."""
    net = NTupleNetwork(((0, 1, 4, 5), (4, 5, 6, 7), (0, 1, 2, 3)))
    train(net, 1000, coherence=True, seed=1, progress=False)
    path = tmp_path_factory.mktemp("network") / "net.bin"
    export_compact(net, path, 1)
    return NTupleNetwork.load(path)


@pytest.fixture(scope="module")
def file(network, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "play.html"
    playing_page(path, network, seed=SEED)
    return path


class Game:
    """The page in a browser."""

    def __init__(self, browser, file, address="", **how):
        self.page, self.wrong = open_page(browser, file, address, **how)
        self.page.wait_for_selector(".v2048 .stage", timeout=30_000)

    def text(self, selector):
        return self.page.locator(selector).first.text_content()

    def board(self):
        """The numbers on the tiles that are visible, in reading order."""
        return [number for _, _, number in sorted(self.page.evaluate(VISIBLE_TILES))]

    def shows(self, board):
        tiles = [2**exponent for exponent in to_array(board).flat if exponent]
        wait(lambda: self.board() == tiles, 5, lambda: f"{self.board()}, not {tiles}")

    def advises(self, action, worth):
        """Wait until the network's choice is this action, and worth as much."""
        chosen = self.page.locator(".bars .bar.chosen")
        wait(lambda: chosen.get_attribute("data-action") == action)
        wait(lambda: chosen.locator(".sum").text_content() == worth)

    @property
    def address(self):
        return self.page.evaluate("location.hash")

    @property
    def trouble(self):
        trouble = self.page.locator(".trouble")
        return trouble.text_content() if trouble.is_visible() else ""

    def save(self, selector):
        """The name and the bytes of what a button saves."""
        with self.page.expect_download() as download:
            self.page.locator(selector).click()
        name = download.value.suggested_filename
        with open(download.value.path(), "rb") as saved:
            return name, saved.read()

    def close(self):
        assert self.wrong == []
        self.page.context.close()


@pytest.fixture
def game(browser, file):
    game = Game(browser, file)
    yield game
    game.close()


def move_text(trace, move=0):
    return f"{move:,} / {len(trace):,}"


def test_it_opens_with_pythons_game_and_plays_it(game, network):
    trace = play(network, seed=SEED)
    assert game.text("dd.move") == move_text(trace)
    game.shows(trace.boards[0])
    game.page.locator(".stage").focus()
    game.page.keyboard.press("End")
    wait(lambda: game.text("dd.score") == f"{trace.score:,}")
    game.shows(trace.boards[-1])
    wait(lambda: game.address == f"#seed={SEED}&move={len(trace)}")


def test_other_games_are_a_seed_away(game, network):
    seed = game.page.locator(".newseed").first
    seed.fill("12")
    seed.press("Enter")
    trace = play(network, seed=12)
    assert game.text("dd.move") == move_text(trace)
    assert game.address == "#seed=12"
    seed.fill("-5")
    game.page.locator("button.typed").click()
    assert "A seed is a whole number from 0 to" in game.trouble
    assert game.text("dd.move") == move_text(trace), "the game stays"
    game.page.locator("button.any").click()
    drawn = int(seed.input_value())
    assert game.trouble == ""
    assert game.text("dd.move") == move_text(play(network, seed=drawn))
    assert game.address == f"#seed={drawn}"


def test_an_address_names_game_and_move(browser, file, network):
    trace = play(network, seed=3)
    game = Game(browser, file, "#seed=3&move=40")
    assert game.text("dd.move") == move_text(trace, 40)
    game.shows(trace.boards[40])
    game.page.evaluate("location.hash = '#seed=4&move=2'")
    other = play(network, seed=4)
    wait(lambda: game.text("dd.move") == move_text(other, 2))
    game.shows(other.boards[2])
    game.close()


def test_an_address_is_followed_though_the_game_writes_its_own(game, network):
    """A game says where it is once it rests; an address given just before that still counts."""
    game.page.evaluate("""() => {
        location.hash = "#seed=4&move=2";
        history.replaceState(null, "", "#seed=7&move=1");
    }""")
    other = play(network, seed=4)
    wait(lambda: game.text("dd.move") == move_text(other, 2))
    wait(lambda: game.address == "#seed=4&move=2")


def test_an_address_names_a_board(browser, file, network):
    board = 0x0000_0000_0011_4321
    game = Game(browser, file, f"#board={board:016X}&seed=5")
    trace = play(network, seed=5, board=board)
    game.shows(board)
    assert game.text("dd.move") == move_text(trace)
    game.page.locator(".stage").focus()
    game.page.keyboard.press("End")
    game.shows(trace.boards[-1])
    wait(lambda: game.address == f"#board={board:016x}&seed=5&move={len(trace)}")
    game.close()


BAD_ADDRESSES = {
    "#seed=1e3": "seed=1e3, but seed is a whole number from 0",
    "#seed=-1": "seed=-1, but seed is a whole number from 0",
    "#seed=9223372036854775808": "from 0 to 9,223,372,036,854,775,807",
    "#seed=1&move=x": "move=x, but move is a whole number",
    "#seed=1&move=99999": "move=99999, but this game has",
    "#board=12g4": "board=12g4, but a board is 16 hexadecimal digits",
    "#board=": "a board is 16 hexadecimal digits",
    "#sead=7": "The address says sead, but after # it may say seed=",
}


@pytest.mark.parametrize("address", BAD_ADDRESSES)
def test_a_bad_address_is_answered_in_words(browser, file, network, address):
    game = Game(browser, file, address)
    assert BAD_ADDRESSES[address] in game.trouble
    game.shows(play(network, seed=SEED).boards[0])
    game.close()


def test_a_reader_plays_with_advice(game, network):
    """The board, the tiles and the network's opinion are Python's, move after move."""
    game.page.locator("button.mine").click()
    trace = play(network, seed=SEED)
    for move in range(12):  # the reader does what the network advises
        board = int(trace.boards[move])
        game.shows(board)
        action, values = best_action(network, board)
        shown = f"{round(float(values[action])):,}"
        game.advises(WORDS[action], shown)
        game.page.keyboard.press(KEYS[action])
    game.shows(trace.boards[12])


def test_the_lens_knows_every_board(game, network):
    game.page.locator(".stage").focus()
    for _ in range(5):
        game.page.keyboard.press("ArrowRight")
    game.page.locator("button.toggle").click()
    game.page.locator("tbody td").first.wait_for()
    lookups = len(network.patterns) * 8
    assert f"of {lookups} lookups" in game.text(".lens dd.total")


def test_a_board_is_saved_as_svg(game, network):
    game.page.locator(".stage").focus()
    game.page.keyboard.press("End")
    board = int(play(network, seed=SEED).boards[-1])
    game.shows(board)
    name, content = game.save("button.svg")
    assert name == "board.svg"
    root = ElementTree.fromstring(content)
    numbers = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert numbers == [str(2**exponent) for exponent in to_array(board).flat if exponent]
    assert "2048 board" in root.get("aria-label")


def rgb(colour):
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))


def colours_of_tiles(picture):
    """The colour of each cell, near a corner where no number is."""
    scale = picture.width / 492
    places = [28 + 112 * k + 14 for k in range(4)]
    return [picture.getpixel((round(x * scale), round(y * scale))) for y in places for x in places]


def test_thirty_moves_are_saved_as_gif(game, network):
    """The first and the last picture are the boards 30 moves apart, and in between it moves."""
    trace = play(network, seed=SEED)
    game.page.locator(".stage").focus()
    for _ in range(4):
        game.page.keyboard.press("ArrowRight")
    name, content = game.save("button.gif")
    assert name == "moves.gif"
    picture = Image.open(io.BytesIO(content))
    assert picture.n_frames == 30 * 4 + 1
    assert picture.info["loop"] == 0
    for frame, board in ((0, trace.boards[4]), (120, trace.boards[34])):
        picture.seek(frame)
        shown = colours_of_tiles(picture.convert("RGB"))
        expected = [rgb(TILES[exponent]) for exponent in to_array(board).flat]
        assert shown == expected
    picture.seek(120)
    assert picture.info["duration"] == 2000


def test_moves_of_ones_own_are_saved_as_gif(game, network):
    """The last ones, here all five of them."""
    trace = play(network, seed=SEED)
    game.page.locator("button.mine").click()
    for move in range(5):
        game.shows(trace.boards[move])
        game.page.keyboard.press(KEYS[trace.actions[move]])
    game.shows(trace.boards[5])
    _, content = game.save("button.gif")
    picture = Image.open(io.BytesIO(content))
    assert picture.n_frames == 5 * 4 + 1
    picture.seek(20)
    expected = [rgb(TILES[exponent]) for exponent in to_array(trace.boards[5]).flat]
    assert colours_of_tiles(picture.convert("RGB")) == expected


def test_boards_can_be_edited_and_played_on_from(game, network):
    """What the page's network does from a board of the game is what Python's does."""
    trace = play(network, seed=SEED)
    game.page.locator(".stage").focus()
    for _ in range(3):
        game.page.keyboard.press("ArrowRight")
    game.shows(trace.boards[3])
    game.page.locator("button.edit").click()
    cell = int(np.flatnonzero(to_array(trace.boards[3]).ravel() == 0)[0])
    box = game.page.locator(".stage .board").bounding_box()
    row, column = divmod(cell, 4)
    scale = box["width"] / 492
    x = box["x"] + scale * (28 + 112 * column + 50)
    y = box["y"] + scale * (28 + 112 * row + 50)
    game.page.mouse.click(x, y)
    edited = int(trace.boards[3]) | 1 << 4 * cell
    game.shows(edited)
    game.page.locator("button.onnetwork").click()
    game.page.locator("button.age", has_text="from").first.wait_for()
    assert game.page.evaluate("document.activeElement.className") == "stage", "keys act on it"
    seed = int(game.text("dd.seed"))
    rest = play(network, seed=seed, board=edited)
    assert game.text("dd.move").endswith(f"/ {len(rest):,}")


def test_a_page_with_recorded_games_and_a_network(browser, file, network, tmp_path):
    """Recorded games come first; the network in the page plays the same seed beside them."""
    large = NTupleNetwork(((0, 1, 2, 4), (0, 1, 2, 3)))
    train(large, 50, seed=2, progress=False)
    viewer = watch(large, seed=5)
    viewer.save_html(tmp_path / "both.html", "Both", compact=network)
    game = Game(browser, tmp_path / "both.html")
    assert game.text("dd.move") == move_text(viewer.trace)
    assert not game.page.locator("button.toggle").is_visible(), "no lens without its network"
    game.page.evaluate("location.hash = '#seed=3'")
    wait(lambda: game.text("dd.move") == move_text(play(network, seed=3)))
    game.page.go_back()
    wait(lambda: game.text("dd.move") == move_text(viewer.trace))
    assert game.address == "", "the address of the recorded game is still that of the page"
    game.page.get_by_role("button", name="network of this page").click()
    trace = play(network, seed=5)
    assert game.text("dd.move") == move_text(trace)
    game.page.locator("button.toggle").click()
    game.page.locator("tbody td").first.wait_for()
    game.close()
    viewer.save_html(tmp_path / "plain.html")
    assert "DecompressionStream" not in (tmp_path / "plain.html").read_text(encoding="utf-8")


def test_every_question_of_the_viewer_has_an_answer_in_the_page():
    """What Python answers elsewhere (viewer.py), the page answers by itself (local.js)."""
    asked = set()
    for script in SCRIPT.glob("*.js"):
        asked |= set(re.findall(r'topic: "([\w ]+)"', script.read_text(encoding="utf-8")))
    local = (SCRIPT / "local.js").read_text(encoding="utf-8")
    table = local[local.index("this.replies = {") : local.index("  /** The answer to a question")]
    answered = set(re.findall(r'^ {6}"?([\w ]+)"?: \(', table, re.M))
    assert len(asked) >= 5
    assert asked == answered


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_words_of_the_page_can_be_read(browser, file, scheme):
    """Those of the page itself too: what it says of the network, and of a bad address."""
    game = Game(browser, file, "#seed=x", color_scheme=scheme)
    assert game.trouble
    contrasts = game.page.evaluate(CONTRASTS.replace(".v2048 *", "body *"))
    assert len(contrasts) > 40
    assert any("This network learned" in text for text, _ in contrasts)
    assert [(text, contrast) for text, contrast in contrasts if contrast < 4.5] == []
    assert game.page.evaluate(WITHOUT_A_NAME) == 0
    game.close()


def test_a_finger_plays_with_advice(browser, file, network):
    game = Game(browser, file, viewport={"width": 390, "height": 780}, has_touch=True)
    game.page.locator("button.mine").tap()
    trace = play(network, seed=SEED)
    touch = game.page.context.new_cdp_session(game.page).send

    def event(kind, *points):
        touch("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    for move in range(4):
        game.shows(trace.boards[move])
        box = game.page.locator(".stage").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[trace.actions[move]]
        event("touchStart", {"x": x, "y": y})
        event("touchMove", {"x": x + 60 * dx, "y": y + 60 * dy})
        event("touchEnd")
    game.shows(trace.boards[4])
    game.close()


def test_the_viewer_s_own_command_writes_such_pages(network, tmp_path, capsys):
    network.save(tmp_path / "net.npz")
    main([str(tmp_path / "alone.html"), "--compact", "--seed", "3"])
    assert "plays in it" in capsys.readouterr().out
    main([str(tmp_path / "both.html"), "--compact", "--net", str(tmp_path / "net.npz")])
    assert "points" in capsys.readouterr().out
    for name in ("alone.html", "both.html"):
        assert 2_000_000 < (tmp_path / name).stat().st_size < PAGE_LIMIT
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none.html")])
    assert "--net FILE, or take --compact" in capsys.readouterr().err


def test_a_telephone(browser, file):
    """A narrow page with touch: nothing is wider than the window, and a swipe is a move."""
    game = Game(browser, file, viewport={"width": 390, "height": 780}, has_touch=True)
    assert game.page.evaluate("document.documentElement.scrollWidth") <= 390
    board = game.page.locator(".stage").bounding_box()
    assert board["y"] + board["height"] < 780, "the board is in sight"
    SHOTS.mkdir(parents=True, exist_ok=True)
    game.page.screenshot(path=SHOTS / "play-telephone.png", full_page=True)
    game.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_with_the_network_of_the_library(browser, tmp_path, scheme):
    playing_page(tmp_path / "2048.html", seed=2)
    assert (tmp_path / "2048.html").stat().st_size < PAGE_LIMIT
    game = Game(browser, tmp_path / "2048.html", color_scheme=scheme)
    trace = play(compact(), seed=2)
    assert game.text("dd.move") == move_text(trace)
    assert re.search(
        r"It scores [\d,]+ points a game and reaches 2048 in 9\d\s%", game.text(".introduction")
    )
    SHOTS.mkdir(parents=True, exist_ok=True)
    game.page.screenshot(path=SHOTS / f"play-{scheme}.png", full_page=True)
    game.close()


def test_a_network_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("lib2048.viewer.playing.LARGEST", 100)
    with pytest.raises(ValueError, match="a page carries a network of at most"):
        playing_page(tmp_path / "2048.html", NTupleNetwork(((0, 1),)))
    with pytest.raises(ValueError, match="a seed"):
        playing_page(tmp_path / "2048.html", NTupleNetwork(((0,),)), seed=-1)
    assert list(tmp_path.iterdir()) == []
