"""Games as lines of text, the way the 2048-Framework writes them and the courses' judges read them.

    slide:place@T0|ACTIONS|WINNER@T1

The first field says who plays and when the game began, the last one who won and when it ended, in
milliseconds. ACTIONS are two placements, then slides and placements in turn. A placement is a
cell (0-F) and an exponent (1 for a 2-tile, 2 for a 4-tile), a slide is `#U`, `#R`, `#D` or `#L`.
Each may be followed by `[reward]` and `(milliseconds)`, where these are not 0. Boards are not
written: reading plays the game again by the rules and checks every move.

A game may end with a slide, after which no tile is placed: so it does where the player's program
says that it has won. Its last board is then an afterstate.
"""

import os
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from lib2048.board import _empty_cells, _slide
from lib2048.files import check_source, replacing
from lib2048.kernels import kernel
from lib2048.records import Trace
from lib2048.validate import on_one_line

CELLS = "0123456789ABCDEF"
SLIDES = "URDL"
LONGEST_LINE = 1 << 24  # bytes; a game of 100,000 moves takes two million
FAULTS_NAMED = 3  # how many bad lines a warning names

# A clock that is set back while a move is thought about makes its time negative.
_TIME = r"(?:\(-?[0-9]{1,18}\))?"
_REWARD = r"(?:\[([0-9]{1,9})\])?"
_PLACEMENT = r"([0-9A-F])([12])(?:\[0\])?" + _TIME
_OPENING = re.compile(_PLACEMENT + _PLACEMENT)
_TURN = re.compile(f"#([{SLIDES}]){_REWARD}{_TIME}(?:{_PLACEMENT})?")


class Turn(NamedTuple):
    """A slide and the placement that follows it, as they are written."""

    column: int
    text: str
    action: int
    reward: int
    tile: int  # alone on a board; 0 where no placement follows


def parse_line(line: str) -> Trace:
    """The game of one line, played again by the rules.

    Parameters
    ----------
    line : str
        The line, with or without its end.

    Returns
    -------
    Trace
        The game. Its last board need not be dead, for a game may have been stopped. A line tells
        neither what the moves seemed worth nor a seed, so values are nan and the seed is None.

    Raises
    ------
    ValueError
        If the line is against the format or the rules; the message says in which column.

    Examples
    --------
    >>> parse_line("slide:place@0|0131#L[4](1)F2#U41#R[8]01|place@9").score
    12
    """
    line = line.rstrip()
    fields = line.split("|")
    if len(fields) != 3:
        raise _fault(0, f"{len(fields)} fields", "3 with a | between them")
    players, actions, winner = fields
    start = len(players) + 1
    end = start + len(actions)
    _check_name_and_time(players, 0)
    _check_name_and_time(winner, end + 1)
    opening = _OPENING.match(line, start, end)
    if not opening or opening[1] == opening[3]:
        found = repr(line[start : start + 8])
        raise _fault(start, found, "two tiles in two cells, such as 0152")
    first_board = _placed(opening[1], opening[2]) | _placed(opening[3], opening[4])
    return _replayed(first_board, _turns(line, opening.end(), end))


def _fault(column: int, found: str, expected: str) -> ValueError:
    return ValueError(f"column {column + 1}: found {found}, expected {expected}")


def _check_name_and_time(field: str, column: int) -> None:
    """ValueError for what is not a name, @ and milliseconds; the name may hold another @."""
    _, at, time = field.rpartition("@")
    digits = time.removesuffix("ms")
    if not at or not digits.isascii() or not digits.isdigit():
        raise _fault(column, repr(field[:30]), "a name, @ and milliseconds")


def _placed(cell: str, exponent: str) -> int:
    """A board with one tile."""
    return int(exponent) << 4 * CELLS.index(cell)


def _turns(line: str, start: int, end: int) -> list[Turn]:
    """The slides and placements in a part of a line; only the last slide may stand alone."""
    turns: list[Turn] = []
    here = start
    while here < end:
        match = _TURN.match(line, here, end)
        is_alone = match is not None and match[3] is None
        if match is None or is_alone and match.end() < end:
            found = repr(line[here : min(here + 12, end)])
            raise _fault(here, found, "a slide and a new tile, such as #U[4]52")
        slide, reward, cell, exponent = match.groups()
        tile = 0 if is_alone else _placed(cell, exponent)
        turns.append(Turn(here, match[0], SLIDES.index(slide), int(reward or 0), tile))
        here = match.end()
    return turns


