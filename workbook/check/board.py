"""Checks of the game: slides, new tiles, whole games, and the images of a board."""

from collections import Counter
from itertools import product

import numpy as np

from lib2048 import board as game
from workbook import grid
from workbook.answers import Thing, board_of, cells_of, is_board, plain
from workbook.check.exercise import Suspects, exercise, located
from workbook.check.material import (
    DEAD,
    EMPTY,
    EMPTY_ROW,
    EQUAL,
    MIXED,
    NARROW,
    PLAIN,
    TOP,
    hashed,
    random_boards,
)
from workbook.trial import Case
from workbook.words import plural

# slide_left


def _right_slide_left(row):
    afterstate, reward = grid.slide([list(row), *EMPTY[1:]], game.LEFT)
    return afterstate[0], max(reward, 0)


def _tiles(row) -> list:
    return [exponent for exponent in row if exponent]


def _filled_up(tiles) -> list:
    return list(tiles) + [0] * (4 - len(tiles))


def _merged(tiles, largest=15) -> tuple[list, list]:
    """Tiles without gaps after their merges, from the first on; and the tiles made."""
    waiting = list(tiles)
    slid = []
    made = []
    while waiting:
        exponent = waiting.pop(0)
        if waiting and waiting[0] == exponent and exponent < largest:
            exponent += 1
            waiting.pop(0)
            made.append(exponent)
        slid.append(exponent)
    return slid, made


def _earned(made) -> int:
    return sum(2**exponent for exponent in made)


SLIDE_LEFT = Suspects()


@SLIDE_LEFT.add(
    "It looks as if a merge earned the value of one of the two old tiles, half of what it should: "
    "two tiles of 2 earn 4, the value of the tile that is made."
)
def _earns_the_old_tile(row):
    slid, made = _merged(_tiles(row))
    return _filled_up(slid), _earned(made) // 2


@SLIDE_LEFT.add(
    "It looks as if the reward were the exponent: a tile of exponent e is worth 2**e points."
)
def _earns_the_exponent(row):
    slid, made = _merged(_tiles(row))
    return _filled_up(slid), sum(made)


@SLIDE_LEFT.add("It looks as if the merges were counted: each earns the value of the tile made.")
def _counts_merges(row):
    slid, made = _merged(_tiles(row))
    return _filled_up(slid), len(made)


@SLIDE_LEFT.add("The row is right, but no reward is ever given: add 2**exponent at each merge.")
def _no_reward(row):
    slid, _ = _merged(_tiles(row))
    return _filled_up(slid), 0


@SLIDE_LEFT.add(
    "It looks as if only the last merge earned something: two merges in one row earn both tiles."
)
def _last_reward_only(row):
    slid, made = _merged(_tiles(row))
    return _filled_up(slid), _earned(made[-1:])


@SLIDE_LEFT.add(
    "It looks as if two 32768 tiles (exponent 15) merged. They stay two: a cell has no room for "
    "a larger exponent."
)
def _no_largest_tile(row):
    slid, made = _merged(_tiles(row), largest=99)
    return _filled_up(slid), _earned(made)


@SLIDE_LEFT.add(
    "It looks as if a tile that has just merged merged again. In one move a tile merges once."
)
def _merges_again(row):
    slid = []
    made = []
    for exponent in _tiles(row):
        slid.append(exponent)
        while len(slid) > 1 and slid[-1] == slid[-2] < 15:
            slid.pop()
            slid[-1] += 1
            made.append(slid[-1])
    return _filled_up(slid), _earned(made)


@SLIDE_LEFT.add(
    "It looks as if a tile that has just merged merged again, with the next one. In one move a "
    "tile merges once."
)
def _merges_again_with_the_next(row):
    slid = []
    made = []
    for exponent in _tiles(row):
        if slid and slid[-1] == exponent < 15:
            slid[-1] += 1
            made.append(slid[-1])
        else:
            slid.append(exponent)
    return _filled_up(slid), _earned(made)


@SLIDE_LEFT.add(
    "It looks as if merging began at the far end. It begins at the wall: of three equal tiles "
    "the two nearest to the left wall merge."
)
def _begins_at_the_far_end(row):
    slid, made = _merged(_tiles(row)[::-1])
    return _filled_up(slid[::-1]), _earned(made)


@SLIDE_LEFT.add(
    "It looks as if only one pair merged. A row can have two: [1, 1, 2, 2] becomes [2, 3, 0, 0]."
)
def _one_pair_only(row):
    slid = _tiles(row)
    made = []
    for place in range(len(slid) - 1):
        if slid[place] == slid[place + 1] < 15:
            made = [slid[place] + 1]
            slid[place : place + 2] = made
            break
    return _filled_up(slid), _earned(made)


@SLIDE_LEFT.add("It looks as if nothing ever merged: two equal neighbours become one tile.")
def _never_merges(row):
    return _filled_up(_tiles(row)), 0


@SLIDE_LEFT.add(
    "It looks as if gaps were not closed before tiles are compared: first take the empty cells "
    "out, then merge neighbours."
)
def _gaps_stay(row):
    slid, made = _merged(row)
    merged = [exponent for exponent in made if exponent > 1]
    while slid and slid[-1] == 0:
        slid.pop()
    return _filled_up(slid), _earned(merged)


def _merged_in_place(tiles) -> tuple[list, list]:
    """Tiles after their merges, with a hole where the second of a pair was."""
    slid = _filled_up(tiles)
    made = []
    for place in range(3):
        if 0 < slid[place] == slid[place + 1] < 15:
            slid[place] += 1
            slid[place + 1] = 0
            made.append(slid[place])
    return slid, made


@SLIDE_LEFT.add("It looks as if two empty cells made a tile: take the zeros out before merging.")
def _zeros_merge(row):
    slid, made = _merged(row)
    return _filled_up(slid), _earned(made)


