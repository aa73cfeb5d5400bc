"""Whether a position of Lords of Scotland can be: what kernels rely on, and what seats may know."""

from __future__ import annotations

import numpy as np

from tanistry.games.lords.cards import (
    ARMY,
    ASIDE,
    BRUCE,
    BRUCE_CARDS,
    CARDS,
    CARRIED_MOST,
    CLAIM,
    CLAIMS_TWO,
    CLAN_OF,
    COCHRANE,
    COCKBURN,
    COPY,
    DECISIONS,
    DECK,
    DISCARD,
    DISCARD_ALLY,
    EDITION_2010,
    ENGAGE,
    FERGUSSON,
    FLIP,
    HAND,
    HAND_MOST,
    MACDONNELL,
    MAKGILL,
    MOST_SEATS,
    OF_CLAN,
    POWER,
    RECRUITS,
    ROUNDS,
    SCOTT,
    SLOTS,
    STAYS_ON,
    SUPPORTERS,
    SWAP_ALLY,
    SWAP_SUPPORTER,
    TURN,
    VICTORY,
    WEMYSS,
    WENT_DOWN,
    WILD,
    WORDS,
    State,
)
from tanistry.games.lords.memory import NOT_LISTED, ally_at, could_be, is_seen
from tanistry.games.lords.powers import has_effect, is_up, qualifies
from tanistry.games.lords.skirmish import target_reached
from tanistry.games.lords.supply import can_draw
from tanistry.games.lords.told import (
    ARMY_EARLY,
    ARMY_LARGE,
    ARMY_STAYS,
    CLAIM_EARLY,
    MANY_SUPPORTERS,
    MARKED_DOWN,
    NO_ACTOR,
    NO_FLIP,
    NO_POWER,
    NO_SUPPORTERS,
    NO_TURN,
    NOT_OVER,
    NOT_REVEALED,
    PAST_TARGET,
    SEEN_NOWHERE,
    UNSEEN,
    WRONG_ACTIVE,
    WRONG_ACTOR,
    WRONG_ASIDE,
    WRONG_HISTORY,
    WRONG_SPENT,
)
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, bit
from tanistry.table.cards import (
    BY_ALL,
    BY_NOBODY,
    BY_OWNER,
    ILLEGAL,
    count,
    has,
    is_empty,
    knowers,
    tell,
    top,
)

PUBLIC = MOST_SEATS
"""The row of knowledge of the public."""
EVERYBODY = (1 << PUBLIC + 1) - 1
NO_CLAN = -1

_POWERS = {
    ENGAGE: MAKGILL,
    SWAP_SUPPORTER: COCKBURN,
    SWAP_ALLY: FERGUSSON,
    DISCARD_ALLY: WEMYSS,
    COPY: SCOTT,
}
POWER_BEHIND = np.array([_POWERS.get(n, NO_CLAN) for n in range(len(DECISIONS))], np.int64)
"""By decision: the clan with the power that it comes of."""
END_CLANS = np.zeros(3, np.int64)
END_CLANS[[WILD, CLAIMS_TWO, STAYS_ON]] = BRUCE, COCHRANE, MACDONNELL
"""By row of `active`: the clan with that end power."""


@kernel
def check(s: State) -> None:
    """Tell what cannot be; what is seen in hands is completed on the way."""
    check_cards(s)
    for seat in range(s.seats):
        for slot in range(count(s, ARMY + seat)):
            check_marks(s, int(s.slots[ARMY + seat, slot]))
    check_knowledge(s)
    check_memory(s)
    if s.to_act < 0:
        check_over(s)
    elif is_empty(s, SUPPORTERS):
        tell(s, NO_SUPPORTERS, ILLEGAL)
    elif s.decision == CLAIM:
        check_claim(s)
    else:
        check_skirmish(s)


# -- cards, and how they lie ----------------------------------------------------------------------


