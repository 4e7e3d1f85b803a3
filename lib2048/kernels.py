"""Where numba keeps compiled kernels, and how a kernel gathers bits quickly.

Two things every kernel file needs:

* `kernel_cache(*folders)` names numba's disk cache after the kernel sources. Numba notices a change in the file a
  function stands in, but not in a function that it calls from another file; a folder named by a hash of all of them
  cannot be stale.
* `_gather` and `_nth_bit` pick bits out of a 64-bit word; `_scatter`, in planes.py, puts them back. Processors with
  BMI2 do each in one instruction (`pext`, `pdep`). Every other processor, and pure Python, takes the portable bodies,
  which give the same bits. LIB2048_PORTABLE=1 forces the portable bodies.
"""

import functools
import hashlib
import os
import sys
from pathlib import Path

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, register_jitable

U = np.uint64
LANES = U(0x0001_0001_0001_0001)  # the lowest bit of each of the four 16-bit lanes of a word
SLOW_PEXT = ("znver1", "znver2", "bdver4")  # these have BMI2, but run pext and pdep as microcode


def has_fast_bits() -> bool:
    """Whether kernels may use pext and pdep on this processor."""
    if os.environ.get("LIB2048_PORTABLE") == "1" or numba.config.DISABLE_JIT:
        return False
    if llvmlite.binding.get_host_cpu_name() in SLOW_PEXT:
        return False
    return bool(llvmlite.binding.get_host_cpu_features().get("bmi2", False))


FAST_BITS = has_fast_bits()


def kernel_cache(*folders: str | os.PathLike) -> Path:
    """Send the kernels defined from now on to a cache folder named by the kernel sources in `folders`."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {FAST_BITS}".encode())
    for folder in folders:
        for file in sorted(Path(folder).rglob("*.py")):
            source = file.read_bytes()
            if b"@kernel" in source:
                digest.update(file.name.encode() + source)
    name = f"kernels-{digest.hexdigest()[:16]}"
    homes = [Path(folders[0]) / "__pycache__", Path.home() / ".cache" / "lib2048"]
    if "NUMBA_CACHE_DIR" in os.environ:
        homes.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]))
    for home in homes:
        try:
            (home / name).mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(home / name, os.W_OK):
            numba.config.CACHE_DIR = str(home / name)
            return home / name
    raise ValueError(
        f"no folder for compiled kernels is writable, tried {[str(home) for home in homes]}"
    )


kernel = functools.partial(njit, cache=True, _nrt=False)
"""Compile a function that works on the arrays it is given and allocates none, so numba need not count references, which
would cost more than the work. `@kernel(forceinline=True)` marks the small functions of the innermost loops."""

formula = register_jitable
"""Mark a function of shifts and masks only, which serves as Python, inside kernels, and in `four_at_once`."""


def _instruction(name):
    """A numba intrinsic for an LLVM function of two 64-bit words."""

    @intrinsic
    def call(typing_context, source, mask):
        def generate(context, builder, signature, arguments):
            word = ir.IntType(64)
            function = builder.module.declare_intrinsic(
                name, (), ir.FunctionType(word, [word, word])
            )
            return builder.call(function, arguments)

        return types.uint64(types.uint64, types.uint64), generate

    return call


_pext = _instruction("llvm.x86.bmi.pext.64")
_pdep = _instruction("llvm.x86.bmi.pdep.64")


def gather_plan(cells) -> list:
    """What `_gather` needs to pull the bits of `cells` out of each 16-bit lane: [mask, four move masks, count].

    The move masks say which bits of a lane travel 1, 2, 4 and 8 places down, so that the chosen bits end up side by
    side at the bottom of their lane ("compress" in Warren, Hacker's Delight, 7-4).
    """
    cells = sorted(cells)
    mask = sum(1 << cell for cell in cells)
    distance = {cell: cell - rank for rank, cell in enumerate(cells)}
    moves = [
        sum(1 << cell - (far & (step - 1)) for cell, far in distance.items() if far & step)
        for step in (1, 2, 4, 8)
    ]
    return [U(lane) * LANES for lane in (mask, *moves)] + [U(len(cells))]


if FAST_BITS:

    @kernel(forceinline=True)
    def _gather(planes, plans, k):
        """The bits of `planes` in the cells of pattern k, side by side (uint64)."""
        return _pext(planes, plans[k, 0])

    @kernel(forceinline=True)
    def _nth_bit(mask, n):
        """The n-th lowest set bit of `mask`, alone (uint64); n counts from 0."""
        return _pdep(U(1) << n, mask)

else:

    @kernel(forceinline=True)
    def _gather(planes, plans, k):
        """The bits of `planes` in the cells of pattern k, side by side (uint64)."""
        bits = planes & plans[k, 0]
        moving = bits & plans[k, 1]
        bits = (bits ^ moving) | (moving >> U(1))
        moving = bits & plans[k, 2]
        bits = (bits ^ moving) | (moving >> U(2))
        moving = bits & plans[k, 3]
        bits = (bits ^ moving) | (moving >> U(4))
        moving = bits & plans[k, 4]
        bits = (bits ^ moving) | (moving >> U(8))
        count, lane = plans[k, 5], U(0xFFFF)
        high = ((bits >> U(48)) << count) | ((bits >> U(32)) & lane)
        return (((high << count) | ((bits >> U(16)) & lane)) << count) | (bits & lane)

    @kernel(forceinline=True)
    def _nth_bit(mask, n):
        """The n-th lowest set bit of `mask`, alone (uint64); n counts from 0."""
        for _ in range(n):
            mask &= mask - U(1)
        return mask & (~mask + U(1))


class _Lanes:
    """Four words side by side in one vector register, while LLVM code is written: operators add instructions to it."""

    def __init__(self, builder, value):
        self.builder, self.value = builder, value

    def _do(self, instruction, other):
        right = (
            other.value
            if isinstance(other, _Lanes)
            else ir.Constant(self.value.type, [int(other)] * 4)
        )
        return _Lanes(self.builder, instruction(self.value, right))

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


def four_at_once(function):
    """A kernel call(a, b, c, d, room) that writes what `function`, a formula of one word, gives for each of four words.

    Its n results for word j go to room[0 .. n - 1, j] (uint64[n, 4], in place). The formula is carried out on vectors
    of four words, which any processor with vectors of 256 bits does in the time of one word.
    """
    if numba.config.DISABLE_JIT:

        def one_by_one(a, b, c, d, room):
            room[:] = np.array([function(word) for word in (a, b, c, d)]).T

        return one_by_one

    @intrinsic
    def call(typing_context, a, b, c, d, room):
        def generate(context, builder, signature, arguments):
            word, *words, array = ir.IntType(64), *arguments
            vector = ir.VectorType(word, 4)
            lanes = ir.Constant(vector, ir.Undefined)
            for j in range(4):
                lanes = builder.insert_element(lanes, words[j], ir.IntType(32)(j))
            data = context.make_array(signature.args[4])(context, builder, array).data
            for n, result in enumerate(function(_Lanes(builder, lanes))):
                place = builder.bitcast(builder.gep(data, [word(4 * n)]), vector.as_pointer())
                builder.store(result.value, place, align=8)
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64, types.uint64, types.uint64, room), generate

    return call
