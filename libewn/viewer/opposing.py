"""A person plays in the browser: what the other side answers, and what a search would advise."""

from collections.abc import Sequence

from libewn.game import Game
from libewn.match import Player
from libewn.mcts import MCTS
from libewn.viewer.recording import Replayer, played_ply, position_of, thoughts_of

USUAL_PLAYOUTS = 2_000  # of the search that answers where no player is at hand
ROOM = 1 << 14  # nodes of its tree, more than so many playouts need


class Opponent:
    """Who answers a person.

    Parameters
    ----------
    players : sequence of Player
        Those of the game that is watched. A person takes the seat of one, the other one answers.
    start : Game
        Where the game begins.
    seed : int
        What the players' random numbers depend on.
    adviser : MCTS, optional
        A search that says what it thinks of the person's positions.
    """

    def __init__(
        self, players: Sequence[Player], start: Game, seed: int, adviser: MCTS | None = None
    ):
        self.players = players
        self.start = (start.instance, start.squares(), start.ply)
        self.seed = seed
        self.adviser = MCTS(simulations=USUAL_PLAYOUTS, nodes=ROOM) if adviser is None else adviser

    def _answering(self, side: int) -> Player:
        """The player of a side; the usual search where the watched game is a recorded one."""
        player = self.players[side]
        return self.adviser if isinstance(player, Replayer) else player

    def answer(self, person: int, moves: Sequence[Sequence[int]], advised: bool) -> list[dict]:
        """What follows a person's move.

        Parameters
        ----------
        person : int
            The side that the person plays: 0 is Red, 1 Blue.
        moves : sequence of (int, int)
            All moves of the game so far, of both sides: cube and direction.
        advised : bool
            Whether the person is told what a search thinks of the next position.

        Returns
        -------
        list of dict
            The plies that the other side plays now, and after them the position in which it is the
            person's turn, or the game is over. Ready for JSON.

        Raises
        ------
        ValueError
            If the side is none, or a move is not possible.
        """
        if person not in (0, 1):
            raise ValueError(f"a person plays Red (0) or Blue (1), got {person!r}")
        game = Game(*self.start)
        for cube, way in moves:
            game.play((int(cube), int(way)))
        plies = []
        other = self._answering(1 - person)
        other.start(2 * self.seed + 1 - person + len(moves))
        while game.winner is None and game.mover != person:
            ply = played_ply(other, game)
            plies.append(ply)
            cube, way, _, _ = ply["moves"][ply["move"]]
            game.play((cube, way))
        return [*plies, self._next(game, advised)]

    def _next(self, game: Game, advised: bool) -> dict:
        """The position for the person, with advice if it is wanted."""
        position = position_of(game)
        if game.winner is not None or not advised:
            return position
        self.adviser.start(self.seed)
        self.adviser.search(game)
        return position | thoughts_of(self.adviser, game)
