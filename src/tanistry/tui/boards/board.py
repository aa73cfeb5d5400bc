"""The picture of a table for any game: its places in a list, its cards as coloured tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tanistry.games.contract import Part
from tanistry.match import Game
from tanistry.session.describe import capital, card_of, place_title
from tanistry.tui.canvas import Canvas, Spot
from tanistry.tui.faces import PLAIN_CLOTHS, Cloth, draw_tile, tile_width
from tanistry.tui.scene import Choice, Scene, flags

LABEL = "bold #d8c9a3"
QUIET = "#8a949e"
TILES = 24
"""The column where the cards of a place begin in a list of places."""


class Board:
    """Draws scenes of one game, and knows which spots its choices are about."""

    cloths: Mapping[str, Cloth] = {}
    """Colours and symbols by a card's suit, or its code if it has none; made up if not given."""
    card_width = 5
    """Of a card in the hand, in characters."""
    in_title: Sequence[str] = ()
    """The facts to show in the title bar; all numbers and texts if none are named."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cards = {card.code: card for card in game.cards}
        if not self.cloths:
            groups = dict.fromkeys(map(self.group, self.cards))
            self.cloths = {
                group: PLAIN_CLOTHS[index % len(PLAIN_CLOTHS)] for index, group in enumerate(groups)
            }

    # -- cards ------------------------------------------------------------------------------------

    def group(self, code: str) -> str:
        """What cards of one colour have in common: the suit, or the card itself without one."""
        return self.cards[code].suit or code

    def cloth(self, code: str) -> Cloth:
        return self.cloths.get(self.group(code)) or PLAIN_CLOTHS[0]

    def label(self, code: str, scene: Scene) -> str:
        """What is written on a card."""
        return code

    def back(self, entry: Any, scene: Scene) -> str:
        """What is written on the back of a card."""
        return capital(scene.words.phrase(f"backs.{flags(entry).get('back')}"))[:1]

    # -- choices ----------------------------------------------------------------------------------

    def hand(self, scene: Scene) -> list[str]:
        """The kinds of places whose cards the person chooses from, shown large at the bottom."""
        own = [
            place.kind
            for place in self.game.definition.places
            if place.owner == scene.seat and place.seen == "owner"
        ]
        return own[:1]

    def parts(self, choice: Choice) -> Iterator[tuple[Part, Any]]:
        """What a choice names, and what that is."""
        for part in self.game.parts(choice["token"]):
            yield part, choice[part.name]

    def spots(self, choice: Choice, scene: Scene) -> set[Spot]:
        """The spots that a choice is about, as `draw` names them: cards by their code, places by
        their name, alone or with a slot."""
        named = {part.shape.type: value for part, value in self.parts(choice)}
        if "slot" in named:
            return {(named["place"], named["slot"])}
        types = ("card", "place")
        return {value for part, value in self.parts(choice) if part.shape.type in types}

    def hand_card(self, choice: Choice, held: set[str]) -> str:
        """The card of the hand that a choice is about; empty if it is about none."""
        cards = (value for part, value in self.parts(choice) if part.shape.type == "card")
        return next((card for card in cards if card in held), "")

    def prompt(self, scene: Scene) -> str:
        """What is asked now, where the words for the decision do not say it all."""
        return ""

    # -- drawing ----------------------------------------------------------------------------------

    def status(self, scene: Scene) -> str:
        """Facts worth a place in the title bar."""
        shown = []
        shapes = {fact.name: fact.shape for fact in self.game.definition.facts}
        for key, value in scene.facts.items():
            if self.in_title and key not in self.in_title:
                continue
            if isinstance(value, (int, str)) and not isinstance(value, bool):
                text = scene.words.worded(value, shapes[key], scene.names)
                shown.append(f"{scene.words.phrase(f'facts.{key}', key)} {text}")
        return " · ".join(shown)

    def draw(self, scene: Scene, canvas: Canvas) -> None:
        """Draw the table: here, a line or more for every place with cards in it."""
        y = 0
        hand = self.hand(scene)
        for place in self.game.definition.places:
            entries = scene.cards(place.kind, place.owner, *place.index)
            if not entries or (place.owner == scene.seat and place.kind in hand):
                continue
            title = place_title(place, scene.names, scene.words, scene.say)
            if canvas.put(0, y, title, LABEL, place.name) >= TILES:
                y += 1  # a long title has a line of its own
            slots = [(place.name, slot) for slot in range(len(entries))]
            listed = slots if place.order in ("row", "slots") else ()
            y += self.tiles(scene, canvas, TILES, y, entries, canvas.width, listed)

    def tiles(
        self, scene: Scene, canvas: Canvas, x: int, y: int, entries: Sequence[Any], right: int,
        spots: Sequence[Spot] = (), gap: int = 1,
    ) -> int:  # fmt: skip
        """Cards as tiles, unknown ones counted; how many lines they took."""
        start, top = x, y
        unknown: Counter[str] = Counter()
        for index, entry in enumerate(entries):
            if entry is None:
                continue
            code = card_of(entry)
            spot = spots[index] if index < len(spots) else code
            back = self.back(entry, scene)
            if code is None and not spots:
                unknown[back] += 1
                continue
            label = self.label(code, scene) if code else back
            cloth = self.cloth(code) if code else None
            if x + tile_width(label, cloth) > right and x > start:
                x, y = start, y + 1
            x = draw_tile(canvas, x, y, label, cloth, spot, spot in scene.marked) + gap
        for back, count in unknown.items():
            label = f"{back}×{count}" if count > 1 else back
            if x + len(label) + 2 > right and x > start:
                x, y = start, y + 1
            x = draw_tile(canvas, x, y, label, None) + gap
        return y - top + 1
