"""How cards look: a code, a symbol and a cloth. The colour is never alone in telling a card."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style

from tanistry.tui.canvas import Canvas, Spot

BACK = "▒"
BACK_STYLE = Style(color="#9aa4ae", bgcolor="#2b333b")
MARK = Style(color="#ffffff", bold=True)
GROUND = "#14191e"  # the screen, as in table.tcss


def faded(colour: str) -> str:
    """A colour a third of the way up from the ground."""
    parts = [(int(colour[i : i + 2], 16) + 2 * int(GROUND[i : i + 2], 16)) // 3 for i in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)


@dataclass(frozen=True)
class Cloth:
    """The colours of a suit, faction or clan, and its symbol."""

    symbol: str
    ground: str
    ink: str = "#ffffff"
    stripe: str = ""

    def style(self, dim: bool = False, bold: bool = True) -> Style:
        if dim:
            return Style(color="#a8b0b8", bgcolor=faded(self.ground))
        return Style(color=self.ink, bgcolor=self.ground, bold=bold)

    def edge(self, dim: bool = False) -> Style:
        """The style of a tartan's edge, where there is one."""
        if dim or not self.stripe:
            return self.style(dim)
        return Style(color=self.stripe, bgcolor=self.ground)


PLAIN_CLOTHS = (
    Cloth("●", "#8c2f39"),
    Cloth("▲", "#2f6690"),
    Cloth("■", "#3a7d44"),
    Cloth("◆", "#7b4b94"),
    Cloth("✚", "#9c6615"),
    Cloth("★", "#2a7f7f"),
    Cloth("♠", "#5b5f97"),
    Cloth("♣", "#6b705c"),
    Cloth("♥", "#a23e48"),
)
"""For games without colours of their own, in the order of their cards."""


def draw_tile(
    canvas: Canvas, x: int, y: int, label: str, cloth: Cloth | None, spot: Spot = None,
    marked: bool = False, dim: bool = False,
) -> int:  # fmt: skip
    """A card as one line, ` ▲G3 `; a back for a card without a cloth. The column after it."""
    if cloth is None:
        left, right = ("›", "‹") if marked else (BACK, BACK)
        text = f"{left}{label or BACK}{right}"
        return canvas.put(x, y, text, BACK_STYLE, spot)
    style = cloth.style(dim)
    left, right = ("›", "‹") if marked else (("▞", "▞") if cloth.stripe else (" ", " "))
    edge = style if marked else cloth.edge(dim)
    x = canvas.put(x, y, left, edge, spot)
    x = canvas.put(x, y, f"{cloth.symbol}{label}", style, spot)
    return canvas.put(x, y, right, edge, spot)


def tile_width(label: str, cloth: Cloth | None) -> int:
    if cloth is None:
        return 2 + len(label or BACK)
    return 2 + len(cloth.symbol) + len(label)


def draw_card(
    canvas: Canvas, x: int, y: int, width: int, label: str, cloth: Cloth | None,
    spot: Spot = None, dim: bool = False,
) -> None:  # fmt: skip
    """A card of three lines: its code in two corners, its symbol between."""
    if cloth is None:
        for row in range(3):
            canvas.put(x, y + row, BACK * width, BACK_STYLE, spot)
        canvas.put(x + (width - len(label)) // 2, y + 1, label, BACK_STYLE, spot)
        return
    style, edge = cloth.style(dim), cloth.edge(dim)
    canvas.put(x, y, label.ljust(width), style, spot)
    canvas.put(x, y + 1, cloth.symbol.center(width), style, spot)
    canvas.put(x, y + 2, label.rjust(width), style, spot)
    if cloth.stripe and not dim:
        canvas.put(x, y + 1, "▞", edge, spot)
        canvas.put(x + width - 1, y + 1, "▞", edge, spot)


def draw_empty(canvas: Canvas, x: int, y: int, width: int) -> None:
    """Where a card of three lines could lie."""
    style = Style(color="#5c6670")
    canvas.put(x, y, "╭" + "─" * (width - 2) + "╮", style)
    canvas.put(x, y + 1, "│" + " " * (width - 2) + "│", style)
    canvas.put(x, y + 2, "╰" + "─" * (width - 2) + "╯", style)
