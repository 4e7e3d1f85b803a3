"""Diagrams of one move of a recorded game: how it was chosen, and what is learned from it.

`action_selection` shows the four actions of a state and what each is worth, `backup` which value
moves and toward what. Both are drawn for V(afterstate) or V(state), whichever the network holds,
with its values as they are now.
"""

import operator
from typing import NamedTuple

from lib2048.board import ACTIONS, legal_actions, slide
from lib2048.draw import MARK, board_text
from lib2048.engines import check_network
from lib2048.validate import check_count, check_finite
from workbook.patterns import gain
from workbook.sheet import WIDE, Sheet

# What is drawn


class Spawn(NamedTuple):
    """A board that may follow an afterstate."""

    board: int
    cell: int  # of the new tile
    tile: int  # 2 or 4
    probability: float


class Option(NamedTuple):
    """An action of a state, as the network sees it.

    An illegal one has no spawns and is worth nothing.
    """

    action: int
    afterstate: int
    reward: int  # -1 where the action is illegal
    spawns: list  # where the network holds V(state)
    later: float | None  # V(s'), or the mean of V over the spawns
    worth: float | None  # reward + later


class Backup(NamedTuple):
    """What is learned from one move, in numbers."""

    boards: list  # s_t, s'_t, s_{t+1} and, for V(afterstate) before the last move, s'_{t+1}
    moved: int  # place in `boards` of the one whose value moves
    source: int  # and of the one whose value is part of the target
    reward: int
    following: float  # V of the source
    target: float
    old: float
    error: float
    gain: float  # see patterns.gain
    new: float


def spawns(afterstate: int, p4: float) -> list[Spawn]:
    """All boards that may follow an afterstate, cell by cell.

    Parameters
    ----------
    afterstate
        The board before the new tile.
    p4
        The probability of a 4.

    Returns
    -------
    list of Spawn
        First with a 2, then with a 4 in each empty cell.
    """
    afterstate = int(afterstate)
    empty = [cell for cell in range(16) if not afterstate >> 4 * cell & 15]
    boards = []
    for cell in empty:
        for exponent, probability in ((1, 1 - p4), (2, p4)):
            board = afterstate | exponent << 4 * cell
            boards.append(Spawn(board, cell, 2**exponent, probability / len(empty)))
    return boards


def value_of_state(net, board: int) -> float:
    """V(state): 0 for a dead board, whatever its lookups say."""
    return net.value(board) if legal_actions(board) else 0.0


def options(net, board: int, p4: float) -> list[Option]:
    """The four actions of a state and what each is worth.

    Parameters
    ----------
    net
        The network.
    board
        The state.
    p4
        The probability of a 4.

    Returns
    -------
    list of Option
        In the order of the actions.
    """
    return [_option(net, board, action, p4) for action in range(4)]


def _option(net, board: int, action: int, p4: float) -> Option:
    afterstate, reward = slide(board, action)
    if reward < 0:
        return Option(action, afterstate, reward, [], None, None)
    if net.values == "afterstate":
        later = net.value(afterstate)
        return Option(action, afterstate, reward, [], later, reward + later)
    possible = spawns(afterstate, p4)
    later = sum(spawn.probability * value_of_state(net, spawn.board) for spawn in possible)
    return Option(action, afterstate, reward, possible, later, reward + later)


def _recorded(trace, t: int) -> list[Option]:
    """The four actions of a state by the values of V(afterstate) that were recorded with a game."""
    four = []
    for action, worth in enumerate(trace.values[t].tolist()):
        afterstate, reward = slide(trace.boards[t], action)
        is_legal = reward >= 0
        later = worth - reward if is_legal else None
        four.append(Option(action, afterstate, reward, [], later, worth if is_legal else None))
    return four


def backup_of(net, trace, t: int, alpha: float) -> Backup:
    """What is learned from move t of a game with the values as they are now.

    Parameters
    ----------
    net
        The network.
    trace
        The game.
    t
        The number of the move.
    alpha
        The step size.

    Returns
    -------
    Backup
        Boards, values, target and error.
    """
    of_states = net.values == "state"
    is_last = t == len(trace) - 1
    state, next_state = int(trace.boards[t]), int(trace.boards[t + 1])
    boards = [state, slide(state, trace.actions[t])[0], next_state]
    if not of_states and not is_last:
        boards.append(slide(next_state, trace.actions[t + 1])[0])
    moved, source = (0, 2) if of_states else (1, len(boards) - 1)
    earning = t if of_states else t + 1  # the move whose reward is part of the target
    reward = int(trace.rewards[earning]) if earning < len(trace) else 0
    following = 0.0 if is_last else net.value(boards[source])
    target = reward + following
    old = net.value(boards[moved])
    error = target - old
    times = gain(net, boards[moved])
    new = old + alpha * times * error
    return Backup(boards, moved, source, reward, following, target, old, error, times, new)


