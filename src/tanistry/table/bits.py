"""Sets of cards as 64-bit words: counting, picking and walking through them.

Words are `np.uint64` throughout: mixed with a signed integer they would silently become floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel import kernel
from tanistry.kernel.intrinsics import CAN_DEPOSIT, ONE, Word, deposit, lowest, popcount

__all__ = [
    "EMPTY", "ONE", "Word", "bit", "count_all", "indices", "lowest", "members", "nth", "nth_here",
    "nth_of", "popcount",
]  # fmt: skip

EMPTY = np.uint64(0)


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


def _by_deposit(word: Word, n: int) -> int:
    return lowest(deposit(ONE << np.uint64(n), word))


nth_here = kernel(_by_deposit) if CAN_DEPOSIT else nth
"""`nth` for kernels that run on this processor only: in two steps, where it can."""
if CAN_DEPOSIT:
    nth_here.__portable__ = nth  # type: ignore[attr-defined]  # what stands in for it elsewhere


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
