"""The museum of bugs: what students get wrong, each fault made on purpose, one at a time.

The kernels play and learn by the rules of lib2048, said as plainly as they can be. Without a fault they give the same
games and the same weights, bit by bit (tests/test_faults.py). Each fault is one branch, `if fault == NAME`. What goes
wrong in saving, loading and choosing patterns needs no kernel: it is in museum.py, with the experiment that runs all.
"""

from typing import NamedTuple

import numpy as np

from lib2048 import DOWN
from lib2048.board import (
    ROW,
    _count_bits,
    _empty_cells,
    _first_board,
    _is_dead,
    _largest_exponent,
    _slide,
    _spawn,
)
from lib2048.fast.choosing import ILLEGAL, _mean_over_spawns
from lib2048.fast.lookup import F32, _images, _update_board, _value_of_board
from lib2048.fast.planes import _to_planes
from lib2048.kernels import U, kernel
from lib2048.learning import LONGEST
from lib2048.random_words import GOLDEN, mix, stream

NONE, LATE_REWARD, END_RECORD, STALE_VALUE, NO_NEW_TILE = range(5)  # faults in learning,
NOT_DIVIDED, OTHER_ODDS, FROM_MINUS_1 = range(5, 8)  # in choosing,
UPSIDE_DOWN, HALF_REWARD = range(8, 10)  # in the environment


class Path(NamedTuple):
    """Room for the game being played."""

    boards: np.ndarray  # uint64 (T): what is learned about, s'_t or s_t
    actions: np.ndarray  # int64 (T)
    rewards: np.ndarray  # int64 (T)
    values: np.ndarray  # float32 (T): V of these boards while the game was played
    worths: np.ndarray  # float32 (T): what the chosen actions seemed worth
    places: np.ndarray  # uint64 (lookups)


@kernel()
def _upside_down(board):
    """The board with its top row at the bottom."""
    upper, lower = (board & ROW) << U(48) | (board >> U(16) & ROW) << U(32), board >> U(32)
    return upper | (lower & ROW) << U(16) | lower >> U(16)


@kernel()
def _move(board, action, fault):
    """The environment's part: (afterstate, reward), reward -1 when nothing moves."""
    afterstate, gained = _slide(board, action)
    reward = np.int64(gained)
    if afterstate == board:
        return board, -1
    if fault == UPSIDE_DOWN and action == DOWN:
        afterstate = _upside_down(afterstate)  # UP of the mirrored board, not mirrored back
    if fault == HALF_REWARD:
        reward //= 2  # the tile that merged, not the tile that came of it
    return afterstate, reward


@kernel()
def _following(net, afterstate, p4, fault):
    """What an afterstate is worth: V(s'), or the mean of V over the boards that may follow it (float32)."""
    if not net.state_values:
        return _value_of_board(net, afterstate)
    if fault == OTHER_ODDS:
        p4 = F32(0.2)  # while the environment's is 0.1
    mean = _mean_over_spawns(net, _to_planes(afterstate), _images(_to_planes(afterstate)), p4)
    if fault == NOT_DIVIDED:
        mean *= F32(_count_bits(_empty_cells(afterstate)))  # the sum over the empty cells
    return mean


@kernel()
def _best(net, board, p4, fault):
    """The action of the largest reward + value, the lowest of equals: (action or -1, afterstate, reward, worth)."""
    best, action, afterstate, reward = ILLEGAL, -1, board, 0
    if fault == FROM_MINUS_1:
        best = F32(-1)  # so an action that is worth less is never taken
    for candidate in range(4):
        after, gained = _move(board, candidate, fault)
        if gained >= 0:
            worth = F32(gained) + _following(net, after, p4, fault)
            if worth > best:
                best, action, afterstate, reward = worth, candidate, after, gained
    return action, afterstate, reward, best


