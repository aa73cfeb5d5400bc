"""What is stored together, and what comes of it where something of it cannot be."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import sqlalchemy as sa

from tanistry.server.clocks import DAY, HOUR, now_ms
from tanistry.server.endings import write_row
from tanistry.server.info import Info, Seat
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.schema import players, ratings, settings, stamps, tables
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.tables import Row, Table
from tanistry.server.verbs import new_info
from tests.patience import eventually, until

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


@contextmanager
def unheard(store: Store) -> Iterator[None]:
    """The next commit is done, and the connection is gone before anybody hears of it."""
    dialect = store.engine.sync_engine.dialect
    commit = dialect.do_commit

    def commit_and_go(connection: Any) -> None:
        commit(connection)
        if done.call_count == 1:
            raise ConnectionResetError

    with patch.object(dialect, "do_commit", side_effect=commit_and_go) as done:
        yield


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
            store.write(ends.id, row(0), RESULT),
            store.write(goes_on.id, row(0), RESULT),  # the turn is taken: it ends nothing
        )
        assert await asyncio.gather(*together) == [True, True, False]
        assert not await store.write(ends.id, row(0), {**RESULT, "scores": None})
        (found,) = await store.infos(tables.c.id == ends.id)
        assert (found.status, found.ended, found.result) == ("over", row(0).at, RESULT)
        assert found.revision == ends.revision + 1
        (other,) = await store.infos(tables.c.id == goes_on.id)
        assert (other.status, other.result) == ("playing", None)

    with_store(database, do)


def test_a_store_that_cannot_write_is_not_healthy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As on a full disk: what is read is still answered."""
    monkeypatch.setattr("tanistry.server.store.BEAT", 0.02)

    async def do(store: Store) -> None:
        assert store.healthy()
        async with store.engine.connect() as connection:
            await connection.execute(sa.text("PRAGMA query_only=ON"))
        await eventually(lambda: not store.healthy())
        assert await store.infos() == []
        async with store.engine.connect() as connection:
            await connection.execute(sa.text("PRAGMA query_only=OFF"))
        await eventually(store.healthy)

    with_store(str(tmp_path / "test.db"), do)
    assert "readonly database" in caplog.text


def test_guests_who_left_nothing_behind_are_forgotten(database: str) -> None:
    async def do(store: Store) -> None:
        people = People(store)
        gone, sits, new = [await people.new_guest() for _ in range(3)]
        info = new_info("claim", {}, [Seat(0, "person", sits.id), Seat(1)], "somebody")
        await store.insert_table(info)
        old = {"created": now_ms() - 91 * DAY}
        await store.execute(sa.update(players).where(players.c.id != new.id).values(**old))
        assert await people.forget_guests(90) == 1
        assert await store.player(gone.id) is None
        assert all([await store.player(row.id) for row in (sits, new)])

    with_store(database, do)


def test_what_cannot_be_stored_harms_nothing_beside_it(database: str) -> None:
    async def do(store: Store) -> None:
        info = await playing(store)
        together = (store.write("nowhere", row(0)), store.write(info.id, row(0), RESULT))
        wrong, good = await asyncio.gather(*together, return_exceptions=True)
        assert isinstance(wrong, Refused)
        assert good is True
        assert [found.ply for found in await store.rows(info.id)] == [0]

    with_store(database, do)


RESIGNS = Row(0, 0, "resign", None, 5)


