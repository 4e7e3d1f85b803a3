"""Self-checks for learners: `check.slide(my_slide)` is True, or False and shows the first case that goes wrong.

Boards are 4x4 lists of exponents. Answers may be lists, tuples or arrays, of Python's or numpy's numbers. The value
functions handed out are 0 for a dead board, so it does not matter whether a learner asks for that.
"""

from itertools import product

import numpy as np

from lib2048 import board as game
from workbook.trial import _board, _cells, _check, _plain

MIXED = [[1, 1, 2, 0], [0, 1, 0, 1], [3, 3, 3, 4], [5, 0, 0, 5]]
TOP = [[1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]  # only DOWN moves something
EQUAL = [[2, 1, 1, 2], [1, 3, 3, 1], [1, 3, 3, 1], [2, 1, 1, 2]]  # all its images are one board
DEAD = [[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [2, 1, 2, 3]]
EMPTY = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
PATTERNS = [((0, 1, 4),), ((0, 1, 2), (6,)), ((4, 1, 0), (5, 9), (3,)), ((0, 1, 4), (9, 5, 10))]


def _boards(count, seed):
    """Random boards, full and sparse, of few and many kinds of tiles."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        tiles = rng.integers(1, rng.choice([3, 4, 6, 12]), (4, 4))
        yield (tiles * (rng.random((4, 4)) >= rng.choice([0, 0.3, 0.6]))).tolist()


def _values(low, step=0.125, top=None):
    """A value function: low + 0 to 511 steps as if at random, and 10,000 for boards with this top row."""

    def value(cells):
        board = _board(cells)
        if all(board >> 4 * cell & 15 for cell in range(16)) and not game.legal_actions(board):
            return 0.0
        return (
            low
            + step * (board * int(game.GOLDEN) >> 55 & 511)
            + (10_000.0 if _cells(board)[0] == top else 0.0)
        )

    return value


def _slide(cells, action):
    after, reward = game.slide(_board(cells), action)
    return _cells(after), reward


def _index(board, pattern):
    return sum((board >> 4 * cell & 15) << 4 * j for j, cell in enumerate(pattern))


def _tables(patterns, seed):
    """Weights that are multiples of 1/64, so that sums are the same in any order."""
    rng = np.random.default_rng(seed)
    return [
        (rng.integers(-640, 640, 16 ** len(pattern)) / 64).astype(np.float32)
        for pattern in patterns
    ]


def _update(cells, patterns, tables, delta=0.0):
    """V after delta / lookups is added to the weight of each lookup, in place."""
    lookups = [
        (k, _index(image, p))
        for image in game.symmetries(_board(cells))
        for k, p in enumerate(patterns)
    ]
    for k, i in lookups:
        tables[k][i] += delta / len(lookups)
    return sum(float(tables[k][i]) for k, i in lookups)


def _mean(after, value, p4):
    """The mean of value over the spawns on an afterstate."""
    board, p = _board(after), {1: 1 - p4, 2: p4}
    empty = [cell for cell in range(16) if not board >> 4 * cell & 15]
    return sum(p[e] * value(_cells(board | e << 4 * cell)) for cell in empty for e in p) / len(
        empty
    )


@_check
def slide_left(trial):
    """f(row) -> (row, reward): four exponents slid to the left, reward 0 when nothing moves."""
    told = {
        (1, 1, 1, 0): ": of three equal tiles the two at the wall merge",
        (1, 1, 2, 0): ": a tile that has just merged does not merge again",
        (15, 15, 0, 0): ": two 32768-tiles do not merge",
    }
    equal = [(e, e, 0, e) for e in range(1, 16)]
    for row in map(
        list, [*told, *equal, *product(range(5), repeat=4), *product((0, 1, 14, 15), repeat=4)]
    ):
        after, reward = _slide([row, *EMPTY[1:]], game.LEFT)
        trial.same(f"row {row}{told.get(tuple(row), '')}", [after[0], max(reward, 0)], row)


@_check
def slide(trial):
    """f(board, action) -> (board, reward); reward -1 and the same board when nothing moves."""
    large = [[15, 15, 0, 14], [15, 0, 0, 14], [0, 0, 0, 0], [1, 1, 1, 1]]
    for board, action in product(
        [TOP, MIXED, EQUAL, large, DEAD, EMPTY, *_boards(60, 1)], (3, 1, 0, 2)
    ):
        trial.same(
            f"action {action} ({game.ACTIONS[action]}) on {board}",
            list(_slide(board, action)),
            board,
            action,
        )


@_check
def symmetries(trial):
    """f(board) -> its 8 images, in any order; on a board that is its own mirror image some are equal."""

    def count(images):
        boards = [_board(image) for image in images]
        return {board: [_cells(board), boards.count(board)] for board in boards}

    for board in [TOP, MIXED, EQUAL, [[1, 0, 0, 1], *EMPTY[1:]], *_boards(20, 2)]:
        images = [_cells(image) for image in game.symmetries(_board(board))]
        trial.same(
            f"how often an image comes among the 8 of {board}",
            count(images),
            board,
            see=count,
            word="times",
        )


@_check
def index(trial):
    """f(board, pattern) -> int: the sum of exponent(cell_j) << 4j, the first cell in the low nibble."""
    patterns = [(0, 1, 4), (4, 1, 0), (13,), (0, 1, 2, 3, 4, 5), (9, 8, 2, 15, 6, 11, 12, 3)]
    for board, pattern in product(
        [MIXED, [[15, 10, 14, 9], *MIXED[1:]], *_boards(10, 3)], patterns
    ):
        right = _index(_board(board), pattern)
        trial.same(
            f"pattern {pattern}, expected {right} = {right:#x}, on {board}", right, board, pattern
        )


@_check
def estimate(trial):
    """f(board, patterns, tables) -> V: every pattern looked up in its table, on each of the 8 images."""
    for n, board in enumerate([MIXED, TOP, EQUAL, EMPTY, *_boards(20, 4)]):
        tables = _tables(patterns := PATTERNS[n % 4], seed=n)
        trial.same(
            f"patterns {patterns} on {board}",
            _update(board, patterns, tables),
            board,
            patterns,
            tables,
        )


@_check
def update(trial):
    """f(board, patterns, tables, delta) -> V after: each of the m lookups adds delta / m to its weight, in place.

    A weight that is looked up twice gets it twice and counts twice, so V of such a board moves by more than delta.
    """

    def parts(tables, V):
        weights = [(k, i, float(w)) for k, table in enumerate(tables) for i, w in enumerate(table)]
        return {f"weight {i:#x} of table {k}": w for k, i, w in weights} | {"V after": V}

    for n, board in enumerate([MIXED, TOP, EQUAL, EMPTY, *_boards(12, 5)]):
        patterns, delta = PATTERNS[n % 4], (12, -6, 0.75)[n % 3]
        tables, right = _tables(patterns, seed=n), _tables(patterns, seed=n)
        before, after = _update(board, patterns, right), _update(board, patterns, right, delta)
        what = f"delta {delta} moves V from {before:g} to {after:g}, patterns {patterns} on {board}"
        args, see = (
            (board, patterns, list(tables), delta),
            lambda V, tables=tables: parts(tables, V),
        )
        trial.same(what, parts(right, after), *args, see=see, change={2})


@_check
def spawn_mean(trial):
    """f(afterstate, value, p4) -> the mean of value over all spawns: a 2 with probability 1 - p4, a 4 with p4."""
    one = [[0, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [2, 1, 2, 1]]  # with a 2 it is dead
    spacious = [board for board in _boards(20, 6) if 0 in sum(board, [])]
    for n, board in enumerate([TOP, one, MIXED, EMPTY, one, *spacious]):
        value, p4 = _values(-20.0), (0.1, 0.25, 1.0, 0.2, 0.0)[n % 5]
        trial.same(f"p4 {p4} on {board}", _mean(board, value, p4), board, value, p4)


def _select(trial, p4s):
    """Cases for choosing by the afterstate's value (p4 None) and by the mean over spawns."""
    tie, other = [EMPTY[0], [0, 1, 0, 0], [0, 0, 2, 0], EMPTY[0]], [*EMPTY[1:], [4, 3, 2, 0]]
    for what, board, value in [
        ("reward and value both count", MIXED, _values(0.0)),
        ("only what moves something counts", TOP, _values(0.0, top=TOP[0])),
        ("all values lie below -1", MIXED, _values(-900.0)),
        ("a dead board has no action", DEAD, _values(0.0)),
        *(("a tie: the lowest action", board, _values(0.0, step=0.0)) for board in (tie, other)),
        *(
            ("values drawn at random", board, _values((0.0, -900.0)[n % 2]))
            for n, board in enumerate(_boards(40, 7))
        ),
    ]:
        p4 = p4s[trial.cases % len(p4s)]
        moves = {action: _slide(board, action) for action in game.legal_actions(_board(board))}
        worth = {
            a: r + (value(after) if p4 is None else _mean(after, value, p4))
            for a, (after, r) in moves.items()
        }
        best, *others = sorted(worth, key=lambda action, worth=worth: (-worth[action], action)) or [
            None
        ]
        if others and 0 < worth[best] - worth[others[0]] < 0.01:
            continue  # float32 could not tell
        sums = ", ".join(f"{game.ACTIONS[action]} {total:g}" for action, total in worth.items())
        more, known = ((value,), "") if p4 is None else ((value, p4), f", {p4 = }")
        trial.same(f"{what}{known}: {sums or 'no action'} on {board}", best, board, *more)


@_check
def select_afterstate(trial):
    """f(board, value) -> the action of the largest reward + value(afterstate), the lowest of equals; None when dead."""
    _select(trial, (None,))


@_check
def select_state(trial):
    """f(board, value, p4) -> the action of the largest reward + mean of value over spawns, chosen likewise."""
    _select(trial, (0.1, 1.0, 0.5, 0.0, 0.2))


@_check
def td0(trial):
    """f(V, s, r, s_next, alpha): V[s] moves by alpha (r + V[s_next] - V[s]), in place; the end, None, counts 0."""
    steps = [
        ("A", 4, "B", 0.5),
        ("A", 0, "C", 0.1),
        ("B", 8, None, 0.25),
        ("C", 0, None, 1.0),
        ("B", 2, "B", 0.5),
    ]
    for s, r, s_next, alpha in [
        *steps,
        ("C", 4, (), 0.5),
    ]:  # any state, such as (), that is not None is one
        V = {"A": 10.0, "B": 7.0, "C": -3.0, (): 24.0}
        V[s] = V.pop(s)  # to the end: that entry is drawn
        right = V | {s: V[s] + alpha * (r + (0.0 if s_next is None else V[s_next]) - V[s])}
        what = f"{V = }, {s = }, {r = }, {s_next = }, {alpha = }"
        trial.same(
            what,
            right,
            V,
            s,
            r,
            s_next,
            alpha,
            change={0},
            see=lambda _, V=V: {k: _plain(V[k]) for k in V},
        )


def _episode(trial, state):
    """Cases for learning backward from an episode."""
    for seed, (moves, alpha) in enumerate([(1, 0.5), (2, 1.0), (4, 0.1), (12, 0.25)]):
        rng, path = np.random.default_rng(seed), []
        board = game.new_board(rng)
        while legal := game.legal_actions(board):
            after, reward = game.slide(board, action := int(rng.choice(legal)))
            path.append((_cells(board), action, reward, _cells(after)))
            board = game.spawn(after, rng)
        path, following = path[-moves:], 0.0
        (value, update, right), network = _network(seed), _network(seed)
        for s, _, r, after in reversed(path):
            if state:
                following = update(s, alpha * (r + following - value(s)))
            else:
                following = r + update(after, alpha * (following - value(after)))
        steps = [f"move {t}: r = {step[2]}" for t, step in enumerate(path)]
        seen = dict(see=lambda _, log=network[2]: log, shown=steps, word="delta")
        trial.same(
            f"a path of {moves}, {alpha = }, the last learned first",
            right,
            path,
            *network[:2],
            alpha,
            **seen,
        )


def _network(seed, patterns=((0, 1, 4), (5,))):
    """(value, update, what was updated by how much) of a small network."""
    tables, log = _tables(patterns, seed), {}

    def update(board, delta):
        after = _update(board, patterns, tables, delta)
        log[f"update {len(log) + 1}"] = [_plain(board), _plain(delta)]
        return after

    return lambda board: _update(board, patterns, tables), update, log


@_check
def update_episode_afterstate(trial):
    """f(path, value, update, alpha): V(s') of each (s, a, r, s') of the path learned from the last one to the first."""
    _episode(trial, state=False)


@_check
def update_episode_state(trial):
    """f(path, value, update, alpha): V(s) of each (s, a, r, s') of the path learned from the last one to the first."""
    _episode(trial, state=True)


@_check
def win_rate(trial):
    """f(max_tiles, tile) -> the share of the games that reached the tile: whose largest tile is that or larger."""
    few, many = (
        [1024, 2048, 4096, 8192, 512],
        (2 ** np.random.default_rng(8).integers(8, 14, 50)).tolist(),
    )
    for tiles, tile in [(few, 2048), (few[:1], 2048), (few[1:4], 2048), (many, 512), (many, 4096)]:
        trial.same(
            f"games that reached {tile}",
            sum(one >= tile for one in tiles) / len(tiles),
            np.array(tiles),
            tile,
        )
