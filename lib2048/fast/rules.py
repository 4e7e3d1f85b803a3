"""TD(0) learning: the rules, as kernels.

An episode is s0 a0 r0 s0' s1 a1 r1 s1' ... s_T, where s' is the afterstate (the board after the slide, before the new
tile) and s_T is dead. Each rule moves a value towards the value one step later, V(dead board) = 0:

    V(afterstate):  V(s'_t) <- V(s'_t) + alpha (r_t+1 + V(s'_t+1) - V(s'_t))      and r + V = 0 after the last move
    V(state):       V(s_t)  <- V(s_t)  + alpha (r_t   + V(s_t+1)  - V(s_t))

"backward" learns when the game is over, last step first, so that each target is already up to date. "forward" learns
during the game, as soon as the next value is known. alpha is the whole step: each of the m lookups gets alpha/m of it.
"""

from typing import NamedTuple

import numpy as np

from lib2048.board import GOLDEN, _first_board, _is_dead, _largest_exponent, _mix, _stream
from lib2048.fast.choosing import _choose
from lib2048.fast.downgrading import _shown
from lib2048.fast.lookup import AFTERSTATE, F32, STATE, _add, _add_coherent, _find, _images, _value
from lib2048.fast.planes import _board, _is_stuck, _planes, _slid, _spawned
from lib2048.kernels import U, kernel

NO_LEARNING, BACKWARD, FORWARD = range(3)
ORDERS = {"backward": BACKWARD, "forward": FORWARD}
LONGEST = (
    1 << 18
)  # moves: each adds at least 2 to the sum of the tiles, and 16 cells hold at most 16 * 32768


class Rule(NamedTuple):
    """How games are played and learned from, as kernels see it."""

    order: int  # NO_LEARNING, BACKWARD or FORWARD
    alpha: float  # step of each lookup: alpha / lookups
    coherence: bool
    lambda_: float  # how much of each target comes from further ahead, 0 for TD(0)
    top: (
        np.uint64
    )  # the exponent from which on the network is shown smaller boards, see downgrade.py
    restart: int  # play on from the middle of a finished game while at least this many moves are left; 0 for never
    p4: float
    fours: np.uint64  # see board.fours_below
    seed: np.uint64


class Path(NamedTuple):
    """Room for the game being played, one for each thread."""

    boards: np.ndarray  # uint64 (T): the planes of what is learned about, s'_t or s_t
    rewards: np.ndarray  # int32 (T): r_t
    places: np.ndarray  # uint64 (lookups): where the weights of the board being learned about are


class Games(NamedTuple):
    """Results, one entry a game; `done` counts the games finished, `value` holds the last value learned."""

    scores: np.ndarray  # int64
    max_tiles: np.ndarray  # uint8, exponents
    moves: np.ndarray  # int32
    done: np.ndarray  # int64, one entry
    value: np.ndarray  # float32, one entry


def new_path(net) -> Path:
    """Room for one game of this network."""
    return Path(
        np.empty(LONGEST, np.uint64), np.empty(LONGEST, np.int32), np.empty(net.lookups, np.uint64)
    )


@kernel(forceinline=True)
def _learn(net, rule, places, planes, target):
    """Move V of a board towards the target, in place. Returns V after (float32)."""
    step = F32(rule.alpha) * (target - _find(net, _images(planes), places))
    if rule.coherence:
        return _add_coherent(net, places, step)
    return _add(net, places, step)


@kernel()
def _learn_backward(net, rule, path, moves):
    """Learn from the first `moves` entries of the path, last first. Returns the last value learned (float32)."""
    boards, rewards, places = path
    target, after = F32(0), F32(0)
    for t in range(moves - 1, -1, -1):
        reward = F32(rewards[t])
        if net.kind == STATE:
            target += reward
        after = _learn(net, rule, places, boards[t], target)
        target = after + F32(rule.lambda_) * (target - after)
        if net.kind == AFTERSTATE:
            target += reward
    return after


@kernel()
def _learn_forward(net, rule, path, moves):
    """Learn from the first `moves` entries of the path in the order they happened, as `_play_forward` does."""
    boards, rewards, places = path
    value = F32(0)
    for t in range(moves):
        target, after = F32(0), t + 1
        if after < moves:
            target = _value(net, _images(boards[after]))
        if net.kind == STATE:
            target += F32(rewards[t])
        elif after < moves:
            target += F32(rewards[after])
        value = _learn(net, rule, places, boards[t], target)
    return value


