"""Looking ahead: expectimax over afterstates, and playing by it.

With plies = 1 an action is worth r + V(s'). With more, V(s') is replaced by what the network
expects to find one move later: the mean, over every tile that may appear, of the best action there,
itself judged with one ply less. The search stops at afterstates (for a network of state values, at
states), because those are what the network has learned. The search itself is in fast/expecting.py.

Each further ply makes a move ten to twenty times slower, so a single move can take seconds. That is
why every search looks at a flag as it goes: whoever sets it, from another thread, ends the search
at once.
"""

from typing import NamedTuple

import numpy as np

from lib2048.board import (
    _first_board,
    _is_dead,
    _largest_exponent,
    _slide,
    _spawn,
    least_reward,
)
from lib2048.fast.choosing import ILLEGAL, _outcomes
from lib2048.fast.downgrading import _downgrade_planes
from lib2048.fast.expecting import (
    BYTES_OF_A_SLOT,
    DEEPEST,
    NO_MARGIN,
    _expect,
    _next_to_look_into,
    known_values,
)
from lib2048.fast.lookup import F32
from lib2048.fast.planes import (
    _slide_all_ways,
    _slide_planes,
    _spawn_in_planes,
    _to_board,
    _to_planes,
)
from lib2048.fast.rules import FIRST_WORDS
from lib2048.kernels import kernel, uint64
from lib2048.learning import LONGEST, Rule
from lib2048.network import NTupleNetwork
from lib2048.random_words import GOLDEN, mix, stream
from lib2048.validate import NO_TILE

SLOTS = {1: 1, 2: 1 << 10}  # of the table of values, by plies
MOST_SLOTS = 1 << 17  # with more plies; eight times as many made six plies a tenth slower
MOVES_AT_ONCE = 1024  # between two returns to Python
PLANES, RANDOM, SCORE, MOVES, ENOUGH = range(5)  # entries of a game that is being played
NO_NUMBERS = (
    "this network holds values that are not numbers: it diverged in training, and cannot play"
)


class Tape(NamedTuple):
    """What is kept of a game's moves."""

    actions: np.ndarray  # uint8 (LONGEST)
    values: np.ndarray  # float32 (LONGEST, 4): what the actions were worth; (0, 4) to keep none


class PlayedGame(NamedTuple):
    """A game after it was played, or as far as it came when it was stopped."""

    score: int
    max_tile: int  # exponent
    moves: int
    is_over: bool  # False as well where it was left before anybody saw that nothing moves
    last_board: int
    actions: np.ndarray
    values: np.ndarray
    plies: int = 1  # how many its moves looked ahead, most of them


# The search


@kernel()
def _first_moves(net, known, planes, p4):
    """The four afterstates and what each action is worth at once: ILLEGAL where nothing moves.

    With them come the rewards of sliding along columns and across them, see `_outcomes`. Without a
    margin the order of the actions does not matter, and they are all worth 0.
    """
    if known.margin != F32(NO_MARGIN):
        return _outcomes(net, planes, p4)
    up, right, down, left, along, across = _slide_all_ways(planes)
    worths = (
        F32(0) if up != planes else ILLEGAL,
        F32(0) if right != planes else ILLEGAL,
        F32(0) if down != planes else ILLEGAL,
        F32(0) if left != planes else ILLEGAL,
    )
    return (up, right, down, left), worths, along, across


@kernel(nogil=True)
def _search(net, rule, search, planes):
    """The best action on a board in planes, the lowest of equally good ones.

    It is -1 where no action is legal, or none is worth a number. search is (known values, plies,
    memory for four values), which are filled in place: float32[4], nan where illegal. An action
    that is not looked into is worth what the network says of it at once.
    """
    known, plies, values = search
    known.search[0] += 1
    planes = _downgrade_planes(planes, rule.downgrade_from)
    p4 = F32(rule.p4)
    slid, worths, along, across = _first_moves(net, known, planes, p4)
    for action in range(4):
        values[action] = np.nan if worths[action] == ILLEGAL else worths[action]
    best = -1
    best_worth = ILLEGAL
    looked_into = 0
    action = _next_to_look_into(worths, looked_into, best_worth, known.margin)
    while action >= 0:
        worth = F32(across if action % 2 else along)
        worth += _expect(net, known, slid[action], plies, p4)
        values[action] = worth
        if worth > best_worth or (worth == best_worth and action < best):
            best = action
            best_worth = worth
        looked_into |= 1 << action
        action = _next_to_look_into(worths, looked_into, best_worth, known.margin)
    return best


# Playing by it


@kernel(nogil=True)
def _play_on(net, rule, search, game, tape, most):
    """Make up to `most` moves of a game and keep them on the tape, in place.

    search is what `_search` takes. It ends early after a move that earned `game[ENOUGH]`, with the
    new tile on the board. Returns whether the game goes on; when the search was stopped, it does.
    """
    known, _, values = search
    for _ in range(most):
        action = _search(net, rule, search, game[PLANES])
        if known.stop[0] != 0:
            return True
        if action < 0:
            return False
        move = game[MOVES]
        tape.actions[move] = action
        if move < len(tape.values):
            for each in range(4):
                tape.values[move, each] = values[each]
        afterstate, reward = _slide_planes(game[PLANES], action)
        game[RANDOM] += GOLDEN
        game[PLANES] = _spawn_in_planes(afterstate, mix(game[RANDOM]), rule.fours)
        game[SCORE] += reward
        game[MOVES] += uint64(1)
        if reward >= game[ENOUGH]:
            return True
    return True


