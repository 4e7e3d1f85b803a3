"""Compile every kernel of libewn now: `python -m libewn.compile`.

A match is then never kept waiting for it.
"""

from collections.abc import Callable

from lib2048.compile import report_compiling
from libewn import MCTS, AlphaBeta, Game, guess, instance, play_game, player, playouts
from libewn.agent import BEST

PLAYOUTS = 200


def uses() -> list[Callable]:
    """Calls that between them need every kernel."""
    start = instance(1, 0)
    game = Game(start)
    return [
        lambda: guess(game),
        lambda: playouts(game, PLAYOUTS, seed=1),
        lambda: MCTS(PLAYOUTS).search(game),
        lambda: play_game(MCTS(PLAYOUTS, **BEST), player("easy"), start),  # as the agent plays
        lambda: AlphaBeta(2).move(game),
        lambda: play_game(player("mcts", simulations=PLAYOUTS), player("easy"), start),
    ]


if __name__ == "__main__":
    report_compiling("libewn", uses())
