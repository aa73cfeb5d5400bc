"""Shapes: what the integers that kernels tell mean to people, and how they are written as JSON.

A shape turns a stream of integers into plain JSON data (`write`) and such data back (`read`). Event
values, refusals, problems, facts, flags and the parts of actions all have one, and `data` describes
it so that a reader in any language does the same. The simple shapes take one integer each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

NONE = -1
"""The integer for "no card", "nobody", "nothing"."""


MANY = 20
"""Of more names than this an error lists a few only."""


class Mismatch(ValueError):
    """Data that does not have the shape."""


@dataclass(frozen=True)
class Terms:
    """What numbers stand for in a game with its options settled."""

    cards: Sequence[str]
    places: Sequence[str]
    decisions: Sequence[str]
    seats: int


class Shape:
    """What a stream of integers means; see the module's text."""

    type: ClassVar[str]

    def write(self, numbers: Iterator[int], terms: Terms) -> Any:
        """The next integers as JSON data."""
        raise NotImplementedError

    def read(self, value: Any, terms: Terms) -> list[int]:
        """JSON data as integers; Mismatch if it has another shape."""
        raise NotImplementedError

    def allowed(self, terms: Terms) -> str:
        """What `read` takes, for an error."""
        raise NotImplementedError

    def data(self) -> dict[str, Any]:
        """The shape itself, as JSON data."""
        return {"type": self.type}


# -- one integer ----------------------------------------------------------------------------------


class Simple(Shape):
    """A shape of one integer: the number itself, or the name it stands for."""

    def names(self, terms: Terms) -> Sequence[str]:
        raise NotImplementedError

    def write(self, numbers: Iterator[int], terms: Terms) -> Any:
        number = next(numbers)
        return self.names(terms)[number] if number >= 0 else None

    def read(self, value: Any, terms: Terms) -> list[int]:
        names = self.names(terms)
        if not isinstance(value, str) or value not in names:
            raise Mismatch
        return [names.index(value)]

    def read_text(self, text: str, terms: Terms) -> list[int]:
        """The same from a piece of text, where a number is written in digits."""
        return self.read(text, terms)

    def allowed(self, terms: Terms) -> str:
        names = list(dict.fromkeys(self.names(terms)))
        if len(names) > MANY:
            return f"{', '.join(names[:3])} … {names[-1]}"
        return ", ".join(names)


@dataclass(frozen=True)
class Number(Simple):
    """A whole number."""

    least: int = 0
    most: int = 32_767
    type: ClassVar[str] = "number"

    def write(self, numbers: Iterator[int], terms: Terms) -> int:
        return next(numbers)

    def read(self, value: Any, terms: Terms) -> list[int]:
        if type(value) is not int or not self.least <= value <= self._most(terms):
            raise Mismatch
        return [value]

    def read_text(self, text: str, terms: Terms) -> list[int]:
        if not re.fullmatch(r"0|-?[1-9]\d{0,4}", text):
            raise Mismatch
        return self.read(int(text), terms)

    def _most(self, terms: Terms) -> int:
        return self.most

    def allowed(self, terms: Terms) -> str:
        return f"{self.least}–{self._most(terms)}"

    def data(self) -> dict[str, Any]:
        return {"type": self.type, "least": self.least, "most": self.most}


@dataclass(frozen=True)
class Slot(Number):
    """A position in an ordered place, counted from 0; left out of an event where there is none."""

    type: ClassVar[str] = "slot"


@dataclass(frozen=True)
class Seat(Number):
    """A seat; −1 is nobody."""

    type: ClassVar[str] = "seat"

    def _most(self, terms: Terms) -> int:
        return terms.seats - 1

    def data(self) -> dict[str, Any]:
        return {"type": self.type}


@dataclass(frozen=True)
class Truth(Simple):
    """Yes or no: 1 or 0."""

    type: ClassVar[str] = "truth"

    def write(self, numbers: Iterator[int], terms: Terms) -> bool:
        return bool(next(numbers))

    def read(self, value: Any, terms: Terms) -> list[int]:
        if type(value) is not bool:
            raise Mismatch
        return [int(value)]

    def allowed(self, terms: Terms) -> str:
        return "true, false"


