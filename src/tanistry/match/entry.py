"""Kernels as matches call them: with the record in an array of one.

A record by itself costs Numba several microseconds at the border, an array a fraction of one.
"""

from __future__ import annotations

from typing import Any

from tanistry.kernel import template
from tanistry.table.contract import facts, legal, play, tally


@template
def legal_in(cell: Any, moves: Any) -> None:
    """Write the set of legal actions to `moves`."""
    legal(cell[0], moves)


@template
def play_in(cell: Any, action: int) -> None:
    """Carry out a legal action and write down what happens."""
    cell[0].telling = 1
    play(cell[0], action)
    cell[0].telling = 0


@template
def facts_in(cell: Any, notes: Any) -> None:
    """Note the facts of a position."""
    facts(cell[0], notes)


@template
def tally_in(cell: Any, seat: int, notes: Any) -> None:
    """Note how the match stands, as far as a seat can know it."""
    tally(cell[0], seat, notes)
