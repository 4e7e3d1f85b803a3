"""Self-checks for learners: `check.slide(my_slide)` says whether it is right, or shows what is not.

Each check is made from a function that yields cases, from the plainest to the rarest; the first
that goes wrong is shown. Boards are 4x4 lists of exponents. Answers may be lists, tuples or arrays,
of Python's or numpy's numbers. The value functions handed out are 0 for a dead board, so it does
not matter whether a learner asks for that.

Whoever adds an exercise also names its function in listings.py (WORKERS), for the report, and adds
right and wrong answers to tests/helpers.
"""

import functools
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from lib2048 import board as game
from workbook.answers import board_of, cells_of, plain
from workbook.trial import Case, verdict

EMPTY_ROW = [0, 0, 0, 0]
EMPTY = [EMPTY_ROW, EMPTY_ROW, EMPTY_ROW, EMPTY_ROW]
MIXED = [[1, 1, 2, 0], [0, 1, 0, 1], [3, 3, 3, 4], [5, 0, 0, 5]]
TOP = [[1, 2, 3, 4], EMPTY_ROW, EMPTY_ROW, EMPTY_ROW]  # only DOWN moves something
EQUAL = [[2, 1, 1, 2], [1, 3, 3, 1], [1, 3, 3, 1], [2, 1, 1, 2]]  # all its images are one board
DEAD = [[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [2, 1, 2, 3]]
NARROW = [[0, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [2, 1, 2, 1]]  # with a 2 in its gap it is dead
PATTERNS = [
    ((0, 1, 4),),
    ((0, 1, 2), (6,)),
    ((4, 1, 0), (5, 9), (3,)),
    ((0, 1, 4), (9, 5, 10)),
]

EXERCISES: dict[str, Callable[[], Iterator[Case]]] = {}


def passes(name: str, function) -> bool:
    """Whether a function is right, without a word.

    Parameters
    ----------
    name
        The name of a check, such as ``"slide"``.
    function
        The function to try.

    Raises
    ------
    ValueError
        If there is no check of this name.

    Examples
    --------
    >>> passes("win_rate", lambda max_tiles, tile: (max_tiles >= tile).mean())
    True
    """
    if name not in EXERCISES:
        raise ValueError(f"there are checks for {', '.join(EXERCISES)}, got {name!r}")
    return verdict(EXERCISES[name], function).right


def _exercise(cases):
    """Make the public check of an exercise from the function that yields its cases."""

    @functools.wraps(cases)
    def check(function) -> None:
        text = f"{cases.__name__}: {verdict(cases, function).text}"
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        print(text.encode(encoding, "backslashreplace").decode(encoding))

    EXERCISES[cases.__name__] = cases
    return check


# What cases are made of


def _random_boards(count: int, seed: int) -> Iterator[list]:
    """Random boards, full and sparse, of few and many kinds of tiles."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        tiles = rng.integers(1, rng.choice([3, 4, 6, 12]), (4, 4))
        filled = rng.random((4, 4)) >= rng.choice([0, 0.3, 0.6])
        yield (tiles * filled).tolist()


def _is_dead(board: int) -> bool:
    is_full = all(board >> 4 * cell & 15 for cell in range(16))
    return is_full and not game.legal_actions(board)


def _values(low: float, step: float = 0.125, liked_row=None) -> Callable:
    """A value function: low + 0 to 511 steps as if at random.

    Boards whose top row is the liked one are worth 10,000 more.
    """

    def value(cells):
        board = board_of(cells)
        if _is_dead(board):
            return 0.0
        bonus = 10_000.0 if cells_of(board)[0] == liked_row else 0.0
        return low + step * (board * int(game.GOLDEN) >> 55 & 511) + bonus

    return value


def _slide(cells, action):
    """The right (board, reward), as learners give it."""
    after, reward = game.slide(board_of(cells), action)
    return cells_of(after), reward


def _index(board: int, pattern) -> int:
    return sum((board >> 4 * cell & 15) << 4 * j for j, cell in enumerate(pattern))


def _tables(patterns, seed: int) -> list[np.ndarray]:
    """Weights that are multiples of 1/64, so that sums are the same in any order."""
    rng = np.random.default_rng(seed)
    return [
        (rng.integers(-640, 640, 16 ** len(pattern)) / 64).astype(np.float32)
        for pattern in patterns
    ]


def _lookups(cells, patterns) -> list[tuple[int, int]]:
    """(table, index) of every lookup, image by image."""
    return [
        (k, _index(image, pattern))
        for image in game.symmetries(board_of(cells))
        for k, pattern in enumerate(patterns)
    ]


def _estimate(cells, patterns, tables) -> float:
    return sum(float(tables[k][index]) for k, index in _lookups(cells, patterns))


def _update(cells, patterns, tables, delta: float) -> float:
    """Add delta / lookups to the weight of each lookup, in place. Returns V after."""
    lookups = _lookups(cells, patterns)
    for k, index in lookups:
        tables[k][index] += delta / len(lookups)
    return _estimate(cells, patterns, tables)


def _mean_over_spawns(afterstate, value, p4: float) -> float:
    board = board_of(afterstate)
    empty = [cell for cell in range(16) if not board >> 4 * cell & 15]
    total = 0.0
    for cell in empty:
        for exponent, probability in ((1, 1 - p4), (2, p4)):
            total += probability * value(cells_of(board | exponent << 4 * cell))
    return total / len(empty)


# The board


@_exercise
def slide_left():
    """f(row) -> (row, reward): four exponents slid to the left, reward 0 when nothing moves."""
    rules = {
        (1, 1, 1, 0): "of three equal tiles the two at the wall merge",
        (1, 1, 2, 0): "a tile that has just merged does not merge again",
        (15, 15, 0, 0): "two 32768-tiles do not merge",
    }
    two_and_one = ((exponent, exponent, 0, exponent) for exponent in range(1, 16))
    small = product(range(5), repeat=4)
    large = product((0, 1, 14, 15), repeat=4)
    for row in (*rules, *two_and_one, *small, *large):
        after, reward = _slide([list(row), *EMPTY[1:]], game.LEFT)
        title = f"row {list(row)}" + (f": {rules[row]}" if row in rules else "")
        yield Case(title, (list(row),), [after[0], max(reward, 0)])


@_exercise
def slide():
    """f(board, action) -> (board, reward); reward -1 and the same board when nothing moves."""
    large = [[15, 15, 0, 14], [15, 0, 0, 14], EMPTY_ROW, [1, 1, 1, 1]]
    boards = [TOP, MIXED, EQUAL, large, DEAD, EMPTY, *_random_boards(60, seed=1)]
    for board, action in product(boards, (game.LEFT, game.RIGHT, game.UP, game.DOWN)):
        title = f"action {action} ({game.ACTIONS[action]}) on {board}"
        yield Case(title, (board, action), list(_slide(board, action)))


@_exercise
def symmetries():
    """f(board) -> its 8 images, in any order.

    On a board that is its own mirror image some of them are equal.
    """

    def count(images):
        """How often each image comes: {its number: [its cells, count]}."""
        counts = Counter(board_of(image) for image in images)
        return {board: [cells_of(board), times] for board, times in counts.items()}

    def explain(_, counts):
        total = sum(times for _, times in counts.values())
        return [f"You return {total} images, {len(counts)} of them different."]

    mirrored = [[1, 0, 0, 1], *EMPTY[1:]]  # its own mirror image
    for board in [TOP, MIXED, EQUAL, mirrored, *_random_boards(20, seed=2)]:
        images = [cells_of(image) for image in game.symmetries(board_of(board))]
        title = f"how often an image comes among the 8 of {board}"
        yield Case(
            title,
            (board,),
            count(images),
            read=count,
            second="times",
            missing="not among the images",
            explain=explain,
        )


# The network


@_exercise
def index():
    """f(board, pattern) -> int: the sum of exponent(cell_j) << 4j.

    The first cell of the pattern is in the low nibble.
    """
    patterns = [(0, 1, 4), (4, 1, 0), (13,), (0, 1, 2, 3, 4, 5), (9, 8, 2, 15, 6, 11, 12, 3)]
    boards = [MIXED, [[15, 10, 14, 9], *MIXED[1:]], *_random_boards(10, seed=3)]
    for board, pattern in product(boards, patterns):
        right = _index(board_of(board), pattern)
        title = f"pattern {pattern}, expected {right} = {right:#x}, on {board}"
        yield Case(title, (board, pattern), right, explain=_in_hexadecimal)


def _in_hexadecimal(_, answer) -> list[str]:
    """A wrong index digit by digit, if it is a number at all."""
    if not isinstance(answer, int):
        return []
    return [f"You return {answer:#x}, written with one hexadecimal digit for each cell."]


def _told_lookups(board, patterns, tables) -> list[str]:
    """The lookups of a board, a line for each table: how often which weight is looked up."""
    lookups = _lookups(board, patterns)
    lines = [f"V is the sum of {len(lookups)} lookups, one for each pattern on each image:"]
    for k, pattern in enumerate(patterns):
        counts = Counter(index for table, index in lookups if table == k)
        weights = [
            f"{times} x [{index:#0{len(pattern) + 2}x}] {tables[k][index]:g}"
            for index, times in counts.items()
        ]
        lines.append(f"  table {k}: {', '.join(weights)}")
    return lines


@_exercise
def estimate():
    """f(board, patterns, tables) -> V.

    Every pattern is looked up in its table on each of the 8 images of the board.
    """
    boards = [MIXED, TOP, EQUAL, EMPTY, *_random_boards(20, seed=4)]
    for n, board in enumerate([*boards, MIXED]):
        patterns = PATTERNS[n % 4]
        tables = _tables(patterns, seed=n)
        if n == len(boards):
            tables = [0 * table for table in tables]  # where the smallest change shows
        told = _told_lookups(board, patterns, tables)
        yield Case(
            f"patterns {patterns} on {board}",
            (board, patterns, tables),
            _estimate(board, patterns, tables),
            explain=lambda *_, told=told: told,
        )


def _told_update(board, patterns, delta, part, _) -> list[str]:
    """What an update does to the part of the network that came out wrong."""
    lookups = _lookups(board, patterns)
    share = delta / len(lookups)
    told = f"Each of the {len(lookups)} lookups adds delta / {len(lookups)} = {share:g}."
    if part == "V after":
        return [told, "V is the sum of the lookups when all weights have been changed."]
    times = sum(part == _weight_name(k, index) for k, index in lookups)
    often = {0: "not at all", 1: "once"}.get(times, f"{times} times, so it gets {times * share:g}")
    return [told, f"The board looks the {part} up {often}."]


def _weight_name(k: int, index: int) -> str:
    return f"weight {index:#x} of table {k}"


@_exercise
def update():
    """f(board, patterns, tables, delta) -> V after.

    Each of the m lookups adds delta / m to its weight, in place.
    A weight that is looked up twice gets it twice and counts twice, so V of such a board moves by
    more than delta.
    """

    def parts(tables, value):
        """Every weight, and V after, by name."""
        weights = {
            _weight_name(k, index): float(weight)
            for k, table in enumerate(tables)
            for index, weight in enumerate(table)
        }
        return weights | {"V after": value}

    for n, board in enumerate([MIXED, TOP, EQUAL, EMPTY, *_random_boards(12, seed=5)]):
        patterns = PATTERNS[n % 4]
        delta = (12, -6, 0.75)[n % 3]
        tables = _tables(patterns, seed=n)
        updated = _tables(patterns, seed=n)
        before = _estimate(board, patterns, tables)
        after = _update(board, patterns, updated, delta)
        moves = f"delta {delta} moves V from {before:g} to {after:g}"
        yield Case(
            f"{moves}, patterns {patterns} on {board}",
            (board, patterns, list(tables), delta),
            parts(updated, after),
            read=functools.partial(parts, tables),
            may_change=(2,),
            explain=functools.partial(_told_update, board, patterns, delta),
        )


# Choosing


def _told_ratio(board, right, _, answer) -> list[str]:
    """How large a wrong mean is beside the right one."""
    if not isinstance(answer, int | float) or not right:
        return []
    empty = sum(row.count(0) for row in board)
    return [
        f"You return {answer / right:.4g} times the mean; {empty} cells are empty,"
        f" so {2 * empty} boards may follow."
    ]


@_exercise
def spawn_mean():
    """f(afterstate, value, p4) -> the mean of value over all spawns.

    A 2 comes with probability 1 - p4, a 4 with p4.
    """
    with_room = [board for board in _random_boards(20, seed=6) if 0 in sum(board, [])]
    value = _values(-20.0)
    for n, board in enumerate([TOP, NARROW, MIXED, EMPTY, NARROW, *with_room]):
        p4 = (0.1, 0.25, 1.0, 0.2, 0.0)[n % 5]
        right = _mean_over_spawns(board, value, p4)
        told = functools.partial(_told_ratio, board, right)
        yield Case(f"p4 {p4} on {board}", (board, value, p4), right, explain=told)


def _choices() -> Iterator[tuple]:
    """(what the case is about, board, value function) of cases for choosing."""
    yield "both reward and value count", MIXED, _values(0.0)
    yield "only what moves something counts", TOP, _values(0.0, liked_row=TOP[0])
    yield "all values lie below -1", MIXED, _values(-900.0)
    for low, step in ((-5e6, 64.0), (-1e12, 2.0**24)):
        yield "all values lie far below 0", MIXED, _values(low, step)
    yield "a dead board has no action", DEAD, _values(0.0)
    tie = [EMPTY_ROW, [0, 1, 0, 0], [0, 0, 2, 0], EMPTY_ROW]
    other_tie = [*EMPTY[1:], [4, 3, 2, 0]]
    for board in (tie, other_tie):
        yield "a tie: the lowest action", board, _values(0.0, step=0.0)
    for n, board in enumerate(_random_boards(40, seed=7)):
        yield "values drawn at random", board, _values((0.0, -900.0)[n % 2])


def _worths(board, worth_of_afterstate) -> dict[int, float]:
    """What each legal action is worth."""
    worths = {}
    for action in game.legal_actions(board_of(board)):
        after, reward = _slide(board, action)
        worths[action] = reward + worth_of_afterstate(after)
    return worths


def _is_close(worths: dict[int, float]) -> bool:
    """Whether the two best actions are so close, yet not equal, that float32 could not tell."""
    best, *others = sorted(worths.values(), reverse=True)
    return bool(others) and 0 < best - others[0] < max(0.01, 1e-5 * abs(best))


def _best(worths: dict[int, float]) -> int | None:
    """The action of the largest worth, the lowest of equals."""
    return max(sorted(worths), key=worths.get, default=None)


def _listed(worths: dict[int, float]) -> str:
    sums = (f"{game.ACTIONS[action]} {worth:g}" for action, worth in worths.items())
    return ", ".join(sums) or "no action"


@_exercise
def select_afterstate():
    """f(board, value) -> the action of the largest reward + value(afterstate).

    Of equals it is the lowest; None when the board is dead.
    """
    for about, board, value in _choices():
        worths = _worths(board, value)
        if worths and _is_close(worths):
            continue
        title = f"{about}. Worth: {_listed(worths)} on {board}"
        yield Case(title, (board, value), _best(worths))


@_exercise
def select_state():
    """f(board, value, p4) -> the action of the largest reward + mean of value over spawns.

    Of equals it is the lowest; None when the board is dead.
    """
    chances = (0.1, 1.0, 0.5, 0.0, 0.2)
    count = 0
    for about, board, value in _choices():
        p4 = chances[count % len(chances)]
        mean = functools.partial(_mean_over_spawns, value=value, p4=p4)
        worths = _worths(board, mean)
        if worths and _is_close(worths):
            continue
        count += 1
        title = f"{about}, {p4 = }. Worth: {_listed(worths)} on {board}"
        yield Case(title, (board, value, p4), _best(worths))


# Learning


@_exercise
def td0():
    """f(V, s, r, s_next, alpha): V[s] moves by alpha (r + V[s_next] - V[s]), in place.

    Where s_next is None the game is over, and what follows is worth 0.
    """
    steps = [
        ("A", 4, "B", 0.5),
        ("A", 0, "C", 0.1),
        ("B", 8, None, 0.25),
        ("C", 0, None, 1.0),
        ("B", 2, "B", 0.5),
        ("C", 4, (), 0.5),  # any state, such as (), that is not None is one
        ("C", 0, "D", 0.3),  # below 0, and no round number
    ]
    for s, r, s_next, alpha in steps:
        values = {"A": 10.0, "B": 7.0, "C": -3.0, "D": -8.125, (): 24.0}
        values[s] = values.pop(s)  # to the end: that part of the answer is drawn
        following = 0.0 if s_next is None else values[s_next]
        right = values | {s: values[s] + alpha * (r + following - values[s])}

        def read(_, values=values):
            return {state: plain(value) for state, value in values.items()}

        yield Case(
            f"V = {values}, {s = }, {r = }, {s_next = }, {alpha = }",
            (values, s, r, s_next, alpha),
            right,
            read=read,
            given=[f"{s}: {values[s]}"],
            may_change=(0,),
        )


class _Network:
    """A small network, and a log of its updates: {"update 1": [board, delta], ...}."""

    def __init__(self, seed: int, patterns=((0, 1, 4), (5,))):
        self.patterns = patterns
        self.tables = _tables(patterns, seed)
        self.log = {}

    def value(self, board):
        return _estimate(board, self.patterns, self.tables)

    def update(self, board, delta):
        after = _update(board, self.patterns, self.tables, delta)
        self.log[f"update {len(self.log) + 1}"] = [plain(board), plain(delta)]
        return after


def _random_game(rng) -> list[tuple]:
    """A game of random moves as learners get it: [(board, action, reward, afterstate), ...]."""
    path = []
    board = game.new_board(rng)
    while legal := game.legal_actions(board):
        action = int(rng.choice(legal))
        after, reward = game.slide(board, action)
        path.append((cells_of(board), action, reward, cells_of(after)))
        board = game.spawn(after, rng)
    return path


def _learn_afterstates(path, network: _Network, alpha: float) -> list[str]:
    """Learn V(s') backward. Returns what each update is about, in words."""
    told = []
    target = 0.0
    for t, (_, _, reward, after) in reversed(list(enumerate(path))):
        value = network.value(after)
        told.append(f"move {t}: V(s') is {value:g}, its target {target:g}")
        target = reward + network.update(after, alpha * (target - value))
    return told


def _learn_states(path, network: _Network, alpha: float) -> list[str]:
    """Learn V(s) backward. Returns what each update is about, in words."""
    told = []
    following = 0.0
    for t, (board, _, reward, _) in reversed(list(enumerate(path))):
        value = network.value(board)
        target = reward + following
        told.append(f"move {t}: V(s) is {value:g}, its target {target:g}")
        following = network.update(board, alpha * (target - value))
    return told


def _episode_case(learn, seed: int, moves: int, alpha: float) -> Case:
    """The last moves of a random game to learn from backward; `learn` does it right."""
    path = _random_game(np.random.default_rng(seed))[-moves:]
    right = _Network(seed)
    told = learn(path, right, alpha)
    theirs = _Network(seed)

    # functions, as the methods would be copied with their network for each call

    def value(board):
        return theirs.value(board)

    def update(board, delta):
        return theirs.update(board, delta)

    def explain(part, _):
        number = int(part.removeprefix("update "))
        if number > moves:
            return [f"A path of {moves} takes {moves} updates."]
        return [f"Update {number} is for {told[number - 1]}; delta is alpha times the difference."]

    return Case(
        f"a path of {moves}, {alpha = }, the last learned first",
        (path, value, update, alpha),
        right.log,
        read=lambda _: theirs.log,
        given=[f"move {t}: r = {reward}" for t, (_, _, reward, _) in enumerate(path)],
        second="delta",
        explain=explain,
    )


def _episodes(learn) -> Iterator[Case]:
    """Cases for learning backward from an episode."""
    for seed, (moves, alpha) in enumerate([(1, 0.5), (2, 1.0), (4, 0.1), (12, 0.25)]):
        yield _episode_case(learn, seed, moves, alpha)


@_exercise
def update_episode_afterstate():
    """f(path, value, update, alpha): learn V(s') of each (s, a, r, s') of the path.

    The last is learned first.
    """
    yield from _episodes(_learn_afterstates)


@_exercise
def update_episode_state():
    """f(path, value, update, alpha): learn V(s) of each (s, a, r, s') of the path.

    The last is learned first.
    """
    yield from _episodes(_learn_states)


# Measuring


@_exercise
def win_rate():
    """f(max_tiles, tile) -> the share of the games that reached the tile.

    Those are the games whose largest tile is that one or a larger one.
    """
    few = [1024, 2048, 4096, 8192, 512]
    many = (2 ** np.random.default_rng(8).integers(8, 14, 50)).tolist()
    questions = [(few, 2048), (few[:1], 2048), (few[1:4], 2048), (many, 512), (many, 4096)]
    for tiles, tile in questions:
        share = sum(largest >= tile for largest in tiles) / len(tiles)
        yield Case(f"games that reached {tile}", (np.array(tiles), tile), share)
