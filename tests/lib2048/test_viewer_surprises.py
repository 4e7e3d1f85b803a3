"""What is said of surprises and of choices: the scripts by themselves, in a real browser."""

# ruff: noqa: F401, F811  (fixtures are imported by name)
import pytest
from browsing import browser, modules

from lib2048 import from_tiles, slide, to_array

pytestmark = [pytest.mark.browser, pytest.mark.slow]

UP, RIGHT, DOWN, LEFT = range(4)
NONE = [0, 0, 0, 0]
NAN = None  # JSON has no other word for what is not known

# the sentence about board number 1 of a game; from there `next` is played, if anything
SENTENCE = """([before, action, after, next, values, errors, left]) => {
    const boards = [before, after].map(cells => Uint8Array.from(cells));
    const recording = {
        moves: next === null ? 1 : 1 + left,
        fours: 2 ** 32 / 10,
        actions: [action, next],
        cells: k => boards[k],
        values: () => values.map(value => value ?? NaN),
        curves: { errors },
    };
    return it.reasonFor(recording, 1);
}"""

WHY = """([cells, values, chosen, usual]) => it.whyOf({
    cells: Uint8Array.from(cells),
    values: values && values.map(value => value ?? NaN),
    chosen,
    usual: usual ?? NaN,
})"""


@pytest.fixture(scope="module")
def script(modules):
    return modules("reasons.reasonFor", "why.whyOf")


def cells_of(board):
    return to_array(board).ravel().tolist()


def sentence(script, rows, action, new, following, error, prior=0, values=(), left=50):
    """What is said of the board after an action and its new tile: (row, column, number)."""
    after, reward = slide(from_tiles(rows), action)
    assert reward >= 0, "the move is possible"
    row, column, number = new
    place = 4 * (4 * (row - 1) + column - 1)
    assert after >> place & 15 == 0, "the new tile comes on an empty cell"
    board = after | (number.bit_length() - 1) << place
    assert following is None or slide(board, following)[1] >= 0, "so is the next one"
    given = [cells_of(from_tiles(rows)), action, cells_of(board), following, list(values)]
    return script(SENTENCE, [*given, [prior, error], left])


BAD = {
    "the end": (
        [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [0, 4, 2, 8]],
        LEFT,
        (4, 4, 2),
        None,
        "The new 2 fills the last empty cell, and no move is left.",
    ),
    "a forced move out of the corner": (
        [[128, 8, 0, 4], [256, 16, 2, 0], [512, 64, 8, 0], [4096, 128, 0, 0]],
        LEFT,
        (4, 3, 2),
        RIGHT,
        "The new 2 leaves only right; the 4096 must leave its corner.",
    ),
    "out of the corner of one's own will": (
        [[2, 0, 0, 4], NONE, NONE, [64, 0, 0, 0]],
        LEFT,
        (2, 1, 2),
        RIGHT,
        "The 64 leaves its corner.",
    ),
    "the corner is taken": (
        [NONE, NONE, NONE, [64, 2, 0, 0]],
        RIGHT,
        (4, 1, 2),
        UP,
        "A 2 takes the corner that the 64 has left.",
    ),
    "between two of a kind": (
        [[64, 0, 64, 256], NONE, [2, 0, 0, 0], NONE],
        UP,
        (1, 2, 2),
        RIGHT,
        "The new 2 keeps two 64s from merging; the new 2 rules out left.",
    ),
    "a merge missed": (
        [[64, 64, 0, 0], [2, 0, 0, 0], NONE, [0, 0, 0, 128]],
        DOWN,
        (1, 3, 2),
        RIGHT,
        "Two 64s that could have merged a move ago no longer can.",
    ),
    "an action ruled out": (
        [[4, 0, 8, 16], [32, 64, 128, 2], NONE, NONE],
        LEFT,
        (1, 4, 2),
        DOWN,
        "The new 2 rules out right; only up and down are possible.",
    ),
    "shut in": (
        [[16, 0, 64, 32], [8, 4, 16, 128], NONE, NONE],
        LEFT,
        (1, 4, 2),
        DOWN,
        "The new 2 leaves only down; the new 2 is shut in by larger tiles.",
    ),
    "a full board": (
        [[2, 2, 4, 8], [4, 8, 32, 0], [8, 4, 64, 16], [16, 32, 8, 2]],
        UP,
        (4, 4, 2),
        LEFT,
        "No cell is empty.",
    ),
}
GOOD = {
    "a chain": (
        [[64, 64, 128, 256], NONE, [0, 2, 0, 0], NONE],
        UP,
        (4, 4, 2),
        LEFT,
        "Two 64s can merge now, and on up to a 512; the new 2 makes up possible.",
    ),
    "back to a corner": (
        [NONE, [0, 0, 2, 0], NONE, [0, 64, 0, 0]],
        DOWN,
        (1, 1, 2),
        LEFT,
        "The 64 can go to a corner; the new 2 makes down possible.",
    ),
    "many merge": (
        [[4, 4, 0, 2], [8, 8, 0, 0], [2, 0, 2, 4], [32, 64, 0, 0]],
        UP,
        (4, 4, 4),
        LEFT,
        "Three pairs merge in one move; the new 4 makes up possible.",
    ),
    "the danger is over": (
        [[2, 4, 8, 0], [4, 8, 16, 0], [2, 4, 8, 0], [4, 8, 16, 0]],
        RIGHT,
        (2, 1, 2),
        LEFT,
        "After a forced move three actions are possible again; "
        "the new 2 makes up and down possible.",
    ),
    "a merge at once": (
        [[0, 2, 4, 0], NONE, NONE, NONE],
        RIGHT,
        (1, 2, 2),
        RIGHT,
        "The new 2 comes where it merges at once; the new 2 makes right possible.",
    ),
}
# where nothing stands out on the board: the gap in the upper row may be filled or not
PLAIN = [[4, 0, 8, 4], [0, 16, 2, 0], [0, 0, 4, 2], [0, 0, 16, 8]]


