"""The fixed yardstick: TD(0) for 2048 with the 4x6 network, written plainly. IT MUST NEVER BE CHANGED.

A ratio "lib2048 against plain" means something only as long as plain stays what it is: figures of another day are
compared with it. So this file is not tuned, not tidied and not shared: it imports nothing from lib2048 and nothing
there imports it. If the rules of the game or of learning should ever change, a second yardstick goes beside it.

It is what one writes first and would be content with: a board in 64 bits, tables of slid rows, each of the eight
images of a board made in turn, each index put together cell by cell with shifts and masks, tables in natural order,
and V(state) by valuing every board that may come up whole. Alpha is 0.1, p4 is 0.1.

It plays the same games as lib2048 from the same seed: game n starts from the same splitmix64 state (Steele, Lea and
Flood 2014), and the random words are used alike. The 32 weights are added in the order lib2048 adds them (pairs of an
image and its transpose, pairs of these, pattern after pattern; it costs nothing here), and so after-state learning
gives the same bits. The mean over spawns is added up in another order, so V(state) agrees up to rounding.
"""

import numpy as np
from numba import njit

AFTERSTATE, STATE = 0, 1
NO_LEARNING, BACKWARD, FORWARD = range(3)
U, F32 = np.uint64, np.float32
PATTERNS = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
SHIFTS = 4 * np.array(PATTERNS, np.uint64)
STEP = F32(0.1 / 32)  # alpha for each of the 32 lookups
P4, FOURS = 0.1, U(round(0.1 * 2**32))
GOLDEN = U(0x9E37_79B9_7F4A_7C15)
LONGEST = 1 << 18  # moves in a game at most


def _slide_row(row):
    """A row of four exponents slid to its front: (row, reward)."""
    tiles, reward = [], 0
    for tile in (tile for tile in row if tile):
        if tiles and tiles[-1] == tile and tile < 15:
            tiles[-1] = -(tile + 1)  # negative: merged, and may not merge again
            reward += 2 << tile
        else:
            tiles.append(tile)
    return [abs(tile) for tile in tiles] + [0] * (4 - len(tiles)), reward


def _row_tables():
    """uint16[65536] rows slid left, uint16[65536] rows slid right, int32[65536] rewards."""
    left, right, rewards = (
        np.zeros(1 << 16, np.uint16),
        np.zeros(1 << 16, np.uint16),
        np.zeros(1 << 16, np.int32),
    )
    for number in range(1 << 16):
        row = [number >> 4 * cell & 15 for cell in range(4)]
        (a, b, c, d), rewards[number] = _slide_row(row)
        left[number] = a | b << 4 | c << 8 | d << 12
        (a, b, c, d), _ = _slide_row(row[::-1])
        right[number] = d | c << 4 | b << 8 | a << 12
    return left, right, rewards


ROW_LEFT, ROW_RIGHT, ROW_REWARD = _row_tables()


@njit(cache=True)
def _transpose(board):
    turned = (board & U(0x0000_F0F0_0000_F0F0)) << U(12) | (board & U(0x0F0F_0000_0F0F_0000)) >> U(
        12
    )
    board = (board & U(0xF0F0_0F0F_F0F0_0F0F)) | turned
    turned = (board & U(0x0000_0000_FF00_FF00)) << U(24) | (board & U(0x00FF_00FF_0000_0000)) >> U(
        24
    )
    return (board & U(0xFF00_FF00_00FF_00FF)) | turned


@njit(cache=True)
def _mirror(board):
    board = ((board & U(0x00FF_00FF_00FF_00FF)) << U(8)) | (
        (board >> U(8)) & U(0x00FF_00FF_00FF_00FF)
    )
    return ((board & U(0x0F0F_0F0F_0F0F_0F0F)) << U(4)) | (
        (board >> U(4)) & U(0x0F0F_0F0F_0F0F_0F0F)
    )


@njit(cache=True)
def _flip(board):
    board = (board << U(32)) | (board >> U(32))
    return ((board & U(0x0000_FFFF_0000_FFFF)) << U(16)) | (
        (board >> U(16)) & U(0x0000_FFFF_0000_FFFF)
    )


@njit(cache=True)
def _slide(board, action):
    """(afterstate, reward) of action up, right, down, left = 0, 1, 2, 3; the board itself when nothing moves."""
    upright, after, reward = action == 0 or action == 2, U(0), 0
    if upright:
        board = _transpose(board)
    for r in range(4):
        row = (board >> U(16 * r)) & U(0xFFFF)
        slid = ROW_LEFT[row] if action == 0 or action == 3 else ROW_RIGHT[row]
        after |= U(slid) << U(16 * r)
        reward += ROW_REWARD[row]
    return _transpose(after) if upright else after, reward


@njit(cache=True)
def _is_dead(board):
    up, right, down, left = _slide(board, 0), _slide(board, 1), _slide(board, 2), _slide(board, 3)
    return up[0] == board and right[0] == board and down[0] == board and left[0] == board


@njit(cache=True)
def _index(board, k):
    """The natural index of pattern k: the sum of exponent(cell_j) << 4j."""
    index = U(0)
    for j in range(6):
        index |= ((board >> SHIFTS[k, j]) & U(15)) << U(4 * j)
    return index


@njit(cache=True)
def _images(board):
    """The eight images; each is followed by its transpose."""
    a, t = board, _transpose(board)
    return a, t, _flip(_mirror(a)), _flip(_mirror(t)), _flip(a), _mirror(t), _mirror(a), _flip(t)


