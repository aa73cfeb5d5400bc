"""A picture of a contest: ratings with their uncertainty, and who beats whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tanistry.arena.results import Results
from tanistry.errors import OptionError
from tanistry.storage import check_replaceable, replacing
from tanistry.words import common

FORMATS = (".png", ".svg", ".pdf")
DATE = {"svg": "Date", "pdf": "CreationDate"}
"""Where a file says when it was made: twice the same results give the same file without it."""
EDGE = 0.5
"""Half a cell of the matrix."""


def check_plot(path: Path) -> None:
    """Refuse early what could not be drawn at the end; OptionError says why."""
    if path.suffix.lower() not in FORMATS:
        allowed = ", ".join(f"*{ending}" for ending in FORMATS)
        raise OptionError("option/value", name="plot", value=str(path), allowed=allowed)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise OptionError("option/extra", name="matplotlib", extra="study") from None
    check_replaceable(path)


def draw(results: Results, path: Path, title: str, lang: str = "en") -> None:
    """Write the picture as PNG, SVG or PDF, by the ending of its name."""
    check_plot(path)
    import matplotlib
    from matplotlib.figure import Figure

    say = common(lang).text
    with matplotlib.rc_context({"svg.hashsalt": "tanistry", "font.size": 10}):
        size = 1.1 + 0.55 * len(results.contest.entrants)
        figure = Figure(figsize=(5 + size, size + 0.6), layout="constrained")
        left, right = figure.subplots(1, 2)
        rated = _draw_lines(left, results)
        left.set_xlabel(say("arena.plot_rating" if rated else "arena.plot_rate"))
        _draw_duels(right, results)
        right.set_title(say("arena.plot_duels"), fontsize=10)
        figure.suptitle(title)
        kind = path.suffix.lower().removeprefix(".")
        metadata = None if kind == "png" else {DATE[kind]: None}
        with replacing(path) as fresh:
            figure.savefig(fresh, format=kind, dpi=150, metadata=metadata)


def _draw_lines(axes: Any, results: Results) -> bool:
    """The entrants, best above; whether by their ratings, or else by what they won in percent."""
    lines = results.table().lines
    rows = range(len(lines))
    for row, line in enumerate(lines):
        if line.rating is not None:
            value, below, above = line.rating, 2 * (line.deviation or 0), 2 * (line.deviation or 0)
        else:
            value, below, above = (
                100 * v for v in (line.rate, line.rate - line.low, line.high - line.rate)
            )
        axes.errorbar(value, row, xerr=[[below], [above]], fmt="o", color="#1f4e5f")
    axes.set_yticks(list(rows), [line.name for line in lines])
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    return any(line.rating is not None for line in lines)


def _draw_duels(axes: Any, results: Results) -> None:
    names = [line.name for line in results.table().lines]
    met = {frozenset(pair) for pair in results.contest.pairs}
    axes.set_xlim(-EDGE, len(names) - EDGE)
    axes.set_ylim(len(names) - EDGE, -EDGE)
    colours = _colours()
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            duel = results.duel(a, b)
            if frozenset((a, b)) not in met or not duel.matches:
                continue
            axes.add_patch(_cell(i, j, colours(duel.rate)))
            axes.text(j, i, f"{100 * duel.rate:.0f}", ha="center", va="center", fontsize=9)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_aspect("equal")


def _colours() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("duel", ["#c96f53", "#f4efe6", "#5f9ea0"])


def _cell(row: int, column: int, colour: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - EDGE, row - EDGE), 1, 1, facecolor=colour, edgecolor="white")
