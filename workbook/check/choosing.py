"""Checks of choosing a move, by values of afterstates, by values of states, and looking ahead."""

import functools
import math
from collections.abc import Callable, Iterator

from lib2048 import board as game
from workbook import grid
from workbook.answers import Thing
from workbook.check.exercise import Suspects, exercise, located
from workbook.check.material import (
    DEAD,
    EMPTY,
    EMPTY_ROW,
    MIXED,
    NARROW,
    TOP,
    random_boards,
    spawns,
    values,
)
from workbook.check.material import (
    spawn_mean as mean_over_spawns,
)
from workbook.trial import Case

# spawn_mean

SPAWN_MEAN = Suspects()


def _right_spawn_mean(afterstate, value, p4):
    return mean_over_spawns(afterstate, value, p4)


def _sum_over_cells(afterstate, value, p4, exponents=(1, 2), cells=slice(None)) -> float:
    """The sum over (some of) the empty cells of the mean over the two tiles."""
    total = 0.0
    for row, column in grid.empty_cells(afterstate)[cells]:
        for exponent, probability in zip(exponents, (1 - p4, p4)):
            total += probability * value(grid.place(afterstate, row, column, exponent))
    return total


def _count(afterstate) -> int:
    return len(grid.empty_cells(afterstate))


@SPAWN_MEAN.add(
    "It looks as if the sum were not divided by the number of empty cells: each of them is "
    "equally likely."
)
def _not_divided(afterstate, value, p4):
    return _sum_over_cells(afterstate, value, p4)


@SPAWN_MEAN.add(
    "It looks as if the sum were divided by twice the number of empty cells: the probabilities of "
    "2 and 4 make 1 together, so it is divided by the number of cells."
)
def _divided_by_boards(afterstate, value, p4):
    return mean_over_spawns(afterstate, value, p4) / 2


@SPAWN_MEAN.add("It looks as if the sum were divided by 16: divide by the number of empty cells.")
def _divided_by_16(afterstate, value, p4):
    return _sum_over_cells(afterstate, value, p4) / 16


@SPAWN_MEAN.add(
    "It looks as if the number of empty cells were counted before the move or after the new tile, "
    "one off: it is that of the afterstate."
)
def _one_cell_more(afterstate, value, p4):
    return _sum_over_cells(afterstate, value, p4) / (_count(afterstate) + 1)


@SPAWN_MEAN.add("It looks as if one empty cell less were counted: divide by all of them.")
def _one_cell_less(afterstate, value, p4):
    return _sum_over_cells(afterstate, value, p4) / max(1, _count(afterstate) - 1)


@SPAWN_MEAN.add(
    "It looks as if p4 and 1 - p4 were exchanged: p4 is the probability of a 4, exponent 2."
)
def _exchanged(afterstate, value, p4):
    return mean_over_spawns(afterstate, value, 1 - p4)


def _always(fixed):
    def spawn_mean(afterstate, value, p4):
        return mean_over_spawns(afterstate, value, fixed)

    return spawn_mean


SPAWN_MEAN.add(
    "It looks as if a 4 always had the probability 0.1: it is an argument, p4, since some "
    "environments have another."
)(_always(0.1))
SPAWN_MEAN.add("It looks as if a 4 always had the probability 0.2: it is an argument, p4.")(
    _always(0.2)
)
SPAWN_MEAN.add("It looks as if 2 and 4 were equally likely: a 4 has the probability p4.")(
    _always(0.5)
)
SPAWN_MEAN.add("It looks as if only a 2 ever came: a 4 comes with probability p4.")(_always(0.0))


@SPAWN_MEAN.add("It looks as if the values of 2 and 4 were added up without their probabilities.")
def _no_probabilities(afterstate, value, p4):
    return 2 * mean_over_spawns(afterstate, value, 0.5)


@SPAWN_MEAN.add(
    "It looks as if tiles were placed, 2 and 4, where exponents belong: a 2 is exponent 1, a 4 is "
    "exponent 2."
)
def _tiles_as_exponents(afterstate, value, p4):
    return _sum_over_cells(afterstate, value, p4, exponents=(2, 4)) / _count(afterstate)


@SPAWN_MEAN.add("It looks as if an 8 came where a 4 should: a 4 is exponent 2.")
def _eights(afterstate, value, p4):
    return _sum_over_cells(afterstate, value, p4, exponents=(1, 3)) / _count(afterstate)