def _replayed(first_board: int, turns: list[Turn]) -> Trace:
    """The game of these turns, or a ValueError for the first one that is against the rules."""
    moves = len(turns)
    actions = np.array([turn.action for turn in turns], np.uint8)
    tiles = np.array([turn.tile for turn in turns], np.uint64)
    boards = np.empty(moves + 1, np.uint64)
    boards[0] = first_board
    rewards = np.empty(moves, np.int32)
    possible = _replay(actions, tiles, boards, rewards)
    for t, turn in enumerate(turns[:possible]):
        if turn.reward != rewards[t]:
            found = f"reward {turn.reward} for move {t}, {turn.text}"
            raise _fault(turn.column, found, f"{rewards[t]}")
    if possible < moves:
        turn = turns[possible]
        board = f"{int(boards[possible]):#018x}"
        found = f"move {possible}, {turn.text}"
        raise _fault(turn.column, found, f"one that is possible on board {board}")
    return Trace(boards, actions, rewards, np.full((moves, 4), np.nan, np.float32))


@kernel()
def _replay(actions, tiles, boards, rewards):
    """Play actions and new tiles from boards[0] on, and fill in boards and rewards, in place.

    Each tile stands alone on a board, or is 0 where none was placed. Returns how many moves went by
    the rules: up to one that moves nothing, or that puts its tile on another.
    """
    for t in range(len(actions)):
        afterstate, reward = _slide(boards[t], actions[t])
        if afterstate == boards[t]:
            return t
        tile = tiles[t]
        # An empty cell is marked by its lowest bit; a 2-tile is that bit, a 4-tile the next one.
        lands = _empty_cells(afterstate) & (tile | (tile >> np.uint64(1)))
        if tile != np.uint64(0) and lands == np.uint64(0):
            return t
        boards[t + 1] = afterstate | tile
        rewards[t] = reward
    return len(actions)


def format_line(
    trace: Trace,
    names: str = "slide:place",
    winner: str = "place",
    opened: int = 0,
    closed: int = 0,
) -> str:
    """The line of a game, without a line end.

    The two tiles of the first board come in the order of their cells.

    Parameters
    ----------
    trace : Trace
        The game.
    names, winner : str
        Who plays, and who won.
    opened, closed : int
        When the game began and ended, in milliseconds.

    Returns
    -------
    str
        The line.

    Raises
    ------
    ValueError
        If this is no game, if it does not start with two tiles or does not go by the rules, so that
        there is no such line, or if a name has a | or an @.

    Examples
    --------
    >>> game = parse_line("a:b@5|3101#L[4]F2|b@9")
    >>> format_line(game)
    'slide:place@0|0131#L[4]F2|place@0'
    """
    if not isinstance(trace, Trace):
        raise ValueError(f"a game is a Trace, got {on_one_line(trace)}")
    boards = np.asarray(trace.boards, np.uint64)
    actions = np.asarray(trace.actions, np.uint8)
    if len(boards) != len(actions) + 1:
        raise ValueError(
            f"a game has one board more than actions, got {len(boards)} and {len(actions)}"
        )
    beginning = _name_and_time(names, opened)
    ending = _name_and_time(winner, closed)
    opening = _opening_text(int(boards[0]))
    turns = _turns_text(boards, actions)
    return f"{beginning}|{opening}{turns}|{ending}"


def _name_and_time(name: str, time: int) -> str:
    text = f"{name}@{time}"
    is_time = isinstance(time, int | np.integer) and time >= 0
    if not is_time or any(character in name for character in "|@\r\n"):
        raise ValueError(
            f"a name has no | and no @, a time is a whole number of milliseconds, got {text!r}"
        )
    return text


def _opening_text(board: int) -> str:
    tiles = [(cell, board >> 4 * cell & 15) for cell in range(16)]
    placed = [(cell, exponent) for cell, exponent in tiles if exponent]
    if len(placed) != 2 or any(exponent > 2 for _, exponent in placed):
        raise ValueError(f"a game starts with two tiles, each a 2 or a 4, got board {board:#018x}")
    return "".join(f"{CELLS[cell]}{exponent}" for cell, exponent in placed)


