"""Training: a network plays greedily and learns from its games.

Here a training is organised: in stages and blocks, with a bar, with checkpoints from which it goes
on, so that it can be stopped at any time without losing what it had. The learning rules themselves
are in learning.py, as a textbook prints them, and in fast/rules.py.
"""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from lib2048 import saving
from lib2048.engines import check_network, make_engine
from lib2048.fast import promoting
from lib2048.files import check_target
from lib2048.network import NTupleNetwork
from lib2048.options import Episodes, Plan, TrainOptions
from lib2048.recipes import follow
from lib2048.records import TrainLog
from lib2048.running import Runner
from lib2048.validate import check_flag, check_p4

Callback = Callable[[TrainLog], Any]


class Diverged(ValueError):
    """Training went so far off that a value is no finite number any more."""


def train(
    net: NTupleNetwork,
    episodes: Episodes | None = None,
    alpha: float | None = None,
    order: str = "backward",
    coherence: bool = False,
    p4: float | None = None,
    threads: int = 1,
    seed: int = 0,
    block: int = 1000,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: str | os.PathLike | None = None,
    recipe: str | None = None,
    **further_options: Any,
) -> TrainLog:
    """Learn from games of greedy play, in place.

    Games are numbered by `net.games`, so training twice continues; the same seed on one thread
    gives the same bits. Several threads share the tables without locks (Hogwild, Recht et al.
    2011): not reproducible, and faster where cores share a cache. A run begins with one thread,
    tries all of them after some hundred games, then ever more rarely, and goes on with what was
    faster.

    Ctrl-C, or the notebook's stop button, ends training after the game being played and returns the
    log of what was done; call train again to continue.

    Parameters
    ----------
    net : NTupleNetwork
        The network that learns, in place.
    episodes : int or sequence
        The number of games, or a list of stages (games, alpha, coherence); a recipe says it itself.
    alpha, order, coherence, p4, threads, seed, block
        See `lib2048.options.TrainOptions`.
    progress : bool
        Whether to show a bar.
    callback : callable, optional
        Called after each block with the log so far.
    checkpoint : path, optional
        A file that network and log are saved to every so many games; see `resume`.
    recipe : str, optional
        A way of learning by its name, in place of episodes and most options; see `lib2048.recipes`.
    **further_options
        lambda_, restart, starts, until, prize, downgrade, promote, every, engine: see
        `lib2048.options.TrainOptions`.

    Returns
    -------
    TrainLog
        What happened, one entry a game.

    Raises
    ------
    ValueError
        If an option is not what it may be; nothing has changed then.
    TypeError
        If there is no option of that name.
    Diverged
        If a value is no finite number any more. What was learned until then is in the network.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, train
    >>> net = NTupleNetwork(((0, 1, 2, 3), (4, 5, 6, 7)))
    >>> log = train(net, 100, seed=1, progress=False)
    >>> len(log.scores), net.games
    (100, 100)
    """
    check_network(net)
    TrainOptions.check_names(further_options)
    options = TrainOptions(alpha, order, coherence, p4, threads, seed, block, **further_options)
    options = replace(options, p4=check_p4(net.p4 if p4 is None else p4))
    if options.until is not None and net.values == "state":
        raise ValueError(
            "until goes with V(afterstate), whose last afterstate has the tile and learns the "
            f"prize; got until={options.until} for {net!r}"
        )
    if recipe is not None:
        episodes, options = follow(recipe, episodes, options)
    elif episodes is None:
        raise ValueError(
            "train needs a number of games, or stages, or the name of a recipe; got none of them"
        )
    plan = Plan.make(episodes, options, net.games)
    if checkpoint is not None:
        check_target(checkpoint)
    return _Training(net, plan, None, progress, callback, checkpoint).carry_out()


def resume(
    path: str | os.PathLike, progress: bool = True, callback: Callback | None = None
) -> tuple[NTupleNetwork, TrainLog]:
    """Go on with a training that was stopped, from its checkpoint to where it was to end.

    On one thread the result is the same, bit by bit, as if training had never stopped.

    Parameters
    ----------
    path : path
        The checkpoint that `train` wrote, and that is written on to.
    progress, callback
        As in `train`.

    Returns
    -------
    (NTupleNetwork, TrainLog)
        The network, and the log of all of the training.

    Raises
    ------
    ValueError, FileNotFoundError
        If the file is no checkpoint, or is not there.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from lib2048 import NTupleNetwork, resume, train
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "run.npz"
    ...     log = train(NTupleNetwork(((0, 1),)), 20, checkpoint=path, progress=False)
    ...     net, log = resume(path, progress=False)  # nothing is left to do
    >>> net.games, len(log.scores)
    (20, 20)
    """
    net, plan, log = saving.load_checkpoint(NTupleNetwork, path)
    return net, _Training(net, plan, log, progress, callback, path).carry_out()


