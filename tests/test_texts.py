"""What players read: in words, without codes, and set as each language wants it."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import tanistry
from tanistry.catalogue import LANGUAGES, filled, typeset
from tanistry.games.contract import GameInfo, written
from tanistry.words import words
from tests.games.claim_positions import phase1

GAMES = [info for info in tanistry.games().values() if info.package.startswith("tanistry.")]
FOR_PLAYERS = (
    "title",
    "tagline",
    "decisions",
    "events",
    "told",
    "refusals",
    "options",
    "presets",
    "powers",
    "rules",
)
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


@pytest.mark.parametrize("info", GAMES, ids=lambda info: info.name)
def test_what_is_asked_in_french_is_an_imperative_or_a_question(info: GameInfo) -> None:
    asked = words("fr", info).find("decisions")
    assert isinstance(asked, Mapping)
    for name, text in asked.items():
        assert re.search(r"\b\w+ez\b", text) or text.endswith("?"), (name, text)


@pytest.mark.parametrize("info", GAMES, ids=lambda info: info.name)
def test_presets_are_games_that_can_be_dealt(info: GameInfo) -> None:
    assert info.presets
    chosen = [(preset.seats, dict(preset.options)) for preset in info.presets]
    assert (info.seats[0], {}) in chosen, "the game of the rulebook is offered"
    dealt = [repr(tanistry.game(info.name, seats=seats, **options)) for seats, options in chosen]
    assert len(set(dealt)) == len(dealt), "each is another one"
    assert tanistry.game(info.name).presets == info.presets


@pytest.mark.parametrize("path", sorted(Path(tanistry.__file__).parent.rglob("fr.toml")), ids=str)
def test_french_texts_keep_to_the_glossary(path: Path) -> None:
    text = path.read_text("utf-8")
    for word in ("robot", "Peuple", "revendiqu", "Soutiens"):
        assert word.casefold() not in text.casefold(), word


def test_no_text_gives_a_coordinate() -> None:
    """Neither `1.3` nor `R.C`, nor the marks of the notation: the table shows where."""
    for info in GAMES:
        for lang in LANGUAGES:
            for key, text in read_by_players(info, lang):
                plain = re.sub(r"\{[^}]*\}", "", text)
                assert not re.search(r"\b[\dRC]\.[\dRC]\b|[<>]", plain), (key, text)


def test_words_go_with_their_numbers() -> None:
    assert filled("{n} {n:card|cards}", {"n": 1}) == "1 card"
    assert filled("{n} {n:card|cards}", {"n": 0}) == "0 cards"
    assert filled("{n} {n:carte|cartes}", {"n": 0}, "fr") == "0 carte"
    assert filled("{n} {n:carte|cartes}", {"n": 2}, "fr") == "2 cartes"
    assert filled("{n:>3}{name}", {"n": 7, "name": "x"}) == "  7x"


def test_french_is_elided_and_set() -> None:
    assert filled("l'armée de {seat}", {"seat": "Ailsa"}, "fr") == "l'armée d'Ailsa"
    assert filled("l'armée de {seat}", {"seat": "Fergus"}, "fr") == "l'armée de Fergus"
    assert filled("le pouvoir de {it}", {"it": "le Scott 4"}, "fr") == "le pouvoir du Scott 4"
    assert filled("le pouvoir de {it}", {"it": "la Boue"}, "fr") == "le pouvoir de la Boue"
    assert filled("pas de jeu {x!r}", {"x": "clam"}, "fr") == "pas de jeu «\u00a0clam\u00a0»"
    assert filled("pas de jeu {x!r}", {"x": "l'\n"}, "fr") == "pas de jeu «\u00a0l'\\n\u00a0»"
    assert filled("no game {x!r}", {"x": "clam"}) == "no game 'clam'"
    assert typeset({"a": "Quoi ? Ceci : « cela »"}) == {
        "a": "Quoi\u202f? Ceci\u00a0: «\u00a0cela\u00a0»"
    }


@pytest.mark.parametrize("info", GAMES, ids=lambda info: info.name)
def test_no_line_of_a_match_in_french_lacks_a_contraction(info: GameInfo) -> None:
    """As every seat and a spectator read it; that it is a sentence, the battery sees to."""
    names = ["Ailsa", "Blair", "Callum", "Duncan", "Ewan"]
    match = tanistry.game(info.name, seats=info.seats[-1]).interpreted().deal(3)
    rng, say = random.Random(3), words("fr", info)
    while (by := match.to_act) is not None:
        for event in match.play(rng.choice(match.legal())):
            for seat in (None, *range(match.game.seats)):
                line = say.event(event.seen_by(seat), names, by)
                assert not re.search(r"\b(de|à) le\b", line), line


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("info", GAMES, ids=lambda info: info.name)
def test_what_comes_of_a_choice_first_names_who_made_it(info: GameInfo, lang: str) -> None:
    names = ["Ailsa", "Blair", "Callum", "Duncan", "Ewan"]
    options = {"bruce": True} if info.name == "lords" else {}
    game = tanistry.game(info.name, seats=info.seats[-1], **options).interpreted()
    rng, say = random.Random(5), words(lang, info)
    for seed in range(2):
        match = game.deal(seed)
        while (by := match.to_act) is not None:
            events = match.play(rng.choice(match.legal()))
            told = [say.event(e.seen_by(None), names, by) for e in events if e.type != "over"]
            first = next(filter(None, told), names[by])
            assert names[by] in first, first


@pytest.mark.parametrize(
    ("name", "type", "rule", "en", "fr"),
    [
        ("claim", "over", "claim.end", "nobody takes the crown", "personne ne prend la couronne"),
        ("schotten", "over", "schotten.stuck", "is a draw", "la partie est nulle"),
        ("lords", "won", "lords.order", "nobody wins", "personne ne remporte l'escarmouche"),
        ("lords", "over", "lords.end", "nobody takes the throne", "personne ne monte seul"),
    ],
)
def test_what_nobody_wins_is_told_in_a_sentence_too(
    name: str, type: str, rule: str, en: str, fr: str
) -> None:
    event = {"n": 1, "type": type, "rule": rule, "seat": -1}
    for lang, expected in (("en", en), ("fr", fr)):
        line = words(lang, tanistry.info(name)).event(event, ["Ailsa", "Blair"], 0)
        assert expected in line
        assert re.fullmatch(r"[A-ZÀÉ].*\.", line), line


def test_cards_to_choose_from_have_their_articles() -> None:
    position = phase1("D1 D2 D3", "G0 G3 G4 K2", prize="K3", led="G8")
    match = tanistry.game("claim").interpreted().setup(position)
    with pytest.raises(tanistry.IllegalMove) as refused:
        match.play("K2")
    assert "a entamé avec le Gobelin 8\u00a0:" in refused.value.message("fr")
    assert "suivre avec le Gobelin 0, le Gobelin 3 ou le Gobelin 4," in refused.value.message("fr")
    assert "follow with Goblin 0, Goblin 3 or Goblin 4," in refused.value.message("en")


def test_what_is_asked_is_what_may_be_done() -> None:
    """In King's Kilt nobody may pass before a King is crowned, or climb afterwards."""
    info = tanistry.info("kilt")
    for lang, before, after in (
        ("en", "Climb or betray", "Betray or pass"),
        ("fr", "Montez ou trahissez", "Trahissez ou passez"),
    ):
        say, rng = words(lang, info), random.Random(1)
        match = tanistry.game("kilt").interpreted().deal(1)
        while match.to_act is not None:
            if match.decision == "turn":
                crowned = match.position()["facts"]["crowned"]
                asked = say.asked(match.decision, match.legal())
                assert asked == (after if crowned else before)
            match.play(rng.choice(match.legal()))
        assert say.asked("reveal", []) == say.text("decisions.reveal")


