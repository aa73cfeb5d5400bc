"""Those who look for somebody are seated, each once, whichever worker they came to."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import orjson
import pytest
import sqlalchemy as sa

from tanistry.client import AsyncClient, RefusedByServer
from tanistry.server import belongings, blocks, pairing, verbs
from tanistry.server import messages as m
from tanistry.server.clocks import now_ms
from tanistry.server.hall import Hall
from tanistry.server.live import Live
from tanistry.server.pairing import FAR, LOST, NEAR, WIDER, Pairing, groups
from tanistry.server.refusals import Refused
from tanistry.server.schema import players, seats, seeks, tables
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tests.patience import PATIENCE, eventually
from tests.server.crowd import Seeker, meetings
from tests.server.processes import Process

NOW = 1_000_000


class Waiting:
    """Somebody at the other end of a connection."""

    say, session = None, ""

    def __init__(self, player: str) -> None:
        self.player = self.name = player
        self.watching: set[str] = set()
        self.heard: list[Any] = []

    def send(self, frame: bytes) -> None:
        message = orjson.loads(frame)
        if message["type"] == "seeking":
            self.heard.append(message)

    def cut_off(self, refusal: Refused) -> None: ...

    @property
    def table(self) -> str | None:
        return self.heard[-1]["table"] if self.heard else None


def with_workers(
    database: str, do: Callable[[list[Hall], list[Pairing]], Awaitable[None]], workers: int = 1
) -> None:
    """So many workers on one database, in one process; nobody looks but who is told to."""

    async def run() -> None:
        config = Settings(database=database, workers=workers, sync="normal")
        stores = [Store(config) for _ in range(workers)]
        for store in stores:
            await store.open()
        halls = [Hall(config, store) for store in stores]
        try:
            await do(halls, [Pairing(hall) for hall in halls])
        finally:
            for hall, store in zip(halls, stores):
                await hall.close()
                await store.close()

    asyncio.run(run())


async def people(store: Store, count: int, guests: bool = True) -> list[Waiting]:
    rows = [
        {"id": f"p_{n}", "name": f"P{n}", "session": 0, "created": 1}
        | ({} if guests else {"login": f"p_{n}"})
        for n in range(count)
    ]
    await store.execute(sa.insert(players).values(rows))
    return [Waiting(f"p_{n}") for n in range(count)]


def seek(**more: Any) -> m.Seek:
    return m.Seek(**{"type": "seek", "game": "claim", **more})


def ready(table: str) -> m.Ready:
    return m.Ready(type="ready", table=table)


def row(player: str, since: int = NOW, rating: int = 1500, **more: Any) -> Any:
    usual = {"game": "claim", "seats": 2, "clock": "none", "rated": True}
    return SimpleNamespace(player=player, since=since, rating=rating, **{**usual, **more})


def names(found: list[list[Any]]) -> list[list[str]]:
    return [[one.player for one in group] for group in found]


def test_who_came_first_is_seated_first() -> None:
    rows = [row("c", 3), row("a", 1), row("b", 2), row("d", 4)]
    assert names(groups(rows, NOW)) == [["a", "b"], ["c", "d"]]
    others = {"game": "kilt", "seats": 3, "clock": "quick", "rated": False}
    for name, value in others.items():
        assert groups([row("a"), row("b", **{name: value})], NOW) == [], name
    assert names(groups([row(n, seats=3) for n in "abcd"], NOW)) == [["a", "b", "c"]]
    for apart in (("a", "b"), ("b", "a")):
        assert names(groups([row(n) for n in "abc"], NOW, {apart})) == [["a", "c"]]


def test_the_range_widens_with_waiting() -> None:
    far = NEAR + 5 * WIDER
    assert groups([row("a"), row("b", rating=1500 + far)], NOW) == []
    assert groups([row("a"), row("b", rating=1500 + far)], NOW + 4000) == []
    assert groups([row("a"), row("b", rating=1500 + far)], NOW + 5000)
    late = row("b", NOW + 5000, 1500 + far)
    assert groups([row("a"), late], NOW + 5000) == [], "it must be near enough for both"
    assert groups([row("a"), row("b", rating=9000)], NOW + FAR * 1000)
    casual = [row("a", rated=False), row("b", rating=9000, rated=False)]
    assert groups(casual, NOW), "who is not rated meets anybody"
    three = [row(n, rating=r, seats=3) for n, r in (("a", 1500), ("b", 1590), ("c", 1410))]
    assert groups(three, NOW) == [], "near enough for everybody"


def test_two_hundred_on_two_workers(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are seated, each once; both workers look at the same time, again and again."""
    monkeypatch.setattr(pairing, "STALE", 3_600_000)  # however slow this machine is

    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        waiting = await people(halls[0].store, 200)
        for pair in zip(waiting[::2], waiting[1::2]):
            await asyncio.gather(*(w.seek(who, seek()) for w, who in zip(workers, pair)))
        while not all(who.table for who in waiting):
            await asyncio.gather(*(worker.look() for worker in workers))
        sat = await halls[0].store.read(sa.select(seats.c.table_id, seats.c.player))
        assert Counter(row.player for row in sat) == Counter(who.player for who in waiting)
        assert set(Counter(row.table_id for row in sat).values()) == {2}
        told = {who.player: who.table for who in waiting}
        assert told == {row.player: row.table_id for row in sat}

    with_workers(database, do, workers=2)


