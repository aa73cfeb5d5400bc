"""What learners are shown of Schotten Totten beside the cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.games.contract import Feature, Options
from tanistry.games.schotten.cards import (
    CLANS,
    CODES,
    ENV,
    FOG,
    HAND,
    MOST_IN_HAND,
    MUD,
    NO_CARD,
    REDEPLOY,
    SCOUT_DRAWS,
    SCOUT_RETURNS,
    STONES,
    TACTIC,
    State,
)
from tanistry.games.schotten.prospects import INSIGHTS as INSIGHTS
from tanistry.games.schotten.prospects import insights as insights
from tanistry.kernel import inlined, kernel
from tanistry.table.bits import EMPTY, bit, popcount
from tanistry.table.cards import has
from tanistry.table.flags import write_flags

TOLD = {"stone.*.env": "left out", "stone.*": "open"}
"""Fog and mud are facts; the order of the cards at a stone does not matter."""

_STONES = tuple(str(stone + 1) for stone in range(STONES))
_TACTICS = len(CODES) - CLANS

FACTS = (
    Feature("claimed", "stones the seat has claimed", _STONES, by_seat=True),
    Feature("complete", "stones where its side is complete", _STONES, by_seat=True),
    Feature("sooner", "those where it was before the other, unclaimed", _STONES, by_seat=True),
    Feature("fog", "stones with fog", _STONES),
    Feature("mud", "stones with mud", _STONES),
    Feature("tactics played", "how many", by_seat=True, most=_TACTICS),
    Feature("chief played", "1 once the seat has played a chief", by_seat=True),
    Feature("tactics held", "how many, by their backs", by_seat=True, most=MOST_IN_HAND),
    Feature("idle", "turns in a row before this one with a pass and no claim", most=2),
    Feature("pass", "1 if the seat to act has passed in this turn"),
    Feature("scouted", "1 if it has played the scout in this turn"),
    Feature("claimed now", "1 if it has claimed a stone in this turn"),
    Feature("draws", "cards the scout has still to draw", most=SCOUT_DRAWS),
    Feature("returns", "cards it has still to return", most=SCOUT_RETURNS),
    Feature("scout after chief", "1 if it was played by a seat that had played a chief"),
    Feature("redrawn", "tactic cards this seat returned, drew again and holds", most=SCOUT_RETURNS),
    Feature("ruse", "the ruse being carried out", CODES[REDEPLOY:]),
    Feature("taken", "the card that is to be put elsewhere", CODES[:FOG]),
)


@kernel
def features(s: State, seat: int, out: Any) -> None:
    fog, mud = 0, 0
    for stone in range(STONES):
        fog |= has(s, ENV + stone, FOG) << stone
        mud |= has(s, ENV + stone, MUD) << stone
    for i in range(2):
        other = seat if i == 0 else 1 - seat
        tell_stones(s.claimed[other], out, i)
        tell_stones(s.complete[other], out, 2 + i)
        tell_stones(s.sooner[other], out, 4 + i)
    tell_stones(fog, out, 6)
    tell_stones(mud, out, 7)
    at = 8 * STONES
    for i in range(2):
        other = seat if i == 0 else 1 - seat
        out[at + i] = s.tactics_played[other]
        out[at + 2 + i] = s.chief_played[other]
        out[at + 4 + i] = popcount(s.place[HAND + other, 0] & TACTIC)
    out[at + 6] = s.idle
    out[at + 7] = s.passed
    out[at + 8] = s.scouted
    out[at + 9] = s.claimed_now
    out[at + 10] = s.draws
    out[at + 11] = s.returns
    out[at + 12] = s.scout_after_chief
    out[at + 13] = s.redrawn
    at += 14
    ruse = EMPTY if s.ruse == NO_CARD else bit(int(s.ruse)) >> np.uint64(REDEPLOY)
    write_flags(out, at, ruse, len(CODES) - REDEPLOY)
    taken = EMPTY if s.taken == NO_CARD else bit(int(s.taken))
    write_flags(out, at + len(CODES) - REDEPLOY, taken, FOG)


@kernel
@inlined
def tell_stones(stones: int, out: Any, row: int) -> None:
    """A set of stones as the row of that number."""
    write_flags(out, row * STONES, np.uint64(stones), STONES)


def longest(_seats: int, options: Options) -> int:
    """A turn plays a card, claims a stone, or is idle; the second idle one in a row is the last.

    A card is played from a hand once, a stone claimed once. A turn has one choice of a card and at
    most one of ending its claims. Then there are the claims themselves, with two piles a choice for
    every card drawn (those the scout returned are drawn again), and those of ruses: two to return,
    and a card to take or a place to put it, five in all.
    """
    tactics = options["tactics"]
    played = len(CODES) if tactics else CLANS
    turns = 2 * (played + STONES) + 2
    drawn = len(CODES) + SCOUT_RETURNS if tactics else 0
    ruses = SCOUT_RETURNS + 5 if tactics else 0
    return 2 * turns + STONES + drawn + ruses
