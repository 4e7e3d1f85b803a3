"""Expectimax over afterstates, and the table of what it has worked out already.

    W(s', 1) = V(s')
    W(s', n) = mean over spawns s'' of max over actions of r + W(afterstate of s'', n - 1),
               0 where s'' is dead

Two things make it fast.

**The last move all at once.** Nearly all afterstates of a search are its last ones, which the
network values itself. Before it does, those that may follow one afterstate are listed. A new tile
at either end of a gap slides to the same place, so many of them are the same board, and the list is
about half as long as it would be with all of them. Then the network values it four boards at a
time, with their images from one vector register. A search of four plies takes six tenths of the
time that it takes to value all of them, four after each new tile. Why a list, and not a test before
each board? A processor that has to guess whether a board was there before cannot start on the next
one meanwhile: such a search took half as long again as one that values every board.

**A table of known values.** Different orders of moves meet in the same afterstate, from three plies
on. So W is kept. A place in the table is a bucket of four slots, and the afterstate alone decides
which. A newcomer takes a free slot, or one that is left over from an earlier search; if there is
none, that with the fewest plies, which was the cheapest to work out. What is found in the table has
exactly the plies that are asked for. So the table saves work and changes no value, not a bit of it,
however small it is and whatever was searched before.

A third thing is left to whoever searches: **shallow fours**. A 4 is rare, and yet half of all
boards that may follow have one. When a 4 takes two plies and not one, what comes after it is looked
at one ply less far. W is another one then:

    W(s', n) = mean over cells of (1 - p4) best(s' with a 2, n - 1) + p4 best(s' with a 4, n - 2),
               with one ply where n - 2 is none
"""

from typing import NamedTuple

import numpy as np

from lib2048.board import _count_bits, _lowest_bit
from lib2048.fast.choosing import ILLEGAL, _worth_after
from lib2048.fast.lookup import F32, _images, _images_in_column, _images_of_four, _value
from lib2048.fast.planes import _empty_in_planes, _slide_all_ways
from lib2048.kernels import kernel, uint64
from lib2048.random_words import mix

SLOTS_OF_A_BUCKET = 4
CELLS_OF_A_BOARD = 16
BOARDS_AT_ONCE = 4  # as _images_of_four takes them
BYTES_OF_A_SLOT = 8 + 4 + 1 + 1  # board, value, plies, search
ASKED, FOUND, POSITIONS = range(3)  # entries of `counts`


class LastMoves(NamedTuple):
    """Memory for the afterstates that the last move of a search may lead to from one afterstate.

    There are at most 16 cells for a new tile, 2 tiles and 4 actions.
    """

    boards: np.ndarray
    """uint64 (132): planes of these afterstates, from entry 1 on. One that a new tile reaches from
    several cells of a gap is there once. Entry 0 stands for an action that moves nothing; its board
    stays 0, which is no afterstate."""

    values: np.ndarray
    """float32 (132): what the network says of them; ILLEGAL in entry 0."""

    entries: np.ndarray
    """int64 (32, 4): which of them each new tile and action lead to."""

    rewards: np.ndarray
    """float32 (32, 2): what sliding along columns and across them earns, after each new tile."""

    latest: np.ndarray
    """int64 (2, 4, 4): the entry that was found last for a new 2 or 4, an action and the line, row
    or column, in which the tile slides."""


class KnownValues(NamedTuple):
    """What a search has worked out so far, the flag that ends it, and what it has done."""

    boards: np.ndarray
    """uint64 (buckets, 4): planes of the afterstate, never empty; 0 where the slot is free."""

    values: np.ndarray
    """float32 (buckets, 4): W."""

    plies: np.ndarray
    """uint8 (buckets, 4)."""

    searches: np.ndarray
    """uint8 (buckets, 4): the number of the search that worked it out, modulo 256."""

    search: np.ndarray
    """uint8 (1): the number of the present search, modulo 256."""

    counts: np.ndarray
    """int64 (3): how often the table was asked, how often it knew, and how many boards after a new
    tile the search went through."""

    stop: np.ndarray
    """uint8 (1): anything but 0 ends the search."""

    last_moves: LastMoves
    """The last moves after one afterstate, written over by those after the next one."""

    plies_of_a_four: int = 1
    """How many plies a 4 takes, 1 or 2; see "shallow fours" above."""


