"""Events: what happened, numbered and typed, with the rule behind it and who may see which card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tanistry.games.contract import MOVE
from tanistry.games.shapes import CardCode, Slot

if TYPE_CHECKING:
    from tanistry.match.game import Game

Parts = tuple[str, str, dict[str, Any], dict[int, dict[str, Any]]]
"""Type, rule, public part and private parts of an event."""


class Event(NamedTuple):
    """Something that happened. `public` is for everyone; `private` adds what single seats see."""

    number: int
    type: str
    rule: str
    public: dict[str, Any]
    private: dict[int, dict[str, Any]]

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The event as plain JSON data for a seat, or for a spectator (None)."""
        seen = {"n": self.number, "type": self.type, "rule": self.rule, **self.public}
        if self.private and seat is not None:
            seen.update(self.private.get(seat, {}))
        return seen


def read_log(game: Game, s: Any, number: int) -> list[Event]:
    """The events a kernel has just written to a record (given by its fields), numbered from
    `number` on; the log is empty then."""
    log = s.log[: s._told.item()]
    kept, events = game.parts_of, []
    for n, entry in enumerate(map(tuple, log.tolist()), number):
        events.append(Event(n, *(kept.get(entry) or _parts(game, entry))))
    log.fill(0)
    s._told.fill(0)
    return events


def _parts(game: Game, entry: tuple[int, ...]) -> Parts:
    """What an entry of the log says, for everybody and for single seats; kept, as most come again.

    Events share it, so nobody may change it.
    """
    kept = game.parts_of
    if len(kept) > 20_000:
        kept.clear()
    found = kept[entry] = _read_entry(game, entry)
    return found


def _read_entry(game: Game, entry: tuple[int, ...]) -> Parts:
    kind = MOVE if entry[0] == 0 else game.definition.events[entry[0] - 1]
    audience = entry[6]
    public: dict[str, Any] = {}
    cards: dict[str, Any] = {}
    for (name, shape), value in zip(kind.values, entry[2:6], strict=False):
        if isinstance(shape, CardCode):
            public[name] = None
            cards[name] = game.codes[value] if value >= 0 else None
        elif not isinstance(shape, Slot) or value >= 0:
            public[name] = shape.write(iter((value,)), game.notation.terms)
    everybody = audience >> game.public_row & 1
    if everybody:
        public |= cards
        cards = {}
    if kind is MOVE:
        public |= game.notation.back(entry[2])
    private = {seat: cards for seat in range(game.seats) if audience >> seat & 1} if cards else {}
    return kind.name, game.definition.rule_ids[entry[1]], public, private
