"""Claim in people's terms: tokens, facts of a position, and why a card may not be played."""

from __future__ import annotations

from functools import cache
from typing import Any

from tanistry.errors import PositionError
from tanistry.games.claim import INFO, cards, rules
from tanistry.games.claim.cards import (
    CODES,
    DECK,
    DISCARD,
    FACTIONS,
    FOLLOWERS,
    HAND,
    OF_FACTION,
    PRIZE,
    SCORE,
    TOKENS,
    TRICK,
    TRICKS,
    UNDEAD,
)
from tanistry.games.contract import Definition, Refusal
from tanistry.table.bits import members

FACTION_CARDS = tuple(zip(FACTIONS, OF_FACTION.tolist()))


def facts(s: Any) -> dict[str, Any]:
    """phase, trick and leader; `void` lists the factions each seat has shown not to hold."""
    known = {"phase": int(s.phase), "trick": int(s.trick), "leader": int(s.leader)}
    shown = s.void.tolist()
    return {**known, "void": [_letters(cards) for cards in shown]} if any(shown) else known


@cache
def _letters(cards: int) -> str:
    """The factions of a set of cards."""
    return "".join(letter for letter, faction in FACTION_CARDS if cards & faction)


def restore(s: Any, given: dict[str, Any]) -> None:
    s.phase = _number(given, "phase", 1, 2)
    s.trick = _number(given, "trick", 1, TRICKS)
    s.leader = _number(given, "leader", 0, 1)
    void = given.pop("void", ["", ""])
    if not (
        isinstance(void, list)
        and len(void) == 2
        and all(isinstance(v, str) and set(v) <= set(FACTIONS) for v in void)
    ):
        raise PositionError("position/void", info=INFO, allowed=FACTIONS)
    for seat in (0, 1):
        for letter in void[seat]:
            s.void[seat] |= OF_FACTION[FACTIONS.index(letter)]


def _number(given: dict[str, Any], name: str, low: int, high: int) -> int:
    value = given.pop(name, None)
    if type(value) is not int or not low <= value <= high:
        raise PositionError("position/fact_value", name=name, value=value, allowed=f"{low}–{high}")
    return value


def check(s: Any) -> None:
    """The numbers of cards must fit the phase and the trick, and the turn the trick."""
    size = {number: len(members(s.place[number])) for number in range(len(cards.PLACES))}
    leader = int(s.leader)
    over = s.to_act < 0
    if size[TRICK + 1 - leader]:
        raise PositionError("position/answered", info=INFO, seat=1 - leader)
    if not over and s.to_act != (1 - leader if size[TRICK + leader] else leader):
        raise PositionError("position/turn", info=INFO, seat=int(s.to_act), leader=leader)
    if over and not (s.phase == 2 and s.trick == TRICKS):
        raise PositionError("position/not_over", info=INFO)
    left = 0 if over else TRICKS - int(s.trick) + 1  # tricks a seat still has a card for
    for seat in (0, 1):
        _expect(f"hand.{seat}", size[HAND + seat] + size[TRICK + seat], left)
    past = int(s.trick) - 1
    first = s.phase == 1
    _expect("prize", size[PRIZE], 1 if first else 0)
    _expect("deck", size[DECK], 2 * (TRICKS - past) - 1 if first else 0)
    for seat in (0, 1):
        _expect(f"followers.{seat}", size[FOLLOWERS + seat], past if first else 0)
    if first and not all(
        CODES[card][0] == "U" for seat in (0, 1) for card in members(s.place[SCORE + seat])
    ):
        raise PositionError("position/score1", info=INFO)
    if any(CODES[card][0] == "U" for card in members(s.place[DISCARD])):
        raise PositionError("position/discard", info=INFO)
    _expect_discard(s, size, past)
    _check_known(s)
    for seat in (0, 1):
        if int(s.place[HAND + seat, 0]) & int(s.void[seat]):
            raise PositionError("position/void_held", info=INFO, seat=seat)


def _expect(name: str, found: int, expected: int) -> None:
    if found != expected:
        raise PositionError("position/count", name=name, count=found, expected=expected)


def _expect_discard(s: Any, size: dict[int, int], past: int) -> None:
    """Every card of a finished trick lies in a score pile or, from phase 1 only, in the discard."""
    if s.phase == 1:
        _expect("discard", size[DISCARD] + size[SCORE] + size[SCORE + 1], 2 * past)
    elif size[DISCARD] > 2 * TRICKS:
        _expect("discard", size[DISCARD], 2 * TRICKS)
    else:  # what was played in phase 1 and not discarded are Undead (claim.undead)
        undead = members((s.place[SCORE] | s.place[SCORE + 1]) & OF_FACTION[UNDEAD])
        if 2 * TRICKS - size[DISCARD] > len(undead):
            raise PositionError("position/score2", info=INFO, count=2 * TRICKS - size[DISCARD])


def _check_known(s: Any) -> None:
    """What lies face up is known to all, and a hand and followers to their seat."""
    for number, place in enumerate(cards.PLACES):
        rows = {"all": (0, 1, 2), "owner": (place.owner,), "nobody": ()}[place.seen]
        for row in rows:
            if hidden := members(s.place[number] & ~s.known[row]):
                raise PositionError(
                    "position/unknown", info=INFO, card=CODES[hidden[0]], name=place.name
                )


def refuse(s: Any, action: int) -> Refusal:
    """The card is not held (common.illegal), or one that follows must be played (claim.follow)."""
    code = TOKENS[action]
    seat = int(s.to_act)
    held = {CODES[card] for card in members(s.place[HAND + seat])}
    if code not in held:
        return Refusal("common.illegal", "not_held", {"card": code})
    led = CODES[members(s.place[TRICK + int(s.leader)])[0]]
    must = sorted(c for c in held if c[0] == led[0])
    return Refusal(
        "claim.follow",
        "follow_doppel" if led[0] == "X" else "follow",
        {"card": code, "card_led": led, "must": ", ".join(must), "faction": led[0]},
    )


DEFINITION = Definition(
    info=INFO,
    rules=rules,
    dtype=cards.STATE,
    places=cards.PLACES,
    cards=lambda _options: CODES,
    tokens=lambda _options: TOKENS,
    decisions=("play",),
    rule_ids=cards.RULE_IDS,
    events=cards.EVENTS,
    facts=facts,
    restore=restore,
    check=check,
    refuse=refuse,
)