@SPAWN_MEAN.add("It looks as if only the first empty cell counted: go through all of them.")
def _first_cell(afterstate, value, p4):
    return _sum_over_cells(afterstate, value, p4, cells=slice(1))


@SPAWN_MEAN.add("It looks as if the last empty cell were left out.")
def _without_the_last_cell(afterstate, value, p4):
    return _sum_over_cells(afterstate, value, p4, cells=slice(-1)) / _count(afterstate)


@SPAWN_MEAN.add(
    "It looks as if the best new tile were chosen: chance chooses it, so take the mean."
)
def _best_spawn(afterstate, value, p4):
    return max(value(board) for _, board in spawns(afterstate, p4))


@SPAWN_MEAN.add("It looks as if the worst new tile were taken: chance is no enemy, take the mean.")
def _worst_spawn(afterstate, value, p4):
    return min(value(board) for _, board in spawns(afterstate, p4))


@SPAWN_MEAN.add(
    "It looks as if no new tile were placed: value wants the boards that follow, s'' and not s'."
)
def _no_spawn(afterstate, value, p4):
    return value(afterstate)


@SPAWN_MEAN.add(
    "It looks as if a tile that was placed stayed for the next one: take it away again, or work on "
    "a fresh copy each time."
)
def _tiles_stay(afterstate, value, p4):
    board = [list(row) for row in afterstate]
    total = 0.0
    for row, column in grid.empty_cells(afterstate):
        board[row][column] = 1
        total += (1 - p4) * value(board)
        board[row][column] = 2
        total += p4 * value(board)
    return total / _count(afterstate)


@SPAWN_MEAN.add("It looks as if the mean were rounded: leave all digits.")
def _rounded(afterstate, value, p4):
    return round(mean_over_spawns(afterstate, value, p4))


@SPAWN_MEAN.add("It looks as if it were divided without a remainder: use / and not //.")
def _without_remainder(afterstate, value, p4):
    return math.floor(mean_over_spawns(afterstate, value, p4))


@SPAWN_MEAN.add("It looks as if the mean were cut off to a whole number: leave all digits.")
def _cut_off(afterstate, value, p4):
    return int(mean_over_spawns(afterstate, value, p4))


@exercise(
    right=_right_spawn_mean,
    suspects=SPAWN_MEAN,
    now="V(state) needs it for every move it thinks of, which is what makes it slow.",
)
def spawn_mean():
    """spawn_mean(afterstate, value, p4) -> number

    The mean of value(board) over all boards that the new tile may make of an afterstate. All empty
    cells are equally likely; the tile is a 4 (exponent 2) with probability p4, else a 2
    (exponent 1). There is an empty cell.
    """
    with_room = [board for board in random_boards(20, seed=6) if 0 in sum(board, [])]
    value = values(-20.0)
    for number, board in enumerate([TOP, NARROW, MIXED, EMPTY, NARROW, *with_room]):
        p4 = (0.1, 0.25, 1.0, 0.2, 0.0)[number % 5]
        yield Case((board, value, p4), explain=_explain_mean)


def _explain_mean(told) -> list[str]:
    """How large a wrong mean is beside the right one, and what the mean is made of."""
    afterstate, value, p4 = told.arguments
    empty = _count(afterstate)
    counted = "1 cell is" if empty == 1 else f"{empty} cells are"
    lines = [
        f"{counted} empty, so {2 * empty} boards may follow; a 2 has the probability "
        f"{1 - p4:g}, a 4 {p4:g}."
    ]
    if isinstance(told.got, int | float) and told.expected:
        lines.append(f"You return {told.got / told.expected:.4g} times the mean.")
    return lines


# select_afterstate and select_state


def _choices() -> Iterator[tuple[str, list, Callable]]:
    """(the rule that the case is there for, board, value function) of cases for choosing."""
    yield "both reward and value count", MIXED, values(0.0)
    yield "what moves nothing is no action", TOP, values(0.0, liked_row=TOP[0])
    yield "all that can be had may lie below -1", MIXED, values(-900.0)
    for low, step in ((-5e6, 64.0), (-1e12, 2.0**24)):
        yield "all that can be had may lie far below 0", MIXED, values(low, step)
    yield "a dead board has no action: None", DEAD, values(0.0)
    tie = [EMPTY_ROW, [0, 1, 0, 0], [0, 0, 2, 0], EMPTY_ROW]
    other_tie = [*EMPTY[1:], [4, 3, 2, 0]]
    for board in (tie, other_tie):
        yield "of equals the lowest action", board, values(0.0, step=0.0)
    for number, board in enumerate(random_boards(40, seed=7)):
        low = (0.0, -900.0, 0.0)[number % 3]
        yield "", board, values(low, step=(0.125, 0.125, 1 / 512)[number % 3])


