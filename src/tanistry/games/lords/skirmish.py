"""The end of a skirmish: armies are counted, supporters claimed, the table cleared."""

from __future__ import annotations

from tanistry.games.lords.cards import (
    ARMY,
    ARMY_COUNTED,
    ARMY_DOUBLED,
    BRUCE,
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
    OF_CLAN,
    ORDER_RULE,
    RANK_OF,
    RECRUITS,
    REVEAL_RULE,
    REVEALED,
    SLOTS,
    STAYS,
    STAYS_ON,
    STRENGTH_BITS,
    STRENGTH_RULE,
    SUPPORTERS,
    VICTORY,
    WILD,
    WON,
    WORDS,
    State,
)
from tanistry.games.lords.memory import close_diary
from tanistry.games.lords.powers import is_up
from tanistry.games.lords.supply import NO_CARD, discard_supporters, take_recruit
from tanistry.kernel import for_onlookers, kernel
from tanistry.table.bits import EMPTY, ONE, Word, lowest, popcount
from tanistry.table.cards import NOBODY, count, has, is_empty, move, put, show_all, tell, tell_move

RANKS = 128
"""A power of two above every rank."""


# -- counting -------------------------------------------------------------------------------------


@for_onlookers
def tell_reveal(s: State) -> None:
    close_diary(s)
    for seat in range(s.seats):
        for i in range(count(s, ARMY + seat)):
            card = int(s.slots[ARMY + seat, i])
            if not is_up(s, card):
                show_all(s, card)
                tell(s, REVEALED, REVEAL_RULE, seat, card, i)


@kernel
def reveal(s: State) -> None:
    """lords.reveal"""
    tell_reveal(s)
    for seat in range(s.seats):
        for w in range(WORDS):
            s.up[w] |= s.place[ARMY + seat, w]


@kernel
def strength_among(first: Word, second: Word) -> int:
    """The strengths of some cards together, given as two words."""
    total = 0
    for i in range(STRENGTH_BITS.shape[0]):
        total += popcount(first & STRENGTH_BITS[i, 0]) << i
        total += popcount(second & STRENGTH_BITS[i, 1]) << i
    return total


@kernel
def clan_of_all(first: Word, second: Word) -> int:
    """The clan of some cards if they are all of one, BRUCE if there are none, otherwise −1."""
    clan = BRUCE
    if first != EMPTY:
        clan = int(CLAN_OF[lowest(first)])
    elif second != EMPTY:
        clan = int(CLAN_OF[64 + lowest(second)])
    others = first & ~OF_CLAN[clan, 0] | second & ~OF_CLAN[clan, 1]
    return clan if others == EMPTY else -1


@kernel
def is_doubled(s: State, seat: int) -> bool:
    """lords.strength: more than one card, all of one clan; lords.bruce: some count as any."""
    first = s.place[ARMY + seat, 0] & ~s.active[WILD, 0]
    second = s.place[ARMY + seat, 1] & ~s.active[WILD, 1]
    return clan_of_all(first, second) >= 0 and count(s, ARMY + seat) > 1


@kernel
def strength_in(s: State, place: int) -> int:
    """The strengths of the cards in a place together."""
    return strength_among(s.place[place, 0], s.place[place, 1])


@kernel
def strength(s: State, seat: int) -> int:
    """lords.strength"""
    total = strength_in(s, ARMY + seat)
    return 2 * total if is_doubled(s, seat) else total


@kernel
def highest_rank(s: State, seat: int) -> int:
    best = 0
    for w in range(WORDS):
        rest = s.place[ARMY + seat, w]
        while rest != EMPTY:
            best = max(best, RANK_OF[64 * w + lowest(rest)])
            rest &= rest - ONE
    return best


@kernel
def might(s: State, seat: int) -> int:
    """lords.order as one number: strength, then the highest rank; 0 for an army without cards."""
    return strength(s, seat) * RANKS + highest_rank(s, seat)


@kernel
def rank_armies(s: State) -> None:
    """lords.order: write the seats that have an ally to `order`, the first one first."""
    for seat in range(s.seats):
        army = might(s, seat) * MOST_SEATS + seat
        place = seat
        while place > 0 and s.order[place - 1] < army:
            s.order[place] = s.order[place - 1]
            place -= 1
        s.order[place] = army
    for place in range(MOST_SEATS):
        army = int(s.order[place])
        s.order[place] = army % MOST_SEATS if place < s.seats and army >= MOST_SEATS else NOBODY


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
    if s.claimant >= s.seats or s.order[s.claimant] == NOBODY or is_empty(s, SUPPORTERS):
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
    if s.claims > 0 and not is_empty(s, SUPPORTERS):
        return True
    return next_claim(s)


@kernel
def points(s: State, seat: int) -> int:
    """The strength in a seat's victory pile."""
    return strength_in(s, VICTORY + seat)


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
    for w in range(WORDS):
        allies = s.place[army, w]
        staying = allies & s.active[STAYS_ON, w]
        s.place[army, w] = staying
        s.place[DISCARD, w] |= allies & ~staying
        s.up[w] = s.up[w] & ~allies | staying
        s.spent[w] = s.spent[w] & ~allies | staying
        for row in range(s.active.shape[0]):
            s.active[row, w] &= ~allies
    kept = 0
    for i in range(cards):
        card = int(s.slots[army, i])
        s.slots[army, i] = NO_CARD
        if has(s, army, card):
            s.slots[army, kept] = card
            kept += 1
            tell(s, STAYS, MACDONNELL_RULE, seat, card)
        else:
            tell_move(s, card, army, DISCARD, i, CLEANUP_RULE)


@kernel
def clear_table(s: State) -> None:
    """lords.cleanup: supporters nobody claimed, recruits and allies are discarded."""
    discard_supporters(s, NONE_LEFT_RULE)
    discard_recruits(s)
    for seat in range(s.seats):
        disband(s, seat)
