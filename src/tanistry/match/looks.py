"""Looks at a match: what each seat sees of it, and what changed for a seat since an earlier look.

A view is built up: a card appears in it only because the seat's own row of knowledge has it, a
fact only because the game lists it. Nothing is masked out of a fuller picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.games.contract import Place
from tanistry.match.positions import in_order, in_order_with_slots, sets, write_head
from tanistry.table.bits import indices
from tanistry.table.cards import NOWHERE

if TYPE_CHECKING:
    from tanistry.match.match import Match

Entries = list[Any]
"""A place as a seat sees it."""
BACK = {"card": None}
"""A card the seat does not know, where all backs are alike; one for all, not to be changed."""


def look_at(match: Match) -> Look:
    """A look at a match as it is now."""
    return PlainLook(match) if match.game.notation.plain else FlaggedLook(match)


class Look:
    """A look at a match as it is now: read once, for as many seats as are told of it.

    Ask it before the next choice. An earlier look remembers what it has shown.
    """

    __slots__ = (
        "_decision",
        "_facts",
        "_game",
        "_held",
        "_known",
        "_legal",
        "_match",
        "_s",
        "_shown",
        "_tallies",
        "_to_act",
    )

    def __init__(self, match: Match) -> None:
        self._match = match
        self._game = match.game
        self._s = s = match._fields
        self._held, self._known = sets(s.place), sets(s.known)
        self._facts = match.game.notation.kept_facts(s)
        self._to_act, self._decision = match.to_act, match.decision
        self._shown: dict[int | None, Any] = {}
        self._legal: list[str] | None = None
        self._tallies: dict[int | None, dict[str, Any]] = {}

    @property
    def legal(self) -> list[str]:
        """The tokens of the seat to act."""
        if self._legal is None:
            self._legal = self._match.legal()
        return self._legal

    def has_shown(self, seat: int | None) -> bool:
        return seat in self._shown

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may know."""
        sights = zip(self._game.definition.places, self._sights(seat))
        places = {place.name: _own(entries) for place, entries in sights if entries}
        head, facts = write_head(self._game, self._s), self._game.notation.facts(self._s)
        view = {**head, "places": places, "facts": facts, "seat": seat}
        return self._with_legal(seat, view)

    def change(self, seat: int | None, before: Look) -> dict[str, Any]:
        """What differs for a seat from an earlier look that was shown to it."""
        change: dict[str, Any] = {
            "to_act": self._to_act,
            "decision": self._decision,
            "places": self._news(seat, before),
        }
        if self._facts != before._facts:
            change["facts"] = self._facts
        return self._with_legal(seat, change)

    def tally(self, seat: int | None) -> dict[str, Any]:
        """How the match stands (strengths, votes, what is owed), as far as a seat can know it."""
        if seat not in self._tallies:
            self._tallies[seat] = self._game.notation.tally(self._s, seat)
        return self._tallies[seat]

    def has_tallied(self, seat: int | None) -> bool:
        return seat in self._tallies

    def _with_legal(self, seat: int | None, found: dict[str, Any]) -> dict[str, Any]:
        if seat is not None and seat == self._to_act:
            found["legal"] = self.legal
        return found

    def _sights(self, seat: int | None) -> list[Entries]:
        """Every place as a seat sees it, which has then been shown."""
        raise NotImplementedError

    def _news(self, seat: int | None, before: Any) -> dict[str, Entries]:
        """The places that look different to a seat, which has then been shown this look."""
        raise NotImplementedError


