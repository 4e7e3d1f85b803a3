"""Bit instructions: picking bits out of a word, putting them back, working on four words at once.

A board as the fast engine sees it (see planes.py) is four lanes of 16 bits in one word, one bit a
cell in each lane. `_gather` takes the bits of some cells out of all four lanes and lays them side
by side, `_scatter` puts the bits of four cells back, and `_nth_bit` finds the n-th bit that is set.
Processors with BMI2 do each in one instruction (`pext`, `pdep`). Every other processor, and pure
Python, takes the portable bodies, which give the same bits; the tests run both. LIB2048_PORTABLE=1
forces the portable bodies.

`four_at_once` makes a kernel that carries out a formula of shifts and masks on four words in one
vector register.
"""

from collections.abc import Callable, Iterable

import numpy as np

from lib2048.kernels import COMPILES, kernel, uint64

if COMPILES:
    from lib2048.fast.instructions import formula, has_fast_bits, vector_kernel
else:

    def formula(function: Callable) -> Callable:
        """Mark a function of shifts and masks only; see fast/instructions.py."""
        return function


EACH_LANE = uint64(0x0001_0001_0001_0001)  # times a word of 16 bits: that word in all four lanes
LANE = uint64(0xFFFF)

MASK, MOVES, CELLS = 0, 1, 5
"""Columns of a gather plan: the cells, the first of four moves, how many cells there are."""

STEPS = 4  # moves in a plan; the one in column MOVES + n goes 2**n places


FAST_BITS = COMPILES and has_fast_bits()
"""Whether kernels use pext and pdep."""


def gather_plan(cells: Iterable[int]) -> list:
    """What `_gather` and `_scatter` need to know about some cells: [mask, four moves, count].

    The portable way brings the chosen bits together at the bottom of their lane in four moves, of
    1, 2, 4 and 8 places down, which suffice for any distance below 16. Each move is a mask of the
    bits that take part in it: those whose distance contains that power of two ("compress" in
    Warren, Hacker's Delight, 7-4).
    """
    cells = sorted(cells)
    plan = [sum(1 << cell for cell in cells)]
    for step in (1, 2, 4, 8):
        move = 0
        for rank, cell in enumerate(cells):
            distance = cell - rank
            moved_before = distance & (step - 1)
            if distance & step:
                move |= 1 << (cell - moved_before)
        plan.append(move)
    return [uint64(mask) * EACH_LANE for mask in plan] + [uint64(len(cells))]


if FAST_BITS:
    from lib2048.fast.instructions import _pdep, _pext

    @kernel(forceinline=True)
    def _gather(planes, plans, k):
        """The bits of `planes` in the cells of plan k, side by side, lowest lane first (uint64)."""
        return _pext(planes, plans[k, MASK])

    @kernel(forceinline=True)
    def _scatter(bits, plans, k):
        """The way back from `_gather`: 16 bits put into the four cells of plan k (uint64)."""
        return _pdep(bits, plans[k, MASK])

    @kernel(forceinline=True)
    def _nth_bit(mask, n):
        """The n-th lowest set bit of `mask`, alone (uint64); n counts from 0."""
        return _pdep(uint64(1) << n, mask)

else:

    @kernel(forceinline=True)
    def _gather(planes, plans, k):
        """The bits of `planes` in the cells of plan k, side by side, lowest lane first (uint64)."""
        bits = planes & plans[k, MASK]
        for step in range(STEPS):
            moving = bits & plans[k, MOVES + step]
            bits = (bits ^ moving) | (moving >> (1 << step))
        gathered = uint64(0)
        for lane in range(3, -1, -1):
            gathered = (gathered << plans[k, CELLS]) | ((bits >> (16 * lane)) & LANE)
        return gathered

    @kernel(forceinline=True)
    def _scatter(bits, plans, k):
        """The way back from `_gather`: 16 bits put into the four cells of plan k (uint64)."""
        planes = uint64(0)
        for lane in range(4):
            planes |= ((bits >> (4 * lane)) & uint64(15)) << (16 * lane)
        for step in range(STEPS - 1, -1, -1):
            # Where the bits of this move came to lie in `_gather`, and now go back up from.
            arrived = planes & (plans[k, MOVES + step] >> (1 << step))
            planes = (planes ^ arrived) | (arrived << (1 << step))
        return planes

    @kernel(forceinline=True)
    def _nth_bit(mask, n):
        """The n-th lowest set bit of `mask`, alone (uint64); n counts from 0."""
        for _ in range(n):
            mask &= mask - uint64(1)
        return mask & (~mask + uint64(1))


def four_at_once(function: Callable) -> Callable:
    """A kernel call(a, b, c, d, results) that writes what `function` gives for each of four words.

    `function` is a formula of one word that returns n words. Those of word j go to column j of
    `results`, which is uint64[n, 4], in place. Compiled, the formula is carried out on vectors of
    four words, which any processor with vectors of 256 bits does in the time of one word.
    """
    if COMPILES:
        return vector_kernel(function)

    def one_by_one(a, b, c, d, results):
        for n, words in enumerate(function(np.array([a, b, c, d], np.uint64))):
            results[n] = words

    return one_by_one
