"""The engines that play games and learn from them.

An engine joins a network and the options a user gives to a set of kernels. `Runner` asks it for
games and knows nothing else of it, so `train(..., engine="plain")` and `train(..., engine="fast")`
differ in the engine alone.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from lib2048 import learning
from lib2048.board import fours_below
from lib2048.fast.planes import _to_planes
from lib2048.fast.promoting import promote
from lib2048.fast.rules import _learn_backward, _learn_forward, _run, _run_forward, new_episode
from lib2048.kernels import uint64
from lib2048.learning import BACKWARD, F32, FORWARD, NO_LEARNING, Games, Rule
from lib2048.network import NTupleNetwork
from lib2048.options import TrainOptions
from lib2048.plain_network import bring_back, plain_network
from lib2048.validate import NO_TILE, check_downgrade, check_p4, check_seed, check_tile


class Engine(Protocol):
    """What `Runner` and `train` need of an engine."""

    @property
    def learns(self) -> bool:
        """Whether it learns. Several threads that learn get in each other's way, others do not."""

    def learn_by(self, options: TrainOptions) -> None:
        """Learn from the games to come by these options."""

    def promote(self, tile: int) -> None:
        """Give weights that were never learned those of smaller tiles, see fast/promoting.py."""

    def run(self, worker: int, games: Games, first: int, count: int) -> None:
        """Play games number first, first + 1, ... and write down their results, in place.

        Each worker, numbered from 0, is called by one thread at a time.
        """

    def bring_back(self) -> None:
        """Write what was learned so far into the network."""


class FastEngine:
    """The kernels of fast/rules.py, which play and learn in the network's own tables."""

    def __init__(self, net: NTupleNetwork, threads: int):
        self.net = net
        self.episodes = [new_episode(net) for _ in range(threads)]
        self.play_by(playing_rule(net, None, 0))

    @property
    def learns(self) -> bool:
        return self.rule.order != NO_LEARNING

    def learn_by(self, options: TrainOptions) -> None:
        self.rule = learning_rule(self.net, options)
        self.kernel = _run_forward if options.order == "forward" else _run
        if options.coherence:
            self.net.keep_errors()

    def promote(self, tile: int) -> None:
        promote(self.net, tile)

    def play_by(self, rule: Rule) -> None:
        """Play the games to come without learning."""
        self.rule = rule
        self.kernel = _run

    def run(self, worker: int, games: Games, first: int, count: int) -> None:
        self.kernel(self.net.arrays, self.rule, self.episodes[worker], games, first, count)

    def learn_from(self, boards: Sequence[int], rewards: Sequence[int]) -> float:
        """Learn from a recorded game: its afterstates, or its states but for the dead one, and what
        each move earned. Returns the last value learned.
        """
        episode = self.episodes[0]
        moves = len(boards)
        episode.boards[:moves] = _to_planes(np.array(boards, np.uint64))
        episode.rewards[:moves] = rewards
        if self.rule.order == FORWARD:
            return float(_learn_forward(self.net.arrays, self.rule, episode, moves))
        return float(_learn_backward(self.net.arrays, self.rule, episode, moves, F32(0)))

    def bring_back(self) -> None:
        """Nothing is to be done: the network itself has learned."""


class PlainEngine:
    """The kernels of learning.py, which learn in a copy of the network."""

    def __init__(self, net: NTupleNetwork, threads: int):
        self.net = net
        self.copy = plain_network(net)
        self.episodes = [learning.new_episode() for _ in range(threads)]
        self.rule = playing_rule(net, None, 0)
        self._share_copy()

    @property
    def learns(self) -> bool:
        return self.rule.order != NO_LEARNING

    def learn_by(self, options: TrainOptions) -> None:
        self.rule = learning_rule(self.net, options)
        if options.coherence and not len(self.copy.errors):
            self.copy = learning.with_errors(self.copy)
            self._share_copy()

    def promote(self, tile: int) -> None:
        self.bring_back()
        promote(self.net, tile)
        self.copy = plain_network(self.net)
        self._share_copy()

    def _share_copy(self) -> None:
        """Let all workers learn in the same tables, each with memory of its own."""
        self.networks = [learning.with_own_memory(self.copy) for _ in self.episodes]

    def run(self, worker: int, games: Games, first: int, count: int) -> None:
        learning.train(self.networks[worker], self.rule, self.episodes[worker], games, first, count)

    def bring_back(self) -> None:
        bring_back(self.copy, self.net)


def make_engine(net: NTupleNetwork, options: TrainOptions) -> Engine:
    """The engine that these options ask for."""
    if options.engine == "plain":
        return PlainEngine(net, options.threads)
    return FastEngine(net, options.threads)


def check_network(net: object) -> None:
    """ValueError when this is no network."""
    if not isinstance(net, NTupleNetwork):
        raise ValueError(f"net is an NTupleNetwork, got {net!r:.60}")


def playing_rule(
    net: NTupleNetwork, p4: float | None, seed: int, downgrade: int | None = None
) -> Rule:
    """The rule for games that are played and not learned from."""
    check_network(net)
    p4 = net.p4 if p4 is None else check_p4(p4)
    return Rule(
        order=NO_LEARNING,
        alpha=0.0,
        coherence=False,
        lambda_=0.0,
        downgrade_from=check_downgrade(downgrade),
        restart=0,
        p4=p4,
        fours=fours_below(p4),
        seed=check_seed(seed),
    )


def learning_rule(net: NTupleNetwork, options: TrainOptions) -> Rule:
    """The rule for games that are learned from."""
    rule = playing_rule(net, options.p4, options.seed, options.downgrade)
    return rule._replace(
        order=FORWARD if options.order == "forward" else BACKWARD,
        alpha=options.step / net.lookups,
        coherence=options.coherence,
        lambda_=options.lambda_,
        restart=options.restart,
        starts=np.array(options.starts or (), np.uint64),
        until=uint64(NO_TILE if options.until is None else check_tile(options.until)),
        prize=options.prize,
    )
