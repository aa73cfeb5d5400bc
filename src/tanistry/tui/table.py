"""The screen with the table on it, shared by playing and replaying: board, log, title."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Footer, RichLog, Static
from textual.worker import WorkerFailed

from tanistry.session.language import Texts
from tanistry.tui import choices
from tanistry.tui.boards import Board
from tanistry.tui.scene import Scene
from tanistry.tui.widgets import Sheet, draw_hand

W = TypeVar("W", bound=Widget)
LEAST = (56, 20)
"""Columns and lines without which no table can be drawn."""


class TableApp(App[None]):
    """A table with a title bar above, a log to the right and keys below."""

    CSS_PATH = "table.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 (as Textual has it)
        (0, "-tiny"), (LEAST[0], "-narrow"), (80, "-middling"), (100, "-wide"),
    ]  # fmt: skip
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (LEAST[1], "-short"), (30, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("pageup", "page(-1)", show=False, priority=True),
        Binding("pagedown", "page(1)", show=False, priority=True),
    ]

    def __init__(self, board: Board, say: Texts) -> None:
        super().__init__()
        self.board = board
        self.texts = say
        self.leaving = False
        self.interrupted = False

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield Sheet(id="board", more=self.texts("tui.more"))
                yield from self.compose_left()
            with Vertical(id="right"):
                log = RichLog(id="log", wrap=True, min_width=10, markup=False)
                log.can_focus = False  # keys are for the table
                yield log
                yield from self.compose_right()
        columns, lines = LEAST
        too_small = self.texts("tui.too_small", width=columns, height=lines)
        yield Static(too_small, id="small", markup=False)
        yield Footer()

    def name_keys(self, **texts: str) -> None:
        """Word the keys below the table: Textual has them fixed, we speak two languages."""
        for key, text in texts.items():
            bindings = self._bindings.key_to_bindings[key]
            bindings[:] = [replace(b, description=self.texts(f"tui.keys.{text}")) for b in bindings]

    def part(self, selector: str, kind: type[W]) -> W:
        """A part of the table, whatever lies over it at the moment."""
        return self.screen_stack[0].query_one(selector, kind)

    @property
    def gone(self) -> bool:
        """Whether the table is no longer there: bots may still be thinking then."""
        stack = self._screen_stack if self.is_running else []
        return not stack or not stack[0].query("#board")

    def _fatal_error(self) -> None:
        """Leave quietly after a fault of ours; who started the application reports it."""
        if os.environ.get("TANISTRY_DEBUG"):
            super()._fatal_error()
        else:
            self._close_messages_no_wait()

    def run_to_end(self) -> None:
        """Show the table until it is left; a fault on the way is raised here."""
        self.run()
        wrong = self._exception
        if isinstance(wrong, WorkerFailed):  # what a thread of the table met is what is to be told
            raise wrong.error
        if wrong is not None:
            raise wrong
        if self.interrupted:
            raise KeyboardInterrupt

    def exit(self, *given: Any, **more: Any) -> None:
        self.leaving = True
        super().exit(*given, **more)

    def action_interrupt(self) -> None:
        """Ctrl-C, which a screen gets as a key: it ends the command as it does elsewhere."""
        self.interrupted = True
        self.exit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that were typed ahead do nothing once the table is being left, and it is scrolled
        only while nothing lies over it."""
        return len(self.screen_stack) == 1 if action == "page" else not self.leaving

    def compose_left(self) -> ComposeResult:
        """What stands under the board."""
        yield from ()

    def compose_right(self) -> ComposeResult:
        """What stands under the log."""
        yield from ()

    def action_page(self, direction: int) -> None:
        """Scroll a table that is higher than the window."""
        board = self.part("#board", Sheet)
        board.scroll(direction * max(1, board.size.height - 2))

    def show_scene(self, scene: Scene, note: str) -> None:
        """Draw the table and its title, whose end matters most where there is little room."""
        board = self.part("#board", Sheet)
        board.paint(lambda canvas: self.board.draw(scene, canvas))
        parts = [p for p in (scene.words.text("title"), self.board.status(scene), note) if p]
        while cell_len(title := "  ·  ".join(parts)) > self.size.width - 2 and parts[1:]:
            parts.pop(0)
        self.part("#title", Static).update(title)

    def show_hand(self, scene: Scene, cursor: int | None) -> None:
        """Draw the hand of whoever looks, which the board leaves out."""
        codes, may = choices.hand_codes(self.board, scene), choices.playable(self.board, scene)
        self.part("#hand", Sheet).paint(
            lambda canvas: draw_hand(self.board, scene, codes, cursor, may, canvas)
        )
