"""A relay: networks that take turns in a game.

A game of 2048 asks for other things late than early. With a 16384 on the board there is a cell less
to work with, and the way to a 32768 leads through boards so full that a single slip ends the game.
One network has one set of weights for all of it. A relay has several: the first plays until it has
made a tile, the next one goes on from there.

    first = NTupleNetwork("8x6")
    train(first, ...)
    boards = Relay([first], seed=1).first_boards(16384, games=5000)
    second = NTupleNetwork("8x6")
    train(second, ..., starts=boards)
    Relay([first, second], tiles=[16384], plies=3, seed=2).evaluate(100)

The second network begins all its games of training where it will take over, and learns from there
to the end of the game. So it spends every move on late boards, which a network that learns from
whole games meets only at the end of its longest ones. (Wu et al. 2014, "Multi-stage temporal
difference learning for 2048".)

The first network's games of training may end where it will hand over (`until`), so that it spends
no move on what comes after. It must still want to get there. Therefore the end at that tile is
worth a prize, about as many points as the others make from there on; without one it would rather
put the tile off. What that brings is told in `lib2048.recipes`.
"""

from collections.abc import Sequence

import numpy as np

from lib2048.board import legal_actions
from lib2048.engines import check_network, playing_rule
from lib2048.network import NTupleNetwork
from lib2048.playing import _beside_ctrl_c, evaluate_player, play_game_after_game, trace_of
from lib2048.records import Summary, Trace
from lib2048.search import PlayedGame, Search, Start
from lib2048.validate import (
    NO_TILE,
    check_margin,
    check_plies,
    check_seed,
    check_tile,
    on_one_line,
)


