"""EinStein wuerfelt nicht! with Monte-Carlo tree search.

rules.py the rules in bits - start.py, game.py, draw.py the game - opponents.py alpha-beta - playout.py, guess.py what
a position is worth - tree.py, search.py, findings.py, mcts.py the tree search - match.py matches - agent.py the program
for the course's referee - viewer.py (`watch`), diagrams.py pictures of games and searches.
"""

from pathlib import Path

import lib2048
from lib2048.kernels import kernel_cache

kernel_cache(Path(__file__).parent, Path(lib2048.__file__).parent)  # before any kernel is defined

from libewn.draw import board_svg, board_text  # noqa: E402
from libewn.findings import Branch, Findings  # noqa: E402
from libewn.game import BLUE, RED, Game  # noqa: E402
from libewn.guess import guess  # noqa: E402
from libewn.match import (  # noqa: E402
    Estimate,
    Round,
    paired_difference,
    play_game,
    play_rounds,
    player,
    win_share,
)
from libewn.mcts import MCTS  # noqa: E402
from libewn.opponents import AlphaBeta, Easy, best_move  # noqa: E402
from libewn.playout import playouts  # noqa: E402
from libewn.start import Instance, instance, instances  # noqa: E402

__all__ = [
    "BLUE",
    "MCTS",
    "RED",
    "AlphaBeta",
    "Branch",
    "Easy",
    "Estimate",
    "Findings",
    "Game",
    "Instance",
    "Round",
    "best_move",
    "board_svg",
    "board_text",
    "guess",
    "instance",
    "instances",
    "paired_difference",
    "play_game",
    "play_rounds",
    "player",
    "playouts",
    "watch",
    "win_share",
]


def __getattr__(name: str):
    """`watch` comes with the widgets, which take a while to import, only when it is asked for."""
    if name == "watch":
        from libewn.viewer import watch

        return watch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