def _worths(board, worth_of_afterstate) -> dict[int, float]:
    """What each legal action is worth."""
    worths = {}
    for action in grid.legal_actions(board):
        afterstate, reward = grid.slide(board, action)
        worths[action] = reward + worth_of_afterstate(afterstate)
    return worths


def _is_close(worths: dict[int, float]) -> bool:
    """Whether the two best actions are so close, yet not equal, that float32 could not tell."""
    if len(worths) < 2:
        return False
    best, second, *_ = sorted(worths.values(), reverse=True)
    return 0 < best - second < max(0.01, 1e-5 * abs(best))


def _best(worths: dict[int, float]) -> int | None:
    """The action of the largest worth, the lowest of equals."""
    return max(sorted(worths), key=worths.get, default=None)


def _right_select_afterstate(board, value):
    return _best(_worths(board, value))


def _right_select_state(board, value, p4):
    return _best(_worths(board, functools.partial(mean_over_spawns, value=value, p4=p4)))


def _chosen(board, worth_of, start=-float("inf"), nothing=None, keeps_later=False, all_four=False):
    """The best action by a loop over the four, as many write it.

    worth_of is a function of (reward, afterstate); start is what the best worth starts at.
    """
    best = nothing
    best_worth = start
    for action in range(4):
        afterstate, reward = grid.slide(board, action)
        if reward == -1 and not all_four:
            continue
        worth = worth_of(reward, afterstate)
        if worth > best_worth or (keeps_later and worth == best_worth):
            best = action
            best_worth = worth
    return best


LOW_START = (
    "It looks as if the best worth so far started at a number, such as 0, −1 or −1,000. Where all "
    "worths lie below that, no action is ever better, and the game ends too early. Start with "
    "None, or with -math.inf."
)


def _enter_usual_faults(suspects: Suspects, worth_after: Callable) -> None:
    """The faults in choosing that do not depend on what is averaged over.

    worth_after(afterstate, value, *p4) is the value part of a worth.
    """

    def by(worth, **faults):
        """A function that chooses by worth(reward, value part, value of s)."""

        def select(board, value, *p4):
            def worth_of(reward, afterstate):
                return worth(reward, lambda: worth_after(afterstate, value, *p4), board, value)

            return _chosen(board, worth_of, **faults)

        return select

    def right(reward, after, board, value):
        return reward + after()

    for nothing in (None, -1, 0):
        for start in (0, -1, -1_000, -1_000_000, -1_000_000_000):
            suspects.add(LOW_START)(by(right, start=start, nothing=nothing))
    suspects.add("A dead board has no action: None is asked for, and -1 came.")(
        by(right, nothing=-1)
    )
    suspects.add("A dead board has no action: None is asked for, and 0, which is up, came.")(
        by(right, nothing=0)
    )
    suspects.add(
        "Of two equal worths it takes the later action: ask for > and not for >=, so that the "
        "lowest stays."
    )(by(right, keeps_later=True))
    suspects.add(
        "It looks as if an action that moves nothing could be chosen: leave out those whose "
        "reward is -1."
    )(by(right, all_four=True))
    suspects.add("It looks as if the reward were left out: an action is worth reward + value.")(
        by(lambda reward, after, board, value: after())
    )
    suspects.add(
        "It looks as if the value did not matter: either it is left out of reward + value, or it "
        "is that of the board before the slide, which is the same for all actions."
    )(by(lambda reward, after, board, value: reward))
    suspects.add("It looks as if rewards were halved: they count as slide gives them.")(
        by(lambda reward, after, board, value: reward / 2 + after())
    )
    suspects.add("It looks as if rewards counted twice.")(
        by(lambda reward, after, board, value: 2 * reward + after())
    )
    suspects.add("It looks as if the smallest worth were chosen: take the largest.")(
        by(lambda reward, after, board, value: -(reward + after()))
    )
    suspects.add("It looks as if reward and value were multiplied: add them.")(
        by(lambda reward, after, board, value: reward * after())
    )
    suspects.add("It looks as if the size of the worth counted without its sign.")(
        by(lambda reward, after, board, value: abs(reward + after()))
    )
    suspects.add("It looks as if worths below 0 counted as 0.")(
        by(lambda reward, after, board, value: max(0.0, reward + after()))
    )

    def merging_only(board, value, *p4):
        worths = _worths(board, lambda afterstate: worth_after(afterstate, value, *p4))
        merging = {a: worths[a] for a in worths if grid.slide(board, a)[1] > 0}
        return _best(merging)

    suspects.add(
        "It looks as if only moves that merge something were looked at: a reward of 0 is legal, "
        "-1 is not."
    )(merging_only)
    suspects.add(
        "It looks as if the last legal action were always taken: the best is replaced only by a "
        "better one."
    )(lambda board, value, *p4: (grid.legal_actions(board) or [None])[-1])

    def three_actions(board, value, *p4):
        worths = _worths(board, lambda afterstate: worth_after(afterstate, value, *p4))
        worths.pop(game.LEFT, None)
        return _best(worths)

    suspects.add("It looks as if action 3, left, were never looked at: there are four.")(
        three_actions
    )

    def first_worth_kept(board, value, *p4):
        worths = _worths(board, lambda afterstate: worth_after(afterstate, value, *p4))
        best = next(iter(worths), None)
        for action, worth in worths.items():
            if worth > next(iter(worths.values())):
                best = action
        return best

    suspects.add(
        "It looks as if every worth were compared with that of the first action: when an action is "
        "the best so far, keep its worth as well."
    )(first_worth_kept)
    suspects.add("It looks as if the first legal action were always taken.")(
        lambda board, value, *p4: next(iter(grid.legal_actions(board)), None)
    )
    suspects.add("An action is a number from 0 to 3; this is the worth of the best.")(
        lambda board, value, *p4: max(
            _worths(board, lambda afterstate: worth_after(afterstate, value, *p4)).values(),
            default=None,
        )
    )

    def place_among_the_legal(board, value, *p4):
        worths = _worths(board, lambda afterstate: worth_after(afterstate, value, *p4))
        return list(worths).index(_best(worths)) if worths else None

    suspects.add(
        "It looks as if the place in the list of legal actions were returned, as argmax gives it: "
        "return the action that stands there."
    )(place_among_the_legal)

    def one_more(board, value, *p4):
        best = _best(_worths(board, lambda afterstate: worth_after(afterstate, value, *p4)))
        return None if best is None else best + 1

    suspects.add("It looks as if actions were counted from 1: up is 0.")(one_more)

    def or_none(board, value, *p4):
        best = _best(_worths(board, lambda afterstate: worth_after(afterstate, value, *p4)))
        return best or None

    suspects.add(
        "Where action 0, up, is the best, None comes: 0 counts as false, so ask `is None`."
    )(or_none)