class PlainLook(Look):
    """Where cards have neither flags nor telling backs, sets are all there is to compare."""

    __slots__ = ("_slots", "_stirred", "_written")

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self._slots: bytes = self._s.slots.tobytes()
        self._written: dict[tuple[str, int], Entries] = {}  # by place and what is seen of it
        self._stirred: tuple[PlainLook, list[tuple[Place, int, int]]] | None = None

    def _sights(self, seat: int | None) -> list[Entries]:
        self._shown[seat] = None
        known = self._known[self._game.row(seat)]
        held = zip(self._game.definition.places, self._held)
        return [self._entries(place, here, here & known) for place, here in held]

    def _news(self, seat: int | None, before: PlainLook) -> dict[str, Entries]:
        self._shown[seat] = None
        row = self._game.row(seat)
        known, knew = self._known[row], before._known[row]
        found: dict[str, Entries] = {}
        for place, here, there in self._stirred_since(before):
            now, then = here & known, there & knew
            if here == there and now == then and place.order == "set":
                continue
            entries = self._written.get((place.name, now))
            if entries is None:  # seats that see the same share it
                entries = self._written[place.name, now] = self._entries(place, here, now)
            same = here.bit_count() == there.bit_count() and now.bit_count() == then.bit_count()
            if same and entries == before._entries(place, there, then):
                continue  # twins look the same, and so do backs
            found[place.name] = entries
        return found

    def _stirred_since(self, before: PlainLook) -> list[tuple[Place, int, int]]:
        """The places that may look different to somebody, with what lies there and what lay."""
        if self._stirred is None or self._stirred[0] is not before:
            learnt = 0
            for known, knew in zip(self._known, before._known):
                learnt |= known ^ knew
            sorted_anew = self._slots != before._slots
            self._stirred = (
                before,
                [
                    (place, here, there)
                    for place, here, there in zip(
                        self._game.definition.places, self._held, before._held
                    )
                    if here != there or here & learnt or (sorted_anew and place.order != "set")
                ],
            )
        return self._stirred[1]

    def _entries(self, place: Place, held: int, seen: int) -> Entries:
        if place.order == "set" or (not seen and place.order != "slots"):
            names = self._game.card_names.of(seen) if seen else []
            hidden = (held ^ seen).bit_count()
            return names + [BACK] * hidden if hidden else names
        return [self._entry(card, seen) for card in self._ordered(place)]

    def _entry(self, card: int, seen: int) -> Any:
        if card < 0:
            return None
        return self._game.codes[card] if seen >> card & 1 else BACK

    def _ordered(self, place: Place) -> list[int]:
        shape = self._game.definition.dtype["slots"].shape
        number = self._game.place_numbers[place.name]
        slots = np.frombuffer(self._slots, np.int8).reshape(shape)[number]
        return in_order(place, slots.tolist())


class FlaggedLook(Look):
    """Where cards may lie in different ways, every place is written out and compared as such."""

    __slots__ = ("_marks",)

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self._marks = self._game.notation.marks(self._s)

    def _sights(self, seat: int | None) -> list[Entries]:
        sights: list[Entries] | None = self._shown.get(seat)
        if sights is None:
            known = self._known[self._game.row(seat)]
            rows = enumerate(zip(self._game.definition.places, self._held))
            sights = [self._entries(n, place, held, known) for n, (place, held) in rows]
            self._shown[seat] = sights
        return sights

    def _news(self, seat: int | None, before: FlaggedLook) -> dict[str, Entries]:
        rows = zip(self._game.definition.places, self._sights(seat), before._sights(seat))
        return {place.name: entries for place, entries, were in rows if entries != were}

    def _entries(self, number: int, place: Place, held: int, known: int) -> Entries:
        if not held:
            return []
        ordered = place.order != "set"
        if ordered:
            cards = in_order_with_slots(place, self._s.slots[number].tolist())
        else:
            cards = [(card, NOWHERE) for card in indices(held)]
        entries = [self._entry(number, card, slot, known) for card, slot in cards]
        if not ordered:
            entries.sort(key=_hidden_last)
        return entries

    def _entry(self, number: int, card: int, slot: int, known: int) -> Any:
        if card < 0:
            return None
        flags = self._marks(number, card, slot)
        if not known >> card & 1:
            return {"card": None, **flags, **self._game.notation.back(card)}
        code = self._game.codes[card]
        return {"card": code, **flags} if flags else code


def _hidden_last(entry: Any) -> tuple[bool, str]:
    """Known cards keep the order of the card list; of hidden ones the order must tell nothing."""
    hidden = isinstance(entry, dict) and entry["card"] is None
    return hidden, str(entry) if hidden else ""


def _own(entries: Entries) -> Entries:
    """Entries that share nothing with others."""
    return [dict(entry) if isinstance(entry, dict) else entry for entry in entries]
