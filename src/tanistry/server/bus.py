"""Word between workers that something happened at a table: news, never the truth.

Whoever hears it looks into the database. News that is lost costs a moment (there is a slow look
at the database anyway), never a move; so Redis may go away and come back as it likes. Without
Redis, the workers of one host tell each other through sockets in a folder of their own.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from tanistry.server.background import guarded
from tanistry.server.settings import Settings

log = logging.getLogger("tanistry.bus")

CHANNEL = "tanistry:news"
LONGEST = 4096
"""Bytes of a message."""

News = dict[str, Any]


class Neighbours:
    """The workers on this host that share a database: a socket each, in a folder for this user."""

    def __init__(self, folder: Path, worker: str, heard: Callable[[News], None]) -> None:
        self.folder = folder
        self.heard = heard
        self._own = folder / worker
        self._socket: socket.socket | None = None

    def open(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.folder.stat().st_uid != os.getuid():
            log.warning("%s is somebody else's: workers will not hear each other", self.folder)
            return
        found = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        found.setblocking(False)
        try:
            found.bind(str(self._own))
        except OSError as error:  # such names are short: a long temporary folder has none
            found.close()
            return log.warning("workers will not hear each other: %s: %s", self._own, error)
        self._socket = found
        asyncio.get_running_loop().add_reader(self._socket, self._listen)

    def close(self) -> None:
        if self._socket:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._own.unlink(missing_ok=True)

    def publish(self, news: bytes) -> None:
        if self._socket is None:
            return
        for other in self._others():
            try:
                self._socket.sendto(news, str(other))
            except ConnectionRefusedError:  # it was killed
                other.unlink(missing_ok=True)
            except OSError:  # its queue is full, or it has just gone: it looks for itself
                continue

    def _others(self) -> list[Path]:
        """Nobody where temporary files were cleared away: everybody looks for themselves then."""
        try:
            return [other for other in self.folder.iterdir() if other != self._own]
        except OSError:
            return []

    def _listen(self) -> None:
        assert self._socket is not None
        try:
            news = orjson.loads(self._socket.recv(LONGEST))
        except (OSError, orjson.JSONDecodeError):
            return
        if isinstance(news, dict):
            with guarded("news"):
                self.heard(news)


def _meeting_place(config: Settings) -> Path:
    """Where the workers of a database on this host find each other."""
    url = config.database_url
    if config.on_sqlite:
        url = str(Path(url.split(":///", 1)[1]).resolve())
    name = hashlib.sha256(url.encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"tanistry-{os.getuid()}-{name}"


class Bus:
    """News to and from one worker: through Redis, or among the workers of this host."""

    def __init__(self, config: Settings, worker: str, heard: Callable[[News], None]) -> None:
        self.worker = worker
        self.heard = heard
        self.connected = False
        self._out: asyncio.Queue[bytes] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []
        self._redis: Any = None
        self._neighbours: Neighbours | None = None
        if config.redis:
            import redis.asyncio

            self._redis = redis.asyncio.from_url(
                config.redis,
                socket_connect_timeout=2,
                socket_keepalive=True,
                health_check_interval=5,
            )
        elif not config.alone and hasattr(socket, "AF_UNIX"):
            self._neighbours = Neighbours(_meeting_place(config), worker, heard)

    def open(self) -> None:
        if self._redis:
            self._tasks = [
                asyncio.create_task(self._listen(), name="news in"),
                asyncio.create_task(self._speak(), name="news out"),
            ]
        if self._neighbours:
            self._neighbours.open()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._redis:
            await self._redis.aclose()
        if self._neighbours:
            self._neighbours.close()

    def publish(self, **news: Any) -> None:
        if self._neighbours:
            self._neighbours.publish(orjson.dumps({"from": self.worker, **news}))
        if self._redis:
            try:
                self._out.put_nowait(orjson.dumps({"from": self.worker, **news}))
            except asyncio.QueueFull:
                log.warning("news piles up; the others will look for themselves")

    async def _speak(self) -> None:
        from redis.exceptions import RedisError

        while True:
            first = await self._out.get()
            batch = [first]
            while not self._out.empty() and len(batch) < 200:
                batch.append(self._out.get_nowait())
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    for news in batch:
                        pipe.publish(CHANNEL, news)
                    await pipe.execute()
            except (TimeoutError, RedisError, OSError):
                await asyncio.sleep(0.2)  # lost; the slow look makes up for it

    async def _listen(self) -> None:
        from redis.exceptions import RedisError

        pause = 0.1
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    self.connected = True
                    self.heard({"from": "", "all": True})  # whatever was missed meanwhile
                    pause = 0.1
                    async for message in pubsub.listen():
                        news = orjson.loads(message["data"])
                        if isinstance(news, dict) and news.get("from") != self.worker:
                            with guarded("news"):
                                self.heard(news)
            except (TimeoutError, RedisError, OSError, orjson.JSONDecodeError) as error:
                if self.connected:
                    log.warning("redis gone: %s", type(error).__name__)
                self.connected = False
                await asyncio.sleep(pause)
                pause = min(2.0, pause * 2)