@pytest.mark.parametrize("case", BAD)
def test_bad_news_is_read_from_the_boards(script, case):
    *scene, wanted = BAD[case]
    assert sentence(script, *scene, -500) == wanted


@pytest.mark.parametrize("case", GOOD)
def test_good_news_is_read_from_the_boards(script, case):
    *scene, wanted = GOOD[case]
    assert sentence(script, *scene, 500) == wanted


def test_an_end_that_is_near_is_said(script):
    said = [sentence(script, PLAIN, LEFT, (3, 4, 2), UP, -500, left=left) for left in (1, 3, 60)]
    assert "The game ends one move later" in said[0]
    assert "The game ends three moves later" in said[1]
    assert "ends" not in said[2]


def test_what_the_other_actions_would_cost_is_said(script):
    given = (PLAIN, LEFT, (3, 4, 2), UP, -500)
    assert sentence(script, *given, values=(900, 100, 50, 20)).startswith(
        "Any action but up would cost 800 points"
    )
    assert "would cost" not in sentence(script, *given, values=(900, 800, 50, 20))


def test_a_swing_is_told_from_a_single_surprise(script):
    lost = sentence(script, PLAIN, LEFT, (3, 4, 2), UP, -500, prior=400)
    won = sentence(script, PLAIN, LEFT, (3, 4, 2), UP, 500, prior=-400)
    assert "What the tile before had won is lost again" in lost
    assert "It makes up for the tile before" in won
    plain = [sentence(script, PLAIN, LEFT, (3, 4, 2), UP, e, prior=e) for e in (-500, 500)]
    assert not any("tile before" in text for text in plain)


def test_a_4_is_rare(script):
    rare = "the new tile is a 4, as in 10 % of all cases"
    assert rare in sentence(script, PLAIN, LEFT, (3, 4, 4), UP, -500).lower()
    assert rare not in sentence(script, PLAIN, LEFT, (3, 4, 2), UP, -500).lower()


def test_where_nothing_stands_out_the_tile_is_named(script):
    text = sentence(script, PLAIN, LEFT, (3, 4, 2), UP, -500)
    assert text == (
        "A new 2 in row 3, column 4: up, right, down and left are possible, six cells empty."
    )


def test_what_is_better_than_feared_names_the_tile_as_well(script):
    ended = sentence(script, *BAD["the end"][:4], 3_000)
    assert ended == "A new 2 in row 4, column 4 ends the game."
    rows = [[16, 0, 64, 32], [8, 4, 16, 128], [2, 8, 2, 4], NONE]
    forced = sentence(script, rows, LEFT, (1, 4, 2), DOWN, 3_000)
    assert forced == "A new 2 in row 1, column 4: down is possible, four cells empty."


def test_a_minus_is_as_wide_as_a_plus(modules):
    written = modules("words.rounded", "words.precise", "words.compact", "words.signed")
    script = "number => [it.rounded, it.precise, it.compact, it.signed].map(one => one(number))"
    assert written(script, -3_120.4) == ["−3,120", "−3,120.40", "−3.1K", "−3,120"]
    assert written(script, 3_120.4) == ["3,120", "3,120.40", "3.1K", "+3,120"]


BOARD = from_tiles([[2, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 8]])
FORCED = from_tiles([[2, 4, 8, 0], [4, 8, 16, 0], [2, 4, 8, 0], [4, 8, 16, 0]])
CHOICES = [
    (FORCED, [NAN, 10, NAN, NAN], RIGHT, 5, "Forced: only right is possible."),
    (FORCED, None, RIGHT, 5, "Forced: only right is possible."),
    (
        BOARD,
        [500, 500, 500, 100],
        UP,
        50,
        "A tie: up, right and down are worth the same; the first in the order is taken.",
    ),
    (
        BOARD,
        [400, 500, 488, 100],
        RIGHT,
        50,
        "Close: right is 12 points ahead of down, less than a new tile usually changes (50).",
    ),
    (
        BOARD,
        [400, 1800, 488, 100],
        RIGHT,
        50,
        "Clear: right is 1,312 points ahead of down, more than a new tile usually changes (50).",
    ),
    (
        BOARD,
        [400, 500.2, 500, 100],
        RIGHT,
        None,
        "Close: right is less than a point ahead of down.",
    ),
    (BOARD, [400, 600, 500, 100], RIGHT, None, "Clear: right is 100 points ahead of down."),
    (
        BOARD,
        [400, 500, 488, 100],
        LEFT,
        50,
        "Against the network: left was taken, 400 points below right.",
    ),
    (BOARD, None, LEFT, 50, ""),
    (BOARD, [400, 500, 488, 100], None, 50, ""),
]


@pytest.mark.parametrize(("board", "values", "chosen", "usual", "wanted"), CHOICES)
def test_why_this_move(script, board, values, chosen, usual, wanted):
    assert script(WHY, [cells_of(board), values, chosen, usual]) == wanted
