"""The rules of Lords of Scotland: the deal, the turns, the choices, the end.

Source: the French rulebooks of the 2010 and 2015 editions; ids as in the rules pages. The deck is
in `supply.py`, the clans' powers in `powers.py`, the end of a skirmish in `skirmish.py`, what can
be told of hidden cards in `memory.py`. Sets of cards are two words: 98 cards.
"""

from __future__ import annotations

import numpy as np

from tanistry.games.lords.cards import (
    ACTIVATE_RULE,
    ALL_CARDS,
    ALLIES_MOST,
    ARMY,
    ASIDE,
    BRUCE_CARDS,
    CLAIM,
    CLAN_OF,
    CLEANUP_RULE,
    COPY,
    DEALT,
    DECK,
    DISCARD_ALLY,
    DO_CLAIM,
    DO_COPY,
    DO_DISCARD,
    DO_DOWN,
    DO_FLIP,
    DO_RECRUIT,
    DO_SWAP,
    DO_TAKE,
    DO_UP,
    EDITION_2010,
    END_RULE,
    ENGAGE,
    ENGAGE_RULE,
    FACE_DOWN,
    FACE_UP,
    FLIP,
    FLIP_RULE,
    FLIPPED,
    HAND,
    HAND_MOST,
    IDLE,
    INITIATIVE,
    MAKGILL_RULE,
    OVER,
    POWER,
    RECRUIT_RULE,
    RECRUITED,
    RECRUITS,
    ROUND,
    ROUNDS,
    SETUP_RULE,
    SKIP,
    SKIPPED,
    SKIRMISH_RULE,
    SLOTS,
    SUPPORTERS,
    SWAP_ALLY,
    SWAP_SUPPORTER,
    TURN,
    TURN_RULE,
    USE,
    WORDS,
    State,
)
from tanistry.games.lords.memory import ally_at, comes, leaves_down, leaves_up, resample, spot_of
from tanistry.games.lords.powers import (
    discard_ally,
    is_up,
    may_use,
    powers_with_effect,
    swap_ally,
    swap_supporter,
    use_power,
)
from tanistry.games.lords.skirmish import (
    RANKS,
    claim,
    clear_table,
    next_claim,
    points,
    rank_armies,
    reveal,
    target_reached,
    tell_armies,
)
from tanistry.games.lords.supply import NO_CARD, deal_recruit, deal_skirmish, take_recruit
from tanistry.kernel import kernel
from tanistry.table.bits import ONE, bit
from tanistry.table.cards import (
    NOBODY,
    count,
    is_empty,
    knowers,
    lift,
    pop,
    push,
    put,
    show,
    show_all,
    stack,
    tell,
    tell_move,
    top,
)
from tanistry.table.choices import allow, allow_set, forbid_all
from tanistry.table.record import Words

__all__ = ["deal", "legal", "play", "resample", "score", "standing"]

# -- the deal -------------------------------------------------------------------------------------


@kernel
def deal(s: State) -> None:
    """lords.setup"""
    for w in range(WORDS):
        if s.bruce != 0:
            s.place[DECK, w] = ALL_CARDS[w]
        else:
            s.place[DECK, w] = ALL_CARDS[w] & ~BRUCE_CARDS[w]
            s.place[ASIDE, w] = BRUCE_CARDS[w]
            for row in range(s.known.shape[0]):
                s.known[row, w] |= BRUCE_CARDS[w]
    stack(s, DECK)
    for _ in range(DEALT):
        for seat in range(s.seats):
            card = pop(s, DECK)
            show(s, card, seat)
            put(s, HAND + seat, card)
            tell_move(s, card, DECK, HAND + seat, NO_CARD, SETUP_RULE)
    s.initiative = s.first
    begin_skirmish(s, SETUP_RULE)


@kernel
def begin_skirmish(s: State, rule: int) -> None:
    if not deal_skirmish(s, rule):
        end(s)  # lords.deck_empty: nothing to fight for
        return
    begin_round(s, 1)
    s.to_act = s.initiative  # it can act: recruits are dealt before supporters
    open_turn(s)


# -- turns ----------------------------------------------------------------------------------------


@kernel
def first_face_down(s: State) -> int:
    """The leftmost slot with a face-down recruit, −1 if there is none."""
    for slot in range(SLOTS):
        if int(s.slots[RECRUITS, slot]) >= 0 and s.recruits_up >> slot & 1 == 0:
            return slot
    return NO_CARD


