"""Lessons: a game learnt step by step on real positions, as data in the game's folder.

`lessons/steps.toml` says what happens in every step, `lessons/en.toml` and `lessons/fr.toml` what
is said. A game without that folder has no lessons. `tanistry.testing.check_lessons` checks them.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

from tanistry.catalogue import LANGUAGES, typeset
from tanistry.errors import OptionError
from tanistry.games.contract import Definition, used_with
from tanistry.match.positions import code_of

FOLDER = "lessons"
PLAYED = ("name", "rule", "seat", "position", "line")
SAID = ("title", "text", "goal", "done", "wrong")


@dataclass(frozen=True)
class Step:
    """One position, what to find there, and what is said about it in one language."""

    name: str
    rule: str
    """The rule it teaches."""
    seat: int
    """Whose choices are asked for; the line has those of the others, too."""
    position: dict[str, Any]
    line: tuple[tuple[str, ...], ...]
    """Choice by choice the tokens that lead on, as patterns: `*` stands for anything."""
    happens: tuple[dict[str, Any], ...]
    """What the seat is told on the way: parts of events, in their order."""
    title: str
    text: str
    goal: str
    done: str
    """What has happened, once the line is played."""
    wrong: tuple[tuple[str, str], ...]
    """What is said to any other choice: pattern of its token, and answer; the first that fits."""

    def leads_on(self, choice: int, token: str) -> bool:
        """Whether a token is what the line has as its choice number so and so."""
        return any(fnmatchcase(token, pattern) for pattern in self.line[choice])

    def answer(self, token: str) -> str:
        """What is said to a choice that does not lead on; empty if nothing is."""
        return next((text for pattern, text in self.wrong if fnmatchcase(token, pattern)), "")


@cache
def lessons(definition: Definition, lang: str) -> tuple[Step, ...]:
    """The steps of a game's lessons, in one language."""
    if lang not in LANGUAGES:
        raise OptionError("option/value", name="lang", value=lang, allowed=", ".join(LANGUAGES))
    folder = files(definition.info.package).joinpath(FOLDER)
    if not folder.joinpath("steps.toml").is_file():
        return ()
    steps = tomllib.loads(folder.joinpath("steps.toml").read_text("utf-8"))
    said = tomllib.loads(folder.joinpath(f"{lang}.toml").read_text("utf-8"))
    if lang == "fr":
        said = typeset(said)
    return tuple(_step(definition, name, step, said[name]) for name, step in steps.items())


def _step(
    definition: Definition, name: str, step: Mapping[str, Any], said: Mapping[str, Any]
) -> Step:
    line = tuple((ask,) if isinstance(ask, str) else tuple(ask) for ask in step["line"])
    return Step(
        name=name,
        rule=step["rule"],
        seat=step.get("seat", 0),
        position=_position(definition, step["position"]),
        line=line,
        happens=tuple(step["happens"]),
        wrong=tuple(said["wrong"].items()),
        **{key: said[key] for key in SAID if key != "wrong"},
    )


def _position(definition: Definition, given: Mapping[str, Any]) -> dict[str, Any]:
    """A whole position from the cards a step is about.

    A place's cards are a list, or their codes in one text. `rest` names the places that get the
    cards named nowhere, in the order of the card list, and how many: 0 is all there are.
    """
    info = definition.info
    own = {option.name: option.default for option in info.options}
    options = {"first": 0, **own, **given.get("options", {})}
    places = {
        name: cards.split() if isinstance(cards, str) else list(cards)
        for name, cards in given["places"].items()
    }
    known = [card.code for card in definition.cards if used_with(card.when, options)]
    named = (code_of(entry) for cards in places.values() for entry in cards if entry)
    left = _without(known, named)
    for name, count in given.get("rest", {}).items():
        count = count or len(left)
        places[name] = places.get(name, []) + left[:count]
        del left[:count]
    return {
        "game": info.name,
        "seats": given.get("seats", info.seats[0]),
        "options": options,
        "to_act": given["to_act"],
        "decision": given["decision"],
        "places": {name: cards for name, cards in places.items() if cards},
        "facts": dict(given.get("facts", {})),
    }


def _without(codes: Iterable[str], used: Iterable[str]) -> list[str]:
    gone = Counter(used)
    left = []
    for code in codes:
        if gone[code]:
            gone[code] -= 1
        else:
            left.append(code)
    return left


def described(definition: Definition) -> list[dict[str, Any]]:
    """All steps as plain JSON data; what is said, by language."""
    found = []
    for steps in zip(*(lessons(definition, lang) for lang in LANGUAGES), strict=True):
        said = {
            lang: {key: getattr(step, key) for key in SAID}
            for lang, step in zip(LANGUAGES, steps, strict=True)
        }
        found.append({**{key: getattr(steps[0], key) for key in PLAYED}, "said": said})
    return found
