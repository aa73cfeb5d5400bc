"""The hall: all tables that are live in this worker, who watches them, and what happens next.

A table is built from the database when somebody asks for it, and forgotten when nobody does. What
one worker stores the others hear of by a hint, and read from the database themselves.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Protocol

import orjson
import sqlalchemy as sa

import tanistry
from tanistry.errors import TanistryError
from tanistry.match import Event
from tanistry.server import metrics
from tanistry.server.endings import is_rated, make_up, write_row
from tanistry.server.hints import Hints
from tanistry.server.refusals import Refused
from tanistry.server.schema import tables as table_rows
from tanistry.server.settings import Settings
from tanistry.server.shadows import Shadow, unsaid
from tanistry.server.store import Store, new_id, now_ms
from tanistry.server.tables import Data, Info, Row, Table, describe
from tanistry.server.thinking import Thinking

log = logging.getLogger("tanistry.hall")

IDLE = 60.0
"""Seconds after which a table nobody watches is forgotten."""
REMOTE = 60.0
"""Seconds for which another worker's word that somebody is present is believed."""
ANNOUNCE = 10.0
"""Seconds after which a worker says again who is present."""
OTHERS_GRACE = 2.0
"""Seconds a worker waits before it does what the one that stored the last choice should do."""
AGAIN, SELDOM = 2.0, 30.0
"""Seconds after which what the database did not take is tried again: at first, and at most."""
PAGE = 500
"""Tables that are read at once when the server looks for those to be taken up."""
DAY = 86_400_000


class Watcher(Protocol):
    """Somebody at the other end of a connection."""

    player: str
    name: str
    say: str | None

    def send(self, frame: bytes) -> None: ...


class Live:
    """A table in memory, with those who watch it."""

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

    @property
    def info(self) -> Info:
        return self.table.info

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

    def present(self) -> set[int]:
        late = time.monotonic() - REMOTE
        far = {seat for (_, seat), at in self.remote.items() if at > late}
        return far | {seat for seat in self.watchers.values() if seat is not None}

    def watching(self) -> int:
        return sum(seat is None for seat in self.watchers.values())

    def away(self, seat: int) -> float:
        """For how many seconds a seat has been away."""
        if seat in self.present():
            return 0.0
        return time.monotonic() - self.left_at.get(seat, self.loaded)


