"""The cards of King's Kilt in both editions, the pyramid, the places and the record of a match.

Tables with the edition as their first index hold the `7clans` edition first, then `8clans`.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from tanistry.games.contract import EventType, Options, Place
from tanistry.games.shapes import CardCode, Number, PlaceName, Seat
from tanistry.table.record import Int, Ints, Table, Words, layout

SEATS = 4
"""The most seats there can be."""
EDITIONS = ("7clans", "8clans")

# -- cards: numbered in the order of the card list ------------------------------------------------

CLANS = (
    ("BR", "BU", "MB", "MK", "ML", "DO", "WA"),
    ("BR", "BU", "DO", "HA", "MB", "ML", "ST", "WA"),
)
CHIEFS_PER_CLAN = 2
MEMBERS_PER_CLAN = (7, 6)
CODES = tuple(
    tuple(
        code
        for clan in clans
        for code in [f"{clan}!"] * CHIEFS_PER_CLAN + [clan] * MEMBERS_PER_CLAN[edition]
    )
    for edition, clans in enumerate(CLANS)
)
"""63 cards; 64 in the later edition, which fill a word to its last bit."""
CARDS = 64
MOST_CLANS = 8

CLAN_COUNT = np.array([len(clans) for clans in CLANS], np.int64)
CLAN_OF = np.array(
    [
        [CLANS[edition].index(code[:2]) for code in codes] + [-1] * (CARDS - len(codes))
        for edition, codes in enumerate(CODES)
    ],
    np.int64,
)
"""[edition, card] the number of the card's clan."""


def _set_of(edition: int, wanted: str) -> int:
    """The cards whose code starts with the wanted text (a clan), or ends with it (`!`), as bits."""
    codes = enumerate(CODES[edition])
    return sum(1 << n for n, code in codes if code.startswith(wanted) or code.endswith(wanted))


OF_CLAN = np.array(
    [
        [_set_of(edition, clan) for clan in clans] + [0] * (MOST_CLANS - len(clans))
        for edition, clans in enumerate(CLANS)
    ],
    np.uint64,
)
"""[edition, clan] the cards of a clan, chiefs and members."""
CHIEFS = np.array([_set_of(edition, "!") for edition in (0, 1)], np.uint64)
MEMBERS = np.array(
    [(1 << len(codes)) - 1 - int(CHIEFS[edition]) for edition, codes in enumerate(CODES)],
    np.uint64,
)

FAMILY_CARDS = 3
INFLUENCE_CARDS = (0, 0, 5, 5, 4)
"""Influence cards dealt to each seat, by the number of seats."""

# -- the pyramid ----------------------------------------------------------------------------------

ROWS = 6
BASE = 6
"""Cells of the bottom row."""
CELLS = 21
NOBLES_ROW, GUARDIANS_ROW, KING_ROW = 4, 5, 6

CELL_NAMES = tuple(f"{row}.{column}" for row in range(1, ROWS + 1) for column in range(7 - row))
"""Cells are numbered from the bottom, each row from the left; 0 to 5 are the base."""
ROW_OF = np.array([int(name[0]) for name in CELL_NAMES], np.int64)
_COLUMN_OF = [int(name[2]) for name in CELL_NAMES]

# A set of cells is a word in which cell R.C is bit 8(R − 1) + C: every step to a neighbour is then
# one shift for all cells at once, and a step off the pyramid lands on a bit that is no cell.
CELL_BIT = np.array(
    [1 << (8 * (int(r) - 1) + c) for r, c in zip(ROW_OF, _COLUMN_OF, strict=True)], np.uint64
)
PYRAMID_SET = np.uint64(sum(int(cell) for cell in CELL_BIT))
ROW_SET = np.array(
    [sum(int(CELL_BIT[n]) for n in range(CELLS) if ROW_OF[n] == row) for row in range(ROWS + 1)],
    np.uint64,
)
"""[row] the cells of a row, from 1 to 6."""
ROW_SHIFT = np.array([0, 0, 2, 5, 9, 14, 20], np.uint64)
"""[row] how far down a row's bits move so that cell number n becomes bit n."""

SUPPORT = np.array(
    [
        [CELL_NAMES.index(f"{r - 1}.{c}"), CELL_NAMES.index(f"{r - 1}.{c + 1}")]
        if r > 1
        else [-1] * 2
        for r, c in zip(ROW_OF, _COLUMN_OF, strict=True)
    ],
    np.int64,
)
"""[cell, side] the two cells it rests on, left and right."""

# -- actions --------------------------------------------------------------------------------------
#
# A climb is told by the cell it reaches and the side it comes from: `climb 2.1>` is the card on the
# left below 3.1 and `climb 2.2<` the one on its right.