@njit(cache=True)
def _value(weights, board):
    """V of a board (float32)."""
    a, b, c, d, e, f, g, h = _images(board)
    total = F32(0)
    for k in range(4):
        ab = weights[k, _index(a, k)] + weights[k, _index(b, k)]
        cd = weights[k, _index(c, k)] + weights[k, _index(d, k)]
        ef = weights[k, _index(e, k)] + weights[k, _index(f, k)]
        gh = weights[k, _index(g, k)] + weights[k, _index(h, k)]
        total += (ab + cd) + (ef + gh)
    return total


@njit(cache=True)
def _learn(weights, board, target):
    """Move V(board) towards the target, in place. Returns V after."""
    step = STEP * (target - _value(weights, board))
    for image in _images(board):
        for k in range(4):
            weights[k, _index(image, k)] += step
    return _value(weights, board)


@njit(cache=True)
def _mean_over_spawns(weights, after):
    """The mean of V over the boards that may follow an afterstate; a dead board is worth 0."""
    empty, twos, fours = 0, 0.0, 0.0
    for cell in range(16):
        if (after >> U(4 * cell)) & U(15) == U(0):
            empty += 1
            two, four = after | (U(1) << U(4 * cell)), after | (U(2) << U(4 * cell))
            twos += _value(weights, two)
            fours += _value(weights, four)
    if empty == 1:  # only then may a board be dead
        twos = 0.0 if _is_dead(two) else twos
        fours = 0.0 if _is_dead(four) else fours
    return F32(((1 - P4) * twos + P4 * fours) / empty)


@njit(cache=True)
def _worth(weights, values, after, reward):
    """What an action is worth: its reward and what comes after it (float32)."""
    return F32(reward) + (
        _value(weights, after) if values == AFTERSTATE else _mean_over_spawns(weights, after)
    )


@njit(cache=True)
def _choose(weights, values, board):
    """The best action, the lowest of equals: (action, afterstate, reward, worth). Action -1 for a dead board."""
    best, best_after, best_reward, best_worth = -1, board, 0, F32(-np.inf)
    for action in range(4):
        after, reward = _slide(board, action)
        if after != board:
            worth = _worth(weights, values, after, reward)
            if worth > best_worth:
                best, best_after, best_reward, best_worth = action, after, reward, worth
    return best, best_after, best_reward, best_worth


@njit(cache=True)
def _mix(word):
    word = (word ^ (word >> U(30))) * U(0xBF58_476D_1CE4_E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D0_49BB_1331_11EB)
    return word ^ (word >> U(31))


@njit(cache=True)
def _spawn(board, word):
    """The board with one more tile: the word's upper half picks the empty cell, its lower half 2 or 4."""
    empty = U(0)
    for cell in range(16):
        empty += U((board >> U(4 * cell)) & U(15) == U(0))
    left = ((word >> U(32)) * empty) >> U(32)
    tile = U(2) if (word & U(0xFFFF_FFFF)) < FOURS else U(1)
    for cell in range(16):
        if (board >> U(4 * cell)) & U(15) == U(0):
            if left == U(0):
                return board | (tile << U(4 * cell))
            left -= U(1)
    return board


@njit(cache=True)
def _play(weights, values, order, state, boards, rewards):
    """Play one game into boards and rewards, learning on the way if the order is FORWARD: (moves, score)."""
    board = _spawn(_spawn(U(0), _mix(state + GOLDEN)), _mix(state + GOLDEN + GOLDEN))
    t, score, state = 0, 0, state + U(2) * GOLDEN
    while True:
        action, after, reward, worth = _choose(weights, values, board)
        if order == FORWARD and values == AFTERSTATE and t > 0:
            _learn(weights, boards[t - 1], F32(0) if action < 0 else worth)
        if action < 0:
            return t, score
        state += GOLDEN
        following = _spawn(after, _mix(state))
        if order == FORWARD and values == STATE:
            value = F32(0) if _is_dead(following) else _value(weights, following)
            _learn(weights, board, F32(reward) + value)
        boards[t] = after if values == AFTERSTATE else board
        rewards[t] = reward
        score += reward
        t += 1
        board = following


@njit(cache=True)
def _learn_backward(weights, values, boards, rewards, moves):
    """Learn from a finished game, last move first, in place."""
    target = F32(0)
    for t in range(moves - 1, -1, -1):
        if values == AFTERSTATE:
            target = F32(rewards[t]) + _learn(weights, boards[t], target)
        else:
            target = _learn(weights, boards[t], F32(rewards[t]) + target)


@njit(cache=True)
def _run(weights, values, order, seed, first, scores, moves):
    """Play games first, first + 1, ... and learn from them; their scores and moves are filled in."""
    boards, rewards = np.empty(LONGEST, np.uint64), np.empty(LONGEST, np.int32)
    for n in range(len(scores)):
        state = _mix(_mix(U(seed) + GOLDEN) + U(first + n) * GOLDEN)
        moves[n], scores[n] = _play(weights, values, order, state, boards, rewards)
        if order == BACKWARD:
            _learn_backward(weights, values, boards, rewards, moves[n])


def new_weights() -> np.ndarray:
    """Four tables in natural order, all zero: float32 (4, 16**6)."""
    return np.zeros((4, 16**6), np.float32)


def play(
    weights, values: int, order: int, seed: int, first: int, games: int
) -> tuple[np.ndarray, np.ndarray]:
    """Play games first .. first + games - 1 and learn from them, in place: (scores int64, moves int64)."""
    scores, moves = np.zeros(games, np.int64), np.zeros(games, np.int64)
    _run(weights, values, order, seed, first, scores, moves)
    return scores, moves
