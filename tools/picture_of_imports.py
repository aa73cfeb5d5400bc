"""Which package imports which, as a picture made from the code: docs/pictures/imports.svg.

The rows are the layers of pyproject.toml, which import-linter holds the code to; a line leads from
a package down to one that it imports. Where another way leads there too, the line is faint.
"""

from __future__ import annotations

import re
import tomllib
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

import grimp

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs/pictures/imports.svg"
PACKAGE = "tanistry"
WIDE, ROW, BOX = 920, 74, 36
ASIDE = 90
"""Boxes that are alone in their row stand by turns left and right of the middle: lines pass."""
SIGN = 8.2
"""How wide a letter is, about."""

Edges = set[tuple[str, str]]
STYLE = """
  .box { fill: #fbf6ea; stroke: #7a6d5d; stroke-width: 1.5 }
  .name { font: 700 15px Georgia, serif; fill: #2a2320; text-anchor: middle }
  .line { fill: none; stroke: #a8590f; stroke-width: 1.6 }
  .faint { stroke: #7a6d5d; stroke-width: 0.8; opacity: 0.35 }
"""


def layers() -> list[list[str]]:
    """The packages, row by row from the top, as the contract names them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    contract = next(contract for contract in contracts if contract["type"] == "layers")
    rows = [re.findall(r"\w+", row) for row in contract["layers"]]
    return [[name for name in row if is_there(name)] for row in rows]


def is_there(name: str) -> bool:
    """Whether there is such a package or module: some may be left out."""
    source = ROOT / "src" / PACKAGE / name
    return source.is_dir() or source.with_suffix(".py").exists()


def imports(packages: list[str]) -> Edges:
    """All pairs (who, whom) of packages that import each other directly, types left out."""
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True)
    for package in packages:
        graph.squash_module(f"{PACKAGE}.{package}")
    return {
        (who, whom)
        for who, whom in product(packages, repeat=2)
        if who != whom
        and graph.direct_import_exists(importer=f"{PACKAGE}.{who}", imported=f"{PACKAGE}.{whom}")
    }


def needed(edges: Edges) -> Edges:
    """Those that no way over others stands for."""
    below: dict[str, set[str]] = {}
    for who, whom in edges:
        below.setdefault(who, set()).add(whom)

    def leads(start: str, end: str) -> bool:
        return end in below.get(start, ()) or any(leads(via, end) for via in below.get(start, ()))

    return {
        (who, whom)
        for who, whom in edges
        if not any(leads(via, whom) for via in below[who] - {whom})
    }


def draw() -> str:
    rows = layers()
    places: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(rows):
        aside = ASIDE * (-1) ** number if len(row) == 1 else 0
        for index, name in enumerate(row):
            places[name] = (WIDE * (index + 1) / (len(row) + 1) + aside, ROW * number + 20)
    edges = imports(list(places))
    strong = needed(edges)
    parts = []
    for who, whom in sorted(edges, key=lambda edge: (edge in strong, edge)):
        (x1, y1), (x2, y2) = places[who], places[whom]
        top, bottom, bend = y1 + BOX, y2, (y2 - y1 - BOX) / 2
        kind = "line" if (who, whom) in strong else "line faint"
        path = f"M{x1:.0f} {top:.0f}C{x1:.0f} {top + bend:.0f} {x2:.0f} {bottom - bend:.0f} "
        parts.append(f'<path class="{kind}" d="{path}{x2:.0f} {bottom:.0f}"/>')
    for name, (x, y) in places.items():
        width = SIGN * len(name) + 28
        parts.append(
            f'<rect class="box" x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" '
            f'height="{BOX}" rx="8"/><text class="name" x="{x:.0f}" y="{y + 23:.0f}">'
            f"{escape(name)}</text>"
        )
    high = ROW * len(rows) + 2
    title = "Which package imports which: every line leads down"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" role="img">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            f'<rect width="{WIDE}" height="{high}" rx="14" fill="#efe7d8"/>',
            *parts,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
