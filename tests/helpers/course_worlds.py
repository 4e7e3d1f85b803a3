"""Environments that mean something else by boards or actions than the Python course does."""

import numpy as np

from workbook.course_environment import CourseEnvironment


class Upright(CourseEnvironment):
    """The course's own."""


class OtherOrder(CourseEnvironment):
    """Up, right, down, left, as in lib2048."""

    def step(self, action):
        return super().step((0, 3, 1, 2)[action])


class Exponents(CourseEnvironment):
    """Boards of exponents."""

    @staticmethod
    def _shown(board):
        return np.log2(np.maximum(board, 1)).astype(int)

    def reset(self):
        return self._shown(super().reset())

    def step(self, action):
        board, *rest = super().step(action)
        return self._shown(board), *rest


class Transposed(CourseEnvironment):
    """Columns where rows are expected."""

    def step(self, action):
        board, *rest = super().step(action)
        return board.T.copy(), *rest


class TwoTiles(CourseEnvironment):
    """Two new tiles a move."""

    def step(self, action):
        answer = super().step(action)
        if (self.board == 0).any():
            self._add_tile()
        return self.board, *answer[1:]


class Flat(CourseEnvironment):
    """Boards of 16 numbers in a row."""

    def reset(self):
        return super().reset().ravel()


WORLDS = {
    "another order": (OtherOrder, "action 1 of the environment slides the board down, but it slid"),
    "exponents": (Exponents, 'STATE = "exponents"'),
    "transposed": (Transposed, "none that 2048 allows"),
    "two new tiles": (TwoTiles, "none that 2048 allows"),
    "flat": (Flat, "4 rows and 4 columns"),
}
"""{what is different: (environment, what the error says)}."""
