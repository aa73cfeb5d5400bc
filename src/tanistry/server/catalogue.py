"""The games as clients need to know them: options, places, cards and every word, both languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import tanistry
from tanistry.errors import TanistryError
from tanistry.games import registry
from tanistry.games.contract import GameInfo, Option, Preset, written
from tanistry.games.shapes import Code, Shape
from tanistry.match.describe import merged
from tanistry.server.refusals import Refused, refused, wrong_value
from tanistry.server.thinking import bot_list
from tanistry.words import LANGUAGES, Label, Words, words

Data = dict[str, Any]
UNDRAWN = ("words", "record", "kernels", "notes", "problems")
"""Parts of a description that no table needs."""
MOST_KEPT = 200
"""Games with their options that are not built anew when somebody asks again."""


def game_info(name: str) -> GameInfo:
    try:
        return tanistry.info(name)
    except TanistryError as error:
        raise refused(error) from None


def game_at(name: str) -> GameInfo:
    """The game an address names; of one that does not exist there is no page."""
    if name not in registry.games():
        raise Refused("game/unknown")
    return game_info(name)


def games() -> Data:
    return {"games": [brief(info.name) for info in registry.games().values()], "bots": bot_list()}


@cache
def brief(name: str) -> Data:
    info = game_info(name)
    texts = {lang: words(lang, info) for lang in LANGUAGES}
    first = Option("first", tuple(range(info.seats[-1])), 0)
    return {
        "name": info.name,
        "version": info.version,
        "title": {lang: texts[lang].text("title") for lang in LANGUAGES},
        "tagline": {lang: _text(texts[lang], "tagline") for lang in LANGUAGES},
        "seats": list(info.seats),
        "has_draw": info.has_draw,
        "options": [_option(option, texts) for option in (first, *info.options)],
        "presets": [_preset(preset, texts) for preset in info.presets],
    }


def _option(option: Option, texts: Mapping[str, Words]) -> Data:
    labels = {
        written(value): _label({lang: texts[lang].value(option.name, value) for lang in texts})
        for value in option.values
    }
    return {
        "name": option.name,
        "values": list(option.values),
        "default": option.default,
        **_label({lang: texts[lang].option(option.name) for lang in texts}),
        "say": {key: label["title"] for key, label in labels.items()},
        "meanings": {key: label["meaning"] for key, label in labels.items()},
    }


def _preset(preset: Preset, texts: Mapping[str, Words]) -> Data:
    return {
        "name": preset.name,
        "seats": preset.seats,
        "options": dict(preset.options),
        **_label({lang: texts[lang].preset(preset.name) for lang in texts}),
    }


def _label(labels: Mapping[str, Label]) -> Data:
    """A title and a sentence, in every language."""
    return {
        "title": {lang: label.title for lang, label in labels.items()},
        "meaning": {lang: label.meaning for lang, label in labels.items()},
    }


def _text(texts: Words, key: str) -> str:
    found = texts.find(key)
    return found if isinstance(found, str) else ""


def whole(name: str, given: Mapping[str, str]) -> Data:
    """A game with its places, cards, decisions, events and rules, for some options."""
    return _whole(name, tuple(sorted(given.items())))


@lru_cache(MOST_KEPT)
def _whole(name: str, chosen: tuple[tuple[str, str], ...]) -> Data:
    info, given = game_at(name), dict(chosen)
    try:
        seats = int(given["seats"]) if "seats" in given else None
        plain = tanistry.game(name, seats=seats)
        known = {option.name: option for option in plain.option_list}
        options = {
            key: known[key].read(value) if key in known else value
            for key, value in given.items()
            if key != "seats"
        }
        game = tanistry.game(name, seats=plain.seats, **options)
    except TanistryError as error:
        raise refused(error) from None
    except ValueError:
        raise wrong_value("seats", "int_parsing") from None
    return {
        **brief(info.name),
        "options_used": dict(game.options),
        "places": [
            {
                "name": place.name,
                "seen": place.seen,
                "owner": place.owner if place.owner >= 0 else None,
                "order": place.order,
                "most": place.most,
            }
            for place in game.definition.places
            if place.owner < game.seats
        ],
        "cards": list(dict.fromkeys(game.codes)),
        "decisions": list(game.definition.decisions),
        "events": [
            {"type": kind.name, "values": {name: _meaning(shape) for name, shape in kind.values}}
            for kind in game.definition.events
        ],
        "rules": list(info.rules),
    }


@cache
def description(name: str) -> Data:
    """A game as data, for all options; its words come one language at a time."""
    described = tanistry.game(game_at(name).name).describe()
    return {key: value for key, value in described.items() if key not in UNDRAWN}


def _meaning(shape: Shape) -> Any:
    """What a value of an event is: the codes it takes, or its type."""
    return list(shape.codes) if isinstance(shape, Code) else shape.type


@cache
def texts(name: str, lang: str) -> Data:
    """Every text of a game in one language, shared ones included."""
    if lang not in LANGUAGES:
        raise Refused("page/unknown")
    info = game_at(name)
    found = words(lang, info)
    shared = found.fallback.tree if found.fallback else {}
    tree = merged(shared, found.tree)
    tree = {key: value for key, value in tree.items() if key not in ("rules", "errors")}
    codes: dict[str, None] = {}
    for seats in info.seats:
        codes |= dict.fromkeys(tanistry.game(name, seats=seats).codes)
    for option in info.options:
        for value in option.values:
            chosen: dict[str, Any] = {option.name: value}
            codes |= dict.fromkeys(tanistry.game(name, **chosen).codes)
    places = tanistry.game(name, seats=info.seats[-1]).definition.places
    return {
        "game": name,
        "lang": lang,
        "words": tree,
        "cards": {code: found.card(code) for code in codes},
        "places": {place.name: found.place(place.name) for place in places},
        "rules": [
            {"id": rule.id, "title": rule.title, "text": rule.text}
            for rule in found.rules().values()
        ],
    }
