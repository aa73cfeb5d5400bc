"""Tournaments as they are stored, with everybody in them and everything that was played.

Nothing is counted up: what the boards came to is read from their matches each time, so that nothing
can be counted twice.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tanistry.server import catalogue, clubs, history
from tanistry.server.clocks import Clock
from tanistry.server.info import Data, Seat
from tanistry.server.refusals import Refused
from tanistry.server.rows import is_id, picked
from tanistry.server.schema import blocks, boards, entrants, players, seats, tables
from tanistry.server.schema import clubs as club_rows
from tanistry.server.schema import tournaments as cups
from tanistry.server.store import Store
from tanistry.tournaments import Board, Plan, Standing, replay, standings

SHOWN = 50
"""Tournaments in a list."""
INSIDE = ~entrants.c.removed | entrants.c.number.is_not(None)
"""Who was put out before it began is not in it: their row only says that they stay out."""
ENTRANT = ("entry", "number", "player", "name", "bot", "level", "here", "removed")
"""What is told of somebody who plays."""


@dataclass(frozen=True)
class Entrant:
    """Somebody who plays in a tournament, a person or a bot."""

    entry: str
    number: int | None
    player: str | None
    name: str
    bot: str | None
    level: int | None
    here: bool
    removed: bool
    login: bool

    def seat(self, seat: int) -> Seat:
        if self.bot is not None:
            return Seat(seat, "bot", None, self.name, True, self.bot, self.level)
        return Seat(seat, "person", self.player, self.name)


@dataclass(frozen=True)
class Game:
    """One game at a board: its row, how it stands, and what its table is doing."""

    round: int
    board: int
    game: int
    table: str | None
    status: str  # of the table; "none" where there is none
    since: int
    result: Board
    left: frozenset[int] = frozenset()  # numbers of those who resigned or ran out of time


@dataclass(frozen=True)
class Tournament:
    """A tournament, everybody in it, and everything that was played."""

    row: Any
    entrants: list[Entrant]  # by number, once there are some; before by when they came
    games: list[Game]

    @property
    def id(self) -> str:
        return str(self.row.id)

    @property
    def plan(self) -> Plan:
        row = self.row
        sizes = tuple(n for n in self.sizes if 3 <= n <= 5)
        several = row.system == "tables"
        return Plan(row.system, row.rounds, row.seats, sizes if several else (2,))

    @property
    def sizes(self) -> list[int]:
        """How many can play the game at all."""
        return list(catalogue.game_info(self.row.game).seats)

    @property
    def clock(self) -> Clock:
        return Clock(**self.row.clock)

    @property
    def numbers(self) -> list[int]:
        return [one.number for one in self.entrants if one.number is not None]

    @property
    def here(self) -> set[int]:
        return {one.number for one in self.entrants if one.here and one.number is not None}

    @property
    def removed(self) -> set[int]:
        """Those who were put out after it had begun."""
        return {one.number for one in self.entrants if one.removed and one.number is not None}

    def by_number(self, number: int) -> Entrant:
        return next(one for one in self.entrants if one.number == number)

    def of(self, player: str | None) -> Entrant | None:
        found = (one for one in self.entrants if player is not None and one.player == player)
        return next(found, None)

    def at_boards(self) -> list[list[list[Game]]]:
        """All games: by round, by board, in their order."""
        found: list[list[list[Game]]] = []
        for game in self.games:
            if game.round > len(found):
                found.append([])
            if game.board > len(found[-1]):
                found[-1].append([])
            found[-1][-1].append(game)
        return found

    @property
    def rounds(self) -> list[list[Board]]:
        """What every board came to."""
        return [[self.decided(games)[0] for games in boards] for boards in self.at_boards()]

    def decided(self, games: list[Game]) -> tuple[Board, Board | None]:
        results = [game.result for game in games]
        return replay(results) if self.row.system == "knockout" else (results[-1], None)

    def standings(self) -> list[Standing]:
        return standings(self.row.system, self.numbers, self.rounds)

    def total(self) -> int:
        count = len(self.entrants)
        return self.plan.total(count) if count > 1 else self.row.rounds


async def load(store: Store, id: str) -> Tournament:
    """A tournament by its id."""
    row = await store.first(_with_club().where(cups.c.id == id)) if is_id(id) else None
    if row is None:
        raise Refused("tournament/unknown")
    return Tournament(row, await _entrants(store, id), await _games(store, id))


async def _entrants(store: Store, id: str) -> list[Entrant]:
    query = sa.select(entrants, players.c.name.label("called"), players.c.login).outerjoin(
        players, players.c.id == entrants.c.player
    )
    query = query.where(entrants.c.tournament_id == id, INSIDE)
    rows = await store.read(query.order_by(entrants.c.number, entrants.c.at, entrants.c.entry))
    return [
        Entrant(**picked(row, ENTRANT) | {"name": row.called or row.name}, login=bool(row.login))
        for row in rows
    ]


def _with_club(*more: Any) -> Any:
    query = sa.select(cups, club_rows.c.name.label("club_name"), *more)
    return query.outerjoin(club_rows, club_rows.c.id == cups.c.club)


async def _games(store: Store, id: str) -> list[Game]:
    query = sa.select(boards, tables.c.status, tables.c.result).outerjoin(
        tables, tables.c.id == boards.c.table_id
    )
    key = boards.c.round, boards.c.board, boards.c.game
    rows = await store.read(query.where(boards.c.tournament_id == id).order_by(*key))
    gave_up = await history.gave_up(store, [row.table_id for row in rows if row.table_id])
    over = [row.table_id for row in rows if row.status == "over"]
    stood_in = await history.seats_that(store, seats, seats.c.stand_in, over)
    return [
        Game(
            row.round,
            row.board,
            row.game,
            row.table_id,
            row.status or "none",
            row.since,
            _result(row, gave_up[row.table_id] | stood_in[row.table_id]),
            frozenset(_present(row)[seat] for seat in gave_up[row.table_id]),
        )
        for row in rows
    ]


def _present(row: Any) -> list[int]:
    """Numbers of those who sit at the table of a board, in the order of seats."""
    return [number for number in row.players if number not in row.absent]


def _result(row: Any, left: Collection[int]) -> Board:
    """What a game came to, by its match if there was one; `left`: seats of those who gave up, or
    were gone at the end with a bot in their place."""
    numbers, absent = tuple(row.players), frozenset(row.absent)
    if row.ranks is not None:
        return Board(numbers, tuple(row.ranks), absent)
    if row.status != "over" or not row.result:
        return Board(numbers, None, absent)
    place = {seat: rank + 1 for rank, group in enumerate(row.result["ranking"]) for seat in group}
    last = len(numbers) + 1
    came = {n: last if seat in left else place[seat] for seat, n in enumerate(_present(row))}
    order = [came.get(number, last) for number in numbers]
    return Board(numbers, tuple(1 + sum(one < own for one in order) for own in order), absent)


async def recent(store: Store, *where: Any) -> list[Data]:
    """The latest tournaments, in short."""
    count = sa.select(sa.func.count()).where(entrants.c.tournament_id == cups.c.id, INSIDE)
    query = _with_club(count.scalar_subquery().label("count")).where(*where)
    rows = await store.read(query.order_by(cups.c.created.desc(), cups.c.id).limit(SHOWN))
    return [short(row) | {"count": row.count} for row in rows]


def short(row: Any) -> Data:
    names = ("id", "name", "game", "system", "seats", "rated", "status", "created", "started",
             "ended", "most")  # fmt: skip
    club = {"id": row.club, "name": row.club_name} if row.club_name is not None else None
    return picked(row, names) | {"club": club}


def listed_for(row: Any) -> Any:
    """Those of everybody, and those of one's own clubs; hosts see all."""
    if row is not None and row.role == "host":
        return sa.true()
    own = cups.c.club.in_(clubs.of(row.id)) if row is not None else sa.false()
    return cups.c.club.is_(None) | own


async def organisers(store: Store, cup: Any) -> set[str]:
    """Who may start and end a tournament, beside hosts: who made it; of a club's, whoever leads the
    club now."""
    return {cup.host} if cup.club is None else await clubs.leaders(store, cup.club)


def runs(row: Any, by: Collection[str]) -> bool:
    """Whether somebody is one of them."""
    return row is not None and (row.role == "host" or row.id in by)


async def apart(store: Store, cup: Tournament) -> list[tuple[int, int]]:
    """Numbers of those who keep apart from each other."""
    number = {one.player: one.number for one in cup.entrants if one.player and one.number}
    both = blocks.c.player.in_(number) & blocks.c.blocked.in_(number)
    rows = await store.read(sa.select(blocks.c.player, blocks.c.blocked).where(both))
    return [(number[row.player], number[row.blocked]) for row in rows]
