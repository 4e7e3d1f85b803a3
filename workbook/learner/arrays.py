"""The exercises' functions once more, on boards that are arrays, so that numba compiles them.

A learner that is compiled takes from here what is not the reader's own, or does not compile. The
signatures are those of the exercises. A board is an array of four rows of four exponents, tables
are the rows of one array, and patterns a tuple of tuples. Each function is as plain as in
solutions.py; what is different is that it only does what numba knows.
"""

import numpy as np

from lib2048.board import LARGEST

UP, RIGHT, DOWN, LEFT = range(4)


def slide_left(row):
    slid = np.zeros(4, np.int64)
    reward = 0
    filled = 0
    may_merge = False
    for exponent in row:
        if exponent == 0:
            continue
        if may_merge and slid[filled - 1] == exponent and exponent < LARGEST:
            slid[filled - 1] += 1
            reward += 2 ** (exponent + 1)
            may_merge = False
        else:
            slid[filled] = exponent
            filled += 1
            may_merge = True
    return slid, reward


def slide(board, action):
    after = board.copy()
    lines = after.T if action in (UP, DOWN) else after
    backwards = action in (RIGHT, DOWN)
    reward = 0
    for k in range(4):
        line = lines[k][::-1].copy() if backwards else lines[k].copy()
        slid, gained = slide_left(line)
        reward += gained
        for cell in range(4):
            lines[k, cell] = slid[3 - cell] if backwards else slid[cell]
    if np.all(after == board):
        return board, -1
    return after, reward


def spawn(board, rng, p4):
    place = rng.integers(0, np.sum(board == 0))
    following = board.copy()
    for row in range(4):
        for column in range(4):
            if following[row, column] != 0:
                continue
            if place == 0:
                following[row, column] = 2 if rng.random() < p4 else 1
                return following
            place -= 1
    return following


def symmetries(board):
    images = np.empty((8, 4, 4), np.int64)
    for k in range(4):
        for row in range(4):
            for column in range(4):
                # a quarter turn of the one before
                turned = board[3 - column, row] if k == 0 else images[2 * k - 2, 3 - column, row]
                images[2 * k, row, column] = turned
                images[2 * k + 1, row, 3 - column] = turned
    return images


def index(board, pattern):
    total = 0
    for j in range(len(pattern)):
        cell = pattern[j]
        total += board[cell // 4, cell % 4] << 4 * j
    return total


def estimate(board, patterns, tables):
    total = 0.0
    for image in symmetries(board):
        for k in range(len(patterns)):
            total += tables[k][index(image, patterns[k])]
    return total


def update(board, patterns, tables, delta):
    share = delta / (8 * len(patterns))
    images = symmetries(board)
    for image in images:
        for k in range(len(patterns)):
            tables[k][index(image, patterns[k])] += share
    return estimate(board, patterns, tables)


def select_afterstate(board, value):
    best = -1
    best_worth = 0.0
    for action in range(4):
        after, reward = slide(board, action)
        if reward < 0:
            continue
        worth = reward + value(after)
        if best < 0 or worth > best_worth:
            best = action
            best_worth = worth
    return None if best < 0 else best


def spawn_mean(afterstate, value, p4):
    total = 0.0
    empty = 0
    for row in range(4):
        for column in range(4):
            if afterstate[row, column] == 0:
                empty += 1
                following = afterstate.copy()
                following[row, column] = 1
                total += (1 - p4) * value(following)
                following[row, column] = 2
                total += p4 * value(following)
    return total / empty


def select_state(board, value, p4):
    best = -1
    best_worth = 0.0
    for action in range(4):
        after, reward = slide(board, action)
        if reward < 0:
            continue
        worth = reward + spawn_mean(after, value, p4)
        if best < 0 or worth > best_worth:
            best = action
            best_worth = worth
    return None if best < 0 else best


def update_episode_afterstate(path, value, update, alpha):
    target = 0.0
    for t in range(len(path) - 1, -1, -1):
        _, _, reward, after = path[t]
        error = target - value(after)
        target = reward + update(after, alpha * error)


def update_episode_state(path, value, update, alpha):
    following = 0.0
    for t in range(len(path) - 1, -1, -1):
        board, _, reward, _ = path[t]
        error = reward + following - value(board)
        following = update(board, alpha * error)
