"""Learning with alpha = 1: the step that reaches its target, and the step that flies past it.

With alpha = 1, `update(board, error)` is meant to put V of the board on its target. It does so
where the board looks up as many different weights as it has lookups. But a weight that is looked up
c times is added to c times *and* counts c times in V, so V moves by the error times the board's
gain,

    gain = sum of c^2 over the different weights / number of lookups.

A board with many empty cells is its own image in many patterns, and there the gain is easily 2 or
more: V ends as far beyond its target as it was short of it, or further. Backward learning then
hands this V on as a part of the next target. `train_with_whole_steps` learns in both ways, so that
they can be set side by side.
"""

from typing import NamedTuple

import numpy as np

from lib2048 import NTupleNetwork
from lib2048.board import GOLDEN, _first_board, _stream
from lib2048.fast.lookup import F32, _add, _find, _images
from lib2048.fast.planes import _planes
from lib2048.fast.rules import _play_game, new_path
from lib2048.kernels import U, kernel
from lib2048.running import check_network, make_rule
from lib2048.validate import check_count

RUNAWAY = 100  # a value this many times the best score so far estimates nothing any more


class WholeSteps(NamedTuple):
    """What became of a training with alpha = 1."""

    scores: np.ndarray  # float64, one for each game
    largest: np.ndarray  # float64: the largest |V| that was learned in each game
    repeating: float  # share of the updates with a gain above 1: V moved further than the error
    overshooting: float  # and with one above 2: V ended further from its target than it was before
    diverged: int | None  # the game in which V stopped being a number

    @property
    def ran_away(self) -> bool:
        """Whether the values have left everything that a game can bring."""
        return self.diverged is not None or self.largest.max() > RUNAWAY * self.scores.max()


@kernel(forceinline=True)
def _gain_of(places):
    """How far V moves for each point that is shared out among these lookups (see above)."""
    pairs = 0
    for place in places:
        for other in places:
            if place == other:
                pairs += 1
    return F32(pairs) / F32(len(places))


@kernel()
def _learn_whole_steps(net, share, path, moves, by_gain, counts):
    """Learn V(afterstate) backward; with by_gain, each step is divided by the board's gain.

    share: the part of an error that each lookup is told, 1 / lookups (float32). counts: updates
    with a gain above 1 and above 2, added to in place. Returns the last value learned and the
    largest |V| (float32).
    """
    target = F32(0)
    after = F32(0)
    largest = F32(0)
    for t in range(moves - 1, -1, -1):
        error = target - _find(net, _images(path.boards[t]), path.places)
        step = share * error
        gain = _gain_of(path.places)
        counts[0] += gain > F32(1)
        counts[1] += gain > F32(2)
        if by_gain:
            step /= gain
        after = _add(net, path.places, step)
        largest = max(largest, abs(after))
        target = after + F32(path.rewards[t])
    return after, largest


@kernel(nogil=True)
def _train(net, rule, path, by_gain, scores, largest, counts):
    """Play and learn one game for each entry of `scores`. Returns (games, moves) done.

    Fewer games than entries are done where V stops being a number.
    """
    moves_made = 0
    for game in range(len(scores)):
        state = _stream(rule.seed, game)
        first = _planes(_first_board(state, rule.fours))
        moves, score, _, _ = _play_game(net, rule, state + U(2) * GOLDEN, path, first)
        scores[game] = score
        moves_made += moves
        after, largest[game] = _learn_whole_steps(
            net, F32(rule.alpha), path, moves, by_gain, counts
        )
        if not np.isfinite(after):
            return game, moves_made
    return len(scores), moves_made


def train_with_whole_steps(
    net: NTupleNetwork, games: int, seed: int = 0, by_gain: bool = False
) -> WholeSteps:
    """Train a fresh network of V(afterstate) backward with alpha = 1, as `lib2048.train` does.

    Parameters
    ----------
    net
        The network, changed in place.
    games, seed
        As in `lib2048.train`: game n depends on (seed, n) alone.
    by_gain
        Whether each step is divided by the gain of its board, so that V lands on its target.
        Without it the weights are, bit by bit, those of ``train(net, games, alpha=1.0,
        seed=seed)``.

    Returns
    -------
    WholeSteps
        Scores, the largest values, and whether the training diverged.
    """
    check_network(net)
    if net.values != "afterstate":
        raise ValueError(f"whole steps are shown with V(afterstate), got {net!r}")
    games = check_count("games", games)
    rule = make_rule(net, 1.0, "backward", False, None, seed)
    scores = np.zeros(games)
    largest = np.zeros(games)
    counts = np.zeros(2, np.int64)
    done, moves = _train(net.arrays, rule, new_path(net), by_gain, scores, largest, counts)
    repeating, overshooting = (counts / moves).tolist()
    return WholeSteps(
        scores[:done],
        np.nan_to_num(largest[:done], nan=np.inf),
        repeating,
        overshooting,
        None if done == games else done,
    )