def known_values(slots: int, stop: np.ndarray, plies_of_a_four: int = 1) -> KnownValues:
    """An empty table of at most so many slots.

    It has a power of two of buckets, one at least. The system hands out its memory as it fills.
    """
    buckets = 1
    while 2 * buckets * SLOTS_OF_A_BUCKET <= slots:
        buckets *= 2
    shape = (buckets, SLOTS_OF_A_BUCKET)
    most_spawns = 2 * CELLS_OF_A_BOARD
    most_afterstates = 4 * most_spawns
    room = 1 + most_afterstates + BOARDS_AT_ONCE - 1  # the last boards at once may be fewer
    last_moves = LastMoves(
        boards=np.zeros(room, np.uint64),
        values=np.full(room, ILLEGAL, np.float32),
        entries=np.zeros((most_spawns, 4), np.int64),
        rewards=np.zeros((most_spawns, 2), np.float32),
        latest=np.zeros((2, 4, 4), np.int64),
    )
    return KnownValues(
        boards=np.zeros(shape, np.uint64),
        values=np.zeros(shape, np.float32),
        plies=np.zeros(shape, np.uint8),
        searches=np.zeros(shape, np.uint8),
        search=np.zeros(1, np.uint8),
        counts=np.zeros(3, np.int64),
        stop=stop,
        last_moves=last_moves,
        plies_of_a_four=plies_of_a_four,
    )


@kernel(forceinline=True)
def _find(known, bucket, afterstate, plies):
    """The slot of a bucket that holds W(afterstate, plies), or -1."""
    known.counts[ASKED] += 1
    for slot in range(SLOTS_OF_A_BUCKET):
        if known.boards[bucket, slot] == afterstate and known.plies[bucket, slot] == plies:
            known.counts[FOUND] += 1
            return slot
    return -1


@kernel(forceinline=True)
def _keep(known, bucket, afterstate, plies, value):
    """Write W(afterstate, plies) into the slot of a bucket that is worth least, in place.

    A slot is worth its plies, and nothing when it is free or an earlier search filled it.
    """
    chosen = 0
    least = 256
    for slot in range(SLOTS_OF_A_BUCKET):
        worth = 0
        if known.searches[bucket, slot] == known.search[0]:
            worth = int(known.plies[bucket, slot])
        if worth < least:
            chosen = slot
            least = worth
    known.boards[bucket, chosen] = afterstate
    known.values[bucket, chosen] = value
    known.plies[bucket, chosen] = plies
    known.searches[bucket, chosen] = known.search[0]


@kernel()
def _worth_at_last(net, afterstate, p4):
    """What comes after the last move of a search, by the network (float32)."""
    return _worth_after(net, afterstate, _images(afterstate), p4)


@kernel(forceinline=True)
def _value_in_column(net, column):
    """V of one of the four afterstates whose images the buffer holds (float32)."""
    return _value(net, _images_in_column(net.image_buffer, column))


@kernel(forceinline=True)
def _list_last_moves(known, afterstate):
    """List the afterstates that the next move may lead to from an afterstate, in place.

    One that comes from several cells of a gap is listed once. (Two actions may still lead to the
    same board, and then it is listed twice; that is rare and does no harm.) Returns how many
    entries the list has, entry 0 among them, and how many new tiles there are.

    The empty cells are gone through in order, so two cells of a gap in a row follow each other
    among those of the row, and likewise in a column. It is enough, then, to compare with the latest
    board of the same tile, action and line. At first that is entry 0, whose board equals no
    afterstate. The entry is selected, not branched upon: every board is written, and one that does
    not count is written over by the next.
    """
    boards, _, entries, rewards, latest = known.last_moves
    latest[:] = 0
    length = 1
    spawns = 0
    empty = _empty_in_planes(afterstate)
    while empty:
        cell = _lowest_bit(empty)
        empty ^= cell
        position = np.int64(_count_bits(cell - uint64(1)))
        row = position // 4
        column = position % 4
        for is_four in range(2):
            planes = afterstate | (cell << 16 * is_four)
            up, right, down, left, along, across = _slide_all_ways(planes)
            slid = (up, right, down, left)
            for action in range(4):
                after = slid[action]
                line = row if action % 2 else column
                latest_entry = latest[is_four, action, line]
                is_legal = after != planes
                is_listed = boards[latest_entry] == after
                entry = latest_entry if is_listed else length
                boards[entry] = after
                length += int(is_legal and not is_listed)
                latest[is_four, action, line] = entry if is_legal else latest_entry
                entries[spawns, action] = entry if is_legal else 0
            rewards[spawns, 0] = along
            rewards[spawns, 1] = across
            spawns += 1
    return length, spawns


