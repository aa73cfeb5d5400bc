"""The hall: the live tables of one worker, and what happens at them."""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tanistry.server import broadcast, metrics, waiting
from tanistry.server.ahead import Ahead
from tanistry.server.background import Background, guarded
from tanistry.server.endings import is_rated, make_up, write_row
from tanistry.server.info import Info
from tanistry.server.live import Live, Watcher
from tanistry.server.lobby import Lobby
from tanistry.server.recovery import recover_forever
from tanistry.server.refusals import Refused
from tanistry.server.registry import IDLE, Registry
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.sync import Sync
from tanistry.server.tables import Row
from tanistry.server.thinking import Thinking
from tanistry.server.timers import Timers

log = logging.getLogger("tanistry.hall")


class Hall:
    """Where matches happen: rows and changes are stored first, then told."""

    def __init__(self, config: Settings, store: Store) -> None:
        self.config = config
        self.store = store
        self.background = Background()
        self.turned: Callable[[Live], None] = lambda live: None  # told when a match has gone on
        self.thinking = Thinking(config.bot_threads)
        self.registry = Registry(store, self.thinking, self._loaded)
        self.lobby = Lobby(store, self.registry.live, self.background)
        self.sync = Sync(self)
        self.timers = Timers(self)

    def open(self) -> None:
        self.sync.open()
        self.background.every(IDLE / 4, self.registry.sweep)
        self.background.every(waiting.LOOK, self._look_at_waiting)
        self.background.spawn(recover_forever(self.store, self.get))

    async def _look_at_waiting(self) -> None:
        await waiting.look_around(self)

    async def close(self) -> None:
        await self.background.close()
        self.registry.close()
        await self.sync.bus.close()
        self.thinking.close()

    # -- tables ---------------------------------------------------------------------------------

    async def get(self, id: str) -> Live:
        """A table by its id, as it is in the database."""
        known = id in self.registry.live
        live = await self.registry.get(id)
        if known and not (self.config.alone or live.watchers):  # nobody has heard what others did
            await self.sync.look([id])
        return live

    async def _loaded(self, live: Live) -> None:
        """A table has come from the database."""
        live.ours = self.config.alone
        self.sync.bus.publish(table=live.info.id, who=True)
        if live.table.over and live.info.status == "playing":  # it ended while we read
            await make_up(self.store, live.table)  # or under a server that stored no end with it
            await self.sync.read_info(live)
        self.timers.set(live)

    # -- what happens ---------------------------------------------------------------------------

    async def store_row(
        self, live: Live, row: Row, answer: Watcher | None = None, id: Any = None
    ) -> None:
        """Store a row, let it happen, tell everybody. Call with the table's lock held."""
        ahead = Ahead(live, row)
        if not await write_row(self.store, live.table, row, ahead.look):
            await self.sync.read(live)
            raise Refused("move/stale")
        frames = ahead.come_true()
        lapsed = live.lapse()  # nobody is shown an offer that is none any more
        table = live.table
        live.ours = True
        live.pause = 0.0
        live.used = time.monotonic()
        broadcast.send_row(live, answer, id, frames)
        if row.kind == "play":
            by = "bot" if table.bot_plays(row.seat or 0) else "person"
            metrics.moves_of(live.info.game, by).inc()
        self.sync.bus.publish(table=live.info.id, turn=table.turn)
        if table.over:
            await self._over(live)
        elif lapsed or row.kind in ("resign", "flag"):
            broadcast.send_table(live)
        self.timers.set(live)
        self.turned(live)

    async def _over(self, live: Live) -> None:
        """A match has ended, and is stored as such: from now on everybody may see the seed."""
        table, info = live.table, live.info
        metrics.matches.labels(info.game, "over").inc()
        at = table.rows[-1].at
        over = replace(info, status="over", ended=at, result=table.ended)
        over.draw_offer = over.undo_offer = None
        over.revision += 1
        broadcast.set_info(live, over)
        if is_rated(info) or not self.config.alone:  # new ratings, and what others changed
            try:
                await self.sync.read_info(live)
            except Refused as refusal:
                log.warning("table %s is over, but cannot be read: %s", info.id, refusal.code)
        self._changed(live)
        self.tell(live)

    async def change(self, live: Live, edit: Callable[[Info], None]) -> None:
        """Change a table (not its cards) and store it; call with its lock held."""
        for _ in range(3):
            info = copy.deepcopy(live.info)
            edit(info)
            if live.info.status == "waiting":  # somebody may have sat down
                await self.store.see_ratings(info)
            if await self.store.update_table(info):
                broadcast.set_info(live, info)
                return self._changed(live)
            await self.sync.read(live)
        raise Refused("table/conflict")

    def _changed(self, live: Live) -> None:
        self.sync.bus.publish(table=live.info.id, revision=live.info.revision)

    async def moved(self, ids: list[str]) -> None:
        """Tables have been changed in the database beside us: read them, and tell other workers."""
        for id in ids:
            if live := self.registry.live.get(id):
                with guarded(f"reading what was changed at table {id}"):
                    await self.sync.read_locked(live)
        if not self.config.alone:
            for id, (revision, _) in (await self.store.turns(ids)).items():
                self.sync.bus.publish(table=id, revision=revision)

    def begin(self, live: Live) -> None:
        """Deal: the table has just become one that plays."""
        live.deal()
        metrics.matches.labels(live.info.game, "started").inc()
        broadcast.send_deal(live)
        self.timers.set(live)
        self.turned(live)
        self.tell_lobby(live.info)

    def tell(self, live: Live) -> None:
        """Tell everybody how a table stands, in the lobby too."""
        broadcast.send_table(live)
        self.tell_lobby(live.info)

    def tell_lobby(self, info: Info) -> None:
        if info.public:
            self.sync.bus.publish(lobby=True)
            self.lobby.changed()

    # -- coming and going -----------------------------------------------------------------------

    def arrive(self, live: Live, who: Watcher) -> None:
        """Somebody begins to follow a table."""
        seat = live.info.seat_of(who.player)
        new = seat is not None and seat not in live.present()
        live.watchers[who] = seat
        who.watching.add(live.info.id)
        if seat is not None:
            self.sync.bus.publish(table=live.info.id, player=who.player, here=True)
        if new or (seat is None and live.info.status != "over"):
            broadcast.send_table(live, skip=who)

    def depart(self, live: Live, who: Watcher) -> None:
        """Somebody no longer follows a table, or is gone."""
        if who not in live.watchers:
            return
        seat = live.watchers.pop(who)
        live.used = time.monotonic()
        if seat is not None and who.player not in live.present_here():
            live.left_at[who.player] = time.monotonic()
            self.sync.bus.publish(table=live.info.id, player=who.player, here=False)
        if seat is not None or live.info.status != "over":
            broadcast.send_table(live)
