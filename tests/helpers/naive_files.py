"""Slow twins of the file formats and of the statistics, in plain Python.

Episodes and weights are those of other programs.
"""

import math
import re
import struct

from naive_game import LARGEST, place, slide, symmetries

# Episodes of the 2048-Framework

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOVE = re.compile(r"(?:#([URDL])|([0-9A-F])([0-9A-Z]))(?:\[(\d+)\])?(?:\((-?\d+)\))?")


def read_episode(line):
    """One line of an episode file -> (boards s_0 .. s_T, actions, rewards), by replaying it."""
    text = line.strip().split("|")[1]
    cells = [0] * 16
    boards = []
    actions = []
    rewards = []
    position = 0
    turn = 0
    while position < len(text):
        move = MOVE.match(text, position)
        sliding = turn >= 2 and turn % 2 == 0
        if not move or bool(move[1]) != sliding:
            wanted = "a slide" if sliding else "a placement"
            raise ValueError(f"move {turn}: expected {wanted}, got {text[position : position + 8]}")
        if sliding:
            actions.append("URDL".index(move[1]))
            cells, reward = slide(cells, actions[-1])
            rewards.append(reward)
        else:
            reward = 0
            cell = DIGITS.index(move[2])
            exponent = DIGITS.index(move[3])
            if cells[cell] or not 1 <= exponent <= LARGEST:
                raise ValueError(f"move {turn}: no place for {move[0]}")
            cells = place(cells, cell, exponent)
            if turn >= 1:
                boards.append(cells)
        if reward != int(move[4] or 0):
            raise ValueError(f"move {turn}: reward {reward}, but the file says {move[4]}")
        position = move.end()
        turn += 1
    if turn < 2:
        raise ValueError("an episode begins with two placements")
    if len(boards) == len(actions):
        boards.append(cells)  # it ends with a slide
    return boards, actions, rewards


def format_episode(
    boards, actions, names="slide:place", winner="place", opened=0, closed=0, times=()
):
    """Boards s_0 .. s_T and actions -> one line.

    The two tiles of s_0 come in the order of their cells, times are in ms.
    """
    moves = placements([0] * 16, boards[0])
    for board, action, following in zip(boards, actions, boards[1:]):
        after, reward = slide(board, action)
        moves.append(("#" + "URDL"[action], reward))
        moves += placements(after, following)
    times = list(times) + [0] * (len(moves) - len(times))
    text = ""
    for (code, reward), milliseconds in zip(moves, times):
        text += code
        if reward:
            text += f"[{reward}]"
        if milliseconds:
            text += f"({milliseconds})"
    return f"{names}@{opened}|{text}|{winner}@{closed}"


def placements(before, board):
    """What was placed between two boards: (code, reward) of each tile."""
    cells = [cell for cell in range(16) if board[cell] != before[cell]]
    return [(DIGITS[cell] + DIGITS[board[cell]], 0) for cell in cells]


# Weight files, as bytes; tables are lists of weights in natural order


def digits(pattern):
    """Cells as hexadecimal digits: (8, 9, 10) -> '89a'."""
    return "".join(f"{cell:x}" for cell in pattern)


def floats(table):
    """Little-endian float32."""
    return struct.pack(f"<{len(table)}f", *table)


def sized(table):
    """A 64-bit count, then the weights."""
    return struct.pack("<Q", len(table)) + floats(table)


def demo_bytes(patterns, tables):
    """TDL2048-Demo's 2048.bin."""
    out = struct.pack("<Q", len(patterns))
    for pattern, table in zip(patterns, tables):
        name = f"{len(pattern)}-tuple pattern {digits(pattern)}".encode("ascii")
        out += struct.pack("<i", len(name)) + name + sized(table)
    return out


def reverse_digits(table):
    """The same weights with the first cell in the high digit instead of the low one, or back."""
    cells = (len(table).bit_length() - 1) // 4
    reversed_table = []
    for index in range(len(table)):
        digits_of_index = [index >> (4 * j) & 15 for j in range(cells)]
        there = sum(digit << (4 * (cells - 1 - j)) for j, digit in enumerate(digits_of_index))
        reversed_table.append(table[there])
    return reversed_table


def framework_bytes(tables, count_bytes=4, first_cell="low"):
    """2048-Framework's weights.bin; the Python program writes the count with 8 bytes."""
    out = len(tables).to_bytes(count_bytes, "little")
    for table in tables:
        out += sized(table if first_cell == "low" else reverse_digits(table))
    return out


def tdl2048_bytes(patterns, tables, sums=None, naming="number", marked=False):
    """TDL2048's .w, or with `marked` its file of another suffix.

    A pattern is named by "number", by "old" number (without its length) or by "text". With
    temporal coherence `sums` holds, for each pattern, the table of summed errors and that of
    summed |errors|.
    """
    out = b"w" if marked else b""
    out += struct.pack("<BI", 0, len(patterns))
    for k, (pattern, table) in enumerate(zip(patterns, tables)):
        out += struct.pack("<B", 4)
        out += tdl2048_name(pattern, naming)
        out += struct.pack("<H", 4) + sized(table)
        if sums is not None:
            errors, absolute_errors = sums[k]
            out += struct.pack("<HQ", 4, 2 * len(table))
            out += floats(errors) + floats(absolute_errors)
        out += struct.pack("<H", 0)
    return out


def tdl2048_name(pattern, naming):
    """The eight bytes that name a pattern in TDL2048's files."""
    name = digits(pattern)
    if naming == "text":
        return name.ljust(8).encode("ascii")
    length = len(name) if naming == "number" else 0
    return struct.pack("<IHH", int(name, 16), length, 0)


def tdl2048_value(patterns, tables, cells):
    """V of a board as TDL2048 adds it up: each way to look at it counts once."""
    total = 0.0
    for pattern, table in zip(patterns, tables):
        sides = symmetries(list(range(16)))
        for image in {tuple(side[cell] for cell in pattern) for side in sides}:
            total += table[sum(cells[cell] << 4 * j for j, cell in enumerate(image))]
    return total


# Statistics


def wilson(k, n, z=1.959963984540054):
    """Wilson's 95% interval for k successes in n trials; (0, 1) when nothing was tried."""
    if n == 0:
        return 0.0, 1.0
    p = k / n
    scale = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
    return max(0.0, centre - half), min(1.0, centre + half)
