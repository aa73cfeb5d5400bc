"""A table in memory, with those who follow it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Protocol

from tanistry.server.clocks import DAY, now_ms
from tanistry.server.info import Info
from tanistry.server.refusals import Refused
from tanistry.server.shadows import Shadow
from tanistry.server.tables import Table

REMOTE = 25.0
"""Seconds for which another worker's word that somebody is present is believed: it says so again
every ten, unless it was killed."""

HOLDS = 7 * DAY
"""Milliseconds for which a table by days begins though somebody who is ready has left the page."""


class Watcher(Protocol):
    """Somebody at the other end of a connection."""

    player: str
    name: str
    say: str | None
    session: str
    watching: set[str]
    address: str

    def send(self, frame: bytes) -> None: ...

    def cut_off(self, refusal: Refused) -> None: ...


class Live:
    """A table that this worker has in memory."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.shadow: Shadow | None = None  # what spectators see, if they see it later
        self.shown = b""  # how the shadow's table was last told
        self.lock = asyncio.Lock()
        self.watchers: dict[Watcher, int | None] = {}
        self.left_at: dict[str, float] = {}  # by player
        self.remote: dict[tuple[str, str], float] = {}  # by worker and player
        self.loaded = time.monotonic()
        self.used = self.loaded
        self.ours = True  # whether this worker stored the last row
        self.thinking: asyncio.Task[None] | None = None
        self.hinting = False
        self.told: int | None = None  # the last line of talk that those here were told
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

    def lapse(self) -> bool:
        """Forget offers that are none any more; whether there were any. What is stored of them says
        so by itself."""
        table, info = self.table, self.info
        were = info.draw_offer, info.undo_offer
        if were == (None, None) or were == (table.draw_offer, table.undo_offer):
            return False
        self.change(replace(info, draw_offer=table.draw_offer, undo_offer=table.undo_offer))
        return True

    def go_on(self, table: Table) -> None:
        """The table as it is after a row that has been stored."""
        table.info = self.info
        self.table = table
        if self.shadow:
            self.shadow.real = table

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

    def here(self) -> set[str]:
        """Players who are connected now, to whichever worker."""
        late = time.monotonic() - REMOTE
        far = {player for (_, player), at in self.remote.items() if at > late}
        return far | {who.player for who in self.watchers}

    def present(self) -> set[int]:
        """Seats whose persons are connected now."""
        here = self.here()
        return {held.seat for held in self.info.persons if held.player in here}

    def may_begin(self, info: Info) -> bool:
        """Whether the match may begin: nobody is put on the clock who has not said so, or is not
        here now. Where there are days for each choice, that they said so is enough, for a while."""
        if info.status != "waiting" or not info.agreed:
            return False
        if info.by_days and now_ms() - info.created < HOLDS:
            return True
        here = self.here()
        return all(held.player in here for held in info.persons)

    def present_here(self) -> set[str]:
        """Players with a seat who are connected to this very worker."""
        return {who.player for who, seat in self.watchers.items() if seat is not None}

    def watching(self) -> int:
        return sum(seat is None for seat in self.watchers.values())

    def away(self, seat: int) -> float:
        """For how many seconds the person of a seat has been away."""
        held = self.info.seats[seat]
        if held.kind != "person" or seat in self.present():
            return 0.0
        return time.monotonic() - self.left_at.get(held.player or "", self.loaded)
