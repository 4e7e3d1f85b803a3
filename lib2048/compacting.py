"""The network that comes with the library, and what it costs to make a network so small.

    net = compact()                    the network of data/compact.bin
    strength()                         how well it plays, as it was measured
    measure_loss(net, games=1_000)     how much weaker a network gets when its weights are rounded

The network was trained by the experiment "compact", which says how, and what it scored. Its file is
in the format of formats/compact.py, so a web page can play with it as well.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lib2048.formats.compact import (
    compact_bytes,
    read_compact,
    read_description,
    rounded_network,
    smallest_step,
)
from lib2048.network import NTupleNetwork
from lib2048.playing import evaluate
from lib2048.records import Z95, Summary
from lib2048.validate import check_whole

FILE = Path(__file__).parent / "data" / "compact.bin"


def compact() -> NTupleNetwork:
    """The network that comes with the library.

    Returns
    -------
    NTupleNetwork
        A trained network, to play with or to go on with.

    Raises
    ------
    FileNotFoundError
        If the library was installed without it.

    Examples
    --------
    >>> import lib2048
    >>> net = lib2048.compact()
    >>> lib2048.play(net, seed=1).max_tile >= 1024
    True
    """
    return read_compact(NTupleNetwork, FILE)[0]


def strength() -> dict:
    """How well the network of `compact` plays, and how that was measured.

    Returns
    -------
    dict
        The numbers of the experiment "compact": games, mean, and the share of games that reached
        each tile.

    Examples
    --------
    >>> strength()["games"] >= 1000
    True
    """
    return read_description(FILE).strength or {}


@dataclass
class Loss:
    """What rounding the weights of a network cost it.

    Attributes
    ----------
    before, after : Summary
        The games of the network as it was, and with rounded weights, from the same seed.
    nbytes : int
        The size of the compact file.
    """

    before: Summary
    after: Summary
    nbytes: int

    @property
    def points(self) -> float:
        """The mean score before less the one after: what was lost."""
        return self.before.mean - self.after.mean

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `points`.

        The games begin with the same tiles. But as soon as one move differs they are two games, so
        the difference is taken as that of two independent means.
        """
        variances = [
            float(np.var(summary.scores, ddof=1)) / summary.games
            for summary in (self.before, self.after)
        ]
        half = Z95 * math.sqrt(sum(variances))
        return self.points - half, self.points + half

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.before.mean:,.0f} points before, {self.after.mean:,.0f} after, in "
            f"{self.before.games:,} games each: {self.points:,.0f} lost ({low:,.0f} to {high:,.0f})"
        )


def measure_loss(
    net: NTupleNetwork,
    games: int = 1000,
    step: float | None = None,
    seed: int = 0,
    progress: bool = True,
) -> Loss:
    """Let a network play as it is and with rounded weights, on equal terms.

    Parameters
    ----------
    net : NTupleNetwork
        The network.
    games : int
        How many games each of the two plays; at least 2.
    step : float, optional
        The step of rounding, as in `export_compact`.
    seed : int
        What the random tiles come from.
    progress : bool
        Whether to show a bar, when it takes longer than a second.

    Returns
    -------
    Loss
        Both summaries, and the difference.

    Raises
    ------
    ValueError
        If an argument is not what it may be.

    Examples
    --------
    >>> loss = measure_loss(NTupleNetwork(((0, 1),)), games=5, progress=False)
    >>> loss.points
    0.0
    """
    games = check_whole("games, which takes two for an interval,", games, 2)
    chosen = smallest_step(net) if step is None else step
    rounded = rounded_network(NTupleNetwork, net, chosen)
    nbytes = len(compact_bytes(net, chosen))
    before = evaluate(net, games, seed=seed, progress=progress)
    after = evaluate(rounded, games, seed=seed, progress=progress)
    return Loss(before, after, nbytes)
