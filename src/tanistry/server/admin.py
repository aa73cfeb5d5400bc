"""What an operator does beside the running server: back up, restore, check.

A copy of SQLite's file alone is worth little, as what was written last may be in the log beside it;
and a log left beside a file it does not belong to destroys that file. So copies are made by SQLite
itself, and restoring puts the old file aside together with its log.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.errors import FileError, OptionError, TanistryError
from tanistry.server.failures import cause, unreachable
from tanistry.server.info import Data, Info
from tanistry.server.migrate import check_known, go_back, newest, revisions
from tanistry.server.refusals import Refused
from tanistry.server.schema import moves, seats, tables
from tanistry.server.settings import Settings
from tanistry.server.sqlite import COMPANIONS, PRIVATE, file_of
from tanistry.server.store import Store
from tanistry.server.tables import Row, Table

SOUND = "ok"
PAGE = 200
"""Matches that are played again at once by a check."""


def backup(config: Settings, to: Path) -> None:
    """Write a copy of the database, whole and sound, whether or not a server runs on it."""
    source = _sqlite_file(config, "backup")
    if to.exists():
        raise OptionError("admin/exists", name=to)
    try:
        with _opened(source) as connection:
            _copy(connection, to)
        _check_copy(to)
    except BaseException:
        with suppress(OSError):
            to.unlink()  # half a copy is worse than none
        raise


def _copy(connection: sqlite3.Connection, to: Path) -> None:
    try:
        to.touch(PRIVATE)
        to.unlink()
        with _private_files():
            connection.execute("VACUUM INTO ?", [str(to)])
    except OSError as wrong:
        raise FileError("admin/unusable", to, wrong) from None
    except sqlite3.OperationalError as wrong:
        if wrong.sqlite_errorname != "SQLITE_FULL":
            raise
        raise OptionError("admin/unusable", name=to, reason=cause(wrong)) from None


def restore(config: Settings, copy: Path) -> Path | None:
    """Put a copy in the place of the database; where the old one has gone, if there was one."""
    place = _sqlite_file(config, "restore")
    _check_copy(copy)
    _check_nobody_serves(place)
    fresh = place.with_name(place.name + ".restoring")
    try:
        with _private_files():
            shutil.copyfile(copy, fresh)
        with fresh.open("rb+") as file:
            os.fsync(file.fileno())
        _give_to_the_server(fresh, place)
        aside = _put_aside(place)
        fresh.replace(place)
    except OSError as wrong:
        with suppress(OSError):
            fresh.unlink()
        raise FileError("admin/unusable", place, wrong) from None
    return aside


def _sqlite_file(config: Settings, what: str) -> Path:
    if not config.on_sqlite:
        raise OptionError("admin/postgresql", what=what)
    return file_of(config)


def _give_to_the_server(fresh: Path, place: Path) -> None:
    """Root restores for the user whose database it is: nobody else could open what only root may
    read."""
    if os.geteuid() == 0:
        owner = (place if place.exists() else place.parent).stat()
        os.chown(fresh, owner.st_uid, owner.st_gid)


@contextmanager
def _private_files() -> Iterator[None]:
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _says_why(file: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as wrong:
        raise OptionError("admin/unusable", name=file, reason=cause(wrong)) from None


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that must be there."""
    if not file.is_file():
        raise OptionError("admin/missing", name=file)
    uri = f"{file.resolve().as_uri()}?mode=rw"
    with _says_why(file), closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as found:
        yield found


def _check_copy(copy: Path) -> None:
    """A copy to be restored is one whole file, sound, ours, and not newer than we are."""
    for beside in COMPANIONS:
        if (journal := copy.with_name(copy.name + beside)).exists() and journal.stat().st_size:
            raise OptionError("admin/journal", name=copy, journal=journal.name)
    with _opened(copy) as connection:
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != SOUND:
            raise OptionError("admin/unusable", name=copy, reason=found)
        query = "SELECT count(*) FROM sqlite_master WHERE name IN ('alembic_version', 'moves')"
        if connection.execute(query).fetchone()[0] != 2:
            raise OptionError("admin/foreign", name=copy)
        found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if found is None:
            raise OptionError("admin/foreign", name=copy)
        check_known(copy, found[0])


