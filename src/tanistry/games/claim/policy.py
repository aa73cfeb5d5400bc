"""A light way to play Claim: win good prizes cheaply, lose the rest with what is worth least.

For the greedy bot, and for choices in simulated play. It looks at the table and its own hand only.
"""

from __future__ import annotations

from tanistry.games.claim.cards import (
    DOPPEL,
    DWARF,
    FACTION_OF,
    GOBLIN,
    KNIGHT,
    PRIZE,
    TRICK,
    TWINS,
    UNDEAD,
    VALUE_OF,
    State,
)
from tanistry.games.claim.rules import answer_wins
from tanistry.kernel import kernel
from tanistry.table.cards import any_in
from tanistry.table.record import Ints

GUIDED = 0
WIDENING = 0.5

FAIR_PRIZE = 12
"""What the unseen card that the loser gets is worth on average, as `worth` counts."""
CARD_WON = 12
"""What one card in the score pile is worth, on the same scale."""


@kernel
def worth(card: int) -> int:
    """What a card is good for in a trick: twice its value, and more if it may win by its nature."""
    points = 2 * VALUE_OF[card]
    if FACTION_OF[card] == KNIGHT:
        points += 4
    elif FACTION_OF[card] == DOPPEL:
        points += 3
    elif FACTION_OF[card] == GOBLIN:
        points -= 2
    return points


@kernel
def spoils(s: State, card: int, won: bool) -> int:
    """What a played card brings, given who wins the trick (claim.undead, claim.dwarf)."""
    if s.phase == 1:
        if FACTION_OF[card] != UNDEAD:
            return 0
        return CARD_WON if won else -CARD_WON
    kept = won != (FACTION_OF[card] == DWARF)
    return CARD_WON if kept else -CARD_WON


@kernel
def appeal_to_answer(s: State, led: int, card: int) -> int:
    won = answer_wins(led, card)
    gain = spoils(s, led, won) + spoils(s, card, won)
    if s.phase == 1 and won:
        gain += 2 * (worth(any_in(s, PRIZE)) - FAIR_PRIZE)
    return gain - worth(card)


@kernel
def appeal_to_lead(s: State, card: int) -> int:
    """A high card if winning is good, a low one if it is not."""
    wanted = 1
    if s.phase == 1:
        wanted = 1 if worth(any_in(s, PRIZE)) > FAIR_PRIZE else -1
    elif FACTION_OF[card] == DWARF:
        wanted = -1
    return wanted * 2 * VALUE_OF[card] - (worth(card) - 2 * VALUE_OF[card])


@kernel
def appeal(s: State, action: int, seat: int, notes: Ints) -> int:
    card = action + TWINS
    if seat == s.leader:
        return appeal_to_lead(s, card)
    return appeal_to_answer(s, any_in(s, TRICK + s.leader), card)
