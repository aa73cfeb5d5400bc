"""Randomness: the ChaCha stream of a match, and a fast generator for everything else.

Deals and shuffles come from ChaCha (D. J. Bernstein; block layout of RFC 8439) keyed with the
256-bit seed of the match: reproducible, and not predictable from the cards one has seen. Eight
rounds are used; the best known attacks reach seven. The nonce numbers the matches of a simulation.

`fast_*` is SplitMix64: for choices in simulated play and for resampling, never for a real deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel import kernel

ROUNDS = 8
U32 = np.uint32
U64 = np.uint64
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)

# "expand 32-byte k", the constant of the cipher
C0, C1, C2, C3 = U32(0x61707865), U32(0x3320646E), U32(0x79622D32), U32(0x6B206574)


@kernel
def rotate(x: Any, n: int) -> Any:
    return U32((x << U32(n)) | (x >> U32(32 - n)))


@kernel
def quarter(a: Any, b: Any, c: Any, d: Any) -> Any:
    a = U32(a + b)
    d = rotate(U32(d ^ a), 16)
    c = U32(c + d)
    b = rotate(U32(b ^ c), 12)
    a = U32(a + b)
    d = rotate(U32(d ^ a), 8)
    c = U32(c + d)
    b = rotate(U32(b ^ c), 7)
    return a, b, c, d


@kernel
def chacha_block(key: Any, counter: Any, n0: Any, n1: Any, n2: Any, rounds: int, out: Any) -> None:
    """Write one block of 16 words to `out` (RFC 8439, section 2.3, with `rounds` rounds)."""
    x0, x1, x2, x3 = C0, C1, C2, C3
    x4, x5, x6, x7 = key[0], key[1], key[2], key[3]
    x8, x9, x10, x11 = key[4], key[5], key[6], key[7]
    x12, x13, x14, x15 = U32(counter), U32(n0), U32(n1), U32(n2)
    for _ in range(rounds // 2):
        x0, x4, x8, x12 = quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter(x3, x4, x9, x14)
    out[0], out[1], out[2], out[3] = U32(x0 + C0), U32(x1 + C1), U32(x2 + C2), U32(x3 + C3)
    out[4], out[5] = U32(x4 + key[0]), U32(x5 + key[1])
    out[6], out[7] = U32(x6 + key[2]), U32(x7 + key[3])
    out[8], out[9] = U32(x8 + key[4]), U32(x9 + key[5])
    out[10], out[11] = U32(x10 + key[6]), U32(x11 + key[7])
    out[12], out[13] = U32(x12 + U32(counter)), U32(x13 + U32(n0))
    out[14], out[15] = U32(x14 + U32(n1)), U32(x15 + U32(n2))


@kernel
def start_stream(s: Any, nonce: int) -> None:
    """Begin the stream of match number `nonce` under the key already in the record."""
    s.nonce = nonce
    s.blocks = 0
    s.used = 16


@kernel
def draw_word(s: Any) -> Any:
    """The next 64 random bits of the match's stream."""
    if s.used >= 16:
        nonce = U64(s.nonce)
        high = U32(nonce >> HALF)
        chacha_block(s.key, s.blocks, U32(nonce & LOW), high, U32(0), ROUNDS, s.block)
        s.blocks += 1
        s.used = 0
    word = U64(s.block[s.used]) | (U64(s.block[s.used + 1]) << HALF)
    s.used += 2
    return word


@kernel
def shuffle_slots(s: Any, place: int, n: int, start: int = 0) -> None:
    """Shuffle n slots of an ordered place, from `start`, with the match's stream (Fisher–Yates).

    Of the 128-bit product of a word and i + 1 the upper half is an index, the lower half the word
    for the next: four indices from each word; with n ≤ 128 the unevenness is below 2⁻³⁶. (Two
    products of 32 bits, for GPUs have no others.)
    """
    word = U64(0)
    left = 0
    for i in range(n - 1, 0, -1):
        if left == 0:
            word = draw_word(s)
            left = 4
        left -= 1
        choices = U64(U32(i + 1))
        low = (word & LOW) * choices
        high = (word >> HALF) * choices + (low >> HALF)
        word = (high << HALF) | (low & LOW)
        j = np.int64(high >> HALF)
        held = s.slots[place, start + i]
        s.slots[place, start + i] = s.slots[place, start + j]
        s.slots[place, start + j] = held


GOLDEN = U64(0x9E3779B97F4A7C15)
MIX_1 = U64(0xBF58476D1CE4E5B9)
MIX_2 = U64(0x94D049BB133111EB)
S30, S27, S31 = U64(30), U64(27), U64(31)


@kernel
def fast_word(rng: Any) -> Any:
    """The next 64 bits of a fast generator; `rng` is an array of one word, its state."""
    rng[0] = U64(rng[0] + GOLDEN)
    z = rng[0]
    z = U64((z ^ (z >> S30)) * MIX_1)
    z = U64((z ^ (z >> S27)) * MIX_2)
    return z ^ (z >> S31)


@kernel
def fast_below(rng: Any, n: int) -> Any:
    """A number from 0 to n − 1 (n < 2³²; uneven by less than n · 2⁻³²)."""
    return np.int64(((fast_word(rng) >> HALF) * U64(n)) >> HALF)