@kernel()
def _play(net, rule, state, path, fault):
    """Play one game into the path. Returns (moves, score, the last board)."""
    board, score, t = _first_board(state, rule.fours), 0, 0
    state += U(2) * GOLDEN
    while True:
        action, afterstate, reward, worth = _best(net, board, F32(rule.p4), fault)
        if action < 0:
            return t, score, board
        path.boards[t] = afterstate if not net.state_values else board
        path.actions[t], path.rewards[t], path.worths[t] = action, reward, worth
        path.values[t] = _value_of_board(net, path.boards[t])
        score += reward
        t += 1
        state += GOLDEN
        board = _spawn(afterstate, mix(state), rule.fours)


@kernel()
def _learn(net, rule, path, moves, last, fault):
    """Learn from the game in the path, last move first. Returns the last value learned (float32)."""
    alpha, target, after = F32(rule.alpha), F32(0), F32(0)
    late = not net.state_values
    if fault == LATE_REWARD:
        late = True  # V(state) by the loop of V(afterstate): r_t joins the target too late
    if fault == END_RECORD:
        # the record of the end is learned from like a move: a dead board, -1 for its reward
        step = alpha * (F32(0) - _value_of_board(net, last))
        target = F32(-1) + _update_board(net, last, step, path.places)
    for t in range(moves - 1, -1, -1):
        board, reward, value = path.boards[t], F32(path.rewards[t]), _value_of_board(net, path.boards[t])
        if fault == STALE_VALUE:
            value = path.values[t]  # V as it was when the move was made
        if fault == NO_NEW_TILE and t + 1 < moves:
            # the next move is made on s' where it must be made on s''
            skipped, gained = _move(board, path.actions[t + 1], fault)
            target = F32(max(gained, 0)) + _value_of_board(net, skipped)
        if not late:
            target += reward
        after = _update_board(net, board, alpha * (target - value), path.places)
        target = after
        if late:
            target += reward
    return after


@kernel()
def _surprise(net, path, moves):
    """How much more the moves of a state network seemed worth than r + V(next state) turned out to be (mean, float32).

    0 for a network of afterstate values, which averages over nothing.
    """
    total = F32(0)
    if net.state_values:
        for t in range(moves):
            following = path.values[t + 1] if t + 1 < moves else F32(0)
            total += path.worths[t] - (F32(path.rewards[t]) + following)
    return total / F32(max(1, moves))


@kernel()
def _full_score(board):
    """The score of a board whose spawned tiles were all 2s: a tile of 2^e took e - 1 rounds of merges, 2^e each."""
    total = 0
    while board:
        exponent = np.int64(board & U(15))
        total += max(exponent - 1, 0) << exponent
        board >>= U(4)
    return total


SIGNS = (
    "score",
    "largest",
    "moves",
    "estimate",
    "surprise",
    "alive",
    "full_score",
)  # columns of `signs`


@kernel(nogil=True)
def _run(net, rule, path, signs, first, fault):
    """Play and learn from games first, first + 1, ...; row after row of `signs` (float64, in place) says how they went.

    Returns how many, fewer than there are rows when values are no numbers any more.
    """
    for row in range(len(signs)):
        moves, score, last = _play(net, rule, stream(rule.seed, first + row), path, fault)
        signs[row, 0], signs[row, 1], signs[row, 2] = score, _largest_exponent(last), moves
        signs[row, 3], signs[row, 4] = (
            path.worths[0] if moves > 0 else F32(0),
            _surprise(net, path, moves),
        )
        signs[row, 5], signs[row, 6] = not _is_dead(last), _full_score(last)
        if not np.isfinite(_learn(net, rule, path, moves, last, fault)):
            return row
    return len(signs)


def new_episode(net) -> Path:
    """Room for one game of this network."""
    types = np.uint64, np.int64, np.int64, np.float32, np.float32
    return Path(*(np.empty(LONGEST, one) for one in types), np.empty(net.lookups, np.uint64))
