"""An agent for 2048: get_action(state, score) answers for a network that learned by TD learning.

lib2048.course.write_agent wrote this file. It needs Python 3.8 or newer and numpy, and nothing
else: the network stands at its end, as text.

    conventions      what the environment's boards and actions are called in here
    game             the moves of many boards at once
    network          V(afterstate), from tables of weights
    expectimax       looking some moves ahead
    tree search      TD-MCTS: looking ahead where it seems to pay, for a given time
    self-check       whether all of this agrees with itself, and with the environment

A board is a row of 16 exponents in here: 0 is an empty cell, 1 a 2, 2 a 4, 11 a 2048. Most
functions take many boards at once, an array of shape (boards, 16), because that is what numpy is
fast at.
"""

import base64
import importlib
import math
import random
import time
import zlib
from typing import Any

import numpy as np

# settings: change these as you like
SEARCH = "expectimax"  # or "td-mcts"
PLIES = 2  # of expectimax: how many of its own moves it looks ahead; 1 is greedy
SECONDS = 0.02  # of td-mcts: it thinks about a move no longer than that,
TRIPS = 1000  # and goes down the tree no more often than that
EXPLORE = 0.05  # of td-mcts: how much it cares for actions that it has seldom tried
ACTIONS = ("up", "down", "left", "right")  # what the environment's actions 0, 1, 2, 3 do
STATE = "tiles"  # what the environment's boards hold: "tiles" (2, 4, 8) or "exponents" (1, 2, 3)
ENVIRONMENT = ""  # such as "env2048:Game2048Env", to be checked when this file is imported
P4 = 0.1  # the probability that a new tile is a 4

# about the network: leave these as they are
# the cells of each table, row by row from 0 to 15; the first is the lowest digit of the index
PATTERNS = ((0, 1, 2, 3),)
SIDES = 8  # from how many sides a board is looked at
STEP = 1.0  # what one step of a weight is worth in points
EXAMPLE_VALUE = 0.0  # V of the board 0, 1, 2, ..., to see that the weights arrived unharmed
# end of settings


# conventions


def board_of(state: np.ndarray) -> np.ndarray:
    """The 16 exponents of a board as the environment has it."""
    grid = np.array(state)
    if grid.shape != (4, 4):
        raise ValueError(f"a state is a board of 4 rows and 4 columns, got the shape {grid.shape}")
    if STATE == "exponents":
        exponents = grid.ravel()
    else:
        exponents = exponents_of(grid.ravel())
    if exponents.min() < 0 or exponents.max() > 17:
        raise ValueError(f"this is no board of 2048 made of {STATE}: {grid.tolist()}")
    return np.minimum(exponents, 15).astype(np.uint8)  # a 65536 counts as a 32768


def exponents_of(tiles: np.ndarray) -> np.ndarray:
    """0 for an empty cell, 1 for a 2, 2 for a 4, and so on."""
    exponents = np.zeros(16, dtype=np.int64)
    for cell in range(16):
        tile = int(tiles[cell])
        if tile != 0:
            exponents[cell] = tile.bit_length() - 1
        if tile == 1 or tile not in (0, 2 ** exponents[cell]):
            raise ValueError(
                f"a board of tiles holds 0, 2, 4, 8, ..., and here is a {tile}. If the "
                'environment\'s boards hold exponents, set STATE = "exponents".'
            )
    return exponents


def get_action(state: np.ndarray, score: int = 0) -> int:
    """The action to take on a board, as the environment numbers it.

    The score plays no part: what counts is what is still to come.
    """
    board = board_of(state)
    if SEARCH == "td-mcts":
        direction = tree_search(board, NETWORK, SECONDS, TRIPS)
    else:
        direction = expectimax(board, NETWORK, PLIES)
    return ACTIONS.index(DIRECTIONS[direction])


# game

