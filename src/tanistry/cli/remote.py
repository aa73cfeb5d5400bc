"""A match on a server, as lines of text: `tanistry play GAME --server URL`."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, TextIO, cast

import tanistry
from tanistry.cli.app import Misuse
from tanistry.cli.describe import capital, table_lines
from tanistry.cli.language import Texts
from tanistry.cli.sitting import Sitting
from tanistry.client import Client, RefusedByServer, Table
from tanistry.match import Game
from tanistry.words import words


class Remote:
    """One seat at a table of a server, at this keyboard."""

    def __init__(
        self,
        table: Table,
        game: Game,
        say: Texts,
        source: TextIO | None = None,
        target: TextIO | None = None,
    ) -> None:
        self.table = table
        self.say = say
        self.source = source or sys.stdin
        self.target = target or sys.stdout
        self.words = words(say.lang, game.info)
        self.game = game
        self.heard = 0

    def print(self, line: str = "") -> None:
        print(line, file=self.target, flush=True)

    def run(self) -> bool:
        """Play to the end; False if the person left before it."""
        self.print(self.say("play.welcome", title=self.words.text("title")))
        self.print(self.say("remote.link", link=f"/t/{self.table.id}"))
        while self.table.your_turn():
            self.tell()
            self.show_table()
            self.show_choices()
            if not self.choose():
                return False
        self.tell()
        ended = self.table.ended() or {}
        for rank, group in enumerate(ended.get("ranking", []), 1):
            names = ", ".join(self.table.names[seat] for seat in group)
            scores = ended.get("scores")
            score = scores[group[0]] if scores else "–"
            self.print(self.say("play.rank", rank=rank, names=names, score=score))
        return True

    def tell(self) -> None:
        events = self.table.events
        for event in events[self.heard :]:
            if event.get("text"):
                self.print(event["text"])
        self.heard = len(events)

    def show_table(self) -> None:
        names = self.table.names
        as_sitting: Any = SimpleNamespace(words=self.words, game=self.game, names=names)
        for line in table_lines(cast(Sitting, as_sitting), self.table.view, self.say):
            self.print(line)

    def show_choices(self) -> None:
        decision = self.words.text(f"decisions.{self.table.view['decision']}")
        name = self.table.names[self.table.seat]
        self.print(self.say("play.turn", name=name, decision=decision))
        for number, token in enumerate(self.table.legal, 1):
            self.print(f"{number}. {capital(self.words.token(token))} [{token}]")

    def choose(self) -> bool:
        """Ask until a choice is played; False if the person leaves."""
        while True:
            print(self.say("play.prompt"), end="", file=self.target, flush=True)
            line = self.source.readline()
            answer = line.strip()
            if not line or answer == "q":
                return False
            legal = self.table.legal
            if answer.isdecimal() and 1 <= int(answer) <= len(legal):
                answer = legal[int(answer) - 1]
            if answer == "t":
                self.show_table()
            elif answer == "c":
                self.show_choices()
            elif answer == "?":
                self.print(self.say("remote.commands"))
            elif answer:
                try:
                    self.table.play(answer, wait=False)
                    return True
                except RefusedByServer as refused:
                    why = refused.say.get(self.say.lang, refused.code)
                    self.print(self.say("play.refused", why=why, rule=refused.rule or "–"))


def play_remote(
    url: str, table: str | None, game: Game, level: str | None, name: str | None, say: Texts
) -> int:
    """Quick play against bots, or a seat at a table that somebody shared the link of."""
    try:
        with Client(url, name, say=say.lang) as client:
            if table:
                found = client.watch(table.rstrip("/").rpartition("/")[2])
                if found.seat is None and found.data["status"] == "waiting":
                    found.ask("sit")
                if found.data["status"] == "waiting":
                    found.ask("ready")
                    print(say("remote.waiting"))
                game = tanistry.game(
                    found.data["game"], seats=len(found.data["seats"]), **found.data["options"]
                )
            else:
                bot, _, number = (level or "").partition(":")
                choices: dict[str, Any] = {"seats": game.seats, "options": dict(game.options)}
                choices |= {"bot": bot} if bot else {}
                choices |= {"level": int(number)} if number.isdecimal() else {}
                found = client.quick(game.name, **choices)
            if not Remote(found, game, say).run():
                print(say("play.left"))
            return 0
    except RefusedByServer as refused:
        raise Misuse(refused.say.get(say.lang, refused.code)) from None
    except (OSError, ValueError) as error:
        raise Misuse(say("remote.unreachable", url=url, reason=str(error))) from None
