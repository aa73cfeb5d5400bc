"""Picking the n-th of a set of actions, on which every random choice stands."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tanistry.kernel import interpreted
from tanistry.simulation.playouts import random_action
from tanistry.table.bits import members, nth


@settings(deadline=None)  # the first call compiles
@given(st.sets(st.integers(0, 63), min_size=1), st.data())
def test_nth_bit(bits: set[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(bits) - 1))
    word = np.uint64(sum(1 << b for b in bits))
    assert nth(word, n) == interpreted(nth)(word, n) == sorted(bits)[n]


def test_every_action_is_as_likely() -> None:
    moves = np.array([0b1001, 0, 1 << 63], np.uint64)
    rng = np.zeros(1, np.uint64)
    found = Counter(random_action(moves, rng) for _ in range(6000))
    assert sorted(found) == members(moves)
    assert all(1850 < count < 2150 for count in found.values())
