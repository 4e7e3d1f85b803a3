"""A relay: networks that take turns in a game, each taught for its part of the way.

A game of 2048 asks for other things late than early. With a 16384 on the board there is a cell less
to work with, and the way to a 32768 leads through boards so full that a single slip ends the game.
One network has one set of weights for all of it. A relay has several: the first plays until it has
made a tile, the next one goes on from there.

    first = NTupleNetwork("4x6")
    train(first, ...)
    boards = Relay([first]).first_boards(16384, games=5000)
    second = NTupleNetwork("8x6")
    train(second, ..., starts=boards)                   it learns what comes after that alone
    Relay([first, second], tiles=[16384], plies=3).evaluate(100)

The second network spends all its games on late boards, which a network that plays whole games meets
at the end of long ones only. (Wu et al. 2014, "Multi-stage temporal difference learning for
2048".)
"""

from collections.abc import Sequence

import numpy as np
from tqdm.auto import tqdm

from lib2048.board import legal_actions
from lib2048.engines import check_network, playing_rule
from lib2048.network import NTupleNetwork
from lib2048.playing import evaluate_player
from lib2048.records import Summary
from lib2048.search import PlayedGame, Search, Start
from lib2048.validate import check_count, check_flag, check_plies, check_seed, check_tile


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
        What the random tiles of the games come from.

    Raises
    ------
    ValueError
        If an argument is not what it may be.

    Examples
    --------
    >>> from lib2048 import NTupleNetwork, train
    >>> first, second = NTupleNetwork(((0, 1),)), NTupleNetwork(((0, 1, 2, 3),))
    >>> boards = Relay([first]).first_boards(64, games=50, progress=False)
    >>> log = train(second, 100, starts=boards, progress=False)
    >>> relay = Relay([first, second], tiles=[64])
    >>> relay.evaluate(10, progress=False).games
    10
    """

    def __init__(
        self,
        nets: Sequence[NTupleNetwork],
        tiles: Sequence[int] = (),
        plies: int = 1,
        p4: float | None = None,
        seed: int = 0,
    ):
        plies = check_plies(plies)
        if len(nets) != len(tiles) + 1 or not nets:
            raise ValueError(
                "a relay has one tile fewer than networks: the tile at which each but the last "
                f"hands over; got {len(nets)} networks and {len(tiles)} tiles"
            )
        exponents = [check_tile(tile) for tile in tiles]
        if exponents != sorted(set(exponents)):
            raise ValueError(f"the tiles of a relay rise, got {list(tiles)}")
        for net in nets:
            check_network(net)
        p4 = nets[0].p4 if p4 is None else p4
        self.stop = np.zeros(1, np.uint8)
        self.rule = playing_rule(nets[0], p4, seed)
        self.searches = [Search(net, plies, playing_rule(net, p4, seed), self.stop) for net in nets]
        self.hands_over_at: list[int | None] = [*exponents, None]

    def play(self, number: int = 0) -> PlayedGame:
        """Play game `number` of the seed, to its end or until the flag `stop` is set.

        As long as the networks make the same moves, its tiles are those that `lib2048.play` draws
        for the same seed and number.

        Raises
        ------
        ValueError
            If this is no number of a game, or the values of a network are not numbers.
        """
        return self._play(int(check_seed(number, "number, the number of a game,")), None)

    def _play(self, number: int, leave_at: int | None) -> PlayedGame:
        """Play a game, or a part of it: until there is a tile of the exponent `leave_at`."""
        legs: list[PlayedGame] = []
        start = None
        for search, hands_over_at in zip(self.searches, self.hands_over_at, strict=True):
            is_last = leave_at is not None and (hands_over_at is None or leave_at <= hands_over_at)
            leg = search.play(number, start, leave_at if is_last else hands_over_at)
            legs.append(leg)
            if is_last or leg.is_over or self.stop[0]:
                break
            start = Start(leg.last_board, sum(leg.moves for leg in legs))
        return legs[-1]._replace(
            score=sum(leg.score for leg in legs),
            moves=sum(leg.moves for leg in legs),
            actions=np.concatenate([leg.actions for leg in legs]),
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
        return evaluate_player(self.play, self.stop, games, progress)

    def first_boards(self, tile: int, games: int, progress: bool = True) -> list[int]:
        """The boards on which its games have just made their first tile of a size.

        The next network can begin its own games with them: they are the `starts` of its training.

        Parameters
        ----------
        tile : int
            The tile.
        games : int
            How many games are played. Those that do not get so far give no board.
        progress : bool
            Whether to show a bar, when it takes longer than a second.

        Returns
        -------
        list of int
            The boards, each with the new tile that came after the move, and with moves left.

        Raises
        ------
        ValueError
            If an argument is not what it may be, or no game gets so far.
        """
        exponent = check_tile(tile)
        total = check_count("games", games)
        hidden = not check_flag("progress", progress)
        boards = []
        largest = 0
        for number in tqdm(range(total), unit=" games", disable=hidden, delay=1, leave=False):
            game = self._play(number, exponent)
            largest = max(largest, game.max_tile)
            if not game.is_over and legal_actions(game.last_board):
                boards.append(game.last_board)
        if not boards:
            raise ValueError(
                f"no game of {total:,} made a {tile} and went on from it, the largest tile was "
                f"a {2**largest}; let it play more games, or choose a smaller tile"
            )
        return boards
