"""The results of matches: written down once each, and those who played are rated."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server import people
from tanistry.server.store import Store, end_match
from tanistry.server.tables import Data, Info


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

    async def write(self, store: Store) -> bool:
        """Write the result down; False if somebody else may have done it before."""
        if not self.rated:
            return await store.end(self.info.id, self.at, self.result)
        first = False

        async def body(connection: AsyncConnection) -> None:
            nonlocal first
            end = {"table": self.info.id, "at": self.at, "how": self.result}
            first = await end_match(connection, end)
            if first:
                await people.rate(connection, self.info, self.result, self.resigned)

        await store.transaction(body)
        return first
