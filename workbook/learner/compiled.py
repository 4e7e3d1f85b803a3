"""A learner whose functions are compiled: about seventy times as fast.

Numba compiles a function of arrays and numbers, and no list of lists. So boards are arrays here,
four rows of four, tables are the rows of one array, and each function of the reader's is compiled
with all that it calls. One that does not compile, or answers otherwise than it should when it is
given arrays, gives way to that of the workbook (arrays.py), and the reason is told.

The loop over the moves of a game, `play_game`, is always the workbook's here: numba cannot hand a
function to it that holds a random generator.
"""

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import replace

import numba
import numpy as np
from numba import carray
from numba.core import types as numba_types
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from workbook import grid
from workbook.learner import arrays
from workbook.learner.parts import OURS, YOURS, Part

FIRST = ("slide_left", "slide", "spawn", "symmetries", "index", "estimate", "update")
SAMPLES = 25  # boards that a compiled function is tried on
INSTEAD = {  # of what numba stumbles over, by words of its own that tell it
    "yield in a closure": "write sum(f(x) for x in xs) as a loop with total += f(x)",
    "'reversed'": "for reversed(path) take: for t in range(len(path) - 1, -1, -1)",
    "'choice'": "for rng.choice(cells) take cells[rng.integers(0, len(cells))]",
    "workbook.grid": "call your own functions in place of those of grid",
    "built-in function array": "for np.array(board) take np.asarray(board).copy()",
    "<class 'zip'>": "for zip(*board) take board.T.copy()",
}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
LONGEST_REASON = 160


class DoesNotFit(Exception):
    """A function that cannot be used compiled; the message says why."""


def compiled(function: Callable, known: dict | None = None) -> Callable:
    """Compile a function, and the functions of Python that it calls by their names."""
    known = {} if known is None else known
    if function not in known:
        names = dict(function.__globals__)
        for name in function.__code__.co_names:
            if isinstance(names.get(name), types.FunctionType):
                names[name] = compiled(names[name], known)
        copy = types.FunctionType(
            function.__code__,
            names,
            function.__name__,
            function.__defaults__,
            _cells(function, known),
        )
        known[function] = numba.njit(nogil=True)(copy)
    return known[function]


def _cells(function: Callable, known: dict) -> tuple | None:
    """What a function closes over, its functions compiled."""
    if function.__closure__ is None:
        return None
    cells = []
    for cell in function.__closure__:
        content = cell.cell_contents
        is_function = isinstance(content, types.FunctionType)
        cells.append(types.CellType(compiled(content, known) if is_function else content))
    return tuple(cells)


@intrinsic
def _pointer(_typing, address):
    """An address as a pointer."""

    def code(context, builder, _signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(numba_types.voidptr))

    return numba_types.voidptr(address), code


