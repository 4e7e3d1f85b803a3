"""Looking ahead: expectimax over afterstates.

With plies = 1 an action is worth r + V(s'). With more, V(s') is replaced by what the network expects to find one move
later: the mean, over every tile that may appear, of the best action there, itself judged with one ply less. The search
stops at afterstates (for a network of state values, at states), because those are what the network has learned.

    W(s', 1) = V(s')
    W(s', n) = mean over spawns s'' of max over actions of r + W(afterstate of s'', n - 1),  0 where s'' is dead

Different orders of moves often meet in the same afterstate, so values are kept in a table: a slot holds one
afterstate with its plies and value, and a newcomer replaces what was there.
"""

import threading
from typing import NamedTuple

import numpy as np

from lib2048.board import _first_board
from lib2048.fast.choosing import ILLEGAL, _worth_after
from lib2048.fast.downgrading import _downgrade_planes
from lib2048.fast.lookup import F32, _images
from lib2048.fast.planes import (
    _empty_in_planes,
    _slide_all_ways,
    _slide_planes,
    _spawn_in_planes,
    _to_board,
    _to_planes,
)
from lib2048.kernels import U, kernel
from lib2048.learning import record
from lib2048.random_words import GOLDEN, mix, stream

SLOTS = 1 << 17
MOVES_AT_TWO_PLIES = 1024  # between two returns to Python, where Ctrl-C acts; a move takes some 30 times longer a ply


class Known(NamedTuple):
    """Values found so far, one slot each."""

    boards: np.ndarray  # uint64, the planes of the afterstate; 0 where the slot is free (an afterstate is never empty)
    plies: np.ndarray  # uint8
    values: np.ndarray  # float32


@kernel()
def _expect(net, known, afterstate, plies, p4):
    """W(afterstate, plies), see above, of an afterstate in planes (float32); fills `known` in place."""
    if plies == 1:
        return _worth_after(net, afterstate, _images(afterstate), p4)
    slot = mix(afterstate + U(plies)) & U(len(known.boards) - 1)
    if known.boards[slot] == afterstate and known.plies[slot] == plies:
        return known.values[slot]
    empty = _empty_in_planes(afterstate)
    total, cells = F32(0), F32(0)
    while empty:
        cell = empty & (~empty + U(1))
        empty ^= cell
        cells += F32(1)
        for exponent in range(2):
            planes = afterstate | (cell << U(16 * exponent))
            up, right, down, left, along, across = _slide_all_ways(planes)
            best = ILLEGAL
            if up != planes:
                best = max(best, F32(along) + _expect(net, known, up, plies - 1, p4))
            if right != planes:
                best = max(best, F32(across) + _expect(net, known, right, plies - 1, p4))
            if down != planes:
                best = max(best, F32(along) + _expect(net, known, down, plies - 1, p4))
            if left != planes:
                best = max(best, F32(across) + _expect(net, known, left, plies - 1, p4))
            if best != ILLEGAL:
                total += (p4 if exponent else F32(1) - p4) * best
    total /= cells
    known.boards[slot], known.plies[slot], known.values[slot] = afterstate, plies, total
    return total


@kernel()
def _search(net, known, planes, plies, p4, values):
    """Write what the four actions are worth into `values` (float32[4], nan where illegal). Returns the best or -1."""
    up, right, down, left, along, across = _slide_all_ways(planes)
    best = -1
    for action in range(4):
        afterstate = (up, right, down, left)[action]
        values[action] = np.nan
        if afterstate != planes:
            reward = across if action % 2 else along
            values[action] = F32(reward) + _expect(net, known, afterstate, plies, p4)
            if best < 0 or values[action] > values[best]:
                best = action
    return best


@kernel()
def _begin(rule, game, at):
    """Set `at`, uint64[4], to the start of a game: planes, random state, score, moves so far."""
    state = stream(rule.seed, game)
    at[0], at[1], at[2], at[3] = (
        _to_planes(_first_board(state, rule.fours)),
        state + U(2) * GOLDEN,
        U(0),
        U(0),
    )


@kernel(nogil=True)
def _play_on(net, rule, search, at, games, most):
    """Make up to `most` moves of the game in `at` (see _begin), in place. Whether that ended it; then it is recorded.

    search is (known, plies, room for four values).
    """
    known, plies, values = search
    for _ in range(most):
        action = _search(
            net, known, _downgrade_planes(at[0], rule.downgrade_from), plies, F32(rule.p4), values
        )
        if action < 0:
            record(games, at[2], _to_board(at[0]), at[3])
            return True
        afterstate, reward = _slide_planes(at[0], action)
        at[1] += GOLDEN
        at[0] = _spawn_in_planes(afterstate, mix(at[1]), rule.fours)
        at[2] += reward
        at[3] += U(1)
    return False


class Search:
    """A search with its table of known values, which hold for one network and one p4. Each thread has its own table."""

    learns = False

    def __init__(self, plies: int, net=None):
        self.plies, self.local, self.net = plies, threading.local(), net

    def _room(self):
        if not hasattr(self.local, "known"):
            self.local.known = Known(
                np.zeros(SLOTS, np.uint64), np.zeros(SLOTS, np.uint8), np.zeros(SLOTS, np.float32)
            )
        return self.local.known

    def values(self, net, board, p4: float) -> np.ndarray:
        """What the four actions are worth (float32[4]), nan where illegal."""
        out = np.empty(4, np.float32)
        _search(net.arrays, self._room(), _to_planes(board), self.plies, F32(p4), out)
        return out

    def play_by(self, rule) -> None:
        """Play the games to come by this rule."""
        self.rule = rule

    def run(self, worker: int, games, first: int, count: int) -> None:
        """Play games as rules._run does without learning. Ctrl-C acts between moves."""
        arrays, rule = self.net.arrays, self.rule
        search, at = (self._room(), self.plies, np.empty(4, np.float32)), np.empty(4, np.uint64)
        most = max(1, MOVES_AT_TWO_PLIES >> 5 * (self.plies - 2))
        for game in range(first, first + count):
            _begin(rule, game, at)
            while not _play_on(arrays, rule, search, at, games, most):
                pass
