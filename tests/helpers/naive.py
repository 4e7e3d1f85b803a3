"""Slow twins of lib2048, written from the rules in plain Python and meant to be read against them.

Here the network, choosing, searching and learning; the game is in naive_game.py, files in
naive_files.py, and all of it can be had from here. Weights are Python floats (double precision) and
sums are exactly rounded, so values agree with a float32 network to about 1e-6 relative, not to the
last bit.
"""

import math
from typing import NamedTuple

from naive_files import (  # noqa: F401
    demo_bytes,
    format_episode,
    framework_bytes,
    read_episode,
    reverse_digits,
    tdl2048_bytes,
    tdl2048_value,
    wilson,
)
from naive_game import (  # noqa: F401
    ACTIONS,
    DOWN,
    LARGEST,
    LEFT,
    RIGHT,
    UP,
    Stream,
    empty_cells,
    flat,
    from_tiles,
    is_dead,
    legal_actions,
    lines,
    place,
    random_game,
    reflect,
    rotate,
    slide,
    slide_row_left,
    successors,
    symmetries,
    to_board,
    to_cells,
    to_rows,
)

# The network


def index(cells, pattern):
    """Natural index: sum of exponent(cell_j) << 4j, the first cell in the low nibble."""
    return sum(cells[cell] << (4 * j) for j, cell in enumerate(pattern))


class Network:
    """V(board): the sum over images and patterns of table[pattern][index of the image].

    `init` is V of every board, so a weight starts at init/lookups. Tables are dicts of the weights
    changed so far. With `coherence` each weight keeps the sum of its errors and the sum of their
    absolute values.
    """

    def __init__(self, patterns, values="afterstate", init=0.0, symmetries=8, coherence=False):
        self.patterns = [tuple(pattern) for pattern in patterns]
        self.values, self.symmetries, self.coherence = values, symmetries, coherence
        self.lookups = symmetries * len(self.patterns)
        self.start = init / self.lookups
        self.tables = [{} for _ in self.patterns]
        self.sums = [{} for _ in self.patterns]

    def weight(self, k, i):
        """The weight of pattern k at natural index i."""
        return self.tables[k].get(i, self.start)

    def table(self, k):
        """All weights of pattern k in natural order."""
        return [self.weight(k, i) for i in range(16 ** len(self.patterns[k]))]

    def indices(self, cells):
        """The lookups of a board as (pattern number, index), as often as it is looked up."""
        images = symmetries(cells) if self.symmetries == 8 else [cells]
        return [
            (k, index(image, pattern))
            for image in images
            for k, pattern in enumerate(self.patterns)
        ]

    def value(self, cells):
        """V(board)."""
        return math.fsum(self.weight(k, i) for k, i in self.indices(cells))

    def update(self, cells, delta):
        """Add delta/lookups for each lookup, one after another, then return V read afresh.

        A weight that the board looks up n times gets n shares and counts n times in V: V moves by
        more than delta.
        """
        share = delta / self.lookups
        for k, i in self.indices(cells):
            self.tables[k][i] = self.weight(k, i) + share * self.rate(k, i, share)
        return self.value(cells)

    def rate(self, k, i, share):
        """|sum of errors| / sum of |errors| of a weight (1 while it is 0), before this error.

        The error of a weight is its share of the step, delta/lookups, all that `update` is told.
        Every lookup is an error of its own: a weight looked up twice reads its second rate after
        its first error has joined the sums.
        """
        if not self.coherence:
            return 1.0
        total, absolute = self.sums[k].get(i, (0.0, 0.0))
        self.sums[k][i] = (total + share, absolute + abs(share))
        return abs(total) / absolute if absolute else 1.0


# Choosing and searching


def state_value(network, cells):
    """V(s) as it counts in an expectation or a target: 0 for a dead board."""
    return 0.0 if is_dead(cells) else network.value(cells)


def mean_over_spawns(after, p4, value):
    """The mean of value(board) over the boards that a spawn makes of an afterstate."""
    return math.fsum(p * value(board) for p, board in successors(after, p4))


def best(values):
    """(Action of the largest value, the lowest action of equals; values).

    No action when all are nan.
    """
    legal = [action for action in ACTIONS if not math.isnan(values[action])]
    return (max(legal, key=lambda action: (values[action], -action)) if legal else None), values


def acceptable(values, tolerance=1e-5):
    """The actions a player may choose whose sums are rounded differently: all close to the best.

    Images of one board have equal values here, but float32 sums of the same weights in another
    order can differ.
    """
    legal = [value for value in values if not math.isnan(value)]
    return (
        [a for a in ACTIONS if values[a] >= max(legal) - tolerance * (1 + abs(max(legal)))]
        if legal
        else []
    )