@SLIDE_LEFT.add("It looks as if any tile grew when another cell follows it: only equal ones merge.")
def _all_grow(row):
    slid = _filled_up(_tiles(row))
    made = []
    for place in range(3):
        if 0 < slid[place] < 15:
            slid[place] += 1
            slid[place + 1] = 0
            made.append(slid[place])
    return _filled_up(_tiles(slid)), _earned(made)


@SLIDE_LEFT.add("The tiles belong at the left wall: fill the row up with 0 behind them.")
def _filled_up_in_front(row):
    slid, reward = _right_slide_left(row)
    tiles = _tiles(slid)
    return [0] * (4 - len(tiles)) + tiles, reward


@SLIDE_LEFT.add("It looks as if different tiles merged: only two equal ones do.")
def _all_merge(row):
    slid = []
    made = []
    waiting = _tiles(row)
    while waiting:
        exponent = waiting.pop(0)
        if waiting:
            waiting.pop(0)
            exponent += 1
            made.append(exponent)
        slid.append(exponent)
    return _filled_up(slid), _earned(made)


@SLIDE_LEFT.add(
    "It looks as if the function returned after the first tile: does the return stand inside the "
    "loop?"
)
def _first_tile_only(row):
    slid, made = _merged(_tiles(row))
    has_merged = bool(made) and slid[:1] == made[:1] and _tiles(row)[0] != slid[0]
    return _filled_up(slid[:1]), _earned(made[:1]) if has_merged else 0


@SLIDE_LEFT.add("It looks as if a merge left a hole behind it: close the gaps after merging, too.")
def _holes_after_merging(row):
    slid, made = _merged_in_place(_tiles(row))
    return slid, _earned(made)


@SLIDE_LEFT.add(
    "It looks as if gaps were closed after merging only, so that equal tiles with a gap between "
    "them do not meet: close the gaps before merging as well."
)
def _gaps_closed_too_late(row):
    slid, made = _merged_in_place(list(row))
    return _filled_up(_tiles(slid)), _earned(made)


@SLIDE_LEFT.add(
    "It looks as if the exponent were doubled in a merge. Two tiles of exponent e make one of "
    "exponent e + 1."
)
def _doubles_exponents(row):
    waiting = _tiles(row)
    slid = []
    made = []
    while waiting:
        exponent = waiting.pop(0)
        if waiting and waiting[0] == exponent:
            waiting.pop(0)
            exponent *= 2
            made.append(exponent)
        slid.append(exponent)
    return _filled_up(slid), _earned(made)


@SLIDE_LEFT.add(
    "It looks as if the row were taken for tiles, 2, 4, 8. It holds exponents: two tiles of "
    "exponent e make one of exponent e + 1, which earns 2**(e + 1)."
)
def _doubles_and_earns_exponents(row):
    slid, _ = _doubles_exponents(row)
    waiting = _tiles(row)
    earned = 0
    while waiting:
        exponent = waiting.pop(0)
        if waiting and waiting[0] == exponent:
            waiting.pop(0)
            earned += 2 * exponent
    return slid, earned


@SLIDE_LEFT.add(
    "It looks as if tiles were returned (2, 4, 8): a row is made of exponents (1, 2, 3)."
)
def _tiles_for_exponents(row):
    slid, reward = _right_slide_left(row)
    return [2**exponent if exponent else 0 for exponent in slid], reward


@SLIDE_LEFT.add(
    "It looks as if -1 stood for a row that does not move. A row earns 0 then; -1 is for a whole "
    "board, in slide."
)
def _minus_one(row):
    slid, reward = _right_slide_left(row)
    return slid, -1 if slid == list(row) else reward


@SLIDE_LEFT.add(
    "It looks as if the row slid to the right: the wall is at the left, where cell 0 is."
)
def _to_the_right(row):
    slid, reward = _right_slide_left(row[::-1])
    return slid[::-1], reward


@SLIDE_LEFT.add("The row is too short: fill it up to four cells with 0.")
def _too_short(row):
    slid, reward = _right_slide_left(row)
    return _tiles(slid), reward


@SLIDE_LEFT.add("Two things are asked for, (row, reward): this is the row alone.")
def _row_alone(row):
    return _right_slide_left(row)[0]


@SLIDE_LEFT.add("The order is (row, reward): here the reward comes first.")
def _reward_first(row):
    return _right_slide_left(row)[::-1]


@SLIDE_LEFT.add(
    "It looks as if zeros were taken out while the loop goes through the same list, which skips "
    "the cell after each of them: make a new list without the zeros."
)
def _removes_while_looping(row):
    row = list(row)
    for exponent in row:
        if exponent == 0:
            row.remove(exponent)
    slid, made = _merged(row)
    return _filled_up(slid), _earned([exponent for exponent in made if exponent > 1])


@exercise(
    right=_right_slide_left,
    suspects=SLIDE_LEFT,
    now="A whole board slides as its four rows do.",
)
def slide_left():
    """slide_left(row) -> (row, reward)

    A row of four exponents, slid to the left: a new list of four, and what it earned. Tiles move
    to the wall at the left, and two equal ones that meet become one with the next exponent, those
    nearest to the wall first. A tile that has just merged does not merge again, and two of
    exponent 15 (32768) do not merge. The reward is the sum of the tiles made, as points: a tile of
    exponent e has 2**e. It is 0 when nothing merges.
    """
    rules = {
        (1, 0, 0, 0): "",
        (0, 0, 0, 1): "",
        (1, 1, 0, 0): "",
        (2, 2, 0, 0): "",
        (2, 0, 2, 0): "equal tiles with a gap between them meet",
        (1, 1, 1, 0): "of three equal tiles the two at the wall merge",
        (1, 1, 2, 0): "a tile that has just merged does not merge again",
        (1, 1, 1, 1): "a row can have two pairs",
        (15, 15, 0, 0): "two 32768 tiles do not merge",
    }
    rows = [*rules, *((exponent, exponent, 0, exponent) for exponent in range(1, 16))]
    rows += [*product(range(5), repeat=4), *product((0, 1, 14, 15), repeat=4)]
    for row in rows:
        yield Case((list(row),), about=rules.get(row, ""), explain=_explain_row)


