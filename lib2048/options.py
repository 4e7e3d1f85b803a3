"""Every option of learning, once: its name, its meaning, what it may be, and its default.

`lib2048.train` takes these options by name, a checkpoint keeps them, and experiments describe their
runs by them. All of them pass a `TrainOptions` on whole. So a new option is one line here, and one
where it acts.
"""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from lib2048.board import legal_actions, to_array
from lib2048.validate import (
    check_board,
    check_count,
    check_downgrade,
    check_flag,
    check_lambda,
    check_order,
    check_p4,
    check_prize,
    check_promote,
    check_restart,
    check_seed,
    check_step,
    check_threads,
    check_until,
    on_one_line,
)

ENGINES = ("fast", "plain")
OTHER_NAMES = {
    "decay": "lambda_",  # as the first edition called it
    "games": "episodes",
    "learning_rate": "alpha",
    "lr": "alpha",
    "tc": "coherence",
}
"""What options are called elsewhere, for messages."""


@dataclass(frozen=True)
class TrainOptions:
    """How a network learns. What is wrong is refused when the object is made.

    Parameters
    ----------
    alpha : float, optional
        The whole step of V at each update: 0.1, or 1.0 with coherence, when None.
    order : str
        "backward" learns from a game when it is over, last move first; "forward" learns during the
        game.
    coherence : bool
        Temporal coherence learning, in which each weight finds a step of its own.
    p4 : float, optional
        The probability that a new tile is a 4; the network's own when None.
    threads : int
        How many threads learn at once. They share the tables without locks (Hogwild), so their
        result is not reproducible.
    seed : int
        What the games' random numbers start from.
    block : int
        How many games one mean of the log sums up.
    lambda_ : float
        The lambda of TD(lambda): how much of each target comes from further ahead. Backward
        learning only.
    restart : int
        Play on from the middle of a finished game while at least this many moves are left; 0 for
        never. Backward learning only.
    starts : sequence of int, optional
        The boards that games begin with, any of them equally likely; two new tiles when None.
        Scores count from there. See `lib2048.relay` for where such boards come from.
    until : int, optional
        Games end as soon as there is this tile or a larger one; where nothing moves when None. It
        is 8 at least. For backward learning of V(afterstate) only.
    prize : float
        How many points the end at that tile is worth: about what the network makes that plays on
        from there. With 0, or too little, a network learns to put the tile off. Scores do not count
        it.
    downgrade : int, optional
        Boards with this tile, or a larger one, are shown to the network as smaller ones.
    promote : int, optional
        Now and then, patterns with this tile or a larger one that were never learned take the
        weights of those with smaller tiles; see `lib2048.fast.promoting`. With coherence only.
    every : int
        How many games lie between two checkpoints.
    engine : str
        "fast", or "plain" for the kernels of learning.py, which are slower, easy to read, and give
        the same bits.

    Raises
    ------
    ValueError
        If an option is not what it may be, or does not go with another one.

    Examples
    --------
    >>> TrainOptions(coherence=True).step
    1.0
    """

    alpha: float | None = None
    order: str = "backward"
    coherence: bool = False
    p4: float | None = None
    threads: int = 1
    seed: int = 0
    block: int = 1000
    lambda_: float = 0.0
    restart: int = 0
    starts: tuple[int, ...] | None = None
    until: int | None = None
    prize: float = 0.0
    downgrade: int | None = None
    promote: int | None = None
    every: int = 10_000
    engine: str = "fast"

    def __post_init__(self) -> None:
        self._set("p4", None if self.p4 is None else check_p4(self.p4))
        self._set("threads", check_threads(self.threads))
        self._set("seed", int(check_seed(self.seed)))
        self._set("block", check_count("block", self.block))
        self._set("every", check_count("every", self.every))
        self._set("order", check_order(self.order))
        self._set("alpha", None if self.alpha is None else check_step(self.alpha))
        self._set("coherence", check_flag("coherence", self.coherence))
        self._set("lambda_", check_lambda(self.lambda_))
        self._set("restart", check_restart(self.restart))
        self._set("starts", None if self.starts is None else _checked_starts(self.starts))
        self._set("until", None if self.until is None else check_until(self.until))
        self._set("prize", check_prize(self.prize))
        self._check_ends()
        check_downgrade(self.downgrade)
        self._set("downgrade", None if self.downgrade is None else int(self.downgrade))
        self._set("promote", None if self.promote is None else check_promote(self.promote))
        if self.order == "forward" and (self.lambda_ or self.restart):
            raise ValueError(
                "lambda_ and restart go with order='backward', "
                f"got order='forward', lambda_={self.lambda_}, restart={self.restart}"
            )
        if self.engine not in ENGINES:
            raise ValueError(f'engine is "fast" or "plain", got {self.engine!r}')
        if self.engine == "plain" and self.downgrade is not None:
            raise ValueError(
                f'downgrade goes with engine="fast", got engine="plain", downgrade={self.downgrade}'
            )

    def _check_ends(self) -> None:
        """ValueError where games would end before they begin, or for a prize that nobody wins."""
        if self.until is None:
            if self.prize:
                raise ValueError(
                    "prize is what the end at the tile `until` is worth; give both, "
                    f"got prize={self.prize:,.0f} without until"
                )
            return
        if self.order == "forward":
            raise ValueError(
                f"until goes with order='backward', got order='forward', until={self.until}"
            )
        for number, board in enumerate(self.starts or ()):
            largest = 2 ** int(to_array(board).max())
            if largest >= self.until:
                raise ValueError(
                    f"starts, number {number}: board {board} has a {largest}, "
                    f"and games are to end at a {self.until}; give boards without one"
                )

    def _set(self, name: str, value) -> None:
        """Put a checked value in its place; the object is frozen for everybody else."""
        object.__setattr__(self, name, value)

    @classmethod
    def check_names(cls, names: Iterable[str]) -> None:
        """TypeError, as for any argument that a function does not have, for what is no option."""
        options = [option.name for option in fields(cls)]
        for name in names:
            if name not in options:
                near = difflib.get_close_matches(name, options, 1)
                meant = OTHER_NAMES.get(name) or next(iter(near), None)
                hint = f"did you mean {meant!r}?" if meant else f"there are {', '.join(options)}"
                raise TypeError(f"training has no option {name!r}; {hint}")

    @property
    def step(self) -> float:
        """The step of V that `alpha` stands for."""
        if self.alpha is None:
            return 1.0 if self.coherence else 0.1
        return self.alpha


