"""Sets as flags: the bits of a word as bytes of 0 and 1, many at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel import inlined, kernel
from tanistry.kernel.intrinsics import spread
from tanistry.table.bits import ONE, Word


@kernel
@inlined
def write_flags(out: Any, at: int, word: Word, n: int) -> None:
    """Write the lowest n bits of a word to n bytes of `out`, from index `at` on.

    Where n is no power of two, the last flags are written twice rather than one by one.
    """
    if n == 64:
        spread(out, at, word, 64)
    elif n >= 32:
        spread(out, at, word, 32)
        spread(out, at + n - 32, word >> np.uint64(n - 32), 32)
    elif n >= 16:
        spread(out, at, word, 16)
        spread(out, at + n - 16, word >> np.uint64(n - 16), 16)
    elif n >= 8:
        spread(out, at, word, 8)
        spread(out, at + n - 8, word >> np.uint64(n - 8), 8)
    else:
        for i in range(n):
            out[np.uint64(at + i)] = (word >> np.uint64(i)) & ONE
