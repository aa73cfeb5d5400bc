"""A game as plain JSON data: with its kernels, all that a reader in any language needs.

`description.schema.json` beside this file is its schema; docs/architecture.md says what to make of
it. It is the same for all seats and options: what belongs to some options only says so (`when`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tanistry.catalogue import LANGUAGES, catalogue, common
from tanistry.games.contract import (
    MOVE,
    Action,
    Card,
    Definition,
    Fact,
    Flag,
    Option,
    Part,
    Place,
    Told,
)
from tanistry.games.shapes import described
from tanistry.table.notes import NOTES
from tanistry.table.record import LOG_LENGTH, LOG_WIDTH

KERNELS = {
    "deal": ["record"],
    "legal": ["record", "moves"],
    "play": ["record", "action"],
    "score": ["record", "seat"],
    "standing": ["record", "seat"],
    "resample": ["record", "row", "generator"],
    "refuse": ["record", "action"],
    "facts": ["record", "notes"],
    "restore": ["record", "notes"],
    "check": ["record"],
    "tally": ["record", "row", "notes"],
    "seen_by": ["record", "place", "card"],
}
"""What each kernel is given. A row of `known` is a seat, or the last one for spectators."""
ALWAYS = ("deal", "legal", "play", "score", "standing", "resample", "refuse")
SHARED_WORDS = (
    "hidden_card",
    "covered_card",
    "nobody",
    "either",
    "seat",
    "number",
    "refusals",
    "events",
    "options",
)
SHARED_ERRORS = ("move", "position", "option", "seat", "seed", "record", "bot", "network")


def describe(definition: Definition) -> dict[str, Any]:
    """The whole game but for its kernels."""
    info = definition.info
    return {
        "name": info.name,
        "version": info.version,
        "seats": list(info.seats),
        "has_draw": info.has_draw,
        "options": [_option(option) for option in info.options],
        "presets": [
            {"name": preset.name, "seats": preset.seats, "options": dict(preset.options)}
            for preset in info.presets
        ],
        "record": _record(definition),
        "kernels": _kernels(definition),
        "notes": NOTES,
        "cards": [_card(card) for card in definition.cards],
        "places": [_place(place, definition) for place in definition.places],
        "actions": [_action(action) for action in definition.actions],
        "decisions": list(definition.decisions),
        "rules": list(definition.rule_ids),
        "events": [_told(kind) for kind in (MOVE, *definition.events)],
        "asides": sorted(definition.asides),
        "refusals": [_told(kind) for kind in definition.refusals],
        "problems": [_told(kind) for kind in definition.problems],
        "facts": [_fact(fact) for fact in definition.facts],
        "flags": [_flag(flag) for flag in definition.flags],
        "tally": [_fact(fact) for fact in definition.tally],
        "words": {lang: _words(lang, info.package) for lang in LANGUAGES},
    }


def _option(option: Option) -> dict[str, Any]:
    """`numbers` is what the record holds for each value."""
    return {
        "name": option.name,
        "values": list(option.values),
        "numbers": [option.encode(value) for value in option.values],
        "default": option.default,
    }


def _record(definition: Definition) -> dict[str, Any]:
    """Where each field lies; little-endian, arrays row by row."""
    dtype = definition.dtype
    fields = []
    for name in dtype.names or ():
        kind, offset = dtype.fields[name][:2]  # type: ignore[index]
        shape = list(kind.shape)
        fields.append({"name": name, "type": kind.base.name, "offset": offset, "shape": shape})
    log = {"entries": LOG_LENGTH, "width": LOG_WIDTH}
    return {"size": dtype.itemsize, "fields": fields, "log": log}


def _kernels(definition: Definition) -> dict[str, list[str]]:
    return {
        name: given
        for name, given in KERNELS.items()
        if name in ALWAYS or hasattr(definition.telling, name)
    }


def _card(card: Card) -> dict[str, Any]:
    return {
        "code": card.code,
        "suit": card.suit,
        "value": card.value,
        "kind": card.kind,
        "back": card.back,
        "numbers": dict(card.numbers),
        "rule": card.rule or None,
        "when": dict(card.when),
    }


def _place(place: Place, definition: Definition) -> dict[str, Any]:
    return {
        "name": place.name,
        "kind": place.kind,
        "index": list(place.index),
        "owner": place.owner if place.owner >= 0 else None,
        "seen": place.seen,
        "order": place.order,
        "order_counts": place.order_counts,
        "most": place.most,
        "secret_from_public": place.kind in definition.secret_from_public,
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "verb": action.verb,
        "token": action.token,
        "parts": [_part(part) for part in action.parts],
        "decisions": list(action.decisions),
        "when": dict(action.when),
    }


def _part(part: Part) -> dict[str, Any]:
    given = {"values": list(part.values), "texts": list(part.texts)}
    return {
        "name": part.name, **part.shape.data(), **given, "mine": part.mine, "along": part.along
    }  # fmt: skip


def _told(kind: Told) -> dict[str, Any]:
    return {"name": kind.name, "values": described(kind.values)}


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "name": fact.name,
        "shape": fact.shape.data(),
        "field": fact.field or None,
        "unsaid": fact.unsaid,
    }


def _flag(flag: Flag) -> dict[str, Any]:
    return {
        "name": flag.name,
        "kinds": list(flag.kinds),
        "field": flag.field,
        "shape": flag.shape.data(),
        "by": flag.by,
        "unsaid": flag.unsaid,
    }


def _words(lang: str, package: str) -> dict[str, Any]:
    """Every text of a game, with what it shares with others."""
    shared = common(lang).tree
    below = {key: shared[key] for key in SHARED_WORDS}
    below["errors"] = {key: shared["errors"][key] for key in SHARED_ERRORS}
    below["rules"] = shared["rules"]
    return merged(below, catalogue(lang, package).tree)


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two trees as one, where what stands above counts."""
    found = dict(below)
    for key, value in above.items():
        old = found.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        found[key] = merged(old, value) if both else value  # type: ignore[arg-type]
    return found
