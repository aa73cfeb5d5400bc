"""The vocabulary of a game: every action with its token and its parts, from the declared blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tanistry.games.contract import Action, Card, Definition, Part
from tanistry.games.shapes import Shape, Terms


@dataclass(frozen=True)
class Choice:
    """One action: the block it is of, its token, and the number of each part."""

    action: Action
    token: str
    numbers: tuple[int, ...]

    def parts(self) -> Iterator[tuple[Part, int]]:
        return zip(self.action.parts, self.numbers, strict=True)

    def values(self, terms: Terms) -> dict[str, Any]:
        """What it names, as JSON data."""
        return {part.name: part.shape.write(iter((n,)), terms) for part, n in self.parts()}

    def shapes(self) -> dict[str, Shape]:
        return {part.name: part.shape for part in self.action.parts}


def choices(actions: Iterable[Action], terms: Terms) -> Iterator[Choice]:
    """All actions in their order."""
    for action in actions:
        written = [_texts(part, terms) for part in action.parts]
        for numbers in action.values():
            named = zip(action.parts, written, numbers, strict=True)
            texts = {part.name: texts[n] for part, texts, n in named}
            yield Choice(action, action.token.format(**texts), numbers)


def _texts(part: Part, terms: Terms) -> dict[int, str]:
    """How a token writes each value of a part."""
    texts = part.texts or [str(part.shape.write(iter((n,)), terms)) for n in part.values]
    return dict(zip(part.values, texts, strict=True))


def every_choice(definition: Definition) -> dict[str, tuple[Choice, Terms]]:
    """By token, all actions there are with any options, and what their numbers stand for."""
    found: dict[str, tuple[Choice, Terms]] = {}
    for action in definition.actions:
        cards = [card.code for card in definition.cards if _go_together(card, action)]
        terms = Terms(
            cards,
            [place.name for place in definition.places],
            definition.decisions,
            definition.info.seats[-1],
        )
        found |= {choice.token: (choice, terms) for choice in choices([action], terms)}
    return found


def _go_together(card: Card, action: Action) -> bool:
    """Whether there are options with both."""
    return all(card.when.get(name, value) == value for name, value in action.when.items())
