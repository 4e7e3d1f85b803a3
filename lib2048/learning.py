"""The plain engine: temporal-difference learning for 2048, as a textbook prints it.

A game is played from a first board s_0 to a dead board s_T. On each board s_t we choose an action
a_t and slide. That earns a reward r_t and gives the afterstate s'_t, the board before its new tile.
The new tile appears, and we are on the next board:

    s_0  a_0 r_0 s'_0    s_1  a_1 r_1 s'_1    s_2  ...    s_T

(A game of training may also end at a tile, if it is told to; see `value_of_end`.)

The network guesses, for any board, how many points are still to come: its value V. After the game
we look back. From each board to the next one we know what was earned, so we know a little better
what V should have been, and move it there. Nothing else is needed: after 100,000 games of this the
network reaches the 2048-tile in nine games of ten.

This file has all of it, in the order in which you would write it:

    index               which weight a pattern looks up on a board
    estimate            V(board), the sum of all these weights
    update              moves them
    select_best_move    slides in all four directions and takes the best
    update_episode      learns from a finished game, last move first
    train               plays and learns, game after game

Every function is compiled by numba as it stands: it works on numbers and arrays, and changes arrays
in place. The game itself is in board.py. From there come a slide, a new tile, whether a board is
dead, and the random words that new tiles are made of. `lib2048.train` learns with the engine in
lib2048/fast, which is several times as fast and full of tricks. Both give the same weights to the
last bit, and a test holds them to it; `train(net, games, engine="plain")` uses this one.

Examples
--------
Two small patterns and four hundred games, of which each hundred goes better than the one before:

>>> network = new_network([(0, 1, 2, 3), (4, 5, 6, 7)])
>>> games = new_games(400)
>>> train(network, Rule(alpha=0.1 / 16), new_episode(), games, first=0, count=400)
>>> [round(float(hundred.mean())) for hundred in np.split(games.scores, 4)]
[1823, 2222, 2649, 3343]
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lib2048.board import (
    _count_bits,
    _empty_cells,
    _is_dead,
    _largest_exponent,
    _opening,
    _slide,
    _spawn,
    fours_below,
)
from lib2048.kernels import kernel, uint64
from lib2048.random_words import GOLDEN, mix, stream
from lib2048.validate import NO_TILE, check_memory

F32 = np.float32
NO_LEARNING, BACKWARD, FORWARD = range(3)
"""When a rule learns: never, after a game from its end to its beginning, during it."""

LONGEST = 1 << 18
"""More moves than a game can have: each adds at least 2 to the sum of all tiles, and sixteen cells
hold at most 16 * 32768."""


# What the functions work on


class Network(NamedTuple):
    """An n-tuple network: tables of weights, and how a board finds its weights in them."""

    tables: np.ndarray
    """float32 (patterns, 16**n): row k is the table of pattern k."""

    errors: np.ndarray
    """float32 (patterns, 16**n, 2): for each weight the sum of its errors and the sum of their
    absolute values; (0, 0, 2) without temporal coherence."""

    shifts: np.ndarray
    """uint64 (patterns, images, n): where on the board the digits of an index are. Digit j of
    pattern k, seen from side i, is a cell of four bits that has so many bits below it."""

    digits: np.ndarray
    """int64 (patterns): how many cells a pattern has, which are the digits of its index."""

    state_values: bool
    """Whether V is the value of states. Otherwise it is that of afterstates."""

    indices: np.ndarray
    """uint64 (patterns, images): memory for where the weights of a board are, see `find`."""

    terms: np.ndarray
    """float32 (images): memory for what is added up."""


NO_BOARDS = np.empty(0, np.uint64)


class Rule(NamedTuple):
    """How games are played and learned from."""

    alpha: float
    """The step size of each weight: the step size of V divided by the number of lookups."""

    order: int = BACKWARD
    """NO_LEARNING, BACKWARD (after the game, last move first) or FORWARD (during the game)."""

    coherence: bool = False
    """Whether each weight takes a share of the step that its own errors decide."""

    lambda_: float = 0.0
    """How much of a target comes from further ahead than the next value; 0 in TD(0)."""

    restart: int = 0
    """Play on from the middle of a finished game while so many moves are left; 0 for never."""

    p4: float = 0.1
    """The probability that a new tile is a 4."""

    fours: np.uint64 = fours_below(0.1)
    """The same for random words: a word below this one makes a 4."""

    seed: np.uint64 = uint64(0)
    """What the random words of all games depend on."""

    downgrade_from: np.uint64 = uint64(NO_TILE)
    """For the fast engine alone: from which exponent on the network is shown smaller boards."""

    starts: np.ndarray = NO_BOARDS
    """uint64: the boards that games begin with; two new tiles when there are none."""

    until: np.uint64 = uint64(NO_TILE)
    """A game ends as soon as there is a tile of this exponent, or a larger one."""

    prize: float = 0.0
    """How many points such an end is worth."""


class Episode(NamedTuple):
    """Memory for one game."""

    boards: np.ndarray
    """uint64 (LONGEST): the boards to learn about, s'_t or s_t."""

    rewards: np.ndarray
    """int32 (LONGEST): r_t."""


