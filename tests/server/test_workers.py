"""Several processes on one port and one SQLite file, without Redis: they hear each other."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tanistry.client import AsyncClient
from tanistry.server.bus import Neighbours
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tests.patience import PATIENCE, eventually, until
from tests.server.crowd import Crowd
from tests.server.processes import COMMAND, Process, free_port


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


def get(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    response = connection.getresponse()
    found = response.status, response.read().decode()
    connection.close()
    return found


def test_temporary_files_may_be_cleared_away(tmp_path: Path) -> None:
    """Workers hear nothing of each other then, and look for themselves."""

    async def run() -> None:
        neighbours = Neighbours(tmp_path / "meeting", "here", lambda news: None)
        neighbours.open()
        shutil.rmtree(tmp_path / "meeting")
        neighbours.publish(b"{}")
        neighbours.close()

    asyncio.run(run())


def test_an_operator_can_ask_how_it_is(server: Process) -> None:
    assert get(server.port, "/healthz") == (200, "ok\n")
    assert get(server.port, "/readyz") == (200, "ready\n")
    assert get(server.port, "/metrics")[0] == 404, "not where visitors get"


def test_a_server_that_cannot_store_is_not_ready(tmp_path: Path) -> None:
    """Somebody else holds the file, as a disk that is full would: what is read is answered."""
    server = Process(tmp_path)
    hurry = "from tanistry.server import store; store.BEAT, store.HEALTHY = 0.1, 2.0; "
    server.command = hurry + COMMAND
    server.start()
    database = server.environment["TANISTRY_DATABASE"]
    try:
        until(lambda: get(server.port, "/readyz")[0] == 200, "ready")
        with closing(sqlite3.connect(database, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            until(lambda: get(server.port, "/readyz") == (503, "not ready\n"), "not ready")
            assert get(server.port, "/healthz")[0] == get(server.port, "/api/v1/tables")[0] == 200
        until(lambda: get(server.port, "/readyz")[0] == 200, "ready again")
    finally:
        server.stop()


def test_numbers_of_all_workers_at_an_address_of_their_own(tmp_path: Path) -> None:
    port, folder = free_port(), tmp_path / ("temporary" * 8)  # too long for sockets in it
    folder.mkdir()
    server = Process(tmp_path, workers=2, metrics=f"127.0.0.1:{port}")
    server.command = COMMAND  # begun as outside of tests: files are agreed on at the first import
    server.environment["TMPDIR"] = str(folder)
    server.start()
    try:
        for _ in range(20):
            server.http().request("POST", "/tables/quick", {"game": "claim", "bot": "random"})
        started = 'tanistry_matches_total{event="started",game="claim"} 20.0'
        assert started in get(port, "/metrics")[1]
        assert list(folder.glob("tanistry-metrics-*"))
    finally:
        server.stop()
    assert "workers will not hear each other" in server.log.read_text()
    assert not list(folder.glob("tanistry-metrics-*")), "it is gone with the server"
