"""Learning with alpha = 1: the step that reaches its target, and the step that flies past it.

With alpha = 1, `update(board, error)` is meant to put V of the board on its target. It does so
where the board looks up as many different weights as it has lookups. But a weight that is looked up
c times is added to c times *and* counts c times in V, so V moves by the error times the board's
gain,

    gain = sum of c^2 over the different weights / number of lookups.

A board with many empty cells is its own image in many patterns, and there the gain is easily 2 or
more: V ends as far beyond its target as it was short of it, or further. Backward learning then
hands this V on as a part of the next target. `train_with_whole_steps` learns in both ways, so that
they can be set side by side. The kernels are those of the plain engine (lib2048/learning.py) but
for the step.
"""

from typing import NamedTuple

import numpy as np

from lib2048 import NTupleNetwork
from lib2048.board import _first_board
from lib2048.engines import check_network, learning_rule
from lib2048.kernels import kernel, uint64
from lib2048.learning import F32, estimate, new_episode, play_episode, update
from lib2048.options import TrainOptions
from lib2048.plain_network import plain_network
from lib2048.random_words import GOLDEN, stream
from lib2048.validate import check_count

RUNAWAY = 100  # a value this many times the best score estimates nothing any more


class WholeSteps(NamedTuple):
    """What became of a training with alpha = 1."""

    scores: np.ndarray
    """float64: the score of each game."""

    largest: np.ndarray
    """float64: the largest |V| that was learned in each game."""

    repeating: float
    """The share of the updates with a gain above 1: V moved further than the error."""

    overshooting: float
    """And of those with one above 2: V ended further from its target than it was before."""

    diverged: int | None
    """The game after which V was no number any more, counted from 1 as in `lib2048.train`."""

    @property
    def ran_away(self) -> bool:
        """Whether the values have left everything that a game can bring."""
        return self.diverged is not None or self.largest.max() > RUNAWAY * self.scores.max()


@kernel()
def _gain(net):
    """How far V moves for each point shared out among the lookups in `net.indices` (see above)."""
    patterns, images = net.indices.shape
    pairs = 0
    for k in range(patterns):
        for i in range(images):
            for j in range(images):
                if net.indices[k, i] == net.indices[k, j]:
                    pairs += 1
    return F32(pairs) / F32(patterns * images)


@kernel()
def _learn_whole_steps(net, share, episode, moves, by_gain, counts):
    """Learn V(afterstate) backward; with by_gain, each step is divided by the board's gain.

    share: the part of an error that each lookup is told, 1 / lookups (float32). counts: updates
    with a gain above 1 and above 2, added to in place. Returns the last value learned and the
    largest |V| (float32).
    """
    target = F32(0)
    after = F32(0)
    largest = F32(0)
    for t in range(moves - 1, -1, -1):
        error = target - estimate(net, episode.boards[t])
        step = share * error
        gain = _gain(net)
        counts[0] += gain > F32(1)
        counts[1] += gain > F32(2)
        if by_gain:
            step /= gain
        after = update(net, episode.boards[t], step)
        largest = max(largest, abs(after))
        target = after + F32(episode.rewards[t])
    return after, largest


@kernel(nogil=True)
def _train(net, rule, episode, by_gain, scores, largest, counts):
    """Play and learn one game for each entry of `scores`. Returns (games, moves) done.

    Fewer games than entries are done where V stops being a number.
    """
    moves_made = 0
    for game in range(len(scores)):
        random = stream(rule.seed, game)
        board = _first_board(random, rule.fours)
        random += uint64(2) * GOLDEN  # two words made the first two tiles
        moves, score, _, _ = play_episode(net, rule, board, random, episode)
        scores[game] = score
        moves_made += moves
        share = F32(rule.alpha)
        after, largest[game] = _learn_whole_steps(net, share, episode, moves, by_gain, counts)
        if not np.isfinite(after):
            return game, moves_made
    return len(scores), moves_made


def train_with_whole_steps(
    net: NTupleNetwork, games: int, seed: int = 0, by_gain: bool = False
) -> WholeSteps:
    """Train a copy of a network of V(afterstate) backward with alpha = 1.

    Parameters
    ----------
    net
        The network to begin with; it is left as it is.
    games, seed
        As in `lib2048.train`: game n depends on (seed, n) alone.
    by_gain
        Whether each step is divided by the gain of its board, so that V lands on its target.
        Without it the games are those of ``train(net, games, alpha=1.0, seed=seed)``.

    Returns
    -------
    WholeSteps
        Scores, the largest values, and whether the training diverged.

    Raises
    ------
    ValueError
        If the network holds values of states.
    """
    check_network(net)
    if net.values != "afterstate":
        raise ValueError(f"whole steps are shown with V(afterstate), got {net!r}")
    games = check_count("games", games)
    rule = learning_rule(net, TrainOptions(alpha=1.0, seed=seed))
    scores = np.zeros(games)
    largest = np.zeros(games)
    counts = np.zeros(2, np.int64)
    network = plain_network(net)
    episode = new_episode()
    done, moves = _train(network, rule, episode, by_gain, scores, largest, counts)
    repeating, overshooting = (counts / moves).tolist()
    return WholeSteps(
        scores[:done],
        np.nan_to_num(largest[:done], nan=np.inf),
        repeating,
        overshooting,
        None if done == games else done + 1,
    )
