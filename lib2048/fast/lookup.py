"""The fast path: from a board to the weights behind its value.

A 4x6 network looks 32 weights up to value one board, up to 128 to choose a move, 32 to learn from
it. So nearly all the time of learning goes into finding weights and waiting for memory. Two things
make it fast, and a third treats all sides of a board alike.

**Bit planes.** The fast engine sees a board as four planes in one word (see planes.py). Mirroring
or turning it is a handful of shifts that move all four planes at once (and the four boards a move
is chosen from at once, in one vector register), and "the exponents in the cells of this pattern" is
one `_gather` of the word: n bits from each plane, 4n bits in all. These are the bits of the natural
index, only in another order, so they can serve as the index into a table just as well.

**The order of the bits.** With n cells, bit b of the cell of rank r lands at place b*n + r. The low
bits of the index thus come from the low bits of the exponents: boards that differ in small tiles
only (which is how consecutive boards differ) find their weights close together, on memory the
processor has at hand. In natural order a change of the last cell's tile jumps megabytes. Ranks run
backwards (the last cell of a pattern lowest), which measured best.

**Sums that do not depend on the side one looks from.** A pattern's eight images are added in pairs
(image, transposed image), then pairs of pairs. Turning or mirroring a board permutes the terms
inside this tree but never across it, and a float sum does not mind which of two terms comes first:
all eight images of a board get the same value to the last bit. So whoever learns from a board has
learned the same from its images.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lib2048.fast.bits import _gather, formula, four_at_once, gather_plan
from lib2048.fast.planes import _flipped, _mirrored, _to_planes, _transposed
from lib2048.kernels import COMPILES, kernel, uint64

if COMPILES:
    from lib2048.fast.instructions import _fetch_ahead
else:

    def _fetch_ahead(array, place):
        """Nothing: plain Python has no say in what the processor fetches."""


F32 = np.float32

START = 6
"""The column of `plans` behind a gather plan (see bits.py): where a pattern's table starts."""

IMAGES = 8

COLUMNS_OF_ERRORS = uint64(2)

LARGE = 16**4  # weights; a larger table is followed by a gap
GAP = 2320
"""Weights left unused after a large table. Tables that lie a power of two apart would compete for
the same cache lines."""


class Net(NamedTuple):
    """A network as kernels see it."""

    weights: np.ndarray
    """float32: all tables in a row, each in plane order."""

    errors: np.ndarray
    """float32 (weights, 2): sums of each weight's errors and of their sizes; or (0, 2)."""

    plans: np.ndarray
    """uint64 (patterns, 7): a gather plan and where the table starts."""

    image_buffer: np.ndarray
    """uint64 (8, 4): the images of the four boards a move is chosen from.

    Each thread needs its own.
    """

    symmetries: int
    """8, or 1 for a network that looks at the board from one side only."""

    state_values: bool
    """Whether V is the value of states; otherwise it is that of afterstates."""


# Tables in memory


def lay_out(patterns: Iterable[Sequence[int]]) -> tuple[np.ndarray, int]:
    """Where the tables of some patterns lie: their plans, and how long all of them are in a row."""
    plans = []
    start = 0
    for pattern in patterns:
        bits = [15 - cell for cell in pattern]  # of a plane, in which the last cell is lowest
        plans.append([*gather_plan(bits), uint64(start)])
        size = 16 ** len(pattern)
        start += size + (GAP if size > LARGE else 0)
    return np.array(plans), start


def ranks_of(pattern: Sequence[int]) -> np.ndarray:
    """The rank of each cell of a pattern: the last cell of the board ranks lowest."""
    order = sorted(pattern, reverse=True)
    return np.array([order.index(cell) for cell in pattern], np.uint64)


# Images of a board


@formula
def _images(planes):
    """The eight images of a board, its transposed image beside each.

    The order makes the sum ((0+1)+(2+3))+((4+5)+(6+7)) the same, bit by bit, for all images of a
    board. The first is turned by 180 degrees, so that a pattern's last cell ranks lowest.
    """
    mirrored = _mirrored(planes)
    flipped = _flipped(planes)
    turned = _flipped(mirrored)
    transposed = _transposed(planes)
    transposed_mirrored = _mirrored(transposed)
    transposed_flipped = _flipped(transposed)
    transposed_turned = _flipped(transposed_mirrored)
    return (
        turned,
        transposed_turned,
        planes,
        transposed,
        mirrored,
        transposed_flipped,
        flipped,
        transposed_mirrored,
    )


