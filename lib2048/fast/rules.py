"""TD(0) learning: the rules, as kernels.

An episode is s0 a0 r0 s0' s1 a1 r1 s1' ... s_T, where s' is the afterstate (the board after the
slide, before the new tile) and s_T is dead. Each rule moves a value towards the value one step
later, V(dead board) = 0:

    V(afterstate):  V(s'_t) <- V(s'_t) + alpha (r_t+1 + V(s'_t+1) - V(s'_t))
    V(state):       V(s_t)  <- V(s_t)  + alpha (r_t   + V(s_t+1)  - V(s_t))

After the last move there is no next value and no next reward, so V(s'_T-1) moves towards 0, or
towards a prize where games end at a tile.

"backward" learns when the game is over, last step first, so that each target is already up to date.
"forward" learns during the game, as soon as the next value is known. alpha is the whole step: each
of the m lookups gets alpha/m of it.

The same rules, written to be read, are in lib2048/learning.py; these are written to be fast, and
learn the same to the bit.
"""

from typing import Any, NamedTuple

import numpy as np

from lib2048.board import _largest_exponent, _opening, least_reward
from lib2048.fast.choosing import _choose
from lib2048.fast.downgrading import _downgrade_planes
from lib2048.fast.lookup import (
    F32,
    _add_coherently,
    _add_to_lookups,
    _find_ahead,
    _images,
    _look_up,
    _sum_of_lookups,
    _value,
)
from lib2048.fast.planes import (
    _is_dead_in_planes,
    _slide_planes,
    _spawn_in_planes,
    _to_board,
    _to_planes,
)
from lib2048.kernels import kernel, uint64
from lib2048.learning import BACKWARD, LONGEST, record, value_of_end
from lib2048.random_words import GOLDEN, mix, stream

FIRST_WORDS = uint64(2 * int(GOLDEN) % 2**64)
"""How far the random state is at the first move: two words are for the first board."""


class Episode(NamedTuple):
    """Memory for the game being played, one for each thread."""

    boards: np.ndarray
    """uint64 (T): the planes of what is learned about, s'_t or s_t."""

    rewards: np.ndarray
    """int32 (T): r_t."""

    lookup_places: np.ndarray
    """uint64 (lookups): where the weights of the board being learned about are."""

    next_places: np.ndarray
    """uint64 (lookups): the same for the board that is learned about next."""


def new_episode(net: Any) -> Episode:
    """Memory for one game of this network."""
    return Episode(
        boards=np.empty(LONGEST, np.uint64),
        rewards=np.empty(LONGEST, np.int32),
        lookup_places=np.empty(net.lookups, np.uint64),
        next_places=np.empty(net.lookups, np.uint64),
    )


# Learning from a board


@kernel(forceinline=True)
def _learn(net, rule, lookup_places, planes, target):
    """Move V of a board towards the target, in place. Returns V after (float32)."""
    error = target - _look_up(net, _images(planes), lookup_places)
    step = F32(rule.alpha) * error
    if rule.coherence:
        return _add_coherently(net, lookup_places, step)
    return _add_to_lookups(net, lookup_places, step)


@kernel(forceinline=True)
def _learn_coherently(net, rule, lookup_places, target):
    """As `_learn` with coherence, once `_find_ahead` has found the board's lookups (float32)."""
    error = target - _sum_of_lookups(net, lookup_places)
    return _add_coherently(net, lookup_places, F32(rule.alpha) * error)


# Learning from an episode


@kernel()
def _learn_backward(net, rule, episode, moves, end):
    """Learn from the first `moves` entries of an episode, last first.

    `end` is what comes after its last board. Returns the last value learned (float32).

    With lambda, each target takes part of the next target in place of the next value. Both are at
    hand here, since the next step was learned just before.

    Learning coherently waits for memory more than anything else: beside each weight there are two
    sums. So the lookups of a board are found, and what lies there is fetched, while the processor
    is busy with the board before. That learns a sixth more moves a second. Without coherence, with
    a third of the memory to wait for, it would cost a tenth.
    """
    target = end
    after = F32(0)
    places = episode.lookup_places
    next_places = episode.next_places
    if rule.coherence and moves > 0:
        _find_ahead(net, _images(episode.boards[moves - 1]), places)
    for t in range(moves - 1, -1, -1):
        reward = F32(episode.rewards[t])
        if net.state_values:  # r_t lies between s_t and s_t+1 ...
            target += reward
        if rule.coherence:
            if t > 0:
                _find_ahead(net, _images(episode.boards[t - 1]), next_places)
            after = _learn_coherently(net, rule, places, target)
            places, next_places = next_places, places
        else:
            after = _learn(net, rule, places, episode.boards[t], target)
        target = after + F32(rule.lambda_) * (target - after)
        if not net.state_values:  # ... and between s'_t-1 and s'_t
            target += reward
    return after


@kernel()
def _learn_forward(net, rule, episode, moves):
    """Learn from the first `moves` entries of an episode in order, as `_play_forward` does."""
    value = F32(0)
    for t in range(moves):
        target = F32(0)
        is_last = t + 1 == moves
        if not is_last:
            target = _value(net, _images(episode.boards[t + 1]))
        if net.state_values:
            target += F32(episode.rewards[t])
        elif not is_last:
            target += F32(episode.rewards[t + 1])
        value = _learn(net, rule, episode.lookup_places, episode.boards[t], target)
    return value


