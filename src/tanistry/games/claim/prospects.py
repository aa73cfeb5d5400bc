"""Which cards win which tricks, and which factions have made up their minds, as a seat knows it.

Learners could work it out from the cards; but it takes each card of one hand with all of the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.games.claim.cards import (
    CARDS,
    CODES,
    DISCARD,
    DOPPEL,
    FACTION_OF,
    FACTIONS,
    GOBLIN_ZEROS,
    OF_FACTION,
    SCORE,
    TRICK,
    TRICKS,
    TWINS,
    State,
)
from tanistry.games.claim.rules import ALL_CARDS, FACTION_COUNT, answer_wins, hand, playable, vote
from tanistry.games.contract import Feature
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, ONE, Word, bit, lowest, popcount
from tanistry.table.cards import any_in, is_empty
from tanistry.table.flags import write_flags

KINDS = CARDS - TWINS
"""The five Goblin zeros are one kind of card."""
BEATEN_BY = np.array(
    [
        sum(1 << answer for answer in range(CARDS) if answer_wins(led, answer))
        for led in range(CARDS)
    ],
    np.uint64,
)
"""The answers that win against each card that is led."""

_KINDS, _FACTIONS = CODES[TWINS:], tuple(FACTIONS)

INSIGHTS = (
    Feature("may hold", "cards that may be in the other's hand", _KINDS),
    Feature("takes", "own cards that would win this trick", _KINDS),
    Feature("unbeaten", "own cards against which no answer wins, if led", _KINDS),
    Feature("doomed", "own cards against which every answer wins, if led", _KINDS),
    Feature("beaten by", "how many answers win against an own card, if led", _KINDS, most=CARDS),
    Feature("beats", "how many own answers win against a card of the other's", _KINDS, most=TRICKS),
    Feature("top cards", "how many cards nothing beats, if led", by_seat=True, most=CARDS),
    Feature("vote", "1 for who would have the faction's vote now", _FACTIONS, by_seat=True),
    Feature("settled", "1 for who has more of it than can still change", _FACTIONS, by_seat=True),
)


@kernel
def insights(s: State, seat: int, out: Any) -> None:
    held, theirs = hand(s, seat), may_hold(s, seat)
    write_flags(out, 0, kinds(theirs), KINDS)
    write_flags(out, KINDS, kinds(takes(s, seat)), KINDS)
    out[6 * KINDS] = tell_leads(s, held, theirs, out, 2 * KINDS)
    out[6 * KINDS + 1] = tell_answers(held, theirs, out, 5 * KINDS)
    tell_votes(s, seat, out, 6 * KINDS + 2)


@kernel
def kinds(cards: Word) -> Word:
    """A set of cards as a set of kinds."""
    zeros = ONE if cards & GOBLIN_ZEROS != EMPTY else EMPTY
    return ((cards & ~GOBLIN_ZEROS) >> np.uint64(TWINS)) | zeros


@kernel
def kind(card: int) -> int:
    return max(card - TWINS, 0)


@kernel
def may_hold(s: State, seat: int) -> Word:
    """The cards that may be in the other's hand, as far as a seat can tell: in phase 2 just those
    that are."""
    other = 1 - seat
    known = s.known[seat, 0]
    return ((ALL_CARDS & ~known) | (hand(s, other) & known)) & ~s.void[other]


@kernel
def takes(s: State, seat: int) -> Word:
    """The cards with which a seat that follows would win the trick."""
    if seat == s.leader or is_empty(s, TRICK + s.leader):
        return EMPTY
    return playable(s, seat) & BEATEN_BY[any_in(s, TRICK + s.leader)]


@kernel
def answers(led: int, held: Word) -> Word:
    """The cards of a hand that may be played after a led one: claim.follow with claim.doppel."""
    following = held & OF_FACTION[FACTION_OF[led]]
    return held if following == EMPTY else following | (held & OF_FACTION[DOPPEL])


@kernel
def tell_leads(s: State, held: Word, theirs: Word, out: Any, at: int) -> int:
    """What may become of each own card that is led; how many nothing beats. While a hand is only
    guessed at, any card that may be in it may be the answer."""
    unbeaten, doomed, left = EMPTY, EMPTY, held
    for column in range(KINDS):
        out[at + 2 * KINDS + column] = 0
    while left != EMPTY:
        card = lowest(left)
        left &= ~bit(card)
        possible = answers(card, theirs) if s.phase == 2 else theirs
        beating = possible & BEATEN_BY[card]
        out[at + 2 * KINDS + kind(card)] = popcount(beating)
        if beating == EMPTY:
            unbeaten |= bit(card)
        elif beating == possible:
            doomed |= bit(card)
    write_flags(out, at, kinds(unbeaten), KINDS)
    write_flags(out, at + KINDS, kinds(doomed), KINDS)
    return popcount(unbeaten)


@kernel
def tell_answers(held: Word, theirs: Word, out: Any, at: int) -> int:
    """What the own hand can do about each card the other may lead; how many it cannot beat."""
    for column in range(KINDS):
        out[at + column] = 0
    unbeaten, left = 0, theirs
    while left != EMPTY:
        card = lowest(left)
        left &= ~bit(card)
        beating = popcount(answers(card, held) & BEATEN_BY[card])
        out[at + kind(card)] = beating
        unbeaten += beating == 0
    return unbeaten


@kernel
def tell_votes(s: State, seat: int, out: Any, at: int) -> None:
    """For each faction who has its vote, and whether the cards not yet won can change that."""
    won = s.place[SCORE, 0] | s.place[SCORE + 1, 0] | s.place[DISCARD, 0]
    for faction in range(FACTION_COUNT):
        cards = OF_FACTION[faction]
        left = popcount(cards & ~won)
        voted = vote(s, faction)
        ahead = popcount(s.place[SCORE + seat, 0] & cards)
        ahead -= popcount(s.place[SCORE + 1 - seat, 0] & cards)
        out[at + faction] = voted == seat
        out[at + FACTION_COUNT + faction] = voted == 1 - seat
        out[at + 2 * FACTION_COUNT + faction] = ahead > left
        out[at + 3 * FACTION_COUNT + faction] = -ahead > left
