"""Random playouts: a game played to its end with random moves, millions of them a second.

What a playout is worth to the side that was to move at its start:

    rich results    win by elimination 1.0, win by goal 0.9, loss by goal 0.1, loss by elimination
    0.0
    plain results   win 1, loss 0
"""

import numpy as np

from lib2048.kernels import U, kernel
from lib2048.random_words import mix
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
from libewn.start import check_whole

LOSS_BY_GOAL, WIN_BY_GOAL, LOSS_BY_ELIMINATION, WIN_BY_ELIMINATION = range(
    4
)  # results, to the side first to move
SCORES = np.array([[0.0, 1.0, 0.0, 1.0], [0.1, 0.9, 0.0, 1.0]])  # [plain or rich, result]

FACTOR, OFFSET = (
    U(6364136223846793005),
    U(1442695040888963407),
)  # Knuth's MMIX generator; its upper half is used
LOW, HALF = U(0xFFFF_FFFF), U(32)


@kernel(forceinline=True)
def _next(state):
    """The next state of the generator of random numbers (uint64)."""
    return state * FACTOR + OFFSET


@kernel(forceinline=True)
def _rolled(variant, dice, chance):
    """(die of this ply, what is left of the 32 random bits `chance`): rolled where it is not known."""
    if variant == CLASSIC and dice == UNROLLED:
        product = chance * U(6)
        return product >> HALF, product & LOW
    return dice & U(7), chance


@kernel()
def _playout(variant, own, opp, dice, state, shortcut):
    """One playout: (result | plies << 2, state).

    With `shortcut` a winning move is played at once.
    """
    plies = U(0)
    while True:
        state = _next(state)
        die, chance = _rolled(variant, dice, state >> HALF)
        choices = _choices(variant, own, die)
        index = (chance * choices.count) >> HALF
        if shortcut and _may_win(opp, choices):
            winning = _winning_move(variant, opp, choices)
            if winning < choices.count:
                index = winning
        own, opp, target = _moved(variant, own, opp, choices, index)
        plies += U(1)
        if _is_over(variant, opp, target):
            eliminated = U(2) if (opp & DEAD) == DEAD else U(0)
            return (plies & U(1)) | eliminated | (plies << U(2)), state
        own, opp = opp, own
        dice = _turned(variant, dice)


@kernel()
def _playouts(variant, position, state, shortcut, counts):
    """As many playouts as counts[4] says from position (own, opp, dice); adds up how often each result came in
    counts[0:4], and the plies in counts[5] (int64, modified in place). Returns the state."""
    own, opp, dice = position
    for _ in range(counts[4]):
        result, state = _playout(variant, own, opp, dice, state, shortcut)
        counts[result & U(3)] += 1
        counts[5] += result >> U(2)
    return state


def playouts(game: Game, count: int, seed: int = 0, shortcut: bool = True) -> dict[str, float]:
    """Play `count` random games from here on.

    Returns the share of each result, to the side to move, and the plies.

    >>> sorted(playouts(Game(seed=1), 1000))
    ['loss by elimination', 'loss by goal', 'plies', 'win by elimination', 'win by goal']
    """
    if game.winner is not None:
        raise ValueError("the game is over, there is nothing to play out")
    counts = np.zeros(6, np.int64)
    count = check_whole("count", count, 1)
    state = U(mix(U(check_whole("seed", seed))))
    while count:
        counts[4] = min(count, 50_000)  # back to Python now and then, where Ctrl-C acts
        state = U(_playouts(game.kind.code, game.words, state, bool(shortcut), counts))
        count -= int(counts[4])
    names = ("loss by goal", "win by goal", "loss by elimination", "win by elimination")
    total = int(counts[:4].sum())
    return {name: int(counts[n]) / total for n, name in enumerate(names)} | {
        "plies": int(counts[5]) / total
    }
