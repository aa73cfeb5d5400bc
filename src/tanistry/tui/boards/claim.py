"""Claim on the table: the prize, the trick, followers and score piles of both seats."""

from __future__ import annotations

from collections.abc import Mapping

from tanistry.tui.boards.board import LABEL, QUIET, Board
from tanistry.tui.canvas import Canvas
from tanistry.tui.faces import Cloth, draw_card, draw_empty, draw_tile
from tanistry.tui.scene import Scene

FACTIONS = "GKUDX"
CARD = 6


class ClaimBoard(Board):
    """Two seats face to face, the prize and the trick between them."""

    cloths: Mapping[str, Cloth] = {
        "G": Cloth("▲", "#2e7d32"),
        "K": Cloth("✚", "#1f5fa8"),
        "U": Cloth("†", "#5b3f8c"),
        "D": Cloth("■", "#a4551e"),
        "X": Cloth("◐", "#4d5a63"),
    }
    card_width = 4
    in_title = ("phase", "trick")
    height = 18

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        below = scene.seat if scene.seat is not None else 0
        above = 1 - below
        spare = max(0, canvas.height - self.height)
        self.draw_seat(scene, canvas, above, 0)
        self.draw_middle(scene, canvas, above, below, 6 + spare // 2)
        self.draw_seat(scene, canvas, below, 13 + spare)

    def draw_seat(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> None:
        acting = scene.view["to_act"] == seat
        canvas.put(0, y, f"{'▶' if acting else ' '} {scene.titles[seat]}", LABEL)
        hand = scene.cards(f"hand.{seat}")
        if seat != scene.seat:
            canvas.put(22, y, scene.heading("hand"), QUIET)
            self.tiles(scene, canvas, 28, y, hand, canvas.width)
            y += 1
        followers, score = f"followers.{seat}", f"score.{seat}"
        canvas.put(2, y + 1, f"{scene.heading('followers')} {scene.count(followers)}", QUIET)
        self.tiles(scene, canvas, 19, y + 1, scene.cards(followers), canvas.width)
        canvas.put(2, y + 3, f"{scene.heading('score')} {scene.count(score)}", QUIET)
        self.draw_score(canvas, 19, y + 3, [code for code in scene.codes(score) if code])

    def draw_score(self, canvas: Canvas, x: int, y: int, codes: list[str]) -> None:
        """What counts for the votes (claim.vote): how many of each faction, and the highest."""
        for faction in FACTIONS:
            values = [int(code[1:]) for code in codes if code[0] == faction]
            if values:
                label = f"{faction}×{len(values)}↑{max(values)}"
                x = draw_tile(canvas, x, y, label, self.cloth(faction)) + 1

    def draw_middle(self, scene: Scene, canvas: Canvas, above: int, below: int, y: int) -> None:
        canvas.put(0, y, "─" * canvas.width, QUIET)
        canvas.put(0, y + 6, "─" * canvas.width, QUIET)
        y += 1
        self.draw_pile(scene, canvas, 2, y, "deck")
        self.draw_one(scene, canvas, 12, y, "prize", scene.heading("prize"))
        cards, faded = self.trick(scene)
        for x, seat in ((30, below), (42, above)):
            canvas.put(x, y, scene.names[seat][:11], QUIET)
            if code := cards.get(seat):
                draw_card(canvas, x, y + 1, CARD, code, self.cloth(code), dim=faded)
            else:
                draw_empty(canvas, x, y + 1, CARD)
        if faded:
            canvas.put(30, y + 4, scene.say("tui.last_trick"), QUIET)
        self.draw_pile(scene, canvas, 55, y, "discard")

    def draw_one(
        self, scene: Scene, canvas: Canvas, x: int, y: int, place: str, title: str
    ) -> None:
        canvas.put(x, y, title[:16], QUIET)
        code = next(iter(scene.codes(place)), None)
        if code:
            draw_card(canvas, x, y + 1, CARD, code, self.cloth(code))
        else:
            draw_empty(canvas, x, y + 1, CARD)

    def draw_pile(self, scene: Scene, canvas: Canvas, x: int, y: int, place: str) -> None:
        canvas.put(x, y, scene.heading(place)[:10], QUIET)
        count = scene.count(place)
        if count:
            draw_card(canvas, x, y + 1, CARD, str(count), None)
        else:
            draw_empty(canvas, x, y + 1, CARD)

    def trick(self, scene: Scene) -> tuple[dict[int, str], bool]:
        """The cards of the trick by seat; those of the last one, faded, while none is led."""
        now = {n: code for n in (0, 1) for code in scene.codes(f"trick.{n}") if code}
        if now:
            return now, False
        last: dict[int, str] = {}
        for event in reversed(scene.events):
            to = str(event.get("to", ""))
            if event["type"] == "move" and to.startswith("trick.") and event.get("card"):
                last.setdefault(int(to[-1]), str(event["card"]))
                if len(last) == 2:
                    break
        return last, bool(last)


BOARD = ClaimBoard
