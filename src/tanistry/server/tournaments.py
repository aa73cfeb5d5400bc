"""Tournaments as they are stored: making them, coming and going, and how they stand.

Nothing is counted up: what the boards came to is read from their matches each time, so that nothing
can be counted twice. Whatever is decided about a tournament raises its revision from the number
that was read before, in one transaction: of several workers that decide the same, one does.
"""

from __future__ import annotations

import asyncio
import csv
import io
import random
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server import catalogue, clubs, history
from tanistry.server.acts import CONSOLE, Actor, noted
from tanistry.server.bodies import NewTournament
from tanistry.server.clocks import Clock, now_ms
from tanistry.server.refusals import Refused, wrong_value
from tanistry.server.schema import blocks, boards, entrants, players, ratings, seats, tables
from tanistry.server.schema import clubs as club_rows
from tanistry.server.schema import tournaments as cups
from tanistry.server.store import Store, is_id, new_id, picked
from tanistry.server.tables import Data, Seat
from tanistry.server.talk import clean_title
from tanistry.server.thinking import check_bot, persona
from tanistry.server.verbs import new_info
from tanistry.tournaments import WIN, Board, Plan, Standing, replay, standings
from tanistry.tournaments.standings import COUNTED

SHOWN = 50
"""Tournaments in a list."""
AT_ONCE = 5
"""Tournaments of one person that are not over."""
TRIES, PAUSE = 100, 0.05
"""How often something is decided anew when others decide at the same moment, and the most seconds
between two tries."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would calculate."""


INSIDE = ~entrants.c.removed | entrants.c.number.is_not(None)
"""Who was put out before it began is not in it: their row only says that they stay out."""

ENTRANT = ("entry", "number", "player", "name", "bot", "level", "here", "removed")
"""What is told of somebody who plays."""

P = ParamSpec("P")
R = TypeVar("R")


class Taken(Exception):
    """Somebody else has decided something meanwhile: nothing of this has happened."""


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


# -- reading --------------------------------------------------------------------------------------


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
    return [_short(row) | {"count": row.count} for row in rows]


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


# -- deciding -------------------------------------------------------------------------------------


async def claim(connection: AsyncConnection, cup: Tournament, **values: Any) -> None:
    """Be the one who decides: by what was read, or not at all."""
    same = (cups.c.id == cup.id) & (cups.c.revision == cup.row.revision)
    change = sa.update(cups).where(same).values(revision=cup.row.revision + 1, **values)
    if (await connection.execute(change)).rowcount != 1:
        raise Taken


async def decide(store: Store, cup: Tournament, *statements: Any, **values: Any) -> None:
    """Change a tournament, and what else goes with it."""

    async def body(connection: AsyncConnection) -> None:
        await claim(connection, cup, **values)
        for statement in statements:
            await connection.execute(statement)

    await store.transaction(body)