class Hall:
    """All live tables of this worker."""

    def __init__(self, config: Settings, store: Store) -> None:
        self.config = config
        self.store = store
        self.worker = new_id(8)
        self.hints = Hints(config, self.worker, self._heard)
        self.thinking = Thinking(config.bot_threads)
        self.live: dict[str, Live] = {}
        self.lobby_watchers: set[Watcher] = set()
        self._loading: dict[str, asyncio.Future[Live]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._lobby_due: asyncio.TimerHandle | None = None
        self._lobby_sent = 0.0
        self.closing = False

    async def open(self) -> None:
        self.hints.open()
        self.spawn(self._sweep_forever())
        self.spawn(self._poll_forever())
        self.spawn(self._recover())

    async def close(self) -> None:
        self.closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for live in self.live.values():
            live.stop()
        await self.hints.close()
        self.thinking.close()

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Run something beside; a failure is logged, never lost."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            if isinstance(error, Refused):
                log.warning("refused in the background: %s", error.code)
            else:
                log.error("a background task failed", exc_info=error)

    # -- tables ---------------------------------------------------------------------------------

    async def get(self, id: str) -> Live:
        """A table by its id, from the database if it is not in memory."""
        if live := self.live.get(id):
            live.used = time.monotonic()
            if not (self.config.alone or live.watchers):  # nobody has looked what others did there
                await self._look([id])
            return live
        if waiting := self._loading.get(id):
            return await asyncio.shield(waiting)
        future: asyncio.Future[Live] = asyncio.get_running_loop().create_future()
        self._loading[id] = future
        try:
            live = await self._load(id)
            future.set_result(live)
            return live
        except BaseException as error:
            future.set_exception(error)
            future.exception()  # seen: nobody may be waiting for it
            raise
        finally:
            del self._loading[id]

    async def _load(self, id: str) -> Live:
        found = await self.store.load(id)
        if found is None:
            raise Refused("table/unknown")
        await self.thinking.prepare(found[0].game)
        live = self.add(self._build(*found))
        live.ours = self.config.alone
        if not self.config.alone:
            self.hints.say(table=id, who=True)
        if live.table.over and live.info.status == "playing":  # it ended while we read
            await make_up(self.store, live.table)  # or under a server that stored no end with it
            await self._reread(live)
        self.next(live)
        return live

    def _build(self, info: Info, rows: list[Row]) -> Table:
        try:
            if info.version != tanistry.info(info.game).version:
                raise Refused("table/version")
            return Table(info, rows)
        except TanistryError:
            log.error("table %s does not replay", info.id)
            raise Refused("table/version") from None

    def add(self, table: Table) -> Live:
        live = Live(table)
        if table.match is not None:
            self._make_shadow(live)
        self.live[table.info.id] = live
        metrics.live_tables.set(len(self.live))
        return live

    # -- what goes out --------------------------------------------------------------------------

    def send_table(self, live: Live, skip: Watcher | None = None) -> None:
        """Tell everybody at a table how it stands, after anything but the cards changed."""
        for who, seat in list(live.watchers.items()):
            now_at = live.info.seat_of(who.player)
            if now_at != seat:
                live.watchers[who] = now_at
        for who, _ in live.followers(behind=False):
            if who is not skip:
                who.send(orjson.dumps(self.table_message(live, who)))
        self._send_behind(live, skip)
        if live.info.hidden:  # the last that others hear of it
            live.watchers = {who: at for who, at in live.watchers.items() if at is not None}

    def _send_behind(self, live: Live, skip: Watcher | None = None) -> None:
        """The same for spectators who see later; not when it would only tell them that something
        happened. How far the cards have come they hear by and by."""
        if live.shadow is None:
            return
        shown = orjson.dumps({**self.table_data(live, None), "turn": None})
        if shown != live.shown:
            live.shown = shown
            for who, _ in live.followers(behind=True):
                if who is not skip:
                    who.send(orjson.dumps(self.table_message(live, who)))

    def table_message(self, live: Live, who: Watcher) -> Data:
        return {"type": "table", "table": self.table_data(live, who.player)}

    def table_data(self, live: Live, player: str | None) -> Data:
        seat = live.info.seat_of(player) if player else None
        return live.seen_as(seat).data(player, live.present(), live.watching())

    def send_states(self, live: Live, skip: Watcher | None = None, behind: bool = False) -> None:
        """Replace what everybody has: at the start, after a take-back, after any doubt."""
        now = now_ms()
        for who, seat in live.followers(behind):
            if who is not skip:
                state = live.seen_as(seat).state(seat, 0, now, who.say)
                who.send(orjson.dumps({**state, "complete": False}))

    def send_played(
        self, live: Live, answer: Watcher | None = None, id: Any = None, behind: bool = False
    ) -> None:
        """Tell everybody the last row, each as their seat may know it."""
        now = now_ms()
        table = live.shadow.table if behind and live.shadow else live.table
        mover = table.rows[-1].seat
        # Whoever chose knows what; the others hear of it first.
        told = sorted(live.followers(behind), key=lambda one: one[1] == mover)
        frames: dict[tuple[int | None, str | None], bytes] = {}
        for who, seat in told:
            key = (seat, who.say)
            if key not in frames:
                change = table.change(seat)
                if change is not None:
                    found = table.played(seat, change, now, who.say)
                else:  # not shown the turn before: replace
                    found = table.state(seat, None, now, who.say)
                frames[key] = orjson.dumps(found)
            answered = who is answer and id is not None
            who.send(_with_id(frames[key], id) if answered else frames[key])

    # -- what happens ---------------------------------------------------------------------------

    async def store_row(
        self, live: Live, row: Row, answer: Watcher | None = None, id: Any = None
    ) -> None:
        """Store a row, let it happen, tell everybody. Call with the table's lock held."""
        table = live.table
        if not await write_row(self.store, table, row):
            await self.sync(live)
            raise Refused("move/stale")
        table.apply(row)
        live.ours = True
        live.pause = 0.0
        live.used = time.monotonic()
        self._tell(live, answer, id)
        if row.kind == "play":
            by = "bot" if table.bot_plays(row.seat or 0) else "person"
            metrics.moves_of(live.info.game, by).inc()
        if not self.config.alone:
            self.hints.say(table=live.info.id, turn=table.turn)
        if table.over:
            await self._over(live)
        elif row.kind in ("resign", "flag"):
            self.send_table(live)
        elif row.kind == "play" and live.info.draw_offer not in (None, row.seat):
            await self._lapse(live)
        self.next(live)

    async def _lapse(self, live: Live) -> None:
        """Who was offered a draw, or the bot that stands in there, has made a choice instead."""
        try:
            await self.change(live, lambda info: setattr(info, "draw_offer", None))
        except Refused as refusal:  # the choice is stored and answered; the next one lapses it
            log.warning("table %s keeps an offer: %s", live.info.id, refusal.code)
        self.send_table(live)

    async def _store_unasked(self, live: Live, row: Row) -> None:
        """Store what no person waits for: a bot's choice, a flag.

        If that cannot be, nobody hears of it: `live.pause` says how long to wait, each time longer.
        """
        try:
            await self.store_row(live, row)
        except Exception as error:
            if not isinstance(error, Refused):
                log.exception("table %s does not go on", live.info.id)
            elif error.code == "move/stale":  # somebody else was quicker
                live.pause = 0.0
                return
            live.pause = min(SELDOM, 2 * live.pause or AGAIN)
            log.warning("table %s waits %.0f s for the database", live.info.id, live.pause)

    def _tell(self, live: Live, answer: Watcher | None = None, id: Any = None) -> None:
        row = live.table.rows[-1]
        if row.kind == "undo":
            self.send_states(live, skip=answer)
        else:
            self.send_played(live, answer, id)
        self._follow(live)

    async def _over(self, live: Live) -> None:
        """A match has ended, and is stored as such: from now on everybody may see the seed."""
        table, info = live.table, live.info
        metrics.matches.labels(info.game, "over").inc()
        at = table.rows[-1].at
        over = replace(info, status="over", ended=at, result=table.ended, draw_offer=None)
        over.revision += 1
        self._set_info(live, over)
        if is_rated(info) or not self.config.alone:  # new ratings, and what others changed
            try:
                await self._reread(live)
            except Refused as refusal:
                log.warning("table %s is over, but cannot be read: %s", info.id, refusal.code)
        self.hint_changed(live)
        self.send_table(live)
        self.lobby_changed(live.info)

    async def change(self, live: Live, edit: Callable[[Info], None]) -> None:
        """Change a table (not its cards) and store it; call with its lock held."""
        for _ in range(3):
            info = copy.deepcopy(live.info)
            edit(info)
            if await self.store.update_table(info):
                self._set_info(live, info)
                self.hint_changed(live)
                return
            await self.sync(live)
        raise Refused("table/conflict")

    def hint_changed(self, live: Live) -> None:
        if not self.config.alone:
            self.hints.say(table=live.info.id, revision=live.info.revision)

    async def moved(self, ids: list[str]) -> None:
        """Tables have been changed in the database beside us: read them, and tell other workers."""
        for id in ids:
            if live := self.live.get(id):
                await self.sync_safely(live)
        if not self.config.alone:
            for id, (revision, _) in (await self.store.turns(ids)).items():
                self.hints.say(table=id, revision=revision)

    async def begin(self, live: Live) -> None:
        """Deal: the table has just become one that plays."""
        live.table.deal()
        live.ours = True
        self._make_shadow(live)
        metrics.matches.labels(live.info.game, "started").inc()
        self.send_table(live)
        self.send_states(live)
        self.send_states(live, behind=True)
        self.next(live)

    def next(self, live: Live) -> None:
        """Set in motion what a table waits for: a bot's choice, or a flag that may fall."""
        now = asyncio.get_running_loop().time()
        live.timers = [timer for timer in live.timers if timer.when() > now]
        seat = live.table.to_act
        if seat is None or self.closing:
            return
        if live.table.bot_plays(seat):
            if live.thinking is None or live.thinking.done():
                live.thinking = self.spawn(self._bot_turn(live))
        elif (due := live.table.flag_at()) is not None:
            wait = max(0.0, (due - now_ms()) / 1000) + 0.05
            if wait < DAY:
                loop = asyncio.get_running_loop()
                turn = live.table.turn
                live.timers.append(
                    loop.call_later(wait, lambda: self.spawn(self._flag(live, turn)))
                )

    async def _bot_turn(self, live: Live) -> None:
        while not self.closing:
            table, turn, seat = live.table, live.table.turn, live.table.to_act
            if seat is None or not table.bot_plays(seat) or table.match is None:
                return
            if not live.ours:
                await asyncio.sleep(OTHERS_GRACE)
                await self.sync_safely(live)
                if live.table.turn != turn:
                    continue
            held = live.info.seats[seat]
            began = time.monotonic()
            token = await self.thinking.choose(table.match, held.bot, held.level)
            if live.watchers and (left := self.config.bot_pause + began - time.monotonic()) > 0:
                await asyncio.sleep(left)
            async with live.lock:
                if live.table is not table or table.turn != turn or table.over:
                    continue
                if not table.bot_plays(seat):
                    return
                # `next` sees this task running and leaves what follows to the loop here.
                await self._store_unasked(live, Row(turn, seat, "play", token, now_ms()))
            await asyncio.sleep(live.pause)

    async def _flag(self, live: Live, turn: int) -> None:
        async with live.lock:
            due = live.table.flag_at()
            if live.table.turn != turn or due is None:
                return
            if due > now_ms():
                return self.next(live)
            row = live.table.check_end("flag", live.table.to_act, now_ms())
            await self._store_unasked(live, row)
            if live.pause:
                loop = asyncio.get_running_loop()
                live.timers.append(loop.call_later(live.pause, self.next, live))

    # -- spectators who see later ---------------------------------------------------------------

    def _make_shadow(self, live: Live) -> None:
        live.stop()
        if live.info.delay and live.info.status == "playing":
            live.shadow = Shadow(live.table, now_ms())
            self._follow(live)

    def _follow(self, live: Live) -> None:
        """Show spectators what is due for them, and come back when there is more."""
        if (shadow := live.shadow) is None:
            return
        now = now_ms()
        changed = shadow.news(now)
        for row in shadow.rows(now):
            if row.kind == "undo":
                self.send_states(live, behind=True)
            else:
                self.send_played(live, behind=True)
            changed |= row.kind != "play"
        if changed:
            self._send_behind(live)
        if shadow.timer:
            shadow.timer.cancel()
        if (due := shadow.next_at()) is not None:
            loop = asyncio.get_running_loop()
            shadow.timer = loop.call_later((due - now) / 1000 + 0.01, self._follow, live)

    # -- others' doings -------------------------------------------------------------------------

    def _heard(self, hint: dict[str, Any]) -> None:
        if hint.get("all"):
            self.spawn(self._look_at_watched())
            return
        if hint.get("lobby"):
            self._lobby_soon()
        live = self.live.get(hint.get("table", ""))
        if live is None:
            return
        if "seat" in hint:
            key = (str(hint["from"]), int(hint["seat"]))
            was = live.present()
            live.remote[key] = time.monotonic() if hint.get("here") else 0.0
            if live.present() != was:
                self.send_table(live)
        elif hint.get("who"):
            self._announce(live)
        else:
            ahead = int(hint.get("turn", 0)) > live.table.turn
            if ahead or int(hint.get("revision", 0)) > live.info.revision:
                self.spawn(self.sync_safely(live))

    def _announce(self, live: Live) -> None:
        for seat in {seat for seat in live.watchers.values() if seat is not None}:
            self.hints.say(table=live.info.id, seat=seat, here=True)

    async def sync_safely(self, live: Live) -> None:
        async with live.lock:
            await self.sync(live)

    async def sync(self, live: Live) -> None:
        """Read from the database what others stored; call with the table's lock held."""
        table, before = live.table, live.info.status
        await self._reread(live)
        rows = await self.store.rows(live.info.id, table.turn)
        if live.info.status in ("playing", "over") and table.match is None:
            await self.begin(live)
        for row in rows:
            if row.ply != table.turn:
                break
            table.apply(row)
            live.ours = False
            self._tell(live)
        if table.over and live.info.status == "playing":  # it ended between the two readings
            await self._reread(live)
        if live.info.status != before:
            self._lobby_soon()
        self.send_table(live)
        self.next(live)

    async def _reread(self, live: Live) -> None:
        found = await self.store.infos(table_rows.c.id == live.info.id)
        if found:
            self._set_info(live, found[0])

    def _set_info(self, live: Live, info: Info) -> None:
        live.table.info = info
        if live.shadow:
            live.shadow.change(info, now_ms())
            self._follow(live)

    async def _poll_forever(self) -> None:
        """A slow look at the database, in case a hint was lost."""
        if self.config.alone:
            return
        announced = 0.0
        while True:
            slow = 5 if self.hints.connected else 1
            await asyncio.sleep(self.config.poll * slow if self.config.redis else 0.3)
            await self._look_at_watched()
            if time.monotonic() - announced > ANNOUNCE:
                announced = time.monotonic()
                for live in list(self.live.values()):
                    self._announce(live)

    async def _look_at_watched(self) -> None:
        await self._look([id for id, live in self.live.items() if live.watchers])

    async def _look(self, ids: list[str]) -> None:
        """Read what others stored at these tables, if anything."""
        try:
            for id, (revision, turn) in (await self.store.turns(ids)).items():
                live = self.live.get(id)
                if live and (turn > live.table.turn or revision > live.info.revision):
                    await self.sync_safely(live)
        except Refused as refusal:
            log.warning("cannot look for others' moves: %s", refusal.code)

    # -- housekeeping ---------------------------------------------------------------------------

    async def _sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(IDLE / 4)
            late = time.monotonic() - IDLE
            for id, live in list(self.live.items()):
                fast = live.info.status == "playing" and live.info.clock.kind == "fischer"
                busy = live.watchers or live.lock.locked() or fast
                thinking = live.thinking is not None and not live.thinking.done()
                if live.used < late and not busy and not thinking:
                    live.stop()
                    del self.live[id]
            metrics.live_tables.set(len(self.live))

    async def _recover(self) -> None:
        """After a start: take up what was left in the middle, and again every hour for flags.

        Old matches without a clock wait for whoever opens them.
        """
        while True:
            timed = table_rows.c.clock["kind"].as_string() != "none"
            waits = sa.or_(timed, table_rows.c.started > now_ms() - DAY)
            last: tuple[int, str] | None = None
            try:
                while found := await self._running(waits, last):
                    for info in found:
                        await self._take_up(info)
                    last = found[-1].created, found[-1].id
            except Refused:
                await asyncio.sleep(AGAIN)
            else:
                await asyncio.sleep(3600)

    async def _running(self, where: Any, after: tuple[int, str] | None) -> list[Info]:
        """Some of the running matches, newest first, from where one left off."""
        clauses = [table_rows.c.status == "playing", where]
        if after is not None:
            clauses.append(sa.tuple_(table_rows.c.created, table_rows.c.id) < after)
        return await self.store.infos(*clauses, limit=PAGE)

    async def _take_up(self, info: Info) -> None:
        try:
            await self.get(info.id)
        except Refused as refusal:
            log.warning("table %s: %s", info.id, refusal.code)
        await asyncio.sleep(0)

    # -- lobby ----------------------------------------------------------------------------------

    async def lobby(self, player: str | None) -> list[Data]:
        """Public tables that wait for players or can be watched, newest first."""
        found = await self.store.infos(
            table_rows.c.public.is_(True),
            table_rows.c.status.in_(("waiting", "playing")),
            table_rows.c.created > now_ms() - DAY,
        )
        return [self._listed(info, player) for info in found]

    def _listed(self, info: Info, player: str | None) -> Data:
        live = self.live.get(info.id)
        seated = player is not None and info.seat_of(player) is not None
        if info.delay and info.status == "playing" and not seated:
            if live and live.shadow:
                return self.table_data(live, player)
            return describe(unsaid(info), player)
        if live is None:
            return describe(info, player)
        table = live.table
        return describe(info, player, live.present(), live.watching(), table.turn, table.resigned)

    def lobby_changed(self, info: Info) -> None:
        if info.public:
            self.hints.say(lobby=True)
            self._lobby_soon()

    def _lobby_soon(self) -> None:
        if self._lobby_due is None and self.lobby_watchers:
            wait = max(0.05, self._lobby_sent + 1 - time.monotonic())
            loop = asyncio.get_running_loop()
            self._lobby_due = loop.call_later(wait, lambda: self.spawn(self._send_lobby()))

    async def _send_lobby(self) -> None:
        self._lobby_due = None
        self._lobby_sent = time.monotonic()
        found = await self.lobby(None)
        for who in list(self.lobby_watchers):
            who.send(orjson.dumps({"type": "lobby", "tables": lobby_for(found, who.player)}))

    # -- coming and going -----------------------------------------------------------------------

    def arrive(self, live: Live, who: Watcher) -> None:
        """Somebody begins to follow a table."""
        seat = live.info.seat_of(who.player)
        new = seat is not None and seat not in live.present()
        live.watchers[who] = seat
        if seat is not None and not self.config.alone:
            self.hints.say(table=live.info.id, seat=seat, here=True)
        if new or (seat is None and live.info.status != "over"):
            self.send_table(live, skip=who)

    def depart(self, live: Live, who: Watcher) -> None:
        """Somebody no longer follows a table, or is gone."""
        if who not in live.watchers:
            return
        seat = live.watchers.pop(who)
        live.used = time.monotonic()
        if seat is not None and seat not in live.watchers.values():
            live.left_at[seat] = time.monotonic()
            if not self.config.alone:
                self.hints.say(table=live.info.id, seat=seat, here=False)
        if seat is not None or live.info.status != "over":
            self.send_table(live)


def _with_id(frame: bytes, id: Any) -> bytes:
    """A message as the answer to one that carried an id."""
    return b'{"id":' + orjson.dumps(id) + b"," + frame[1:]


def lobby_for(found: list[Data], player: str) -> list[Data]:
    """A list of tables with the player's own seats marked."""
    return [
        {
            **table,
            "seats": [
                {**seat, "you": seat["kind"] == "person" and seat["player"] == player}
                for seat in table["seats"]
            ],
        }
        for table in found
    ]


def open_events(table: Table) -> list[list[Event]]:
    """The events of choices that stood; for matches that are over."""
    return [table.events[index] for index in table.standing]


Verb = Callable[..., Awaitable[Any]]
