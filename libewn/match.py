"""Matches: two players on a fixed set of instances, each from both seats, and intervals.

Every cell of a table is played on the same instances, so two cells differ by their players alone.
Intervals are 95 % and come from drawing whole instances (both seats) with replacement (the
bootstrap; Efron 1979).
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np

from lib2048.validate import check_whole
from libewn.game import Game
from libewn.mcts import MCTS
from libewn.opponents import DEPTHS, AlphaBeta, Easy
from libewn.start import BLUE, RED, SIDES, Instance, instance


class Player(Protocol):
    """What a match needs of a player."""

    def start(self, seed: int) -> None:
        """Begin a new game, with random numbers that depend on the seed alone."""

    def move(self, game: Game) -> tuple[int, int]:
        """The move to play."""


PLAYERS = ("easy", "normal", "hard", "mcs", "mcts")


def player(name: str, **options: Any) -> Player:
    """A player by its name.

    Parameters
    ----------
    name : str
        "easy", "normal", "hard", "mcs" or "mcts".
    options
        What MCTS takes, for the last two.

    Raises
    ------
    ValueError
        If there is no such player, or it takes no options.

    Examples
    --------
    >>> player("mcts", simulations=1000).simulations
    1000
    """
    if not isinstance(name, str) or name not in PLAYERS:
        raise ValueError(f"a player is one of {', '.join(PLAYERS)}, got {name!r}")
    if name == "mcs":
        return MCTS(tree=False, **options)
    if name == "mcts":
        return MCTS(**options)
    if options:
        raise ValueError(f"{name} has no options, got {options!r}")
    return Easy() if name == "easy" else AlphaBeta(DEPTHS[name])


def play_game(red: Player, blue: Player, start: Instance | Game, seed: int = 0) -> Game:
    """Let two players play an instance, or a game from where it stands, to its end.

    Returns
    -------
    Game
        The finished game.
    """
    game = start if isinstance(start, Game) else Game(start)
    players = (red, blue)
    checked_seed = check_whole("seed", seed, 0, (1 << 62) - 1)
    for side in (RED, BLUE):
        players[side].start(2 * checked_seed + side)
    while game.winner is None:
        game.play(players[game.mover].move(game))
    return game


class Round(NamedTuple):
    """How an instance ended for the player one asks about, from one seat."""

    number: int  # of the instance
    seat: int  # RED or BLUE
    won: bool
    by: str  # "goal" or "elimination"
    plies: int


def play_rounds(
    asked_about: Player,
    opponent: Player,
    numbers: Iterable[int],
    seats: Iterable[int] = (RED, BLUE),
    seed: int = 0,
    variant: str = "tcg2023",
) -> list[Round]:
    """Play instances of a set from the given seats of the player one asks about.

    A round is a function of the players, the seed, the instance's number and the seat alone, so a
    table may be played in pieces, in any order, by any number of processes.

    Parameters
    ----------
    asked_about, opponent : Player
        Who plays; the rounds are those of the first.
    numbers : iterable of int
        Which instances of the set.
    seats : iterable of int
        Which seats of the first player, in each instance.
    seed : int
        Which set.
    variant : str
        "tcg2023" or "classic".

    Raises
    ------
    ValueError
        If a seat is none.
    """
    seats = tuple(seats)
    rounds = []
    for number in numbers:
        start = instance(seed, number, variant)
        for seat in seats:
            rounds.append(_play_round(asked_about, opponent, start, number, seat))
    return rounds


def _play_round(
    asked_about: Player, opponent: Player, start: Instance, number: int, seat: int
) -> Round:
    if seat not in (RED, BLUE):
        raise ValueError(f"a seat is 0 ({SIDES[RED]}) or 1 ({SIDES[BLUE]}), got {seat!r}")
    red, blue = (asked_about, opponent) if seat == RED else (opponent, asked_about)
    game = play_game(red, blue, start, 2 * number + seat)
    return Round(number, seat, game.winner == seat, str(game.by), game.ply)


class Estimate(NamedTuple):
    """A share or a difference of shares with its 95 % interval."""

    value: float
    low: float
    high: float
    instances: int

    def __str__(self) -> str:
        value, low, high = (f"{100 * share:.1f}" for share in (self.value, self.low, self.high))
        return f"{value} % ({low} to {high}, {self.instances} instances)"


def _per_instance(rounds: Iterable[Round]) -> dict[int, float]:
    """{instance: the share of its rounds that were won}."""
    won: dict[int, list[bool]] = {}
    for played in rounds:
        won.setdefault(played.number, []).append(played.won)
    return {number: float(np.mean(won[number])) for number in sorted(won)}


def _bootstrap(values: np.ndarray, draws: int, seed: int) -> Estimate:
    """The mean of values, with an interval from drawing as many of them, again and again."""
    if not len(values):
        raise ValueError("there are no rounds to judge by")
    draws = check_whole("draws", draws, 1, 1 << 20)
    rng = np.random.default_rng(check_whole("seed", seed))
    means = []
    for _ in range(draws):
        drawn = rng.integers(0, len(values), len(values))
        means.append(values[drawn].mean())
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(float(values.mean()), float(low), float(high), len(values))


def win_share(rounds: Iterable[Round], draws: int = 4000, seed: int = 0) -> Estimate:
    """The share of rounds that were won."""
    return _bootstrap(np.array(list(_per_instance(rounds).values())), draws, seed)


def paired_difference(
    rounds: Iterable[Round], baseline: Iterable[Round], draws: int = 4000, seed: int = 0
) -> Estimate:
    """By how much the share of rounds won differs from that of `baseline`.

    Raises
    ------
    ValueError
        If the two were not played on the same instances and seats.
    """
    rounds = list(rounds)
    baseline = list(baseline)
    played = {(entry.number, entry.seat) for entry in rounds}
    played_by_baseline = {(entry.number, entry.seat) for entry in baseline}
    if played != played_by_baseline or len(rounds) != len(baseline):
        odd = sorted(played ^ played_by_baseline)[:5]
        raise ValueError(
            "paired rounds are of the same instances and seats; "
            f"only one side has (number, seat) {odd}"
        )
    shares = _per_instance(rounds)
    shares_of_baseline = _per_instance(baseline)
    differences = [shares[number] - shares_of_baseline[number] for number in shares]
    return _bootstrap(np.array(differences), draws, seed)