SELECT_AFTERSTATE = Suspects()
SELECT_STATE = Suspects()


@SELECT_STATE.add(
    "It looks as if value were asked about the afterstate itself. It values states: take the mean "
    "over the boards that follow, s'' after the new tile."
)
def _select_by_afterstates(board, value, p4):
    return _right_select_afterstate(board, value)


@SELECT_AFTERSTATE.add(
    "It looks as if the mean over the new tiles were taken. It is not needed here: value knows "
    "what an afterstate is worth."
)
def _select_by_spawns(board, value):
    def mean(afterstate):
        return mean_over_spawns(afterstate, value, 0.1)

    return _best(_worths(board, mean))


_enter_usual_faults(SELECT_AFTERSTATE, lambda afterstate, value: value(afterstate))


def _select_with(mean):
    """Choosing with a mean that has a fault."""

    def select_state(board, value, p4):
        return _best(_worths(board, lambda afterstate: mean(afterstate, value, p4)))

    return select_state


@SELECT_STATE.add(
    "It looks as if the sum over the new tiles were not divided, or divided by the number of cells "
    "that were empty before the slide: a merge frees cells, so count those of each afterstate."
)
def _select_by_cells_before_the_slide(board, value, p4):
    empty = max(1, _count(board))
    return _best(_worths(board, lambda after: _sum_over_cells(after, value, p4) / empty))


for _sentence, _mean in SPAWN_MEAN:
    if _mean is not _no_spawn:  # which is said above
        SELECT_STATE.add(located("In the mean over the new tiles", _sentence))(_select_with(_mean))
_enter_usual_faults(
    SELECT_STATE,
    lambda afterstate, value, p4: mean_over_spawns(afterstate, value, p4),
)


