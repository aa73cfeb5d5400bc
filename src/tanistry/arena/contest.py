"""What is to be played: the game, the entrants, the deals, and who sits where."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import tanistry
from tanistry.arguments import as_whole, several, whole
from tanistry.bots import BotSpec, version
from tanistry.errors import OptionError, SeedError
from tanistry.games.contract import Value
from tanistry.match.game import settled

if TYPE_CHECKING:
    from tanistry.match import Game

MATCHES_PER_DEAL = 2


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
        texts = several(entrants)
        specs = [BotSpec.read(text) for text in texts]
        for place, spec in enumerate(specs):
            if spec in specs[:place]:
                raise OptionError("arena/twice", value=texts[place])
        if len(specs) < 2:
            raise OptionError("arena/few", count=len(specs))
        matches = whole("games", games, MATCHES_PER_DEAL)
        number = as_whole(seed)
        if number is None:
            raise SeedError("seed", value=seed)
        return cls(game, made.seats, made.options, tuple(texts), matches, number, ladder)

    def make_game(self) -> Game:
        return settled(self.game, self.seats, tuple(self.options.items()))

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
        names = sorted({BotSpec.read(text).name for text in self.entrants})
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