def _explain_row(told) -> list[str]:
    if not isinstance(told.answer, list) or len(told.answer) != 2:
        return ["A pair is asked for, (row, reward)."]
    row = told.answer[0]
    if isinstance(row, list) and len(row) != 4:
        return [f"A row has four cells, and this one has {len(row)}."]
    return []


# slide

SLIDE = Suspects()
TURNS = {game.UP: 1, game.RIGHT: 2, game.DOWN: 3, game.LEFT: 0}
"""How often a board is turned counterclockwise until an action becomes LEFT."""


def _slide_by_rows(board, action, slide_row=_right_slide_left, turns=TURNS):
    """A board slid row by row; (None, total) where nothing moves."""
    turned = np.rot90(np.array(board), turns[action]).tolist()
    slid = [slide_row(row) for row in turned]
    afterstate = np.rot90(np.array([row for row, _ in slid]), -turns[action]).tolist()
    total = sum(reward for _, reward in slid)
    return (None if afterstate == board else afterstate), total


def _right_slide(board, action):
    return grid.slide(board, action)


def _by_rows_with(fault):
    """A slide whose rows have a fault."""

    def slide(board, action):
        afterstate, reward = _slide_by_rows(board, action, slide_row=fault)
        return (board, -1) if afterstate is None else (afterstate, reward)

    return slide


def _by_turns_of(turns):
    """A slide whose actions are others."""

    def slide(board, action):
        afterstate, reward = _slide_by_rows(board, action, turns=turns)
        return (board, -1) if afterstate is None else (afterstate, reward)

    return slide


@SLIDE.add(
    "Where nothing moves the reward is -1, which tells that this is no move; here it seems to be 0."
)
def _zero_when_nothing_moves(board, action):
    afterstate, reward = grid.slide(board, action)
    return afterstate, max(reward, 0)


@SLIDE.add("Where nothing moves the same board is asked for, and -1: here the board is missing.")
def _no_board_when_nothing_moves(board, action):
    afterstate, reward = grid.slide(board, action)
    return (None if reward == -1 else afterstate), reward


@SLIDE.add("Where nothing moves a reward of -1 is asked for: here it is missing.")
def _no_reward_when_nothing_moves(board, action):
    afterstate, reward = grid.slide(board, action)
    return afterstate, (None if reward == -1 else reward)


@SLIDE.add("Where nothing moves a pair is asked for as well: (board, -1).")
def _nothing_when_nothing_moves(board, action):
    afterstate, reward = grid.slide(board, action)
    return None if reward == -1 else (afterstate, reward)


@SLIDE.add(
    "It looks as if -1 were given whenever nothing merges. A move without a merge earns 0; -1 is "
    "for a board that does not change."
)
def _minus_one_without_a_merge(board, action):
    afterstate, reward = grid.slide(board, action)
    return afterstate, (reward if reward > 0 else -1)


@SLIDE.add(
    "It looks as if the old board and -1 were returned whenever nothing merges. Tiles that only "
    "move make a move as well: compare the boards, not the rewards."
)
def _the_reward_decides(board, action):
    afterstate, reward = grid.slide(board, action)
    return (afterstate, reward) if reward > 0 else (board, -1)


@SLIDE.add("It looks as if the last row, or the last column, did not move: there are four.")
def _three_lines(board, action):
    afterstate, reward = grid.slide(board, action)
    lines = [list(row) for row in afterstate]
    line = board[3]
    if action in (game.UP, game.DOWN):
        line = [row[3] for row in board]
        for row, exponent in zip(lines, line):
            row[3] = exponent
    else:
        lines[3] = list(line)
    ordered = line if action in (game.UP, game.LEFT) else line[::-1]
    reward = max(reward, 0) - _right_slide_left(ordered)[1]
    return (board, -1) if lines == board else (lines, reward)


@SLIDE.add("It looks as if the board slid twice: a move is one slide.")
def _slides_twice(board, action):
    afterstate, reward = grid.slide(board, action)
    again, more = grid.slide(afterstate, action)
    return again, reward + max(more, 0)


@SLIDE.add(
    "It looks as if a row that does not move made the whole move illegal, or took 1 off the "
    "reward. Only a board of which no row moves gets -1."
)
def _sums_minus_ones(board, action):
    afterstate, reward = _slide_by_rows(board, action, slide_row=_minus_one)
    return (board, -1) if afterstate is None else (afterstate, reward)


SLIDE.add("It looks as if up and down were exchanged.")(
    _by_turns_of({**TURNS, game.UP: 3, game.DOWN: 1})
)
SLIDE.add("It looks as if left and right were exchanged.")(
    _by_turns_of({**TURNS, game.RIGHT: 0, game.LEFT: 2})
)
SLIDE.add(
    "DOWN does what UP should do: after turning rows into columns it must be mirrored as well, "
    "and back."
)(_by_turns_of({**TURNS, game.DOWN: 1}))
SLIDE.add("RIGHT does what LEFT should do: mirror the rows, slide, and mirror them back.")(
    _by_turns_of({**TURNS, game.RIGHT: 0})
)
SLIDE.add(
    "It looks as if rows and columns were exchanged: left and right go along the rows, up and "
    "down along the columns."
)(_by_turns_of({game.UP: 0, game.RIGHT: 3, game.DOWN: 2, game.LEFT: 1}))
SLIDE.add(
    "It looks as if actions were counted from left on. Here 0 is up, 1 right, 2 down, 3 left."
)(_by_turns_of({0: 0, 1: 1, 2: 2, 3: 3}))
SLIDE.add(
    "It looks as if actions were up, down, left, right, as in some other programs. Here 0 is up, "
    "1 right, 2 down, 3 left."
)(_by_turns_of({0: 1, 1: 3, 2: 0, 3: 2}))


