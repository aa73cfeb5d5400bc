"""The curve of a run as a picture: how often the network wins, the further it has learnt."""

from __future__ import annotations

import csv
from importlib.util import find_spec
from pathlib import Path

OPPONENTS = ("random", "greedy", "earlier")


def draw(table: Path, picture: Path) -> bool:
    """Draw a curve.csv, bands being the intervals; False where Matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        return False
    from matplotlib.figure import Figure

    with table.open(newline="", encoding="utf-8") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    millions = [row["choices"] / 1e6 for row in rows]
    for opponent in OPPONENTS:
        if rows and opponent in rows[0]:
            axes.plot(millions, [row[opponent] for row in rows], label=opponent)
            low, high = ([row[f"{opponent} {end}"] for row in rows] for end in ("low", "high"))
            axes.fill_between(millions, low, high, alpha=0.2)
    axes.set(xlabel="million choices learnt from", ylabel="share of matches won", ylim=(0, 1))
    axes.legend(title="against", loc="lower right")
    axes.grid(alpha=0.3)
    figure.savefig(picture)
    return True
