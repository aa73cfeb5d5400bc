"""What the rules of Claim tell beside events: facts, tallies, and why something cannot be."""

from __future__ import annotations

from tanistry.games.claim.cards import (
    ANSWERED,
    DECK,
    DISCARD,
    DISCARDED_UNDEAD,
    DOPPEL,
    FACTION_OF,
    FOLLOW,
    FOLLOWERS,
    GOBLIN_ZEROS,
    HAND,
    MUST_FOLLOW,
    MUST_FOLLOW_DOPPEL,
    NOT_HELD,
    NOT_OVER,
    OF_FACTION,
    PRIZE,
    SCORE,
    SCORED_EARLY,
    TRICK,
    TRICKS,
    TWINS,
    UNDEAD,
    UNDEAD_MISSING,
    VALUE_OF,
    VOID_HELD,
    WRONG_COUNT,
    WRONG_TURN,
    State,
)
from tanistry.games.claim.rules import FACTION_COUNT, score, vote
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, ONE, Word, bit, lowest, popcount
from tanistry.table.cards import ILLEGAL, any_in, count, is_empty, tell, tell_cards
from tanistry.table.notes import Notes, note, take

BY_NOTHING, BY_CARDS, BY_HIGHEST = -1, 0, 1
"""What decides a vote."""

# -- why not --------------------------------------------------------------------------------------


@kernel
def refuse(s: State, action: int) -> None:
    """The card is not held (common.illegal), or one that follows must be played (claim.follow)."""
    card = action + TWINS
    held = s.place[HAND + s.to_act, 0]
    alike = GOBLIN_ZEROS if action == 0 else bit(card)
    if held & alike == EMPTY:
        tell(s, NOT_HELD, ILLEGAL, card)
        return
    led = any_in(s, TRICK + s.leader)
    faction = FACTION_OF[led]
    why = MUST_FOLLOW_DOPPEL if faction == DOPPEL else MUST_FOLLOW
    tell(s, why, FOLLOW, card, led, faction)
    tell_cards(s, one_of_twins(held & OF_FACTION[faction]))


@kernel
def one_of_twins(cards: Word) -> Word:
    zeros = cards & GOBLIN_ZEROS
    if zeros == EMPTY:
        return cards
    return (cards & ~GOBLIN_ZEROS) | bit(lowest(zeros))


# -- facts ----------------------------------------------------------------------------------------


@kernel
def facts(s: State, notes: Notes) -> None:
    """`void`, once a seat has not followed."""
    if s.void[0] | s.void[1] == EMPTY:
        note(notes, 0)
        return
    note(notes, 1)
    for seat in range(2):
        start = int(notes[0]) + 1
        note(notes, 0)
        for faction in range(FACTION_COUNT):
            if s.void[seat] & OF_FACTION[faction] != EMPTY:
                notes[start] += 1
                note(notes, faction)


@kernel
def restore(s: State, notes: Notes) -> None:
    if take(notes) == 0:
        return
    for seat in range(2):
        for _ in range(take(notes)):
            s.void[seat] |= OF_FACTION[take(notes)]


@kernel
def tally(s: State, seat: int, notes: Notes) -> None:
    """claim.vote, as if the match ended now; the score piles lie open."""
    note(notes, 1)
    for n in range(2):
        note(notes, score(s, n))
    note(notes, 1)
    note(notes, FACTION_COUNT)
    for faction in range(FACTION_COUNT):
        note(notes, faction)
        note(notes, vote(s, faction))
        cards = OF_FACTION[faction]
        mine, theirs = s.place[SCORE, 0] & cards, s.place[SCORE + 1, 0] & cards
        note(notes, popcount(mine))
        note(notes, popcount(theirs))
        note(notes, highest_value(mine))
        note(notes, highest_value(theirs))
        if popcount(mine) != popcount(theirs):
            note(notes, BY_CARDS)
        else:
            note(notes, BY_HIGHEST if vote(s, faction) >= 0 else BY_NOTHING)


@kernel
def highest_value(cards: Word) -> int:
    """Of some cards of one faction; −1 if there are none."""
    best = -1
    while cards != EMPTY:
        best = VALUE_OF[lowest(cards)]  # numbered by value
        cards &= cards - ONE
    return best


# -- whether a position can be --------------------------------------------------------------------


@kernel
def check(s: State) -> None:
    """The numbers of cards must fit the phase and the trick, and the turn the trick."""
    if turn_fits(s) and counts_fit(s) and piles_fit(s):
        for seat in range(2):
            if s.place[HAND + seat, 0] & s.void[seat] != EMPTY:
                tell(s, VOID_HELD, ILLEGAL, seat)


@kernel
def turn_fits(s: State) -> bool:
    leader = int(s.leader)
    if not is_empty(s, TRICK + 1 - leader):
        tell(s, ANSWERED, ILLEGAL, 1 - leader)
        return False
    if s.to_act < 0:
        if s.phase == 2 and s.trick == TRICKS:
            return True
        tell(s, NOT_OVER, ILLEGAL)
        return False
    turn = leader if is_empty(s, TRICK + leader) else 1 - leader
    if s.to_act != turn:
        tell(s, WRONG_TURN, ILLEGAL, s.to_act, leader)
    return bool(s.to_act == turn)


@kernel
def expect(s: State, place: int, cards: int, expected: int) -> bool:
    if cards != expected:
        tell(s, WRONG_COUNT, ILLEGAL, place, cards, expected)
    return cards == expected


@kernel
def counts_fit(s: State) -> bool:
    """Hands, prize, deck and followers by phase and trick."""
    left = 0 if s.to_act < 0 else TRICKS - s.trick + 1  # tricks a seat still has a card for
    past = s.trick - 1
    first = s.phase == 1
    for seat in range(2):
        cards = count(s, HAND + seat) + count(s, TRICK + seat)
        if not expect(s, HAND + seat, cards, left):
            return False
    if not expect(s, PRIZE, count(s, PRIZE), 1 if first else 0):
        return False
    if not expect(s, DECK, count(s, DECK), 2 * (TRICKS - past) - 1 if first else 0):
        return False
    for seat in range(2):
        if not expect(s, FOLLOWERS + seat, count(s, FOLLOWERS + seat), past if first else 0):
            return False
    return True


@kernel
def piles_fit(s: State) -> bool:
    """Every card of a finished trick lies in a score pile or, from phase 1 only, in the discard."""
    undead = OF_FACTION[UNDEAD]
    scored = s.place[SCORE, 0] | s.place[SCORE + 1, 0]
    discarded = count(s, DISCARD)
    if s.phase == 1 and scored & ~undead != EMPTY:
        tell(s, SCORED_EARLY, ILLEGAL)
        return False
    if s.place[DISCARD, 0] & undead != EMPTY:
        tell(s, DISCARDED_UNDEAD, ILLEGAL)
        return False
    if s.phase == 1:
        return expect(s, DISCARD, discarded + popcount(scored), 2 * (s.trick - 1))
    if discarded > 2 * TRICKS:
        return expect(s, DISCARD, discarded, 2 * TRICKS)
    missing = 2 * TRICKS - discarded  # played in phase 1: these are Undead (claim.undead)
    if missing > popcount(scored & undead):
        tell(s, UNDEAD_MISSING, ILLEGAL, missing)
        return False
    return True
