"""The curve of a run as a picture, and for TensorBoard: how often the network wins, and more."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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


class Board:
    """The same numbers as event files, which TensorBoard shows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._writer: Any = None

    def add(self, choices: int, found: Mapping[str, float]) -> bool:
        """Add what was found after so many choices; False where TensorBoard is not installed."""
        if find_spec("tensorboard") is None:
            return False
        if self._writer is None:  # which makes the folder
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(self.folder))
        for name, number in found.items():
            self._writer.add_scalar(tag(name), number, choices)
        self._writer.flush()
        return True


def tag(name: str) -> str:
    """What TensorBoard calls a column: an opponent's share and its interval come together."""
    first, _, end = name.partition(" ")
    return f"won against {first}/{end or 'share'}" if first in OPPONENTS else f"lesson/{name}"