@SLIDE.add(
    "It looks as if the board were turned on in the same direction after UP or DOWN, where it must "
    "be turned back: what comes out stands on its head."
)
def _turned_on(board, action):
    afterstate, reward = grid.slide(board, action)
    if action in (game.UP, game.DOWN) and reward >= 0:
        afterstate = [row[::-1] for row in afterstate[::-1]]
    return afterstate, reward


@SLIDE.add("It looks as if RIGHT forgot to mirror the rows back after sliding them.")
def _right_not_mirrored_back(board, action):
    if action == game.RIGHT:
        return grid.slide([row[::-1] for row in board], game.LEFT)
    return grid.slide(board, action)


@SLIDE.add("It looks as if RIGHT and DOWN forgot to mirror the rows back after sliding them.")
def _not_mirrored_back(board, action):
    afterstate, reward = grid.slide(board, action)
    if action == game.RIGHT:
        afterstate = [row[::-1] for row in afterstate]
    if action == game.DOWN:
        afterstate = afterstate[::-1]
    return (board, -1) if afterstate == board else (afterstate, max(reward, 0))


@SLIDE.add(
    "It looks as if columns were not turned back into rows after UP or DOWN: transpose again."
)
def _not_turned_back(board, action):
    afterstate, reward = grid.slide(board, action)
    if action in (game.UP, game.DOWN) and reward >= 0:
        afterstate = [list(column) for column in zip(*afterstate)]
    return afterstate, reward


def _as_it_was_slid(board, afterstate, slid, reward):
    """The answer of a slide that hands back the board as it lay when it slid to the left."""
    return (board, -1) if afterstate is None else (slid, reward)


@SLIDE.add(
    "It looks as if the board came back as it was turned for sliding: turn it back by as many "
    "quarters before you return it."
)
def _never_turned_back(board, action):
    afterstate, reward = _slide_by_rows(board, action)
    slid = np.rot90(np.array(afterstate or board), TURNS[action]).tolist()
    return _as_it_was_slid(board, afterstate, slid, reward)


@SLIDE.add(
    "It looks as if the board came back mirrored, or with its columns as rows: undo both after "
    "sliding, what was done last first."
)
def _never_mirrored_back(board, action):
    afterstate, reward = _slide_by_rows(board, action)
    slid = [list(row) for row in afterstate or board]
    if action in (game.UP, game.DOWN):
        slid = [list(column) for column in zip(*slid)]
    if action in (game.RIGHT, game.DOWN):
        slid = [row[::-1] for row in slid]
    return _as_it_was_slid(board, afterstate, slid, reward)


@SLIDE.add("It looks as if only the reward of one row counted: add up the rewards of all four.")
def _reward_of_the_last_row(board, action):
    afterstate, _ = _slide_by_rows(board, action)
    turned = np.rot90(np.array(board), TURNS[action]).tolist()
    return (board, -1) if afterstate is None else (afterstate, _right_slide_left(turned[-1])[1])


@SLIDE.add("It looks as if only the largest reward of a row counted: add up those of all four.")
def _largest_reward(board, action):
    afterstate, _ = _slide_by_rows(board, action)
    turned = np.rot90(np.array(board), TURNS[action]).tolist()
    reward = max(_right_slide_left(row)[1] for row in turned)
    return (board, -1) if afterstate is None else (afterstate, reward)


@SLIDE.add("A board is four rows of four: this is one flat list of sixteen.")
def _a_flat_board(board, action):
    afterstate, reward = grid.slide(board, action)
    return sum(afterstate, []), reward


@SLIDE.add("Two things are asked for, (board, reward): this is the board alone.")
def _board_alone(board, action):
    return grid.slide(board, action)[0]


@SLIDE.add("The order is (board, reward): here the reward comes first.")
def _slide_reward_first(board, action):
    return grid.slide(board, action)[::-1]


for _sentence, _fault in SLIDE_LEFT:
    if _fault not in (_minus_one, _row_alone, _too_short, _reward_first):
        SLIDE.add(located("In a row of the board", _sentence))(_by_rows_with(_fault))


@exercise(
    right=_right_slide,
    suspects=SLIDE,
    now="What it returns is the afterstate: the board before its new tile.",
)
def slide():
    """slide(board, action) -> (board, reward)

    A board (four rows of four exponents) after an action, and the sum of the tiles made. Actions
    are 0 up, 1 right, 2 down, 3 left. Where nothing moves, the same board and a reward of -1,
    which tells that this is no move. The board that was handed in stays as it is.
    """
    large = [[15, 15, 0, 14], [15, 0, 0, 14], EMPTY_ROW, [1, 1, 1, 1]]
    boards = [PLAIN, TOP, MIXED, EQUAL, large, DEAD, EMPTY, *random_boards(60, seed=1)]
    for board, action in product(boards, (game.LEFT, game.RIGHT, game.UP, game.DOWN)):
        given = [Thing("", board), Thing("action", f"{action} ({game.ACTIONS[action]})")]
        yield Case((board, action), given=given)


# spawn

DRAWS = 1500
SURE = 5.5  # standard deviations by which a share may differ by chance
USUAL_CHANGES = {
    "no new tile": "Either no tile was placed, or it was put onto one: choose among empty cells.",
    "a tile that was there has changed": (
        "The new tile was put onto another one: choose among the cells that are empty, 0."
    ),
}
ONE_NEW_TILE = "one new tile, a 2 or a 4, in a cell that was empty"
SPREAD = "equally often in each empty cell"


def _right_spawn(board, rng, p4):
    empty = grid.empty_cells(board)
    row, column = empty[rng.integers(len(empty))]
    return grid.place(board, row, column, 2 if rng.random() < p4 else 1)


