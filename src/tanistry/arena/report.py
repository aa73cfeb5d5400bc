"""The results as text: tables for a document, in Markdown."""

from __future__ import annotations

from tanistry.arena.results import Duel, Line, Results


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def span(what: Duel | Line) -> str:
    """A 95 % interval."""
    return f"{100 * what.low:.1f} – {100 * what.high:.1f}"


def rating(line: Line) -> str:
    if line.rating is None or line.deviation is None:
        return "–"
    return f"{line.rating:.1f} ± {line.deviation:.1f}"


def markdown(results: Results) -> str:
    """Two tables: the duels, and the entrants."""
    table = results.table()
    rows = ["| entrant | against | matches | won | 95 % |", "|---|---|---:|---:|---:|"]
    for duel in table.duels:
        mark = "" if duel.decided else " (open)"
        rows.append(
            f"| {duel.a} | {duel.b} | {duel.matches} | {percent(duel.rate)} | {span(duel)}{mark} |"
        )
    rows += ["", "| entrant | rating | ms a choice |", "|---|---:|---:|"]
    for line in table.lines:
        rows.append(f"| {line.name} | {rating(line)} | {line.milliseconds:.1f} |")
    return "\n".join(rows) + "\n"
