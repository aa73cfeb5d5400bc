"""What is to be played: the game, the entrants, the deals, and who sits where."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import tanistry
from tanistry.arguments import as_whole, several, whole
from tanistry.bots import default_level, no_such_level, version
from tanistry.errors import OptionError, SeedError
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
    def read(cls, text: object) -> Entrant:
        """From what a person wrote; OptionError if there is no such bot or level."""
        if not isinstance(text, str):
            raise OptionError("arena/entrant", value=text)
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
        entrant = cls(text, name, int(level) if level else default_level(name), settings)
        entrant.bot(b"\0" * 32)
        return entrant

    def is_like(self, other: Entrant) -> bool:
        """Whether it plays the same, however it is written."""
        return (self.name, self.level, dict(self.settings)) == (
            other.name, other.level, dict(other.settings),
        )  # fmt: skip

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

    @property
    def turned(self) -> Encounter:
        """The same deal between the same two, named the other way round."""
        return Encounter(self.b, self.a, self.deal)


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
        entrants: Iterable[str],
        *,
        games: int = 100,
        seats: int | None = None,
        seed: int = 0,
        ladder: bool = False,
        **options: object,
    ) -> Contest:
        """A contest with everything checked; OptionError says what is wrong."""
        made = tanistry.game(game, seats=seats, **options)
        read = [Entrant.read(text) for text in several(entrants)]
        for one, other in combinations(read, 2):
            if one.is_like(other):
                raise OptionError("arena/twice", value=other.text)
        if len(read) < 2:
            raise OptionError("arena/few", count=len(read))
        matches = whole("games", games, MATCHES_PER_DEAL)
        number = as_whole(seed)
        if number is None:
            raise SeedError("seed", value=seed)
        texts = tuple(entrant.text for entrant in read)
        return cls(game, made.seats, made.options, texts, matches, number, ladder)

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

    def versions(self) -> dict[str, int]:
        """The versions of the bots that take part."""
        names = sorted({Entrant.read(text).name for text in self.entrants})
        return {name: version(name) for name in names}

    def data(self) -> dict[str, Any]:
        """What a results file says about it."""
        return {
            "game": self.game,
            "version": tanistry.info(self.game).version,
            "seats": self.seats,
            "options": dict(self.options),
            "seed": self.seed,
        }
