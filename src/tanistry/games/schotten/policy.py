"""A light way to play Schotten Totten: build what the hand can finish, where it can still win.

For the greedy bot, and to order the choices of the search. A side is judged by the best it can
become: surely with the cards of the hand, or hopefully with unseen ones, which counts less for each
card that is missing. It looks at the table and its own hand only.
"""

from __future__ import annotations

from tanistry.games.schotten.cards import (
    CLAIM,
    CLAIM_STONE,
    CLAN,
    CLANS,
    DONE,
    DRAW_CLAN,
    DRAW_TACTIC,
    FARLANE,
    FOG,
    HAND,
    LAY_TACTIC,
    PASS,
    PLAY,
    PUT_AT,
    PUT_AWAY,
    RETURN,
    STONES,
    TAKE_CARD,
    State,
)
from tanistry.games.schotten.proof import COLOUR_OF, NOTHING, VALUE_OF, strongest
from tanistry.games.schotten.stones import foggy, needed, room, side_of, unseen_clans
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, ONE, Word, bit, count_all, lowest, nth_of, popcount
from tanistry.table.record import Ints, Words
from tanistry.table.stream import fast_below

GUIDED = 100
WIDENING = 0.5
BUDGETS = {5: 600}

DOUBT = 60
"""What a card that is not in the hand takes off the strength it would make."""
DELAY = 5
"""The same for one that is."""
DECIDED = 120
"""By so much strength a stone is as good as won or lost."""
UNLIKELY = -10_000
LAST_RESORT = -1_000
LAST_LAID = LAY_TACTIC + STONES * (FOG - FARLANE)
"""From here on tactic cards are not laid at a side."""
THEIRS, OURS, WELCOME = 0, STONES, 2 * STONES
"""Places in the notes: what the sides of each stone promise, and whether to draw a tactic card."""
TACTIC_PRICE = 40
"""Tactic cards are kept for where they do something."""
DRAW_TACTIC_PERCENT = 20
GLANCES = 4
"""How many choices `improvise` compares."""


@kernel
def promise(s: State, stone: int, side: Word, hand: Word, unseen: Word) -> int:
    """The strength a side may be expected to reach."""
    fog = foggy(s, stone)
    size = needed(s, stone)
    missing = size - popcount(side)
    if missing <= 0:
        strength, _ = strongest(side, size, fog, EMPTY, NOTHING)
        return strength
    sure, _ = strongest(side, size, fog, hand, NOTHING)
    hope, _ = strongest(side, size, fog, unseen, NOTHING)
    return max(sure - DELAY * missing, hope - DOUBT * missing)


@kernel
def lead(mine: int, theirs: int) -> int:
    return max(-DECIDED, min(DECIDED, mine - theirs))


@kernel
def prepare(s: State, seat: int, notes: Ints, rng: Words) -> None:
    """What both sides of each stone promise; and whether a tactic card would be welcome."""
    if s.decision == PLAY:
        unseen = unseen_clans(s)
        clans = s.place[HAND + seat, 0] & CLAN
        stones = room(s, seat)
        while stones != 0:
            stone = lowest(stones)
            stones &= stones - 1
            theirs = side_of(s, stone, 1 - seat)
            notes[THEIRS + stone] = promise(s, stone, theirs, EMPTY, unseen & ~clans)
            notes[OURS + stone] = promise(s, stone, side_of(s, stone, seat), clans, unseen)
    notes[WELCOME] = fast_below(rng, 100) < DRAW_TACTIC_PERCENT


@kernel
def appeal_to_lay(s: State, card: int, stone: int, seat: int, notes: Ints) -> int:
    """How much a card of the hand betters the prospects at a stone."""
    hand = s.place[HAND + seat, 0] & CLAN & ~bit(card)
    side = side_of(s, stone, seat) | bit(card)
    after = promise(s, stone, side, hand, unseen_clans(s) & ~bit(card))
    theirs = int(notes[THEIRS + stone])
    gain = 4 * (lead(after, theirs) - lead(int(notes[OURS + stone]), theirs))
    if card >= CLANS:
        return gain - TACTIC_PRICE
    # Of equals the higher card, where it does something; a lost stone is for low ones.
    return gain + (int(VALUE_OF[card]) if gain > 0 else -int(VALUE_OF[card]))


@kernel
def worth_taking(s: State, card: int, stone: int, seat: int) -> int:
    """How much is gained by taking a card away from where it lies."""
    unseen = unseen_clans(s)
    owner = 0 if side_of(s, stone, 0) & bit(card) != EMPTY else 1
    side = side_of(s, stone, owner)
    lost = promise(s, stone, side, EMPTY, unseen) - promise(
        s, stone, side & ~bit(card), EMPTY, unseen
    )
    return -lost if owner == seat else lost


@kernel
def appeal(s: State, action: int, seat: int, notes: Ints) -> int:
    if action < PASS:
        return appeal_to_lay(s, action // STONES, action % STONES, seat, notes)
    if LAY_TACTIC <= action < LAST_LAID:
        tactic = action - LAY_TACTIC
        return appeal_to_lay(s, FARLANE + tactic // STONES, tactic % STONES, seat, notes)
    if action == DRAW_TACTIC:
        return 0 if notes[WELCOME] else -2
    if LAST_LAID <= action < DRAW_CLAN:
        return LAST_RESORT  # ruses, fog and mud: the search finds where they do something
    if action in (DONE, PASS):
        return UNLIKELY
    if CLAIM_STONE <= action < DONE:
        return 0
    if RETURN <= action < TAKE_CARD:
        card = action - RETURN
        return -int(VALUE_OF[card]) if card < CLANS else -TACTIC_PRICE
    if TAKE_CARD <= action < PUT_AT:
        card = (action - TAKE_CARD) // STONES
        return worth_taking(s, card, (action - TAKE_CARD) % STONES, seat)
    if PUT_AT <= action < PUT_AWAY:
        stone = action - PUT_AT
        side = side_of(s, stone, seat)
        unseen = unseen_clans(s)
        after = promise(s, stone, side | bit(int(s.taken)), EMPTY, unseen)
        return after - promise(s, stone, side, EMPTY, unseen)
    return -1


# -- for simulated play: rougher and quicker ------------------------------------------------------


@kernel
def kinship(side: Word, card: int) -> int:
    """How well a clan card goes with those of a side: towards a run of one colour above all."""
    points = 0
    clans = side & CLAN
    while clans != EMPTY:
        other = lowest(clans)
        clans &= clans - ONE
        near = abs(VALUE_OF[card] - VALUE_OF[other]) <= 2
        if COLOUR_OF[card] == COLOUR_OF[other]:
            points += 8 if near else 3
        elif VALUE_OF[card] == VALUE_OF[other]:
            points += 6
        else:
            points += 1 if near else -2
    return points


@kernel
def improvise(s: State, moves: Words, rng: Words) -> int:
    """Claim what can be claimed; lay the best of a few cards; anything else at random."""
    if s.decision == CLAIM:
        stones = int(s.claimable)
        return CLAIM_STONE + lowest(stones)
    choices = count_all(moves)
    best = nth_of(moves, fast_below(rng, choices))
    if s.decision != PLAY:
        return best
    best_points = -100
    for _ in range(GLANCES):
        action = nth_of(moves, fast_below(rng, choices))
        if action < PASS:
            card = action // STONES
            side = side_of(s, action % STONES, int(s.to_act))
            points = 2 * kinship(side, card) + int(VALUE_OF[card]) // 2
            if points > best_points:
                best, best_points = action, points
    return best