class Games(NamedTuple):
    """What became of the games, one entry each."""

    scores: np.ndarray
    """int64."""

    max_tiles: np.ndarray
    """uint8: the exponent of the largest tile."""

    moves: np.ndarray
    """int32."""

    done: np.ndarray
    """int64 (1): how many games are finished."""

    value: np.ndarray
    """float32 (1): the last value that was learned."""


# The value of a board


@kernel(forceinline=True)
def index(net, k, i, board):
    """The index of a board in table k, seen from side i.

    A pattern is a tuple of cells. The exponents of the tiles in these cells are the digits of a
    number to base 16, the first cell's digit the lowest:

        index = e_0 + 16 e_1 + 16^2 e_2 + ...

    A digit has four bits, and so has a cell of the board. So we shift the cell's bits down to the
    bottom, keep four of them, and shift them up to the digit's place. Seen from another side the
    same pattern covers other cells, and only `shifts` differs.
    """
    number = uint64(0)
    for j in range(net.digits[k]):
        exponent = (board >> net.shifts[k, i, j]) & uint64(15)
        number |= exponent << 4 * j
    return number


@kernel()
def find(net, board):
    """Find all weights of a board, one for each pattern and side; `net.indices` says where."""
    patterns, images = net.indices.shape
    for k in range(patterns):
        for i in range(images):
            net.indices[k, i] = index(net, k, i, board)


@kernel(forceinline=True)
def add_in_pairs(terms):
    """The sum of 8 terms (or of 1): the second half is added to the first, until one term is left.

    Any order gives the same sum but for rounding. In this one, a board and its mirror image get the
    same value to the last bit, because a mirrored board only swaps the two terms of a pair, or two
    pairs.
    """
    count = len(terms)
    while count > 1:
        count //= 2
        for i in range(count):
            terms[i] += terms[count + i]
    return terms[0]


@kernel()
def estimate(net, board):
    """The value of a board: one weight for each pattern and each of the eight sides.

        V(s) = sum over k, sum over i of table_k[index_k(image_i(s))]

    All sides share one table, so what is learned in one corner is known in all four.
    """
    find(net, board)
    patterns, images = net.indices.shape
    value = F32(0)
    for k in range(patterns):
        for i in range(images):
            net.terms[i] = net.tables[k, net.indices[k, i]]
        value += add_in_pairs(net.terms)
    return value


@kernel()
def update(net, board, step):
    """Add `step` to every weight of a board. Returns V(board) after that.

    V moves by step times the number of lookups. On a symmetric board it moves further: such a board
    finds the same weight from several sides, adds to it as often, and counts it as often.
    """
    find(net, board)
    patterns, images = net.indices.shape
    for k in range(patterns):
        for i in range(images):
            net.tables[k, net.indices[k, i]] += step
    return estimate(net, board)


@kernel()
def update_coherently(net, board, step):
    """As `update`, but each weight takes only a share of the step.

        share = |sum of its errors| / sum of its |errors|, which is 1 as long as the latter is 0

    While the errors of a weight agree in sign, the share is 1. When they cancel out, the weight has
    arrived, and the share goes to 0. What is added up here is the step, which is the error times
    alpha / m. Where alpha stays the same, that factor cancels in the share. (Beal and Smith 1999,
    "Temporal coherence and prediction decay in TD learning".)
    """
    find(net, board)
    patterns, images = net.indices.shape
    for k in range(patterns):
        for i in range(images):
            place = net.indices[k, i]
            total = net.errors[k, place, 0]
            absolute = net.errors[k, place, 1]
            share = abs(total) / absolute if absolute > F32(0) else F32(1)
            net.tables[k, place] += step * share
            net.errors[k, place, 0] = total + step
            net.errors[k, place, 1] = absolute + abs(step)
    return estimate(net, board)


