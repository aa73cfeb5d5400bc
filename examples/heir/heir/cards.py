"""The nine cards of Heir, the places they lie in, and the record of a match."""

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
from tanistry.games.shapes import BySeat, CardCode, Number, Seat
from tanistry.table.record import Int, MatchState, layout

DECK_LIST = tuple(Card(f"H{value}", suit="H", value=value) for value in range(1, 10))
ONE, NINE = 0, 8  # cards are numbered in the order of the list
ALL = np.uint64((1 << 9) - 1)  # a set of cards is a word with a bit for each
HAND_SIZE = 4

DECK, HAND, TRICK, WON = 0, 1, 3, 5  # hand, trick and won: + seat

PLACES = (
    Place("deck", "nobody", order="pile", most=1),
    Place("hand.0", "owner", owner=0, most=HAND_SIZE),
    Place("hand.1", "owner", owner=1, most=HAND_SIZE),
    Place("trick.0", "all", owner=0, most=1),
    Place("trick.1", "all", owner=1, most=1),
    Place("won.0", "all", owner=0),
    Place("won.1", "all", owner=1),
)

DECISIONS = ("play",)
ACTIONS = (
    Action(
        "play", "{card}", (Part("card", CardCode(), range(len(DECK_LIST))),), decisions=DECISIONS
    ),
)

RULE_IDS = ("heir.deal", "heir.lead", "heir.answer", "heir.trick", "heir.upstart", "heir.end")
DEAL, LEAD, ANSWER, WIN, UPSTART, END = range(len(RULE_IDS))

TRICK_WON, OVER = 1, 2
EVENTS = (
    EventType("trick", (("seat", Seat()), ("card", CardCode()))),
    EventType("over", (("seat", Seat()),)),
)

NOT_HELD, NOT_LED = 0, 1
REFUSALS = (
    RefusalType("not_held", (("card", CardCode()),)),
    RefusalType("lead", (("card", CardCode()),)),
)

WRONG_COUNT, WRONG_TURN = 0, 1
PROBLEMS = (COUNT, ProblemType("turn", (("leader", Seat()),)))

FACTS = (Fact("leader", Seat(), field="leader"),)
TALLY = (Fact("sums", BySeat(Number())),)


class State(MatchState):
    """A match of Heir: the table itself, and two numbers."""

    low: Int  # the option: 1 if the lower sum wins
    leader: Int  # the seat that leads this trick


STATE = layout(State, places=len(PLACES), ordered=1, cards=len(DECK_LIST), seats=2)
