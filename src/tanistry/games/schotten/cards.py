"""The 64 cards of Schotten Totten, the places they lie in, the choices, and the record of a match.

All cards together fill one 64-bit word exactly: sets of cards are single words. Stones are numbered
from 0 in kernels and from 1 for people; sets of stones are the nine lowest bits of an integer.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from tanistry.games.contract import EventType, Place
from tanistry.games.shapes import Number, Seat
from tanistry.table.record import Int, Ints, Table, Words, layout

# -- cards: numbered in the order of the card list ------------------------------------------------

COLOURS = "RYGBPO"
VALUES = 9
CLANS = len(COLOURS) * VALUES
"""How many clan cards there are; the tactic cards come after them."""
CLAN_CODES = tuple(f"{colour}{value}" for colour in COLOURS for value in range(1, VALUES + 1))
TACTIC_CODES = (
    "farlane", "gregor", "support", "shield", "fog", "mud", "scout", "redeploy", "deserter",
    "traitor",
)  # fmt: skip
CODES = CLAN_CODES + TACTIC_CODES
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

_NUMBERS = range(1, STONES + 1)
TOKENS = (
    *(f"{code}@{stone}" for code in CLAN_CODES for stone in _NUMBERS),
    "pass",
    *(f"claim {stone}" for stone in _NUMBERS),
    "done",
    *(f"{code}@{stone}" for code in CODES[FARLANE:SCOUT] for stone in _NUMBERS),
    *CODES[SCOUT:],
    "draw clan",
    "draw tactic",
    *(f"return {code}" for code in CODES),
    *(f"take {code}@{stone}" for code in CODES[:FOG] for stone in _NUMBERS),
    *(f"put @{stone}" for stone in _NUMBERS),
    "discard",
)

# -- rules and events by number -------------------------------------------------------------------

RULE_IDS = tuple(
    "schotten." + name
    for name in [
        "setup", "play", "claim", "proof", "win", "draw", "cannot_play", "stuck", "hand7",
        "draw_choice", "pass", "chief", "support", "shield", "fog", "mud", "scout", "redeploy",
        "deserter", "traitor",
    ]
)  # fmt: skip
(
    SETUP_RULE, PLAY_RULE, CLAIM_RULE, PROOF_RULE, WIN_RULE, DRAW_RULE, CANNOT_PLAY_RULE,
    STUCK_RULE, HAND7_RULE, DRAW_CHOICE_RULE, PASS_RULE, CHIEF_RULE, SUPPORT_RULE, SHIELD_RULE,
    FOG_RULE, MUD_RULE, SCOUT_RULE, REDEPLOY_RULE, DESERTER_RULE, TRAITOR_RULE,
) = range(len(RULE_IDS))  # fmt: skip

RULE_OF_TACTIC = np.array(
    [CHIEF_RULE, *range(CHIEF_RULE, TRAITOR_RULE + 1)], np.int64
)  # by card − FARLANE; both chiefs share a rule

CLAIMED, PASSED, OVER = 1, 2, 3
EVENTS = (
    EventType("claim", (("seat", Seat()), ("stone", Number()))),
    EventType("pass", (("seat", Seat()),)),
    EventType("over", (("seat", Seat()),)),
)

AFTER, BEFORE = 0, 1  # the option `claim`
NOBODY = -1
NO_CARD = -1


class State(Table):
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
