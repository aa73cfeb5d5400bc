"""Events: what happened, numbered and typed, with the rule behind it and who may see which card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tanistry.games.contract import EventType
from tanistry.table.record import read_field

if TYPE_CHECKING:
    from tanistry.match.game import Game

MOVE = EventType("move", (("card", "card"), ("from", "place"), ("to", "place"), ("slot", "number")))


@dataclass(frozen=True)
class Event:
    """Something that happened. `public` is for everybody; `private` adds what single seats see."""

    number: int
    type: str
    rule: str
    public: dict[str, Any]
    private: dict[int, dict[str, Any]]

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The event as plain JSON data for a seat, or for a spectator (None)."""
        head = {"n": self.number, "type": self.type, "rule": self.rule}
        return {**head, **self.public, **self.private.get(-1 if seat is None else seat, {})}


def read_log(game: Game, s: Any, number: int) -> list[Event]:
    """The events a kernel has just written, numbered from `number` on."""
    log = read_field(s, "log")[: int(read_field(s, "told"))].tolist()
    return [_event(game, s, entry, number + i) for i, entry in enumerate(log)]


def _event(game: Game, s: Any, entry: Any, number: int) -> Event:
    kind = MOVE if entry[0] == 0 else game.definition.events[int(entry[0]) - 1]
    audience = int(entry[6])
    public: dict[str, Any] = {}
    cards: dict[str, Any] = {}
    for (name, meaning), value in zip(kind.values, (int(v) for v in entry[2:6]), strict=False):
        if meaning == "card":
            public[name] = None
            cards[name] = game.codes[value] if value >= 0 else None
        elif meaning == "place":
            public[name] = game.definition.places[value].name
        elif isinstance(meaning, tuple):
            public[name] = meaning[value]
        elif name != "slot" or value >= 0:
            public[name] = value
    if kind is MOVE:
        public |= game.definition.back(s, int(entry[2]))
    everybody = audience >> game.public_row & 1
    if everybody:
        public |= cards
        cards = {}
    private = {seat: cards for seat in range(game.seats) if cards and audience >> seat & 1}
    return Event(number, kind.name, game.definition.rule_ids[int(entry[1])], public, private)
