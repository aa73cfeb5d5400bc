"""One worker: the parts that HTTP and the socket share."""

from __future__ import annotations

import asyncio
import sys

import orjson

from tanistry.games import registry
from tanistry.server import tidying
from tanistry.server.hall import Hall
from tanistry.server.limits import Limits
from tanistry.server.live import Watcher
from tanistry.server.people import People
from tanistry.server.settings import Settings
from tanistry.server.store import Store


class Worker:
    """The parts of one worker process, opened and closed together."""

    def __init__(self, config: Settings) -> None:
        self.config = config
        self.limits = Limits(config.limits)
        self.store = Store(config)
        self.hall = Hall(config, self.store)
        self.people = People(self.store)
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
        tidying.begin()
        background.spawn(tidying.tidy_forever(lambda: self.store.stored_at))
        sys.setswitchinterval(0.001)  # threads in which bots think give way soon
        self.ready = True

    async def close(self) -> None:
        """In order: no new connections, a word to those there are, nothing unfinished."""
        self.draining = True
        self.ready = False
        bye = orjson.dumps({"type": "bye", "why": "restart"})
        for connection in list(self.connections):
            connection.send(bye)
        await asyncio.sleep(0.05 if self.connections else 0)
        await self.hall.close()
        await self.store.close()
