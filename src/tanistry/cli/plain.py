"""The game as lines of text: for pipes, scripts and screen readers.

Every event is one line, which only a terminal that is narrower breaks. A choice is asked for with
numbered lines and read from the input: its number, its token, or one of a few words that `?` lists.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TextIO

from tanistry.cli.manual import WIDEST, wrap
from tanistry.errors import IllegalMove
from tanistry.session.describe import (
    capital,
    card_lines,
    card_meant,
    option_lines,
    question,
    table_lines,
)
from tanistry.session.hints import Adviser
from tanistry.session.language import Texts, texts
from tanistry.session.rules import find
from tanistry.session.session import Session, bot_title

if TYPE_CHECKING:
    from tanistry.analysis.coaching import Coach

MANY = 25
"""More choices than this are told in groups."""


class Quit(Exception):
    """The person leaves the table."""


class Lines:
    """Somebody who reads lines and answers with lines."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        self.source = source or sys.stdin
        self.target = target or sys.stdout
        self.ended = False
        """Whether the input has."""

    def print(self, line: str = "") -> None:
        print("\n".join(self.fitted(line)), file=self.target, flush=True)

    def fitted(self, line: str) -> list[str]:
        """A line as wide as a terminal; through a pipe it stays a line."""
        if not self.target.isatty():
            return [line]
        return wrap(line, min(shutil.get_terminal_size().columns, WIDEST)) or [""]

    def print_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.print(line)


