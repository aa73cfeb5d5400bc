"""The rules of Claim. Source: the French rulebook of the 2016 edition; ids as in the rules pages.

Sets of cards are single words: 52 cards fit in 64 bits.
"""

from __future__ import annotations

import numpy as np

from tanistry.games.claim.cards import (
    DECK,
    DISCARD,
    DISCARD1,
    DOPPEL,
    DOPPEL_RULE,
    DWARF,
    DWARF_RULE,
    END,
    FACTION_OF,
    FOLLOW,
    FOLLOWERS,
    GOBLIN,
    GOBLIN_ZEROS,
    HAND,
    KNIGHT,
    KNIGHT_RULE,
    LEAD,
    OF_FACTION,
    OVER,
    PHASE,
    PHASE2,
    PRIZE,
    PRIZE_RULE,
    SCORE,
    SPOILS1,
    SPOILS2,
    TRICK,
    TRICK_WON,
    TRICKS,
    TWINS,
    UNDEAD,
    UNDEAD_RULE,
    VALUE_OF,
    VOTE,
    VOTED,
    WIN,
    State,
)
from tanistry.kernel import for_onlookers, kernel
from tanistry.table.bits import EMPTY, ONE, Word, lowest, popcount
from tanistry.table.cards import (
    NOBODY,
    any_in,
    deal_out,
    move,
    pop,
    put,
    show,
    show_all,
    stack,
    tell,
    tell_move,
)
from tanistry.table.record import Words

ALL_CARDS = np.uint64((1 << 52) - 1)
FACTION_COUNT = 5
PLAY = 0  # the only decision


@kernel
def hand(s: State, seat: int) -> Word:
    return s.place[HAND + seat, 0]


# -- the deal -------------------------------------------------------------------------------------


@kernel
def deal(s: State) -> None:
    """claim.setup: 13 cards to each seat, 26 in the deck."""
    s.place[DECK, 0] = ALL_CARDS
    stack(s, DECK)
    for seat in range(2):
        deal_out(s, DECK, HAND + seat, seat, TRICKS)
    s.phase = 1
    s.trick = 1
    s.leader = s.first  # claim.leader
    turn_prize(s)


@kernel
def turn_prize(s: State) -> None:
    """claim.prize"""
    card = pop(s, DECK)
    show_all(s, card)
    put(s, PRIZE, card)
    tell_move(s, card, DECK, PRIZE, -1, PRIZE_RULE)
    s.to_act = s.leader
    s.decision = PLAY


# -- choosing a card ------------------------------------------------------------------------------


@kernel
def playable(s: State, seat: int) -> Word:
    """The cards a seat may play: claim.lead, or claim.follow with claim.doppel."""
    held = hand(s, seat)
    if seat == s.leader:
        return held
    led = FACTION_OF[any_in(s, TRICK + s.leader)]
    following = held & OF_FACTION[led]
    if following == EMPTY:
        return held
    return following | (held & OF_FACTION[DOPPEL])


@kernel
def legal(s: State, moves: Words) -> None:
    if s.to_act < 0:
        moves[0] = EMPTY
        return
    cards = playable(s, s.to_act)
    zeros = ONE if cards & GOBLIN_ZEROS != EMPTY else EMPTY
    moves[0] = ((cards & ~GOBLIN_ZEROS) >> np.uint64(TWINS)) | zeros


@kernel
def card_of(s: State, seat: int, action: int) -> int:
    """The card an action plays. Of twins, one that the other seat knows of goes first."""
    if action > 0:
        return action + TWINS
    zeros = hand(s, seat) & GOBLIN_ZEROS
    remembered = zeros & s.known[1 - seat, 0]
    return lowest(remembered if remembered != EMPTY else zeros)


@kernel
def play(s: State, action: int) -> None:
    seat = int(s.to_act)
    card = card_of(s, seat, action)
    leads = seat == s.leader
    if not leads:
        note_void(s, seat, card)
    show_all(s, card)
    move(s, card, HAND + seat, TRICK + seat, LEAD if leads else FOLLOW)
    if leads:
        s.to_act = 1 - seat
    else:
        finish_trick(s)


@for_onlookers
def note_void(s: State, seat: int, card: int) -> None:
    """A seat that does not follow (claim.follow) shows that it holds none of the led faction."""
    led = FACTION_OF[any_in(s, TRICK + s.leader)]
    faction = FACTION_OF[card]
    if faction != led and faction != DOPPEL:
        s.void[seat] |= OF_FACTION[led]


# -- the trick ------------------------------------------------------------------------------------


@kernel
def deciding_rule(led: int, answer: int) -> int:
    """The rule by which the second card can win against the led one; claim.win if by value."""
    if FACTION_OF[led] == GOBLIN and FACTION_OF[answer] == KNIGHT:
        return KNIGHT_RULE
    if FACTION_OF[answer] == DOPPEL and FACTION_OF[led] != DOPPEL:
        return DOPPEL_RULE
    return WIN


@kernel
def answer_wins(led: int, answer: int) -> bool:
    """claim.win, claim.knight, claim.doppel. `&` and `|` instead of branches nobody can predict."""
    knight_on_goblin = (FACTION_OF[led] == GOBLIN) & (FACTION_OF[answer] == KNIGHT)
    counts_as_led = (FACTION_OF[answer] == FACTION_OF[led]) | (FACTION_OF[answer] == DOPPEL)
    return knight_on_goblin | (counts_as_led & (VALUE_OF[answer] > VALUE_OF[led]))