@exercise(
    right=_right_select_afterstate,
    suspects=SELECT_AFTERSTATE,
    now="With this the network plays.",
)
def select_afterstate():
    """select_afterstate(board, value) -> action or None

    The action whose reward + value(afterstate) is the largest; of equals the lowest. An action
    that moves nothing cannot be chosen. None when the board is dead. Values can be any numbers,
    also far below 0.
    """
    for about, board, value in _choices():
        worths = _worths(board, value)
        if not _is_close(worths):
            yield Case(
                (board, value),
                about=about,
                given=[Thing("", board), *_listed(worths)],
                explain=_explain_choice,
            )


def _listed(worths: dict[int, float]) -> list[Thing]:
    """What each action is worth, a line each."""
    if not worths:
        return [Thing("", "no action")]
    return [
        Thing("", f"{action} ({game.ACTIONS[action]}) is worth {worth:,.9g}")
        for action, worth in worths.items()
    ]


def _explain_choice(told) -> list[str]:
    board = told.arguments[0]
    if told.got in range(4) and told.got not in grid.legal_actions(board):
        return [f"Action {told.got} ({game.ACTIONS[told.got]}) moves nothing here."]
    return []


@exercise(
    right=_right_select_state,
    suspects=SELECT_STATE,
    now="With this a network of V(state) plays.",
)
def select_state():
    """select_state(board, value, p4) -> action or None

    The action whose reward + mean of value over the boards that the new tile may make is the
    largest; of equals the lowest. A 4 comes with probability p4, else a 2. An action that moves
    nothing cannot be chosen. None when the board is dead.
    """
    chances = (0.1, 1.0, 0.5, 0.0, 0.2)
    count = 0
    for about, board, value in _choices():
        p4 = chances[count % len(chances)]
        worths = _worths(board, functools.partial(mean_over_spawns, value=value, p4=p4))
        if not _is_close(worths):
            count += 1
            yield Case(
                (board, value, p4),
                about=about,
                given=[Thing("", board), *_listed(worths)],
                explain=_explain_choice,
            )


# expectimax

EXPECTIMAX = Suspects()


class Rule:
    """A search that can have faults; right as it is."""

    dead = 0.0  # what a dead board is worth

    def search(self, board, value, plies, p4):
        """(action, worth) by the definition."""
        worths = self.worths(board, value, plies, p4)
        best = _best(worths)
        return best, (self.dead if best is None else worths[best])

    def worths(self, board, value, plies, p4):
        """What each action is worth."""
        return _worths(board, lambda afterstate: self.after(afterstate, value, plies, p4))

    def after(self, afterstate, value, plies, p4):
        """What an afterstate is worth with plies - 1 more moves to look at."""
        if plies <= 1:
            return value(afterstate)
        return self.mean(afterstate, lambda board: self.deeper(board, value, plies - 1, p4), p4)

    def mean(self, afterstate, worth, p4):
        """The mean over the new tiles."""
        return mean_over_spawns(afterstate, worth, p4)

    def deeper(self, board, value, plies, p4):
        """What a board further down is worth."""
        return self.search(board, value, plies, p4)[1]


def _right_expectimax(board, value, plies, p4):
    return Rule().search(board, value, plies, p4)


class MeanOfMoves(Rule):
    def deeper(self, board, value, plies, p4):
        worths = self.worths(board, value, plies, p4).values()
        return sum(worths) / len(worths) if worths else 0.0


class WorstMove(Rule):
    def deeper(self, board, value, plies, p4):
        return min(self.worths(board, value, plies, p4).values(), default=0.0)


class FirstMove(Rule):
    def deeper(self, board, value, plies, p4):
        return next(iter(self.worths(board, value, plies, p4).values()), 0.0)


class ValueOfBoards(Rule):
    def deeper(self, board, value, plies, p4):
        return value(board)


class NoDeeperRewards(Rule):
    def deeper(self, board, value, plies, p4):
        action, worth = self.search(board, value, plies, p4)
        return 0.0 if action is None else worth - grid.slide(board, action)[1]


class NoNewTiles(Rule):
    def after(self, afterstate, value, plies, p4):
        if plies <= 1:
            return value(afterstate)
        return self.search(afterstate, value, plies - 1, p4)[1]


class NoRewardAtLeaves(Rule):
    """Rewards count only where new tiles follow."""

    def worths(self, board, value, plies, p4):
        worths = super().worths(board, value, plies, p4)
        if plies > 1:
            return worths
        return {action: worths[action] - grid.slide(board, action)[1] for action in worths}


class RewardAtLeavesOnly(Rule):
    def worths(self, board, value, plies, p4):
        worths = super().worths(board, value, plies, p4)
        if plies <= 1:
            return worths
        return {action: worths[action] - grid.slide(board, action)[1] for action in worths}


