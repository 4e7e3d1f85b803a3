"""A game of EinStein würfelt nicht!: instances, positions, legal moves, play and undo.

A move is a pair (cube, direction): the number on the cube, and 0 horizontal, 1 vertical, 2 diagonal
or 3 anti-diagonal. Red (0) moves right, down, down-right and up-right from the top left corner,
Blue (1) the opposite ways. Squares are numbered row by row from the top left.

`tcg2023`: 6 x 7 squares, four directions, cubes 0-5, a line of 21 dice that both sides know and
that starts over when it ends. `classic`: 5 x 5 squares, three directions, cubes 1-6, a die rolled
each ply; here its rolls are a line drawn beforehand, of which a player sees the next one only.
"""

import operator
from collections.abc import Iterable

import numpy as np

from lib2048.kernels import uint64
from lib2048.validate import check_whole
from libewn.draw import board_svg, board_text
from libewn.rules import (
    CUBES,
    SIX,
    STEPS,
    VARIANTS,
    Choices,
    Variant,
    _choices,
    _is_over,
    _moved,
    _target,
    dice_word,
    side_squares,
    side_word,
)
from libewn.start import (
    BLUE,
    SIDES,
    Instance,
    check_variant,
    check_wholes,
    instance,
)

BY_GOAL, BY_ELIMINATION = range(2)
ENDINGS = ("goal", "elimination")