# Numbers and arguments


def _number(value: float) -> str:
    """A value with one digit after the point; adding 0 makes 0 of -0."""
    return f"{round(value, 1) + 0.0:,.1f}"


def _summand(value: float) -> str:
    """A value behind a sign."""
    return _number(value) if value >= 0 else f"({_number(value)})"


def _check_move(trace, t) -> int:
    """The number of a move, or a ValueError."""
    try:
        move = operator.index(t)
    except TypeError:
        move = -1
    if isinstance(t, bool) or not 0 <= move < len(trace):
        raise ValueError(
            f"t is the number of a move, 0 to {len(trace) - 1} in this game, got {t!r}"
        )
    return move


def _heading(sheet: Sheet, what: str, values: str, trace, t: int) -> str:
    """Write what is shown in the first line. Returns it."""
    text = f"{what} of V({values}), t = {t} of 0 to {len(trace) - 1}"
    if trace.seed is not None:
        text += f", game of seed {trace.seed}"
    sheet.words(WIDE / 2, 20, text, size=14, bold=True)
    return text


# How a move was chosen

COLUMN = WIDE // 4  # for each action
AFTERSTATE = 128  # width of the board of an action
SPAWN = 70  # width of a board that may follow,
SPAWN_HIGH = 76  # and height of its row


def action_selection(net, trace, t: int, shown: int = 2) -> str:
    """How move t of a game was chosen: the four afterstates and what each action is worth.

    V(afterstate): r + V(s'). V(state): r + the mean of V over the boards that may follow. A frame
    and the word "chosen" mark what the trace did.

    Parameters
    ----------
    net
        The network; None for the values of V(afterstate) that were recorded with the game.
    trace
        The game.
    t
        The number of the move.
    shown
        How many of the boards that may follow are drawn.

    Returns
    -------
    str
        An SVG document.

    Raises
    ------
    ValueError
        If the game has no such move.
    """
    if net is not None:
        check_network(net)
    t = _check_move(trace, t)
    shown = check_count("shown", shown)
    board = int(trace.boards[t])
    taken = int(trace.actions[t])
    four = _recorded(trace, t) if net is None else options(net, board, trace.p4)
    of_states = net is not None and net.values == "state"
    bottom = 444
    if of_states:
        rows = min(shown, max(len(option.spawns) for option in four))
        bottom += SPAWN_HIGH * rows + 26
    sheet = Sheet(WIDE)
    kind = "state" if of_states else "afterstate"
    told = [_heading(sheet, "Action selection", kind, trace, t), board_text(board)]
    sheet.words(288, 96, "state s_t", anchor="end")
    sheet.words(432, 80, "an action is worth", anchor="start")
    formula = "r + mean of V(s_{t+1})" if of_states else "r + V(s')"
    sheet.words(432, 102, formula, anchor="start", bold=True)
    sheet.board(302, 32, 116, board)
    for option in four:
        is_chosen = option.action == taken
        if option.worth is None:
            told.append(_illegal(sheet, board, option))
        else:
            told.append(_legal(sheet, net, option, is_chosen, shown, bottom))
    if sentence := _another_way(four, taken):
        told.append(sentence)
        sheet.words(WIDE / 2, bottom + 18, sentence)
        bottom += 28
    return sheet.svg(bottom, ". ".join(told))


def _middle(action: int) -> float:
    """The middle of the column of an action."""
    return COLUMN * action + COLUMN / 2


def _illegal(sheet: Sheet, board: int, option: Option) -> str:
    """An action that moves nothing. Returns what is shown, in words."""
    name = ACTIONS[option.action]
    middle = _middle(option.action)
    sheet.arrow((360, 152), (middle, 196), dashed=True)
    sheet.words(middle, 216, name)
    sheet.board(middle - AFTERSTATE / 2, 224, AFTERSTATE, board, faint=True)
    sheet.words(middle, 376, "moves nothing")
    return f"{name}: moves nothing"


