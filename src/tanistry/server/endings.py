"""The results of matches: those that end while others are being written share a transaction."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server import people
from tanistry.server.schema import tables
from tanistry.server.store import Store
from tanistry.server.tables import Data, Info

END = (
    sa.update(tables)
    .where(tables.c.id == sa.bindparam("table"), tables.c.status == "playing")
    .values(
        status="over",
        ended=sa.bindparam("at"),
        result=sa.bindparam("how"),
        draw_offer=None,
        revision=tables.c.revision + 1,
    )
)


@dataclass
class Ending:
    """A match that is over, and what came of it."""

    info: Info
    at: int
    result: Data
    resigned: set[int]

    @property
    def rated(self) -> bool:
        return self.info.rated and not self.info.solo

    @property
    def values(self) -> dict[str, Any]:
        return {"table": self.info.id, "at": self.at, "how": self.result}


class Endings:
    """Writes results down, once each, and rates those who played."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Ending, asyncio.Future[bool]]] = []
        self._writing = asyncio.Lock()

    async def write(self, ending: Ending) -> bool:
        """Write a result down; False if somebody else may have done it before."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((ending, done))
        async with self._writing:
            if not done.done():
                await self._write_all()
        return await done

    async def _write_all(self) -> None:
        batch, self._waiting = self._waiting, []
        first: list[bool] = []
        try:

            async def body(connection: AsyncConnection) -> None:
                first[:] = await _write(connection, [ending for ending, _ in batch])

            await self._store.transaction(body)
        except BaseException as error:
            for _, done in batch:
                done.set_exception(error)
                done.exception()  # seen: who waited for it may be gone
            raise
        for (_, done), good in zip(batch, first):
            done.set_result(good)


async def _write(connection: AsyncConnection, endings: list[Ending]) -> list[bool]:
    plain = [ending.values for ending in endings if not ending.rated]
    written = (await connection.execute(END, plain)).rowcount if plain else 0
    first = []
    for ending in endings:
        if not ending.rated:
            first.append(written == len(plain))
            continue
        first.append((await connection.execute(END, ending.values)).rowcount == 1)
        if first[-1]:
            await people.rate(connection, ending.info, ending.result, ending.resigned)
    return first
