"""Sets as flags: every length, nothing written beside it, interpreted and compiled alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tanistry.kernel import interpreted
from tanistry.table.flags import write_flags

BEFORE, AFTER = 5, 70


@pytest.mark.parametrize("write", [write_flags, interpreted(write_flags)], ids=["fast", "plain"])
@pytest.mark.parametrize("kind", [np.uint8, np.bool_])
def test_flags_are_the_bits_of_a_word(write: Any, kind: type[Any]) -> None:
    rng = np.random.default_rng(1)
    for n in range(65):
        word = rng.integers(0, 1 << 64, 1, np.uint64)
        out = np.ones(BEFORE + n + AFTER, kind)
        write(out, BEFORE, word[0], n)
        bits = np.unpackbits(word.astype("<u8").view(np.uint8), bitorder="little")[:n]
        assert out.tolist() == [1] * BEFORE + bits.tolist() + [1] * AFTER
