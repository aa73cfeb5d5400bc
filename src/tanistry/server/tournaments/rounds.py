"""Tournaments that go on by themselves: rounds are paired, who does not come forfeits, and whoever
looks at one is told how it stands.

Every worker looks at all that are being played, every second; what it does is done in one
transaction that fails if another worker was quicker. So it does not matter which of them does it,
nor at which moment one of them is killed.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server import metrics
from tanistry.server.background import guarded
from tanistry.server.clocks import now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Data, Info
from tanistry.server.live import Live, Watcher
from tanistry.server.refusals import Refused
from tanistry.server.rows import add_table
from tanistry.server.schema import boards, entrants, tables
from tanistry.server.schema import tournaments as cups
from tanistry.server.tournaments import reading, telling
from tanistry.server.tournaments.deciding import Taken, claim
from tanistry.server.tournaments.reading import Game, Tournament, load
from tanistry.server.verbs import new_info
from tanistry.tournaments import Board, next_round, walkover

MOST_FOLLOWED = 8
"""Tournaments that one connection may follow."""
TICK, SELDOM = 1.0, 5.0
"""Seconds between two looks, while something is played or looked at, and otherwise."""


class Rounds:
    """What one worker does for tournaments."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._store = hall.store
        self._watchers: dict[str, dict[Watcher, Any]] = defaultdict(dict)  # and their rows
        self._told: dict[tuple[str, Watcher], bytes] = {}
        self._wake = asyncio.Event()
        hall.sync.listeners["tournament"] = lambda _: self._wake.set()

    def news(self) -> None:
        """Something has changed: look at once, here and elsewhere."""
        self._hall.sync.bus.publish(tournament=True)
        self._wake.set()

    # -- those who look -------------------------------------------------------------------------

    async def follow(self, who: Watcher, id: str, row: Any) -> Data:
        """Tell somebody of a tournament from now on; `row`: who they are."""
        if sum(who in watchers for watchers in self._watchers.values()) >= MOST_FOLLOWED:
            raise Refused("rate/tables")
        cup = await load(self._store, id)
        self._watchers[id][who] = row
        by = await reading.organisers(self._store, cup.row)
        return self._message(cup, telling.describe(cup), who, reading.runs(row, by))

    def _message(self, cup: Tournament, data: Data, who: Watcher, runs: bool) -> Data:
        own = telling.personal(self._store, cup, who.player, runs)
        return {"type": "tournament", "now": now_ms(), "tournament": data | own}

    def gone(self, who: Watcher, id: str | None = None) -> None:
        """Somebody looks no longer, at one or at any."""
        for one in [id] if id else list(self._watchers):
            self._watchers[one].pop(who, None)
            self._told.pop((one, who), None)
            if not self._watchers[one]:
                del self._watchers[one]

    async def _tell(self, id: str) -> None:
        """Tell those who look, where something has changed for them."""
        cup = await load(self._store, id)
        data, by = telling.describe(cup), await reading.organisers(self._store, cup.row)
        for who, row in list(self._watchers.get(id, {}).items()):
            message = self._message(cup, data, who, reading.runs(row, by))
            shown = orjson.dumps(message["tournament"])
            if self._told.get((id, who)) != shown:
                self._told[id, who] = shown
                who.send(orjson.dumps(message))

    # -- going on -------------------------------------------------------------------------------

    async def go_on_forever(self) -> None:
        while True:
            playing: list[str] = []
            with guarded("tournaments"):
                playing = await self.look()
            wait = TICK if playing or self._watchers else SELDOM
            try:
                await asyncio.wait_for(self._wake.wait(), wait)
            except TimeoutError:
                continue
            self._wake.clear()
            await asyncio.sleep(0.05)  # what comes at once is looked at together

    async def look(self) -> list[str]:
        """Let everything go on as far as it can; the tournaments that are being played."""
        query = sa.select(cups.c.id).where(cups.c.status == "playing")
        playing = [row.id for row in await self._store.read(query)]
        for id in playing:
            with guarded(f"tournament {id}"):
                try:
                    while await self._go_on(await load(self._store, id)):
                        self.news()
                except Taken:
                    self._wake.set()
        for id in list(self._watchers):
            with guarded(f"those who look at tournament {id}"):
                await self._tell(id)
        return playing

    async def _go_on(self, cup: Tournament) -> bool:
        """Do the next thing that is to be done, if there is one."""
        if cup.row.status != "playing":
            return False
        at_boards = cup.at_boards()
        now = at_boards[-1] if at_boards else []
        for games in now:
            if await self._look_at(cup, games):
                return True
        if any(not cup.decided(games)[0].is_over for games in now):
            return False
        apart = await reading.apart(self._store, cup)
        paired = await asyncio.to_thread(
            next_round, cup.plan, cup.numbers, cup.here, cup.rounds, apart
        )
        if paired:
            await self._pair(cup, paired)
        else:
            over = {"status": "over", "ended": now_ms()}
            await self._do(cup, [], [], **over)
        return True

    async def _look_at(self, cup: Tournament, games: list[Game]) -> bool:
        """See to one board: whether it is late, drawn, or needs a bot's choice."""
        last = games[-1]
        board, again = cup.decided(games)
        if again is not None:
            made = self._table(cup, again)
            row = self._row(cup, last.round, last.board, again, made)
            await self._do(cup, [row | {"game": last.game + 1}], [made])
            return True
        if last.table is None or board.is_over:
            return False
        due = self._store.outages.when_passed(last.since, cup.row.grace * 1000)
        late = due <= now_ms()
        if last.status == "waiting" and (late or not cup.here.issuperset(board.present)):
            return await self._is_late(cup, last, await self._hall.get(last.table), late)
        if last.status == "playing" and (out := cup.removed.intersection(board.present)):
            await self._resign(last, out)
        if last.status == "playing" and last.table not in self._hall.registry.live:
            by_bots = any(cup.by_number(number).bot for number in board.present)
            if by_bots or cup.clock.kind == "fischer":
                await self._hall.get(last.table)  # whoever had it in memory may be gone
        return False

    async def _resign(self, game: Game, out: set[int]) -> None:
        """Nobody waits for who was put out: where they still play, they have resigned."""
        live = await self._hall.get(game.table or "")
        async with live.lock:
            for seat, number in enumerate(game.result.present):
                if number in out and seat not in live.table.resigned and not live.table.over:
                    row = live.table.check_end("resign", seat, now_ms())
                    with suppress(Refused):  # somebody was quicker: looked at again soon
                        await self._hall.store_row(live, row)

    # -- pairing --------------------------------------------------------------------------------

    async def _pair(self, cup: Tournament, paired: list[Board]) -> None:
        number = len(cup.at_boards()) + 1
        made = [None if board.is_over else self._table(cup, board) for board in paired]
        rows = [
            self._row(cup, number, place, board, info)
            for place, (board, info) in enumerate(zip(paired, made), 1)
        ]
        await self._do(cup, rows, made)

    def _table(self, cup: Tournament, board: Board) -> Info:
        """A table for those who are to meet; where no person sits, it begins at once."""
        sitting = [cup.by_number(number) for number in board.present]
        info = new_info(
            cup.row.game,
            cup.row.options,
            [one.seat(seat) for seat, one in enumerate(sitting)],
            "",  # nobody is the host: what was announced is what is played
            clock=cup.clock,
            rated=cup.row.rated and all(one.login for one in sitting),
            tournament=cup.id,
        )
        if not info.persons:
            info.begin(now_ms())
        return info

    def _row(
        self, cup: Tournament, number: int, place: int, board: Board, info: Info | None
    ) -> Data:
        return {
            "tournament_id": cup.id,
            "round": number,
            "board": place,
            "game": 1,
            "players": list(board.players),
            "absent": sorted(board.absent),
            "ranks": None if board.ranks is None else list(board.ranks),
            "table_id": info.id if info else None,
            "since": now_ms(),
        }

    async def _do(
        self, cup: Tournament, rows: list[Data], made: list[Info | None], **values: Any
    ) -> None:
        """Write boards and their tables, all of them or nothing, and let bots begin."""

        async def body(connection: AsyncConnection) -> None:
            await claim(connection, cup, **values)
            for info in filter(None, made):
                await add_table(connection, info)
            if rows:
                await connection.execute(sa.insert(boards), rows)

        await self._store.transaction(body)
        await self._begun(made)

    async def _begun(self, made: list[Info | None]) -> None:
        for info in filter(None, made):
            if info.status == "playing":
                metrics.matches.labels(info.game, "started").inc()
                live = await self._hall.get(info.id)
                live.ours = True

    # -- who does not come ----------------------------------------------------------------------

    async def _is_late(self, cup: Tournament, game: Game, live: Live, late: bool) -> bool:
        """Nobody waits longer than was said: who is not ready by now has not come. For who has left
        nobody waits at all."""
        async with live.lock:
            if live.info.status != "waiting":
                return False
            present = zip(game.result.present, live.info.seats)
            missing = [
                number
                for number, held in present
                if number not in cup.here or (late and not held.ready)
            ]
            if not missing:
                return await self._begin(live)
            await self._go_without(cup, game, live.info, missing)
            await self._hall.sync.read(live)
        self._hall.tell(live)
        return True

    async def _begin(self, live: Live) -> bool:
        """Everybody has said that it may begin, and somebody is not looking just now. Where a clock
        would run, they are asked again (waiting.py)."""
        if live.info.clock.kind == "fischer":
            return False
        await self._hall.change(live, lambda info: info.begin(now_ms()))
        self._hall.begin(live)
        return True

    async def _go_without(
        self, cup: Tournament, game: Game, info: Info, missing: list[int]
    ) -> None:
        """Those who came play without the others if they can, and have won if they cannot."""
        numbers, absent = game.result.players, game.result.absent | {*missing}
        board = Board(numbers, None, absent)
        enough = len(board.present) > 1 and len(board.present) in cup.sizes
        made = self._table(cup, board) if enough else None
        values: Data = {"absent": sorted(absent)}
        if made is not None:
            values |= {"table_id": made.id, "since": now_ms()}
        else:
            values["ranks"] = list(walkover(numbers, absent).ranks or ())
        at = (
            (boards.c.tournament_id == cup.id)
            & (boards.c.round == game.round)
            & (boards.c.board == game.board)
            & (boards.c.game == game.game)
        )
        gone = (entrants.c.tournament_id == cup.id) & entrants.c.number.in_(missing)
        closed = {"status": "closed", "ended": now_ms(), "revision": info.revision + 1}
        same = (tables.c.id == info.id) & (tables.c.revision == info.revision)

        async def body(connection: AsyncConnection) -> None:
            await claim(connection, cup)
            change = sa.update(tables).where(same).values(**closed)
            if (await connection.execute(change)).rowcount != 1:
                raise Taken  # somebody is ready after all
            await connection.execute(sa.update(boards).where(at).values(**values))
            await connection.execute(sa.update(entrants).where(gone).values(here=False))
            if made is not None:
                await add_table(connection, made)

        await self._store.transaction(body)
        await self._begun([made])
