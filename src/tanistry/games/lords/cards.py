"""The 98 cards of Lords of Scotland, the places they lie in, the choices, and the record."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from tanistry.games.contract import Action, Card, EventType, Part, Place
from tanistry.games.shapes import CardCode, Code, Number, PlaceName, Seat, Slot
from tanistry.table.record import Int, Ints, MatchState, Words, layout

MOST_SEATS = 5

# -- cards: clan by clan, each from the weakest to the strongest ----------------------------------

CLANS = ("SC", "MK", "MD", "WE", "FE", "FO", "CB", "CR", "BR")
SCOTT, MAKGILL, MACDONNELL, WEMYSS, FERGUSSON, FORSYTH, COCKBURN, COCHRANE, BRUCE = range(9)
STRENGTHS = 12
"""Strengths of a clan: 1 to 12. The two Bruce cards have 12 each and are named by their rank."""
BRUCE_RANKS = (97, 98)
_POWER_RULES = (
    "scott", "makgill", "macdonnell", "wemyss", "fergusson", "forsyth", "cockburn", "cochrane",
)  # fmt: skip


def _card(clan: int, strength: int) -> Card:
    """A card with its printed rank: 8 · (strength − 1) + the number of the clan."""
    rank = 8 * (strength - 1) + clan + 1
    code, rule = f"{CLANS[clan]}{strength}", f"lords.{_POWER_RULES[clan]}"
    return Card(code, CLANS[clan], strength, numbers={"rank": rank}, rule=rule)


DECK_LIST = (
    *(_card(clan, strength) for clan in range(BRUCE) for strength in range(1, STRENGTHS + 1)),
    *(
        Card(
            f"{CLANS[BRUCE]}{rank}",
            CLANS[BRUCE],
            STRENGTHS,
            numbers={"rank": rank},
            rule="lords.bruce",
        )
        for rank in BRUCE_RANKS
    ),
)
CODES = tuple(card.code for card in DECK_LIST)
CARDS = len(CODES)
WORDS = 2
"""Words of a set of cards."""

_CLAN = [CLANS.index(card.suit) for card in DECK_LIST]
_STRENGTH = [card.value or 0 for card in DECK_LIST]
CLAN_OF = np.array(_CLAN, np.int64)
STRENGTH_OF = np.array(_STRENGTH, np.int64)
RANK_OF = np.array([card.numbers["rank"] for card in DECK_LIST], np.int64)


def _set(cards: list[int]) -> list[int]:
    whole = sum(1 << card for card in cards)
    return [whole & ((1 << 64) - 1), whole >> 64]


_ALL = range(CARDS)
ALL_CARDS = np.array(_set(list(_ALL)), np.uint64)
BRUCE_CARDS = np.array(_set([c for c in _ALL if _CLAN[c] == BRUCE]), np.uint64)
OF_CLAN = np.array([_set([c for c in _ALL if _CLAN[c] == k]) for k in range(len(CLANS))], np.uint64)
OF_STRENGTH = np.array(
    [_set([c for c in _ALL if _STRENGTH[c] == n]) for n in range(STRENGTHS + 1)], np.uint64
)
STRENGTH_BITS = np.array(
    [_set([c for c in _ALL if _STRENGTH[c] >> i & 1]) for i in range(STRENGTHS.bit_length())],
    np.uint64,
)
"""By bit of a binary number: the cards whose strength has it. To add strengths, count these."""
LOWER = np.array(
    [_set([c for c in _ALL if _STRENGTH[c] < _STRENGTH[card]]) for card in _ALL], np.uint64
)
"""lords.lowest: the cards whose presence keeps a card from using its power."""
LOWER_OF_CLAN = np.array(
    [
        _set(
            [
                c
                for c in _ALL
                if c != card and _CLAN[c] == _CLAN[card] and _STRENGTH[c] <= _STRENGTH[card]
            ]
        )
        for card in _ALL
    ],
    np.uint64,
)
"""lords.by_clan: the same for the other activation."""

# -- places: the ordered ones first ---------------------------------------------------------------

DECK = 0
RECRUITS = 1
ARMY = 2  # + seat
DISCARD = 7
SUPPORTERS = 8
ASIDE = 9
HAND = 10  # + seat
VICTORY = 15  # + seat

DEALT = 5
"""Cards dealt to each seat."""
SLOTS = 5
"""Recruits side by side."""
ROUNDS = 5
HAND_MOST = 10

CARRIED_MOST = ROUNDS
ENGAGED_MOST = HAND_MOST + ROUNDS - 1
ALLIES_MOST = CARRIED_MOST + ENGAGED_MOST
"""No army is ever larger than 19.