DIRECTIONS = ("up", "right", "down", "left")  # 0, 1, 2, 3 in here
CELLS = np.arange(16).reshape(4, 4)
LINES = np.array([CELLS.T, CELLS[:, ::-1], CELLS.T[:, ::-1], CELLS])
"""LINES[direction]: four lines of four cells, each from the wall that its tiles slide to."""
PLACES = np.argsort(LINES.reshape(4, 16), axis=1)
"""PLACES[direction]: where each cell of the board stands among these lines."""
DIGITS = 16 ** np.arange(4)


def slide_line(line: list) -> tuple:
    """(four exponents after they slid to the left, reward)."""
    tiles = [exponent for exponent in line if exponent != 0]
    slid = []
    reward = 0
    while tiles:
        exponent = tiles.pop(0)
        if tiles and tiles[0] == exponent and exponent < 15:
            tiles.pop(0)
            exponent += 1
            reward += 2**exponent
        slid.append(exponent)
    return slid + [0] * (4 - len(slid)), reward


def make_tables() -> tuple:
    """(the result, the reward) of every line there is, by its number: its exponents as digits."""
    lines = np.zeros((16**4, 4), dtype=np.uint8)
    rewards = np.zeros(16**4)
    for number in range(16**4):
        line = [number >> 4 * place & 15 for place in range(4)]
        lines[number], rewards[number] = slide_line(line)
    return lines, rewards


SLID_LINES, LINE_REWARDS = make_tables()


def slide_all(boards: np.ndarray) -> tuple:
    """Every board slid in all four directions.

    Returns afterstates, shape (boards, 4, 16); rewards, shape (boards, 4); and whether anything
    moved, shape (boards, 4).
    """
    numbers = boards[:, LINES].astype(np.int64) @ DIGITS
    slid = SLID_LINES[numbers].reshape(-1, 4, 16)
    afterstates = np.take_along_axis(slid, PLACES[np.newaxis], axis=2)
    rewards = LINE_REWARDS[numbers].sum(axis=2)
    moved = (afterstates != boards[:, np.newaxis]).any(axis=2)
    return afterstates, rewards, moved


def different(boards: np.ndarray) -> tuple:
    """(each board once, which of these each board was), so that nothing is worked out twice."""
    pairs = boards[:, 0::2] | boards[:, 1::2] << 4
    numbers = np.ascontiguousarray(pairs).view(np.uint64).ravel()
    _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
    return boards[first], which.ravel()


# network


class Network:
    """V(afterstate): the sum of one weight for each pattern and each side of the board."""

    def __init__(self, text: str) -> None:
        self.weights = unpacked(text)
        matrix = []
        starts = []
        start = 0
        for pattern in PATTERNS:
            for side in board_sides()[:SIDES]:
                digits = np.zeros(16)
                for place, cell in enumerate(pattern):
                    digits[side[cell]] += 16**place
                matrix.append(digits)
                starts.append(start)
            start += 16 ** len(pattern)
        # Which weights a board looks up is one product with this matrix: each row holds what an
        # exponent in each cell adds to one index. Such sums are exact.
        self.matrix = np.array(matrix).T
        self.starts = np.array(starts)

    def values(self, boards: np.ndarray) -> np.ndarray:
        """V of each board."""
        indices = (boards @ self.matrix).astype(np.int64) + self.starts
        return STEP * self.weights[indices].sum(axis=1, dtype=np.int64)


def board_sides() -> list:
    """The eight ways to look at a board: four turns, and the same of its mirror image."""
    sides = []
    for square in (CELLS, CELLS.T):
        for turns in range(4):
            sides.append(np.rot90(square, turns).ravel())
    return sides


