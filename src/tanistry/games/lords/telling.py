"""What the rules of Lords of Scotland tell beside events: why not, how it stands.

What a position says of the past is in `recall.py`, whether it can be in `checks.py`.
"""

from __future__ import annotations

from tanistry.games.lords.cards import (
    ALLIES_MOST,
    ARMY,
    CLAIM,
    CLAN_OF,
    COPY,
    DO_CLAIM,
    DO_COPY,
    DO_DISCARD,
    DO_DOWN,
    DO_FLIP,
    DO_RECRUIT,
    DO_SWAP,
    DO_TAKE,
    DO_UP,
    FERGUSSON_RULE,
    FLIP_RULE,
    HAND,
    HAND_MOST,
    MOST_SEATS,
    NO_EFFECT_RULE,
    RANK_OF,
    RECRUIT_RULE,
    RECRUITS,
    SCOTT,
    SCOTT_RULE,
    STAYS_ON,
    STRENGTH_OF,
    SUPPORTERS,
    SWAP_ALLY,
    USE,
    WEMYSS_RULE,
    WILD,
    WORDS,
    State,
)
from tanistry.games.lords.checks import active_power, check, is_spent, seen_by
from tanistry.games.lords.memory import ally_at
from tanistry.games.lords.powers import is_up, may_use
from tanistry.games.lords.recall import facts, restore
from tanistry.games.lords.skirmish import RANKS, allowance, is_doubled, points
from tanistry.games.lords.told import (
    BY_RANK,
    BY_STRENGTH,
    FACE_UP_ALREADY,
    FACTS,
    FLAGS,
    HAND_FULL,
    ITSELF,
    LIES_DOWN,
    NO_ALLY,
    NO_EFFECT,
    NO_RECRUIT,
    NO_SCOTT,
    NO_SUPPORTER,
    NOT_HELD,
    OWN_ARMY,
    PROBLEMS,
    REFUSALS,
    TALLY,
)
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, bit, lowest
from tanistry.table.cards import ILLEGAL, NOBODY, count, is_empty, knows, lift, pop, push, put, tell
from tanistry.table.notes import Notes, add, begin_list, note

__all__ = [
    "FACTS", "FLAGS", "PROBLEMS", "REFUSALS", "TALLY",
    "check", "facts", "refuse", "restore", "seen_by", "tally",
]  # fmt: skip

NOTHING = -1

# -- why not --------------------------------------------------------------------------------------


@kernel
def refuse(s: State, action: int) -> None:
    """The most specific rule that an action breaks."""
    if action < DO_FLIP:
        refuse_recruit(s, action - DO_RECRUIT)
    elif action < USE:
        refuse_flip(s, action - DO_FLIP)
    elif action < DO_TAKE:
        tell(s, NOT_HELD, ILLEGAL, action - DO_UP if action < DO_DOWN else action - DO_DOWN)
    elif action < DO_SWAP:
        tell(s, NO_SUPPORTER, ILLEGAL, action - (DO_TAKE if action < DO_CLAIM else DO_CLAIM))
    elif action < DO_COPY:
        refuse_ally(s, action - DO_SWAP)
    else:
        refuse_ally(s, action - (DO_COPY if action < DO_DISCARD else DO_DISCARD))


@kernel
def refuse_recruit(s: State, slot: int) -> None:
    if count(s, HAND + s.to_act) >= HAND_MOST:
        tell(s, HAND_FULL, RECRUIT_RULE, HAND_MOST)
    else:
        tell(s, NO_RECRUIT, ILLEGAL, slot)


@kernel
def refuse_flip(s: State, slot: int) -> None:
    if int(s.slots[RECRUITS, slot]) >= 0:
        tell(s, FACE_UP_ALREADY, FLIP_RULE, slot)
    else:
        tell(s, NO_RECRUIT, ILLEGAL, slot)


@kernel
def refuse_ally(s: State, spot: int) -> None:
    """lords.fergusson, lords.wemyss, lords.scott: which allies cannot be chosen."""
    army, slot = spot // ALLIES_MOST, spot % ALLIES_MOST
    ally = ally_at(s, spot)
    itself = army == s.to_act and slot + 1 == count(s, ARMY + army)
    if ally < 0:
        tell(s, NO_ALLY, ILLEGAL, army, slot)
    elif s.decision == SWAP_ALLY:
        tell(s, OWN_ARMY, FERGUSSON_RULE)
    elif s.decision != COPY:
        tell(s, ITSELF, WEMYSS_RULE)
    elif itself:
        tell(s, ITSELF, SCOTT_RULE)
    elif not is_up(s, ally):
        tell(s, LIES_DOWN, SCOTT_RULE, army, slot)
    elif CLAN_OF[ally] == SCOTT:
        tell(s, NO_SCOTT, SCOTT_RULE, ally)
    else:
        tell(s, NO_EFFECT, NO_EFFECT_RULE, ally)


# -- how the match stands -------------------------------------------------------------------------
# A seat (or a spectator) is a row of `known`: only cards that this row holds are looked at.


@kernel
def known_strength(s: State, army: int, row: int) -> int:
    """lords.strength of the allies that are known; doubled only if all of them are."""
    total = 0
    for slot in range(count(s, ARMY + army)):
        card = int(s.slots[ARMY + army, slot])
        if knows(s, card, row):
            total += int(STRENGTH_OF[card])
    return 2 * total if surely_doubled(s, army, row) else total


@kernel
def hidden_allies(s: State, army: int, row: int) -> int:
    hidden = 0
    for slot in range(count(s, ARMY + army)):
        if not knows(s, int(s.slots[ARMY + army, slot]), row):
            hidden += 1
    return hidden


