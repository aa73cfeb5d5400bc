"""Resampling: deal what a seat does not know anew among the places where it could be.

Who knows which card is common knowledge, only the cards are not: so knowledge stays with the spot
on the table, and the cards are dealt into the spots. Cards of different kinds (backs) never trade
places. Every placement that fits the seat's knowledge is as likely as any other (nearly so where
cards are ruled out in two places at once, which only a spectator of Claim ever meets).
"""

from __future__ import annotations

from typing import Any

from tanistry.kernel import template
from tanistry.table.bits import EMPTY, bit, lowest, nth, popcount
from tanistry.table.cards import knowers
from tanistry.table.contract import of_kind, possible, ruled_out
from tanistry.table.stream import fast_below

ORDERED = 0
"""How many places, from the first, keep their cards in order. Given by each game."""


@template
def kind_of(s: Any, card: int) -> int:
    kind = 0
    while (of_kind(s, kind, card >> 6) & bit(card & 63)) == EMPTY:
        kind += 1
    return kind


@template
def candidates(s: Any, place: int, kind: int, w: int, strict: bool) -> Any:
    """The cards of the pool (one word of it) that may lie in a place."""
    cards = s.scratch[s.known.shape[0], w] & of_kind(s, kind, w)
    return cards & ~ruled_out(s, place, w) if strict else cards


@template
def pick(s: Any, place: int, kind: int, rng: Any) -> int:
    """Take a random card of a kind out of the pool, one that the place may hold."""
    pool = s.scratch[s.known.shape[0]]
    cards = 0
    for w in range(pool.shape[0]):
        cards += popcount(candidates(s, place, kind, w, True))
    strict = cards > 0
    if not strict:  # none is left for this place: go on with any, `resample` will see it
        for w in range(pool.shape[0]):
            cards += popcount(candidates(s, place, kind, w, False))
    n = fast_below(rng, cards)
    for w in range(pool.shape[0]):
        allowed = candidates(s, place, kind, w, strict)
        here = popcount(allowed)
        if n < here:
            index = nth(allowed, n)
            pool[w] &= ~bit(index)
            return 64 * w + index
        n -= here
    return -1


@template
def redeal(s: Any, place: int, card: int, rng: Any) -> int:
    """Choose the card that lies where `card` lay; those who knew that one know this one."""
    fresh = pick(s, place, kind_of(s, card), rng)
    seats = knowers(s, card)
    for row in range(s.known.shape[0]):
        if seats >> row & 1:
            s.scratch[row, fresh >> 6] |= bit(fresh & 63)
    return fresh


@template
def redeal_set(s: Any, place: int, seat: int, rng: Any) -> None:
    fresh_cards = s.scratch[s.known.shape[0] + 1]
    for w in range(fresh_cards.shape[0]):
        fresh_cards[w] = s.place[place, w] & s.known[seat, w]
    for w in range(fresh_cards.shape[0]):
        hidden = s.place[place, w] & ~s.known[seat, w]
        while hidden != EMPTY:
            card = lowest(hidden)
            hidden &= ~bit(card)
            fresh = redeal(s, place, 64 * w + card, rng)
            fresh_cards[fresh >> 6] |= bit(fresh & 63)
    for w in range(fresh_cards.shape[0]):
        s.place[place, w] = fresh_cards[w]


@template
def redeal_row(s: Any, place: int, seat: int, rng: Any) -> None:
    for w in range(s.place.shape[1]):
        s.place[place, w] &= s.known[seat, w]
    for slot in range(s.slots.shape[1]):
        card = int(s.slots[place, slot])
        if card >= 0 and (s.known[seat, card >> 6] & bit(card & 63)) == EMPTY:
            fresh = redeal(s, place, card, rng)
            s.slots[place, slot] = fresh
            s.place[place, fresh >> 6] |= bit(fresh & 63)


@template
def redeal_all(s: Any, seat: int, rng: Any) -> None:
    rows = s.known.shape[0]
    words = s.known.shape[1]
    for w in range(words):
        for row in range(rows):
            s.scratch[row, w] = s.known[row, w] & s.known[seat, w]
        s.scratch[rows, w] = EMPTY
        for place in range(s.place.shape[0]):
            s.scratch[rows, w] |= s.place[place, w] & ~s.known[seat, w]
    # Unordered places first: only they may have cards ruled out.
    for place in range(ORDERED, s.place.shape[0]):
        redeal_set(s, place, seat, rng)
    for place in range(ORDERED):
        redeal_row(s, place, seat, rng)
    for row in range(rows):
        for w in range(words):
            s.known[row, w] = s.scratch[row, w]


@template
def misplaced(s: Any) -> bool:
    """Whether a card lies where it is ruled out."""
    for place in range(ORDERED, s.place.shape[0]):
        for w in range(s.place.shape[1]):
            if (s.place[place, w] & ruled_out(s, place, w)) != EMPTY:
                return True
    return False


@template
def resample(s: Any, seat: int, rng: Any) -> None:
    """Deal anew every card whose place the seat does not know; its own view stays the same."""
    redeal_all(s, seat, rng)
    while misplaced(s) or not possible(s):
        redeal_all(s, seat, rng)