@kernel()
def learn(net, rule, board, target):
    """One step of TD learning: move V(board) towards the target. Returns V(board) after that.

        V(s) <- V(s) + alpha (target - V(s))

    With m lookups, each weight gets the m-th part of the step; `rule.alpha` is alpha / m.
    """
    error = target - estimate(net, board)
    step = F32(rule.alpha) * error
    if rule.coherence:
        return update_coherently(net, board, step)
    return update(net, board, step)


# Choosing a move


@kernel(forceinline=True)
def spawn_sum(net, k, i, afterstate, empty_cells, p4):
    """One lookup's part in `spawn_mean`: its weight after the spawn, summed over all empty cells.

    A tile outside the pattern leaves the weight as it is. A tile inside changes one digit of the
    index from 0 to 1 or 2, the exponent of a 2 or a 4, and so leads to another weight. (The last
    digit comes first only because the fast engine adds in this order.)
    """
    unchanged = index(net, k, i, afterstate)
    outside = empty_cells
    twos = F32(0)
    fours = F32(0)
    for j in range(net.digits[k] - 1, -1, -1):
        is_empty = (unchanged >> 4 * j) & uint64(15) == uint64(0)
        if is_empty:
            digit = uint64(1) << 4 * j
            twos += net.tables[k, unchanged + digit]
            fours += net.tables[k, unchanged + digit + digit]
            outside -= F32(1)
    return outside * net.tables[k, unchanged] + ((F32(1) - p4) * twos + p4 * fours)


@kernel()
def live_value(net, board):
    """V(s), which is 0 for a dead board: no more points will come, whatever the weights say."""
    return F32(0) if _is_dead(board) else estimate(net, board)


@kernel()
def spawn_mean(net, afterstate, p4):
    """The mean of V over all boards that may follow an afterstate: any empty cell, a 2 or a 4.

        1/n  sum over the n empty cells of  (1 - p4) V(s' with a 2 there) + p4 V(s' with a 4 there)

    V is a sum of weights, and the mean of a sum is the sum of the means. So we need not value some
    twenty boards one by one: it is enough to ask of each lookup what the new tile makes of it. Only
    when one cell is left may the next board be dead; then there are just two boards, and we look at
    both.
    """
    empty = _empty_cells(afterstate)
    empty_cells = F32(_count_bits(empty))
    if empty_cells <= F32(1):
        after_two = live_value(net, afterstate | empty)
        after_four = live_value(net, afterstate | (empty << 1))
        return (F32(1) - p4) * after_two + p4 * after_four
    patterns, images = net.indices.shape
    total = F32(0)
    for k in range(patterns):
        for i in range(images):
            net.terms[i] = spawn_sum(net, k, i, afterstate, empty_cells, p4)
        total += add_in_pairs(net.terms)
    return total / empty_cells


@kernel()
def afterstate_value(net, afterstate, p4):
    """How many points are still to come after an afterstate.

    A network of afterstate values knows. A network of state values must look at the boards that may
    follow.
    """
    if net.state_values:
        return spawn_mean(net, afterstate, p4)
    return estimate(net, afterstate)


@kernel()
def select_best_move(net, board, p4):
    """The action with the largest r + V(s'), and the first of equals.

    Returns (action, afterstate, reward, r + V(s')). The action is -1 where nothing moves.
    """
    best_action = -1
    best_afterstate = board
    best_reward = uint64(0)
    best_worth = F32(-np.inf)
    for action in range(4):
        afterstate, reward = _slide(board, action)
        if afterstate == board:
            continue  # nothing moves this way, so it is no action
        worth = F32(reward) + afterstate_value(net, afterstate, p4)
        if worth > best_worth:
            best_action = action
            best_afterstate = afterstate
            best_reward = reward
            best_worth = worth
    return best_action, best_afterstate, best_reward, best_worth


# Learning from a game


@kernel()
def value_of_end(rule, board):
    """How many points are still to come after the last board of a game.

    On a dead board there are none. But a game may be played only until it has made a tile
    (`rule.until`), because another network plays on from there; then they are what that one is
    expected to make, the prize.
    """
    return F32(rule.prize) if _largest_exponent(board) >= rule.until else F32(0)


