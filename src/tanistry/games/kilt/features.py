"""What learners are shown of King's Kilt beside the cards."""

from __future__ import annotations

from typing import Any

from tanistry.games.contract import Feature, Options
from tanistry.games.kilt.cards import (
    BASE,
    CELL_NAMES,
    CELLS,
    DECK,
    FAMILY_CARDS,
    INFLUENCE_CARDS,
    ROWS,
    State,
)
from tanistry.games.kilt.prospects import INSIGHTS as INSIGHTS
from tanistry.games.kilt.prospects import insights as insights
from tanistry.games.kilt.rules import NO_CELL
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, bit
from tanistry.table.flags import write_flags

TOLD = {"deck": "cards"}  # only its top card is ever known

FACTS = (
    Feature("vacuum", "the cell to be filled", CELL_NAMES),
    Feature("rebuilt", "1 if the pile is made from the discard"),
    Feature("active", "whose turn it is; others act in it only to reveal", by_seat=True),
    Feature("owed", "family cards the seat must still reveal", by_seat=True, most=FAMILY_CARDS),
    Feature("passed", "1 for a seat that is out", by_seat=True),
)


@kernel
def features(s: State, seat: int, out: Any) -> None:
    write_flags(out, 0, EMPTY if s.vacuum == NO_CELL else bit(int(s.vacuum)), CELLS)
    out[CELLS] = s.recycled[0] & s.place[DECK, 0] != EMPTY
    at = CELLS + 1
    other = seat
    for i in range(s.seats):
        out[at + i] = s.active == other
        out[at + s.seats + i] = s.owed[other]
        out[at + 2 * s.seats + i] = s.passed[other]
        other = other + 1 if other + 1 < s.seats else 0


def longest(seats: int, _options: Options) -> int:
    """Influence is only ever spent, and every climb leaves one more cell filled for good.

    After a climb out of row 5 at most four vacuums are filled by choice, after treason against the
    King five. A seat reveals each family card once, and passes once.
    """
    climbs = CELLS - BASE
    betrayals = seats * INFLUENCE_CARDS[seats]
    return climbs * (ROWS - 1) + betrayals * ROWS + seats * (FAMILY_CARDS + 1)
