"""The parts of the screen. They draw what they are given and report what was clicked."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from textual.events import Click
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tanistry.tui.boards import Board
from tanistry.tui.canvas import Canvas
from tanistry.tui.faces import MARK, draw_card
from tanistry.tui.scene import Scene


class Sheet(Widget, can_focus=False):
    """A canvas on the screen; clicking on one of its spots posts `Picked`."""

    class Picked(Message):
        """A spot was clicked."""

        def __init__(self, sheet: Sheet, spot: str) -> None:
            super().__init__()
            self.sheet = sheet
            self.spot = spot

        @property
        def control(self) -> Sheet:
            return self.sheet

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.painter: Callable[[Canvas], None] | None = None
        self.canvas = Canvas(1, 1)

    def paint(self, painter: Callable[[Canvas], None]) -> None:
        """Draw anew with `painter`, now and whenever the size changes."""
        self.painter = painter
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self.canvas = Canvas(max(1, self.size.width), max(1, self.size.height))
        if self.painter:
            self.painter(self.canvas)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        ground = self.rich_style
        strip = Strip(Segment.apply_style(self.canvas.segments(y), ground))
        return strip.adjust_cell_length(self.size.width, ground)

    def on_click(self, event: Click) -> None:
        if spot := self.canvas.spot_at(event.x, event.y):
            self.post_message(self.Picked(self, spot))


def draw_hand(
    board: Board,
    scene: Scene,
    codes: list[str],
    cursor: int | None,
    playable: set[str],
    canvas: Canvas,
) -> None:
    """The hand, large: the card under the cursor stands out upwards, the others that may be
    played bear a dot; cards that may not are faded. Spots are `card 0`, `card 1` …"""
    width = board.card_width
    step = width + 1
    if codes and len(codes) * step > canvas.width:
        step = max(2, (canvas.width - width) // max(1, len(codes) - 1))
    for index, code in enumerate(codes):
        chosen = index == cursor
        y = 0 if chosen else 1
        spot = f"card {index}"
        draw_card(canvas, index * step, y, width, board.label(code), board.cloth(code), spot,
                  dim=code not in playable)  # fmt: skip
        mark = "▔" * width if chosen else ("·" if code in playable else " ").center(width)
        canvas.put(index * step, y + 3, mark, MARK, spot)
