"""A match on a server, as lines of text: `tanistry play GAME --server URL`."""

from __future__ import annotations

from collections.abc import Sequence
from json import JSONDecodeError
from ssl import SSLError
from typing import Any, TextIO

import tanistry
from tanistry.bots.spec import parse
from tanistry.cli.common import play_lines
from tanistry.cli.plain import Lines
from tanistry.client import Client, RefusedByServer, Table
from tanistry.errors import TanistryError
from tanistry.match import Game
from tanistry.session.describe import capital, question, rank_lines, table_lines
from tanistry.session.language import Misuse, Texts
from tanistry.words import words


class Remote(Lines):
    """One seat at a table of a server, at this keyboard."""

    def __init__(
        self,
        table: Table,
        game: Game,
        say: Texts,
        source: TextIO | None = None,
        target: TextIO | None = None,
    ) -> None:
        super().__init__(source, target)
        self.table = table
        self.say = say
        self.words = words(say.lang, game.info)
        self.game = game
        self.heard = 0

    @property
    def names(self) -> Sequence[str]:
        names: Sequence[str] = self.table.names
        return names

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
        scores = ended.get("scores") or ["–"] * self.game.seats
        self.print_all(rank_lines(self, ended.get("ranking", []), scores, self.say))
        return True

    def tell(self) -> None:
        events = self.table.events
        self.print_all(event["text"] for event in events[self.heard :] if event.get("text"))
        self.heard = len(events)

    def show_table(self) -> None:
        self.print_all(table_lines(self, self.table.view, self.say))

    def show_choices(self) -> None:
        decision = question(self.words.asked(self.table.view["decision"], self.table.legal))
        self.print(self.say("play.turn", decision=decision))
        for number, token in enumerate(self.table.legal, 1):
            text = self.words.token(token, self.table.view, self.names, self.table.tally)
            self.print(f"{number}. {capital(text)}")

    def choose(self) -> bool:
        """Ask until a choice is played; False if the person leaves."""
        while True:
            print(self.say("play.prompt"), end="", file=self.target, flush=True)
            line = self.source.readline()
            answer = line.strip()
            self.ended = not line
            if self.ended or answer == "q":
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
                    if self.table.is_refused:  # for good: there is nothing to try again
                        raise
                    why = refused.say.get(self.say.lang, refused.code)
                    self.print(self.say("play.refused", why=why))


def play_remote(
    url: str, table: str | None, game: Game, opponents: str | None, name: str | None, say: Texts
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
                choices: dict[str, Any] = {"seats": game.seats, "options": dict(game.options)}
                if opponents:
                    bot, number, _ = parse(opponents)
                    choices |= {"bot": bot} if number is None else {"bot": bot, "level": number}
                found = client.quick(game.name, **choices)
            return play_lines(Remote(found, game, say), say)
    except RefusedByServer as refused:
        raise Misuse(refused.say.get(say.lang, refused.code)) from None
    except TanistryError:  # it knows its own sentence
        raise
    except SSLError as error:
        raise Misuse(say("remote.unreachable", url=url, reason=error.reason or error)) from None
    except (OSError, JSONDecodeError):
        raise Misuse(say("remote.silent", url=url)) from None
    except ValueError:
        raise Misuse(say("remote.address", url=url)) from None
