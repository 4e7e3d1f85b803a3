"""Diagrams of one move of a recorded game: how it was chosen, and what is learned from it.

`action_selection` shows the four actions of a state and what each is worth, `backup` which value moves and toward what.
Both are drawn for V(afterstate) or V(state), whichever the network holds, with its values as they are now.
"""

import operator
from typing import NamedTuple

from lib2048.board import ACTIONS, legal_actions, slide
from lib2048.draw import MARK, board_text
from lib2048.engines import check_network
from lib2048.validate import check_count, check_finite
from workbook.patterns import gain
from workbook.sheet import WIDE, Sheet


class Spawn(NamedTuple):
    """A board that may follow an afterstate."""

    board: int
    cell: int  # of the new tile
    tile: int  # 2 or 4
    probability: float


class Option(NamedTuple):
    """An action of a state, as the network sees it; an illegal one has no spawns and is worth nothing."""

    action: int
    afterstate: int
    reward: int  # -1 where the action is illegal
    spawns: list  # where the network holds V(state)
    later: float | None  # V(s'), or the mean of V over the spawns
    worth: float | None  # reward + later


def spawns(afterstate: int, p4: float) -> list[Spawn]:
    """All boards that may follow an afterstate, cell by cell."""
    afterstate = int(afterstate)
    empty = [cell for cell in range(16) if not afterstate >> 4 * cell & 15]
    tiles = ((2, 1, 1 - p4), (4, 2, p4))
    return [
        Spawn(afterstate | e << 4 * cell, cell, tile, p / len(empty))
        for cell in empty
        for tile, e, p in tiles
    ]


def value_of_state(net, board: int) -> float:
    """V(state): 0 for a dead board, whatever its lookups say."""
    return net.value(board) if legal_actions(board) else 0.0


def options(net, board: int, p4: float) -> list[Option]:
    """The four actions of a state and what each is worth."""
    found = []
    for action in range(4):
        afterstate, reward = slide(board, action)
        if reward < 0:
            found.append(Option(action, afterstate, reward, [], None, None))
            continue
        after = spawns(afterstate, p4) if net.values == "state" else []
        later = sum(one.probability * value_of_state(net, one.board) for one in after)
        later = later if after else net.value(afterstate)
        found.append(Option(action, afterstate, reward, after, later, reward + later))
    return found


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:,.1f}"  # adding 0 makes 0 of -0


def _summand(value: float) -> str:
    return _number(value) if value >= 0 else f"({_number(value)})"


def _check_move(net, trace, t) -> int:
    check_network(net)
    try:
        move = operator.index(t)
    except TypeError:
        move = -1
    if isinstance(t, bool) or not 0 <= move < len(trace):
        raise ValueError(
            f"t is the number of a move, 0 to {len(trace) - 1} in this game, got {t!r}"
        )
    return move


def _heading(sheet, what, net, trace, t) -> str:
    """Write what is shown in the first line. Returns it."""
    text = f"{what} of V({net.values}), t = {t} of 0 to {len(trace) - 1}"
    text += "" if trace.seed is None else f", game of seed {trace.seed}"
    sheet.words(WIDE / 2, 20, text, size=14, bold=True)
    return text


