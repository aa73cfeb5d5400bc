"""What spectators see of a table that wants them to be behind: everything, so much later.

Choices carry the time at which they were made. What else changes (offers, bots that stand in) does
not: it is shown so long after we have heard of it. With the match the delay ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

from tanistry.server.info import Info
from tanistry.server.tables import Row, Table


def unsaid(info: Info) -> Info:
    """A running match's table without anything that may have changed since the match began."""
    seats = [replace(held, stand_in=False) for held in info.seats]
    return replace(info, draw_offer=None, undo_offer=None, revision=0, seats=seats)


class Shadow:
    """A table behind the real one."""

    def __init__(self, real: Table, now: int) -> None:
        self.real = real
        self.table = Table(unsaid(real.info), outages=real.outages)
        self.table.lag = real.info.delay * 1000
        self.timer: asyncio.TimerHandle | None = None  # when there is more to show
        self._infos = [(now, real.info)]  # those not shown yet, and since when they hold
        for _ in self.rows(now):
            pass

    def change(self, info: Info, now: int) -> None:
        """The real table has changed, other than by a row."""
        known = self._infos[-1][1] if self._infos else self.table.info
        if info != known:
            self._infos.append((now, info))

    def rows(self, now: int) -> Iterator[Row]:
        """Let happen what is due by now, row after row."""
        for row in self.real.rows[self.table.turn :]:
            if row.at + self.table.lag > now and not self.real.over:
                return
            self.table.apply(row)
            yield row

    def news(self, now: int) -> bool:
        """Show how the real table was so long ago; whether that is new."""
        found = False
        while self._infos and self._infos[0][0] + self.table.lag <= now:
            self.table.info, found = self._infos.pop(0)[1], True
        return found

    def next_at(self) -> int | None:
        """When there is more to show; None if nothing is known that is not shown."""
        waiting = [row.at for row in self.real.rows[self.table.turn :][:1]]
        waiting += [at for at, _ in self._infos[:1]]
        return min(waiting) + self.table.lag if waiting else None