@kernel(forceinline=True)
def _value_last_moves(net, known, length, p4):
    """Have the network value the boards of the list, in place.

    Returns 0, or nan if a value is no number, which a maximum of values might hide (float32).
    """
    boards = known.last_moves.boards
    values = known.last_moves.values
    if net.state_values:
        for entry in range(1, length):
            values[entry] = _worth_at_last(net, boards[entry], p4)
    else:
        # The last boards at once may reach past the list. What lies there is valued for nobody.
        for entry in range(1, length, BOARDS_AT_ONCE):
            _images_of_four(
                boards[entry],
                boards[entry + 1],
                boards[entry + 2],
                boards[entry + 3],
                net.image_buffer,
            )
            values[entry] = _value_in_column(net, 0)
            values[entry + 1] = _value_in_column(net, 1)
            values[entry + 2] = _value_in_column(net, 2)
            values[entry + 3] = _value_in_column(net, 3)
    doubt = F32(0)
    for entry in range(1, length):
        doubt += values[entry] - values[entry]
    return doubt


@kernel()
def _expect_one_move(net, known, afterstate, p4):
    """W(afterstate, 2), the mean over spawns of what the best action is worth at once (float32)."""
    length, spawns = _list_last_moves(known, afterstate)
    doubt = _value_last_moves(net, known, length, p4)
    _, values, entries, rewards, _ = known.last_moves
    total = F32(0)
    for spawn in range(spawns):
        along = rewards[spawn, 0]
        across = rewards[spawn, 1]
        best = max(
            max(along + values[entries[spawn, 0]], across + values[entries[spawn, 1]]),
            max(along + values[entries[spawn, 2]], across + values[entries[spawn, 3]]),
        )
        if best != ILLEGAL:
            is_four = spawn % 2
            total += (p4 if is_four else F32(1) - p4) * best
    known.counts[POSITIONS] += spawns
    return (total + doubt) / F32(spawns // 2)


@kernel()
def _expect(net, known, afterstate, plies, p4):
    """W(afterstate, plies), see above, of an afterstate in planes (float32).

    Values that come up are kept in `known`, in place. When the flag is set, a search of three plies
    or more ends early: its result is worth nothing, and is not kept. One of two plies is so short
    that it is finished. (All in one function: numba can keep a function that calls itself on disk,
    but not two that call each other.)
    """
    if plies == 1:
        return _worth_at_last(net, afterstate, p4)
    bucket = mix(afterstate) & uint64(len(known.boards) - 1)
    slot = _find(known, bucket, afterstate, plies)
    if slot >= 0:
        return known.values[bucket, slot]
    if plies == 2:
        mean = _expect_one_move(net, known, afterstate, p4)
        _keep(known, bucket, afterstate, plies, mean)
        return mean
    left_after = (plies - 1, plies - known.plies_of_a_four)  # a 2, a 4
    total = F32(0)
    doubt = F32(0)  # becomes nan with the first value that is no number
    cells = F32(0)
    empty = _empty_in_planes(afterstate)
    while empty and known.stop[0] == 0:
        cell = _lowest_bit(empty)
        empty ^= cell
        cells += F32(1)
        for is_four in range(2):
            planes = afterstate | (cell << 16 * is_four)
            up, right, down, left, along, across = _slide_all_ways(planes)
            slid = (up, right, down, left)
            best = ILLEGAL
            for action in range(4):
                if slid[action] != planes:
                    worth = F32(across if action % 2 else along)
                    worth += _expect(net, known, slid[action], left_after[is_four], p4)
                    best = max(best, worth)
                    doubt += worth - worth
            if best != ILLEGAL:
                total += (p4 if is_four else F32(1) - p4) * best
    known.counts[POSITIONS] += 2 * int(cells)
    if known.stop[0] != 0:
        return F32(0)
    mean = (total + doubt) / cells
    _keep(known, bucket, afterstate, plies, mean)
    return mean
