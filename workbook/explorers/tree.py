"""Two small searches, written to be looked at: expectimax by plies, and a tree that grows.

Both value their leaves with what a network has learned, r + V(s'). What lib2048 searches with is
lib2048/search.py; these keep everything they see.

- Expectimax goes through all boards that may come, as deep as it is told.
- Monte-Carlo tree search makes one trip after the other into a tree that it remembers. On a board
  whose actions have all been tried, UCB1 says which one comes next; a new tile is drawn by chance;
  and the first action that has not been tried becomes a leaf. What it is worth goes back up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from lib2048.board import legal_actions, slide
from lib2048.network import NTupleNetwork
from lib2048.playing import best_action


def spawns(afterstate: int, p4: float) -> list[tuple[float, int, int, int]]:
    """All boards that may follow an afterstate, as rows of probability, cell, exponent and board.

    Examples
    --------
    >>> [(round(share, 3), cell) for share, cell, _, _ in spawns(0x1111_1111_1111_1011, 0.1)]
    [(0.9, 2), (0.1, 2)]
    """
    empty = [cell for cell in range(16) if not afterstate >> 4 * cell & 15]
    rows = []
    for cell in empty:
        for exponent, share in ((1, 1 - p4), (2, p4)):
            board = afterstate | exponent << 4 * cell
            rows.append((share / len(empty), cell, exponent, board))
    return rows


def worths(net: NTupleNetwork, board: int, p4: float) -> dict[int, float]:
    """r + V(s') of each legal action; for a network of states, r + the mean over new tiles."""
    _, values = best_action(net, board, p4=p4)
    return {action: float(worth) for action, worth in enumerate(values) if not math.isnan(worth)}


def count_leaves(board: int, plies: int) -> int:
    """How many afterstates expectimax values on a board with so many plies."""
    if plies == 1:
        return len(legal_actions(board))
    leaves = 0
    for action in legal_actions(board):
        afterstate, _ = slide(board, action)
        leaves += sum(count_leaves(after, plies - 1) for _, _, _, after in spawns(afterstate, 0.1))
    return leaves


@dataclass
class Node:
    """A place in a tree that is remembered."""

    number: int
    parent: int | None
    board: int  # a state, or the afterstate of an action
    action: int | None = None  # what led here from a state
    reward: int = 0
    cell: int | None = None  # where the new tile came that led here from an afterstate
    exponent: int = 0
    visits: int = 0
    total: float = 0.0
    children: dict = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """What came back on average."""
        return self.total / self.visits


def ucb1(mean: float, visits: int, total: int, c: float) -> float:
    """UCB1: the mean, and a bonus for what was seldom tried.

    Parameters
    ----------
    mean : float
        What came back on average, in points.
    visits : int
        How often this action was tried.
    total : int
        How often all actions of the board were tried.
    c : float
        How much the bonus counts, in points.

    Examples
    --------
    >>> ucb1(100.0, 4, 4, 10.0) < ucb1(100.0, 1, 4, 10.0)
    True
    """
    return mean + c * math.sqrt(math.log(total) / visits)


@dataclass
class Decision:
    """Which action was taken on a board of the tree, and why."""

    node: int
    bounds: dict[int, float]  # UCB1 of each action; empty where one had not been tried
    action: int


@dataclass
class Trip:
    """One trip into the tree."""

    path: list[int]
    decisions: list[Decision]
    value: float  # r + V(s') of the leaf; 0 of a dead board
    returned: float  # what came back to the root


class Tree:
    """A tree that grows from a board, one leaf with each trip.

    Parameters
    ----------
    net : NTupleNetwork
        The network that values leaves.
    board : int
        The board, which is not dead.
    c : float
        How much the bonus of UCB1 counts, in points.
    p4 : float
        The probability of a 4.
    seed : int
        What new tiles are drawn from.
    """

    def __init__(self, net: NTupleNetwork, board: int, c: float, p4: float, seed: int):
        self.net = net
        self.c = c
        self.p4 = p4
        self.random = Random(seed)
        self.nodes = [Node(0, None, board)]

    def trip(self) -> Trip:
        """Go down to a new leaf, and bring back what it is worth."""
        node = self.nodes[0]
        path = [0]
        decisions = []
        while True:
            values = worths(self.net, node.board, self.p4)
            if not values:
                value = 0.0
                break
            decision = self._decide(node, values)
            decisions.append(decision)
            is_leaf = decision.action not in node.children
            chosen = self._after(node, decision.action)
            path.append(chosen.number)
            if is_leaf:
                value = values[decision.action]
                break
            node = self._drawn(chosen)
            path.append(node.number)
        returned = self._bring_back(path, value)
        return Trip(path, decisions, value, returned)

    def bounds(self, node: Node) -> dict[int, float]:
        """UCB1 of each action of a state that was tried."""
        total = sum(child.visits for child in node.children.values())
        return {
            action: ucb1(child.mean, child.visits, total, self.c)
            for action, child in sorted(node.children.items())
        }

    def _decide(self, node: Node, values: dict[int, float]) -> Decision:
        """An action that was not tried, the best one by r + V(s'); else the largest UCB1."""
        untried = [action for action in values if action not in node.children]
        if untried:
            return Decision(node.number, {}, max(untried, key=lambda action: values[action]))
        bounds = self.bounds(node)
        return Decision(node.number, bounds, max(bounds, key=lambda action: bounds[action]))

    def _after(self, node: Node, action: int) -> Node:
        """The node of an afterstate, which is made where there is none."""
        if action not in node.children:
            afterstate, reward = slide(node.board, action)
            child = Node(len(self.nodes), node.number, afterstate, action=action, reward=reward)
            self.nodes.append(child)
            node.children[action] = child
        return node.children[action]

    def _drawn(self, node: Node) -> Node:
        """The state that follows an afterstate, by chance."""
        rows = spawns(node.board, self.p4)
        shares = [share for share, _, _, _ in rows]
        ((_, cell, exponent, board),) = self.random.choices(rows, shares)
        if board not in node.children:
            child = Node(len(self.nodes), node.number, board, cell=cell, exponent=exponent)
            self.nodes.append(child)
            node.children[board] = child
        return node.children[board]

    def _bring_back(self, path: Sequence[int], value: float) -> float:
        """Add what a leaf is worth, and the rewards on the way, to the nodes of a path."""
        leaf = self.nodes[path[-1]]
        came = value
        for number in reversed(path):
            node = self.nodes[number]
            if node.action is not None and node is not leaf:
                came += node.reward  # that of the leaf is part of its value
            node.visits += 1
            node.total += came
        return came


def usual_c(net: NTupleNetwork, board: int, p4: float) -> float:
    """A bonus that can overturn the order of the actions: half of what lies between them, rounded.

    At least 1 point.
    """
    values = worths(net, board, p4)
    spread = (max(values.values()) - min(values.values())) / 2
    digits = 10.0 ** math.floor(math.log10(max(1.0, spread)))
    return max(1.0, float(np.round(spread / digits) * digits))