def _checked_starts(boards: Any) -> tuple[int, ...]:
    """Boards on which a game can begin, or a ValueError that names what is none."""
    if not isinstance(boards, list | tuple) and not (
        isinstance(boards, np.ndarray) and boards.ndim == 1
    ):
        raise ValueError(
            f"starts is a list of boards that games begin with, got {on_one_line(boards)}"
        )
    if len(boards) == 0:
        raise ValueError(
            "starts holds at least one board (None begins with two new tiles), got an empty list"
        )
    checked = []
    for number, board in enumerate(boards):
        try:
            checked.append(int(check_board(board)))
        except ValueError as error:
            raise ValueError(f"starts, number {number}: {error}") from None
        if not legal_actions(checked[-1]):
            raise ValueError(f"starts, number {number}: nothing moves on board {checked[-1]}")
    return tuple(checked)


class Stage(NamedTuple):
    """A part of training with one step size.

    "TD for 90,000 games, then TC for 10,000" is two of them.
    """

    games: int
    alpha: float | None = None
    coherence: bool = False


Episodes = int | Sequence[Stage | tuple]
"""A number of games, or stages (games, alpha, coherence)."""


@dataclass(frozen=True)
class Plan:
    """A training from its first game to its last, as a checkpoint keeps it.

    Attributes
    ----------
    stages : tuple of Stage
        How many games are learned from, with which step.
    options : TrainOptions
        Everything else; alpha and coherence are those of the stages.
    first : int
        The number of the first game.
    """

    stages: tuple[Stage, ...]
    options: TrainOptions
    first: int

    @classmethod
    def make(cls, episodes: Episodes, options: TrainOptions, first: int) -> "Plan":
        """The plan for so many games, or for a sequence of stages (games, alpha, coherence)."""
        if not isinstance(episodes, list | tuple):
            games = check_count("episodes", episodes)
            stages = [Stage(games, options.alpha, options.coherence)]
        else:
            _check_that_stages_decide(episodes, options)
            stages = [Stage(*stage) for stage in episodes]
        checked = []
        for stage in stages:
            games = check_count("episodes", stage.games)
            of_stage = replace(options, alpha=stage.alpha, coherence=stage.coherence)
            _check_promotion(of_stage)
            checked.append(Stage(games, of_stage.alpha, of_stage.coherence))
        return cls(tuple(checked), replace(options, alpha=None, coherence=False), first)

    @property
    def games(self) -> int:
        """How many games all stages have together."""
        return sum(stage.games for stage in self.stages)

    def stage_after(self, done: int) -> tuple[TrainOptions, int]:
        """The options in force after so many games, and after how many games their stage ends."""
        end = 0
        for stage, options in zip(self.stages, self._options_of_stages, strict=True):
            end += stage.games
            if done < end:
                return options, end
        raise ValueError(f"the stages end after {end} games, got {done}")

    @cached_property
    def _options_of_stages(self) -> list[TrainOptions]:
        """All options of each stage. They are asked for with every chunk of games, so once made."""
        return [
            replace(self.options, alpha=stage.alpha, coherence=stage.coherence)
            for stage in self.stages
        ]

    def as_dict(self) -> dict:
        """The plan as numbers, texts and lists only, which a file can hold."""
        options = asdict(self.options)
        del options["alpha"], options["coherence"]
        return {"stages": [list(stage) for stage in self.stages], "first": self.first} | options

    @classmethod
    def from_dict(cls, stored: dict) -> "Plan":
        """The plan that `as_dict` gave, of this version or of an older one.

        Raises
        ------
        ValueError
            If it is no such plan.
        """
        try:
            options = dict(stored)
            stages = options.pop("stages")
            first = int(check_seed(options.pop("first"), "first, the number of the first game,"))
            if "decay" in options:  # what lambda_ was called in the first edition
                options["lambda_"] = options.pop("decay")
            return cls.make([tuple(stage) for stage in stages], TrainOptions(**options), first)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the plan of its training cannot be followed: {error}") from None


def _check_promotion(options: TrainOptions) -> None:
    """ValueError when a stage cannot know which weights to promote."""
    if options.promote is not None and not options.coherence:
        raise ValueError(
            "promote goes with coherence, whose sums of errors tell which weights were learned, "
            f"got promote={options.promote} and a stage without it"
        )


def _check_that_stages_decide(episodes: Sequence, options: TrainOptions) -> None:
    """ValueError when these are no stages, or when the options say what stages say themselves."""
    if options.alpha is not None or options.coherence:
        raise ValueError(
            "stages say alpha and coherence themselves, "
            f"got alpha={options.alpha} and coherence={options.coherence} beside them"
        )
    if not episodes or not all(
        isinstance(stage, list | tuple) and 1 <= len(stage) <= 3 for stage in episodes
    ):
        raise ValueError(
            "episodes is a number of games or a list of (games, alpha, coherence), "
            f"got {episodes!r}"
        )