def choose(network, cells, p4=0.1):
    """(Best action, values of the four actions, nan where illegal).

    An action has the value r + V(s'), or r + the mean of V(s'') over spawns.
    """
    values = [math.nan] * 4
    for action in legal_actions(cells):
        after, reward = slide(cells, action)
        if network.values == "afterstate":
            values[action] = reward + network.value(after)
        else:
            values[action] = reward + mean_over_spawns(
                after, p4, lambda board: state_value(network, board)
            )
    return best(values)


def expectimax(network, cells, plies=1, p4=0.1):
    """`choose` looking ahead over `plies` moves of the player; dead boards give 0."""
    if plies == 1:
        return choose(network, cells, p4)

    def best_value(board):
        action, values = expectimax(network, board, plies - 1, p4)
        return 0.0 if action is None else values[action]

    values = [math.nan] * 4
    for action in legal_actions(cells):
        after, reward = slide(cells, action)
        values[action] = reward + mean_over_spawns(after, p4, best_value)
    return best(values)


# Learning from an episode


class Step(NamedTuple):
    """One move: state, action, reward, afterstate."""

    s: list
    a: int
    r: int
    after: list


def episode(boards, actions):
    """Boards s_0 .. s_T, the last one dead, and actions a_0 .. a_T-1 -> list of Steps, checked."""
    if len(boards) != len(actions) + 1 or not is_dead(boards[-1]):
        raise ValueError("an episode has one board more than actions, and its last board is dead")
    steps = []
    for s, a, following in zip(boards, actions, boards[1:]):
        after, r = slide(s, a)
        if r < 0 or following not in [board for _, board in successors(after)]:
            raise ValueError(f"action {a} does not lead from {s} to {following}")
        steps.append(Step(list(s), int(a), r, after))
    return steps


def afterstate_backward(network, steps, alpha):
    """target = 0; from the last move: error = target - V(s'), target = r + V(s') after it."""
    target = 0.0
    for step in reversed(steps):
        error = target - network.value(step.after)
        target = step.r + network.update(step.after, alpha * error)


def state_backward(network, steps, alpha):
    """following = 0; from the last move: error = r + following - V(s), following = V(s) then."""
    following = 0.0
    for step in reversed(steps):
        error = step.r + following - network.value(step.s)
        following = network.update(step.s, alpha * error)


def afterstate_forward(network, steps, alpha):
    """Once the next move is known, V(s') learns r + V of the next s'; the last one learns 0."""
    for step, following in zip(steps, steps[1:]):
        error = following.r + network.value(following.after) - network.value(step.after)
        network.update(step.after, alpha * error)
    network.update(steps[-1].after, alpha * (0.0 - network.value(steps[-1].after)))


def state_forward(network, steps, alpha):
    """Once the next state is known, V(s) learns r + V of the next s, 0 for a dead board."""
    for t, step in enumerate(steps):
        following = network.value(steps[t + 1].s) if t + 1 < len(steps) else 0.0
        network.update(step.s, alpha * (step.r + following - network.value(step.s)))


def learn(network, steps, alpha, order="backward"):
    """The rule for the network's kind of value, applied to a recorded episode in place."""
    rules = {
        ("afterstate", "backward"): afterstate_backward,
        ("afterstate", "forward"): afterstate_forward,
        ("state", "backward"): state_backward,
        ("state", "forward"): state_forward,
    }
    rules[network.values, order](network, steps, alpha)


def train_game(network, stream, alpha, order="backward"):
    """A greedy game of the random stream, learned from -> (its steps, last board).

    Written from the rules once more for "forward", as the choices depend on what was learned a move
    ago.
    """
    s, steps, after_kind = stream.first_board(), [], network.values == "afterstate"
    while True:
        action, _ = choose(network, s, stream.p4)
        after, r = slide(s, action) if action is not None else (None, 0)
        if order == "forward" and after_kind and steps:
            target = r + network.value(after) if action is not None else 0.0
            network.update(steps[-1].after, alpha * (target - network.value(steps[-1].after)))
        if action is None:
            break
        steps.append(Step(s, action, r, after))
        s = stream.spawn(after)
        if order == "forward" and not after_kind:
            before = steps[-1].s
            network.update(before, alpha * (r + state_value(network, s) - network.value(before)))
    if order == "backward":
        learn(network, steps, alpha, order)
    return steps, s