@kernel
def surely_doubled(s: State, army: int, row: int) -> bool:
    return hidden_allies(s, army, row) == 0 and is_doubled(s, army)


@kernel
def known_clan(s: State, army: int, row: int) -> int:
    """The clan of all known allies but those that count as any (lords.bruce); −1: none or more."""
    clan = NOTHING
    for slot in range(count(s, ARMY + army)):
        card = int(s.slots[ARMY + army, slot])
        wild = (s.active[WILD, card >> 6] & bit(card & 63)) != EMPTY
        if knows(s, card, row) and not wild:
            if clan != NOTHING and CLAN_OF[card] != clan:
                return NOTHING
            clan = int(CLAN_OF[card])
    return clan


@kernel
def known_rank(s: State, army: int, row: int) -> int:
    """The highest rank among the known allies, −1 if there is none."""
    best = NOTHING
    for slot in range(count(s, ARMY + army)):
        card = int(s.slots[ARMY + army, slot])
        if knows(s, card, row):
            best = max(best, int(RANK_OF[card]))
    return best


@kernel
def known_might(s: State, army: int, row: int) -> int:
    """lords.order as one number, as far as it is known; 0 if no ally is."""
    return known_strength(s, army, row) * RANKS + max(known_rank(s, army, row), 0)


@kernel
def tally(s: State, seat: int, notes: Notes) -> None:
    """Points, armies, their order, claims, powers; strengths as far as the seat knows the cards."""
    note(notes, 1)
    for n in range(s.seats):
        note(notes, points(s, n))
    note(notes, 1)
    for n in range(s.seats):
        note_army(s, n, seat, notes)
    note(notes, 1)
    note_order(s, seat, notes)
    note_claims(s, notes)
    note(notes, 1)
    note_powers(s, notes)
    note_usable(s, seat, notes)


@kernel
def note_army(s: State, army: int, row: int, notes: Notes) -> None:
    note(notes, known_strength(s, army, row))
    note(notes, hidden_allies(s, army, row))
    note(notes, 1 if surely_doubled(s, army, row) else 0)
    note(notes, known_clan(s, army, row))
    note(notes, known_rank(s, army, row))
    note(notes, 0 if is_empty(s, ARMY + army) else allowance(s, army))


@kernel
def strongest(s: State, row: int, listed: int) -> int:
    """The strongest army that is not listed yet (as bits); of those alike the first seat's."""
    best, most = NOBODY, NOTHING
    for army in range(s.seats):
        might = known_might(s, army, row)
        if listed >> army & 1 == 0 and not is_empty(s, ARMY + army) and might > most:
            best, most = army, might
    return best


@kernel
def ahead_by(s: State, army: int, other: int, row: int) -> int:
    """What puts an army ahead of the next one, −1 if that is not known or there is none."""
    if other == NOBODY or known_might(s, army, row) == known_might(s, other, row):
        return NOTHING
    if known_strength(s, army, row) == known_strength(s, other, row):
        return BY_RANK
    return BY_STRENGTH


@kernel
def note_order(s: State, row: int, notes: Notes) -> None:
    """lords.order"""
    armies = begin_list(notes)
    army = strongest(s, row, 0)
    listed = 0
    while army != NOBODY:
        listed |= 1 << army
        following = strongest(s, row, listed)
        add(notes, armies, army)
        note(notes, ahead_by(s, army, following, row))
        army = following


@kernel
def claims_left(s: State, seat: int) -> int:
    """lords.claim, lords.none_left: what a seat will still get to claim."""
    left = count(s, SUPPORTERS)
    for place in range(s.claimant, s.seats):
        if s.order[place] == NOBODY:
            return 0
        claims = int(s.claims) if place == s.claimant else allowance(s, int(s.order[place]))
        if s.order[place] == seat:
            return min(claims, left)
        left -= min(claims, left)
    return 0


@kernel
def note_claims(s: State, notes: Notes) -> None:
    if s.to_act < 0 or s.decision != CLAIM:
        note(notes, 0)
        return
    note(notes, 1)
    for seat in range(s.seats):
        note(notes, claims_left(s, seat))


@kernel
def note_powers(s: State, notes: Notes) -> None:
    """lords.end_powers: active ones, and those of allies that stayed; all of them lie face up."""
    powers = begin_list(notes)
    for place in range(ARMY, ARMY + s.seats):
        for slot in range(count(s, place)):
            card = int(s.slots[place, slot])
            power, spent = active_power(s, card), is_spent(s, card)
            if power >= 0 or spent:
                add(notes, powers, place)
                note(notes, slot)
                note(notes, card)
                note(notes, STAYS_ON if spent else power)
                note(notes, 1 if CLAN_OF[card] == SCOTT else 0)
                note(notes, 1 if spent else 0)


@kernel
def note_usable(s: State, seat: int, notes: Notes) -> None:
    """lords.activate, for each card of the seat's own hand; spectators have none."""
    if seat == MOST_SEATS or s.to_act < 0 or s.decision == CLAIM:
        note(notes, 0)
        return
    note(notes, 1)
    cards = begin_list(notes)
    for w in range(WORDS):
        rest = s.place[HAND + seat, w]
        while rest != EMPTY:
            card = lowest(rest)
            rest &= ~bit(card)
            if could_use(s, seat, 64 * w + card):
                add(notes, cards, 64 * w + card)


@kernel
def could_use(s: State, seat: int, card: int) -> bool:
    """Whether a card's power could be used, were it engaged now: lay it down and take it back."""
    lift(s, HAND + seat, card)
    push(s, ARMY + seat, card)
    usable = may_use(s, seat, card)
    pop(s, ARMY + seat)
    put(s, HAND + seat, card)
    return usable