def action_selection(net, trace, t: int, shown: int = 2) -> str:
    """How move t of a game was chosen, as an SVG document: the four afterstates and what each action is worth.

    V(afterstate): r + V(s'). V(state): r + the mean of V over the boards that may follow, `shown` of which are drawn.
    A frame and the word "chosen" mark what the trace did.
    """
    t = _check_move(net, trace, t)
    shown, board, taken = check_count("shown", shown), int(trace.boards[t]), int(trace.actions[t])
    four, of_states = options(net, board, trace.p4), net.values == "state"
    rows = min(shown, max(len(option.spawns) for option in four))
    sheet, bottom = Sheet(WIDE), 444 + (76 * rows + 26 if of_states else 0)
    said = [_heading(sheet, "Action selection", net, trace, t), board_text(board)]
    sheet.words(288, 96, "state s_t", anchor="end")
    sheet.words(432, 80, "an action is worth", anchor="start")
    sheet.words(
        432, 102, "r + mean of V(s_{t+1})" if of_states else "r + V(s')", anchor="start", bold=True
    )
    sheet.board(302, 32, 116, board)
    for option in four:
        middle, chosen, name = (
            180 * option.action + 90,
            option.action == taken,
            ACTIONS[option.action],
        )
        sheet.arrow(
            (360, 152), (middle, 196), thick=4 if chosen else 1.5, dashed=option.worth is None
        )
        if option.worth is None:
            sheet.words(middle, 216, name)
            sheet.board(middle - 64, 224, 128, board, faint=True)
            sheet.words(middle, 376, "moves nothing")
            said.append(f"{name}: moves nothing")
            continue
        sheet.words(middle, 216, f"{name}, r = {option.reward:,}", bold=chosen)
        sheet.board(middle - 64, 224, 128, option.afterstate, option.action)
        later = "mean" if of_states else "V(s')"
        if of_states:
            _follow(sheet, 180 * option.action + 12, net, option.spawns, shown)
        sheet.words(middle, bottom - 68, f"{later} = {_number(option.later)}")
        sheet.words(middle, bottom - 47, f"r + {later} = {_number(option.worth)}", bold=True)
        said.append(
            f"{name}: {option.reward} + {later} {_number(option.later)} = {_number(option.worth)}"
        )
        if chosen:
            said[-1] += ", chosen"
            sheet.frame(180 * option.action + 4, 200, 172, bottom - 206)
            sheet.frame(middle - 42, bottom - 36, 84, 22, 0, fill=MARK)
            sheet.words(middle, bottom - 20, "chosen", bold=True, colour="#ffffff")
    best = max(
        (option for option in four if option.worth is not None), key=lambda option: option.worth
    )
    if best.worth > four[taken].worth + 1e-5 * abs(best.worth):
        said.append(
            f"By these values {ACTIONS[best.action]} is best: the game was played in another way"
        )
        sheet.words(WIDE / 2, bottom + 18, said[-1])
        bottom += 28
    return sheet.svg(bottom, ". ".join(said))


def _follow(sheet, left, net, after, shown) -> None:
    """Some of the boards that may follow, in a column of their own, and how many there are more."""
    cells = len(after) // 2
    for row, one in enumerate(after[:shown]):
        top, dead = 362 + 76 * row, not legal_actions(one.board)
        sheet.board(left, top, 70, one.board, squares=(one.cell,))
        sheet.words(left + 75, top + 20, f"new {one.tile}", anchor="start")
        sheet.words(
            left + 75, top + 40, f"p = {one.probability * cells:.3g}/{cells}", anchor="start"
        )
        value = "dead: V = 0" if dead else f"V = {_number(net.value(one.board))}"
        sheet.words(left + 75, top + 60, value, size=11, anchor="start")
    if len(after) > shown:
        sheet.words(left + 78, 374 + 76 * min(shown, len(after)), f"... {len(after) - shown} more")


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


def backup_of(net, trace, t: int, alpha: float) -> Backup:
    """What is learned from move t of a game with the values as they are now."""
    last, of_states = t == len(trace) - 1, net.values == "state"
    boards = [
        int(trace.boards[t]),
        slide(trace.boards[t], trace.actions[t])[0],
        int(trace.boards[t + 1]),
    ]
    if not of_states and not last:
        boards.append(slide(boards[2], trace.actions[t + 1])[0])
    moved, source = (0, 2) if of_states else (1, len(boards) - 1)
    earned = t if of_states else t + 1
    reward = 0 if earned == len(trace) else int(trace.rewards[earned])
    following = 0.0 if last else net.value(boards[source])
    old, times = net.value(boards[moved]), gain(net, boards[moved])
    error = reward + following - old
    return Backup(
        boards,
        moved,
        source,
        reward,
        following,
        reward + following,
        old,
        error,
        times,
        old + alpha * times * error,
    )