def _change(board, following) -> tuple[str, list]:
    """What a spawn did to a board, in words; and [(cell, exponent)] of the new tiles."""
    if not is_board(following):
        raise TypeError("a board is four rows of four")
    old = sum(board, [])
    new = sum(following, [])
    changed = [cell for cell in range(16) if old[cell] != new[cell]]
    if any(old[cell] for cell in changed):
        return "a tile that was there has changed", []
    tiles = [(cell, new[cell]) for cell in changed]
    if len(tiles) != 1:
        return ("no new tile" if not tiles else f"{len(tiles)} new tiles"), tiles
    if tiles[0][1] not in (1, 2):
        return f"a new tile of exponent {tiles[0][1]}; a 2 is exponent 1, a 4 exponent 2", tiles
    return ONE_NEW_TILE, tiles


def _read_one_spawn(following, arguments):
    return {"what is new": _change(arguments[0], following)[0]}


def _explain_one_spawn(told) -> list[str]:
    if not is_board(told.answer):
        return ["A board is asked for, four rows of four exponents."]
    rows = ["  " + " ".join(f"{exponent:>3}" for exponent in row) for row in told.answer]
    return ["The board that came back:", *rows, *filter(None, [USUAL_CHANGES.get(told.got)])]


def _ask_often(function, arguments):
    board, rng, p4 = arguments
    return [function([list(row) for row in board], rng, p4) for _ in range(DRAWS)]


def _is_likely(count: int, total: int, share: float) -> bool:
    """Whether a count may come up by chance."""
    spread = (total * share * (1 - share)) ** 0.5
    return abs(count - total * share) <= SURE * spread


def _read_many_spawns(followings, arguments):
    """How often a tile came where, and how often a 4."""
    board, _, p4 = arguments
    changes = [_change(board, following) for following in followings]
    for told, _ in changes:
        if told != ONE_NEW_TILE:
            return {"each draw gives": told}
    tiles = [new_tiles[0] for _, new_tiles in changes]
    empty = [cell for cell in range(16) if sum(board, [])[cell] == 0]
    return {"each draw gives": ONE_NEW_TILE} | _told_shares(tiles, empty, p4)


def _told_shares(tiles, empty, p4) -> dict:
    """Whether the tiles, as (cell, exponent), may have come up by chance, part by part."""
    counts = Counter(cell for cell, _ in tiles)
    fours = Counter(cell for cell, exponent in tiles if exponent == 2)
    all_fours = sum(fours.values())
    is_even = all(_is_likely(counts[cell], DRAWS, 1 / len(empty)) for cell in empty)
    is_mixed = all(_is_likely(fours[cell], counts[cell], p4) for cell in empty)
    is_p4 = _is_likely(all_fours, DRAWS, p4)
    shares = ", ".join(f"{counts[cell] / DRAWS:.0%}" for cell in empty)
    return {
        "the empty cells get": SPREAD if is_even else f"a tile in {shares} of all draws",
        "the share of 4s": f"{p4:g}" if is_p4 else f"{all_fours / DRAWS:.3g}",
        "a 4 comes": "in every cell alike" if is_mixed else "more often in some cells",
    }


def _explain_many_spawns(told) -> list[str]:
    p4 = told.arguments[2]
    if told.part == "the empty cells get":
        return [
            "Some cells are preferred. Choosing a row first and a cell in it afterwards does that,",
            "and so does a range that leaves the first or the last of the empty cells out.",
        ]
    if told.part == "the share of 4s":
        share = float(told.got)
        exchanged = abs(share - (1 - p4)) < 0.06
        return [
            f"p4 is {p4:g}, and the share of 4s was {share:g}."
            + (" It looks as if p4 and 1 - p4 were exchanged." if exchanged else "")
            + (" It looks as if p4 were not used." if not exchanged else "")
        ]
    if told.part == "a 4 comes":
        return ["One random number seems to decide both the cell and the tile: draw two."]
    return []


def _explain_a_run(told) -> list[str]:
    return ["The function was given equal generators twice. Draw from rng, and from nothing else."]


def _ask_for_a_run(function, arguments):
    """Whether the same random numbers give the same twelve boards."""
    board, _, p4 = arguments
    runs = []
    for _ in range(2):
        rng = np.random.default_rng(3)
        runs.append([plain(function([list(row) for row in board], rng, p4)) for _ in range(12)])
    return runs[0] == runs[1]


def _read_a_run(is_equal, arguments):
    return {"equal generators give": "the same boards" if is_equal == "True" else "other boards"}


SPAWN = Suspects()


def _drawn_spawn(board, rng, p4, pick, exponents=(1, 2)):
    """A spawn into the cell that `pick` chooses from the empty ones."""
    row, column = pick(grid.empty_cells(board))
    exponent = exponents[1] if rng.random() < p4 else exponents[0]
    return grid.place(board, row, column, exponent)


@SPAWN.add("It looks as if the new tile always came into the first empty cell.")
def _first_empty_cell(board, rng, p4):
    return _drawn_spawn(board, rng, p4, lambda empty: empty[0])


