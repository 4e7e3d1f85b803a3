"""The fast path: from a board to the weights behind its value.

A 4x6 network looks 32 weights up to value one board, up to 128 to choose a move, 32 to learn from it. So nearly all the
time of learning goes into finding weights and waiting for memory. Two things make it fast, and a third treats all
sides of a board alike.

**Bit planes.** The fast loops see a board as four planes in one word (see planes.py). Mirroring or turning it is a
handful of shifts that move all four planes at once (and the four boards a move is chosen from at once, in one vector
register), and "the exponents in the cells of this pattern" is one `_gather` of the word: n bits from each plane, 4n
bits in all. These are the bits of the natural index, only in another order, so they can serve as the index into a
table just as well.

**The order of the bits.** With n cells, bit b of the cell of rank r lands at place b*n + r. The low bits of the index
thus come from the low bits of the exponents: boards that differ in small tiles only (which is how consecutive boards
differ) find their weights close together, on memory the processor has at hand. In natural order a change of the
last cell's tile jumps megabytes. Ranks run backwards (the last cell of a pattern lowest), which measured best.

**Sums that do not depend on the side one looks from.** A pattern's eight images are added in pairs (image, transposed
image), then pairs of pairs. Turning or mirroring a board permutes the terms inside this tree but never across it, and a
float sum does not mind which of two terms comes first: all eight images of a board get the same value to the last bit.
So whoever learns from a board has learned the same from its images.
"""

from typing import NamedTuple

import numpy as np

from lib2048.fast.planes import _flipped, _mirrored, _planes, _transposed
from lib2048.kernels import U, _gather, formula, four_at_once, kernel

AFTERSTATE, STATE = 0, 1
F32 = np.float32


CELLS, START = 5, 6  # columns of `plans`: how many cells a pattern has, where its table starts


class Net(NamedTuple):
    """A network as kernels see it."""

    weights: np.ndarray  # float32, all tables in a row, in plane order
    errors: (
        np.ndarray
    )  # float32 (weights, 2): sums of each weight's errors and |errors|; (0, 2) without coherence
    plans: (
        np.ndarray
    )  # uint64 (patterns, 7): a gather plan (6 entries, see jit.py) and where the table starts
    room: (
        np.ndarray
    )  # uint64 (8, 4): the images of the four boards being compared; a thread needs its own
    images: int  # 8, or 1 for a network without symmetries
    kind: int  # AFTERSTATE or STATE: what V is the value of


@formula
def _images(a):
    """The eight images of planes `a`. The first is turned by 180 degrees, so that a pattern's last cell ranks lowest.

    Ordered so that the sum ((0+1)+(2+3))+((4+5)+(6+7)) is the same, bit by bit, for all images of a board.
    """
    b, c = _mirrored(a), _flipped(a)
    d = _flipped(b)
    t = _transposed(a)
    u, v = _mirrored(t), _flipped(t)
    w = _flipped(u)
    return d, w, a, t, b, v, c, u


_images_of_four = four_at_once(_images)


@kernel(forceinline=True)
def _column(room, i):
    """The eight images in column i of `room`."""
    return (
        room[0, i],
        room[1, i],
        room[2, i],
        room[3, i],
        room[4, i],
        room[5, i],
        room[6, i],
        room[7, i],
    )


@kernel(forceinline=True)
def _value(net, images):
    """V of the board with these images: the sum of its lookups (float32)."""
    a, b, c, d, e, f, g, h = images
    weights, plans, total = net.weights, net.plans, F32(0)
    if net.images == 1:
        for k in range(len(plans)):
            total += weights[plans[k, START] + _gather(a, plans, k)]
        return total
    for k in range(len(plans)):
        start = plans[k, START]
        total += (
            (weights[start + _gather(a, plans, k)] + weights[start + _gather(b, plans, k)])
            + (weights[start + _gather(c, plans, k)] + weights[start + _gather(d, plans, k)])
        ) + (
            (weights[start + _gather(e, plans, k)] + weights[start + _gather(f, plans, k)])
            + (weights[start + _gather(g, plans, k)] + weights[start + _gather(h, plans, k)])
        )
    return total


@kernel(forceinline=True)
def _sum_of_eight(weights, places):
    """The weights at the places of one pattern's eight lookups, added as `_value` adds them (float32)."""
    a, b, c, d, e, f, g, h = places
    return ((weights[a] + weights[b]) + (weights[c] + weights[d])) + (
        (weights[e] + weights[f]) + (weights[g] + weights[h])
    )


