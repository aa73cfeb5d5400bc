"""Somebody to play with: those who want the same are seated together, whichever worker they are at.

Who looks is a row in the database, and the truth: any worker may seat those it finds there, in one
transaction that claims all of them or none. A row lives as long as the connection behind it, whose
worker says every few seconds that it is still there. Seated, everybody must say that they are ready
at the table itself before anything begins; if somebody goes, or does not say so in time, the table
is closed and the others are looked for again, in their old place.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server import catalogue
from tanistry.server import messages as m
from tanistry.server.background import guarded
from tanistry.server.clocks import Clock, now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Data, Info, Seat
from tanistry.server.live import Watcher
from tanistry.server.rating import shown_rating
from tanistry.server.refusals import Refused, wrong_value
from tanistry.server.rows import add_table, new_id, picked
from tanistry.server.schema import blocks, players, ratings, seats, seeks, tables
from tanistry.server.verbs import new_info

log = logging.getLogger("tanistry.pairing")

CLOCKS = {
    "none": Clock(),
    "quick": Clock("fischer", seconds=300, increment=5),
    "calm": Clock("fischer", seconds=900, increment=10),
}
"""Few, so that people meet."""
TICK = 1.0
"""Seconds between two looks, while somebody waits here."""
STALE, LOST = 10_000, 60_000
"""Milliseconds after which whoever no worker speaks for is not seated any more, and forgotten."""
GRACE = 20_000
"""Milliseconds to say that one is ready, once seated."""
NEAR, WIDER, FAR = 100, 10, 120
"""How far a rating may be from one's own at first, by how much more each second, and the seconds
after which it may be any."""

Wanted = tuple[str, int, str, bool]
"""Game, seats, clock, and whether it is rated."""


class _Taken(Exception):
    """Another worker was quicker: nothing of this has happened."""


def reach(row: Any, now: int) -> int | None:
    """How far from somebody's rating another's may be by now; None: any."""
    waited: int = max(0, now - row.since) // 1000
    if not row.rated or waited >= FAR:
        return None
    return NEAR + WIDER * waited


def wanted(row: Any) -> Wanted:
    return row.game, row.seats, row.clock, bool(row.rated)


Apart = Collection[tuple[str, str]]
"""Two who do not want to meet, in this order."""


def groups(rows: Iterable[Any], now: int, apart: Apart = ()) -> list[list[Any]]:
    """Who is seated together: whoever came first, with the next who want the same, are near enough
    for everybody and are kept apart from nobody."""
    waiting: dict[Wanted, list[Any]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.since, row.player)):
        waiting[wanted(row)].append(row)
    found = []
    for (_, size, *_), queue in waiting.items():
        while queue:
            chosen = [queue.pop(0)]
            for row in queue:
                if len(chosen) < size and all(_fit(row, other, now, apart) for other in chosen):
                    chosen.append(row)
            if len(chosen) == size:
                found.append(chosen)
                queue[:] = [row for row in queue if row not in chosen]
    return found


def _fit(one: Any, other: Any, now: int, apart: Apart) -> bool:
    if (one.player, other.player) in apart or (other.player, one.player) in apart:
        return False
    return all(
        far is None or abs(one.rating - other.rating) <= far
        for far in (reach(one, now), reach(other, now))
    )


class Pairing:
    """Those who look for somebody by way of this worker."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._store = hall.store
        self._here: dict[str, Watcher] = {}  # by holder
        self._told: dict[str, bytes] = {}
        self._wake = asyncio.Event()
        hall.sync.listeners["pairing"] = lambda _: self._wake.set()

    # -- coming and going -----------------------------------------------------------------------

    async def seek(self, who: Watcher, message: m.Seek) -> Data:
        """Look for somebody from now on."""
        if not self._hall.config.people:
            raise Refused("people/off")
        info = catalogue.game_info(message.game)
        count = message.seats or max(2, info.seats[0])
        if count not in info.seats:
            raise wrong_value("seats", "literal_error", expected=", ".join(map(str, info.seats)))
        row = await self._store.player(who.player)
        if message.rated and row.login is None:
            raise Refused("auth/no-account")
        self._forget(who)
        begun = await self._give_up_seat(who.player)
        now, holder = now_ms(), new_id()
        values = {
            "holder": holder,
            "game": info.name,
            "seats": count,
            "clock": message.clock,
            "rated": message.rated,
            "rating": await self._rating(who.player, info.name),
            "since": now,
            "seen": now,
            "table_id": begun,
            "seated": now if begun else None,
        }
        await self._store.upsert(seeks, "player", {"player": who.player, **values})
        self._here[holder] = who  # not before: a look in between would find them gone
        self._wake.set()
        return (await self._messages([holder]))[holder]

    async def _give_up_seat(self, player: str) -> str | None:
        """Whoever looks anew, as after a line that broke, does not come to the table at which they
        were seated: it is closed, or else it has begun, and there is where they are wanted."""
        seated = (seeks.c.player == player) & seeks.c.table_id.is_not(None)
        for row in await self._store.read(sa.select(seeks.c.table_id).where(seated)):
            await self._close(row.table_id, now_ms())
            if (await self._hall.get(row.table_id)).info.status == "playing":
                return str(row.table_id)
        return None

    async def _rating(self, player: str, game: str) -> int:
        query = sa.select(ratings.c.mu).where(ratings.c.player == player, ratings.c.game == game)
        found = await self._store.first(query)
        return shown_rating(found.mu if found else 25.0)

    async def stop(self, who: Watcher) -> None:
        """Look no longer."""
        if holders := self._forget(who):
            await self._store.execute(sa.delete(seeks).where(seeks.c.holder.in_(holders)))
            self._news()

    def gone(self, who: Watcher) -> None:
        """Somebody's connection has ended."""
        if any(found is who for found in self._here.values()):
            self._hall.background.spawn(self.stop(who))

    def _forget(self, who: Watcher) -> list[str]:
        holders = [holder for holder, found in self._here.items() if found is who]
        for holder in holders:
            del self._here[holder]
            self._told.pop(holder, None)
        return holders

    def _news(self) -> None:
        self._hall.sync.bus.publish(pairing=True)
        self._wake.set()

    # -- looking --------------------------------------------------------------------------------

    async def pair_forever(self) -> None:
        """The first look puts in order what a server that was killed has left."""
        while True:
            with guarded("those who look for somebody"):
                await self.look()
            if not self._here:
                self._wake.clear()
                await self._wake.wait()
            else:
                self._wake.clear()
                await asyncio.sleep(0.05)  # what comes at once is looked at together
                try:
                    await asyncio.wait_for(self._wake.wait(), TICK)
                except TimeoutError:
                    continue

    async def look(self) -> None:
        """Say who is here, seat whom it can, put in order what came to nothing, tell those here."""
        now = now_ms()
        if self._here:
            alive = sa.update(seeks).where(seeks.c.holder.in_(list(self._here)))
            await self._store.execute(alive.values(seen=now))
        try:
            if await self._seat(now):
                self._news()
        except _Taken:
            self._wake.set()
        await self._settle(now)
        await self._tell()

    async def _seat(self, now: int) -> int:
        """Make tables for all who fit together; how many."""
        query = sa.select(seeks, players.c.name).join_from(
            seeks, players, players.c.id == seeks.c.player
        )
        free = seeks.c.table_id.is_(None) & (seeks.c.seen > now - STALE)
        rows = await self._store.read(query.where(free))
        ids = [row.player for row in rows]
        kept = sa.select(blocks.c.player, blocks.c.blocked).where(blocks.c.player.in_(ids))
        apart = {(row.player, row.blocked) for row in await self._store.read(kept)}
        if not groups(rows, now, apart):
            return 0

        async def body(connection: AsyncConnection) -> int:
            lock = query.where(free).order_by(seeks.c.player)
            found = await connection.execute(lock.with_for_update(of=seeks, skip_locked=True))
            fitting = groups(found.all(), now, apart)
            for group in fitting:
                await _claim(connection, group, free, now)
            return len(fitting)

        return await self._store.transaction(body)

    async def _settle(self, now: int) -> None:
        """Tables that have begun need nobody any more; at those that do not begin, whoever is there
        is looked for again. Whose worker was killed may come back and ask: kept for a while."""
        lost = seeks.c.seen < now - LOST
        query = sa.select(
            tables.c.id,
            tables.c.status,
            sa.func.count().label("here"),
            sa.func.max(seeks.c.seats).label("wanted"),
            sa.func.min(seeks.c.seen).label("seen"),
            sa.func.min(seeks.c.seated).label("seated"),
        ).join_from(seeks, tables, tables.c.id == seeks.c.table_id)
        for row in await self._store.read(query.group_by(tables.c.id, tables.c.status)):
            with guarded(f"those seated at table {row.id}"):
                await self._settle_table(row, now)
        if await self._store.first(sa.select(seeks.c.player).where(lost).limit(1)):
            await self._store.execute(sa.delete(seeks).where(lost))

    async def _settle_table(self, row: Any, now: int) -> None:
        if row.status == "closed":  # somebody stood up, or a worker was killed
            await self._put_back(row.id)
        elif row.status != "waiting":
            begun = (seeks.c.table_id == row.id) & seeks.c.holder.in_(list(self._here))
            await self._store.execute(sa.delete(seeks).where(begun))
        elif row.seated + GRACE < now:
            await self._close(row.id, now, late=True)
        elif row.here < row.wanted or row.seen + STALE < now:
            await self._close(row.id, now)  # somebody has gone

    async def _close(self, table: str, now: int, late: bool = False) -> None:
        """Give a table up; `late`: who is not ready by now loses their seat, and their place."""
        live = await self._hall.get(table)

        def edit(info: Info) -> None:
            if info.status != "waiting":
                raise Refused("table/started")
            info.close(now)
            for held in info.persons:
                if late and not held.ready:
                    info.seats[held.seat] = Seat(held.seat)

        async with live.lock:
            try:
                await self._hall.change(live, edit)
            except Refused as refusal:
                return log.info("table %s is not closed: %s", table, refusal.code)
            self._hall.tell(live)
        await self._put_back(table)

    async def _put_back(self, table: str) -> None:
        """Of a table that is closed: whoever still sat there waits in their old place."""
        sat = (seats.c.table_id == table) & (seats.c.kind == "person")
        there = sa.select(seats.c.player).where(sat)
        seated = seeks.c.table_id == table
        back = sa.update(seeks).where(seated, seeks.c.player.in_(there))
        gone = sa.delete(seeks).where(seated)
        await self._store.execute(back.values(table_id=None, seated=None), gone)
        self._news()

    # -- telling --------------------------------------------------------------------------------

    async def _tell(self) -> None:
        """Tell those here how it stands, where that has changed."""
        for holder, message in (await self._messages(list(self._here))).items():
            who = self._here.get(holder)
            shown = orjson.dumps({**message, "now": 0})
            if who is None or self._told.get(holder) == shown:
                continue
            self._told[holder] = shown
            who.send(orjson.dumps(message))
            if not message["on"]:
                self._forget(who)

    async def _messages(self, holders: Collection[str]) -> dict[str, Data]:
        now = now_ms()
        if not holders:
            return {}
        rows = await self._store.read(sa.select(seeks).where(seeks.c.seen > now - STALE))
        waiting = Counter(wanted(row) for row in rows if row.table_id is None)
        found = {row.holder: row for row in rows}
        return {holder: _message(found.get(holder), waiting, now) for holder in holders}


def _message(row: Any, waiting: Counter[Wanted], now: int) -> Data:
    if row is None:
        return {"type": "seeking", "on": False, "table": None, "now": now}
    return {
        "type": "seeking",
        "on": True,
        "table": row.table_id,
        "now": now,
        **picked(row, ("game", "seats", "clock", "rated", "since")),
        "waiting": waiting[wanted(row)],
        "range": reach(row, now),
    }


async def _claim(connection: AsyncConnection, group: list[Any], free: Any, now: int) -> None:
    """Seat a group at a new table: all of them, or nothing has happened."""
    first = group[0]
    order = group[:]
    secrets.SystemRandom().shuffle(order)
    held = [Seat(seat, "person", row.player, row.name) for seat, row in enumerate(order)]
    # Nobody is the host: what was asked for is what is played.
    clock = CLOCKS[first.clock]
    info = new_info(first.game, {}, held, "", clock=clock, rated=bool(first.rated))
    holders = seeks.c.holder.in_([row.holder for row in group])
    change = sa.update(seeks).where(holders, free).values(table_id=info.id, seated=now)
    if (await connection.execute(change)).rowcount != len(group):
        raise _Taken
    await add_table(connection, info)