@kernel
def turn_up(s: State, slot: int) -> None:
    card = int(s.slots[RECRUITS, slot])
    s.recruits_up |= 1 << slot
    show_all(s, card)
    tell(s, FLIPPED, FLIP_RULE, int(s.to_act), card, slot)


@kernel
def can_act(s: State) -> bool:
    """lords.turn: a card to engage, or a recruit to take (an empty hand has room for it)."""
    return not is_empty(s, HAND + s.to_act) or not is_empty(s, RECRUITS)


@kernel
def open_turn(s: State) -> None:
    """lords.flip, then the turn."""
    s.decision = TURN
    if s.to_act == s.initiative:
        slot = first_face_down(s)
        if slot != NO_CARD:
            if s.edition == EDITION_2010:
                s.decision = FLIP
            else:
                turn_up(s, slot)


@kernel
def begin_round(s: State, number: int) -> None:
    s.round_number = number
    tell(s, ROUND, SKIRMISH_RULE, number)


@kernel
def pass_on(s: State) -> bool:
    """lords.skirmish: the turn goes clockwise, five rounds; whether there is another turn."""
    s.to_act = s.to_act + 1 if s.to_act + 1 < s.seats else 0
    if s.to_act == s.initiative:
        if s.round_number == ROUNDS:
            return False
        begin_round(s, int(s.round_number) + 1)
    return True


@kernel
def next_turn(s: State) -> bool:
    """The next turn, if there is one; seats that can do nothing are passed over (lords.turn)."""
    while pass_on(s):
        if can_act(s):
            open_turn(s)
            return True
        tell(s, IDLE, TURN_RULE, int(s.to_act))
    return False


@kernel
def recruit(s: State, seat: int, slot: int) -> None:
    """lords.recruit: what was taken face up is known to be in the hand."""
    face_up = s.recruits_up >> slot & 1 == 1
    card = take_recruit(s, slot)
    show(s, card, seat)
    put(s, HAND + seat, card)
    comes(s, seat, card, face_up)
    tell(s, RECRUITED, RECRUIT_RULE, seat, card, slot, 0, knowers(s, card))
    tell_move(s, card, RECRUITS, HAND + seat, slot, RECRUIT_RULE)
    deal_recruit(s, slot, face_up, RECRUIT_RULE)


@kernel
def engage(s: State, seat: int, action: int) -> bool:
    """lords.engage, also by lords.makgill; whether the turn is over."""
    rule = MAKGILL_RULE if s.decision == ENGAGE else ENGAGE_RULE
    face_up = action < DO_DOWN
    card = action - DO_UP if face_up else action - DO_DOWN
    lift(s, HAND + seat, card)
    slot = push(s, ARMY + seat, card)
    if face_up:
        leaves_up(s, seat, card)
        tell(s, FACE_UP, rule, seat, card)
    else:
        leaves_down(s, seat, slot)
        tell(s, FACE_DOWN, rule, seat, card, 0, 0, knowers(s, card))
    tell_move(s, card, HAND + seat, ARMY + seat, slot, rule)
    if not face_up:
        return True
    over = not may_use(s, seat, card)
    s.up[card >> 6] |= bit(card & 63)
    if not over:
        s.decision = POWER
    return over


# -- the end of a skirmish ------------------------------------------------------------------------


@kernel
def count_armies(s: State) -> bool:
    """The skirmish is fought; whether somebody is to claim a supporter."""
    reveal(s)
    rank_armies(s)
    if s.telling != 0:
        tell_armies(s)
    s.claimant = NOBODY
    return next_claim(s)


@kernel
def after_claims(s: State) -> None:
    """lords.end, or lords.cleanup and the next skirmish."""
    if target_reached(s):
        end(s)
        return
    clear_table(s)
    if s.order[0] != NOBODY:
        s.initiative = s.order[0]
    tell(s, INITIATIVE, CLEANUP_RULE, int(s.initiative))
    begin_skirmish(s, CLEANUP_RULE)


@kernel
def end(s: State) -> None:
    s.to_act = NOBODY
    if s.telling == 0:
        return
    best = 0
    level = False
    for seat in range(1, s.seats):
        if standing(s, seat) > standing(s, best):
            best = seat
            level = False
        elif standing(s, seat) == standing(s, best):
            level = True
    tell(s, OVER, END_RULE, NOBODY if level else best)


@kernel
def score(s: State, seat: int) -> int:
    """A seat's score is the strength in its victory pile."""
    return points(s, seat)


@kernel
def standing(s: State, seat: int) -> int:
    """lords.end: most strength; equal: the better place in the last skirmish."""
    value = points(s, seat) * RANKS
    for place in range(s.seats):
        if s.order[place] == seat:
            value += s.seats - place
    return value


