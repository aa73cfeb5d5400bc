"""Whose family stands where, and what it counts for, as the seat that observes knows it.

Learners could work it out from the cards; but it takes every cell with every family card together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.games.contract import Feature
from tanistry.games.kilt.cards import (
    CELL_NAMES,
    CELLS,
    CLAN_COUNT,
    CLAN_OF,
    CLANS,
    FAMILY,
    INFLUENCE,
    MOST_CLANS,
    OF_CLAN,
    State,
)
from tanistry.games.kilt.rules import numbered, occupied, victims, worth
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, bit, lowest
from tanistry.table.flags import write_flags

MOST_POINTS = 10
"""The King, two guardians and three nobles."""
_ALL_CLANS = tuple(dict.fromkeys(code for clans in CLANS for code in clans))
COLUMN = np.array(
    [
        [_ALL_CLANS.index(code) for code in clans] + [0] * (MOST_CLANS - len(clans))
        for clans in CLANS
    ],
    np.int64,
)
"""[edition, clan] its number among the clans of both editions."""

COLUMNS = len(_ALL_CLANS)

INSIGHTS = (
    Feature("kin", "cells with cards of its family, as far as that is known", CELL_NAMES, True),
    Feature("family points", "what these count for", by_seat=True, most=MOST_POINTS),
    Feature("can strike", "cells that the own influence cards reach", CELL_NAMES),
    Feature("clan points", "what a family card counts for", _ALL_CLANS, most=MOST_POINTS),
)


@kernel
def insights(s: State, seat: int, out: Any) -> None:
    seats = int(s.seats)
    other = seat
    for i in range(seats):
        cells, points = EMPTY, 0
        family = s.place[FAMILY + other, 0] & s.known[seat, 0]
        while family != EMPTY:
            card = lowest(family)
            family &= ~bit(card)
            clan = CLAN_OF[s.edition, card]
            cells |= s.cells[clan]
            points += worth(s, clan)
        write_flags(out, i * CELLS, numbered(cells), CELLS)
        out[seats * CELLS + i] = points
        other = other + 1 if other + 1 < seats else 0
    at = seats * (CELLS + 1)
    tell_reach(s, seat, out, at)
    tell_clans(s, out, at + CELLS)


@kernel
def tell_reach(s: State, seat: int, out: Any, at: int) -> None:
    """The cells that treason could strike now or, while something else is chosen, next."""
    cells, there = EMPTY, occupied(s)
    for clan in range(CLAN_COUNT[s.edition]):
        if s.place[INFLUENCE + seat, 0] & OF_CLAN[s.edition, clan] != EMPTY:
            cells |= victims(s, clan, there)
    write_flags(out, at, numbered(cells), CELLS)


@kernel
def tell_clans(s: State, out: Any, at: int) -> None:
    for column in range(COLUMNS):
        out[at + column] = 0
    for clan in range(CLAN_COUNT[s.edition]):
        out[at + COLUMN[s.edition, clan]] = worth(s, clan)
