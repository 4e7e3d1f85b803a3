"""Looking ahead by Monte-Carlo tree search, with the network's values in place of playouts.

Expectimax (search.py) goes through every board that may come, so deep and no deeper. A tree search
makes one **trip** after the other, each a way that a game may go, and so looks deep where it pays.
It remembers the boards it met in a tree, and with each of their actions how often trips took it and
what came back:

    descend     on a board of the tree take the action with the highest bound (UCB1),
                mean + c sqrt(ln N / n), with N the trips through the board and n those of the
                action; then let chance draw the new tile
    expand      a board that the tree does not hold yet joins it, and ends the trip
    value       it is worth max over a of r + V(s'), 0 if it is dead: what the network says, so
                nothing is played out
    back up     the rewards on the way are added, and every action on it learns what came after it

Nothing is known of an action at first but what the network says of it: that counts as one trip. The
constant c is a share of what lies between the best and the worst action of the board to move on,
because points at the end of a game are worth other things than at its beginning.

Course homework of recent years calls this TD-MCTS. The tree is that of Kocsis and Szepesvari
(2006), with chance between the moves. As in search.py, whoever sets a flag from another thread ends
the search at once.
"""

from typing import NamedTuple

import numpy as np

from lib2048.board import _is_dead, _largest_exponent
from lib2048.engines import playing_rule
from lib2048.fast.choosing import ILLEGAL, _outcomes
from lib2048.fast.lookup import F32
from lib2048.fast.planes import _slide_planes, _spawn_in_planes, _to_board, _to_planes
from lib2048.kernels import kernel, uint64
from lib2048.learning import LONGEST, Rule
from lib2048.network import NTupleNetwork
from lib2048.playing import evaluate_player
from lib2048.random_words import GOLDEN, mix
from lib2048.records import Summary
from lib2048.search import (
    MOVES,
    MOVES_AT_ONCE,
    NO_NUMBERS,
    PLANES,
    RANDOM,
    SCORE,
    PlayedGame,
    _opened,
)
from lib2048.validate import (
    check_board,
    check_not_negative,
    check_seed,
    check_whole,
)

ROOT = 0
NONE = -1  # the number of no board
USUAL_TRIPS = 100
USUAL_C = 0.5
MOST_TRIPS = 1 << 22


class Tree(NamedTuple):
    """The boards of a tree, a row each, and their actions, a column each."""

    boards: np.ndarray  # uint64 (rows): in planes
    siblings: np.ndarray  # int32 (rows): another board after the same action, or NONE
    afterstates: np.ndarray  # uint64 (rows, 4): in planes
    rewards: np.ndarray  # float64 (rows, 4)
    visits: np.ndarray  # float64 (rows, 4): trips that took the action; 0 where it is illegal
    totals: np.ndarray  # float64 (rows, 4): what they brought, its own reward included
    followers: np.ndarray  # int32 (rows, 4): the newest board after the action, or NONE
    path: np.ndarray  # int32 (rows, 2): the boards of a trip and the actions taken there
    used: np.ndarray  # int64 (1): rows in use
    random: np.ndarray  # uint64 (1): the state that new tiles are drawn from
    stop: np.ndarray  # uint8 (1): anything but 0 ends the search


def new_tree(trips: int, stop: np.ndarray) -> Tree:
    """Room for so many trips: each of them adds at most one board."""
    rows = trips + 1
    return Tree(
        np.zeros(rows, np.uint64),
        np.zeros(rows, np.int32),
        np.zeros((rows, 4), np.uint64),
        np.zeros((rows, 4)),
        np.zeros((rows, 4)),
        np.zeros((rows, 4)),
        np.zeros((rows, 4), np.int32),
        np.zeros((rows, 2), np.int32),
        np.zeros(1, np.int64),
        np.zeros(1, np.uint64),
        stop,
    )


# A trip


