"""What games leave behind: the log of a training, the trace of one game, the summary of many.

These are plain records. Whoever trains, plays, writes files or draws figures imports them from
here, so none of those has to know the others.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from lib2048.board import _largest_exponent
from lib2048.kernels import uint64
from lib2048.validate import check_tile, on_one_line

Z95 = 1.959964  # the normal distribution holds 95 % within this many standard deviations


@dataclass
class TrainLog:
    """What happened in training, one entry a game.

    Attributes
    ----------
    scores : numpy.ndarray
        The score of each game, int64.
    max_tiles : numpy.ndarray
        The exponent of the largest tile of each game, uint8: 11 stands for a 2048-tile.
    moves : numpy.ndarray
        The number of moves of each game, int32.
    block : int
        How many games one entry of `means` sums up.
    seconds : float
        The time spent.
    first : int
        The number of the first game, which is how many the network had learned from before.
    seed : int
        The seed of the run.
    interrupted : bool
        Whether training was stopped by hand before all its games were played.
    """

    scores: np.ndarray
    max_tiles: np.ndarray
    moves: np.ndarray
    block: int
    seconds: float
    first: int = 0
    seed: int = 0
    interrupted: bool = False

    @property
    def means(self) -> np.ndarray:
        """The mean score of each block.

        An incomplete last block is left out unless it is the only one.
        """
        return self._by_block(self.scores).mean(axis=1)

    @property
    def best(self) -> np.ndarray:
        """The best score of each block."""
        return self._by_block(self.scores).max(axis=1)

    def rate(self, tile: int = 2048) -> np.ndarray:
        """The share of games in each block that reached a tile.

        Parameters
        ----------
        tile : int
            The tile as it is written on the board.

        Returns
        -------
        numpy.ndarray
            One share between 0 and 1 for each block.

        Raises
        ------
        ValueError
            If there is no such tile.

        Examples
        --------
        >>> log = TrainLog(np.array([100, 300]), np.array([4, 5]), np.array([20, 40]), 1, 0.1)
        >>> log.rate(32)
        array([0., 1.])
        """
        exponent = check_tile(tile)
        return (self._by_block(self.max_tiles) >= exponent).mean(axis=1)

    def _by_block(self, of_games: np.ndarray) -> np.ndarray:
        """An array of one entry a game, as one row a block."""
        block = max(1, min(self.block, len(of_games)))
        whole_blocks = len(of_games) // block
        return of_games[: whole_blocks * block].reshape(-1, block)


@dataclass
class Trace:
    """One game of T moves, move by move. Lists that are given become arrays.

    Attributes
    ----------
    boards : numpy.ndarray
        The T + 1 boards, uint64; the last is the dead one.
    actions : numpy.ndarray
        The action taken on each board but the last, uint8.
    rewards : numpy.ndarray
        What each action earned, int32.
    values : numpy.ndarray
        What all four actions seemed worth on each board, float32 of shape (T, 4); nan where an
        action was illegal, and everywhere for a game of which None is given.
    seed, p4, plies, downgrade, margin
        How the game was played; see `lib2048.play`. The seed is None where nothing is known of it.
    interrupted : bool
        Whether the game was stopped by hand. Its last board is not dead then.
    """

    boards: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    values: np.ndarray
    seed: int | None = None
    p4: float = 0.1
    plies: int = 1
    downgrade: int | None = None
    interrupted: bool = False
    margin: float | None = None

    def __post_init__(self) -> None:
        self.boards = _as_array("boards", self.boards, np.uint64)
        self.actions = _as_array("actions", self.actions, np.uint8)
        self.rewards = _as_array("rewards", self.rewards, np.int32)
        if self.values is None:
            self.values = np.full((len(self.actions), 4), np.nan, np.float32)
        self.values = _as_array("values", self.values, np.float32)

    @property
    def score(self) -> int:
        """The sum of the rewards."""
        return int(self.rewards.sum(dtype=np.int64))

    @property
    def max_tile(self) -> int:
        """The largest tile of the last board, as it is written there (2048, not 11)."""
        exponent = int(_largest_exponent(uint64(self.boards[-1])))
        return 2**exponent if exponent else 0

    def __len__(self) -> int:
        return len(self.actions)


def _as_array(name: str, given: ArrayLike, dtype: type) -> np.ndarray:
    """A list of numbers as an array of this type; an array as it is."""
    if isinstance(given, np.ndarray):
        return given
    array = np.asarray(given)
    kinds = "iuf" if dtype is np.float32 else "iu"
    if array.size and array.dtype.kind not in kinds:
        raise ValueError(f"{name} of a Trace are numbers in an array, got {on_one_line(given)}")
    return array.astype(dtype)


@dataclass
class Summary:
    """How well a network plays.

    Intervals hold 95 %: that of the mean comes from the normal distribution, those of shares are
    Wilson's.

    Attributes
    ----------
    games : int
        How many games were played.
    mean, mean_ci : float, (float, float)
        The mean score, and the two ends of its interval, infinite for a single game.
    max : int
        The best score.
    moves : int
        The moves of all games together.
    seconds : float
        The time spent.
    reached : dict
        For each tile the share of games that reached it, with the two ends of its interval.
    ended : dict
        For each tile the share of games whose largest tile it was.
    scores, max_tiles : numpy.ndarray
        Score and exponent of the largest tile, game by game.
    """

    games: int
    mean: float
    mean_ci: tuple[float, float]
    max: int
    moves: int
    seconds: float
    reached: dict[int, tuple[float, float, float]]
    ended: dict[int, float]
    scores: np.ndarray = field(repr=False)
    max_tiles: np.ndarray = field(repr=False)

    @classmethod
    def of(
        cls, scores: ArrayLike, max_tiles: ArrayLike, moves: ArrayLike, seconds: float
    ) -> "Summary":
        """Sum games up.

        Parameters
        ----------
        scores, max_tiles, moves : array_like
            Score, exponent of the largest tile and number of moves of each game; `moves` may also
            be their sum.
        seconds : float
            The time they took.

        Returns
        -------
        Summary

        Examples
        --------
        >>> Summary.of([100, 300], [4, 5], [20, 40], 0.1).ended
        {16: 0.5, 32: 0.5}
        """
        scores = np.asarray(scores)
        max_tiles = np.asarray(max_tiles)
        games = len(scores)
        mean = float(np.mean(scores))
        half = math.inf
        if games > 1:
            half = Z95 * float(np.std(scores, ddof=1)) / math.sqrt(games)

        reached = {}
        ended = {}
        for exponent in range(int(max_tiles.min()), int(max_tiles.max()) + 1):
            games_above = int((max_tiles >= exponent).sum())
            games_there = int((max_tiles == exponent).sum())
            reached[2**exponent] = (games_above / games, *wilson(games_above, games))
            ended[2**exponent] = games_there / games

        return cls(
            games=games,
            mean=mean,
            mean_ci=(mean - half, mean + half),
            max=int(np.max(scores)),
            moves=int(np.sum(moves, dtype=np.int64)),
            seconds=seconds,
            reached=reached,
            ended=ended,
            scores=scores,
            max_tiles=max_tiles,
        )

    def share(self, tile: int) -> tuple[float, float, float]:
        """The share of games that reached a tile, also one below or above all that came up.

        Parameters
        ----------
        tile : int
            The tile as it is written on the board.

        Returns
        -------
        tuple of float
            The share and the two ends of its interval.

        Raises
        ------
        ValueError
            If there is no such tile.

        Examples
        --------
        >>> summary = Summary.of([100, 300], [4, 5], [20, 40], 0.1)
        >>> share, low, high = summary.share(32)
        >>> share, round(low, 2), round(high, 2)
        (0.5, 0.09, 0.91)
        """
        hits = int((self.max_tiles >= check_tile(tile)).sum())
        return hits / self.games, *wilson(hits, self.games)

    def __str__(self) -> str:
        """The block of statistics that TDL2048-Demo and the 2048-Framework print.

        They cut the mean's decimals off, so it is done here as well.
        """
        speed = self.moves / self.seconds if self.seconds > 0 else 0
        lines = [f"{self.games}\tavg = {int(self.mean)}, max = {self.max}, ops = {speed:.0f}"]
        for tile, ended in self.ended.items():
            lines.append(f"\t{tile}\t{self.reached[tile][0]:.1%}\t({ended:.1%})")
        return "\n".join(lines) + "\n"


def wilson(successes: int, games: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share (Wilson 1927).

    Parameters
    ----------
    successes, games : int
        In how many games it happened, out of how many.

    Returns
    -------
    tuple of float
        The low and the high end.

    Examples
    --------
    >>> low, high = wilson(9, 10)
    >>> round(low, 2), round(high, 2)
    (0.6, 0.98)
    """
    share = successes / games
    z_squared = Z95**2
    middle = share + z_squared / (2 * games)
    half = Z95 * math.sqrt(share * (1 - share) / games + z_squared / (4 * games**2))
    low = (middle - half) / (1 + z_squared / games)
    high = (middle + half) / (1 + z_squared / games)
    return max(0.0, low), min(1.0, high)
