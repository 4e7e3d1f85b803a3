"""The environment of a course in which 2048 is played in Python, as its description has it.

A board is a 4x4 array of tiles. The actions 0, 1, 2, 3 slide it up, down, left, right. `step` gives
(board, score so far, whether the game is over, {}), and an action that moves nothing leaves the
board as it is. It needs numpy alone, so that it can be run where nothing else is installed:

    python -I workbook/course_environment.py AGENT GAMES SEED [MOVES]

plays games with an agent's get_action, as a grader would, in a process in which no package but
numpy can be imported. It prints a line of JSON for each game.
"""

import importlib.abc
import importlib.util
import json
import random
import sys
import time

import numpy as np


class CourseEnvironment:
    """2048 as the course calls it.

    Parameters
    ----------
    seed : int or str, optional
        What the new tiles come from. When None they come from Python's own random numbers, as in
        the course.
    """

    def __init__(self, seed=None):
        self.random = random if seed is None else random.Random(seed)
        self.reset()

    def reset(self):
        """Begin a new game; returns its board."""
        self.board = np.zeros((4, 4), dtype=int)
        self.score = 0
        self._add_tile()
        self._add_tile()
        return self.board

    def step(self, action):
        """Slide the board; returns (board, score, whether the game is over, {})."""
        if action not in (0, 1, 2, 3):
            raise ValueError(f"an action is 0, 1, 2 or 3, got {action!r}")
        slid, reward = slid_board(self.board, action)
        if not np.array_equal(slid, self.board):
            self.board = slid
            self.score += reward
            self._add_tile()
        return self.board, self.score, self.is_game_over(), {}

    def is_game_over(self):
        """Whether no action moves anything."""
        if (self.board == 0).any():
            return False
        return all(np.array_equal(slid_board(self.board, a)[0], self.board) for a in range(4))

    def _add_tile(self):
        row, column = self.random.choice(np.argwhere(self.board == 0).tolist())
        self.board[row, column] = 4 if self.random.random() < 0.1 else 2


def slid_board(board, action):
    """(a board of tiles after an action, reward)."""
    turns = {0: 1, 1: 3, 2: 0, 3: 2}[action]  # so many quarter turns, and it slides to the left
    slid = []
    reward = 0
    for line in np.rot90(board, turns).tolist():
        new_line, points = slid_line(line)
        slid.append(new_line)
        reward += points
    return np.rot90(np.array(slid), -turns), reward


def slid_line(line):
    """(four tiles after they slid to the left, reward)."""
    slid = []
    may_merge = False
    reward = 0
    for tile in line:
        if tile == 0:
            continue
        if may_merge and slid[-1] == tile:
            slid[-1] = 2 * tile
            reward += 2 * tile
            may_merge = False
        else:
            slid.append(tile)
            may_merge = True
    return slid + [0] * (4 - len(slid)), reward


# Playing as a grader would


class OnlyNumpy(importlib.abc.MetaPathFinder):
    """Refuses to import what belongs neither to Python nor to numpy."""

    def find_spec(self, name, path=None, target=None):
        """None, so that others look for a module; ImportError where none may."""
        package = name.partition(".")[0]
        if package not in sys.stdlib_module_names and package != "numpy":
            raise ImportError(f"{package} is not installed here: there is Python and numpy")


def play_game(get_action, seed, most_moves):
    """One game: score, largest tile, moves, and processor seconds that get_action took."""
    environment = CourseEnvironment(seed)
    moves = 0
    seconds = 0.0
    is_over = False
    while not is_over and moves < most_moves:
        begin = time.process_time()
        action = get_action(environment.board, environment.score)
        seconds += time.process_time() - begin
        before = environment.board.copy()
        board, _, is_over, _ = environment.step(action)
        if np.array_equal(board, before):
            raise ValueError(f"action {action} moves nothing on the board\n{board}")
        moves += 1
    return {
        "score": int(environment.score),
        "max_tile": int(environment.board.max()),
        "moves": moves,
        "seconds": seconds,
    }


def main(path, games, seed, most_moves=10**9):
    """Import the agent of a file, and play."""
    sys.meta_path.insert(0, OnlyNumpy())
    begin = time.process_time()
    spec = importlib.util.spec_from_file_location("student_agent", path)
    agent = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(agent)
    import_seconds = time.process_time() - begin
    for number in range(games):
        game = play_game(agent.get_action, f"{seed}, game {number}", most_moves)
        print(json.dumps(game | {"import_seconds": import_seconds}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