def test_nothing_begins_before_everybody_has_said_so(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        one, two = await people(hall.store, 2)
        assert (await worker.seek(one, seek()))["waiting"] == 1
        await worker.look()
        assert one.table is None
        await worker.seek(two, seek())
        await worker.look()
        table = one.table
        assert table is not None
        live = await hall.get(table)
        assert (live.info.status, live.info.rated, live.info.host) == ("waiting", False, "")
        await verbs.ready(hall, live, one, ready(table))
        assert live.info.status == "waiting"
        await verbs.ready(hall, live, two, ready(table))
        assert live.info.status == "playing"
        await worker.look()
        assert not one.heard[-1]["on"]
        assert await hall.store.read(sa.select(seeks)) == []

    with_workers(str(tmp_path / "test.db"), do)


def test_who_does_not_come_is_not_waited_for(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        one, two, three = await people(hall.store, 3)
        first = await worker.seek(one, seek())
        await worker.seek(two, seek())
        await worker.look()
        table = one.table
        assert table is not None
        live = await hall.get(table)
        async with live.lock:
            await verbs.ready(hall, live, one, ready(table))
        monkeypatch.setattr(pairing, "GRACE", -1)
        await worker.look()
        await worker.look()
        assert live.info.status == "closed"
        again = one.heard[-1]
        assert (again["table"], again["on"], again["since"]) == (None, True, first["since"])
        assert not two.heard[-1]["on"], "who did not come is looked for no longer"
        monkeypatch.undo()
        await worker.seek(three, seek())
        await worker.look()
        assert one.table == three.table != table
        assert one.table is not None

    with_workers(database, do)


def test_nobody_is_seated_who_is_gone(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        one, two, three, four = await people(hall.store, 4)
        await worker.seek(one, seek())
        worker.gone(one)
        await eventually(lambda: not worker._here)
        await worker.seek(two, seek())
        silent = sa.update(seeks).values(seen=now_ms() - 2 * LOST)
        await hall.store.execute(silent)  # its worker was killed
        del worker._here[next(iter(worker._here))]
        await worker.seek(three, seek())
        await worker.look()
        assert three.table is None
        left = await hall.store.read(sa.select(seeks.c.player))
        assert [row.player for row in left] == ["p_2"]
        await worker.seek(four, seek())
        await worker.look()
        assert three.table is not None
        worker.gone(four)  # between being seated and saying that it may begin
        await eventually(lambda: len(worker._here) == 1)
        while three.table is not None:
            await worker.look()
        assert three.heard[-1]["on"], "who stays waits on, though it had no time to be ready"

    with_workers(str(tmp_path / "test.db"), do)


def test_a_broken_table_keeps_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        four = await people(hall.store, 4)
        for somebody, game in zip(four, ("claim", "claim", "kilt", "kilt")):
            await worker.seek(somebody, seek(game=game))
        await worker.look()
        broken, other = four[0].table, four[2].table
        assert broken != other
        assert None not in (broken, other)
        get = hall.get

        async def get_most(table: str) -> Live:
            if table == broken:
                raise ArithmeticError("a bug")
            return await get(table)

        monkeypatch.setattr(hall, "get", get_most)
        late = sa.update(seeks).values(seated=now_ms() - 2 * pairing.GRACE)
        await hall.store.execute(late)  # nobody has said that it may begin
        await worker.look()
        assert [one.table for one in four] == [broken, broken, None, None]
        assert not four[2].heard[-1]["on"]

    with_workers(str(tmp_path / "test.db"), do)
    assert any("a bug" in (record.exc_text or "") for record in caplog.records)


def test_a_database_that_is_away_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pairing, "TICK", 0.01)
    monkeypatch.setattr("tanistry.server.background._told", {})

    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        (somebody,) = await people(hall.store, 1)
        await worker.seek(somebody, seek())
        look = AsyncMock(side_effect=Refused("server/busy"))
        monkeypatch.setattr(worker, "look", look)
        hall.background.spawn(worker.pair_forever())
        await eventually(lambda: look.call_count > 2)

    with_workers(str(tmp_path / "test.db"), do)
    assert sum("server/busy" in record.getMessage() for record in caplog.records) == 1


def test_nobody_else_sits_where_two_were_brought_together(tmp_path: Path) -> None:
    """Who stands up is looked for no longer; the other waits in their old place, ready or not."""

    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        one, two, three = await people(hall.store, 3, guests=False)
        await hall.store.execute(
            sa.insert(players).values(id="p_guest", name="G", session=0, created=1)
        )
        guest = Waiting("p_guest")
        first = await worker.seek(one, seek(rated=True))
        await worker.seek(two, seek(rated=True))
        await worker.look()
        live = await hall.get(one.table or "")
        sit = m.Sit(type="sit", table=live.info.id)
        for outsider in (guest, three):
            with pytest.raises(Refused, match="table/paired"):
                await verbs.sit(hall, live, outsider, sit)
        await verbs.stand(hall, live, two, m.Stand(type="stand", table=live.info.id))
        for outsider in (guest, three, two):
            with pytest.raises(Refused):
                await verbs.sit(hall, live, outsider, sit)
        assert live.info.status == "closed"
        await worker.look()
        again = one.heard[-1]
        assert (again["on"], again["table"], again["since"]) == (True, None, first["since"])
        assert not two.heard[-1]["on"]
        await worker.seek(three, seek(rated=True))
        await worker.look()
        assert one.table == three.table is not None

    with_workers(str(tmp_path / "test.db"), do)


def test_an_empty_seat_among_those_brought_together_stays_empty(tmp_path: Path) -> None:
    """As when somebody has deleted their account; until the table is closed, a moment later."""

    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        one, two, three = await people(hall.store, 3)
        for who in (one, two):
            await worker.seek(who, seek())
        await worker.look()
        table = one.table or ""
        await hall.moved(await belongings.erase(hall.store, two.player))
        live = await hall.get(table)
        with pytest.raises(Refused, match="table/paired"):
            await verbs.sit(hall, live, three, m.Sit(type="sit", table=table))
        await worker.look()
        await worker.look()
        assert (one.heard[-1]["on"], one.table) == (True, None)

    with_workers(str(tmp_path / "test.db"), do)


def test_who_blocks_whom_they_were_seated_with_waits_on(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        one, two = await people(hall.store, 2)
        for who in (one, two):
            await worker.seek(who, seek())
        await worker.look()
        assert one.table == two.table is not None
        await blocks.block(hall, one.player, two.player)
        await worker.look()
        await worker.look()
        assert [(who.heard[-1]["on"], who.table) for who in (one, two)] == [(True, None)] * 2

    with_workers(str(tmp_path / "test.db"), do)


def test_one_search_a_person(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        (one,) = await people(hall.store, 1)
        elsewhere = Waiting(one.player)
        await worker.seek(one, seek())
        await worker.seek(elsewhere, seek())
        await worker.look()
        assert (one.heard[-1]["on"], elsewhere.heard[-1]["on"]) == (False, True)
        assert await hall.store.read(sa.select(tables)) == [], "nobody meets themselves"
        await worker.stop(one)
        assert len(await hall.store.read(sa.select(seeks))) == 1
        for refused in (seek(rated=True), seek(seats=5), seek(game="chess")):
            with pytest.raises(Refused):
                await worker.seek(elsewhere, refused)

    with_workers(str(tmp_path / "test.db"), do)


def test_a_look_while_somebody_comes_loses_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def do(halls: list[Hall], pairings: list[Pairing]) -> None:
        (pairing,), (hall,) = pairings, halls
        one, two = await people(hall.store, 2)
        await pairing.seek(one, seek())
        upsert = hall.store.upsert

        async def looked_at_first(*row: Any) -> None:
            await pairing.look()
            await upsert(*row)

        monkeypatch.setattr(hall.store, "upsert", looked_at_first)
        await pairing.seek(two, seek())
        await pairing.look()
        assert [message["on"] for message in two.heard] == [True]
        assert one.heard[-1]["table"] == two.heard[-1]["table"] is not None

    with_workers(str(tmp_path / "test.db"), do)


def test_a_seat_is_given_up_by_who_looks_anew(tmp_path: Path) -> None:
    """As after a line that broke: unless the match has begun meanwhile, which they are told."""

    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        one, two = await people(hall.store, 2)
        for who in (one, two):
            await worker.seek(who, seek())
        await worker.look()
        first = one.table or ""
        live = await hall.get(first)
        await verbs.ready(hall, live, two, ready(first))
        back = Waiting(one.player)
        assert (await worker.seek(back, seek()))["table"] is None
        assert live.info.status == "closed"
        await worker.look()
        second = back.table or ""
        assert second == two.table != first, "who was ready is still looked for"
        live = await hall.get(second)
        for who in (back, two):
            await verbs.ready(hall, live, who, ready(second))
        assert live.info.status == "playing"
        again = Waiting(one.player)  # who did not hear that it began
        assert (await worker.seek(again, seek()))["table"] == second
        await worker.look()
        sat = await hall.store.read(sa.select(tables.c.id).where(tables.c.status == "playing"))
        assert [row.id for row in sat] == [second]

    with_workers(str(tmp_path / "test.db"), do)


def test_a_table_that_was_closed_by_a_worker_that_died_loses_nobody(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Pairing]) -> None:
        (hall,), (worker,) = halls, workers
        one, two, three = await people(hall.store, 3)
        for who in (one, two):
            await worker.seek(who, seek())
        await worker.look()
        table = one.table or ""
        await verbs.ready(hall, await hall.get(table), one, ready(table))
        late = sa.update(seats).where(seats.c.player == two.player)
        await hall.store.execute(late.values(kind="open", player=None))
        closed = sa.update(tables).values(status="closed", revision=tables.c.revision + 1)
        await hall.store.execute(closed)  # and then it was killed
        await worker.look()
        assert one.heard[-1]["on"]
        assert one.table is None
        assert not two.heard[-1]["on"], "who was not ready did not come"
        await worker.seek(three, seek())
        await worker.look()
        assert one.table == three.table is not None

    with_workers(str(tmp_path / "test.db"), do)


def test_the_server_is_killed_while_people_wait(own_server: Process) -> None:
    """Everybody gets one match and one only, though it dies when the first have been seated."""
    own_server.environment["TANISTRY_SYNC"] = "normal"
    own_server.start()

    async def run() -> None:
        seekers = [Seeker(own_server.url) for _ in range(12)]
        await asyncio.gather(*(seeker.client.connect() for seeker in seekers))
        looking = asyncio.gather(*(seeker.meet() for seeker in seekers))
        await eventually(lambda: any(seeker.table for seeker in seekers))
        own_server.kill()
        await asyncio.to_thread(own_server.start)
        found = await asyncio.wait_for(looking, PATIENCE)
        store = Store(Settings(database=own_server.environment["TANISTRY_DATABASE"]))
        await meetings(store, seekers, found)
        await store.close()
        for seeker in seekers:
            await seeker.client.close()

    asyncio.run(run())
    assert "Traceback" not in own_server.log.read_text()


def test_over_the_socket(server: Process) -> None:
    async def run() -> None:
        async with AsyncClient(server.url) as one, AsyncClient(server.url) as two:
            heard: list[Any] = []
            two.heard = lambda frame: heard.append(orjson.loads(frame))
            asked = {"game": "kilt", "seats": 2, "clock": "none", "rated": False}
            assert (await one.ask("seek", **asked))["on"]
            with pytest.raises(RefusedByServer) as refused:
                await two.ask("seek", **{**asked, "rated": True})
            assert refused.value.code == "auth/no-account"
            await two.ask("seek", **asked)
            await eventually(
                lambda: any(message.get("on") and message["table"] for message in heard)
            )
            (table,) = {m["table"] for m in heard if m["type"] == "seeking" and m["table"]}
            for client in (one, two):
                await (await client.watch(table)).ready()
            await one.tables[table].until(lambda: one.tables[table].data["status"] == "playing")
            assert (await one.ask("unseek"))["type"] == "ok"

    asyncio.run(run())


def test_a_family_looks_for_nobody(tmp_path: Path) -> None:
    async def run() -> None:
        config = Settings(database=str(tmp_path / "test.db"), people=False)
        store = Store(config)
        await store.open()
        hall = Hall(config, store)
        with pytest.raises(Refused, match="people/off"):
            await Pairing(hall).seek(Waiting("p_0"), seek())
        await hall.close()
        await store.close()

    asyncio.run(run())
