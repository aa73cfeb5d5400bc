"""The game as lines of text: for pipes, scripts and screen readers.

Every event is one line. A choice is asked for with numbered lines and read from the input: its
number, its token, or one of a few words that `?` lists.
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from typing import TextIO

from tanistry.errors import IllegalMove
from tanistry.session.describe import capital, table_lines
from tanistry.session.hints import Adviser
from tanistry.session.language import Texts, texts
from tanistry.session.session import Session

MANY = 25
"""More choices than this are told in groups."""


def alike(token: str) -> str:
    """What tokens of a group share: all but the last part (`R7@4`, `betray MK 5.0`)."""
    return re.split(r"[ @][^ @]*$", token)[0]


class Quit(Exception):
    """The person leaves the table."""


class Plain:
    """One match in plain text."""

    def __init__(
        self,
        session: Session,
        adviser: Adviser | None = None,
        source: TextIO | None = None,
        target: TextIO | None = None,
    ) -> None:
        self.session = session
        self.say: Texts = texts(session.lang)
        self.adviser = adviser
        self.source = source or sys.stdin
        self.target = target or sys.stdout
        self.heard = dict.fromkeys([None, *range(session.game.seats)], 0)
        self.greeted: set[int] = set()
        self.at_device: int | None = None
        self.rule = ""
        self.ended = False

    def print(self, line: str = "") -> None:
        print(line, file=self.target, flush=True)

    # -- the course of a match --------------------------------------------------------------------

    def run(self) -> bool:
        """Play to the end; False if the person left before it."""
        session = self.session
        words = session.words
        self.print(self.say("play.welcome", title=words.text("title")))
        for player in session.players:
            self.print(
                self.say("play.seated" if player.bot else "play.person", who=player.described)
            )
        try:
            while (acting := session.to_act) is not None:
                if acting.bot is None:
                    self.persons_turn()
                else:
                    session.play(session.bot_choice())
                self.tell(session.eyes if not session.shared else self.at_device)
        except Quit:
            return False
        for line in session.result_lines():
            self.print(line)
        return True

    def tell(self, seat: int | None) -> None:
        """The events a seat has not heard of yet."""
        for line in self.session.lines(seat, self.heard[seat]):
            self.print(line)
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
            if not answer:
                continue
            if self.command(answer):
                continue
            if self.choose(answer):
                return

    def pass_device(self, seat: int) -> None:
        """Between two people: nobody sees the other's cards."""
        self.at_device = None
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
        for line in table_lines(self.session, self.session.match.view(seat), self.say):
            self.print(line)

    def show_choices(self, in_full: bool = False) -> None:
        """The legal choices with their numbers; many that differ little share a line."""
        match, words = self.session.match, self.session.words
        assert match.to_act is not None
        decision = words.text(f"decisions.{match.decision}")
        self.print(self.say("play.turn", name=self.session.names[match.to_act], decision=decision))
        legal = match.legal()
        groups = [[token] for token in legal]
        if len(legal) > MANY and not in_full:
            groups = [list(group) for _, group in groupby(legal, alike)]
        number = 1
        for group in groups:
            last = number + len(group) - 1
            numbers = str(number) if last == number else f"{number}–{last}"
            codes = " ".join(f"[{token}]" for token in group)
            self.print(f"{numbers}. {capital(words.token(group[0]))} {codes}")
            number = last + 1
        if self.adviser:
            self.hint()

    def choose(self, answer: str) -> bool:
        """Play what was answered; whether that was possible."""
        legal = self.session.match.legal()
        token = answer
        if answer.isdecimal() and 1 <= int(answer) <= len(legal):
            token = legal[int(answer) - 1]
        elif answer not in self.session.game.actions:
            token = self.session.game_token(answer)
        try:
            self.session.play(token)
        except IllegalMove as refused:
            self.rule = refused.rule
            self.print(
                self.say("play.refused", why=refused.message(self.session.lang), rule=refused.rule)
            )
            return False
        return True

    def command(self, answer: str) -> bool:
        """Carry out one of the words that are not a choice; whether it was one."""
        word, _, rest = answer.partition(" ")
        if word == "?":
            self.print(self.say("play.commands"))
        elif word == "t" and not rest:
            self.show_table()
        elif word == "c" and not rest:
            self.show_choices(in_full=True)
        elif word == "r":
            self.show_rule(rest)
        elif word == "h" and not rest:
            self.hint()
        elif word == "q" and not rest:
            raise Quit
        else:
            return False
        return True

    def show_rule(self, name: str) -> None:
        """The text of a rule, by default of the one that refused the last choice."""
        rules = self.session.words.rules()
        wanted = name.strip() or self.rule
        if wanted not in rules:
            wanted = f"{self.session.game.name}.{wanted}"
        if rule := rules.get(wanted):
            self.print(self.say("rules.line", id=rule.id, title=rule.title, text=rule.text))
        else:
            self.print(self.say("play.which_rule", allowed=", ".join(rules)))

    def hint(self) -> None:
        if self.adviser is None:
            self.print(self.say("play.no_hint"))
            return
        self.print(self.say("hint.title"))
        for hint in self.adviser(self.session.match):
            choice = self.session.words.token(hint.token)
            line = self.say("hint.line", chance=hint.percent, choice=choice, token=hint.token)
            self.print(line)
