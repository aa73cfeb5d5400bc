"""Sets of cards as 64-bit words: counting, picking and walking through them.

Words are `np.uint64` throughout: mixed with a signed integer they would silently become floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel import INTERPRET, kernel

EMPTY = np.uint64(0)
ONE = np.uint64(1)

Word = np.uint64


def popcount(word: Word | np.uint32 | int) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: Word | int) -> int:
    """The index of the lowest set bit (of a word that has one)."""
    number = int(word)
    return (number & -number).bit_length() - 1


if not INTERPRET:
    # One machine instruction each, on the CPU and on the GPU alike.
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def _ctpop(_context: Any, word: Any) -> Any:
        def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return word(word), generate

    @intrinsic
    def _cttz(_context: Any, _word: Any) -> Any:
        def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), generate

    @overload(popcount)
    def _popcount(word: Any) -> Any:
        def count(word: Any) -> Any:
            return np.int64(_ctpop(np.uint64(word)))  # type: ignore[call-arg]

        def count_short(word: Any) -> Any:
            return np.int64(_ctpop(word))  # type: ignore[call-arg]

        return count_short if word == types.uint32 else count

    @overload(lowest)
    def _lowest(word: Any) -> Any:
        def index(word: Any) -> Any:
            return np.int64(_cttz(np.uint64(word)))  # type: ignore[call-arg]

        return index


@kernel
def bit(index: int) -> Word:
    """The word with only bit `index` (0–63) set."""
    return ONE << np.uint64(index)


@kernel
def nth(word: Word, n: int) -> int:
    """The index of the n-th set bit, counted from 0.

    Halves the word six times: always the same work, where clearing bit by bit would make the
    processor guess how often. After the first time 32 bits are left, which GPUs prefer.
    """
    index = 0
    left = n
    rest = np.uint32(word & np.uint64(0xFFFFFFFF))
    below = popcount(rest)
    if left >= below:
        left -= below
        index = 32
        rest = np.uint32(word >> np.uint64(32))
    for half in (16, 8, 4, 2, 1):
        low = np.uint32(rest & np.uint32((1 << half) - 1))
        below = popcount(low)
        if left >= below:
            left -= below
            index += half
            rest = np.uint32(rest >> np.uint32(half))
        else:
            rest = low
    return index


def nth_here(word: Word, n: int) -> int:
    """`nth` for kernels that run on this processor only; most x86 ones can do it in two steps."""
    return nth(word, n)


nth_here.__portable__ = nth  # type: ignore[attr-defined]  # what stands in for it elsewhere


if not INTERPRET:
    from llvmlite import binding

    @intrinsic
    def _deposit(_context: Any, _bits: Any, _word: Any) -> Any:
        """BMI2's pdep: put the low bits of one word at the set bits of another."""

        def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
            from llvmlite import ir

            word = ir.IntType(64)
            pdep = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word])
            )
            return builder.call(pdep, args)

        return types.uint64(types.uint64, types.uint64), generate

    @overload(nth_here)
    def _nth_here(word: Any, n: Any) -> Any:
        def by_deposit(word: Any, n: Any) -> Any:
            return lowest(_deposit(ONE << np.uint64(n), np.uint64(word)))  # type: ignore[call-arg]

        def by_halves(word: Any, n: Any) -> Any:
            return nth(word, n)

        return by_deposit if binding.get_host_cpu_features().get("bmi2") else by_halves


@kernel
def count_all(words: Any) -> int:
    """How many bits are set in an array of words."""
    total = 0
    for w in range(words.shape[0]):
        total += popcount(words[w])
    return total


@kernel
def nth_of(words: Any, n: int) -> int:
    """The index of the n-th set bit of an array of words."""
    for w in range(words.shape[0]):
        here = popcount(words[w])
        if n < here:
            return 64 * w + nth(words[w], n)
        n -= here
    return -1


def members(words: Any) -> list[int]:
    """The indices of all set bits, ascending (Python side only)."""
    return indices(int.from_bytes(words.astype("<u8", copy=False).tobytes(), "little"))


def indices(bits: int) -> list[int]:
    """The same for a set as one Python integer."""
    found = []
    while bits:
        lowest_bit = bits & -bits
        found.append(lowest_bit.bit_length() - 1)
        bits ^= lowest_bit
    return found
