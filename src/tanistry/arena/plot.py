"""A picture of a contest: ratings with their uncertainty, and who beats whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tanistry.arena.results import Results
from tanistry.errors import OptionError

FORMATS = (".png", ".svg", ".pdf")
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
        raise OptionError(
            "option/value", name="plot", value=str(path), allowed="pip install tanistry[study]"
        ) from None


def draw(results: Results, path: Path, title: str) -> None:
    """Write the picture as PNG, SVG or PDF, by the ending of its name."""
    check_plot(path)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    # Twice the same results give the same file.
    with pyplot.rc_context({"svg.hashsalt": "tanistry", "font.size": 10}):
        lines = results.table().lines
        size = 1.1 + 0.55 * len(lines)
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(5 + size, size + 0.6))
        _draw_lines(left, results)
        _draw_duels(right, results)
        figure.suptitle(title)
        figure.tight_layout()
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=150, metadata=metadata)
        pyplot.close(figure)


def _draw_lines(axes: Any, results: Results) -> None:
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
    rated = any(line.rating is not None for line in lines)
    axes.set_xlabel("OpenSkill rating ± 2 σ" if rated else "%")


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
    axes.set_title("% won by the row", fontsize=10)
    axes.set_aspect("equal")


def _colours() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("duel", ["#c96f53", "#f4efe6", "#5f9ea0"])


def _cell(row: int, column: int, colour: Any) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - EDGE, row - EDGE), 1, 1, facecolor=colour, edgecolor="white")
