"""The museum of faults: what students get wrong, made on purpose, one fault at a time.

Here are the faults in the game, in choosing and in learning. Each kernel does what its namesake in
lib2048/learning.py does, with a branch `if fault == NAME` for every fault it may have; without a
fault it gives the same games and the same weights, to the bit. museum.py trains with these kernels,
tries them by hand, and has the faults that need no kernel.
"""

from typing import NamedTuple

import numpy as np

from lib2048.board import (
    DOWN,
    ROW,
    _count_bits,
    _empty_cells,
    _first_board,
    _is_dead,
    _largest_exponent,
    _slide,
    _spawn,
)
from lib2048.kernels import kernel, uint64
from lib2048.learning import F32, LONGEST, add_in_pairs, find
from lib2048.learning import afterstate_value as right_afterstate_value
from lib2048.random_words import GOLDEN, mix, stream

NONE, LATE_REWARD, END_RECORD, STALE_VALUE, NO_NEW_TILE = range(5)
"""Faults in learning; and none."""

NOT_DIVIDED, OTHER_ODDS, FROM_MINUS_1 = range(5, 8)
"""Faults in choosing."""

UPSIDE_DOWN, HALF_REWARD = range(8, 10)
"""Faults in the game."""

ONE_TABLE, CLIPPED = range(10, 12)
"""Faults in the network."""

NUMBERS = {
    "NONE": NONE,
    "LATE_REWARD": LATE_REWARD,
    "END_RECORD": END_RECORD,
    "STALE_VALUE": STALE_VALUE,
    "NO_NEW_TILE": NO_NEW_TILE,
    "NOT_DIVIDED": NOT_DIVIDED,
    "OTHER_ODDS": OTHER_ODDS,
    "FROM_MINUS_1": FROM_MINUS_1,
    "UPSIDE_DOWN": UPSIDE_DOWN,
    "HALF_REWARD": HALF_REWARD,
    "ONE_TABLE": ONE_TABLE,
    "CLIPPED": CLIPPED,
}
"""The faults of this file by their names."""


class Episode(NamedTuple):
    """Memory for one game. It holds more than learning needs, because some faults use more."""

    boards: np.ndarray
    """uint64 (LONGEST): the boards to learn about, s'_t or s_t."""

    actions: np.ndarray
    """int64 (LONGEST): a_t."""

    rewards: np.ndarray
    """int64 (LONGEST): r_t."""

    values: np.ndarray
    """float32 (LONGEST): V of these boards while the game was played."""

    worths: np.ndarray
    """float32 (LONGEST): what the chosen actions seemed worth."""


class Signs(NamedTuple):
    """What games look like from outside, one entry a game: a fault may show in any of these."""

    scores: np.ndarray
    """int64."""

    max_tiles: np.ndarray
    """uint8, exponents."""

    moves: np.ndarray
    """int32."""

    estimates: np.ndarray
    """float64: what the first move seemed worth, which is the score that was expected."""

    surprises: np.ndarray
    """float64: see `surprise`."""

    alive: np.ndarray
    """bool: whether the game ended though something could still move."""

    full_scores: np.ndarray
    """int64: see `full_score`."""


def new_episode() -> Episode:
    """Memory for one game."""
    return Episode(
        boards=np.empty(LONGEST, np.uint64),
        actions=np.empty(LONGEST, np.int64),
        rewards=np.empty(LONGEST, np.int64),
        values=np.empty(LONGEST, np.float32),
        worths=np.empty(LONGEST, np.float32),
    )


def new_signs(games: int) -> Signs:
    """Memory for what so many games look like."""
    return Signs(
        scores=np.zeros(games, np.int64),
        max_tiles=np.zeros(games, np.uint8),
        moves=np.zeros(games, np.int32),
        estimates=np.zeros(games),
        surprises=np.zeros(games),
        alive=np.zeros(games, bool),
        full_scores=np.zeros(games, np.int64),
    )


# The game


@kernel()
def upside_down(board):
    """The board with its top row at the bottom."""
    mirrored = uint64(0)
    for row in range(4):
        mirrored |= ((board >> 16 * row) & ROW) << 16 * (3 - row)
    return mirrored


@kernel()
def move(board, action, fault):
    """The environment's part of a move: (afterstate, reward), reward -1 when nothing moves."""
    afterstate, earned = _slide(board, action)
    reward = np.int64(earned)
    if afterstate == board:
        return board, -1
    if fault == UPSIDE_DOWN and action == DOWN:
        # DOWN is made as UP on the mirrored board, and then not mirrored back.
        afterstate = upside_down(afterstate)
    if fault == HALF_REWARD:
        # The reward is the tile that merged, not the tile that came of it.
        reward //= 2
    return afterstate, reward


# The network


@kernel()
def table_of(k, fault):
    """The number of the table that pattern number k looks up in."""
    if fault == ONE_TABLE:
        # `[new_table(n)] * 4` is a list of one table, four times.
        return 0
    return k


@kernel()
def estimate(net, board, fault):
    """The value of a board: as learning.estimate."""
    find(net, board)
    patterns, images = net.indices.shape
    value = F32(0)
    for k in range(patterns):
        for i in range(images):
            net.terms[i] = net.tables[table_of(k, fault), net.indices[k, i]]
        value += add_in_pairs(net.terms)
    return value


