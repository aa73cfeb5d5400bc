"""The record: one match as one fixed-size piece of memory.

A game describes its record as a class: the fields all games share come from `MatchState`, the game
adds its own, each with its encoding. `layout` turns the class into the NumPy dtype that kernels
see.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin, get_type_hints
from warnings import warn

import numpy as np
from numpy.typing import NDArray

Int = Annotated[int, np.int32]
"""A scalar field. 32 bits, so that interpreted arithmetic cannot wrap where compiled does not."""
Ints = NDArray[np.int32]
"""An array field of small integers: `Annotated[Ints, np.int32, (5,)]`."""
Words = NDArray[np.uint64]
"""An array field of bitsets: `Annotated[Words, np.uint64, (2,)]`."""
Long = Annotated[int, np.int64]

LOG_LENGTH = 160
"""Room for the events of one choice."""
LOG_WIDTH = 7
"""type, rule, four values, audience"""


class MatchState:
    """What every record holds. `known` has a row per seat and a last one for the public."""

    place: Words  # [place, word] the cards lying in each place
    known: Words  # [seat or public, word] the cards whose whereabouts a seat knows
    slots: NDArray[np.int8]  # [ordered place, slot] card number, −1 empty; a pile's top comes last
    scratch: Words  # [row, word] room for resampling: knowledge rebuilt, the pool, a place
    key: NDArray[np.uint32]  # the seed: eight words
    block: NDArray[np.uint32]  # the current block of the stream
    log: NDArray[np.int16]  # events of the current choice, see `cards.tell`
    nonce: Long  # which match under this key
    blocks: Int  # blocks of the stream made so far
    used: Int  # words of the current block used up
    seats: Int  # how many play
    first: Int  # who begins
    to_act: Int  # whose choice it is, −1 when the match is over
    decision: Int  # which choice, an index into the game's decisions
    telling: Int  # whether events are written to the log
    told: Int  # how many were


def layout(
    state: type[MatchState], *, places: int, ordered: int, cards: int, seats: int
) -> np.dtype[Any]:
    """The dtype of a game's record.

    `places` counts all places; the first `ordered` of them keep their cards in order.
    """
    words = (cards + 63) // 64
    shared: dict[str, tuple[Any, tuple[int, ...]]] = {
        "place": (np.uint64, (places, words)),
        "known": (np.uint64, (seats + 1, words)),
        "slots": (np.int8, (max(ordered, 1), cards)),
        "scratch": (np.uint64, (seats + 3, words)),
        "key": (np.uint32, (8,)),
        "block": (np.uint32, (16,)),
        "log": (np.int16, (LOG_LENGTH, LOG_WIDTH)),
    }
    fields: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(state, include_extras=True).items():
        if name in shared:
            kind, shape = shared[name]
            fields.append((name, kind, shape))
            continue
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{state.__name__}.{name} has no encoding")
        _, kind, *rest = get_args(hint)
        fields.append((name, kind, *rest))
    # The log comes last: play without an audience never touches it.
    fields.sort(key=lambda field: field[0] == "log")
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_record(dtype: np.dtype[Any]) -> Any:
    """A zeroed record; kernels change it in place."""
    return np.zeros(1, dtype)[0]


def copy_record(s: Any) -> Any:
    """An independent copy."""
    return np.array([s], dtype=s.dtype)[0]


def read_field(s: Any, name: str) -> Any:
    """A field of a record: the same as its attribute, without the detour NumPy makes for it."""
    return np.void.__getitem__(s, name)


def __getattr__(name: str) -> Any:
    if name != "Table":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn("tanistry.table.record.Table is now MatchState", DeprecationWarning, stacklevel=2)
    return MatchState