class WorstEverywhere(Rule):
    def search(self, board, value, plies, p4):
        worths = self.worths(board, value, plies, p4)
        worst = min(sorted(worths), key=worths.get, default=None)
        return worst, (0.0 if worst is None else worths[worst])


class FirstEverywhere(Rule):
    def search(self, board, value, plies, p4):
        worths = self.worths(board, value, plies, p4)
        return next(iter(worths.items()), (None, 0.0))


class LaterOfEquals(Rule):
    def search(self, board, value, plies, p4):
        worths = self.worths(board, value, plies, p4)
        best = max(sorted(worths, reverse=True), key=worths.get, default=None)
        return best, (0.0 if best is None else worths[best])


class IllegalMoves(Rule):
    def worths(self, board, value, plies, p4):
        worths = {}
        for action in range(4):
            afterstate, reward = grid.slide(board, action)
            if plies == 1 or grid.empty_cells(afterstate):
                worths[action] = reward + self.after(afterstate, value, plies, p4)
        return worths


class NotDivided(Rule):
    def mean(self, afterstate, worth, p4):
        return _not_divided(afterstate, worth, p4)


class DividedBySixteen(Rule):
    def mean(self, afterstate, worth, p4):
        return _not_divided(afterstate, worth, p4) / 16


class CountedBeforeTheSlide(Rule):
    """The sum is divided by the cells that were empty before the slide."""

    def worths(self, board, value, plies, p4):
        worths = super().worths(board, value, plies, p4)
        if plies <= 1:
            return worths
        counted = max(1, len(grid.empty_cells(board)))
        for action, worth in worths.items():
            afterstate, reward = grid.slide(board, action)
            worths[action] = reward + (worth - reward) * len(grid.empty_cells(afterstate)) / counted
        return worths


class ValueAtEachPly(Rule):
    def after(self, afterstate, value, plies, p4):
        further = super().after(afterstate, value, plies, p4)
        return further if plies <= 1 else value(afterstate) + further


class BestTile(Rule):
    def mean(self, afterstate, worth, p4):
        return max(worth(board) for _, board in spawns(afterstate, p4))


class WorstTile(Rule):
    def mean(self, afterstate, worth, p4):
        return min(worth(board) for _, board in spawns(afterstate, p4))


class TwosOnly(Rule):
    def mean(self, afterstate, worth, p4):
        return mean_over_spawns(afterstate, worth, 0.0)


class AlwaysATenth(Rule):
    def mean(self, afterstate, worth, p4):
        return mean_over_spawns(afterstate, worth, 0.1)


class Exchanged(Rule):
    def mean(self, afterstate, worth, p4):
        return mean_over_spawns(afterstate, worth, 1 - p4)


class DeadCostsOne(Rule):
    dead = -1.0


class OnePlyMore(Rule):
    def search(self, board, value, plies, p4):
        worths = self.worths(board, value, plies + 1, p4)
        best = _best(worths)
        return best, (0.0 if best is None else worths[best])

    def deeper(self, board, value, plies, p4):
        return Rule().search(board, value, plies, p4)[1]


class OnePlyLess(Rule):
    def search(self, board, value, plies, p4):
        return Rule().search(board, value, max(1, plies - 1), p4)


class TwoPliesAtMost(Rule):
    def search(self, board, value, plies, p4):
        return Rule().search(board, value, min(plies, 2), p4)


class OnePlyOnly(Rule):
    def search(self, board, value, plies, p4):
        return Rule().search(board, value, 1, p4)


class WithoutDeadBoards(Rule):
    def mean(self, afterstate, worth, p4):
        living = [
            (probability, board)
            for probability, board in spawns(afterstate, p4)
            if not grid.is_dead(board)
        ]
        total = sum(probability for probability, _ in living)
        return sum(p * worth(board) for p, board in living) / total if total else 0.0


class BelowZeroIsZero(Rule):
    def deeper(self, board, value, plies, p4):
        return max(0.0, self.search(board, value, plies, p4)[1])


class NoRewards(Rule):
    def search(self, board, value, plies, p4):
        worths = self.worths(board, value, plies, p4)
        worths = {action: worths[action] - grid.slide(board, action)[1] for action in worths}
        best = _best(worths)
        return best, (0.0 if best is None else worths[best])


