"""What a game is, to everything above it: one `Definition`, made of declared data and kernels.

A game is a folder with the same files in each:

    __init__.py    `INFO`, a `GameInfo`: cheap to import, no rules in it
    cards.py       data: the cards, the places, the actions, the record, what can be told
    rules.py       the kernels of `table.contract` that play, in the words of the rulebook; more
                   files where the rulebook has chapters
    telling.py     the kernels that tell: why not, what a position says, how the match stands
    words/         en.toml and fr.toml: every text, and the rules under their ids
    lessons/       optional: what teaches the game step by step (see `tanistry.match.lessons`)
    policy.py      optional: a light way to play, for bots (see `tanistry.simulation.policy`)
    small.py       optional: the game with few cards, small enough to solve (see `envs.openspiel`):
                   `SIZE`, its parameters, and `definition(**size)`, a `Definition` made to measure
    features.py    optional: what learners are shown beside the cards (`simulation.observation`)

What `cards.py` and `telling.py` declare has the names of the fields of `Definition`, in capitals.

What depends on the state of a match a kernel tells, in integers; what these mean is declared here.
All else (views, positions, tokens, texts, refusals) is derived from the two, once for all games.

Subfolders of `tanistry.games` are found by themselves; other packages name theirs in the entry
point group `tanistry.games`, or call `tanistry.register(INFO)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from itertools import chain, product
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from tanistry.catalogue import LANGUAGES, catalogue
from tanistry.errors import OptionError
from tanistry.games.shapes import (
    NONE,
    CardCode,
    Number,
    PlaceName,
    Shape,
    Simple,
    Slot,
    Truth,
    Values,
)

if TYPE_CHECKING:
    import numpy as np

Value = str | int | bool
Options = Mapping[str, Value]


@dataclass(frozen=True)
class Option:
    """A choice the host makes before the deal; its meaning is in the game's words.

    `values` are all allowed values. The record has a field of the option's name; it holds the
    number itself for numbers and booleans, otherwise the index in `values`.
    """

    name: str
    values: Sequence[Value]
    default: Value

    def check(self, value: object) -> Value:
        for allowed in self.values:
            if type(value) is type(allowed) and value == allowed:
                return allowed
        # 2010 is not '2010': then the quotes are what is to be learnt.
        alike = str(value) in self.values
        raise OptionError(
            "option/value",
            name=self.name,
            value=value,
            allowed=", ".join(map(repr, self.values)) if alike else self.allowed(),
            rule="common.options",
        )

    def allowed(self) -> str:
        """The allowed values, in words."""
        values = list(self.values)
        if len(values) > 5 and all(type(v) is int for v in values):
            return f"{values[0]}–{values[-1]}"
        return ", ".join(written(v) for v in values)

    def encode(self, value: Value) -> int:
        return int(value) if isinstance(value, (bool, int)) else list(self.values).index(value)

    def read(self, text: str) -> Value:
        """The value a person wrote on the command line or in a record."""
        for value in self.values:
            if written(value) == text or (isinstance(value, bool) and text == str(value)):
                return value
        return self.check(text)


def written(value: Value) -> str:
    """A value as it is written in records and on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Preset:
    """Seats and options that go well together; `presets` of the game's words says what they are."""

    name: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class GameInfo:
    """A game before its rules are loaded."""

    name: str
    package: str  # where definition, rules and words are found
    version: int  # raised whenever behaviour changes; records name it
    seats: range
    options: tuple[Option, ...] = ()  # beside `first`, which every game has
    has_draw: bool = False  # whether a match can end without a single winner
    presets: tuple[Preset, ...] = field(default=(), compare=False)  # what a host is offered

    def __post_init__(self) -> None:
        """ValueError if there is no playing like this: whatever lists games counts on it."""
        if type(self.version) is not int or self.version < 1:
            raise ValueError(f"version={self.version!r}: it must be a whole number from 1 on")
        if not isinstance(self.seats, range) or not self.seats or self.seats[0] < 1:
            raise ValueError(f"seats={self.seats!r}: two to four players are range(2, 5)")
        known = {option.name: option for option in self.options}
        if len({"seats", "first", *known}) < 2 + len(self.options):
            raise ValueError("the names of options must differ, from `seats` and `first` too")
        for option in self.options:
            option.check(option.default)
        for preset in self.presets:
            if preset.seats not in self.seats:
                raise ValueError(f"the preset {preset.name} is for {preset.seats} players")
            there = {**known, "first": Option("first", range(preset.seats), 0)}
            for name, value in preset.options.items():
                if name not in there:
                    raise ValueError(f"the preset {preset.name}: there is no option {name!r}")
                there[name].check(value)

    @property
    def title(self) -> dict[str, str]:
        return {lang: catalogue(lang, self.package).text("title") for lang in LANGUAGES}

    @property
    def meanings(self) -> dict[str, dict[str, str]]:
        """What each option decides, `seats` and `first` included: by name, then by language."""
        names = ["seats", "first", *(option.name for option in self.options)]
        return {
            name: {
                lang: catalogue(lang, self.package).text(f"options.{name}.meaning")
                for lang in LANGUAGES
            }
            for name in names
        }

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the game's rules, in the order of the rules page."""
        return tuple(catalogue("en", self.package).rules())


