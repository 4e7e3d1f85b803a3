"""Random playouts: a game played to its end with random moves, millions of them a second.

What a playout is worth to the side that was to move at its start:

    rich results     1.0 a win by elimination, 0.9 a win by goal,
                     0.1 a loss by goal, 0.0 a loss by elimination
    plain results    1 a win, 0 a loss
"""

import numpy as np

from lib2048.kernels import kernel, uint64
from lib2048.random_words import mix
from lib2048.validate import check_whole
from libewn.game import Game
from libewn.rules import (
    CLASSIC,
    DEAD,
    UNROLLED,
    _choices,
    _is_over,
    _may_win,
    _moved,
    _turned,
    _winning_move,
)

# Results, to the side first to move.
RESULTS = ("loss by goal", "win by goal", "loss by elimination", "win by elimination")
SCORES = np.array([[0.0, 1.0, 0.0, 1.0], [0.1, 0.9, 0.0, 1.0]])  # [plain or rich, result]

# Knuth's MMIX generator of random numbers, of which the upper half is used.
FACTOR = uint64(6364136223846793005)
OFFSET = uint64(1442695040888963407)
HALF = uint64(32)
LOW_HALF = uint64(0xFFFF_FFFF)
AT_ONCE = 50_000  # playouts between two returns to Python, where Ctrl-C acts


@kernel(forceinline=True)
def _next(state):
    """The next state of the generator of random numbers (uint64)."""
    return state * FACTOR + OFFSET


@kernel(forceinline=True)
def _rolled(variant, dice, chance):
    """The die of this ply, and what is left of the 32 random bits `chance`.

    The die is rolled where it is not known.
    """
    if variant == CLASSIC and dice == UNROLLED:
        product = chance * uint64(6)
        return product >> HALF, product & LOW_HALF
    return dice & uint64(7), chance


@kernel()
def _playout(variant, own, opp, dice, state, shortcut):
    """One playout: (result | plies << 2, state).

    With `shortcut` a winning move is played at once.
    """
    plies = uint64(0)
    while True:
        state = _next(state)
        die, chance = _rolled(variant, dice, state >> HALF)
        choices = _choices(variant, own, die)
        index = (chance * choices.number) >> HALF
        if shortcut and _may_win(opp, choices):
            winning = _winning_move(variant, opp, choices)
            if winning < choices.number:
                index = winning
        own, opp, target = _moved(variant, own, opp, choices, index)
        plies += uint64(1)
        if _is_over(variant, opp, target):
            eliminated = uint64(2) if (opp & DEAD) == DEAD else uint64(0)
            return (plies & uint64(1)) | eliminated | (plies << uint64(2)), state
        own, opp = opp, own
        dice = _turned(variant, dice)


@kernel()
def _playouts(variant, position, state, shortcut, counts):
    """As many playouts as counts[4] says, from the position (own, opp, dice). Returns the state.

    Adds up in `counts` (int64, modified in place): in the first four places how often each result
    came, in counts[5] the plies.
    """
    own, opp, dice = position
    for _ in range(counts[4]):
        result, state = _playout(variant, own, opp, dice, state, shortcut)
        counts[result & uint64(3)] += 1
        counts[5] += result >> uint64(2)
    return state


def playouts(game: Game, count: int, seed: int = 0, shortcut: bool = True) -> dict[str, float]:
    """Play random games from here on.

    Parameters
    ----------
    game : Game
        Where they start.
    count : int
        How many.
    seed : int
        What the random numbers start from.
    shortcut : bool
        Whether a winning move is played at once.

    Returns
    -------
    dict
        The share of each result, to the side to move, and the mean number of plies.

    Raises
    ------
    ValueError
        If the game is over.

    Examples
    --------
    >>> sorted(playouts(Game(seed=1), 1000))
    ['loss by elimination', 'loss by goal', 'plies', 'win by elimination', 'win by goal']
    """
    if game.winner is not None:
        raise ValueError("the game is over, there is nothing to play out")
    left = check_whole("count", count, 1)
    counts = np.zeros(6, np.int64)
    state = uint64(mix(uint64(check_whole("seed", seed))))
    while left:
        counts[4] = min(left, AT_ONCE)
        state = uint64(_playouts(game.variant.code, game.words, state, bool(shortcut), counts))
        left -= int(counts[4])
    total = int(counts[:4].sum())
    shares = {name: int(counts[result]) / total for result, name in enumerate(RESULTS)}
    return shares | {"plies": int(counts[5]) / total}
