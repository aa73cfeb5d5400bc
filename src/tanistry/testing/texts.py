"""Whether what people read of a game is there, in every language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations, product
from string import Formatter
from typing import Any

from tanistry.catalogue import LANGUAGES, catalogue
from tanistry.games.contract import Option, written
from tanistry.match import Game
from tanistry.session.names import NAMES
from tanistry.words import Words, words


def check_words(game: Game) -> int:
    """Check what people read of a game, but for what is told of a match:

    - every language says the same things (`check_languages`);
    - all that is declared has words, and every rule that is named has a title and a text;
    - whatever is there to be chosen, at the table and by a host, has words of its own, which name
      nobody by the number of a seat and leave nothing to be filled in.

    An AssertionError names the language and the key, or what is said. The answer counts the texts.
    """
    made = check_languages({lang: catalogue(lang, game.info.package).tree for lang in LANGUAGES})
    for lang in LANGUAGES:
        say, where = words(lang, game.info), f"{game.name}, {lang}"
        for key in _keys(game, say):
            there = say.find(key)
            assert isinstance(there, (str, Mapping)) and there, (
                f"{where}: no words at {key} (words)"
            )
        told = Counter(_said(where, say.token, token, None, NAMES) for token in game.tokens)
        for text, times in told.items():
            assert times == 1, f"{where}: {times} choices read {text!r} (words)"
            assert not SEAT.search(text), f"{where}: a choice reads {text!r} (words)"
        for code in game.codes:
            _said(where, say.the_card, code)
        for place, names in product(game.definition.places, (None, NAMES)):
            _said(where, say.place, place.name, names)
        labels = [say.option("seats"), *(say.preset(preset.name) for preset in game.presets)]
        for option in game.option_list:
            labels += [say.option(option.name), *(say.value(option.name, v) for v in option.values)]
        for title, meaning in labels:
            fit = title[-1] not in ".:" and meaning[-1] == "." and "{" not in title + meaning
            assert fit, f"{where}: not a title and a sentence: {title!r}, {meaning!r} (words)"
    return made


SEAT = re.compile(r"\b(?:seat|la place) \d")
"""A seat by its number, where it is known who sits there."""


def _said(where: str, say: Callable[..., str], what: str, *given: Any) -> str:
    """What a catalogue says of something, with everything filled in."""
    try:
        text = say(what, *given)
    except (LookupError, ValueError) as wrong:
        raise AssertionError(f"{where}: {what} cannot be said: {wrong!r} (words)") from wrong
    assert text and "{" not in text, f"{where}: {what} is said {text!r} (words)"
    return text


def _keys(game: Game, say: Words) -> Iterator[str]:
    """Where there must be a text, or several, for what a game declares."""
    declared = game.definition

    def first(*keys: str) -> str:
        return next(filter(say.find, keys), keys[0])

    yield "title"
    for card in declared.cards:
        yield first(f"cards.{card.code}", f"cards.{card.suit}")
    for part, names in (
        ("places", [place.kind for place in declared.places]),
        ("actions", [action.verb for action in declared.actions]),
        ("decisions", declared.decisions),
        ("refusals", [kind.name for kind in declared.refusals]),
        ("errors.position", [kind.name for kind in declared.problems]),
        ("facts", [fact.name for fact in declared.facts]),
        ("tally", [fact.name for fact in declared.tally]),
    ):
        yield from (f"{part}.{name}" for name in names)
    for shape in _shapes(game.describe()):
        if shape["type"] == "code" and shape["words"]:
            yield from (f"{shape['words']}.{code}" for code in shape["codes"])
    for preset in game.presets:
        yield from (f"presets.{preset.name}.title", f"presets.{preset.name}.meaning")
    for option in (Option("seats", (), 0), *game.option_list):
        yield from (f"options.{option.name}.name", f"options.{option.name}.meaning")
        for part, value in product(("values", "meanings"), option.values):
            of_all = f"options.{option.name}.{part}"
            yield first(f"{of_all}.{written(value)}", f"{of_all}.any")
    of_cards = (card.rule for card in declared.cards if card.rule)
    for rule in dict.fromkeys((*declared.rule_ids, *of_cards, *say.rules())):
        yield from (f"rules.{rule}.title", f"rules.{rule}.text")


def _shapes(data: Any) -> Iterator[dict[str, Any]]:
    """Every shape in a description."""
    if isinstance(data, dict):
        if isinstance(data.get("type"), str):
            yield data
        data = list(data.values())
    if isinstance(data, list):
        for part in data:
            yield from _shapes(part)


def check_languages(trees: Mapping[str, Mapping[str, Any]]) -> int:
    """Check that catalogues have the same texts in every language, with the same placeholders.

    An AssertionError names the key. The answer counts the texts.
    """
    found = {lang: texts_of(tree) for lang, tree in trees.items()}
    for one, other in permutations(found, 2):
        for key, text in found[one].items():
            assert key in found[other], f"{key} is in {one}.toml, and not in {other}.toml (words)"
            translated = found[other][key]
            apart = f"{key} in {one}.toml and {other}.toml: {text!r}, {translated!r} (words)"
            assert bool(text) == bool(translated), apart
            if not key.startswith("rules.") and not key.endswith(".match"):
                assert _placeholders(text) == _placeholders(translated), apart
    return sum(map(len, found.values()))


def texts_of(tree: Any, key: str = "") -> dict[str, str]:
    """All texts of a catalogue by dotted key; the patterns of tokens are keys too."""
    if isinstance(tree, str):
        return {key: tree}
    if isinstance(tree, list):
        parts = [(f"{key}[{item.get('match', n)}]", item) for n, item in enumerate(tree)]
    else:
        assert isinstance(tree, Mapping), f"{key} is neither a text nor a table (words)"
        parts = [(f"{key}.{name}" if key else name, item) for name, item in tree.items()]
    return {k: text for name, item in parts for k, text in texts_of(item, name).items()}


def _placeholders(text: str) -> set[str]:
    """A capital says only that a sentence begins with it."""
    try:
        names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    except ValueError as wrong:
        raise AssertionError(f"{text!r}: {wrong} (words)") from wrong
    return {name[:1].lower() + name[1:] for name in names}