# -- choices --------------------------------------------------------------------------------------


@kernel
def allow_cards(s: State, moves: Words, first: int, place: int) -> None:
    """Add the action of a block for every card of a place."""
    allow_set(moves, first, s.place[place, 0])
    allow_set(moves, first + 64, s.place[place, 1])


@kernel
def allow_army(s: State, moves: Words, first: int, seat: int, allies: int) -> None:
    """Add the actions of a block for the first so many allies of an army."""
    allow_set(moves, first + spot_of(seat, 0), (ONE << np.uint64(allies)) - ONE)


@kernel
def legal(s: State, moves: Words) -> None:
    forbid_all(moves)
    if s.to_act < 0:
        return
    seat = int(s.to_act)
    decision = int(s.decision)
    if decision == TURN:
        if count(s, HAND + seat) < HAND_MOST:
            for slot in range(SLOTS):
                if int(s.slots[RECRUITS, slot]) >= 0:
                    allow(moves, DO_RECRUIT + slot)
        allow_cards(s, moves, DO_UP, HAND + seat)
        allow_cards(s, moves, DO_DOWN, HAND + seat)
    elif decision == ENGAGE:
        allow_cards(s, moves, DO_UP, HAND + seat)
        allow_cards(s, moves, DO_DOWN, HAND + seat)
    elif decision == POWER:
        allow(moves, USE)
        allow(moves, SKIP)
    elif decision == SWAP_SUPPORTER:
        allow_cards(s, moves, DO_TAKE, SUPPORTERS)
    elif decision == FLIP:
        for slot in range(SLOTS):
            if int(s.slots[RECRUITS, slot]) >= 0 and s.recruits_up >> slot & 1 == 0:
                allow(moves, DO_FLIP + slot)
    elif decision == CLAIM:
        allow_cards(s, moves, DO_CLAIM, SUPPORTERS)
    else:
        legal_allies(s, moves, seat, decision)


@kernel
def legal_allies(s: State, moves: Words, seat: int, decision: int) -> None:
    """lords.fergusson: of other armies; lords.wemyss: any other; lords.scott: what it can copy."""
    powers = powers_with_effect(s, seat) if decision == COPY else 0
    for army in range(s.seats):
        allies = count(s, ARMY + army)
        if decision == SWAP_ALLY:
            if army != seat:
                allow_army(s, moves, DO_SWAP, army, allies)
        elif decision == DISCARD_ALLY:
            if army == seat:
                allies -= 1  # the card that acts is the last
            allow_army(s, moves, DO_DISCARD, army, allies)
        else:
            for i in range(allies):
                ally = int(s.slots[ARMY + army, i])
                if is_up(s, ally) and powers >> CLAN_OF[ally] & 1:
                    allow(moves, DO_COPY + spot_of(army, i))


@kernel
def play(s: State, action: int) -> None:
    """What was chosen; then, as it comes, the next turn, the count of a skirmish, its end.

    Each of these stands in one place only: they are large, and a GPU runs them one after another.
    """
    seat = int(s.to_act)
    if s.decision == CLAIM:
        claims_left = claim(s, seat, action - DO_CLAIM)
    elif not carry_out(s, seat, action) or next_turn(s):
        return
    else:
        claims_left = count_armies(s)
    if not claims_left:
        after_claims(s)


@kernel
def carry_out(s: State, seat: int, action: int) -> bool:
    """Do what was chosen; whether the turn is over."""
    if action < DO_FLIP:
        recruit(s, seat, action - DO_RECRUIT)
    elif action < USE:
        turn_up(s, action - DO_FLIP)
        s.decision = TURN
        return False
    elif action == USE or DO_COPY <= action < DO_DISCARD:
        copied = action != USE
        return use_power(s, seat, ally_at(s, action - DO_COPY) if copied else top(s, ARMY + seat))
    elif action == SKIP:
        tell(s, SKIPPED, ACTIVATE_RULE, seat, top(s, ARMY + seat))
    elif action < DO_TAKE:
        return engage(s, seat, action)
    elif action < DO_CLAIM:
        swap_supporter(s, seat, action - DO_TAKE)
    elif action < DO_COPY:
        spot = action - DO_SWAP
        swap_ally(s, seat, spot // ALLIES_MOST, ally_at(s, spot))
    else:
        spot = action - DO_DISCARD
        discard_ally(s, spot // ALLIES_MOST, spot % ALLIES_MOST)
    return True
