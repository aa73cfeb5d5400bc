"""What callers hand in, checked: whole numbers, and one or several of something."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

from tanistry.errors import OptionError


def as_whole(value: object) -> int | None:
    """A whole number, NumPy's too, as Python's own; None for anything else, truth values too."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """The whole number that the argument `name` must be; OptionError if it is not."""
    number = as_whole(value)
    if number is None or number < low or (high is not None and number > high):
        allowed = f"{low}, {low + 1}, {low + 2} …" if high is None else f"{low}–{high}"
        raise OptionError("option/value", name=name, value=value, allowed=allowed)
    return number


def several(given: Any) -> list[Any]:
    """One thing or several, as a list; a text is one thing."""
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        return list(given)
    return [given]