@kernel()
def _replay(random, fours, actions, boards, rewards):
    """Play these actions from boards[0] on; fills the other boards and the rewards, in place.

    The random state is that of the last word drawn. Returns the number of actions that were played:
    the one after them is not possible.
    """
    for move in range(len(actions)):
        afterstate, reward = _slide(boards[move], actions[move])
        if afterstate == boards[move]:
            return move
        random += GOLDEN
        boards[move + 1] = _spawn(afterstate, mix(random), fours)
        rewards[move] = reward
    return len(actions)


class Start(NamedTuple):
    """Where a game begins that does not begin with two new tiles."""

    board: int
    first_move: int = 0
    """The number of its first move.

    The tiles of a move depend on the seed and this number. So a game that begins with board number
    k of another one, at move k, goes on as that one did as long as its moves are the same.
    """


def _opened(rule: Rule, number: int, start: Start | None) -> tuple[int, int]:
    """The first board of a game, and the random state that its first move goes on from."""
    random = int(stream(rule.seed, uint64(number)))
    board = int(_first_board(uint64(random), rule.fours)) if start is None else start.board
    first_move = 0 if start is None else start.first_move
    return board, (random + int(FIRST_WORDS) + first_move * int(GOLDEN)) % 2**64


def replay(
    rule: Rule, number: int, actions: np.ndarray, start: Start | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Boards (uint64, one more than actions) and rewards (int32) of a game, from its actions.

    Raises
    ------
    ValueError
        If an action is not possible.
    """
    board, random = _opened(rule, number, start)
    boards = np.empty(len(actions) + 1, np.uint64)
    boards[0] = board
    rewards = np.empty(len(actions), np.int32)
    played = _replay(uint64(random), rule.fours, actions, boards, rewards)
    if played < len(actions):
        action = actions[played]
        raise ValueError(f"move {played} of this game, action {action}, is not possible")
    return boards, rewards


class Search:
    """A player that looks ahead, with the table of values it has worked out so far.

    They hold for one network and p4; the number of plies may change, up to DEEPEST. A thread needs
    a Search of its own; several may share a flag that stops them. `memory` is what the table may
    take, in bytes. See fast/expecting.py for `margin`.
    """

    def __init__(
        self,
        net: NTupleNetwork,
        plies: int,
        rule: Rule,
        stop: np.ndarray | None = None,
        keep_values: bool = False,
        memory: int | None = None,
        margin: float = NO_MARGIN,
    ):
        if plies > DEEPEST:
            raise ValueError(f"a search looks at most {DEEPEST} plies ahead, got {plies}")
        self.net = net
        self.plies = plies
        self.rule = rule
        self.stop = np.zeros(1, np.uint8) if stop is None else stop
        slots = SLOTS.get(plies, MOST_SLOTS) if memory is None else memory // BYTES_OF_A_SLOT
        self.known = known_values(slots, self.stop, margin)
        self.tape = Tape(
            np.empty(LONGEST, np.uint8),
            np.empty((LONGEST if keep_values else 0, 4), np.float32),
        )

    def choose(self, board: np.uint64) -> tuple[int | None, np.ndarray]:
        """The best action, None where there is none, and what all four are worth (float32[4])."""
        values = np.empty(4, np.float32)
        search = (self.known, self.plies, values)
        planes = uint64(_to_planes(board))
        action = _search(self.net.arrays, self.rule, search, planes)
        return (None if action < 0 else int(action)), values

    def play(self, number: int, start: Start | None = None, until: int = NO_TILE) -> PlayedGame:
        """Play game `number` of the run, to its end or until the flag is set.

        It begins with two new tiles, or where `start` says. It is left as soon as there is a tile
        of the exponent `until`, or a larger one.

        Raises
        ------
        ValueError
            If the values of the network are not numbers.
        """
        arrays = self.net.arrays
        search = (self.known, self.plies, np.empty(4, np.float32))
        board, random = _opened(self.rule, number, start)
        game = np.zeros(5, np.uint64)
        game[PLANES] = _to_planes(uint64(board))
        game[RANDOM] = random
        game[ENOUGH] = least_reward(uint64(until))
        last_board = uint64(board)
        goes_on = True
        while goes_on and not self.stop[0]:
            if _largest_exponent(last_board) >= until:
                break
            goes_on = _play_on(arrays, self.rule, search, game, self.tape, MOVES_AT_ONCE)
            last_board = uint64(_to_board(game[PLANES]))
        if not goes_on and not _is_dead(last_board):
            raise ValueError(NO_NUMBERS)
        moves = int(game[MOVES])
        return PlayedGame(
            score=int(game[SCORE]),
            max_tile=int(_largest_exponent(last_board)),
            moves=moves,
            is_over=not goes_on,
            last_board=int(last_board),
            actions=self.tape.actions[:moves].copy(),
            values=self.tape.values[:moves].copy(),
            plies=self.plies,
        )