def unpacked(text: str) -> np.ndarray:
    """The weights of all tables in a row, from text.

    Low bytes and high bytes stand apart, and 0, -1, 1, -2, 2 are written as 0, 1, 2, 3, 4: so they
    took less room when they were compressed.
    """
    content = zlib.decompress(base64.b85decode("".join(text.split())))
    low, high = np.frombuffer(content, dtype=np.uint8).reshape(2, -1).astype(np.int32)
    numbers = low + 256 * high
    weights = np.where(numbers % 2 == 1, -(numbers + 1) // 2, numbers // 2)
    return weights.astype(np.int16)


# expectimax


def expectimax(board: np.ndarray, network: "Network", plies: int) -> int:
    """The best direction, looking some moves ahead."""
    afterstates, rewards, moved = slide_all(board[np.newaxis])
    worths = np.full(4, -np.inf)
    legal = np.flatnonzero(moved[0])
    if len(legal) == 0:
        return 0  # nothing moves: the game is over, and any action will do
    worths[legal] = rewards[0, legal] + worth_of_afterstates(afterstates[0, legal], network, plies)
    return int(worths.argmax())


def worth_of_afterstates(afterstates: np.ndarray, network: "Network", plies: int) -> np.ndarray:
    """V, or what looking further ahead makes of it: the mean over all new tiles."""
    if plies == 1:
        return network.values(afterstates)
    which, cells = np.nonzero(afterstates == 0)
    total = np.zeros(len(afterstates))
    for exponent, probability in ((1, 1 - P4), (2, P4)):
        boards = afterstates[which]
        boards[np.arange(len(boards)), cells] = exponent
        worths = worth_of_boards(boards, network, plies - 1)
        total += probability * np.bincount(which, worths, len(afterstates))
    return total / np.bincount(which, minlength=len(afterstates))


def worth_of_boards(boards: np.ndarray, network: "Network", plies: int) -> np.ndarray:
    """Reward and what follows, of the best action on each board; 0 where nothing moves."""
    afterstates, rewards, moved = slide_all(boards)
    once, which = different(afterstates[moved])
    worths = np.full(moved.shape, -np.inf)
    if len(once) > 0:
        worths[moved] = rewards[moved] + worth_of_afterstates(once, network, plies)[which]
    best = worths.max(axis=1)
    return np.where(np.isfinite(best), best, 0.0)


# tree search


class Node:
    """A board of the search tree, and what is known of its actions."""

    def __init__(self, board: np.ndarray, network: "Network") -> None:
        afterstates, rewards, moved = slide_all(board[np.newaxis])
        self.afterstates = afterstates[0]
        self.rewards = rewards[0].tolist()
        self.legal = np.flatnonzero(moved[0]).tolist()
        first_guess = rewards[0] + network.values(self.afterstates)
        self.totals = first_guess.tolist()  # the guess of the network counts as a first visit
        self.visits = [1, 1, 1, 1]
        self.children = {}  # type: dict
        self.worth = max([self.totals[action] for action in self.legal], default=0.0)

    def choose(self, scale: float) -> int:
        """The action that is good so far, or has been tried too seldom to tell."""
        logarithm = math.log(sum(self.visits))
        best = self.legal[0]
        highest = -math.inf
        for action in self.legal:
            visits = self.visits[action]
            bound = self.totals[action] / visits + scale * math.sqrt(logarithm / visits)
            if bound > highest:
                best = action
                highest = bound
        return best


def tree_search(board: np.ndarray, network: "Network", seconds: float, trips: int) -> int:
    """The best direction, from as many trips down a growing tree as are allowed."""
    end = time.perf_counter() + seconds
    chance = random.Random(board.tobytes())  # of its own: the environment's is not touched
    root = Node(board, network)
    if len(root.legal) <= 1:
        return root.legal[0] if root.legal else 0
    scale = EXPLORE * abs(root.worth)
    for _ in range(trips):
        if time.perf_counter() >= end:
            break
        one_trip(root, network, scale, chance)
    return max(root.legal, key=lambda action: (root.visits[action], root.totals[action]))


def one_trip(root: "Node", network: "Network", scale: float, chance: random.Random) -> None:
    """Go down to a board that is not yet in the tree, ask the network, and tell all the way up."""
    path = []
    node = root
    is_new = False
    while node.legal and not is_new:
        action = node.choose(scale)
        path.append((node, action))
        cell = chance.choice(np.flatnonzero(node.afterstates[action] == 0).tolist())
        exponent = 2 if chance.random() < P4 else 1
        key = (action, cell, exponent)
        is_new = key not in node.children
        if is_new:
            board = node.afterstates[action].copy()
            board[cell] = exponent
            node.children[key] = Node(board, network)
        node = node.children[key]
    worth = node.worth
    for above, action in reversed(path):
        worth += above.rewards[action]
        above.visits[action] += 1
        above.totals[action] += worth


# self-check


def check_itself() -> None:
    """Raise a ValueError if this file does not do here what it did where it was written."""
    if sorted(ACTIONS) != sorted(DIRECTIONS):
        raise ValueError(f"ACTIONS names up, down, left and right, each once, got {ACTIONS}")
    if STATE not in ("tiles", "exponents"):
        raise ValueError(f'STATE is "tiles" or "exponents", got {STATE!r}')
    if SEARCH not in ("expectimax", "td-mcts"):
        raise ValueError(f'SEARCH is "expectimax" or "td-mcts", got {SEARCH!r}')
    example = np.arange(16, dtype=np.uint8)
    value = float(NETWORK.values(example[np.newaxis])[0])
    if value != EXAMPLE_VALUE:
        raise ValueError(
            f"the network at the end of this file is damaged: the board 0, 1, 2, ... is worth "
            f"{value}, and should be {EXAMPLE_VALUE}. Write the file again."
        )


def check_environment(environment: Any, moves: int = 50) -> None:
    """Raise a ValueError if an environment means something else by boards or actions.

    It is asked for a new game and some moves, with reset() and step(action). The random numbers
    that it draws from `random` and `numpy.random` are put back.
    """
    before = random.getstate(), np.random.get_state()
    try:
        board = board_of(first_of(environment.reset()))
        for number in range(moves):
            after = board_of(first_of(environment.step(number % 4)))
            check_move(board, number % 4, after)
            board = after
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])