def _turns_text(boards: np.ndarray, actions: np.ndarray) -> str:
    """The slides and placements of a game, or a ValueError for what is against the rules."""
    afterstates = np.empty(len(actions), np.uint64)
    rewards = np.empty(len(actions), np.int32)
    _slide_all(boards[:-1], actions, afterstates, rewards)
    tiles = boards[1:] ^ afterstates
    positions = _positions_of_single_bits(tiles)
    are_possible = (actions < 4) & (afterstates != boards[:-1])
    are_placed = _are_new_tiles(positions, afterstates)
    if len(tiles) and tiles[-1] == 0:
        are_placed[-1] = True  # the game ends with a slide
    are_good = are_possible & are_placed
    if not are_good.all():
        t = int(np.argmin(are_good))
        raise ValueError(
            f"action {actions[t]} and a new tile do not lead from {boards[t]:#018x} "
            f"to {boards[t + 1]:#018x}"
        )
    texts = []
    for action, reward, position in zip(actions.tolist(), rewards.tolist(), positions.tolist()):
        texts.append(f"#{SLIDES[action]}[{reward}]" if reward else f"#{SLIDES[action]}")
        if position >= 0:
            cell, bit = divmod(position, 4)
            texts.append(f"{CELLS[cell]}{bit + 1}")
    return "".join(texts)


@kernel()
def _slide_all(boards, actions, afterstates, rewards):
    """Write the afterstate and the reward of each action on its board, in place."""
    for t in range(len(actions)):
        afterstates[t], rewards[t] = _slide(boards[t], actions[t])


def _positions_of_single_bits(words: np.ndarray) -> np.ndarray:
    """Where the only bit is that is set in a word, -1 where it is not the only one."""
    _, exponents = np.frexp(words.astype(np.float64))
    are_single = (words != 0) & (words & (words - np.uint64(1)) == 0)
    return np.where(are_single, exponents - 1, -1)


def _are_new_tiles(positions: np.ndarray, afterstates: np.ndarray) -> np.ndarray:
    """Which bits are a 2-tile (a cell's lowest bit) or a 4-tile (its next one) in an empty cell."""
    shifts = (positions // 4 * 4 % 64).astype(np.uint64)
    are_empty = (afterstates >> shifts) & np.uint64(15) == 0
    return (positions >= 0) & (positions % 4 < 2) & are_empty


def read_episodes(path: str | os.PathLike, strict: bool = True) -> list[Trace]:
    """The games of a file, one a line, each played again by the rules. Empty lines do not count.

    Parameters
    ----------
    path : str or Path
        The file.
    strict : bool
        Whether one bad line is an error. If not, bad lines are left out, and a warning names them.

    Returns
    -------
    list of Trace
        The games, see `parse_line`.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If a line is against the format or the rules, and `strict` holds.
    """
    check_source(path)
    traces = []
    faults = []
    for number, line in _numbered_lines(path):
        try:
            traces.append(parse_line(_text_of(line)))
        except ValueError as error:
            fault = f"line {number}, {error}"
            if strict:
                raise ValueError(f"{path}, {fault}") from None
            faults.append(fault)
    if faults:
        more = "; and more" if len(faults) > FAULTS_NAMED else ""
        named = "; ".join(faults[:FAULTS_NAMED])
        message = f"{path}, {len(faults)} bad lines left out: {named}{more}"
        warnings.warn(message, stacklevel=2)
    return traces


def _numbered_lines(path: str | os.PathLike) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not empty, with their numbers. A very long one comes cut off."""
    number = 0
    with open(path, "rb") as file:
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if line.strip():
                yield number, line
            while _is_cut_off(line):
                line = file.readline(LONGEST_LINE + 1)


def _is_cut_off(line: bytes) -> bool:
    return len(line) > LONGEST_LINE and not line.endswith(b"\n")


def _text_of(line: bytes) -> str:
    if _is_cut_off(line):
        raise ValueError(f"column {LONGEST_LINE + 1}: found more, expected the end of the line")
    return line.decode("utf-8", errors="replace")


def write_episodes(path: str | os.PathLike, traces: Iterable[Trace]) -> None:
    """Write games to a file, one a line. A file that is already there is replaced in one step.

    Parameters
    ----------
    path : str or Path
        The file to make or to replace.
    traces : iterable of Trace
        The games.

    Raises
    ------
    FileNotFoundError
        If the folder of the file does not exist.
    ValueError
        If these are not games, or a game has no line, see `format_line`.
    OSError
        If the disk is full.
    """
    if isinstance(traces, Trace | str | bytes) or not isinstance(traces, Iterable):
        raise ValueError(f"traces is a list of games, such as [trace], got {on_one_line(traces)}")
    with replacing(path) as file:
        for trace in traces:
            file.write(format_line(trace).encode() + b"\n")
