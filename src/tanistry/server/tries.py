"""How often something may be tried, whichever address or worker it comes by: counted in the
database, so that all workers count together."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.clocks import now_ms
from tanistry.server.refusals import Refused
from tanistry.server.schema import tries
from tanistry.server.sessions import hashed
from tanistry.server.store import Store


@dataclass(frozen=True)
class Allowance:
    """So many at once, then one after so many milliseconds; what who asks for more is told."""

    at_once: float
    again: int
    refusal: str


PASSWORDS = Allowance(10, 60_000, "rate/logins")
"""Tries at one password."""


class Tries:
    """What is left of allowances, by name."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def take(self, name: str, of: Allowance = PASSWORDS) -> None:
        """Count one, or refuse it; what is refused costs nothing, or nobody would ever get in."""
        if not self._store.config.limits:
            return
        try:
            left = await self._take(name, of)
        except IntegrityError:  # the very first of two at once
            left = await self._take(name, of)
        if left < 0:
            raise Refused(of.refusal)

    async def _take(self, name: str, of: Allowance) -> float:
        key = tries.c.login == hashed(name)

        async def body(connection: AsyncConnection) -> float:
            now = now_ms()
            row = (await connection.execute(sa.select(tries).where(key).with_for_update())).first()
            grown = of.at_once if row is None else row.left + (now - row.at) / of.again
            left = min(of.at_once, grown) - 1
            if left >= 0:
                change = sa.insert(tries) if row is None else sa.update(tries).where(key)
                values = {"login": hashed(name), "left": left, "at": now}
                await connection.execute(change.values(**values))
            return left

        return await self._store.transaction(body)

    async def forget(self, name: str) -> None:
        """Whoever tried has succeeded: all may be tried again."""
        await self._store.execute(sa.delete(tries).where(tries.c.login == hashed(name)))
