"""Thinking about a move for a given time, or with several threads.

Nobody knows beforehand how many plies a time allows: it depends on the board and on the machine. So
one ply is looked ahead, then two, then three, and so on, each time from the beginning, and when the
time is over the last search that came to its end decides. Beginning anew costs little, since the
last search takes longer than all before it together.

Several threads share one search at its root. What they do are the boards that may follow the first
move: each thread takes the next one, with a table of known values of its own. A table never changes
a value, and the sums are made in the order in which one thread makes them. With a margin, the
boards after one action come first, then those after the next, if it is looked into at all. So the
result does not depend on the threads, to the bit.
"""

import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np

from lib2048.board import _largest_exponent, _spawn, legal_actions, slide
from lib2048.fast.choosing import ILLEGAL
from lib2048.fast.downgrading import _downgrade_planes
from lib2048.fast.expecting import ASKED, DEEPEST, FOUND, NO_MARGIN, POSITIONS
from lib2048.fast.planes import _to_board, _to_planes
from lib2048.kernels import uint64
from lib2048.learning import Rule
from lib2048.network import NTupleNetwork
from lib2048.random_words import GOLDEN, mix
from lib2048.running import PAUSE
from lib2048.search import NO_NUMBERS, PlayedGame, Search, Start, _opened
from lib2048.validate import NO_TILE

SHARED_FROM = 4  # plies from which on threads share a search; fewer take a millisecond

Found = tuple[int | None, np.ndarray]  # the best action and what all four are worth


class LookAhead(NamedTuple):
    """What a search found out about a board, and what it took.

    Attributes
    ----------
    action : int or None
        The best action, the lowest of equally good ones; None on a dead board.
    values : numpy.ndarray
        What all four are worth, float32; nan where an action is illegal.
    plies : int
        How many of its own moves it looked ahead.
    positions : int
        How many boards after a new tile it went through, searches that did not end included.
    hit_rate : float
        The share of afterstates two or more plies deep whose value was known when it was needed.
    seconds : float
        How long it took.
    """

    action: int | None
    values: np.ndarray
    plies: int
    positions: int
    hit_rate: float
    seconds: float


class Following(NamedTuple):
    """A board that may follow the first move of a search."""

    action: int
    board: int
    share: np.float32  # the probability of its new tile, wherever it is


