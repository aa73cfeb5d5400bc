"""Who is first, second, last: by the standing that a game gives each seat, ties together."""

from __future__ import annotations

from typing import Any

from tanistry.kernel import template
from tanistry.table.contract import standing


@template
def above(s: Any, seat: int) -> int:
    """How many seats rank above this one: nobody above the first."""
    own = standing(s, seat)
    count = 0
    for other in range(s.seats):
        if standing(s, other) > own:
            count += 1
    return count


@template
def level(s: Any, seat: int) -> int:
    """How many other seats share its rank."""
    own = standing(s, seat)
    count = -1
    for other in range(s.seats):
        if standing(s, other) == own:
            count += 1
    return count
