"""The hall by itself, on a store that does not always take what it is given."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tanistry.server import verbs
from tanistry.server.hall import Hall
from tanistry.server.refusals import Refused
from tanistry.server.settings import Settings
from tanistry.server.store import Store, now_ms
from tanistry.server.tables import Seat
from tests.patience import eventually


def with_hall(folder: Path, do: Callable[[Hall], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        config = Settings(database=str(folder / "test.db"), bot_pause=0, **settings)
        store = Store(config)
        await store.open()
        hall = Hall(config, store)
        try:
            await do(hall)
        finally:
            await hall.close()
            await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("error", [Refused("server/busy"), ArithmeticError("a bug")])
def test_what_cannot_be_stored_is_tried_ever_more_seldom(
    error: Exception,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("tanistry.server.hall.AGAIN", 0.01)
    monkeypatch.setattr("tanistry.server.hall.SELDOM", 0.04)
    pauses: list[float] = []

    async def do(hall: Hall) -> None:
        write = hall.store.write

        async def fail(*given: Any) -> bool:
            if len(pauses) < 5:
                pauses.append(live.pause)
                raise error
            return await write(*given)

        monkeypatch.setattr(hall.store, "write", fail)
        seats = [verbs.bot_seat(seat, "random", None) for seat in range(2)]
        info = verbs.new_info("claim", {}, seats, "somebody")
        live = await verbs.create(hall, info, start=True)
        await eventually(lambda: live.info.status == "over")
        assert live.pause == 0

    with_hall(tmp_path, do)
    assert pauses == [0, 0.01, 0.02, 0.04, 0.04]
    said = [record for record in caplog.records if "waits" in record.getMessage()]
    assert len(said) == 5, "once for each try"


def test_a_flag_that_cannot_be_stored_falls_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tanistry.server.hall.AGAIN", 0.01)
    failures = 3

    async def do(hall: Hall) -> None:
        write = hall.store.write

        async def fail(*given: Any) -> bool:
            nonlocal failures
            if failures:
                failures -= 1
                raise Refused("server/busy")
            return await write(*given)

        monkeypatch.setattr(hall.store, "write", fail)
        seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
        clock = verbs.Clock("fischer", seconds=0)
        info = verbs.new_info("claim", {}, seats, "p_0", clock=clock, rated=False)
        live = await verbs.create(hall, info, start=True)
        await eventually(lambda: live.info.status == "over")
        assert live.info.result is not None
        assert live.info.result["ended_by"] == "flag"

    with_hall(tmp_path, do)
    assert failures == 0


def test_all_that_waits_is_taken_up_after_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many older matches there are, and page by page."""
    monkeypatch.setattr("tanistry.server.hall.PAGE", 2)
    timed, recent = [], []

    async def do(hall: Hall) -> None:
        for number in range(12):
            seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
            clock = verbs.Clock("days", days=30) if number % 3 == 0 else verbs.Clock()
            info = verbs.new_info("claim", {}, seats, "p_0", clock=clock)
            info.status, info.created, info.started = "playing", number // 4, 1
            if clock.kind == "days":
                info.started = now_ms() - 1000
                timed.append(info.id)
            elif number % 3 == 1:
                info.started = now_ms() - 1000
                recent.append(info.id)
            await hall.store.insert_table(info)
        pages: list[int] = []
        running = hall._running

        async def counted(*given: Any) -> Any:
            found = await running(*given)
            pages.append(len(found))
            return found

        monkeypatch.setattr(hall, "_running", counted)
        hall.spawn(hall._recover())
        await eventually(lambda: bool(pages) and pages[-1] == 0)
        assert set(hall.live) == {*timed, *recent}
        assert pages == [2, 2, 2, 2, 0]

    with_hall(tmp_path, do)
