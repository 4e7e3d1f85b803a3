"""Checks of measuring how well a program plays, and of a player for another program's games."""

import functools
import math

import numpy as np

from lib2048 import board as game
from workbook import grid
from workbook.answers import Thing, board_of, cells_of, plain
from workbook.check.exercise import Suspects, exercise
from workbook.check.material import hashed, random_boards
from workbook.trial import Case

# win_rate

WIN_RATE = Suspects()


def _share(reached):
    """The share of the games of which `reached(largest, tile)` is true."""

    def win_rate(max_tiles, tile):
        return sum(bool(reached(largest, tile)) for largest in max_tiles) / len(max_tiles)

    return win_rate


_right_win_rate = _share(lambda largest, tile: largest >= tile)

WIN_RATE.add(
    "It looks as if only games that ended with exactly this tile counted: a game with a larger "
    "one has reached it, too."
)(_share(lambda largest, tile: largest == tile))
WIN_RATE.add("It looks as if only games beyond this tile counted: the tile itself counts (>=).")(
    _share(lambda largest, tile: largest > tile)
)
WIN_RATE.add("It looks as if the games that did not reach the tile were counted.")(
    _share(lambda largest, tile: largest < tile)
)
WIN_RATE.add("It looks as if the games up to this tile were counted: those that reached it are.")(
    _share(lambda largest, tile: largest <= tile)
)
WIN_RATE.add("It looks as if the tile were always 2048: it is an argument.")(
    _share(lambda largest, tile: largest >= 2048)
)


@WIN_RATE.add("It looks as if this were in percent: a share lies between 0 and 1.")
def _in_percent(max_tiles, tile):
    return 100 * _right_win_rate(max_tiles, tile)


@WIN_RATE.add("It looks as if the games were counted: divide by the number of all games.")
def _a_count(max_tiles, tile):
    return int(sum(largest >= tile for largest in max_tiles))


@WIN_RATE.add("It looks as if the number of games were one off.")
def _one_game_more(max_tiles, tile):
    return sum(largest >= tile for largest in max_tiles) / (len(max_tiles) + 1)


@WIN_RATE.add("It looks as if the number of games were one off: divide by all of them.")
def _one_game_less(max_tiles, tile):
    return sum(largest >= tile for largest in max_tiles) / max(1, len(max_tiles) - 1)


@WIN_RATE.add("It looks as if each tile counted once: divide by the number of games.")
def _of_different_tiles(max_tiles, tile):
    different = set(plain(max_tiles))
    return sum(largest >= tile for largest in max_tiles) / len(different)


@WIN_RATE.add("It looks as if games were divided by those that did not reach the tile: the odds.")
def _odds(max_tiles, tile):
    reached = sum(largest >= tile for largest in max_tiles)
    return float(reached / max(1, len(max_tiles) - reached))


for _digits in (0, 2, 1, 3, 4):
    WIN_RATE.add("It looks as if the share were rounded: leave all digits.")(
        lambda max_tiles, tile, digits=_digits: round(_right_win_rate(max_tiles, tile), digits)
    )


@WIN_RATE.add(
    "It looks as if log2(tile) were compared: max_tiles holds tiles, such as 2048, as well."
)
def _exponents_of_tiles(max_tiles, tile):
    return _right_win_rate(max_tiles, math.log2(tile))


@WIN_RATE.add("It looks as if it were divided without a remainder: use / and not //.")
def _without_remainder(max_tiles, tile):
    return int(sum(largest >= tile for largest in max_tiles)) // len(max_tiles)


@exercise(
    right=_right_win_rate,
    suspects=WIN_RATE,
    now="How sure such a share is, its interval says.",
)
def win_rate():
    """win_rate(max_tiles, tile) -> share

    The share of the games that reached a tile: those whose largest tile is that one or a larger
    one. max_tiles is an array with the largest tile of each game, such as 1024.
    """
    few = [1024, 2048, 4096, 8192, 512]
    many = (2 ** np.random.default_rng(8).integers(8, 14, 50)).tolist()
    seven = [*few, 2048, 1024]
    questions = [(few, 2048), (few[:1], 2048), (few[1:4], 2048), (seven, 2048), (few, 1024)]
    for tiles, tile in [*questions, (many, 512), (many, 4096), (many, 8192), (few, 16384)]:
        yield Case(
            (np.array(tiles), tile),
            given=[Thing("", f"games: {tiles[:8]}{'...' if len(tiles) > 8 else ''}")]
            + [Thing("", f"tile: {tile}")],
            explain=_explain_share,
        )


def _explain_share(told) -> list[str]:
    max_tiles, tile = told.arguments
    reached = int(sum(max_tiles >= tile))
    return [f"{reached} of {len(max_tiles)} games have a largest tile of {tile} or more."]


# get_action

COURSE_ACTIONS = ("up", "down", "left", "right")
OURS_BY_COURSE = (game.UP, game.DOWN, game.LEFT, game.RIGHT)
GET_ACTION = Suspects()


class Player:
    """The player that get_action is handed; it remembers what it was shown."""

    def __init__(self):
        self.shown = "no board"

    def choose(self, board):
        """An action that depends on the board as if at random."""
        if isinstance(board, np.ndarray):
            board = board.tolist()
        number = board_of(board)
        self.shown = cells_of(number)
        legal = game.legal_actions(number) or list(range(4))
        return legal[hashed(number) % len(legal)]


def _tiles(board) -> np.ndarray:
    """A board as the course has it: an array of tiles."""
    tiles = [[2**exponent if exponent else 0 for exponent in row] for row in board]
    return np.array(tiles, dtype=np.int32)


