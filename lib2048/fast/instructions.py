"""Instructions of the processor that numba has no word for; only where kernels are compiled.

`_pext` and `_pdep` are the instructions behind bits.py. `_fetch_ahead` asks for memory before it is
needed. `vector_kernel` carries out a formula of shifts and masks on four words in one vector
register.
"""

import os
from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, register_jitable

SLOW_PEXT = ("znver1", "znver2", "bdver4")
"""Processors that have BMI2, but run pext and pdep as microcode, slower than portable code."""

formula = register_jitable
"""Mark a function of shifts and masks only: for Python, for kernels and for `vector_kernel`."""


def has_fast_bits() -> bool:
    """Whether kernels may use pext and pdep.

    What counts is the processor that numba compiles for. It is not this one where NUMBA_CPU_NAME
    names another, and an instruction which that one has not got would end the process while a
    kernel is compiled.
    """
    if os.environ.get("LIB2048_PORTABLE") == "1":
        return False
    _, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return "+bmi2" in features.split(",") and processor not in SLOW_PEXT


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


@intrinsic
def _fetch_ahead(typing_context, array, place):
    """Have the processor fetch the memory around entry `place` of an array, to be written soon.

    The array is counted through as it lies in memory, whatever its shape. Nothing waits for it.
    """

    def generate(context, builder, signature, arguments):
        pointer_type = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        entry = builder.bitcast(builder.gep(data, [arguments[1]]), pointer_type)
        function_type = ir.FunctionType(ir.VoidType(), [pointer_type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer_type], function_type)
        to_write, into_every_cache, data_not_code = number(1), number(3), number(1)
        builder.call(function, [entry, to_write, into_every_cache, data_not_code])
        return context.get_dummy_value()

    return types.void(array, place), generate


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


def vector_kernel(function: Callable) -> Callable:
    """What `bits.four_at_once` makes of a formula where it is compiled."""

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
