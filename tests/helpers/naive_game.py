"""Slow twin of the game, written from the rules in plain Python and meant to be read against them.

A board here is a list of 16 exponents, row-major, 0 for an empty cell.
"""

UP, RIGHT, DOWN, LEFT = range(4)
ACTIONS = (UP, RIGHT, DOWN, LEFT)
LARGEST = 15  # the exponent of 32768, the last that fits four bits


# Boards


def to_cells(board):
    """64-bit board -> 16 exponents."""
    return [(int(board) >> (4 * i)) & 15 for i in range(16)]


def to_board(cells):
    """16 exponents -> 64-bit board."""
    return sum(exponent << (4 * i) for i, exponent in enumerate(cells))


def flat(rows):
    """4x4 exponents -> 16 exponents."""
    return [exponent for row in rows for exponent in row]


def to_rows(cells):
    """16 exponents -> 4x4 exponents."""
    return [list(cells[4 * r : 4 * r + 4]) for r in range(4)]


def from_tiles(rows):
    """4x4 tiles such as 0, 2, 4, 8 -> 16 exponents."""
    return [tile.bit_length() - 1 if tile else 0 for tile in flat(rows)]


# The game


def slide_row_left(row):
    """Four exponents -> (the row slid to the left, reward): [1, 1, 1, 1] -> ([2, 2, 0, 0], 8).

    Equal neighbours merge once, the leftmost pair first; two 32768 stay apart.
    """
    tiles = [exponent for exponent in row if exponent]
    done, reward = [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile and tile < LARGEST:
            tiles.pop(0)
            tile += 1
            reward += 2**tile
        done.append(tile)
    return done + [0] * (4 - len(done)), reward


def lines(action):
    """The four lines of cells along which tiles move, each starting at the edge they move to."""
    starts = {UP: (0, 1, 2, 3), DOWN: (12, 13, 14, 15), LEFT: (0, 4, 8, 12), RIGHT: (3, 7, 11, 15)}[
        action
    ]
    step = {UP: 4, DOWN: -4, LEFT: 1, RIGHT: -1}[action]
    return [[start + step * j for j in range(4)] for start in starts]


def slide(cells, action):
    """Board and action -> (afterstate, reward); the same board and -1 when nothing moves."""
    after, total = list(cells), 0
    for line in lines(action):
        row, reward = slide_row_left([cells[i] for i in line])
        total += reward
        for i, exponent in zip(line, row):
            after[i] = exponent
    return (after, total) if after != list(cells) else (list(cells), -1)


def legal_actions(cells):
    """The actions that move something, in ascending order."""
    return [action for action in ACTIONS if slide(cells, action)[1] >= 0]


def is_dead(cells):
    """No action moves anything."""
    return not legal_actions(cells)


def empty_cells(cells):
    """The empty cells, in ascending order."""
    return [i for i in range(16) if cells[i] == 0]


def place(cells, cell, exponent):
    """A copy of the board with one more tile."""
    return [exponent if i == cell else cells[i] for i in range(16)]


def successors(after, p4=0.1):
    """Every spawn on an afterstate -> list of (probability, board), by cell, the 2 before the 4."""
    empty = empty_cells(after)
    return [
        (p / len(empty), place(after, cell, exponent))
        for cell in empty
        for p, exponent in ((1 - p4, 1), (p4, 2))
    ]


def rotate(cells):
    """A quarter turn clockwise: the left column, read upwards, becomes the top row."""
    return [cells[4 * (3 - c) + r] for r in range(4) for c in range(4)]


def reflect(cells):
    """Left and right exchanged."""
    return [cells[4 * r + 3 - c] for r in range(4) for c in range(4)]


def symmetries(cells):
    """The eight images: the board and its rotations, then its mirror image and those of it."""
    images = []
    for image in (list(cells), reflect(cells)):
        for _ in range(4):
            images.append(image)
            image = rotate(image)
    return images


# Random games


def random_game(rng, p4=0.1):
    """A game of random moves with a random.Random -> (boards, actions, rewards)."""

    def spawn(cells):
        return place(cells, rng.choice(empty_cells(cells)), 2 if rng.random() < p4 else 1)

    boards, actions, rewards = [spawn(spawn([0] * 16))], [], []
    while not is_dead(boards[-1]):
        actions.append(rng.choice(legal_actions(boards[-1])))
        after, reward = slide(boards[-1], actions[-1])
        rewards.append(reward)
        boards.append(spawn(after))
    return boards, actions, rewards


GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio, to the nearest odd number
WORD = 2**64


def scramble(word):
    """The finaliser of splitmix64 as its authors print it, on integers cut to 64 bits."""
    word %= WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


class Stream:
    """The random words of game n of a run, splitmix64 from (seed, n) alone, and their spawns."""

    def __init__(self, seed, game, p4=0.1):
        self.state, self.p4 = scramble(scramble(seed + GOLDEN) + game * GOLDEN), p4

    def word(self):
        """The next 64 random bits."""
        self.state = (self.state + GOLDEN) % WORD
        return scramble(self.state)

    def spawn(self, after):
        """One word a spawn: its upper half, a fraction, picks the cell, its lower half the tile."""
        high, low = divmod(self.word(), 2**32)
        empty = empty_cells(after)
        return place(after, empty[high * len(empty) // 2**32], 2 if low < self.p4 * 2**32 else 1)

    def first_board(self):
        """An empty board with two spawns."""
        return self.spawn(self.spawn([0] * 16))
