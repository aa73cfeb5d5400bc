"""Playing a match on the screen."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.widgets import OptionList, RichLog, Static
from textual.widgets.option_list import Option

from tanistry.errors import FileError, IllegalMove
from tanistry.match import Match
from tanistry.session.describe import capital, card_lines, question
from tanistry.session.hints import Adviser, Hint
from tanistry.session.language import texts
from tanistry.session.session import Session
from tanistry.tui import choices
from tanistry.tui.boards import board_of
from tanistry.tui.canvas import Spot
from tanistry.tui.choices import KEYS
from tanistry.tui.scene import Choice, Scene
from tanistry.tui.screens import Curtain, RulesPage, Sign
from tanistry.tui.table import TableApp
from tanistry.tui.widgets import Sheet

if TYPE_CHECKING:
    from tanistry.analysis.coaching import Coach


class PlayApp(TableApp):
    """One session from the deal to the result."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "card(-1)", show=False, priority=True),
        Binding("right", "card(1)", show=False, priority=True),
        Binding("enter", "enter", show=False, priority=True),
        Binding("escape", "clear", show=False),
        Binding("i", "about", "Card"),
        Binding("r", "rule", "Rule"),
        Binding("l", "log", "Log"),
        Binding("h", "hint", "Hint"),
        Binding("u", "take_back", show=False),
        Binding("f", "forced", "Forced"),
        Binding("s", "save", "Save"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(
        self,
        session: Session,
        adviser: Adviser | None = None,
        pace: float = 0.6,
        coach: Coach | None = None,
    ) -> None:
        super().__init__(board_of(session.game), texts(session.lang))
        self.title = session.words.text("title")
        self.session = session
        self.adviser = adviser
        self.coach = coach
        self.verdict = ""
        self.pace = pace
        self.play_forced = True
        self.at_device: int | None = None
        self.cursor = 0
        self.spot: Spot = None
        self.listed: list[Choice] = []
        self.rule = ""
        self.hints: dict[str, Hint] = {}
        self.logged: tuple[int | None, int] = (-1, 0)
        self.saved: Path | None = None

    def compose_left(self) -> ComposeResult:
        yield Static(self.texts("tui.earlier"), id="earlier", markup=False)
        with VerticalScroll(id="news", can_focus=False):
            yield Static(id="caption", markup=False)
        yield Static(id="prompt", markup=False)
        yield Sheet(id="hand")

    def compose_right(self) -> ComposeResult:
        yield OptionList(id="choices", markup=False)

    def on_mount(self) -> None:
        self.name_keys(i="about", r="rule", l="log", h="hint", f="forced", s="save",
                       question_mark="help", q="quit")  # fmt: skip
        self.part("#choices", OptionList).focus()
        self.next_choice()

    # -- the course of the match ------------------------------------------------------------------

    @property
    def eyes(self) -> int | None:
        """Whose view is shown: a person's who sits at the device, else a spectator's."""
        if self.session.shared:
            return self.at_device
        return self.session.eyes

    @property
    def persons_turn(self) -> bool:
        player = self.session.to_act
        return player is not None and player.bot is None and self.eyes == self.session.match.to_act

    def next_choice(self) -> None:
        """Go on: ask the person, let the bot think, or show the result."""
        session = self.session
        self.spot = None
        self.hints = {}
        seat = session.match.to_act
        player = session.to_act
        if player is None or seat is None:
            self.show()
            self.show_result()
        elif player.bot is not None:
            self.show()
            self.think()
        elif session.shared and self.at_device != seat:
            self.at_device = None
            self.show()
            self.push_screen(Curtain(player.name, self.texts), lambda _: self.sit_down(seat))
        else:
            self.start_choice()

    def sit_down(self, seat: int) -> None:
        self.at_device = seat
        self.start_choice()

    def start_choice(self) -> None:
        scene = self.scene()
        codes = choices.hand_codes(self.board, scene)
        playable = choices.playable(self.board, scene)
        self.cursor = next((i for i, code in enumerate(codes) if code in playable), 0)
        self.show()
        if len(scene.choices) == 1 and self.play_forced:
            only = scene.choices[0]["token"]
            self.prompt(self.texts("tui.forced", choice=self.words_of(only)))
            number = len(self.session.match.history)
            self.set_timer(max(self.pace, 0.01), lambda: self.forced_choice(only, number))
        elif self.adviser:
            self.advise(len(self.session.match.history))

    def words_of(self, token: str) -> str:
        """A choice in words, as the table lies."""
        session, match = self.session, self.session.match
        view, tally = match.view(self.eyes), match.tally(self.eyes)
        return session.words.token(token, view, session.names, tally)

    def forced_choice(self, token: str, number: int) -> None:
        """Play the only choice, unless the person was quicker."""
        if len(self.session.match.history) == number:
            self.choose(token)

    @work(thread=True, group="bot")
    def think(self) -> None:
        """A bot chooses, in a thread of its own, and takes a moment so that one can follow."""
        began = time.monotonic()
        token = self.session.bot_choice()
        time.sleep(max(0.0, self.pace - (time.monotonic() - began)))
        if not self.gone:
            self.call_from_thread(self.choose, token)

    @work(thread=True, group="hint")
    def advise(self, number: int) -> None:
        assert self.adviser is not None
        hints = self.adviser(self.session.match)
        if not self.gone:
            self.call_from_thread(self.show_hints, hints, number)

    def show_hints(self, hints: list[Hint], number: int) -> None:
        if len(self.session.match.history) == number and not self.gone:
            self.hints = {hint.token: hint for hint in hints}
            self.show()

    def choose(self, token: str) -> None:
        """Play a token; a refusal says why."""
        if self.gone:
            return
        before = self.session.match.copy() if self.coach and self.persons_turn else None
        try:
            self.session.play(token)
        except IllegalMove as refused:
            self.rule = refused.rule
            why = refused.message(self.session.lang)
            self.show()
            self.prompt(f"{why}  {self.texts('tui.read_rule')}", refused=True)
            return
        self.rule = ""
        if before and len(before.legal()) > 1:
            self.verdict = ""
            self.judge(before, token)
        self.next_choice()

    @work(thread=True, group="coach")
    def judge(self, before: Match, token: str) -> None:
        """The coach says how good a choice was, while the others go on."""
        assert self.coach is not None
        lines = self.coach.verdict(before, token)
        if not self.gone:
            self.call_from_thread(self.show_verdict, " · ".join(lines), len(before.history), token)

    def show_verdict(self, verdict: str, number: int, token: str) -> None:
        """Unless the choice was taken back."""
        if self.session.match.history[number : number + 1] == [(self.session.people[0], token)]:
            self.verdict = verdict
            self.show_prompt()

    @work(thread=True, group="coach")
    def think_aloud(self, number: int) -> None:
        assert self.coach is not None
        lines = self.coach.idea(self.session.match)
        if not self.gone:
            self.call_from_thread(self.show_idea, "\n".join(lines), number)

    def show_idea(self, idea: str, number: int) -> None:
        if len(self.session.match.history) == number:
            self.show_sign(self.texts("tui.keys.idea"), idea)

    # -- what is on the screen --------------------------------------------------------------------

    def hand_codes(self) -> list[str]:
        return choices.hand_codes(self.board, self.scene())

    def scene(self) -> Scene:
        session, eyes = self.session, self.eyes
        return Scene(
            session.game,
            session.match.view(eyes),
            session.words,
            self.texts,
            session.names,
            session.titles,
            eyes,
            [event.seen_by(eyes) for event in session.told[-160:]],
            session.match.choices() if self.persons_turn else [],
            session.match.tally(eyes),
        )

    def show(self) -> None:
        """Bring everything up to date."""
        scene = self.scene()
        self.cursor = max(0, min(self.cursor, len(choices.hand_codes(self.board, scene)) - 1))
        self.list_choices(scene)
        self.show_table()
        self.show_log()
        self.show_prompt()

    def list_choices(self, scene: Scene) -> None:
        rows = self.part("#choices", OptionList)
        self.listed = []
        if self.persons_turn:
            self.listed = choices.offered(self.board, scene, self.cursor, self.spot)
        rows.clear_options()
        for index, choice in enumerate(self.listed):
            rows.add_option(Option(self.choice_line(index, choice["token"]), id=str(index)))
        rows.highlighted = choices.highlighted(
            self.board, scene, self.listed, self.cursor, self.spot
        )

    def choice_line(self, index: int, token: str) -> Text:
        key = KEYS[index] if index < len(KEYS) else " "
        line = Text(f"{key} ", "bold")
        if hint := self.hints.get(token):
            line.append(f"{hint.percent:>10} ", "italic")
        return line.append(capital(self.words_of(token)), "not bold")

    def show_table(self) -> None:
        scene = self.scene()
        index = self.part("#choices", OptionList).highlighted
        if index is not None and index < len(self.listed):
            spots = self.board.spots(self.listed[index], scene)
            scene = replace(scene, marked=frozenset(spots))
        seat = self.session.match.to_act
        acting = self.session.titles[seat] if seat is not None else self.texts("tui.over")
        self.show_scene(scene, acting)
        self.show_hand(scene, self.cursor if self.persons_turn else None)

    def show_log(self) -> None:
        log = self.part("#log", RichLog)
        eyes, heard = self.logged
        if eyes != self.eyes:
            log.clear()
            heard = 0
        for line in self.session.lines(self.eyes, heard):
            log.write(line)
        self.logged = (self.eyes, len(self.session.told))

    def show_prompt(self) -> None:
        """What happened since one's last choice, and what is asked now."""
        told = [self.session.caption(self.eyes), self.verdict]
        self.part("#caption", Static).update("\n".join(filter(None, told)))
        self.part("#news", VerticalScroll).anchor()  # the newest; the rest is in the log
        self.call_after_refresh(self.say_whether_there_is_more)
        match, words = self.session.match, self.session.words
        player = self.session.to_act
        if player is None:
            self.prompt(self.texts("tui.over"))
        elif player.bot is not None:
            self.prompt(self.texts("tui.thinking", name=player.name))
        elif self.persons_turn:
            asked = self.board.prompt(self.scene())
            asked = asked or question(words.asked(match.decision, match.legal()))
            key = "tui.turn_of" if self.session.shared else "tui.your_turn"
            self.prompt(self.texts(key, name=player.name, decision=asked))

    def say_whether_there_is_more(self) -> None:
        """Where the news have more lines than there is room for."""
        if not self.gone:
            hidden = self.part("#news", VerticalScroll).max_scroll_y > 0
            self.part("#earlier", Static).display = hidden

    def prompt(self, text: str, refused: bool = False) -> None:
        prompt = self.part("#prompt", Static)
        prompt.update(text)
        prompt.set_class(refused, "refused")

    def show_result(self) -> None:
        lines = "\n".join(self.session.result_lines())
        sign = Sign(self.texts("tui.result_title"), lines, self.texts("tui.result_help"))
        self.push_screen(sign, self.exit_if)

    def show_sign(self, title: str, text: str) -> None:
        """Something to read; any key closes it, and q does nothing more than that."""
        self.push_screen(Sign(title, text, self.texts("tui.close")))

    # -- what the person does ---------------------------------------------------------------------

    def action_card(self, step: int) -> None:
        """Move the cursor along the hand."""
        codes = self.hand_codes()
        if codes and self.persons_turn:
            self.spot = None
            self.cursor = (self.cursor + step) % len(codes)
            self.show()

    def action_enter(self) -> None:
        """Do what is highlighted; a card that may not be played is tried, to hear why not."""
        index = self.part("#choices", OptionList).highlighted
        if self.persons_turn and index is not None:
            self.choose(self.listed[index]["token"])
        elif self.persons_turn:
            self.try_card()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Arrows and Enter belong to the table only while nothing lies over it."""
        if action in ("card", "enter"):
            return len(self.screen_stack) == 1
        if action == "hint":
            return self.adviser is not None or self.coach is not None
        if action == "take_back":
            return self.session.can_take_back
        return super().check_action(action, parameters)

    def action_clear(self) -> None:
        self.spot = None
        self.show()

    @on(OptionList.OptionHighlighted, "#choices")
    def follow_highlight(self, event: OptionList.OptionHighlighted) -> None:
        """The card that the highlighted choice is about comes under the cursor."""
        index = event.option_index
        if index != event.option_list.highlighted:
            return  # the list has changed since
        codes = self.hand_codes()
        if index < len(self.listed) and codes and self.persons_turn:
            card = self.board.hand_card(self.listed[index], set(codes))
            if card and codes[self.cursor] != card:
                self.cursor = codes.index(card)
            self.show_table()

    @on(OptionList.OptionSelected, "#choices")
    def choose_listed(self, event: OptionList.OptionSelected) -> None:
        if event.option_index < len(self.listed) and self.persons_turn:
            self.choose(self.listed[event.option_index]["token"])

    def on_key(self, event: Key) -> None:
        if not self.persons_turn or len(self.screen_stack) > 1:
            return
        if event.character and event.character in KEYS[: len(self.listed)]:
            event.stop()
            self.choose(self.listed[KEYS.index(event.character)]["token"])

    def try_card(self) -> None:
        """Play the card under the cursor although nothing says that one may."""
        codes, seat = self.hand_codes(), self.session.match.to_act
        if not codes or seat is None:
            return
        notation = self.session.game.notation
        for number, known in enumerate(notation.vocabulary):
            if self.session.match.decision in known.action.decisions:
                choice = notation.choice(number, seat)
                if self.board.hand_card(choice, {codes[self.cursor]}):
                    self.choose(choice["token"])
                    return

    @on(Sheet.Picked)
    def picked(self, event: Sheet.Picked) -> None:
        """A click: on a card of the hand, or on a spot of the board."""
        if not self.persons_turn:
            return
        if isinstance(event.spot, int) and event.sheet.id == "hand":
            self.pick_card(event.spot)
        else:
            self.pick_spot(event.spot)

    def pick_card(self, index: int) -> None:
        """Take a card up; if there is but one thing to do with it, do it."""
        scene = self.scene()
        self.spot = None
        self.cursor = index
        card = choices.hand_codes(self.board, scene)[index]
        about = choices.about_card(self.board, scene, card)
        if len(about) == 1:
            self.choose(about[0]["token"])
        elif about:
            self.show()
        else:
            self.try_card()

    def pick_spot(self, spot: Spot) -> None:
        """Act on a spot: with the card under the cursor if that makes sense."""
        here = choices.at_spot(self.board, self.scene(), spot)
        listed = [choice for choice in here if choice in self.listed]
        for found in (listed, here):
            if len(found) == 1:
                self.choose(found[0]["token"])
                return
        if here:
            self.spot = spot
            self.show()

    def action_about(self) -> None:
        """What the cards that the highlighted choice is about are and do, or the one under the
        cursor."""
        view, words = self.session.match.view(self.eyes), self.session.words
        if codes := self.codes_meant():
            told = [card_lines(self.session, code, view, self.texts) for code in codes]
            parts = [line for code, lines in zip(codes[1:], told[1:], strict=True)
                     for line in (words.card(code), *lines)]  # fmt: skip
            text = "\n\n".join([*told[0], *parts])
            self.show_sign(words.card(codes[0]), text)

    def codes_meant(self) -> list[str]:
        index = self.part("#choices", OptionList).highlighted
        chosen = self.listed[index : index + 1] if index is not None else []
        about = choices.cards_meant(self.board, self.scene(), chosen[0]) if chosen else []
        return about or self.hand_codes()[self.cursor :][:1]

    def action_log(self) -> None:
        """All that happened, the newest turn first: where the window has no room for it."""
        turns = reversed(self.session.turns(self.eyes))
        text = "\n".join("\n  ".join(lines) for lines in turns)
        self.show_sign(self.texts("tui.log"), text)

    def action_rule(self) -> None:
        self.push_screen(RulesPage(self.session.words, self.texts, self.rule))

    def action_take_back(self) -> None:
        """Back to the last choice that was one."""
        if not self.persons_turn:
            return
        if not self.session.take_back():
            self.prompt(self.texts("play.no_undo"))
            return
        self.verdict = ""
        self.logged = (-1, 0)
        self.next_choice()

    def action_hint(self) -> None:
        if self.coach and self.persons_turn:
            self.think_aloud(len(self.session.match.history))
        elif self.adviser is None:
            self.prompt(self.texts("play.no_hint"))
        elif self.persons_turn:
            self.advise(len(self.session.match.history))

    def action_forced(self) -> None:
        self.play_forced = not self.play_forced
        self.prompt(self.texts("tui.forced_on" if self.play_forced else "tui.forced_off"))

    def action_save(self) -> None:
        """Write the record beside where the command was called."""
        number = 1
        while (
            path := Path(f"{self.session.game.name}-{number}.txt")
        ).exists() and path != self.saved:
            number += 1
        try:
            path.write_text(self.session.record(), "utf-8")
        except OSError as wrong:
            self.prompt(FileError("file/write", path, wrong).message(self.texts.lang))
            return
        self.saved = path
        self.prompt(self.texts("play.saved", name=path))

    def action_help(self) -> None:
        self.push_screen(Sign(self.texts("tui.help_title"), self.texts("tui.help_text")))

    def action_leave(self) -> None:
        if self.session.match.to_act is None:
            self.exit()
            return
        title, keys = self.texts("tui.quit_title"), self.texts("tui.quit_help")
        self.push_screen(Sign(title, "", keys, enter_leaves=True), self.exit_if)

    def exit_if(self, leave: bool | None) -> None:
        if leave:
            self.exit()
