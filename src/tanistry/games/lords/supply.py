"""The deck and what is dealt from it: recruits and supporters. Rules of Lords of Scotland."""

from __future__ import annotations

from tanistry.games.lords.cards import (
    ALIKE,
    DECK,
    DECK_EMPTY_RULE,
    DIFFER_RULE,
    DISCARD,
    OF_STRENGTH,
    RECRUITS,
    REFILLED,
    RESHUFFLED,
    SLOTS,
    STRENGTH_OF,
    SUPPORTER,
    SUPPORTERS,
    WORDS,
    State,
)
from tanistry.games.lords.memory import forget_discard
from tanistry.kernel import for_onlookers, kernel
from tanistry.table.bits import EMPTY, ONE, lowest
from tanistry.table.cards import (
    any_in,
    count,
    is_empty,
    lift,
    pop,
    put,
    show_all,
    stack,
    tell,
    tell_move,
)

NO_CARD = -1


@kernel
def can_draw(s: State) -> bool:
    """lords.deck_empty: a card can be drawn as long as deck or discard has one."""
    return not is_empty(s, DECK) or not is_empty(s, DISCARD)


@kernel
def reshuffle(s: State) -> None:
    """lords.deck_empty: the discard becomes the deck, and nobody knows its order."""
    forget_discard(s)
    for w in range(WORDS):
        s.place[DECK, w] = s.place[DISCARD, w]
        s.place[DISCARD, w] = EMPTY
    stack(s, DECK)
    tell(s, RESHUFFLED, DECK_EMPTY_RULE, count(s, DECK))


@kernel
def draw(s: State) -> int:
    """Take the top card of the deck, shuffled anew if need be; −1 if there is none at all."""
    if is_empty(s, DECK):
        if is_empty(s, DISCARD):
            return NO_CARD
        reshuffle(s)
    return pop(s, DECK)


@kernel
def deal_recruit(s: State, slot: int, face_up: bool, rule: int) -> None:
    """Fill a slot from the deck; it stays empty if there is no card (lords.deck_empty)."""
    card = draw(s)
    if card == NO_CARD:
        s.recruits_up &= ~(1 << slot)
        return
    if face_up:
        s.recruits_up |= 1 << slot
        show_all(s, card)
        tell(s, REFILLED, rule, card, slot)
    else:
        s.recruits_up &= ~(1 << slot)
    s.slots[RECRUITS, slot] = card
    put(s, RECRUITS, card)
    tell_move(s, card, DECK, RECRUITS, slot, rule)


@kernel
def take_recruit(s: State, slot: int) -> int:
    """Lift the recruit off a slot that has one."""
    card = int(s.slots[RECRUITS, slot])
    s.slots[RECRUITS, slot] = NO_CARD
    lift(s, RECRUITS, card)
    return card


@kernel
def deal_supporters(s: State, rule: int) -> int:
    """Deal a supporter for each seat, as far as there are cards; how many there were."""
    for dealt in range(s.seats):
        card = draw(s)
        if card == NO_CARD:
            return dealt
        show_all(s, card)
        put(s, SUPPORTERS, card)
        tell_move(s, card, DECK, SUPPORTERS, NO_CARD, rule)
        tell(s, SUPPORTER, rule, card)
    return int(s.seats)


@kernel
def all_alike(s: State) -> bool:
    """lords.supporters_differ: one strength only, and a card of another strength is to be had."""
    strength = STRENGTH_OF[any_in(s, SUPPORTERS)]
    elsewhere = EMPTY
    for w in range(WORDS):
        if (s.place[SUPPORTERS, w] & ~OF_STRENGTH[strength, w]) != EMPTY:
            return False
        elsewhere |= (s.place[DECK, w] | s.place[DISCARD, w]) & ~OF_STRENGTH[strength, w]
    return elsewhere != EMPTY


@for_onlookers
def tell_discard(s: State, rule: int) -> None:
    for w in range(WORDS):
        rest = s.place[SUPPORTERS, w]
        while rest != EMPTY:
            tell_move(s, 64 * w + lowest(rest), SUPPORTERS, DISCARD, NO_CARD, rule)
            rest &= rest - ONE


@kernel
def discard_supporters(s: State, rule: int) -> None:
    tell_discard(s, rule)
    for w in range(WORDS):
        s.place[DISCARD, w] |= s.place[SUPPORTERS, w]
        s.place[SUPPORTERS, w] = EMPTY


@kernel
def deal_skirmish(s: State, rule: int) -> bool:
    """lords.setup: recruits, then supporters; whether there is a supporter to fight for."""
    for slot in range(SLOTS):
        deal_recruit(s, slot, False, rule)
    while True:
        dealt = deal_supporters(s, rule)
        if dealt < 2 or not all_alike(s):
            return dealt > 0
        rule = DIFFER_RULE
        tell(s, ALIKE, rule, STRENGTH_OF[any_in(s, SUPPORTERS)])
        discard_supporters(s, rule)
