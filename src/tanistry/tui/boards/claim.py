"""Claim on the table: the card to win, the trick, followers and votes of both players."""

from __future__ import annotations

from collections.abc import Mapping

from tanistry.tui.boards.board import LABEL, QUIET, Board
from tanistry.tui.canvas import Canvas
from tanistry.tui.faces import Cloth, draw_card, draw_empty, draw_tile
from tanistry.tui.scene import Scene

CARD = 6
ROOMY = 16
"""Lines with which there is air around the trick."""


class ClaimBoard(Board):
    """Two players face to face, the card to win and the trick between them."""

    cloths: Mapping[str, Cloth] = {
        "G": Cloth("▲", "#2e7d32"),
        "K": Cloth("✚", "#1f5fa8"),
        "U": Cloth("†", "#5b3f8c"),
        "D": Cloth("■", "#a4551e"),
        "X": Cloth("◐", "#4d5a63"),
    }
    card_width = 4
    in_title = ("phase", "trick")

    def label(self, code: str, scene: Scene) -> str:
        card = self.cards[code]
        return f"{self.letter(card.suit, scene)}{card.value}"

    def letter(self, faction: str, scene: Scene) -> str:
        return scene.say(f"tui.letters.claim.{faction}")

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        below = scene.seat if scene.seat is not None else 0
        above = 1 - below
        air = 1 if canvas.room >= ROOMY else 0
        y = self.draw_seat(scene, canvas, above, 0)
        y = self.draw_middle(scene, canvas, above, below, y + air) + air
        self.draw_seat(scene, canvas, below, y)

    def draw_seat(self, scene: Scene, canvas: Canvas, seat: int, y: int) -> int:
        """Name, hand, followers and votes; the line after them."""
        x = canvas.put(0, y, f"{'▶' if scene.acts(seat) else ' '} {scene.titles[seat]}", LABEL)
        if seat != scene.seat:
            x = canvas.put(x + 2, y, f"{scene.heading('hand')} ", QUIET)
            y += self.tiles(scene, canvas, x, y, scene.cards("hand", seat), canvas.width) - 1
        y += 1
        if scene.count("followers", seat):
            title = f"{scene.heading('followers')} {scene.count('followers', seat)} "
            x = canvas.put(2, y, title, QUIET)
            cards = scene.cards("followers", seat)
            y += self.tiles(scene, canvas, x, y, cards, canvas.width, gap=0)
        title = f"{scene.heading('score')} {scene.count('score', seat)} "
        self.draw_votes(scene, canvas, canvas.put(2, y, title, QUIET), y, seat)
        return y + 1

    def draw_votes(self, scene: Scene, canvas: Canvas, x: int, y: int, seat: int) -> None:
        """Of each faction: how many cards, the highest, and a tick where it would vote so."""
        for vote in scene.tally.get("votes", ()):
            if vote["cards"][seat]:
                tick = "✓" if vote["seat"] == seat else ""
                letter = self.letter(vote["faction"], scene)
                label = f"{letter}×{vote['cards'][seat]}↑{vote['highest'][seat]}{tick}"
                x = draw_tile(canvas, x, y, label, self.cloths[vote["faction"]])

    def draw_middle(self, scene: Scene, canvas: Canvas, above: int, below: int, y: int) -> int:
        """The piles, the card to win and the trick; the line after them."""
        step = (min(canvas.width, 70) - CARD) // 4
        self.draw_pile(scene, canvas, 2, y, "deck")
        prize = next(iter(scene.known("prize")), None)
        self.draw_slot(scene, canvas, step, y, scene.heading("prize"), prize)
        cards, last = self.trick(scene)
        for x, seat in ((2 * step, below), (3 * step, above)):
            name = scene.names[seat] if not last else scene.say("tui.last_trick")
            self.draw_slot(scene, canvas, x, y, name, cards.get(seat), faded=last)
        self.draw_pile(scene, canvas, 4 * step, y, "discard")
        return y + 4

    def draw_slot(
        self, scene: Scene, canvas: Canvas, x: int, y: int, title: str, code: str | None,
        faded: bool = False,
    ) -> None:  # fmt: skip
        canvas.put(x, y, title[: (canvas.width - CARD) // 4 - 1], QUIET)
        if code:
            label = self.label(code, scene)
            draw_card(canvas, x, y + 1, CARD, label, self.cloth(code), dim=faded)
        else:
            draw_empty(canvas, x, y + 1, CARD)

    def draw_pile(self, scene: Scene, canvas: Canvas, x: int, y: int, kind: str) -> None:
        canvas.put(x, y, scene.heading(kind)[:10], QUIET)
        if count := scene.count(kind):
            draw_card(canvas, x, y + 1, CARD, str(count), None)
        else:
            draw_empty(canvas, x, y + 1, CARD)

    def trick(self, scene: Scene) -> tuple[dict[int, str], bool]:
        """The cards of the trick by seat; those of the last one while none is led."""
        now = {seat: code for seat in (0, 1) for code in scene.known("trick", seat)}
        if now:
            return now, False
        places = {place.name: place for place in self.game.definition.places}
        last: dict[int, str] = {}
        for event in reversed(scene.events):
            to = places.get(event.get("to", ""))
            if to and to.kind == "trick" and event.get("card"):
                last.setdefault(to.owner, str(event["card"]))
                if len(last) == 2:
                    break
        return last, bool(last)


BOARD = ClaimBoard
