"""What a study counts: one record of integers per game, of a fixed size however long it runs.

Two such records are merged by adding them up, number by number. So a study may be cut into pieces
in any way, played anywhere and in any order, and comes out the same.

Seats are counted by turn order: number 0 is the seat that begins. The share of a match that a seat
wins is counted in sixtieths (`WHOLE`): a first place shared by two seats is 30 for each of them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tanistry.games.contract import MOVE
from tanistry.simulation.playouts import APART_WORDS

if TYPE_CHECKING:
    from tanistry.games.contract import Definition, EventType, Place
    from tanistry.match import Game

Numbers = NDArray[np.int64]

WHOLE = 60
"""A whole match won: 60 can be shared evenly by up to six seats."""
MOST_MATCHES = 10**10
"""Of one setting: with so many no sum can overflow."""

KINDS = ("dealt", "held", "played")
DEALT, HELD, PLAYED = range(len(KINDS))
TIMES, SHARE = 0, 1
"""In pairs of counters: how often, and the share of those matches won."""

MOST_LENGTH = 2048
"""Choices of a match; longer ones are counted together."""
MOST_BRANCHES = 512
"""Legal choices at one point; more are counted together."""
MOST_CURVE = 512
"""The first choices of a match, whose number of alternatives is followed one by one."""
SCORES = 512
LOWEST_SCORE = -128
"""Scores from −128 to 383; what lies beyond is counted at the ends."""
MOST_GROUPS = 16
"""Clans, factions, colours."""
MOST_OF_GROUP = 16
"""Cards of one of them at a seat; more are counted together."""

CHOICES, ALTERNATIVES, FORCED = range(3)
"""Of a decision: how often it came up, how many alternatives all in all, how often just one."""
TOLD, NAMED, WON, NAMED_SQUARED, NAMED_WON, WON_SQUARED = range(6)
"""Of events: how often told; naming a seat; the share of the match that seat won; and, for the
uncertainty of that share, sums over the matches of the squares and the product of the two."""


@cache
def _sizes(definition: Definition) -> dict[str, int]:
    """Sizes that are the same for all options and seats: one compiled kernel serves them all."""
    return {
        "seats": max(definition.info.seats),
        "cards": int(definition.dtype["slots"].shape[1]),
        "words": int(definition.dtype["place"].shape[1]),
        "places": len(definition.places),
        "rules": len(definition.rule_ids),
        "events": 1 + len(definition.events),
        "decisions": len(definition.decisions),
    }


def counts_layout(definition: Definition) -> np.dtype[Any]:
    """The record of counters, all of them 64-bit integers."""
    n = _sizes(definition)
    seats, rules = n["seats"], n["rules"]
    shapes: dict[str, tuple[int, ...]] = {
        "matches": (1,),
        "steps": (1,),
        "steps_squared": (1,),
        "alone": (seats,),  # matches won alone
        "share": (seats,),  # shares of first places
        "lengths": (MOST_LENGTH,),
        "branches": (MOST_BRANCHES,),
        "curve": (MOST_CURVE, 2),  # by the number of the choice: how often, alternatives
        "decisions": (n["decisions"], 3),
        "scores": (2, seats, SCORES),  # of seats that did not come first, and that did
        "margins": (SCORES,),  # points of the first ahead of the best of the others
        "cards": (len(KINDS), seats, n["cards"], 2),
        "groups": (len(KINDS), seats, MOST_GROUPS, MOST_OF_GROUP, 2),  # by cards of the group
        "present": (rules,),  # matches in which the rule was at work
        "tilts": (rules, seats, 2),  # in which it named one seat more often than any other: which
        "events": (n["events"], rules, 6),
    }
    return _record([(name, np.int64, shape) for name, shape in shapes.items()])


def _record(fields: list[tuple[str, Any, tuple[int, ...]]]) -> np.dtype[Any]:
    """Fields that are read as attributes, by kernels and interpreted alike."""
    return np.dtype((np.record, np.dtype(fields)))


def sheet_layout(definition: Definition, actions: int) -> np.dtype[Any]:
    """What is written down while one match is played.

    As in `playouts.new_dice` all sizes are known to the compiler, and margins keep threads apart.
    """
    n = _sizes(definition)
    seats, words, pairs = n["seats"], n["words"], n["events"] * n["rules"]
    return _record(
        [
            ("before", np.uint64, (APART_WORDS,)),
            ("moves", np.uint64, ((actions + 63) // 64,)),
            ("rng", np.uint64, (1,)),
            ("step", np.int64, (1,)),
            ("cards", np.uint64, (len(KINDS), seats, words)),
            ("had", np.uint64, (words,)),
            ("share", np.int64, (seats,)),
            ("told", np.int64, (pairs,)),  # by event and rule
            ("named", np.int64, (pairs, seats)),
            ("listed", np.int64, (pairs,)),  # which of them came up
            ("listing", np.int64, (1,)),
            ("by_rule", np.int64, (n["rules"], seats)),
            ("fired", np.int64, (n["rules"],)),
            ("after", np.uint64, (APART_WORDS,)),
        ]
    )


NONE = -1


def tables_of(game: Game) -> Any:
    """What the counting kernels must know of a game, as an array of one record."""
    definition = game.definition
    n = _sizes(definition)
    places = definition.places
    private = [[i for i, p in enumerate(places) if private_to(p) == s] for s in range(n["seats"])]
    unseen = [number for number, place in enumerate(places) if place.seen == "nobody"]
    most = max(1, *map(len, private))
    kinds: list[tuple[str, Any, tuple[int, ...]]] = [
        ("private", np.int64, (n["seats"], most)),
        ("private_to", np.int64, (n["places"],)),
        ("unseen", np.int64, (max(1, len(unseen)),)),
        ("seat_of", np.int64, (n["places"],)),
        ("seat_at", np.int64, (n["events"],)),
        ("groups", np.int64, (1,)),
        ("group", np.uint64, (MOST_GROUPS, n["words"])),
        ("twins", np.uint64, (n["cards"], n["words"])),
    ]
    tables = np.zeros(1, _record(kinds))
    tables["private"] = [row + [NONE] * (most - len(row)) for row in private]
    tables["private_to"] = [private_to(place) for place in places]
    tables["unseen"] = unseen or [NONE]
    tables["seat_of"] = [place.owner for place in places]
    tables["seat_at"] = [_seat_value(event) for event in (MOVE, *definition.events)]
    groups = groups_of(game)
    tables["groups"] = len(groups)
    for number, cards in enumerate(groups.values()):
        for card in cards:
            tables["group"][0, number, card >> 6] |= np.uint64(1 << (card & 63))
    for cards in game.twins.values():
        for card in cards:
            for twin in cards:
                tables["twins"][0, card, twin >> 6] |= np.uint64(1 << (twin & 63))
    return tables


def private_to(place: Place) -> int:
    """The seat that alone sees the cards of a place (its hand, its followers), −1 if none does."""
    return place.owner if place.seen == "owner" else NONE


FIRST_VALUE = 2
"""The column of the log where the values of an event begin."""


def _seat_value(event: EventType) -> int:
    """The column of the log that names the seat an event is about, −1 if none does."""
    for column, (_, shape) in enumerate(event.values):
        if shape.type == "seat":
            return FIRST_VALUE + column
    return NONE


def groups_of(game: Game) -> dict[str, list[int]]:
    """Cards that belong together (clans, factions, colours), by their suit."""
    found: dict[str, list[int]] = {}
    for number, card in enumerate(game.cards):
        found.setdefault(card.suit or card.code, []).append(number)
    several = {suit: cards for suit, cards in found.items() if len(cards) > 1}
    return dict(list(several.items())[:MOST_GROUPS])