@exercise(
    right=_right_spawn,
    suspects=SPAWN,
    wanted="A board is asked for: four rows of four exponents.",
    now="With slide and spawn you have the whole game.",
)
def spawn():
    """spawn(board, rng, p4) -> board

    A new board with one more tile. It comes into one of the empty cells, all equally likely, and
    is a 4 (exponent 2) with probability p4, else a 2 (exponent 1). The board that was handed in
    stays as it is. rng is a numpy Generator, and all chance comes from it: rng.random() gives a
    number from 0 to 1, rng.integers(n) one of 0, 1, ..., n - 1.
    """
    boards = [NARROW, TOP, MIXED, EMPTY, *(b for b in random_boards(12, seed=9) if 0 in sum(b, []))]
    for number, board in enumerate(boards):
        yield Case(
            (board, np.random.default_rng(number), (0.1, 0.5, 0.0, 1.0)[number % 4]),
            read=_read_one_spawn,
            may_change=(1,),
            explain=_explain_one_spawn,
        )
    uneven = [[1, 0, 2, 3], [2, 0, 0, 0], [3, 4, 5, 1], [1, 2, 1, 0]]
    for number, p4 in enumerate((0.3, 0.6)):
        yield Case(
            (uneven, np.random.default_rng(number), p4),
            about=f"cells and tiles have the right shares, seen in {DRAWS:,} draws",
            ask=_ask_often,
            read=_read_many_spawns,
            may_change=(1,),
            explain=_explain_many_spawns,
        )
    yield Case(
        (MIXED, np.random.default_rng(3), 0.5),
        about="all chance comes from rng, so that a game can be played again",
        ask=_ask_for_a_run,
        read=_read_a_run,
        may_change=(1,),
        explain=_explain_a_run,
    )


# play_game

# From these boards the game has 1, 2, 3 and 5 moves, and many
ENDS = [
    [[6, 3, 6, 5], [5, 2, 5, 1], [4, 3, 6, 2], [6, 1, 4, 4]],
    [[4, 6, 1, 4], [4, 3, 4, 6], [5, 2, 1, 2], [2, 6, 2, 5]],
    [[5, 1, 4, 2], [3, 5, 5, 3], [2, 6, 6, 4], [3, 5, 3, 2]],
    [[5, 6, 2, 4], [6, 1, 6, 2], [2, 3, 3, 6], [6, 4, 3, 2]],
]
BEGINNING = [[0, 1, 0, 0], EMPTY_ROW, EMPTY_ROW, [0, 0, 1, 0]]
PARTS = ("s, the board", "a, the action", "r, the reward", "s', the afterstate")


class OutOfTurn(ValueError):
    """The player was asked about a board that has no new tile yet, or is not of this game."""


class NotSlid(ValueError):
    """A new tile was asked for on a board that was not slid with the slide that was handed in."""


class World:
    """What play_game is handed: a player, and a game in which chance depends on boards alone."""

    def __init__(self, board):
        self.boards = {board_of(board)}  # on which it was or is the player's turn
        self.afterstates = set()  # that slide has returned

    def choose(self, board):
        """An action that is legal, or None for a dead board."""
        if board_of(board) not in self.boards:
            raise OutOfTurn(
                "choose was asked about a board on which it is not the player's turn: each move "
                "starts from a board that spawn has returned"
            )
        legal = grid.legal_actions(cells_of(board_of(board)))
        return legal[hashed(board_of(board)) % len(legal)] if legal else None

    def slide(self, board, action):
        """(afterstate, reward)."""
        afterstate, reward = grid.slide(board, action)
        self.afterstates.add(board_of(afterstate))
        return afterstate, reward

    def spawn(self, afterstate):
        """The next board."""
        number = hashed(board_of(afterstate))
        empty = grid.empty_cells(afterstate)
        if not empty:
            raise ValueError(f"spawn was called with a board without an empty cell: {afterstate}")
        if board_of(afterstate) not in self.afterstates:
            raise NotSlid("spawn was handed a board that slide has not returned")
        row, column = empty[number % len(empty)]
        following = grid.place(afterstate, row, column, 2 if number % 10 == 0 else 1)
        self.boards.add(board_of(following))
        return following


def _right_play_game(board, choose, slide, spawn):
    path = []
    while (action := choose(board)) is not None:
        afterstate, reward = slide(board, action)
        path.append((board, action, reward, afterstate))
        board = spawn(afterstate)
    return path


def _in_a_world(function, arguments):
    world = World(arguments[0])
    return function(arguments[0], world.choose, world.slide, world.spawn)


def _read_path(path, arguments):
    """{"move 0: s, the board": ..., ...} and how many moves there are."""
    if not isinstance(path, list):
        raise TypeError("a path is a list")
    parts = {}
    for number, step in enumerate(path):
        if not isinstance(step, list) or len(step) != len(PARTS):
            parts[f"move {number}"] = step
            continue
        for part, value in zip(PARTS, step):
            parts[f"move {number}: {part}"] = value
    return parts | {"moves in the path": len(path)}


PLAY_GAME = Suspects()


@PLAY_GAME.add(
    "It looks as if the next move were made on the afterstate: the new tile of spawn is missing "
    "between two moves. The next board is spawn(afterstate)."
)
def _no_new_tile(board, choose, slide, spawn):
    path = []
    while (action := choose(board)) is not None:
        afterstate, reward = slide(board, action)
        path.append((board, action, reward, afterstate))
        board = afterstate
    return path


@PLAY_GAME.add(
    "It looks as if the path held the next board, with its new tile, where the afterstate s' "
    "should be."
)
def _next_board_for_afterstate(board, choose, slide, spawn):
    path = []
    while (action := choose(board)) is not None:
        afterstate, reward = slide(board, action)
        following = spawn(afterstate)
        path.append((board, action, reward, following))
        board = following
    return path


@PLAY_GAME.add("It looks as if the last move were left out of the path.")
def _last_move_left_out(board, choose, slide, spawn):
    return _right_play_game(board, choose, slide, spawn)[:-1]


@PLAY_GAME.add("Only the last move is in the path: add each move to the list.")
def _last_move_only(board, choose, slide, spawn):
    return _right_play_game(board, choose, slide, spawn)[-1:]


@PLAY_GAME.add("It looks as if the first move were left out of the path.")
def _first_move_left_out(board, choose, slide, spawn):
    return _right_play_game(board, choose, slide, spawn)[1:]


@PLAY_GAME.add("It looks as if one move were made, and no more: the game goes on in a loop.")
def _one_move_only(board, choose, slide, spawn):
    return _right_play_game(board, choose, slide, spawn)[:1]


