"""Formations: how strong a side is, and how strong it can still become.

Both are one question (`strongest`): a complete side lacks no card. A strength is one number,
formation first and then the sum of values, so that higher is better (schotten.compare). Formations
are tried from the strongest down; for each the best sum follows at once from which unseen clan
cards there are, so no completion is ever tried out.

Sets of values are the nine lowest bits of an integer, value 1 the lowest.
"""

from __future__ import annotations

import numpy as np

from tanistry.games.schotten.cards import CLAN, CLANS, COLOURS, FARLANE, VALUES
from tanistry.table.bits import EMPTY, ONE, Word, lowest, popcount
from tanistry.table.kernel import kernel

# -- strength: schotten.formation -----------------------------------------------------------------

ANY_SUM, RUN, ONE_COLOUR, TEAM, COLOUR_RUN = range(5)
FORMATION = 64
"""A strength is FORMATION · formation + sum; sums are at most 36."""
NOTHING = -1
"""Weaker than any side: what a side that cannot be completed comes to."""

# -- wild cards: bits of `wild` -------------------------------------------------------------------

CHIEF = 0b0011  # either of them
SUPPORT_TROOP = 0b0100
SHIELD_BEARER = 0b1000
WILD = 0b1111
BEST_WILD = np.array(
    [
        9 * bool(w & CHIEF) + 7 * bool(w & SUPPORT_TROOP) + 3 * bool(w & SHIELD_BEARER)
        for w in range(16)
    ],
    np.int64,
)
"""The highest values a set of wild cards can stand for together."""
SUPPORT_VALUES = 1 << 7 - 1
SHIELD_VALUES = 0b111
ALL_VALUES = (1 << VALUES) - 1
ALL_COLOURS = (1 << len(COLOURS)) - 1

# -- tables ---------------------------------------------------------------------------------------

