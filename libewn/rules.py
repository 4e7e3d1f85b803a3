"""The rules in bits: all moves of a ply from two table lookups, captures without a branch.

A side is one 64-bit word. Byte k holds the square of its cube k, with bit 7 set once the cube is
captured; byte 6 holds NOWHERE. Squares are counted as the side itself sees them, from its own
corner: Red's own count is the board's, Blue's is the board turned by 180 degrees (square s is LAST
- s there). So both sides move right, down, down-right and up-right towards square LAST, and one
table serves both.

The dice of `tcg2023` are a second word, three bits a ply, the next in front; a ply rotates it, and
after 21 plies the 63 bits are back where they were. `classic` rolls a die every ply: its word is
the die, or UNROLLED before the roll.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from lib2048.kernels import kernel, uint64

CUBES = 6
TCG2023, CLASSIC = range(2)  # codes of the variants in kernels
HORIZONTAL, VERTICAL, DIAGONAL, ANTIDIAGONAL = range(4)
# (rows, columns) of each direction, seen from the mover's own corner.
STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1))


class Variant(NamedTuple):
    """What a variant of the game is made of."""

    name: str
    code: int
    rows: int
    columns: int
    directions: int  # the first so many of STEPS are allowed
    first: int  # the lowest number on a cube and on the die
    dice: int  # dice in an instance's line

    @property
    def last(self) -> int:
        """The square in the far corner, Red's goal."""
        return self.rows * self.columns - 1

    @property
    def starts(self) -> tuple[int, ...]:
        """Red's start squares, row by row; Blue's are LAST minus these."""
        return tuple(row * self.columns + column for row in range(3) for column in range(3 - row))


VARIANTS = {
    "tcg2023": Variant("tcg2023", TCG2023, 6, 7, 4, 0, 21),
    # A cube of `classic` moves at most 8 times, so that 96 dice last for every game.
    "classic": Variant("classic", CLASSIC, 5, 5, 3, 1, 96),
}

NOWHERE = uint64(63)  # a square from which nothing moves
DEAD = uint64(0x8080_8080_8080)  # bit 7 of the six cubes' bytes
SEVEN = uint64(0x7F7F_7F7F_7F7F)
EACH = uint64(0x0101_0101_0101)
# A word with bits 0, 8, .. 40, multiplied by this, has them side by side in bits 48 to 53.
GATHER = uint64(sum(1 << 48 - 7 * cube for cube in range(CUBES)))
SIX = uint64(0b11_1111)  # the six bits of a square
BYTE = uint64(0xFF)
LIST = uint64(0xFF_FFFF)  # the bits of four squares, a cube's targets
NO_CUBE = 8 * CUBES  # the bit place of byte 6, where NOWHERE stands
HOME = uint64(1 << 57)  # flag of a square with a move to LAST
TURNS = uint64(60)  # where the die of this ply goes in the line of 21
UNROLLED = uint64(7)
LASTS = np.array([variant.last for variant in VARIANTS.values()], np.uint64)


def _moves_table():
    """Where each square leads: uint64[variant, square].

    Target j stands in bits 6j to 6j + 5, for at most four of them; then the flag HOME; the number
    of targets in bits 58 to 60.
    """
    table = np.zeros((len(VARIANTS), 64), np.uint64)
    for variant in VARIANTS.values():
        for square in range(variant.last):  # nobody moves on from the last one
            targets = _targets(variant, square)
            word = len(targets) << 58
            for j, target in enumerate(targets):
                word |= target << 6 * j
            if variant.last in targets:
                word |= int(HOME)
            table[variant.code, square] = word
    return table


def _targets(variant, square):
    """The squares that a cube on this one may move to, in the order of STEPS."""
    row, column = divmod(square, variant.columns)
    targets = []
    for down, right in STEPS[: variant.directions]:
        is_on_board = 0 <= row + down < variant.rows and column + right < variant.columns
        if is_on_board:
            targets.append((row + down) * variant.columns + column + right)
    return targets


def _movers_table():
    """Which cubes may move: uint64[die << 6 | captured cubes].

    Bits 0 to 7 hold the bit place, in the side's word, of the one cube, bits 8 to 15 that of the
    other. Where only one may move, the second place is that of byte 6, NOWHERE.
    """
    table = np.full(8 << 6, NO_CUBE | NO_CUBE << 8, np.uint64)
    for die in range(CUBES):
        for captured in range(1 << CUBES):
            alive = [cube for cube in range(CUBES) if not captured >> cube & 1]
            places = [8 * cube for cube in _movable(die, alive)]
            places += [NO_CUBE] * (2 - len(places))
            table[die << 6 | captured] = places[0] | places[1] << 8
    return table