# Playing


@kernel()
def _play_game(net, rule, random, episode, planes):
    """Play greedily from a board to the end, or to the tile that ends a game, into the episode.

    Returns (moves, score, last board, random state).

    The episode takes what the network was shown: boards and rewards that may be smaller than those
    of the game.
    """
    score = uint64(0)
    moves = 0
    board = _to_board(planes)
    if _largest_exponent(board) >= rule.until:
        return moves, score, board, random
    to_look_from = least_reward(rule.until)
    while True:
        shown = _downgrade_planes(planes, rule.downgrade_from)
        action, afterstate, reward, _ = _choose(net, shown, F32(rule.p4))
        if action < 0:
            return moves, score, _to_board(planes), random
        episode.boards[moves] = shown if net.state_values else afterstate
        episode.rewards[moves] = reward
        if shown != planes:
            afterstate, reward = _slide_planes(planes, action)
        score += reward
        moves += 1
        random += GOLDEN
        planes = _spawn_in_planes(afterstate, mix(random), rule.fours)
        if reward >= to_look_from:
            board = _to_board(planes)
            if _largest_exponent(board) >= rule.until:
                return moves, score, board, random


@kernel()
def _play_forward(net, rule, random, lookup_places):
    """Play one greedy game and learn after each move.

    Returns (moves, score, last board, last value learned).

    V(s') learns as soon as the next action is chosen, V(s) as soon as the next tile has appeared.
    What V(s') learns coherently with is fetched while the next action is chosen.
    """
    planes = _to_planes(_opening(random, rule.starts, rule.fours))
    random += FIRST_WORDS
    shown = _downgrade_planes(planes, rule.downgrade_from)
    afterstate_before = shown
    score = uint64(0)
    moves = 0
    value = F32(0)
    while True:
        action, shown_afterstate, shown_reward, worth = _choose(net, shown, F32(rule.p4))
        if not net.state_values and moves > 0:
            target = F32(0) if action < 0 else worth
            if rule.coherence:
                value = _learn_coherently(net, rule, lookup_places, target)
            else:
                value = _learn(net, rule, lookup_places, afterstate_before, target)
        if action < 0:
            return moves, score, _to_board(planes), value
        if rule.coherence and not net.state_values:
            _find_ahead(net, _images(shown_afterstate), lookup_places)
        afterstate = shown_afterstate
        reward = shown_reward
        if shown != planes:
            afterstate, reward = _slide_planes(planes, action)
        score += reward
        moves += 1
        random += GOLDEN
        planes = _spawn_in_planes(afterstate, mix(random), rule.fours)
        shown_next = _downgrade_planes(planes, rule.downgrade_from)
        if net.state_values:
            target = F32(shown_reward)
            if not _is_dead_in_planes(shown_next):
                target += _value(net, _images(shown_next))
            value = _learn(net, rule, lookup_places, shown, target)
        afterstate_before = shown_afterstate
        shown = shown_next


@kernel()
def _restart(net, rule, random, episode, moves):
    """Play on from the middle of the game, then from the middle of that one, ...; learn each time.

    Late boards are rare and hard; each such game starts later than the one before (Matsuzaki 2017,
    "Developing a 2048 player with backward temporal coherence learning and restart"). The episode
    holds boards as they were shown, so where smaller ones were shown, such a game goes on from a
    smaller one. Returns the moves made.
    """
    moves_made = 0
    while moves // 2 >= rule.restart:
        random += GOLDEN
        planes = episode.boards[moves // 2]
        if not net.state_values:
            planes = _spawn_in_planes(planes, mix(random), rule.fours)
        moves, _, last_board, random = _play_game(net, rule, random, episode, planes)
        _learn_backward(net, rule, episode, moves, value_of_end(rule, last_board))
        moves_made += moves
    return moves_made


# Many games


@kernel(nogil=True)
def _run(net, rule, episode, games, first, count):
    """Play games number first, first + 1, ... and learn from each, backward, if the rule says so.

    The results go to the entries from `games.done` on.
    """
    for game in range(first, first + count):
        random = stream(rule.seed, game)
        start = _to_planes(_opening(random, rule.starts, rule.fours))
        random += FIRST_WORDS
        moves, score, board, random = _play_game(net, rule, random, episode, start)
        if rule.order == BACKWARD:
            end = value_of_end(rule, board)
            games.value[0] = _learn_backward(net, rule, episode, moves, end)
            if rule.restart > 0:
                moves += _restart(net, rule, random, episode, moves)
        record(games, rule, score, board, moves)
        if not np.isfinite(games.value[0]):
            return


@kernel(nogil=True)
def _run_forward(net, rule, episode, games, first, count):
    """As `_run`, learning forward.

    (Two kernels, so that whoever uses one does not wait for both to be compiled.)
    """
    for game in range(first, first + count):
        random = stream(rule.seed, game)
        moves, score, board, value = _play_forward(net, rule, random, episode.lookup_places)
        games.value[0] = value
        record(games, rule, score, board, moves)
        if not np.isfinite(value):
            return
