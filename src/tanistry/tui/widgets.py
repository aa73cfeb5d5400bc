"""The parts of the screen. They draw what they are given and report what was clicked."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from textual.events import Click
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tanistry.tui.boards import Board
from tanistry.tui.canvas import Canvas, Spot
from tanistry.tui.faces import MARK, draw_card, draw_tile, tile_width
from tanistry.tui.scene import Scene

LARGE = 5
"""Lines of a hand whose cards are drawn large."""


class Sheet(Widget, can_focus=False):
    """A canvas on the screen; clicking on one of its spots posts `Picked`.

    What is higher than the sheet is scrolled; the last line then says so.
    """

    class Picked(Message):
        """A spot was clicked."""

        def __init__(self, sheet: Sheet, spot: Spot) -> None:
            super().__init__()
            self.sheet = sheet
            self.spot = spot

        @property
        def control(self) -> Sheet:
            return self.sheet

    def __init__(self, *, id: str, more: str = "") -> None:
        super().__init__(id=id)
        self.painter: Callable[[Canvas], None] | None = None
        self.canvas = Canvas(1, 1)
        self.more = more
        self.top = 0

    def paint(self, painter: Callable[[Canvas], None]) -> None:
        """Draw anew with `painter`, now and whenever the size changes."""
        self.painter = painter
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        width, height = max(1, self.size.width), max(1, self.size.height)
        self.canvas = Canvas(width, height)
        if self.painter:
            self.painter(self.canvas)
            if self.more and self.canvas.bottom > height:  # it wants more lines than there are
                whole = Canvas(width, self.canvas.bottom)
                whole.room = height
                self.painter(whole)
                self.canvas = whole
        self.top = min(self.top, self.hidden)
        self.refresh()

    @property
    def hidden(self) -> int:
        """How far the canvas can be scrolled."""
        over = self.canvas.height - self.size.height
        return over + 1 if over > 0 else 0

    def scroll(self, lines: int) -> None:
        self.top = max(0, min(self.hidden, self.top + lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        ground = self.rich_style
        if self.hidden and y == self.size.height - 1:
            segments = [Segment(self.more, MARK)]
        else:
            segments = self.canvas.segments(self.top + y)
        strip = Strip(Segment.apply_style(segments, ground))
        return strip.adjust_cell_length(self.size.width, ground)

    def on_click(self, event: Click) -> None:
        if self.hidden and event.y == self.size.height - 1:
            self.scroll(self.size.height - 2 if self.top < self.hidden else -self.top)
        elif (spot := self.canvas.spot_at(event.x, self.top + event.y)) is not None:
            self.post_message(self.Picked(self, spot))


def draw_hand(
    board: Board,
    scene: Scene,
    codes: list[str],
    cursor: int | None,
    playable: set[str],
    canvas: Canvas,
) -> None:
    """The hand: spots are the positions in it. Cards that may not be played are faded."""
    if canvas.height >= LARGE:
        _draw_large(board, scene, codes, cursor, playable, canvas)
        return
    x = y = 0
    for index, code in enumerate(codes):
        label, cloth = board.label(code, scene), board.cloth(code)
        if x + tile_width(label, cloth) > canvas.width:
            x, y = 0, y + 1
        dim = code not in playable
        x = draw_tile(canvas, x, y, label, cloth, index, index == cursor, dim)


def _draw_large(
    board: Board,
    scene: Scene,
    codes: list[str],
    cursor: int | None,
    playable: set[str],
    canvas: Canvas,
) -> None:
    """The card under the cursor stands out upwards, the others that may be played bear a dot."""
    width = board.card_width
    step = width + 1
    if codes and len(codes) * step > canvas.width:
        step = max(2, (canvas.width - width) // max(1, len(codes) - 1))
    for index, code in enumerate(codes):
        chosen = index == cursor
        y = 0 if chosen else 1
        draw_card(canvas, index * step, y, width, board.label(code, scene), board.cloth(code),
                  index, dim=code not in playable)  # fmt: skip
        mark = "▔" * width if chosen else ("·" if code in playable else " ").center(width)
        canvas.put(index * step, y + 3, mark, MARK, index)
