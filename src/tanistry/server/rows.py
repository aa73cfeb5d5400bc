"""Rows of the database and what they stand for."""

from __future__ import annotations

import random
import secrets
from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.clocks import Clock
from tanistry.server.info import Data, Info, Seat
from tanistry.server.refusals import Refused
from tanistry.server.schema import END, Ended, seats, tables
from tanistry.server.sqlite import Values
from tanistry.server.tables import Row

Found = TypeVar("Found")

SEAT = [column.name for column in seats.c if column.name != "table_id"]


def new_id(length: int = 16) -> str:
    """A name nobody can guess: 62 signs, about 6 bits each."""
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    return "".join(secrets.choice(alphabet) for _ in range(length))


def is_id(text: str) -> bool:
    """Whether something can be an id of ours: what cannot is not looked up."""
    return text.isascii() and text.isalnum() and len(text) <= 24


def picked(row: Any, names: Iterable[str]) -> Data:
    """Some of what a row holds, as plain data."""
    return {name: getattr(row, name) for name in names}


def in_parts(values: Iterable[Found], size: int = 500) -> Iterator[list[Found]]:
    """A few at a time: a statement takes only so many values."""
    left = list(values)
    for start in range(0, len(left), size):
        yield left[start : start + size]


def new_values(table: str, row: Row) -> Values:
    """A row as it is stored, with a stamp by which we know it for ours."""
    stamp = random.getrandbits(62)
    return (table, row.ply, row.seat, row.kind, row.token, row.at, stamp)


def new_end(values: Values, result: Data) -> Ended:
    """The end of a match by a row."""
    table, *_, at, _stamp = values
    return {"table": table, "at": at, "how": result}


async def end_match(connection: AsyncConnection, end: Ended) -> bool:
    """Write down how a match ended; False if that has been done."""
    statement = sa.text(END).bindparams(sa.bindparam("how", type_=sa.JSON))
    return (await connection.execute(statement, end)).rowcount == 1


async def add_table(connection: AsyncConnection, info: Info) -> None:
    """Write a new table and its seats."""
    await connection.execute(sa.insert(tables).values(**_columns(info)))
    await connection.execute(sa.insert(seats), [_seat(info.id, seat) for seat in info.seats])


async def change_table(connection: AsyncConnection, info: Info) -> bool:
    """Write a table and its seats over the revision they were read at."""
    values = {k: v for k, v in _columns(info).items() if k not in ("id", "seed", "salt")}
    values["revision"] = info.revision + 1
    where = (tables.c.id == info.id) & (tables.c.revision == info.revision)
    done = await connection.execute(sa.update(tables).where(where).values(**values))
    if done.rowcount != 1:
        return False
    for seat in info.seats:
        values = _seat(info.id, seat)
        key = (seats.c.table_id == info.id) & (seats.c.seat == seat.seat)
        await connection.execute(sa.update(seats).where(key).values(**values))
    return True


def sits(player: str) -> Any:
    """Whether somebody has a seat, as a part of questions about tables."""
    return sa.exists().where(seats.c.table_id == tables.c.id, seats.c.player == player)


def newer(ids: Collection[str]) -> sa.Update:
    """Raises the revision of tables that are changed beside those who have them in memory."""
    return sa.update(tables).where(tables.c.id.in_(ids)).values(revision=tables.c.revision + 1)


def _columns(info: Info) -> dict[str, Any]:
    return picked(info, tables.c.keys()) | {"clock": info.clock.data()}


def _seat(table: str, seat: Seat) -> dict[str, Any]:
    return {"table_id": table, **picked(seat, SEAT)}


def read_info(row: Any, held: list[Seat]) -> Info:
    values = dict(row._mapping)
    data = (values["options"], values["clock"], values["result"] or {}, values["undo_offer"] or {})
    try:
        if not all(isinstance(one, dict) for one in data):
            raise TypeError
        return Info(**{**values, "clock": Clock(**values["clock"]), "seats": held})
    except TypeError:
        raise Refused("table/damaged") from None
