"""A database of the first schema, made by a server of that time, is brought up without loss.

`data/first.db` holds two accounts and a guest, two rated matches that are over, one under a clock
of days, two that go on, and a table that waits; `data/first.json` what was true of it.
`data/letters.db` is from before there were histories, talk, clubs and tournaments.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine

from tanistry.client import Client
from tanistry.errors import OptionError
from tanistry.server import admin
from tanistry.server.migrate import config, newest
from tanistry.server.schema import metadata
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tests.server.processes import Process

DATA = Path(__file__).parent / "data"
FACTS = json.loads((DATA / "first.json").read_text())
TABLES = ("settings", "players", "tables", "seats", "moves", "ratings")


Rows = dict[str, list[dict[str, Any]]]


def rows_of(file: Path, names: Iterable[str] = TABLES) -> Rows:
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        query = "SELECT * FROM {} ORDER BY 1, 2"
        return {name: [dict(r) for r in connection.execute(query.format(name))] for name in names}


def on(url: str, do: Any) -> Any:
    """Do something with a plain connection."""

    async def run() -> Any:
        engine = create_async_engine(url)
        try:
            async with engine.begin() as connection:
                return await connection.run_sync(do)
        finally:
            await engine.dispose()

    return asyncio.run(run())


@pytest.fixture
def old(database: str) -> str:
    """A database as it was, of either kind."""
    settings = Settings(database=database)
    if settings.on_sqlite:
        shutil.copy(DATA / "first.db", database)
    else:

        def fill(connection: sa.Connection) -> None:
            command.upgrade(config(connection), "0001")
            first = sa.MetaData()
            first.reflect(connection)
            for name, rows in rows_of(DATA / "first.db").items():
                table = first.tables[name]
                for row in rows:
                    for column in table.columns:
                        if row[column.name] is None:
                            continue
                        if isinstance(column.type, sa.JSON):
                            row[column.name] = json.loads(row[column.name])
                        if isinstance(column.type, sa.Boolean):
                            row[column.name] = bool(row[column.name])
                    connection.execute(sa.insert(table).values(**row))

        on(settings.database_url, fill)
    return database


def test_nothing_is_lost(old: str, tmp_path: Path) -> None:
    process = Process(tmp_path, database=old).start()
    try:
        for name, known in FACTS["people"].items():
            with Client(process.url, cookie=known["cookie"]) as client:
                me = client.request("GET", "/me")
                assert (me["id"], me["name"]) == (known["id"], name)
                assert me["ratings"] == known["ratings"]
                assert client.cookie != known["cookie"], "exchanged for a session"
        with Client(process.url, cookie=FACTS["people"]["Callum"]["cookie"]) as client:
            table = client.watch(FACTS["undone"])
            while not table.over:
                table.play(table.legal[0])
            assert client.request("GET", f"/tables/{FACTS['waiting']}")["status"] == "waiting"
            for name in ("days", "playing"):
                assert client.request("GET", f"/tables/{FACTS[name]}")["status"] == "playing"
            for name in ("over", "resigned"):
                record = client.request("GET", f"/tables/{FACTS[name]}/record")
                assert client.request("POST", "/verify", {"record": record})["holds"]
            signed = {"login": "blair", "password": "a granite stone"}
            assert client.request("POST", "/session", signed)["name"] == "Blair"
    finally:
        process.stop()
    assert "Traceback" not in process.log.read_text()


@pytest.mark.parametrize(
    ("name", "tables"), [("first", TABLES), ("letters", (*TABLES, "sessions", "outages"))]
)
def test_every_value_is_where_it_was(name: str, tables: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    shutil.copy(DATA / f"{name}.db", file)
    before = rows_of(file, tables)
    url = Settings(database=str(file)).database_url
    on(url, lambda connection: command.upgrade(config(connection), "head"))
    after = rows_of(file, tables)
    assert before["moves"]
    for table, rows in before.items():
        kept = [{key: row[key] for key in rows[0]} for row in after[table]] if rows else []
        assert kept == rows, table


def test_the_schema_is_the_one_described(old: str) -> None:
    def compare(connection: sa.Connection) -> Any:
        command.upgrade(config(connection), "head")
        return compare_metadata(MigrationContext.configure(connection), metadata)

    assert on(Settings(database=old).database_url, compare) == []


def test_there_is_a_way_back(old: str) -> None:
    """What an older server knows of is as it was."""

    def there_and_back(connection: sa.Connection) -> dict[str, int]:
        command.upgrade(config(connection), "head")
        command.downgrade(config(connection), "0001")
        counts = {}
        for name in FACTS["counts"]:
            counts[name] = connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar_one()
        return counts

    url = Settings(database=old).database_url
    assert on(url, there_and_back) == FACTS["counts"]
    on(url, lambda connection: command.upgrade(config(connection), "head"))
    asyncio.run(admin.downgrade(Settings(database=old), "0001"))
    with pytest.raises(OptionError, match="0001, 0002"):
        asyncio.run(admin.downgrade(Settings(database=old), "0000"))
    assert on(url, lambda c: sorted(sa.inspect(c).get_table_names())) == sorted(
        [*TABLES, "alembic_version"]
    )


def test_an_offer_of_a_draw_holds_after_an_upgrade_and_is_made_anew_after_a_downgrade(
    old: str,
) -> None:
    """An older server could not tell whether it has lapsed."""
    offer = f"UPDATE tables SET draw_offer = 1 WHERE id = '{FACTS['playing']}'"
    rows = f"SELECT count(*) FROM moves WHERE table_id = '{FACTS['playing']}'"
    found = f"SELECT * FROM tables WHERE id = '{FACTS['playing']}'"

    def there_and_back(connection: sa.Connection) -> None:
        connection.execute(sa.text(offer))
        command.upgrade(config(connection), "0016")
        made = connection.execute(sa.text(found)).one()
        assert (made.draw_offer, made.draw_turn) == (1, connection.scalar(sa.text(rows)))
        command.downgrade(config(connection), "0015")
        assert connection.execute(sa.text(found)).one().draw_offer is None

    on(Settings(database=old).database_url, there_and_back)


def test_upgrading_twice_changes_nothing(old: str) -> None:
    async def run() -> list[Any]:
        found = []
        for _ in range(2):
            store = Store(Settings(database=old))
            await store.open()
            found.append(await store.load(FACTS["playing"]))
            async with store.engine.connect() as connection:
                at = await connection.execute(sa.text("SELECT version_num FROM alembic_version"))
                assert at.scalar_one() == newest()
            await store.close()
        return found

    first, second = asyncio.run(run())
    assert first == second
