"""A game between two players with what was thought of every position, as the browser reads it."""

import math
from collections.abc import Iterable

from libewn import draw
from libewn.findings import Findings
from libewn.game import Game
from libewn.match import Player
from libewn.mcts import MCTS

ONLY_MOVE = "The only move: nobody searched."
NOT_SEARCHED = "Nobody searched here."


class Replayer:
    """A player that plays the moves of a finished game again.

    Parameters
    ----------
    moves : iterable of (int, int)
        The moves of the game from its first ply on, of both sides.
    """

    def __init__(self, moves: Iterable[tuple[int, int]]):
        self.moves = list(moves)

    def start(self, seed: int) -> None:
        """Begin a new game."""

    def move(self, game: Game) -> tuple[int, int]:
        """The move that was played."""
        return self.moves[len(game.history)]


def record(
    red: Player, blue: Player, game: Game, seed: int = 0, comment: MCTS | None = None
) -> list[dict]:
    """Let two players play a game to its end, and note what was thought of every position.

    Parameters
    ----------
    red, blue : Player
        The players.
    game : Game
        Where they begin; it is played to its end.
    seed : int
        What the players' random numbers depend on.
    comment : MCTS, optional
        A search that thinks about the positions about which the player itself did not search.

    Returns
    -------
    list of dict
        Every position in turn, the last one included, ready for JSON.
    """
    players = (red, blue)
    for number, player in enumerate(players):
        player.start(2 * seed + number)
    if comment is not None:
        comment.start(2 * seed + len(players))
    plies = []
    while game.winner is None:
        ply = _position(game)
        legal = game.legal_moves()
        move, findings = _move(players[game.mover], game)
        if findings is None and comment is not None and len(legal) > 1:
            findings = comment.search(game)
        plies.append(ply | _thoughts(findings, len(legal)) | {"move": legal.index(move)})
        game.play(move)
    return [*plies, _position(game)]


def _move(player: Player, game: Game) -> tuple[tuple[int, int], Findings | None]:
    """The move of a player, and what its search found out where it made one."""
    if not isinstance(player, MCTS):
        return player.move(game), None
    player.findings = None  # those of the move before
    move = player.move(game)
    return move, player.findings


def _position(game: Game) -> dict:
    """What the browser needs to draw a position."""
    position = {
        "squares": game.squares(),
        "mover": game.mover,
        "moves": [[*move, *draw.target_of(game, move)] for move in game.legal_moves()],
        "note": "",
    }
    if game.winner is None:
        return position | {"die": game.die}
    return position | {"winner": game.winner, "by": game.by}


def _thoughts(findings: Findings | None, legal_moves: int) -> dict:
    """What a search found out about a position, or why there was none."""
    if findings is None:
        return {"note": ONLY_MOVE if legal_moves == 1 else NOT_SEARCHED}
    means = [float(mean) if math.isfinite(mean) else None for mean in findings.means]
    return {
        "visits": findings.visits.tolist(),
        "means": means,  # None, for JSON, where a move had no playouts
        "proofs": findings.proofs.tolist(),
    }