def _legal(sheet: Sheet, net, option: Option, is_chosen: bool, shown: int, bottom: float) -> str:
    """An action, its afterstate and what it is worth. Returns what is shown, in words."""
    name = ACTIONS[option.action]
    middle = _middle(option.action)
    sheet.arrow((360, 152), (middle, 196), thick=4 if is_chosen else 1.5)
    sheet.words(middle, 216, f"{name}, r = {option.reward:,}", bold=is_chosen)
    left = middle - AFTERSTATE / 2
    sheet.board(left, 224, AFTERSTATE, option.afterstate, option.action)
    later = "V(s')"
    if option.spawns:
        later = "mean"
        _follow(sheet, COLUMN * option.action + 12, net, option.spawns, shown)
    sheet.words(middle, bottom - 68, f"{later} = {_number(option.later)}")
    sheet.words(middle, bottom - 47, f"r + {later} = {_number(option.worth)}", bold=True)
    sum_of_both = f"{option.reward} + {later} {_number(option.later)} = {_number(option.worth)}"
    if not is_chosen:
        return f"{name}: {sum_of_both}"
    sheet.frame(COLUMN * option.action + 4, 200, COLUMN - 8, bottom - 206)
    sheet.frame(middle - 42, bottom - 36, 84, 22, 0, fill=MARK)
    sheet.words(middle, bottom - 20, "chosen", bold=True, colour="#ffffff")
    return f"{name}: {sum_of_both}, chosen"


def _another_way(four: list[Option], taken: int) -> str | None:
    """A sentence where the game was played in another way than by these values."""
    legal = [option for option in four if option.worth is not None]
    best = max(legal, key=lambda option: option.worth)
    if best.worth <= four[taken].worth + 1e-5 * abs(best.worth):
        return None
    name = ACTIONS[best.action]
    return f"By these values {name} is best: the game was played in another way"


def _follow(sheet: Sheet, left: float, net, possible: list[Spawn], shown: int) -> None:
    """Some of the boards that may follow, in a column of their own, and how many there are more."""
    cells = len(possible) // 2
    for row, spawn in enumerate(possible[:shown]):
        top = 362 + SPAWN_HIGH * row
        sheet.board(left, top, SPAWN, spawn.board, squares=(spawn.cell,), numbers=False)
        beside = left + SPAWN + 5
        sheet.words(beside, top + 20, f"new {spawn.tile}", anchor="start")
        share = f"p = {spawn.probability * cells:.3g}/{cells}"
        sheet.words(beside, top + 40, share, anchor="start")
        is_dead = not legal_actions(spawn.board)
        value = "dead: V = 0" if is_dead else f"V = {_number(net.value(spawn.board))}"
        sheet.words(beside, top + 60, value, size=11, anchor="start")
    if len(possible) > shown:
        top = 374 + SPAWN_HIGH * min(shown, len(possible))
        sheet.words(left + 78, top, f"... {len(possible) - shown} more")


# What is learned from a move

BOARD = 116  # width of a board in a chain
NAMES = ["s_t", "s'_t", "s_{t+1}", "s'_{t+1}"]


def backup(net, trace, t: int, alpha: float = 0.1) -> str:
    """What is learned from move t of a game: which value moves, toward what, and how far.

    V(afterstate): V(s'_t) moves toward r_{t+1} + V(s'_{t+1}), and toward 0 after the last move.
    V(state): V(s_t) moves toward r_t + V(s_{t+1}), where V of the dead board is 0. A solid frame
    marks the board whose value moves, a dashed one the board that the target comes from.

    Parameters
    ----------
    net
        The network.
    trace
        The game.
    t
        The number of the move.
    alpha
        The step size.

    Returns
    -------
    str
        An SVG document.

    Raises
    ------
    ValueError
        If the game has no such move, or alpha is no number.
    """
    check_network(net)
    t = _check_move(trace, t)
    alpha = check_finite("alpha, the step size,", alpha)
    step = backup_of(net, trace, t, alpha)
    sheet = Sheet(WIDE)
    heading = _heading(sheet, "TD backup", net.values, trace, t)
    lefts = _chain(sheet, trace, t, step.boards)
    is_last = t == len(trace) - 1
    _frames(sheet, step, lefts, is_last)
    rows = _calculation(step, net.values == "state", is_last, alpha)
    for n, (name, text) in enumerate(rows):
        y = 284 + 24 * n
        sheet.words(104, y, name, anchor="end", bold=True)
        sheet.words(112, y, f"= {text}", anchor="start")
    high = 344
    if step.gain > 1:
        reason = "weights looked up more than once move more than once"
        sheet.words(112, 354, f"(× {step.gain:.3g}: {reason})", 12, anchor="start")
        high = 364
    told = [heading, *(f"{name} = {text}" for name, text in rows)]
    told.append(board_text(step.boards[step.moved]))
    return sheet.svg(high, ". ".join(told))


