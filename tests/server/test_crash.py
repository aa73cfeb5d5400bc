"""Kill −9 at random moments: what was acknowledged is there, nothing is there twice."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tests.server.crowd import Crowd, how_many
from tests.server.processes import Process
from tests.server.services import Postgres, Redis

MATCHES = 10
DEADLINE = 240


async def _harm_until_over(crowd: Crowd, harm: Callable[[], Awaitable[None]], times: int) -> None:
    """Play all matches, and do harm so many times meanwhile."""
    playing = asyncio.create_task(crowd.play())
    chance = random.Random(7)
    for _ in range(times):
        await asyncio.sleep(chance.uniform(0.4, 1.2))
        if playing.done():
            break
        await harm()
    await asyncio.wait_for(playing, DEADLINE)


async def _check(crowd: Crowd, database: str) -> None:
    store = Store(Settings(database=database))
    try:
        await crowd.settle()
        moves = await crowd.check(store)
        assert moves == 52 * len(crowd.tables)
    finally:
        await store.close()


def test_the_server_is_killed(database: str, tmp_path: Path) -> None:
    async def run() -> None:
        server = Process(tmp_path, database=database).start()
        crowd = Crowd([server.url], pause=0.12)

        async def harm() -> None:
            await asyncio.to_thread(server.kill)
            store = Store(Settings(database=database))
            await crowd.check_ends(store)
            await store.close()
            await asyncio.to_thread(server.start)

        try:
            await crowd.sit_down(how_many(MATCHES))
            await _harm_until_over(crowd, harm, 3)
            assert max(client.connections for client in crowd.clients) >= 2
            await _check(crowd, database)
        finally:
            await crowd.leave()
            server.kill()

    asyncio.run(run())


def test_postgresql_is_killed_and_restarted(tmp_path: Path) -> None:
    async def run() -> None:
        postgres = Postgres().start()
        server = Process(tmp_path, database=postgres.url).start()
        crowd = Crowd([server.url], pause=0.12)
        ways = [signal.SIGKILL, signal.SIGINT]

        async def harm() -> None:
            await asyncio.to_thread(postgres.end, ways.pop())
            await asyncio.sleep(0.5)
            await asyncio.to_thread(postgres.start)

        try:
            await crowd.sit_down(how_many(MATCHES // 2))
            await _harm_until_over(crowd, harm, 2)
            await _check(crowd, postgres.url)
        finally:
            await crowd.leave()
            server.kill()
            postgres.close()

    asyncio.run(run())


def test_two_workers_and_redis_comes_and_goes(tmp_path: Path) -> None:
    """Each match is played across two servers; the news between them is lost for a while."""

    async def run() -> None:
        postgres, redis = Postgres().start(), Redis().start()
        settings = {"database": postgres.url, "redis": redis.url, "poll": 0.4}
        (tmp_path / "one").mkdir()
        (tmp_path / "two").mkdir()
        one = Process(tmp_path / "one", **settings).start()
        two = Process(tmp_path / "two", **settings).start()
        crowd = Crowd([one.url, two.url], pause=0.1)

        async def harm() -> None:
            await asyncio.to_thread(redis.kill)
            await asyncio.sleep(1)
            await asyncio.to_thread(redis.start)

        try:
            await crowd.sit_down(how_many(MATCHES // 3))
            await _harm_until_over(crowd, harm, 2)
            await _check(crowd, postgres.url)
        finally:
            await crowd.leave()
            one.kill()
            two.kill()
            redis.close()
            postgres.close()

    asyncio.run(run())
