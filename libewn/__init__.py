"""EinStein würfelt nicht! with Monte-Carlo tree search.

rules.py has the rules in bits; start.py, game.py and draw.py the game; opponents.py alpha-beta
search; playout.py and guessing.py what a position is worth; tree.py, search.py, findings.py and
mcts.py the tree search; match.py matches; plain.py and agent.py the program for the course's
referee; viewer/ pictures that move.

What this package offers is imported when it is first asked for. The agent must answer soon after it
is started, and most of what is here waits for numba.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from libewn.draw import board_svg, board_text
    from libewn.findings import Branch, Findings
    from libewn.game import Game
    from libewn.guessing import guess
    from libewn.match import (
        Estimate,
        Round,
        paired_difference,
        play_game,
        play_rounds,
        player,
        win_share,
    )
    from libewn.mcts import MCTS
    from libewn.opponents import AlphaBeta, Easy, best_move
    from libewn.playout import playouts
    from libewn.start import BLUE, RED, Instance, instance, instances
    from libewn.viewer import watch

_PLACES = {
    "draw": ("board_svg", "board_text"),
    "findings": ("Branch", "Findings"),
    "game": ("Game",),
    "guessing": ("guess",),
    "match": (
        "Estimate",
        "Round",
        "paired_difference",
        "play_game",
        "play_rounds",
        "player",
        "win_share",
    ),
    "mcts": ("MCTS",),
    "opponents": ("AlphaBeta", "Easy", "best_move"),
    "playout": ("playouts",),
    "start": ("BLUE", "RED", "Instance", "instance", "instances"),
    "viewer": ("watch",),
}
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}

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


def __getattr__(name: str) -> Any:
    """Import what is asked for, and keep it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"libewn.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
