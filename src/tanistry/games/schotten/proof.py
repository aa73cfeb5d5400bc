"""Formations: how strong a side is, and how strong it can still become.

Both are one question (`strongest`): a complete side lacks no card. A strength is one number,
formation first and then the sum of values, so that higher is better (schotten.compare). Formations
are tried from the strongest down; for each the best sum follows at once from which unseen clan
cards there are, so no completion is ever tried out.

Sets of values are the nine lowest bits of an integer, value 1 the lowest. A set of clan cards is
six such rows, one per colour, and most questions are asked of all rows at once: loops and branches
cost far more than bits, on a GPU above all.
"""

from __future__ import annotations

import numpy as np

from tanistry.games.schotten.cards import CLAN, CLANS, COLOURS, FARLANE, SIDE_CARDS_MUD, VALUES
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, ONE, Word, lowest, popcount

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

# -- tables ---------------------------------------------------------------------------------------

VALUE_OF = np.array([card % VALUES + 1 for card in range(CLANS)], np.int64)
COLOUR_OF = np.array([card // VALUES for card in range(CLANS)], np.int64)
EACH_COLOUR = np.uint64(sum(1 << VALUES * c for c in range(len(COLOURS))))
"""Times a set of values: the cards of these values in every colour."""
OF_VALUE = np.array([0, *(int(EACH_COLOUR) << v for v in range(VALUES))], np.uint64)
"""The six cards of each value 1 to 9."""
_SETS = range(1 << VALUES)
HIGHEST = np.array([values.bit_length() for values in _SETS], np.int8)
"""By a set of values: the highest, 0 if there is none."""


def _highest_values(values: int, n: int) -> int:
    while values.bit_count() > n:
        values &= values - 1
    return values


HIGHEST_VALUES = np.array(
    [[_highest_values(values, n) for values in _SETS] for n in range(SIDE_CARDS_MUD + 1)], np.int16
)
"""By a number and a set of values: the so many highest of them, or all."""
SUM_OF = np.array(
    [sum(v + 1 for v in range(VALUES) if values >> v & 1) for values in _SETS], np.int8
)
"""By a set of values: their sum."""
VALUE_BITS = np.array(
    [
        sum(1 << card for card in range(CLANS) if VALUE_OF[card] >> i & 1)
        for i in range(VALUES.bit_length())
    ],
    np.uint64,
)
"""By bit of a binary number: the cards whose value has it. To add values, count these."""


def _starts(values: int, needed: int) -> int:
    run = (1 << needed) - 1
    return sum(1 << v for v in range(VALUES - needed + 1) if values & ~(run << v) == 0)


STARTS = np.array(
    [[_starts(values, n) for values in _SETS] for n in range(SIDE_CARDS_MUD + 1)], np.int16
)
"""By cards needed and a set of values: the lowest values of the runs that have all of these."""


@kernel
def values_in(cards: Word, colour: int) -> int:
    """The values of the cards of one colour."""
    return int(np.int64((cards >> np.uint64(VALUES * colour)) & np.uint64(ALL_VALUES)))


@kernel
def cards_of(values: int, colour: int) -> Word:
    return np.uint64(values) << np.uint64(VALUES * colour)


@kernel
def in_each_colour(values: int) -> Word:
    return np.uint64(values) * EACH_COLOUR


@kernel
def values_in_any(cards: Word) -> int:
    """The values of the clan cards, whatever their colours."""
    half = cards | (cards >> np.uint64(3 * VALUES))
    folded = half | (half >> np.uint64(VALUES)) | (half >> np.uint64(2 * VALUES))
    return int(np.int64(folded & np.uint64(ALL_VALUES)))


@kernel
def values_of_many(cards: Word, n: int) -> int:
    """The values of which there are at least n cards (0 ≤ n ≤ 4)."""
    one = two = three = four = 0
    for colour in range(len(COLOURS)):
        row = values_in(cards, colour)
        four |= three & row
        three |= two & row
        two |= one & row
        one |= row
    if n <= 1:
        return one if n == 1 else ALL_VALUES
    if n == 2:
        return two
    return three if n == 3 else four


@kernel
def sum_of(cards: Word) -> int:
    """The sum of the values of some clan cards."""
    total = 0
    for i in range(VALUE_BITS.shape[0]):
        total += popcount(cards & VALUE_BITS[i]) << i
    return total


@kernel
def lowest_cards(cards: Word, n: int) -> Word:
    """The first n cards of a set."""
    rest = cards
    for _ in range(n):
        rest &= rest - ONE
    return cards & ~rest


# -- formations, each with the unseen cards it takes ----------------------------------------------


@kernel
def run_strength(formation: int, needed: int, lowest_value: int) -> int:
    return FORMATION * formation + needed * lowest_value + needed * (needed - 1) // 2


@kernel
def runs(held: int, wild: int, needed: int, available: Word) -> Word:
    """Where runs begin that have all values held, and else what is available; a chief fills a gap.

    In every row at once. A run that would leave its row does not begin in STARTS.
    """
    a = available | in_each_colour(held)
    b = a >> ONE
    c = a >> np.uint64(2)
    d = a >> np.uint64(3) if needed == SIDE_CARDS_MUD else ~EMPTY
    found = a & b & c & d
    if wild & CHIEF:
        found = (a & b & (c | d)) | (c & d & (a | b))
    return found & in_each_colour(int(STARTS[needed, held]))


@kernel
def best_run(values: int, wild: int, needed: int, available: Word) -> tuple[int, int, int]:
    """The highest run: its lowest value, its row, the values others must fill; 0 if there is none.

    A shield bearer takes each place it may in turn (schotten.wild_best).
    """
    start, row, filled = 0, 0, 0
    places = SHIELD_VALUES & ~values if wild & SHIELD_BEARER else 1
    while places != 0:
        held = values
        if wild & SHIELD_BEARER:
            held |= places & -places
        places &= places - 1
        found = runs(held, wild, needed, available)
        here = int(HIGHEST[values_in_any(found)])
        if here > start:
            start = here
            row = COLOUR_OF[lowest(found & OF_VALUE[here])]
            filled = (((1 << needed) - 1) << (here - 1)) & ~held
    return start, row, filled


@kernel
def best_colour_run(
    values: int, rows: Word, wild: int, needed: int, missing: int, unseen: Word
) -> tuple[int, Word]:
    start, colour, filled = best_run(values, wild, needed, unseen & rows)
    if start == 0:
        return NOTHING, EMPTY
    cards = lowest_cards(cards_of(filled, colour) & unseen, missing)
    return run_strength(COLOUR_RUN, needed, start), cards


@kernel
def best_team(values: int, wild: int, needed: int, missing: int, unseen: Word) -> tuple[int, Word]:
    if values == 0:
        values = ALL_VALUES
    if wild & SHIELD_BEARER:
        values &= SHIELD_VALUES
    value = int(HIGHEST[values & values_of_many(unseen, missing)])
    if value == 0:
        return NOTHING, EMPTY
    return FORMATION * TEAM + needed * value, lowest_cards(unseen & OF_VALUE[value], missing)


@kernel
def best_colour(total: int, rows: Word, missing: int, unseen: Word) -> tuple[int, Word]:
    most, cards = NOTHING, EMPTY
    rest = rows & EACH_COLOUR
    while rest != EMPTY:
        colour = COLOUR_OF[lowest(rest)]
        rest &= rest - ONE
        best = int(HIGHEST_VALUES[missing, values_in(unseen, colour)])
        if popcount(best) == missing and int(SUM_OF[best]) > most:
            most = int(SUM_OF[best])
            cards = cards_of(best, colour)
    if most == NOTHING:
        return NOTHING, EMPTY
    return FORMATION * ONE_COLOUR + total + most, cards


@kernel
def best_plain_run(
    values: int, wild: int, needed: int, missing: int, unseen: Word
) -> tuple[int, Word]:
    """A run of any colours: one in the row of all values there are."""
    available = values_in_any(unseen)
    start, _, filled = best_run(values, wild, needed, np.uint64(available))
    if start == 0:
        return NOTHING, EMPTY
    filled = int(HIGHEST_VALUES[missing, filled & available])
    cards = EMPTY
    while filled != 0:
        cards |= lowest_cards(unseen & OF_VALUE[lowest(filled) + 1], 1)
        filled &= filled - 1
    return run_strength(RUN, needed, start), cards


@kernel
def best_sum(total: int, missing: int, unseen: Word) -> tuple[int, Word]:
    rest = unseen
    for _ in range(missing):
        value = int(HIGHEST[values_in_any(rest)])
        total += value
        rest &= ~lowest_cards(rest & OF_VALUE[value], 1)
    return FORMATION * ANY_SUM + total, unseen & ~rest


@kernel
def strongest(side: Word, needed: int, fog: bool, unseen: Word, above: int) -> tuple[int, Word]:
    """The most a side can still be with unseen clan cards, and the cards that make it so.

    NOTHING and no cards if it cannot become stronger than `above`.
    """
    missing = needed - popcount(side)
    if popcount(unseen) < missing:
        return NOTHING, EMPTY  # schotten.proof: not enough cards to complete the side
    clans = side & CLAN
    laid = popcount(clans)
    values = values_in_any(clans)
    rows = CLAN
    if clans != EMPTY:
        rows = cards_of(ALL_VALUES, COLOUR_OF[lowest(clans)])
    wild = int(np.int64(side >> np.uint64(FARLANE))) & WILD
    total = sum_of(clans) + BEST_WILD[wild]
    found, cards = NOTHING, EMPTY
    if not fog:  # schotten.fog: only the sum counts
        if wild & SUPPORT_TROOP:  # schotten.support: a 7 of any colour
            values |= SUPPORT_VALUES
            laid += 1
        distinct = popcount(values) == laid
        one_value = popcount(values) <= 1
        one_colour = clans & ~rows == EMPTY
        if distinct and one_colour:
            found, cards = best_colour_run(values, rows, wild, needed, missing, unseen)
        if found == NOTHING and one_value and above < FORMATION * (TEAM + 1):
            found, cards = best_team(values, wild, needed, missing, unseen)
        if found == NOTHING and one_colour and above < FORMATION * (ONE_COLOUR + 1):
            found, cards = best_colour(total, rows, missing, unseen)
        if found == NOTHING and distinct and above < FORMATION * (RUN + 1):
            found, cards = best_plain_run(values, wild, needed, missing, unseen)
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