class CompiledPlayer:
    """Plays games and learns from them, compiled.

    Parameters
    ----------
    parts
        Its functions.
    values
        "afterstate" or "state".
    patterns
        The patterns of its network.
    p4
        The probability of a 4.

    Attributes
    ----------
    parts : dict of Part
        The functions as they are used: those that could not be compiled are the workbook's.
    """

    def __init__(self, parts: Mapping[str, Part], values: str, patterns: tuple, p4: float):
        self.patterns = tuple(tuple(int(cell) for cell in pattern) for pattern in patterns)
        self.values = values
        self.p4 = float(p4)
        weights = 16 ** max(map(len, self.patterns))
        self.array = np.zeros((len(self.patterns), weights), np.float32)
        self.parts = dict(parts)
        self._known: dict = {}
        self._fit_parts()

    @property
    def tables(self) -> list[np.ndarray]:
        """The tables, one for each pattern."""
        return [self.array[k, : 16 ** len(pattern)] for k, pattern in enumerate(self.patterns)]

    # Which functions are used

    def _fit_parts(self) -> None:
        """Compile each function, and take the workbook's where that fails."""
        self.functions: dict[str, Callable] = {}
        for name in FIRST:
            self._fit(name)
        self._close_over_tables()
        if self.values == "state":
            self._fit("spawn_mean")
        self._fit(f"select_{self.values}")
        self._fit(f"update_episode_{self.values}")
        if self.parts["play_game"].source == YOURS:
            note = "yours cannot be handed a random generator by numba"
            self.parts["play_game"] = replace(self.parts["play_game"], source=OURS, note=note)
        self._make_loop()

    def _fit(self, name: str) -> None:
        ours = compiled(getattr(arrays, name), self._known)
        part = self.parts[name]
        self.functions[name] = ours
        if part.source != YOURS:
            return
        try:
            yours = compiled(part.function, self._known)
            self._try(name, yours, ours)
        except DoesNotFit as error:
            note = f"yours does not compile: {error}"
            self.parts[name] = Part(name, part.function, OURS, note)
        else:
            self.functions[name] = yours
            self._known[getattr(arrays, name)] = yours  # for ours that call it

    def _try(self, name: str, yours: Callable, ours: Callable) -> None:
        """Raise DoesNotFit unless a function gives on arrays what it should."""
        for arguments in self._samples(name):
            expected = _outcome(name, ours, arguments())
            try:
                got = _outcome(name, yours, arguments())
            except NumbaError as error:
                raise DoesNotFit(in_short(error)) from None
            except Exception as error:
                raise DoesNotFit(f"on arrays it raises {type(error).__name__}: {error}") from None
            if not _agree(expected, got):
                raise DoesNotFit("on arrays it answers otherwise than on lists")

    def _samples(self, name: str) -> list[Callable[[], tuple]]:
        """Arguments to try a function with, made anew for each call."""
        rng = np.random.default_rng(1)
        boards = [rng.integers(0, 5, (4, 4)) * (rng.random((4, 4)) < 0.8) for _ in range(SAMPLES)]
        for board in boards:
            board[0, 0] = 0  # room for a tile
        weights = rng.integers(-64, 64, self.array.shape).astype(np.float32)
        patterns = self.patterns

        def of(board: np.ndarray, number: int) -> Callable[[], tuple]:
            def arguments() -> tuple:
                given = board.astype(np.int64)
                if name == "slide_left":
                    return (given[0],)
                if name == "slide":
                    return given, number % 4
                if name == "spawn":
                    return given, np.random.default_rng(number), 0.5
                if name == "symmetries":
                    return (given,)
                if name == "index":
                    return given, patterns[number % len(patterns)]
                if name == "estimate":
                    return given, patterns, weights.copy()
                if name == "update":
                    return given, patterns, weights.copy(), 8.0
                return self._arguments_with_value(name, given, weights)

            return arguments

        return [of(board, number) for number, board in enumerate(boards)]

    def _arguments_with_value(self, name: str, board: np.ndarray, weights: np.ndarray) -> tuple:
        """Arguments of the functions that are handed `value`, with weights for it to read."""
        self.array[:] = weights
        if name == "select_afterstate":
            return board, self.value_of
        if name in ("spawn_mean", "select_state"):
            return board, self.value_of, 0.25
        path = _some_path(board)
        return path, self.value_of, self.update_of, 0.5, self.array

    # Functions that hold the tables

    def _close_over_tables(self) -> None:
        """`value(board)` and `update(board, delta)`, which know where the tables lie.

        A compiled function cannot hold an array that changes, but it can hold its address. The
        array lives as long as this player.
        """
        address = np.uintp(self.array.ctypes.data)
        shape = self.array.shape
        patterns = self.patterns
        estimate = self.functions["estimate"]
        update = self.functions["update"]

        @numba.njit(nogil=True)
        def value_of(board):
            return estimate(board, patterns, carray(_pointer(address), shape, np.float32))

        @numba.njit(nogil=True)
        def update_of(board, delta):
            return update(board, patterns, carray(_pointer(address), shape, np.float32), delta)

        self.value_of = value_of
        self.update_of = update_of

    # Playing

    def _make_loop(self) -> None:
        self.array[:] = 0
        value = self.value_of
        update = self.update_of
        slide = self.functions["slide"]
        spawn = self.functions["spawn"]
        select = self.functions[f"select_{self.values}"]
        learn = self.functions[f"update_episode_{self.values}"]
        of_states = self.values == "state"
        p4 = self.p4

        @numba.njit(nogil=True)
        def choose(board):
            if of_states:
                return select(board, value, p4)
            return select(board, value)

        @numba.njit(nogil=True)
        def play(rng, alpha, results):
            for number in range(len(results)):
                board = spawn(spawn(np.zeros((4, 4), np.int64), rng, p4), rng, p4)
                path = [(board, 0, 0, board) for _ in range(0)]
                score = 0
                action = choose(board)
                while action is not None:
                    after, reward = slide(board, action)
                    path.append((board, int(action), int(reward), after))
                    score += reward
                    board = spawn(after, rng, p4)
                    action = choose(board)
                if alpha > 0:
                    learn(path, value, update, alpha)
                results[number, 0] = score
                results[number, 1] = board.max()
                results[number, 2] = len(path)

        self._choose = choose
        self._play = play

    def value(self, board: list) -> float:
        """V of a board."""
        return float(self.value_of(np.array(board, np.int64)))

    def choose(self, board: list) -> int | None:
        """The action on a board, None when it is dead."""
        action = self._choose(np.array(board, np.int64))
        return None if action is None else int(action)

    def slide(self, board: list, action: int) -> tuple[list, int]:
        """A slide, as lists."""
        after, reward = self.functions["slide"](np.array(board, np.int64), action)
        return np.asarray(after).tolist(), int(reward)

    def play_and_learn(
        self, rng: np.random.Generator, alpha: float, games: int
    ) -> list[tuple[int, int, int]]:
        """Learn from some games: (score, largest exponent, moves) of each."""
        results = np.zeros((games, 3), np.int64)
        self._play(rng, float(alpha), results)
        return [tuple(row) for row in results.tolist()]

    def game(self, rng: np.random.Generator) -> tuple[list[tuple], list]:
        """Play a game without learning: its path, and the dead board at its end."""
        spawn = self.functions["spawn"]
        empty = np.zeros((4, 4), np.int64)
        board = spawn(spawn(empty, rng, self.p4), rng, self.p4).tolist()
        path = []
        action = self.choose(board)
        while action is not None:
            after, reward = self.slide(board, action)
            path.append((board, action, reward, after))
            board = spawn(np.array(after, np.int64), rng, self.p4).tolist()
            action = self.choose(board)
        return path, board


