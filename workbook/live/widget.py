"""What is seen of a training: a curve that grows, a board that plays on, a button to stop."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import traitlets
from IPython.display import display

from lib2048 import TrainLog
from lib2048.viewer.joining import joined
from lib2048.viewer.still import StillWidget
from lib2048.viewer.viewer import LOOK
from workbook.axes import Picture
from workbook.live.still import picture, png
from workbook.widgets.widget import widget_style

HERE = Path(__file__).parent
SHOWN_EVERY = 0.15  # seconds: more often nobody can look


class LiveView(StillWidget):
    """The view of a training. `training.py` tells it what happens, from its threads.

    Parameters
    ----------
    games
        From how many games it learns; None where it goes by time.
    first
        The number of the first game.
    seconds
        For how long it learns, where it goes by time.
    stop
        Called when the reader presses the button.
    """

    _esm = joined(HERE / "script" / "live.js")
    _css = widget_style(HERE / "style.css")
    PAGE_STATE = ("look", "about", "points", "played", "seconds", "shown", "status", "problem")

    look = traitlets.Dict(LOOK).tag(sync=True)
    about: traitlets.Dict = traitlets.Dict().tag(sync=True)  # games, first, seconds
    points: traitlets.List = traitlets.List().tag(sync=True)  # [games, mean, best] of each block
    played = traitlets.Int(0).tag(sync=True)
    seconds = traitlets.Float(0.0).tag(sync=True)
    shown: traitlets.Dict = traitlets.Dict().tag(sync=True)  # the board that plays on: see _show
    status = traitlets.Unicode("running").tag(sync=True)  # or "done", "stopped", "failed"
    problem = traitlets.Unicode("").tag(sync=True)  # what it failed with

    def __init__(
        self,
        games: int | None,
        first: int,
        seconds: float | None,
        stop: Callable[[], object],
    ):
        super().__init__(about={"games": games, "first": first, "seconds": seconds})
        self._stop = stop
        self._shown_at = 0.0
        self._last: tuple[TrainLog | None, int | None] = (None, None)
        self._display_id = ""
        self.on_msg(self._hear)

    def _hear(self, _widget, message: dict, _buffers) -> None:
        if message.get("topic") == "stop":
            self._stop()

    # What is told

    def show_log(self, log: TrainLog, at_once: bool = False) -> None:
        """Show how far the training is."""
        now = time.monotonic()
        if not at_once and now - self._shown_at < SHOWN_EVERY:
            return
        self._shown_at = now
        games = log.block * np.arange(1, len(log.means) + 1)
        with self.hold_sync():
            self.points = [
                [int(number), round(float(mean), 1), int(best)]
                for number, mean, best in zip(games, log.means, log.best)
            ]
            self.played = len(log.scores)
            self.seconds = round(log.seconds, 2)

    def begin_board(self, board: int) -> None:
        """A new game begins on the board that plays on."""
        self._show(board, 0, [])

    def show_moves(self, steps: list[tuple[int, int]], score: int) -> None:
        """The board plays on: each step is an action, and the board after it and the new tile."""
        _, board = steps[-1]
        self._show(board, score, steps)

    def _show(self, board: int, score: int, steps: list[tuple[int, int]]) -> None:
        self.shown = {
            "board": f"{board:016x}",
            "score": score,
            "steps": [[action, f"{after:016x}"] for action, after in steps],
        }

    def finish(
        self,
        status: str,
        log: TrainLog | None,
        board: int | None,
        error: BaseException | None,
    ) -> None:
        """The training is over."""
        self._last = (log, board)
        if log is not None:
            self.show_log(log, at_once=True)
        with self.hold_sync():
            if error is not None:
                self.problem = f"{type(error).__name__}: {error}"
            self.status = status
        self.renew_picture()

    # The picture that remains

    def _drawn(self) -> Picture:
        log, board = self._last
        return picture(log, board, self.about["games"])

    def svg(self) -> str:
        """The curve and a board."""
        return self._drawn().svg()

    def _png(self, svg: str) -> bytes:
        return png(self._drawn())

    @property
    def words(self) -> str:
        """How the training went, in a line."""
        return self._drawn().alt

    def _show_picture(self) -> None:
        """Show the picture of now; when the training is over it gives way to that of the end."""
        shown = self._picture() | self._for_page()
        self._display_id = display(shown, raw=True, display_id=True).display_id

    def renew_picture(self) -> None:
        """Put the picture of the end in the place of an earlier one."""
        if self._display_id:
            shown = self._picture() | self._for_page()
            display(shown, raw=True, display_id=self._display_id, update=True)
