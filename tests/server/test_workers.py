"""Several processes on one port and one SQLite file, without Redis: they hear each other."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tanistry.client import AsyncClient
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tests.patience import PATIENCE, eventually
from tests.server.crowd import Crowd
from tests.server.processes import Process


def test_two_workers_on_one_file(tmp_path: Path) -> None:
    async def run() -> None:
        server = Process(tmp_path, workers=2).start()
        crowd = Crowd([server.url])
        try:
            await crowd.sit_down(6)
            await asyncio.wait_for(crowd.play(), 200)
            await crowd.settle()
            store = Store(Settings(database=server.environment["TANISTRY_DATABASE"]))
            assert await crowd.check(store) == 6 * 52
            await store.close()
        finally:
            await crowd.leave()
            server.stop()

    asyncio.run(run())


def test_workers_know_who_is_present_elsewhere(tmp_path: Path) -> None:
    """Without Redis: a person on one worker is seen to come and to go by clients on the other."""

    async def run() -> None:
        server = Process(tmp_path, workers=2).start()
        host, *others = clients = [AsyncClient(server.url) for _ in range(9)]
        try:
            for client in clients:
                await client.connect()
            table = await host.create("claim")
            watching = [await other.watch(table.id) for other in others]
            await eventually(lambda: all(seen.data["seats"][0]["present"] for seen in watching))
            await host.close()
            await eventually(lambda: not any(seen.data["seats"][0]["present"] for seen in watching))
        finally:
            for client in clients:
                await client.close()
            server.stop()

    asyncio.run(run())


def test_numbers_for_operators(server: Process) -> None:
    from http.client import HTTPConnection

    for path, expected in (("/healthz", "ok"), ("/readyz", "ready"), ("/metrics", "tanistry_")):
        connection = HTTPConnection(server.url.removeprefix("http://"), timeout=PATIENCE)
        connection.request("GET", path)
        response = connection.getresponse()
        assert response.status == 200
        assert expected in response.read().decode()
        connection.close()
