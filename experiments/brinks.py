"""Where the games of a relay end, and how many of them at the brink of a tile.

The sum of all tiles grows by 2 or 4 with every move, and nothing else changes it. Shortly before it
is as large as a tile that is still to be made, nearly all smaller ones must be on the board: before
a 32768 a 16384, an 8192, a 4096 and so on down, or more tiles still. That leaves little room. This
is the brink.
"""

import time
from collections.abc import Sequence

import numpy as np

from experiments.relays import relay_of
from experiments.versions import versioned
from lib2048.engines import playing_rule
from lib2048.search import Search, Start
from lib2048.validate import check_margin, check_tile

SEED_OF_AGAIN = 1 << 20
"""Added to the seed of the games, for those that are played again from the brink."""


@versioned(1)
def play_to_the_brink(
    legs,
    tiles,
    seen,
    brink,
    ways,
    again,
    plies=1,
    margin=None,
    evaluation=1,
    play_seed=1,
):
    """Let a relay play games, and play on from the brink of a tile in several ways.

    Parameters
    ----------
    legs, tiles, seen
        The relay. Its last network plays from before the brink on.
    brink : pair of int
        A tile, and how much the sum of all tiles lacks of it at most when a game is at the brink.
    ways : sequence of pairs
        How many plies ahead, and by which margin, the last network looks from the brink on.
    again : int
        How many times it plays on in each of these ways, with other new tiles each time.
    plies, margin, evaluation, play_seed
        How many plies ahead, and by which margin, the relay looks; how many games it plays, and the
        seed of these.

    Returns
    -------
    tuple of dict
        With which sum of tiles each game ended, and the exponent of its largest tile. How many
        games were begun at the brink in each way; then, for each way, in how many of them the tile
        was made and how many moves they had together. And the seconds that each way took.
    """
    tile, lacking = brink
    if tiles and tile <= tiles[-1]:
        raise ValueError(f"the brink is that of a tile after {tiles[-1]}, got {tile}")
    relay = relay_of(legs, tiles, seen, plies, play_seed, margin)
    last_network = relay.searches[-1].net
    games = [relay.play(number) for number in range(evaluation)]
    firsts = [_at_the_brink(game.boards, tile, lacking) for game in games]
    boards = [board for board in firsts if board is not None]
    rule = playing_rule(last_network, None, SEED_OF_AGAIN + play_seed)
    exponent = check_tile(tile)
    made = []
    moves = []
    seconds = {}
    for number, (plies_of_way, margin_of_way) in enumerate(ways):
        search = Search(last_network, plies_of_way, rule, margin=check_margin(margin_of_way))
        began = time.perf_counter()
        turns = [
            search.play(again * place + turn, Start(board), until=exponent)
            for place, board in enumerate(boards)
            for turn in range(again)
        ]
        seconds[f"seconds_of_way_{number}"] = time.perf_counter() - began
        made.append(sum(turn.max_tile >= exponent for turn in turns))
        moves.append(sum(turn.moves for turn in turns))
    return {
        "sums": sums_of_tiles([game.boards[-1] for game in games]),
        "max_tiles": np.array([check_tile(game.max_tile) for game in games], np.uint8),
        "begun": again * len(boards),
        "made": np.array(made),
        "moves": np.array(moves),
    }, seconds


def sums_of_tiles(boards: Sequence[int] | np.ndarray) -> np.ndarray:
    """The sum of the tiles of each board (int64).

    Examples
    --------
    >>> sums_of_tiles([0x0000_0000_0000_0121]).tolist()
    [8]
    """
    boards = np.asarray(boards, np.uint64)
    sums = np.zeros(len(boards), np.int64)
    for cell in range(16):
        exponents = (boards >> np.uint64(4 * cell)).astype(np.int64) & 15
        sums += np.where(exponents > 0, 1 << exponents, 0)
    return sums


def _at_the_brink(boards: np.ndarray, tile: int, lacking: int) -> int | None:
    """The first board whose tiles lack no more than this of the tile; None where none does."""
    near = np.flatnonzero(sums_of_tiles(boards) >= tile - lacking)
    return int(boards[near[0]]) if len(near) else None
