"""What a seat knows as one row of bytes, for learners: the same in every environment.

A row has sections, each a small table of numbers from 0 to its `most` (`observation(game)` lists
them): whose choice it is and which; for every place the cards the seat knows to lie there and the
number of those it does not know; which of these cards other seats know too; and the facts that the
game's `features.py` adds. What belongs to seats is listed from the observer's own on, clockwise.
Cards that cannot be told apart (twins) are counted together.

It is built up like a view: a card counts only because the seat's own row of knowledge has it, and a
fact only because the game lists it. Bytes, because counts and flags are all there is: a quarter of
the memory of floats to write and to keep; `Layout.as_floats` brings them between 0 and 1.

A game's `features.py` may have

    TOLD      how places are told, by pattern of their names; those not named are told as
              `default_telling` says
    FACTS     the further sections, see `games.contract.Feature`
    features(s, seat, out)   a kernel that writes the facts to `out`, all of them, in that order
    INSIGHTS, insights(s, seat, out)   the same of what follows from all the rest and takes work to
                             see; only networks are shown it
    longest(seats, options)  no match has more choices than this, by the rules
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tanistry.arguments import as_whole
from tanistry.errors import OptionError, SeatError
from tanistry.kernel import inlined, interpreted, kernel, specialise, template
from tanistry.kernel.scribe import Outline, Stroke, make_scribe
from tanistry.match.game import check_game
from tanistry.simulation.playouts import LONGEST
from tanistry.table.bits import EMPTY, ONE, bit
from tanistry.table.cards import count

if TYPE_CHECKING:
    from tanistry.games.contract import Feature, GameInfo, Place
    from tanistry.match import Game, Match

TELLINGS = {
    "open": "the cards that lie there; everybody sees all of them",
    "cards": "the cards known to lie there, and how many others",
    "row": "the same, and the number of each in the row, and where the others lie",
    "slots": "for each slot the card in it, and whether one lies there that is not known",
    "depth": "how deep in the pile a known card lies (1: on top), and how many others do",
    "count": "how many cards lie there; no seat ever knows one of them",
    "left out": "nothing: facts tell it, or it never changes",
}

# Given by each game with its seats and cards, as constants.
DECISION, FACTS, INSIGHTS = 0, 0, 0
"""Where these sections begin."""
CODES = 0
"""How many there are."""
CODE_OF = np.zeros(1, np.int64)
"""[card], and more than there are"""
ORDERED = np.zeros((1, 1, 1), np.int64)
"""[seat, row, column]: see below; where no order is told, the rows are of no use"""
ORDERED_ROWS = 0
# Which place, where in the row of bytes its part begins, HOW it is told, and where the SPOTS of
# hidden cards are and how many, if they are told.
PLACE, BEGIN, HOW, SPOTS, SPOTS_SIZE = range(5)
BY_NUMBER, BY_SLOT, BY_DEPTH = range(3)
U64 = np.uint64


@kernel
def features(s: Any, seat: int, out: Any) -> None:
    """Given by each game; without it there are no facts."""


@kernel
def insights(s: Any, seat: int, out: Any) -> None:
    """Given by games that have some, where they are asked for."""


@kernel
@inlined
def put(out: Any, at: Any, value: Any) -> None:
    """A flag or number of what order tells; devices that write rows in parts have their own."""
    out[at] = value


def write_sets(
    place: Any, known: Any, seat: int, head: Any, code_of: Any, out: Any, at: int
) -> None:
    """Given by each game: writes all sections before the facts, order as 0; see `scribe`."""


# Indices are unsigned where it matters: a signed one might count from the end, and that is looked
# at each time; it took longer than all the rest.


@template
def write_row(s: Any, seat: int, out: Any, at: int, size: int) -> None:
    """Write what a seat knows to `out`, all of the row of `size` bytes that begins at `at`."""
    write_sets(s.place, s.known, seat, head_of(s, seat), CODE_OF, out, at)
    tell_orders(s, seat, out, at)
    write_facts(s, seat, out, at, size)


@template
@inlined
def head_of(s: Any, seat: int) -> Any:
    """The flags at the beginning: who observes, whose choice it is and which."""
    head = bit(seat)
    if s.to_act >= 0:
        turn = s.to_act - seat
        head |= bit(s.seats + (turn if turn >= 0 else turn + s.seats))
        head |= bit(DECISION + s.decision)
    return head


@template
@inlined
def write_facts(s: Any, seat: int, out: Any, at: int, size: int) -> None:
    """What the game adds to its cards."""
    features(s, seat, out[at + FACTS : at + INSIGHTS])
    insights(s, seat, out[at + INSIGHTS : at + size])


@template
@inlined
def tell_orders(s: Any, seat: int, out: Any, at: int) -> None:
    """Where in ordered places the cards lie."""
    for row in range(ORDERED_ROWS):
        tell_order(s, seat, row, out, at)


@template
@inlined
def tell_order(s: Any, seat: int, row: int, out: Any, at: int) -> None:
    """Where in an ordered place the cards lie; so far there is 0.

    For a card that is not known 0 is written where its number would be: a processor cannot guess
    which ones are known, and waits for the answer only if there is something else to be done.
    """
    told = ORDERED[U64(seat), U64(row)]
    order, spots = at + told[BEGIN], at + told[SPOTS]
    place = U64(told[PLACE])
    if told[HOW] == BY_SLOT:
        for slot in range(told[SPOTS_SIZE]):
            card = int(s.slots[place, U64(slot)])
            there = card >= 0
            card = card if there else 0
            known = there and knows(s, card, seat)
            put(out, U64(order + slot * CODES + CODE_OF[U64(card)]), known)
            put(out, U64(spots + slot), there and not known)
    elif told[HOW] == BY_NUMBER:
        for slot in range(count(s, told[PLACE])):
            card = int(s.slots[place, U64(slot)])
            known = knows(s, card, seat)
            put(out, U64(order + CODE_OF[U64(card)]), (slot + 1) * known)
            put(out, U64(spots + slot), not known)
    elif any_known(s, place, seat):
        cards = count(s, told[PLACE])
        for slot in range(cards):
            card = int(s.slots[place, U64(slot)])
            put(out, U64(order + CODE_OF[U64(card)]), (cards - slot) * knows(s, card, seat))


@template
@inlined
def knows(s: Any, card: int, seat: int) -> bool:
    word = s.known[U64(seat), U64(card >> 6)]
    return bool((word >> U64(card & 63)) & ONE)


@template
@inlined
def any_known(s: Any, place: Any, seat: int) -> bool:
    seen = EMPTY
    for w in range(s.place.shape[1]):
        seen |= s.place[place, w] & s.known[U64(seat), w]
    return seen != EMPTY


# -- the layout -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A table of numbers in the row, beginning at `offset`; `mosts` are the largest by column."""

    name: str
    offset: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    mosts: tuple[int, ...]
    meaning: str

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.columns)

    @property
    def size(self) -> int:
        return len(self.rows) * len(self.columns)


