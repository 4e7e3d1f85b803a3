"""A learner in plain Python: the functions as they are written, on boards that are lists."""

from collections.abc import Callable, Mapping

import numpy as np

from workbook import grid
from workbook.learner.parts import YOURS, Part

LONGEST = 20_000  # moves: no game of so small a network is longer, but one that never ends is
EMPTY = [[0] * 4 for _ in range(4)]


class PlainPlayer:
    """Plays games and learns from them.

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
    """

    def __init__(self, parts: Mapping[str, Part], values: str, patterns: tuple, p4: float):
        self.patterns = patterns
        self.values = values
        self.p4 = p4
        self.tables = [np.zeros(16 ** len(pattern), np.float32) for pattern in patterns]
        self.functions = assembled(parts, values)

    def value(self, board: list) -> float:
        """V of a board."""
        return float(self.functions["estimate"](board, self.patterns, self.tables))

    def update(self, board: list, delta: float) -> float:
        """Move V of a board by delta; returns V after."""
        return self.functions["update"](board, self.patterns, self.tables, delta)

    def choose(self, board: list) -> int | None:
        """The action on a board, None when it is dead."""
        select = self.functions[f"select_{self.values}"]
        if self.values == "state":
            return select(board, self.value, self.p4)
        return select(board, self.value)

    def slide(self, board: list, action: int) -> tuple[list, int]:
        """A slide, as lists."""
        after, reward = self.functions["slide"](board, action)
        return as_rows(after), int(reward)

    def game(self, rng: np.random.Generator) -> tuple[list[tuple], list]:
        """Play a game: its path, and the dead board at its end."""
        count = 0
        board = EMPTY

        def spawn(afterstate: list) -> list:
            nonlocal board
            board = as_rows(self.functions["spawn"](afterstate, rng, self.p4))
            return board

        def choose(board: list) -> int | None:
            nonlocal count
            count += 1
            if count > LONGEST:
                raise ValueError(f"a game has gone on for {LONGEST:,} moves: it does not end")
            return self.choose(board)

        start = spawn(spawn(EMPTY))
        path = list(self.functions["play_game"](start, choose, self.slide, spawn))
        return path, board

    def learn(self, path: list[tuple], alpha: float) -> None:
        """Learn from a game."""
        self.functions[f"update_episode_{self.values}"](path, self.value, self.update, alpha)

    def play_and_learn(
        self, rng: np.random.Generator, alpha: float, games: int
    ) -> list[tuple[int, int, int]]:
        """Learn from some games: (score, largest exponent, moves) of each."""
        results = []
        for _ in range(games):
            path, last = self.game(rng)
            self.learn(path, alpha)
            score = sum(int(reward) for _, _, reward, _ in path)
            results.append((score, max(map(max, last)), len(path)))
        return results


def as_rows(board) -> list[list[int]]:
    """A board as lists of Python's integers, whatever a function gives."""
    return [[int(exponent) for exponent in row] for row in board]


def assembled(parts: Mapping[str, Part], values: str) -> dict[str, Callable]:
    """The functions that play and learn; those of the workbook are built from the reader's.

    Where the reader has written `slide_left` and no `slide`, slides are made of it; `index` and
    `symmetries` of theirs are used by our `estimate` and `update`, and so on.
    """
    functions = {name: part.function for name, part in parts.items()}
    is_yours = {name: part.source == YOURS for name, part in parts.items()}
    if not is_yours["slide"]:
        by_rows = slide_by_rows(functions["slide_left"])
        functions["slide"] = by_rows if is_yours["slide_left"] else grid.slide
    if not is_yours["estimate"]:
        functions["estimate"] = estimate_with(functions["symmetries"], functions["index"])
    if not is_yours["update"]:
        functions["update"] = update_with(
            functions["symmetries"], functions["index"], functions["estimate"]
        )
    select = f"select_{values}"
    if not is_yours[select]:
        mean = functions.get("spawn_mean")
        functions[select] = select_with(functions["slide"], mean)
    return functions


def slide_by_rows(slide_left: Callable) -> Callable:
    """A slide made of slides of rows to the left."""

    def slide(board, action):
        turns = {3: 0, 0: 1, 1: 2, 2: 3}[action]  # quarter turns that bring the side to the left
        turned = np.rot90(np.array(board), turns).tolist()
        slid = [slide_left(row) for row in turned]
        after = np.rot90(np.array([list(row) for row, _ in slid]), -turns).tolist()
        if after == as_rows(board):
            return board, -1
        return after, sum(reward for _, reward in slid)

    return slide


def estimate_with(symmetries: Callable, index: Callable) -> Callable:
    """V, by the reader's images and indices."""

    def estimate(board, patterns, tables):
        total = 0.0
        for image in symmetries(board):
            for pattern, table in zip(patterns, tables):
                total += table[index(image, pattern)]
        return total

    return estimate


def update_with(symmetries: Callable, index: Callable, estimate: Callable) -> Callable:
    """The update, by the reader's images, indices and V."""

    def update(board, patterns, tables, delta):
        share = delta / (8 * len(patterns))
        for image in symmetries(board):
            for pattern, table in zip(patterns, tables):
                table[index(image, pattern)] += share
        return estimate(board, patterns, tables)

    return update


def select_with(slide: Callable, spawn_mean: Callable | None) -> Callable:
    """The choice, by the reader's slide; with `spawn_mean` that of a learner of V(s)."""

    def select(board, value, p4=None):
        best = None
        best_worth = 0.0
        for action in range(4):
            after, reward = slide(board, action)
            if reward < 0:
                continue
            following = value(after) if spawn_mean is None else spawn_mean(after, value, p4)
            worth = reward + following
            if best is None or worth > best_worth:
                best = action
                best_worth = worth
        return best

    return select