class Thinker:
    """A player that looks ahead as far as it is told, or as far as its time allows.

    Parameters
    ----------
    net : NTupleNetwork
        The player.
    rule : Rule
        How it judges boards, and what the tiles of its games come from.
    plies : int, optional
        How many of its moves it looks ahead; None for as many as it has time for.
    seconds : float, optional
        Its time for a move; None for no limit.
    threads : int
        How many threads work on a move.
    memory : int, optional
        Bytes for all tables of known values together; the usual ones when None.
    stop : numpy.ndarray, optional
        A flag that another thread may set. It is looked at every tenth of a second.
    margin : float
        How many points less than the best action an action may be worth at once, and still be
        looked into; see fast/expecting.py.
    """

    def __init__(
        self,
        net: NTupleNetwork,
        rule: Rule,
        plies: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        memory: int | None = None,
        stop: np.ndarray | None = None,
        margin: float = NO_MARGIN,
    ):
        self.rule = rule
        self.seconds = seconds
        self.margin = np.float32(margin)
        self.depths: Sequence[int] = range(2, DEEPEST + 1)
        if plies is not None:
            self.depths = [plies] if plies > 1 else []
        self.stop = np.zeros(1, np.uint8) if stop is None else stop
        self.stop_searches = np.zeros(1, np.uint8)
        deepest = self.depths[-1] if self.depths else 1
        # A search is given what is to be shown.
        as_it_is = rule._replace(downgrade_from=uint64(NO_TILE))
        each = None if memory is None else memory // threads
        self.searches = [
            Search(
                net,
                deepest,
                as_it_is,
                self.stop_searches,
                memory=each,
                margin=margin,
            )
            for _ in range(threads)
        ]

    def choose(self, board: np.uint64) -> LookAhead:
        """Think about a board; when the flag is set meanwhile, no longer."""
        with ThreadPoolExecutor(len(self.searches)) as pool:
            return self._think(pool, board)

    def play(self, number: int, start: Start | None = None) -> PlayedGame:
        """Play game `number` of the run, to its end or until the flag is set.

        Raises
        ------
        ValueError
            If the values of the network are not numbers.
        """
        board, state = _opened(self.rule, number, start)
        thoughts: list[LookAhead] = []
        score = 0
        goes_on = True
        with ThreadPoolExecutor(len(self.searches)) as pool:
            while goes_on and not self.stop[0]:
                thought = self._think(pool, uint64(board))
                goes_on = thought.action is not None
                if thought.action is None or self.stop[0]:
                    break
                thoughts.append(thought)
                afterstate, reward = slide(board, thought.action)
                score += reward
                state = (state + int(GOLDEN)) % 2**64
                word = uint64(mix(uint64(state)))
                board = int(_spawn(uint64(afterstate), word, self.rule.fours))
        if not goes_on and legal_actions(board):
            raise ValueError(NO_NUMBERS)
        return PlayedGame(
            score=score,
            max_tile=int(_largest_exponent(uint64(board))),
            moves=len(thoughts),
            is_over=not goes_on,
            last_board=board,
            actions=np.array([thought.action for thought in thoughts], np.uint8),
            values=np.array([thought.values for thought in thoughts], np.float32).reshape(-1, 4),
            plies=int(np.median([thought.plies for thought in thoughts] or [1])),
        )

    def _think(self, pool: ThreadPoolExecutor, board: np.uint64) -> LookAhead:
        """What the last search found that came to its end. One ply is always looked ahead."""
        started = time.perf_counter()
        deadline = math.inf if self.seconds is None else started + self.seconds
        counts_before = self._counts()
        self.stop_searches[0] = 0
        shown = int(_to_board(_downgrade_planes(_to_planes(board), self.rule.downgrade_from)))
        found = self._alone(shown, 1)
        reached = 1
        if self.seconds is None or len(legal_actions(shown)) > 1:  # what is forced takes no time
            for plies in self.depths:
                deeper = self._search(pool, shown, plies, deadline)
                if deeper is None:
                    break
                found = deeper
                reached = plies
        counts = self._counts() - counts_before
        return LookAhead(
            action=found[0],
            values=found[1],
            plies=reached,
            positions=int(counts[POSITIONS]),
            hit_rate=float(counts[FOUND] / max(1, counts[ASKED])),
            seconds=time.perf_counter() - started,
        )

    def _counts(self) -> np.ndarray:
        """What all searches have counted so far."""
        return np.sum([search.known.counts for search in self.searches], axis=0)

    def _search(
        self, pool: ThreadPoolExecutor, board: int, plies: int, deadline: float
    ) -> Found | None:
        """Search a board to so many plies; None if that was not done in time."""
        if time.perf_counter() >= deadline:
            return None
        if len(self.searches) == 1 or plies < SHARED_FROM:
            job = pool.submit(self._alone, board, plies)
            return job.result() if self._wait([job], deadline) else None
        _, values = self._alone(board, 1)
        in_order = sorted(
            legal_actions(board), key=lambda action: (not np.isnan(values[action]), -values[action])
        )
        rounds = [in_order] if self.margin == NO_MARGIN else [[action] for action in in_order]
        best = ILLEGAL
        for actions in rounds:
            if not actions or values[actions[0]] < best - self.margin:
                break
            if not self._share_out(pool, board, actions, plies, deadline, values):
                return None
            best = max(best, *(values[action] for action in actions))
        return (None if np.isnan(values).all() else int(np.nanargmax(values))), values

    def _share_out(
        self,
        pool: ThreadPoolExecutor,
        board: int,
        actions: Sequence[int],
        plies: int,
        deadline: float,
        values: np.ndarray,
    ) -> bool:
        """Write what actions are worth into `values`, all threads together.

        Returns whether that was done in time.
        """
        following = list(_following(board, actions, np.float32(self.rule.p4)))
        bests = np.empty(len(following), np.float32)
        numbers = iter(range(len(following)))  # shared: each thread takes the next one

        def search_them(search: Search) -> None:
            for number in numbers:
                bests[number] = _best(search, following[number].board, plies - 1)
                if self.stop_searches[0]:
                    return

        jobs = [pool.submit(search_them, search) for search in self.searches]
        if not self._wait(jobs, deadline):
            return False
        _sum_up(board, actions, following, bests, values)
        return True

    def _alone(self, board: int, plies: int) -> Found:
        """Search a board with one thread."""
        search = self.searches[0]
        search.plies = plies
        return search.choose(uint64(board))

    def _wait(self, jobs: Sequence[Future], deadline: float) -> bool:
        """Wait for jobs, and stop them at the deadline. Returns whether they came to their end."""
        waiting: set[Future] = set(jobs)
        while waiting:
            left = deadline - time.perf_counter()
            if left <= 0 or self.stop[0]:
                self.stop_searches[0] = 1
            _, waiting = wait(waiting, min(PAUSE, max(left, 0.001)))
        for job in jobs:
            job.result()
        return not self.stop_searches[0]


# A search in parts


def _following(board: int, actions: Sequence[int], p4: np.float32) -> Iterator[Following]:
    """The boards that may follow these moves, in the order in which a search goes through them."""
    for action in actions:
        afterstate, _ = slide(board, action)
        for cell in range(16):
            if (afterstate >> 4 * cell) & 15 == 0:
                yield Following(action, afterstate | 1 << 4 * cell, np.float32(1) - p4)
                yield Following(action, afterstate | 2 << 4 * cell, p4)


def _best(search: Search, board: int, plies: int) -> np.float32:
    """What the best action on a board is worth: ILLEGAL when it is dead, nan if it is no number."""
    search.plies = plies
    _, values = search.choose(uint64(board))
    legal = values[legal_actions(board)]
    return legal.max() if len(legal) else ILLEGAL


def _sum_up(
    board: int,
    actions: Sequence[int],
    following: Sequence[Following],
    bests: np.ndarray,
    values: np.ndarray,
) -> None:
    """Write what these actions are worth into `values`, from what may follow each of them."""
    totals = np.zeros(4, np.float32)
    cells = np.zeros(4, np.float32)
    for each, best in zip(following, bests, strict=True):
        cells[each.action] += np.float32(0.5)  # each cell has a 2 and a 4
        if best != ILLEGAL:
            totals[each.action] += each.share * best
    for action in actions:
        _, reward = slide(board, action)
        values[action] = np.float32(reward) + totals[action] / cells[action]
