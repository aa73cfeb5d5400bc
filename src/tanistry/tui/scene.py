"""A scene: what one pair of eyes sees of a match, and nothing else. Boards draw scenes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tanistry.match import Game
from tanistry.session.describe import card_of
from tanistry.session.language import Texts
from tanistry.words import Words


@dataclass(frozen=True)
class Scene:
    """A view with the words to show it in."""

    game: Game
    view: Mapping[str, Any]
    words: Words
    say: Texts
    names: Sequence[str]
    titles: Sequence[str]
    """Names with what kind of bot it is, where it is one."""
    seat: int | None
    """Whose eyes these are; None for a spectator or for everything."""
    events: Sequence[Mapping[str, Any]] = ()
    """What these eyes have seen happen, oldest first."""
    marked: frozenset[str] = field(default_factory=frozenset)
    """Spots that the choice under the cursor is about."""

    @property
    def legal(self) -> list[str]:
        return list(self.view.get("legal", ()))

    @property
    def facts(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.view["facts"]
        return found

    def cards(self, place: str) -> list[Any]:
        """The entries of a place, as the view has them."""
        return list(self.view["places"].get(place, ()))

    def codes(self, place: str) -> list[str | None]:
        return [card_of(entry) for entry in self.cards(place) if entry is not None]

    def count(self, place: str) -> int:
        return sum(entry is not None for entry in self.cards(place))

    def own(self, stem: str) -> str:
        """The name of the eyes' own place of a kind: `hand.0`."""
        return f"{stem}.{self.seat}"

    def place(self, name: str) -> str:
        """A place by name, without a seat's number: for headings."""
        return self.words.place(name)

    def heading(self, stem: str) -> str:
        """A short title for a kind of place."""
        return self.say(f"tui.places.{stem}") if self.say.find(f"tui.places.{stem}") else stem

    def name(self, seat: int | None) -> str:
        return self.words.text("nobody") if seat is None else self.names[seat]


def flags(entry: Any) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {}


def pieces(token: str) -> set[str]:
    """The parts of a token that name something: `betray MK 5.0` → `MK`, `5.0`."""
    found = {token, *re.split(r"[ @]+", token)}
    found |= {piece.rstrip("<>") for piece in found}
    return found | {"@" + at for at in re.findall(r"@(\w+)", token)}
