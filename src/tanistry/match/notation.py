"""Between the numbers of a record and people's terms: facts, flags, refusals, problems, choices.

A game declares what its numbers mean (`games.contract`), its kernels tell them. This is the one
reader and writer for all games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from tanistry.errors import PositionError
from tanistry.games.contract import Definition, Fact, Flag, Seen, Told, used_with
from tanistry.games.shapes import DecisionName, Maybe, Mismatch, Shape, Simple, Terms
from tanistry.games.vocabulary import Choice, choices
from tanistry.kernel import bare, fields, interpreted
from tanistry.match.positions import implied, knowing, sets, spots
from tanistry.table.cards import MORE
from tanistry.table.notes import NOTES, new_notes
from tanistry.table.record import copy_record

if TYPE_CHECKING:
    from tanistry.match.game import Game

VALUES_TOLD = 4
"""Values in the first entry of the log; further ones have entries of their own."""
MOST_KEPT = 20_000
"""Facts that are kept of a game; then they are made anew."""
SEEN: tuple[Seen, ...] = ("nobody", "owner", "all")
"""By the numbers of `table.cards.BY_NOBODY` and so on."""

Marks = Callable[[int, int, int], dict[str, Any]]
"""The flags of a card: by place, card and slot."""


@dataclass(frozen=True)
class Refusal:
    """Why a choice is not legal: the rule, the key of the sentence, and what the sentence names."""

    rule: str
    key: str
    values: Mapping[str, Any]
    shapes: Mapping[str, Shape]


@lru_cache(maxsize=64)
def _vocabulary(definition: Definition, used: tuple[int, ...], terms: Terms) -> tuple[Choice, ...]:
    """Some of the declared actions, one by one. Kept, since writing a thousand tokens takes most of
    the time in which a game is made."""
    return tuple(choices([definition.actions[number] for number in used], terms))


class Notation:
    """A game's own terms, with its options settled."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.definition = definition = game.definition
        self.cards = [card for card in definition.cards if used_with(card.when, game.options)]
        self.codes = tuple(card.code for card in self.cards)
        self.terms = Terms(
            self.codes,
            tuple(place.name for place in definition.places),
            definition.decisions,
            game.seats,
        )
        numbered = enumerate(definition.actions)
        used = tuple(number for number, action in numbered if used_with(action.when, game.options))
        self.vocabulary = _vocabulary(definition, used, self.terms)
        self.tokens = tuple(choice.token for choice in self.vocabulary)
        self._backs = [{"back": card.back} if card.back else {} for card in self.cards]
        self.plain = not definition.flags and not any(self._backs)
        """Whether a card looks the same wherever it lies, and every back like every other."""
        self._derived = any(not fact.field for fact in definition.facts)
        self._stored = tuple("_" + fact.field for fact in definition.facts if fact.field)
        self._kept_facts: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._choices: dict[int, list[dict[str, Any]]] = {}

    # -- choices --------------------------------------------------------------------------------

    def choice(self, action: int, seat: int) -> dict[str, Any]:
        """An action as data: its token, its verb, and what it names."""
        return dict(self._choices_of(seat)[action])

    def _choices_of(self, seat: int) -> list[dict[str, Any]]:
        if seat not in self._choices:
            self._choices[seat] = [self._data(choice, seat) for choice in self.vocabulary]
        return self._choices[seat]

    def _data(self, choice: Choice, seat: int) -> dict[str, Any]:
        values = choice.values(self.terms)
        for part, number in choice.parts():
            if part.mine:
                values[part.name] = self._own_place(number, seat)
        return {"token": choice.token, "verb": choice.action.verb, **values}

    def _own_place(self, number: int, seat: int) -> str:
        """The place like this one that belongs to a seat."""
        places = self.definition.places
        alike = places[number].kind, places[number].index, seat
        return next(p.name for p in places if (p.kind, p.index, p.owner) == alike)

    # -- facts ----------------------------------------------------------------------------------

    def facts(self, s: Any) -> dict[str, Any]:
        """What a position says beside the cards; the record is given by its fields."""
        return self._written(self.definition.facts, s, iter(self._derived_from(s)))

    def kept_facts(self, s: Any) -> dict[str, Any]:
        """The same, kept by the numbers they are made of, as most come again: shared, so nobody may
        change them."""
        derived, kept = self._derived_from(s), self._kept_facts
        key = (*[getattr(s, field).tobytes() for field in self._stored], *derived)
        if (found := kept.get(key)) is None:
            if len(kept) > MOST_KEPT:
                kept.clear()
            found = kept[key] = self._written(self.definition.facts, s, iter(derived))
        return found

    def _derived_from(self, s: Any) -> list[int]:
        """The numbers of the facts without a field."""
        if not self._derived:
            return []
        notes = new_notes()
        self.game.kernels.facts_in(s.cell, notes)
        return _noted(notes)

    def tally(self, s: Any, seat: int | None) -> dict[str, Any]:
        """How the match stands, as far as a seat can know it."""
        if not self.definition.tally:
            return {}
        notes = new_notes()
        self.game.kernels.tally_in(s.cell, self.game.row(seat), notes)
        return self._written(self.definition.tally, s, iter(_noted(notes)))

    def _written(self, facts: Sequence[Fact], s: Any, derived: Iterator[int]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for fact in facts:
            if not fact.field:
                if next(derived):
                    found[fact.name] = fact.shape.write(derived, self.terms)
                continue
            numbers = getattr(s, "_" + fact.field).ravel().tolist()
            if fact.unsaid is None or numbers.count(fact.unsaid) < len(numbers):
                found[fact.name] = fact.shape.write(iter(numbers), self.terms)
        return found

    def restore(self, s: Any, given: dict[str, Any]) -> None:
        """Read facts back into a record whose cards are in place; takes out what it has read."""
        notes = new_notes()
        notes[:] = 0
        end = 0
        for fact in self.definition.facts:
            numbers = self._read_fact(fact, given)
            if fact.field:
                _set_field(s, fact, numbers)
                continue
            told = [0] if numbers is None else [1, *numbers]
            if end + len(told) >= NOTES:
                raise PositionError("position/shape", name=fact.name)
            notes[end + 1 : end + 1 + len(told)] = told
            end += len(told)
        if hasattr(self.definition.telling, "restore"):
            self._ask(s, self.definition.telling.restore, notes)

    def _read_fact(self, fact: Fact, given: dict[str, Any]) -> list[int] | None:
        if fact.name not in given and not (fact.field and fact.unsaid is None):
            return None
        value = given.pop(fact.name, None)
        try:
            return fact.shape.read(value, self.terms)
        except Mismatch:
            allowed = fact.shape.allowed(self.terms)
            raise PositionError(
                "position/fact_value", name=fact.name, value=value, allowed=allowed
            ) from None

    def check(self, s: Any) -> None:
        """Whether the whole record could come up in a match; PositionError says why not."""
        self._check_known(s)
        if hasattr(self.definition.telling, "check"):
            self._ask(s, self.definition.telling.check)

    def _check_known(self, s: Any) -> None:
        """Who sees a place knows the cards in it."""
        s = fields(s)
        for number, place in enumerate(self.definition.places):
            for card, _ in spots(self.game, s, number):
                if card < 0:
                    continue
                rows = implied(self.game, s, number, card)
                if self.seen(s, number, card) == "all":
                    rows.add(self.game.public_row)
                if not all(knowing(s, card, row) for row in rows):
                    raise PositionError("position/unknown", card=self.codes[card], name=place.name)

    def _ask(self, s: Any, kernel: Any, *arguments: Any) -> None:
        """Run a kernel that tells problems; the first is an error.

        Positions are read once: plain Python will do, and needs no compiler.
        """
        s.telling = 1
        interpreted(kernel)(s, *arguments)
        s.telling = 0
        told = s.log[: int(s.told)].tolist()
        s.log[:] = 0
        s.told = 0
        if told:
            problem, values = self._read(told, self.definition.problems)
            code = f"position/{problem.name}"
            raise PositionError(code, info=self.definition.info, **values)

    def _read(self, told: list[list[int]], types: Sequence[Told]) -> tuple[Told, dict[str, Any]]:
        """The first thing told: its type and its values as JSON data."""
        first, *rest = told
        more = [entry[2] for entry in rest if entry[0] == MORE]
        kind = types[first[0]]
        simple = 0
        while simple < min(VALUES_TOLD, len(kind.values)):
            if not isinstance(kind.values[simple][1], Simple):
                break
            simple += 1
        numbers = iter([*first[2 : 2 + simple], *more])
        return kind, {name: shape.write(numbers, self.terms) for name, shape in kind.values}

    # -- refusals -------------------------------------------------------------------------------

    def refuse(self, s: Any, action: int) -> Refusal:
        """Why an action is not legal now; the record stays as it is."""
        decision = self.definition.decisions[int(s.decision)]
        belongs = self.vocabulary[action].action.decisions
        if belongs and decision not in belongs:
            shapes: dict[str, Shape] = {"decision": DecisionName()}
            return Refusal("common.illegal", "not_now", {"decision": decision}, shapes)
        trial = copy_record(s)
        trial.telling = 1
        interpreted(self.definition.telling.refuse)(trial, action)
        told = trial.log[: int(trial.told)].tolist()
        kind, values = self._read(told, self.definition.refusals)
        rule = told[0][1]
        rule_id = self.definition.rule_ids[rule] if rule >= 0 else "common.illegal"
        return Refusal(rule_id, kind.name, values, dict(kind.values))

    # -- how cards lie --------------------------------------------------------------------------

    def back(self, card: int) -> dict[str, Any]:
        """What the back of an unknown card shows (`{"back": "tactic"}`)."""
        return self._backs[card]

    def seen(self, s: Any, number: int, card: int) -> Seen:
        """Who sees a card where it lies."""
        if self._seen_by is None:
            return self.definition.places[number].seen
        return SEEN[int(self._seen_by(fields(s), number, card))]

    @cached_property
    def _seen_by(self) -> Callable[[Any, int, int], int] | None:
        telling = self.definition.telling
        return bare(telling.seen_by) if hasattr(telling, "seen_by") else None

    def marks(self, s: Any) -> Marks:
        """The flags of the cards of a record."""
        if not self.definition.flags:
            return lambda _number, _card, _slot: {}
        held = {flag.field: _sets_of(getattr(s, flag.field)) for flag in self.definition.flags}
        kinds = [
            [flag for flag in self.definition.flags if place.kind in flag.kinds]
            for place in self.definition.places
        ]

        def of(number: int, card: int, slot: int) -> dict[str, Any]:
            return {
                flag.name: self._flag(flag, held[flag.field], slot if flag.by == "slot" else card)
                for flag in kinds[number]
            }

        return of

    def _flag(self, flag: Flag, sets: list[int], member: int) -> Any:
        rows = [row for row, held in enumerate(sets) if held >> member & 1]
        if not _by_code(flag):
            return bool(rows)
        return flag.shape.write(iter(rows or [-1]), self.terms)

    def read_flags(
        self, s: Any, number: int, card: int, slot: int, given: Mapping[str, Any]
    ) -> None:
        """Read such flags back; PositionError if they make no sense."""
        place = self.definition.places[number]
        flags = [flag for flag in self.definition.flags if place.kind in flag.kinds]
        for name in given:
            if name not in [flag.name for flag in flags]:
                raise PositionError("position/flag", name=name, place=place.name)
        for flag in flags:
            value = given.get(flag.name, flag.unsaid)
            try:
                (row,) = flag.shape.read(value, self.terms)
            except Mismatch:
                raise PositionError(
                    "position/flag_value",
                    name=flag.name, card=self.codes[card], place=place.name, value=value,
                ) from None  # fmt: skip
            if _by_code(flag) and row >= 0:
                _add(s, flag.field, row, card)
            elif not _by_code(flag) and row:
                _add(s, flag.field, 0, slot if flag.by == "slot" else card)


def _noted(notes: Any) -> list[int]:
    numbers: list[int] = notes[1 : int(notes[0]) + 1].tolist()
    return numbers


def _set_field(s: Any, fact: Fact, numbers: list[int] | None) -> None:
    if s.dtype[fact.field].shape:
        s[fact.field][:] = 0 if fact.unsaid is None else fact.unsaid
        s[fact.field][: len(numbers or ())] = numbers or ()
    else:
        s[fact.field] = numbers[0] if numbers else fact.unsaid


def _by_code(flag: Flag) -> bool:
    return isinstance(flag.shape, Maybe)


def _sets_of(held: Any) -> list[int]:
    """A field that is a set of slots, a set of cards, or several, as integers."""
    if not hasattr(held, "shape") or not held.shape:
        return [int(held)]
    return sets(held.reshape(-1, held.shape[-1]))


def _add(s: Any, name: str, row: int, member: int) -> None:
    """Put a member into a set that a field of the record holds."""
    held = s[name]
    if not held.shape:
        s[name] = int(held) | 1 << member
        return
    words = held.reshape(-1, held.shape[-1])[row]
    words[member >> 6] |= words.dtype.type(1 << (member & 63))
