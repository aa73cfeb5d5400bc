"""Notes: integers that pass between kernels and those who put them into words, in a fixed order.

What a position says beside the cards differs from game to game in shape. A kernel writes it as a
row of integers, one after the other, and reads it back in the same order; what they mean is
declared (`games.contract.Fact`). `notes[0]` counts how many were written, or read, so far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tanistry.kernel import kernel

Notes = NDArray[np.int32]
NOTES = 4096
"""Room for them, the count included."""


def new_notes() -> Notes:
    """Nothing noted yet. What lies beyond the count means nothing: so many zeros take time."""
    notes = np.empty(NOTES, np.int32)
    notes[0] = 0
    return notes


@kernel
def note(notes: Notes, number: int) -> None:
    """Write one more integer."""
    if notes[0] < NOTES - 1:
        notes[0] += 1
        notes[notes[0]] = number


@kernel
def begin_list(notes: Notes) -> int:
    """Begin a list whose length is not known yet; where its length stands, for `add`."""
    note(notes, 0)
    return int(notes[0])


@kernel
def add(notes: Notes, begun: int, number: int) -> None:
    """Write one more item of a list: its number, or the first of its numbers."""
    notes[begun] += 1
    note(notes, number)


@kernel
def take(notes: Notes) -> int:
    """Read the next integer."""
    if notes[0] >= NOTES - 1:
        return 0
    notes[0] += 1
    return int(notes[notes[0]])