@pytest.mark.parametrize("is_rated", [False, True])
def test_a_choice_whose_end_cannot_be_stored_is_not_stored_either(
    database: str, is_rated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no moment at which a match has its last choice, and goes on."""
    monkeypatch.setattr("tanistry.server.rating.LEAST_CHOICES", 0)

    async def do(store: Store) -> None:
        people = People(store)
        persons = [await people.new_guest() for _ in range(2)]
        info = await rated(store, persons) if is_rated else await playing(store)
        with monkeypatch.context() as broken:
            broken.setattr("tanistry.server.store.PATIENCE", 0.0)  # it will not come right
            for module in ("rows", "sqlite"):
                broken.setattr(f"tanistry.server.{module}.END", "UPDATE nothing SET x = :how")
            with pytest.raises((Refused, sa.exc.DBAPIError)):
                await write_row(store, Table(info), RESIGNS)
            assert await store.rows(info.id) == []
        assert await write_row(store, Table(info), RESIGNS)
        (found,) = await store.infos(tables.c.id == info.id)
        assert (found.status, len(await store.rows(info.id))) == ("over", 1)
        assert not await write_row(store, Table(info), RESIGNS)  # another's: too late
        assert [found.matches for found in await store.read(sa.select(ratings))] == (
            [1, 1] if is_rated else []
        )

    with_store(database, do)


def test_no_thread_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tanistry.server.store.COPY", 0.0)

    async def do(store: Store) -> None:
        info = await playing(store)
        for ply in range(20):
            assert await store.write(info.id, row(ply))

    before = set(threading.enumerate())
    with_store(str(tmp_path / "test.db"), do)
    until(lambda: set(threading.enumerate()) <= before, "the end of all threads")


async def rated(store: Store, persons: list[Any]) -> Info:
    seats = [Seat(i, "person", who.id, who.name, True) for i, who in enumerate(persons)]
    info = new_info("claim", {}, seats, persons[0].id, rated=True)
    info.begin(1)
    await store.insert_table(info)
    return info


def test_matches_of_the_same_two_that_end_at_once_are_all_rated(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tanistry.server.rating.LEAST_CHOICES", 0)
    monkeypatch.setattr("tanistry.server.rating.REPEATS", 8)

    async def do(store: Store) -> None:
        other = Store(Settings(database=database))  # another worker's
        await other.open()
        people = People(store)
        persons = [await people.new_guest() for _ in range(2)]
        infos = [await rated(store, persons) for _ in range(8)]
        written = (
            write_row((store, other)[i % 2], Table(info), RESIGNS) for i, info in enumerate(infos)
        )
        assert await asyncio.gather(*written) == [True] * 8
        assert [found.matches for found in await store.read(sa.select(ratings))] == [8, 8]
        await other.close()

    with_store(database, do)


def test_seats_that_change_hands_are_news_to_other_workers(database: str) -> None:
    async def do(store: Store) -> None:
        people = People(store)
        guest, account = [await people.new_guest() for _ in range(2)]
        info = await rated(store, [guest, await people.new_guest()])
        assert await people.adopt(guest.id, account.id) == [info.id]
        (found,) = await store.infos(tables.c.id == info.id)
        assert (found.seats[0].player, found.host) == (account.id, account.id)
        assert found.revision > info.revision

    with_store(database, do)


def test_where_nothing_was_played_nobody_learns_who_a_guest_became(database: str) -> None:
    async def do(store: Store) -> None:
        people = People(store)
        guest, account, other = [await people.new_guest() for _ in range(3)]
        held = [Seat(0, "person", guest.id, guest.name), Seat(1, "person", other.id, other.name)]
        info = new_info("claim", {}, held, guest.id)
        info.status = "closed"
        await store.insert_table(info)
        assert await people.adopt(guest.id, account.id) == [info.id]
        (found,) = await store.infos(tables.c.id == info.id)
        assert [(seat.kind, seat.player, seat.name) for seat in found.seats] == [
            ("open", None, ""), ("person", other.id, other.name)
        ]  # fmt: skip

    with_store(database, do)


def test_a_value_that_cannot_be_stored_is_not_tried_again(database: str) -> None:
    async def do(store: Store) -> None:
        for value in ("a\0b", 7):
            query = sa.select(tables).where(tables.c.id == value)
            (found,) = await asyncio.gather(store.read(query), return_exceptions=True)
            assert not isinstance(found, Refused), "the database was not away"

    with_store(database, do)


def test_what_is_stored_unheard_is_stored_once(database: str) -> None:
    async def do(store: Store) -> None:
        for value in ("1", "2", "3"):
            with unheard(store):
                new = sa.insert(settings).values(name=value, value=value)
                more = sa.update(settings).where(settings.c.name == "1")
                more = more.values(value=settings.c.value + value)
                assert await store.execute(new, more) == 1
        query = sa.select(settings.c.value).where(settings.c.name == "1")
        assert (await store.first(query)).value == "1123"
        info = await playing(store)
        with unheard(store):
            assert await store.update_table(info)
        assert (await store.infos())[0].revision == info.revision == 1

    with_store(database, do)


def test_what_tells_that_something_is_stored_is_not_kept(database: str) -> None:
    async def do(store: Store) -> None:
        await playing(store)
        await store.beat()
        assert await store.count(stamps) == 1
        await store.execute(sa.update(stamps).values(at=stamps.c.at - 2 * HOUR))
        await store.beat()
        assert await store.count(stamps, stamps.c.at < now_ms() - HOUR) == 0

    with_store(database, do)


def test_errors_do_not_tell_what_was_to_be_stored(database: str) -> None:
    async def do(store: Store) -> None:
        info = await playing(store)
        with pytest.raises(sa.exc.IntegrityError) as caught:
            await store.insert_table(info)
        assert info.seed.hex() not in str(caught.value)
        assert "somebody" not in str(caught.value)

    with_store(database, do)


def test_who_signs_in_meanwhile_is_not_rated(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match counts for those who began it: nobody becomes somebody else when it goes well."""
    monkeypatch.setattr("tanistry.server.rating.LEAST_CHOICES", 0)

    async def do(store: Store) -> None:
        people = People(store)
        guest, other, account = [await people.new_guest() for _ in range(3)]
        info = await rated(store, [guest, other])
        await people.adopt(guest.id, account.id)
        (info,) = await store.infos(tables.c.id == info.id)
        assert info.seat_of(account.id) == 0
        assert await write_row(store, Table(info), RESIGNS)
        found = {row.player for row in await store.read(sa.select(ratings))}
        assert found == {guest.id, other.id}

    with_store(database, do)


def test_a_host_who_does_not_sit_there_moves_too(database: str) -> None:
    async def do(store: Store) -> None:
        people = People(store)
        guest, account = [await people.new_guest() for _ in range(2)]
        info = new_info("claim", {}, [Seat(0), Seat(1)], guest.id)
        await store.insert_table(info)
        assert await people.adopt(guest.id, account.id) == [info.id]
        (found,) = await store.infos(tables.c.id == info.id)
        assert (found.host, found.revision) == (account.id, 1)

    with_store(database, do)