@kernel()
def update_episode_afterstate(net, rule, episode, moves, end):
    """Learn V(afterstate) from a finished game, last move first. Returns the last value learned.

    The target of the last afterstate is what comes after the `end`, which is 0 where nothing moves
    any more. Before that, from s'_t on we earn what the next move earns, and then what the next
    afterstate is worth:

        V(s'_t) <- V(s'_t) + alpha (r_t+1 + V(s'_t+1) - V(s'_t))

    Going backwards, V(s'_t+1) has just been updated. So what the end of the game taught reaches its
    first board at once. In TD(lambda) what is passed on is not that value alone, but lies between
    it and its target.
    """
    target = end
    value = F32(0)
    for t in range(moves - 1, -1, -1):
        value = learn(net, rule, episode.boards[t], target)
        following = value + F32(rule.lambda_) * (target - value)  # in TD(0), the value
        target = F32(episode.rewards[t]) + following
    return value


@kernel()
def update_episode_state(net, rule, episode, moves):
    """Learn V(state) from a finished game, last move first. Returns the last value learned.

    The dead board at the end is worth 0 and is not learned. From s_t on we earn the reward of this
    move, and then what the next board is worth:

        V(s_t) <- V(s_t) + alpha (r_t + V(s_t+1) - V(s_t))

    It differs from V(afterstate) in when the reward joins the target: here before the update, there
    after it.
    """
    following = F32(0)
    value = F32(0)
    for t in range(moves - 1, -1, -1):
        target = F32(episode.rewards[t]) + following
        value = learn(net, rule, episode.boards[t], target)
        following = value + F32(rule.lambda_) * (target - value)  # in TD(0), the value
    return value


@kernel()
def update_episode(net, rule, episode, moves, last_board):
    """Learn from a finished game, last move first. Returns the last value learned."""
    if net.state_values:
        return update_episode_state(net, rule, episode, moves)
    end = value_of_end(rule, last_board)
    return update_episode_afterstate(net, rule, episode, moves, end)


@kernel()
def play_episode(net, rule, board, random, episode):
    """Play a game from a board to its end, always the move that looks best.

    It ends on a dead board, or as soon as there is a tile of the exponent `rule.until`.

    `random` says where we are in the stream of random words: each step of GOLDEN gives the next
    word, and a word makes a tile. Returns (moves, score, last board, random).
    """
    moves = 0
    score = uint64(0)
    while _largest_exponent(board) < rule.until:
        action, afterstate, reward, _ = select_best_move(net, board, F32(rule.p4))
        if action < 0:
            break
        episode.boards[moves] = board if net.state_values else afterstate
        episode.rewards[moves] = reward
        moves += 1
        score += reward
        random += GOLDEN
        board = _spawn(afterstate, mix(random), rule.fours)
    return moves, score, board, random


@kernel()
def play_and_learn(net, rule, board, random):
    """As `play_episode`, but learn during the game, as soon as the next value is known: "forward".

    The target of an afterstate is known when the next move is chosen: it is what that move seems
    worth. The target of a state is known when the next board is there. Returns (moves, score, last
    board, last value learned).
    """
    moves = 0
    score = uint64(0)
    value = F32(0)
    last_afterstate = board  # there is none yet, and it is not read before there is one
    while True:
        action, afterstate, reward, worth = select_best_move(net, board, F32(rule.p4))
        if not net.state_values and moves > 0:
            target = worth if action >= 0 else F32(0)
            value = learn(net, rule, last_afterstate, target)
        if action < 0:
            return moves, score, board, value
        moves += 1
        score += reward
        random += GOLDEN
        next_board = _spawn(afterstate, mix(random), rule.fours)
        if net.state_values:
            target = F32(reward) + live_value(net, next_board)
            value = learn(net, rule, board, target)
        last_afterstate = afterstate
        board = next_board


