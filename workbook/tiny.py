"""2048 on two rows of two cells, small enough that the value of every board can be computed.

The rules are those of the real game. A board is a tuple of four exponents, row by row. A game
starts with two tiles; a slide moves the tiles of both rows, or of both columns, and merges equal
ones; the reward is the tile made; then a new tile comes into a random empty cell, a 4 with
probability P4, else a 2. The game is over when no slide moves anything. A slide leaves the sum of
the tiles as it is and a new tile adds to it, so no board comes twice in a game.

A player is a function: player(board) -> {action: probability}. Values are dicts {board: V} of the
boards that are not dead; a game that is over is written None, and is worth 0. Plain Python, written
to be read.
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

# The game


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
    legal = {}
    for action, lines in LINES.items():
        afterstate = list(board)
        total = 0
        for wall, other in lines:
            afterstate[wall], afterstate[other], reward = push(board[wall], board[other])
            total += reward
        if tuple(afterstate) != board:
            legal[action] = tuple(afterstate), total
    return legal


@cache
def spawns(afterstate) -> list:
    """All boards that may follow an afterstate: [(probability, board), ...].

    >>> spawns((2, 0, 2, 3))
    [(0.9, (2, 1, 2, 3)), (0.1, (2, 2, 2, 3))]
    """
    empty = [cell for cell in range(4) if afterstate[cell] == 0]
    boards = []
    for cell in empty:
        for probability, exponent in ((1 - P4, 1), (P4, 2)):
            board = afterstate[:cell] + (exponent,) + afterstate[cell + 1 :]
            boards.append((probability / len(empty), board))
    return boards


@cache
def outcomes(board, action) -> list:
    """All that may follow an action: [(probability, reward, next board), ...].

    The next board is None where it is dead.
    """
    afterstate, reward = moves(board)[action]
    return [
        (probability, reward, following if moves(following) else None)
        for probability, following in spawns(afterstate)
    ]


@cache
def starts() -> dict:
    """How a game may start: {board: probability}."""
    chances = {}
    for first_chance, one_tile in spawns((0, 0, 0, 0)):
        for second_chance, board in spawns(one_tile):
            chances[board] = chances.get(board, 0.0) + first_chance * second_chance
    return chances


def size(board) -> int:
    """The sum of the tiles of a board."""
    return sum(2**exponent for exponent in board if exponent)


@cache
def boards() -> list:
    """All boards that can come up and are not dead.

    They are in the order of the sums of their tiles, so that what follows a board comes later.
    """
    to_visit = list(starts())
    visited = set()
    while to_visit:
        board = to_visit.pop()
        if board is None or board in visited:
            continue
        visited.add(board)
        for action in moves(board):
            to_visit += [following for _, _, following in outcomes(board, action)]
    return sorted(visited, key=lambda board: (size(board), board))


# Players


def worth(V, board, action) -> float:
    """The expected reward + V of what follows: the mean over all outcomes of an action."""
    return sum(
        probability * (reward + (0.0 if following is None else V[following]))
        for probability, reward, following in outcomes(board, action)
    )


@cache
def at_random(board) -> dict:
    """The player that takes each legal action equally often."""
    return {action: 1 / len(moves(board)) for action in moves(board)}


def greedy(V):
    """The player that takes the action of the largest worth; of equals, the lowest."""

    def player(board):
        best = max(sorted(moves(board)), key=lambda action: worth(V, board, action))
        return {best: 1.0}

    return player


def play(player, rng, board=None) -> list:
    """One game as a list of (board, action, reward, next board), None after the last move.

    Parameters
    ----------
    player
        Who plays.
    rng
        A `random.Random`.
    board
        Where the game starts; with two tiles when None.

    Returns
    -------
    list of tuple
        The moves.
    """
    game = []
    if board is None:
        (board,) = rng.choices(list(starts()), starts().values())
    while board is not None:
        chances = player(board)
        (action,) = rng.choices(list(chances), chances.values())
        possible = outcomes(board, action)
        weights = [probability for probability, _, _ in possible]
        ((_, reward, following),) = rng.choices(possible, weights)
        game.append((board, action, reward, following))
        board = following
    return game


# Exact values


def values(player) -> dict:
    """The exact V of a player: what it earns on average from each board on.

    What follows a board is valued before the board.
    """
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


def afterstate_values(V) -> dict:
    """The exact V of every afterstate, from the exact V of the boards of the same player.

    It is the mean over the new tiles; a dead board counts 0.

    >>> round(afterstate_values(best_values())[(5, 4, 3, 0)], 1)
    0.0
    """
    afterstates = {afterstate for board in boards() for afterstate, _ in moves(board).values()}
    return {
        afterstate: sum(
            probability * V.get(following, 0.0) for probability, following in spawns(afterstate)
        )
        for afterstate in sorted(afterstates, key=lambda cells: (size(cells), cells))
    }


def mean_score(V) -> float:
    """The mean of V over the boards that a game starts with."""
    return sum(probability * V[board] for board, probability in starts().items())


def visits(player) -> dict:
    """How often a player meets each board in a game, on average.

    These numbers add up to the mean number of moves.
    """
    met = dict.fromkeys(boards(), 0.0) | starts()
    for board in boards():
        for action, share in player(board).items():
            for probability, _, following in outcomes(board, action):
                if following is not None:
                    met[following] += met[board] * share * probability
    return met


def error(V, truth, met) -> float:
    """The root-mean-square error of V, each board counted as often as it is met.

    It is sqrt(mean of (V - truth)**2).
    """
    squares = sum(met[board] * (V[board] - truth[board]) ** 2 for board in met)
    return math.sqrt(squares / sum(met.values()))
