"""A table in memory, with those who follow it."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

from tanistry.server.clocks import now_ms
from tanistry.server.shadows import Shadow
from tanistry.server.tables import Info, Table

REMOTE = 60.0
"""Seconds for which another worker's word that somebody is present is believed."""


class Watcher(Protocol):
    """Somebody at the other end of a connection."""

    player: str
    name: str
    say: str | None
    session: str

    def send(self, frame: bytes) -> None: ...

    def cut_off(self, code: str) -> None: ...


class Live:
    """A table that this worker has in memory."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.shadow: Shadow | None = None  # what spectators see, if they see it later
        self.shown = b""  # how the shadow's table was last told
        self.lock = asyncio.Lock()
        self.watchers: dict[Watcher, int | None] = {}
        self.left_at: dict[int, float] = {}
        self.remote: dict[tuple[str, int], float] = {}
        self.loaded = time.monotonic()
        self.used = self.loaded
        self.ours = True  # whether this worker stored the last row
        self.thinking: asyncio.Task[None] | None = None
        self.hinting = False
        self.timers: list[asyncio.TimerHandle] = []
        self.pause = 0.0  # before the next try, where the last was in vain
        if table.match is not None:
            self._cast_shadow()

    @property
    def info(self) -> Info:
        return self.table.info

    def change(self, info: Info) -> None:
        """The table has changed, other than by its cards."""
        self.table.info = info
        if self.shadow:
            self.shadow.change(info, now_ms())

    def deal(self) -> None:
        """The table has just become one that plays."""
        self.table.deal()
        self.ours = True
        self._cast_shadow()

    def _cast_shadow(self) -> None:
        self.stop()
        if self.info.delay and self.info.status == "playing":
            self.shadow = Shadow(self.table, now_ms())

    def seen_as(self, seat: int | None) -> Table:
        """The table as a seat or a spectator sees it in time."""
        if seat is None and self.shadow and not self.table.over:
            return self.shadow.table
        return self.table

    def followers(self, behind: bool) -> list[tuple[Watcher, int | None]]:
        """Spectators who see later, or all others."""
        everybody = list(self.watchers.items())
        if self.shadow is None:
            return [] if behind else everybody
        return [(who, seat) for who, seat in everybody if (seat is None) == behind]

    def stop(self) -> None:
        """Nothing happens here any more by itself."""
        timers = [*self.timers, self.shadow.timer] if self.shadow else self.timers
        for timer in timers:
            if timer is not None:
                timer.cancel()

    @property
    def is_idle(self) -> bool:
        """Whether nobody and nothing needs it in memory."""
        fast = self.info.status == "playing" and self.info.clock.kind == "fischer"
        thinking = self.thinking is not None and not self.thinking.done()
        return not (self.watchers or self.lock.locked() or fast or thinking)

    def present(self) -> set[int]:
        late = time.monotonic() - REMOTE
        far = {seat for (_, seat), at in self.remote.items() if at > late}
        return far | self.present_here()

    def present_here(self) -> set[int]:
        """Seats whose persons are connected to this very worker."""
        return {seat for seat in self.watchers.values() if seat is not None}

    def watching(self) -> int:
        return sum(seat is None for seat in self.watchers.values())

    def away(self, seat: int) -> float:
        """For how many seconds a seat has been away."""
        if seat in self.present():
            return 0.0
        return time.monotonic() - self.left_at.get(seat, self.loaded)
