"""Schotten Totten on the table: nine stones in a row, with the cards of both sides."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tanistry.session.describe import card_of
from tanistry.tui.boards.board import LABEL, QUIET, Board
from tanistry.tui.canvas import Canvas
from tanistry.tui.faces import MARK, Cloth, draw_tile
from tanistry.tui.scene import Scene

STONES = range(1, 10)
PITCH = 7
MOST = 4
"""Cards of one side at a stone (with mud)."""
TACTICS = {
    "farlane": ("♜", "Far"),
    "gregor": ("♜", "Gre"),
    "support": ("♞", "Sup"),
    "shield": ("♝", "Shd"),
    "fog": ("≈", "Fog"),
    "mud": ("≋", "Mud"),
    "scout": ("◎", "Sco"),
    "redeploy": ("↷", "Rdp"),
    "deserter": ("↯", "Des"),
    "traitor": ("⇆", "Tra"),
}


class SchottenBoard(Board):
    """The eyes' own side below, the other above; a claimed stone points to its owner."""

    cloths: Mapping[str, Cloth] = {
        "R": Cloth("♥", "#a8262e", "#ffffff", "#5c1015"),
        "Y": Cloth("★", "#d9b51c", "#000000", "#8a6d00"),
        "G": Cloth("♣", "#2f7d3b", "#ffffff", "#14421c"),
        "B": Cloth("♠", "#2456a6", "#ffffff", "#0f2c5c"),
        "P": Cloth("◆", "#6f3a94", "#ffffff", "#3c1a54"),
        "O": Cloth("●", "#d4701c", "#000000", "#7a3a00"),
        **{code: Cloth(symbol, "#4a4f55") for code, (symbol, _) in TACTICS.items()},
    }
    in_title = ("ruse", "taken", "draws", "returns")
    height = 16

    def label(self, code: str) -> str:
        return TACTICS[code][1] if code in TACTICS else code

    def spots(self, token: str, scene: Scene) -> set[str]:
        if take := re.fullmatch(r"take (\w+@\d)", token):
            return {take[1]}
        if stone := re.fullmatch(r"(?:claim |put @|\w+@)(\d)", token):
            return {f"@{stone[1]}"}
        return {{"draw clan": "deck", "draw tactic": "tactics"}.get(token, token)}

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        below = scene.seat if scene.seat is not None else 0
        above = 1 - below
        spare = max(0, canvas.height - self.height) // 2
        self.draw_seat(scene, canvas, above, 0)
        top = 2 + spare
        for stone in STONES:
            x = (stone - 1) * PITCH + 1
            self.draw_side(scene, canvas, stone, above, x, top + MOST - 1, -1)
            self.draw_stone(scene, canvas, stone, above, x, top + MOST)
            self.draw_side(scene, canvas, stone, below, x, top + MOST + 2, 1)
        y = top + 2 * MOST + 3
        self.draw_seat(scene, canvas, below, y)
        self.draw_piles(scene, canvas, y + 1)

    def draw_side(
        self, scene: Scene, canvas: Canvas, stone: int, seat: int, x: int, y: int, step: int
    ) -> None:
        """The cards of a side, the first one next to the stone."""
        entries = scene.cards(f"stone.{stone}.{seat}")
        for index in range(MOST):
            row = y + index * step
            if index < len(entries):
                code = card_of(entries[index]) or "?"
                spot = f"{code}@{stone}"
                if f"take {spot}" not in scene.legal:
                    marked, spot = False, f"@{stone}"
                else:
                    marked = spot in scene.marked
                draw_tile(canvas, x, row, self.label(code), self.cloth(code), spot, marked)
            else:
                canvas.put(x, row, "  ·  " if index < needed(scene, stone) else "     ", QUIET,
                           f"@{stone}")  # fmt: skip

    def draw_stone(
        self, scene: Scene, canvas: Canvas, stone: int, above: int, x: int, y: int
    ) -> None:
        """The stone's number; a claimed one points to the side it belongs to."""
        spot = f"@{stone}"
        owner = scene.facts.get("claimed", {}).get(str(stone))
        weather = [code for code in scene.codes(f"stone.{stone}.env") if code]
        text = "".join(TACTICS[code][1] for code in weather)
        canvas.put(x, y, text.center(6) if text else "      ", "bold #9fc5e8", spot)
        if owner is None:
            face = f"›▐{stone}▌‹" if spot in scene.marked else f" ▐{stone}▌ "
            canvas.put(x, y + 1, face, MARK if spot in scene.marked else LABEL, spot)
        else:
            arrow = "▲" if owner == above else "▼"
            canvas.put(x, y + 1, f"{arrow} {stone} {arrow}", "bold #7bd88f", spot)

    def draw_seat(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> None:
        acting = scene.view["to_act"] == seat
        style = "bold #ffffff" if acting else LABEL
        canvas.put(0, y, f"{'▶' if acting else ' '} {scene.titles[seat]}"[:22], style)
        won = [n for n, owner in scene.facts.get("claimed", {}).items() if owner == seat]
        x = canvas.put(23, y, scene.say("tui.stones", count=len(won)), "bold")
        if scene.game.options.get("tactics"):
            played = scene.facts.get("tactics", [0, 0])[seat]
            x = canvas.put(x + 2, y, f"{scene.heading('tactics')} {played}", QUIET)
        if seat != scene.seat:
            x = canvas.put(x + 2, y, f"{scene.heading('hand')} ", QUIET)
            self.tiles(scene, canvas, x, y, scene.cards(f"hand.{seat}"), canvas.width)
        ruses = scene.cards(f"played.{seat}")
        self.tiles(scene, canvas, canvas.width - 7 * len(ruses), y + 1, ruses, canvas.width)

    def draw_piles(self, scene: Scene, canvas: Canvas, y: int) -> None:
        x = 2
        for place in ("deck", "tactics", "discard"):
            if place == "deck" or scene.count(place):
                style = MARK if place in scene.marked else QUIET
                text = f"{scene.heading(place)} {scene.count(place)}"
                x = canvas.put(x, y, text, style, place) + 3
        self.tiles(scene, canvas, x, y, scene.cards("discard"), canvas.width)

    def back(self, entry: Any) -> str:
        return {"clan": "C", "tactic": "T"}.get(str(entry.get("back")), "")


def needed(scene: Scene, stone: int) -> int:
    """Cards a side needs: three, four with mud (schotten.mud)."""
    weather: Sequence[str | None] = scene.codes(f"stone.{stone}.env")
    return 4 if "mud" in weather else 3


BOARD = SchottenBoard
