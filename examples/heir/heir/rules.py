"""The rules of Heir, as kernels."""

from typing import Any

from heir.cards import (
    ALL,
    ANSWER,
    DECK,
    END,
    HAND,
    HAND_SIZE,
    LEAD,
    NINE,
    ONE,
    OVER,
    TRICK,
    TRICK_WON,
    UPSTART,
    WIN,
    WON,
    State,
)
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, Word, bit, lowest
from tanistry.table.cards import NOBODY, any_in, count, deal_out, move, show_all, stack, tell


@kernel
def deal(s: State) -> None:
    """heir.deal: four cards to each seat; the ninth stays face down."""
    s.place[DECK, 0] = ALL
    stack(s, DECK)  # shuffles, from the stream of the match
    for seat in range(2):
        deal_out(s, DECK, HAND + seat, seat, HAND_SIZE)
    s.leader = s.first
    s.to_act = s.first


@kernel
def playable(s: State, seat: int) -> Word:
    """heir.lead: the 9 is not led, unless it is all there is; heir.answer: any card."""
    held = s.place[HAND + seat, 0]
    leads = s.place[TRICK + 1 - seat, 0] == EMPTY
    if leads and held != bit(NINE):
        held &= ~bit(NINE)
    return held


@kernel
def legal(s: State, moves: Any) -> None:
    moves[0] = playable(s, s.to_act) if s.to_act >= 0 else EMPTY


@kernel
def play(s: State, action: int) -> None:
    seat = int(s.to_act)
    leads = s.place[TRICK + 1 - seat, 0] == EMPTY
    show_all(s, action)  # first who knows the card, then where it goes
    move(s, action, HAND + seat, TRICK + seat, LEAD if leads else ANSWER)
    if leads:
        s.to_act = 1 - seat
    else:
        end_trick(s)


@kernel
def end_trick(s: State) -> None:
    """heir.trick: the higher card wins; heir.upstart: but the 1 beats the 9."""
    leader = int(s.leader)
    led, answer = any_in(s, TRICK + leader), any_in(s, TRICK + 1 - leader)
    higher, lower = max(led, answer), min(led, answer)
    upstart = higher == NINE and lower == ONE
    best = lower if upstart else higher
    winner = leader if best == led else 1 - leader
    tell(s, TRICK_WON, UPSTART if upstart else WIN, winner, best)
    for seat in range(2):
        move(s, any_in(s, TRICK + seat), TRICK + seat, WON + winner, WIN)
    s.leader = winner
    s.to_act = winner
    if count(s, HAND + winner) == 0:
        end_match(s)


@kernel
def score(s: State, seat: int) -> int:
    """The sum of the cards won."""
    total = 0
    rest = s.place[WON + seat, 0]
    while rest != EMPTY:
        card = lowest(rest)
        rest &= ~bit(card)
        total += card + 1
    return total


@kernel
def standing(s: State, seat: int) -> int:
    """heir.end: the higher sum ranks first, the lower one with the option `low`."""
    return -score(s, seat) if s.low != 0 else score(s, seat)


@kernel
def end_match(s: State) -> None:
    ahead = standing(s, 0) - standing(s, 1)
    tell(s, OVER, END, NOBODY if ahead == 0 else (0 if ahead > 0 else 1))
    s.to_act = NOBODY