@dataclass(frozen=True, eq=False)
class Layout:
    """The observation of a game: its sections, and how to read a row of them."""

    game: str
    sections: tuple[Section, ...]

    @cached_property
    def size(self) -> int:
        return sum(section.size for section in self.sections)

    @cached_property
    def most(self) -> NDArray[np.uint8]:
        """The largest value at each index."""
        tables = [np.tile(np.array(s.mosts, np.uint8), len(s.rows)) for s in self.sections]
        return np.concatenate(tables)

    def __getitem__(self, name: str) -> Section:
        sections = {section.name: section for section in self.sections}
        if name not in sections:
            allowed = ", ".join(sections)
            raise OptionError("option/value", name="section", value=name, allowed=allowed)
        return sections[name]

    def read(self, row: Any) -> dict[str, NDArray[np.uint8]]:
        """The sections of a row by name, as tables."""
        if (shape := np.shape(row)) != (self.size,):
            allowed = f"({self.size},)"
            raise OptionError("option/value", name="shape", value=shape, allowed=allowed)
        return {
            section.name: row[section.offset : section.offset + section.size].reshape(section.shape)
            for section in self.sections
        }

    def as_floats(self, rows: Any) -> NDArray[np.float32]:
        """One row or many, each number divided by the largest that can be there."""
        scaled: NDArray[np.float32] = np.divide(rows, self.most, dtype=np.float32)
        return scaled

    def table(self) -> str:
        """The sections as a Markdown table."""
        lines = ["| index | section | shape | values | meaning |", "|--:|---|---|---|---|"]
        for section in self.sections:
            rows, columns = section.shape
            values = f"0–{max(section.mosts)}"
            lines.append(
                f"| {section.offset} | {section.name} | {rows} × {columns} | {values} "
                f"| {section.meaning} |"
            )
        return "\n".join(lines)