EXPECTIMAX.add(
    "It looks as if the last max were missing: further down the mean over the moves is taken. "
    "There too it is the player who moves, and takes the best."
)(MeanOfMoves().search)
EXPECTIMAX.add(
    "It looks as if the last max were missing: further down V of the board itself is taken. value "
    "knows afterstates: look at the moves of the board, and take the largest reward + value."
)(ValueOfBoards().search)
EXPECTIMAX.add(
    "It looks as if further down the smallest worth were taken, as against an enemy: the player "
    "moves there too, and takes the largest."
)(WorstMove().search)
EXPECTIMAX.add("It looks as if further down the first move were taken, not the best.")(
    FirstMove().search
)
EXPECTIMAX.add("It looks as if the reward were left out with 1 ply: each ply adds its own.")(
    NoRewardAtLeaves().search
)
EXPECTIMAX.add("It looks as if the reward were left out with 2 plies: each ply adds its own.")(
    RewardAtLeavesOnly().search
)
EXPECTIMAX.add("It looks as if the smallest worth were chosen: take the largest.")(
    WorstEverywhere().search
)
EXPECTIMAX.add(
    "Of two equal worths it takes the later action: ask for > and not for >=, so that the lowest "
    "stays."
)(LaterOfEquals().search)
EXPECTIMAX.add("It looks as if the first legal action were always taken: compare the worths.")(
    FirstEverywhere().search
)
EXPECTIMAX.add(
    "It looks as if an action that moves nothing could be chosen: leave out those whose reward is "
    "-1."
)(IllegalMoves().search)
EXPECTIMAX.add("It looks as if the rewards of later moves were left out: each ply adds its own.")(
    NoDeeperRewards().search
)
EXPECTIMAX.add("It looks as if all rewards were left out: each ply adds its own.")(
    NoRewards().search
)
EXPECTIMAX.add(
    "It looks as if the next move were made on the afterstate: between two moves comes a new tile, "
    "so take the mean over the boards it makes."
)(NoNewTiles().search)
EXPECTIMAX.add("It looks as if the sum over the new tiles were not divided by the empty cells.")(
    NotDivided().search
)
EXPECTIMAX.add(
    "It looks as if the sum over the new tiles were divided by 16, not by the empty cells."
)(DividedBySixteen().search)
EXPECTIMAX.add(
    "It looks as if the empty cells were counted before the slide: new tiles come on the "
    "afterstate, so count its empty cells."
)(CountedBeforeTheSlide().search)
EXPECTIMAX.add(
    "It looks as if V of the afterstate were added at each ply. V stands for all that is still to "
    "come, and so does what is found further down: V counts after the last ply alone."
)(ValueAtEachPly().search)
EXPECTIMAX.add("It looks as if the best new tile were chosen: chance chooses it, take the mean.")(
    BestTile().search
)
EXPECTIMAX.add("It looks as if the worst new tile were taken: chance is no enemy, take the mean.")(
    WorstTile().search
)
EXPECTIMAX.add("It looks as if only a 2 ever came: a 4 comes with probability p4.")(
    TwosOnly().search
)
EXPECTIMAX.add("It looks as if a 4 always had the probability 0.1: it is an argument, p4.")(
    AlwaysATenth().search
)
EXPECTIMAX.add("It looks as if p4 and 1 - p4 were exchanged: p4 is that of a 4.")(
    Exchanged().search
)
EXPECTIMAX.add("It looks as if a dead board were worth -1: it is worth 0.")(DeadCostsOne().search)
EXPECTIMAX.add(
    "It looks as if boards that are dead were left out of the mean: they count 0, with their "
    "probability. To avoid them is what the search is for."
)(WithoutDeadBoards().search)
EXPECTIMAX.add("It looks as if worths below 0 counted as 0 further down: a value may be negative.")(
    BelowZeroIsZero().search
)
EXPECTIMAX.add(
    "It looks as if one ply too many were looked at: with 1 ply it is reward + value(afterstate)."
)(OnePlyMore().search)
EXPECTIMAX.add(
    "It looks as if one ply too few were looked at: with 2 plies there are new tiles and a second "
    "move."
)(OnePlyLess().search)
EXPECTIMAX.add(
    "It looks as if never more than 2 plies were looked at: what is asked for further down has one "
    "ply less, plies - 1."
)(TwoPliesAtMost().search)
EXPECTIMAX.add("It looks as if one ply were looked at, whatever plies is.")(OnePlyOnly().search)


def _with_dead(answer):
    def expectimax(board, value, plies, p4):
        action, worth = _right_expectimax(board, value, plies, p4)
        return answer if action is None else (action, worth)

    return expectimax