@kernel
def finish_trick(s: State) -> None:
    leader = int(s.leader)
    led = any_in(s, TRICK + leader)
    answer = any_in(s, TRICK + 1 - leader)
    winner = 1 - leader if answer_wins(led, answer) else leader
    tell_trick(s, led, answer, winner)
    if s.phase == 1:
        share_spoils(s, leader, led, winner)
        share_spoils(s, 1 - leader, answer, winner)
        recruit(s, winner)
    else:
        gather(s, leader, led, winner)
        gather(s, 1 - leader, answer, winner)
    s.leader = winner  # claim.leader
    s.to_act = winner
    if s.trick < TRICKS:
        s.trick += 1
        if s.phase == 1:
            turn_prize(s)
    elif s.phase == 1:
        begin_phase_2(s)
    else:
        end(s)


@for_onlookers
def tell_trick(s: State, led: int, answer: int, winner: int) -> None:
    if s.telling != 0:
        best = led if winner == s.leader else answer
        tell(s, TRICK_WON, deciding_rule(led, answer), winner, best)


@kernel
def share_spoils(s: State, seat: int, card: int, winner: int) -> None:
    """Phase 1: claim.undead to the winner's score, all else away (claim.discard1)."""
    undead = FACTION_OF[card] == UNDEAD
    target = SCORE + winner if undead else DISCARD
    move(s, card, TRICK + seat, target, UNDEAD_RULE if undead else DISCARD1)


@kernel
def recruit(s: State, winner: int) -> None:
    """claim.spoils1: the prize to the winner, the top of the deck, unseen, to the loser."""
    move(s, any_in(s, PRIZE), PRIZE, FOLLOWERS + winner, SPOILS1)
    loser = 1 - winner
    card = pop(s, DECK)
    show(s, card, loser)
    put(s, FOLLOWERS + loser, card)
    tell_move(s, card, DECK, FOLLOWERS + loser, -1, SPOILS1)


@kernel
def gather(s: State, seat: int, card: int, winner: int) -> None:
    """Phase 2: claim.spoils2, and claim.dwarf for the loser."""
    dwarf = FACTION_OF[card] == DWARF
    taker = 1 - winner if dwarf else winner
    move(s, card, TRICK + seat, SCORE + taker, DWARF_RULE if dwarf else SPOILS2)


@kernel
def begin_phase_2(s: State) -> None:
    """claim.phase2: followers become the hand. What was seen of them stays known.

    One event for all: told card by card, the order would tell about the hidden ones.
    """
    s.phase = 2
    s.trick = 1
    tell(s, PHASE, PHASE2, 2)
    forget_voids(s)
    for seat in range(2):
        s.place[HAND + seat, 0] = s.place[FOLLOWERS + seat, 0]
        s.place[FOLLOWERS + seat, 0] = EMPTY


@for_onlookers
def forget_voids(s: State) -> None:
    """Other cards make up the hands now."""
    for seat in range(2):
        s.void[seat] = EMPTY


# -- the end --------------------------------------------------------------------------------------


@kernel
def vote(s: State, faction: int) -> int:
    """claim.vote: more cards of the faction; then the highest of them; else nobody."""
    mine = s.place[SCORE, 0] & OF_FACTION[faction]
    theirs = s.place[SCORE + 1, 0] & OF_FACTION[faction]
    if popcount(mine) != popcount(theirs):
        return 0 if popcount(mine) > popcount(theirs) else 1
    if (mine | theirs) & ~GOBLIN_ZEROS == EMPTY:
        return NOBODY  # no other cards are alike
    return 0 if mine > theirs else 1  # numbered by value: the set with the highest card is greater


@kernel
def score(s: State, seat: int) -> int:
    """A seat's score is its number of votes."""
    votes = 0
    for faction in range(FACTION_COUNT):
        if vote(s, faction) == seat:
            votes += 1
    return votes


@kernel
def standing(s: State, seat: int) -> int:
    """claim.end: more votes win (three are always more); equal votes are a draw."""
    return score(s, seat)


@kernel
def end(s: State) -> None:
    s.to_act = NOBODY
    tell_end(s)


@for_onlookers
def tell_end(s: State) -> None:
    if s.telling == 0:
        return
    for faction in range(FACTION_COUNT):
        voted = vote(s, faction)
        winner = max(voted, 0)  # nobody: both have as many
        theirs = popcount(s.place[SCORE + winner, 0] & OF_FACTION[faction])
        against = popcount(s.place[SCORE + 1 - winner, 0] & OF_FACTION[faction])
        tell(s, VOTED, VOTE, faction, voted, theirs, against)
    votes = score(s, 0) - score(s, 1)
    tell(s, OVER, END, NOBODY if votes == 0 else (0 if votes > 0 else 1))


# -- what choices tell ----------------------------------------------------------------------------


@kernel
def ruled_out(s: State, place: int, word: int) -> Word:
    """A seat that did not follow holds none of that faction (claim.follow)."""
    if place == HAND:
        return s.void[0]
    if place == HAND + 1:
        return s.void[1]
    return EMPTY


@kernel
def open_end(s: State) -> bool:
    """claim.phase2: all cards of phase 1 were seen, what a seat does not hold the other does."""
    return s.phase == 2
