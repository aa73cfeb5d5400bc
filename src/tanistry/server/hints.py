"""Word between workers that something happened at a table: a hint, never the truth.

Whoever hears it looks into the database. A hint that is lost costs a moment (there is a slow look
at the database anyway), never a move; so Redis may go away and come back as it likes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import orjson

log = logging.getLogger("tanistry.hints")

CHANNEL = "tanistry:hints"


class Hints:
    """Hints for one worker. Without Redis nobody else hears them."""

    def __init__(self, url: str, worker: str, heard: Callable[[dict[str, Any]], None]) -> None:
        self.worker = worker
        self.heard = heard
        self.connected = False
        self._out: asyncio.Queue[bytes] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []
        self._redis: Any = None
        if url:
            import redis.asyncio

            self._redis = redis.asyncio.from_url(
                url, socket_connect_timeout=2, socket_keepalive=True, health_check_interval=5
            )

    def open(self) -> None:
        if self._redis:
            self._tasks = [
                asyncio.create_task(self._listen(), name="hints in"),
                asyncio.create_task(self._speak(), name="hints out"),
            ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._redis:
            await self._redis.aclose()

    def say(self, **hint: Any) -> None:
        if self._redis:
            try:
                self._out.put_nowait(orjson.dumps({"from": self.worker, **hint}))
            except asyncio.QueueFull:
                log.warning("hints pile up; the others will look for themselves")

    async def _speak(self) -> None:
        from redis.exceptions import RedisError

        while True:
            first = await self._out.get()
            batch = [first]
            while not self._out.empty() and len(batch) < 200:
                batch.append(self._out.get_nowait())
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    for hint in batch:
                        pipe.publish(CHANNEL, hint)
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
                        hint = orjson.loads(message["data"])
                        if isinstance(hint, dict) and hint.get("from") != self.worker:
                            self.heard(hint)
            except (TimeoutError, RedisError, OSError, orjson.JSONDecodeError) as error:
                if self.connected:
                    log.warning("redis gone: %s", type(error).__name__)
                self.connected = False
                await asyncio.sleep(pause)
                pause = min(2.0, pause * 2)
