"""Playing on past the tiles that a network knows.

A network that has hardly ever got beyond a 16384 knows little of what comes then. But take a board with a 16384 and
without an 8192: if the 16384 is read as an 8192, the same tiles are equal as before, so the same tiles merge, until the
next 8192 is made. So from a given tile on the network is shown a smaller board: of the tiles that are missing, the
largest below the board's largest tile is found, and every tile above it is read as half of what it is.

    16384  4096  512  8      is read as       8192  4096  512  8        8192 is missing
    16384  8192  512  8      is read as       8192  4096  512  8        4096 is missing

The action that is best there is taken on the real board. (Guei, Chen and Wu 2021, "Optimistic temporal difference
learning for 2048", call this tile-downgrading.)
"""

import time

import numpy as np
from tqdm.auto import tqdm

from .board import GOLDEN, _largest_exponent, _mix, _slide, _spawn
from .jit import U, kernel
from .lookup import F32
from .play import NO_NUMBERS, Summary
from .rules import _record
from .runner import Runner, play_rule
from .search import Search, _begin, _search
from .valid import check_board, check_count, check_plies, check_tile

MOST = 4096  # moves between two returns to Python with 1 ply, where Ctrl-C acts; a ply more takes some 30 times longer


@kernel()
def _downgrade(board, top):
    """The board as a network is shown it that knows tiles below exponent `top`."""
    missing = _largest_exponent(board)
    if missing < top:
        return board
    there, rest = U(0), board
    while rest:
        there |= U(1) << (rest & U(15))
        rest >>= U(4)
    while (there >> missing) & U(1) and missing > U(0):
        missing -= U(1)
    if missing == U(0):
        return board
    smaller = board
    for cell in range(16):
        exponent = (board >> U(4 * cell)) & U(15)
        if exponent > missing:
            smaller -= U(1) << U(4 * cell)
    return smaller


@kernel(nogil=True)
def _play_on(net, rule, search, at, games, most):
    """As search._play_on, the network being shown smaller boards; `search` has the exponent they begin at as well."""
    known, plies, values, top = search
    for _ in range(most):
        action = _search(net, known, _downgrade(at[0], top), plies, F32(rule.p4), values)
        if action < 0:
            _record(games, at[2], at[0], at[3])
            return True
        afterstate, reward = _slide(at[0], action)
        at[1] += GOLDEN
        at[0] = _spawn(afterstate, _mix(at[1]), rule.fours)
        at[2] += reward
        at[3] += U(1)
    return False


class _Downgraded(Search):
    """A search that is shown smaller boards."""

    def __init__(self, plies: int, top: int):
        super().__init__(plies)
        self.top = U(top)

    def run(self, arrays, rule, path, games, first: int, count: int) -> None:
        """Play games as rules._run does without learning. Ctrl-C acts between moves."""
        search, at = (self._room(), self.plies, np.empty(4, np.float32), self.top), np.empty(4, np.uint64)
        for game in range(first, first + count):
            _begin(rule, game, at)
            while not _play_on(arrays, rule, search, at, games, max(1, MOST >> 5 * (self.plies - 1))):
                pass


def downgrade(board: int, tile: int = 16384) -> int:
    """The board to show a network that does not know boards with `tile` well; the board itself while it has none.

    >>> from lib2048 import from_tiles, show
    >>> print(show(downgrade(from_tiles([[16384, 4096, 512, 8], [2, 0, 0, 0], [0] * 4, [0] * 4]))).splitlines()[0])
     8192  4096   512     8
    """
    return int(_downgrade(check_board(board), U(check_tile(tile))))


def evaluate_downgraded(
    net,
    games: int,
    tile: int = 16384,
    plies: int = 1,
    p4: float | None = None,
    threads: int = 1,
    seed: int = 0,
    progress: bool = True,
) -> Summary:
    """As `evaluate`, the network being shown smaller boards from `tile` on. Scores are those of the real boards."""
    total, threads, plies = check_count("games", games), check_count("threads", threads), check_plies(plies)
    rule, started = play_rule(net, p4, seed), time.perf_counter()
    if not np.isfinite(net.weights).all():
        raise ValueError(NO_NUMBERS)
    runner = Runner(net, rule, total, threads, _Downgraded(plies, check_tile(tile)).run)
    bar = tqdm(total=total, unit=" games", disable=not progress, delay=1, leave=False)
    try:
        while runner.done < total:
            bar.update(runner.chunk(total - runner.done, runner.done))
    except KeyboardInterrupt:
        if runner.finished() == 0:
            raise
    finally:
        runner.close()
        bar.close()
    done, seconds = runner.finished(), time.perf_counter() - started
    return Summary.of(runner.scores[:done], runner.max_tiles[:done], runner.moves[:done], seconds)
