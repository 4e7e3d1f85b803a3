"""Expectimax over afterstates, and the table of what it has worked out already.

    W(s', 1) = V(s')
    W(s', n) = mean over spawns s'' of max over actions of r + W(afterstate of s'', n - 1),
               0 where s'' is dead

Two things make it fast.

**Each afterstate once.** The afterstates that the next move may lead to are listed before anything
is done with them. A new tile at either end of a gap slides to the same place, so many of them are
the same board, and the list is about half as long as it would be with all of them. Nearly all
afterstates of a search are its last ones, which the network values itself: it takes a list four
boards at a time, with their images from one vector register. A search of four plies takes six
tenths of the time that it takes to value all of them, four after each new tile. Why a list, and not
a test before each board? A processor that has to guess whether a board was there before cannot
start on the next one meanwhile: such a search took half as long again as one that values every
board.

**A table of known values.** Different orders of moves meet in the same afterstate, from three plies
on. So W is kept. A place in the table is a bucket of four slots, and the afterstate alone decides
which. A newcomer takes a free slot, or one that is left over from an earlier search; if there is
none, that with the fewest plies, which was the cheapest to work out. What is found in the table has
exactly the plies that are asked for. So the table saves work and changes no value, not a bit of it,
however small it is and whatever was searched before.

A third thing is left to whoever searches, since it changes what is found: **a margin**. Mostly one
action or two are worth thinking about, and the others would tear apart what was put in order over
thousands of moves. The network knows that at once. With a margin, the actions are looked into in
the order of what the network says, until all that are left are worth less at once, by more points
than the margin, than the best of the others has turned out to be worth. With 30,000 points, two
networks in turn need about a quarter of the time to look four plies ahead, and hardly ever decide
otherwise: mostly on boards on which the game is nearly lost, and what saves it looks bad at once.
(A margin that counts from what the best action is worth at once never comes back to the others,
even when looking ahead finds that the favourite loses. The same networks played worse with it.)
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
NO_MARGIN = np.inf  # every action is looked into
DEEPEST = 24  # plies of any search


class NextMoves(NamedTuple):
    """Memory for the afterstates that the next move may lead to from one afterstate.

    There are at most 16 cells for a new tile, 2 tiles and 4 actions. While they are gone through
    with some number of plies, others are listed with fewer. So each number of plies has a row, the
    first entry of every array.
    """

    boards: np.ndarray
    """uint64 (plies, 132): planes of these afterstates, from entry 1 on. One that a new tile
    reaches from several cells of a gap is there once. Entry 0 stands for an action that moves
    nothing; its board stays 0, which is no afterstate."""

    values: np.ndarray
    """float32 (plies, 132): what comes after them; ILLEGAL in entry 0. It is what the network says,
    if they are the last ones or there is a margin, and else what looking further says."""

    deeper: np.ndarray
    """float32 (plies, 132): what looking further says, with a margin, as far as that is known."""

    is_known: np.ndarray
    """bool (plies, 132): whether it is."""

    entries: np.ndarray
    """int64 (plies, 32, 4): which of them each new tile and action lead to."""

    rewards: np.ndarray
    """float32 (plies, 32, 2): what sliding along columns and across them earns after each tile."""

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

    next_moves: NextMoves
    """The next moves after the afterstates that are being searched."""

    margin: np.float32
    """An action is not looked into if it is worth less at once, by more points than that, than the
    best one has turned out to be worth."""


def known_values(slots: int, stop: np.ndarray, margin: float = NO_MARGIN) -> KnownValues:
    """An empty table of at most so many slots.

    It has a power of two of buckets, one at least. The system hands out its memory as it fills.
    """
    buckets = 1
    while 2 * buckets * SLOTS_OF_A_BUCKET <= slots:
        buckets *= 2
    shape = (buckets, SLOTS_OF_A_BUCKET)
    return KnownValues(
        boards=np.zeros(shape, np.uint64),
        values=np.zeros(shape, np.float32),
        plies=np.zeros(shape, np.uint8),
        searches=np.zeros(shape, np.uint8),
        search=np.zeros(1, np.uint8),
        counts=np.zeros(3, np.int64),
        stop=stop,
        next_moves=_room_for_next_moves(),
        margin=F32(margin),
    )


def _room_for_next_moves() -> NextMoves:
    """Room for the next moves with every number of plies."""
    rows = DEEPEST + 1
    most_spawns = 2 * CELLS_OF_A_BOARD
    most_afterstates = 4 * most_spawns
    room = 1 + most_afterstates + BOARDS_AT_ONCE - 1  # the last boards at once may be fewer
    return NextMoves(
        boards=np.zeros((rows, room), np.uint64),
        values=np.full((rows, room), ILLEGAL, np.float32),
        deeper=np.zeros((rows, room), np.float32),
        is_known=np.zeros((rows, room), np.bool_),
        entries=np.zeros((rows, most_spawns, 4), np.int64),
        rewards=np.zeros((rows, most_spawns, 2), np.float32),
        latest=np.zeros((2, 4, 4), np.int64),
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
def _list_next_moves(known, plies, afterstate):
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
    boards, _, _, _, entries, rewards, latest = known.next_moves
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
                is_listed = boards[plies, latest_entry] == after
                entry = latest_entry if is_listed else length
                boards[plies, entry] = after
                length += int(is_legal and not is_listed)
                latest[is_four, action, line] = entry if is_legal else latest_entry
                entries[plies, spawns, action] = entry if is_legal else 0
            rewards[plies, spawns, 0] = along
            rewards[plies, spawns, 1] = across
            spawns += 1
    known.counts[POSITIONS] += spawns
    return length, spawns


@kernel()
def _value_next_moves(net, known, plies, length, p4):
    """Have the network value the boards of the list, in place."""
    boards = known.next_moves.boards
    values = known.next_moves.values
    if net.state_values:
        for entry in range(1, length):
            values[plies, entry] = _worth_at_last(net, boards[plies, entry], p4)
    else:
        # The last boards at once may reach past the list. What lies there is valued for nobody.
        for entry in range(1, length, BOARDS_AT_ONCE):
            _images_of_four(
                boards[plies, entry],
                boards[plies, entry + 1],
                boards[plies, entry + 2],
                boards[plies, entry + 3],
                net.image_buffer,
            )
            values[plies, entry] = _value_in_column(net, 0)
            values[plies, entry + 1] = _value_in_column(net, 1)
            values[plies, entry + 2] = _value_in_column(net, 2)
            values[plies, entry + 3] = _value_in_column(net, 3)


@kernel(forceinline=True)
def _worths(known, plies, spawn):
    """What the four actions after a new tile are worth, by the values of the list (float32)."""
    _, values, _, _, entries, rewards, _ = known.next_moves
    along = rewards[plies, spawn, 0]
    across = rewards[plies, spawn, 1]
    return (
        along + values[plies, entries[plies, spawn, 0]],
        across + values[plies, entries[plies, spawn, 1]],
        along + values[plies, entries[plies, spawn, 2]],
        across + values[plies, entries[plies, spawn, 3]],
    )


@kernel(forceinline=True)
def _share(spawn, p4):
    """The probability of the tile that appears, wherever it does (float32)."""
    return p4 if spawn % 2 else F32(1) - p4


@kernel()
def _mean_of_best(known, plies, length, spawns, p4):
    """The mean over new tiles of what the best action is worth, by the values of the list.

    It is nan if a value is no number, which a maximum of values might hide (float32).
    """
    values = known.next_moves.values
    total = F32(0)
    for entry in range(1, length):
        total += values[plies, entry] - values[plies, entry]
    for spawn in range(spawns):
        up, right, down, left = _worths(known, plies, spawn)
        best = max(max(up, right), max(down, left))
        if best != ILLEGAL:
            total += _share(spawn, p4) * best
    return total / F32(spawns // 2)


@kernel(forceinline=True)
def _next_to_look_into(worths, looked_into, best_worth, margin):
    """The action that is worth most at once among those not looked into yet.

    It is -1 if none is left, or if this one falls short of `best_worth`, what the best action has
    turned out to be worth, by more than the margin. `looked_into` has a bit for each action. A
    worth that is no number comes first, and never falls short. So it is found.
    """
    chosen = -1
    worth_at_once = ILLEGAL
    for action in range(4):
        worth = worths[action]
        if (looked_into >> action) & 1 == 0 and (worth > worth_at_once or np.isnan(worth)):
            chosen = action
            worth_at_once = worth
    if worth_at_once < best_worth - margin:
        return -1
    return chosen


@kernel()
def _expect(net, known, afterstate, plies, p4):
    """W(afterstate, plies), see above, of an afterstate in planes (float32).

    Values that come up are kept in `known`, in place. When the flag is set, a search of three plies
    or more ends early: its result is worth nothing, and is not kept. One of two plies is so short
    that it is finished. (All that calls itself is in one function: numba can keep such a function
    on disk, but not two that call each other.)
    """
    if plies == 1:
        return _worth_at_last(net, afterstate, p4)
    bucket = mix(afterstate) & uint64(len(known.boards) - 1)
    slot = _find(known, bucket, afterstate, plies)
    if slot >= 0:
        return known.values[bucket, slot]
    length, spawns = _list_next_moves(known, plies, afterstate)
    boards, values, deeper, is_known, entries, rewards, _ = known.next_moves
    if plies == 2:
        _value_next_moves(net, known, plies, length, p4)
        mean = _mean_of_best(known, plies, length, spawns, p4)
    elif known.margin == F32(NO_MARGIN):
        for entry in range(1, length):
            if known.stop[0] != 0:
                return F32(0)
            values[plies, entry] = _expect(net, known, boards[plies, entry], plies - 1, p4)
        mean = _mean_of_best(known, plies, length, spawns, p4)
    else:
        _value_next_moves(net, known, plies, length, p4)
        is_known[plies, :length] = False
        total = F32(0)
        doubt = F32(0)  # becomes nan with the first value that is no number
        for spawn in range(spawns):
            worths = _worths(known, plies, spawn)
            best = ILLEGAL
            looked_into = 0
            action = _next_to_look_into(worths, looked_into, best, known.margin)
            while action >= 0:
                if known.stop[0] != 0:
                    return F32(0)
                entry = entries[plies, spawn, action]
                if not is_known[plies, entry]:
                    deeper[plies, entry] = _expect(net, known, boards[plies, entry], plies - 1, p4)
                    is_known[plies, entry] = True
                worth = rewards[plies, spawn, action % 2] + deeper[plies, entry]
                best = max(best, worth)
                doubt += worth - worth
                looked_into |= 1 << action
                action = _next_to_look_into(worths, looked_into, best, known.margin)
            if best != ILLEGAL:
                total += _share(spawn, p4) * best
        mean = (total + doubt) / F32(spawns // 2)
    if plies > 2 and known.stop[0] != 0:
        return F32(0)
    _keep(known, bucket, afterstate, plies, mean)
    return mean