def _exponents(state) -> list:
    return [[int(tile).bit_length() - 1 if tile else 0 for tile in row] for row in state]


def _right_get_action(state, score, choose):
    return OURS_BY_COURSE.index(choose(_exponents(state)))


def _ask_for_an_action(function, arguments):
    state, score, player = arguments
    return function(state, score, player.choose)


def _read_action(action, arguments):
    return {"choose was shown": arguments[2].shown, "action": action}


def _get_action_with(order=None, show=_exponents):
    """get_action with another table of actions, or another board shown."""

    def get_action(state, score, choose):
        action = choose(show(state))
        return action if order is None else order[action]

    return get_action


RIGHT_ORDER = [OURS_BY_COURSE.index(action) for action in range(4)]

GET_ACTION.add(
    "It looks as if the action of choose were returned as it is. Here the order is up, right, "
    "down, left, in the course up, down, left, right: 1, 2 and 3 mean other things there."
)(_get_action_with())
GET_ACTION.add(
    "It looks as if the table of actions were used the wrong way round: right is 1 here and 3 in "
    "the course, down 2 and 1, left 3 and 2."
)(_get_action_with(list(OURS_BY_COURSE)))
for _left, _right in ((0, 1), (2, 3), (0, 3), (1, 2), (0, 2), (1, 3)):
    _order = list(RIGHT_ORDER)
    _order[_left], _order[_right] = _order[_right], _order[_left]
    GET_ACTION.add(
        "It looks as if two actions were mixed up: 0 up, 1 right, 2 down, 3 left here become 0, 3, "
        "1, 2 there."
    )(_get_action_with(_order))
GET_ACTION.add(
    "It looks as if choose were shown the tiles: it wants exponents, 1 for a 2, 2 for a 4."
)(_get_action_with(RIGHT_ORDER, show=lambda state: state.tolist()))
GET_ACTION.add("It looks as if rows and columns were exchanged on the way to choose.")(
    _get_action_with(RIGHT_ORDER, show=lambda state: _exponents(state.T))
)
GET_ACTION.add("It looks as if the board were upside down on the way to choose.")(
    _get_action_with(RIGHT_ORDER, show=lambda state: _exponents(state[::-1]))
)
GET_ACTION.add("It looks as if exponents were one too large: a 2 has exponent 1.")(
    _get_action_with(
        RIGHT_ORDER,
        show=lambda state: [
            [exponent + 1 if exponent else 0 for exponent in row] for row in _exponents(state)
        ],
    )
)
GET_ACTION.add("It looks as if exponents were one too large: a 2 has exponent 1, and 0 is empty.")(
    _get_action_with(
        RIGHT_ORDER,
        show=lambda state: [[exponent + 1 for exponent in row] for row in _exponents(state)],
    )
)
GET_ACTION.add("It looks as if log were natural: the exponent is the logarithm to base 2, log2.")(
    _get_action_with(
        RIGHT_ORDER,
        show=lambda state: [[int(math.log(max(tile, 1))) for tile in row] for row in state],
    )
)
GET_ACTION.add("It looks as if exponents were one too small: a 2 has exponent 1, and 0 is empty.")(
    _get_action_with(
        RIGHT_ORDER,
        show=lambda state: [
            [max(0, exponent - 1) for exponent in row] for row in _exponents(state)
        ],
    )
)
GET_ACTION.add(
    "It looks as if an empty cell got the exponent 1: it is 0. log2(0) has no answer, so ask for "
    "empty cells first."
)(
    _get_action_with(
        RIGHT_ORDER,
        show=lambda state: [[max(1, exponent) for exponent in row] for row in _exponents(state)],
    )
)
GET_ACTION.add("It looks as if choose were shown an empty board, or a new game: it wants state.")(
    _get_action_with(RIGHT_ORDER, show=lambda state: [[0] * 4] * 4)
)


@GET_ACTION.add("An action is asked for, a number from 0 to 3: this is its name, as a text.")
def _a_name(state, score, choose):
    return COURSE_ACTIONS[_right_get_action(state, score, choose)]


@GET_ACTION.add("It looks as if the same action came whatever the board: ask choose.")
def _always_up(state, score, choose):
    return 0


@exercise(
    right=_right_get_action,
    suspects=GET_ACTION,
    now="Your network can play in the environment of the Python course.",
)
def get_action():
    """get_action(state, score, choose) -> action of the course

    The player as the Python course calls it. state is a 4x4 array of tiles (0, 2, 4, ...), the
    answer 0 up, 1 down, 2 left, 3 right. choose(board) wants four rows of exponents and answers
    as everywhere here: 0 up, 1 right, 2 down, 3 left. It depends on state alone, which stays as it
    is; the score is of no use.
    """
    boards = [board for board in random_boards(30, seed=14) if grid.legal_actions(board)]
    corner = [[14, 1, 2, 3], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 2, 0]]
    for number, board in enumerate([corner, *boards]):
        explain = functools.partial(_explain_action, [corner, *boards][:number])
        yield Case(
            (_tiles(board), 4 * number, Player()),
            given=[Thing("state", board)],
            ask=_ask_for_an_action,
            read=_read_action,
            may_change=(2,),
            explain=explain,
        )


def _explain_action(earlier, told) -> list[str]:
    state = told.arguments[0]
    action = Player().choose(_exponents(state))
    if told.part != "action":
        if told.got in earlier:
            return ["This is the board of an earlier call: make it from state in every call."]
        return ["choose wants the exponents of state, row by row."]
    course = OURS_BY_COURSE.index(action)
    return [
        f"choose answers {action}, which is {game.ACTIONS[action]}. In the course that is {course}."
    ]