def anew(work: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Many come at the same moment, when a tournament is announced or its time has come: whoever
    was too late by a moment looks again, and is not told of it."""

    @wraps(work)
    async def done(*given: P.args, **named: P.kwargs) -> R:
        for _ in range(TRIES):
            try:
                return await work(*given, **named)
            except Taken:
                await asyncio.sleep(random.uniform(0, PAUSE))
        raise Refused("table/conflict")

    return done


async def create(store: Store, body: NewTournament, host: str, most_open: int = AT_ONCE) -> str:
    """A new tournament, which people may join; its id. Without a host it is the console's."""
    info = catalogue.game_info(body.game)
    allowed = [n for n in info.seats if (3 <= n <= 5) == (body.system == "tables")]
    if not allowed:
        needed = "3–5" if body.system == "tables" else "2"
        raise Refused("tournament/seats", needed=needed, seats=", ".join(map(str, info.seats)))
    wanted = body.seats or (4 if 4 in allowed else allowed[0])
    if wanted not in allowed or (body.system != "tables" and wanted != 2):
        raise wrong_value("seats", "literal_error", expected=", ".join(map(str, allowed)))
    mine = (cups.c.host == host) & cups.c.status.in_(("open", "playing"))
    if host and await store.count(cups, mine) >= most_open:
        raise Refused("tournament/many", most=most_open)
    filled = [Seat(seat) for seat in range(wanted)]
    made = new_info(info.name, body.options, filled, "")  # refuses options that cannot be
    values = {
        "id": new_id(),
        "name": clean_title(body.name),
        "game": info.name,
        "options": made.options,
        "system": body.system,
        "seats": wanted,
        "rounds": body.rounds,
        "clock": body.clock.clock().data(),
        "grace": body.grace,
        "rated": body.rated,
        "most": body.most,
        "host": host,
        "club": body.club,
        "status": "open",
        "created": now_ms(),
        "revision": 0,
    }
    written = _written_down(None if host else CONSOLE, "tournament", str(values["name"]))
    await store.execute(sa.insert(cups).values(**values), *written)
    return str(values["id"])


def _written_down(
    by: Actor | None, act: str, name: str, player: str | None = None
) -> list[sa.Insert]:
    """What somebody does by their role is; who runs the tournament needs none."""
    return [noted(by, act, player, tournament=name)] if by else []


def check_open(cup: Tournament) -> None:
    if cup.row.status != "open":
        raise Refused("tournament/started")


def _full(cup: Tournament, more: int = 1) -> None:
    if len(cup.entrants) + more > cup.row.most:
        raise Refused("tournament/full", most=cup.row.most)


@anew
async def join(store: Store, id: str, row: Any, others: Collection[str] = ()) -> None:
    """Somebody wants to play, or is back. `others`: those they keep apart from."""
    cup = await load(store, id)
    mine = cup.of(row.id)
    if mine is not None and mine.here:
        return
    await _check_welcome(store, cup, row.id)
    if mine is not None:
        return await _come_back(store, cup, mine)
    check_open(cup)
    _full(cup)
    if cup.row.rated and row.login is None:
        raise Refused("auth/no-account")
    if any(one.player in others for one in cup.entrants):
        raise Refused("table/apart")
    values = {"tournament_id": id, "entry": new_id(), "player": row.id, "name": row.name}
    insert = sa.insert(entrants).values(**values, here=True, at=now_ms())
    try:
        await decide(store, cup, insert)
    except IntegrityError:
        return  # they are in it already


async def _check_welcome(store: Store, cup: Tournament, player: str) -> None:
    """Refuse who is not in the club, and who was put out."""
    club = cup.row.club_name and cup.row.club  # one that is no more keeps nobody out
    if club and await clubs.part_of(store, club, player) is None:
        raise Refused("club/not-in")
    same = (entrants.c.tournament_id == cup.id) & (entrants.c.player == player)
    if await store.read(sa.select(entrants.c.entry).where(same, entrants.c.removed)):
        raise Refused("tournament/removed")


async def _come_back(store: Store, cup: Tournament, mine: Entrant) -> None:
    if cup.row.status != "playing" or cup.row.system == "knockout":
        raise Refused("tournament/out")
    await decide(store, cup, sa.update(entrants).where(_is(cup, mine)).values(here=True))


def _is(cup: Tournament, one: Entrant) -> Any:
    return (entrants.c.tournament_id == cup.id) & (entrants.c.entry == one.entry)


@anew
async def leave(store: Store, id: str, player: str) -> None:
    """Somebody does not want to play, or no longer: from the next round on they are not paired. A
    match that has begun is theirs to end; one that has not is forfeited."""
    cup = await load(store, id)
    mine = cup.of(player)
    if mine is None:
        raise Refused("tournament/not-in")
    if cup.row.status == "open":
        await decide(store, cup, sa.delete(entrants).where(_is(cup, mine)))
    elif cup.row.status == "playing":
        await decide(store, cup, sa.update(entrants).where(_is(cup, mine)).values(here=False))


@anew
async def remove(store: Store, id: str, entry: str, by: Actor | None = None) -> None:
    """Put somebody out, for good: they are not paired, and a match of theirs is given up. A bot
    that has not played is taken away. `by`: who does so by their role, which is written down."""
    cup = await load(store, id)
    if cup.row.status not in ("open", "playing"):
        raise Refused("tournament/over")
    one = next((one for one in cup.entrants if one.entry == entry), None)
    if one is None or one.removed:
        raise Refused("tournament/nobody")
    if one.player is None and cup.row.status == "open":
        change: Any = sa.delete(entrants)
    else:
        change = sa.update(entrants).values(here=False, removed=True)
    written = _written_down(by, "put-out", cup.row.name, one.player)
    await decide(store, cup, change.where(_is(cup, one)), *written)


@anew
async def add_bots(store: Store, id: str, bot: str | None, level: int | None, count: int) -> None:
    """Bots as players, each under a name of its own."""
    cup = await load(store, id)
    check_open(cup)
    _full(cup, count)
    name, level = check_bot(bot, level)
    taken = {one.name for one in cup.entrants}
    rows: list[Data] = []
    for number in range(count):
        called = _fresh_name(persona(name, level, len(cup.entrants) + number), taken)
        taken.add(called)
        values = {"tournament_id": id, "entry": new_id(), "player": None, "name": called}
        rows.append(values | {"bot": name, "level": level, "here": True, "at": now_ms() + number})
    await decide(store, cup, sa.insert(entrants).values(rows))


def _fresh_name(name: str, taken: Collection[str]) -> str:
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found


@anew
async def start(store: Store, id: str, by: Actor | None = None) -> None:
    """From now on nobody joins; seeds are by rating, then by who came first. The first round is
    paired by a worker, which sees that it has to be."""
    cup = await load(store, id)
    check_open(cup)
    if len(cup.entrants) < (least := cup.plan.least()):
        raise Refused("tournament/few", least=least)
    ids = [one.player for one in cup.entrants if one.player]
    query = sa.select(ratings.c.player, ratings.c.mu)
    rated = query.where(ratings.c.game == cup.row.game, ratings.c.player.in_(ids))
    strength = {row.player: row.mu for row in await store.read(rated)}
    seeded = sorted(cup.entrants, key=lambda one: -strength.get(one.player or "", 25.0))
    numbered = [
        sa.update(entrants).where(_is(cup, one)).values(number=n) for n, one in enumerate(seeded, 1)
    ]
    written = _written_down(by, "tournament-start", cup.row.name)
    await decide(store, cup, *numbered, *written, status="playing", started=now_ms())


@anew
async def cancel(store: Store, id: str, by: Actor | None = None) -> list[str]:
    """It is not played to its end; the tables that are closed by it."""
    cup = await load(store, id)
    if cup.row.status not in ("open", "playing"):
        raise Refused("tournament/over")
    waiting = [game.table for game in cup.games if game.status == "waiting" and game.table]
    still = tables.c.id.in_(waiting) & (tables.c.status == "waiting")
    newer = {"status": "closed", "ended": now_ms(), "revision": tables.c.revision + 1}
    closed = sa.update(tables).where(still).values(**newer)
    written = _written_down(by, "tournament-cancel", cup.row.name)
    await decide(store, cup, closed, *written, status="cancelled", ended=now_ms())
    return waiting


# -- telling --------------------------------------------------------------------------------------


def _short(row: Any) -> Data:
    names = ("id", "name", "game", "system", "seats", "rated", "status", "created", "started",
             "ended", "most")  # fmt: skip
    club = {"id": row.club, "name": row.club_name} if row.club_name is not None else None
    return picked(row, names) | {"club": club}


def _shown(points: int, seats: int) -> float:
    """Points as they are said: a win is one, at tables for several twelve."""
    return points / WIN if seats == 2 else points * 12 / WIN


def describe(cup: Tournament) -> Data:
    """A tournament as everybody is told of it."""
    row, rounds = cup.row, cup.at_boards()
    return {
        **_short(row),
        "count": len(cup.entrants),
        "options": row.options,
        "clock": row.clock,
        "grace": row.grace,
        "rounds": cup.total(),
        "round": len(rounds),
        "players": [picked(one, ENTRANT) for one in cup.entrants],
        "standings": [_line(line, row.seats) for line in cup.standings()],
        "boards": [[_board(cup, games) for games in one] for one in rounds],
    }


def personal(store: Store, cup: Tournament, me: str | None, runs: bool) -> Data:
    """What one person is told beyond that; `runs`: whether they may start and end it."""
    return {"runs": runs, "you": _own(store, cup, me)}


def _own(store: Store, cup: Tournament, me: str | None) -> Data | None:
    """What it asks of somebody: where they are wanted now, and until when."""
    mine = cup.of(me)
    if mine is None:
        return None
    called = [
        game
        for game in cup.games
        if game.status in ("waiting", "playing") and mine.number in game.result.present
    ]
    last = called[-1] if called and cup.row.status == "playing" else None
    due = last and store.outages.when_passed(last.since, cup.row.grace * 1000)
    return {
        "number": mine.number,
        "here": mine.here,
        "table": last.table if last else None,
        "due": due if last and last.status == "waiting" else None,
        "left": last is not None and mine.number in last.left,
        "removed": mine.removed,
    }


def _line(line: Standing, seats: int) -> Data:
    return {
        "place": line.place,
        "number": line.player,
        "points": _shown(line.points, seats),
        "won": line.won,
        "drawn": line.drawn,
        "lost": line.lost,
        "breaks": {
            name: value if name in COUNTED else _shown(value, seats)
            for name, value in line.breaks.items()
        },
    }


def _board(cup: Tournament, games: list[Game]) -> Data:
    board, _ = cup.decided(games)
    last = games[-1]
    if last.result.is_bye:
        status = "bye"
    elif last.result.is_over and not last.result.is_played:
        status = "walkover"
    else:
        status = "over" if board.is_over else last.status
    return {
        "status": status,
        "players": list(last.result.players),
        "ranks": board.ranks and list(board.ranks),
        "absent": sorted(last.result.absent),
        "tables": [game.table for game in games if game.table],
    }


def as_csv(cup: Tournament) -> str:
    """Standings, and below them every board."""
    names = {one.number: _cell(one.name) for one in cup.entrants}
    told = [_line(line, cup.row.seats) for line in cup.standings()]
    breaks = list(told[0]["breaks"]) if told else []
    out = io.StringIO()
    write = csv.writer(out).writerow
    write(["place", "number", "name", "points", "won", "drawn", "lost", *breaks])
    for line in told:
        row = [line["place"], line["number"], names[line["number"]]]
        row += [_number(line[name]) for name in ("points", "won", "drawn", "lost")]
        write(row + [_number(line["breaks"][name]) for name in breaks])
    write([])
    write(["round", "board", "game", "seat", "number", "name", "rank", "points", "table"])
    for game in cup.games:
        for seat, number in enumerate(game.result.players):
            over = game.result.is_over
            points = _number(_shown(game.result.points(number), cup.row.seats)) if over else ""
            rank = game.result.rank(number) if over else ""
            place = [game.round, game.board, game.game, seat + 1, number]
            write([*place, names[number], rank, points, game.table or ""])
    return out.getvalue()


def _cell(text: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _number(value: float) -> str:
    return f"{value:g}" if isinstance(value, int) or value == round(value, 3) else f"{value:.3f}"
