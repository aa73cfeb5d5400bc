"""A light way to play Lords of Scotland: engage what makes the army stronger, recruit for more.

For the greedy bot, and for choices in simulated play. It looks at the table, its own hand, and the
face-down allies it knows; any other face-down ally it takes for an average one.
"""

from __future__ import annotations

from tanistry.games.lords.cards import (
    ALLIES_MOST,
    ARMY,
    CLAN_OF,
    DO_CLAIM,
    DO_COPY,
    DO_DISCARD,
    DO_DOWN,
    DO_FLIP,
    DO_RECRUIT,
    DO_SWAP,
    DO_TAKE,
    DO_UP,
    HAND,
    OF_CLAN,
    RECRUITS,
    ROUNDS,
    SKIP,
    STRENGTH_OF,
    USE,
    WORDS,
    State,
)
from tanistry.games.lords.powers import qualifies
from tanistry.kernel import kernel
from tanistry.table.bits import popcount
from tanistry.table.cards import count, knows
from tanistry.table.record import Ints, Words

GUIDED = 80
WIDENING = 0.5
BUDGETS = {5: 400}

OWN_STRENGTH, RIVAL_STRENGTH = range(2)
"""Places in the notes: of the seat's own army, and of the strongest other one."""

UNSEEN_STRENGTH = 6
"""What a card is taken for that the seat does not know."""
POWER_WORTH = 6
KIN_WORTH = 3
"""What each card of its clan in hand and army adds to a recruit."""
GOOD_HAND = 4
"""With fewer cards in hand recruiting comes first while there is time."""


@kernel
def apparent(s: State, card: int, seat: int) -> int:
    """The strength of a card as far as the seat knows it."""
    return int(STRENGTH_OF[card]) if knows(s, card, seat) else UNSEEN_STRENGTH


@kernel
def army_strength(s: State, army: int, seat: int, extra: int) -> int:
    """The strength of an army as a seat sees it, with an extra card (−1: none)."""
    total = 0
    clan = -1
    alike = True
    cards = count(s, ARMY + army)
    for i in range(cards):
        card = int(s.slots[ARMY + army, i])
        total += apparent(s, card, seat)
        if not knows(s, card, seat) or (clan >= 0 and CLAN_OF[card] != clan):
            alike = False
        clan = int(CLAN_OF[card])
    if extra >= 0:
        total += int(STRENGTH_OF[extra])
        alike = alike and (clan < 0 or CLAN_OF[extra] == clan)
        cards += 1
    return 2 * total if alike and cards > 1 else total


@kernel
def strongest_rival(s: State, seat: int) -> int:
    best = 0
    for other in range(s.seats):
        if other != seat:
            best = max(best, army_strength(s, other, seat, -1))
    return best


@kernel
def kin(s: State, seat: int, clan: int) -> int:
    """Cards of a clan in the seat's hand and army."""
    found = 0
    for w in range(WORDS):
        held = s.place[HAND + seat, w] | (s.place[ARMY + seat, w] & s.known[seat, w])
        found += popcount(held & OF_CLAN[clan, w])
    return found


@kernel
def prepare(s: State, seat: int, notes: Ints, rng: Words) -> None:
    notes[OWN_STRENGTH] = army_strength(s, seat, seat, -1)
    notes[RIVAL_STRENGTH] = strongest_rival(s, seat)


@kernel
def appeal_to_engage(s: State, card: int, face_up: bool, seat: int, notes: Ints) -> int:
    """What a card adds to the army; a power it may use counts too."""
    before = int(notes[OWN_STRENGTH])
    gain = 2 * (army_strength(s, seat, seat, card) - before)
    rounds_left = ROUNDS - int(s.round_number)
    if before > notes[RIVAL_STRENGTH] + 8 * rounds_left:
        gain -= 20  # it is won already: keep the card
    powerful = qualifies(s, card)
    if face_up:
        return gain + (POWER_WORTH if powerful else -2)
    return gain - (2 if powerful else 0)


@kernel
def appeal_to_recruit(s: State, slot: int, seat: int) -> int:
    card = int(s.slots[RECRUITS, slot])
    value = apparent(s, card, seat)
    if knows(s, card, seat):
        value += KIN_WORTH * kin(s, seat, int(CLAN_OF[card]))
    held = count(s, HAND + seat)
    if held < GOOD_HAND and s.round_number < ROUNDS:
        value += 4 * (GOOD_HAND - held)
    if s.round_number >= ROUNDS - 1:
        value -= 6
    return value


@kernel
def appeal_of_ally(s: State, spot: int, seat: int) -> int:
    """To take or strike an ally: of the strongest other army, its strongest card."""
    army = spot // ALLIES_MOST
    ally = int(s.slots[ARMY + army, spot % ALLIES_MOST])
    value = apparent(s, ally, seat)
    if army == seat:
        return -value
    return value + army_strength(s, army, seat, -1)


@kernel
def appeal(s: State, action: int, seat: int, notes: Ints) -> int:
    if action < DO_FLIP:
        return appeal_to_recruit(s, action - DO_RECRUIT, seat)
    if action < USE:
        return 0  # flip
    if action < DO_UP:
        return 0 if action == SKIP else 1
    if action < DO_DOWN:
        return appeal_to_engage(s, action - DO_UP, True, seat, notes)
    if action < DO_TAKE:
        return appeal_to_engage(s, action - DO_DOWN, False, seat, notes)
    if action < DO_CLAIM:
        return int(STRENGTH_OF[action - DO_TAKE])
    if action < DO_SWAP:
        return int(STRENGTH_OF[action - DO_CLAIM])
    if action < DO_COPY:
        return appeal_of_ally(s, action - DO_SWAP, seat)
    if action < DO_DISCARD:
        return 0
    return appeal_of_ally(s, action - DO_DISCARD, seat)
