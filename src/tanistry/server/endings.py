"""The end of a match: stored together with the row that brings it, once, and all are rated by it.

Whenever the server dies, a match whose last choice is stored is over.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.info import Info
from tanistry.server.rating import rate
from tanistry.server.rows import end_match, new_end, new_values
from tanistry.server.store import Store
from tanistry.server.tables import Row, Table


def is_rated(info: Info) -> bool:
    return info.rated and not info.solo


async def write_row(
    store: Store, table: Table, row: Row, meanwhile: Callable[[], None] | None = None
) -> bool:
    """Store a row and, if it ends the match, the result; False if its turn is taken already.
    `meanwhile`: see `Store.write`."""
    info, result = table.info, table.outcome(row)
    if result is None or not is_rated(info):
        return await store.write(info.id, row, result, meanwhile)
    values = new_values(info.id, row)

    async def body(connection: AsyncConnection) -> bool:
        stored = values[-1] in await store.insert_rows(connection, [values])
        if stored and await end_match(connection, new_end(values, result)):
            await rate(connection, table, result, row.at)
        return stored

    return await store.transaction(body)


async def make_up(store: Store, table: Table) -> None:
    """Write down the end of a match whose last row an older server stored without it."""
    info, result = table.info, table.ended
    assert result is not None
    end = new_end(new_values(info.id, table.rows[-1]), result)

    async def body(connection: AsyncConnection) -> None:
        if await end_match(connection, end) and is_rated(info):
            await rate(connection, table, result, table.rows[-1].at)

    await store.transaction(body)