Only its own seat makes an army grow: swaps are one for one. A turn is a recruit, or a chain of
engagements in which every card but the last uses the power of Makgill. So a turn brings at most one
card to the hand (a recruit, or the draw of a last Forsyth), and the five turns engage at most the
ten cards held at the start and the four that came before the last turn. For the same reason a
turn brings at most one activated MacDonnell into the army, so that at most five stay over.
"""

PLACES = (
    Place("deck", "nobody", order="pile"),
    Place("recruits", "nobody", order="slots", most=SLOTS),
    *(Place(f"army.{n}", "all", n, order="row", most=ALLIES_MOST) for n in range(MOST_SEATS)),
    Place("discard", "all"),
    Place("supporters", "all", most=MOST_SEATS),
    Place("aside", "all", most=len(BRUCE_RANKS)),
    *(Place(f"hand.{n}", "owner", n, most=HAND_MOST) for n in range(MOST_SEATS)),
    *(Place(f"victory.{n}", "all", n) for n in range(MOST_SEATS)),
)
SECRET_FROM_PUBLIC = frozenset({"army"})

# -- choices: decisions, and the number of each action --------------------------------------------

DECISIONS = (
    "flip",
    "turn",
    "engage",
    "power",
    "swap_supporter",
    "swap_ally",
    "copy",
    "discard_ally",
    "claim",
)
FLIP, TURN, ENGAGE, POWER, SWAP_SUPPORTER, SWAP_ALLY, COPY, DISCARD_ALLY, CLAIM = range(9)

_CARD = Part("card", CardCode(), range(CARDS))
_RECRUIT = (
    Part("place", PlaceName(), (RECRUITS,)),
    Part("slot", Slot(), range(SLOTS), [f"{n}" for n in range(1, SLOTS + 1)]),
)
_ALLY = (
    Part("place", PlaceName(), range(ARMY, DISCARD), [f"{n}" for n in range(MOST_SEATS)]),
    Part("slot", Slot(), range(ALLIES_MOST), [f"{n}" for n in range(1, ALLIES_MOST + 1)]),
)
ACTIONS = (
    Action("recruit", "recruit {slot}", _RECRUIT, ("turn",)),
    Action("flip", "flip {slot}", _RECRUIT, ("flip",)),
    Action("use", "use", (), ("power",)),
    Action("skip", "skip", (), ("power",)),
    Action(
        "engage",
        "{card} {face}",
        (Part("face", Code(("up", "down"), "faces"), range(2)), _CARD),
        ("turn", "engage"),
    ),
    Action("take", "take {card}", (_CARD,), ("swap_supporter",)),
    Action("claim", "claim {card}", (_CARD,), ("claim",)),
    Action("swap", "swap {place}.{slot}", _ALLY, ("swap_ally",)),
    Action("copy", "copy {place}.{slot}", _ALLY, ("copy",)),
    Action("discard", "discard {place}.{slot}", _ALLY, ("discard_ally",)),
)
_SIZES = [len(list(action.values())) for action in ACTIONS]
DO_RECRUIT, DO_FLIP, USE, SKIP, DO_UP, DO_TAKE, DO_CLAIM, DO_SWAP, DO_COPY, DO_DISCARD = (
    sum(_SIZES[:n]) for n in range(len(ACTIONS))
)
"""The first action of each block: + slot, + card, or + seat · ALLIES_MOST + index of the ally."""
DO_DOWN = DO_UP + CARDS

# -- options as the record holds them -------------------------------------------------------------

EDITION_2015, EDITION_2010 = 0, 1
AUTO, LOWEST, BY_CLAN = 0, 1, 2
CLAN_FROM = 4
"""From so many seats on `auto` means lords.by_clan."""

# -- rules and events by number -------------------------------------------------------------------

RULE_IDS = tuple(
    "lords." + name
    for name in [
        "setup",
        "supporters_differ",
        "flip",
        "turn",
        "recruit",
        "engage",
        "activate",
        "cockburn",
        "fergusson",
        "forsyth",
        "makgill",
        "scott",
        "wemyss",
        "bruce",
        "cochrane",
        "macdonnell",
        "reveal",
        "strength",
        "order",
        "claim",
        "none_left",
        "cleanup",
        "deck_empty",
        "end",
        "skirmish",
        "no_effect",
    ]
)
(
    SETUP_RULE, DIFFER_RULE, FLIP_RULE, TURN_RULE, RECRUIT_RULE, ENGAGE_RULE, ACTIVATE_RULE,
    COCKBURN_RULE, FERGUSSON_RULE, FORSYTH_RULE, MAKGILL_RULE, SCOTT_RULE, WEMYSS_RULE, BRUCE_RULE,
    COCHRANE_RULE, MACDONNELL_RULE, REVEAL_RULE, STRENGTH_RULE, ORDER_RULE, CLAIM_RULE,
    NONE_LEFT_RULE, CLEANUP_RULE, DECK_EMPTY_RULE, END_RULE, SKIRMISH_RULE,
    NO_EFFECT_RULE,
) = range(len(RULE_IDS))  # fmt: skip

RULE_OF_POWER = np.array(
    [
        SCOTT_RULE,
        MAKGILL_RULE,
        MACDONNELL_RULE,
        WEMYSS_RULE,
        FERGUSSON_RULE,
        FORSYTH_RULE,
        COCKBURN_RULE,
        COCHRANE_RULE,
        BRUCE_RULE,
    ],
    np.int64,
)

EVENTS = (
    EventType("round", (("round", Number()),)),
    EventType("flip", (("seat", Seat()), ("card", CardCode()), ("slot", Slot()))),
    EventType("recruit", (("seat", Seat()), ("card", CardCode()), ("slot", Slot()))),
    EventType("refill", (("card", CardCode()), ("slot", Slot()))),
    EventType("supporter", (("card", CardCode()),)),
    EventType("face_up", (("seat", Seat()), ("card", CardCode()))),
    EventType("face_down", (("seat", Seat()), ("card", CardCode()))),
    EventType("power", (("seat", Seat()), ("card", CardCode()))),
    EventType("skip", (("seat", Seat()), ("card", CardCode()))),
    EventType("copy", (("seat", Seat()), ("card", CardCode()), ("other", CardCode()))),
    EventType("idle", (("seat", Seat()),)),
    EventType("reshuffle", (("cards", Number()),)),
    EventType("alike", (("strength", Number()),)),
    EventType("reveal", (("seat", Seat()), ("card", CardCode()), ("slot", Slot()))),
    EventType("army", (("seat", Seat()), ("strength", Number()), ("rank", Number()))),
    EventType("doubled", (("seat", Seat()), ("strength", Number()), ("rank", Number()))),
    EventType("won", (("seat", Seat()),)),
    EventType("stays", (("seat", Seat()), ("card", CardCode()))),
    EventType("initiative", (("seat", Seat()),)),
    EventType("over", (("seat", Seat()),)),
)
ASIDES = frozenset({"round", "flip", "refill", "supporter", "army", "doubled", "skip"})
(
    ROUND, FLIPPED, RECRUITED, REFILLED, SUPPORTER, FACE_UP, FACE_DOWN, POWER_USED, SKIPPED,
    COPIED, IDLE, RESHUFFLED, ALIKE, REVEALED, ARMY_COUNTED, ARMY_DOUBLED, WON, STAYS,
    INITIATIVE, OVER,
) = range(1, len(EVENTS) + 1)  # fmt: skip

# -- the record -----------------------------------------------------------------------------------

END_POWERS = ("BR", "CR", "MD")
"""lords.end_powers: what `active` can name, by row of the record."""
WILD, CLAIMS_TWO, STAYS_ON = range(3)

DIARY = 256
"""Entries of the diary. A skirmish has at most 20 for each seat: ten cards, five come, all go."""
DIARY_GIVEN = 128
"""As many may a position bring along."""
CAME, LEFT, WENT_DOWN = 1, 2, 3


class State(MatchState):
    """A match of Lords of Scotland."""

    edition: Int  # EDITION_2015 or EDITION_2010
    bruce: Int  # 1: the Bruce cards are in play
    activation: Int  # AUTO, LOWEST or BY_CLAN
    target: Int  # the strength in a victory pile that ends the match
    round_number: Int  # 1 to 5
    initiative: Int  # the seat that holds it
    recruits_up: Int  # the recruits that lie face up: a bit for each slot
    claims: Int  # supporters the claiming seat may still claim
    claimant: Int  # its index in `order`
    order: Annotated[Ints, np.int32, (MOST_SEATS,)]  # seats with an ally, strongest first; then −1
    up: Annotated[Words, np.uint64, (WORDS,)]  # face-up allies
    active: Annotated[Words, np.uint64, (3, WORDS)]  # allies with an activated end power, by row
    spent: Annotated[Words, np.uint64, (WORDS,)]  # allies that stayed from the previous skirmish
    # what can be told of hidden cards, see memory.py
    seen: Annotated[Words, np.uint64, (MOST_SEATS, WORDS)]  # by seat: seen to come into its hand
    downs: Annotated[Ints, np.int32, (MOST_SEATS,)]  # by seat: face-down allies from its hand
    shuffles: Int  # how often the discard was shuffled
    shuffled: Annotated[NDArray[np.int16], np.int16, (CARDS,)]  # by card: its last shuffle
    entries: Int  # length of the diary
    diary: Annotated[NDArray[np.int16], np.int16, (DIARY, 3)]  # seat, CAME …, class or spot
    # room for resampling, see memory.py; otherwise all zero
    listed: Annotated[NDArray[np.int8], np.int8, (CARDS,)]  # hidden spots, by the card there
    kinds: Annotated[NDArray[np.int16], np.int16, (CARDS,)]  # the class of each listed spot
    fresh: Annotated[NDArray[np.int8], np.int8, (CARDS,)]  # by card: its number in the list; then
    #                                                        the card that will lie in its spot
    pool: Annotated[NDArray[np.int8], np.int8, (CARDS,)]  # cards yet to be dealt


STATE = layout(State, places=len(PLACES), ordered=DISCARD, cards=CARDS, seats=MOST_SEATS)
