"""The results as text: tables for a document, in Markdown."""

from __future__ import annotations

from collections.abc import Callable

from tanistry.arena.results import Duel, Line, Results

Number = Callable[[float, int], str]
"""How a number with so many digits is written; in a person's language `Words.number`."""


def plain(value: float, digits: int) -> str:
    return f"{value:.{digits}f}"


def percent(value: float) -> str:
    return f"{plain(100 * value, 1)} %"


def span(what: Duel | Line, number: Number = plain) -> str:
    """A 95 % interval."""
    return f"{number(100 * what.low, 1)} – {number(100 * what.high, 1)}"


def rating(line: Line, number: Number = plain) -> str:
    """The rating ± 2 σ, as the plot draws it."""
    if line.rating is None or line.deviation is None:
        return "–"
    return f"{number(line.rating, 1)} ± {number(2 * line.deviation, 1)}"


def markdown(results: Results) -> str:
    """Two tables: the duels, and the entrants."""
    table = results.table()
    rows = ["| entrant | against | matches | won | 95 % |", "|---|---|---:|---:|---:|"]
    for duel in table.duels:
        mark = "" if duel.decided else " (open)"
        rows.append(
            f"| {duel.a} | {duel.b} | {duel.matches} | {percent(duel.rate)} | {span(duel)}{mark} |"
        )
    rows += ["", "| entrant | rating ± 2 σ | ms a choice |", "|---|---:|---:|"]
    for line in table.lines:
        rows.append(f"| {line.name} | {rating(line)} | {plain(line.milliseconds, 1)} |")
    return "\n".join(rows) + "\n"
