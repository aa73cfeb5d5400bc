"""Lords of Scotland in people's terms: tokens, flags and facts of a position, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tanistry.errors import PositionError
from tanistry.games.contract import Place, Seen
from tanistry.games.legacy import Definition, Refusal
from tanistry.games.lords import INFO, cards, rules
from tanistry.games.lords.cards import (
    ALLIES_MOST,
    ARMY,
    CLAIM,
    CLAN_OF,
    CODES,
    COPY,
    DECISIONS,
    DISCARD_ALLY,
    DO_CLAIM,
    DO_COPY,
    DO_DISCARD,
    DO_DOWN,
    DO_FLIP,
    DO_RECRUIT,
    DO_SWAP,
    DO_TAKE,
    DO_UP,
    END_POWERS,
    ENGAGE,
    FLIP,
    HAND,
    HAND_MOST,
    POWER,
    RECRUITS,
    SCOTT,
    SWAP_ALLY,
    SWAP_SUPPORTER,
    TOKENS,
    TURN,
    USE,
)
from tanistry.games.lords.positions import check, facts, restore
from tanistry.table.bits import members

# -- flags ----------------------------------------------------------------------------------------


def _bit(card: int) -> Any:
    return cards.ALL_CARDS.dtype.type(1 << (card & 63))


def _in(words: Any, card: int) -> bool:
    return bool(int(words[card >> 6]) >> (card & 63) & 1)


def _is_army(place: Place) -> bool:
    return place.name.startswith("army.")


def _is_up(s: Any, place: Place, card: int) -> bool:
    if _is_army(place):
        return _in(s.up, card)
    slot = [int(c) for c in s.slots[RECRUITS]].index(card)
    return bool(int(s.recruits_up) >> slot & 1)


def flags(s: Any, place: Place, card: int) -> dict[str, Any]:
    """up for recruits and allies; for allies also the active end power, and whether it is spent."""
    if place.name == "recruits":
        return {"up": _is_up(s, place, card)}
    if not _is_army(place):
        return {}
    active = [power for row, power in enumerate(END_POWERS) if _in(s.active[row], card)]
    return {
        "up": _is_up(s, place, card),
        "active": active[0] if active else None,
        "spent": _in(s.spent, card),
    }


def read_flags(s: Any, place: Place, card: int, given: Mapping[str, Any]) -> None:
    """Without flags a recruit lies face down, an ally face up."""
    army = _is_army(place)
    if not army and place.name != "recruits":
        return
    up = given.get("up", army)
    spent = given.get("spent", False)
    active = given.get("active")
    for name, value in (("up", up), ("spent", spent)):
        if type(value) is not bool:
            raise PositionError(
                "position/flag_value", name=name, card=CODES[card], place=place.name, value=value
            )
    if not army:
        if up:
            slot = [int(c) for c in s.slots[RECRUITS]].index(card)
            s.recruits_up |= 1 << slot
        return
    if up:
        s.up[card >> 6] |= _bit(card)
    if spent:
        s.spent[card >> 6] |= _bit(card)
    if active is not None:
        if active not in END_POWERS:
            raise PositionError("position/active", info=INFO, card=CODES[card], active=active)
        s.active[END_POWERS.index(active), card >> 6] |= _bit(card)


def seen(s: Any, place: Place, card: int) -> Seen:
    """Face-up cards are seen by all; a face-down ally by its army, a face-down recruit by none."""
    if _is_army(place):
        return "all" if _is_up(s, place, card) else "owner"
    if place.name == "recruits":
        return "all" if _is_up(s, place, card) else "nobody"
    return place.seen


# -- refusals -------------------------------------------------------------------------------------

_BLOCKS = (
    (DO_RECRUIT, (TURN,)),
    (DO_FLIP, (FLIP,)),
    (USE, (POWER,)),
    (DO_UP, (TURN, ENGAGE)),
    (DO_DOWN, (TURN, ENGAGE)),
    (DO_TAKE, (SWAP_SUPPORTER,)),
    (DO_CLAIM, (CLAIM,)),
    (DO_SWAP, (SWAP_ALLY,)),
    (DO_COPY, (COPY,)),
    (DO_DISCARD, (DISCARD_ALLY,)),
)
"""The first action of each block, and the decisions it belongs to."""


def refuse(s: Any, action: int) -> Refusal:
    """The most specific rule that an action of the vocabulary breaks now."""
    first, decisions = max(block for block in _BLOCKS if block[0] <= action)
    decision = int(s.decision)
    if decision not in decisions:
        return Refusal("common.illegal", "not_now", {"decision": DECISIONS[decision]})
    index = action - first
    if decision == TURN and first == DO_RECRUIT:
        if len(members(s.place[HAND + int(s.to_act)])) >= HAND_MOST:
            return Refusal("lords.recruit", "hand_full", {"most": HAND_MOST})
        return Refusal("common.illegal", "no_recruit", {"slot": index + 1})
    if decision == FLIP:
        if int(s.slots[RECRUITS, index]) >= 0:
            return Refusal("lords.flip", "face_up_already", {"slot": index + 1})
        return Refusal("common.illegal", "no_recruit", {"slot": index + 1})
    if first in (DO_UP, DO_DOWN):
        return Refusal("common.illegal", "not_held", {"card": CODES[index]})
    if first in (DO_TAKE, DO_CLAIM):
        return Refusal("common.illegal", "no_supporter", {"card": CODES[index]})
    return _refuse_ally(s, decision, index // ALLIES_MOST, index % ALLIES_MOST)


def _refuse_ally(s: Any, decision: int, army: int, index: int) -> Refusal:
    ally = int(s.slots[ARMY + army, index])
    if ally < 0:
        return Refusal("common.illegal", "no_ally", {"seat": army, "number": index + 1})
    if decision == SWAP_ALLY:
        return Refusal("lords.fergusson", "own_army")
    itself = army == s.to_act and index + 1 == len(members(s.place[ARMY + army]))
    if decision == DISCARD_ALLY:
        return Refusal("lords.wemyss", "itself")
    if itself:
        return Refusal("lords.scott", "itself")
    if not _in(s.up, ally):
        return Refusal("lords.scott", "face_down", {"seat": army, "number": index + 1})
    if CLAN_OF[ally] == SCOTT:
        return Refusal("lords.scott", "no_scott", {"card": CODES[ally]})
    return Refusal("lords.no_effect", "no_effect", {"card": CODES[ally]})


DEFINITION = Definition(
    info=INFO,
    rules=rules,
    dtype=cards.STATE,
    places=cards.PLACES,
    cards=lambda _options: CODES,
    tokens=lambda _options: TOKENS,
    decisions=DECISIONS,
    rule_ids=cards.RULE_IDS,
    events=cards.EVENTS,
    facts=facts,
    restore=restore,
    check=check,
    refuse=refuse,
    flags=flags,
    read_flags=read_flags,
    seen=seen,
    secret_from_public=frozenset({"army"}),
)
