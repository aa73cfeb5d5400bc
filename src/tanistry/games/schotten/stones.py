"""The nine stones: which sides are complete, who was first, and which stones may be claimed."""

from __future__ import annotations

from tanistry.games.schotten.cards import (
    ALL_STONES,
    CLAN,
    DECK,
    ENV,
    FOG,
    HAND,
    MUD,
    SIDE,
    SIDE_CARDS,
    SIDE_CARDS_MUD,
    STONES,
    State,
)
from tanistry.games.schotten.proof import NOTHING, strength_of, strongest
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, Word, bit, lowest, popcount

WINNING_STONES = 5
WINNING_ROW = 3
UNKNOWN = 0
"""In place of a strength that nobody has asked for yet; no side is that weak."""


@kernel
def side_of(s: State, stone: int, seat: int) -> Word:
    """The cards of a seat at a stone."""
    return s.place[SIDE + 2 * stone + seat, 0]


@kernel
def foggy(s: State, stone: int) -> bool:
    return s.place[ENV + stone, 0] & bit(FOG) != EMPTY


@kernel
def needed(s: State, stone: int) -> int:
    """schotten.complete: how many cards make a side complete, and full."""
    return SIDE_CARDS_MUD if s.place[ENV + stone, 0] & bit(MUD) != EMPTY else SIDE_CARDS


@kernel
def unclaimed(s: State) -> int:
    """The stones nobody has claimed."""
    return ALL_STONES & ~int(s.claimed[0]) & ~int(s.claimed[1])


@kernel
def room(s: State, seat: int) -> int:
    """The unclaimed stones where a seat's side is not full (schotten.play, schotten.claimed)."""
    return unclaimed(s) & ~int(s.complete[seat])


@kernel
def unseen_clans(s: State) -> Word:
    """schotten.proof: the clan cards that do not lie face up, in whoever's hand they are."""
    return (s.place[DECK, 0] | s.place[HAND, 0] | s.place[HAND + 1, 0]) & CLAN


# -- complete sides -------------------------------------------------------------------------------


@kernel
def forget_refutations(s: State, stone: int) -> None:
    """What beat a claim of this stone was found for the cards that lay there before."""
    s.refuted[stone, 0] = EMPTY
    s.refuted[stone, 1] = EMPTY


@kernel
def card_came(s: State, stone: int, seat: int) -> None:
    """schotten.complete: with its last card a side is complete, before the other or after it."""
    forget_refutations(s, stone)
    if popcount(side_of(s, stone, seat)) == needed(s, stone):
        s.complete[seat] |= 1 << stone
        if int(s.complete[1 - seat]) >> stone & 1 == 0:
            s.sooner[seat] |= 1 << stone


@kernel
def card_left(s: State, stone: int, seat: int) -> None:
    """schotten.moved: a side that lost a card is not complete; if it is again, that is later."""
    forget_refutations(s, stone)
    open_again(s, stone, seat)
    if int(s.complete[1 - seat]) >> stone & 1:
        s.sooner[1 - seat] |= 1 << stone


@kernel
def open_again(s: State, stone: int, seat: int) -> None:
    s.complete[seat] &= ~(1 << stone)
    s.sooner[seat] &= ~(1 << stone)
    s.strength[stone, seat] = UNKNOWN


@kernel
def fog_came(s: State, stone: int) -> None:
    """schotten.fog: what lies there counts by its sum from now on."""
    forget_refutations(s, stone)
    for seat in range(2):
        s.strength[stone, seat] = UNKNOWN


@kernel
def mud_came(s: State, stone: int) -> None:
    """schotten.mud: a side of three is incomplete again."""
    forget_refutations(s, stone)
    for seat in range(2):
        open_again(s, stone, seat)


# -- claims ---------------------------------------------------------------------------------------


@kernel
def is_refuted(s: State, stone: int, seat: int, unseen: Word) -> bool:
    """Cards that beat a claim once still do while they are unseen and the stone is as it was."""
    known = s.refuted[stone, seat]
    return known != EMPTY and known & ~unseen == EMPTY


@kernel
def answer(s: State, stone: int, seat: int, unseen: Word) -> tuple[int, Word]:
    """How strong the other side is or can become if it wins then, and with which unseen cards.

    NOTHING if it loses: schotten.compare, and schotten.proof while it is incomplete. Equal is
    enough for whoever is complete first.
    """
    size = needed(s, stone)
    fog = foggy(s, stone)
    if s.strength[stone, seat] == UNKNOWN:
        s.strength[stone, seat] = strength_of(side_of(s, stone, seat), size, fog)
    later = (int(s.complete[1 - seat]) & ~int(s.sooner[seat])) >> stone & 1
    enough = int(s.strength[stone, seat]) - later
    return strongest(side_of(s, stone, 1 - seat), size, fog, unseen, enough)


@kernel
def claimable_stones(s: State, seat: int) -> int:
    """schotten.claim: the stones a seat may claim now."""
    unseen = unseen_clans(s)
    complete = unclaimed(s) & int(s.complete[seat])
    unsettled = 0  # gathered first: on a GPU the work is then done for many matches at once
    while complete != 0:
        stone = lowest(complete)
        complete &= complete - 1
        if not is_refuted(s, stone, seat, unseen):
            unsettled |= 1 << stone
    claimable = 0
    while unsettled != 0:
        stone = lowest(unsettled)
        unsettled &= unsettled - 1
        theirs, s.refuted[stone, seat] = answer(s, stone, seat, unseen)
        if theirs == NOTHING:
            claimable |= 1 << stone
    return claimable


@kernel
def has_won(s: State, seat: int) -> bool:
    """schotten.win: five stones, or three adjacent ones."""
    stones = int(s.claimed[seat])
    return popcount(stones) >= WINNING_STONES or stones & stones >> 1 & stones >> 2 != 0


@kernel
def refresh(s: State) -> None:
    """Work out which sides are complete from the cards alone (after a set-up)."""
    for stone in range(STONES):
        for seat in range(2):
            open_again(s, stone, seat)
        for seat in range(2):
            card_came(s, stone, seat)