def _movable(die, alive):
    """The cubes that may move: the one on the die, or else its nearest neighbours in number."""
    if die in alive:
        return [die]
    lower = [cube for cube in alive if cube < die]
    higher = [cube for cube in alive if cube > die]
    return lower[-1:] + higher[:1]


MOVES = _moves_table()
MOVERS = _movers_table()


class Choices(NamedTuple):
    """The legal moves of a ply: move j goes to the square in bits 6j..6j+5 of `targets`.

    The first `split` of the `number` moves are those of the cube at bit place `low`, the others of
    the one at `high`.
    """

    targets: np.uint64  # and above them the flag HOME, when a move reaches the last square
    split: np.uint64
    number: np.uint64  # of moves
    low: np.uint64
    high: np.uint64


@kernel(forceinline=True)
def _choices(variant, own, die):
    """The legal moves of the side `own` with this die."""
    captured = (((own & DEAD) >> uint64(7)) * GATHER >> uint64(48)) & SIX
    movers = MOVERS[(die << uint64(6)) | captured]
    low = movers & BYTE
    high = movers >> uint64(8)
    moves_of_low = MOVES[variant, (own >> low) & SIX]
    moves_of_high = MOVES[variant, (own >> high) & SIX]
    split = moves_of_low >> uint64(58)
    home = (moves_of_low | moves_of_high) & HOME
    # The lists stand one behind the other, so that move j is found without asking whose it is.
    targets = (moves_of_low & LIST) | ((moves_of_high & LIST) << (uint64(6) * split))
    return Choices(targets | home, split, split + (moves_of_high >> uint64(58)), low, high)


@kernel(forceinline=True)
def _target(choices, index):
    """The square that move `index` goes to."""
    return (choices.targets >> (uint64(6) * index)) & SIX


@kernel(forceinline=True)
def _struck(side, square):
    """Bit 7 of the byte of each living cube on `square`: the byte that is zero in side ^ square."""
    difference = side ^ (square * EACH)
    return ~(((difference & SEVEN) + SEVEN) | difference) & DEAD


@kernel(forceinline=True)
def _moved(variant, own, opp, choices, index):
    """Both sides after move `index`: (own, opp, target).

    Whatever stood on the target is captured.
    """
    target = _target(choices, index)
    place = choices.low if index < choices.split else choices.high
    start = (own >> place) & SIX
    # Strike first: the cube that moves is not there yet, and must not strike itself.
    own = (own | _struck(own, target)) ^ ((start ^ target) << place)
    opp |= _struck(opp, LASTS[variant] - target)
    return own, opp, target


@kernel(forceinline=True)
def _is_over(variant, opp, target):
    """Whether a move to `target` that left the other side as `opp` has won the game."""
    return (target == LASTS[variant]) | ((opp & DEAD) == DEAD)


@kernel(forceinline=True)
def _turned(variant, dice):
    """The dice word of the next ply."""
    if variant == CLASSIC:
        return UNROLLED
    return (dice >> uint64(3)) | ((dice & uint64(7)) << TURNS)


@kernel(forceinline=True)
def _may_win(opp, choices):
    """Whether a move might win at once.

    It cannot where none reaches the last square and the other side has two cubes or more.
    """
    alive = ~opp & DEAD
    has_one_cube = (alive & (alive - uint64(1))) == uint64(0)
    return (choices.targets & HOME) | uint64(has_one_cube) != uint64(0)


@kernel()
def _winning_move(variant, opp, choices):
    """The first move that wins at once, or the number of moves when there is none (uint64)."""
    alive = ~opp & DEAD
    prey = NOWHERE  # the square of the other side's only cube
    if alive & (alive - uint64(1)) == uint64(0):
        for cube in range(CUBES):
            if alive >> uint64(8 * cube + 7) & uint64(1):
                prey = LASTS[variant] - ((opp >> uint64(8 * cube)) & SIX)
    for index in range(choices.number):
        target = _target(choices, uint64(index))
        if target == LASTS[variant] or target == prey:
            return uint64(index)
    return choices.number


def side_word(squares: Iterable[int]) -> np.uint64:
    """A side's word from the squares of its six cubes, as it sees them; -1 for a captured cube."""
    word = int(NOWHERE) << 48
    for cube, square in enumerate(squares):
        word |= (0x80 if square < 0 else square) << 8 * cube
    return uint64(word)


def side_squares(word: int | np.uint64) -> list[int]:
    """The squares of the six cubes in a side's word, -1 for a captured cube."""
    places = [int(word) >> 8 * cube & 255 for cube in range(CUBES)]
    return [-1 if place & 128 else place for place in places]


def dice_word(dice: Iterable[int]) -> np.uint64:
    """The dice word of `tcg2023`, from 21 dice of which the first is next."""
    return uint64(sum(int(die) << 3 * ply for ply, die in enumerate(dice)))
