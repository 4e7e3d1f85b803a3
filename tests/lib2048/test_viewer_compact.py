"""A compact network in a browser: it values boards and plays games as Python does (compact.js)."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import base64
import random

import numpy as np
import pytest
from browsing import browser

from lib2048 import NTupleNetwork, best_action, new_board, play, slide, spawn, train
from lib2048.board import fours_below, legal_actions
from lib2048.formats.compact import compact_bytes, export_compact
from lib2048.viewer.joining import joined
from lib2048.viewer.lookups import lookups
from lib2048.viewer.viewer import LOOK, SCRIPT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RNG = np.random.default_rng(2048)
# one that lists its cells backwards, one on a diagonal, and one whose table is written in pieces
PATTERNS = ((0, 1, 4, 5, 6), (3, 2, 1, 0), (0, 5, 10, 15), (15,), (4, 5, 8, 9, 10, 6))
FEW = PATTERNS[:-1]
PERIOD = 5_000  # after which a table's weights come again, so that it is compressed in no time
STEP = 0.25

READ = """async ([source, net, places]) => {
    const file = new Blob([source], { type: "text/javascript" });
    const it = (await import(URL.createObjectURL(file))).default.tools;
    const bytes = Uint8Array.from(atob(net), letter => letter.charCodeAt(0));
    window.it = it;
    window.net = await it.readCompact(bytes, places);
}"""

# a board's cells from its 16 hexadecimal digits
WITH_CELLS = "const cellsOf = hex => Uint8Array.from([...hex].reverse(), it => parseInt(it, 16));"

VALUES = f"""boards => {{
    {WITH_CELLS}
    return boards.map(hex => net.values(cellsOf(hex)).map(it => isNaN(it) ? null : it));
}}"""

GAMES = """([seeds, fours]) => seeds.map(seed => {
    const { end, tape } = it.playGame(net, BigInt(seed), fours);
    return { score: end.score, bytes: [...tape.bytes] };
})"""


ENTRY = f"""
import {{ readCompact }} from "{SCRIPT.as_posix()}/compact.js";
import {{ playGame }} from "{SCRIPT.as_posix()}/playing.js";
export const tools = {{ readCompact, playGame }};
"""


class Page:
    """An empty page that can read compact networks and play with them."""

    def __init__(self, browser, folder):
        entry = folder / "entry.js"
        entry.write_text(ENTRY)
        self.source = joined(entry)
        self.page = browser.new_page()
        self.evaluate = self.page.evaluate

    def read(self, data):
        """Read a compact network."""
        words = base64.b64encode(data).decode()
        self.evaluate(READ, [self.source, words, LOOK["places"]])


@pytest.fixture(scope="module")
def empty_page(browser, tmp_path_factory):
    page = Page(browser, tmp_path_factory.mktemp("page"))
    yield page
    page.page.close()


def network(values="afterstate", symmetries=8, patterns=FEW):
    """A network of random weights that are multiples of the step."""
    net = NTupleNetwork(patterns, values, symmetries=symmetries)
    for k, pattern in enumerate(net.patterns):
        weights = STEP * RNG.integers(-9_000, 32_767, PERIOD)
        net.set_table_part(k, 0, np.resize(weights, 16 ** len(pattern)))
    return net


def boards_of_games(count):
    """Boards as random games have them, with larger tiles on some."""
    rng = np.random.default_rng(7)
    boards = []
    while len(boards) < count:
        board = new_board(rng)
        actions = legal_actions(board)
        while actions and len(boards) < count:
            boards.append(board)
            after, _ = slide(board, actions[int(rng.integers(len(actions)))])
            board = spawn(after, rng)
            actions = legal_actions(board)
    dice = random.Random(7)
    for k in range(0, count, 3):  # any tiles at all, up to 32768
        boards[k] = sum(dice.choice((0, dice.randrange(16))) << 4 * cell for cell in range(16))
    return boards


def in_browser(page, boards):
    """What the four actions are worth on each board, NaN where one is not possible."""
    answers = page.evaluate(VALUES, [f"{board:016x}" for board in boards])
    return np.array([[np.nan if it is None else it for it in row] for row in answers])


def in_python(net, boards):
    return np.array([best_action(net, board)[1] for board in boards])


def test_ten_thousand_boards_are_valued_to_the_bit(empty_page):
    net = network(patterns=PATTERNS)
    empty_page.read(compact_bytes(net, STEP))
    boards = boards_of_games(10_000)
    theirs = in_browser(empty_page, boards)
    ours = in_python(net, boards)
    assert np.array_equal(theirs.astype(np.float32), theirs, equal_nan=True), "they are float32"
    assert np.array_equal(theirs, ours, equal_nan=True)


def test_looking_from_one_side_only(empty_page):
    net = network(symmetries=1)
    empty_page.read(compact_bytes(net, STEP))
    boards = boards_of_games(500)
    assert np.array_equal(in_browser(empty_page, boards), in_python(net, boards), equal_nan=True)


def test_values_of_states_agree_up_to_rounding(empty_page):
    """The mean over all spawns is rounded in another order than in Python."""
    net = network("state")
    net.p4 = 0.2
    empty_page.read(compact_bytes(net, STEP))
    boards = boards_of_games(500)
    ours = in_python(net, boards)
    theirs = in_browser(empty_page, boards)
    assert np.allclose(theirs, ours, rtol=1e-5, atol=0.1, equal_nan=True)


def test_lookups_are_pythons(empty_page):
    net = network()
    empty_page.read(compact_bytes(net, STEP))
    for board in boards_of_games(6):
        script = f"hex => {{ {WITH_CELLS} return net.lookups(cellsOf(hex)); }}"
        theirs = empty_page.evaluate(script, f"{board:016x}")
        assert [tuple(row) for row in theirs] == lookups(net, board)


def assert_plays_as_python(page, net, seeds):
    games = page.evaluate(GAMES, [[str(seed) for seed in seeds], int(fours_below(net.p4))])
    for seed, game in zip(seeds, games, strict=True):
        trace = play(net, seed=seed)
        parts = (trace.boards, trace.values, trace.actions)
        assert game["score"] == trace.score
        moves = len(trace)
        taken = bytes(game["bytes"])
        boards = np.frombuffer(taken[: 8 * moves + 8], "<u8")
        values = np.frombuffer(taken[8 * moves + 8 : -moves], "<f4").reshape(-1, 4)
        actions = np.frombuffer(taken[-moves:], np.uint8)
        for theirs, ours in zip((boards, values, actions), parts, strict=True):
            assert np.array_equal(theirs, ours, equal_nan=theirs.dtype == np.float32)


def test_whole_games_are_those_of_python(empty_page, tmp_path):
    net = NTupleNetwork(((0, 1, 4, 5), (4, 5, 6, 7), (0, 1, 2, 3)))
    train(net, 1000, coherence=True, seed=1, progress=False)
    net.p4 = 0.15
    export_compact(net, tmp_path / "net.bin", 1)
    net = NTupleNetwork.load(tmp_path / "net.bin")
    empty_page.read(compact_bytes(net, 1))
    assert_plays_as_python(empty_page, net, [*range(18), 2**62 + 1, 2**63 - 1])


DAMAGED = {
    "no compact network": lambda data: b"x" + data[1:],
    "version 7": lambda data: data[:16] + b"\7" + data[17:],
    "not as long": None,
}


@pytest.mark.parametrize("problem", DAMAGED)
def test_what_is_no_network_is_refused_in_words(empty_page, problem):
    net = NTupleNetwork(((0, 1),))
    data = compact_bytes(net, 1)
    if problem == "not as long":
        data = data.replace(b"[[0, 1]]", b"[[0   ]]")
    else:
        data = DAMAGED[problem](data)
    with pytest.raises(Exception, match=problem):
        empty_page.read(data)
