"""A learner put together from the reader's own functions.

    mine = learner(slide=my_slide, estimate=my_estimate, update=my_update)
    mine                                whose functions it is made of
    live = mine.train(seconds=60)       learns in the background, with a curve that grows
    watch(mine.play(seed=7), net=mine.network)
    mine.beside_lib2048()               its score beside lib2048's from as many games

parts.py gathers the functions; plain.py plays with them as they are, compiled.py compiled (with
arrays.py for what is missing); comparison.py sets the learner beside lib2048.
"""

import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lib2048 import NTupleNetwork, Summary, Trace, TrainLog, from_array
from lib2048.kernels import HAS_NUMBA
from lib2048.network import VALUES
from lib2048.validate import check_count, check_p4
from workbook.answers import cells_of
from workbook.learner.comparison import Comparison, compare
from workbook.learner.parts import Part, gather, told, used
from workbook.learner.plain import PlainPlayer
from workbook.live import LiveTraining

if HAS_NUMBA:
    from workbook.learner.compiled import CompiledPlayer

__all__ = ["Learner", "learner"]

PATTERNS = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5), (1, 2, 5, 6))
SECONDS = 60.0
CHUNK = 0.3  # seconds of compiled games between two looks at the clock
BLOCKS = 20  # points of a curve, about
SMALLEST_BLOCK = 5  # games, where nobody knows how many there will be
EVALUATION = 1  # the first number of the seeds of games that are not learned from


def learner(
    *,
    values: str = "afterstate",
    patterns: tuple = PATTERNS,
    p4: float = 0.1,
    compile: bool = False,
    anyway: bool = False,
    **functions: Callable,
) -> "Learner":
    """Put a learner together.

    Parameters
    ----------
    values
        What it values: "afterstate" or "state".
    patterns
        The patterns of its network; small ones, as plain Python is slow.
    p4
        The probability of a 4.
    compile
        Whether its functions are compiled by numba. Those that do not compile give way to the
        workbook's. Where numba is not installed they stay as they are, and a warning says so.
    anyway
        Whether functions that do not pass their check are taken all the same.
    **functions
        The reader's functions, by the names of their exercises: slide or slide_left, spawn,
        play_game, symmetries, index, estimate, update, select and update_episode; for values of
        states spawn_mean as well. What is missing or not written yet comes from the workbook.

    Returns
    -------
    Learner
        The learner, which has learned nothing yet.

    Raises
    ------
    ValueError
        If there is no function of such a name, or one does not pass its check.

    Examples
    --------
    >>> def my_index(board, pattern):
    ...     return sum(board[cell // 4][cell % 4] << 4 * j for j, cell in enumerate(pattern))
    >>> mine = learner(index=my_index, patterns=((0, 1, 2),))
    >>> mine.sources["index"], mine.sources["slide"]
    ('yours', 'from the workbook')
    >>> log = mine.train(games=2).wait()
    >>> len(log.scores), mine.games
    (2, 2)
    """
    if values not in VALUES:
        raise ValueError(f"values are {' or '.join(VALUES)}, got {values!r}")
    NTupleNetwork(patterns, values=values)  # says what is wrong with patterns
    parts = gather(functions, values, anyway)
    if compile and not HAS_NUMBA:
        warnings.warn(
            "compile=True needs numba, which is not installed; so it stays plain Python",
            stacklevel=2,
        )
        compile = False
    make = CompiledPlayer if compile else PlainPlayer
    player = make(parts, values, tuple(patterns), check_p4(p4))
    return Learner(player, getattr(player, "parts", parts), is_compiled=compile)


