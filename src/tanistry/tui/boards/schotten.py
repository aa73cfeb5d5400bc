"""Schotten Totten on the table: nine stones in a row, with the cards of both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tanistry.session.describe import card_of
from tanistry.tui.boards.board import LABEL, QUIET, Board
from tanistry.tui.canvas import Canvas, Spot
from tanistry.tui.faces import MARK, Cloth, draw_tile
from tanistry.tui.scene import Choice, Scene

NARROW, WIDE = 6, 7
"""Columns for a stone."""
TACTICS = {
    "farlane": "♜",
    "gregor": "♚",
    "support": "♞",
    "shield": "♝",
    "fog": "≈",
    "mud": "≋",
    "scout": "◎",
    "redeploy": "↷",
    "deserter": "↯",
    "traitor": "⇆",
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
        **{code: Cloth(symbol, "#4a4f55") for code, symbol in TACTICS.items()},
    }
    in_title = ("draws", "returns")

    def label(self, code: str, scene: Scene) -> str:
        card = self.cards[code]
        if card.suit:
            return f"{scene.say(f'tui.letters.schotten.{card.suit}')}{card.value}"
        return scene.say(f"tui.letters.schotten.{code}")

    def stone_of(self, choice: Choice) -> int | None:
        """The stone that a choice is about."""
        places = {place.name: place for place in self.game.definition.places}
        for part, value in self.parts(choice):
            if part.name == "stone":
                return int(value)
            if part.shape.type == "place" and places[value].kind == "stone":
                return places[value].index[0]
        return None

    def spots(self, choice: Choice, scene: Scene) -> set[Spot]:
        stone = self.stone_of(choice)
        if stone is None:
            return super().spots(choice, scene)
        return {(stone, choice["card"]) if choice["verb"] == "take" else stone}

    def prompt(self, scene: Scene) -> str:
        if taken := scene.facts.get("taken"):
            return scene.say("tui.choose_stone", card=scene.words.card(taken))
        return ""

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        below = scene.seat if scene.seat is not None else 0
        above = 1 - below
        stones = scene.tally["stones"]
        pitch = WIDE if canvas.width >= WIDE * len(stones) else NARROW
        most = max(3, *(stone["needed"] for stone in stones))
        y = self.draw_seat(scene, canvas, above, 0)
        y += 1 if canvas.room > 2 * most + 7 else 0
        for stone in stones:
            x = (stone["stone"] - 1) * pitch
            self.draw_side(scene, canvas, stone, above, x, y + most - 1, -1)
            self.draw_stone(scene, canvas, stone, above, x, y + most)
            self.draw_side(scene, canvas, stone, below, x, y + most + 2, 1)
        y += 2 * most + 2
        y = self.draw_seat(scene, canvas, below, y)
        self.draw_piles(scene, canvas, y)

    def draw_side(
        self, scene: Scene, canvas: Canvas, stone: Mapping[str, Any], seat: int, x: int, y: int,
        step: int,
    ) -> None:  # fmt: skip
        """The cards of a side, the first one next to the stone."""
        number = stone["stone"]
        takes = {(c["stone"], c["card"]) for c in scene.choices if c["verb"] == "take"}
        entries = scene.cards("stone", seat, number)
        for index in range(max(stone["needed"], len(entries))):
            row = y + index * step
            code = card_of(entries[index]) if index < len(entries) else None
            if code is None:
                canvas.put(x, row, "  ·  ", QUIET, number)
                continue
            spot: Spot = (number, code) if (number, code) in takes else number
            marked = spot != number and spot in scene.marked
            draw_tile(canvas, x, row, self.label(code, scene), self.cloth(code), spot, marked)

    def draw_stone(
        self, scene: Scene, canvas: Canvas, stone: Mapping[str, Any], above: int, x: int, y: int
    ) -> None:
        """The stone's number; a claimed one points to the side it belongs to."""
        number, owner = stone["stone"], stone["seat"]
        weather = "".join(self.label(code, scene) for code in scene.known("stone", -1, number))
        canvas.put(x, y, weather[:NARROW].center(5), "bold #9fc5e8", number)
        if owner is None:
            face = f"›▐{number}▌‹" if number in scene.marked else f" ▐{number}▌ "
            canvas.put(x, y + 1, face, MARK if number in scene.marked else LABEL, number)
        else:
            arrow = "▲" if owner == above else "▼"
            canvas.put(x, y + 1, f"{arrow} {number} {arrow}", "bold #7bd88f", number)

    def draw_seat(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> int:
        """Name, stones, tactic cards played and hand; the line after."""
        style = "bold #ffffff" if scene.acts(seat) else LABEL
        x = canvas.put(0, y, f"{'▶' if scene.acts(seat) else ' '} {scene.titles[seat]}"[:22], style)
        won = sum(stone["seat"] == seat for stone in scene.tally["stones"])
        x = canvas.put(x + 2, y, scene.say("tui.stones", count=won), "bold")
        if scene.game.options.get("tactics"):
            played = scene.facts.get("tactics", [0, 0])[seat]
            x = canvas.put(x + 2, y, f"{scene.heading('tactics')} {played}", QUIET)
            x += 1
            self.tiles(scene, canvas, x, y, scene.cards("played", seat), canvas.width, gap=0)
            x += 6 * scene.count("played", seat)
        if seat != scene.seat:
            hand = scene.cards("hand", seat)
            x = canvas.put(x + 1, y, f"{scene.heading('hand')} ", QUIET)
            y += self.tiles(scene, canvas, x, y, hand, canvas.width, gap=0) - 1
        return y + 1

    def draw_piles(self, scene: Scene, canvas: Canvas, y: int) -> None:
        x = 2
        for kind in ("deck", "tactics", "discard"):
            if kind == "deck" or scene.count(kind):
                style = MARK if kind in scene.marked else QUIET
                text = f"{scene.heading(kind)} {scene.count(kind)}"
                x = canvas.put(x, y, text, style, kind) + 2
        self.tiles(scene, canvas, x, y, scene.cards("discard"), canvas.width, gap=0)


BOARD = SchottenBoard