@pytest.mark.parametrize("folder", ["src/tanistry", "web/src", "docs", "tools/docs"])
def test_there_is_one_apostrophe(folder: str) -> None:
    """The plain one, which can be typed and searched for, in every text that people are shown."""
    root = Path(__file__).parents[1] / folder
    kinds = {".toml", ".ts", ".svelte", ".md", ".html"}
    texts = [path for path in root.rglob("*") if path.suffix in kinds and "dist" not in path.parts]
    assert texts
    assert [str(path) for path in texts if "\u2019" in path.read_text("utf-8")] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_device_refuses_in_the_words_of_the_server(lang: str) -> None:
    """But for a match that it has not kept, which a server could not say."""
    text = (Path(__file__).parents[1] / "web/src/local/refusals.ts").read_text("utf-8")
    words_of_server = files("tanistry.server").joinpath(f"words/{lang}.toml").read_text("utf-8")
    refusals = tomllib.loads(words_of_server)["refusals"]
    entry = re.compile(r"'(\w+)/([\w-]+)': \{.*?\b" + lang + r": (['\"])(.*?)(?<!\\)\3", re.DOTALL)
    said = {(kind, name): sentence for kind, name, _, sentence in entry.findall(text)}
    both = {
        (kind, name): refusals[kind][name]
        for kind, name in said
        if name in refusals.get(kind, {}) and (kind, name) != ("table", "unknown")
    }
    assert len(both) >= 5
    assert {key: said[key] for key in both} == both
