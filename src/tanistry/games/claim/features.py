"""What learners are shown of Claim beside the cards."""

from __future__ import annotations

from typing import Any

from tanistry.games.claim.cards import FACTIONS, OF_FACTION, SCORE, TRICKS, State
from tanistry.games.claim.prospects import INSIGHTS as INSIGHTS
from tanistry.games.claim.prospects import insights as insights
from tanistry.games.contract import Feature, Options
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, popcount

TOLD = {"deck": "count"}

_LETTERS = tuple(FACTIONS)
FACTS = (
    Feature("second phase", "1 in phase 2"),
    Feature("trick number", "1 to 13 in each phase", most=TRICKS),
    Feature("leads", "1 if the observer leads this trick"),
    Feature("void", "factions the seat has shown not to hold", _LETTERS, by_seat=True),
    Feature("won", "cards of each faction in the score pile", _LETTERS, by_seat=True, most=14),
)


@kernel
def features(s: State, seat: int, out: Any) -> None:
    out[0] = s.phase - 1
    out[1] = s.trick
    out[2] = s.leader == seat
    factions = OF_FACTION.shape[0]
    for i in range(2):
        other = seat if i == 0 else 1 - seat
        void, won = s.void[other], s.place[SCORE + other, 0]
        for faction in range(factions):
            cards = OF_FACTION[faction]
            out[3 + i * factions + faction] = void & cards != EMPTY
            out[3 + (2 + i) * factions + faction] = popcount(won & cards)


def longest(_seats: int, _options: Options) -> int:
    """Each trick of the two phases has two cards."""
    return 2 * 2 * TRICKS
