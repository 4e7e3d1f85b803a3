"""Training: games in blocks, with progress, that can be stopped and continued. The learning rules are in rules.py."""

import time
from dataclasses import dataclass

import numpy as np
from tqdm.auto import tqdm

from .board import check_board, slide, to_array
from .lookup import AFTERSTATE
from .rules import BACKWARD, Path, _learn_backward, _learn_forward
from .runner import Runner, check_count, make_rule


@dataclass
class TrainLog:
    """What happened in training, one entry a game."""

    scores: np.ndarray  # int64
    max_tiles: np.ndarray  # uint8, exponents
    moves: np.ndarray  # int32
    block: int  # games to a mean
    seconds: float  # time spent
    first: int = 0  # number of the first game: how many the network had learned from before
    seed: int = 0
    interrupted: bool = False  # stopped by hand before all games were played

    def _blocks(self, values):
        block = max(1, min(self.block, len(values)))
        return values[: len(values) // block * block].reshape(-1, block)

    @property
    def means(self) -> np.ndarray:
        """The mean score of each block of games; an incomplete last block is left out unless it is the only one."""
        return self._blocks(self.scores).mean(axis=1)

    @property
    def best(self) -> np.ndarray:
        """The best score of each block."""
        return self._blocks(self.scores).max(axis=1)

    def rate(self, tile: int = 2048) -> np.ndarray:
        """The share of games in each block that reached `tile`."""
        return (self._blocks(self.max_tiles) >= int(tile).bit_length() - 1).mean(axis=1)


def train(
    net,
    episodes: int,
    alpha: float | None = None,
    order: str = "backward",
    coherence: bool = False,
    p4: float | None = None,
    threads: int = 1,
    seed: int = 0,
    block: int = 1000,
    progress: bool = True,
    callback=None,
) -> TrainLog:
    """Learn from `episodes` games of greedy play, in place. Returns the log of these games.

    alpha is the whole step of V (0.1, or 1.0 with coherence, when None). order is "backward" or "forward", see
    rules.py; coherence scales each weight's step (temporal coherence learning). p4 is the network's own when None.
    Games are numbered by net.games, so training twice continues; the same seed on one thread gives the same bits.
    Several threads share the tables without locks (Hogwild, Recht et al. 2011): faster where there are real cores,
    not reproducible. callback(log so far) is called after each block. Ctrl-C, or the notebook's stop button, ends
    training after the game being played and returns the log of what was done; call train again to continue.

    >>> log = train(NTupleNetwork(), 1000, seed=1)
    """
    total, block, threads = check_count("episodes", episodes), check_count("block", block), check_count("threads", threads)
    rule = make_rule(net, alpha, order, coherence, p4, seed)
    if coherence:
        net.keep_errors()
    net.p4, first, started = rule.p4, net.games, time.perf_counter()
    runner = Runner(net, rule, total, threads)

    def log(interrupted=False) -> TrainLog:
        done = runner.finished()
        parts = (part[:done] for part in (runner.scores, runner.max_tiles, runner.moves))
        return TrainLog(*parts, block, time.perf_counter() - started, first, int(rule.seed), interrupted)

    interrupted = False
    bar = tqdm(total=total, unit=" games", disable=not progress, mininterval=0.2, smoothing=0.1)
    try:
        while runner.done < total:
            played = runner.chunk(min(total - runner.done, block - runner.done % block), first + runner.done)
            net.games = first + runner.done
            if not np.isfinite(runner.last).all():
                raise ValueError(
                    f"training diverged at game {net.games}: a value is {runner.last.min()} with alpha {alpha}; "
                    "the weights are no longer of use, start anew with a smaller alpha (at most 1)"
                )
            if progress:
                speed = runner.moves[: runner.done].sum() / (time.perf_counter() - started)
                mean = runner.scores[max(0, runner.done - block) : runner.done].mean()
                bar.set_postfix_str(f"{speed / 1e6:.2f} M moves/s, last block's mean {mean:,.0f}", refresh=False)
            bar.update(played)
            if callback is not None and (runner.done % block == 0 or runner.done == total):
                callback(log())
    except KeyboardInterrupt:
        interrupted = True
    finally:
        net.games = first + runner.finished()
        runner.close()
        bar.close()
        result = log(interrupted)
        _remember(net, result, rule, order)
    return result


def _remember(net, log: TrainLog, rule, order: str) -> None:
    """Add what was learned from to the network's history, which is saved with it."""
    if len(log.scores):
        net.history.append(
            {
                "first": log.first,
                "games": len(log.scores),
                "order": order,
                "alpha": rule.alpha * net.lookups,
                "coherence": rule.coherence,
                "p4": rule.p4,
                "seed": log.seed,
                "block": log.block,
                "means": [round(float(mean), 1) for mean in log.means],
                "seconds": round(log.seconds, 3),
            }
        )


def check_episode(boards, actions, rewards) -> list[int]:
    """The afterstates of an episode, or a ValueError naming the step that is not one of the game."""
    if len(boards) != len(actions) + 1 or len(rewards) != len(actions) or len(actions) == 0:
        raise ValueError(
            f"an episode has one board more than actions and rewards, at least one action, got "
            f"{len(boards)} boards, {len(actions)} actions, {len(rewards)} rewards"
        )
    afterstates = []
    for t, action in enumerate(actions):
        afterstate, reward = slide(boards[t], action)
        if reward != rewards[t]:
            raise ValueError(f"step {t}: action {action} earns {reward} on board {boards[t]}, got reward {rewards[t]}")
        changed = to_array(boards[t + 1]) != to_array(afterstate)
        if changed.sum() != 1 or to_array(afterstate)[changed][0] or to_array(boards[t + 1])[changed][0] > 2:
            raise ValueError(f"step {t}: board {boards[t + 1]} is not afterstate {afterstate} with one new 2 or 4")
        afterstates.append(afterstate)
    return afterstates


def learn_episode(net, boards, actions, rewards, alpha=None, order="backward", coherence=False) -> float:
    """Learn from one recorded episode, in place: boards s_0 .. s_T (the last dead), actions and rewards of T moves.

    Returns the last value learned. Counts as one game.
    """
    rule = make_rule(net, alpha, order, coherence, None, 0)
    afterstates = check_episode(boards, actions, rewards)
    if coherence:
        net.keep_errors()
    learned = afterstates if net.arrays.kind == AFTERSTATE else [check_board(board) for board in boards[:-1]]
    path = Path(np.array(learned, np.uint64), np.array(rewards, np.int32), np.empty(net.lookups, np.uint64))
    learn = _learn_backward if rule.order == BACKWARD else _learn_forward
    net.games += 1
    return float(learn(net.arrays, rule, path, len(learned)))
