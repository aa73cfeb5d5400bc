"""SQLite as we use it: how a connection is set up, and the short way of choices into the file."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import sqlalchemy as sa

from tanistry.server.schema import END, Ended, moves
from tanistry.server.settings import Settings

Values = tuple[Any, ...]
"""A row of choices, in the order of the table's columns: the key first, the stamp last."""
Found = TypeVar("Found")
Order = tuple[Callable[[sqlite3.Connection], Any], "asyncio.Future[Any]"]
"""What is to be done in the thread, and who waits for it."""

PRIVATE = 0o600
"""Who may read the file: it holds seeds of running matches."""
COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside its file; no part of any other file."""
COLUMNS = [column.name for column in moves.c]
PATIENCE = 15.0
"""Seconds to wait for another process that writes to the file."""
QUICK, FEW = 0.001, 4
"""Where storing has taken no more seconds than this of late, the event loop does it itself: so many
rows at most."""
HESITATES, ASIDE = 0.02, 10.0
"""Seconds after which a disk hesitates; and for which only the thread waits for it then."""
MOST_LOGGED = 25_000
"""Pages in the log after which whoever else writes has to copy them, should nobody have."""


def file_of(config: Settings) -> Path:
    """Where the database is."""
    return Path(sa.make_url(config.database_url).database or "")


def keep_private(config: Settings) -> None:
    """Make the file if it is not there, and let nobody else read it; what SQLite puts beside it
    gets the same rights."""
    file = file_of(config)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, PRIVATE))
    if not file.is_file():  # /dev/null, made private, would be missed by the whole machine
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
    if not hasattr(os, "getuid") or file.stat().st_uid == os.getuid():  # Windows has no such ids
        file.chmod(PRIVATE)


def check_sound(connection: sa.Connection) -> None:
    """ValueError names the first thing that is wrong with the pages of a file."""
    found = connection.execute(sa.text("PRAGMA quick_check(1)")).scalar()
    if found != "ok":
        raise ValueError(found)


def set_up(sync: str) -> Callable[[Any, Any], None]:
    """What to do with a new connection."""
    # WAL: readers never wait for the writer. full: a commit is on the disk, not on its way there;
    # normal: it survives the death of the server, not a power cut in the next seconds.
    synchronous = {"full": "FULL", "normal": "NORMAL"}[sync]

    def with_connection(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            f"synchronous={synchronous}",
            "foreign_keys=ON",
            f"wal_autocheckpoint={MOST_LOGGED}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return with_connection


class SqliteWriter:
    """Stores choices, with connections of its own; called by whoever holds the store's turn to
    write.

    A batch is a single statement that commits itself. The disk is waited for in a thread, so that
    nobody else has to; what comes up meanwhile is the next batch. A plain queue leads there: an
    executor takes twice as long to hand something over and back. Even so, the detour takes longer
    than a good disk: a few choices are stored at once, while everybody waits.
    """

    def __init__(self, config: Settings) -> None:
        self._file = file_of(config)
        self._set_up = set_up(config.sync)
        self._orders: SimpleQueue[Order | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._working = False
        self._on_loop: sqlite3.Connection | None = None  # for the event loop; the thread opens it
        self._takes = 0.0  # seconds to store something, on average over the last eight or so
        self._aside_until = 0.0
        self._beside = ThreadPoolExecutor(1, "copying")

    def close(self) -> None:
        self._beside.shutdown()
        if self._thread:
            self._orders.put(None)
            self._thread.join()
        if self._on_loop:
            self._on_loop.close()

    def store_at_once(self, rows: list[Values], ends: dict[int, Ended]) -> set[int] | None:
        """Like `store`, but on the event loop. None if that could take long, or fails: `store` then
        does it, or says why not."""
        if self._on_loop is None or self._takes > QUICK or len(rows) > FEW:
            return None
        if time.monotonic() < self._aside_until:
            return None
        try:
            return self._timed(self._on_loop, rows, ends)
        except sqlite3.Error:
            return None

    async def store(
        self, rows: list[Values], ends: dict[int, Ended], meanwhile: Iterable[Callable[[], None]]
    ) -> set[int]:
        """Store rows and, by their stamps, the ends they bring; a turn that is taken is left as it
        is, and brings none. The stamps of what is there now. `meanwhile`: done one after the other
        while the disk works."""
        loop = asyncio.get_running_loop()

        def begin(connection: sqlite3.Connection) -> set[int]:
            loop.call_soon_threadsafe(self._use_the_time, meanwhile)
            return self._timed(connection, rows, ends)

        return await self._have_done(begin)

    def _timed(
        self, connection: sqlite3.Connection, rows: list[Values], ends: dict[int, Ended]
    ) -> set[int]:
        began = time.monotonic()
        try:
            return _store(connection, rows, ends)
        finally:  # what fails can take long, too
            now = time.monotonic()
            self._takes += (now - began - self._takes) / 8
            if now - began > HESITATES:
                self._aside_until = now + ASIDE

    def _use_the_time(self, meanwhile: Iterable[Callable[[], None]]) -> None:
        for do in meanwhile:
            if not self._working:
                return
            do()

    async def copy_log(self, turn: asyncio.Semaphore) -> None:
        """Copy what is logged into the file itself, so that the log begins anew in its old place:
        there the disk is quicker than where a file grows.

        Nearly all of it from another thread, while choices are stored; then, with nobody writing,
        the little that has come meanwhile.
        """
        await asyncio.get_running_loop().run_in_executor(self._beside, self._copy_beside)
        async with turn:
            await self._have_done(_copy)

    def _copy_beside(self) -> None:
        with closing(self._connect()) as connection:
            _copy(connection)

    async def _have_done(self, do: Callable[[sqlite3.Connection], Found]) -> Found:
        """Have something done in the thread."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="sqlite", daemon=True)
            self._thread.start()
        done: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._orders.put((do, done))
        return await done

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        for do, done in iter(self._orders.get, None):
            found, error = None, None
            self._working = True
            try:
                if connection is None:
                    connection, self._on_loop = self._connect(), self._connect_for_loop()
                found = do(connection)
            except BaseException as raised:
                error = raised
            self._working = False
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                done.get_loop().call_soon_threadsafe(_answer, done, found, error)
        if connection:
            connection.close()

    def _connect(self, for_this_thread: bool = True) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._file,
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=for_this_thread,
        )
        self._set_up(connection, None)
        return connection

    def _connect_for_loop(self) -> sqlite3.Connection:
        """A connection that neither waits for another process nor copies the log."""
        connection = self._connect(for_this_thread=False)
        connection.execute("PRAGMA busy_timeout=0")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        return connection