# -- what there is --------------------------------------------------------------------------------


def used_with(when: Mapping[str, Value], options: Options) -> bool:
    """Whether something declared for some options is part of a game with these."""
    return all(options[name] == value for name, value in when.items())


@dataclass(frozen=True)
class Card:
    """A card. Words name its suit and kind, art is keyed by suit; twins share a code."""

    code: str
    suit: str = ""
    value: int | None = None
    kind: str = ""  # what sort of card, where a game has several: `chief`, `tactic`
    back: str = ""  # what its back shows, where backs differ
    numbers: Mapping[str, int] = field(default_factory=dict)
    rule: str = ""  # the rule that says what is special about it
    when: Mapping[str, Value] = field(default_factory=dict)  # the options that bring it into play


Seen = Literal["all", "owner", "nobody"]
Order = Literal["set", "pile", "row", "slots"]


@dataclass(frozen=True)
class Place:
    """A place on the table, named as positions name it: `stone.3.0` is a `stone`, its index (3,),
    its owner seat 0."""

    name: str
    seen: Seen  # who sees a card there, unless the kernel `seen_by` says otherwise
    owner: int = NONE  # the seat it belongs to
    order: Order = "set"  # pile: listed top first; row: in order; slots: in order, with gaps
    most: int = 1000  # how many cards may lie there
    order_shown: bool = False  # whether its order is only shown: no rule ever asks for it
    kind: str = ""  # what sort of place; by default the name up to its first dot
    index: tuple[int, ...] = ()  # which of those of its kind (and owner)

    def __post_init__(self) -> None:
        if not self.kind:
            object.__setattr__(self, "kind", self.name.partition(".")[0])

    @property
    def order_counts(self) -> bool:
        """Whether the rules ask for the order of its cards."""
        return self.order != "set" and not self.order_shown


@dataclass(frozen=True)
class Part:
    """What an action names: a card, a place, a seat, a number or a code, and the values it takes.

    `texts` is how the token writes each value, where that is not how the shape does. `mine`: of the
    place's kind and index, the one that belongs to the seat to act; `values` lists seat 0's.
    `along`: its values go with those of the part before, one by one.
    """

    name: str
    shape: Simple
    values: Sequence[int]
    texts: Sequence[str] = ()
    mine: bool = False
    along: bool = False


@dataclass(frozen=True)
class Action:
    """A block of actions alike: a verb with its parts, one action for each of their combinations.

    The last part changes fastest. `token` is how such an action is written, with the parts in
    braces. In other decisions than these it is refused by itself.
    """

    verb: str
    token: str
    parts: tuple[Part, ...] = ()
    decisions: tuple[str, ...] = ()  # none: the kernel `refuse` is asked in every decision
    when: Mapping[str, Value] = field(default_factory=dict)

    def values(self) -> Iterator[tuple[int, ...]]:
        """The values of the parts, for each action of the block in turn."""
        columns: list[list[tuple[int, ...]]] = []
        for part in self.parts:
            if part.along:
                columns[-1] = [(*row, n) for row, n in zip(columns[-1], part.values, strict=True)]
            else:
                columns.append([(n,) for n in part.values])
        return (tuple(chain(*rows)) for rows in product(*columns))


