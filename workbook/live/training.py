"""A training in a thread of its own, and a board that plays on beside it."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from lib2048 import TrainLog, new_board, slide, spawn
from workbook.live.widget import LiveView

PAUSE = 0.4  # seconds between looks at the board that plays on
MOVES = 4  # that it makes in such a time
GAME_OVER = 4  # such times pass before the next game begins
PATIENCE = 0.2  # seconds after which Ctrl-C is noticed while waiting


class Stopped(Exception):
    """Raised in the training's thread when it is to end early."""


class LiveTraining:
    """A training that runs in the background; a notebook shows its view.

    Parameters
    ----------
    work
        Trains: called with a function that it tells the log to after each block, it returns the
        log. What it is told may raise Stopped, after which it has to end.
    choose
        The action on a board, by what has been learned so far; None when the board is dead.
    last_board
        A board for the picture that remains, asked for at the end.
    games
        From how many games `work` learns; None where it goes by time.
    first
        The number of the first game.
    seconds
        For how long it learns, where it goes by time.

    Attributes
    ----------
    log : TrainLog or None
        The log so far.
    view : LiveView
        The widget.
    error : BaseException or None
        What the training failed with.
    """

    def __init__(
        self,
        work: Callable,
        choose: Callable[[int], int | None],
        last_board: Callable[[], int],
        games: int | None,
        first: int = 0,
        seconds: float | None = None,
    ):
        self.games = games
        self.log: TrainLog | None = None
        self.error: BaseException | None = None
        self._to_end = threading.Event()
        self.view = LiveView(games, first, seconds, stop=self._to_end.set)
        self._ended = threading.Event()
        arguments = (work, last_board)
        self._trainer = threading.Thread(target=self._train, args=arguments, daemon=True)
        self._player = threading.Thread(target=self._play_on, args=(choose,), daemon=True)
        self._trainer.start()
        self._player.start()

    @property
    def running(self) -> bool:
        """Whether it still trains."""
        return not self._ended.is_set()

    def stop(self) -> TrainLog | None:
        """End the training after the block it is at; what it learned is kept. Returns the log."""
        self._to_end.set()
        return self.wait()

    def wait(self, timeout: float | None = None) -> TrainLog | None:
        """Wait until the training is done.

        Ctrl-C, or the notebook's stop button, ends the training.

        Parameters
        ----------
        timeout
            The most seconds to wait; then the log so far is returned.

        Returns
        -------
        TrainLog
            What happened.

        Raises
        ------
        Exception
            What the training failed with.
        """
        try:
            self._wait(timeout)
        except KeyboardInterrupt:
            self._to_end.set()
            self._wait(None)
        return self._outcome()

    def __await__(self):
        """`log = await live`: like wait(), but the button in the view acts meanwhile.

        A cell that waits in any other way keeps Python from hearing of the button.
        """
        return self._awaited().__await__()

    async def _awaited(self) -> TrainLog | None:
        try:
            while not self._ended.is_set():
                await asyncio.sleep(PATIENCE)
        except (KeyboardInterrupt, asyncio.CancelledError):
            self._to_end.set()
        self._wait(None)
        return self._outcome()

    def _outcome(self) -> TrainLog | None:
        if self._ended.is_set():
            self.view.renew_picture()
        if self.error is not None:
            raise self.error
        return self.log

    def _wait(self, timeout: float | None) -> None:
        left = timeout
        while not self._ended.wait(PATIENCE if left is None else min(PATIENCE, max(0.0, left))):
            if left is not None:
                left -= PATIENCE
                if left <= 0:
                    return
        self._trainer.join()
        self._player.join()

    def close(self) -> None:
        """End the training, and take the view out of the notebook."""
        self._to_end.set()
        self.view.close()

    def _ipython_display_(self) -> None:
        self.view._ipython_display_()

    # The thread that trains

    def _train(self, work: Callable, last_board: Callable[[], int]) -> None:
        status = "done"
        try:
            self.log = work(self._tell)
        except Stopped:
            status = "stopped"
            self.log = replace(self.log, interrupted=True)
        except BaseException as error:
            self.error = error
            status = "failed"
        try:
            board = last_board() if self.log is not None and status != "failed" else None
        except Exception as error:
            self.error = error
            status = "failed"
            board = None
        self._ended.set()
        self.view.finish(status, self.log, board, self.error)

    def _tell(self, log: TrainLog) -> None:
        """What work calls after each block."""
        is_new = self.log is None or len(log.scores) > len(self.log.scores)
        self.log = log
        if is_new:
            self.view.show_log(log)
        is_last = self.games is not None and len(log.scores) >= self.games
        if self._to_end.is_set() and not is_last:
            raise Stopped

    # The thread that plays on

    def _play_on(self, choose: Callable[[int], int | None]) -> None:
        rng = np.random.default_rng(0)
        board = new_board(rng)
        score = 0
        over = 0
        self.view.begin_board(board)
        while not self._ended.wait(PAUSE):
            steps = []
            try:
                for _ in range(MOVES):
                    action = choose(board)
                    if action is None:
                        break
                    afterstate, reward = slide(board, action)
                    board = spawn(afterstate, rng)
                    score += reward
                    steps.append((action, board))
            except Exception:  # the training, which has the same fault, tells it
                return
            if steps:
                self.view.show_moves(steps, score)
                continue
            over += 1
            if over >= GAME_OVER:
                board = new_board(rng)
                score = 0
                over = 0
                self.view.begin_board(board)
