"""Catalogues of texts: TOML files with the same keys in every language, read when needed.

Each game has `words/en.toml` and `words/fr.toml`; what all games share is in `texts/`. `words.py`
puts what happens in a match into these texts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "fr")
MINUS = "−"


@dataclass(frozen=True)
class Rule:
    """One rule of a rules page."""

    id: str
    title: str
    text: str
    name: str = ""
    """The id without the game's name."""


class Catalogue:
    """The texts of one game (or the shared ones) in one language."""

    def __init__(
        self, lang: str, tree: Mapping[str, Any], fallback: Catalogue | None = None
    ) -> None:
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
        return filled(found, values or {}, self.lang) if isinstance(found, str) else key

    def phrase(self, key: str, otherwise: str = "") -> str:
        """The text at a key as it stands, or what to say if there is none."""
        found = self.find(key)
        return found if isinstance(found, str) else otherwise

    def number(self, value: float, digits: int = 0) -> str:
        shown = f"{abs(value):,.{digits}f}"
        marks = {",": self.text("number.thousands"), ".": self.text("number.decimal")}
        negative = value < 0 and any(c in "123456789" for c in shown)
        return (MINUS if negative else "") + "".join(marks.get(c, c) for c in shown)

    def percent(self, share: float, digits: int = 1) -> str:
        return self.text("number.percent", {"value": self.number(100 * share, digits)})

    def rules(self) -> dict[str, Rule]:
        """The rules under their ids, those all games share last."""
        found = {}
        for group, entries in (self.find("rules") or {}).items():
            for name in entries:
                id = f"{group}.{name}"
                title, text = (self.phrase(f"rules.{id}.{part}") for part in ("title", "text"))
                found[id] = Rule(id, title, text.strip(), name)
        if self.fallback:
            found.update(self.fallback.rules())
        return found


def filled(template: str, values: Mapping[str, Any], lang: str = "en") -> str:
    """A template with its values filled in.

    `{n:card|cards}` is the form that goes with a number; in French « de {seat} » is elided before
    a name that asks for it, « de le » becomes « du », and {name!r} is quoted in guillemets.
    """
    if lang == "fr":
        template = OF.sub(lambda found: _elided(found, values), template)
    return template.format_map(_Shown({k: _fit(v, lang) for k, v in values.items()}))


OF = re.compile(r"\b([dD])e \{(\w+)\}")
VOWELS = tuple("AEIOUYÀÂÉÈÊËÎÏÔÛÜaeiouyàâéèêëîïôûü")


def _elided(found: re.Match[str], values: Mapping[str, Any]) -> str:
    value = str(values.get(found[2], ""))
    if value.startswith("le "):
        return f"{found[1]}u " + value.removeprefix("le ").replace("{", "{{").replace("}", "}}")
    return f"{found[1]}'{{{found[2]}}}" if value.startswith(VOWELS) else found[0]


class _Count(int):
    """A number that also chooses between the forms of a word."""

    lang = "en"

    def __format__(self, spec: str) -> str:
        one, bar, many = spec.partition("|")
        if not bar:
            return super().__format__(spec)
        return one if (self in (0, 1) if self.lang == "fr" else self == 1) else many


class _FrenchCount(_Count):
    lang = "fr"


class _Quoted(str):
    """A French text that `!r` quotes as French does."""

    def __repr__(self) -> str:
        return f"«\u00a0{super().__repr__()[1:-1]}\u00a0»"


def _fit(value: Any, lang: str) -> Any:
    """A value as templates of a language take it."""
    if type(value) is str:
        return _Quoted(value) if lang == "fr" else value
    if type(value) is not int:
        return value
    return _FrenchCount(value) if lang == "fr" else _Count(value)


class _Shown(dict[str, Any]):
    """Values for a template; one that is missing shows its name instead of failing."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def typeset(tree: Any) -> Any:
    """A French catalogue with the spaces that must not break: files are written with plain ones."""
    if isinstance(tree, dict):
        return {key: text if key == "match" else typeset(text) for key, text in tree.items()}
    if isinstance(tree, list):
        return [typeset(text) for text in tree]
    if not isinstance(tree, str):
        return tree
    wide = re.sub(r" (?=:(?:\s|$)|»)|(?<=«) ", "\u00a0", tree)
    return re.sub(r" (?=[;!?])", "\u202f", wide)


@cache
def common(lang: str) -> Catalogue:
    """The texts that all games share."""
    return Catalogue(lang, _read(lang, "tanistry", "texts"))


@cache
def catalogue(lang: str, package: str) -> Catalogue:
    """The texts of the game in a package, the shared ones behind them."""
    return Catalogue(lang, _read(lang, package, "words"), common(lang))


def _read(lang: str, package: str, folder: str) -> Any:
    file = files(package).joinpath(f"{folder}/{lang}.toml")
    try:
        tree = tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as wrong:
        raise ValueError(f"{file}: {wrong}") from None
    return typeset(tree) if lang == "fr" else tree
