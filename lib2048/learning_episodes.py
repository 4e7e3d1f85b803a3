"""Learning from a game that was recorded, whoever played it: an episode of `read_episodes`, say.

It must go by the rules of the game. What is learned from it is what `train` learns from its own.
"""

from collections.abc import Sequence

import numpy as np

from lib2048.board import legal_actions, slide, to_array
from lib2048.engines import FastEngine, check_network
from lib2048.network import NTupleNetwork
from lib2048.options import TrainOptions
from lib2048.validate import on_one_line


def learn_episode(
    net: NTupleNetwork,
    boards: Sequence[int],
    actions: Sequence[int],
    rewards: Sequence[int],
    alpha: float | None = None,
    order: str = "backward",
    coherence: bool = False,
) -> float:
    """Learn from one recorded episode of T moves, in place. It counts as one game.

    Parameters
    ----------
    net : NTupleNetwork
        The network that learns, in place.
    boards : sequence of int
        The boards s_0 .. s_T, of which the last is dead.
    actions, rewards : sequence of int
        What was done on the first T of them, and what it earned.
    alpha, order, coherence
        See `lib2048.options.TrainOptions`.

    Returns
    -------
    float
        The last value learned.

    Raises
    ------
    ValueError
        If a step is not one of the game, or an option is not what it may be.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, learn_episode, play
    >>> net = NTupleNetwork(((0, 1),))
    >>> game = play(net, seed=1)
    >>> learn_episode(net, game.boards, game.actions, game.rewards) > 0
    True
    """
    check_network(net)
    options = TrainOptions(alpha, order, coherence)
    afterstates = check_episode(boards, actions, rewards)
    states = [int(board) for board in boards[:-1]]
    engine = FastEngine(net, threads=1)
    engine.learn_by(options)
    net.games += 1
    return engine.learn_from(states if net.values == "state" else afterstates, rewards)


def check_episode(
    boards: Sequence[int], actions: Sequence[int], rewards: Sequence[int]
) -> list[int]:
    """The afterstates of a recorded episode, once it is known to go by the rules of the game.

    Parameters
    ----------
    boards, actions, rewards
        See `learn_episode`.

    Returns
    -------
    list of int
        The afterstate of each action.

    Raises
    ------
    ValueError
        If it does not; the message names the step.
    """
    for name, given in (("boards", boards), ("actions", actions), ("rewards", rewards)):
        if not isinstance(given, Sequence | np.ndarray):
            raise ValueError(f"{name} is a list or an array, got {on_one_line(given)}")
    if len(boards) != len(actions) + 1 or len(rewards) != len(actions) or len(actions) == 0:
        raise ValueError(
            "an episode has one board more than actions and rewards, at least one action, got "
            f"{len(boards)} boards, {len(actions)} actions, {len(rewards)} rewards"
        )
    afterstates = []
    for t, action in enumerate(actions):
        afterstate, reward = slide(boards[t], action)
        if reward < 0 or reward != rewards[t]:
            raise ValueError(
                f"step {t}: action {action} earns {reward} on board {boards[t]}, "
                f"got reward {rewards[t]!r}"
            )
        if not _is_one_tile_more(afterstate, boards[t + 1]):
            raise ValueError(
                f"step {t}: board {boards[t + 1]} is not afterstate {afterstate} "
                "with one new 2 or 4"
            )
        afterstates.append(afterstate)
    if legal_actions(boards[-1]):
        raise ValueError(
            f"an episode ends with a dead board, on board {boards[-1]} there are moves left"
        )
    return afterstates


def _is_one_tile_more(afterstate: int, board: int) -> bool:
    """Whether a board is an afterstate with a 2 or a 4 in one of its empty cells."""
    before = to_array(afterstate)
    after = to_array(board)
    changed = before != after
    return changed.sum() == 1 and before[changed][0] == 0 and after[changed][0] <= 2
