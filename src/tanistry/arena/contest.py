"""What is to be played: the game, the entrants, the deals, and who sits where."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import tanistry
from tanistry.bots import no_such_level
from tanistry.errors import OptionError
from tanistry.games.contract import Value

if TYPE_CHECKING:
    from tanistry.bots import Bot
    from tanistry.match import Game

MATCHES_PER_DEAL = 2


@dataclass(frozen=True)
class Entrant:
    """A bot with its level and settings, written `ismcts:3` or `ismcts:3,exploration=1.0`."""

    text: str
    name: str
    level: int | None
    settings: tuple[tuple[str, float | int], ...]

    @classmethod
    def read(cls, text: str) -> Entrant:
        """From what a person wrote; OptionError if there is no such bot or level."""
        head, *rest = text.split(",")
        name, colon, level = head.partition(":")
        if colon and not level.isdecimal():
            raise no_such_level(name, level)
        try:
            settings = tuple((key, _number(value)) for key, _, value in map(_halves, rest))
        except ValueError:
            raise OptionError("arena/entrant", value=text) from None
        names = [key for key, _ in settings]
        if len(set(names)) < len(names) or {"name", "level", "seed"} & set(names):
            raise OptionError("arena/entrant", value=text)
        entrant = cls(text, name, int(level) if level else None, settings)
        entrant.bot(b"\0" * 32)
        return entrant

    def bot(self, seed: bytes) -> Bot:
        return tanistry.bot(self.name, level=self.level, seed=seed, **dict(self.settings))


def _halves(item: str) -> tuple[str, str, str]:
    return item.partition("=")


def _number(text: str) -> float | int:
    return int(text) if text.lstrip("-").isdigit() else float(text)


@cache
def _game(name: str, seats: int, options: tuple[tuple[str, Value], ...]) -> Game:
    return tanistry.game(name, seats=seats, **dict(options))


@dataclass(frozen=True)
class Encounter:
    """One deal between two entrants (by their texts): two matches, seats swapped."""

    a: str
    b: str
    deal: int


@dataclass(frozen=True)
class Contest:
    """A round robin."""

    game: str
    seats: int
    options: Mapping[str, Value]
    entrants: tuple[str, ...]
    games: int
    seed: int = 0
    ladder: bool = False
    """Only neighbours in the list meet, instead of all pairs."""

    @classmethod
    def of(
        cls,
        game: str,
        entrants: Sequence[str],
        *,
        games: int = 100,
        seats: int | None = None,
        seed: int = 0,
        ladder: bool = False,
        **options: object,
    ) -> Contest:
        """A contest with everything checked; OptionError says what is wrong."""
        made = tanistry.game(game, seats=seats, **options)
        for text in entrants:
            Entrant.read(text)
            if entrants.count(text) > 1:
                raise OptionError("arena/twice", value=text)
        if len(entrants) < 2:
            raise OptionError("arena/few", count=len(entrants))
        if games < MATCHES_PER_DEAL:
            raise OptionError("option/value", name="games", value=games, allowed="2 …")
        return cls(game, made.seats, made.options, tuple(entrants), games, seed, ladder)

    def make_game(self) -> Game:
        return _game(self.game, self.seats, tuple(self.options.items()))

    @property
    def deals(self) -> int:
        return -(-self.games // MATCHES_PER_DEAL)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        if self.ladder:
            return list(zip(self.entrants, self.entrants[1:], strict=False))
        return list(combinations(self.entrants, 2))

    def encounters(self) -> Iterator[Encounter]:
        """All that is to be played, deal by deal, so that an interrupted contest is an even one."""
        for deal in range(self.deals):
            for a, b in self.pairs:
                yield Encounter(a, b, deal)

    def seating(self, encounter: Encounter, swapped: bool) -> list[str]:
        """Who sits where: a and b take turns, turned on by one seat with each deal."""
        two = (encounter.b, encounter.a) if swapped else (encounter.a, encounter.b)
        seats = [two[i % 2] for i in range(self.seats)]
        turn = encounter.deal % self.seats
        return seats[-turn:] + seats[:-turn] if turn else seats

    def seed_of(self, *what: object) -> bytes:
        """A seed for a deal or a bot, all different, all from the contest's own."""
        text = "/".join(map(str, (self.seed, self.game, *what)))
        return hashlib.sha256(b"arena " + text.encode()).digest()

    def data(self) -> dict[str, Any]:
        """What a results file says about it."""
        return {
            "game": self.game,
            "version": tanistry.info(self.game).version,
            "seats": self.seats,
            "options": dict(self.options),
            "seed": self.seed,
        }
