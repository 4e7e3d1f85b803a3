"""The course's three programs, re-implemented from the published assignment: easy, normal and hard.

`easy` plays a random move. `normal` and `hard` search 2 and 8 plies deep with negamax and
alpha-beta pruning (Knuth and Moore 1975). A position is worth, to the side to move,

    the other side's smallest distance to its goal - its own smallest distance        (distances in
    king's moves)

and a won game 10000. Of equal moves the first is played, in the order horizontal, vertical,
diagonal, anti-diagonal, those of the lower cube before those of the higher; when every move loses,
the first diagonal one.
"""

import numpy as np

from lib2048.kernels import kernel, uint64
from lib2048.random_words import mix, stream
from lib2048.validate import check_whole
from libewn.game import Game
from libewn.guessing import distance
from libewn.rules import (
    BYTE,
    CUBES,
    DIAGONAL,
    VARIANTS,
    _choices,
    _is_over,
    _moved,
    _turned,
)

WON = 10_000
DEPTHS = {"normal": 2, "hard": 8}
FAR = 99  # farther than any square


def _distance_table():
    """King's moves to the last square, FAR for a captured cube: int64[variant, byte of a word]."""
    table = np.full((len(VARIANTS), 256), FAR)
    for variant in VARIANTS.values():
        for square in range(variant.last + 1):
            table[variant.code, square] = distance(variant, square)
    return table


DISTANCES = _distance_table()


@kernel(forceinline=True)
def _distance(variant, side):
    """The smallest distance of a side's cubes to their goal."""
    smallest = FAR
    for cube in range(CUBES):
        smallest = min(smallest, DISTANCES[variant, (side >> uint64(8 * cube)) & BYTE])
    return smallest


@kernel()
def _negamax(variant, own, opp, dice, depth, alpha, beta):
    """What a position is worth to the side to move, `depth` plies deep.

    The value is exact where it lies between alpha and beta.
    """
    if depth == 0:
        return _distance(variant, opp) - _distance(variant, own)
    choices = _choices(variant, own, dice & uint64(7))
    best = -2 * WON
    for index in range(choices.number):
        mine, other, target = _moved(variant, own, opp, choices, uint64(index))
        if _is_over(variant, other, target):
            value = WON
        else:
            value = -_negamax(
                variant, other, mine, _turned(variant, dice), depth - 1, -beta, -max(alpha, best)
            )
        best = max(best, value)
        if best >= beta:
            break
    return best


@kernel()
def _best_move(variant, own, opp, dice, depth):
    """(index of the first best move, its value)."""
    choices = _choices(variant, own, dice & uint64(7))
    best = -2 * WON
    chosen = uint64(0)
    for index in range(choices.number):
        mine, other, target = _moved(variant, own, opp, choices, uint64(index))
        if _is_over(variant, other, target):
            value = WON
        else:
            value = -_negamax(
                variant, other, mine, _turned(variant, dice), depth - 1, -2 * WON, -best
            )
        if value > best:
            best = value
            chosen = uint64(index)
    return chosen, best


def _legal_moves(game: Game) -> list[tuple[int, int]]:
    moves = game.legal_moves()
    if not moves:
        raise ValueError("the game is over, there is no move to choose")
    return moves


class Easy:
    """Plays a random move, a function of the seed, the game and the ply."""

    seed = 0

    def start(self, seed: int) -> None:
        """Begin a new game."""
        self.seed = check_whole("seed", seed)

    def move(self, game: Game) -> tuple[int, int]:
        """The move to play."""
        moves = _legal_moves(game)
        chance = int(mix(uint64(stream(uint64(self.seed), uint64(game.ply)))))
        return moves[chance % len(moves)]


class AlphaBeta:
    """Plays the move that is best `depth` plies ahead."""

    def __init__(self, depth: int):
        self.depth = check_whole("depth", depth, 1, 30)

    def start(self, seed: int) -> None:
        """Begin a new game."""

    def move(self, game: Game) -> tuple[int, int]:
        """The move to play."""
        return best_move(game, self.depth)[0]


def best_move(game: Game, depth: int) -> tuple[tuple[int, int], int]:
    """What an alpha-beta search of this depth plays.

    Parameters
    ----------
    game : Game
        A game of `tcg2023`, whose dice are known.
    depth : int
        How many plies to look ahead, 1 to 30.

    Returns
    -------
    tuple
        The move, and what it is worth to the side to move.

    Raises
    ------
    ValueError
        If the game is over, or is one of `classic`.

    Examples
    --------
    >>> move, value = best_move(Game(seed=1), 2)
    >>> move in Game(seed=1).legal_moves()
    True
    """
    if game.variant.name != "tcg2023":
        raise ValueError(
            "alpha-beta needs the dice to be known, as in tcg2023, "
            f"got the variant {game.variant.name!r}"
        )
    moves = _legal_moves(game)
    depth = check_whole("depth", depth, 1, 30)
    index, value = _best_move(game.variant.code, *game.words, depth)
    if value == -WON:  # every move loses
        diagonal = [move for move in moves if move[1] == DIAGONAL]
        return (diagonal + moves)[0], int(value)
    return moves[int(index)], int(value)