def _some_path(board: np.ndarray) -> list[tuple]:
    """A few moves from a board, as a path of arrays."""
    rng = np.random.default_rng(3)
    path = []
    rows = board.tolist()
    for _ in range(4):
        legal = grid.legal_actions(rows)
        if not legal:
            break
        after, reward = grid.slide(rows, legal[0])
        path.append(
            (np.array(rows, np.int64), int(legal[0]), int(reward), np.array(after, np.int64))
        )
        rows = grid.spawn(after, rng)
    return path


@numba.njit
def _as_typed(boards, actions, rewards, afters):
    """A path as the compiled loop has it."""
    return [(boards[t], actions[t], rewards[t], afters[t]) for t in range(len(actions))]


def _outcome(name: str, function: Callable, arguments: tuple) -> list:
    """What a function gives and what it changes, as arrays that can be compared."""
    if name.startswith("update_episode"):
        path, value, update, alpha, tables = arguments
        if not path:
            return []
        columns = [np.array(column) for column in zip(*path)]
        _learn_path(function)(*columns, value, update, alpha)
        return [tables.copy()]
    answer = function(*arguments)
    if name == "update":
        return [answer, arguments[2]]
    if name == "symmetries":
        return [np.array(sorted(np.array(image).tolist() for image in answer))]
    if isinstance(answer, tuple):
        return [np.array(part) for part in answer]
    return [answer]


def _learn_path(function: Callable) -> Callable:
    """A function that learns from a path, told as columns: numba takes no list of tuples."""

    @numba.njit
    def learn(boards, actions, rewards, afters, value, update, alpha):
        function(_as_typed(boards, actions, rewards, afters), value, update, alpha)

    return learn


def _agree(expected: list, got: list) -> bool:
    """Whether outcomes are the same, but for rounding."""
    for ours, yours in zip(expected, got, strict=True):
        if ours is None or yours is None:
            if ours is not yours:
                return False
            continue
        ours = np.asarray(ours, float)
        yours = np.asarray(yours, float)
        if ours.shape != yours.shape or not np.allclose(ours, yours, rtol=1e-4, atol=1e-3):
            return False
    return True


def in_short(error: Exception) -> str:
    """What numba says of a function, and what would do instead, in a line."""
    lines = COLOUR.sub("", str(error)).splitlines()
    telling = [
        line.strip()
        for line in lines
        if line.strip() and not line.startswith(("Failed in", "During", "File", "Overload"))
    ]
    wanted = (
        "No implementation",
        "Untyped global",
        "Cannot unify",
        "unsupported",
        "Use of",
        "Unknown",
    )
    best = [line for line in telling if any(word in line for word in wanted)] or telling
    if not best:
        return type(error).__name__
    told = best[0][:LONGEST_REASON].rstrip(".: ")
    hints = [hint for words, hint in INSTEAD.items() if words in best[0]]
    return "; ".join([told, *hints])