_images_of_four = four_at_once(_images)


@kernel(forceinline=True)
def _images_in_column(image_buffer, column):
    """The eight images that `_images_of_four` left in one column of the buffer."""
    return (
        image_buffer[0, column],
        image_buffer[1, column],
        image_buffer[2, column],
        image_buffer[3, column],
        image_buffer[4, column],
        image_buffer[5, column],
        image_buffer[6, column],
        image_buffer[7, column],
    )


# Lookups: where the weights of a board are


@kernel(forceinline=True)
def _place(net, image, k):
    """Where the weight is that one image of a board looks up in the table of pattern k (uint64)."""
    return net.plans[k, START] + _gather(image, net.plans, k)


@kernel(forceinline=True)
def _eight_places(net, images, k):
    """Where the weights are that the eight images look up in the table of pattern k.

    Written out, because in a loop that stores each place as it is found, the processor must read
    the plan again after each store: the compiler cannot know that the store went elsewhere. Such a
    loop made learning from a board nearly a quarter slower.
    """
    plans = net.plans
    start = plans[k, START]
    return (
        start + _gather(images[0], plans, k),
        start + _gather(images[1], plans, k),
        start + _gather(images[2], plans, k),
        start + _gather(images[3], plans, k),
        start + _gather(images[4], plans, k),
        start + _gather(images[5], plans, k),
        start + _gather(images[6], plans, k),
        start + _gather(images[7], plans, k),
    )


@kernel(forceinline=True)
def _sum_of_eight(terms):
    """Eight numbers added in pairs, and in pairs of pairs (float32).

    See "Sums that do not depend on the side one looks from" above.
    """
    a, b, c, d, e, f, g, h = terms
    return ((a + b) + (c + d)) + ((e + f) + (g + h))


@kernel(forceinline=True)
def _sum_of_weights(weights, places):
    """The sum of the weights at eight places (float32)."""
    a, b, c, d, e, f, g, h = places
    return _sum_of_eight(
        (
            weights[a],
            weights[b],
            weights[c],
            weights[d],
            weights[e],
            weights[f],
            weights[g],
            weights[h],
        )
    )


# Values


@kernel(forceinline=True)
def _weight(net, start, image, k):
    """The weight that one image of a board looks up in table k, which begins at `start` (float32).

    The start is the same for all eight images. Told so, the compiler adds it once, not eight times;
    otherwise choosing an action took an eighth longer.
    """
    return net.weights[start + _gather(image, net.plans, k)]


@kernel(forceinline=True)
def _value(net, images):
    """V of the board with these images: the sum of its lookups (float32)."""
    total = F32(0)
    if net.symmetries == 1:
        for k in range(len(net.plans)):
            total += net.weights[_place(net, images[0], k)]
        return total
    for k in range(len(net.plans)):
        start = net.plans[k, START]
        total += _sum_of_eight(
            (
                _weight(net, start, images[0], k),
                _weight(net, start, images[1], k),
                _weight(net, start, images[2], k),
                _weight(net, start, images[3], k),
                _weight(net, start, images[4], k),
                _weight(net, start, images[5], k),
                _weight(net, start, images[6], k),
                _weight(net, start, images[7], k),
            )
        )
    return total


@kernel(forceinline=True)
def _look_up(net, images, lookup_places):
    """As `_value`; writes where the weights are into `lookup_places` (uint64[lookups])."""
    total = F32(0)
    if net.symmetries == 1:
        for k in range(len(net.plans)):
            lookup_places[k] = _place(net, images[0], k)
            total += net.weights[lookup_places[k]]
        return total
    for k in range(len(net.plans)):
        places = _eight_places(net, images, k)
        for image, place in enumerate(places):
            lookup_places[IMAGES * k + image] = place
        total += _sum_of_weights(net.weights, places)
    return total


