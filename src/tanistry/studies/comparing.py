"""What a setting changes: its figures against those of another, with the interval of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from tanistry.simulation.intervals import Z, apart, z_among

if TYPE_CHECKING:
    from tanistry.studies.results import Result, Row, Rows

Interval = Callable[[float], tuple[float, float]]
"""The ends of an interval, for half its width in standard errors."""


def compared(results: Sequence[Result]) -> Rows:
    """Every setting against the first, figure by figure; empty where there is nothing to compare.

    `sure` is what would differ by chance in fewer than one study in twenty, among all rows.
    """
    played = [result for result in results if result.matches]
    rows = [row for other in played[1:] for row in _rows(other, played[0])]
    for row in rows:
        low, high = row.pop("interval")(z_among(len(rows)))
        row["sure"] = not low <= 0 <= high
    return rows


def _rows(one: Result, base: Result) -> Iterator[Row]:
    for mine, theirs in zip(one.seats(), base.seats(), strict=False):
        # Beyond an even share, so that tables of two and of three can be compared.
        even = mine["even"] - theirs["even"]
        yield _share(one, base, "won", mine["won"], theirs["won"], mine["turn"], even)
    (mine,), (theirs,) = one.summary(), base.summary()
    yield _share(one, base, "shared", mine["shared"], theirs["shared"])
    spreads = [(row["choices_spread"], row["matches"]) for row in (mine, theirs)]
    error = math.sqrt(sum(spread * spread / n for spread, n in spreads))
    difference = mine["choices"] - theirs["choices"]

    def interval(z: float) -> tuple[float, float]:
        return difference - z * error, difference + z * error

    yield _row(one, base, "choices", None, difference, interval)


def _share(
    one: Result,
    base: Result,
    figure: str,
    mine: float,
    theirs: float,
    turn: int | None = None,
    even: float = 0.0,
) -> Row:
    def interval(z: float) -> tuple[float, float]:
        low, high = apart(mine, one.matches, theirs, base.matches, z)
        return low - even, high - even

    return _row(one, base, figure, turn, mine - theirs - even, interval)


def _row(
    one: Result, base: Result, figure: str, turn: int | None, difference: float, interval: Interval
) -> Row:
    low, high = interval(Z)
    row = {"setting": one.label, "against": base.label, "figure": figure, "turn": turn}
    return {**row, "difference": difference, "low": low, "high": high, "interval": interval}