# -- what is told ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """Something a kernel tells: its name, and the shapes of its values in the order it tells them.

    `table.cards.tell` takes four values. What comes after, and lists, `tell_more` adds.
    """

    name: str
    values: Values = ()


class EventType(Told):
    """An event beside the moves of cards. Its values are simple, four at most."""


class RefusalType(Told):
    """Why an action is not legal; the kernel `refuse` tells it, and the rule it breaks."""


class ProblemType(Told):
    """Why a position cannot be; the kernels `restore` and `check` tell it."""


MOVE = EventType(
    "move",
    (("card", CardCode()), ("from", PlaceName()), ("to", PlaceName()), ("slot", Slot())),
)
"""The event all games share, number 0: a card went from one place to another."""

COUNT = ProblemType("count", (("name", PlaceName()), ("count", Number()), ("expected", Number())))
CROWDED = ProblemType("crowded", (("name", PlaceName()), ("count", Number()), ("most", Number())))
"""Problems that all games have the sentence for: a place with another number of cards."""


@dataclass(frozen=True)
class Fact:
    """Something public that a position says beside the cards, or a tally that a seat is told.

    With `field` it is the number (or numbers) in that field of the record. Otherwise the kernels
    `facts` and `restore` write and read it: 1 and its numbers, or 0 where it goes without saying.
    """

    name: str
    shape: Shape
    field: str = ""
    unsaid: int | None = None  # the number that is left out, and meant where nothing is said


TRUTH = Truth()


@dataclass(frozen=True)
class Flag:
    """How a card lies in some kinds of places: face up, say.

    `field` of the record is a set of cards (`by="card"`) or of slots of the place (`by="slot"`).
    With codes as its shape the field has one set for each code, and the flag names the code.
    """

    name: str
    kinds: tuple[str, ...]
    field: str
    shape: Simple = TRUTH
    by: Literal["card", "slot"] = "card"
    unsaid: Any = False  # what is meant where a position does not say


@dataclass(frozen=True)
class Feature:
    """Public numbers from 0 to `most` that learners are shown, one for each name in `of`."""

    name: str
    meaning: str
    of: tuple[str, ...] = ("",)
    by_seat: bool = False  # so many for each seat, the observer's own first, then clockwise
    most: int = 1


@dataclass(frozen=True, eq=False)  # each is its own: a key to what is made of it
class Definition:
    """Everything about a game: data, and the kernels in `rules` and `telling`."""

    info: GameInfo
    rules: ModuleType
    """The kernels of `table.contract` that play, by name."""
    telling: ModuleType
    """Those that tell: `refuse`, and where the game has them `facts`, `restore`, `check` …"""
    dtype: np.dtype[Any]
    """The record (`table.record.layout`)."""
    cards: tuple[Card, ...]
    """By number, among those that the options bring into play."""
    places: tuple[Place, ...]
    """By number. The ordered ones come first, as the record has them."""
    actions: tuple[Action, ...]
    """The whole vocabulary, in the order `legal` lists it."""
    decisions: tuple[str, ...]
    """The names of the decisions, by number."""
    rule_ids: tuple[str, ...]
    """Rule ids by the numbers that kernels use; −1 is common.illegal."""
    events: tuple[EventType, ...]
    """Types of events beside moves, numbered from 1."""
    refusals: tuple[RefusalType, ...]
    """By the numbers that the kernel `refuse` tells."""
    problems: tuple[ProblemType, ...] = ()
    """By the numbers that the kernels `restore` and `check` tell."""
    facts: tuple[Fact, ...] = ()
    """What a position says beside the cards; every seat sees all of it."""
    flags: tuple[Flag, ...] = ()
    """How cards lie; public, in the order in which an entry lists them."""
    tally: tuple[Fact, ...] = ()
    """What the kernel `tally` tells a seat about how the match stands."""
    asides: frozenset[str] = frozenset()
    """Types of events, or their rules, that a sentence about a turn leaves out."""
    secret_from_public: frozenset[str] = frozenset()
    """Kinds of places where a card that all seats know can still be hidden from spectators."""

    @classmethod
    def of(
        cls, info: GameInfo, rules: ModuleType, telling: ModuleType, cards: ModuleType
    ) -> Definition:
        """What a game's modules declare, each field under its name in capitals."""
        found: dict[str, Any] = {"info": info, "rules": rules, "telling": telling}
        for each in fields(cls):
            name = DECLARED_AS.get(each.name, each.name.upper())
            for module in (cards, telling):
                if hasattr(module, name):
                    found.setdefault(each.name, getattr(module, name))
            if each.name not in found and each.default is MISSING:
                raise TypeError(f"{cards.__name__} declares no {name}")
        return cls(**found)


DECLARED_AS = {"dtype": "STATE", "cards": "DECK_LIST"}
"""Fields of a definition that modules declare under other names than their own."""