def backup(net, trace, t: int, alpha: float = 0.1) -> str:
    """What is learned from move t of a game, as an SVG document: which value moves, toward what, and how far.

    V(afterstate): V(s'_t) moves toward r_{t+1} + V(s'_{t+1}), and toward 0 after the last move. V(state): V(s_t) moves
    toward r_t + V(s_{t+1}), where V of the dead board is 0. A solid frame marks the board whose value moves, a dashed
    one the board that the target comes from.
    """
    t, alpha = _check_move(net, trace, t), check_finite("alpha, the step size,", alpha)
    sheet, found, of_states = Sheet(WIDE), backup_of(net, trace, t, alpha), net.values == "state"
    said = [_heading(sheet, "TD backup", net, trace, t)]
    names = ["s_t", "s'_t", "s_{t+1}", "s'_{t+1}"]
    lefts = _chain(sheet, trace, t, found.boards, names)
    to, off = lefts[found.moved] + 58, lefts[found.source] + 58
    sheet.frame(to - 65, 65, 130, 130)
    sheet.frame(off - 65, 65, 130, 130, 3, dashed=True)
    moved, following = f"V({names[found.moved]})", f"V({names[found.source]})"
    sheet.words(to, 216, f"{moved} = {_number(found.old)}", 12, bold=True)
    last = t == len(trace) - 1
    sheet.words(
        off, 216, "dead: V = 0" if last else f"{following} = {_number(found.following)}", 12
    )
    sheet.arrow((off, 226), (off, 252), (to, 252), (to, 224), thick=3)
    numbers = f"{found.reward:,} + {_summand(found.following)} = {_number(found.target)}"
    target = f"{'r_t' if of_states else 'r_{t+1}'} + {following} = {numbers}"
    if last:
        target = (
            f"r_t + 0 = {_number(found.target)}"
            if of_states
            else "0.0, as nothing more can be earned"
        )
    times = f" × {found.gain:.3g}" if found.gain > 1 else ""
    rule = "" if times else f"{moved} + α × TD error = "
    rows = [
        ("target", target),
        (
            "TD error",
            f"target - {moved} = {_number(found.target)} - {_summand(found.old)} = {_number(found.error)}",
        ),
        (
            f"new {moved}",
            f"{rule}{_number(found.old)} + {alpha:g} × {_summand(found.error)}{times} = {_number(found.new)}",
        ),
    ]
    for row, (name, text) in enumerate(rows):
        sheet.words(104, 284 + 24 * row, name, anchor="end", bold=True)
        sheet.words(112, 284 + 24 * row, f"= {text}", anchor="start")
    if times:
        sheet.words(
            112,
            354,
            f"(×{times[2:]}: weights looked up more than once move more than once)",
            12,
            anchor="start",
        )
    said += [f"{name} = {text}" for name, text in rows] + [board_text(found.boards[found.moved])]
    return sheet.svg(364 if times else 344, ". ".join(said))


def _chain(sheet, trace, t, boards, names) -> list[float]:
    """The boards of one or two moves in a row, with what leads from one to the next. Returns their left ends."""
    apart = 188 if len(boards) == 4 else 240
    first = (WIDE - 116 - apart * (len(boards) - 1)) / 2
    lefts = [first + apart * n for n in range(len(boards))]
    for n, (left, board, name) in enumerate(zip(lefts, boards, names)):
        step, slid = t + n // 2, n % 2 == 1
        new = (
            (board ^ boards[n - 1]).bit_length() - 1 if n == 2 else 0
        )  # the highest bit that a new tile set
        dead = " (dead)" if step == len(trace) else ""
        sheet.words(left + 58, 56, name + dead, size=15, bold=True)
        sheet.board(
            left,
            72,
            116,
            board,
            int(trace.actions[step]) if slid else (None, new // 4 if n == 2 else None),
        )
        if n:
            middle = left - (apart - 116) / 2
            sheet.arrow(
                (left - apart + 131, 130),
                (left - 15, 130),
                thick=2.5 if slid else 1.5,
                dashed=not slid,
            )
            sheet.words(
                middle, 117, ACTIONS[trace.actions[step]] if slid else f"new {2 << new % 4}", 12
            )
            if slid:
                name, reward = "r_t" if n == 1 else "r_{t+1}", f"{int(trace.rewards[step]):,}"
                lines = (
                    [f"{name} = {reward}"] if len(boards) == 3 else [f"{name} =", reward]
                )  # as wide as the gap
                for line, text in enumerate(lines):
                    sheet.words(middle, 151 + 16 * line, text, 12)
    return lefts
