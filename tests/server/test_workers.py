"""Several processes on one port and one SQLite file, without Redis: they look into the database."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tanistry.server.settings import Settings
from tanistry.server.store import Store
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


def test_numbers_for_operators(server: Process) -> None:
    from http.client import HTTPConnection

    for path, expected in (("/healthz", "ok"), ("/readyz", "ready"), ("/metrics", "tanistry_")):
        connection = HTTPConnection(server.url.removeprefix("http://"), timeout=20)
        connection.request("GET", path)
        response = connection.getresponse()
        assert response.status == 200
        assert expected in response.read().decode()
        connection.close()
