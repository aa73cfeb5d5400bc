"""The cards of King's Kilt in both editions, the pyramid, the places and the record of a match.

Tables with the edition as their first index hold the `7clans` edition first, then `8clans`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from tanistry.games.contract import (
    COUNT,
    CROWDED,
    Action,
    Card,
    EventType,
    Fact,
    Part,
    Place,
    ProblemType,
    RefusalType,
)
from tanistry.games.shapes import (
    BySeat,
    CardCode,
    Code,
    Fields,
    ListOf,
    Maybe,
    Number,
    PlaceName,
    Seat,
    Truth,
)
from tanistry.table.record import Int, Ints, MatchState, Words, layout

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
DECKS = tuple(
    tuple(
        Card(code, clan, kind=kind, when={"edition": EDITIONS[edition]})
        for clan in clans
        for code, kind, copies in (
            (f"{clan}!", "chief", CHIEFS_PER_CLAN),
            (clan, "member", MEMBERS_PER_CLAN[edition]),
        )
        for _ in range(copies)
    )
    for edition, clans in enumerate(CLANS)
)
"""63 cards; 64 in the later edition, which fill a word to its last bit."""
DECK_LIST = (*DECKS[0], *DECKS[1])
CARDS = 64
MOST_CLANS = 8

CLAN_COUNT = np.array([len(clans) for clans in CLANS], np.int64)
CLAN_OF = np.array(
    [
        [CLANS[edition].index(card.suit) for card in deck] + [-1] * (CARDS - len(deck))
        for edition, deck in enumerate(DECKS)
    ],
    np.int64,
)
"""[edition, card] the number of the card's clan."""


def _set_of(deck: tuple[Card, ...], wanted: str) -> int:
    """The cards of a clan, or of a kind, as bits."""
    return sum(1 << n for n, card in enumerate(deck) if wanted in (card.suit, card.kind))


