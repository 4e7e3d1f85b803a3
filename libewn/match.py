"""Matches: two players on a fixed set of instances, each instance from both seats, and intervals from pairs.

Every cell of a table is played on the same instances, so two cells differ by their players alone.
Intervals are 95 % and come from drawing whole instances (both seats) with replacement (the
bootstrap; Efron 1979).
"""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np

from libewn.game import BLUE, RED, Game
from libewn.mcts import MCTS
from libewn.opponents import DEPTHS, AlphaBeta, Easy
from libewn.start import SIDES, Instance, check_whole, instance


class Player(Protocol):
    """What a match needs of a player."""

    def start(self, seed: int) -> None:
        """Begin a new game, with random numbers that depend on the seed alone."""

    def move(self, game: Game) -> tuple[int, int]:
        """The move to play."""


PLAYERS = ("easy", "normal", "hard", "mcs", "mcts")


def player(name: str, **options) -> Player:
    """A player by its name: "easy", "normal", "hard", "mcs" or "mcts"; the last two take the options of MCTS.

    >>> player("mcts", simulations=1000).simulations
    1000
    """
    if not isinstance(name, str) or name not in PLAYERS:
        raise ValueError(f"a player is one of {', '.join(PLAYERS)}, got {name!r}")
    if name in ("mcs", "mcts"):
        return MCTS(**({"tree": False} if name == "mcs" else {}), **options)
    if options:
        raise ValueError(f"{name} has no options, got {options!r}")
    return Easy() if name == "easy" else AlphaBeta(DEPTHS[name])


def play_game(red: Player, blue: Player, start: Instance | Game, seed: int = 0) -> Game:
    """Let two players play an instance, or a game from where it stands, to its end.

    Returns the finished game.
    """
    game, players = start if isinstance(start, Game) else Game(start), (red, blue)
    for side, one in enumerate(players):
        one.start(2 * check_whole("seed", seed, 0, (1 << 62) - 1) + side)
    while game.winner is None:
        game.play(players[game.mover].move(game))
    return game


class Round(NamedTuple):
    """How an instance ended for the first player, from one seat."""

    number: int  # of the instance
    seat: int  # the first player's: RED or BLUE
    won: bool
    by: str  # "goal" or "elimination"
    plies: int


def play_rounds(
    one: Player,
    other: Player,
    numbers: Iterable[int],
    seats=(RED, BLUE),
    seed: int = 0,
    variant: str = "tcg2023",
) -> list[Round]:
    """Play instances of the set `seed`, by number, from the given seats of the first player.

    A round is a function of the players, the seed, the instance's number and the seat alone: a
    table may be played in pieces, in any order, by any number of processes.
    """
    rounds = []
    for number in numbers:
        start = instance(seed, number, variant)
        for seat in seats:
            if seat not in (RED, BLUE):
                raise ValueError(f"a seat is 0 ({SIDES[RED]}) or 1 ({SIDES[BLUE]}), got {seat!r}")
            red, blue = (one, other) if seat == RED else (other, one)
            game = play_game(red, blue, start, 2 * number + seat)
            rounds.append(Round(number, seat, game.winner == seat, game.by, game.ply))
    return rounds


class Estimate(NamedTuple):
    """A share or a difference of shares with its 95 % interval."""

    value: float
    low: float
    high: float
    instances: int

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f}, {self.instances} instances)"


def _per_instance(rounds: Iterable[Round]) -> dict[int, float]:
    """Instance -> share of its rounds that were won."""
    won: dict[int, list[bool]] = {}
    for one in rounds:
        won.setdefault(one.number, []).append(one.won)
    return {number: float(np.mean(won[number])) for number in sorted(won)}


def _bootstrap(values: np.ndarray, draws: int, seed: int) -> Estimate:
    if not len(values):
        raise ValueError("there are no rounds to judge by")
    rng = np.random.default_rng(check_whole("seed", seed))
    means = [
        values[rng.integers(0, len(values), len(values))].mean()
        for _ in range(check_whole("draws", draws, 1, 1 << 20))
    ]
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(float(values.mean()), float(low), float(high), len(values))


def win_share(rounds: Iterable[Round], draws: int = 4000, seed: int = 0) -> Estimate:
    """The share of rounds that were won."""
    return _bootstrap(np.array(list(_per_instance(rounds).values())), draws, seed)


def paired_difference(
    rounds: Iterable[Round], baseline: Iterable[Round], draws: int = 4000, seed: int = 0
) -> Estimate:
    """By how much the share of rounds won differs from that of `baseline`, played on the same instances and seats."""
    rounds, baseline = list(rounds), list(baseline)
    sets = [sorted((one.number, one.seat) for one in part) for part in (rounds, baseline)]
    if sets[0] != sets[1]:
        odd = sorted(set(sets[0]) ^ set(sets[1]))[:5]
        raise ValueError(
            f"paired rounds are of the same instances and seats; only one side has (number, seat) {odd}"
        )
    one, other = _per_instance(rounds), _per_instance(baseline)
    return _bootstrap(np.array([one[number] - other[number] for number in one]), draws, seed)