def _answer(done: asyncio.Future[Any], found: Any, error: BaseException | None) -> None:
    if done.done():  # who asked is gone
        return
    if error is None:
        done.set_result(found)
    else:
        done.set_exception(error)


def _store(connection: sqlite3.Connection, rows: list[Values], ends: dict[int, Ended]) -> set[int]:
    if not ends:
        return _store_rows(connection, rows)
    connection.execute("BEGIN IMMEDIATE")
    try:
        stored = _store_rows(connection, rows)
        for stamp, end in ends.items():
            if stamp in stored:
                connection.execute(END, {**end, "how": json.dumps(end["how"])})
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return stored


def _store_rows(connection: sqlite3.Connection, rows: list[Values]) -> set[int]:
    if connection.execute(_insert(len(rows)), [*chain(*rows)]).rowcount == len(rows):
        return {row[-1] for row in rows}
    # Taken: by somebody else, or by us in a try that failed.
    select = "SELECT stamp FROM moves WHERE table_id = ? AND ply = ?"
    return {stamp for row in rows for (stamp,) in connection.execute(select, row[:2])}


@cache
def _insert(rows: int) -> str:
    """One statement for a number of rows: a transaction that goes through Python only once."""
    row = f"({', '.join('?' * len(COLUMNS))})"
    values = ", ".join([row] * rows)
    return f"INSERT INTO moves ({', '.join(COLUMNS)}) VALUES {values} ON CONFLICT DO NOTHING"


def _copy(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
