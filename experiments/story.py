"""python -m experiments.story: play the game of the book again, and write its file anew."""

import numpy as np

from experiments.asking import network
from lib2048 import play
from workbook.story import ARRAYS, FILE, GAME


def make() -> None:
    """Play it by the network of "afterstate" at the full scale, which is trained if missing."""
    trace = play(network("afterstate", scale="full"), seed=GAME)
    np.savez_compressed(FILE, **{name: getattr(trace, name) for name in ARRAYS})
    print(f"{FILE.name}: {len(trace):,} moves, {trace.score:,} points")


if __name__ == "__main__":
    make()