EXPECTIMAX.add("For a dead board (None, 0) is asked for, a pair as well.")(_with_dead(None))
EXPECTIMAX.add("A dead board has no action: (None, 0) is asked for.")(_with_dead((0, 0)))
EXPECTIMAX.add("A dead board has no action: (None, 0) is asked for, and not -1.")(
    _with_dead((-1, 0))
)
EXPECTIMAX.add("A dead board is worth 0: nothing more is earned.")(_with_dead((None, None)))
EXPECTIMAX.add("Two things are asked for, (action, worth): this is the action alone.")(
    lambda board, value, plies, p4: _right_expectimax(board, value, plies, p4)[0]
)
EXPECTIMAX.add("Two things are asked for, (action, worth): this is the worth alone.")(
    lambda board, value, plies, p4: _right_expectimax(board, value, plies, p4)[1]
)
EXPECTIMAX.add("The order is (action, worth).")(
    lambda board, value, plies, p4: _right_expectimax(board, value, plies, p4)[::-1]
)


class Started(Rule):
    """The best worth starts at a number, on the board and further down."""

    def __init__(self, start):
        self.start = start

    def search(self, board, value, plies, p4):
        best = None
        best_worth = self.start
        for action, worth in self.worths(board, value, plies, p4).items():
            if worth > best_worth:
                best = action
                best_worth = worth
        return best, best_worth


for _start in (0.0, -1.0, -1000.0):
    EXPECTIMAX.add(LOW_START)(Started(_start).search)


@exercise(
    right=_right_expectimax,
    suspects=EXPECTIMAX,
    wanted="A pair is asked for, (action, worth).",
    now="The same network plays better with it, and takes many times as long.",
)
def expectimax():
    """expectimax(board, value, plies, p4) -> (action, worth)

    The best action by looking ahead, and what it is worth. With 1 ply an action is worth its
    reward + value(afterstate). With more it is worth its reward + the mean, over the boards that
    the new tile may make, of what the best action there is worth with one ply less. A dead board
    has no action and is worth 0: (None, 0). Of equals the lowest action.
    """
    narrow = [[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [3, 1, 4, 4]]
    nearly_full = [[1, 2, 3, 1], [2, 5, 1, 2], [4, 1, 2, 1], [0, 2, 1, 6]]
    cases = [(MIXED, 1), (NARROW, 2), (DEAD, 1), (narrow, 2), (nearly_full, 2), (DEAD, 2)]
    doomed = [[2, 1, 2, 4], [3, 2, 1, 3], [1, 4, 3, 4], [4, 3, 1, 4]]
    cases += [(doomed, 2), (nearly_full, 3), (narrow, 3), (MIXED, 2)]
    crowded = [board for board in random_boards(60, seed=12) if 1 <= _count(board) <= 4]
    cases += [(board, 2) for board in crowded[:8]]
    for number, (board, plies) in enumerate(cases):
        value = values((-30.0, 0.0, -900.0)[number % 3])
        p4 = (0.1, 0.3, 0.5)[number % 3]
        worths = Rule().worths(board, value, plies, p4)
        if not _is_close(worths):
            if number == 1:
                yield from _ties()
            yield Case(
                (board, value, plies, p4),
                given=[Thing("", board), Thing("plies:", plies), *_listed(worths)],
                read=_read_choice,
                explain=_explain_search,
            )


def _ties() -> Iterator[Case]:
    """Boards on which all actions are worth the same, so that the lowest counts."""
    for board in ([EMPTY_ROW, [0, 1, 0, 0], [0, 0, 2, 0], EMPTY_ROW], [*EMPTY[1:], [4, 3, 2, 0]]):
        value = values(0.0, step=0.0)
        worths = Rule().worths(board, value, 1, 0.1)
        yield Case(
            (board, value, 1, 0.1),
            about="of equals the lowest action",
            given=[Thing("", board), Thing("plies:", 1), *_listed(worths)],
            read=_read_choice,
            explain=_explain_search,
        )


def _explain_search(told) -> list[str]:
    if grid.is_dead(told.arguments[0]):
        return ["The board is dead: there is no action, and nothing more is earned. (None, 0)."]
    if told.part == "action" and told.got in range(4):
        return _explain_choice(told)
    if told.part == "action":
        return ["This is no action. The order is (action, worth)."]
    return ["What the actions are worth stands below the board."]


def _read_choice(answer, arguments):
    if not isinstance(answer, list) or len(answer) != 2:
        raise TypeError("a pair is asked for")
    return {"action": answer[0], "worth": answer[1]}
