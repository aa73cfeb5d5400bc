"""What can still become of the sides of each stone, as the seat that observes knows it.

Learners could work it out from the cards, but hardly for eighteen sides at once: it takes the cards
of a side, of the own hand and all others on the table together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.games.contract import Feature
from tanistry.games.schotten.cards import (
    CLAN,
    HAND,
    MOST_IN_HAND,
    SIDE_CARDS_MUD,
    STONES,
    VALUES,
    State,
)
from tanistry.games.schotten.proof import (
    ALL_VALUES,
    COLOUR_OF,
    COLOUR_RUN,
    FORMATION,
    NOTHING,
    OF_VALUE,
    STARTS,
    VALUE_OF,
    cards_of,
    in_each_colour,
    strongest,
    values_in_any,
)
from tanistry.games.schotten.stones import foggy, needed, side_of, unclaimed, unseen_clans
from tanistry.kernel import inlined, kernel
from tanistry.table.bits import EMPTY, Word, lowest, popcount

FORMATIONS = COLOUR_RUN + 1
HIGHEST_SUM = 36
_STONES = tuple(str(stone + 1) for stone in range(STONES))
_AT_STONES = tuple(
    f"{name} at {stone}"
    for stone in _STONES
    for name in ("sum", "run", "colour", "team", "colour run")
)
_HELPED = {"colour run": 6, "team": 5, "colour": 8, "run": 36}
"""What the missing cards of a side can be for, and how many of them there are at most."""

INSIGHTS = (
    Feature("can become", "the best formation still possible there", _AT_STONES, by_seat=True),
    Feature("can sum", "and its sum", _STONES, by_seat=True, most=HIGHEST_SUM),
    Feature("hand makes", "the best formation that the own hand completes", _AT_STONES),
    Feature("hand sums", "and its sum", _STONES, most=HIGHEST_SUM),
    Feature("ahead", "stones where the seat can become more than the other", _STONES, by_seat=True),
    Feature("decided", "stones where it surely becomes more", _STONES, by_seat=True),
    *(
        Feature(f"for a {name}", "cards that may yet help", _STONES, by_seat=True, most=most)
        for name, most in _HELPED.items()
    ),
    *(
        Feature(f"held for a {name}", "those in the own hand", _STONES, most=MOST_IN_HAND)
        for name in _HELPED
    ),
)

# Where the sections begin.
CAN_BECOME = 0
CAN_SUM = CAN_BECOME + 2 * STONES * FORMATIONS
HAND_MAKES = CAN_SUM + 2 * STONES
HAND_SUMS = HAND_MAKES + STONES * FORMATIONS
AHEAD = HAND_SUMS + STONES
DECIDED = AHEAD + 2 * STONES
HELP = DECIDED + 2 * STONES
HELD = HELP + len(_HELPED) * 2 * STONES
SIZE = HELD + len(_HELPED) * STONES


def _run_values(values: int, size: int) -> int:
    """The values of all runs of that size that have these, without these."""
    starts = int(STARTS[size, values])
    run = (1 << size) - 1
    found = 0
    for low in range(VALUES):
        if starts >> low & 1:
            found |= run << low
    return found & ~values


RUN_VALUES = np.array(
    [
        [_run_values(values, size) for values in range(ALL_VALUES + 1)]
        for size in range(SIDE_CARDS_MUD + 1)
    ],
    np.int16,
)
"""By the size of a side and the values it has: those that runs can add to it."""


@kernel
@inlined
def tell_best(strength: int, out: Any, flags: int, sums: int) -> None:
    """A strength as a flag for its formation and a sum; nothing if there is none."""
    if strength != NOTHING:
        out[flags + strength // FORMATION] = 1
        out[sums] = strength % FORMATION


@kernel
@inlined
def tell_help(side: Word, size: int, cards: Word, out: Any, at: int, step: int) -> None:
    """How many of some cards may yet help a side to each formation, its clan cards alone seen."""
    clans = side & CLAN
    values = values_in_any(clans)
    laid = popcount(clans)
    first = lowest(clans)
    row = cards_of(ALL_VALUES, int(COLOUR_OF[first]))
    one_colour = clans & ~row == EMPTY
    if popcount(values) == laid:
        wanted = in_each_colour(int(RUN_VALUES[size, values])) & cards
        out[at + 3 * step] = popcount(wanted)
        if one_colour:
            out[at] = popcount(wanted & row)
    if popcount(values) == 1:
        out[at + step] = popcount(OF_VALUE[VALUE_OF[first]] & cards)
    if one_colour:
        out[at + 2 * step] = popcount(row & cards)


@kernel
def insights(s: State, seat: int, out: Any) -> None:
    """Write all sections; claimed stones have none."""
    for i in range(SIZE):
        out[i] = 0
    hand = s.place[HAND + seat, 0] & CLAN
    unseen = unseen_clans(s)
    stones = unclaimed(s)
    while stones != 0:
        stone = lowest(stones)
        stones &= stones - 1
        tell_stone(s, stone, seat, hand, unseen, out)


@kernel
def tell_stone(s: State, stone: int, seat: int, hand: Word, unseen: Word, out: Any) -> None:
    fog = foggy(s, stone)
    size = needed(s, stone)
    own, other = side_of(s, stone, seat), side_of(s, stone, 1 - seat)
    ours, _ = strongest(own, size, fog, unseen, NOTHING)
    surely, _ = strongest(own, size, fog, hand, NOTHING)
    theirs, _ = strongest(other, size, fog, unseen & ~hand, NOTHING)
    tell_best(ours, out, CAN_BECOME + stone * FORMATIONS, CAN_SUM + stone)
    tell_best(theirs, out, CAN_BECOME + (STONES + stone) * FORMATIONS, CAN_SUM + STONES + stone)
    tell_best(surely, out, HAND_MAKES + stone * FORMATIONS, HAND_SUMS + stone)
    out[AHEAD + stone] = ours > theirs
    out[AHEAD + STONES + stone] = theirs > ours
    out[DECIDED + stone] = surely > theirs
    out[DECIDED + STONES + stone] = popcount(other) == size and theirs > ours
    if fog:
        return
    if own & CLAN != EMPTY and popcount(own) < size:
        tell_help(own, size, unseen, out, HELP + stone, 2 * STONES)
        tell_help(own, size, hand, out, HELD + stone, STONES)
    if other & CLAN != EMPTY and popcount(other) < size:
        tell_help(other, size, unseen & ~hand, out, HELP + STONES + stone, 2 * STONES)