def first_of(answer: Any) -> Any:
    """The board, which stands first in what reset and step return, if it does not stand alone."""
    return answer[0] if isinstance(answer, tuple) else answer


def check_move(board: np.ndarray, action: int, after: np.ndarray) -> None:
    """Raise a ValueError if an action of the environment did not do what ACTIONS says."""
    fits = [name for name in DIRECTIONS if may_follow(board, name, after)]
    if ACTIONS[action] in fits:
        return
    boards = f"\nbefore:\n{board.reshape(4, 4)}\nafter action {action}:\n{after.reshape(4, 4)}"
    if fits:
        raise ValueError(
            f"ACTIONS says that action {action} of the environment slides the board "
            f"{ACTIONS[action]}, but it slid {' or '.join(fits)}:\n"
            f"set ACTIONS in the environment's order. (Exponents are shown.){boards}"
        )
    raise ValueError(
        f"after action {action} of the environment the board is none that 2048 allows:\n"
        f"one slide, and one new 2 or 4. (Exponents are shown.){boards}"
    )


def may_follow(board: np.ndarray, name: str, after: np.ndarray) -> bool:
    """Whether a board may come after a slide: with a new tile, or unchanged if nothing moves."""
    afterstates, _, moved = slide_all(board[np.newaxis])
    direction = DIRECTIONS.index(name)
    slid = afterstates[0, direction]
    changed = np.flatnonzero(after != slid)
    if not moved[0, direction]:
        return len(changed) == 0
    return len(changed) == 1 and slid[changed[0]] == 0 and after[changed[0]] in (1, 2)


def start() -> None:
    """Check this file, and the environment if it stands in here or ENVIRONMENT says where."""
    check_itself()
    if ENVIRONMENT:
        module, _, name = ENVIRONMENT.partition(":")
        check_environment(getattr(importlib.import_module(module), name)())
    elif "Game2048Env" in globals():
        check_environment(globals()["Game2048Env"]())


# the network itself
NETWORK = Network(
    """
c-rm3F#!Mo0K%a4Pwin1pa1{>000000000000000000000000000000000000000000000000000000000000000000000000000
00000000000000000000000000000000000000000000000000000000000000000000000000000000ZU7zt0R
"""
)

start()
