"""Who is first, second, last: by the standing that a game gives each seat, ties together.

A standing may take long to work out: none is asked for twice.
"""

from __future__ import annotations

from typing import Any

from tanistry.kernel import template
from tanistry.table.contract import standing


@template
def leaders(s: Any) -> tuple[int, int, int]:
    """The first place: one of its seats, how many share it, and their standing."""
    first, sharing, best = 0, 1, standing(s, 0)
    for seat in range(1, s.seats):
        value = standing(s, seat)
        if value > best:
            first, sharing, best = seat, 1, value
        elif value == best:
            sharing += 1
    return first, sharing, best


@template
def rank(s: Any, seat: int) -> tuple[int, int]:
    """How many seats rank above this one, and how many others share its rank."""
    own = standing(s, seat)
    above, level = 0, 0
    for other in range(s.seats):
        if other != seat:
            value = standing(s, other)
            if value > own:
                above += 1
            elif value == own:
                level += 1
    return above, level
