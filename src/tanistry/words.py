"""Words for people, in French and English: catalogues beside the games, read when needed.

Each game has `words/en.toml` and `words/fr.toml` with the same keys; what all games share is in
`texts/`. Kernels never contain text; whatever they report is a number that is worded here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tanistry.games.contract import GameInfo

LANGUAGES = ("en", "fr")
MINUS = "−"
CODE = re.compile(r"(?P<stem>.*?)(?P<tail>\d+|!)")


@dataclass(frozen=True)
class Rule:
    """One rule of a rules page."""

    id: str
    title: str
    text: str


class Words:
    """The texts of one game (or the shared ones) in one language."""

    def __init__(self, lang: str, tree: Mapping[str, Any], fallback: Words | None = None) -> None:
        self.lang = lang
        self.tree = tree
        self.fallback = fallback

    def find(self, key: str) -> Any:
        """The entry at a dotted key, or None."""
        node: Any = self.tree
        for part in key.split("."):
            if not isinstance(node, Mapping) or part not in node:
                return self.fallback.find(key) if self.fallback else None
            node = node[part]
        return node

    def text(self, key: str, values: Mapping[str, Any] | None = None) -> str:
        """The sentence at a key with its values filled in; the key itself if there is none."""
        found = self.find(key)
        if not isinstance(found, str):
            return key
        return found.format_map(_Shown(values or {}))

    def number(self, value: float, digits: int = 0) -> str:
        shown = f"{abs(value):,.{digits}f}"
        marks = {",": self.text("number.thousands"), ".": self.text("number.decimal")}
        negative = value < 0 and any(c in "123456789" for c in shown)
        return (MINUS if negative else "") + "".join(marks.get(c, c) for c in shown)

    def percent(self, share: float, digits: int = 1) -> str:
        return self.text("number.percent", {"value": self.number(100 * share, digits)})

    def card(self, code: str | None) -> str:
        """The name of a card: `cards` has it by code, or by the letters before its value."""
        if code is None:
            return self.text("hidden_card")
        exact = self.find(f"cards.{code}")
        if isinstance(exact, str):
            return exact
        match = CODE.fullmatch(code)
        if match and isinstance(pattern := self.find(f"cards.{match['stem'] or code}"), str):
            return pattern.format(value=match["tail"])
        return code

    def place(self, name: str) -> str:
        """The name of a place: `hand.1` is worded by `places.hand`, with {0} its number."""
        stem, *numbers = name.split(".")
        found = self.find(f"places.{stem}")
        return found.format(*numbers) if isinstance(found, str) else name

    def token(self, token: str) -> str:
        """What a token does, in a few words: the first pattern of `tokens` that fits."""
        for entry in self.find("tokens") or ():
            if match := re.fullmatch(entry["match"], token):
                said = {
                    k: self.card(v) if k.startswith("card") else v
                    for k, v in match.groupdict().items()
                }
                return str(entry["say"]).format_map(_Shown(said))
        return self.card(token)

    def event(self, event: Mapping[str, Any], names: list[str]) -> str:
        """One line about an event as a seat sees it; empty if it is not worth a line."""
        said: dict[str, Any] = {}
        for key, value in event.items():
            if key in ("card", "other"):
                said[key] = self.card(value)
            elif key in ("from", "to"):
                said[key] = self.place(value)
                owner = value.rpartition(".")[2]
                if owner.isdigit() and int(owner) < len(names):
                    said[f"{key}_seat"] = names[int(owner)]
            elif key in ("seat", "victim") and isinstance(value, int):
                said[key] = names[value] if 0 <= value < len(names) else self.text("nobody")
            else:  # a code that the game has a word for: `factions.G` for faction "G"
                word = self.find(f"{key}s.{value}") if isinstance(value, str) else None
                said[key] = word if isinstance(word, str) else value
        rule = str(event.get("rule", "")).partition(".")[2]
        for key in (f"events.{event['type']}.{rule}", f"events.{event['type']}.default"):
            if isinstance(self.find(key), str):
                return self.text(key, said)
        return ""

    def rules(self) -> dict[str, Rule]:
        """The rules under their ids, those all games share last."""
        found = {}
        for group, entries in (self.find("rules") or {}).items():
            for name, entry in entries.items():
                rule = Rule(f"{group}.{name}", entry["title"], entry["text"].strip())
                found[rule.id] = rule
        if self.fallback:
            found.update(self.fallback.rules())
        return found


class _Shown(dict[str, Any]):
    """Values for a template; one that is missing shows its name instead of failing."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@cache
def common(lang: str) -> Words:
    """The texts that all games share."""
    text = files("tanistry").joinpath(f"texts/{lang}.toml").read_text("utf-8")
    return Words(lang, tomllib.loads(text))


@cache
def words(lang: str, info: GameInfo) -> Words:
    """The texts of a game, the shared ones behind them."""
    text = files(info.package).joinpath(f"words/{lang}.toml").read_text("utf-8")
    return Words(lang, tomllib.loads(text), common(lang))
