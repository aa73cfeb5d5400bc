"""Screens that come up over the table: the curtain, the rules, help, the result, leaving."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from tanistry.session.language import Texts
from tanistry.session.rules import find
from tanistry.words import Words


class Curtain(Screen[None]):
    """Between two people on one device: nothing of the table is to be seen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", show=False)]

    def __init__(self, name: str, say: Texts) -> None:
        super().__init__()
        self.texts = say
        self.person = name

    def compose(self) -> ComposeResult:
        with Vertical(id="curtain"):
            yield Static(self.texts("tui.pass_title"), id="curtain-title")
            yield Static(
                self.texts("tui.pass_text", name=self.person), id="curtain-text", markup=False
            )

    def action_open(self) -> None:
        self.dismiss(None)

    def on_click(self) -> None:
        self.dismiss(None)


class Sign(ModalScreen[bool]):
    """A sign with a title, a text and a line about keys; True if `q` was pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,space,question_mark,s,i,l", "close", show=False),
        Binding("enter", "agree", show=False),
        Binding("q", "leave", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
    ]

    def __init__(self, title: str, text: str, keys: str = "", enter_leaves: bool = False) -> None:
        super().__init__()
        self.heading = title
        self.text = text
        self.keys = keys
        self.enter_leaves = enter_leaves

    def compose(self) -> ComposeResult:
        with Vertical(id="sign"):
            yield Static(self.heading, id="sign-title", markup=False)
            with VerticalScroll(id="sign-scroll"):
                yield Static(self.text, id="sign-text", markup=False)
            if self.keys:
                yield Static(self.keys, id="sign-keys", markup=False)

    def action_close(self) -> None:
        self.dismiss(False)

    def action_scroll(self, lines: int) -> None:
        self.query_one("#sign-scroll").scroll_relative(y=lines, animate=False)

    def action_agree(self) -> None:
        self.dismiss(self.enter_leaves)

    def action_leave(self) -> None:
        self.dismiss(True)


class RulesPage(ModalScreen[None]):
    """The rules, searched as one types."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("up", "scroll(-2)", show=False),
        Binding("down", "scroll(2)", show=False),
        Binding("pageup", "scroll(-12)", show=False),
        Binding("pagedown", "scroll(12)", show=False),
    ]

    def __init__(self, words: Words, say: Texts, rule: str = "") -> None:
        super().__init__()
        self.words = words
        self.texts = say
        known = words.rules().get(rule)
        self.wanted = known.title if known else ""

    def compose(self) -> ComposeResult:
        with Vertical(id="rules"):
            title = self.words.text("title")
            yield Static(self.texts("tui.rules_title", title=title), id="rules-title", markup=False)
            yield Input(self.wanted, placeholder=self.texts("tui.rules_search"), id="rules-search")
            with VerticalScroll(id="rules-scroll"):
                yield Static(id="rules-text")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.show_rules(self.wanted)

    def on_input_changed(self, event: Input.Changed) -> None:
        self.show_rules(event.value)

    def on_input_submitted(self) -> None:
        self.dismiss(None)

    def show_rules(self, wanted: str) -> None:
        rules = self.words.rules()
        found = find(rules, wanted) if wanted.strip() else list(rules.values())
        text = Text()
        for rule in found:
            text.append(f"{rule.title}\n", "bold")
            text.append(f"{rule.text}\n\n")
        self.query_one("#rules-text", Static).update(text)

    def action_scroll(self, lines: int) -> None:
        self.query_one("#rules-scroll").scroll_relative(y=lines, animate=False)

    def action_close(self) -> None:
        self.dismiss(None)
