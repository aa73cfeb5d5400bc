"""The rules of a game under their ids, its rulings, options, cards and words for positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tanistry import game
from tanistry.games.contract import GameInfo, written
from tanistry.games.registry import definition
from tanistry.words import Rule, Words, words
from tools.docs.texts import said

RULING = {
    "en": re.compile(r"\bour rulings?\b", re.I),
    "fr": re.compile(r"\bnos? décisions?\b|\bnotre décision\b", re.I),
}
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀÉÈÊÎÔÛ«])")


def texts(lang: str) -> dict[str, str]:
    return said(lang)["game"]


def rulings(rule: Rule, lang: str) -> list[str]:
    """The sentences of a rule that say what we decided."""
    return [s for s in SENTENCE.split(rule.text) if RULING[lang].search(s)]


def page(info: GameInfo, lang: str) -> str:
    """The rules page of one game."""
    catalogue, say = words(lang, info), texts(lang)
    rules = catalogue.rules()
    own = [rule for rule in rules.values() if not rule.id.startswith("common.")]
    shared = [rule for rule in rules.values() if rule.id.startswith("common.")]
    title = catalogue.text("title")
    parts = [
        f"# {say['title'].format(title=title)}",
        f"*{catalogue.text('tagline')}*",
        say["lead"].format(name=info.name),
        say["five"].format(name=info.name),
        *_silent(own, lang),
        f"## {say['rules']}",
        *(_rule(rule, lang) for rule in own),
        f"## {say['common']}",
        *(_rule(rule, lang) for rule in shared),
        *_options(info, lang),
        *_notation(info, catalogue, lang),
    ]
    return "\n\n".join(parts) + "\n"


def _rule(rule: Rule, lang: str) -> str:
    badge = f' <span class="ruling">{texts(lang)["ruling"]}</span>' if rulings(rule, lang) else ""
    heading = f'### <a id="{rule.id}"></a>{rule.title}'
    return f"{heading}\n\n`{rule.id}`{badge}\n\n{_escaped(rule.text)}"


def _escaped(text: str) -> str:
    """Rules are plain text: what Markdown would take for markup is written out."""
    return re.sub(r"([*_<\[\]`])", r"\\\1", text)


def _silent(rules: list[Rule], lang: str) -> Iterator[str]:
    say = texts(lang)
    yield f"## {say['silent']}"
    yield say["silent_lead"]
    yield "\n".join(
        f"- [{rule.title}](#{rule.id}){say['colon']} {_escaped(' '.join(found))}"
        for rule in rules
        if (found := rulings(rule, lang))
    )


def _options(info: GameInfo, lang: str) -> Iterator[str]:
    say = texts(lang)
    seats = f"{info.seats[0]}–{info.seats[-1]}" if len(info.seats) > 1 else str(info.seats[0])
    yield f"## {say['options']}"
    rows = [("seats", seats, str(info.seats[0])), ("first", f"0–{info.seats[-1] - 1}", "0")]
    rows += [(option.name, option.allowed(), written(option.default)) for option in info.options]
    yield "\n".join(
        [
            f"| {say['option']} | {say['values']} | {say['default']} | {say['meaning']} |",
            "|---|---|---|---|",
            *(f"| `{n}` | {allowed} | {d} | {info.meanings[n][lang]} |" for n, allowed, d in rows),
        ]
    )


def _notation(info: GameInfo, catalogue: Words, lang: str) -> Iterator[str]:
    """Codes of cards, places, facts and decisions, as the game itself declares them."""
    say = texts(lang)
    made = definition(info.name)
    codes: dict[str, str] = {}
    for options in _option_sets(info):
        codes |= {code: catalogue.card(code) for code in game(info.name, **options).codes}
    places = {p.name: catalogue.place(p.name) for p in made.places}
    yield f"## {say['notation']}"
    yield say["notation_lead"]
    yield f"### {say['decisions'].capitalize()}"
    yield _table({name: catalogue.text(f"decisions.{name}") for name in made.decisions}, lang)
    yield f"### {say['facts'].capitalize()}"
    yield _table(dict(catalogue.find("facts") or {}), lang)
    yield f"### {say['places'].capitalize()}"
    yield _table(places, lang)
    yield f"### {say['cards'].capitalize()}"
    yield _table(codes, lang)


def _option_sets(info: GameInfo) -> Iterator[dict[str, Any]]:
    """The defaults, and every option at each of its values (numbers: the ends alone)."""
    defaults = {option.name: option.default for option in info.options}
    yield defaults
    for option in info.options:
        for value in (option.values[0], *option.values[1:3], option.values[-1]):
            yield defaults | {option.name: value}


def _table(entries: dict[str, str], lang: str) -> str:
    say = texts(lang)
    lines = [f"| {say['code']} | {say['is']} |", "|---|---|"]
    return "\n".join(
        [*lines, *(f"| `{code}` | {_escaped(text)} |" for code, text in entries.items())]
    )
