"""A choice that comes alone is stored at once where the disk is quick; else a thread waits."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tanistry.server import sqlite
from tanistry.server.info import Info
from tanistry.server.store import Store
from tanistry.server.tables import Row
from tests.patience import eventually
from tests.server.test_store import playing, with_store

HERE, ASIDE = "MainThread", "sqlite"


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Where rows were stored, and how many together."""
    found: list[tuple[str, int]] = []
    store = sqlite._store

    def noted(connection: sqlite3.Connection, rows: list[Any], ends: Any) -> set[int]:
        done = store(connection, rows, ends)
        found.append((threading.current_thread().name, len(rows)))
        return done

    monkeypatch.setattr(sqlite, "_store", noted)
    monkeypatch.setattr(sqlite, "QUICK", 60.0)  # however busy this machine is
    monkeypatch.setattr(sqlite, "HESITATES", 60.0)
    return found


def choice(ply: int) -> Row:
    return Row(ply, ply % 2, "play", "G0", 1)


async def begun(store: Store) -> Info:
    """A table whose first choice the thread has stored, having opened the file."""
    info = await playing(store)
    assert await store.write(info.id, choice(0))
    return info


async def one_by_one(store: Store, info: Info, plies: range) -> None:
    """Choices, each made when those before it are stored and others have had their turn."""
    for ply in plies:
        assert await store.write(info.id, choice(ply))
        await asyncio.sleep(0)


def kept(file: Path) -> list[int]:
    """The choices that anybody finds in the file."""
    with closing(sqlite3.connect(file)) as connection:
        return [ply for (ply,) in connection.execute("SELECT ply FROM moves ORDER BY ply")]


def test_one_alone_is_stored_at_once(tmp_path: Path, stored: list[tuple[str, int]]) -> None:
    async def do(store: Store) -> None:
        info = await begun(store)
        writing = store.write(info.id, choice(1))
        with pytest.raises(StopIteration, match="True"):
            writing.send(None)  # done before anybody else had a turn
        assert kept(tmp_path / "test.db") == [0, 1]
        await asyncio.sleep(0)
        await one_by_one(store, info, range(2, 3))
        assert not await store.write(info.id, Row(2, 0, "play", "G1", 2)), "it is taken"
        assert stored == [(ASIDE, 1)] + [(HERE, 1)] * 3

    with_store(str(tmp_path / "test.db"), do)


def test_those_who_come_together_are_stored_together(
    tmp_path: Path, stored: list[tuple[str, int]]
) -> None:
    async def do(store: Store) -> None:
        info = await begun(store)
        for ply, together in ((1, 4), (5, 9)):
            plies = range(ply, ply + together)
            writing = (store.write(info.id, choice(ply)) for ply in plies)
            assert all(await asyncio.gather(*writing))
            await asyncio.sleep(0)
        assert stored[1:] == [(HERE, 1), (HERE, 3), (HERE, 1), (ASIDE, 8)], "the many by a thread"

    with_store(str(tmp_path / "test.db"), do)


@pytest.mark.parametrize("fails", [False, True], ids=["late", "failing"])
def test_a_disk_that_hesitates_stops_everybody_once(
    tmp_path: Path, stored: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    store_now = sqlite._store
    tried: list[str] = []

    def hesitantly(*given: Any) -> set[int]:
        tried.append(threading.current_thread().name)
        if len(tried) == 2:
            time.sleep(0.5)
            if fails:
                raise sqlite3.OperationalError("disk I/O error")
        return store_now(*given)

    monkeypatch.setattr(sqlite, "_store", hesitantly)
    monkeypatch.setattr(sqlite, "HESITATES", 0.4)

    async def do(store: Store) -> None:
        info = await begun(store)
        await one_by_one(store, info, range(1, 40))
        assert tried == [ASIDE, HERE] + [ASIDE] * (38 + fails)
        assert store._sqlite
        store._sqlite._aside_until = 0  # later
        assert await store.write(info.id, choice(40))
        assert tried[-1] == HERE, "it is trusted again"

    with_store(str(tmp_path / "test.db"), do)


def test_a_slow_disk_is_waited_for_aside(
    tmp_path: Path, stored: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "QUICK", 0.0)

    async def do(store: Store) -> None:
        info = await begun(store)
        await one_by_one(store, info, range(1, 5))
        assert stored == [(ASIDE, 1)] * 5

    with_store(str(tmp_path / "test.db"), do)


def test_who_writes_elsewhere_is_waited_for_aside(
    tmp_path: Path, stored: list[tuple[str, int]]
) -> None:
    async def do(store: Store) -> None:
        info = await begun(store)
        assert store._sqlite
        assert store._sqlite._on_loop
        waits = store._sqlite._on_loop.execute("PRAGMA busy_timeout").fetchone()
        assert waits == (0,), "nobody else waits meanwhile"
        with closing(sqlite3.connect(tmp_path / "test.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(store.write(info.id, choice(1)))
            turns = 0

            def another_turn() -> bool:
                nonlocal turns
                turns += 1
                return turns > 3

            await eventually(another_turn)
            assert not writing.done()
            other.execute("COMMIT")
        assert await writing
        assert stored == [(ASIDE, 1)] * 2

    with_store(str(tmp_path / "test.db"), do)
