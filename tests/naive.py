"""Slow twins of lib2048, written from the rules in plain Python and meant to be read against them.

A board here is a list of 16 exponents, row-major, 0 for an empty cell. Weights are Python floats (double precision)
and sums are exactly rounded, so values agree with a float32 network to about 1e-6 relative, not to the last bit.
"""

import math
import re
import struct
from typing import NamedTuple

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
    return [list(cells[4 * r:4 * r + 4]) for r in range(4)]


def from_tiles(rows):
    """4x4 tiles such as 0, 2, 4, 8 -> 16 exponents."""
    return [tile.bit_length() - 1 if tile else 0 for tile in flat(rows)]


# The game

def slide_row_left(row):
    """Four exponents -> (the row after a slide to the left, reward): [1, 1, 1, 1] -> ([2, 2, 0, 0], 8).

    Equal neighbours merge once, the leftmost pair first; two 32768 stay apart.
    """
    tiles = [exponent for exponent in row if exponent]
    done, reward = [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile and tile < LARGEST:
            tiles.pop(0)
            tile += 1
            reward += 2 ** tile
        done.append(tile)
    return done + [0] * (4 - len(done)), reward


def lines(action):
    """The four lines of cells along which tiles move, each starting at the edge they move to."""
    starts = {UP: (0, 1, 2, 3), DOWN: (12, 13, 14, 15), LEFT: (0, 4, 8, 12), RIGHT: (3, 7, 11, 15)}[action]
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
    """Every spawn on an afterstate -> list of (probability, board), cell by cell, the 2 before the 4."""
    empty = empty_cells(after)
    return [(p / len(empty), place(after, cell, exponent)) for cell in empty for p, exponent in ((1 - p4, 1), (p4, 2))]


def rotate(cells):
    """A quarter turn clockwise: the left column, read upwards, becomes the top row."""
    return [cells[4 * (3 - c) + r] for r in range(4) for c in range(4)]


def reflect(cells):
    """Left and right exchanged."""
    return [cells[4 * r + 3 - c] for r in range(4) for c in range(4)]


def symmetries(cells):
    """The eight images: four rotations of the board, then four of its mirror image; the board itself is the first."""
    images = []
    for image in (list(cells), reflect(cells)):
        for _ in range(4):
            images.append(image)
            image = rotate(image)
    return images


# The network

def index(cells, pattern):
    """Natural index: sum of exponent(cell_j) << 4j, the first cell in the low nibble."""
    return sum(cells[cell] << (4 * j) for j, cell in enumerate(pattern))


class Network:
    """V(board) = the sum, over the images of the board and over the patterns, of table[pattern][index of the image].

    `init` is V of every board, so a weight starts at init/lookups. Tables are dicts of the weights changed so far.
    With `coherence` each weight keeps the sum of its errors and the sum of their absolute values.
    """

    def __init__(self, patterns, values="afterstate", init=0.0, symmetries=8, coherence=False):
        self.patterns = [tuple(pattern) for pattern in patterns]
        self.values, self.symmetries, self.coherence = values, symmetries, coherence
        self.lookups = symmetries * len(self.patterns)
        self.start = init / self.lookups
        self.tables = [{} for _ in self.patterns]
        self.sums = [{} for _ in self.patterns]

    def weight(self, k, i):
        """The weight of pattern k at natural index i."""
        return self.tables[k].get(i, self.start)

    def table(self, k):
        """All weights of pattern k in natural order."""
        return [self.weight(k, i) for i in range(16 ** len(self.patterns[k]))]

    def indices(self, cells):
        """The lookups of a board as (pattern number, index), a weight as often as it is looked up."""
        images = symmetries(cells)[:self.symmetries]
        return [(k, index(image, pattern)) for image in images for k, pattern in enumerate(self.patterns)]

    def value(self, cells):
        """V(board)."""
        return math.fsum(self.weight(k, i) for k, i in self.indices(cells))

    def update(self, cells, delta):
        """Add delta/lookups for each lookup, one after another, then return V read afresh.

        A weight that the board looks up n times gets n shares and counts n times in V: V moves by more than delta.
        """
        share = delta / self.lookups
        for k, i in self.indices(cells):
            self.tables[k][i] = self.weight(k, i) + share * self.rate(k, i, share)
        return self.value(cells)

    def rate(self, k, i, share):
        """|sum of errors| / sum of |errors| of a weight (1 while that is 0), read before this error joins both sums.

        The error of a weight is its share of the step, delta/lookups, all that `update` is told. Every lookup is an
        error of its own: a weight looked up twice reads its second rate after its first error has joined the sums.
        """
        if not self.coherence:
            return 1.0
        total, absolute = self.sums[k].get(i, (0.0, 0.0))
        self.sums[k][i] = (total + share, absolute + abs(share))
        return abs(total) / absolute if absolute else 1.0


# Choosing and searching

def state_value(network, cells):
    """V(s) as it counts in an expectation or a target: 0 for a dead board."""
    return 0.0 if is_dead(cells) else network.value(cells)


def mean_over_spawns(after, p4, value):
    """The mean of value(board) over the boards that a spawn makes of an afterstate."""
    return math.fsum(p * value(board) for p, board in successors(after, p4))


def best(values):
    """(Action of the largest value, the lowest action of equals; values). No action when all are nan."""
    legal = [action for action in ACTIONS if not math.isnan(values[action])]
    return (max(legal, key=lambda action: (values[action], -action)) if legal else None), values


def acceptable(values, tolerance=1e-5):
    """The actions a player may choose whose sums are rounded differently: all within a relative tolerance of the best.

    Images of one board have equal values here, but float32 sums of the same weights in another order can differ.
    """
    legal = [value for value in values if not math.isnan(value)]
    return [a for a in ACTIONS if values[a] >= max(legal) - tolerance * (1 + abs(max(legal)))] if legal else []


def choose(network, cells, p4=0.1):
    """(Best action, values of the four actions, nan where illegal): r + V(s'), or r + mean of V(s'') over spawns."""
    values = [math.nan] * 4
    for action in legal_actions(cells):
        after, reward = slide(cells, action)
        if network.values == "afterstate":
            values[action] = reward + network.value(after)
        else:
            values[action] = reward + mean_over_spawns(after, p4, lambda board: state_value(network, board))
    return best(values)


def expectimax(network, cells, plies=1, p4=0.1):
    """`choose` looking ahead over `plies` moves of the player, the best move after every spawn; dead boards give 0."""
    if plies == 1:
        return choose(network, cells, p4)

    def best_value(board):
        action, values = expectimax(network, board, plies - 1, p4)
        return 0.0 if action is None else values[action]

    values = [math.nan] * 4
    for action in legal_actions(cells):
        after, reward = slide(cells, action)
        values[action] = reward + mean_over_spawns(after, p4, best_value)
    return best(values)


# Learning from an episode

class Step(NamedTuple):
    """One move: state, action, reward, afterstate."""

    s: list
    a: int
    r: int
    after: list


def episode(boards, actions):
    """Boards s_0 .. s_T, the last one dead, and actions a_0 .. a_T-1 -> list of Steps, checked against the rules."""
    if len(boards) != len(actions) + 1 or not is_dead(boards[-1]):
        raise ValueError("an episode has one board more than actions, and its last board is dead")
    steps = []
    for s, a, following in zip(boards, actions, boards[1:]):
        after, r = slide(s, a)
        if r < 0 or following not in [board for _, board in successors(after)]:
            raise ValueError(f"action {a} does not lead from {s} to {following}")
        steps.append(Step(list(s), int(a), r, after))
    return steps


def afterstate_backward(network, steps, alpha):
    """target = 0; from the last move: error = target - V(s'), target = r + V(s') after its update."""
    target = 0.0
    for step in reversed(steps):
        error = target - network.value(step.after)
        target = step.r + network.update(step.after, alpha * error)


def state_backward(network, steps, alpha):
    """following = 0; from the last move: error = r + following - V(s), following = V(s) after its update."""
    following = 0.0
    for step in reversed(steps):
        error = step.r + following - network.value(step.s)
        following = network.update(step.s, alpha * error)


def afterstate_forward(network, steps, alpha):
    """Once the next move is known, V(s') learns r + V of the next s'; the last afterstate learns 0."""
    for step, following in zip(steps, steps[1:]):
        error = following.r + network.value(following.after) - network.value(step.after)
        network.update(step.after, alpha * error)
    network.update(steps[-1].after, alpha * (0.0 - network.value(steps[-1].after)))


def state_forward(network, steps, alpha):
    """Once the next state is known, V(s) learns r + V of the next s, which is 0 for the dead board at the end."""
    for t, step in enumerate(steps):
        following = network.value(steps[t + 1].s) if t + 1 < len(steps) else 0.0
        network.update(step.s, alpha * (step.r + following - network.value(step.s)))


def learn(network, steps, alpha, order="backward"):
    """The rule for the network's kind of value, applied to a recorded episode in place."""
    rules = {("afterstate", "backward"): afterstate_backward, ("afterstate", "forward"): afterstate_forward,
             ("state", "backward"): state_backward, ("state", "forward"): state_forward}
    rules[network.values, order](network, steps, alpha)


def random_game(rng, p4=0.1):
    """A game of random moves with a random.Random -> (boards, actions, rewards), the last board dead."""
    def spawn(cells):
        return place(cells, rng.choice(empty_cells(cells)), 2 if rng.random() < p4 else 1)

    boards, actions, rewards = [spawn(spawn([0] * 16))], [], []
    while not is_dead(boards[-1]):
        actions.append(rng.choice(legal_actions(boards[-1])))
        after, reward = slide(boards[-1], actions[-1])
        rewards.append(reward)
        boards.append(spawn(after))
    return boards, actions, rewards


# Statistics

def wilson(k, n, z=1.959963984540054):
    """Wilson's 95% interval for k successes in n trials; (0, 1) when nothing was tried."""
    if n == 0:
        return 0.0, 1.0
    p, scale = k / n, 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
    return max(0.0, centre - half), min(1.0, centre + half)


# Episodes of the 2048-Framework

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOVE = re.compile(r"(?:#([URDL])|([0-9A-F])([0-9A-Z]))(?:\[(\d+)\])?(?:\((\d+)\))?")


def read_episode(line):
    """One line of an episode file -> (boards s_0 .. s_T, actions, rewards), rebuilt by replaying its moves."""
    text = line.strip().split("|")[1]
    cells, boards, actions, rewards, position, turn = [0] * 16, [], [], [], 0, 0
    while position < len(text):
        move = MOVE.match(text, position)
        sliding = turn >= 2 and turn % 2 == 0
        if not move or bool(move[1]) != sliding:
            wanted = "a slide" if sliding else "a placement"
            raise ValueError(f"move {turn}: expected {wanted}, got {text[position:position + 8]}")
        if sliding:
            actions.append("URDL".index(move[1]))
            cells, reward = slide(cells, actions[-1])
            rewards.append(reward)
        else:
            reward, cell, exponent = 0, DIGITS.index(move[2]), DIGITS.index(move[3])
            if cells[cell] or not 1 <= exponent <= LARGEST:
                raise ValueError(f"move {turn}: no place for {move[0]}")
            cells = place(cells, cell, exponent)
            if turn >= 1:
                boards.append(cells)
        if reward != int(move[4] or 0):
            raise ValueError(f"move {turn}: reward {reward}, but the file says {move[4]}")
        position, turn = move.end(), turn + 1
    if len(boards) != len(actions) + 1:
        raise ValueError("an episode ends with a placement")
    return boards, actions, rewards


def format_episode(boards, actions, names="slide:place", winner="place", opened=0, closed=0, times=()):
    """Boards s_0 .. s_T and actions -> one line; the two tiles of s_0 in the order of their cells, times in ms."""
    def placed(before, board):
        return [(f"{DIGITS[i]}{DIGITS[board[i]]}", 0) for i in range(16) if board[i] != before[i]]

    moves = placed([0] * 16, boards[0])
    for s, action, following in zip(boards, actions, boards[1:]):
        after, reward = slide(s, action)
        moves += [("#" + "URDL"[action], reward)] + placed(after, following)
    times = list(times) + [0] * (len(moves) - len(times))
    text = "".join(code + (f"[{reward}]" if reward else "") + (f"({ms})" if ms else "")
                   for (code, reward), ms in zip(moves, times))
    return f"{names}@{opened}|{text}|{winner}@{closed}"


# Weight files, as bytes; tables are lists of weights in natural order

def digits(pattern):
    """Cells as hexadecimal digits: (8, 9, 10) -> '89a'."""
    return "".join(f"{cell:x}" for cell in pattern)


def floats(table):
    """Little-endian float32."""
    return struct.pack(f"<{len(table)}f", *table)


def sized(table):
    """A 64-bit count, then the weights."""
    return struct.pack("<Q", len(table)) + floats(table)


def demo_bytes(patterns, tables):
    """TDL2048-Demo's 2048.bin."""
    out = struct.pack("<Q", len(patterns))
    for pattern, table in zip(patterns, tables):
        name = f"{len(pattern)}-tuple pattern {digits(pattern)}".encode("ascii")
        out += struct.pack("<i", len(name)) + name + sized(table)
    return out


def reverse_digits(table):
    """The same weights with the first cell in the high nibble of the index instead of the low one, or back."""
    cells = (len(table).bit_length() - 1) // 4
    return [table[sum((i >> (4 * j) & 15) << (4 * (cells - 1 - j)) for j in range(cells))] for i in range(len(table))]


def framework_bytes(tables, count_bytes=4, first_cell="low"):
    """2048-Framework's weights.bin: the count takes 4 bytes from the C++ program, 8 from the Python one."""
    out = struct.pack({4: "<I", 8: "<Q"}[count_bytes], len(tables))
    return out + b"".join(sized(table if first_cell == "low" else reverse_digits(table)) for table in tables)


def tdl2048_bytes(patterns, tables, sums=None, naming="number"):
    """TDL2048's .w, naming a pattern by "number", by "old" number (without its length) or by "text".

    With temporal coherence `sums` holds, for each pattern, the table of summed errors and that of summed |errors|.
    """
    out = struct.pack("<BI", 0, len(patterns))
    for k, (pattern, table) in enumerate(zip(patterns, tables)):
        name = digits(pattern)
        number = struct.pack("<IHH", int(name, 16), len(name) if naming == "number" else 0, 0)
        out += struct.pack("<B", 4) + (name.ljust(8).encode("ascii") if naming == "text" else number)
        out += struct.pack("<H", 4) + sized(table)
        if sums is not None:
            out += struct.pack("<HQ", 4, 2 * len(table)) + floats(sums[k][0]) + floats(sums[k][1])
        out += struct.pack("<H", 0)
    return out
