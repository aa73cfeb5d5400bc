"""King's Kilt on the table: the pyramid as a pyramid, in tartan colours with clan letters."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rich.style import Style

from tanistry.tui.boards.board import LABEL, QUIET, Board
from tanistry.tui.canvas import Canvas
from tanistry.tui.faces import MARK, Cloth, draw_tile
from tanistry.tui.scene import Scene, pieces

ROWS = 6
CELL = 7
PITCH = 8
RANKS = {6: "king", 5: "guardians", 4: "nobles"}


class KiltBoard(Board):
    """The pyramid above, the seats and the pile below."""

    cloths: Mapping[str, Cloth] = {
        "BR": Cloth("▲", "#a3262a", "#ffffff", "#3f9b4f"),
        "BU": Cloth("■", "#c9a227", "#000000", "#a3262a"),
        "DO": Cloth("♥", "#6b7075", "#ffffff", "#1a1a1a"),
        "HA": Cloth("♣", "#8e2f5c", "#ffffff", "#6f8fd8"),
        "MB": Cloth("●", "#1f3fa8", "#ffffff", "#e3c341"),
        "MK": Cloth("◆", "#2f6b3a", "#ffffff", "#7fa8d8"),
        "ML": Cloth("✚", "#e6cf3c", "#000000", "#000000"),
        "ST": Cloth("★", "#e9e6dc", "#000000", "#b02a2a"),
        "WA": Cloth("♠", "#3a1414", "#ffffff", "#d04a3a"),
    }
    in_title = ("vacuum",)
    height = 20

    def hand(self, scene: Scene) -> list[str]:
        """Influence cards; the family when one of them must be revealed."""
        return [scene.own("family" if scene.view["decision"] == "reveal" else "influence")]

    def spots(self, token: str, scene: Scene) -> set[str]:
        found = pieces(token)
        if climb := re.fullmatch(r"climb (\d)\.(\d)([<>])", token):
            row, column = int(climb[1]), int(climb[2])
            found.add(f"{row + 1}.{column - (climb[3] == '<')}")
        vacuum = scene.facts.get("vacuum")
        if (fill := re.fullmatch(r"fill ([<>])", token)) and vacuum:
            row, column = (int(part) for part in str(vacuum).split("."))
            found |= {str(vacuum), f"{row - 1}.{column + (fill[1] == '>')}"}
        return found

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        for row in range(ROWS, 0, -1):
            self.draw_row(scene, canvas, row, 2 * (ROWS - row))
        y = 2 * ROWS + (1 if canvas.height > self.height else 0)
        for seat in range(scene.game.seats):
            self.draw_seat(scene, canvas, seat, y + seat)
        y += scene.game.seats
        canvas.put(0, y, f"{scene.heading('deck')} {scene.count('deck')}", QUIET)
        self.tiles(scene, canvas, 13, y, [c for c in scene.codes("deck")[:1] if c], canvas.width)
        for line, place in enumerate(("discard", "removed"), 1):
            canvas.put(0, y + line, f"{scene.heading(place)} {scene.count(place)}", QUIET)
            self.draw_counted(scene, canvas, 13, y + line, place)

    def draw_row(self, scene: Scene, canvas: Canvas, row: int, y: int) -> None:
        left = max(0, (canvas.width - ROWS * PITCH) // 2) + (row - 1) * PITCH // 2
        if rank := RANKS.get(row):
            canvas.put(0, y, scene.say(f"tui.ranks.{rank}"), LABEL)
        for column in range(ROWS + 1 - row):
            self.draw_cell(scene, canvas, f"{row}.{column}", left + column * PITCH, y)

    def draw_cell(self, scene: Scene, canvas: Canvas, cell: str, x: int, y: int) -> None:
        code = next(iter(scene.codes(f"pyramid.{cell}")), None)
        marked = cell in scene.marked
        if code is None:
            vacuum = scene.facts.get("vacuum") == cell
            style = MARK if vacuum or marked else Style(color="#4a545d")
            canvas.put(x, y, "╭──?──╮" if vacuum else "╭╌╌╌╌╌╮", style, cell)
            canvas.put(x, y + 1, f"╰ {cell} ╯", style, cell)
            return
        cloth = self.cloth(code)
        left, right = ("›", "‹") if marked else ("▞", "▚")
        edge = MARK + Style(bgcolor=cloth.ground) if marked else cloth.edge()
        if marked and cloth.ink != "#ffffff":
            edge = cloth.style()
        canvas.put(x, y, f" {code:^5} ", cloth.style(), cell)
        canvas.put(x, y + 1, f" {cloth.symbol} {cell} ", cloth.style(bold=False), cell)
        for line in (y, y + 1):
            canvas.put(x, line, left, edge, cell)
            canvas.put(x + CELL - 1, line, right, edge, cell)

    def draw_seat(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> None:
        acting = scene.view["to_act"] == seat
        canvas.put(0, y, f"{'▶' if acting else ' '} {scene.titles[seat]}"[:22], LABEL)
        x = canvas.put(23, y, f"{scene.heading('family')} ", QUIET)
        self.tiles(scene, canvas, x, y, scene.cards(f"family.{seat}"), canvas.width)
        x = canvas.put(50, y, f"{scene.heading('influence')} ", QUIET)
        canvas.put(x, y, str(scene.count(f"influence.{seat}")), LABEL)
        if seat in scene.facts.get("passed", ()):
            canvas.put(x + 2, y, scene.say("tui.passed")[:6], QUIET)

    def draw_counted(self, scene: Scene, canvas: Canvas, x: int, y: int, place: str) -> None:
        """Clans and how many of each, chiefs counted with their clan."""
        clans = [code.rstrip("!") for code in scene.codes(place) if code]
        for clan in dict.fromkeys(clans):
            count = clans.count(clan)
            x = draw_tile(canvas, x, y, clan + (str(count) if count > 1 else ""), self.cloth(clan))


BOARD = KiltBoard
