"""Games as lines of text, the way the 2048-Framework writes them and the courses' judges read them.

    slide:place@T0|ACTIONS|WINNER@T1        who plays, when the game began (milliseconds), who won, when it ended

ACTIONS are two placements, then slides and placements in turn. A placement is a cell (0-F) and an exponent (1 for a
2-tile, 2 for a 4-tile), a slide `#U`, `#R`, `#D` or `#L`. Each is followed by `[reward]` and `(milliseconds)` where
these are not 0. Boards are not written: reading plays the game again by the rules and checks every move.
"""

import re
from pathlib import Path

import numpy as np

from lib2048.board import _empty_cells, _slide
from lib2048.files import replacing
from lib2048.kernels import U, kernel
from lib2048.records import Trace

_TIME = r"(?:\([0-9]{1,18}\))?"
_PLACE = r"([0-9A-F])([12])(?:\[0\])?" + _TIME
_OPENING = re.compile(_PLACE * 2)
_MOVE = re.compile(r"#([URDL])(?:\[([0-9]{1,9})\])?" + _TIME + _PLACE)
_SOMEONE = re.compile(r"[^|@\r\n]*@[0-9]+(?:ms)?")
CELLS = "0123456789ABCDEF"
SLIDES = "URDL"


@kernel()
def _slide_all(boards, actions, afterstates, rewards):
    """Write the afterstate and the reward of each action on its board, in place."""
    for t in range(len(actions)):
        afterstates[t], rewards[t] = _slide(boards[t], actions[t])


@kernel()
def _replay(actions, tiles, boards, rewards):
    """Play actions and new tiles (each alone on a board) from boards[0] on; fills boards and rewards in place.

    Returns how many moves went by the rules: up to one that moves nothing or puts its tile on another.
    """
    for t in range(len(actions)):
        after, reward = _slide(boards[t], actions[t])
        if after == boards[t] or not _empty_cells(after) & (tiles[t] | (tiles[t] >> U(1))):
            return t
        boards[t + 1], rewards[t] = after | tiles[t], reward
    return len(actions)


def _fault(column: int, found: str, expected: str) -> ValueError:
    return ValueError(f"column {column + 1}: found {found}, expected {expected}")


def parse_line(line: str) -> Trace:
    """The game of one line, played again by the rules; ValueError with the column of what is against them.

    The last board need not be dead: a game may have been stopped. The line tells neither what the moves seemed worth
    nor a seed, so values are nan and seed is None.

    >>> parse_line("slide:place@0|0131#L[4](1)F2#U41#R[8]01|place@9").score
    12
    """
    line = line.rstrip()
    fields = line.split("|")
    if len(fields) != 3:
        raise _fault(0, f"{len(fields)} fields", "3 with a | between them")
    start, end = len(fields[0]) + 1, len(line) - len(fields[2]) - 1
    for column, field in ((0, fields[0]), (end + 1, fields[2])):
        if not _SOMEONE.fullmatch(field):
            raise _fault(column, repr(field[:30]), "a name, @ and milliseconds")
    opening = _OPENING.match(line, start)
    if not opening or opening[1] == opening[3]:
        raise _fault(start, repr(line[start : start + 8]), "two tiles in two cells, such as 0152")
    moves, here = [], opening.end()
    while move := _MOVE.match(line, here):
        moves.append(move)
        here = move.end()
    if here < end:
        raise _fault(
            here, repr(line[here : min(here + 12, end)]), "a slide and a new tile, such as #U[4]52"
        )
    actions = np.array([SLIDES.index(move[1]) for move in moves], np.uint8)
    tiles = np.array([int(move[4]) << 4 * CELLS.index(move[3]) for move in moves], np.uint64)
    told = np.array([int(move[2] or 0) for move in moves], np.int32)
    boards, rewards = np.empty(len(moves) + 1, np.uint64), np.empty(len(moves), np.int32)
    boards[0] = sum(int(opening[k + 1]) << 4 * CELLS.index(opening[k]) for k in (1, 3))
    done = _replay(actions, tiles, boards, rewards)
    wrong = np.flatnonzero(told[:done] != rewards[:done])
    if len(wrong):
        t = int(wrong[0])
        raise _fault(
            moves[t].start(), f"reward {told[t]} for move {t}, {moves[t][0]}", f"{rewards[t]}"
        )
    if done < len(moves):
        board = f"{int(boards[done]):#018x}"
        raise _fault(
            moves[done].start(),
            f"move {done}, {moves[done][0]}",
            f"one that is possible on board {board}",
        )
    return Trace(boards, actions, rewards, np.full((len(moves), 4), np.nan, np.float32))


def format_line(
    trace: Trace, names="slide:place", winner="place", opened: int = 0, closed: int = 0
) -> str:
    """The line of a game, without a line end: who plays, who won, and when it began and ended (milliseconds).

    The two tiles of the first board come in the order of their cells. A game that does not start with two tiles, or
    that does not go by the rules, has no such line: ValueError.
    """
    boards, actions = np.asarray(trace.boards, np.uint64), np.asarray(trace.actions, np.uint8)
    if len(boards) != len(actions) + 1:
        raise ValueError(
            f"a game has one board more than actions, got {len(boards)} and {len(actions)}"
        )
    first = [(cell, int(boards[0]) >> 4 * cell & 15) for cell in range(16)]
    first = [(cell, exponent) for cell, exponent in first if exponent]
    if len(first) != 2 or max(exponent for _, exponent in first) > 2:
        raise ValueError(
            f"a game starts with two tiles, each a 2 or a 4, got board {int(boards[0]):#018x}"
        )
    afterstates, rewards = np.empty(len(actions), np.uint64), np.empty(len(actions), np.int32)
    _slide_all(boards[:-1], actions, afterstates, rewards)
    tiles = boards[1:] ^ afterstates  # one bit where a 2 or a 4 is new: bit 0 or 1 of its cell
    bits = np.frexp(tiles.astype(np.float64))[1] - 1
    taken = afterstates >> (bits // 4 * 4 % 64).astype(np.uint64) & U(15)
    one_bit = (tiles & (tiles - U(1))) == 0
    good = (actions < 4) & (afterstates != boards[:-1]) & one_bit & (bits % 4 < 2) & (taken == 0)
    if not good.all():
        t = int(np.argmin(good))
        raise ValueError(
            f"action {actions[t]} and a new tile do not lead from {boards[t]:#018x} to {boards[t + 1]:#018x}"
        )
    text = [f"{CELLS[cell]}{exponent}" for cell, exponent in first]
    for action, reward, bit in zip(actions.tolist(), rewards.tolist(), bits.tolist()):
        text.append(
            f"#{SLIDES[action]}{f'[{reward}]' if reward else ''}{CELLS[bit // 4]}{bit % 4 + 1}"
        )
    ends = f"{names}@{opened}", f"{winner}@{closed}"
    if not all(_SOMEONE.fullmatch(end) for end in ends):
        raise ValueError(
            f"a name has no | and no @, a time is a whole number of milliseconds, got {ends}"
        )
    return f"{ends[0]}|{''.join(text)}|{ends[1]}"


def read_episodes(path) -> list[Trace]:
    """The games of a file, one a line, each played again by the rules (see parse_line); empty lines do not count."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no file {path}")
    traces = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                if line.strip():
                    traces.append(parse_line(line))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}, {error}") from None
    return traces


def write_episodes(path, traces) -> None:
    """Write games to a file, one a line; a file that is already there is replaced in one step."""
    with replacing(path) as file:
        for trace in traces:
            file.write(format_line(trace).encode() + b"\n")
