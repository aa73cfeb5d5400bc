"""What the armies come to and what the own hand is good for, as the seat that observes knows it.

Learners could work it out from the cards; but it takes all cards of an army together, and whether
they are of one clan.
"""

from __future__ import annotations

from typing import Any

from tanistry.games.contract import Feature
from tanistry.games.lords.cards import (
    ARMY,
    CLANS,
    HAND,
    HAND_MOST,
    MOST_SEATS,
    OF_CLAN,
    STRENGTH_OF,
    STRENGTHS,
    SUPPORTERS,
    WILD,
    WORDS,
    State,
)
from tanistry.games.lords.powers import qualifies
from tanistry.games.lords.skirmish import clan_of_all, points, strength_among
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, ONE, Word, lowest, popcount
from tanistry.table.cards import count

MOST = 255
_STAKES = tuple(str(number + 1) for number in range(MOST_SEATS))

INSIGHTS = (
    Feature("army strength", "the strengths of its allies that are known", by_seat=True, most=MOST),
    Feature("of one clan", "1 if these are, and more than one", by_seat=True),
    Feature("army counts", "their strength, doubled if they are", by_seat=True, most=MOST),
    Feature("strongest", "1 if no other army counts more", by_seat=True),
    Feature("short", "points that the seat needs to reach the target", by_seat=True, most=MOST),
    Feature("hand strength", "of each clan in the own hand", CLANS, most=MOST),
    Feature("hand cards", "of each clan in the own hand", CLANS, most=HAND_MOST),
    Feature("with hand", "the own army with all of a clan, if it is doubled", CLANS, most=MOST),
    Feature("qualifies", "1 if a card of that clan in the own hand does now", CLANS),
    Feature("stakes", "the strengths of supporters, highest first", _STAKES, most=STRENGTHS),
)


@kernel
def insights(s: State, seat: int, out: Any) -> None:
    seats = int(s.seats)
    most, army = 0, seat
    for i in range(seats):
        first = s.place[ARMY + army, 0] & s.known[seat, 0]
        second = s.place[ARMY + army, 1] & s.known[seat, 1]
        total = strength_among(first, second)
        clan = clan_of_all(first & ~s.active[WILD, 0], second & ~s.active[WILD, 1])
        doubled = clan >= 0 and popcount(first) + popcount(second) > 1
        counts = 2 * total if doubled else total
        most = max(most, counts)
        out[i] = min(total, MOST)
        out[seats + i] = doubled
        out[2 * seats + i] = min(counts, MOST)
        out[4 * seats + i] = max(0, min(int(s.target) - points(s, army), MOST))
        army = army + 1 if army + 1 < seats else 0
    for i in range(seats):
        out[3 * seats + i] = out[2 * seats + i] == min(most, MOST)
    tell_hand(s, seat, out, 5 * seats)
    tell_stakes(s, out, 5 * seats + 4 * len(CLANS))


@kernel
def tell_hand(s: State, seat: int, out: Any, at: int) -> None:
    """What the hand is good for, clan by clan."""
    clans = OF_CLAN.shape[0]
    first, second = s.place[ARMY + seat, 0], s.place[ARMY + seat, 1]
    army = strength_among(first, second)
    first, second = first & ~s.active[WILD, 0], second & ~s.active[WILD, 1]
    of_all, none = clan_of_all(first, second), first | second == EMPTY
    for clan in range(clans):
        one = s.place[HAND + seat, 0] & OF_CLAN[clan, 0]
        two = s.place[HAND + seat, 1] & OF_CLAN[clan, 1]
        held = strength_among(one, two)
        cards = popcount(one) + popcount(two)
        out[at + clan] = held
        out[at + clans + clan] = cards
        together = cards + count(s, ARMY + seat) > 1 and (of_all == clan or none)
        out[at + 2 * clans + clan] = min(2 * (army + held), MOST) if together else 0
        out[at + 3 * clans + clan] = any_qualifies(s, one, 0) or any_qualifies(s, two, 64)


@kernel
def any_qualifies(s: State, cards: Word, base: int) -> bool:
    """Whether one of some cards might use its power; the lowest is the likeliest."""
    return cards != EMPTY and qualifies(s, base + lowest(cards))


@kernel
def tell_stakes(s: State, out: Any, at: int) -> None:
    """The strengths of the supporters, sorted."""
    for i in range(MOST_SEATS):
        out[at + i] = 0
    for w in range(WORDS):
        rest = s.place[SUPPORTERS, w]
        while rest != EMPTY:
            strength = int(STRENGTH_OF[64 * w + lowest(rest)])
            rest &= rest - ONE
            for i in range(MOST_SEATS):
                other = int(out[at + i])
                if strength > other:
                    out[at + i] = strength
                    strength = other
