"""How workers that share a database keep in step: what one stores, the others hear of from the bus
and read from the database themselves."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tanistry.server import broadcast, waiting
from tanistry.server.background import guarded
from tanistry.server.bus import Bus
from tanistry.server.live import Live
from tanistry.server.rows import new_id
from tanistry.server.schema import tables as table_rows

if TYPE_CHECKING:
    from tanistry.server.hall import Hall

ANNOUNCE = 10.0
"""Seconds after which a worker says again who is present."""
OFTEN = 0.3
"""Seconds between two looks at the database where there is no Redis."""


class Sync:
    """What others do at the tables this worker has in memory."""

    def __init__(self, hall: Hall) -> None:
        self.bus = Bus(hall.config, new_id(8), self._heard)
        self.listeners: dict[str, Callable[[Any], None]] = {}  # to news that is not about tables
        self._hall = hall
        self._polls = 0

    async def read_locked(self, live: Live) -> None:
        async with live.lock:
            await self.read(live)

    async def read(self, live: Live) -> None:
        """Read from the database what others stored; call with the table's lock held."""
        table, before = live.table, live.info.status
        await self.read_info(live)
        rows = await self._hall.store.rows(live.info.id, table.turn)
        if live.info.status in ("playing", "over") and table.match is None:
            live.deal()
            broadcast.send_deal(live)
        for row in rows:
            if row.ply != table.turn:
                break
            table.apply(row)
            live.lapse()
            live.ours = False
            broadcast.send_row(live)
        if table.over and live.info.status == "playing":  # it ended between the two readings
            await self.read_info(live)
        if live.info.status != before:
            self._hall.lobby.changed()
        broadcast.send_table(live)
        self._hall.timers.set(live)

    async def read_info(self, live: Live) -> None:
        found = await self._hall.store.infos(table_rows.c.id == live.info.id)
        if found:
            broadcast.set_info(live, found[0])

    async def look(self, ids: list[str]) -> None:
        """Read what others stored at these tables, if anything."""
        with guarded("looking for what others stored"):
            for id, (revision, turn) in (await self._hall.store.turns(ids)).items():
                live = self._hall.registry.live.get(id)
                if live and (turn > live.table.turn or revision > live.info.revision):
                    with guarded(f"reading what others stored at table {id}"):
                        await self.read_locked(live)

    async def _look_at_watched(self) -> None:
        await self.look([id for id, live in self._hall.registry.live.items() if live.watchers])

    def open(self) -> None:
        self.bus.open()
        config, every = self._hall.config, self._hall.background.every
        if not config.alone:
            every(config.poll if config.redis else OFTEN, self._poll)
            every(ANNOUNCE, self._announce_all)

    async def _poll(self) -> None:
        """A slow look at the database, in case news was lost; slower still while there is Redis."""
        self._polls += 1
        if not self.bus.connected or self._polls % 5 == 0:
            await self._look_at_watched()

    async def _announce_all(self) -> None:
        for live in list(self._hall.registry.live.values()):
            self._announce(live)

    def _announce(self, live: Live) -> None:
        for player in live.present_here():
            self.bus.publish(table=live.info.id, player=player, here=True)

    def _heard(self, news: dict[str, Any]) -> None:
        if news.get("all"):
            self._hall.background.spawn(self._look_at_watched())
            return
        for kind, listener in self.listeners.items():
            if kind in news:
                return listener(news)
        if news.get("lobby"):
            self._hall.lobby.changed()
        live = self._hall.registry.live.get(news.get("table", ""))
        if live is None:
            return
        if "player" in news:
            key = (str(news["from"]), str(news["player"]))
            was = live.present()
            now = time.monotonic()
            live.remote[key] = now if news.get("here") else 0.0
            live.left_at[key[1]] = now  # they were there as long as we heard of them
            if live.present() != was:
                broadcast.send_table(live)
                self._hall.background.spawn(waiting.look(self._hall, live))
        elif news.get("who"):
            self._announce(live)
        else:
            ahead = int(news.get("turn", 0)) > live.table.turn
            if ahead or int(news.get("revision", 0)) > live.info.revision:
                self._hall.background.spawn(self.read_locked(live))
