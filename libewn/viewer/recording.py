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
SHOWN_SHARE = 1 / 50  # of a search's playouts that a node of the tree must have to be shown
LEVELS = 4  # of the tree that are shown


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
        ply = played_ply(players[game.mover], game, comment)
        plies.append(ply)
        cube, way, _, _ = ply["moves"][ply["move"]]
        game.play((cube, way))
    return [*plies, position_of(game)]


def played_ply(player: Player, game: Game, comment: MCTS | None = None) -> dict:
    """A position, what was thought of it, and the move that a player makes there.

    Parameters
    ----------
    player : Player
        Whose turn it is.
    game : Game
        The game, which stays as it is.
    comment : MCTS, optional
        As in `record`.

    Returns
    -------
    dict
        Ready for JSON.
    """
    ply = position_of(game)
    legal = game.legal_moves()
    move, search = _move(player, game)
    if search is None and comment is not None and len(legal) > 1:
        comment.search(game)
        search = comment
    return ply | thoughts_of(search, game) | {"move": legal.index(move)}


def _move(player: Player, game: Game) -> tuple[tuple[int, int], MCTS | None]:
    """The move of a player, and its search where it made one."""
    if not isinstance(player, MCTS):
        return player.move(game), None
    player.findings = None  # those of the move before
    move = player.move(game)
    return move, player if player.findings is not None else None


def position_of(game: Game) -> dict:
    """What the browser needs to draw a position.

    Parameters
    ----------
    game : Game
        The game at that position.

    Returns
    -------
    dict
        Ready for JSON.
    """
    position = {
        "squares": game.squares(),
        "mover": game.mover,
        "moves": [[*move, *draw.target_of(game, move)] for move in game.legal_moves()],
        "note": "",
    }
    if game.winner is None:
        return position | {"die": game.die}
    return position | {"winner": game.winner, "by": game.by}


def thoughts_of(search: MCTS | None, game: Game) -> dict:
    """What a search found out about the position of a game, or why there was none.

    Parameters
    ----------
    search : MCTS or None
        The search, whose last position was this one.
    game : Game
        The game.

    Returns
    -------
    dict
        Ready for JSON.
    """
    findings: Findings | None = None if search is None else search.findings
    if search is None or findings is None:
        return {"note": ONLY_MOVE if len(game.legal_moves()) == 1 else NOT_SEARCHED}
    return {
        "visits": findings.visits.tolist(),
        "means": [_plain(mean) for mean in findings.means],
        "proofs": findings.proofs.tolist(),
        "tree": _rows(search, game, findings.playouts),
    }


def _plain(mean: float) -> float | None:
    """A mean for JSON: None where a move had no playouts."""
    return float(mean) if math.isfinite(mean) else None


def _rows(search: MCTS, game: Game, playouts: int) -> list[list]:
    """The upper part of a search's tree, a row a node: see tree.js.

    Rows are parent, playouts, mean score to the side that moved there, proof, and what led there:
    cube and way of a move, or the number of a die that was rolled, and None.
    """
    rows: list[list] = []
    for branch in search.tree(game, max(1, round(SHOWN_SHARE * playouts))):
        if branch.depth > LEVELS:
            break
        led = branch.move if isinstance(branch.move, tuple) else (branch.move, None)
        mean = _plain(round(branch.mean, 4))
        rows.append([branch.parent, branch.playouts, mean, branch.proof, *led])
    return rows
