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

import os
from collections.abc import Callable, Iterable

import numba
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, register_jitable

from lib2048.kernels import kernel, uint64

EACH_LANE = uint64(
    0x0001_0001_0001_0001
)  # times a 16-bit word: that word in each of the four lanes
LANE = uint64(0xFFFF)

SLOW_PEXT = ("znver1", "znver2", "bdver4")
"""Processors that have BMI2, but run pext and pdep as microcode, slower than portable code."""

MASK, MOVES, CELLS = 0, 1, 5
"""Columns of a gather plan: the cells, the first of four moves, how many cells there are."""

STEPS = 4  # moves in a plan; the one in column MOVES + n goes 2**n places


def has_fast_bits() -> bool:
    """Whether kernels may use pext and pdep.

    What counts is the processor that numba compiles for. It is not this one where NUMBA_CPU_NAME
    names another, and an instruction which that one has not got would end the process while a
    kernel is compiled.
    """
    if os.environ.get("LIB2048_PORTABLE") == "1" or numba.config.DISABLE_JIT:
        return False
    _, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return "+bmi2" in features.split(",") and processor not in SLOW_PEXT


FAST_BITS = has_fast_bits()


formula = register_jitable
"""Mark a function of shifts and masks only: for Python, for kernels and for `four_at_once`."""


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


def _instruction(name):
    """A numba intrinsic for an LLVM function of two 64-bit words."""

    @intrinsic
    def call(typing_context, source, mask):
        def generate(context, builder, signature, arguments):
            word = ir.IntType(64)
            function_type = ir.FunctionType(word, [word, word])
            function = builder.module.declare_intrinsic(name, (), function_type)
            return builder.call(function, arguments)

        return types.uint64(types.uint64, types.uint64), generate

    return call


_pext = _instruction("llvm.x86.bmi.pext.64")
_pdep = _instruction("llvm.x86.bmi.pdep.64")


if FAST_BITS:

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


class _Vector:
    """Four words in one vector register, while LLVM code is written: operators add to the code.

    A formula is Python, so it can be called with such vectors in place of words. What it "computes"
    then is the code.
    """

    def __init__(self, builder, value):
        self.builder = builder
        self.value = value

    def _do(self, instruction, other):
        if isinstance(other, _Vector):
            right = other.value
        else:
            right = ir.Constant(self.value.type, [int(other)] * 4)
        return _Vector(self.builder, instruction(self.value, right))

    def __and__(self, other):
        return self._do(self.builder.and_, other)

    def __or__(self, other):
        return self._do(self.builder.or_, other)

    def __xor__(self, other):
        return self._do(self.builder.xor, other)

    def __lshift__(self, other):
        return self._do(self.builder.shl, other)

    def __rshift__(self, other):
        return self._do(self.builder.lshr, other)


def four_at_once(function: Callable) -> Callable:
    """A kernel call(a, b, c, d, results) that writes what `function` gives for each of four words.

    `function` is a formula of one word that returns n words. Those of word j go to column j of
    `results`, which is uint64[n, 4], in place. The formula is carried out on vectors of four words,
    which any processor with vectors of 256 bits does in the time of one word.
    """
    if numba.config.DISABLE_JIT:

        def one_by_one(a, b, c, d, results):
            for j, word in enumerate((a, b, c, d)):
                results[:, j] = function(word)

        return one_by_one

    @intrinsic
    def call(typing_context, a, b, c, d, results):
        def generate(context, builder, signature, arguments):
            *words, array = arguments
            word_type = ir.IntType(64)
            vector_type = ir.VectorType(word_type, 4)
            vector = ir.Constant(vector_type, ir.Undefined)
            for j, word in enumerate(words):
                vector = builder.insert_element(vector, word, ir.IntType(32)(j))
            data = context.make_array(signature.args[4])(context, builder, array).data
            for n, result in enumerate(function(_Vector(builder, vector))):
                row = builder.gep(data, [word_type(4 * n)])
                builder.store(result.value, builder.bitcast(row, vector_type.as_pointer()), align=8)
            return context.get_dummy_value()

        word = types.uint64
        return types.void(word, word, word, word, results), generate

    return call
