"""What a game is, to everything above it: one `Definition`, made of plain data and few functions.

A game is a folder with the same files in each:

    __init__.py   `INFO`, a `GameInfo`: cheap to import, no rules in it
    cards.py      the cards, the places, the record
    rules.py      the kernels of `table.contract`, in the words of the rulebook
    notation.py   tokens, positions, refusals: between the kernels' numbers and people's words;
                  `DEFINITION`, which holds it all together
    words/        en.toml and fr.toml: every text, and the rules under their ids
    policy.py     optional: a light way to play, for bots (see `tanistry.simulation.policy`)
    small.py      optional: the game with few cards, small enough to solve (see `envs.openspiel`):
                  `SIZE`, its parameters, and `definition(**size)`, a `Definition` made to measure
    features.py   optional: what learners are shown beside the cards (`simulation.observation`)

Subfolders of `tanistry.games` are found by themselves; other packages name theirs in the entry
point group `tanistry.games`, or call `tanistry.register(INFO)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from tanistry.errors import OptionError

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
class GameInfo:
    """A game before its rules are loaded."""

    name: str
    package: str  # where cards, rules, notation and words are found
    version: int  # raised whenever behaviour changes; records name it
    seats: range
    options: tuple[Option, ...] = ()  # beside `first`, which every game has
    has_draw: bool = False  # whether a match can end without a single winner

    @property
    def title(self) -> dict[str, str]:
        from tanistry.words import LANGUAGES, words

        return {lang: words(lang, self).text("title") for lang in LANGUAGES}

    @property
    def meanings(self) -> dict[str, dict[str, str]]:
        """What each option decides, `seats` and `first` included: by name, then by language."""
        from tanistry.words import LANGUAGES, words

        names = ["seats", "first", *(option.name for option in self.options)]
        return {
            name: {lang: words(lang, self).text(f"options.{name}.meaning") for lang in LANGUAGES}
            for name in names
        }

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the game's rules, in the order of the rules page."""
        from tanistry.words import words

        return tuple(words("en", self).rules())


Seen = Literal["all", "owner", "nobody"]
Meaning = Literal["seat", "card", "place", "number"] | tuple[str, ...]
Order = Literal["set", "pile", "row", "slots"]


@dataclass(frozen=True)
class Place:
    """A place on the table, named as positions name it (`hand.1`)."""

    name: str
    seen: Seen  # who sees a card there, unless flags or memory say otherwise
    owner: int = -1  # the seat it belongs to
    order: Order = "set"  # pile: listed top first; row: in order; slots: in order, with gaps
    most: int = 1000  # how many cards may lie there
    order_shown: bool = False  # whether its order is only shown: no rule ever asks for it

    @property
    def order_counts(self) -> bool:
        """Whether the rules ask for the order of its cards."""
        return self.order != "set" and not self.order_shown


@dataclass(frozen=True)
class EventType:
    """An event beside the moves of cards: its name and the meaning of its values, in order.

    A tuple of texts as meaning lists the codes that the numbers 0, 1, … stand for.
    """

    name: str
    values: tuple[tuple[str, Meaning], ...] = ()


@dataclass(frozen=True)
class Fact:
    """Public numbers from 0 to `most` that learners are shown, one for each name in `of`."""

    name: str
    meaning: str
    of: tuple[str, ...] = ("",)
    by_seat: bool = False  # so many for each seat, the observer's own first, then clockwise
    most: int = 1


@dataclass(frozen=True)
class Refusal:
    """Why a token is not legal: the rule, the key of the sentence, and what the sentence names."""

    rule: str
    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


def no_flags(_s: Any, _place: Place, _card: int) -> dict[str, Any]:
    return {}


def no_flags_read(_s: Any, _place: Place, _card: int, _flags: Mapping[str, Any]) -> None:
    return None


def no_back(_s: Any, _card: int) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Definition:
    """Everything about a game that the table, the match and the ways in need to know."""

    info: GameInfo
    rules: ModuleType
    """The kernels of `table.contract`, by name."""
    dtype: np.dtype[Any]
    """The record (`table.record.layout`)."""
    places: tuple[Place, ...]
    """By number. The ordered ones come first, as the record has them."""
    cards: Callable[[Options], Sequence[str]]
    """The codes, by card number, in the order of the card list. Twins share a code."""
    tokens: Callable[[Options], Sequence[str]]
    """The token of each action, by number: the whole vocabulary, in the order `legal` lists it."""
    decisions: tuple[str, ...]
    """The names of the decisions, by number."""
    rule_ids: tuple[str, ...]
    """Rule ids by the numbers that kernels use in events."""
    events: tuple[EventType, ...]
    """Types of events beside moves, numbered from 1."""
    facts: Callable[[Any], dict[str, Any]]
    """The public scalars of a position. What is not listed here no seat ever sees."""
    restore: Callable[[Any, dict[str, Any]], None]
    """Read such facts back into a record whose cards are in place; PositionError if they are wrong.

    Takes out of the dict what it has read; what is left over is refused.
    """
    check: Callable[[Any], None]
    """Whether the whole record could come up in a match; PositionError says why not."""
    refuse: Callable[[Any, int], Refusal]
    """Why an action of the vocabulary is not legal now."""
    flags: Callable[[Any, Place, int], dict[str, Any]] = no_flags
    """The public flags of a card in a place (`{"up": false}`), besides its face."""
    read_flags: Callable[[Any, Place, int, Mapping[str, Any]], None] = no_flags_read
    """Read such flags back; PositionError if they make no sense."""
    back: Callable[[Any, int], dict[str, Any]] = no_back
    """What the back of an unknown card shows (`{"back": "tactic"}`)."""
    seen: Callable[[Any, Place, int], Seen] | None = None
    """Who sees a card where its place alone does not say (a face-down ally, the top of a pile)."""
    secret_from_public: frozenset[str] = frozenset()
    """Places where a card that all seats know can still be hidden from spectators."""
