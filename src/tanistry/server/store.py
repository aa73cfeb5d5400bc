"""The database: SQLite in one file, or PostgreSQL. Nothing is acknowledged before it is in it.

Choices go through one writer per process that stores what has come up meanwhile in a single
transaction (group commit): many tables share one trip to the disk. On SQLite one that comes alone
is stored at once, if the disk is quick.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import secrets
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tanistry.server import metrics
from tanistry.server.clocks import DAY, HOUR, Outages, now_ms, server_time
from tanistry.server.failures import DATABASE, cause, is_gone
from tanistry.server.info import Data, Info, Seat
from tanistry.server.migrate import migrate
from tanistry.server.rating import PROVISIONAL, shown_rating
from tanistry.server.refusals import Refused
from tanistry.server.rows import (
    SEAT,
    add_table,
    change_table,
    end_match,
    in_parts,
    new_end,
    new_values,
    picked,
    read_info,
    sits,
)
from tanistry.server.schema import (
    Ended,
    moves,
    outages,
    players,
    rating_changes,
    ratings,
    seats,
    settings,
    stamps,
    tables,
)
from tanistry.server.settings import Settings
from tanistry.server.sqlite import COLUMNS, SqliteWriter, Values, set_up
from tanistry.server.tables import Row

log = logging.getLogger("tanistry.store")

Found = TypeVar("Found")

BATCH = 400
"""The most choices in one transaction."""
COPY = 1.0
"""Seconds after which what SQLite has logged is copied into its file."""
GAP = 6000
"""Milliseconds without a word of any worker after which all were down, or the database was."""
BEAT, HEALTHY = 2.0, 7.0
"""Seconds after which a worker stores that it lives, and for which that is believed."""
PATIENCE = 20.0
"""Seconds the writer tries to reach a database that has gone away before it gives up a choice."""
PAUSES = (0.1, 0.3, 0.6, 1.0, 2.0, None)
"""Seconds between tries to read; then it is refused."""


@dataclass(slots=True)
class Write:
    """A row to be stored, and the end of the match if it brings that."""

    values: Values
    end: Ended | None
    done: asyncio.Future[bool]
    meanwhile: Callable[[], None] | None = None
    began: float = field(default_factory=time.monotonic)


class Store:
    """Everything the server keeps."""

    def __init__(self, config: Settings) -> None:
        self.config = config
        self.engine = _engine(config)
        self._waiting: list[Write] = []
        self._wake = asyncio.Event()
        self._stored_now = False  # a row that came alone, since others had their turn
        self._tasks: list[asyncio.Task[None]] = []
        self._insert = sqlite.insert if config.on_sqlite else postgresql.insert
        self._sqlite = SqliteWriter(config) if config.on_sqlite else None
        # SQLite has one writer at a time: waiting here is quicker than asking it again and again.
        # All else queues by itself, so that choices wait for one other transaction at most.
        self._turn, self._others = (
            asyncio.Semaphore(1 if config.on_sqlite else 1000) for _ in range(2)
        )
        self._changed = asyncio.Event()  # since SQLite's log was last copied
        self.stored_at = 0.0  # when something was stored last
        self._beat_at = -HEALTHY  # when we last saw that something can be stored
        self._failing = False  # whether the last thing could not be
        self.outages = Outages()

    async def open(self) -> None:
        await migrate(self.engine, self.config.database_shown)
        await self.beat(first=self.config.alone)
        await self._read_outages()
        self._tasks.append(asyncio.create_task(self._write_forever(), name="writer"))
        self._tasks.append(asyncio.create_task(self._beat_forever(), name="beating"))
        if self._sqlite:
            copying = self._copy_forever(self._sqlite)
            self._tasks.append(asyncio.create_task(copying, name="copying"))

    async def close(self) -> None:
        while self._tasks and self._waiting:
            await asyncio.sleep(0.01)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.engine.dispose()
        if self._sqlite:
            self._sqlite.close()

    def healthy(self) -> bool:
        """Whether something could be stored a moment ago, and nothing has failed since."""
        return not self._failing and time.monotonic() - self._beat_at < HEALTHY

    async def beat(self, first: bool = False) -> None:
        """Store that we live: what only reads would not notice a disk that is full.

        Where nobody has stored that for a while, nobody could play: an outage. `first`: nobody else
        can have served since the last time.
        """
        async with self._others, self._turn, self.engine.begin() as connection:
            last = await _last_beat(connection)
            server_time.not_before(last)
            now = now_ms()
            if last and now - last > (0 if first else GAP):
                outage = self._insert(outages).values(began=last, ended=now)
                await connection.execute(outage.on_conflict_do_nothing())
            alive = {"name": "alive", "value": str(now)}
            await connection.execute(self._in_place(settings, "name", alive))
            await connection.execute(sa.delete(stamps).where(stamps.c.at < now - HOUR))
        away, self._beat_at = time.monotonic() - self._beat_at, time.monotonic()
        self._failing = False
        if away * 1000 > GAP:  # there was an outage, whoever has written it down
            await self._read_outages()

    async def can_store(self) -> bool:
        """Whether something can be stored now; if it could not for a while, that is known then."""
        try:
            await self.beat()
        except Exception as error:
            if not is_gone(error):
                raise
            return False
        return True

    async def _read_outages(self) -> None:
        for row in await self.read(sa.select(outages)):
            self.outages.add(row.began, row.ended)

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                async with asyncio.timeout(HEALTHY):
                    await self.beat()
            except Exception as error:
                if not self._failing:
                    log.warning("nothing can be stored: %s", cause(error))
                self._failing = True

    # -- writing choices ------------------------------------------------------------------------

    async def write(
        self,
        table: str,
        row: Row,
        result: Data | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> bool:
        """Store a row, and with it the result of the match if it is over by it.

        True once it is safe, False if somebody else has that turn already. `meanwhile` is done
        while a thread waits for the disk, if it does, and for long enough.
        """
        values = new_values(table, row)
        end = None if result is None else new_end(values, result)
        if (stored := self._store_at_once(values, end)) is not None:
            return stored
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(Write(values, end, done, meanwhile))
        self._wake.set()
        return await done

    def _store_at_once(self, values: Values, end: Ended | None) -> bool | None:
        """Store a row that comes alone; None if it is to wait for others, or for the disk."""
        if self._sqlite is None or self._waiting or self._stored_now or self._turn.locked():
            return None
        began = time.perf_counter()
        stored = self._sqlite.store_at_once([values], {} if end is None else {values[-1]: end})
        if stored is None:
            return None
        self._stored_now = True  # those who come along with it are stored together
        took = time.perf_counter() - began
        asyncio.get_running_loop().call_soon(self._others_had_their_turn, took)
        return values[-1] in stored

    def _others_had_their_turn(self, took: float) -> None:
        """Now that the choice has been told, what nobody waits for."""
        self._stored_now = False
        self._has_stored()
        _measure(took, 1)

    async def _write_forever(self) -> None:
        pause = 0.05
        while True:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
            batch = self._waiting[:BATCH]
            try:
                began = time.perf_counter()
                stored = await self._store(batch)
                _measure(time.perf_counter() - began, len(batch))
                pause = 0.05
            except Exception as error:
                if is_gone(error):
                    log.warning("choices wait for the database: %s", cause(error))
                    self._failing = True
                    stored = None
                    await asyncio.sleep(pause)
                    pause = min(1.0, pause * 2)
                else:
                    log.exception("a batch of %s could not be stored", len(batch))
                    stored = await self._store_singly(batch)
            del self._waiting[: len(batch)]
            if stored is None:
                self._again(batch)
                continue
            for write, good in zip(batch, stored):
                if write.done.done():
                    continue
                if isinstance(good, BaseException):
                    write.done.set_exception(good)
                else:
                    write.done.set_result(good)

    def _again(self, batch: list[Write]) -> None:
        """Keep those that may still be stored; tell the others."""
        late = time.monotonic() - PATIENCE
        keep = []
        for write in batch:
            if write.done.done():
                continue
            if write.began < late:
                write.done.set_exception(Refused("server/busy"))
            else:
                keep.append(write)
        self._waiting[:0] = keep

    async def _store_singly(self, batch: list[Write]) -> list[bool | BaseException]:
        found: list[bool | BaseException] = []
        for write in batch:
            try:
                found += await self._store([write])
                await asyncio.sleep(0)  # others have their turn between them
            except Exception as error:
                log.exception("a choice could not be stored")
                found.append(Refused("server/busy") if isinstance(error, DATABASE) else error)
        return found

    async def _store(self, batch: list[Write]) -> list[bool | BaseException]:
        # Two workers that write at the same tables must not wait for each other: all in one order.
        ordered = sorted(batch, key=lambda write: write.values[:2])
        rows = [write.values for write in ordered]
        ends = {write.values[-1]: write.end for write in ordered if write.end is not None}
        if self._sqlite:
            async with self._turn:
                stored = self._sqlite.store_at_once(rows, ends)  # if they are few
                if stored is None:
                    waiting = [write.meanwhile for write in batch if write.meanwhile]
                    stored = await self._sqlite.store(rows, ends, waiting)
        else:
            async with self.engine.begin() as connection:
                stored = await self.insert_rows(connection, rows)
                for stamp, end in ends.items():
                    if stamp in stored:
                        await end_match(connection, end)
        self._has_stored()
        return [write.values[-1] in stored for write in batch]

    async def insert_rows(self, connection: AsyncConnection, rows: list[Values]) -> set[int]:
        """Store rows; a turn that is taken is left as it is. The stamps of what is there now."""
        insert = self._insert(moves).on_conflict_do_nothing().returning(moves.c.stamp)
        values = [dict(zip(COLUMNS, row)) for row in rows]
        stored = set((await connection.execute(insert, values)).scalars())
        if len(stored) < len(rows):  # taken: by somebody else, or by us in a try that failed
            keys = sa.tuple_(moves.c.table_id, moves.c.ply).in_([row[:2] for row in rows])
            found = await connection.execute(sa.select(moves.c.stamp).where(keys))
            stored |= set(found.scalars())
        return stored

    async def _copy_forever(self, writer: SqliteWriter) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(COPY)
            self._changed.clear()
            try:
                await writer.copy_log(self._turn)
            except sqlite3.Error as error:
                log.warning("the log could not be copied: %s", error)

    # -- reading --------------------------------------------------------------------------------

    async def read(self, statement: Any) -> Sequence[Any]:
        """Rows of a query; a database that is away for a moment is waited for."""
        for pause in PAUSES:
            try:
                async with self.engine.connect() as connection:
                    return (await connection.execute(statement)).all()
            except Exception as error:
                await self._wait(error, pause)
        raise AssertionError

    async def first(self, statement: Any) -> Any:
        """The first row of a query, None if there is none."""
        rows = await self.read(statement)
        return rows[0] if rows else None

    async def count(self, table: sa.Table, *where: Any) -> int:
        """How many rows of a table are so."""
        query = sa.select(sa.func.count()).select_from(table).where(*where)
        return int((await self.read(query))[0][0])

    async def _wait(self, error: Exception, pause: float | None) -> None:
        """Wait for a database that is away; a refusal when that took too long."""
        if not is_gone(error):
            raise error
        if pause is None:
            log.warning("refused, as the database is away: %s", cause(error))
            raise Refused("server/busy") from error
        await asyncio.sleep(pause)

    async def load(self, table: str) -> tuple[Info, list[Row]] | None:
        """A table and everything that happened at it."""
        found = await self.infos(tables.c.id == table, damaged=True)
        return (found[0], await self.rows(table)) if found else None

    async def rows(self, table: str, first: int = 0) -> list[Row]:
        statement = (
            sa.select(moves).where(moves.c.table_id == table, moves.c.ply >= first)
        ).order_by(moves.c.ply)
        return [
            Row(r.ply, r.seat, r.kind, r.token, r.at, r.stamp) for r in await self.read(statement)
        ]

    async def infos(self, *where: Any, limit: int = 100, damaged: bool = False) -> list[Info]:
        """Tables, newest first, with their seats and the ratings of who sits there. One that cannot
        be read is left out, or refused (`damaged`)."""
        rows = await self.read(
            sa.select(tables)
            .where(*where)
            .order_by(tables.c.created.desc(), tables.c.id.desc())
            .limit(limit)
        )
        if not rows:
            return []
        ids = [row.id for row in rows]
        change = rating_changes.c
        query = sa.select(
            seats, tables.c.game, ratings.c.mu, change.before, change.mu.label("after")
        ).join_from(seats, tables, tables.c.id == seats.c.table_id)
        query = query.outerjoin(
            rating_changes, (change.table_id == seats.c.table_id) & (change.seat == seats.c.seat)
        )
        query = query.outerjoin(
            ratings, (ratings.c.player == seats.c.player) & (ratings.c.game == tables.c.game)
        )
        held: dict[str, list[Seat]] = {}
        for r in await self.read(query.where(seats.c.table_id.in_(ids)).order_by(seats.c.seat)):
            seat = Seat(**picked(r, SEAT))
            seat.rating = None if r.mu is None else shown_rating(r.mu)
            if r.after is not None:
                seat.moved = shown_rating(r.before), shown_rating(r.after)
            held.setdefault(r.table_id, []).append(seat)
        found = []
        for row in rows:
            try:
                found.append(read_info(row, held.get(row.id, [])))
            except Refused:
                if damaged:
                    raise
                log.warning("table %s cannot be read", row.id)
        return found

    async def see_ratings(self, info: Info) -> None:
        """Look up the ratings of those who sit at a table that is in memory."""
        ids = [held.player for held in info.persons]
        query = sa.select(ratings.c.player, ratings.c.mu).where(ratings.c.game == info.game)
        found = await self.read(query.where(ratings.c.player.in_(ids))) if ids else ()
        shown = {row.player: shown_rating(row.mu) for row in found}
        for held in info.persons:
            held.rating = shown.get(held.player or "")

    async def waiting_tables(self, player: str) -> int:
        """How many tables of the last day wait for a match at which a player sits or is host."""
        mine = (tables.c.host == player) | sits(player)
        recent = tables.c.created > now_ms() - DAY
        return await self.count(tables, tables.c.status == "waiting", recent, mine)

    async def turns(self, ids: Iterable[str]) -> dict[str, tuple[int, int]]:
        """How far tables have come: revision and turn, by id."""
        count = sa.select(sa.func.count()).where(moves.c.table_id == tables.c.id)
        query = sa.select(tables.c.id, tables.c.revision, count.scalar_subquery())
        found: dict[str, tuple[int, int]] = {}
        for part in in_parts(ids):
            rows = await self.read(query.where(tables.c.id.in_(part)))
            found |= {id: (revision, turn) for id, revision, turn in rows}
        return found

    # -- tables ---------------------------------------------------------------------------------

    async def insert_table(self, info: Info, rows: Iterable[Row] = ()) -> None:
        """Store a table, and what happened at it elsewhere."""
        happened = [new_values(info.id, row) for row in rows]

        async def body(connection: AsyncConnection) -> None:
            await add_table(connection, info)
            if happened:
                await self.insert_rows(connection, happened)

        await self.transaction(body)

    async def update_table(self, info: Info) -> bool:
        """Store a changed table unless somebody else changed it since; its revision goes up."""
        changed = await self.transaction(lambda connection: change_table(connection, info))
        if changed:
            info.revision += 1
        return changed

    async def transaction(self, body: Callable[[AsyncConnection], Awaitable[Found]]) -> Found:
        """Do several things, or none of them; what `body` returns. It may be called again.

        A commit that fails may have been done all the same: the stamp that is stored with it keeps
        the next try from doing it twice.
        """
        values = {"at": now_ms(), "stamp": random.getrandbits(62)}
        stamp = self._insert(stamps).values(**values).on_conflict_do_nothing()
        for pause in PAUSES:
            try:
                async with self._others, self._turn, self.engine.begin() as connection:
                    if (await connection.execute(stamp)).rowcount == 1:
                        found = await body(connection)
                self._has_stored()
                return found
            except Exception as error:
                await self._wait(error, pause)
        raise AssertionError

    def _has_stored(self) -> None:
        self._failing = False
        self.stored_at = time.monotonic()
        self._changed.set()

    # -- people ---------------------------------------------------------------------------------

    async def player(self, id: str) -> Any:
        if not id.isprintable():  # no id of ours, and PostgreSQL takes no NUL
            return None
        return await self.first(sa.select(players).where(players.c.id == id))

    async def player_by_login(self, login: str) -> Any:
        if not login.isprintable():
            return None
        return await self.first(sa.select(players).where(players.c.login == login))

    async def ratings_of(self, player: str) -> dict[str, Any]:
        rows = await self.read(sa.select(ratings).where(ratings.c.player == player))
        return {
            row.game: {
                "value": shown_rating(row.mu),
                "matches": row.matches,
                "provisional": row.sigma > PROVISIONAL,
            }
            for row in rows
        }

    async def upsert(self, table: sa.Table, key: str, values: Data) -> None:
        """Store a row in place of the one that has its key."""
        await self.execute(self._in_place(table, key, values))

    def _in_place(self, table: sa.Table, key: str, values: Data) -> Any:
        insert = self._insert(table).values(**values)
        return insert.on_conflict_do_update(index_elements=[key], set_=values)

    async def execute(self, *statements: Any) -> int:
        """Store something, all of it or nothing; how many rows the first statement was about."""

        async def body(connection: AsyncConnection) -> int:
            counts = [(await connection.execute(one)).rowcount for one in statements]
            return counts[0]

        return await self.transaction(body)

    async def raise_to(self, table: sa.Table, key: Data, name: str, value: int) -> bool:
        """Store a number where there is none or a smaller one; whether it was so."""
        insert = self._insert(table).values(**key, **{name: value})
        smaller = insert.on_conflict_do_update(
            index_elements=list(key), set_={name: value}, where=table.c[name] < value
        )
        return await self.execute(smaller) == 1

    async def kept(self, name: str, fresh: str) -> str:
        """A value that is made once, kept here, and shared by all workers."""
        statement = self._insert(settings).values(name=name, value=fresh)
        await self.execute(statement.on_conflict_do_nothing())
        found = await self.first(sa.select(settings.c.value).where(settings.c.name == name))
        return str(found.value)

    async def secret(self) -> bytes:
        """The key that signs cookies."""
        given = self.config.secret or await self.kept("secret", secrets.token_hex(32))
        return given.encode()


def _measure(took: float, rows: int) -> None:
    metrics.commit_seconds.observe(took)
    metrics.batch_size.observe(rows)


async def _last_beat(connection: AsyncConnection) -> int:
    """When a server last stored that it lived; under older ones, when somebody last played."""
    query = sa.select(settings.c.value).where(settings.c.name == "alive").with_for_update()
    found = (await connection.execute(query)).scalar()
    if found is None:
        found = (await connection.execute(sa.select(sa.func.max(moves.c.at)))).scalar()
    return int(found or 0)


def _json(text: str) -> Any:
    """What a column holds, or the text itself if it is none: one damaged row spoils no others."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _engine(config: Settings) -> AsyncEngine:
    pool: Data = {"pool_size": 8, "max_overflow": 8, "pool_timeout": 5, "pool_pre_ping": True}
    # Seconds. SQLite waits for another writer; a PostgreSQL that swallows all we say is away, too.
    patience = 15 if config.on_sqlite else 10
    engine = create_async_engine(
        config.database_url,
        connect_args={"timeout": patience},
        hide_parameters=True,  # errors are logged: no seeds, no choices
        json_deserializer=_json,
        **({} if config.on_sqlite else pool),
    )
    if config.on_sqlite:
        sa.event.listen(engine.sync_engine, "connect", set_up(config.sync))
    return engine