@kernel()
def _add_board(net, rule, tree, planes):
    """Let a board join the tree, its actions judged by the network.

    Returns (its row, what its best action is worth, or 0 if it is dead).
    """
    row = tree.used[0]
    tree.used[0] = row + 1
    afterstates, worths, along, across = _outcomes(net, planes, F32(rule.p4))
    tree.boards[row] = planes
    tree.siblings[row] = NONE
    best = ILLEGAL
    for action in range(4):
        is_legal = worths[action] != ILLEGAL
        tree.afterstates[row, action] = afterstates[action]
        tree.rewards[row, action] = across if action % 2 else along
        tree.visits[row, action] = 1.0 if is_legal else 0.0
        tree.totals[row, action] = worths[action] if is_legal else 0.0
        tree.followers[row, action] = NONE
        best = max(best, worths[action])
    return row, (0.0 if best == ILLEGAL else np.float64(best))


@kernel()
def _chosen_action(tree, row, bonus):
    """The action of a board with the highest bound, the lowest of equals; -1 on a dead board."""
    visits_of_board = 0.0
    for action in range(4):
        visits_of_board += tree.visits[row, action]
    log_n = np.log(max(visits_of_board, 1.0))
    chosen = -1
    highest = -np.inf
    for action in range(4):
        visits = tree.visits[row, action]
        if visits > 0.0:
            bound = tree.totals[row, action] / visits + bonus * np.sqrt(log_n / visits)
            if bound > highest:
                highest = bound
                chosen = action
    return chosen


@kernel()
def _drawn_board(rule, tree, row, action):
    """A new tile after an action: (the board, its row, NONE if the tree does not hold it)."""
    tree.random[0] += GOLDEN
    planes = _spawn_in_planes(tree.afterstates[row, action], mix(tree.random[0]), rule.fours)
    follower = tree.followers[row, action]
    while follower != NONE and tree.boards[follower] != planes:
        follower = tree.siblings[follower]
    return planes, follower


@kernel()
def _make_trip(net, rule, tree, bonus):
    """Go down to a board that is new or dead, and bring back what it is worth."""
    row = ROOT
    length = 0
    value = 0.0
    while True:
        action = _chosen_action(tree, row, bonus)
        if action < 0:
            break
        tree.path[length, 0] = row
        tree.path[length, 1] = action
        length += 1
        planes, follower = _drawn_board(rule, tree, row, action)
        if follower == NONE:
            follower, value = _add_board(net, rule, tree, planes)
            tree.siblings[follower] = tree.followers[row, action]
            tree.followers[row, action] = follower
            break
        row = follower
    for step in range(length - 1, -1, -1):
        row = tree.path[step, 0]
        action = tree.path[step, 1]
        value += tree.rewards[row, action]
        tree.visits[row, action] += 1.0
        tree.totals[row, action] += value


@kernel()
def _grow(net, rule, tree, planes, trips, c):
    """Grow a tree from a board, which forgets the tree before.

    Returns the action with the highest mean, the lowest of equals; -1 on a dead board, and where
    the values are no numbers.
    """
    tree.used[0] = 0
    _add_board(net, rule, tree, planes)
    only = _only_action(tree)
    if only >= 0:
        return only
    best = -np.inf
    worst = np.inf
    for action in range(4):
        if tree.visits[ROOT, action] > 0.0:
            best = max(best, tree.totals[ROOT, action])
            worst = min(worst, tree.totals[ROOT, action])
    bonus = c * max(best - worst, 1.0)
    for _ in range(trips):
        if tree.stop[0] != 0 or best == -np.inf:
            break
        _make_trip(net, rule, tree, bonus)
    return _chosen_action(tree, ROOT, 0.0)


@kernel()
def _only_action(tree):
    """The only legal action of the board to move on, -1 if there are more or none."""
    only = -1
    for action in range(4):
        if tree.visits[ROOT, action] > 0.0:
            if only >= 0:
                return -1
            only = action
    return only


@kernel(nogil=True)
def _play_on(net, rule, tree, game, actions, limits):
    """Make up to `most` moves of a game and note the actions, in place.

    limits is (trips, c, most). Returns whether the game goes on; when the search was stopped, it
    does.
    """
    trips, c, most = limits
    for _ in range(most):
        action = _grow(net, rule, tree, game[PLANES], trips, c)
        if tree.stop[0] != 0:
            return True
        if action < 0:
            return False
        actions[game[MOVES]] = action
        afterstate, reward = _slide_planes(game[PLANES], action)
        game[RANDOM] += GOLDEN
        game[PLANES] = _spawn_in_planes(afterstate, mix(game[RANDOM]), rule.fours)
        game[SCORE] += reward
        game[MOVES] += uint64(1)
    return True


