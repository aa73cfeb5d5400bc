"""The powers of the clans: when they may be used, and what they do. Rules of Lords of Scotland.

The card that acts is always the last ally of the army of the seat to act: it has just been played.
"""

from __future__ import annotations

from tanistry.games.lords.cards import (
    ARMY,
    AUTO,
    BRUCE,
    BY_CLAN,
    CLAIMS_TWO,
    CLAN_FROM,
    CLAN_OF,
    COCHRANE,
    COCKBURN,
    COCKBURN_RULE,
    COPIED,
    COPY,
    DECK,
    DISCARD,
    DISCARD_ALLY,
    ENGAGE,
    FERGUSSON,
    FERGUSSON_RULE,
    FORSYTH,
    FORSYTH_RULE,
    HAND,
    LOWER,
    LOWER_OF_CLAN,
    MACDONNELL,
    MAKGILL,
    OF_CLAN,
    POWER_USED,
    RULE_OF_POWER,
    SCOTT,
    SCOTT_RULE,
    STAYS_ON,
    SUPPORTERS,
    SWAP_ALLY,
    SWAP_SUPPORTER,
    WEMYSS,
    WEMYSS_RULE,
    WILD,
    WORDS,
    State,
)
from tanistry.games.lords.memory import closed_up, comes, moved_down, turned_up
from tanistry.games.lords.supply import NO_CARD, can_draw, draw
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, bit
from tanistry.table.cards import (
    count,
    is_empty,
    lift,
    pop,
    pull,
    push,
    put,
    show,
    tell,
    tell_move,
    top,
)


@kernel
def is_up(s: State, card: int) -> bool:
    """Whether an ally lies face up."""
    return (s.up[card >> 6] & bit(card & 63)) != EMPTY


@kernel
def by_clan(s: State) -> bool:
    """Which activation is played: lords.by_clan, or lords.lowest."""
    return s.activation == BY_CLAN or (s.activation == AUTO and s.seats >= CLAN_FROM)


@kernel
def qualifies(s: State, card: int) -> bool:
    """lords.lowest, lords.by_clan: no other face-up ally stands against the card's power."""
    against = EMPTY
    if by_clan(s):
        for w in range(WORDS):
            against |= s.up[w] & LOWER_OF_CLAN[card, w]
    else:
        for w in range(WORDS):
            against |= s.up[w] & LOWER[card, w]
    return against == EMPTY


@kernel
def powers_with_effect(s: State, seat: int) -> int:
    """lords.no_effect: the clans, as bits, with a power for a card that lies in the seat's army.

    Of Scott's power see `has_effect`.
    """
    others = EMPTY
    for army in range(s.seats):
        if army != seat:
            others |= s.place[ARMY + army, 0] | s.place[ARMY + army, 1]
    powers = 1 << BRUCE | 1 << COCHRANE | 1 << MACDONNELL  # lords.end_powers
    if not is_empty(s, SUPPORTERS):
        powers |= 1 << COCKBURN
    if others != EMPTY:
        powers |= 1 << FERGUSSON
    if can_draw(s):
        powers |= 1 << FORSYTH
    if not is_empty(s, HAND + seat):
        powers |= 1 << MAKGILL
    if others != EMPTY or count(s, ARMY + seat) > 1:
        powers |= 1 << WEMYSS
    return powers


@kernel
def has_effect(s: State, seat: int, power: int) -> bool:
    """lords.no_effect; lords.scott: a face-up ally has a power that would do something."""
    powers = powers_with_effect(s, seat)
    if power != SCOTT:
        return powers >> power & 1 == 1
    found = EMPTY
    for clan in range(OF_CLAN.shape[0]):
        if powers >> clan & 1:
            for w in range(WORDS):
                found |= s.up[w] & OF_CLAN[clan, w]
    return found != EMPTY


@kernel
def may_use(s: State, seat: int, card: int) -> bool:
    """lords.activate: whether the card just played face up leads to a `power` decision."""
    return qualifies(s, card) and has_effect(s, seat, int(CLAN_OF[card]))