@kernel
def check_cards(s: State) -> None:
    """lords.setup: Bruce is in play or aside, and there are no more supporters than seats."""
    for w in range(WORDS):
        aside = EMPTY if s.bruce != 0 else BRUCE_CARDS[w]
        if s.place[ASIDE, w] != aside:
            tell(s, WRONG_ASIDE, ILLEGAL)
    supporters = count(s, SUPPORTERS)
    if supporters > s.seats:
        tell(s, MANY_SUPPORTERS, ILLEGAL, supporters, s.seats)


@kernel
def active_power(s: State, card: int) -> int:
    """The row of `active` that an ally is in, −1 if in none."""
    for row in range(s.active.shape[0]):
        if (s.active[row, card >> 6] & bit(card & 63)) != EMPTY:
            return row
    return NO_CLAN


@kernel
def is_spent(s: State, card: int) -> bool:
    return (s.spent[card >> 6] & bit(card & 63)) != EMPTY


@kernel
def check_marks(s: State, card: int) -> None:
    """Face-down allies have no flags; an active power is the card's own or copied by a Scott."""
    power = active_power(s, card)
    spent = is_spent(s, card)
    clan = CLAN_OF[card]
    if (power >= 0 or spent) and not is_up(s, card):
        tell(s, MARKED_DOWN, ILLEGAL, card)
    elif power >= 0 and (spent or (clan != SCOTT and clan != END_CLANS[power])):
        tell(s, WRONG_ACTIVE, ILLEGAL, card, power)
    elif spent and clan != SCOTT and clan != MACDONNELL:
        tell(s, WRONG_SPENT, ILLEGAL, card)


# -- who may know what ----------------------------------------------------------------------------


@kernel
def seen_by(s: State, place: int, card: int) -> int:
    """Face-up cards are seen by all; a face-down ally by its army, a face-down recruit by none."""
    if place == DECK:
        return BY_NOBODY
    if place == RECRUITS:
        for slot in range(SLOTS):
            if int(s.slots[RECRUITS, slot]) == card and s.recruits_up >> slot & 1:
                return BY_ALL
        return BY_NOBODY
    if ARMY <= place < DISCARD and not is_up(s, card):
        return BY_OWNER
    return BY_OWNER if HAND <= place < VICTORY else BY_ALL


@kernel
def can_be_known(s: State, place: int, card: int) -> bool:
    """Whether those who know a card see it there, or may have seen it come there."""
    rows = knowers(s, card)
    if seen_by(s, place, card) == BY_ALL:
        return True
    if ARMY <= place < DISCARD:  # lords.fergusson: also former owners, but not the public
        return rows >> PUBLIC & 1 == 0
    if HAND <= place < VICTORY:  # its owner, or all who saw it taken
        return rows == EVERYBODY or rows & ~(1 << place - HAND) == 0
    return rows == 0


@kernel
def check_knowledge(s: State) -> None:
    for place in range(s.place.shape[0]):
        for card in range(CARDS):
            if has(s, place, card) and not can_be_known(s, place, card):
                tell(s, UNSEEN, ILLEGAL, card, place)


@kernel
def played_down_by(s: State, seat: int, card: int) -> bool:
    """Whether a card is a face-down ally that came from a seat's hand."""
    for i in range(s.entries):
        went_down = int(s.diary[i, 0]) == seat and int(s.diary[i, 1]) == WENT_DOWN
        if went_down and ally_at(s, int(s.diary[i, 2])) == card:
            return True
    return False


@kernel
def check_memory(s: State) -> None:
    """Seen cards are in the hand or face down from it, and the history is possible."""
    for card in range(CARDS):
        s.fresh[card] = NOT_LISTED
    for seat in range(s.seats):
        for w in range(WORDS):
            s.seen[seat, w] |= s.place[HAND + seat, w] & s.known[PUBLIC, w]
        for card in range(CARDS):
            there = has(s, HAND + seat, card) or played_down_by(s, seat, card)
            if is_seen(s, seat, card) and not there:
                tell(s, SEEN_NOWHERE, ILLEGAL, card, seat)
        if not could_be(s, seat):
            tell(s, WRONG_HISTORY, ILLEGAL, seat)
    for card in range(CARDS):
        s.fresh[card] = 0


# -- the end of a skirmish and of the match -------------------------------------------------------