@kernel()
def play_again(net, rule, random, episode, moves):
    """Play on from the middle of the game in `episode`, learn, and do the same with that game.

    Late boards are rare and hard, and this way there are more of them. Each of these games starts
    later than the one before, until fewer than `rule.restart` moves are left. Returns how many
    moves were made. (Matsuzaki 2017, "Developing a 2048 player with backward temporal coherence
    learning and restart".)
    """
    made = 0
    while moves // 2 >= rule.restart:
        random += GOLDEN
        board = episode.boards[moves // 2]
        if not net.state_values:
            board = _spawn(board, mix(random), rule.fours)
        moves, _, last_board, random = play_episode(net, rule, board, random, episode)
        update_episode(net, rule, episode, moves, last_board)
        made += moves
    return made


@kernel(nogil=True)
def train(net, rule, episode, games, first, count):
    """Play games number first, first + 1, ... and learn from them. Their results go into `games`.

    Game n draws its tiles from a stream of random words that depends on the seed and on n alone.
    When a value is no finite number any more, training went wrong and stops.
    """
    for game in range(first, first + count):
        random = stream(rule.seed, game)
        board = _opening(random, rule.starts, rule.fours)
        random += uint64(2) * GOLDEN  # the first two words are for the first board
        if rule.order == FORWARD:
            moves, score, board, games.value[0] = play_and_learn(net, rule, board, random)
        else:
            moves, score, board, random = play_episode(net, rule, board, random, episode)
            if rule.order == BACKWARD:
                games.value[0] = update_episode(net, rule, episode, moves, board)
                if rule.restart > 0:
                    moves += play_again(net, rule, random, episode, moves)
        record(games, rule, score, board, moves)
        if not np.isfinite(games.value[0]):
            return


@kernel()
def record(games, rule, score, board, moves):
    """Write down a finished game."""
    number = games.done[0]
    largest = _largest_exponent(board)
    games.scores[number] = score
    games.max_tiles[number] = largest
    games.moves[number] = moves
    games.done[0] = number + 1
    if largest < rule.until and not _is_dead(board):
        # There were moves, but none seemed worth anything: every value is NaN, training diverged.
        games.value[0] = np.nan


# Making what the functions work on


def board_sides() -> list[np.ndarray]:
    """The eight sides a board is looked at from, as 4 x 4 arrays: which cell is seen where.

    The second four are the first four transposed, and among these the second two are the first two
    turned upside down: `add_in_pairs` adds a side to the one it becomes by such a move.
    """
    cells = np.arange(16).reshape(4, 4)
    mirrored = cells[:, ::-1]
    half_turned = cells[::-1, ::-1]
    flipped = cells[::-1]
    sides = [cells, mirrored, half_turned, flipped]
    return sides + [side.T for side in sides]


def new_network(
    patterns: Sequence[Sequence[int]], images: int = 8, state_values: bool = False
) -> Network:
    """A network whose weights are all 0.

    Parameters
    ----------
    patterns : sequence of sequences of int
        The cells of each pattern, in ascending order: then sums are rounded as in the fast engine.
    images : int
        8, or 1 to look at the board from one side only.
    state_values : bool
        Whether V is to be the value of states, not of afterstates.

    Returns
    -------
    Network

    Raises
    ------
    ValueError
        If there is not enough memory for it.
    """
    digits = [len(pattern) for pattern in patterns]
    weights = 16 ** max(digits)
    check_memory(4 * len(patterns) * weights, "the plain engine's tables")
    shifts = np.zeros((len(patterns), images, max(digits)), np.uint64)
    for k, pattern in enumerate(patterns):
        for i, side in enumerate(board_sides()[:images]):
            shifts[k, i, : digits[k]] = 4 * side.ravel()[list(pattern)]
    return Network(
        tables=np.zeros((len(patterns), weights), np.float32),
        errors=np.zeros((0, 0, 2), np.float32),
        shifts=shifts,
        digits=np.array(digits),
        state_values=state_values,
        indices=np.empty((len(patterns), images), np.uint64),
        terms=np.empty(images, np.float32),
    )


def with_errors(network: Network) -> Network:
    """The same network with the sums that temporal coherence needs, which begin at 0."""
    if len(network.errors):
        return network
    check_memory(8 * network.tables.size, "temporal coherence in the plain engine")
    return network._replace(errors=np.zeros((*network.tables.shape, 2), np.float32))


def with_own_memory(network: Network) -> Network:
    """The same network with the same tables, for another thread to learn with at the same time."""
    indices = np.empty_like(network.indices)
    terms = np.empty_like(network.terms)
    return network._replace(indices=indices, terms=terms)


def new_episode() -> Episode:
    """Memory for one game."""
    return Episode(boards=np.empty(LONGEST, np.uint64), rewards=np.empty(LONGEST, np.int32))


def new_games(count: int) -> Games:
    """Memory for what becomes of so many games."""
    return Games(
        scores=np.zeros(count, np.int64),
        max_tiles=np.zeros(count, np.uint8),
        moves=np.zeros(count, np.int32),
        done=np.zeros(1, np.int64),
        value=np.zeros(1, np.float32),
    )
