"""Expectimax over afterstates, and the table of what it has worked out already.

    W(s', 1) = V(s')
    W(s', n) = mean over spawns s'' of max over actions of r + W(afterstate of s'', n - 1),
               0 where s'' is dead

Two things make it fast.

**The last move all at once.** Nearly all afterstates of a search are its last ones, which the
network values itself. The four that follow a spawn are valued together, as when a greedy player
chooses (see choosing.py): their images come from one vector register. With a call for
each, a search of three plies took a third longer.

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

from lib2048.board import _lowest_bit
from lib2048.fast.choosing import ILLEGAL, _worth_after
from lib2048.fast.lookup import F32, _images, _images_in_column, _images_of_four, _value
from lib2048.fast.planes import _empty_in_planes, _slide_all_ways
from lib2048.kernels import kernel, uint64
from lib2048.random_words import mix

SLOTS_OF_A_BUCKET = 4
BYTES_OF_A_SLOT = 8 + 4 + 1 + 1  # board, value, plies, search
ASKED, FOUND, POSITIONS = range(3)  # entries of `counts`


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
    return KnownValues(
        boards=np.zeros(shape, np.uint64),
        values=np.zeros(shape, np.float32),
        plies=np.zeros(shape, np.uint8),
        searches=np.zeros(shape, np.uint8),
        search=np.zeros(1, np.uint8),
        counts=np.zeros(3, np.int64),
        stop=stop,
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


@kernel()
def _best_worth(net, planes, p4):
    """What the best action on a board is worth, valued at once: ILLEGAL if it is dead (float32).

    A value that is no number makes it nan; a maximum would hide it. A network of state values goes
    through all spawns once more, which is long enough to be called, not written out four times.
    """
    up, right, down, left, along, across = _slide_all_ways(planes)
    slid = (up, right, down, left)
    if net.state_values:
        values = (
            _worth_at_last(net, up, p4),
            _worth_at_last(net, right, p4),
            _worth_at_last(net, down, p4),
            _worth_at_last(net, left, p4),
        )
    else:
        _images_of_four(up, right, down, left, net.image_buffer)
        values = (
            _value_in_column(net, 0),
            _value_in_column(net, 1),
            _value_in_column(net, 2),
            _value_in_column(net, 3),
        )
    best = ILLEGAL
    doubt = F32(0)
    for action in range(4):
        if slid[action] != planes:
            worth = F32(across if action % 2 else along) + values[action]
            best = max(best, worth)
            doubt += worth - worth
    return best + doubt


@kernel()
def _expect_one_move(net, known, afterstate, p4):
    """W(afterstate, 2): the mean, over spawns, of what the best action is worth at once (float32).

    It is worth nothing when the flag is set.
    """
    total = F32(0)
    cells = F32(0)
    empty = _empty_in_planes(afterstate)
    while empty and known.stop[0] == 0:
        cell = _lowest_bit(empty)
        empty ^= cell
        cells += F32(1)
        for is_four in range(2):
            best = _best_worth(net, afterstate | (cell << 16 * is_four), p4)
            if best != ILLEGAL:
                total += (p4 if is_four else F32(1) - p4) * best
    known.counts[POSITIONS] += 2 * int(cells)
    return F32(0) if known.stop[0] != 0 else total / cells


@kernel()
def _expect(net, known, afterstate, plies, p4):
    """W(afterstate, plies), see above, of an afterstate in planes (float32).

    Values that come up are kept in `known`, in place. When the flag is set, the result is worth
    nothing, and nothing more is kept. (All in one function: numba can keep a function that calls
    itself on disk, but not two that call each other.)
    """
    if plies == 1:
        return _worth_at_last(net, afterstate, p4)
    bucket = mix(afterstate) & uint64(len(known.boards) - 1)
    slot = _find(known, bucket, afterstate, plies)
    if slot >= 0:
        return known.values[bucket, slot]
    if plies == 2:
        mean = _expect_one_move(net, known, afterstate, p4)
        if known.stop[0] == 0:
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