def features_of(info: GameInfo) -> ModuleType | None:
    """The game's `features` module, None if it has none."""
    name = f"{info.package}.features"
    return import_module(name) if find_spec(name) else None


def longest_match(game: Game) -> int:
    """No match of the game has more choices; where the rules tell no bound, LONGEST."""
    by_rules = getattr(features_of(game.info), "longest", None)
    return by_rules(game.seats, game.options) if by_rules else LONGEST


def default_telling(place: Place) -> str:
    if place.order == "set":
        return "open" if place.seen == "all" else "cards"
    return {"pile": "depth", "row": "row", "slots": "slots"}[place.order]


def telling_of(place: Place, told: Mapping[str, str]) -> str:
    """How a place is told: by the first pattern that fits its name or its kind."""
    names = place.name, place.kind
    for pattern, telling in told.items():
        if any(fnmatchcase(name, pattern) for name in names):
            if telling not in TELLINGS:
                allowed = ", ".join(map(repr, TELLINGS))
                raise ValueError(f"TOLD tells {pattern!r} as {telling!r}; allowed: {allowed}")
            return telling
    return default_telling(place)


class _Part(NamedTuple):
    """Where something is told of a place."""

    place: int
    begin: int
    size: int
    how: int


def in_slots(codes: tuple[str, ...], slots: int) -> tuple[str, ...]:
    """Names for every card in every slot, slot by slot."""
    return tuple(f"{code} in {slot + 1}" for slot in range(slots) for code in codes)


Most = int | tuple[int, ...]
"""The largest value, of all columns or of each."""


