"""What learners are shown of Lords of Scotland beside the cards.

Not shown: in which order cards came into a hand and left it, and which cards were shuffled when.
The information state has both.
"""

from __future__ import annotations

from typing import Any

from tanistry.games.contract import Fact
from tanistry.games.lords.cards import (
    ALLIES_MOST,
    ARMY,
    CARDS,
    CLAIM,
    CODES,
    END_POWERS,
    MOST_SEATS,
    ROUNDS,
    State,
)
from tanistry.games.lords.skirmish import points
from tanistry.table.bits import EMPTY, bit, lowest
from tanistry.table.cards import count
from tanistry.table.kernel import kernel

TOLD = {"deck": "count", "aside": "left out"}

_ALLIES = tuple(str(number + 1) for number in range(ALLIES_MOST))
MOST_POINTS = 127
"""More than the last skirmish can bring to a victory pile short of any target."""
PUBLIC = MOST_SEATS

FACTS = (
    Fact("round", "1 to 5", most=ROUNDS),
    Fact("claims", "supporters that the claiming seat may still claim", most=2),
    Fact("initiative", "the seat that holds it", by_seat=True),
    Fact("points", "strength of the victory pile", by_seat=True, most=MOST_POINTS),
    Fact("claim order", "1 claims first; while claims last", by_seat=True, most=MOST_SEATS),
    Fact("up", "allies that lie face up, by number", _ALLIES, by_seat=True),
    Fact("spent", "allies that stayed from the last skirmish", _ALLIES, by_seat=True),
    *(
        Fact(f"active {power}", "allies with this end power activated", _ALLIES, by_seat=True)
        for power in END_POWERS
    ),
    Fact("seen", "came face up, and may since lie face down", CODES, by_seat=True),
)


@kernel
def features(s: State, seat: int, out: Any, at: int) -> int:
    seats = int(s.seats)
    out[at] = s.round_number
    claiming = s.to_act < 0 or s.decision == CLAIM
    if s.to_act >= 0 and claiming:
        out[at + 1] = s.claims
    at += 2
    other = seat
    for i in range(seats):
        out[at + i] = s.initiative == other
        out[at + seats + i] = min(points(s, other), MOST_POINTS)
        if claiming:
            for number in range(seats):
                if s.order[number] == other:
                    out[at + 2 * seats + i] = number + 1
        allies = at + 3 * seats + i * ALLIES_MOST
        tell_allies(s, other, out, allies, seats * ALLIES_MOST)
        tell_seen(s, other, out, at + 3 * seats + 5 * seats * ALLIES_MOST + i * CARDS)
        other = other + 1 if other + 1 < seats else 0
    return at + 3 * seats + 5 * seats * ALLIES_MOST + seats * CARDS


@kernel
def tell_allies(s: State, army: int, out: Any, at: int, step: int) -> None:
    """The flags of an army, each kind of flag a step after the one before."""
    for slot in range(count(s, ARMY + army)):
        card = int(s.slots[ARMY + army, slot])
        word = card >> 6
        flag = bit(card & 63)
        out[at + slot] = s.up[word] & flag != EMPTY
        out[at + step + slot] = s.spent[word] & flag != EMPTY
        for row in range(len(END_POWERS)):
            out[at + (2 + row) * step + slot] = s.active[row, word] & flag != EMPTY


@kernel
def tell_seen(s: State, hand: int, out: Any, at: int) -> None:
    """Cards that all saw come into a hand and that nobody else can tell to be there still."""
    for w in range(s.seen.shape[1]):
        rest = s.seen[hand, w] & ~s.known[PUBLIC, w]
        while rest != EMPTY:
            card = lowest(rest)
            rest &= ~bit(card)
            out[at + 64 * w + card] = 1
