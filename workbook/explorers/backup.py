"""The backup stepper: the last moves of a game are learned from, one value after the other.

Both kinds of value and both orders are computed by the functions of the plain engine
(lib2048/learning.py), for several passes over the same moves. The browser goes through the numbers.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lib2048.board import legal_actions, slide, to_array
from lib2048.engines import check_network
from lib2048.learning import (
    F32,
    Network,
    Rule,
    estimate,
    find,
    learn,
    live_value,
    new_network,
)
from lib2048.network import VALUES, NTupleNetwork
from lib2048.playing import play
from lib2048.records import Trace
from lib2048.validate import ORDERS, check_step, check_whole
from lib2048.viewer.joining import joined
from workbook.widgets.drawing import Drawing
from workbook.widgets.widget import WorkbookWidget, page_script, widget_style

SCRIPT = Path(__file__).parent / "script"
STYLE = Path(__file__).parents[1] / "widgets" / "style"
SEED = 3  # of the game that is learned from where none is given
SIZE = 80  # of a board in the picture, in pixels
BETWEEN = 38  # two of them
MOST_CELLS = 6  # of a pattern that tells boards apart


class Moves(NamedTuple):
    """The last moves of a game."""

    states: list[int]  # one more than moves: the last is the dead board
    afterstates: list[int]
    actions: list[int]
    rewards: list[int]

    def learned(self, kind: str) -> list[int]:
        """The boards whose values are learned."""
        return self.afterstates if kind == "afterstate" else self.states[:-1]


class Backup(NamedTuple):
    """One value that is moved."""

    t: int  # the move, counted from the first that is shown
    reward: int | None  # None where nothing follows
    following: float | None
    before: float
    target: float
    error: float
    after: float
    values: list[float]  # V of all boards after it


def last_moves(trace: Trace, count: int) -> Moves:
    """The last moves of a game that was played to its end.

    Raises
    ------
    ValueError
        If the game has no moves, or was stopped before its end.
    """
    if not len(trace):
        raise ValueError("a game without a move has nothing to learn from")
    if legal_actions(int(trace.boards[-1])):
        raise ValueError("this game was stopped before its end, so its last target is not known")
    count = min(count, len(trace))
    states = [int(board) for board in trace.boards[-count - 1 :]]
    actions = [int(action) for action in trace.actions[-count:]]
    afterstates = [slide(board, action)[0] for board, action in zip(states, actions)]
    return Moves(states, afterstates, actions, [int(r) for r in trace.rewards[-count:]])


def plain_part(net: NTupleNetwork, boards: Sequence[int]) -> Network:
    """A network for the plain engine with the weights that these boards look up; the others are 0.

    Memory that is never written to is never taken, so this costs little, however large the tables.

    Parameters
    ----------
    net : NTupleNetwork
        The network whose weights are copied.
    boards : sequence of int
        The boards.

    Returns
    -------
    Network
        The copy.
    """
    network = new_network(net.patterns, net.symmetries, net.values == "state")
    for board in boards:
        find(network, np.uint64(board))
        for k, row in enumerate(network.indices):
            for index in row.tolist():
                network.tables[k, index] = net.weight(k, index)
    return network


def telling_cells(boards: Sequence[int]) -> tuple[int, ...]:
    """Cells that tell boards apart: a pattern of them has an index of its own for each board.

    Parameters
    ----------
    boards : sequence of int
        Different boards.

    Returns
    -------
    tuple of int
        The cells, at least one.

    Raises
    ------
    ValueError
        If no 6 cells tell the boards apart.

    Examples
    --------
    >>> telling_cells([0x1, 0x2, 0x12])
    (0, 1)
    """
    cells: tuple[int, ...] = ()
    while len(cells) < MOST_CELLS:
        rest = [cell for cell in range(16) if cell not in cells]
        cells = (*cells, max(rest, key=lambda cell: _kinds(boards, (*cells, cell))))
        if _kinds(boards, cells) == len(set(boards)):
            return cells
    raise ValueError(f"no {MOST_CELLS} cells tell these boards apart; give backup a network")


def _kinds(boards: Sequence[int], cells: tuple[int, ...]) -> int:
    """How many different things some cells show on the boards."""
    return len({tuple(board >> 4 * cell & 15 for cell in cells) for board in boards})


class Learner:
    """One network that learns from some moves, again and again.

    Parameters
    ----------
    network : Network
        What learns; it is changed.
    moves : Moves
        What it learns from.
    alpha : float
        The step size of V.
    """

    def __init__(self, network: Network, moves: Moves, alpha: float):
        self.network = network
        self.moves = moves
        self.kind = VALUES[network.state_values]
        self.boards = [np.uint64(board) for board in moves.learned(self.kind)]
        self.rule = Rule(alpha=alpha / network.indices.size)

    def values(self) -> list[float]:
        """V of all boards as it is now."""
        return [float(estimate(self.network, board)) for board in self.boards]

    def backward(self) -> list[Backup]:
        """One pass, the last move first: each target holds the value that was just learned."""
        made = []
        following = None
        for t in reversed(range(len(self.boards))):
            made.append(self._back_up(t, following))
            following = F32(made[-1].after)
        return made

    def forward(self) -> list[Backup]:
        """One pass in the order of the game: each target holds the next value as it was before."""
        made = []
        for t in range(len(self.boards)):
            following = None
            if t + 1 < len(self.boards):
                following = live_value(self.network, self.boards[t + 1])
            made.append(self._back_up(t, following))
        return made

    def _back_up(self, t: int, following: np.float32 | None) -> Backup:
        """Move the value of board t towards its target; nothing follows the last one."""
        rewards = self.moves.rewards
        if self.kind == "state":
            reward = rewards[t]
            following = F32(0) if following is None else following  # V of the dead board
        else:
            reward = rewards[t + 1] if t + 1 < len(rewards) else None
        target = F32(0) if reward is None else F32(reward) + following
        before = estimate(self.network, self.boards[t])
        after = learn(self.network, self.rule, self.boards[t], target)
        return Backup(
            t=t,
            reward=reward,
            following=None if following is None else float(following),
            before=float(before),
            target=float(target),
            error=float(target - before),
            after=float(after),
            values=self.values(),
        )


def run(net: NTupleNetwork, moves: Moves, order: str, alpha: float, passes: int) -> dict:
    """Several passes over the same moves, beginning with the weights of a network.

    Parameters
    ----------
    net : NTupleNetwork
        The network, which stays as it is.
    moves : Moves
        What is learned from.
    order : str
        "backward" or "forward".
    alpha : float
        The step size of V.
    passes : int
        How often.

    Returns
    -------
    dict
        "start", V of all boards before, and "passes", for each a list of Backup in their order.
    """
    learner = Learner(plain_part(net, moves.learned(net.values)), moves, alpha)
    start = learner.values()
    one_pass = learner.backward if order == "backward" else learner.forward
    return {"start": start, "passes": [one_pass() for _ in range(passes)]}


class BackupStepper(WorkbookWidget):
    """What `backup` shows."""

    _esm = joined(SCRIPT / "backup.js")
    _css = widget_style(STYLE / "chart.css", STYLE / "strip.css")
    PAGE_SCRIPT = page_script(SCRIPT / "backup.js")

    def __init__(
        self,
        nets: dict[str, NTupleNetwork],
        moves: Moves,
        alpha: float,
        passes: int,
        shared: bool,
    ):
        self.moves = moves
        self.runs = {
            kind: {order: run(net, moves, order, alpha, passes) for order in ORDERS}
            for kind, net in nets.items()
        }
        told = {
            kind: {
                order: found
                | {"passes": [[step._asdict() for step in each] for each in found["passes"]]}
                for order, found in of_kind.items()
            }
            for kind, of_kind in self.runs.items()
        }
        super().__init__(
            {
                "alpha": alpha,
                "shared": shared,
                "states": [to_array(board).ravel() for board in moves.states],
                "afterstates": [to_array(board).ravel() for board in moves.afterstates],
                "actions": moves.actions,
                "rewards": moves.rewards,
                "runs": told,
            }
        )

    @property
    def _first(self) -> tuple[str, dict]:
        """The first kind of value, and its run in backward order."""
        kind = next(iter(self.runs))
        return kind, self.runs[kind]["backward"]

    @property
    def words(self) -> str:
        """The first pass in a line."""
        kind, found = self._first
        values = ", ".join(f"{value:,.1f}" for value in found["passes"][0][-1].values)
        return (
            f"Backups of V({kind}), last move first, alpha {self.state['alpha']:g}: after one pass "
            f"over the last {len(self.moves.actions)} moves V is {values}"
        )

    def svg(self) -> str:
        """The boards of the first kind with V before and after the first pass."""
        kind, found = self._first
        boards = self.moves.learned(kind)
        count = len(boards)
        drawing = Drawing(count * (SIZE + BETWEEN) + 10)
        steps = {step.t: step for step in found["passes"][0]}
        mark = "s'" if kind == "afterstate" else "s"
        for t, board in enumerate(boards):
            left = 8 + t * (SIZE + BETWEEN)
            middle = left + SIZE / 2
            drawing.board(left, 26, SIZE, board)
            drawing.words(middle, 18, f"{mark} at T−{count - t}", size=11)
            step = steps[t]
            drawing.words(middle, SIZE + 44, f"V before {step.before:,.2f}", size=11)
            drawing.words(middle, SIZE + 60, f"target {step.target:,.2f}", size=11)
            drawing.words(middle, SIZE + 76, f"V after {step.after:,.2f}", size=11, bold=True)
            if step.reward is not None:
                right = left + SIZE
                drawing.arrow((right + BETWEEN - 6, 80), (right + 6, 80))
                drawing.words(right + BETWEEN / 2, 68, f"r {step.reward}", size=11)
        return drawing.svg(SIZE + 90, self.words)


def backup(
    trace: Trace | None = None,
    net: NTupleNetwork | Sequence[NTupleNetwork] | None = None,
    alpha: float = 0.5,
    moves: int = 6,
    passes: int = 5,
) -> BackupStepper:
    """Learning from the last moves of a game, one backup after the other.

    Parameters
    ----------
    trace : Trace, optional
        The game; a short one where none is given.
    net : NTupleNetwork or two of them, optional
        The weights to begin with, which stay as they are. Two networks, one of each kind, show both
        kinds of value. Without any, both kinds begin with V = 0, and each board has a weight of its
        own, so that no backup moves another value.
    alpha : float
        The step size of V.
    moves : int
        How many moves, at most 12.
    passes : int
        How often they are learned from, at most 20.

    Returns
    -------
    BackupStepper
        The widget, which a notebook shows.

    Raises
    ------
    ValueError
        If this is no game, no network, or a number is not what it may be.
    """
    moves = check_whole("moves", moves, 1, 12)
    passes = check_whole("passes", passes, 1, 20)
    if trace is None:
        trace = play(NTupleNetwork(((0, 1),)), seed=SEED)
    elif not isinstance(trace, Trace):
        raise ValueError(f"backup takes a game as a Trace, such as play(net) gives, got {trace!r}")
    learned = last_moves(trace, moves)
    nets = _own_weights(learned) if net is None else _by_kind(net)
    return BackupStepper(nets, learned, check_step(alpha), passes, shared=net is not None)


def _own_weights(moves: Moves) -> dict[str, NTupleNetwork]:
    """Networks of one lookup, in which each board of some moves has a weight of its own."""
    return {
        kind: NTupleNetwork((telling_cells(moves.learned(kind)),), values=kind, symmetries=1)
        for kind in VALUES
    }


def _by_kind(net: NTupleNetwork | Sequence[NTupleNetwork]) -> dict[str, NTupleNetwork]:
    """The networks by the kind of value they learn."""
    given = [net] if isinstance(net, NTupleNetwork) else list(net)
    for each in given:
        check_network(each)
    nets = {each.values: each for each in given}
    if len(nets) < len(given):
        raise ValueError("give backup one network, or one of V(afterstate) and one of V(state)")
    return nets
