"""Charts as SVG for a page: they take their colours from it, in daylight and by candlelight.

Every chart is 360 units wide and meant to be shown about as many pixels wide: two or three side by
side on a desk, one below the other on a phone, with letters of the same size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

WIDTH = 360.0
COLOURS = 6
"""Series that can be told apart; the page defines `--series-0` … and each has a dash of its own."""
DASHES = ("none", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")

Shown = Callable[[float], str]


class Dot(NamedTuple):
    """A value with its interval, on a line of its own."""

    label: str
    value: float
    low: float
    high: float
    series: int = 0


class Cell(NamedTuple):
    """A field of a heat map: its text, how far from the middle (−1 to 1), whether that is sure."""

    text: str
    strength: float
    sure: bool
    title: str


def frame(height: float, title: str, body: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">'
        f"{escape(words)}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers between two others."""
    span = max(high - low, 1e-9)
    decade = 10.0 ** math.floor(math.log10(span / most))
    steps = (decade * factor for factor in (1, 2, 5))
    step = next((step for step in steps if span / step <= most), decade * 10)
    first, last = math.ceil(low / step), math.floor((high + 1e-9 * span) / step)
    return [round(number * step, 10) for number in range(first, last + 1)]


class Scale(NamedTuple):
    """From values to places on the paper."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1)
        return self.start + share * (self.end - self.start)


# -- values with intervals ------------------------------------------------------------------------

ROW = 22.0
LONG_LABEL = 26
"""Labels of more letters would leave no room for the values beside them."""


def dots(title: str, rows: Sequence[Dot], base: float, show: Shown) -> str:
    """One line per value, its 95 % interval as a bar; `base` is what to compare with."""
    low = min(base, *(row.low for row in rows))
    high = max(base, *(row.high for row in rows))
    room = 0.06 * (high - low) or 0.01
    longest = max(len(row.label) for row in rows)
    above = longest > LONG_LABEL  # then labels stand above their values, in full
    names = 12.0 if above else 12 + 6.2 * longest
    tall = ROW + 12 if above else ROW
    at = Scale(low - room, high + room, names, WIDTH - 52)
    bottom = 8 + tall * len(rows)
    body = []
    for tick in ticks(at.low, at.high):
        body.append(line(at(tick), 4, at(tick), bottom, "grid"))
        body.append(text(at(tick), bottom + 13, show(tick), "soft", "middle"))
    body.append(line(at(base), 2, at(base), bottom, "base"))
    for i, row in enumerate(rows):
        y = 8 + tall * (i + 0.5) + (8 if above else 0)
        tip = f"{row.label}: {show(row.value)} ({show(row.low)} – {show(row.high)})"
        body.append(f'<g class="series-{row.series % COLOURS}"><title>{escape(tip)}</title>')
        if above:
            body.append(text(4, y - 10, row.label, "above"))
        else:
            body.append(text(names - 8, y + 4, row.label, "", "end"))
        body.append(line(at(row.low), y, at(row.high), y, "span"))
        body.append(f'<circle cx="{at(row.value):.1f}" cy="{y:.1f}" r="4" class="dot"/></g>')
        body.append(text(WIDTH - 4, y + 4, show(row.value), "figure", "end"))
    return frame(bottom + 20, title, body)


def _short(label: str, width: float) -> str:
    most = int((width - 10) / 6.0)
    return label if len(label) <= most else label[: most - 1] + "…"


# -- distributions --------------------------------------------------------------------------------

PLOT_TOP, PLOT_BOTTOM = 10.0, 150.0
PLOT_LEFT, PLOT_RIGHT = 44.0, WIDTH - 10


def _plot(
    title: str, drawn: list[str], x: Scale, y: Scale, show_x: Shown, show_y: Shown, axis: str
) -> str:
    """What is drawn, within its axes; on the lower one are whole numbers."""
    body = []
    for tick in ticks(0, y.high, 4):
        body.append(line(PLOT_LEFT, y(tick), PLOT_RIGHT, y(tick), "grid"))
        body.append(text(PLOT_LEFT - 5, y(tick) + 4, show_y(tick), "soft", "end"))
    for tick in ticks(x.low, x.high, 6):
        if tick == int(tick):
            body.append(text(x(tick), PLOT_BOTTOM + 15, show_x(tick), "soft", "middle"))
    body += drawn
    body.append(line(PLOT_LEFT, PLOT_BOTTOM, PLOT_RIGHT, PLOT_BOTTOM, "axis"))
    body.append(text((PLOT_LEFT + PLOT_RIGHT) / 2, PLOT_BOTTOM + 31, axis, "soft", "middle"))
    return frame(PLOT_BOTTOM + 38, title, body)


def columns(
    title: str,
    series: Sequence[tuple[str, dict[int, float]]],
    show_x: Shown,
    show_y: Shown,
    axis: str,
) -> str:
    """Columns over whole numbers, the series on top of each other."""
    keys = sorted({key for _, values in series for key in values})
    totals = {key: sum(values.get(key, 0) for _, values in series) for key in keys}
    x = Scale(keys[0] - 0.5, keys[-1] + 0.5, PLOT_LEFT, PLOT_RIGHT)
    y = Scale(0, 1.06 * max(totals.values()), PLOT_BOTTOM, PLOT_TOP)
    wide = max(0.8, 0.84 * (x(1) - x(0)))
    drawn = []
    for key in keys:
        under = 0.0
        for number, (name, values) in enumerate(series):
            share = values.get(key, 0)
            if share:
                top, bottom = y(under + share), y(under)
                tip = f"{name} {show_x(key)}: {show_y(share)}".strip()
                drawn.append(
                    f'<rect x="{x(key) - wide / 2:.2f}" y="{top:.2f}" width="{wide:.2f}" '
                    f'height="{max(0.4, bottom - top):.2f}" class="column series-{number}">'
                    f"<title>{escape(tip)}</title></rect>"
                )
                under += share
    return _plot(title, drawn, x, y, show_x, show_y, axis)


def curves(
    title: str,
    series: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    show_x: Shown,
    show_y: Shown,
    axis: str,
) -> str:
    """Lines, one per series."""
    points = [point for _, values in series for point in values]
    x = Scale(min(p[0] for p in points), max(p[0] for p in points), PLOT_LEFT, PLOT_RIGHT)
    y = Scale(0, 1.06 * max(p[1] for p in points) or 1, PLOT_BOTTOM, PLOT_TOP)
    drawn = []
    for number, (name, values) in enumerate(series):
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in values)
        drawn.append(
            f'<polyline points="{path}" class="curve series-{number % COLOURS}" '
            f'stroke-dasharray="{DASHES[number % COLOURS]}"><title>{escape(name)}</title>'
            "</polyline>"
        )
        if len(values) == 1:  # a single point has no line
            drawn.append(
                f'<circle cx="{x(values[0][0]):.1f}" cy="{y(values[0][1]):.1f}" r="4" '
                f'class="dot series-{number % COLOURS}"/>'
            )
    return _plot(title, drawn, x, y, show_x, show_y, axis)


def legend(names: Sequence[str], filled: bool = False) -> str:
    """Which series is which, by colour and dash."""

    def sample(i: int) -> str:
        if filled:
            return '<rect x="9" y="0" width="10" height="10" class="column"/>'
        dash = f'stroke-dasharray="{DASHES[i % COLOURS]}"'
        return f'<line x1="1" y1="5" x2="27" y2="5" class="curve" {dash}/>'

    items = "".join(
        f'<li class="series-{i % COLOURS}"><svg viewBox="0 0 28 10" aria-hidden="true">'
        f"{sample(i)}</svg>{escape(name)}</li>"
        for i, name in enumerate(names)
    )
    return f'<ul class="legend">{items}</ul>'


# -- heat maps ------------------------------------------------------------------------------------

CELL_HEIGHT = 24.0
TIGHT = 24.5
"""Fields narrower than this take smaller figures."""


def heat(
    title: str, rows: Sequence[tuple[str, Sequence[Cell | None]]], heads: Sequence[str]
) -> str:
    """A table of coloured fields: warm is worth having, cold is not, pale is too close to tell."""
    names = min(104.0, 14 + 6.4 * max(len(name) for name, _ in rows))
    wide = min(46.0, (WIDTH - names - 2) / max(len(heads), 1))
    body = [
        text(names + wide * (i + 0.5), 13, head, "soft", "middle") for i, head in enumerate(heads)
    ]
    for number, (name, cells) in enumerate(rows):
        y = 18 + CELL_HEIGHT * number
        body.append(text(names - 6, y + 16, _short(name, names), "", "end"))
        for i, cell in enumerate(cells):
            if cell:
                body.append(_field(cell, names + wide * i, y, wide))
    return frame(22 + CELL_HEIGHT * len(rows), title, body)


def _field(cell: Cell, x: float, y: float, wide: float) -> str:
    side = "warm" if cell.strength >= 0 else "cold"
    amount = round(100 * min(1.0, abs(cell.strength))) if cell.sure else 0
    kinds = [side]
    kinds += ["strong"] * (amount > 55) + ["unsure"] * (not cell.sure) + ["tight"] * (wide < TIGHT)
    return (
        f'<g class="field {" ".join(kinds)}" '
        f'style="--amount:{amount}%"><title>{escape(cell.title)}</title>'
        f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide - 2:.1f}" '
        f'height="{CELL_HEIGHT - 2:.1f}" rx="3"/>'
        f"{text(x + wide / 2, y + 16, cell.text, '', 'middle')}</g>"
    )
