"""The tables this worker has in memory: built from the database when somebody asks for them,
forgotten when nobody does."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import tanistry
from tanistry.errors import TanistryError
from tanistry.server import broadcast, metrics
from tanistry.server.clocks import Outages
from tanistry.server.info import Info
from tanistry.server.live import Live
from tanistry.server.refusals import Refused
from tanistry.server.store import Store
from tanistry.server.tables import Row, Table
from tanistry.server.thinking import Thinking

log = logging.getLogger("tanistry.registry")

IDLE = 60.0
"""Seconds after which a table nobody watches is forgotten."""


class Registry:
    """Live tables by their id."""

    def __init__(
        self, store: Store, thinking: Thinking, loaded: Callable[[Live], Awaitable[None]]
    ) -> None:
        self.live: dict[str, Live] = {}
        self._store = store
        self._thinking = thinking
        self._loaded = loaded
        self._loading: dict[str, asyncio.Future[Live]] = {}

    async def get(self, id: str) -> Live:
        """A table by its id, from the database if it is not in memory."""
        if live := self.live.get(id):
            live.used = time.monotonic()
            return live
        if waiting := self._loading.get(id):
            return await asyncio.shield(waiting)
        future: asyncio.Future[Live] = asyncio.get_running_loop().create_future()
        self._loading[id] = future
        try:
            live = await self._load(id)
            future.set_result(live)
            return live
        except BaseException as error:
            future.set_exception(error)
            future.exception()  # seen: nobody may be waiting for it
            raise
        finally:
            del self._loading[id]

    async def _load(self, id: str) -> Live:
        found = await self._store.load(id)
        if found is None:
            raise Refused("table/unknown")
        await self._thinking.prepare(found[0].game)
        live = self.add(_build(*found, self._store.outages))
        await self._loaded(live)
        return live

    def add(self, table: Table) -> Live:
        live = self.live[table.info.id] = Live(table)
        broadcast.catch_up(live)
        metrics.live_tables.set(len(self.live))
        return live

    async def sweep(self) -> None:
        """Forget tables that nobody has used for a while."""
        late = time.monotonic() - IDLE
        for id, live in list(self.live.items()):
            if live.used < late and live.is_idle:
                live.stop()
                del self.live[id]
        metrics.live_tables.set(len(self.live))

    def close(self) -> None:
        for live in self.live.values():
            live.stop()


def _build(info: Info, rows: list[Row], outages: Outages) -> Table:
    try:
        if info.version != tanistry.info(info.game).version:
            raise Refused("table/version")
        return Table(info, rows, outages)
    except TanistryError:
        log.error("table %s does not replay", info.id)
        raise Refused("table/version") from None
    except Refused:
        raise
    except Exception:
        log.exception("table %s cannot be made of what is stored", info.id)
        raise Refused("table/damaged") from None
