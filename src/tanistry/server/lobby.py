"""The lobby: public tables that wait for players or can be watched, and who looks at the list."""

from __future__ import annotations

import asyncio
import time

import orjson

from tanistry.server import blocks
from tanistry.server.background import Background
from tanistry.server.broadcast import table_data
from tanistry.server.clocks import DAY, now_ms
from tanistry.server.info import Data, Info, describe
from tanistry.server.live import Live, Watcher
from tanistry.server.schema import tables as table_rows
from tanistry.server.shadows import unsaid
from tanistry.server.store import Store

EVERY = 1.0
"""Seconds between two lists, at least."""


class Lobby:
    """The list of public tables, sent anew to whoever looks at it when it may have changed."""

    def __init__(self, store: Store, live: dict[str, Live], background: Background) -> None:
        self.watchers: set[Watcher] = set()
        self._store = store
        self._live = live
        self._background = background
        self._due: asyncio.TimerHandle | None = None
        self._sent = 0.0

    async def tables(self, player: str | None) -> list[Data]:
        """Public tables of the last day as a player may know them, newest first."""
        found = await self._store.infos(
            table_rows.c.public.is_(True),
            table_rows.c.status.in_(("waiting", "playing")),
            table_rows.c.created > now_ms() - DAY,
        )
        listed = [self.listed(info, player) for info in found]
        apart = await blocks.apart(self._store, player) if player and listed else set()
        return [table for table in listed if not _keeps_apart(table, player, apart)]

    def listed(self, info: Info, player: str | None) -> Data:
        """A table in a list, which need not be in memory."""
        live = self._live.get(info.id)
        seated = player is not None and info.seat_of(player) is not None
        if info.delay and info.status == "playing" and not seated:
            if live and live.shadow:
                return table_data(live, player)
            return describe(unsaid(info), player)
        if live is None:
            return describe(info, player)
        table = live.table
        if live.info.revision >= info.revision:  # what has just happened may not be stored yet
            info = live.info
        return describe(info, player, live.present(), live.watching(), table.turn, table.resigned)

    async def message(self, player: str) -> Data:
        apart = await blocks.apart(self._store, player)
        return {"type": "lobby", "tables": _shown(await self.tables(None), player, apart)}

    def changed(self) -> None:
        """Send the list anew, soon."""
        if self._due is None and self.watchers:
            wait = max(0.05, self._sent + EVERY - time.monotonic())
            loop = asyncio.get_running_loop()
            self._due = loop.call_later(wait, lambda: self._background.spawn(self._send()))

    async def _send(self) -> None:
        self._due = None
        self._sent = time.monotonic()
        found = await self.tables(None)
        apart = await blocks.all_apart(self._store, {who.player for who in self.watchers})
        for who in list(self.watchers):
            tables = _shown(found, who.player, apart.get(who.player, set()))
            who.send(orjson.dumps({"type": "lobby", "tables": tables}))


def _keeps_apart(table: Data, player: str | None, apart: set[str]) -> bool:
    """Whether somebody would meet a person there with whom they are kept apart."""
    people = {seat["player"] for seat in table["seats"]}
    return bool(apart) and player not in people and not apart.isdisjoint(people | {table["host"]})


def _shown(found: list[Data], player: str, apart: set[str]) -> list[Data]:
    """A list of tables as it is for one player, their own seats marked."""
    return [
        {
            **table,
            "seats": [
                {**seat, "you": seat["kind"] == "person" and seat["player"] == player}
                for seat in table["seats"]
            ],
        }
        for table in found
        if not _keeps_apart(table, player, apart)
    ]