@kernel
def check_revealed(s: State) -> None:
    """lords.reveal"""
    for seat in range(s.seats):
        if s.downs[seat] > 0:
            tell(s, NOT_REVEALED, ILLEGAL)


@kernel
def check_over(s: State) -> None:
    """lords.end, or lords.deck_empty"""
    left = can_draw(s) or not is_empty(s, SUPPORTERS)
    if left and not target_reached(s):
        tell(s, NOT_OVER, ILLEGAL, s.target)
    check_revealed(s)


@kernel
def check_claim(s: State) -> None:
    if s.round_number != ROUNDS:
        tell(s, CLAIM_EARLY, ILLEGAL)
    check_revealed(s)


# -- during a skirmish ----------------------------------------------------------------------------


@kernel
def check_skirmish(s: State) -> None:
    if target_reached(s):
        tell(s, PAST_TARGET, ILLEGAL, s.target)
    begun = 0
    for seat in range(s.seats):
        begun += turns_of(s, seat)
    for seat in range(s.seats):
        check_army(s, seat, begun > 0)
    seat = int(s.to_act)
    if s.decision == FLIP:
        check_flip(s, seat)
    elif s.decision == TURN:
        if is_empty(s, RECRUITS) and is_empty(s, HAND + seat):
            tell(s, NO_TURN, ILLEGAL, seat)
    else:
        check_actor(s, seat, top(s, ARMY + seat))


@kernel
def turns_of(s: State, seat: int) -> int:
    """How many turns a seat has had in this skirmish, one that has begun to act included."""
    place = (seat - s.initiative) % s.seats
    now = (s.to_act - s.initiative) % s.seats
    acting = s.decision != FLIP and s.decision != TURN
    had = place < now or (place == now and acting)
    return int(s.round_number) - 1 + (1 if had else 0)


@kernel
def check_army(s: State, seat: int, begun: bool) -> None:
    """No army is larger than the turns so far can have made it (see ALLIES_MOST)."""
    turns = turns_of(s, seat)
    army, hand = count(s, ARMY + seat), count(s, HAND + seat)
    fresh, staying = 0, 0
    for slot in range(army):
        card = int(s.slots[ARMY + seat, slot])
        fresh += 0 if is_spent(s, card) else 1
        staying += 1 if active_power(s, card) == STAYS_ON else 0
    room = CARRIED_MOST + (HAND_MOST + turns - 1 if turns > 0 else 0)
    if fresh > 0 and not begun:
        tell(s, ARMY_EARLY, ILLEGAL, seat)
    if army > room or army + hand > CARRIED_MOST + HAND_MOST + turns:
        tell(s, ARMY_LARGE, ILLEGAL, seat, army, hand, turns)
    if staying > turns:
        tell(s, ARMY_STAYS, ILLEGAL, seat, turns)


@kernel
def check_flip(s: State, seat: int) -> None:
    """lords.flip, as the 2010 edition has it."""
    down = 0
    for slot in range(SLOTS):
        if int(s.slots[RECRUITS, slot]) >= 0 and s.recruits_up >> slot & 1 == 0:
            down += 1
    if s.edition != EDITION_2010 or seat != s.initiative or down == 0:
        tell(s, NO_FLIP, ILLEGAL, seat)


@kernel
def check_actor(s: State, seat: int, card: int) -> None:
    """Whether the last ally can have led to this decision, by its own power or a copied one."""
    if card < 0 or not is_up(s, card) or is_spent(s, card) or active_power(s, card) >= 0:
        tell(s, NO_ACTOR, ILLEGAL, seat)
        return
    clan = int(CLAN_OF[card])
    power = clan if s.decision == POWER else int(POWER_BEHIND[s.decision])
    others = EMPTY  # face-up allies of that clan, to copy
    for w in range(WORDS):
        others |= s.up[w] & OF_CLAN[power, w]
    if clan != power and (clan != SCOTT or others == EMPTY):
        tell(s, WRONG_ACTOR, ILLEGAL, card)
    if not has_effect(s, seat, power) or not qualifies(s, card):
        tell(s, NO_POWER, ILLEGAL, card)