@PLAY_GAME.add("The moves come in the order in which they were made; here the last comes first.")
def _last_first(board, choose, slide, spawn):
    return _right_play_game(board, choose, slide, spawn)[::-1]


@PLAY_GAME.add(
    "It looks as if another slide were called than the one that is handed in: call that one, so "
    "that the game is played by its rules, and give its afterstate to spawn."
)
def _another_slide(board, choose, slide, spawn):
    return _right_play_game(board, choose, grid.slide, spawn)


@PLAY_GAME.add("The order in a step is (s, a, r, s'); here action and reward are exchanged.")
def _reward_before_action(board, choose, slide, spawn):
    path = _right_play_game(board, choose, slide, spawn)
    return [(s, r, a, after) for s, a, r, after in path]


@PLAY_GAME.add("It looks as if the reward were the score so far: r is what this move earned.")
def _score_for_reward(board, choose, slide, spawn):
    score = 0
    path = []
    for s, a, r, after in _right_play_game(board, choose, slide, spawn):
        score += r
        path.append((s, a, score, after))
    return path


@PLAY_GAME.add("It looks as if s, the board of the step, were the board after the slide.")
def _afterstate_twice(board, choose, slide, spawn):
    path = _right_play_game(board, choose, slide, spawn)
    return [(after, a, r, after) for _, a, r, after in path]


@PLAY_GAME.add("It looks as if s, the board of the step, were the board of the next move.")
def _next_board_for_board(board, choose, slide, spawn):
    path = _right_play_game(board, choose, slide, spawn)
    return [(spawn(after), a, r, after) for _, a, r, after in path]


@PLAY_GAME.add(
    "It looks as if the game stopped at action 0. That is up, and no end: 0 counts as false, "
    "so ask `action is None`."
)
def _stops_at_up(board, choose, slide, spawn):
    path = []
    for step in _right_play_game(board, choose, slide, spawn):
        if step[1] == 0:
            return path
        path.append(step)
    return path


@PLAY_GAME.add(
    "It looks as if choose were asked once: it is to be asked again on each board. On the second "
    "one the same action may be no move, or not the one that is chosen."
)
def _always_the_first_action(board, choose, slide, spawn):
    path = []
    action = choose(board)
    while action is not None:
        afterstate, reward = slide(board, action)
        path.append((board, action, reward, afterstate))
        board = spawn(afterstate)
    return path


@PLAY_GAME.add(
    "On a dead board choose answers None, with which nothing slides: ask whether the action is "
    "None before you slide."
)
def _slides_with_none(board, choose, slide, spawn):
    path = []
    while True:
        action = choose(board)
        afterstate, reward = slide(board, action)
        if reward == -1:
            return path
        path.append((board, action, reward, afterstate))
        board = spawn(afterstate)


@PLAY_GAME.add("It looks as if the game stopped at the first move that earned nothing.")
def _stops_without_reward(board, choose, slide, spawn):
    path = []
    for step in _right_play_game(board, choose, slide, spawn):
        if step[2] <= 0:
            return path
        path.append(step)
    return path


@PLAY_GAME.add(
    "It looks as if the game ended when the board was full. A full board may still have a move: "
    "the game is over when choose returns None."
)
def _stops_when_full(board, choose, slide, spawn):
    path = []
    for step in _right_play_game(board, choose, slide, spawn):
        if not grid.empty_cells(step[0]):
            return path
        path.append(step)
    return path


@PLAY_GAME.add("The path is asked for, a list of moves: this is the score.")
def _score_alone(board, choose, slide, spawn):
    return sum(r for _, _, r, _ in _right_play_game(board, choose, slide, spawn))


@PLAY_GAME.add("The path alone is asked for: here something else is returned beside it.")
def _path_and_score(board, choose, slide, spawn):
    path = _right_play_game(board, choose, slide, spawn)
    return path, sum(r for _, _, r, _ in path)


@PLAY_GAME.add("Each step is (s, a, r, s'), four things: here the reward, or more, is missing.")
def _steps_of_three(board, choose, slide, spawn):
    path = _right_play_game(board, choose, slide, spawn)
    return [(s, a, after) for s, a, _, after in path]


@exercise(
    right=_right_play_game,
    suspects=PLAY_GAME,
    wanted="A path is asked for: a list of (s, a, r, s').",
    now="Its path is what your network will learn from.",
)
def play_game():
    """play_game(board, choose, slide, spawn) -> path

    A game from a board to its end. choose(board) is an action, or None when the board is dead and
    the game is over. slide(board, action) is (afterstate, reward), and spawn(afterstate) is the
    next board. The path is a list with (s, a, r, s') for each move: the board, the action, the
    reward and the afterstate. The dead board at the end is in no step; a game that begins with one
    has an empty path.
    """
    for board in (ENDS[0], DEAD, *ENDS[1:], BEGINNING):
        yield Case(
            (board, World.choose, World.slide, World.spawn),
            ask=_in_a_world,
            read=_read_path,
            explain=_explain_path,
        )


def _explain_path(told) -> list[str]:
    if not isinstance(told.answer, list):
        return ["A path is a list of (s, a, r, s')."]
    counted = f"Your path has {plural(len(told.answer), 'step')}."
    if not all(isinstance(step, list) and len(step) == len(PARTS) for step in told.answer):
        return ["Each step is (s, a, r, s'), four things, and the path alone is asked for."]
    boards = [str(step[0]) for step in told.answer]
    if len(set(boards)) < len(boards):
        return [f"{counted} Several start from the same board: the next is spawn(afterstate)."]
    is_short = told.part == "moves in the path" and told.got < told.expected
    if is_short or "moves in the path" not in told.part:
        return [counted]
    return [
        f"{counted} One is a record of the dead board at the end. No move was made there, and what",
        "is written as its reward, such as -1, would be learned as if it were one.",
    ]


