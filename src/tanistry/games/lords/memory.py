"""What can be told of cards nobody sees, and how they are dealt anew for someone who guesses.

Three things are public although the cards are not (common.secrecy):

- A card taken face up into a hand is there (`seen`). When the hand plays a card face down, that
  may have been it: from then on the others know only that it is in the hand or among the face-down
  allies that came from it since. When the last of those is turned up, it is known again.
- A card that lay in the discard when that was shuffled cannot be among cards drawn before: each
  card belongs to the last shuffle it took part in (`shuffled`), and so does each card drawn since.
- A face-down ally was in the hand when it was played. The `diary` keeps the order of what came
  into a hand and what left it, from its first face-down ally of the skirmish on.

So the cards of a hand and its face-down allies fall into classes: each seen card is one of its own,
the others of one shuffle are alike. How many of each class there are is public. The diary names
classes; a card played face down it names by the spot where it lies, as long as it lies so.
"""

from __future__ import annotations

from typing import Any

from tanistry.games.lords.cards import (
    ALLIES_MOST,
    ARMY,
    CAME,
    CARDS,
    DECK,
    DIARY,
    DISCARD,
    HAND,
    LEFT,
    MOST_SEATS,
    RECRUITS,
    WENT_DOWN,
    WORDS,
    State,
)
from tanistry.kernel import for_onlookers, kernel
from tanistry.table.bits import EMPTY, bit, lowest
from tanistry.table.cards import knowers, show_all
from tanistry.table.stream import fast_below

ROWS = MOST_SEATS + 1
"""Rows of knowledge: the seats and the public."""
NO_ENTRY = -1
NOT_LISTED = -1


@kernel
def is_seen(s: State, seat: int, card: int) -> bool:
    return (s.seen[seat, card >> 6] & bit(card & 63)) != EMPTY


@kernel
def class_of(s: State, seat: int, card: int) -> int:
    """A seen card is a class of its own, the others of a shuffle are one class."""
    if is_seen(s, seat, card):
        return card
    return CARDS + int(s.shuffled[card])


@kernel
def spot_of(army: int, slot: int) -> int:
    """The spot of an ally as one number, as actions on allies have it."""
    return army * ALLIES_MOST + slot


