"""After a start: take up the matches that were left in the middle, and again every hour for flags.

Old matches without a clock wait for whoever opens them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import sqlalchemy as sa

from tanistry.server.background import guarded
from tanistry.server.clocks import DAY, now_ms
from tanistry.server.live import Live
from tanistry.server.refusals import Refused
from tanistry.server.schema import tables as table_rows
from tanistry.server.store import Store

log = logging.getLogger("tanistry.recovery")

AGAIN, SELDOM = 2.0, 3600.0
"""Seconds after which we look again: where the database did not answer, and otherwise."""
PAGE = 500
"""Tables that are read at once."""

Get = Callable[[str], Awaitable[Live]]


async def recover_forever(store: Store, get: Get) -> None:
    while True:
        try:
            await recover(store, get)
        except Refused:
            await asyncio.sleep(AGAIN)
        except Exception:
            log.exception("matches cannot be taken up")
            await asyncio.sleep(SELDOM)
        else:
            await asyncio.sleep(SELDOM)


async def recover(store: Store, get: Get) -> None:
    """Have every match in memory that goes on by itself."""
    last: tuple[int, str] | None = None
    while found := await _running(store, last):
        for row in found:
            await _take_up(row.id, get)
        last = found[-1].created, found[-1].id


async def _running(store: Store, after: tuple[int, str] | None) -> Sequence[Any]:
    """Ids of some of the running matches, newest first, from where one left off; no more of them,
    so that one which cannot be read does not keep the others from being taken up."""
    timed = sa.cast(table_rows.c.clock, sa.Text).not_like('%"none"%')  # whatever else it holds
    waits = sa.or_(timed, table_rows.c.started > now_ms() - DAY)
    clauses = [table_rows.c.status == "playing", waits]
    if after is not None:
        clauses.append(sa.tuple_(table_rows.c.created, table_rows.c.id) < after)
    key = table_rows.c.created, table_rows.c.id
    query = sa.select(*key).where(*clauses).order_by(*(column.desc() for column in key))
    return await store.read(query.limit(PAGE))


async def _take_up(id: str, get: Get) -> None:
    with guarded(f"taking up table {id}"):
        await get(id)
    await asyncio.sleep(0)