# symmetries

SYMMETRIES = Suspects()


def _right_symmetries(board):
    return grid.symmetries(board)


def _read_images(images, arguments):
    """How often each image comes: {its number: [its cells, count]}."""
    counts = Counter(board_of(image) for image in images)
    return {board: [cells_of(board), times] for board, times in counts.items()}


def _explain_images(told) -> list[str]:
    if not isinstance(told.answer, list):
        return []
    different = {str(image) for image in told.answer}
    images = "1 image" if len(told.answer) == 1 else f"{len(told.answer)} images"
    lines = [f"You return {images}, {len(different)} of them different."]
    board = told.arguments[0]
    right = {str(image) for image in grid.symmetries(board)}
    strange = len(different - right)
    if strange:
        lines.append(f"{strange} of these are no images of the board at all.")
    if len(different) == 1 and len(right) > 1:
        lines.append("Is it one list, changed eight times? Make a new one for each image.")
    return lines


def _turned(board, quarter_turns: int) -> list:
    return np.rot90(np.array(board), quarter_turns).tolist()


def _mirrored(board) -> list:
    return [list(row[::-1]) for row in board]


@SYMMETRIES.add(
    "The four rotations are there, but not their mirror images: mirror the board, and turn that "
    "four times as well."
)
def _turns_only(board):
    return [_turned(board, turns) for turns in range(4)]


@SYMMETRIES.add("The four rotations come twice: the second four must be mirror images.")
def _turns_twice(board):
    return [_turned(board, turns) for turns in range(8)]


@SYMMETRIES.add("The mirror images are there, but not the four rotations of the board itself.")
def _mirror_images_only(board):
    return [_turned(_mirrored(board), turns) for turns in range(4)]


@SYMMETRIES.add(
    "Images that are equal were left out. A symmetric board has some images twice, and they must "
    "stay: the network looks them up twice."
)
def _different_images(board):
    images = []
    for image in grid.symmetries(board):
        if image not in images:
            images.append(image)
    return images


@SYMMETRIES.add("Half turns and mirror images are there, but no quarter turns.")
def _half_turns(board):
    half = [_turned(board, 0), _turned(board, 2)]
    return half + [_mirrored(image) for image in half]


@SYMMETRIES.add(
    "Half turns and mirror images are there twice, but no quarter turns: rows must become columns."
)
def _half_turns_twice(board):
    return _half_turns(board) * 2


@SYMMETRIES.add("Turning and mirroring come out as the same four images, each of them twice.")
def _mirrored_both_ways(board):
    flipped = [list(row) for row in board[::-1]]
    return [board, _mirrored(board), flipped, _mirrored(flipped)] * 2


@SYMMETRIES.add(
    "It looks as if the board were never turned: only itself and its mirror image come, again and "
    "again."
)
def _never_turned(board):
    return [board, _mirrored(board)] * 4


@SYMMETRIES.add(
    "It looks as if rows were made columns, and nothing else: zip(*board) alone is a mirror image. "
    "A quarter turn reverses the rows as well, zip(*board[::-1])."
)
def _transposed_for_turned(board):
    across = [list(column) for column in zip(*board)]
    return [across, _mirrored(across), board, _mirrored(board)] * 2


@SYMMETRIES.add(
    "A half turn stands among the mirror images: mirrored both ways, a board is turned by a half. "
    "Mirror the board once, and turn that four times."
)
def _half_turn_for_a_mirror_image(board):
    mirror_images = [_mirrored(board), _turned(_mirrored(board), 1), board[::-1]]
    return [*_turns_only(board), *mirror_images, _turned(board, 2)]


@SYMMETRIES.add(
    "A half turn stands among the mirror images: mirrored both ways, a board is turned by a half. "
    "Mirror the board once, and turn that four times."
)
def _half_turn_for_the_other_mirror_image(board):
    mirror_images = [_mirrored(board), _turned(_mirrored(board), 3), board[::-1]]
    return [*_turns_only(board), *mirror_images, _turned(board, 2)]


@SYMMETRIES.add(
    "Only mirror images come, each of them twice: whichever way a board is mirrored, its four "
    "turns are the same. Keep the four turns of the board itself as well."
)
def _mirror_images_twice(board):
    return _mirror_images_only(board) * 2


@SYMMETRIES.add("One of the eight images is missing.")
def _one_too_few(board):
    return grid.symmetries(board)[:7]


@SYMMETRIES.add("The board itself is one of its eight images, and is missing.")
def _without_itself(board):
    images = grid.symmetries(board)
    images.remove(board)
    return images


@SYMMETRIES.add("Every image comes twice: eight are asked for.")
def _sixteen(board):
    return grid.symmetries(board) * 2


@SYMMETRIES.add("It looks as if the same board were returned eight times.")
def _itself(board):
    return [board] * 8


@SYMMETRIES.add("An image is four rows of four: these are flat lists of sixteen.")
def _flat_images(board):
    return [sum(image, []) for image in grid.symmetries(board)]


@exercise(
    right=_right_symmetries,
    suspects=SYMMETRIES,
    wanted="A list of 8 boards is asked for, and each board is four rows of four.",
    now="A network that knows this learns from every board eight times.",
)
def symmetries():
    """symmetries(board) -> its 8 images, in any order

    The board turned by 0, 1, 2 and 3 quarter turns, and the mirror images of these four: a list of
    eight boards. On a board that is its own mirror image some of them are equal, and they stay.
    """
    mirrored = [[1, 0, 0, 1], *EMPTY[1:]]  # its own mirror image
    for board in [TOP, MIXED, EQUAL, mirrored, *random_boards(20, seed=2)]:
        yield Case(
            (board,),
            about="how often each image comes",
            read=_read_images,
            second="times",
            missing="not among the images",
            explain=_explain_images,
        )