@kernel(forceinline=True)
def _find(net, images, places):
    """As `_value`, and writes where the lookups are into `places` (uint64[lookups], in place)."""
    a, b, c, d, e, f, g, h = images
    weights, plans, total = net.weights, net.plans, F32(0)
    if net.images == 1:
        for k in range(len(plans)):
            places[k] = plans[k, START] + _gather(a, plans, k)
            total += weights[places[k]]
        return total
    for k in range(len(plans)):
        start, i = plans[k, START], 8 * k
        p, q = start + _gather(a, plans, k), start + _gather(b, plans, k)
        r, s = start + _gather(c, plans, k), start + _gather(d, plans, k)
        t, u = start + _gather(e, plans, k), start + _gather(f, plans, k)
        v, w = start + _gather(g, plans, k), start + _gather(h, plans, k)
        places[i], places[i + 1], places[i + 2], places[i + 3] = p, q, r, s
        places[i + 4], places[i + 5], places[i + 6], places[i + 7] = t, u, v, w
        total += _sum_of_eight(weights, (p, q, r, s, t, u, v, w))
    return total


@kernel(forceinline=True)
def _add(net, places, step):
    """Add `step` to the weight of every lookup, in place; a weight looked up twice gets it twice. Returns V after.

    V is added up pattern by pattern, when all eight weights of one are done, for some of them may be the same.
    """
    weights, total = net.weights, F32(0)
    if net.images == 1:
        for place in places:
            weights[place] += step
            total += weights[place]
        return total
    for i in range(0, len(places), 8):
        a, b, c, d = places[i], places[i + 1], places[i + 2], places[i + 3]
        e, f, g, h = places[i + 4], places[i + 5], places[i + 6], places[i + 7]
        weights[a] += step
        weights[b] += step
        weights[c] += step
        weights[d] += step
        weights[e] += step
        weights[f] += step
        weights[g] += step
        weights[h] += step
        total += _sum_of_eight(weights, (a, b, c, d, e, f, g, h))
    return total


@kernel(forceinline=True)
def _sum(net, places):
    """The sum of the weights at `places`, added in the order of `_value` (float32)."""
    w, total = net.weights, F32(0)
    if net.images == 1:
        for place in places:
            total += w[place]
        return total
    for i in range(0, len(places), 8):
        first = places[i], places[i + 1], places[i + 2], places[i + 3]
        total += _sum_of_eight(
            w, (*first, places[i + 4], places[i + 5], places[i + 6], places[i + 7])
        )
    return total


@kernel()
def _add_coherent(net, places, step):
    """As `_add`, each weight's step scaled by its coherence; adds the step to the weight's two error sums, in place.

    coherence = |sum of errors| / sum of |errors|: 1 while the errors agree, near 0 when they cancel out, so a weight
    that has settled stops moving (Beal and Smith 1999, "Temporal coherence and prediction decay in TD learning").
    """
    size = abs(step)
    for place in places:
        error, absolute = net.errors[place, 0], net.errors[place, 1]
        rate = abs(error) / absolute if absolute > F32(0) else F32(1)
        net.weights[place] += step * rate
        net.errors[place, 0] = error + step
        net.errors[place, 1] = absolute + size
    return _sum(net, places)


@kernel()
def _value_of(net, board):
    """V of a board (float32)."""
    return _value(net, _images(_planes(board)))


@kernel()
def _update_of(net, board, step, places):
    """Add `step` to the weight of every lookup of a board, in place. Returns V after (float32)."""
    _find(net, _images(_planes(board)), places)
    return _add(net, places, step)


@kernel()
def _plane_place(natural, ranks):
    """The place in a table of the weight with a natural index; ranks[j] is the rank of the pattern's cell j."""
    place, count = U(0), U(len(ranks))
    for j in range(len(ranks)):
        exponent = (U(natural) >> U(4 * j)) & U(15)
        for b in range(4):
            place |= ((exponent >> U(b)) & U(1)) << (U(b) * count + ranks[j])
    return place


@kernel()
def _to_natural(table, ranks, first, out):
    """Copy the weights of natural indices first, first + 1, ... from a table in plane order into `out`, in place."""
    for i in range(len(out)):
        out[i] = table[_plane_place(first + i, ranks)]


@kernel()
def _from_natural(values, ranks, first, table):
    """Copy the weights of natural indices first, first + 1, ... into a table in plane order, in place."""
    for i in range(len(values)):
        table[_plane_place(first + i, ranks)] = values[i]