@dataclass(frozen=True)
class CardCode(Simple):
    """A card by its code; null where nobody is told which."""

    type: ClassVar[str] = "card"

    def names(self, terms: Terms) -> Sequence[str]:
        return terms.cards


@dataclass(frozen=True)
class PlaceName(Simple):
    """A place by its name."""

    type: ClassVar[str] = "place"

    def names(self, terms: Terms) -> Sequence[str]:
        return terms.places


@dataclass(frozen=True)
class DecisionName(Simple):
    """A decision by its name."""

    type: ClassVar[str] = "decision"

    def names(self, terms: Terms) -> Sequence[str]:
        return terms.decisions


@dataclass(frozen=True)
class Code(Simple):
    """One of some codes, by its index; `words` is where the game's texts name them."""

    codes: tuple[str, ...]
    words: str = ""
    type: ClassVar[str] = "code"

    def names(self, terms: Terms) -> Sequence[str]:
        return self.codes

    def data(self) -> dict[str, Any]:
        return {"type": self.type, "codes": list(self.codes), "words": self.words}


@dataclass(frozen=True)
class Maybe(Simple):
    """A simple shape, or null (−1)."""

    of: Simple
    type: ClassVar[str] = "maybe"

    def write(self, numbers: Iterator[int], terms: Terms) -> Any:
        number = next(numbers)
        return None if number == NONE else self.of.write(iter((number,)), terms)

    def read(self, value: Any, terms: Terms) -> list[int]:
        return [NONE] if value is None else self.of.read(value, terms)

    def allowed(self, terms: Terms) -> str:
        return f"null, {self.of.allowed(terms)}"

    def data(self) -> dict[str, Any]:
        return {"type": self.type, "of": self.of.data()}


# -- several integers -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ListOf(Shape):
    """So many of a shape: their number, then each. `distinct`: none of them twice."""

    of: Shape
    distinct: bool = False
    most: int = 1000
    type: ClassVar[str] = "list"

    def write(self, numbers: Iterator[int], terms: Terms) -> list[Any]:
        return [self.of.write(numbers, terms) for _ in range(next(numbers))]

    def read(self, value: Any, terms: Terms) -> list[int]:
        if not isinstance(value, (list, tuple)) or len(value) > self.most:
            raise Mismatch
        items = [self.of.read(item, terms) for item in value]
        if self.distinct and len({tuple(item) for item in items}) < len(items):
            raise Mismatch
        return [len(items), *(number for item in items for number in item)]

    def allowed(self, terms: Terms) -> str:
        return f"[{self.of.allowed(terms)} …]"

    def data(self) -> dict[str, Any]:
        given = {"distinct": self.distinct, "most": self.most}
        return {"type": self.type, "of": self.of.data(), **given}


@dataclass(frozen=True)
class BySeat(Shape):
    """A list with one of a shape for each seat that plays."""

    of: Shape
    type: ClassVar[str] = "by_seat"

    def write(self, numbers: Iterator[int], terms: Terms) -> list[Any]:
        return [self.of.write(numbers, terms) for _ in range(terms.seats)]

    def read(self, value: Any, terms: Terms) -> list[int]:
        if not isinstance(value, (list, tuple)) or len(value) != terms.seats:
            raise Mismatch
        return [number for item in value for number in self.of.read(item, terms)]

    def allowed(self, terms: Terms) -> str:
        return "[" + ", ".join([self.of.allowed(terms)] * terms.seats) + "]"

    def data(self) -> dict[str, Any]:
        return {"type": self.type, "of": self.of.data()}


@dataclass(frozen=True)
class MapOf(Shape):
    """A shape by key: their number, then each key and what it has. Keys are written as text."""

    keys: Simple
    of: Shape
    type: ClassVar[str] = "map"

    def write(self, numbers: Iterator[int], terms: Terms) -> dict[str, Any]:
        pairs = range(next(numbers))
        return {str(self.keys.write(numbers, terms)): self.of.write(numbers, terms) for _ in pairs}

    def read(self, value: Any, terms: Terms) -> list[int]:
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise Mismatch
        numbers = [len(value)]
        for key, item in value.items():
            numbers += self.keys.read_text(key, terms) + self.of.read(item, terms)
        return numbers

    def allowed(self, terms: Terms) -> str:
        return f'{{"{self.keys.allowed(terms)}": {self.of.allowed(terms)} …}}'

    def data(self) -> dict[str, Any]:
        return {"type": self.type, "keys": self.keys.data(), "of": self.of.data()}


