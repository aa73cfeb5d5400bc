"""Single instructions and the like: what no Python says, emitted as LLVM code.

Each is a Python function that does the same, slowly; on its way to a compiler it becomes a few
instructions. Together with `scribe` this is all that writes LLVM code for the CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel.interpreter import INTERPRET

Word = np.uint64
ONE = Word(1)

LINE = 64
"""Bytes of a line of a processor's cache; where lines are longer, some are asked for twice."""


def popcount(word: Word | np.uint32 | int) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: Word | int) -> int:
    """The index of the lowest set bit (of a word that has one)."""
    number = int(word)
    return (number & -number).bit_length() - 1


def deposit(bits: Word, word: Word) -> Word:
    """Put the low bits of one word at the set bits of another (only where `CAN_DEPOSIT`)."""
    found, places = 0, int(word)
    for i in range(places.bit_count()):
        found |= (int(bits) >> i & 1) * (places & -places)
        places &= places - 1
    return Word(found)


def spread(out: Any, at: int, word: Word, width: int) -> None:
    """Write the lowest `width` bits of a word (8, 16, 32 or 64), a byte for each.

    A vector of bits made one of bytes: two instructions for a whole word where the processor has
    512-bit vectors, a handful for each quarter elsewhere. Nothing checks the index.
    """
    for i in range(width):
        out[at + i] = (word >> Word(i)) & ONE


def ask_for(_array: Any, _at: int) -> None:
    """Bring the line with the byte `at` of an array into the cache: changes nothing but time."""


CAN_DEPOSIT = False
"""Whether the processor at hand has an instruction for `deposit`: most x86 ones do (BMI2)."""

if not INTERPRET:
    from llvmlite import binding, ir
    from numba import types
    from numba.extending import intrinsic, overload

    CAN_DEPOSIT = bool(binding.get_host_cpu_features().get("bmi2"))
    BYTE, NUMBER, WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)

    def byte_at(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
        """The address of a byte of an array."""
        data = context.make_array(kind)(context, builder, array).data
        return builder.gep(builder.bitcast(data, BYTE.as_pointer()), [at])

    @intrinsic
    def _ctpop(_context: Any, word: Any) -> Any:
        def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return word(word), generate

    @overload(popcount)
    def _popcount(word: Any) -> Any:
        def count(word: Any) -> Any:
            return np.int64(_ctpop(np.uint64(word)))  # type: ignore[call-arg]

        def count_short(word: Any) -> Any:
            return np.int64(_ctpop(word))  # type: ignore[call-arg]

        return count_short if word == types.uint32 else count

    @intrinsic
    def _cttz(_context: Any, _word: Any) -> Any:
        def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), generate

    @overload(lowest)
    def _lowest(word: Any) -> Any:
        def index(word: Any) -> Any:
            return np.int64(_cttz(np.uint64(word)))  # type: ignore[call-arg]

        return index

    @intrinsic
    def _pdep(_context: Any, _bits: Any, _word: Any) -> Any:
        def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
            kinds = ir.FunctionType(WORD, [WORD, WORD])
            pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=kinds)
            return builder.call(pdep, args)

        return types.uint64(types.uint64, types.uint64), generate

    @overload(deposit)
    def _deposit(bits: Any, word: Any) -> Any:
        def deposited(bits: Any, word: Any) -> Any:
            return _pdep(np.uint64(bits), np.uint64(word))  # type: ignore[call-arg]

        return deposited

    def _spreading(width: int) -> Any:
        @intrinsic
        def store(_context: Any, out: Any, _at: Any, _word: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                first = byte_at(context, builder, signature.args[0], args[0], args[1])
                bits = builder.trunc(args[2], ir.IntType(width)) if width < 64 else args[2]
                flags = builder.zext(
                    builder.bitcast(bits, ir.VectorType(ir.IntType(1), width)),
                    ir.VectorType(BYTE, width),
                )
                builder.store(flags, builder.bitcast(first, flags.type.as_pointer()), align=1)
                return context.get_dummy_value()

            return types.void(out, types.int64, types.uint64), generate

        return store

    _STORES = {width: _spreading(width) for width in (8, 16, 32, 64)}

    @overload(spread, prefer_literal=True)
    def _spread(out: Any, at: Any, word: Any, width: Any) -> Any:
        store = _STORES[width.literal_value]

        def stored(out: Any, at: Any, word: Any, width: Any) -> Any:
            store(out, at, word)

        return stored

    @intrinsic
    def _prefetch(_context: Any, array: Any, _at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            line = byte_at(context, builder, signature.args[0], args[0], args[1])
            kinds = ir.FunctionType(ir.VoidType(), [line.type, NUMBER, NUMBER, NUMBER])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [line.type], kinds)
            to_write, close_by, data_not_code = (ir.Constant(NUMBER, n) for n in (1, 3, 1))
            builder.call(prefetch, [line, to_write, close_by, data_not_code])
            return context.get_dummy_value()

        return types.void(array, types.int64), generate

    @overload(ask_for, jit_options={"forceinline": True})
    def _ask_for(_array: Any, _at: Any) -> Any:
        def asked(_array: Any, _at: Any) -> None:
            _prefetch(_array, _at)  # type: ignore[call-arg]

        return asked
