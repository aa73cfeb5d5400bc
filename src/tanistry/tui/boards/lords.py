"""Lords of Scotland on the table: recruits, supporters, and up to five armies, a few lines each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tanistry.session.describe import card_of
from tanistry.tui.boards.board import LABEL, QUIET, Board
from tanistry.tui.canvas import Canvas
from tanistry.tui.faces import Cloth, draw_tile
from tanistry.tui.scene import Scene, flags, pieces

ARMY = 11
"""The column where armies begin."""


class LordsBoard(Board):
    """The symbol on a card reminds of its clan's power."""

    cloths: Mapping[str, Cloth] = {
        "SC": Cloth("◐", "#dcd8cc", "#000000", "#000000"),
        "MK": Cloth("✚", "#c0272d", "#ffffff", "#e8c547"),
        "MD": Cloth("∞", "#22315c", "#ffffff", "#d04a4a"),
        "WE": Cloth("×", "#7a1620", "#ffffff", "#e8e8e8"),
        "FE": Cloth("↔", "#2a6f97", "#ffffff", "#6bbf7a"),
        "FO": Cloth("↓", "#4f9d69", "#000000", "#1d4e89"),
        "CB": Cloth("↕", "#2d5a27", "#ffffff", "#8fb8e8"),
        "CR": Cloth("‡", "#0f3d2e", "#ffffff", "#e05a4f"),
        "BR": Cloth("★", "#a3262a", "#ffffff", "#3f9b4f"),
    }
    card_width = 5
    height = 19

    def spots(self, token: str, scene: Scene) -> set[str]:
        if slot := re.fullmatch(r"(?:recruit|flip) (\d)", token):
            return {f"slot {slot[1]}"}
        return pieces(token)

    def status(self, scene: Scene) -> str:
        parts = [f"{scene.words.text('facts.round')} {scene.facts.get('round')}/5"]
        holder = scene.facts.get("initiative")
        if isinstance(holder, int):
            parts.append(f"{scene.words.text('facts.initiative')} {scene.names[holder]}")
        return " · ".join(parts)

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        canvas.put(0, 0, scene.heading("recruits"), QUIET)
        self.draw_recruits(scene, canvas, ARMY + 2, 0)
        canvas.put(0, 1, scene.heading("supporters"), QUIET)
        self.tiles(scene, canvas, ARMY + 2, 1, scene.cards("supporters"), canvas.width)
        piles = [f"{scene.heading(place)} {scene.count(place)}" for place in ("deck", "discard")]
        canvas.put(canvas.width - len("  ".join(piles)) - 1, 2, "  ".join(piles), QUIET)
        seats = scene.game.seats
        lines = max(2, min(4, (canvas.height - 3) // seats))
        for seat in range(seats):
            self.draw_seat(scene, canvas, seat, 3 + seat * lines, lines)

    def draw_recruits(self, scene: Scene, canvas: Canvas, x: int, y: int) -> None:
        for index, entry in enumerate(scene.cards("recruits"), 1):
            spot = f"slot {index}"
            code = card_of(entry) if entry is not None else None
            x = canvas.put(x, y, str(index), LABEL if spot in scene.marked else QUIET, spot)
            if entry is None:
                x = canvas.put(x, y, " –    ", QUIET, spot)
                continue
            cloth = self.cloth(code) if code else None
            x = draw_tile(canvas, x, y, code or "▒▒", cloth, spot, spot in scene.marked) + 2

    def draw_seat(self, scene: Scene, canvas: Canvas, seat: int, y: int, lines: int) -> None:
        acting = scene.view["to_act"] == seat
        leads = "★" if scene.facts.get("initiative") == seat else " "
        style = "bold #ffffff" if acting else LABEL
        canvas.put(0, y, f"{'▶' if acting else ' '}{leads}{scene.titles[seat]}"[:23], style)
        victory = [code for code in scene.codes(f"victory.{seat}") if code]
        points = sum(strength(code) for code in victory)
        x = canvas.put(24, y, f"{scene.heading('victory')} {points}", "bold")
        canvas.put(x, y, f"/{scene.game.options.get('target', 40)}", QUIET)
        if seat != scene.seat:
            x = canvas.put(39, y, f"{scene.heading('hand')} {scene.count(f'hand.{seat}')} ", QUIET)
            known = [code for code in scene.codes(f"hand.{seat}") if code]
            self.draw_known(canvas, x, y, known)
        self.draw_army(scene, canvas, seat, y + 1)

    def draw_known(self, canvas: Canvas, x: int, y: int, codes: list[str]) -> None:
        """Cards known to be in a hand, as narrow as can be."""
        for index, code in enumerate(codes):
            if x + len(code) > canvas.width - (3 if index < len(codes) - 1 else 0):
                canvas.put(x, y, f"+{len(codes) - index}", QUIET)
                return
            x = canvas.put(x, y, code, self.cloth(code).style(dim=True)) + 1

    def draw_army(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> None:
        """The allies in order and the sum of those one knows; a long army goes on below."""
        entries = scene.cards(f"army.{seat}")
        known = [code for entry in entries if (code := card_of(entry))]
        total = sum(strength(code) for code in known)
        unknown = "+?" if len(known) < len(entries) else ""
        canvas.put(3, y, f"Σ {total}{unknown}", "bold")
        x = ARMY
        for index, entry in enumerate(entries, 1):
            if x + 9 > canvas.width:
                x, y = ARMY, y + 1
            x = self.draw_ally(scene, canvas, x, y, f"{seat}.{index}", entry)

    def draw_ally(self, scene: Scene, canvas: Canvas, x: int, y: int, spot: str, entry: Any) -> int:
        """A card of an army: face down in brackets, `*` for an active power, `~` for one spent."""
        code, marks = card_of(entry), flags(entry)
        marked = spot in scene.marked
        if code is None:
            return draw_tile(canvas, x, y, "?" if not marked else "›?‹", None, spot) + 1
        sign = "*" if marks.get("active") else ("~" if marks.get("spent") else "")
        if marks.get("up", True):
            return draw_tile(canvas, x, y, code + sign, self.cloth(code), spot, marked) + 1
        label = f"({code})"
        return draw_tile(canvas, x, y, label, self.cloth(code), spot, marked, dim=True) + 1


def strength(code: str) -> int:
    """The number on a card; the two Bruce cards, named after their ranks, have 12."""
    return 12 if code.startswith("BR") else int(code[2:])


BOARD = LordsBoard
