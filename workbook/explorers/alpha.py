"""Step size and number of games: how the value of a board of the 2x2 game wanders.

The random player plays some games of workbook/tiny.py, and every rule and step size learns from the
same ones, each game's last move first. All of that takes Python a second. The browser only walks
through what came out.
"""

import io
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import numpy as np

from lib2048.validate import check_seed, check_whole
from lib2048.viewer.joining import joined
from workbook import tiny
from workbook.axes import PAGE, Picture, look, tidy
from workbook.widgets.widget import WorkbookWidget, page_script, widget_style

SCRIPT = Path(__file__).parent / "script"
STYLE = Path(__file__).parents[1] / "widgets" / "style"
ALPHAS = (0.01, 0.03, 0.1, 0.3, 1, "1/n")
BOARDS = ((1, 1, 0, 0), (1, 1, 1, 2), (1, 1, 2, 3))
RULES = ("TD(0)", "Monte-Carlo")
MARKS = 46  # numbers of games to stop at, about as many as there are
DRAWN = (0.03, 0.3)  # step sizes in the picture

Tiny = tuple[int, int, int, int]


def learn(
    games: Sequence[list], rule: str, alpha: float | str, after: Callable[[dict, int], None]
) -> dict[Tiny, float]:
    """Learn from games of the 2x2 game, each game's last move first.

    Parameters
    ----------
    games : list
        What `tiny.play` returns, for each game.
    rule : str
        "TD(0)", whose target is r + V(next board), or "Monte-Carlo", whose target is the return.
    alpha : float or str
        The step size; "1/n" is 1 when a board is learned for the first time, then 1/2, 1/3, ...
    after : function
        Is called as after(V, number of games) after each game.

    Returns
    -------
    dict
        V of every board.

    Examples
    --------
    >>> game = [((1, 1, 0, 0), 3, 4, (2, 0, 1, 0)), ((2, 0, 1, 0), 3, 0, None)]
    >>> V = learn([game], "TD(0)", 0.5, lambda V, games: None)
    >>> V[(2, 0, 1, 0)], V[(1, 1, 0, 0)]
    (0.0, 2.0)
    """
    V = dict.fromkeys(tiny.boards(), 0.0)
    learned = Counter()
    for number, game in enumerate(games, start=1):
        earned = 0.0
        for board, _, reward, following in reversed(game):
            earned += reward
            ahead = 0.0 if following is None else V[following]
            target = reward + ahead if rule == "TD(0)" else earned
            learned[board] += 1
            step = 1 / learned[board] if alpha == "1/n" else alpha
            V[board] += step * (target - V[board])
        after(V, number)
    return V


class Walk:
    """What is kept while one rule learns: values at each visit, and errors at each mark.

    Parameters
    ----------
    boards : sequence of tuple
        The boards whose values are kept.
    visits : list of list of int
        For each of them the numbers of the games that meet it.
    marks : list of int
        The numbers of games after which the error of all values is kept.
    """

    def __init__(self, boards: Sequence[Tiny], visits: list[list[int]], marks: list[int]):
        self.boards = boards
        self.visits = [set(numbers) for numbers in visits]
        self.marks = set(marks)
        self.truth = tiny.values(tiny.at_random)
        self.met = tiny.visits(tiny.at_random)
        self.values: list[list[float]] = [[] for _ in boards]
        self.errors: list[float] = []

    def __call__(self, V: dict, games: int) -> None:
        """Keep what is wanted of the values after so many games."""
        for kept, board, numbers in zip(self.values, self.boards, self.visits):
            if games in numbers:
                kept.append(round(V[board], 3))
        if games in self.marks:
            self.errors.append(round(tiny.error(V, self.truth, self.met), 4))


def marks_up_to(games: int) -> list[int]:
    """Numbers of games to stop at: 1, 2, 3, ... at first, then further and further apart.

    Examples
    --------
    >>> marks_up_to(8)
    [1, 2, 3, 4, 5, 6, 7, 8]
    >>> marks_up_to(1000)[-3:]
    [740, 860, 1000]
    """
    marks = set()
    for mark in np.geomspace(1, games, MARKS):
        digits = max(0, len(str(int(mark))) - 2)
        marks.add(min(games, int(round(mark, -digits))))
    return sorted(marks | {games})


def games_that_meet(board: Tiny, games: Sequence[list]) -> list[int]:
    """The numbers of the games, from 1 on, in which a board comes up."""
    return [
        number
        for number, game in enumerate(games, start=1)
        if any(met == board for met, _, _, _ in game)
    ]


