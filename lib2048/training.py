"""Training: games in blocks, with progress, that can be stopped and continued. The learning rules are in rules.py."""

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from tqdm.auto import tqdm

from lib2048 import saving
from lib2048.board import legal_actions, slide, to_array
from lib2048.fast.planes import _planes
from lib2048.fast.rules import BACKWARD, Path, _learn_backward, _learn_forward
from lib2048.files import check_target
from lib2048.running import Runner, check_network, make_rule
from lib2048.validate import (
    check_backward,
    check_board,
    check_count,
    check_p4,
    check_seed,
    check_tile,
)


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
        return (self._blocks(self.max_tiles) >= check_tile(tile)).mean(axis=1)


class Diverged(ValueError):
    """Training went so far off that a value is no finite number any more."""


class Stage(NamedTuple):
    """A part of training with one step size: "TD for 90,000 games, then TC for 10,000" is two of them."""

    games: int
    alpha: float | None = None
    coherence: bool = False


def train(
    net,
    episodes,
    alpha: float | None = None,
    order: str = "backward",
    coherence: bool = False,
    p4: float | None = None,
    threads: int = 1,
    seed: int = 0,
    block: int = 1000,
    progress: bool = True,
    callback=None,
    decay: float = 0.0,
    restart: int = 0,
    checkpoint=None,
    every: int = 10_000,
    downgrade: int | None = None,
) -> TrainLog:
    """Learn from `episodes` games of greedy play, in place. Returns the log of these games.

    alpha is the whole step of V (0.1, or 1.0 with coherence, when None). order is "backward" or "forward", see
    rules.py; coherence scales each weight's step (temporal coherence learning). episodes may also be a sequence of
    stages (games, alpha, coherence). p4 is the network's own when None.
    Backward learning only: decay is lambda of TD(lambda), restart plays on from the middle of finished games.
    Games are numbered by net.games, so training twice continues; the same seed on one thread gives the same bits.
    Several threads share the tables without locks (Hogwild, Recht et al. 2011): not reproducible, and faster where
    cores share a cache. A run begins with one thread, tries all of them after some hundred games, then ever more
    rarely, and goes on with what was faster. callback(log so far) is called after each block. Ctrl-C, or the notebook's
    stop button, ends training after the game being played and returns the log of what was done; call train again to
    continue.
    With `checkpoint`, network and log are saved to that file every so many games; see `resume`.
    With downgrade=16384, say, boards with that tile or a larger one are shown to it as smaller ones, see downgrade.py.

    >>> log = train(NTupleNetwork(), 1000, seed=1)
    """
    check_network(net)
    if not isinstance(episodes, list | tuple):
        episodes = [(episodes, alpha, coherence)]
    elif alpha is not None or coherence:
        raise ValueError(
            f"stages say alpha and coherence themselves, got {alpha=} and {coherence=} beside them"
        )
    if not episodes or not all(
        isinstance(stage, list | tuple) and 1 <= len(stage) <= 3 for stage in episodes
    ):
        raise ValueError(
            f"episodes is a number of games or a list of (games, alpha, coherence), got {episodes!r}"
        )
    stages = [Stage(*stage) for stage in episodes]
    plan = {
        "stages": [
            [check_count("episodes", stage.games), stage.alpha, bool(stage.coherence)]
            for stage in stages
        ],
        "order": order,
        "p4": check_p4(net.p4 if p4 is None else p4),
        "threads": check_count("threads", threads),
        "seed": int(check_seed(seed)),
        "block": check_count("block", block),
        "decay": decay,
        "restart": restart,
        "downgrade": downgrade,
        "every": check_count("every", every),
        "first": net.games,
    }
    for stage in stages:  # refuse what is wrong before anything is changed
        _stage_rule(net, plan, stage)
    if checkpoint is not None:
        check_target(checkpoint)
    for stage in plan["stages"]:  # a file takes numbers of Python only
        stage[1] = None if stage[1] is None else float(stage[1])
    plan |= check_backward(order, decay, restart) | {
        "downgrade": None if downgrade is None else int(downgrade)
    }
    return _carry_out(net, plan, None, progress, callback, checkpoint)


def resume(path, progress: bool = True, callback=None):
    """Go on with the training that wrote this checkpoint, to where it was to end. Returns (network, log of all of it).

    On one thread the result is the same, bit by bit, as if training had never stopped.
    """
    net, plan, log = saving.load_checkpoint(path)
    return net, _carry_out(net, plan, log, progress, callback, path)


def _stage_rule(net, plan: dict, stage: Stage):
    rule = make_rule(
        net,
        stage.alpha,
        plan["order"],
        stage.coherence,
        plan["p4"],
        plan["seed"],
        plan.get("downgrade"),
    )
    return rule._replace(**check_backward(plan["order"], plan["decay"], plan["restart"]))