class Learner:
    """What `learner` makes.

    Attributes
    ----------
    parts : dict of Part
        Its functions, by name.
    games : int
        From how many games it has learned.
    log : TrainLog or None
        What happened in the last training.
    alpha, seed
        As of the last training.
    """

    def __init__(self, player, parts: dict[str, Part], is_compiled: bool):
        self.player = player
        self.parts = parts
        self.is_compiled = is_compiled
        self.games = 0
        self.alpha = 0.1
        self.seed = 0
        self.log: TrainLog | None = None

    @property
    def sources(self) -> dict[str, str]:
        """Whose each function is: "yours", or "from the workbook"."""
        return {part.name: part.source for part in used(self.parts)}

    def __repr__(self) -> str:
        learned = f"It has learned from {self.games:,} games." if self.games else ""
        return f"A learner. {told(used(self.parts))} {learned}".strip()

    def _repr_markdown_(self) -> str:
        return repr(self)

    # Learning

    def train(
        self,
        games: int | None = None,
        seconds: float | None = None,
        alpha: float = 0.1,
        seed: int = 0,
    ) -> LiveTraining:
        """Learn in the background, from so many games or for so many seconds.

        Parameters
        ----------
        games
            From how many games it learns; then the same seed gives the same learner.
        seconds
            For how long it learns where no games are given; a minute unless told otherwise.
        alpha
            The step size.
        seed
            What the random tiles come from.

        Returns
        -------
        LiveTraining
            What a notebook shows: a curve that grows, and a board that plays on.
        """
        if games is not None:
            games = check_count("games", games)
        limit = None if games is not None else float(SECONDS if seconds is None else seconds)
        self.alpha = alpha
        self.seed = seed

        def work(tell: Callable[[TrainLog], None]) -> TrainLog:
            return _train(self, games, limit, tell)

        def choose(board: int) -> int | None:
            return self.player.choose(cells_of(board))

        def last_board() -> int:
            return int(self.play(seed).boards[-1])

        return LiveTraining(work, choose, last_board, games, self.games, limit)

    # Playing

    def value(self, board: int) -> float:
        """V of a board, by its own functions."""
        return self.player.value(cells_of(board))

    def play(self, seed: int = 0) -> Trace:
        """Play a game with its own functions, and record it for `watch`.

        Parameters
        ----------
        seed
            What the random tiles come from.
        """
        path, last = self.player.game(np.random.default_rng([EVALUATION, seed]))
        if not path:
            raise ValueError("the game was over before the first move: does select give actions?")
        boards = [board for board, _, _, _ in path] + [last]
        worths = [self._worths(board) for board, _, _, _ in path]
        return Trace(
            boards=np.array([from_array(np.array(board)) for board in boards], np.uint64),
            actions=np.array([action for _, action, _, _ in path], np.uint8),
            rewards=np.array([reward for _, _, reward, _ in path], np.int32),
            values=np.array(worths, np.float32),
            p4=self.player.p4,
        )

    def _worths(self, board: list) -> list[float]:
        """What each action is worth: r + V of what it leads to, nan where it is illegal."""
        worths = []
        for action in range(4):
            after, reward = self.player.slide(board, action)
            worths.append(np.nan if reward < 0 else reward + self.player.value(after))
        return worths

    def evaluate(self, games: int = 50, seed: int = 0) -> Summary:
        """Play games with its own functions, without learning, and sum them up."""
        started = time.perf_counter()
        results = []
        for number in range(check_count("games", games)):
            path, last = self.player.game(np.random.default_rng([EVALUATION, seed, number]))
            score = sum(reward for _, _, reward, _ in path)
            results.append((score, max(map(max, last)), len(path)))
        scores, tiles, moves = np.array(results).T
        return Summary.of(scores, tiles, moves, time.perf_counter() - started)

    # Beside lib2048

    @property
    def network(self) -> NTupleNetwork:
        """Its weights as a network of lib2048, which gives the same V."""
        net = NTupleNetwork(self.player.patterns, values=self.player.values)
        net.p4 = self.player.p4
        for k, table in enumerate(self.player.tables):
            net.set_table_part(k, 0, np.asarray(table, np.float32))
        net.games = self.games
        return net

    def save(self, path: str | Path) -> Path:
        """Save its weights as a network of lib2048. Returns the path."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.network.save(path)
        return path

    def beside_lib2048(self, games: int = 1000, seeds: int = 5) -> Comparison:
        """Set it beside networks that lib2048 trains from as many games.

        Parameters
        ----------
        games
            How many games each plays to be measured; the same ones.
        seeds
            How many networks lib2048 trains.
        """
        if not self.games:
            raise ValueError("it has learned nothing yet: train it first")
        return compare(self.network, self.log, self.alpha, games, seeds)


def _train(
    mine: Learner, games: int | None, limit: float | None, tell: Callable[[TrainLog], None]
) -> TrainLog:
    """Learn from games until there were enough, or time is up."""
    started = time.perf_counter()
    first = mine.games
    block = SMALLEST_BLOCK if games is None else max(1, games // BLOCKS)
    results: list[tuple[int, int, int]] = []

    def log() -> TrainLog:
        scores, tiles, moves = np.array(results, np.int64).reshape(-1, 3).T
        return TrainLog(
            scores=scores,
            max_tiles=tiles.astype(np.uint8),
            moves=moves.astype(np.int32),
            block=block,
            seconds=time.perf_counter() - started,
            first=first,
            seed=mine.seed,
        )

    pace = 1
    while games is None or len(results) < games:
        count = pace if games is None else min(pace, games - len(results))
        began = time.perf_counter()
        results += _play_and_learn(mine, count)
        mine.log = log()
        now = time.perf_counter()
        if games is None:
            block = max(SMALLEST_BLOCK, len(results) // BLOCKS)
        if mine.is_compiled:
            pace = max(1, min(2 * pace, int(count * CHUNK / max(now - began, 1e-6))))
        tell(mine.log)
        if limit is not None and now - started >= limit:
            break
    mine.log = log()
    return mine.log


def _play_and_learn(mine: Learner, count: int) -> list[tuple[int, int, int]]:
    """Some games, each with random tiles that depend on the seed and its number alone."""
    results = []
    for _ in range(count):
        rng = np.random.default_rng([0, mine.seed, mine.games])
        with np.errstate(over="ignore", invalid="ignore"):  # it is told below
            results += mine.player.play_and_learn(rng, mine.alpha, 1)
        mine.games += 1
        _check_values(mine)
    return results


def _check_values(mine: Learner) -> None:
    """Raise ValueError when a weight is no finite number any more."""
    value = mine.player.value([[0] * 4 for _ in range(4)])
    if not np.isfinite(value):
        raise ValueError(
            f"training went off after {mine.games:,} games: V of the empty board is {value}; "
            "a smaller alpha, at most 1, may help"
        )
