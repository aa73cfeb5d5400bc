"""Sets of actions, which `legal` writes: a bit for each, over as many words as it takes."""

from __future__ import annotations

import numpy as np

from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, ONE, Word, bit
from tanistry.table.record import Words


@kernel
def forbid_all(moves: Words) -> None:
    """Begin with none."""
    for w in range(moves.shape[0]):
        moves[w] = EMPTY


@kernel
def allow(moves: Words, action: int) -> None:
    """Add an action."""
    moves[action >> 6] |= bit(action & 63)


@kernel
def allow_set(moves: Words, first: int, actions: Word | int) -> None:
    """Add a set of actions, its bit 0 being action `first`.

    They may lie across two words. Shifted in two steps the second part is empty if they do not, and
    the processor need not guess.
    """
    word, shift, marks = first >> 6, first & 63, np.uint64(actions)
    moves[word] |= marks << np.uint64(shift)
    moves[min(word + 1, moves.shape[0] - 1)] |= (marks >> ONE) >> np.uint64(63 - shift)