def walks_of(
    rule: str,
    alphas: Sequence[float | str],
    games: Sequence[list],
    boards: Sequence[Tiny],
    visits: list[list[int]],
    marks: list[int],
) -> list[Walk]:
    """For each step size what is kept while a rule learns from the games."""
    walks = []
    for alpha in alphas:
        walk = Walk(boards, visits, marks)
        learn(games, rule, alpha, walk)
        walks.append(walk)
    return walks


class AlphaWalk(WorkbookWidget):
    """What `alpha` shows."""

    _esm = joined(SCRIPT / "alpha.js")
    _css = widget_style(STYLE / "gallery.css", STYLE / "chart.css")
    PAGE_SCRIPT = page_script(SCRIPT / "alpha.js")

    def __init__(
        self, alphas: Sequence[float | str], boards: Sequence[Tiny], games: int, seed: int
    ):
        marks = marks_up_to(games)
        rng = Random(seed)
        played = [tiny.play(tiny.at_random, rng) for _ in range(games)]
        visits = [games_that_meet(board, played) for board in boards]
        walks = [walks_of(rule, alphas, played, boards, visits, marks) for rule in RULES]
        truth = tiny.values(tiny.at_random)
        zero = tiny.error(dict.fromkeys(truth, 0.0), truth, tiny.visits(tiny.at_random))
        super().__init__(
            {
                "alphas": [str(alpha) for alpha in alphas],
                "rules": RULES,
                "boards": boards,
                "exact": [round(truth[board], 4) for board in boards],
                "visits": visits,
                "marks": marks,
                "values": [[walk.values for walk in of_rule] for of_rule in walks],
                "errors": [[walk.errors for walk in of_rule] for of_rule in walks],
                "zero": round(zero, 4),
            }
        )

    @property
    def words(self) -> str:
        """What the values of the first board have come to, in a line."""
        values = ", ".join(
            f"{alpha}: {walk[0][-1]:.1f}" if walk[0] else f"{alpha}: 0"
            for alpha, walk in zip(self.state["alphas"], self.state["values"][0])
        )
        return (
            f"V of one board of the 2x2 game after {self.state['marks'][-1]:,} games of TD(0), by "
            f"step size ({values}); exactly {self.state['exact'][0]:.1f}"
        )

    def _figure(self) -> Picture:
        """V of the first board for two step sizes, game by game."""
        picture = Picture(figsize=(PAGE, 2.6), layout="constrained")
        picture.alt = self.words
        axes = picture.subplots()
        names = self.state["alphas"]
        drawn = [str(alpha) for alpha in DRAWN if str(alpha) in names] or names[:2]
        for number, name in enumerate(drawn):
            values = self.state["values"][0][names.index(name)][0]
            style = look(number) | {"marker": None}
            axes.plot(self.state["visits"][0], values, label=f"step size {name}", **style)
        axes.axhline(self.state["exact"][0], color="#555555", linewidth=1, label="exact value")
        tidy(axes, xlabel="games", ylabel="V of one board (points)", ylim=(0, None))
        axes.legend(frameon=False, ncols=3)
        return picture

    def svg(self) -> str:
        """A figure of two of the walks."""
        return self._figure().svg()

    def _png(self, svg: str) -> bytes:
        file = io.BytesIO()
        self._figure().savefig(file, format="png", metadata={"Software": None})
        return file.getvalue()


def alpha(
    games: int = 2_000,
    alphas: Sequence[float | str] = ALPHAS,
    boards: Sequence[Tiny] = BOARDS,
    seed: int = 0,
) -> AlphaWalk:
    """How V of a board of the 2x2 game wanders: by step size, rule, and number of games.

    Parameters
    ----------
    games : int
        How many games the random player plays.
    alphas : sequence of float or "1/n"
        The step sizes to choose from; "1/n" is the n-th part when a board is learned for the n-th
        time.
    boards : sequence of tuple
        The boards to choose from, as in workbook/tiny.py.
    seed : int
        Which games are played.

    Returns
    -------
    AlphaWalk
        The widget, which a notebook shows.

    Raises
    ------
    ValueError
        If a board is dead or cannot come up, a step size is none, or there are too few or too many
        games.
    """
    games = check_whole("games", games, 10, 100_000)
    seed = int(check_seed(seed))
    boards = [tuple(board) for board in boards]
    for board in boards:
        if board not in tiny.values(tiny.at_random):
            raise ValueError(
                "a board of the 2x2 game is a tuple of four exponents that can come up and is not "
                f"dead, such as (1, 1, 0, 0), got {board!r}"
            )
    for step in alphas:
        is_number = isinstance(step, int | float) and 0 < step <= 1
        if not (is_number or step == "1/n"):
            raise ValueError(f'a step size is a number above 0, at most 1, or "1/n", got {step!r}')
    return AlphaWalk(list(alphas), boards, games, seed)