# -- using a power: each tells whether the turn is over -------------------------------------------


@kernel
def use_power(s: State, seat: int, ally: int) -> bool:
    """lords.used: begin the power of the card that acts, or of the ally it copies (lords.scott).

    Most ask for a choice.
    """
    card = top(s, ARMY + seat)
    power = CLAN_OF[ally]
    if ally == card:
        tell(s, POWER_USED, RULE_OF_POWER[power], seat, card)
    else:
        tell(s, COPIED, SCOTT_RULE, seat, card, ally)
    if power == SCOTT:
        s.decision = COPY
    elif power == MAKGILL:
        s.decision = ENGAGE
    elif power == WEMYSS:
        s.decision = DISCARD_ALLY
    elif power == FERGUSSON:
        s.decision = SWAP_ALLY
    elif power == COCKBURN:
        s.decision = SWAP_SUPPORTER
    elif power == FORSYTH:
        draw_to_hand(s, seat)
        return True
    else:  # lords.end_powers: activated now, whoever controls the card at the end
        row = STAYS_ON
        if power == BRUCE:
            row = WILD
        elif power == COCHRANE:
            row = CLAIMS_TWO
        s.active[row, card >> 6] |= bit(card & 63)
        return True
    return False


@kernel
def draw_to_hand(s: State, seat: int) -> None:
    """lords.forsyth"""
    card = draw(s)
    if card == NO_CARD:
        return
    show(s, card, seat)
    put(s, HAND + seat, card)
    comes(s, seat, card, False)
    tell_move(s, card, DECK, HAND + seat, NO_CARD, FORSYTH_RULE)


@kernel
def swap_supporter(s: State, seat: int, supporter: int) -> None:
    """lords.cockburn: the card to the supporters, one of them face up into its place."""
    card = pop(s, ARMY + seat)
    s.up[card >> 6] &= ~bit(card & 63)
    put(s, SUPPORTERS, card)
    tell_move(s, card, ARMY + seat, SUPPORTERS, NO_CARD, COCKBURN_RULE)
    lift(s, SUPPORTERS, supporter)
    slot = push(s, ARMY + seat, supporter)
    s.up[supporter >> 6] |= bit(supporter & 63)
    tell_move(s, supporter, SUPPORTERS, ARMY + seat, slot, COCKBURN_RULE)


@kernel
def swap_ally(s: State, seat: int, other: int, ally: int) -> None:
    """lords.fergusson: a face-down ally stays so, and its new owner looks at it (lords.look)."""
    card = pop(s, ARMY + seat)
    left = pull(s, ARMY + other, ally)
    slot = push(s, ARMY + other, card)
    tell_move(s, card, ARMY + seat, ARMY + other, slot, FERGUSSON_RULE)
    show(s, ally, seat)
    slot = push(s, ARMY + seat, ally)
    moved_down(s, other, left, seat, slot)
    closed_up(s, other, left)
    tell_move(s, ally, ARMY + other, ARMY + seat, slot, FERGUSSON_RULE)


@kernel
def discard_ally(s: State, army: int, slot: int) -> None:
    """lords.wemyss: face up to the discard."""
    ally = int(s.slots[ARMY + army, slot])
    if not is_up(s, ally):
        turned_up(s, army, slot)
    pull(s, ARMY + army, ally)
    closed_up(s, army, slot)
    clear_ally(s, ally)
    put(s, DISCARD, ally)
    tell_move(s, ally, ARMY + army, DISCARD, slot, WEMYSS_RULE)


@kernel
def clear_ally(s: State, card: int) -> None:
    """A card that leaves the armies keeps nothing of what it was there."""
    for row in range(s.active.shape[0]):
        s.active[row, card >> 6] &= ~bit(card & 63)
    s.up[card >> 6] &= ~bit(card & 63)
    s.spent[card >> 6] &= ~bit(card & 63)
