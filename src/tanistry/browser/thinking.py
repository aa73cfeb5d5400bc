"""What a network thinks of a position, in a browser: the kernels of `bots`, asked in one call."""

from __future__ import annotations

from typing import Any

from tanistry.bots.reading import draw
from tanistry.kernel import kernel
from tanistry.simulation.network import consider

SENSE, FLOOR, LOOKS, STYLE = range(4)


@kernel
def consult(observed: Any, mind: Any, moves: Any, style: Any, rng: Any) -> int:
    """What a network chooses among some actions, by what a seat knows."""
    best = consider(mind, observed, moves, int(style[LOOKS]))
    return draw(mind, moves, best, style[SENSE], style[FLOOR], rng)
