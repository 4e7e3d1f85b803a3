"""The museum of faults, for use: train with a fault, or try one by hand.

The faults in the game, in choosing and in learning are kernels, see faults.py. Those in files, and
in the choice of patterns, are here.
"""

import ast
import inspect
import math
import sys
from collections.abc import Callable

import numpy as np

from lib2048 import LEFT, NTupleNetwork, TrainLog, from_tiles, slide
from lib2048.engines import learning_rule
from lib2048.options import TrainOptions
from lib2048.plain_network import bring_back, plain_network
from lib2048.validate import check_board
from workbook import faults

SIX_THAT_ARE_TWO = tuple(
    tuple(first + cell for cell in (0, 1, 2, 4, 5, 6)) for first in (0, 1, 4, 5, 8, 9)
)
"""All places of a rectangle of three cells by two. Turned and mirrored, only two of them differ."""

REST = ([32, 64, 128, 256], [8, 16, 32, 64], [128, 256, 512, 1024])
"""Three rows of tiles in which nothing moves."""

LAST_BOARDS = [from_tiles([row, *REST]) for row in ([4, 4, 16, 2], [8, 16, 2, 2], [8, 16, 4, 2])]
LAST_MOVES = (LAST_BOARDS, [LEFT, LEFT], [8, 4])
"""The end of a game: its last three boards, and the actions and rewards of its last two moves."""


# A whole training


def train(
    net: NTupleNetwork,
    games: int,
    alpha: float,
    seed: int,
    fault: str = "NONE",
    block: int = 1000,
    report: Callable[[int, int], None] | None = None,
) -> tuple[TrainLog, faults.Signs]:
    """Learn from games with a fault, in place; without one, as `lib2048.train` does.

    Parameters
    ----------
    net : NTupleNetwork
        The network that learns, last move first.
    games : int
        How many games to learn from. There are fewer when a value is no finite number any more.
    alpha : float
        The step size of V.
    seed : int
        The seed of the games.
    fault : str
        The name of a fault in faults.py.
    block : int
        After so many games `report` is called. It is the block of the log, too.
    report : callable, optional
        Called with how many games are done, and how many there will be.

    Returns
    -------
    log : TrainLog
        What became of the games.
    signs : faults.Signs
        The same and more, game by game: what may show that there is a fault.
    """
    number = number_of(fault)
    network = plain_network(net)
    rule = learning_rule(net, TrainOptions(alpha=alpha, seed=seed))
    episode = faults.new_episode()
    signs = faults.new_signs(games)
    done = 0
    while done < games:
        count = min(block, games - done)
        learned = faults.train(network, rule, episode, signs, done, count, number)
        done += learned
        if report is not None:
            report(done, games)
        if learned < count:
            break
    bring_back(network, net)
    signs = faults.Signs(*(of_games[:done] for of_games in signs))
    return TrainLog(signs.scores, signs.max_tiles, signs.moves, block, 0.0), signs


def number_of(fault: str) -> int:
    """The number by which kernels know a fault.

    Raises
    ------
    ValueError
        If no kernel has such a fault.
    """
    if fault not in faults.NUMBERS:
        raise ValueError(f"kernels have the faults {', '.join(faults.NUMBERS)}, got {fault!r}")
    return faults.NUMBERS[fault]


# By hand: one move, one choice, one episode with a fault


def move_with(fault: str, board: int, action: int) -> tuple[int, int]:
    """(afterstate, reward) of an action, as `lib2048.slide` gives it."""
    afterstate, reward = faults.move(check_board(board), action, number_of(fault))
    return int(afterstate), int(reward)


def choose_with(fault: str, net: NTupleNetwork, board: int) -> tuple[int | None, float]:
    """The action a network takes and what it seems worth; (None, nan) when there is none."""
    network = plain_network(net)
    action, _, _, worth = faults.select_best_move(
        network, check_board(board), np.float32(net.p4), number_of(fault)
    )
    return (None, math.nan) if action < 0 else (int(action), float(worth))


def learn_with(fault: str, net: NTupleNetwork, boards, actions, rewards, alpha: float) -> float:
    """Learn from a recorded episode, last move first, in place, as `lib2048.learn_episode` does.

    Returns the last value learned.
    """
    network = plain_network(net)
    rule = learning_rule(net, TrainOptions(alpha=alpha))
    episode = faults.new_episode()
    for t, (board, action, reward) in enumerate(zip(boards, actions, rewards)):
        afterstate, _ = slide(board, action)
        learned = board if net.values == "state" else afterstate
        episode.boards[t] = learned
        episode.actions[t] = action
        episode.rewards[t] = reward
        episode.values[t] = net.value(learned)
    last_board = check_board(boards[-1])
    value = faults.update_episode(
        network, rule, episode, len(actions), last_board, number_of(fault)
    )
    bring_back(network, net)
    return float(value)


# Faults in files


def taken_up(net: NTupleNetwork, fault: str) -> NTupleNetwork:
    """The network that a program with this fault reads from a file that holds `net`."""
    if fault == "SUMS_LOST":
        # The file held the weights only, so temporal coherence begins anew.
        net.errors = np.zeros(net.errors.shape, np.float32)
    if fault == "DIGITS_REVERSED":
        net = read_reversed(net)
    return net


def read_reversed(net: NTupleNetwork) -> NTupleNetwork:
    """The tables of a network, read by a program whose lowest digit is a pattern's last cell."""
    other = NTupleNetwork([pattern[::-1] for pattern in net.patterns], net.values)
    other.games = net.games
    for k in range(len(net.patterns)):
        for first, weights in net.table_parts(k, 1 << 12):
            if weights.any():  # most are 0, and memory that is never written to is never taken
                other.set_table_part(k, first, weights)
    return other


# The code of a fault


def shown(fault: str) -> str:
    """The lines of a fault as they stand in the source, below the first line of their function.

    Raises
    ------
    ValueError
        If there is no such fault.
    """
    for module in (faults, sys.modules[__name__]):
        source = inspect.getsource(module)
        lines = source.splitlines()
        for function in ast.walk(ast.parse(source)):
            if not isinstance(function, ast.FunctionDef):
                continue
            branch = _branch_of(fault, function)
            if branch is not None:
                own_lines = lines[branch.lineno - 1 : branch.end_lineno]
                return "\n".join([lines[function.lineno - 1], "    ...", *own_lines])
    raise ValueError(f"no fault is called {fault!r}")


def _branch_of(fault: str, function: ast.FunctionDef) -> ast.If | None:
    """The branch `if fault == NAME` of a function for this fault, if it has one."""
    for node in ast.walk(function):
        if isinstance(node, ast.If):
            condition = ast.unparse(node.test).replace("'", "").split()
            if condition[:3] == ["fault", "==", fault]:
                return node
    return None
