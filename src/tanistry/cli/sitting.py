"""A sitting: one match with people and bots at its seats. Knows neither screen nor keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import tanistry
from tanistry.bots import Bot
from tanistry.errors import SeatError, SeedError
from tanistry.match import Event, Game, Match
from tanistry.match.game import seed_bytes
from tanistry.words import common, words

PERSON = "human"
CASUAL = ("ismcts", "greedy", "random")
"""Whom to play against when nobody is asked for: the first of these that there is."""


@dataclass(frozen=True)
class Player:
    """Who sits at a seat: a person, or a bot."""

    name: str
    bot: Bot | None = None

    @property
    def described(self) -> str:
        return f"{self.name} ({self.bot.name})" if self.bot else self.name


class Sitting:
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
        from tanistry.cli.language import texts

        say = texts(self.lang)
        return [
            say(
                "play.rank",
                rank=1 + sum(map(len, result.ranking[:index])),
                names=", ".join(self.names[seat] for seat in seats),
                score=", ".join(str(result.scores[seat]) for seat in seats),
            )
            for index, seats in enumerate(result.ranking)
        ]

    def record(self) -> str:
        """The match so far as a record, the players' names in its header."""
        headers = {f"Seat{seat}": player.described for seat, player in enumerate(self.players)}
        return self.match.record(**headers)


def _folded(text: str) -> str:
    return "".join(text.casefold().split())


# -- from the command line ------------------------------------------------------------------------


def read_options(name: str, seats: int | None, given: Sequence[str]) -> Game:
    """A game from `--seats` and `--option name=value`; OptionError names what is allowed."""
    game = tanistry.game(name, seats=seats)
    known = {option.name: option for option in game.option_list}
    values: dict[str, Any] = {}
    for item in given:
        key, _, text = item.partition("=")
        key = key.strip()
        values[key] = known[key].read(text.strip()) if key in known else text
    return tanistry.game(name, seats=game.seats, **values)


def read_seed(text: str | None) -> int | bytes | None:
    """A seed as people write it: a number, or 64 hexadecimal digits as in a record."""
    if text is None:
        return None
    try:
        if len(text) == 64:
            return bytes.fromhex(text)
        return int(text)
    except ValueError:
        raise SeedError("seed", value=text) from None


def default_opponent() -> str:
    """The bot to play against when nobody said which."""
    from tanistry.bots import bots

    return next(name for name in CASUAL if name in bots())


def read_players(
    game: Game,
    given: Sequence[str],
    opponents: str | None,
    names: Sequence[str],
    lang: str,
    seed: int | bytes | None = None,
) -> list[Player]:
    """Who sits where: seat 0 a person and the others `opponents`, unless `given` says otherwise.

    `given` are texts like `1=random` or `2=human`; `names` are for the people, in order.
    """
    sitting = [PERSON, *[opponents or default_opponent()] * (game.seats - 1)]
    for item in given:
        number, _, who = item.partition("=")
        if not number.strip().isdecimal() or int(number) >= game.seats:
            raise SeatError("seat", value=number, allowed=f"0–{game.seats - 1}")
        sitting[int(number)] = who.strip() or PERSON
    waiting = list(names)
    players = []
    for seat, who in enumerate(sitting):
        name = str(common(lang).find("seat")).format(seat)
        if who == PERSON:
            players.append(Player(waiting.pop(0) if waiting else name))
        else:
            players.append(Player(name, tanistry.bot(who, seed=_bot_seed(seed, seat))))
    return players


def _bot_seed(seed: int | bytes | None, seat: int) -> bytes | None:
    """A stream of its own for each bot, so that a seeded match can be had again."""
    return None if seed is None else sha256(b"bot %d" % seat + seed_bytes(seed)).digest()