TARGETS = CELLS - BASE
CLIMB = 0  # + 15 · side + (target − 6)
FILL = 30  # + side
BETRAY = 32  # + 21 · clan + cell; then `pass`, then a `reveal` for each clan
LEFT, RIGHT = 0, 1


def _vocabulary(clans: tuple[str, ...]) -> tuple[str, ...]:
    climbs = [
        f"climb {CELL_NAMES[SUPPORT[target, side]]}{'><'[side]}"
        for side in (LEFT, RIGHT)
        for target in range(BASE, CELLS)
    ]
    betrayals = [f"betray {clan} {cell}" for clan in clans for cell in CELL_NAMES]
    reveals = [f"reveal {clan}" for clan in clans]
    return (*climbs, "fill <", "fill >", *betrayals, "pass", *reveals)


TOKENS = tuple(_vocabulary(clans) for clans in CLANS)
PASS = np.array([BETRAY + CELLS * len(clans) for clans in CLANS], np.int64)
"""[edition] the action of passing."""
REVEAL = PASS + 1
"""[edition] + clan"""


def codes(options: Options) -> tuple[str, ...]:
    return CODES[EDITIONS.index(str(options["edition"]))]


def tokens(options: Options) -> tuple[str, ...]:
    return TOKENS[EDITIONS.index(str(options["edition"]))]


DECISIONS = ("turn", "fill", "reveal")
TURN, FILLING, REVEALING = range(3)

# -- places: the ordered one first ----------------------------------------------------------------

DECK = 0
FAMILY = 1  # + seat
INFLUENCE = 5  # + seat
PYRAMID = 9  # + cell
DISCARD = 30
REMOVED = 31

PLACES = (
    Place("deck", "nobody", order="pile"),  # its top card is seen by all
    *(Place(f"family.{seat}", "owner", owner=seat, most=FAMILY_CARDS) for seat in range(SEATS)),
    *(Place(f"influence.{seat}", "owner", owner=seat, most=5) for seat in range(SEATS)),
    *(
        Place(f"pyramid.{row}.{column}", "all", most=1, index=(row, column))
        for row in range(1, ROWS + 1)
        for column in range(7 - row)
    ),
    Place("discard", "all"),
    Place("removed", "all"),
)

# -- rules and events by number -------------------------------------------------------------------

RULE_IDS = tuple(
    "kilt." + name
    for name in [
        "family",
        "family8",
        "influence",
        "pile",
        "base",
        "turn",
        "climb",
        "support",
        "vacuum",
        "pile_empty",
        "betray",
        "kings_reach",
        "nobles",
        "guardians",
        "reveal",
        "king",
        "pass",
        "end",
        "score",
        "winner",
        "example",
    ]
)
(
    FAMILY_RULE, FAMILY8_RULE, INFLUENCE_RULE, PILE_RULE, BASE_RULE, TURN_RULE, CLIMB_RULE,
    SUPPORT_RULE, VACUUM_RULE, PILE_EMPTY_RULE, BETRAY_RULE, KINGS_REACH_RULE, NOBLES_RULE,
    GUARDIANS_RULE, REVEAL_RULE, KING_RULE, PASS_RULE, END_RULE, SCORE_RULE, WINNER_RULE,
    EXAMPLE_RULE,
) = range(len(RULE_IDS))  # fmt: skip

(
    TURNED, REBUILT, BETRAYED, REWARD, REVEALED, CROWNED, PASSED, POINTS, THRONE, SHARED,
) = range(1, 11)  # fmt: skip
EVENTS = (
    EventType("top", (("card", CardCode()),)),
    EventType("rebuilt", (("cards", Number()),)),
    EventType(
        "betray",
        (("seat", Seat()), ("card", CardCode()), ("other", CardCode()), ("from", PlaceName())),
    ),
    EventType("reward", (("seat", Seat()),)),
    EventType("reveal", (("seat", Seat()), ("card", CardCode()))),
    EventType("king", (("card", CardCode()),)),
    EventType("pass", (("seat", Seat()),)),
    EventType("points", (("seat", Seat()), ("points", Number()), ("influence", Number()))),
    EventType("over", (("seat", Seat()),)),
    EventType("shared", (("seat", Seat()),)),
)


class State(Table):
    """A match of King's Kilt."""

    edition: Int  # an index into EDITIONS
    active: Int  # whose turn it is; others act in it only to reveal
    vacuum: Int  # the cell to be filled, −1 if there is none
    owed: Annotated[Ints, np.int32, (SEATS,)]  # family cards each seat must still reveal
    passed: Annotated[Ints, np.int32, (SEATS,)]  # 1 for a seat that is out
    recycled: Annotated[Words, np.uint64, (1,)]  # cards shuffled from the discard into the pile
    cells: Annotated[Words, np.uint64, (MOST_CLANS,)]  # [clan] its cells, drawn from the places


STATE = layout(State, places=len(PLACES), ordered=1, cards=CARDS, seats=SEATS)
