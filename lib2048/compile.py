"""Compile every kernel now, so that nobody waits for it later: `python -m lib2048.compile`.

A kernel is compiled when it is called for the first time, and kept on disk from then on. So it is
enough to use everything once, on the smallest network there is.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tqdm import tqdm

from lib2048 import (
    NTupleNetwork,
    best_action,
    evaluate,
    learn_episode,
    play,
    read_episodes,
    slide,
    train,
    write_episodes,
)
from lib2048.fast.promoting import promote
from lib2048.kernels import COMPILES
from lib2048.tree_search import TreeSearch

ONE_CELL = ((0,),)  # the smallest network
GAMES = 2


def uses(values: str) -> list[Callable]:
    """Calls that between them need every kernel, for networks of V(afterstate) or of V(state)."""
    net = NTupleNetwork(ONE_CELL, values=values)

    def read_and_write_tables():
        net.set_table_part(0, 0, net.table(0))
        net.weight(0, 0)

    def learn_from_a_recorded_game():
        game = play(net, seed=1)
        learn_episode(net, game.boards, game.actions, game.rewards)
        learn_episode(net, game.boards, game.actions, game.rewards, order="forward")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "games.txt"
            write_episodes(file, [game])
            read_episodes(file)

    return [
        lambda: slide(0x11, 3),
        lambda: net.value(0x11),
        lambda: net.update(0x11, 0.0),
        read_and_write_tables,
        lambda: train(net, GAMES, progress=False),
        lambda: train(net, GAMES, progress=False, order="forward"),
        lambda: train(net, GAMES, progress=False, coherence=True, threads=2),
        lambda: train(net, GAMES, progress=False, restart=100, downgrade=64),
        lambda: promote(net, 64),
        lambda: train(net, GAMES, progress=False, engine="plain"),
        lambda: train(net, GAMES, progress=False, engine="plain", coherence=True),
        lambda: evaluate(net, GAMES, progress=False),
        lambda: evaluate(net, GAMES, progress=False, plies=2),
        lambda: best_action(net, 0x11, plies=2),
        lambda: play(net, seconds=1e-6),
        lambda: TreeSearch(net, trips=2).play(),
        lambda: TreeSearch(net, trips=2).choose(0x11),
        learn_from_a_recorded_game,
    ]


def report_compiling(name: str, calls: list[Callable]) -> float:
    """Make the calls under a bar and say how long that took. Returns the seconds."""
    if not COMPILES:
        print(f"Nothing of {name} is compiled here, as numba is missing or told not to compile.")
        return 0.0
    started = time.perf_counter()
    for call in tqdm(calls, desc=f"compiling {name}", unit=" steps", file=sys.stderr, leave=False):
        call()
    seconds = time.perf_counter() - started
    print(f"The kernels of {name} are compiled and kept: {seconds:.1f} s.")
    return seconds


if __name__ == "__main__":
    report_compiling(
        "lib2048", [call for values in ("afterstate", "state") for call in uses(values)]
    )