class Plain(Lines):
    """One match in plain text."""

    def __init__(
        self,
        session: Session,
        adviser: Adviser | None = None,
        coach: Coach | None = None,
        source: TextIO | None = None,
        target: TextIO | None = None,
    ) -> None:
        super().__init__(source, target)
        self.session = session
        self.say: Texts = texts(session.lang)
        self.adviser = adviser
        self.coach = coach
        self.verdict: list[str] = []
        self.heard = dict.fromkeys([None, *range(session.game.seats)], 0)
        self.greeted: set[int] = set()
        self.at_device: int | None = None
        self.rule = ""

    # -- the course of a match --------------------------------------------------------------------

    def run(self) -> bool:
        """Play to the end; False if the person left before it."""
        session = self.session
        words = session.words
        self.print(self.say("play.welcome", title=words.text("title")))
        self.print_all(option_lines(session.game, words, self.say))
        for player, title in zip(session.players, session.titles, strict=True):
            if player.bot:
                kind = bot_title(player.bot, session.lang)
                self.print(self.say("play.seated", name=player.name, bot=kind))
            else:
                self.print(self.say("play.person", who=title))
        try:
            while (acting := session.to_act) is not None:
                if acting.bot is None:
                    self.persons_turn()
                else:
                    session.play(session.bot_choice())
                self.tell(session.eyes if not session.shared else self.at_device)
                self.print_all(self.verdict)
                self.verdict = []
        except Quit:
            return False
        self.print_all(session.result_lines())
        return True

    def tell(self, seat: int | None) -> None:
        """The events a seat has not heard of yet."""
        self.print_all(self.session.lines(seat, self.heard[seat]))
        self.heard[seat] = len(self.session.told)

    def persons_turn(self) -> None:
        seat = self.session.match.to_act
        assert seat is not None
        if self.session.shared and self.at_device != seat:
            self.pass_device(seat)
        self.tell(seat)
        if seat not in self.greeted:
            self.greeted.add(seat)
            self.show_table()
        self.show_choices()
        while True:
            answer = self.ask()
            if answer and not self.command(answer) and self.choose(answer):
                return

    def pass_device(self, seat: int) -> None:
        """Between two people: nobody sees the other's cards."""
        self.at_device, self.rule = None, ""
        name = self.session.names[seat]
        if self.source.isatty():
            self.print(self.say("play.pass_device", name=name))
            self.read()
            self.print("\x1b[2J\x1b[3J\x1b[H")
        else:
            self.print(self.say("play.next", name=name))
        self.at_device = seat

    # -- asking -----------------------------------------------------------------------------------

    def read(self) -> str:
        line = self.source.readline()
        if not line:
            self.ended = True
            raise Quit
        return line.strip()

    def ask(self) -> str:
        print(self.say("play.prompt"), end="", file=self.target, flush=True)
        answer = self.read()
        if not self.source.isatty():
            self.print(answer)
        return answer

    def show_table(self) -> None:
        seat = self.session.match.to_act
        self.print_all(table_lines(self.session, self.session.match.view(seat), self.say))

    def show_choices(self, in_full: bool = False) -> None:
        """The legal choices with their numbers; many that differ little share a line."""
        match, session = self.session.match, self.session
        assert match.to_act is not None
        decision = question(session.words.asked(match.decision, match.legal()))
        key = "play.turn_of" if session.shared else "play.turn"
        self.print(self.say(key, name=session.names[match.to_act], decision=decision))
        choices = list(enumerate(match.choices(), 1))
        together = len(choices) > MANY and not in_full
        for _, group in groupby(choices, lambda pair: self.alike(pair[1]) if together else pair[0]):
            (number, first), *others = group
            line = f"{number}. {capital(self.words_of(first))}"
            if others:
                line += f" – {', '.join(self.others(others))}"
            self.print(line)
        if self.adviser:
            self.hint()

    def words_of(self, choice: Mapping[str, Any]) -> str:
        session, match = self.session, self.session.match
        view, tally = match.view(match.to_act), match.tally(match.to_act)
        return session.words.token(choice["token"], view, session.names, tally)

    def alike(self, choice: Mapping[str, Any]) -> tuple[Any, ...]:
        """What choices of a group share: all but what they name last."""
        parts = [choice[part.name] for part in self.session.game.parts(choice["token"])]
        return choice["verb"], len(parts), *parts[:-1]

    def others(self, group: Sequence[tuple[int, Mapping[str, Any]]]) -> Iterator[str]:
        """The others of a group, by what sets them apart."""
        words, names, match = self.session.words, self.session.names, self.session.match
        for number, choice in group:
            part = self.session.game.parts(choice["token"])[-1]
            value = choice[part.name]
            if part.shape.type != "place":
                what = words.worded(value, part.shape, names)
            elif words.find(f"at_table.{choice['verb']}"):  # it is about what lies there
                what = f"{words.card_at(value, match.view(match.to_act))} ({words.spot(value)})"
            else:
                what = words.spot(value)
            yield self.say("play.others", number=number, what=what)

    def choose(self, answer: str) -> bool:
        """Play what was answered; whether that was possible."""
        legal = self.session.match.legal()
        token = self.session.game_token(answer)
        if answer.isdecimal() and 1 <= int(answer) <= len(legal):
            token = legal[int(answer) - 1]
        if token not in self.session.game.actions:
            self.print(self.say("play.unreadable", text=answer, most=len(legal)))
            return False
        try:
            return self.play(token)
        except IllegalMove as refused:
            self.rule = refused.rule
            self.print(self.say("play.refused", why=refused.message(self.session.lang)))
            return False

    def play(self, token: str) -> bool:
        """Make a choice; whether it was made."""
        before = self.session.match.copy() if self.coach else None
        self.session.play(token)
        if self.coach and before:
            self.verdict = self.coach.verdict(before, token)
        return True

    def take_back(self) -> None:
        """Back to the last choice that was one."""
        if not self.session.take_back():
            self.print(self.say("play.no_undo"))
            return
        self.heard = dict.fromkeys(self.heard, len(self.session.told))
        self.show_table()
        self.show_choices()

    def command(self, answer: str) -> bool:
        """Carry out one of the words that are not a choice; whether it was one."""
        word, _, rest = answer.partition(" ")
        if word == "?" and rest:
            self.show_card(rest)
        elif word == "?":
            self.show_commands()
        elif word == "n" and not rest:
            self.print_all(self.session.standing(self.session.match.to_act))
        elif word == "t" and not rest:
            self.show_table()
        elif word == "c" and not rest:
            self.show_choices(in_full=True)
        elif word == "r":
            self.show_rule(rest)
        elif word == "h" and not rest:
            self.hint()
        elif word == "u" and not rest:
            self.take_back()
        elif word == "q" and not rest:
            raise Quit
        else:
            return False
        return True

    def show_commands(self) -> None:
        """The words that are not a choice, those left out that do nothing at this table."""
        hint = ["commands_hint"] if self.adviser or self.coach else []
        undo = ["commands_undo"] if self.session.can_take_back else []
        keys = ["commands", *hint, *undo, "commands_leave"]
        self.print(" ".join(self.say(f"play.{key}", notation=self.notation) for key in keys))

    @property
    def notation(self) -> str:
        """What a choice of this game looks like: one of those there are."""
        return self.session.match.legal()[0]

    def show_card(self, name: str) -> None:
        """What a card is and does."""
        session = self.session
        code = card_meant(session, name)
        if code is None:
            self.print(self.say("play.which_card", text=name))
            return
        self.print(f"{session.words.card(code)}.")
        view = session.match.view(session.match.to_act)
        self.print_all(card_lines(session, code, view, self.say))

    def show_rule(self, wanted: str) -> None:
        """The text of rules, by default of the one that refused the last choice."""
        rules = self.session.words.rules()
        text = wanted.strip() or self.rule
        found = find(rules, text) if text else []
        for rule in found:
            self.print(self.say("rules.line", title=rule.title, text=rule.text))
        if not found:
            titles = ", ".join(rule.title for rule in rules.values())
            key = "play.which_rule" if text else "play.no_refusal"
            self.print(self.say(key, text=text, allowed=titles))

    def hint(self) -> None:
        if self.coach:
            self.print_all(self.coach.idea(self.session.match))
            return
        if self.adviser is None:
            self.print(self.say("play.no_hint"))
            return
        self.print(self.say("hint.title"))
        hints = self.adviser(self.session.match)
        tried = [hint for hint in hints if hint.chance is not None]
        for hint in tried:
            choice = self.words_of({"token": hint.token})
            self.print(self.say("hint.line", chance=hint.percent, choice=choice))
        if untried := len(hints) - len(tried):  # dozens, which would push the others off a screen
            self.print(self.say("hint.untried", count=untried))
