"""The end of a skirmish: armies are counted, supporters claimed, the table cleared."""

from __future__ import annotations

import numpy as np

from tanistry.games.lords.cards import (
    ARMY,
    ARMY_COUNTED,
    ARMY_DOUBLED,
    CLAIM,
    CLAIM_RULE,
    CLAIMS_TWO,
    CLAN_OF,
    CLEANUP_RULE,
    COCHRANE_RULE,
    DISCARD,
    MACDONNELL_RULE,
    MOST_SEATS,
    NONE_LEFT_RULE,
    ORDER_RULE,
    RANK_OF,
    RECRUITS,
    REVEAL_RULE,
    REVEALED,
    SLOTS,
    STAYS,
    STAYS_ON,
    STRENGTH_OF,
    STRENGTH_RULE,
    SUPPORTERS,
    VICTORY,
    WILD,
    WON,
    WORDS,
    State,
)
from tanistry.games.lords.memory import close_diary
from tanistry.games.lords.powers import clear_ally, is_up
from tanistry.games.lords.supply import NO_CARD, discard_supporters, take_recruit
from tanistry.table.bits import EMPTY, Word, bit, lowest
from tanistry.table.cards import any_in, count, move, push, put, show_all, tell, tell_move
from tanistry.table.kernel import kernel

NOBODY = -1
RANKS = 128
"""A power of two above every rank."""


@kernel
def is_active(s: State, row: int, card: int) -> bool:
    return (s.active[row, card >> 6] & bit(card & 63)) != EMPTY


# -- counting -------------------------------------------------------------------------------------


@kernel
def reveal(s: State) -> None:
    """lords.reveal"""
    close_diary(s)
    for seat in range(s.seats):
        for i in range(count(s, ARMY + seat)):
            card = int(s.slots[ARMY + seat, i])
            if not is_up(s, card):
                s.up[card >> 6] |= bit(card & 63)
                show_all(s, card)
                tell(s, REVEALED, REVEAL_RULE, seat, card, i)


@kernel
def is_doubled(s: State, seat: int) -> bool:
    """lords.strength: more than one card, all of one clan; lords.bruce: some count as any."""
    cards = count(s, ARMY + seat)
    clan = NOBODY
    for i in range(cards):
        card = int(s.slots[ARMY + seat, i])
        if not is_active(s, WILD, card):
            if clan == NOBODY:
                clan = CLAN_OF[card]
            elif CLAN_OF[card] != clan:
                return False
    return cards > 1


@kernel
def strength(s: State, seat: int) -> int:
    """lords.strength"""
    total = 0
    for i in range(count(s, ARMY + seat)):
        total += STRENGTH_OF[int(s.slots[ARMY + seat, i])]
    return 2 * total if is_doubled(s, seat) else total


@kernel
def highest_rank(s: State, seat: int) -> int:
    best = 0
    for i in range(count(s, ARMY + seat)):
        best = max(best, RANK_OF[int(s.slots[ARMY + seat, i])])
    return best


@kernel
def might(s: State, seat: int) -> int:
    """lords.order as one number: strength, then the highest rank; 0 for an army without cards."""
    return strength(s, seat) * RANKS + highest_rank(s, seat)


@kernel
def rank_armies(s: State) -> None:
    """lords.order: write the seats that have an ally to `order`, the first one first."""
    placed = 0  # seats, as bits
    for place in range(MOST_SEATS):
        best = 0
        found = NOBODY
        for seat in range(s.seats):
            if placed >> seat & 1 == 0:
                value = might(s, seat)
                if value > best:
                    best = value
                    found = seat
        s.order[place] = found
        if found != NOBODY:
            placed |= 1 << found


@kernel
def tell_armies(s: State) -> None:
    for place in range(s.seats):
        seat = int(s.order[place])
        if seat != NOBODY:
            kind = ARMY_DOUBLED if is_doubled(s, seat) else ARMY_COUNTED
            tell(s, kind, STRENGTH_RULE, seat, strength(s, seat), highest_rank(s, seat))
    tell(s, WON, ORDER_RULE, int(s.order[0]))


# -- claiming -------------------------------------------------------------------------------------


@kernel
def allowance(s: State, seat: int) -> int:
    """lords.claim: one supporter; lords.cochrane: two, never more."""
    for w in range(WORDS):
        if (s.place[ARMY + seat, w] & s.active[CLAIMS_TWO, w]) != EMPTY:
            return 2
    return 1


@kernel
def next_claim(s: State) -> bool:
    """Ask the next seat in order that may claim; False when there is none (lords.none_left)."""
    s.claimant += 1
    if s.claimant >= s.seats or s.order[s.claimant] == NOBODY or any_in(s, SUPPORTERS) < 0:
        s.claims = 0
        return False
    s.to_act = s.order[s.claimant]
    s.decision = CLAIM
    s.claims = allowance(s, int(s.to_act))
    return True


@kernel
def claim(s: State, seat: int, supporter: int) -> bool:
    """Claim a supporter; whether somebody is to claim another."""
    first = s.claims == allowance(s, seat)
    move(s, supporter, SUPPORTERS, VICTORY + seat, CLAIM_RULE if first else COCHRANE_RULE)
    s.claims -= 1
    if s.claims > 0 and any_in(s, SUPPORTERS) >= 0:
        return True
    return next_claim(s)


@kernel
def points(s: State, seat: int) -> int:
    """The strength in a seat's victory pile."""
    total = 0
    for w in range(WORDS):
        rest = s.place[VICTORY + seat, w]
        while rest != EMPTY:
            card = lowest(rest)
            rest &= ~bit(card)
            total += STRENGTH_OF[64 * w + card]
    return total


@kernel
def target_reached(s: State) -> bool:
    """lords.end"""
    most = 0
    for seat in range(s.seats):
        most = max(most, points(s, seat))
    return most >= s.target


# -- clearing the table ---------------------------------------------------------------------------


@kernel
def discard_recruits(s: State) -> None:
    for slot in range(SLOTS):
        if int(s.slots[RECRUITS, slot]) >= 0:
            card = take_recruit(s, slot)
            show_all(s, card)
            put(s, DISCARD, card)
            tell_move(s, card, RECRUITS, DISCARD, slot, CLEANUP_RULE)
    s.recruits_up = 0


@kernel
def disband(s: State, seat: int) -> None:
    """lords.macdonnell: an activated one stays, spent; all other allies are discarded."""
    army = ARMY + seat
    cards = count(s, army)
    staying: Word = np.uint64(0)  # by slot
    for i in range(cards):
        card = int(s.slots[army, i])
        if is_active(s, STAYS_ON, card):
            staying |= bit(i)
    for w in range(WORDS):
        s.place[army, w] = EMPTY
    for i in range(cards):
        card = int(s.slots[army, i])
        s.slots[army, i] = NO_CARD
        clear_ally(s, card)
        if (staying & bit(i)) != EMPTY:
            push(s, army, card)
            s.up[card >> 6] |= bit(card & 63)
            s.spent[card >> 6] |= bit(card & 63)
            tell(s, STAYS, MACDONNELL_RULE, seat, card)
        else:
            put(s, DISCARD, card)
            tell_move(s, card, army, DISCARD, i, CLEANUP_RULE)


@kernel
def clear_table(s: State) -> None:
    """lords.cleanup: supporters nobody claimed, recruits and allies are discarded."""
    discard_supporters(s, NONE_LEFT_RULE)
    discard_recruits(s)
    for seat in range(s.seats):
        disband(s, seat)