class _Training:
    """One call of `train` or `resume`, while it runs."""

    def __init__(
        self,
        net: NTupleNetwork,
        plan: Plan,
        done: TrainLog | None,
        progress: bool,
        callback: Callback | None,
        checkpoint: str | os.PathLike | None,
    ):
        self.net = net
        self.plan = plan
        self.callback = _checked_callback(callback)
        self.checkpoint = checkpoint
        self.progress = check_flag("progress", progress)
        self.seconds_before = 0.0
        self.runner = Runner(make_engine(net, plan.options), plan.games, plan.options.threads)
        if done is not None:
            self.seconds_before = done.seconds
            self.runner.take_over(done.scores, done.max_tiles, done.moves)
        self.options_in_force: TrainOptions | None = None
        self.done_before = self.runner.done
        self.calls_before = len(net.history)
        self.started = time.perf_counter()

    def carry_out(self) -> TrainLog:
        """Learn from the games that are left. Returns the log of all games."""
        if self.plan.options.p4 is not None:
            self.net.p4 = self.plan.options.p4
        was_interrupted = False
        bar = tqdm(
            total=self.plan.games,
            initial=self.done_before,
            unit=" games",
            disable=not self.progress,
            mininterval=0.2,
            smoothing=0.1,
        )
        try:
            while self.runner.done < self.plan.games:
                played = self._learn_a_chunk()
                bar.set_postfix_str(self._how_it_goes(), refresh=False)
                bar.update(played)
                self._pause()
        except KeyboardInterrupt:
            was_interrupted = True
        finally:
            log = self._finish(bar, was_interrupted)
        return log

    def _finish(self, bar: tqdm, was_interrupted: bool) -> TrainLog:
        """Bring network, history and log up to what was learned. Returns the log.

        One Ctrl-C too many does not cut this short: it is begun again, and comes to the same.
        """
        while True:
            try:
                self.runner.close()  # waits for threads, so what is counted below is all there is
                self.net.games = self.plan.first + self.runner.finished()
                self.runner.engine.bring_back()
                bar.close()
                log = self._log(was_interrupted)
                self.net.history[self.calls_before :] = _history_of(log, self.plan)
                if was_interrupted and self.progress:
                    tqdm.write(
                        f"Stopped after {len(log.scores):,} of {self.plan.games:,} games; "
                        "what they taught is kept."
                    )
                return log
            except KeyboardInterrupt:
                was_interrupted = True

    def _learn_a_chunk(self) -> int:
        """Learn from games up to the next pause at most. Returns how many."""
        runner = self.runner
        done = runner.done
        options, end_of_stage = self.plan.stage_after(done)
        if options != self.options_in_force:
            runner.engine.learn_by(options)
            self.options_in_force = options
        until_pause = min(options.block - done % options.block, end_of_stage - done)
        if options.promote is not None:
            number = self.plan.first + done
            if number == promoting.next_time(number):
                runner.engine.promote(options.promote)
            until_pause = min(until_pause, promoting.next_time(number + 1) - number)
        if self.checkpoint:
            until_pause = min(until_pause, options.every - done % options.every)
        played = runner.chunk(until_pause, self.plan.first + done)
        self.net.games = self.plan.first + runner.done
        beyond_all_numbers = runner.last[~np.isfinite(runner.last)]
        if len(beyond_all_numbers):
            raise Diverged(
                f"training diverged at game {self.net.games}: a value is {beyond_all_numbers[0]} "
                f"with alpha {options.step:g}; "
                "start with a new network and a smaller alpha (at most 1)"
            )
        return played

    def _pause(self) -> None:
        """Save a checkpoint and call the callback, where it is time for them."""
        options = self.plan.options
        done = self.runner.done
        at_end = done == self.plan.games
        to_save = self.checkpoint is not None and (at_end or done % options.every == 0)
        to_call = self.callback is not None and (at_end or done % options.block == 0)
        if to_save or to_call:
            self.runner.engine.bring_back()
        if to_save and self.checkpoint is not None:
            saving.save_checkpoint(self.net, self.checkpoint, self.plan, self._log())
        if to_call and self.callback is not None:
            self.callback(self._log())

    def _how_it_goes(self) -> str:
        """Speed so far and mean score of late, for the bar."""
        if not self.progress:
            return ""
        runner = self.runner
        made = runner.moves[self.done_before : runner.done].sum(dtype=np.int64)
        speed = made / (time.perf_counter() - self.started)
        first_of_late = max(0, runner.done - self.plan.options.block)
        mean = runner.scores[first_of_late : runner.done].mean()
        return f"{speed / 1e6:.2f} M moves/s, last block's mean {mean:,.0f}"

    def _log(self, interrupted: bool = False) -> TrainLog:
        """The log of all games that are done."""
        runner = self.runner
        done = runner.finished()
        return TrainLog(
            scores=runner.scores[:done],
            max_tiles=runner.max_tiles[:done],
            moves=runner.moves[:done],
            block=self.plan.options.block,
            seconds=self.seconds_before + time.perf_counter() - self.started,
            first=self.plan.first,
            seed=self.plan.options.seed,
            interrupted=interrupted,
        )


def _checked_callback(callback: Callback | None) -> Callback | None:
    """A function to call after each block, or None; ValueError for anything else."""
    if callback is not None and not callable(callback):
        raise ValueError(f"callback is a function that takes a TrainLog, got {callback!r}")
    return callback


def _history_of(log: TrainLog, plan: Plan) -> list[dict]:
    """What the network's history tells of a training, which is saved with it: an entry or none.

    Of the boards that games began with it keeps the number only: there may be thousands.
    """
    if len(log.scores) == 0:
        return []
    told = plan.as_dict()
    told.pop("starts", None)
    if plan.options.starts is not None:
        told["number_of_starts"] = len(plan.options.starts)
    outcome = {
        "games": len(log.scores),
        "means": [round(float(mean), 1) for mean in log.means],
        "seconds": round(log.seconds, 3),
    }
    return [told | outcome]
