"""A session: one match with people and bots at its seats. Knows neither screen nor keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tanistry.bots import Bot
from tanistry.match import Event, Game, Match
from tanistry.session.describe import rank_lines
from tanistry.session.language import texts
from tanistry.words import words


@dataclass(frozen=True)
class Player:
    """Who sits at a seat: a person, or a bot."""

    name: str
    bot: Bot | None = None

    @property
    def described(self) -> str:
        return f"{self.name} ({self.bot.name})" if self.bot else self.name


class Session:
    """A match, its players, and what has been told so far."""

    def __init__(self, match: Match, players: Sequence[Player], lang: str) -> None:
        self.match = match
        self.game: Game = match.game
        self.players = list(players)
        self.lang = lang
        self.words = words(lang, match.game.info)
        self.names = [player.name for player in players]
        self.told: list[Event] = []

    @property
    def people(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player.bot is None]

    @property
    def to_act(self) -> Player | None:
        seat = self.match.to_act
        return None if seat is None else self.players[seat]

    @property
    def eyes(self) -> int | None:
        """Whose view may be on the screen: the person's to act, or the only person's.

        None (a spectator) while a bot thinks and several people share the screen.
        """
        seat = self.match.to_act
        if seat is not None and self.players[seat].bot is None:
            return seat
        return self.people[0] if len(self.people) == 1 else None

    @property
    def shared(self) -> bool:
        """Whether several people pass the device round."""
        return len(self.people) > 1

    def play(self, token: str) -> list[Event]:
        """Make a choice for the seat to act; what happened."""
        events = self.match.play(token)
        self.told += events
        return events

    def game_token(self, text: str) -> str:
        """The token a person meant: as written, or but for capitals and spaces."""
        folded = {_folded(token): token for token in self.game.tokens}
        return folded.get(_folded(text), text)

    def bot_choice(self) -> str:
        """What the bot to act wants to play."""
        player = self.to_act
        assert player is not None
        assert player.bot is not None
        return player.bot.choose(self.match)

    def lines(self, seat: int | None, since: int = 0) -> list[str]:
        """What a seat was told from event number `since` on, one line each."""
        seen = (event.seen_by(seat) for event in self.told[since:])
        return [line for event in seen if (line := self.words.event(event, self.names))]

    def result_lines(self) -> list[str]:
        """The result in words: a line per place, best first."""
        result = self.match.result
        if result is None:
            return []
        return rank_lines(result.ranking, result.scores, self.names, texts(self.lang))

    def record(self) -> str:
        """The match so far as a record, the players' names in its header."""
        headers = {f"Seat{seat}": player.described for seat, player in enumerate(self.players)}
        return self.match.record(**headers)


def _folded(text: str) -> str:
    return "".join(text.casefold().split())
