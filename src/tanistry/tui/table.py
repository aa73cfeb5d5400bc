"""The screen with the table on it, shared by playing and replaying: board, log, title."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, RichLog, Static

from tanistry.cli.language import Texts
from tanistry.tui.boards import Board
from tanistry.tui.scene import Scene
from tanistry.tui.widgets import Sheet

WIDTH, HEIGHT = 100, 30
"""The size every board is made for."""


class TableApp(App[None]):
    """A table with a title bar above, a log to the right and keys below."""

    CSS_PATH = "table.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (88, "-wide")]  # noqa: RUF012 (as Textual has it)

    def __init__(self, board: Board, say: Texts) -> None:
        super().__init__()
        self.board = board
        self.texts = say

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield Sheet(id="board")
                yield from self.compose_left()
            with Vertical(id="right"):
                log = RichLog(id="log", wrap=True, min_width=10, markup=False)
                log.can_focus = False  # keys are for the table
                yield log
                yield from self.compose_right()
        yield Footer()

    def compose_left(self) -> ComposeResult:
        """What stands under the board."""
        yield from ()

    def compose_right(self) -> ComposeResult:
        """What stands under the log."""
        yield from ()

    def show_scene(self, scene: Scene, note: str) -> None:
        """Draw the table and its title."""
        board = self.query_one("#board", Sheet)
        board.paint(lambda canvas: self.board.draw(scene, canvas))
        parts = [scene.words.text("title"), self.board.status(scene), note]
        self.query_one("#title", Static).update("  ·  ".join(part for part in parts if part))