@kernel(forceinline=True)
def _sum_of_lookups(net, lookup_places):
    """The weights at the places of a board's lookups, added in the order of `_value` (float32)."""
    total = F32(0)
    if net.symmetries == 1:
        for place in lookup_places:
            total += net.weights[place]
        return total
    for first in range(0, len(lookup_places), IMAGES):
        places = (
            lookup_places[first],
            lookup_places[first + 1],
            lookup_places[first + 2],
            lookup_places[first + 3],
            lookup_places[first + 4],
            lookup_places[first + 5],
            lookup_places[first + 6],
            lookup_places[first + 7],
        )
        total += _sum_of_weights(net.weights, places)
    return total


@kernel(forceinline=True)
def _find_ahead(net, images, lookup_places):
    """Write the places of a board's lookups into `lookup_places` (uint64[lookups]), in place.

    And have the processor fetch the weights and the error sums that lie there.
    """
    if net.symmetries == 1:
        for k in range(len(net.plans)):
            lookup_places[k] = _place(net, images[0], k)
    else:
        for k in range(len(net.plans)):
            for image, place in enumerate(_eight_places(net, images, k)):
                lookup_places[IMAGES * k + image] = place
    for place in lookup_places:
        _fetch_ahead(net.weights, place)
        _fetch_ahead(net.errors, place * COLUMNS_OF_ERRORS)


# Learning


@kernel(forceinline=True)
def _add_to_lookups(net, lookup_places, step):
    """Add `step` to the weight of every lookup, in place. Returns V after (float32).

    A weight that is looked up twice gets the step twice. So V is added up when all of them are
    done.
    """
    for place in lookup_places:
        net.weights[place] += step
    return _sum_of_lookups(net, lookup_places)


@kernel()
def _add_coherently(net, lookup_places, step):
    """As `_add_to_lookups`, with each weight's step scaled by its coherence.

    coherence = |sum of errors| / sum of |errors|: 1 while the errors agree, near 0 when they cancel
    out, so a weight that has settled stops moving (Beal and Smith 1999, "Temporal coherence and
    prediction decay in TD learning").
    """
    size = abs(step)
    for place in lookup_places:
        error = net.errors[place, 0]
        absolute = net.errors[place, 1]
        coherence = abs(error) / absolute if absolute > F32(0) else F32(1)
        net.weights[place] += step * coherence
        net.errors[place, 0] = error + step
        net.errors[place, 1] = absolute + size
    return _sum_of_lookups(net, lookup_places)


# For Python


@kernel()
def _value_of_board(net, board):
    """V of a board (float32)."""
    return _value(net, _images(_to_planes(board)))


@kernel()
def _update_board(net, board, step, lookup_places):
    """Add `step` to the weight of every lookup of a board, in place. Returns V after (float32)."""
    _look_up(net, _images(_to_planes(board)), lookup_places)
    return _add_to_lookups(net, lookup_places, step)


# Natural order and plane order


@kernel()
def _plane_place(natural, ranks):
    """The place in a table of the weight with a natural index.

    ranks[j] is the rank of the pattern's cell j.
    """
    cells = uint64(len(ranks))
    place = uint64(0)
    for j in range(len(ranks)):
        exponent = uint64(natural) >> (4 * j)
        for bit in range(4):
            is_set = (exponent >> bit) & uint64(1)
            place |= is_set << (uint64(bit) * cells + ranks[j])
    return place


def _places(first, count, ranks):
    """`_plane_place` of the natural indices first, first + 1, ..., by numpy: an array."""
    natural = np.arange(first, first + count, dtype=np.uint64)
    return _plane_place(natural, ranks)


if COMPILES:

    @kernel()
    def _to_natural(table, ranks, first, out):
        """Copy weights of natural indices first, first + 1, ... from a table in plane order."""
        for i in range(len(out)):
            out[i] = table[_plane_place(first + i, ranks)]

    @kernel()
    def _from_natural(values, ranks, first, table):
        """Copy weights of natural indices first, first + 1, ... into a table in plane order."""
        for i in range(len(values)):
            table[_plane_place(first + i, ranks)] = values[i]

else:  # millions of weights, one by one in plain Python, would take minutes

    def _to_natural(table, ranks, first, out):
        """Copy weights of natural indices first, first + 1, ... from a table in plane order."""
        out[:] = table[_places(first, len(out), ranks)]

    def _from_natural(values, ranks, first, table):
        """Copy weights of natural indices first, first + 1, ... into a table in plane order."""
        table[_places(first, len(values), ranks)] = values
