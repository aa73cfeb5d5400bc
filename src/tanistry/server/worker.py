"""One worker: the parts that HTTP and the socket share."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any

import orjson

from tanistry.games import registry
from tanistry.server import tidying
from tanistry.server.hall import Hall
from tanistry.server.letters import Letters
from tanistry.server.limits import Limits
from tanistry.server.live import Watcher
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.settings import Settings
from tanistry.server.store import Store

LOOK = 5.0
"""Seconds between looks for sessions that another worker has ended."""
SOON = 0.3
"""Seconds for the answer with the new cookie to arrive before the old one's sockets end."""
MOST_WAITING = 20
"""Tables that have not begun at which one person may sit, or be the host."""


class Worker:
    """The parts of one worker process, opened and closed together."""

    def __init__(self, config: Settings) -> None:
        self.config = config
        self.limits = Limits(config.limits, config.proxies)
        self.store = Store(config)
        self.hall = Hall(config, self.store)
        for kind in ("taken", "open"):
            self.hall.sync.listeners[kind] = self.limits.heard
        self.people = People(
            self.store, throttle=config.limits, letters=bool(config.mail), shown=config.people
        )
        self.letters = Letters(config, self.people)
        self.connections: set[Watcher] = set()
        self.draining = False
        self.ready = False

    async def open(self) -> None:
        await self.store.open()
        self.people.set_secret(await self.store.secret())
        self.hall.open()
        background = self.hall.background
        if self.config.warm:
            background.spawn(self.hall.thinking.warm(list(registry.games())))
        background.spawn(self.people.forget_guests_daily(self.config.guest_days))
        background.spawn(self._end_sockets_forever())
        tidying.begin()
        background.spawn(tidying.tidy_forever(lambda: self.store.stored_at))
        if not self.config.alone:
            background.spawn(self.limits.share_forever(self.hall.sync.bus.publish))
        sys.setswitchinterval(0.001)  # threads in which bots think give way soon
        self.ready = True

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Begin something that whoever asked for it does not wait for."""
        self.hall.background.spawn(work)

    async def check_tables(self, player: str, address: str) -> None:
        """Before somebody makes a table or sits down at one: not at too many that wait."""
        self.limits.take("tables", address)
        if self.limits.on and await self.store.waiting_tables(player) >= MOST_WAITING:
            raise Refused("rate/tables")

    async def end_sessions(self, *ids: str) -> None:
        """Sign devices out: their cookies are worth nothing any more, their sockets end."""
        if ids:
            await self.people.sessions.end(*ids)
            self.end_sockets(*ids)

    def end_sockets(self, *ids: str) -> None:
        """Of sessions that have ended."""
        self.hall.background.spawn(self._end_sockets(set(ids)))

    async def _end_sockets(self, ids: set[str]) -> None:
        await asyncio.sleep(SOON)
        for connection in list(self.connections):
            if connection.session in ids:
                connection.cut_off("auth/nobody")

    async def _end_sockets_forever(self) -> None:
        """Sessions may also be ended by another worker."""
        while True:
            await asyncio.sleep(LOOK)
            ids = {connection.session for connection in self.connections}
            try:
                await self._end_sockets(await self.people.sessions.ended(ids) if ids else set())
            except Refused:
                continue  # the database is away: nobody can be signed out either

    async def close(self) -> None:
        """In order: no new connections, a word to those there are, nothing unfinished."""
        self.draining = True
        self.ready = False
        bye = orjson.dumps({"type": "bye", "why": "restart"})
        for connection in list(self.connections):
            connection.send(bye)
        await asyncio.sleep(0.05 if self.connections else 0)
        await self.hall.close()
        self.letters.close()
        await self.store.close()
