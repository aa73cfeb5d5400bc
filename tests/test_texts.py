"""What players read: in words, without codes, and set as each language wants it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import tanistry
from tanistry.catalogue import LANGUAGES, filled, typeset
from tanistry.games.contract import GameInfo, written
from tanistry.words import words

GAMES = [info for info in tanistry.games().values() if info.package.startswith("tanistry.")]
FOR_PLAYERS = ("title", "tagline", "decisions", "events", "refusals", "options", "powers", "rules")
"""Parts of a catalogue that players read; `errors` and `places` are read by people who write
positions, and name seats."""

ACTOR = {
    "en": re.compile(r"\b[Ss]eats?\b(?! \{0\})"),
    "fr": re.compile(r"\b(?:[Ll]a|[Uu]ne|[Cc]haque|autre|[Ll]es|toutes les) places?\b(?! où)"),
}
PLAIN_SPACE = re.compile(r" [;!?»]| :(?:\s|$)|« ")


def texts(tree: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(tree, str):
        yield key, tree
    elif isinstance(tree, dict):
        for name, part in tree.items():
            yield from texts(part, f"{key}.{name}")


def read_by_players(info: GameInfo, lang: str) -> list[tuple[str, str]]:
    catalogue = words(lang, info)
    parts = {name: catalogue.find(name) for name in FOR_PLAYERS}
    found = list(texts(parts))
    assert len(found) > 30
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("info", GAMES, ids=lambda info: info.name)
def test_players_read_words(info: GameInfo, lang: str) -> None:
    ids = re.compile(rf"\b{info.name}\.[a-z]")
    codes = {written(v) for o in info.options for v in o.values if not written(v).isdigit()}
    codes -= {"true", "false", "clan", "after", "before", "lowest", "auto"}
    for key, text in read_by_players(info, lang):
        plain = re.sub(r"\{[^}]*\}", "", text)
        assert "(s)" not in text, key
        assert not ids.search(plain), key
        assert not ACTOR[lang].search(plain), (key, text)
        assert not any(re.search(rf"\b{code}\b", plain) for code in codes), (key, text)
        if lang == "fr":
            assert not PLAIN_SPACE.search(text), (key, text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("info", GAMES, ids=lambda info: info.name)
def test_options_and_their_values_have_words(info: GameInfo, lang: str) -> None:
    catalogue = words(lang, info)
    for option in info.options:
        assert catalogue.find(f"options.{option.name}.name")
        assert catalogue.find(f"options.{option.name}.meaning")
        for value in option.values:
            if not isinstance(value, int) or isinstance(value, bool):
                assert catalogue.find(f"options.{option.name}.values.{written(value)}"), value


def test_words_go_with_their_numbers() -> None:
    assert filled("{n} {n:card|cards}", {"n": 1}) == "1 card"
    assert filled("{n} {n:card|cards}", {"n": 0}) == "0 cards"
    assert filled("{n} {n:carte|cartes}", {"n": 0}, "fr") == "0 carte"
    assert filled("{n} {n:carte|cartes}", {"n": 2}, "fr") == "2 cartes"
    assert filled("{n:>3}{name}", {"n": 7, "name": "x"}) == "  7x"


def test_french_is_elided_and_set() -> None:
    assert filled("l'armée de {seat}", {"seat": "Ailsa"}, "fr") == "l'armée d’Ailsa"
    assert filled("l'armée de {seat}", {"seat": "Fergus"}, "fr") == "l'armée de Fergus"
    assert typeset({"a": "Quoi ? Ceci : « cela »"}) == {
        "a": "Quoi\u202f? Ceci\u00a0: «\u00a0cela\u00a0»"
    }
