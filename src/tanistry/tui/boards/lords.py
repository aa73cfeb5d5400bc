"""Lords of Scotland on the table: recruits, supporters, and up to five armies, a few lines each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tanistry.session.describe import card_of
from tanistry.tui.boards.board import LABEL, QUIET, Board
from tanistry.tui.canvas import Canvas, Spot
from tanistry.tui.faces import Cloth, draw_tile, tile_width
from tanistry.tui.scene import Choice, Scene, flags, place_names

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

    def status(self, scene: Scene) -> str:
        parts = [scene.say("tui.round", round=scene.facts.get("round", ""))]
        holder = scene.facts.get("initiative")
        if isinstance(holder, int):
            parts.append(f"{scene.words.text('facts.initiative')} {scene.names[holder]}")
        return " · ".join(parts)

    def asked_of(self, scene: Scene) -> str | None:
        """The card whose power may be used: the one just engaged."""
        if scene.view["decision"] != "power":
            return None
        engaged = (event["card"] for event in reversed(scene.events) if event["type"] == "face_up")
        return next(engaged, None)

    def spots(self, choice: Choice, scene: Scene) -> set[Spot]:
        code = self.asked_of(scene)
        return {code} if code else super().spots(choice, scene)

    def prompt(self, scene: Scene) -> str:
        """Which power is asked about."""
        code = self.asked_of(scene)
        if code is None:
            return ""
        power = scene.words.text(f"powers.{self.cards[code].suit}")
        return scene.say("tui.use_power", card=scene.words.card(code), power=power)

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        x = canvas.put(0, 0, f"{scene.heading('recruits')} ", QUIET)
        self.draw_recruits(scene, canvas, max(x, ARMY), 0)
        x = canvas.put(0, 1, f"{scene.heading('supporters')} ", QUIET)
        self.tiles(scene, canvas, max(x, ARMY), 1, scene.cards("supporters"), canvas.width)
        piles = [f"{scene.heading(kind)} {scene.count(kind)}" for kind in ("deck", "discard")]
        text = "  ".join(piles)
        canvas.put(max(x, ARMY), 2, text, QUIET)
        seats = scene.game.seats
        air = 1 if canvas.room >= 3 + 3 * seats else 0
        y = 3
        for seat in range(seats):
            y = self.draw_seat(scene, canvas, seat, y) + air

    def draw_recruits(self, scene: Scene, canvas: Canvas, x: int, y: int) -> None:
        place = place_names(self.game.definition)["recruits", -1, ()]
        for slot, entry in enumerate(scene.cards("recruits")):
            spot: Spot = (place, slot)
            code = card_of(entry) if entry is not None else None
            x = canvas.put(x, y, str(slot + 1), LABEL if spot in scene.marked else QUIET, spot)
            if entry is None:
                x = canvas.put(x, y, " –    ", QUIET, spot)
                continue
            cloth = self.cloth(code) if code else None
            x = draw_tile(canvas, x, y, code or "▒▒", cloth, spot, spot in scene.marked) + 1

    def draw_seat(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> int:
        """A line about the player, and the army below it; the line after."""
        leads = "★" if scene.facts.get("initiative") == seat else " "
        style = "bold #ffffff" if scene.acts(seat) else LABEL
        name = f"{'▶' if scene.acts(seat) else ' '}{leads}{scene.titles[seat]}"
        canvas.put(0, y, name[:19], style)
        x = canvas.put(20, y, f"{scene.heading('victory')} ", QUIET)
        x = canvas.put(x, y, str(scene.tally["score"][seat]), "bold")
        x = canvas.put(x, y, f"/{scene.game.options['target']}", QUIET)
        if seat != scene.seat:
            title = f"{scene.heading('hand')} {scene.count('hand', seat)} "
            x = canvas.put(max(x + 2, 36), y, title, QUIET)
            self.draw_known(canvas, x, y, scene.known("hand", seat))
        return self.draw_army(scene, canvas, seat, y + 1)

    def draw_known(self, canvas: Canvas, x: int, y: int, codes: list[str]) -> None:
        """Cards known to be in a hand, as narrow as can be."""
        for index, code in enumerate(codes):
            if x + len(code) > canvas.width - (3 if index < len(codes) - 1 else 0):
                canvas.put(x, y, f"+{len(codes) - index}", QUIET)
                return
            x = canvas.put(x, y, code, self.cloth(code).style(dim=True)) + 1

    def draw_army(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> int:
        """Strength, highest rank and the allies in order; a long army goes on below."""
        army = scene.tally["armies"][seat]
        unknown = "+?" if army["hidden"] else ""
        doubled = "×2" if army["doubled"] else ""
        x = canvas.put(1, y, f"Σ{army['strength']}{unknown}{doubled}", "bold")
        if army["rank"] is not None:
            canvas.put(x, y, f" ⌃{army['rank']}", QUIET)
        place = place_names(self.game.definition)["army", seat, ()]
        x = ARMY
        for slot, entry in enumerate(scene.cards("army", seat)):
            label, dim = self.ally(scene, entry)
            code = card_of(entry)
            cloth = self.cloth(code) if code else None
            if x + tile_width(label, cloth) > canvas.width:
                x, y = ARMY, y + 1
            spot: Spot = (place, slot)
            x = draw_tile(canvas, x, y, label, cloth, spot, spot in scene.marked, dim)
        return y + 1

    def ally(self, scene: Scene, entry: Any) -> tuple[str, bool]:
        """A card of an army: in brackets if face down, `*` and the clan's letters for an active
        power that is another's, `*` alone for its own, `~` if it has stayed."""
        code, marks = card_of(entry), flags(entry)
        if code is None:
            return "?", False
        if not marks.get("up", True):
            return f"({code})", True
        active = marks.get("active")
        copied = active if active and active != self.cards[code].suit else ""
        sign = f"*{copied}" if active else ("~" if marks.get("spent") else "")
        return f"{code}{sign}", False


BOARD = LordsBoard
