"""The game: a board in 64 bits, slides by table, new tiles, symmetries.

Cell i (row by row, 0 top left, 15 bottom right) sits in bits 4i..4i+3 and holds the exponent of its
tile: 0 is empty, 1 is a 2-tile, 2 a 4-tile, ... 15 a 32768-tile. A row is then 16 bits, so every
possible row fits in a table of 65,536 entries: `ROWS[row]` says where the row slides to, left and
right, and what reward that earns.

Two 32768-tiles do not merge: four bits cannot hold the 65536 they would make.

The file has three parts: the table of rows, the kernels (`_name`), which work on words and do what
they are told, and the public functions, which check what they are given. Everybody outside the
package has boards in this form. The fast engine plays the same game on the same 64 bits in another
order, see fast/planes.py.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib2048.kernels import kernel, uint64
from lib2048.random_words import GOLDEN, mix
from lib2048.validate import check_action, check_board, check_p4, check_rng, on_one_line

UP, RIGHT, DOWN, LEFT = range(4)
ACTIONS = ("up", "right", "down", "left")
LARGEST = 15  # the exponent of the largest tile, 32768

ROW = uint64(0xFFFF)  # the bits of the top row
CELL = uint64(0xF)  # the bits of the first cell
LOW_BITS = uint64(0x1111_1111_1111_1111)  # the lowest bit of every cell


# The table of rows


def _slide_rows_left(rows):
    """Slide each row left, by the rules (n x 4 exponents). Returns the new rows and their rewards.

    It takes the tiles of all rows in step, from the first column to the last. A tile merges with
    the tile placed before it if they are equal and that one has not merged itself; otherwise it is
    placed beside it.
    """
    slid = np.zeros_like(rows)
    rewards = np.zeros(len(rows), np.uint64)
    placed = np.zeros(len(rows), np.intp)  # how many tiles each row has so far
    may_merge = np.zeros(len(rows), bool)  # whether the last of them has not merged yet
    every_row = np.arange(len(rows))
    for column in rows.T:
        last = slid[every_row, np.maximum(placed - 1, 0)]
        is_tile = column > 0
        merges = is_tile & may_merge & (column == last) & (column < LARGEST)
        slid[every_row[merges], placed[merges] - 1] += 1
        rewards[merges] += uint64(2) << column[merges]
        stays = is_tile & ~merges
        slid[every_row[stays], placed[stays]] = column[stays]
        placed[stays] += 1
        may_merge = (may_merge | stays) & ~merges
    return slid, rewards


def _row_table():
    """uint64[65536]: bits 0-15 the row slid left, 16-31 slid right, 32-63 the reward of either."""
    codes = np.arange(1 << 16, dtype=np.uint64)
    rows = np.stack([(codes >> 4 * cell) & CELL for cell in range(4)], axis=1)
    left, rewards = _slide_rows_left(rows)
    mirrored, _ = _slide_rows_left(rows[:, ::-1])
    right = mirrored[:, ::-1]
    table = rewards << 32
    for cell in range(4):
        table |= left[:, cell] << 4 * cell
        table |= right[:, cell] << 16 + 4 * cell
    return table


ROWS = _row_table()


# Kernels


@kernel(forceinline=True)
def _transpose(board):
    """The board mirrored at its main diagonal: rows become columns.

    First within each block of 2 x 2 cells, then the blocks among themselves (Warren, Hacker's
    Delight, 7-3).
    """
    upper_right = uint64(0x0000_F0F0_0000_F0F0)
    diagonal = uint64(0xF0F0_0F0F_F0F0_0F0F)
    moved_down = (board & upper_right) << 12
    moved_up = (board >> 12) & upper_right
    board = (board & diagonal) | moved_down | moved_up

    upper_right = uint64(0x0000_0000_FF00_FF00)
    diagonal = uint64(0xFF00_FF00_00FF_00FF)
    moved_down = (board & upper_right) << 24
    moved_up = (board >> 24) & upper_right
    return (board & diagonal) | moved_down | moved_up


@kernel(forceinline=True)
def _slide_rows(board):
    """All four rows slid: (board slid left, board slid right, reward of either)."""
    left = uint64(0)
    right = uint64(0)
    reward = uint64(0)
    for row in range(4):
        place = 16 * row
        entry = ROWS[(board >> place) & ROW]
        left |= (entry & ROW) << place
        right |= ((entry >> 16) & ROW) << place
        reward += entry >> 32
    return left, right, reward


@kernel()
def _slide(board, action):
    """(afterstate, reward) of one action; the board itself and reward 0 when nothing moves."""
    if action in (UP, DOWN):
        up, down, reward = _slide_rows(_transpose(board))
        return (_transpose(up), reward) if action == UP else (_transpose(down), reward)
    left, right, reward = _slide_rows(board)
    return (left, reward) if action == LEFT else (right, reward)


@kernel()
def _is_dead(board):
    """Whether no action moves anything."""
    left, right, _ = _slide_rows(board)
    turned = _transpose(board)
    up, down, _ = _slide_rows(turned)
    return left == board and right == board and up == turned and down == turned


@kernel(forceinline=True)
def _empty_cells(board):
    """A word with the lowest bit of every empty cell set."""
    board |= board >> 1
    board |= board >> 2
    return ~board & LOW_BITS


@kernel(forceinline=True)
def _lowest_bit(word):
    """The lowest bit that is set in `word`, alone."""
    return word & (~word + uint64(1))


@kernel(forceinline=True)
def _count_bits(word):
    """How many bits of `word` are set: in pairs, in fours, in bytes, then in all of them.

    LLVM knows this way of counting, and makes one instruction of it where there is one.
    """
    pairs = uint64(0x5555_5555_5555_5555)
    fours = uint64(0x3333_3333_3333_3333)
    bytes_ = uint64(0x0F0F_0F0F_0F0F_0F0F)
    ones = uint64(0x0101_0101_0101_0101)
    word -= (word >> 1) & pairs
    word = (word & fours) + ((word >> 2) & fours)
    word = (word + (word >> 4)) & bytes_
    return (word * ones) >> 56


@kernel()
def _largest_exponent(board):
    """The exponent of the largest tile."""
    largest = uint64(0)
    while board:
        largest = max(largest, board & CELL)
        board >>= 4
    return largest


@kernel(forceinline=True)
def _spawn(afterstate, word, fours):
    """The afterstate with one more tile, from one random word.

    The word's upper half picks the empty cell, its lower half the tile: a 4 where it is below
    `fours` = p4 * 2**32.
    """
    empty = _empty_cells(afterstate)
    # The upper half is a fraction of 2**32; of the empty cells, so many are skipped.
    skipped = ((word >> 32) * _count_bits(empty)) >> 32
    for _ in range(skipped):
        empty ^= _lowest_bit(empty)
    two = _lowest_bit(empty)
    is_four = (word & uint64(0xFFFF_FFFF)) < fours
    return afterstate | (two << 1 if is_four else two)


@kernel()
def _first_board(random, fours):
    """A board with two tiles, from the two words after state `random`."""
    one_tile = _spawn(uint64(0), mix(random + GOLDEN), fours)
    return _spawn(one_tile, mix(random + GOLDEN + GOLDEN), fours)


@kernel()
def _opening(random, starts, fours):
    """What a game begins with: one of the boards `starts`, each equally likely, or two new tiles.

    There are two new tiles where `starts` holds no board. Either way the first two words after
    state `random` are for the first board, and the third is for the first move.
    """
    count = uint64(len(starts))
    if count == uint64(0):
        return _first_board(random, fours)
    drawn = ((mix(random + GOLDEN) >> 32) * count) >> 32
    return starts[drawn]


@kernel()
def least_reward(exponent):
    """The least that a move earns after which there may be a tile of an exponent (uint64).

    So nobody need look for the tile after moves that earn less. A tile from 8 on is made by a merge
    that earns as much as it says (and several smaller ones may earn as much). A 2 or a 4 may simply
    appear, after a move that earns nothing.
    """
    return uint64(1) << exponent if exponent > uint64(2) else uint64(0)


def fours_below(p4: float) -> np.uint64:
    """The number under which the lower half of a random word spawns a 4-tile."""
    return uint64(round(p4 * 2**32))


# Public functions


def slide(board: int, action: int) -> tuple[int, int]:
    """Slide a board.

    Parameters
    ----------
    board : int
        The board, 64 bits.
    action : int
        UP, RIGHT, DOWN or LEFT.

    Returns
    -------
    afterstate : int
        The board after the slide, before a new tile appears.
    reward : int
        The sum of the merged tiles. It is -1, and the board unchanged, when nothing moves.

    Raises
    ------
    ValueError
        For what is no board or no action.

    Examples
    --------
    >>> board = from_tiles([[2, 2, 4, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
    >>> afterstate, reward = slide(board, LEFT)
    >>> print(show(afterstate))
        4     4     .     .
        .     .     .     .
        .     .     .     .
        2     .     .     .
    >>> reward
    4
    """
    word = check_board(board)
    afterstate, reward = _slide(word, check_action(action))
    if afterstate == word:
        return int(word), -1
    return int(afterstate), int(reward)


def legal_actions(board: int) -> list[int]:
    """The actions that move something.

    Parameters
    ----------
    board : int
        The board, 64 bits.

    Returns
    -------
    list of int
        In ascending order; empty for a dead board.

    Raises
    ------
    ValueError
        For what is no board.

    Examples
    --------
    >>> legal_actions(from_tiles([[2, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    [1, 2]
    """
    word = check_board(board)
    return [action for action in range(4) if _slide(word, action)[0] != word]


def symmetries(board: int) -> list[int]:
    """The 8 images of a board under turning and mirroring.

    Parameters
    ----------
    board : int
        The board, 64 bits.

    Returns
    -------
    list of int
        The 4 quarter turns, clockwise and the board itself first, then each of them mirrored. A
        symmetric board has equal images.

    Raises
    ------
    ValueError
        For what is no board.

    Examples
    --------
    >>> [hex(image) for image in symmetries(0x21)][:2]
    ['0x21', '0x20001000']
    """
    cells = to_array(board)
    turns = [np.rot90(cells, -quarters) for quarters in range(4)]
    mirrored = [turn[:, ::-1] for turn in turns]
    return [from_array(image) for image in turns + mirrored]


def spawn(board: int, rng: np.random.Generator, p4: float = 0.1) -> int:
    """The board with a new tile in a random empty cell.

    Parameters
    ----------
    board : int
        The board, 64 bits.
    rng : numpy.random.Generator
        Where the chance comes from.
    p4 : float
        The probability that the tile is a 4; otherwise it is a 2.

    Returns
    -------
    int
        The new board.

    Raises
    ------
    ValueError
        For what is no board, for a full board, for an rng that is none, and for a p4 that is no
        probability.

    Examples
    --------
    >>> print(show(spawn(0, np.random.default_rng(seed=1))))
        .     .     .     .
        .     .     .     .
        .     .     .     .
        2     .     .     .
    """
    cells = int(check_board(board))
    rng = check_rng(rng)
    p4 = check_p4(p4)
    empty = [cell for cell in range(16) if not (cells >> 4 * cell) & 15]
    if not empty:
        raise ValueError(f"board {cells:#018x} has no empty cell for a new tile")
    exponent = 2 if rng.random() < p4 else 1
    cell = int(rng.choice(empty))
    return cells | exponent << 4 * cell


def new_board(rng: np.random.Generator, p4: float = 0.1) -> int:
    """A board as a game starts, with two tiles.

    Parameters
    ----------
    rng : numpy.random.Generator
        Where the chance comes from.
    p4 : float
        The probability that a tile is a 4; otherwise it is a 2.

    Returns
    -------
    int
        The board.

    Raises
    ------
    ValueError
        For an rng that is none, and for a p4 that is no probability.

    Examples
    --------
    >>> sorted(to_array(new_board(np.random.default_rng(seed=1))).ravel().tolist())[-2:]
    [1, 1]
    """
    return spawn(spawn(0, rng, p4), rng, p4)


def to_array(board: int) -> np.ndarray:
    """The board as an array of exponents.

    Parameters
    ----------
    board : int
        The board, 64 bits.

    Returns
    -------
    numpy.ndarray
        4 x 4, int64: 0 for an empty cell, 1 for a 2-tile, 2 for a 4-tile.

    Raises
    ------
    ValueError
        For what is no board.

    Examples
    --------
    >>> to_array(0x21)[0].tolist()
    [1, 2, 0, 0]
    """
    word = int(check_board(board))
    exponents = [(word >> 4 * cell) & 15 for cell in range(16)]
    return np.array(exponents).reshape(4, 4)


def _grid(rows: ArrayLike, kinds: str) -> np.ndarray:
    """Four rows of four numbers of these kinds (as numpy's dtype.kind), or a ValueError."""
    try:
        array = np.asarray(rows)
    except ValueError:
        raise ValueError(
            "a board is 4 rows of 4 whole numbers, "
            f"got rows of different lengths: {on_one_line(rows)}"
        ) from None
    if array.shape != (4, 4) or array.dtype.kind not in kinds:
        raise ValueError(
            "a board is 4 rows of 4 whole numbers, "
            f"got shape {array.shape} of {array.dtype}: {on_one_line(rows)}"
        )
    return array


def from_array(cells: ArrayLike) -> int:
    """The board with these exponents.

    Parameters
    ----------
    cells : array_like of int
        4 x 4 exponents from 0 to 15, as `to_array` gives them.

    Returns
    -------
    int
        The board, 64 bits.

    Raises
    ------
    ValueError
        For another shape, for numbers that are not whole, and for exponents that no tile has.

    Examples
    --------
    >>> hex(from_array([[1, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 15]]))
    '0xf000000000000021'
    """
    array = _grid(cells, "iu")
    outside = (array < 0) | (array > LARGEST)
    if outside.any():
        raise ValueError(
            f"an exponent lies between 0 (empty) and 15 (a 32768-tile), got {array[outside][0]}"
        )
    return sum(int(exponent) << 4 * cell for cell, exponent in enumerate(array.flat))


def from_tiles(tiles: ArrayLike) -> int:
    """The board whose tiles are written as in the game.

    Parameters
    ----------
    tiles : array_like of int
        4 x 4 tiles: [[2, 4, 8, 0], ...], with 0 for an empty cell.

    Returns
    -------
    int
        The board, 64 bits.

    Raises
    ------
    ValueError
        For another shape, for what is not a number, and for numbers that no tile has.

    Examples
    --------
    >>> hex(from_tiles([[2, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 32768]]))
    '0xf000000000000021'
    """
    exponents = {0: 0}
    for exponent in range(1, LARGEST + 1):
        exponents[2**exponent] = exponent
    written = _grid(tiles, "iuf").ravel().tolist()
    wrong = [tile for tile in written if tile not in exponents]
    if wrong:
        raise ValueError(f"a tile is 0 (empty) or a power of two from 2 to 32768, got {wrong[0]!r}")
    cells = [exponents[tile] for tile in written]
    return from_array(np.reshape(cells, (4, 4)))


def show(board: int) -> str:
    """The board as text.

    Parameters
    ----------
    board : int
        The board, 64 bits.

    Returns
    -------
    str
        Four lines, a dot for an empty cell.

    Raises
    ------
    ValueError
        For what is no board.

    Examples
    --------
    >>> print(show(from_tiles([[2, 4, 8, 0], [0] * 4, [0] * 4, [0, 0, 0, 1024]])))
        2     4     8     .
        .     .     .     .
        .     .     .     .
        .     .     .  1024
    """
    lines = []
    for row in to_array(board).tolist():
        tiles = [str(2**exponent) if exponent else "." for exponent in row]
        lines.append(" ".join(tile.rjust(5) for tile in tiles))
    return "\n".join(lines)
