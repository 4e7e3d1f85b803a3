"""`python -m bench.search`: how fast looking ahead is, from one ply to six.

    python -m bench.search                     with the network that comes with lib2048
    python -m bench.search --net net.npz       with another one; a larger one waits for memory more
    python -m bench.search --plies 3           no deeper
    python -m bench.search --margin 5000       with another margin

The boards are those of games that the network plays greedily, every fiftieth, in random order. Each
is searched for itself, as `best_action` does, and a row goes through as many as its time allows.
"Known" is the share of afterstates, two or more plies deep, whose value the table had when it was
needed. The last two columns are of a search that leaves out actions that look hopeless at once
(`margin`, see fast/expecting.py): how fast it goes through the same boards, and for how many of
them it decides the same.
"""

import argparse
import math
import sys
from collections.abc import Iterator

import numpy as np

from bench.__main__ import machine
from bench.speed import CLOCK, one_core
from lib2048 import NTupleNetwork, compact, play
from lib2048.engines import playing_rule
from lib2048.fast.expecting import ASKED, FOUND, NO_MARGIN, POSITIONS
from lib2048.search import Search
from lib2048.validate import check_margin, check_not_negative, check_plies

GAMES = 10
EVERY = 50  # of the moves of a game, one board
DEEPEST = 6
SECONDS = 3.0  # for each number of plies
MARGIN = 30_000.0
ROW = "{:>5} {:>14} {:>17} {:>8} {:>8} {:>15} {:>8}"
HEAD = ROW.format(
    "plies", "moves a second", "boards a second", "known", "moves", "with a margin", "same"
)


def boards_of_games(net: NTupleNetwork, games: int = GAMES) -> np.ndarray:
    """Every fiftieth board of some games, in random order; always the same (uint64)."""
    boards = [play(net, seed=0, game=game).boards[:-1:EVERY] for game in range(games)]
    return np.random.default_rng(0).permutation(np.concatenate(boards))


def measure(
    net: NTupleNetwork,
    plies: int,
    boards: np.ndarray,
    seconds: float,
    margin: float = NO_MARGIN,
) -> dict:
    """Search boards until the time is over, at least one: what came of it."""
    search = Search(net, plies, playing_rule(net, None, 0), margin=margin)
    search.choose(boards[0])  # compiled, and its memory at hand
    search.known.boards[:] = 0
    search.known.counts[:] = 0
    actions: list[int | None] = []
    started = CLOCK()
    used = 0.0
    while not actions or (used < seconds and len(actions) < len(boards)):
        action, _ = search.choose(boards[len(actions)])
        actions.append(action)
        used = CLOCK() - started
    counts = search.known.counts
    return {
        "plies": plies,
        "actions": actions,
        "moves": len(actions),
        "moves a second": len(actions) / used,
        "positions a second": int(counts[POSITIONS]) / used,
        "known": int(counts[FOUND]) / max(1, int(counts[ASKED])),
    }


def rows(
    net: NTupleNetwork, most_plies: int, seconds: float, margin: float = MARGIN
) -> Iterator[dict]:
    """A row for each number of plies, one after the other."""
    boards = boards_of_games(net)
    for plies in range(1, most_plies + 1):
        row = measure(net, plies, boards, seconds)
        searched = boards[: row["moves"]]
        hopeful = measure(net, plies, searched, math.inf, margin)
        same = np.equal(row["actions"], hopeful["actions"])
        yield row | {"with a margin": hopeful["moves a second"], "same": float(same.mean())}


def line(row: dict) -> str:
    """A row of the table."""
    return ROW.format(
        row["plies"],
        f"{row['moves a second']:,.1f}",
        f"{row['positions a second']:,.0f}",
        f"{row['known']:.1%}" if row["plies"] > 1 else "",
        f"{row['moves']:,}",
        f"{row['with a margin']:,.1f}",
        f"{row['same']:.1%}",
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.search", description="How fast looking ahead is."
    )
    parser.add_argument("--net", help="a saved network; the one that comes with lib2048 without")
    parser.add_argument("--plies", type=int, default=DEEPEST, help="no deeper (%(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="for each number of plies (%(default)s)"
    )
    parser.add_argument(
        "--margin", type=float, default=MARGIN, help="points, for the last columns (%(default)s)"
    )
    options = parser.parse_args(arguments)
    try:
        check_plies(options.plies)
        check_margin(options.margin)
        check_not_negative("--seconds", options.seconds)
        net = compact() if options.net is None else NTupleNetwork.load(options.net)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    about = machine()
    print(f"One core of {about['processor']}, {about['clock']}; {net!r}\n{HEAD}", flush=True)
    with one_core():
        for row in rows(net, options.plies, options.seconds, options.margin):
            print(line(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