class Game:
    """One game, from its start or from any position.

    >>> game = Game(instance(seed=1))
    >>> game.play(game.legal_moves()[0])
    >>> game.mover, game.ply
    (1, 1)
    """

    def __init__(
        self,
        start: Instance | str = "tcg2023",
        squares: Iterable | None = None,
        ply: int = 0,
        seed: int = 0,
    ):
        """Start a game.

        Parameters
        ----------
        start : Instance or str
            An instance, or the name of a variant, which gives its instance 0 with this seed.
        squares : pair of sequences of int, optional
            A position to start from instead: (Red's, Blue's) squares, six each in the order of the
            cubes, -1 for a captured one.
        ply : int
            How many plies came before. Red moves at even ones, and the die is number `ply` of the
            line.
        seed : int
            Which instance, where `start` is a name.

        Raises
        ------
        ValueError
            If this is no instance, or a position that no game can be in.
        """
        if not isinstance(start, Instance):
            start = instance(seed, 0, start)
        self.instance = start
        self.variant = check_variant(start.variant)
        self.dice = self._check_dice(start.dice)
        self.first_ply = check_whole("ply", ply)
        cubes = self._check_cubes(start)
        if squares is None:
            squares = self._start_squares(cubes)
        self.history: list[tuple[int, int]] = []
        self._words = [self._check_squares(squares)]
        self._over: int | None = None
        self._legal_now: tuple | None = None  # the legal moves, once somebody has asked

    @property
    def _numbers(self) -> range:
        """The numbers on cubes and dice."""
        return range(self.variant.first, self.variant.first + CUBES)

    def _check_cubes(self, start: Instance) -> list[tuple[int, ...]]:
        """The cubes on each side's start squares, or a ValueError."""
        first, last = self._numbers[0], self._numbers[-1]
        sides = []
        for name, cubes in zip(SIDES, (start.red, start.blue), strict=True):
            side = check_wholes(f"{name}'s cubes", cubes, first, last)
            if sorted(side) != list(self._numbers):
                raise ValueError(f"{name}'s cubes are {first} to {last}, each once, got {side!r}")
            sides.append(side)
        return sides

    def _check_dice(self, dice) -> tuple[int, ...]:
        """The line of dice, or a ValueError."""
        checked = check_wholes("the dice", dice, self._numbers[0], self._numbers[-1])
        is_short = self.variant.name == "tcg2023" and len(checked) != self.variant.dice
        if not checked or is_short:
            raise ValueError(
                f"{self.variant.name} has a line of {self.variant.dice} dice, got {len(checked)}"
            )
        return checked

    def _start_squares(self, cubes) -> list[list[int]]:
        """Each side's squares in the order of its cubes, at the start."""
        starts_of_red = self.variant.starts
        starts_of_blue = [self.variant.last - square for square in starts_of_red[::-1]]
        squares = []
        for starts, side in zip((starts_of_red, starts_of_blue), cubes, strict=True):
            squares.append([starts[side.index(number)] for number in self._numbers])
        return squares

    def _check_squares(self, squares) -> tuple[np.uint64, np.uint64]:
        """The words (own, opp) of a position that a game can be in, or a ValueError."""
        last = self.variant.last
        pair = list(squares) if isinstance(squares, Iterable) else []
        if len(pair) != 2:
            raise ValueError(f"a position is (Red's squares, Blue's squares), got {squares!r}")
        red, blue = (
            check_wholes(f"{name}'s squares", side, -1, last)
            for name, side in zip(SIDES, pair, strict=True)
        )
        sides = [red, blue]
        if {len(red), len(blue)} != {CUBES}:
            raise ValueError(f"each side has {CUBES} cubes, -1 for a captured one, got {sides!r}")
        alive = [square for side in sides for square in side if square >= 0]
        if len(set(alive)) < len(alive):
            raise ValueError(f"two cubes cannot stand on one square, got {sides!r}")
        if max(red) < 0 or max(blue) < 0:
            raise ValueError(f"a game in which a side has no cube is over, got {sides!r}")
        if last in red or 0 in blue:
            raise ValueError(f"a game in which a cube has reached its goal is over, got {sides!r}")
        word_of_red = side_word(red)
        word_of_blue = side_word([last - square if square >= 0 else -1 for square in blue])
        if self.first_ply % 2:
            return word_of_blue, word_of_red
        return word_of_red, word_of_blue

    @property
    def ply(self) -> int:
        """Plies played since the start of the game."""
        return self.first_ply + len(self.history)

    @property
    def mover(self) -> int:
        """Whose turn it is: RED (0) or BLUE (1)."""
        return self.ply % 2

    @property
    def die(self) -> int:
        """The die of this ply."""
        return self.dice[self.ply % len(self.dice)]

    @property
    def winner(self) -> int | None:
        """RED or BLUE once the game is over."""
        return None if self._over is None else 1 - self.mover

    @property
    def by(self) -> str | None:
        """How the game was won: "goal" or "elimination"."""
        return None if self._over is None else ENDINGS[self._over]

    @property
    def words(self) -> tuple:
        """What kernels need, uint64 each: the side to move, the other one, the dice (rules.py)."""
        own, opp = self._words[-1]
        if self.variant.name == "classic":
            return own, opp, uint64(self.die - self.variant.first)
        turn = self.ply % len(self.dice)
        return own, opp, dice_word(self.dice[turn:] + self.dice[:turn])

    def words_at(self, back: int) -> tuple:
        """The words (side to move, the other one) as they were `back` plies ago."""
        return self._words[-1 - back]

    def squares(self) -> tuple[list[int], list[int]]:
        """(Red's, Blue's) squares, in the order of the cubes; -1 for a captured one."""
        sides = [side_squares(word) for word in self._words[-1]]
        if self.mover == BLUE:
            sides.reverse()
        return sides[0], [self.variant.last - square if square >= 0 else -1 for square in sides[1]]

    def _legal(self) -> tuple:
        """The kernel's choices, and the same as (cube, direction) pairs."""
        if self._legal_now is None:
            own = self._words[-1][0]
            choices = _choices(self.variant.code, own, uint64(self.die - self.variant.first))
            self._legal_now = choices, moves_of(self.variant, own, choices)
        return self._legal_now

    def legal_moves(self) -> list[tuple[int, int]]:
        """The moves this ply, those of the lower cube first; empty once the game is over."""
        return [] if self._over is not None else list(self._legal()[1])

    def play(self, move: tuple[int, int]) -> None:
        """Play a move; the game goes on from there.

        Raises
        ------
        ValueError
            If the game is over, or the move is not legal.
        """
        if self.winner is not None:
            raise ValueError(
                f"the game is over, {SIDES[self.winner]} has won by {self.by}; "
                f"got the move {move!r}"
            )
        choices, moves = self._legal()
        try:
            index = moves.index(tuple(operator.index(part) for part in move))
        except (TypeError, ValueError):
            raise ValueError(
                f"{SIDES[self.mover]}'s legal moves (cube, direction) with die {self.die} "
                f"are {moves}, got {move!r}"
            ) from None
        own, opp, target = _moved(self.variant.code, *self._words[-1], choices, uint64(index))
        if _is_over(self.variant.code, opp, target):
            has_cubes = any(square >= 0 for square in side_squares(opp))
            self._over = BY_GOAL if has_cubes else BY_ELIMINATION
        self._words.append((uint64(opp), uint64(own)))
        self._legal_now = None
        self.history.append(moves[index])

    def undo(self) -> tuple[int, int]:
        """Take the last move back, and return it."""
        if not self.history:
            raise ValueError(f"there is no move to take back at ply {self.ply}")
        self._over = None
        self._legal_now = None
        self._words.pop()
        return self.history.pop()

    def __str__(self) -> str:
        return board_text(self)

    def _repr_svg_(self) -> str:
        return board_svg(self)


def _ways() -> dict[int, dict[int, int]]:
    """{columns of a board: {difference between two squares: the direction between them}}."""
    ways = {}
    for variant in VARIANTS.values():
        differences = [down * variant.columns + right for down, right in STEPS]
        ways[variant.columns] = {step: n for n, step in enumerate(differences)}
    return ways


_WAYS = _ways()


def moves_of(variant: Variant, own: np.uint64, choices: Choices) -> list[tuple[int, int]]:
    """The choices of a side as (cube, direction) pairs."""
    moves = []
    for index in range(int(choices.number)):
        place = int(choices.low if index < choices.split else choices.high)
        start = int(own) >> place & int(SIX)
        direction = _WAYS[variant.columns][int(_target(choices, uint64(index))) - start]
        moves.append((place // 8 + variant.first, direction))
    return moves