@kernel()
def update(net, board, alpha, error, fault):
    """Add alpha times the error to every weight of a board: as learning.update, with its step.

    `alpha` is divided by the number of lookups already.
    """
    patterns, images = net.indices.shape
    step = alpha * error
    if fault == CLIPPED:
        # alpha is not divided by the lookups. What that does is hidden by an error cut off at 1.
        step = F32(patterns * images) * alpha * min(max(error, F32(-1)), F32(1))
    find(net, board)
    for k in range(patterns):
        for i in range(images):
            net.tables[table_of(k, fault), net.indices[k, i]] += step
    return estimate(net, board, fault)


# Choosing


@kernel()
def afterstate_value(net, afterstate, p4, fault):
    """How many points are still to come after an afterstate."""
    if fault == OTHER_ODDS:
        # The environment makes a 4 in one of ten cases.
        p4 = F32(0.2)
    if not net.state_values:
        return estimate(net, afterstate, fault)
    value = right_afterstate_value(net, afterstate, p4)
    if fault == NOT_DIVIDED:
        # The sum over the empty cells is taken for their mean.
        value *= F32(_count_bits(_empty_cells(afterstate)))
    return value


@kernel()
def select_best_move(net, board, p4, fault):
    """The action with the largest r + V(s'), the first of equals: as learning.select_best_move."""
    best_action = -1
    best_afterstate = board
    best_reward = 0
    best_worth = F32(-np.inf)
    if fault == FROM_MINUS_1:
        # An action that is worth less is then never taken.
        best_worth = F32(-1)
    for action in range(4):
        afterstate, reward = move(board, action, fault)
        if reward < 0:
            continue
        worth = F32(reward) + afterstate_value(net, afterstate, p4, fault)
        if worth > best_worth:
            best_action = action
            best_afterstate = afterstate
            best_reward = reward
            best_worth = worth
    return best_action, best_afterstate, best_reward, best_worth


# Learning


@kernel()
def play_episode(net, rule, board, random, episode, fault):
    """Play a game from a board to its end, always the best move: (moves, score, last board)."""
    moves = 0
    score = 0
    while True:
        action, afterstate, reward, worth = select_best_move(net, board, F32(rule.p4), fault)
        if action < 0:
            return moves, score, board
        learned = board if net.state_values else afterstate
        episode.boards[moves] = learned
        episode.actions[moves] = action
        episode.rewards[moves] = reward
        episode.values[moves] = estimate(net, learned, fault)
        episode.worths[moves] = worth
        moves += 1
        score += reward
        random += GOLDEN
        board = _spawn(afterstate, mix(random), rule.fours)


@kernel()
def update_episode(net, rule, episode, moves, last_board, fault):
    """Learn from a finished game, last move first. Returns the last value learned.

    V(afterstate) and V(state) differ in when the reward joins the target: after the update, or
    before.
    """
    alpha = F32(rule.alpha)
    reward_after_update = not net.state_values
    target = F32(0)
    value_after = F32(0)
    if fault == LATE_REWARD:
        # V(state) is learned by the loop of V(afterstate), so each reward counts one step too late.
        reward_after_update = True
    if fault == END_RECORD:
        # The record of the end is learned from like a move: a dead board with -1 for its reward.
        error = F32(0) - estimate(net, last_board, fault)
        target = F32(-1) + update(net, last_board, alpha, error, fault)
    for t in range(moves - 1, -1, -1):
        board = episode.boards[t]
        reward = F32(episode.rewards[t])
        value = estimate(net, board, fault)
        if fault == STALE_VALUE:
            # V is taken as it was when the move was made.
            value = episode.values[t]
        if fault == NO_NEW_TILE and t + 1 < moves:
            # The next move is made on s'_t, where it must be made on s_t+1, which has a new tile.
            skipped, earned = move(board, episode.actions[t + 1], fault)
            target = F32(max(earned, 0)) + estimate(net, skipped, fault)
        if not reward_after_update:
            target += reward
        value_after = update(net, board, alpha, target - value, fault)
        target = value_after
        if reward_after_update:
            target += reward
    return value_after


@kernel(nogil=True)
def train(net, rule, episode, signs, first, count, fault):
    """Play games number first, first + 1, ... and learn from them; `signs` says how they went.

    Returns how many there were: fewer than `count` when a value is no finite number any more.
    """
    for game in range(first, first + count):
        random = stream(rule.seed, game)
        board = _first_board(random, rule.fours)
        random += uint64(2) * GOLDEN
        moves, score, last_board = play_episode(net, rule, board, random, episode, fault)
        signs.scores[game] = score
        signs.max_tiles[game] = _largest_exponent(last_board)
        signs.moves[game] = moves
        signs.estimates[game] = episode.worths[0] if moves > 0 else F32(0)
        signs.surprises[game] = surprise(net, episode, moves)
        signs.alive[game] = not _is_dead(last_board)
        signs.full_scores[game] = full_score(last_board)
        value = update_episode(net, rule, episode, moves, last_board, fault)
        if not np.isfinite(value):
            return game - first
    return count


# Signs of faults


@kernel()
def surprise(net, episode, moves):
    """How much more the moves of a game seemed worth than came of them, on average.

    What came of a move is its reward and V of the board that followed. A network of afterstate
    values does not look ahead to that board, so for it this is 0.
    """
    total = F32(0)
    if net.state_values:
        for t in range(moves):
            next_value = episode.values[t + 1] if t + 1 < moves else F32(0)
            total += episode.worths[t] - (F32(episode.rewards[t]) + next_value)
    return total / F32(max(1, moves))


@kernel()
def full_score(board):
    """What a game with this last board scored, had every new tile been a 2.

    A tile of exponent e took e - 1 rounds of merges, and each round earned 2^e points.
    """
    total = 0
    while board:
        exponent = np.int64(board & uint64(15))
        total += max(exponent - 1, 0) << exponent
        board >>= 4
    return total
