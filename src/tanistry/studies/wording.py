"""A study in people's words: numbers, cards, clans, rules, in French or English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tanistry.catalogue import MINUS, catalogue
from tanistry.studies.counting.layout import groups_of
from tanistry.words import words

if TYPE_CHECKING:
    from tanistry.games.contract import Value
    from tanistry.match import Game


class Wording:
    """The texts of a report about a game: `say("winning.turn", number=2)`."""

    def __init__(self, lang: str, game: Game) -> None:
        self.lang = lang
        self.texts = catalogue(lang, "tanistry.studies")
        self.words = words(lang, game.info)
        self._rules = self.words.rules()

    def __call__(self, key: str, /, **values: Any) -> str:
        return self.texts.text(key, values)

    # -- numbers --------------------------------------------------------------------------------

    def number(self, value: float, digits: int = 0) -> str:
        return self.texts.number(value, digits)

    def percent(self, share: float, digits: int = 1) -> str:
        return self.texts.percent(share, digits)

    def share(self, value: float) -> str:
        """A percentage at an axis: as few digits as it takes."""
        return self.percent(value, 0 if abs(100 * value - round(100 * value)) < 0.05 else 1)

    def value(self, value: Value) -> str:
        """The value of an option."""
        return self(f"value.{value}".lower()) if isinstance(value, bool) else str(value)

    def points(self, share: float, digits: int = 1) -> str:
        """A difference of shares, in points of a hundred, with its sign."""
        return self.signed(100 * share, digits)

    def signed(self, value: float, digits: int = 1) -> str:
        shown = self.number(value, digits)
        if not any(c in "123456789" for c in shown):
            return "0"
        return shown if shown.startswith(MINUS) else f"+{shown}"

    def estimate(self, row: Mapping[str, Any]) -> str:
        """A share won and its interval, as rows of figures have them."""
        return f"{self.percent(row['won'])} ({self.span(row['low'], row['high'])})"

    def span(self, low: float, high: float) -> str:
        return f"{self.percent(low)} – {self.percent(high)}"

    # -- names ----------------------------------------------------------------------------------

    def card(self, code: str) -> str:
        return self.words.card(code)

    def rule(self, rule: str) -> str:
        known = self._rules.get(rule)
        return known.title if known else rule

    def groups(self, game: Game) -> dict[str, str]:
        """The names of clans, factions, colours: from a table of the game's words that has all."""
        stems = list(groups_of(game))
        for key, names in self.words.tree.items():
            if key != "cards" and isinstance(names, Mapping) and set(stems) <= set(names):
                return {stem: str(names[stem]) for stem in stems}
        return {stem: stem for stem in stems}

    def policy(self, name: str) -> str:
        known = name if name in ("random", "greedy") else "each" if "+" in name else "other"
        return self(f"policy.{known}", name=name)
