"""What is stored together, and what comes of it where something of it cannot be."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tanistry.server.refusals import Refused
from tanistry.server.schema import tables
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.tables import Info, Row, Seat
from tanistry.server.verbs import new_info

RESULT = {"scores": [3, 2], "ranking": [[0], [1]], "ended_by": "play", "by": None}


def with_store(database: str, do: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = Store(Settings(database=database))
        await store.open()
        try:
            await do(store)
        finally:
            await store.close()

    asyncio.run(run())


async def playing(store: Store) -> Info:
    """A table at which a match goes on."""
    info = new_info("claim", {}, [Seat(0), Seat(1)], "somebody", rated=False)
    info.status, info.started = "playing", 1
    await store.insert_table(info)
    return info


def row(ply: int) -> Row:
    return Row(ply, ply % 2, "play", "K7", 1)


def test_a_match_ends_once_beside_the_choices_of_others(database: str) -> None:
    async def do(store: Store) -> None:
        ends, goes_on = await playing(store), await playing(store)
        together = (
            store.write(goes_on.id, row(0)),
            store.end(ends.id, 5, RESULT),
            store.write(ends.id, row(0)),
            store.write(goes_on.id, row(0)),  # somebody else's: the turn is taken
        )
        assert await asyncio.gather(*together) == [True, True, True, False]
        assert not await store.end(ends.id, 6, {**RESULT, "scores": None})
        (found,) = await store.infos(tables.c.id == ends.id)
        assert (found.status, found.ended, found.result) == ("over", 5, RESULT)
        assert found.revision == ends.revision + 1
        (other,) = await store.infos(tables.c.id == goes_on.id)
        assert (other.status, other.result) == ("playing", None)

    with_store(database, do)


def test_what_cannot_be_stored_harms_nothing_beside_it(database: str) -> None:
    async def do(store: Store) -> None:
        info = await playing(store)
        together = (
            store.write("nowhere", row(0)),
            store.end(info.id, 5, RESULT),
            store.write(info.id, row(0)),
        )
        wrong, *good = await asyncio.gather(*together, return_exceptions=True)
        assert isinstance(wrong, Refused)
        assert good == [True, True]
        assert [found.ply for found in await store.rows(info.id)] == [0]

    with_store(database, do)


def test_no_thread_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tanistry.server.store.COPY", 0.0)

    async def do(store: Store) -> None:
        info = await playing(store)
        for ply in range(20):
            assert await store.write(info.id, row(ply))

    before = set(threading.enumerate())
    with_store(str(tmp_path / "test.db"), do)
    assert set(threading.enumerate()) <= before