@kernel()
def _play_game(net, rule, state, path, planes):
    """Play greedily from a board to the end, into the path. Returns (moves, score, last board, random state).

    The path takes what the network was shown: boards and rewards that may be smaller than those of the game.
    """
    boards, rewards, _ = path
    score, t = U(0), 0
    while True:
        shown = _shown(planes, rule.top)
        action, afterstate, reward, _ = _choose(net, shown, F32(rule.p4))
        if action < 0:
            return t, score, _board(planes), state
        boards[t] = afterstate if net.kind == AFTERSTATE else shown
        rewards[t] = reward
        if shown != planes:
            afterstate, reward = _slid(planes, action)
        score += reward
        t += 1
        state += GOLDEN
        planes = _spawned(afterstate, _mix(state), rule.fours)


@kernel()
def _play_forward(net, rule, state, places):
    """Play one greedy game and learn after each move. Returns (moves, score, last board, last value learned)."""
    planes, score, t = _planes(_first_board(state, rule.fours)), U(0), 0
    shown = _shown(planes, rule.top)
    before, value = shown, F32(0)
    state += U(2) * GOLDEN
    while True:
        action, learned, gained, worth = _choose(net, shown, F32(rule.p4))
        if net.kind == AFTERSTATE and t > 0:
            value = _learn(net, rule, places, before, F32(0) if action < 0 else worth)
        if action < 0:
            return t, score, _board(planes), value
        afterstate, reward = (learned, gained) if shown == planes else _slid(planes, action)
        score += reward
        t += 1
        state += GOLDEN
        planes = _spawned(afterstate, _mix(state), rule.fours)
        following = _shown(planes, rule.top)
        if net.kind == STATE:
            target = F32(gained)
            if not _is_stuck(following):
                target += _value(net, _images(following))
            value = _learn(net, rule, places, shown, target)
        before, shown = learned, following


@kernel()
def _restart(net, rule, state, path, moves):
    """Play on from the middle of the game in the path, then of that one, and so on; learn each time.

    Late boards are rare and hard; each such game starts later than the one before (Matsuzaki 2017, "Developing a 2048
    player with backward temporal coherence learning and restart"). The path holds boards as they were shown, so where
    smaller ones were shown, such a game goes on from a smaller one. Returns the moves made.
    """
    made = 0
    while moves // 2 >= rule.restart:
        state += GOLDEN
        planes = path.boards[moves // 2]
        if net.kind == AFTERSTATE:
            planes = _spawned(planes, _mix(state), rule.fours)
        moves, _, _, state = _play_game(net, rule, state, path, planes)
        _learn_backward(net, rule, path, moves)
        made += moves
    return made


@kernel()
def _record(games, score, board, moves):
    """Write down a finished game, in place."""
    slot = games.done[0]
    games.scores[slot] = score
    games.max_tiles[slot] = _largest_exponent(board)
    games.moves[slot] = moves
    games.done[0] = slot + 1
    if not _is_dead(board):  # no action seemed worth anything: the values are no numbers
        games.value[0] = np.nan


@kernel(nogil=True)
def _run(net, rule, path, games, first, count):
    """Play and, by the rule, learn backward from games first .. first + count - 1; results go to entries done, ..."""
    for game in range(first, first + count):
        state = _stream(rule.seed, game)
        start = _planes(_first_board(state, rule.fours))
        moves, score, board, state = _play_game(net, rule, state + U(2) * GOLDEN, path, start)
        if rule.order == BACKWARD:
            games.value[0] = _learn_backward(net, rule, path, moves)
            if rule.restart > 0:
                moves += _restart(net, rule, state, path, moves)
        _record(games, score, board, moves)
        if not np.isfinite(games.value[0]):
            return


@kernel(nogil=True)
def _run_forward(net, rule, path, games, first, count):
    """As `_run`, learning forward. (Two kernels, so that whoever uses one does not wait for both to be compiled.)"""
    for game in range(first, first + count):
        moves, score, board, games.value[0] = _play_forward(
            net, rule, _stream(rule.seed, game), path.places
        )
        _record(games, score, board, moves)
        if not np.isfinite(games.value[0]):
            return
