"""A scene: what one pair of eyes sees of a match, and nothing else. Boards draw scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tanistry.games.contract import Definition
from tanistry.games.shapes import NONE
from tanistry.match import Game
from tanistry.session.describe import card_of, heading
from tanistry.session.language import Texts
from tanistry.tui.canvas import Spot
from tanistry.words import Words

Choice = Mapping[str, Any]
"""A legal choice as `Match.choices` has it."""


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
    choices: Sequence[Choice] = ()
    """What may be chosen, if these eyes are to choose."""
    tally: Mapping[str, Any] = field(default_factory=dict)
    """How the match stands, as far as these eyes can know it."""
    marked: frozenset[Spot] = field(default_factory=frozenset)
    """Spots that the choice under the cursor is about."""

    @property
    def facts(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.view["facts"]
        return found

    def cards(self, kind: str, owner: int = NONE, *index: int) -> list[Any]:
        """The entries of a place, as the view has them."""
        name = place_names(self.game.definition).get((kind, owner, index), "")
        return list(self.view["places"].get(name, ()))

    def codes(self, kind: str, owner: int = NONE, *index: int) -> list[str | None]:
        return [card_of(entry) for entry in self.cards(kind, owner, *index) if entry is not None]

    def known(self, kind: str, owner: int = NONE, *index: int) -> list[str]:
        return [code for code in self.codes(kind, owner, *index) if code is not None]

    def count(self, kind: str, owner: int = NONE, *index: int) -> int:
        return sum(entry is not None for entry in self.cards(kind, owner, *index))

    def heading(self, kind: str) -> str:
        """A short title for a kind of place."""
        return heading(kind, self.say) or kind

    def acts(self, seat: int) -> bool:
        return bool(self.view["to_act"] == seat)


@cache
def place_names(definition: Definition) -> dict[tuple[str, int, tuple[int, ...]], str]:
    """The names of places by what they are: kind, owner and index."""
    return {(place.kind, place.owner, place.index): place.name for place in definition.places}


def flags(entry: Any) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {}
