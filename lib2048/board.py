"""The game: a board in 64 bits, slides by table, spawns, symmetries.

Cell i (row by row, 0 top left, 15 bottom right) sits in bits 4i..4i+3 and holds the exponent of its tile: 0 is empty,
1 is a 2-tile, 2 a 4-tile, ... 15 a 32768-tile. A row is then 16 bits, so every possible row fits in a table of 65,536
entries: `ROWS[row]` says where the row slides to, left and right, and what reward that earns.

Whoever calls lib2048 has boards in this form. The fast loops play the same game on the same 64 bits in another order,
see planes.py.

Two 32768-tiles do not merge: four bits cannot hold the 65536 they would make.
"""

import numpy as np

from lib2048.kernels import U, _nth_bit, kernel
from lib2048.validate import check_action, check_board, check_p4

UP, RIGHT, DOWN, LEFT = range(4)
ACTIONS = ("up", "right", "down", "left")
LARGEST = 15  # exponent of the largest tile, 32768

ROW = U(0xFFFF)
LOW_BITS = U(0x1111_1111_1111_1111)  # the lowest bit of every cell
GOLDEN = U(
    0x9E37_79B9_7F4A_7C15
)  # 2**64 divided by the golden ratio: the step of the splitmix64 generator


def _slide_left_all(rows):
    """Slide each row (n x 4 exponents) left. Returns the new rows and their rewards."""
    tiles = np.zeros_like(rows)
    rewards = np.zeros(len(rows), np.uint64)
    count = np.zeros(len(rows), np.intp)  # tiles placed so far in each row
    open_ = np.zeros(len(rows), bool)  # whether the last tile placed may still merge
    every = np.arange(len(rows))
    for column in rows.T:
        last = tiles[every, np.maximum(count - 1, 0)]
        merge = open_ & (column > 0) & (column == last) & (column < LARGEST)
        tiles[every[merge], count[merge] - 1] += 1
        rewards[merge] += U(2) << column[merge]
        place = (column > 0) & ~merge
        tiles[every[place], count[place]] = column[place]
        count[place] += 1
        open_ = np.where(merge, False, np.where(place, True, open_))
    return tiles, rewards


def _row_table():
    """uint64[65536]: bits 0-15 the row slid left, bits 16-31 slid right, bits 32-63 the reward (the same for both)."""
    rows = np.arange(1 << 16, dtype=np.uint64)[:, None] >> np.array([0, 4, 8, 12], np.uint64) & U(
        15
    )
    left, reward = _slide_left_all(rows)
    right = _slide_left_all(rows[:, ::-1])[0][:, ::-1]
    packed = reward << U(32)
    for cell in range(4):
        packed |= left[:, cell] << U(4 * cell) | right[:, cell] << U(16 + 4 * cell)
    return packed


ROWS = _row_table()


@kernel(forceinline=True)
def _transpose(board):
    """The board mirrored at its main diagonal: rows become columns."""
    outer = U(0x0000_F0F0_0000_F0F0)
    board = (
        (board & U(0xF0F0_0F0F_F0F0_0F0F)) | ((board & outer) << U(12)) | ((board >> U(12)) & outer)
    )
    inner = U(0x0000_0000_FF00_FF00)
    return (
        (board & U(0xFF00_FF00_00FF_00FF)) | ((board & inner) << U(24)) | ((board >> U(24)) & inner)
    )


@kernel(forceinline=True)
def _slide_rows(board):
    """All four rows slid: (board slid left, board slid right, reward of either)."""
    a, b = ROWS[board & ROW], ROWS[(board >> U(16)) & ROW]
    c, d = ROWS[(board >> U(32)) & ROW], ROWS[board >> U(48)]
    left = (a & ROW) | ((b & ROW) << U(16)) | ((c & ROW) << U(32)) | (d << U(48))
    high = U(0xFFFF_0000)
    right = ((a & high) >> U(16)) | (b & high) | ((c & high) << U(16)) | ((d & high) << U(32))
    return left, right, (a >> U(32)) + (b >> U(32)) + (c >> U(32)) + (d >> U(32))


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
    board |= board >> U(1)
    board |= board >> U(2)
    return ~board & LOW_BITS


@kernel(forceinline=True)
def _count_bits(word):
    """How many bits of `word` are set (LLVM turns this into one instruction where there is one)."""
    word = word - ((word >> U(1)) & U(0x5555_5555_5555_5555))
    word = (word & U(0x3333_3333_3333_3333)) + ((word >> U(2)) & U(0x3333_3333_3333_3333))
    return (((word + (word >> U(4))) & U(0x0F0F_0F0F_0F0F_0F0F)) * U(0x0101_0101_0101_0101)) >> U(
        56
    )


@kernel()
def _largest_exponent(board):
    """The exponent of the largest tile."""
    best = U(0)
    while board:
        best = max(best, board & U(15))
        board >>= U(4)
    return best


