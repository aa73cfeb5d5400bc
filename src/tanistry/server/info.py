"""A table as it is stored, without what happened at it: who sits there, and what is agreed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tanistry.match.game import settled
from tanistry.match.records import commitment, deal_seed
from tanistry.server.clocks import Clock

if TYPE_CHECKING:
    from tanistry.match import Match

Data = dict[str, Any]


@dataclass
class Seat:
    """Who sits where."""

    seat: int
    kind: str = "open"  # open, person, bot
    player: str | None = None  # of an open seat: for whom it is kept
    name: str = ""
    ready: bool = False
    bot: str | None = None
    level: int | None = None
    stand_in: bool = False  # a bot plays for the person
    bound: str | None = None  # for whom a rated match counts
    weight: float | None = None  # how much it counted
    nonce: str | None = None  # what the player's device adds to the seed
    rating: int | None = None  # looked up, not stored here
    moved: tuple[int, int] | None = None  # likewise: the rating before and after the match

    @property
    def kept(self) -> bool:
        """Whether it waits for somebody who is to say whether they come."""
        return self.kind == "open" and self.player is not None


@dataclass
class Info:
    """A table as it is stored, without what happened at it."""

    id: str
    game: str
    version: int
    options: Data
    host: str
    seed: bytes
    salt: bytes
    created: int
    status: str = "waiting"  # waiting, playing, over, closed
    public: bool = False
    rated: bool = True
    clock: Clock = field(default_factory=Clock)
    watchable: bool = True
    delay: int = 0  # seconds spectators are behind
    started: int | None = None
    ended: int | None = None
    revision: int = 0
    draw_offer: int | None = None  # see Table.draw_offer
    draw_turn: int | None = None  # when it was made
    takebacks: bool = True
    undo_offer: Data | None = None  # see Table.undo_offer
    rematch: str | None = None
    rematch_of: str | None = None
    result: Data | None = None
    tournament: str | None = None  # of which it is a board
    seats: list[Seat] = field(default_factory=list)

    @property
    def solo(self) -> bool:
        """One person, and bots: nobody is harmed by a hint, unless it is a tournament."""
        return self.tournament is None and sum(seat.kind != "bot" for seat in self.seats) == 1

    @property
    def paired(self) -> bool:
        """Made for people who looked for somebody: nobody is its host, nobody else sits there."""
        return not self.host and self.tournament is None

    @property
    def by_days(self) -> bool:
        """Whether there are days for each choice: nobody need be here, and nobody is absent."""
        return self.clock.kind == "days"

    @property
    def hidden(self) -> bool:
        """Whether only those who play may follow the match."""
        return not self.watchable and self.status in ("playing", "over")

    @property
    def persons(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.kind == "person"]

    @property
    def full(self) -> bool:
        return all(seat.kind != "open" for seat in self.seats)

    @property
    def agreed(self) -> bool:
        """Whether every seat is taken, and every person has said that it may begin."""
        return self.full and all(seat.ready for seat in self.persons)

    @property
    def deal_seed(self) -> bytes:
        """What the cards come from."""
        return deal_seed(self.seed, [bytes.fromhex(seat.nonce or "") for seat in self.seats])

    def begin(self, now: int) -> None:
        """The match starts; a rated one counts for those who sit here now, whoever they become."""
        self.status, self.started = "playing", now
        for seat in self.persons:
            seat.bound = seat.player if self.rated else None

    def close(self, now: int) -> None:
        """Nothing is played here."""
        self.status, self.ended = "closed", now

    def seat_of(self, player: str) -> int | None:
        for held in self.seats:
            if held.player == player and held.kind == "person":
                return held.seat
        return None

    def deal(self) -> Match:
        """The match as it begins."""
        game = settled(self.game, len(self.seats), tuple(sorted(self.options.items())))
        return game.deal(self.deal_seed)


MOVED = ("before", "after")


def describe(
    info: Info,
    player: str | None,
    present: Collection[int] = (),
    watching: int = 0,
    turn: int | None = None,
    resigned: Collection[int] = (),
) -> Data:
    """A table without its cards, for a player. The seed is shown when the match is over. Who asks
    for what is known where its rows are."""
    shown = info.status == "over"
    return {
        "id": info.id,
        "game": info.game,
        "options": info.options,
        "status": info.status,
        "public": info.public,
        "rated": info.rated,
        "solo": info.solo,
        "host": info.host,
        "created": info.created,
        "started": info.started,
        "ended": info.ended,
        "seats": [
            {
                "seat": held.seat,
                "kind": held.kind,
                "player": held.player,
                "name": held.name,
                "you": player is not None and held.kind == "person" and held.player == player,
                "present": held.kind == "bot" or held.seat in present,
                "ready": held.kind == "bot" or held.ready,
                "bot": held.bot,
                "level": held.level,
                "bot_plays": held.kind == "bot" or held.stand_in or held.seat in resigned,
                "rating": held.rating,
                "resigned": held.seat in resigned,
                "weight": held.weight,
                **({"rating_change": dict(zip(MOVED, held.moved))} if held.moved else {}),
            }
            for held in info.seats
        ],
        "clock": info.clock.data(),
        "spectators": {"allowed": info.watchable, "delay": info.delay, "watching": watching},
        "draw_offer": None,
        "takebacks": info.takebacks,
        "undo_offer": None,
        "rematch": info.rematch,
        "rematch_of": info.rematch_of,
        **({"tournament": info.tournament} if info.tournament else {}),
        "turn": turn,
        "revision": info.revision,
        "fairness": {
            # without a salt nothing was promised: the match was dealt on somebody's device
            "commitment": commitment(info.seed, info.salt) if info.salt else "",
            "seed": info.seed.hex() if shown else None,
            "salt": info.salt.hex() if shown else None,
            "nonces": [held.nonce for held in info.seats] if info.started else None,
        },
        "result": info.result,
    }