def _carry_out(
    net, plan: dict, done: TrainLog | None, progress: bool, callback, checkpoint
) -> TrainLog:
    """Train by a plan, of which the games in `done` are over."""
    stages = [Stage(*stage) for stage in plan["stages"]]
    ends = np.cumsum([stage.games for stage in stages])
    total, first, block, every = int(ends[-1]), plan["first"], plan["block"], plan["every"]
    earlier = done.seconds if done else 0.0
    net.p4, started = plan["p4"], time.perf_counter()
    runner = Runner(net, _stage_rule(net, plan, stages[0]), total, plan["threads"])
    if done:
        runner.take_over(done.scores, done.max_tiles, done.moves)

    def log(interrupted=False) -> TrainLog:
        n, seconds = runner.finished(), earlier + time.perf_counter() - started
        parts = runner.scores[:n], runner.max_tiles[:n], runner.moves[:n]
        return TrainLog(*parts, block, seconds, first, plan["seed"], interrupted)

    before, interrupted = runner.done, False
    bar = tqdm(
        total=total,
        initial=before,
        unit=" games",
        disable=not progress,
        mininterval=0.2,
        smoothing=0.1,
    )
    try:
        while runner.done < total:
            at = runner.done
            now = int(np.searchsorted(ends, at, side="right"))
            runner.rule = _stage_rule(net, plan, stages[now])
            if stages[now].coherence:
                net.keep_errors()
            pauses = [block - at % block, int(ends[now]) - at] + (
                [every - at % every] if checkpoint else []
            )
            played = runner.chunk(min(pauses), first + at)
            net.games = first + runner.done
            if not np.isfinite(runner.last).all():
                raise Diverged(
                    f"training diverged at game {net.games}: a value is {runner.last.min()} with alpha "
                    f"{runner.rule.alpha * net.lookups:g}; start with a new network and a smaller alpha (at most 1)"
                )
            if progress:
                speed = runner.moves[before : runner.done].sum(dtype=np.int64) / (
                    time.perf_counter() - started
                )
                mean = runner.scores[max(0, runner.done - block) : runner.done].mean()
                bar.set_postfix_str(
                    f"{speed / 1e6:.2f} M moves/s, last block's mean {mean:,.0f}", refresh=False
                )
            bar.update(played)
            if checkpoint and (runner.done % every == 0 or runner.done == total):
                saving.save_checkpoint(net, checkpoint, plan, log())
            if callback is not None and (runner.done % block == 0 or runner.done == total):
                callback(log())
    except KeyboardInterrupt:
        interrupted = True
    finally:
        runner.close()  # waits for threads, so that what is counted below is all there is
        net.games = first + runner.finished()
        bar.close()
        result = log(interrupted)
        if interrupted and progress:
            tqdm.write(
                f"Stopped after {len(result.scores):,} of {total:,} games; what they taught is kept."
            )
        _remember(net, result, plan)
    return result


def _remember(net, log: TrainLog, plan: dict) -> None:
    """Add what was learned from to the network's history, which is saved with it."""
    if len(log.scores):
        entry = plan | {
            "games": len(log.scores),
            "means": [round(float(mean), 1) for mean in log.means],
        }
        net.history.append(entry | {"seconds": round(log.seconds, 3)})


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
        if reward < 0 or reward != rewards[t]:
            raise ValueError(
                f"step {t}: action {action} earns {reward} on board {boards[t]}, got reward {rewards[t]}"
            )
        changed = to_array(boards[t + 1]) != to_array(afterstate)
        if (
            changed.sum() != 1
            or to_array(afterstate)[changed][0]
            or to_array(boards[t + 1])[changed][0] > 2
        ):
            raise ValueError(
                f"step {t}: board {boards[t + 1]} is not afterstate {afterstate} with one new 2 or 4"
            )
        afterstates.append(afterstate)
    if legal_actions(boards[-1]):
        raise ValueError(
            f"an episode ends with a dead board, on board {boards[-1]} there are moves left"
        )
    return afterstates


def learn_episode(
    net, boards, actions, rewards, alpha=None, order="backward", coherence=False
) -> float:
    """Learn from one recorded episode, in place: boards s_0 .. s_T (the last dead), actions and rewards of T moves.

    Returns the last value learned. Counts as one game.
    """
    rule = make_rule(net, alpha, order, coherence, None, 0)
    afterstates = check_episode(boards, actions, rewards)
    if coherence:
        net.keep_errors()
    learned = (
        afterstates if net.values == "afterstate" else [check_board(board) for board in boards[:-1]]
    )
    path = Path(
        _planes(np.array(learned, np.uint64)),
        np.array(rewards, np.int32),
        np.empty(net.lookups, np.uint64),
    )
    learn = _learn_backward if rule.order == BACKWARD else _learn_forward
    net.games += 1
    return float(learn(net.arrays, rule, path, len(learned)))
