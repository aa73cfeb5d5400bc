"""What learners are shown of Lords of Scotland beside the cards.

Not shown: in which order cards came into a hand and left it, and which cards were shuffled when.
The information state has both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.games.contract import Feature, Options
from tanistry.games.lords.cards import (
    ALLIES_MOST,
    ARMY,
    CARDS,
    CLAIM,
    CLAIMS_TWO,
    CODES,
    END_POWERS,
    ENGAGED_MOST,
    MOST_SEATS,
    ROUNDS,
    STAYS_ON,
    STRENGTH_OF,
    WILD,
    WORDS,
    State,
)
from tanistry.games.lords.prospects import INSIGHTS as INSIGHTS
from tanistry.games.lords.prospects import insights as insights
from tanistry.games.lords.skirmish import points
from tanistry.kernel import inlined, kernel
from tanistry.table.bits import EMPTY, ONE
from tanistry.table.cards import count
from tanistry.table.flags import write_flags

TOLD = {"deck": "count", "aside": "left out"}

_ALLIES = tuple(str(number + 1) for number in range(ALLIES_MOST))
MOST_POINTS = 127
"""More than the last skirmish can bring to a victory pile short of any target."""
PUBLIC = MOST_SEATS

FACTS = (
    Feature("round", "1 to 5", most=ROUNDS),
    Feature("claims", "supporters that the claiming seat may still claim", most=2),
    Feature("initiative", "the seat that holds it", by_seat=True),
    Feature("points", "strength of the victory pile", by_seat=True, most=MOST_POINTS),
    Feature("claim order", "1 claims first; while claims last", by_seat=True, most=MOST_SEATS),
    Feature("up", "allies that lie face up, by number", _ALLIES, by_seat=True),
    Feature("spent", "allies that stayed from the last skirmish", _ALLIES, by_seat=True),
    *(
        Feature(f"active {power}", "allies with this end power activated", _ALLIES, by_seat=True)
        for power in END_POWERS
    ),
    Feature("seen", "came face up, and may since lie face down", CODES, by_seat=True),
)


@kernel
def features(s: State, seat: int, out: Any) -> None:
    seats = int(s.seats)
    claiming = s.to_act < 0 or s.decision == CLAIM
    out[0] = s.round_number
    out[1] = s.claims if s.to_act >= 0 and claiming else 0
    other = seat
    for i in range(seats):
        out[2 + i] = s.initiative == other
        out[2 + seats + i] = min(points(s, other), MOST_POINTS)
        out[2 + 2 * seats + i] = claims_as(s, other) if claiming else 0
        tell_allies(s, other, out, 2 + 3 * seats + i * ALLIES_MOST, seats * ALLIES_MOST)
        tell_seen(s, other, out, 2 + 3 * seats + 5 * seats * ALLIES_MOST + i * CARDS)
        other = other + 1 if other + 1 < seats else 0


@kernel
def claims_as(s: State, seat: int) -> int:
    """When a seat's turn to claim comes, from 1 on; 0 if it never does."""
    turn = 0
    for number in range(MOST_SEATS):
        if s.order[number] == seat:
            turn = number + 1
    return turn


@kernel
@inlined
def tell_allies(s: State, army: int, out: Any, at: int, step: int) -> None:
    """The flags of an army, each kind of flag a step after the one before."""
    up, spent, wild, claims_two, stays = EMPTY, EMPTY, EMPTY, EMPTY, EMPTY
    for slot in range(count(s, ARMY + army)):
        card = int(s.slots[ARMY + army, slot])
        word, number, mark = card >> 6, np.uint64(card & 63), np.uint64(slot)
        up |= ((s.up[word] >> number) & ONE) << mark
        spent |= ((s.spent[word] >> number) & ONE) << mark
        wild |= ((s.active[WILD, word] >> number) & ONE) << mark
        claims_two |= ((s.active[CLAIMS_TWO, word] >> number) & ONE) << mark
        stays |= ((s.active[STAYS_ON, word] >> number) & ONE) << mark
    write_flags(out, at, up, ALLIES_MOST)
    write_flags(out, at + step, spent, ALLIES_MOST)
    write_flags(out, at + 2 * step, wild, ALLIES_MOST)
    write_flags(out, at + 3 * step, claims_two, ALLIES_MOST)
    write_flags(out, at + 4 * step, stays, ALLIES_MOST)


@kernel
@inlined
def tell_seen(s: State, hand: int, out: Any, at: int) -> None:
    """Cards that all saw come into a hand and that nobody else can tell to be there still."""
    for w in range(WORDS):
        seen = s.seen[hand, w] & ~s.known[PUBLIC, w]
        write_flags(out, at + 64 * w, seen, min(CARDS - 64 * w, 64))


def longest(seats: int, options: Options) -> int:
    """A skirmish with an ally at its end brings somebody a supporter, who is never lost again.

    One without has nothing but recruits: five more cards in each hand, which twice in a row fills
    it. All supporters but those of the last skirmish leave every seat short of the target. In a
    skirmish a seat may turn up five recruits, take five, engage 14 cards (see ALLIES_MOST), each a
    choice of the card, its power, one to copy and its aim, and claim two supporters.
    """
    room = seats * (int(options["target"]) - 1)
    short = sum(bool(total <= room) for total in np.cumsum(np.sort(STRENGTH_OF)))
    skirmishes = 3 * (short + 1)
    return skirmishes * seats * (2 * ROUNDS + 4 * ENGAGED_MOST + 2)
