"""What nearly every notebook begins with, in one line: `from workbook.notebook import *`.

It brings the words for numbers in prose (words.py), predictions, checks, explorers, figures and
sizes by scale, the one game of the book (story.py), and teaches the notebook the cell magic `%%md`
(prose.py). WRITING.md shows each of them.
"""

import os
from types import SimpleNamespace

from workbook import check, explore, predict
from workbook.cells import figure, listing
from workbook.intervals import interval
from workbook.learner import learner
from workbook.live import train_live
from workbook.own import own_or_solution
from workbook.prose import register
from workbook.ready import ready
from workbook.story import GAME, KEY_MOVE, the_board, the_game
from workbook.table import Table
from workbook.words import (
    between,
    bytes_,
    duration,
    in_words,
    joined,
    minutes,
    number,
    percent,
    plural,
    plus_minus,
    points,
    scientific,
    seconds,
    signed,
    times,
)

SCALES = ("small", "full")

__all__ = [
    "GAME",
    "KEY_MOVE",
    "SCALE",
    "Table",
    "between",
    "bytes_",
    "check",
    "duration",
    "explore",
    "figure",
    "in_words",
    "interval",
    "joined",
    "learner",
    "listing",
    "minutes",
    "number",
    "own_or_solution",
    "percent",
    "plural",
    "plus_minus",
    "points",
    "predict",
    "ready",
    "scientific",
    "seconds",
    "signed",
    "sizes",
    "the_board",
    "the_game",
    "times",
    "train_live",
]


def _scale() -> str:
    """The scale of this run: what the environment's SCALE says, else "full"."""
    scale = os.environ.get("SCALE") or "full"
    if scale not in SCALES:
        raise ValueError(f"SCALE is {' or '.join(SCALES)}, got {scale!r}")
    return scale


SCALE = _scale()  # "full", or "small" when SCALE=small make lab started this


def sizes(**pairs) -> SimpleNamespace:
    """How large things are at this scale.

    Parameters
    ----------
    **pairs
        For each name a pair: its value at the small scale, and at the full one.

    Examples
    --------
    >>> SIZES = sizes(games=(500, 5_000), seeds=(3, 10))
    >>> SIZES.games == (500 if SCALE == "small" else 5_000)
    True
    """
    for name, pair in pairs.items():
        if not isinstance(pair, tuple) or len(pair) != len(SCALES):
            raise ValueError(f"{name} is a pair (small, full), got {pair!r}")
    place = SCALES.index(SCALE)
    return SimpleNamespace(**{name: pair[place] for name, pair in pairs.items()})


register()
