"""What happens at a table by itself: a bot makes its choice, a flag falls."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tanistry.server.clocks import now_ms
from tanistry.server.live import Live
from tanistry.server.refusals import Refused
from tanistry.server.tables import Row

if TYPE_CHECKING:
    from tanistry.server.hall import Hall

log = logging.getLogger("tanistry.timers")

OTHERS_GRACE = 2.0
"""Seconds a worker waits before it does what the one that stored the last choice should do."""
AGAIN, SELDOM = 2.0, 30.0
"""Seconds after which what the database did not take is tried again: at first, and at most."""
FAR = 86_400_000
"""Seconds too long for a timer; a flag this far off is found when tables are taken up again."""


class Timers:
    """Bots and clocks of the live tables."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def set(self, live: Live) -> None:
        """Set in motion what a table waits for: a bot's choice, or a flag that may fall."""
        now = asyncio.get_running_loop().time()
        live.timers = [timer for timer in live.timers if timer.when() > now]
        seat = live.table.to_act
        if seat is None or self._hall.background.closing:
            return
        if live.table.bot_plays(seat):
            if live.thinking is None or live.thinking.done():
                live.thinking = self._hall.background.spawn(self._bot_turn(live))
        elif (due := live.table.flag_at()) is not None:
            wait = max(0.0, (due - now_ms()) / 1000) + 0.05
            if wait < FAR:
                self._flag_after(live, wait, live.table.turn)

    def _after(self, live: Live, wait: float, do: Callable[[], object]) -> None:
        live.timers.append(asyncio.get_running_loop().call_later(wait, do))

    def _flag_after(self, live: Live, wait: float, turn: int) -> None:
        self._after(live, wait, lambda: self._hall.background.spawn(self._flag(live, turn)))

    async def _bot_turn(self, live: Live) -> None:
        pause = self._hall.config.bot_pause
        while not self._hall.background.closing:
            table, turn, seat = live.table, live.table.turn, live.table.to_act
            if seat is None or not table.bot_plays(seat) or table.match is None:
                return
            if not live.ours:
                await asyncio.sleep(OTHERS_GRACE)
                try:
                    await self._hall.sync.read_locked(live)
                except Refused:  # the database is away
                    await asyncio.sleep(AGAIN)
                    continue
                if live.table.turn != turn:
                    continue
            held = live.info.seats[seat]
            began = time.monotonic()
            token = await self._hall.thinking.choose(table.match, held.bot, held.level)
            if live.watchers and (left := pause + began - time.monotonic()) > 0:
                await asyncio.sleep(left)
            async with live.lock:
                if live.table is not table or table.turn != turn or table.over:
                    continue
                if not table.bot_plays(seat):
                    return
                # `set` sees this task running and leaves what follows to the loop here.
                await self._store(live, Row(turn, seat, "play", token, now_ms()))
            await asyncio.sleep(live.pause)

    async def _flag(self, live: Live, turn: int) -> None:
        async with live.lock:
            if live.table.turn != turn:
                return
            if not await self._hall.store.can_store():  # what passes now counts against nobody
                return self._flag_after(live, AGAIN, turn)
            due = live.table.flag_at()
            if due is None:
                return
            if due > now_ms():
                return self.set(live)
            row = live.table.check_end("flag", live.table.to_act, now_ms())
            await self._store(live, row)
            if live.pause:
                self._after(live, live.pause, lambda: self.set(live))

    async def _store(self, live: Live, row: Row) -> None:
        """Store what no person waits for.

        If that cannot be, nobody hears of it: `live.pause` says how long to wait, each time longer.
        """
        try:
            await self._hall.store_row(live, row)
        except Exception as error:
            if not isinstance(error, Refused):
                log.exception("table %s does not go on", live.info.id)
            elif error.code == "move/stale":  # somebody else was quicker
                live.pause = 0.0
                return
            live.pause = min(SELDOM, 2 * live.pause or AGAIN)
            log.warning("table %s waits %.0f s for the database", live.info.id, live.pause)