def _check_nobody_serves(place: Path) -> None:
    """Leaving WAL needs the file for oneself: SQLite refuses it while any server has it open."""
    if not place.exists():
        return
    with closing(sqlite3.connect(place, timeout=0.2, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as wrong:
            if wrong.sqlite_errorname.startswith("SQLITE_BUSY"):
                raise OptionError("admin/live", name=place) from None
        except sqlite3.DatabaseError:
            pass  # damaged: all the more reason to restore


def _put_aside(place: Path) -> Path | None:
    """Rename what is there, the log with its file, so that nothing of it touches what comes."""
    names = [place.name, *(place.name + beside for beside in COMPANIONS)]
    there = [name for name in names if place.with_name(name).exists()]
    if not there:
        return None
    number = 1
    while place.with_name(f"{place.name}.replaced-{number}").exists():
        number += 1
    aside = place.with_name(f"{place.name}.replaced-{number}")
    for name in there:
        place.with_name(name).rename(aside.with_name(aside.name + name[len(place.name) :]))
    return aside


async def downgrade(config: Settings, to: str) -> None:
    """Bring the schema back to that of an older version, which is to be installed next."""
    if to not in revisions():
        raise OptionError(
            "option/value", name="schema", value=to, allowed=", ".join(sorted(revisions()))
        )
    async with reached(config) as store:
        if config.on_sqlite:
            _check_nobody_serves(file_of(config))
        async with store.engine.begin() as connection:
            await schema_of(config, connection)  # refuses what cannot be taken back
            await connection.run_sync(lambda plain: go_back(plain, to))


@asynccontextmanager
async def reached(config: Settings) -> AsyncIterator[Store]:
    """The database, which must be there; what goes wrong with it is said in a sentence."""
    if config.on_sqlite and not (file := file_of(config)).is_file():
        raise OptionError("admin/missing", name=file)
    store = Store(config)
    try:
        yield store
    except (sa.exc.SQLAlchemyError, OSError) as error:
        raise unreachable(config, error) from None
    finally:
        await store.close()


# -- checking -------------------------------------------------------------------------------------


Finding = tuple[str, dict[str, Any]]
"""Something wrong: its name in the command line's catalogue (`admin.found`), and its values."""


async def check(config: Settings, replay: bool = False) -> tuple[int, list[Finding]]:
    """How many tables there are, and what is wrong with any of them."""
    async with reached(config) as store:
        async with store.engine.connect() as connection:
            wrong = [
                *await _schema(config, connection),
                *await _integrity(config, connection),
                *await _gaps(connection),
                *await _ends(connection),
            ]
            count = (await connection.execute(sa.select(sa.func.count(tables.c.id)))).scalar_one()
        return count, wrong + (await _replays(store) if replay else [])


async def schema_of(config: Settings, connection: AsyncConnection) -> str | None:
    """The version of the database, if it says so; OptionError if it is not ours, or newer."""
    if not await connection.run_sync(lambda plain: sa.inspect(plain).has_table("alembic_version")):
        raise OptionError("admin/foreign", name=config.database_shown)
    query = sa.text("SELECT version_num FROM alembic_version")
    found: str | None = (await connection.execute(query)).scalar()
    check_known(config.database_shown, found)
    return found


async def _schema(config: Settings, connection: AsyncConnection) -> list[Finding]:
    found = await schema_of(config, connection)
    if found is None:
        return [("no_schema", {})]
    return [] if found == newest() else [("schema", {"found": found, "newest": newest()})]


async def _integrity(config: Settings, connection: AsyncConnection) -> list[Finding]:
    if not config.on_sqlite:
        return []  # PostgreSQL looks after its own pages
    pages = (await connection.execute(sa.text("PRAGMA integrity_check"))).scalars()
    keys = await connection.execute(sa.text("PRAGMA foreign_key_check"))
    return [("pages", {"text": line}) for line in pages if line != SOUND] + [
        ("key", {"rows": table, "parent": parent}) for table, _row, parent, _key in keys
    ]


async def _gaps(connection: AsyncConnection) -> list[Finding]:
    """Matches whose rows do not follow each other."""
    last, count = sa.func.max(moves.c.ply), sa.func.count()
    query = sa.select(moves.c.table_id, count, last).group_by(moves.c.table_id)
    found = await connection.execute(query.having(last != count - 1))
    return [("gap", {"table": id, "count": rows, "last": ply}) for id, rows, ply in found]


async def _ends(connection: AsyncConnection) -> list[Finding]:
    """Tables without seats, matches that run without a start or are over without a result."""
    playing, over = tables.c.status == "playing", tables.c.status == "over"
    kinds: dict[str, Any] = {
        "seats": ~sa.exists().where(seats.c.table_id == tables.c.id),
        "start": playing & tables.c.started.is_(None),
        "result": over & sa.func.coalesce(sa.cast(tables.c.result, sa.Text), "null").in_(["null"]),
    }
    return [
        (kind, {"table": id})
        for kind, where in kinds.items()
        for id in (await connection.execute(sa.select(tables.c.id).where(where))).scalars()
    ]


async def _replays(store: Store) -> list[Finding]:
    """Play every match again by its rows."""
    wrong: list[Finding] = []
    after = ""
    while True:
        query = sa.select(tables.c.id).where(tables.c.id > after).order_by(tables.c.id).limit(PAGE)
        ids = [row.id for row in await store.read(query)]
        if not ids:
            return wrong
        after = ids[-1]
        for id in ids:
            try:
                if found := await store.load(id):
                    wrong += _replay(*found)
            except Refused:
                wrong.append(("unreadable", {"table": id}))
            except TanistryError as error:
                wrong.append(("replay", {"table": id, "reason": error}))
            except Exception as error:  # whatever is wrong with it, the others are played
                wrong.append(("replay", {"table": id, "reason": repr(error)}))


def _replay(info: Info, rows: list[Row]) -> list[Finding]:
    """Play one match again."""
    table = Table(info)
    for row in rows:
        if row.ply != table.turn:
            return []  # a gap, which is told by itself
        if row.kind == "play" and row.seat != table.to_act:
            return [("turn", {"table": info.id, "ply": row.ply, "seat": row.seat})]
        table.apply(row)
    if info.status == "over" and info.result and _told(info.result) != _told(table.ended):
        return [("differs", {"table": info.id})]
    return []


def _told(result: Data | None) -> list[Any]:
    return [(result or {}).get(name) for name in ("scores", "ranking")]