@dataclass(frozen=True)
class Fields(Shape):
    """An object with these fields, one after the other."""

    fields: tuple[tuple[str, Shape], ...]
    type: ClassVar[str] = "fields"

    def write(self, numbers: Iterator[int], terms: Terms) -> dict[str, Any]:
        return {name: shape.write(numbers, terms) for name, shape in self.fields}

    def read(self, value: Any, terms: Terms) -> list[int]:
        if not isinstance(value, dict) or set(value) != {name for name, _ in self.fields}:
            raise Mismatch
        return [n for name, shape in self.fields for n in shape.read(value[name], terms)]

    def allowed(self, terms: Terms) -> str:
        return "{" + ", ".join(f"{name}: {of.allowed(terms)}" for name, of in self.fields) + "}"

    def data(self) -> dict[str, Any]:
        return {"type": self.type, "fields": described(self.fields)}


@dataclass(frozen=True)
class Letters(Shape):
    """Some of a few letters as one text: their number, then the index of each."""

    letters: str
    type: ClassVar[str] = "letters"

    def write(self, numbers: Iterator[int], terms: Terms) -> str:
        return "".join([self.letters[next(numbers)] for _ in range(next(numbers))])

    def read(self, value: Any, terms: Terms) -> list[int]:
        if not isinstance(value, str) or not set(value) <= set(self.letters):
            raise Mismatch
        return [len(value), *(self.letters.index(letter) for letter in value)]

    def allowed(self, terms: Terms) -> str:
        return f'"{self.letters}"'

    def data(self) -> dict[str, Any]:
        return {"type": self.type, "letters": self.letters}


@dataclass(frozen=True)
class Form:
    """One way to write a line: `"{seat} +{card}"`, and the shape of each part, in that order."""

    text: str
    parts: tuple[tuple[str, Simple], ...]

    def write(self, numbers: Iterator[int], terms: Terms) -> str:
        return self.text.format(**{name: of.write(numbers, terms) for name, of in self.parts})

    def read(self, text: str, terms: Terms) -> list[int] | None:
        """The integers of a line that is written so, otherwise None."""
        pattern = re.escape(self.text).replace(r"\{", "{").replace(r"\}", "}")
        for name, _ in self.parts:
            pattern = pattern.replace(f"{{{name}}}", f"(?P<{name}>[^ ]+?)")
        found = re.fullmatch(pattern, text)
        if found is None:
            return None
        try:
            return [n for name, of in self.parts for n in of.read_text(found[name], terms)]
        except Mismatch:
            return None


@dataclass(frozen=True)
class Line(Shape):
    """A text in one of several forms: the index of the form, then its parts."""

    forms: tuple[Form, ...]
    type: ClassVar[str] = "line"

    def write(self, numbers: Iterator[int], terms: Terms) -> str:
        return self.forms[next(numbers)].write(numbers, terms)

    def read(self, value: Any, terms: Terms) -> list[int]:
        for number, form in enumerate(self.forms if isinstance(value, str) else ()):
            if (found := form.read(value, terms)) is not None:
                return [number, *found]
        raise Mismatch

    def allowed(self, terms: Terms) -> str:
        return ", ".join(f'"{form.text}"' for form in self.forms)

    def data(self) -> dict[str, Any]:
        forms = [{"text": form.text, "parts": described(form.parts)} for form in self.forms]
        return {"type": self.type, "forms": forms}


Values = tuple[tuple[str, Shape], ...]
"""Named values, in the order in which a kernel tells them."""


def described(values: Sequence[tuple[str, Shape]]) -> list[dict[str, Any]]:
    """Named shapes as JSON data."""
    return [{"name": name, **shape.data()} for name, shape in values]