class Plan:
    """Lays out the sections of a game one after the other, and notes where kernels find them."""

    def __init__(self, game: Game, insights: bool = False) -> None:
        self.game = game
        definition = game.definition
        features = features_of(game.info)
        told: Mapping[str, str] = getattr(features, "TOLD", {})
        self.facts: tuple[Feature, ...] = getattr(features, "FACTS", ())
        self.insights: tuple[Feature, ...] = getattr(features, "INSIGHTS", ()) if insights else ()
        self.codes = tuple(dict.fromkeys(game.codes))
        self.copies = tuple(game.codes.count(code) for code in self.codes)
        self.seats = ("own", *(f"+{i}" for i in range(1, game.seats)))
        self.tellings = {
            number: telling_of(place, told)
            for number, place in enumerate(definition.places)
            if place.owner < game.seats
        }
        self.sections: list[Section] = []
        self.size = 0
        self.parts: dict[tuple[str, int], list[_Part]] = {}
        self.decision, self.head = 0, 0  # where they begin or end
        self.first_fact, self.first_insight = 0, 0
        self._begin()
        self._tell_places()
        self._tell_shared()
        self.first_fact = self.size
        self._tell(self.facts)
        self.first_insight = self.size
        self._tell(self.insights)

    def _add(
        self, name: str, rows: Sequence[str], columns: Sequence[str], most: Most, meaning: str
    ) -> int:
        """Add a section; where it begins."""
        mosts = most if isinstance(most, tuple) else (most,) * len(columns)
        section = Section(name, self.size, tuple(rows), tuple(columns), mosts, meaning)
        self.sections.append(section)
        self.size += section.size
        return section.offset

    def _begin(self) -> None:
        seats = [str(seat) for seat in range(self.game.seats)]
        self._add("seat", [""], seats, 1, "the observer")
        self._add("to act", self.seats, [""], 1, "whose choice it is; all 0: the match is over")
        decisions = self.game.definition.decisions
        self.decision = self._add("decision", [""], decisions, 1, "which choice it is")
        self.head = self.size
        if self.size > 63:
            raise ValueError(f"{self.game.name} has too many decisions to be observed")

    def _tell(self, facts: tuple[Feature, ...]) -> None:
        for fact in facts:
            rows = self.seats if fact.by_seat else ("",)
            self._add(fact.name, rows, fact.of, fact.most, fact.meaning)

    def _tell_shared(self) -> None:
        meaning = "cards the observer knows, where not all see them: those this seat knows too"
        self._add("shared", self.seats[1:], self.codes, self.copies, meaning)

    # -- places -----------------------------------------------------------------------------------

    def _tell_places(self) -> None:
        closed = [n for n, telling in self.tellings.items() if telling not in ("open", "left out")]
        most = min(255, len(self.game.codes))
        self._by_place("others", "hidden", closed, [""], most, "how many cards it does not know")
        groups: dict[tuple[str, str], list[int]] = {}
        for number, telling in self.tellings.items():
            kind = self.game.definition.places[number].kind
            groups.setdefault((kind, telling), []).append(number)
        for (stem, telling), numbers in groups.items():
            self._tell_group(stem, telling, numbers)

    def _tell_group(self, stem: str, telling: str, numbers: list[int]) -> None:
        codes = self.codes
        room = max(min(self.game.definition.places[n].most, len(self.game.codes)) for n in numbers)
        copies = tuple(min(most, room) for most in self.copies)
        slots = [str(slot + 1) for slot in range(room)]
        if telling in ("open", "cards", "row"):
            part = "card" if room == 1 else "cards"
            self._by_place(part, stem, numbers, codes, copies, "the cards it knows there")
        if telling == "row":
            meaning = "the number in the row of each of these cards"
            self._by_place("order", f"{stem} numbers", numbers, codes, room, meaning, BY_NUMBER)
        if telling == "slots":
            meaning = "slot by slot, the card it knows"
            self._by_place("order", stem, numbers, in_slots(codes, room), 1, meaning, BY_SLOT)
        if telling in ("row", "slots"):
            meaning = "where a card lies that it does not know"
            self._by_place("spots", f"{stem} hidden", numbers, slots, 1, meaning)
        if telling == "depth":
            meaning = "how deep each card lies that it knows; 1 is the top"
            self._by_place("order", f"{stem} depth", numbers, codes, room, meaning, BY_DEPTH)

    def _by_place(
        self,
        part: str,
        name: str,
        numbers: list[int],
        columns: Sequence[str],
        most: Most,
        meaning: str,
        how: int = 0,
    ) -> None:
        """A section with a row for each place; a seat's place lies where the observer sees it."""
        if not numbers:
            return
        at = self._add(name, [self._title(n) for n in numbers], columns, most, meaning)
        for seat in range(self.game.seats):
            for number in numbers:
                row = numbers.index(self._seen_from(number, seat))
                found = _Part(number, at + row * len(columns), len(columns), how)
                self.parts.setdefault((part, seat), []).append(found)

    def _title(self, number: int) -> str:
        place = self.game.definition.places[number]
        if place.owner < 0:
            return place.name
        return ".".join([place.kind, *map(str, place.index), self.seats[place.owner]])

    def _seen_from(self, number: int, seat: int) -> int:
        """The place that is to seat 0 what this one is to a seat."""
        place = self.game.definition.places[number]
        if place.owner < 0:
            return number
        theirs = place.kind, place.index, (place.owner - seat) % self.game.seats
        places = self.game.definition.places
        return next(n for n, p in enumerate(places) if (p.kind, p.index, p.owner) == theirs)

    # -- for the kernel ---------------------------------------------------------------------------

    def constants(self) -> dict[str, Any]:
        """What kernels are told: see above."""
        ordered = self.ordered()
        return {
            "DECISION": self.decision,
            "FACTS": self.first_fact,
            "INSIGHTS": self.first_insight,
            "CODES": len(self.codes),
            "CODE_OF": np.array([*self._code_numbers(), *[0] * 64]),
            "ORDERED": np.array([rows or [[0]] for rows in ordered]),
            "ORDERED_ROWS": len(ordered[0]),
        }

    def ordered(self) -> list[list[list[int]]]:
        """By seat of the observer, where the order of cards is told."""
        return [self._ordered(seat) for seat in range(self.game.seats)]

    def _ordered(self, seat: int) -> list[list[int]]:
        spots = {part.place: part for part in self.parts.get(("spots", seat), ())}
        rows = []
        for part in self.parts.get(("order", seat), ()):
            of = spots.get(part.place, _Part(part.place, 0, 0, 0))
            rows.append([part.place, part.begin, part.how, of.begin, of.size])
        return rows

    def _code_numbers(self) -> tuple[int, ...]:
        return tuple(self.codes.index(code) for code in self.game.codes)

    def outline(self) -> Outline:
        """All that is sets of cards, for the scribe."""
        return Outline(
            seats=self.game.seats,
            words=self.game.definition.dtype["place"].shape[1],
            codes=self._code_numbers(),
            counted=_counted(self.game.codes),
            head=self.head,
            closed=tuple(places for _, _, places in self._by_seat("others")),
            strokes=self._strokes(),
        )

    def _by_seat(self, kind: str) -> list[tuple[int, int, tuple[int, ...]]]:
        """Where parts of a kind begin, their sizes, and the place of each by seat of observer."""
        found: dict[tuple[int, int], list[int]] = {}
        for seat in range(self.game.seats):
            for part in self.parts.get((kind, seat), ()):
                found.setdefault((part.begin, part.size), []).append(part.place)
        return [(begin, size, tuple(places)) for (begin, size), places in sorted(found.items())]

    def _strokes(self) -> tuple[Stroke, ...]:
        kinds = {kind for kind, _ in self.parts} - {"others"}
        parts = [(*part, kind) for kind in kinds for part in self._by_seat(kind)]
        return tuple(
            Stroke(places=places, one=kind == "card") if kind in ("card", "cards") else Stroke(size)
            for _, size, places, kind in sorted(parts)
        )