# A player


class TreeSearch:
    """A player that searches by trips into a tree.

    Parameters
    ----------
    net : NTupleNetwork
        The network that values boards.
    trips : int
        How many trips it makes for a move.
    c : float
        How much is tried out: the bonus of UCB1 as a share of what lies between the best and the
        worst action.
    p4 : float, optional
        The probability of a 4; the network's own when None.
    seed : int
        What the new tiles of the tree are drawn from.

    Raises
    ------
    ValueError
        If an argument is not what it may be.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork
    >>> from lib2048.tree_search import TreeSearch
    >>> player = TreeSearch(NTupleNetwork(((0, 1),)), trips=10)
    >>> action, means = player.choose(0x11)  # two 2-tiles side by side
    >>> action in (1, 3), player.visits.tolist().count(0.0)
    (True, 1)
    """

    def __init__(
        self,
        net: NTupleNetwork,
        trips: int = USUAL_TRIPS,
        c: float = USUAL_C,
        p4: float | None = None,
        seed: int = 0,
    ):
        self.rule: Rule = playing_rule(net, p4, seed)
        self.net = net
        self.trips = check_whole("trips", trips, 1, MOST_TRIPS)
        self.c = check_not_negative("c", c)
        self.stop = np.zeros(1, np.uint8)
        self.tree = new_tree(self.trips, self.stop)
        self._start(0)

    def _start(self, game: int) -> None:
        """Draw the tree's tiles from a stream that belongs to a game."""
        self.tree.random[0] = mix(mix(uint64(self.rule.seed) ^ GOLDEN) + uint64(game))

    @property
    def visits(self) -> np.ndarray:
        """How often the last search took each action of the board (float64[4])."""
        return self.tree.visits[ROOT].copy()

    def choose(self, board: int) -> tuple[int | None, np.ndarray]:
        """The best action on a board, and what all four brought on average.

        Returns
        -------
        (int or None, numpy.ndarray)
            The action, the lowest of equally good ones, and the means: float64, nan where an action
            is illegal. A dead board gives None and four nans.

        Raises
        ------
        ValueError
            If it is no board.
        """
        planes = uint64(_to_planes(check_board(board)))
        action = _grow(self.net.arrays, self.rule, self.tree, planes, self.trips, self.c)
        totals = self.tree.totals[ROOT]
        visits = self.tree.visits[ROOT]
        means = np.divide(totals, visits, out=np.full(4, np.nan), where=visits > 0)
        return (None if action < 0 else int(action)), means

    def play(self, number: int = 0) -> PlayedGame:
        """Play game `number` of the seed, to its end or until the flag is set.

        The tiles of the game are those that `lib2048.play` draws for the same seed and number.

        Raises
        ------
        ValueError
            If this is no number of a game, or the values of the network are not numbers.
        """
        self._start(int(check_seed(number, "number, the number of a game,")))
        board, state = _opened(self.rule, number, None)
        game = np.zeros(4, np.uint64)
        game[PLANES] = _to_planes(uint64(board))
        game[RANDOM] = state
        actions = np.empty(LONGEST, np.uint8)
        limits = (self.trips, self.c, max(1, MOVES_AT_ONCE // self.trips))
        goes_on = True
        while goes_on and not self.stop[0]:
            goes_on = _play_on(self.net.arrays, self.rule, self.tree, game, actions, limits)
        last_board = uint64(_to_board(game[PLANES]))
        if not goes_on and not _is_dead(last_board):
            raise ValueError(NO_NUMBERS)
        moves = int(game[MOVES])
        return PlayedGame(
            score=int(game[SCORE]),
            max_tile=int(_largest_exponent(last_board)),
            moves=moves,
            is_over=not goes_on,
            last_board=int(last_board),
            actions=actions[:moves].copy(),
            values=np.empty((0, 4), np.float32),
        )

    def evaluate(self, games: int, progress: bool = True) -> Summary:
        """Play many games and sum them up, as `lib2048.evaluate` does.

        Ctrl-C sums up the games that are done.

        Raises
        ------
        ValueError
            If games is no count, or the values of the network are not numbers.
        KeyboardInterrupt
            If no game was done yet when Ctrl-C came.
        """
        return evaluate_player(self.play, self.stop, games, progress)