@kernel(forceinline=True)
def _mix(word):
    """Scramble a 64-bit word (the finaliser of splitmix64, Steele, Lea and Flood 2014)."""
    word = (word ^ (word >> U(30))) * U(0xBF58_476D_1CE4_E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D0_49BB_1331_11EB)
    return word ^ (word >> U(31))


@kernel()
def _stream(seed, game):
    """The random state that game number `game` of a run with this seed starts from."""
    return _mix(_mix(U(seed) + GOLDEN) + U(game) * GOLDEN)


@kernel(forceinline=True)
def _spawn(afterstate, word, fours):
    """The afterstate with one more tile, from one random word.

    The word's upper half picks the empty cell, its lower half the tile: a 4 where it is below `fours` = p4 * 2**32.
    """
    empty = _empty_cells(afterstate)
    nth = ((word >> U(32)) * _count_bits(empty)) >> U(32)
    cell = _nth_bit(empty, nth)
    return afterstate | (cell << U(1) if (word & U(0xFFFF_FFFF)) < fours else cell)


@kernel()
def _first_board(state, fours):
    """A board with two tiles, from the two words after random state `state`."""
    return _spawn(_spawn(U(0), _mix(state + GOLDEN), fours), _mix(state + GOLDEN + GOLDEN), fours)


def fours_below(p4: float) -> np.uint64:
    """The threshold under which the lower half of a random word spawns a 4-tile."""
    return U(round(p4 * 2**32))


def slide(board: int, action: int) -> tuple[int, int]:
    """Slide a board: (afterstate, reward), or (the same board, -1) when nothing moves.

    >>> show(slide(from_tiles([[2, 2, 4, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]), LEFT)[0]).splitlines()[0]
    '    4     4     .     .'
    """
    board = check_board(board)
    afterstate, reward = _slide(board, check_action(action))
    return (int(board), -1) if afterstate == board else (int(afterstate), int(reward))


def legal_actions(board: int) -> list[int]:
    """The actions that move something, in ascending order; empty for a dead board."""
    board = check_board(board)
    return [action for action in range(4) if _slide(board, action)[0] != board]


def symmetries(board: int) -> list[int]:
    """The 8 images of a board: the 4 quarter turns (clockwise; the board itself first), then each mirrored."""
    cells = to_array(board)
    turns = [np.rot90(cells, -n) for n in range(4)]
    return [from_array(image) for image in turns + [turn[:, ::-1] for turn in turns]]


def spawn(board: int, rng: np.random.Generator, p4: float = 0.1) -> int:
    """The board with a new tile in a random empty cell: a 4 with probability p4, else a 2."""
    board, p4 = check_board(board), check_p4(p4)
    empty = [cell for cell in range(16) if not int(board) >> 4 * cell & 15]
    if not empty:
        raise ValueError(f"board {int(board):#018x} has no empty cell for a new tile")
    exponent = 2 if rng.random() < p4 else 1
    return int(board) | exponent << 4 * int(rng.choice(empty))


def new_board(rng: np.random.Generator, p4: float = 0.1) -> int:
    """A board as a game starts: two tiles."""
    return spawn(spawn(0, rng, p4), rng, p4)


def to_array(board: int) -> np.ndarray:
    """The board as a 4x4 array of exponents (int64)."""
    board = int(check_board(board))
    return np.array([board >> 4 * cell & 15 for cell in range(16)]).reshape(4, 4)


def _grid(rows) -> np.ndarray:
    try:
        return np.asarray(rows)
    except ValueError:
        raise ValueError(
            f"a board is 4 rows of 4 whole numbers, got rows of different lengths: {rows!r}"
        ) from None


def from_array(cells) -> int:
    """The board whose 4x4 exponents are `cells`."""
    array = _grid(cells)
    if array.shape != (4, 4) or array.dtype.kind not in "iu":
        raise ValueError(
            f"a board is 4 rows of 4 whole numbers, got shape {array.shape} of {array.dtype}: {cells!r}"
        )
    if array.min() < 0 or array.max() > LARGEST:
        bad = array[(array < 0) | (array > LARGEST)][0]
        raise ValueError(f"an exponent lies between 0 (empty) and 15 (a 32768-tile), got {bad}")
    return sum(int(exponent) << 4 * cell for cell, exponent in enumerate(array.flat))


def from_tiles(tiles) -> int:
    """The board whose tiles are written as in the game: [[2, 4, 8, 0], ...] with 0 for an empty cell."""
    exponents = {0: 0} | {2**exponent: exponent for exponent in range(1, LARGEST + 1)}
    array = _grid(tiles)
    bad = [tile for tile in array.flat if tile not in exponents]
    if bad:
        raise ValueError(f"a tile is 0 (empty) or a power of two from 2 to 32768, got {bad[0]!r}")
    return from_array(np.array([exponents[tile] for tile in array.flat], int).reshape(array.shape))


def show(board: int) -> str:
    """The board as four lines of text, a dot for an empty cell."""
    rows = to_array(board)
    return "\n".join("".join(f"{2**e if e else '.':>6}" for e in row)[1:] for row in rows.tolist())