def _counted(codes: tuple[str, ...]) -> int:
    """How many codes are counted: in the worst case all, but not those at the end without twins."""
    names = list(dict.fromkeys(codes))
    counted = len(names)
    while counted > 0 and codes[len(codes) - len(names) + counted - 1] == names[counted - 1]:
        if codes.count(names[counted - 1]) > 1:
            break
        counted -= 1
    return counted


class Observer:
    """Writes observations of one game; `layout` says what is where in them."""

    def __init__(self, game: Game, insights: bool = False) -> None:
        plan = Plan(game, insights)
        self.layout = Layout(game.name, tuple(plan.sections))
        self.kernels = _specialised(plan)
        self.kernel = self.kernels["write_row"]
        if game.kernels.play is not game.definition.rules.play:  # an interpreted game
            self.kernel = interpreted(self.kernel)

    def write(self, s: Any, seat: int, out: NDArray[np.uint8]) -> None:
        """What a seat knows of a record, to `out`."""
        self.kernel(s, seat, out, 0, len(out))


def _specialised(plan: Plan) -> dict[str, Any]:
    """The kernels of this module, made once for all games of a kind."""
    module = features_of(plan.game.info)
    given = {
        "features": getattr(module, "features", features),
        "write_sets": make_scribe(plan.outline()),
    }
    if plan.insights:
        given["insights"] = vars(module)["insights"]
    name = variant(plan.game, bool(plan.insights))
    return specialise(sys.modules[__name__], {**given, **plan.constants()}, name)


def kernels_for(game: Game, insights: bool = False) -> dict[str, Any]:
    """The kernels of this module, made for a game with its seats and cards."""
    return observer(game, insights).kernels


def variant(game: Game, insights: bool = False) -> str:
    """A name for a game with its seats and cards, which kernels know."""
    cards = sha256(" ".join(game.codes).encode()).hexdigest()[:8]
    return f"{game.name}_{game.seats}_{cards}" + "_insights" * insights


def has_insights(game: Game) -> bool:
    """Whether networks are shown more than learners are."""
    return hasattr(features_of(game.info), "INSIGHTS")


_observers: WeakKeyDictionary[Game, dict[bool, Observer]] = WeakKeyDictionary()


def observer(game: Game, insights: bool = False) -> Observer:
    """The observer of a game, made once."""
    made = _observers.setdefault(game, {})
    insights = insights and has_insights(game)
    if insights not in made:
        made[insights] = Observer(game, insights)
    return made[insights]


def observation(game: Game, insights: bool = False) -> Layout:
    """What is where in the observations of a game."""
    check_game(game)
    return observer(game, insights).layout


def observe(match: Match, seat: int, insights: bool = False) -> NDArray[np.uint8]:
    """What a seat knows of a match. A spectator has no seat to observe from."""
    number = as_whole(seat)  # batches have NumPy's
    if seat is None:
        raise SeatError("seat", value=seat, allowed=f"0–{match.game.seats - 1}")
    match._check_seat(seat if number is None else number)
    found = observer(match.game, insights)
    out = np.zeros(found.layout.size, np.uint8)
    found.write(match._s, seat, out)
    return out
