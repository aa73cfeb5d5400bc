"""The 64 cards of Schotten Totten, the places they lie in, the choices, and the record of a match.

All cards together fill one 64-bit word exactly: sets of cards are single words. Stones are numbered
from 0 in kernels and from 1 for people; sets of stones are the nine lowest bits of an integer.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from tanistry.games.contract import (
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
    DecisionName,
    Fields,
    ListOf,
    MapOf,
    Maybe,
    Number,
    PlaceName,
    Seat,
    Truth,
)
from tanistry.table.record import Int, Ints, MatchState, Words, layout

# -- cards: numbered in the order of the card list ------------------------------------------------

COLOURS = "RYGBPO"
VALUES = 9
CLANS = len(COLOURS) * VALUES
"""How many clan cards there are; the tactic cards come after them."""
_KINDS = {
    "chief": ("farlane", "gregor"),
    "morale": ("support", "shield"),
    "environment": ("fog", "mud"),
    "ruse": ("scout", "redeploy", "deserter", "traitor"),
}
_NUMBERS = {  # the values a card can stand for; how many cards a side then needs
    "farlane": {"least": 1, "most": VALUES},
    "gregor": {"least": 1, "most": VALUES},
    "support": {"least": 7, "most": 7},
    "shield": {"least": 1, "most": 3},
    "mud": {"needed": 4},
}
DECK_LIST = (
    *(
        Card(f"{colour}{value}", colour, value, "clan", "clan", rule="schotten.formation")
        for colour in COLOURS
        for value in range(1, VALUES + 1)
    ),
    *(
        Card(
            code,
            kind=kind,
            back="tactic",
            numbers=_NUMBERS.get(code, {}),
            rule=f"schotten.{'chief' if kind == 'chief' else code}",
            when={"tactics": True},
        )
        for kind, codes in _KINDS.items()
        for code in codes
    ),
)
CODES = tuple(card.code for card in DECK_LIST)
CLAN_CODES, TACTIC_CODES = CODES[:CLANS], CODES[CLANS:]
CARDS = len(CODES)

FARLANE, GREGOR, SUPPORT, SHIELD, FOG, MUD, SCOUT, REDEPLOY, DESERTER, TRAITOR = range(CLANS, CARDS)

CLAN = np.uint64((1 << CLANS) - 1)
TACTIC = ~CLAN
CHIEFS = np.uint64(1 << FARLANE | 1 << GREGOR)
MORALE = np.uint64(1 << FARLANE | 1 << GREGOR | 1 << SUPPORT | 1 << SHIELD)
ENVIRONMENT = np.uint64(1 << FOG | 1 << MUD)
RUSES = np.uint64(1 << SCOUT | 1 << REDEPLOY | 1 << DESERTER | 1 << TRAITOR)

# -- places: the ordered ones first ---------------------------------------------------------------

STONES = 9
ALL_STONES = (1 << STONES) - 1
SIDE_CARDS = 3  # cards a side needs
SIDE_CARDS_MUD = 4

DECK = 0
TACTICS = 1
SIDE = 2  # + 2 · stone + seat
ENV = 20  # + stone
HAND = 29  # + seat
PLAYED = 31  # + seat
DISCARD = 33

ORDERED = ENV
HAND_BASIC, HAND_TACTICS = 6, 7
SCOUT_DRAWS, SCOUT_RETURNS = 3, 2
MOST_IN_HAND = HAND_TACTICS - 1 + SCOUT_DRAWS

PLACES = (
    Place("deck", "nobody", order="pile"),
    Place("tactics", "nobody", order="pile"),
    *(
        Place(
            f"stone.{stone}.{seat}",
            "all",
            seat,
            "row",
            SIDE_CARDS_MUD,
            order_shown=True,
            index=(stone,),
        )
        for stone in range(1, STONES + 1)
        for seat in (0, 1)
    ),
    *(Place(f"stone.{stone}.env", "all", most=2, index=(stone,)) for stone in range(1, STONES + 1)),
    Place("hand.0", "owner", owner=0, most=MOST_IN_HAND),
    Place("hand.1", "owner", owner=1, most=MOST_IN_HAND),
    Place("played.0", "all", owner=0),
    Place("played.1", "all", owner=1),
    Place("discard", "all"),
)
SECRET_FROM_PUBLIC = frozenset({"hand", "deck", "tactics"})

# -- decisions and the actions of each ------------------------------------------------------------

DECISIONS = ("play", "scout_draw", "scout_return", "take", "put", "claim", "draw")
PLAY, SCOUT_DRAW, SCOUT_RETURN, TAKE, PUT, CLAIM, DRAW = range(len(DECISIONS))

# The basic game has the first part of the vocabulary. Where a choice names a card and a stone,
# the nine stones of one card are nine actions in a row.
LAY_CLAN = 0  # + 9 · card + stone
PASS = LAY_CLAN + STONES * CLANS
CLAIM_STONE = PASS + 1  # + stone
DONE = CLAIM_STONE + STONES
BASIC_ACTIONS = DONE + 1
LAY_TACTIC = BASIC_ACTIONS  # + 9 · (card − FARLANE) + stone
PLAY_RUSE = LAY_TACTIC + STONES * (SCOUT - FARLANE)  # + card − SCOUT
DRAW_CLAN = PLAY_RUSE + CARDS - SCOUT
DRAW_TACTIC = DRAW_CLAN + 1
RETURN = DRAW_TACTIC + 1  # + card
TAKE_CARD = RETURN + CARDS  # + 9 · card + stone
PUT_AT = TAKE_CARD + STONES * FOG  # + stone
PUT_AWAY = PUT_AT + STONES

NUMBERS = tuple(range(1, STONES + 1))
_TEXTS = tuple(map(str, NUMBERS))
STONE = Number(1, STONES)
_MY_SIDE = Part("to", PlaceName(), range(SIDE, ENV, 2), _TEXTS, mine=True)
_UNDER = Part("to", PlaceName(), range(ENV, HAND), _TEXTS)
_STONE = Part("stone", STONE, NUMBERS)
_PILE = Part("from", PlaceName(), (DECK, TACTICS), ("clan", "tactic"))


def _card(first: int, end: int) -> Part:
    return Part("card", CardCode(), range(first, end))


_WITH = {"tactics": True}
_DRAWING = ("scout_draw", "draw")
ACTIONS = (
    Action("play", "{card}@{to}", (_card(0, CLANS), _MY_SIDE), ("play",)),
    Action("pass", "pass", (), ("play",)),
    Action("claim", "claim {stone}", (_STONE,), ("claim",)),
    Action("done", "done", (), ("claim",)),
    Action("play", "{card}@{to}", (_card(FARLANE, FOG), _MY_SIDE), ("play",), _WITH),
    Action("lay", "{card}@{to}", (_card(FOG, SCOUT), _UNDER), ("play",), _WITH),
    Action("ruse", "{card}", (_card(SCOUT, CARDS),), ("play",), _WITH),
    Action("draw", "draw {from}", (_PILE,), _DRAWING, _WITH),
    Action("return", "return {card}", (_card(0, CARDS),), ("scout_return",), _WITH),
    Action("take", "take {card}@{stone}", (_card(0, FOG), _STONE), ("take",), _WITH),
    Action("put", "put @{to}", (_MY_SIDE,), ("put",), _WITH),
    Action("discard", "discard", (), ("put",), _WITH),
)

# -- rules and events by number -------------------------------------------------------------------

RULE_IDS = tuple(
    "schotten." + name
    for name in [
        "setup", "play", "claim", "proof", "win", "draw", "cannot_play", "stuck", "hand7",
        "draw_choice", "pass", "chief", "support", "shield", "fog", "mud", "scout", "redeploy",
        "deserter", "traitor", "one_chief", "parity", "ruse_target", "claimed", "compare",
    ]
)  # fmt: skip
(
    SETUP_RULE, PLAY_RULE, CLAIM_RULE, PROOF_RULE, WIN_RULE, DRAW_RULE, CANNOT_PLAY_RULE,
    STUCK_RULE, HAND7_RULE, DRAW_CHOICE_RULE, PASS_RULE, CHIEF_RULE, SUPPORT_RULE, SHIELD_RULE,
    FOG_RULE, MUD_RULE, SCOUT_RULE, REDEPLOY_RULE, DESERTER_RULE, TRAITOR_RULE, ONE_CHIEF_RULE,
    PARITY_RULE, RUSE_TARGET_RULE, CLAIMED_RULE, COMPARE_RULE,
) = range(len(RULE_IDS))  # fmt: skip

RULE_OF_TACTIC = np.array(
    [CHIEF_RULE, *range(CHIEF_RULE, TRAITOR_RULE + 1)], np.int64
)  # by card − FARLANE; both chiefs share a rule

FORMATIONS = ("sum", "run", "colour", "team", "colour_run")
"""By the numbers of `proof`, weakest first."""
CLAIMED, PASSED, OVER = 1, 2, 3
EVENTS = (
    EventType(
        "claim",
        (
            ("seat", Seat()),
            ("stone", Number()),
            ("formation", Code(FORMATIONS, "formations")),  # of the side that wins it
            ("total", Number()),
        ),
    ),
    EventType("pass", (("seat", Seat()),)),
    EventType("over", (("seat", Seat()),)),
)
ASIDES = frozenset({"schotten.draw", "schotten.draw_choice"})

CARD, AT, RUSE = ("card", CardCode()), ("stone", STONE), ("card_ruse", CardCode())
COLOUR = Code((*COLOURS, "any"), "in_colour")
NO_COLOUR = len(COLOURS)
SIDE_SHOWN = (
    AT,
    ("card_colour", COLOUR),
    ("total", Number()),
    ("value", Number()),
    ("values", ListOf(Number())),
)
(
    NOT_HELD, MUST_PLAY, ONE_CHIEF, KEEP_CHIEF, TACTIC_AHEAD, NOTHING_TO_DRAW, NO_TARGET,
    NO_DESTINATION, STONE_CLAIMED, FULL, NOT_THERE, OWN_CARD, THEIR_CARD, CLAN_ONLY, NO_DISCARD,
    SAME_STONE, ALREADY_CLAIMED, INCOMPLETE, LATER, LOSES,
) = range(20)  # fmt: skip
UNPROVEN = LOSES + len(FORMATIONS)
"""Both + the formation of the other side."""
REFUSALS = (
    RefusalType("not_held", (CARD,)),
    RefusalType("must_play"),
    RefusalType("one_chief", (CARD,)),
    RefusalType("keep_chief", (CARD,)),
    RefusalType("parity", (CARD,)),
    RefusalType("nothing_to_draw", (CARD,)),
    RefusalType("no_target", (CARD,)),
    RefusalType("no_destination", (CARD,)),
    RefusalType("claimed", (AT,)),
    RefusalType("full", (AT, ("most", Number()))),
    RefusalType("not_there", (CARD, AT)),
    RefusalType("own_card", (CARD, RUSE)),
    RefusalType("their_card", (CARD, RUSE)),
    RefusalType("clan_only", (CARD, RUSE)),
    RefusalType("no_discard", (RUSE,)),
    RefusalType("same_stone", (CARD, AT)),
    RefusalType("already_claimed", (AT,)),
    RefusalType("incomplete", (AT, ("most", Number()), ("laid", Number()))),
    RefusalType("later", (AT,)),
    *(RefusalType(f"loses_{name}", SIDE_SHOWN) for name in FORMATIONS),
    *(
        RefusalType(f"unproven_{name}", (*SIDE_SHOWN, ("cards", ListOf(CardCode()))))
        for name in FORMATIONS
    ),
)

SEAT, DECISION = ("seat", Seat()), ("decision", DecisionName())
OWED = Code(("draws, returns", "ruse, taken", "passed", "claimed_now", "scouted", "draws"))
DRAWS_RETURNS, RUSE_TAKEN, PASSED_NOW, CLAIMED_NOW, SCOUTED, DRAWS = range(6)
(
    TOO_MANY, NO_QUESTION, STRAY, SIDE_FULL, RETURNED, TACTICS_SEAT, TWO_CHIEFS, CHIEF_MISSING,
    TACTICS_COUNT, CHIEFS_COUNT, NO_SCOUT, SCOUT_CHIEF, RETURNED_CHIEF, CLAIMED_TWICE,
    CLAIMED_INCOMPLETE, CLAIMED_LOST, BOTH_WON, IS_OVER, NOT_OVER, BASIC, NO_CLAIM, NO_DRAW,
    ONE_PILE, NOT_PENDING, DRAWS_MANY, RETURNS_MANY, NO_RUSE, RUSE_TARGET, NOT_TAKEN,
) = range(29)  # fmt: skip
PROBLEMS = (
    CROWDED,
    ProblemType("first_complete", (AT,)),
    ProblemType("stray", (CARD, ("name", PlaceName()))),
    ProblemType("side", (AT, SEAT, ("count", Number()), ("most", Number()))),
    ProblemType("returned", (("count", Number()),)),
    ProblemType("tactics_seat", (SEAT, ("count", Number()))),
    ProblemType("two_chiefs", (SEAT,)),
    ProblemType("chief", (SEAT,)),
    ProblemType("tactics", (("first", Number()), ("second", Number()), ("count", Number()))),
    ProblemType("chiefs", (("count", Number()),)),
    ProblemType("no_scout"),
    ProblemType("scout_chief", (SEAT,)),
    ProblemType("returned_chief"),
    ProblemType("claimed_twice"),
    ProblemType("claimed_incomplete", (AT, SEAT)),
    ProblemType("claimed_lost", (AT, SEAT)),
    ProblemType("both_won"),
    ProblemType("over"),
    ProblemType("not_over"),
    ProblemType("basic", (DECISION,)),
    ProblemType("no_claim", (SEAT,)),
    ProblemType("no_draw", (SEAT,)),
    ProblemType("one_pile", (DECISION,)),
    ProblemType("not_pending", (("name", OWED), DECISION)),
    ProblemType("draws", (("count", Number()), ("most", Number()))),
    ProblemType("returns", (("count", Number()),)),
    ProblemType("no_ruse", (SEAT, DECISION)),
    ProblemType("no_target", (CARD,)),
    ProblemType("not_taken", (CARD,)),
)

AFTER, BEFORE = 0, 1  # the option `claim`
NO_CARD = -1


# -- facts: each is listed only where it says something -------------------------------------------

FACTS = (
    Fact("claimed", MapOf(STONE, Seat())),  # by stone: the seat that claimed it
    Fact("first_complete", MapOf(STONE, Seat())),  # where both sides are: the seat that was first
    Fact("tactics", BySeat(Number(0, CARDS - CLANS))),  # tactic cards played
    Fact("chiefs", ListOf(Seat())),  # the seats that have played a chief
    Fact("idle", Number(0, 2), "idle", unsaid=0),
    Fact("redrawn", Number(0, SCOUT_RETURNS), "redrawn", unsaid=0),
    Fact("draws", Number(0, SCOUT_DRAWS)),  # what the scout has still to draw
    Fact("returns", Number(0, SCOUT_RETURNS)),  # and to return
    *(
        Fact(name, Truth(), name, unsaid=0)
        for name in ("passed", "scouted", "claimed_now", "scout_after_chief")
    ),
    Fact("ruse", Code(CODES[REDEPLOY:], "cards")),  # the ruse being carried out
    Fact("taken", CardCode(), "taken", unsaid=NO_CARD),  # the card that is to be put elsewhere
)
TALLY = (
    Fact(
        "stones",
        ListOf(
            Fields(
                (
                    AT,
                    ("seat", Maybe(Seat())),  # who has claimed it
                    ("claimable", Truth()),  # by the seat to act, now
                    ("needed", Number()),  # cards that make a side complete
                    (
                        "sides",
                        BySeat(
                            Fields(
                                (
                                    ("laid", Number()),
                                    ("formation", Maybe(Code(FORMATIONS, "formations"))),
                                    ("total", Maybe(Number())),  # the sum that breaks a tie
                                )
                            )
                        ),
                    ),
                )
            )
        ),
    ),
    Fact("tactics", BySeat(Truth())),  # whether a seat may play a tactic card (schotten.parity)
    Fact(
        "seats",
        BySeat(
            Fields(
                (
                    ("stones", Number()),  # that it has claimed
                    ("adjacent", ListOf(STONE)),  # the longest row of them
                    ("won_by", Maybe(Code(("adjacent", "stones"), "won_by"))),
                )
            )
        ),
    ),
)


class State(MatchState):
    """A match of Schotten Totten. Sets of stones are bits, stone 1 the lowest."""

    tactics: Int  # option: 1 with tactic cards
    claim: Int  # option: AFTER or BEFORE playing
    claimed: Annotated[Ints, np.int32, (2,)]  # by seat: the stones it has claimed
    complete: Annotated[Ints, np.int32, (2,)]  # by seat: the stones where its side is complete
    sooner: Annotated[Ints, np.int32, (2,)]  # of these and unclaimed: complete before the other
    strength: Annotated[Ints, np.int32, (STONES, 2)]  # of a complete side, once asked for
    refuted: Annotated[Words, np.uint64, (STONES, 2)]  # unseen cards that beat a claim, if looked
    claimable: Int  # in the decision `claim`: the stones the seat may claim
    tactics_played: Annotated[Ints, np.int32, (2,)]  # by seat
    chief_played: Annotated[Ints, np.int32, (2,)]  # by seat: 1 once it has played a chief
    scout_after_chief: Int  # 1 if the scout was played by a seat that had played a chief
    redrawn: Int  # then: tactic cards it drew again and surely still holds
    ruse: Int  # the ruse being carried out (take, put), or NO_CARD
    taken: Int  # in the decision `put`: the card to be put elsewhere, or NO_CARD
    draws: Int  # cards the scout has still to draw
    returns: Int  # and to return
    passed: Int  # 1 if the seat has passed in this turn
    scouted: Int  # 1 if it has played the scout in this turn
    claimed_now: Int  # 1 if it has claimed a stone in this turn
    idle: Int  # turns in a row, just before this one, with a pass and without a claim


STATE = layout(State, places=len(PLACES), ordered=ORDERED, cards=CARDS, seats=2)