def _frames(sheet: Sheet, step: Backup, lefts: list[float], is_last: bool) -> None:
    """Frames around the board whose value moves and the one it learns from; their values below."""
    moved, source = lefts[step.moved] + BOARD / 2, lefts[step.source] + BOARD / 2
    sheet.frame(moved - 65, 65, 130, 130)
    sheet.frame(source - 65, 65, 130, 130, 3, dashed=True)
    value = f"V({NAMES[step.moved]}) = {_number(step.old)}"
    sheet.words(moved, 216, value, 12, bold=True)
    following = f"V({NAMES[step.source]}) = {_number(step.following)}"
    sheet.words(source, 216, "dead: V = 0" if is_last else following, 12)
    sheet.arrow((source, 226), (source, 252), (moved, 252), (moved, 224), thick=3)


def _calculation(step: Backup, of_states: bool, is_last: bool, alpha: float) -> list[tuple]:
    """Target, error and new value: (name, how it is worked out).

    Each is worked out from the numbers as they are printed, so that a reader who adds them agrees.
    """
    moved = f"V({NAMES[step.moved]})"
    following = f"V({NAMES[step.source]})"
    target = _number(step.target)
    printed_error = round(step.target, 1) - round(step.old, 1)
    error = _number(printed_error)
    old = _number(step.old)
    new = _number(round(step.old, 1) + alpha * step.gain * round(printed_error, 1))
    if not is_last:
        reward = "r_t" if of_states else "r_{t+1}"
        numbers = f"{step.reward:,} + {_summand(step.following)} = {target}"
        target_text = f"{reward} + {following} = {numbers}"
    elif of_states:
        target_text = f"r_t + 0 = {target}"
    else:
        target_text = "0.0, as nothing more can be earned"
    error_text = f"target - {moved} = {target} - {_summand(step.old)} = {error}"
    change = f"{old} + {alpha:g} × {_summand(printed_error)}"
    if step.gain > 1:
        new_text = f"{change} × {step.gain:.3g} = {new}"
    else:
        new_text = f"{moved} + α × TD error = {change} = {new}"
    return [("target", target_text), ("TD error", error_text), (f"new {moved}", new_text)]


def _chain(sheet: Sheet, trace, t: int, boards: list[int]) -> list[float]:
    """The boards of one or two moves in a row, with what leads from one to the next.

    Returns their left ends.
    """
    apart = 188 if len(boards) == 4 else 240  # from one board to the next
    first = (WIDE - BOARD - apart * (len(boards) - 1)) / 2
    lefts = [first + apart * n for n in range(len(boards))]
    new_bit = (boards[2] ^ boards[1]).bit_length() - 1  # the highest that the new tile set
    new_cell = new_bit // 4
    new_tile = 2 << new_bit % 4
    for n, (left, board) in enumerate(zip(lefts, boards)):
        move = t + n // 2
        is_afterstate = n % 2 == 1
        dead = " (dead)" if move == len(trace) else ""
        sheet.words(left + BOARD / 2, 56, NAMES[n] + dead, size=15, bold=True)
        lastmove = (None, new_cell if n == 2 else None)
        if is_afterstate:
            lastmove = int(trace.actions[move])
        sheet.board(left, 72, BOARD, board, lastmove)
        if is_afterstate:
            reward = f"{'r_t' if n == 1 else 'r_{t+1}'} =", f"{int(trace.rewards[move]):,}"
            _slide_arrow(sheet, left, apart, ACTIONS[trace.actions[move]], reward)
        elif n == 2:
            _arrow(sheet, left, apart, f"new {new_tile}", thick=1.5, dashed=True)
    return lefts


def _arrow(sheet: Sheet, left: float, apart: float, name: str, thick: float, dashed: bool) -> None:
    """An arrow to the board at `left` from the one before it, with a name above."""
    sheet.arrow((left - apart + 131, 130), (left - 15, 130), thick=thick, dashed=dashed)
    sheet.words(left - (apart - BOARD) / 2, 117, name)


def _slide_arrow(
    sheet: Sheet, left: float, apart: float, action: str, reward: tuple[str, str]
) -> None:
    """The arrow of an action, with its reward below, in one line where the gap is wide enough."""
    _arrow(sheet, left, apart, action, thick=2.5, dashed=False)
    lines = [" ".join(reward)] if apart > 200 else reward
    for n, line in enumerate(lines):
        sheet.words(left - (apart - BOARD) / 2, 151 + 17 * n, line)