OF_CLAN = np.array(
    [
        [_set_of(DECKS[edition], clan) for clan in clans] + [0] * (MOST_CLANS - len(clans))
        for edition, clans in enumerate(CLANS)
    ],
    np.uint64,
)
"""[edition, clan] the cards of a clan, chiefs and members."""
CHIEFS = np.array([_set_of(deck, "chief") for deck in DECKS], np.uint64)
MEMBERS = np.array([_set_of(deck, "member") for deck in DECKS], np.uint64)
MEMBER = np.array(
    [
        [CHIEFS_PER_CLAN + clan * len(deck) // len(CLANS[edition]) for clan in range(MOST_CLANS)]
        for edition, deck in enumerate(DECKS)
    ],
    np.int64,
)
"""[edition, clan] the first member of a clan, which choices and refusals name."""

FAMILY_CARDS = 3
INFLUENCE_CARDS = (0, 0, 5, 5, 4)
"""Influence cards dealt to each seat, by the number of seats."""

# -- the pyramid ----------------------------------------------------------------------------------

ROWS = 6
BASE = 6
"""Cells of the bottom row."""
CELLS = 21
NOBLES_ROW, GUARDIANS_ROW, KING_ROW = 4, 5, 6
ROW_POINTS = np.array([0, 0, 0, 0, 1, 2, 3], np.int64)
"""[row] what a relative there counts for."""

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

# -- actions --------------------------------------------------------------------------------------
#
# A climb is told by the cell it reaches and the side it comes from: `climb 2.1>` is the card on the
# left below 3.1 and `climb 2.2<` the one on its right.

TARGETS = CELLS - BASE
CLIMB = 0  # + 15 · side + (target − 6)
FILL = 30  # + side
BETRAY = 32  # + 21 · clan + cell; then `pass`, then a `reveal` for each clan
LEFT, RIGHT = 0, 1
SIDE = Code(("left", "right"), "sides")

DECISIONS = ("turn", "fill", "reveal")
TURN, FILLING, REVEALING = range(3)


def _cells(cells: Sequence[int]) -> Part:
    """A card of the pyramid, by its cell."""
    places, names = [PYRAMID + cell for cell in cells], [CELL_NAMES[cell] for cell in cells]
    return Part("from", PlaceName(), places, names)


def _climbs(side: int, towards: int, sign: str) -> Action:
    sources = [int(SUPPORT[target, side]) for target in range(BASE, CELLS)]
    reached = Part("to", PlaceName(), range(PYRAMID + BASE, PYRAMID + CELLS), along=True)
    parts = (_cells(sources), reached, Part("side", SIDE, (towards,), (sign,)))
    return Action("climb", "climb {from}{side}", parts, ("turn",))


def _of_edition(edition: int) -> tuple[Action, ...]:
    """Treason, passing and revealing name the clans of an edition."""
    members = Part("card", CardCode(), MEMBER[edition, : CLAN_COUNT[edition]].tolist())
    when = {"edition": EDITIONS[edition]}
    betray = (members, _cells(range(CELLS)))
    return (
        Action("betray", "betray {card} {from}", betray, ("turn",), when),
        Action("pass", "pass", (), ("turn",), when),
        Action("reveal", "reveal {card}", (members,), ("reveal",), when),
    )


ACTIONS = (
    _climbs(LEFT, RIGHT, ">"),
    _climbs(RIGHT, LEFT, "<"),
    Action("fill", "fill {side}", (Part("side", SIDE, (LEFT, RIGHT), "<>"),), ("fill",)),
    *_of_edition(0),
    *_of_edition(1),
)
PASS = np.array([BETRAY + CELLS * len(clans) for clans in CLANS], np.int64)
"""[edition] the action of passing."""
REVEAL = PASS + 1
"""[edition] + clan"""

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
ASIDES = frozenset({"kilt.vacuum"})


CARD, CELL = ("card", CardCode()), ("cell", PlaceName())
(
    EMPTY_CELL,
    CLIMB_FULL,
    NO_SUPPORT,
    NOT_HELD,
    NO_TRAITOR,
    NOBODY_BETRAYS,
    NO_KING,
    NOT_FAMILY,
    SHOWN,
) = range(9)
REFUSALS = (
    RefusalType("empty_cell", (CELL,)),
    RefusalType("climb", (CELL,)),
    RefusalType("support", (CELL,)),
    RefusalType("not_held", (CARD, CELL)),
    RefusalType("betray", (CARD, CELL)),
    RefusalType("nobody_betrays", (CARD, CELL)),
    RefusalType("pass"),
    RefusalType("not_family", (CARD,)),
    RefusalType("revealed", (CARD,)),
)

SEAT = ("seat", Seat())
REACHED = ("nobles", "guardians", "crowned")
"""Facts about rows 4, 5 and 6: whether they were ever reached."""
(
    WRONG_COUNT, TOO_MANY, WRONG_ROWS, SAME_CLAN, FAMILY8, CHIEF_THERE, VACUUM_FULL, EMPTY_BASE,
    UNSUPPORTED, PILE_SHORT, PASSED_EARLY, NOT_OVER, VACUUM_NONE, VACUUM_MISSING, ACTIVE_PASSED,
    NOT_ACTIVE, OWED_NOW, NO_REWARD, OWED_MANY, OWED_TURN,
) = range(20)  # fmt: skip
PROBLEMS = (
    COUNT,
    CROWDED,
    ProblemType("reached", (("name", Code(REACHED)), ("value", Truth()))),
    ProblemType("family", (SEAT,)),
    ProblemType("family8"),
    ProblemType("chief", (("name", PlaceName()), CARD)),
    ProblemType("vacuum_full", (("cell", Code(CELL_NAMES)),)),
    ProblemType("base", (("cell", Code(CELL_NAMES)),)),
    ProblemType("support", (("cell", Code(CELL_NAMES)), ("below", Code(CELL_NAMES)))),
    ProblemType("pile", (("count", Number()), ("needed", Number()))),
    ProblemType("passed_early"),
    ProblemType("over"),
    ProblemType("vacuum_none"),
    ProblemType("vacuum_missing"),
    ProblemType("passed_active", (SEAT,)),
    ProblemType("active", (SEAT, ("active", Seat()))),
    ProblemType("owed_now"),
    ProblemType("no_reward", (("cell", Code(CELL_NAMES)),)),
    ProblemType("owed_many", (SEAT, ("count", Number()))),
    ProblemType("owed_turn", (SEAT,)),
)

# -- facts ----------------------------------------------------------------------------------------

FACTS = (
    Fact("active", Seat()),  # whose turn it is; others act in it only to reveal
    Fact("vacuum", Maybe(Code(CELL_NAMES[BASE:]))),  # the cell to be filled
    Fact("owed", BySeat(Number(0, FAMILY_CARDS - 1))),  # family cards still to be revealed
    Fact("passed", ListOf(Seat(), distinct=True)),
    *(Fact(name, Truth()) for name in REACHED),
    Fact("rebuilt", Truth()),  # whether the pile is made from the discard
)
RANK = ("rank", Code(("commoners", "nobles", "guardians", "king"), "ranks"))
_POINTS = ("points", Number())
_COUNTED = tuple((rank, Number()) for rank in ("king", "guardians", "nobles"))
_GAP = (CELL, ("left", Maybe(PlaceName())), ("right", Maybe(PlaceName())))
TALLY = (
    Fact("points", BySeat(Number())),  # so far, by the family cards that are known
    Fact("hidden", BySeat(Number())),  # family cards that are not
    Fact("influence", BySeat(Number())),  # cards left, which break a tie
    # what a relative is worth, and how many of its clan are where that counts
    Fact("clans", ListOf(Fields((CARD, _POINTS, *_COUNTED)))),
    Fact("rows", ListOf(Fields((("row", Number()), RANK, _POINTS)))),  # from the top
    Fact("gap", Fields(_GAP)),  # while a cell is to be filled: the cards that can move up
)


class State(MatchState):
    """A match of King's Kilt."""

    edition: Int  # an index into EDITIONS
    active: Int  # whose turn it is; others act in it only to reveal
    vacuum: Int  # the cell to be filled, −1 if there is none
    owed: Annotated[Ints, np.int32, (SEATS,)]  # family cards each seat must still reveal
    passed: Annotated[Ints, np.int32, (SEATS,)]  # 1 for a seat that is out
    recycled: Annotated[Words, np.uint64, (1,)]  # cards shuffled from the discard into the pile
    cells: Annotated[Words, np.uint64, (MOST_CLANS,)]  # [clan] its cells, drawn from the places


STATE = layout(State, places=len(PLACES), ordered=1, cards=CARDS, seats=SEATS)