@kernel
def ally_at(s: State, spot: int) -> int:
    return int(s.slots[ARMY + spot // ALLIES_MOST, spot % ALLIES_MOST])


@kernel
def note(s: State, seat: int, what: int, whom: int) -> None:
    if s.entries < DIARY:
        s.diary[s.entries, 0] = seat
        s.diary[s.entries, 1] = what
        s.diary[s.entries, 2] = whom
        s.entries += 1


# -- while the match is played --------------------------------------------------------------------


@for_onlookers
def comes(s: State, seat: int, card: int, face_up: bool) -> None:
    """A card comes into a hand."""
    if face_up:
        s.seen[seat, card >> 6] |= bit(card & 63)
    if s.downs[seat] > 0:
        note(s, seat, CAME, class_of(s, seat, card))


@for_onlookers
def leaves_up(s: State, seat: int, card: int) -> None:
    """A card leaves a hand for all to see."""
    if s.downs[seat] > 0:
        note(s, seat, LEFT, class_of(s, seat, card))
    s.seen[seat, card >> 6] &= ~bit(card & 63)
    show_all(s, card)


@for_onlookers
def leaves_down(s: State, seat: int, slot: int) -> None:
    """A card leaves a hand unseen for its army: it may be any of those seen to come into it."""
    s.downs[seat] += 1
    note(s, seat, WENT_DOWN, spot_of(seat, slot))
    card = int(s.slots[ARMY + seat, slot])
    for row in range(ROWS):
        if row != seat:
            for w in range(WORDS):
                s.known[row, w] &= ~(s.seen[seat, w] & s.place[HAND + seat, w])
            s.known[row, card >> 6] &= ~bit(card & 63)


@kernel
def entry_of(s: State, army: int, slot: int) -> int:
    """The entry of the face-down ally that lies in a spot."""
    spot = spot_of(army, slot)
    for i in range(s.entries):
        if int(s.diary[i, 1]) == WENT_DOWN and int(s.diary[i, 2]) == spot:
            return i
    return NO_ENTRY


@for_onlookers
def turned_up(s: State, army: int, slot: int) -> None:
    """A face-down ally is turned up: now its entry in the diary is like that of any other card."""
    card = ally_at(s, spot_of(army, slot))
    show_all(s, card)
    entry = entry_of(s, army, slot)
    if entry == NO_ENTRY:
        return
    seat = int(s.diary[entry, 0])
    s.diary[entry, 1] = LEFT
    s.diary[entry, 2] = class_of(s, seat, card)
    s.seen[seat, card >> 6] &= ~bit(card & 63)
    s.downs[seat] -= 1
    if s.downs[seat] == 0:
        remember(s, seat)
        strike_out(s, seat)
    else:
        recall(s, seat)


@kernel
def recall(s: State, seat: int) -> None:
    """What was seen to come after the last card still face down is in the hand, all can tell."""
    for i in range(s.entries - 1, -1, -1):
        if int(s.diary[i, 0]) == seat:
            kind = int(s.diary[i, 2])
            if int(s.diary[i, 1]) == WENT_DOWN:
                return
            if int(s.diary[i, 1]) == CAME and kind < CARDS and is_seen(s, seat, kind):
                show_all(s, kind)


@kernel
def strike_out(s: State, seat: int) -> None:
    """Take a seat's entries out of the diary: there is nothing to tell from them any more."""
    kept = 0
    for i in range(s.entries):
        if int(s.diary[i, 0]) != seat:
            for column in range(s.diary.shape[1]):
                s.diary[kept, column] = s.diary[i, column]
            kept += 1
    s.entries = kept


@for_onlookers
def moved_down(s: State, army: int, slot: int, to_army: int, to_slot: int) -> None:
    """A face-down ally goes to another spot."""
    entry = entry_of(s, army, slot)
    if entry != NO_ENTRY:
        s.diary[entry, 2] = spot_of(to_army, to_slot)


@for_onlookers
def closed_up(s: State, army: int, slot: int) -> None:
    """An ally has left its army from this slot: those after it have moved up."""
    first = spot_of(army, slot)
    last = spot_of(army, ALLIES_MOST - 1)
    for i in range(s.entries):
        if int(s.diary[i, 1]) == WENT_DOWN and first < int(s.diary[i, 2]) <= last:
            s.diary[i, 2] -= 1


@for_onlookers
def forget_discard(s: State) -> None:
    """lords.deck_empty: the discard is shuffled, and nobody can tell its cards apart."""
    s.shuffles += 1
    for w in range(WORDS):
        cards = s.place[DISCARD, w]
        for row in range(ROWS):
            s.known[row, w] &= ~cards
        while cards != EMPTY:
            card = lowest(cards)
            cards &= ~bit(card)
            s.shuffled[64 * w + card] = s.shuffles


@kernel
def remember(s: State, seat: int) -> None:
    """Nothing of the hand lies face down: what was seen to come and not to leave is there."""
    for row in range(ROWS):
        for w in range(WORDS):
            s.known[row, w] |= s.seen[seat, w]


@for_onlookers
def close_diary(s: State) -> None:
    """lords.reveal: every face-down ally is turned up."""
    for i in range(s.entries):
        if int(s.diary[i, 1]) == WENT_DOWN:
            card = ally_at(s, int(s.diary[i, 2]))
            seat = int(s.diary[i, 0])
            s.seen[seat, card >> 6] &= ~bit(card & 63)
    s.entries = 0
    for seat in range(s.seats):
        if s.downs[seat] > 0:
            s.downs[seat] = 0
            remember(s, seat)


# -- dealing the unknown anew ---------------------------------------------------------------------
# First every hidden spot gets a class, then a card of that class. What comes out depends on what
# the viewer knows and on the generator, and on nothing else: spots are taken in an order that
# everybody can see, classes and cards in the order of their numbers.


@kernel
def is_hidden(s: State, viewer: int, card: int) -> bool:
    return (s.known[viewer, card >> 6] & bit(card & 63)) == EMPTY


@kernel
def list_spot(s: State, spots: int, card: int, kind: int) -> int:
    """Add the spot where a card lies to the list; its new length."""
    s.listed[spots] = card
    s.kinds[spots] = kind
    s.fresh[card] = spots
    return spots + 1


@kernel
def list_row(s: State, viewer: int, place: int, spots: int) -> int:
    """List the hidden cards of the deck or the recruits: of which shuffle each is, is public."""
    for slot in range(s.slots.shape[1]):
        card = int(s.slots[place, slot])
        if card >= 0 and is_hidden(s, viewer, card):
            spots = list_spot(s, spots, card, CARDS + int(s.shuffled[card]))
    return spots


@kernel
def list_downs(s: State, seat: int, viewer: int, spots: int) -> int:
    """List the hidden face-down allies that came from a hand, in the order they were played."""
    for i in range(s.entries):
        if int(s.diary[i, 0]) == seat and int(s.diary[i, 1]) == WENT_DOWN:
            card = ally_at(s, int(s.diary[i, 2]))
            if is_hidden(s, viewer, card):
                spots = list_spot(s, spots, card, class_of(s, seat, card))
    return spots


@kernel
def list_hand(s: State, seat: int, viewer: int, spots: int) -> int:
    """List the hidden cards of a hand."""
    for w in range(WORDS):
        rest = s.place[HAND + seat, w] & ~s.known[viewer, w]
        while rest != EMPTY:
            card = lowest(rest)
            rest &= ~bit(card)
            spots = list_spot(s, spots, 64 * w + card, class_of(s, seat, 64 * w + card))
    return spots


@kernel
def kind_at(s: State, seat: int, card: int) -> int:
    """The class that the spot of a card has got; a card in no listed spot has its own."""
    spot = int(s.fresh[card])
    if spot >= 0:
        return int(s.kinds[spot])
    return class_of(s, seat, card)


@kernel
def in_hand(s: State, seat: int, kind: int) -> int:
    """How many cards of a class the hand would hold."""
    total = 0
    for w in range(WORDS):
        rest = s.place[HAND + seat, w]
        while rest != EMPTY:
            card = lowest(rest)
            rest &= ~bit(card)
            if kind_at(s, seat, 64 * w + card) == kind:
                total += 1
    return total


@kernel
def could_be(s: State, seat: int) -> bool:
    """Whether the diary allows the classes: read backwards, a card that came was there."""
    for i in range(s.entries):
        if int(s.diary[i, 0]) == seat and int(s.diary[i, 1]) == CAME:
            kind = int(s.diary[i, 2])
            there = in_hand(s, seat, kind)
            for j in range(s.entries - 1, i, -1):
                if int(s.diary[j, 0]) == seat:
                    what = int(s.diary[j, 1])
                    whom = int(s.diary[j, 2])
                    if what == WENT_DOWN:
                        whom = kind_at(s, seat, ally_at(s, whom))
                    if whom == kind:
                        there += -1 if what == CAME else 1
            if there <= 0:
                return False
    return True


@kernel
def sort_kinds(s: State, first: int, spots: int) -> None:
    for i in range(first + 1, spots):
        kind = s.kinds[i]
        j = i
        while j > first and s.kinds[j - 1] > kind:
            s.kinds[j] = s.kinds[j - 1]
            j -= 1
        s.kinds[j] = kind


@kernel
def mix_kinds(s: State, first: int, spots: int, rng: Any) -> None:
    for i in range(spots - 1, first, -1):
        j = first + fast_below(rng, i - first + 1)
        held = s.kinds[i]
        s.kinds[i] = s.kinds[j]
        s.kinds[j] = held


@kernel
def list_cards_of(s: State, seat: int, viewer: int, spots: int, rng: Any) -> int:
    """List a hand and its face-down allies: any of these cards may have been played face down."""
    downs = list_downs(s, seat, viewer, spots)
    last = list_hand(s, seat, viewer, downs)
    sort_kinds(s, spots, last)
    if downs > spots:
        mix_kinds(s, spots, last, rng)
        while not could_be(s, seat):
            mix_kinds(s, spots, last, rng)
    return last


@kernel
def is_seen_somewhere(s: State, card: int) -> bool:
    found = EMPTY
    for seat in range(s.seats):
        found |= s.seen[seat, card >> 6] & bit(card & 63)
    return found != EMPTY


@kernel
def fill_pool(s: State, viewer: int, shuffle: int) -> int:
    """Gather the hidden cards of one shuffle, but for those seen; how many there are."""
    cards = 0
    for card in range(CARDS):
        if (
            int(s.shuffled[card]) == shuffle
            and is_hidden(s, viewer, card)
            and not is_seen_somewhere(s, card)
        ):
            s.pool[cards] = card
            cards += 1
    return cards


@kernel
def choose_cards(s: State, viewer: int, spots: int, rng: Any) -> None:
    """Choose a card of the right class for every listed spot."""
    for card in range(CARDS):
        s.fresh[card] = card
    for i in range(spots):
        if int(s.kinds[i]) < CARDS:
            s.fresh[int(s.listed[i])] = s.kinds[i]
    for shuffle in range(s.shuffles + 1):
        cards = fill_pool(s, viewer, shuffle)
        for i in range(spots):
            if int(s.kinds[i]) == CARDS + shuffle and cards > 0:
                n = fast_below(rng, cards)
                s.fresh[int(s.listed[i])] = s.pool[n]
                cards -= 1
                s.pool[n] = s.pool[cards]


@kernel
def exchange(s: State) -> None:
    """Put the fresh cards down; knowledge stays with the spot."""
    for w in range(WORDS):
        for row in range(ROWS):
            s.scratch[row, w] = EMPTY
    for card in range(CARDS):
        fresh = int(s.fresh[card])
        rows = knowers(s, card)
        for row in range(ROWS):
            if rows >> row & 1:
                s.scratch[row, fresh >> 6] |= bit(fresh & 63)
    for w in range(WORDS):
        for row in range(ROWS):
            s.known[row, w] = s.scratch[row, w]
    for place in range(DECK, DISCARD):
        renew(s, s.place[place])
        for slot in range(CARDS):
            card = int(s.slots[place, slot])
            if card >= 0:
                s.slots[place, slot] = s.fresh[card]
            elif place != RECRUITS:
                break
    for seat in range(s.seats):
        renew(s, s.place[HAND + seat])


@kernel
def renew(s: State, cards: Any) -> None:
    """Replace each card of a set."""
    low = EMPTY
    high = EMPTY
    for w in range(WORDS):
        rest = cards[w]
        while rest != EMPTY:
            card = lowest(rest)
            rest &= ~bit(card)
            fresh = int(s.fresh[64 * w + card])
            if fresh < 64:
                low |= bit(fresh)
            else:
                high |= bit(fresh & 63)
    cards[0] = low
    cards[1] = high


@kernel
def resample(s: State, seat: int, rng: Any) -> None:
    """Deal anew every card whose place the seat (or the public) does not know.

    Every placement that fits what is public is as likely as any other.
    """
    for card in range(CARDS):
        s.fresh[card] = NOT_LISTED
    spots = list_row(s, seat, DECK, 0)
    spots = list_row(s, seat, RECRUITS, spots)
    for owner in range(s.seats):
        spots = list_cards_of(s, owner, seat, spots, rng)
    choose_cards(s, seat, spots, rng)
    exchange(s)
    for card in range(CARDS):
        s.listed[card] = 0
        s.kinds[card] = 0
        s.fresh[card] = 0
        s.pool[card] = 0