class Relay:
    """A player made of several networks that take turns.

    Parameters
    ----------
    nets : sequence of NTupleNetwork
        The networks, in the order in which they play.
    tiles : sequence of int
        One tile fewer than networks, in rising order: as soon as there is such a tile on the board,
        or a larger one, the next network plays on. So one network takes none, and plays alone.
    plies : int
        How many of their own moves they look ahead; 1 is greedy.
    p4 : float, optional
        The probability of a 4; that of the first network when None.
    seed : int
        What the random tiles of the games come from. A relay that is to be measured takes another
        seed than the one that found boards to teach it from: in those games it knows these boards.
    downgrade : int, optional
        Boards with this tile or a larger one are shown to all of the networks as smaller ones.
    margin : float, optional
        To look ahead only at what is in doubt; see `lib2048.best_action`.

    Attributes
    ----------
    stop : numpy.ndarray
        A flag of one entry. Another thread may set it to 1, which ends at once whatever is being
        played, as Ctrl-C does. It is 0 again when something is begun.

    Raises
    ------
    ValueError
        If an argument is not what it may be.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, train
    >>> first, second = NTupleNetwork(((0, 1),)), NTupleNetwork(((0, 1, 2, 3),))
    >>> boards = Relay([first], seed=1).first_boards(64, games=50, progress=False)
    >>> log = train(second, 100, starts=boards, progress=False)
    >>> relay = Relay([first, second], tiles=[64], seed=2)
    >>> relay.evaluate(10, progress=False).games
    10
    >>> game = relay.play(3)
    >>> len(game.boards) == len(game) + 1
    True
    """

    def __init__(
        self,
        nets: Sequence[NTupleNetwork],
        tiles: Sequence[int] = (),
        plies: int = 1,
        p4: float | None = None,
        seed: int = 0,
        downgrade: int | None = None,
        margin: float | None = None,
    ):
        plies = check_plies(plies)
        exponents = _checked_exponents(nets, tiles)
        p4 = nets[0].p4 if p4 is None else p4
        self.stop = np.zeros(1, np.uint8)
        self.rule = playing_rule(nets[0], p4, seed, downgrade)
        self.downgrade = downgrade
        self.margin = margin
        limit = check_margin(margin)
        self.searches = [
            Search(
                net,
                plies,
                self.rule,
                self.stop,
                keep_values=True,
                margin=limit,
            )
            for net in nets
        ]
        self.ends_of_turns: list[int] = [*exponents, NO_TILE]

    def play(self, number: int = 0) -> Trace:
        """Play game `number` of the seed and record it; `lib2048.watch` shows such a game.

        Its tiles depend on the seed, the number and how many moves were made. So as long as one
        network alone would make the same moves, `lib2048.play` plays the same game with it. Ctrl-C
        ends the game; what was played so far is returned then.

        Returns
        -------
        Trace
            The game. Its values are those of the network whose turn it was.

        Raises
        ------
        ValueError
            If this is no number of a game, or the values of a network are not numbers.
        """
        number = int(check_seed(number, "number, the number of a game,"))
        self.stop[0] = 0
        game, was_interrupted = _beside_ctrl_c(lambda: self._play(number), self.stop)
        self.stop[0] = 0
        if was_interrupted and game.moves == 0:
            raise KeyboardInterrupt
        return trace_of(self.rule, number, game, self.downgrade, self.margin)

    def _play(self, number: int, leave_at: int = NO_TILE) -> PlayedGame:
        """Play a game, or a part of it: until there is a tile of the exponent `leave_at`."""
        turns: list[PlayedGame] = []
        start = None
        for search, end_of_turn in zip(self.searches, self.ends_of_turns, strict=True):
            try:
                turn = search.play(number, start, min(leave_at, end_of_turn))
            except ValueError as error:
                raise ValueError(f"network {len(turns) + 1} of the relay: {error}") from None
            turns.append(turn)
            if leave_at <= end_of_turn or turn.is_over or self.stop[0]:
                break
            start = Start(turn.last_board, sum(each.moves for each in turns))
        return turns[-1]._replace(
            score=sum(each.score for each in turns),
            moves=sum(each.moves for each in turns),
            actions=np.concatenate([each.actions for each in turns]),
            values=np.concatenate([each.values for each in turns]),
        )

    def evaluate(self, games: int, progress: bool = True) -> Summary:
        """Play many games and sum them up, as `lib2048.evaluate` does.

        Ctrl-C sums up the games that are done.

        Raises
        ------
        ValueError
            If games is no count, or the values of a network are not numbers.
        KeyboardInterrupt
            If no game was done yet when Ctrl-C came.
        """
        return evaluate_player(self._play, self.stop, games, progress)

    def first_boards(self, tile: int, games: int, progress: bool = True) -> list[int]:
        """The first boards with a tile, or a larger one, of the games that the relay plays.

        The next network can begin its games with them: they are the `starts` of its training.
        Ctrl-C gives the boards of the games that are done.

        Parameters
        ----------
        tile : int
            The tile.
        games : int
            How many games are played. Those that never make the tile give no board, and neither do
            those that end on the very board on which they have made it.
        progress : bool
            Whether to show a bar, when it takes longer than a second.

        Returns
        -------
        list of int
            The boards, with the 2 or 4 that appeared after the move that made the tile.

        Raises
        ------
        ValueError
            If an argument is not what it may be, no game gives a board, or the values of a network
            are not numbers.
        KeyboardInterrupt
            If no game was done yet when Ctrl-C came.
        """
        exponent = check_tile(tile)
        played = play_game_after_game(
            lambda number: self._play(number, exponent), self.stop, games, progress
        )
        boards = [
            game.last_board
            for game in played
            if game.max_tile >= exponent and legal_actions(game.last_board)
        ]
        if not boards:
            largest = 2 ** max(game.max_tile for game in played)
            raise ValueError(
                f"none of {len(played):,} games went on from a {tile}; the largest tile was a "
                f"{largest}. Let it play more games, or choose a tile that it makes more often"
            )
        return boards


def _checked_exponents(nets: Sequence[NTupleNetwork], tiles: Sequence[int]) -> list[int]:
    """The exponents of the tiles at which networks hand over, or a ValueError."""
    if not isinstance(nets, list | tuple):
        raise ValueError(f"nets is a list of networks, got {on_one_line(nets)}; one is [net]")
    if not isinstance(tiles, list | tuple):
        raise ValueError(f"tiles is a list of tiles, such as [16384], got {on_one_line(tiles)}")
    if len(nets) != len(tiles) + 1:
        raise ValueError(
            "a relay has one tile fewer than networks, the tile at which each but the last "
            f"hands over; got {len(nets)} networks and the tiles {on_one_line(list(tiles))}"
        )
    for net in nets:
        check_network(net)
    exponents = [check_tile(tile) for tile in tiles]
    if exponents != sorted(set(exponents)):
        raise ValueError(f"the tiles of a relay rise, got {on_one_line(list(tiles))}")
    return exponents
