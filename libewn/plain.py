"""The game once more, in plain Python, for whoever cannot wait for numba, and for tests.

The agent has to answer seconds after it was started, on a machine that is busy with other work.
Loading numba can take longer than that. So the agent knows the rules by itself, in a few lines that
need nothing but Python, and plays by `quick_move` until the search is ready. Only the variant
`tcg2023` is here: its dice are known beforehand.

A square is (row, column) as the board shows it, a move (cube, direction).
"""

from collections.abc import Sequence

RED, BLUE = 0, 1
SIDES = ("Red", "Blue")
ROWS, COLUMNS = 6, 7
CUBES = 6
DICE = 21
RED_STARTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0))
BLUE_STARTS = ((3, 6), (4, 5), (4, 6), (5, 4), (5, 5), (5, 6))
GOALS = ((ROWS - 1, COLUMNS - 1), (0, 0))
# How Red moves, horizontally, vertically, diagonally and anti-diagonally: (rows, columns). Blue
# moves the other way.
STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1))
WON = 1_000

Square = tuple[int, int]
Move = tuple[int, int]


class Position:
    """A position of a game, which `play` changes.

    Parameters
    ----------
    red, blue : sequence of int
        The cubes on each side's start squares, row by row: a permutation of 0 to 5.
    dice : sequence of int
        The line of dice, which both sides know and which starts over when it ends.

    Examples
    --------
    >>> position = Position(range(6), range(6), [0] * 21)
    >>> position.legal_moves()
    [(0, 0), (0, 1), (0, 2)]
    >>> position.play((0, 2))
    >>> position.squares[RED][0], position.mover
    ((1, 1), 1)
    """

    def __init__(self, red: Sequence[int], blue: Sequence[int], dice: Sequence[int]):
        self.squares: list[dict[int, Square]] = [
            dict(zip(red, RED_STARTS, strict=True)),
            dict(zip(blue, BLUE_STARTS, strict=True)),
        ]
        self.dice = tuple(dice)
        self.ply = 0
        self.winner: int | None = None

    @property
    def mover(self) -> int:
        """Whose turn it is: RED (0) or BLUE (1)."""
        return self.ply % 2

    def copy(self) -> "Position":
        """A position that can be played on without changing this one."""
        other = Position.__new__(Position)
        other.squares = [dict(side) for side in self.squares]
        other.dice = self.dice
        other.ply = self.ply
        other.winner = self.winner
        return other

    def movable(self) -> list[int]:
        """The cubes that may move: the one on the die, else its nearest neighbours in number."""
        own = self.squares[self.mover]
        die = self.dice[self.ply % len(self.dice)]
        if die in own:
            return [die]
        lower = [cube for cube in own if cube < die]
        higher = [cube for cube in own if cube > die]
        return ([max(lower)] if lower else []) + ([min(higher)] if higher else [])

    def target(self, move: Move) -> Square:
        """The square that a move goes to; it may lie beside the board."""
        cube, direction = move
        row, column = self.squares[self.mover][cube]
        down, right = STEPS[direction]
        if self.mover == BLUE:
            return row - down, column - right
        return row + down, column + right

    def legal_moves(self) -> list[Move]:
        """The moves this ply, those of the lower cube first; empty once the game is over."""
        if self.winner is not None:
            return []
        moves = [(cube, direction) for cube in self.movable() for direction in range(len(STEPS))]
        return [move for move in moves if _is_on_board(self.target(move))]

    def play(self, move: Move) -> None:
        """Make a move: whatever stands on its target is captured, cubes of the own side included.

        Raises
        ------
        ValueError
            If the move is not legal.
        """
        legal = self.legal_moves()
        if move not in legal:
            raise ValueError(
                f"{SIDES[self.mover]}'s legal moves (cube, direction) are {legal}, got {move!r}"
            )
        target = self.target(move)
        mover = self.mover
        for side in self.squares:
            for cube in [cube for cube, square in side.items() if square == target]:
                del side[cube]
        self.squares[mover][move[0]] = target
        self.ply += 1
        if target == GOALS[mover] or not self.squares[1 - mover]:
            self.winner = mover

    def distance(self, side: int) -> int:
        """The fewest moves that a cube of this side is away from its goal."""
        goal_row, goal_column = GOALS[side]
        squares = self.squares[side].values()
        return min(max(abs(goal_row - row), abs(goal_column - column)) for row, column in squares)


def _is_on_board(square: Square) -> bool:
    row, column = square
    return 0 <= row < ROWS and 0 <= column < COLUMNS


def worth(position: Position, side: int) -> int:
    """How good a position seems for a side: how many moves it is ahead on the way to its goal."""
    if position.winner is not None:
        return WON if position.winner == side else -WON
    return position.distance(1 - side) - position.distance(side)


def quick_move(position: Position) -> Move:
    """A sensible move, found in a few milliseconds by looking two plies ahead.

    Of equally good moves the first is taken, those of the lower cube before those of the higher.

    Parameters
    ----------
    position : Position
        A position in which there is a move.

    Returns
    -------
    tuple of int
        The cube and the direction.

    Examples
    --------
    >>> quick_move(Position(range(6), range(6), [0] * 21))
    (0, 0)
    """
    mover = position.mover

    def after_best_reply(move: Move) -> int:
        after = position.copy()
        after.play(move)
        if after.winner is not None:
            return WON
        replies = []
        for reply in after.legal_moves():
            ended = after.copy()
            ended.play(reply)
            replies.append(worth(ended, mover))
        return min(replies)

    return max(position.legal_moves(), key=after_best_reply)
