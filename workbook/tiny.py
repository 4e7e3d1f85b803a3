"""2048 on two rows of two cells, small enough that the value of every board can be computed exactly.

The rules are those of the real game. A board is a tuple of four exponents, row by row. A game starts with two tiles; a
slide moves the tiles of both rows, or of both columns, and merges equal ones; the reward is the tile made; then a new
tile comes into a random empty cell, a 4 with probability P4, else a 2. The game is over when no slide moves anything.
A slide leaves the sum of the tiles as it is and a new tile adds to it, so no board comes twice in a game.

A player is a function: player(board) -> {action: probability}. Values are dicts {board: V} of the boards that are not
dead; a game that is over is written None, and is worth 0. Plain Python, written to be read.
"""

import math
from functools import cache

from lib2048 import DOWN, LEFT, RIGHT, UP

P4 = 0.1
LINES = {  # the two lines of each action: in each, the cell at the wall, then the other
    UP: ((0, 2), (1, 3)),
    RIGHT: ((1, 0), (3, 2)),
    DOWN: ((2, 0), (3, 1)),
    LEFT: ((0, 1), (2, 3)),
}


def push(wall: int, other: int) -> tuple[int, int, int]:
    """Two cells of a line after a slide, and the reward.

    >>> push(0, 3), push(3, 3), push(2, 3)
    ((3, 0, 0), (4, 0, 16), (2, 3, 0))
    """
    if wall == 0:
        return other, 0, 0
    if wall == other:
        return wall + 1, 0, 2 ** (wall + 1)
    return wall, other, 0


@cache
def moves(board) -> dict:
    """What the legal actions do: {action: (afterstate, reward)}; empty for a dead board.

    >>> moves((1, 1, 2, 3))[LEFT]
    ((2, 0, 2, 3), 4)
    """
    found = {}
    for action, lines in LINES.items():
        after, total = list(board), 0
        for wall, other in lines:
            after[wall], after[other], reward = push(board[wall], board[other])
            total += reward
        if tuple(after) != board:
            found[action] = tuple(after), total
    return found


@cache
def spawns(after) -> list:
    """All boards that may follow an afterstate: [(probability, board), ...]."""
    empty = [cell for cell in range(4) if after[cell] == 0]
    tiles = [(1 - P4, 1), (P4, 2)]
    return [
        (p / len(empty), after[:cell] + (e,) + after[cell + 1 :])
        for cell in empty
        for p, e in tiles
    ]


@cache
def outcomes(board, action) -> list:
    """All that may follow an action: [(probability, reward, next board), ...], the next board None where it is dead."""
    after, reward = moves(board)[action]
    return [(p, reward, following if moves(following) else None) for p, following in spawns(after)]


@cache
def starts() -> dict:
    """How a game may start: {board: probability}."""
    found = {}
    for p, one in spawns((0, 0, 0, 0)):
        for q, two in spawns(one):
            found[two] = found.get(two, 0.0) + p * q
    return found


def size(board) -> int:
    """The sum of the tiles of a board."""
    return sum(2**e for e in board if e)


@cache
def boards() -> list:
    """All boards that can come up and are not dead, by the sum of their tiles, so that what follows comes later."""
    todo, found = list(starts()), set()
    while todo:
        board = todo.pop()
        if board is not None and board not in found:
            found.add(board)
            todo += [
                following for action in moves(board) for _, _, following in outcomes(board, action)
            ]
    return sorted(found, key=lambda board: (size(board), board))


def worth(V, board, action) -> float:
    """The expected reward + V of what follows: the mean over all outcomes of an action."""
    return sum(
        p * (r + (0.0 if following is None else V[following]))
        for p, r, following in outcomes(board, action)
    )


@cache
def at_random(board) -> dict:
    """The player that takes each legal action equally often."""
    return {action: 1 / len(moves(board)) for action in moves(board)}


def greedy(V):
    """The player that takes the action of the largest worth; of equals, the lowest."""
    return lambda board: {
        max(sorted(moves(board)), key=lambda action: worth(V, board, action)): 1.0
    }


def values(player) -> dict:
    """The exact V of a player: what it earns on average from each board on. What follows a board is valued first."""
    V = {}
    for board in reversed(boards()):
        V[board] = sum(share * worth(V, board, action) for action, share in player(board).items())
    return V


def best_values() -> dict:
    """The exact V of the best player there is."""
    V = {}
    for board in reversed(boards()):
        V[board] = max(worth(V, board, action) for action in moves(board))
    return V


def mean_score(V) -> float:
    """The mean of V over the boards that a game starts with."""
    return sum(p * V[board] for board, p in starts().items())


def visits(player) -> dict:
    """How often a player meets each board in a game, on average; they add up to the mean number of moves."""
    found = dict.fromkeys(boards(), 0.0) | starts()
    for board in boards():
        for action, share in player(board).items():
            for p, _, following in outcomes(board, action):
                if following is not None:
                    found[following] += found[board] * share * p
    return found


def error(V, truth, met) -> float:
    """The root-mean-square error of V, each board counted as often as it is met: sqrt(mean of (V - truth)**2)."""
    return math.sqrt(
        sum(met[board] * (V[board] - truth[board]) ** 2 for board in met) / sum(met.values())
    )


def play(player, rng, board=None) -> list:
    """One game as a list of (board, action, reward, next board), None after the last move. rng: a random.Random."""
    game = []
    if board is None:
        board = rng.choices(list(starts()), starts().values())[0]
    while board is not None:
        chances = player(board)
        action = rng.choices(list(chances), chances.values())[0]
        possible = outcomes(board, action)
        _, reward, following = rng.choices(possible, [p for p, _, _ in possible])[0]
        game.append((board, action, reward, following))
        board = following
    return game