VALUE_OF = np.array([card % VALUES + 1 for card in range(CLANS)], np.int64)
COLOUR_OF = np.array([card // VALUES for card in range(CLANS)], np.int64)
OF_VALUE = np.array(
    [0, *(sum(1 << VALUES * c + v for c in range(len(COLOURS))) for v in range(VALUES))], np.uint64
)
"""The six cards of each value 1 to 9."""


SUM_OF = np.array(
    [sum(v + 1 for v in range(VALUES) if values >> v & 1) for values in range(1 << VALUES)], np.int8
)
"""By a set of values: their sum."""


@kernel
def values_in(cards: Word, colour: int) -> int:
    """The values of the cards of one colour."""
    return int(np.int64((cards >> np.uint64(VALUES * colour)) & np.uint64(ALL_VALUES)))


@kernel
def cards_of(values: int, colour: int) -> Word:
    return np.uint64(values) << np.uint64(VALUES * colour)


@kernel
def values_in_any(cards: Word) -> int:
    """The values of the clan cards, whatever their colours."""
    half = cards | (cards >> np.uint64(3 * VALUES))
    folded = half | (half >> np.uint64(VALUES)) | (half >> np.uint64(2 * VALUES))
    return int(np.int64(folded & np.uint64(ALL_VALUES)))


@kernel
def highest_values(values: int, n: int) -> int:
    """The n highest values of a set that has as many."""
    for _ in range(popcount(values) - n):
        values &= values - 1
    return values


@kernel
def lowest_cards(cards: Word, n: int) -> Word:
    """The first n cards of a set."""
    rest = cards
    for _ in range(n):
        rest &= rest - ONE
    return cards & ~rest


# -- formations, each with the unseen cards it takes ----------------------------------------------


@kernel
def to_fill(window: int, values: int, wild: int, available: int) -> int:
    """The values of a run that unseen cards must fill, NOTHING if they cannot.

    Support troop and shield bearer take a place they can; wild cards go first where no unseen card
    could (schotten.wild_best).
    """
    if values & ~window != 0:
        return NOTHING
    rest = window & ~values
    if wild & SUPPORT_TROOP:
        if rest & SUPPORT_VALUES == 0:
            return NOTHING
        rest &= ~SUPPORT_VALUES
    lacking = rest & ~available
    if wild & SHIELD_BEARER:
        choice = lacking & SHIELD_VALUES
        if choice == 0:
            choice = rest & SHIELD_VALUES
        if choice == 0:
            return NOTHING
        rest &= ~(choice & -choice)
        lacking &= rest
    if wild & CHIEF:
        choice = lacking if lacking != 0 else rest
        rest &= ~(choice & -choice)
        lacking &= rest
    return rest if lacking == 0 else NOTHING


@kernel
def run_strength(formation: int, needed: int, highest: int) -> int:
    return FORMATION * formation + needed * highest - needed * (needed - 1) // 2


@kernel
def best_colour_run(
    values: int, colours: int, wild: int, needed: int, unseen: Word, above: int
) -> tuple[int, Word]:
    for highest in range(VALUES, needed - 1, -1):
        strength = run_strength(COLOUR_RUN, needed, highest)
        if strength <= above:
            break
        window = ((1 << needed) - 1) << (highest - needed)
        if values & ~window == 0:
            rest = colours
            while rest != 0:
                colour = lowest(rest)
                rest &= rest - 1
                filled = to_fill(window, values, wild, values_in(unseen, colour))
                if filled != NOTHING:
                    return strength, cards_of(filled, colour)
    return NOTHING, EMPTY


@kernel
def best_team(values: int, wild: int, needed: int, missing: int, unseen: Word) -> tuple[int, Word]:
    if values == 0:
        values = ALL_VALUES
    if wild & SUPPORT_TROOP:
        values &= SUPPORT_VALUES
    if wild & SHIELD_BEARER:
        values &= SHIELD_VALUES
    for value in range(VALUES, 0, -1):
        if values >> (value - 1) & 1:
            cards = unseen & OF_VALUE[value]
            if popcount(cards) >= missing:
                return FORMATION * TEAM + needed * value, lowest_cards(cards, missing)
    return NOTHING, EMPTY


@kernel
def best_colour(total: int, colours: int, missing: int, unseen: Word) -> tuple[int, Word]:
    most, cards = NOTHING, EMPTY
    rest = colours
    while rest != 0:
        colour = lowest(rest)
        rest &= rest - 1
        values = values_in(unseen, colour)
        if popcount(values) >= missing:
            best = highest_values(values, missing)
            if int(SUM_OF[best]) > most:
                most = int(SUM_OF[best])
                cards = cards_of(best, colour)
    if most == NOTHING:
        return NOTHING, EMPTY
    return FORMATION * ONE_COLOUR + total + most, cards


@kernel
def best_run(values: int, wild: int, needed: int, unseen: Word, above: int) -> tuple[int, Word]:
    available = values_in_any(unseen)
    for highest in range(VALUES, needed - 1, -1):
        strength = run_strength(RUN, needed, highest)
        if strength <= above:
            break
        window = ((1 << needed) - 1) << (highest - needed)
        filled = to_fill(window, values, wild, available)
        if filled != NOTHING:
            cards = EMPTY
            while filled != 0:
                cards |= lowest_cards(unseen & OF_VALUE[lowest(filled) + 1], 1)
                filled &= filled - 1
            return strength, cards
    return NOTHING, EMPTY


@kernel
def best_sum(total: int, missing: int, unseen: Word) -> tuple[int, Word]:
    cards = EMPTY
    for value in range(VALUES, 0, -1):
        if missing == 0:
            break
        here = unseen & OF_VALUE[value]
        taken = min(missing, popcount(here))
        cards |= lowest_cards(here, taken)
        total += value * taken
        missing -= taken
    return FORMATION * ANY_SUM + total, cards


@kernel
def strongest(side: Word, needed: int, fog: bool, unseen: Word, above: int) -> tuple[int, Word]:
    """The most a side can still be with unseen clan cards, and the cards that make it so.

    NOTHING and no cards if it cannot become stronger than `above`.
    """
    missing = needed - popcount(side)
    if popcount(unseen) < missing:
        return NOTHING, EMPTY  # schotten.proof: not enough cards to complete the side
    values = 0
    colours = 0
    total = 0
    clans = side & CLAN
    laid = popcount(clans)
    while clans != EMPTY:
        card = lowest(clans)
        clans &= clans - ONE
        values |= 1 << (VALUE_OF[card] - 1)
        colours |= 1 << COLOUR_OF[card]
        total += VALUE_OF[card]
    wild = int(np.int64(side >> np.uint64(FARLANE))) & WILD
    total += BEST_WILD[wild]
    found, cards = NOTHING, EMPTY
    if not fog:  # schotten.fog: only the sum counts
        distinct = popcount(values) == laid
        one_value = popcount(values) <= 1
        one_colour = popcount(colours) <= 1
        if colours == 0:
            colours = ALL_COLOURS
        if distinct and one_colour:
            found, cards = best_colour_run(values, colours, wild, needed, unseen, above)
        if found == NOTHING and one_value and above < FORMATION * (TEAM + 1):
            found, cards = best_team(values, wild, needed, missing, unseen)
        if found == NOTHING and one_colour and above < FORMATION * (ONE_COLOUR + 1):
            found, cards = best_colour(total, colours, missing, unseen)
        if found == NOTHING and distinct and above < FORMATION * (RUN + 1):
            found, cards = best_run(values, wild, needed, unseen, above)
    if found == NOTHING and above < FORMATION * (ANY_SUM + 1):
        found, cards = best_sum(total, missing, unseen)
    if found <= above:
        return NOTHING, EMPTY
    return found, cards


@kernel
def strength_of(side: Word, needed: int, fog: bool) -> int:
    """The strength of a complete side."""
    found, _ = strongest(side, needed, fog, EMPTY, NOTHING)
    return found
