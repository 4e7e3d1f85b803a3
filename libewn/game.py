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

from lib2048.kernels import U
from libewn.rules import (
    CUBES,
    STEPS,
    VARIANTS,
    Variant,
    _choices,
    _is_over,
    _moved,
    _target,
    dice_word,
    side_squares,
    side_word,
)
from libewn.start import SIDES, Instance, check_variant, check_whole, check_wholes, instance

RED, BLUE = 0, 1
DIRECTIONS = ("horizontal", "vertical", "diagonal", "anti-diagonal")


class Game:
    """One game, from its start or from any position.

    >>> game = Game(instance(seed=1))
    >>> game.play(game.legal_moves()[0])
    >>> game.mover, game.ply
    (1, 1)
    """

    def __init__(
        self, start: Instance | str = "tcg2023", squares=None, ply: int = 0, seed: int = 0
    ):
        """start: an instance, or the name of a variant (its instance 0 with this seed).

        squares: a position to start from instead: (Red's, Blue's) squares, six each in the order of
        the cubes, -1 for a captured one. ply: how many plies came before; Red moves at even ones,
        and the die is number `ply` of the line.
        """
        if not isinstance(start, Instance):
            start = instance(seed, 0, start)
        self.variant, self.instance = check_variant(start.variant), start
        first, last = self.variant.first, self.variant.first + CUBES - 1
        sides = [
            check_wholes(f"{name}'s cubes", side, first, last)
            for name, side in zip(SIDES, start[1:3])
        ]
        for name, side in zip(SIDES, sides):
            if sorted(side) != list(range(first, last + 1)):
                raise ValueError(f"{name}'s cubes are {first} to {last}, each once, got {side!r}")
        self.dice = check_wholes("the dice", start.dice, first, last)
        if not self.dice or self.variant.name == "tcg2023" and len(self.dice) != self.variant.dice:
            raise ValueError(
                f"{self.variant.name} has a line of {self.variant.dice} dice, got {len(self.dice)}"
            )
        self.first_ply = check_whole("ply", ply)
        if squares is None:
            ends = (
                self.variant.starts,
                [self.variant.last - square for square in self.variant.starts[::-1]],
            )
            squares = [
                [ends[side][sides[side].index(cube + first)] for cube in range(CUBES)]
                for side in (RED, BLUE)
            ]
        self.history: list[tuple[int, int]] = []
        self._words = [self._check_squares(squares)]
        self._over: int | None = None
        self._found: tuple | None = None  # the legal moves, once somebody has asked

    def _check_squares(self, squares) -> tuple:
        """The words (own, opp) of a position that a game can be in, or a ValueError."""
        if not isinstance(squares, Iterable) or len(squares := list(squares)) != 2:
            raise ValueError(f"a position is (Red's squares, Blue's squares), got {squares!r}")
        sides = [
            check_wholes(f"{name}'s squares", side, -1, self.variant.last)
            for name, side in zip(SIDES, squares)
        ]
        alive = [square for side in sides for square in side if square >= 0]
        if {len(side) for side in sides} != {CUBES}:
            raise ValueError(f"each side has {CUBES} cubes, -1 for a captured one, got {sides!r}")
        if len(set(alive)) < len(alive):
            raise ValueError(f"two cubes cannot stand on one square, got {sides!r}")
        if not all(any(square >= 0 for square in side) for side in sides):
            raise ValueError(f"a game in which a side has no cube is over, got {sides!r}")
        if self.variant.last in sides[RED] or 0 in sides[BLUE]:
            raise ValueError(f"a game in which a cube has reached its goal is over, got {sides!r}")
        sides[BLUE] = [self.variant.last - square if square >= 0 else -1 for square in sides[BLUE]]
        own, opp = (side_word(side) for side in (sides[::-1] if self.first_ply % 2 else sides))
        return own, opp

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
        return None if self._over is None else ("goal", "elimination")[self._over]

    @property
    def words(self) -> tuple:
        """What kernels need: the side to move, the other one, the dice (uint64 each, see rules.py)."""
        own, opp = self._words[-1]
        if self.variant.name == "classic":
            return own, opp, U(self.die - self.variant.first)
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

    def _legal(self):
        """The kernel's choices, and the same as (cube, direction) pairs."""
        if self._found is None:
            choices = _choices(
                self.variant.code, self._words[-1][0], U(self.die - self.variant.first)
            )
            self._found = choices, moves_of(self.variant, self._words[-1][0], choices)
        return self._found

    def legal_moves(self) -> list[tuple[int, int]]:
        """The moves this ply, those of the lower cube first; empty once the game is over."""
        return [] if self._over is not None else list(self._legal()[1])

    def play(self, move) -> None:
        """Play a move; the game goes on from there."""
        if self._over is not None:
            raise ValueError(
                f"the game is over, {SIDES[self.winner]} has won by {self.by}; got the move {move!r}"
            )
        choices, moves = self._legal()
        try:
            index = moves.index(tuple(operator.index(part) for part in move))
        except (TypeError, ValueError):
            raise ValueError(
                f"{SIDES[self.mover]}'s legal moves (cube, direction) with die {self.die} are {moves}, got {move!r}"
            ) from None
        own, opp, target = _moved(self.variant.code, *self._words[-1], choices, U(index))
        if _is_over(self.variant.code, opp, target):
            self._over = int(not any(square >= 0 for square in side_squares(opp)))
        self._words.append((U(opp), U(own)))
        self._found = None
        self.history.append(moves[index])

    def undo(self) -> tuple[int, int]:
        """Take the last move back, and return it."""
        if not self.history:
            raise ValueError(f"there is no move to take back at ply {self.ply}")
        self._over = self._found = None
        self._words.pop()
        return self.history.pop()

    def __str__(self) -> str:
        from libewn.draw import board_text

        return board_text(self)

    def _repr_svg_(self) -> str:
        from libewn.draw import board_svg

        return board_svg(self)


_WAYS = {  # columns -> {difference of squares: direction}
    kind.columns: {down * kind.columns + right: n for n, (down, right) in enumerate(STEPS)}
    for kind in VARIANTS.values()
}


def moves_of(kind: Variant, own, choices) -> list[tuple[int, int]]:
    """The choices of a side as (cube, direction) pairs."""
    moves = []
    for index in range(int(choices.count)):
        place = int(choices.low if index < choices.split else choices.high)
        step = int(_target(choices, U(index))) - (int(own) >> place & 63)
        moves.append((place // 8 + kind.first, _WAYS[kind.columns][step]))
    return moves
