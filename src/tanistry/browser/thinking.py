"""What a network thinks of a position, in a browser: the kernels of `bots`, asked in one call."""

from __future__ import annotations

from typing import Any

from tanistry.bots.reading import draw
from tanistry.kernel import kernel
from tanistry.simulation.network import hidden, judge, value

SENSE, FLOOR, STYLE = range(3)


@kernel
def consult(observed: Any, mind: Any, moves: Any, style: Any, rng: Any, worth: Any) -> int:
    """What a network chooses among some actions, by what a seat knows; `worth` is what the position
    is worth to that seat."""
    hidden(mind, observed)
    best = judge(mind, moves)
    worth[0] = value(mind)
    return draw(mind, moves, best, style[SENSE], style[FLOOR], rng)
