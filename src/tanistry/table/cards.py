"""Moving cards between places, what is known of them, and telling about it.

The order of business in a rule is: change what is known (`show`, `hide`), then move the card. The
event that a move writes carries the seats that know the card at that moment, and no one else is
told which card it was.
"""

from __future__ import annotations

from typing import Any

from tanistry.kernel import for_onlookers, kernel
from tanistry.table.bits import EMPTY, ONE, Word, bit, lowest, popcount
from tanistry.table.record import LOG_LENGTH
from tanistry.table.stream import shuffle_slots

MOVE = 0
"""The event type all games share: a card went from one place to another."""
NOBODY, NOWHERE = -1, -1
"""No seat, no place."""
ILLEGAL = -1
"""The rule of a refusal that breaks no rule of the game's own: common.illegal."""
MORE = -1
"""In place of a type: a further value of what was told last."""
BY_NOBODY, BY_OWNER, BY_ALL = 0, 1, 2
"""Who sees a card, as `seen_by` says."""


@kernel
def count(s: Any, place: int) -> int:
    """How many cards lie in a place."""
    total = 0
    for w in range(s.place.shape[1]):
        total += popcount(s.place[place, w])
    return total


@kernel
def is_empty(s: Any, place: int) -> bool:
    cards = EMPTY
    for w in range(s.place.shape[1]):
        cards |= s.place[place, w]
    return cards == EMPTY


@kernel
def has(s: Any, place: int, card: int) -> bool:
    return (s.place[place, card >> 6] & bit(card & 63)) != EMPTY


@kernel
def any_in(s: Any, place: int) -> int:
    """The first card of a place in the order of the card list, −1 if it is empty."""
    for w in range(s.place.shape[1]):
        if s.place[place, w] != EMPTY:
            return 64 * w + lowest(s.place[place, w])
    return -1


@kernel
def put(s: Any, place: int, card: int) -> None:
    """Set a card down in an unordered place, without a word about it."""
    s.place[place, card >> 6] |= bit(card & 63)


@kernel
def lift(s: Any, place: int, card: int) -> None:
    """Take a card off an unordered place, without a word about it."""
    s.place[place, card >> 6] &= ~bit(card & 63)


# -- knowledge ------------------------------------------------------------------------------------


@for_onlookers
def show(s: Any, card: int, seat: int) -> None:
    """The seat now knows where the card is."""
    s.known[seat, card >> 6] |= bit(card & 63)


@for_onlookers
def show_all(s: Any, card: int) -> None:
    """Everybody sees the card."""
    for row in range(s.known.shape[0]):
        s.known[row, card >> 6] |= bit(card & 63)


@for_onlookers
def hide(s: Any, card: int) -> None:
    """Nobody knows where the card is any more."""
    for row in range(s.known.shape[0]):
        s.known[row, card >> 6] &= ~bit(card & 63)


@kernel
def knows(s: Any, card: int, seat: int) -> bool:
    return (s.known[seat, card >> 6] & bit(card & 63)) != EMPTY


# -- telling --------------------------------------------------------------------------------------


@kernel
def knowers(s: Any, card: int) -> int:
    """The rows of `known` that hold the card, as bits."""
    seats = 0
    for row in range(s.known.shape[0]):
        if (s.known[row, card >> 6] & bit(card & 63)) != EMPTY:
            seats |= 1 << row
    return seats


@for_onlookers
def tell(
    s: Any,
    event: int,
    rule: int,
    a: int = 0,
    b: int = 0,
    c: int = 0,
    d: int = 0,
    audience: int = -1,
) -> None:
    """Write an event to the log; only `audience` (bits of rows) sees the cards it names."""
    if s.telling != 0 and s.told < LOG_LENGTH:
        entry = s.log[s.told]
        entry[0], entry[1] = event, rule
        entry[2], entry[3], entry[4], entry[5] = a, b, c, d
        entry[6] = audience
        s.told += 1


@for_onlookers
def tell_more(s: Any, value: int) -> None:
    """One value more of the refusal or problem told last."""
    tell(s, MORE, 0, value)


@for_onlookers
def tell_cards(s: Any, cards: Word) -> None:
    """A list of cards, as values of the refusal or problem told last: how many, then each."""
    tell_more(s, popcount(cards))
    rest = cards
    while rest != EMPTY:
        card = lowest(rest)
        rest &= ~bit(card)
        tell_more(s, card)


@for_onlookers
def tell_move(s: Any, card: int, source: int, target: int, slot: int, rule: int) -> None:
    if s.telling != 0:
        tell(s, MOVE, rule, card, source, target, slot, knowers(s, card))


# -- moving ---------------------------------------------------------------------------------------


@kernel
def move(s: Any, card: int, source: int, target: int, rule: int) -> None:
    """Move a card between two unordered places."""
    lift(s, source, card)
    put(s, target, card)
    tell_move(s, card, source, target, NOWHERE, rule)


@kernel
def push(s: Any, place: int, card: int) -> int:
    """Put a card at the end of an ordered place (the top of a pile); its slot."""
    slot = count(s, place)
    s.slots[place, slot] = card
    put(s, place, card)
    return slot


@kernel
def top(s: Any, place: int) -> int:
    """The card on top of a pile, −1 if there is none."""
    cards = count(s, place)
    if cards == 0:
        return -1
    return int(s.slots[place, cards - 1])


@kernel
def pop(s: Any, place: int) -> int:
    """Take the top card of a pile that has one."""
    slot = count(s, place) - 1
    card = int(s.slots[place, slot])
    s.slots[place, slot] = -1
    lift(s, place, card)
    return card


@kernel
def deal_out(s: Any, pile: int, hand: int, seat: int, n: int) -> None:
    """Deal n cards off a pile into a hand that its seat sees. Deals are not told, only shown."""
    end = count(s, pile)
    for w in range(s.place.shape[1]):
        dealt = EMPTY
        for slot in range(end - n, end):
            card = int(s.slots[pile, slot])
            if card >> 6 == w:
                dealt |= bit(card & 63)
        s.place[pile, w] &= ~dealt
        s.place[hand, w] |= dealt
        s.known[seat, w] |= dealt
    for slot in range(end - n, end):
        s.slots[pile, slot] = -1


@kernel
def pull(s: Any, place: int, card: int) -> int:
    """Take a card out of a row; the cards after it close up. The slot it had."""
    cards = count(s, place)
    slot = 0
    while int(s.slots[place, slot]) != card:
        slot += 1
    for i in range(slot, cards - 1):
        s.slots[place, i] = s.slots[place, i + 1]
    s.slots[place, cards - 1] = -1
    lift(s, place, card)
    return slot


@kernel
def push_under(s: Any, place: int, card: int) -> None:
    """Put a card at the bottom of a pile."""
    for i in range(count(s, place), 0, -1):
        s.slots[place, i] = s.slots[place, i - 1]
    s.slots[place, 0] = card
    put(s, place, card)


@kernel
def stack(s: Any, place: int) -> None:
    """Lay the cards of an ordered place in the order of the card list, and shuffle them."""
    slot = 0
    for w in range(s.place.shape[1]):
        rest = s.place[place, w]
        while rest != EMPTY:
            s.slots[place, slot] = 64 * w + lowest(rest)
            rest &= rest - ONE
            slot += 1
    shuffle_slots(s, place, slot)
