"""Stepping through a record on the screen, with any seat's eyes."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import RichLog

from tanistry.session.replay import Eyes, Reel, seen_with
from tanistry.tui.boards import board_of
from tanistry.tui.choices import hand_codes
from tanistry.tui.scene import Scene
from tanistry.tui.screens import RulesPage
from tanistry.tui.table import TableApp
from tanistry.tui.widgets import Sheet


class ReplayApp(TableApp):
    """One reel."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Back"),
        Binding("right,space,enter", "step(1)", "Forward", key_display="→"),
        Binding("home", "jump(0)", "Start"),
        Binding("end", "jump(-1)", "End"),
        Binding("e", "eyes", "Eyes"),
        Binding("r", "rule", "Rule"),
        Binding("q,escape", "quit", "Leave", key_display="q"),
    ]

    def __init__(self, reel: Reel, eyes: Eyes) -> None:
        super().__init__(board_of(reel.game), reel.say)
        self.title = reel.words.text("title")
        self.reel = reel
        self.eyes: Eyes = eyes
        self.index = 0

    def compose_left(self) -> ComposeResult:
        yield Sheet(id="hand")

    def on_mount(self) -> None:
        self.name_keys(left="back", right="forward", home="first", end="last", e="eyes", r="rule",
                       q="quit")  # fmt: skip
        self.show()

    def show(self) -> None:
        reel, still = self.reel, self.reel.stills[self.index]
        events = [
            seen_with(event, self.eyes)
            for past in reel.stills[max(0, self.index - 8) : self.index + 1]
            for event in past.events
        ]
        seat = self.eyes if isinstance(self.eyes, int) else None
        view, match = still.view(self.eyes), still.match
        scene = Scene(
            reel.game, view, reel.words, self.texts, reel.names, reel.names, seat, events,
            match.choices() if seat is not None and seat == match.to_act else (),
            match.tally(seat),
        )  # fmt: skip
        cursor = None
        if self.index + 1 < len(reel) and (chosen := reel.stills[self.index + 1].choice):
            choice = next(c for c in match.choices() if c["token"] == chosen[1])
            scene = replace(scene, marked=frozenset(self.board.spots(choice, scene)))
            codes = hand_codes(self.board, scene) if scene.choices else []
            card = self.board.hand_card(choice, set(codes))
            cursor = codes.index(card) if card else None
        note = self.texts(
            "tui.replay_bar", number=self.index, total=len(reel) - 1, eyes=self.eyes_text()
        )
        self.show_scene(scene, note)
        self.part("#hand", Sheet).display = seat is not None
        self.show_hand(scene, cursor)
        self.show_log()

    def eyes_text(self) -> str:
        if self.eyes == "all":
            return self.texts("tui.eyes_all")
        if self.eyes is None:
            return self.texts("tui.eyes_public")
        return self.texts("tui.eyes_seat", name=self.reel.names[self.eyes])

    def show_log(self) -> None:
        log = self.part("#log", RichLog)
        log.clear()
        for index in range(1, self.index + 1):
            for line in self.reel.told(index, self.eyes):
                log.write(line)
        if self.index == len(self.reel) - 1:
            for line in self.reel.session.result_lines() or [self.texts("replay.unfinished")]:
                log.write(line)

    def action_step(self, by: int) -> None:
        self.index = max(0, min(len(self.reel) - 1, self.index + by))
        self.show()

    def action_jump(self, index: int) -> None:
        self.index = range(len(self.reel))[index]
        self.show()

    def action_eyes(self) -> None:
        """Everything, then each seat, then a spectator."""
        order: list[Eyes] = ["all", *range(self.reel.game.seats), None]
        self.eyes = order[(order.index(self.eyes) + 1) % len(order)]
        self.show()

    def action_rule(self) -> None:
        self.push_screen(RulesPage(self.reel.words, self.texts))
