"""The picture of a table for any game: its places in a list, its cards as coloured tiles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tanistry.match import Game
from tanistry.session.describe import card_of, fact_text
from tanistry.tui.canvas import Canvas
from tanistry.tui.faces import PLAIN_CLOTHS, Cloth, draw_tile, tile_width
from tanistry.tui.scene import Scene, flags, pieces

LABEL = "bold #d8c9a3"
QUIET = "#8a949e"
MARKED = "bold #ffffff"


class Board:
    """Draws scenes of one game, and knows which spots its tokens are about."""

    cloths: Mapping[str, Cloth] = {}
    """Colours and symbols by the letters of a card's code; made up where there are none."""
    card_width = 5
    """Of a card in the hand, in characters."""
    in_title: Sequence[str] = ()
    """The facts to show in the title bar; all numbers and texts if none are named."""
    height = 20
    """Lines it would like to have."""

    def __init__(self, game: Game) -> None:
        self.game = game
        stems = dict.fromkeys(stem_of(code) for code in game.codes)
        if not self.cloths:
            self.cloths = {
                stem: PLAIN_CLOTHS[index % len(PLAIN_CLOTHS)] for index, stem in enumerate(stems)
            }

    # -- cards ------------------------------------------------------------------------------------

    def cloth(self, code: str) -> Cloth:
        return self.cloths.get(stem_of(code)) or PLAIN_CLOTHS[0]

    def label(self, code: str) -> str:
        """What is written on a card."""
        return code

    def back(self, entry: Any) -> str:
        """What is written on the back of a card."""
        return str(flags(entry).get("back", ""))[:1].upper()

    # -- choices ----------------------------------------------------------------------------------

    def hand(self, scene: Scene) -> list[str]:
        """The places whose cards the person chooses from, shown large at the bottom."""
        own = [
            place.name
            for place in self.game.definition.places
            if place.owner == scene.seat and place.seen == "owner"
        ]
        return own[:1]

    def spots(self, token: str, scene: Scene) -> set[str]:
        """The spots that a token is about, as `draw` names them."""
        return pieces(token)

    def hand_code(self, token: str, held: set[str]) -> str:
        """The card of the hand that a token is about; empty if it is about none."""
        return next((piece for piece in re.split(r"[ @]+", token) if piece in held), "")

    # -- drawing ----------------------------------------------------------------------------------

    def status(self, scene: Scene) -> str:
        """Facts worth a place in the title bar."""
        shown = []
        for key, value in scene.facts.items():
            if self.in_title and key not in self.in_title:
                continue
            label = scene.words.find(f"facts.{key}")
            if isinstance(value, (int, str)) and not isinstance(value, bool):
                shown.append(f"{label if isinstance(label, str) else key} {fact_text(value)}")
        return " · ".join(shown)

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        """Draw the table: here, a line or more for every place with cards in it."""
        y = 0
        hand = self.hand(scene)
        for name, entries in scene.view["places"].items():
            if name in hand:
                continue
            canvas.put(0, y, scene.place(name)[:22], LABEL, name)
            y += self.tiles(scene, canvas, 24, y, entries, canvas.width)

    def tiles(
        self, scene: Scene, canvas: Canvas, x: int, y: int, entries: Sequence[Any], right: int,
        spots: Sequence[str] = (), dim: bool = False,
    ) -> int:  # fmt: skip
        """Cards as tiles, unknown ones counted; how many lines they took."""
        start, top = x, y
        unknown: dict[str, int] = {}
        for index, entry in enumerate(entries):
            if entry is None:
                continue
            code = card_of(entry)
            spot = spots[index] if index < len(spots) else (code or "")
            if code is None and not spots:
                unknown[self.back(entry)] = unknown.get(self.back(entry), 0) + 1
                continue
            label = self.label(code) if code else self.back(entry)
            cloth = self.cloth(code) if code else None
            if x + tile_width(label, cloth) > right and x > start:
                x, y = start, y + 1
            x = draw_tile(canvas, x, y, label, cloth, spot, spot in scene.marked, dim) + 1
        for back, count in unknown.items():
            label = f"{back}×{count}" if count > 1 else back
            if x + len(label) + 2 > right and x > start:
                x, y = start, y + 1
            x = draw_tile(canvas, x, y, label, None) + 1
        return y - top + 1


def stem_of(code: str) -> str:
    """The letters before a card's value: `G3` → `G`, `BR!` → `BR`."""
    return re.sub(r"[\d!]+$", "", code) or code
