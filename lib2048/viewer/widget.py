"""What the viewers of both games have in common.

A game goes to the browser once and is played there by JavaScript, so it stays smooth while Python
is busy. Python and the browser tell each other which position is shown, whether the game plays and
how fast.
"""

import traitlets

from lib2048.viewer.look import HERE, STYLES, shared_style
from lib2048.viewer.still import MARK, WIDGET, StillWidget

__all__ = ["HERE", "MARK", "STYLES", "WIDGET", "ReplayWidget", "shared_style"]


class ReplayWidget(StillWidget):
    """A game that plays in the browser.

    A subclass has, besides `_esm` and `_css`:

    - `POSITION`, the name of its trait that says which position is shown, and `SPEEDS`;
    - what a StillWidget has.
    """

    POSITION = "position"
    SPEEDS: tuple[float, ...] = (1,)

    playing = traitlets.Bool(False).tag(sync=True)
    speed = traitlets.Float(1.0).tag(sync=True)

    @traitlets.validate("speed")
    def _check_speed(self, proposal):
        speed = proposal["value"]
        if speed not in self.SPEEDS:
            steps = ", ".join(map(str, self.SPEEDS))
            raise ValueError(f"the speed is one of {steps}, got {speed!r}")
        return speed

    def seek(self, position: int) -> None:
        """Pause and show a position: 0 is the first; what lies beyond the end is the last."""
        self.playing = False
        setattr(self, self.POSITION, position)

    def step(self, by: int = 1) -> None:
        """Pause and go on by some positions; back if the number is negative."""
        self.seek(getattr(self, self.POSITION) + by)
