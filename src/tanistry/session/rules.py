"""Looking up rules, by their id or by words in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from tanistry.words import Rule


def folded(text: str) -> str:
    """Without accents and capitals, so that people find what they mean."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def find(rules: Mapping[str, Rule], wanted: str) -> list[Rule]:
    """The rule of that id, name or title, else all that mention the words."""
    for rule in rules.values():
        if wanted in (rule.id, rule.name, rule.title):
            return [rule]
    needles = folded(wanted).split()
    texts = {rule.id: folded(f"{rule.id} {rule.title} {rule.text}") for rule in rules.values()}
    return [rules[i] for i, text in texts.items() if all(needle in text for needle in needles)]
