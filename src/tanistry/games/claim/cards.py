"""The 52 cards of Claim, the places they lie in, and the record of a match."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from tanistry.games.contract import (
    COUNT,
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
    Letters,
    ListOf,
    Maybe,
    Number,
    Seat,
)
from tanistry.table.record import Int, MatchState, Words, layout

# -- cards: numbered in the order of the card list ------------------------------------------------

FACTIONS = "GKUDX"
GOBLIN, KNIGHT, UNDEAD, DWARF, DOPPEL = range(5)
FACTION = Code(tuple(FACTIONS), "factions")

_VALUES = {
    "G": [0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "K": [2, 3, 4, 5, 6, 7, 8, 9],
    "U": list(range(10)),
    "D": list(range(10)),
    "X": list(range(10)),
}
_RULE = {"G": "knight", "K": "knight", "U": "undead", "D": "dwarf", "X": "doppel"}
DECK_LIST = tuple(
    Card(f"{suit}{value}", suit, value, rule=f"claim.{_RULE[suit]}")
    for suit in FACTIONS
    for value in _VALUES[suit]
)
CODES = tuple(card.code for card in DECK_LIST)
CARDS = len(CODES)

FACTION_OF = np.array([FACTIONS.index(card.suit) for card in DECK_LIST], np.int64)
VALUE_OF = np.array([card.value for card in DECK_LIST], np.int64)
OF_FACTION = np.array(
    [sum(1 << card for card in range(CARDS) if FACTION_OF[card] == f) for f in range(5)], np.uint64
)
"""The cards of each faction as a set."""

GOBLIN_ZEROS = np.uint64(0b11111)
"""The five twins `G0` are cards 0 to 4."""
TWINS = 4
"""How many numbers the twins use up: the action of any other card is its number less this."""
DECISIONS = ("play",)
ACTIONS = (Action("play", "{card}", (Part("card", CardCode(), range(TWINS, CARDS)),), DECISIONS),)
"""A choice names a code, so the five Goblin zeros are one action, number 0."""

# -- places: the ordered one first ----------------------------------------------------------------

DECK = 0
HAND = 1  # + seat
PRIZE = 3
TRICK = 4  # + seat
FOLLOWERS = 6  # + seat
SCORE = 8  # + seat
DISCARD = 10

TRICKS = 13
"""Tricks in each phase, and cards in each hand."""

PLACES = (
    Place("deck", "nobody", order="pile", most=25),
    Place("hand.0", "owner", owner=0, most=TRICKS),
    Place("hand.1", "owner", owner=1, most=TRICKS),
    Place("prize", "all", most=1),
    Place("trick.0", "all", owner=0, most=1),
    Place("trick.1", "all", owner=1, most=1),
    Place("followers.0", "owner", owner=0, most=TRICKS),
    Place("followers.1", "owner", owner=1, most=TRICKS),
    Place("score.0", "all", owner=0),
    Place("score.1", "all", owner=1),
    Place("discard", "all"),
)

# -- rules and events by number -------------------------------------------------------------------

RULE_IDS = tuple(
    "claim." + name
    for name in [
        "setup",
        "leader",
        "prize",
        "lead",
        "follow",
        "win",
        "knight",
        "doppel",
        "spoils1",
        "undead",
        "discard1",
        "phase2",
        "spoils2",
        "dwarf",
        "vote",
        "end",
    ]
)
(
    SETUP, LEADER, PRIZE_RULE, LEAD, FOLLOW, WIN, KNIGHT_RULE, DOPPEL_RULE, SPOILS1, UNDEAD_RULE,
    DISCARD1, PHASE2, SPOILS2, DWARF_RULE, VOTE, END,
) = range(len(RULE_IDS))  # fmt: skip

TRICK_WON, PHASE, VOTED, OVER = 1, 2, 3, 4
EVENTS = (
    EventType("trick", (("seat", Seat()), ("card", CardCode()))),
    EventType("phase", (("phase", Number()),)),
    EventType(
        "vote",
        (
            ("faction", FACTION),
            ("seat", Seat()),
            ("cards", Number()),
            ("against", Number()),
        ),
    ),
    EventType("over", (("seat", Seat()),)),
)
ASIDES = frozenset(
    f"claim.{name}" for name in ("prize", "spoils1", "spoils2", "undead", "dwarf", "discard1")
)

FOLLOWING = (
    ("card", CardCode()),
    ("card_led", CardCode()),
    ("faction", FACTION),
    ("must", ListOf(CardCode())),
)
NOT_HELD, MUST_FOLLOW, MUST_FOLLOW_DOPPEL = range(3)
REFUSALS = (
    RefusalType("not_held", (("card", CardCode()),)),
    RefusalType("follow", FOLLOWING),
    RefusalType("follow_doppel", FOLLOWING),
)

(
    WRONG_COUNT, ANSWERED, WRONG_TURN, NOT_OVER, SCORED_EARLY, DISCARDED_UNDEAD, UNDEAD_MISSING,
    VOID_HELD,
) = range(8)  # fmt: skip
PROBLEMS = (
    COUNT,
    ProblemType("answered", (("seat", Seat()),)),
    ProblemType("turn", (("seat", Seat()), ("leader", Seat()))),
    ProblemType("not_over"),
    ProblemType("score1"),
    ProblemType("discard"),
    ProblemType("score2", (("count", Number()),)),
    ProblemType("void_held", (("seat", Seat()),)),
)

# -- facts ----------------------------------------------------------------------------------------

FACTS = (
    Fact("phase", Number(1, 2), "phase"),
    Fact("trick", Number(1, TRICKS), "trick"),
    Fact("leader", Seat(), "leader"),
    Fact("void", BySeat(Letters(FACTIONS))),  # the factions a seat has shown not to hold
)
TALLY = (
    Fact("score", BySeat(Number())),  # the votes each seat would get now
    Fact(
        "votes",
        ListOf(
            Fields(
                (
                    ("faction", FACTION),
                    ("seat", Maybe(Seat())),  # for whom it would vote now
                    ("cards", BySeat(Number())),  # in each score pile
                    ("highest", BySeat(Maybe(Number()))),  # the value that breaks a tie
                    ("by", Maybe(Code(("cards", "highest"), "voted_by"))),  # what decides it
                )
            )
        ),
    ),
)


class State(MatchState):
    """A match of Claim."""

    phase: Int  # 1 or 2
    trick: Int  # 1 to 13, within the phase
    leader: Int  # the seat that leads this trick
    void: Annotated[Words, np.uint64, (2,)]  # cards a seat has shown not to hold, by not following


STATE = layout(State, places=len(PLACES), ordered=1, cards=CARDS, seats=2)
