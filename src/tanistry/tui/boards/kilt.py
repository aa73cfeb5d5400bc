"""King's Kilt on the table: the pyramid as a pyramid, in tartan colours with clan letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich.style import Style

from tanistry.games.contract import Place
from tanistry.match import Game
from tanistry.tui.boards.board import LABEL, QUIET, Board
from tanistry.tui.canvas import Canvas, Spot
from tanistry.tui.faces import MARK, Cloth, draw_tile
from tanistry.tui.scene import Choice, Scene

CELL = 7
PITCH = 8
ROOMY = 62
"""Columns with which there is room for more words."""
LEFT = 6
"""Columns for the numbers of the rows."""


class KiltBoard(Board):
    """The pyramid above, the players and the pile below."""

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

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.cells = [place for place in game.definition.places if place.kind == "pyramid"]
        self.rows = max(place.index[0] for place in self.cells)

    def hand(self, scene: Scene) -> list[str]:
        """Influence cards; the family when one of them must be revealed."""
        return ["family" if scene.view["decision"] == "reveal" else "influence"]

    def spots(self, choice: Choice, scene: Scene) -> set[Spot]:
        gap: Mapping[str, Any] = scene.tally.get("gap", {})
        if choice["verb"] == "fill" and gap:
            return {gap["cell"], gap[choice["side"]]}
        return super().spots(choice, scene)

    def status(self, scene: Scene) -> str:
        return ""

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        below = 3 + scene.game.seats
        lines = 2 if canvas.room >= 2 * self.rows + below else 1
        for cell in self.cells:
            row, column = cell.index
            x = LEFT + (row - 1) * PITCH // 2 + column * PITCH
            self.draw_cell(scene, canvas, cell, x, lines * (self.rows - row), lines)
        for row in scene.tally.get("rows", ()):
            self.draw_rank(scene, canvas, row, lines * (self.rows - row["row"]))
        y = lines * self.rows
        for seat in range(scene.game.seats):
            self.draw_seat(scene, canvas, seat, y + seat)
        y += scene.game.seats
        x = canvas.put(0, y, f"{scene.heading('deck')} {scene.count('deck')} ", QUIET)
        self.tiles(scene, canvas, x, y, scene.known("deck")[:1], canvas.width)
        for line, kind in enumerate(("discard", "removed"), 1):
            x = canvas.put(0, y + line, f"{scene.heading(kind)} {scene.count(kind)} ", QUIET)
            self.draw_counted(scene, canvas, x, y + line, kind)

    def draw_rank(self, scene: Scene, canvas: Canvas, row: Mapping[str, Any], y: int) -> None:
        """The row's number; what a card is worth there stands where the pyramid leaves room."""
        x = canvas.put(0, y, str(row["row"]), QUIET)
        if row["points"]:
            canvas.put(x + 1, y, scene.say(f"tui.ranks.{row['rank']}"), LABEL)
            points = scene.say("tui.worth", points=row["points"])
            canvas.put(canvas.width - len(points), y, points, QUIET)

    def draw_cell(
        self, scene: Scene, canvas: Canvas, cell: Place, x: int, y: int, lines: int
    ) -> None:
        code = next(iter(scene.known(cell.kind, cell.owner, *cell.index)), None)
        number = str(cell.index[1] + 1)
        marked = cell.name in scene.marked
        if code is None:
            vacuum = scene.tally.get("gap", {}).get("cell") == cell.name
            style = MARK if vacuum or marked else Style(color="#4a545d")
            canvas.put(x, y, "╭──?──╮" if vacuum else "╭╌╌╌╌╌╮", style, cell.name)
            if lines == 2:
                canvas.put(x, y + 1, f"╰──{number}──╯", style, cell.name)
            return
        cloth = self.cloth(code)
        left, right = ("›", "‹") if marked else ("▞", "▚")
        edge = MARK + Style(bgcolor=cloth.ground) if marked else cloth.edge()
        if marked and cloth.ink != "#ffffff":
            edge = cloth.style()
        first = f"{code:^5}" if lines == 2 else f"{cloth.symbol}{code:<3}{number}"
        canvas.put(x, y, f" {first} ", cloth.style(), cell.name)
        if lines == 2:
            canvas.put(x, y + 1, f" {cloth.symbol:^3}{number} ", cloth.style(bold=False), cell.name)
        for line in range(y, y + lines):
            canvas.put(x, line, left, edge, cell.name)
            canvas.put(x + CELL - 1, line, right, edge, cell.name)

    def draw_seat(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> None:
        name = f"{'▶' if scene.acts(seat) else ' '} {scene.titles[seat]}"
        canvas.put(0, y, name[:16], LABEL)
        points = scene.say("tui.points", points=scene.tally["points"][seat])
        unsure = "+?" if scene.tally["hidden"][seat] else ""
        x = canvas.put(17, y, f"{points}{unsure}", "bold")
        x = max(x + 1, 25)
        if canvas.width >= ROOMY:
            x = canvas.put(x, y, f"{scene.heading('family')} ", QUIET)
        self.tiles(scene, canvas, x, y, scene.cards("family", seat), canvas.width, gap=0)
        text = f"{scene.heading('influence')} {scene.count('influence', seat)}"
        if seat in scene.facts.get("passed", ()):
            text = scene.say("tui.passed")
        canvas.put(canvas.width - len(text), y, text, QUIET)

    def draw_counted(self, scene: Scene, canvas: Canvas, x: int, y: int, kind: str) -> None:
        """Clans and how many of each, chiefs counted with their clan."""
        clans = Counter(self.group(code) for code in scene.known(kind))
        for clan, count in clans.items():
            label = clan + (str(count) if count > 1 else "")
            x = draw_tile(canvas, x, y, label, self.cloths[clan])


BOARD = KiltBoard
