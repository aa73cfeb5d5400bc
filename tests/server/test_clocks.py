"""Time as it passes: whatever is done to the machine's clock, and while the server is down."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from tanistry.server import verbs
from tanistry.server.clocks import DAY, Clock, Outages, ServerTime, now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Seat
from tanistry.server.schema import outages, settings
from tanistry.server.schema import tables as table_rows
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.tables import Row, Table
from tests.patience import eventually
from tests.server.test_hall import with_hall
from tests.server.test_store import with_store


def test_the_machines_clock_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = ServerTime()
    before = ours.now()
    for step in (-3600, 3600):
        wrong = time.time_ns() + step * 10**9
        monkeypatch.setattr("time.time_ns", lambda wrong=wrong: wrong)
        assert 0 <= ours.now() - before < 60_000


def test_a_clock_set_back_is_caught_up_with() -> None:
    ours = ServerTime()
    last = ours.now() + 3_600_000
    ours.not_before(last)
    assert ours.now() >= last
    ours.not_before(ours.now() + 2 * DAY)
    assert ours.now() < last + DAY, "a clock that was wrong by days is not believed"


def test_outages_count_against_nobody() -> None:
    known = Outages([(100, 150), (300, 400)])
    assert known.between(0, 1000) == 150
    assert known.between(120, 350) == 30 + 50
    assert known.between(150, 300) == 0
    assert known.when_passed(0, 50) == 50
    assert known.when_passed(0, 200) == 250
    assert known.when_passed(120, 200) == 450
    known.add(100, 150)
    assert known.between(0, 200) == 50


def test_a_player_keeps_the_time_that_was_left() -> None:
    seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
    info = verbs.new_info("claim", {}, seats, "p_0", clock=Clock("fischer", seconds=60))
    info.begin(1_000)
    down = Outages([(21_000, 3_600_000)])
    table = Table(info, outages=down)
    first = table.to_act
    assert first is not None
    assert table.flag_at() == 3_600_000 + 40_000
    shown = table.clocks(3_600_000)
    assert shown is not None
    assert shown["left"][first] == 40_000
    token = table.look().legal[0]
    table.apply(Row(0, first, "play", token, 3_610_000))
    assert table.left[first] == 30_000
    again = Table(info, table.rows, down)
    assert again.left == table.left, "read anew, it is the same"


def test_time_while_the_server_is_down_is_an_outage(database: str) -> None:
    last = now_ms() - 3_600_000

    async def die(store: Store) -> None:
        await store.execute(
            sa.update(settings).where(settings.c.name == "alive").values(value=str(last))
        )

    async def come_back(store: Store) -> None:
        assert 0 <= store.outages.between(last, now_ms()) - 3_600_000 < 60_000
        rows = await store.read(sa.select(outages).where(outages.c.began == last))
        assert len(rows) == 1
        await store.beat()  # nothing to write down now
        assert await store.read(sa.select(outages).where(outages.c.began == last)) == rows

    with_store(database, die)
    with_store(database, come_back)


def test_no_flag_falls_for_time_in_which_nothing_could_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tanistry.server.timers.AGAIN", 0.01)
    asked = 0

    async def do(hall: Hall) -> None:
        async def cannot() -> bool:
            nonlocal asked
            asked += 1
            if asked == 3:  # it can again, and knows that it could not
                hall.store.outages.add(now_ms() - 60_000, now_ms() + 3_600_000)
            return asked >= 3

        monkeypatch.setattr(hall.store, "can_store", cannot)
        seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
        clock = Clock("fischer", seconds=1)
        info = verbs.new_info("claim", {}, seats, "p_0", clock=clock, rated=False)
        live = await verbs.create(hall, info, start=True)
        await eventually(lambda: asked >= 3)
        assert not live.table.over
        (found,) = await hall.store.infos(table_rows.c.id == info.id)
        assert found.status == "playing"

    with_hall(tmp_path, do)


def test_two_workers_that_live_see_no_outage(tmp_path: Path) -> None:
    async def run() -> None:
        config = Settings(database=str(tmp_path / "test.db"), workers=2)
        one, two = Store(config), Store(config)
        await one.open()
        await two.open()
        try:
            assert await one.read(sa.select(outages)) == []
        finally:
            await one.close()
            await two.close()

    asyncio.run(run())
