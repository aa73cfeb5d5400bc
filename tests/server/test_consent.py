"""Nobody is seated, put on the clock or rated without having said so at that table."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tanistry.client import AsyncClient, RefusedByServer
from tanistry.server import messages as m
from tanistry.server import rating, verbs, waiting
from tanistry.server.clocks import DAY, Clock, now_ms
from tanistry.server.endings import write_row
from tanistry.server.hall import Hall
from tanistry.server.info import Info, Seat
from tanistry.server.live import Live
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.schema import players, ratings
from tanistry.server.schema import tables as table_rows
from tanistry.server.store import Store
from tanistry.server.tables import Row, Table
from tests.patience import eventually
from tests.server.processes import Process
from tests.server.test_hall import Somebody, with_hall
from tests.server.test_store import with_store


def code_of(caught: pytest.ExceptionInfo[RefusedByServer]) -> str:
    return caught.value.code


def test_a_stranger_is_not_seated(server: Process) -> None:
    async def run() -> None:
        async with AsyncClient(server.url) as host, AsyncClient(server.url) as other:
            seats = [{"kind": "me"}, {"kind": "person", "player": other.you["id"]}]
            clock = {"kind": "fischer", "seconds": 5, "increment": 0}
            table = await host.create("claim", seats=seats, clock=clock)
            kept = table.data["seats"][1]
            assert (kept["kind"], kept["player"]) == ("open", other.you["id"])
            with pytest.raises(RefusedByServer) as caught:
                await table.start()
            assert code_of(caught) == "table/not-full"
            async with AsyncClient(server.url) as third:
                with pytest.raises(RefusedByServer) as caught:
                    await (await third.watch(table.id)).sit()
                assert code_of(caught) == "table/seat-taken"
            theirs = await other.watch(table.id)
            await theirs.sit()
            assert theirs.seat == 1
            with pytest.raises(RefusedByServer) as caught:
                await table.start()
            assert code_of(caught) == "table/not-ready"
            await theirs.ready()
            await table.start()
            assert table.data["status"] == "playing"

    asyncio.run(run())


def test_who_is_gone_is_not_started_with(server: Process) -> None:
    async def run() -> None:
        async with AsyncClient(server.url) as host:
            other = AsyncClient(server.url)
            await other.connect()
            table = await host.create("claim")
            await (await other.watch(table.id)).sit()
            await other.tables[table.id].ready()
            await other.close()
            await table.until(lambda: not table.data["seats"][1]["present"])
            with pytest.raises(RefusedByServer) as caught:
                await table.start()
            assert code_of(caught) == "table/not-ready"

    asyncio.run(run())


def say_ready(live: Live) -> m.Ready:
    return m.Ready(type="ready", table=live.info.id)


@pytest.mark.parametrize("clock", ["none", "fischer"])
def test_a_match_waits_for_who_is_ready_but_gone(clock: str, tmp_path: Path) -> None:
    """However long ago they said so, and whether or not the server has started anew meanwhile."""

    async def do(hall: Hall) -> None:
        live = await verbs.create(hall, new_table(clock))
        first, second = Somebody("p_0"), Somebody("p_1")
        await verbs.ready(hall, live, first, say_ready(live))
        hall.depart(live, first)
        restarted = Hall(hall.config, hall.store)
        for there in (hall, restarted):
            live = await there.get(live.info.id)
            async with live.lock:
                await verbs.ready(there, live, second, say_ready(live))
            await waiting.look(there, live)
            assert live.info.agreed
            assert live.info.status == "waiting"
            assert live.table.match is None
        restarted.arrive(live, Somebody("p_0"))
        await waiting.look(restarted, live)
        assert live.info.status == "playing"
        await restarted.close()

    with_hall(tmp_path, do)


def test_a_match_by_days_waits_for_nobody_who_has_agreed(tmp_path: Path) -> None:
    """Unless the table is so old that nobody remembers having said so."""

    async def do(hall: Hall) -> None:
        for age, expected in ((0, "playing"), (8 * DAY, "waiting")):
            info = new_table("days")
            info.created -= age
            live = await verbs.create(hall, info)
            first, second = Somebody("p_0"), Somebody("p_1")
            await verbs.ready(hall, live, first, say_ready(live))
            hall.depart(live, first)
            assert live.info.status == "waiting"
            await verbs.ready(hall, live, second, say_ready(live))
            assert live.info.status == expected
            if expected == "playing":
                stand_in = m.StandIn(type="bot", table=info.id, seat=0)
                with pytest.raises(Refused, match="table/by-days"):
                    await verbs.stand_in(hall, live, second, stand_in)

    with_hall(tmp_path, do)


def test_who_comes_back_finds_the_match_begun(server: Process) -> None:
    async def run() -> None:
        host, other = AsyncClient(server.url), AsyncClient(server.url)
        await asyncio.gather(host.connect(), other.connect())
        table = await host.create("claim", clock={"kind": "fischer", "seconds": 300})
        theirs = await other.watch(table.id)
        await theirs.sit()
        await table.ready()
        await host.close()
        await theirs.until(lambda: not theirs.data["seats"][0]["present"])
        await theirs.ready()
        assert theirs.data["status"] == "waiting"
        async with AsyncClient(server.url, cookie=host.http.cookie) as again:
            back = await again.watch(table.id)
            assert back.data["status"] == "playing"
            await theirs.until(lambda: theirs.view is not None)
        await other.close()

    asyncio.run(run())


def test_who_stays_away_is_ready_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tanistry.server.waiting.READY", 1e-9)

    async def do(hall: Hall) -> None:
        live = await verbs.create(hall, new_table("fischer"))
        who = Somebody("p_1")
        await verbs.ready(hall, live, who, say_ready(live))
        await waiting.look(hall, live)
        assert live.info.seats[1].ready, "who is here stays ready"
        hall.depart(live, who)
        await waiting.look(hall, live)
        assert not live.info.seats[1].ready
        with pytest.raises(Refused, match="table/not-ready"):
            await verbs.start(hall, live, Somebody("p_0"), m.Start(type="start", table="x"))

    with_hall(tmp_path, do)


def test_nobody_is_ready_for_ever_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def do(hall: Hall) -> None:
        monkeypatch.setattr("tanistry.server.waiting.READY", 1e9)
        made = new_table("fischer", ready=True)
        await hall.store.insert_table(made)
        live = await hall.get(made.id)
        hall.arrive(live, Somebody("p_1"))
        await waiting.look(hall, live)
        assert [held.ready for held in live.info.seats] == [True, True], "they may come at once"
        monkeypatch.setattr("tanistry.server.waiting.READY", 1e-9)
        await waiting.look(hall, live)
        assert [held.ready for held in live.info.seats] == [False, True]

    with_hall(tmp_path, do)


def test_two_workers_begin_one_match_when_both_are_here(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        other = Hall(hall.config, hall.store)
        for there in (hall, other):
            there.sync.bus.open()
        live = await verbs.create(hall, new_table("fischer"))
        theirs = await other.get(live.info.id)
        async with live.lock:
            await verbs.ready(hall, live, Somebody("p_0"), say_ready(live))
        async with theirs.lock:
            await verbs.ready(other, theirs, Somebody("p_1"), say_ready(live))
        await eventually(lambda: live.table.match is not None and theirs.table.match is not None)
        assert live.info.started == theirs.info.started
        await other.close()

    with_hall(tmp_path, do, workers=2)


def new_table(clock: str = "none", ready: bool = False, **more: Any) -> Info:
    seats = [Seat(seat, "person", f"p_{seat}", "", ready) for seat in range(2)]
    return verbs.new_info("claim", {}, seats, "p_0", clock=Clock(clock, 300), **more)


async def over(hall: Hall) -> Live:
    live = await verbs.create(hall, new_table(ready=True, rated=False), start=True)
    await verbs.resign(hall, live, Somebody("p_0"), m.Resign(type="resign", table=live.info.id))
    return live


def test_a_rematch_is_an_offer(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        live = await over(hall)
        asks, asked = Somebody("p_0"), Somebody("p_1")
        again = m.Rematch(type="rematch", table=live.info.id)
        await verbs.rematch(hall, live, asks, again)
        offer = await hall.get(live.info.rematch or "")
        assert [held.kind for held in offer.info.seats] == ["open", "person"]
        with pytest.raises(Refused, match="table/not-full"):
            await verbs.start(hall, offer, asks, m.Start(type="start", table=offer.info.id))
        await verbs.rematch(hall, live, asks, again)
        assert offer.info.status == "waiting", "to ask twice does not accept for the other"
        hall.depart(offer, asks)
        await verbs.rematch(hall, live, asked, again)
        assert offer.info.agreed
        assert offer.info.status == "waiting", "who asked has gone meanwhile"
        await verbs.rematch(hall, live, asks, again)
        assert offer.info.status == "playing"
        assert offer.info.seat_of("p_1") == 0

    with_hall(tmp_path, do)


def test_a_seat_that_is_kept_is_given_away_by_a_word_only(tmp_path: Path) -> None:
    """Who asks for a rematch does not begin without the other unawares, and the other is told what
    is true."""

    async def do(hall: Hall) -> None:
        asks, asked, third = (Somebody(f"p_{n}") for n in range(3))
        live = await over(hall)
        again = m.Rematch(type="rematch", table=live.info.id)
        await verbs.rematch(hall, live, asks, again)
        offer = await hall.get(live.info.rematch or "")
        id = offer.info.id
        with pytest.raises(Refused, match="table/kept"):
            await verbs.start(hall, offer, asks, m.Start(type="start", table=id, bots=True))
        bot = m.SetSeat(type="seat", table=id, seat=0, kind="bot", bot="random")
        with pytest.raises(Refused, match="table/kept"):
            await verbs.set_seat(hall, offer, asks, bot)
        seat = m.SetSeat(type="seat", table=id, seat=0, kind="open")
        await verbs.set_seat(hall, offer, asks, seat)
        await verbs.sit(hall, offer, third, m.Sit(type="sit", table=id))
        no = m.Rematch(type="rematch", table=live.info.id, do="decline")
        for verb in (again, no):
            with pytest.raises(Refused, match="table/given"):
                await verbs.rematch(hall, live, asked, verb)
        await verbs.stand(hall, offer, third, m.Stand(type="stand", table=id))
        await verbs.rematch(hall, live, asked, again)
        assert offer.info.seat_of("p_1") == 0, "whatever is free is theirs as well"

    with_hall(tmp_path, do)


def test_a_rematch_can_be_declined(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        asks, asked = Somebody("p_0"), Somebody("p_1")
        for who in (asked, asks):  # who asked takes it back
            live = await over(hall)
            again = m.Rematch(type="rematch", table=live.info.id)
            no = m.Rematch(type="rematch", table=live.info.id, do="decline")
            with pytest.raises(Refused, match="table/no-rematch"):
                await verbs.rematch(hall, live, who, no)
            await verbs.rematch(hall, live, asks, again)
            await verbs.rematch(hall, live, who, no)
            offer = await hall.get(live.info.rematch or "")
            assert offer.info.status == "closed"
            assert offer.info.seat_of(who.player) is None
            for verb in (again, no):
                with pytest.raises(Refused, match="table/rematch"):
                    await verbs.rematch(hall, live, asked, verb)

    with_hall(tmp_path, do)


def test_among_several_the_others_may_go_on_without_who_declines(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(3)]
        info = verbs.new_info("kilt", {}, seats, "p_0", rated=False)
        live = await verbs.create(hall, info, start=True)
        draw = live.table.check_end("draw", None, 1)
        await hall.store_row(live, draw)
        again = m.Rematch(type="rematch", table=info.id)
        no = m.Rematch(type="rematch", table=info.id, do="decline")
        one, two, three = (Somebody(f"p_{seat}") for seat in range(3))
        await verbs.rematch(hall, live, one, again)
        await verbs.rematch(hall, live, two, no)
        offer = await hall.get(live.info.rematch or "")
        await verbs.rematch(hall, live, three, again)
        assert offer.info.status == "waiting"
        start = m.Start(type="start", table=offer.info.id, bots=True)
        await verbs.start(hall, offer, one, start)
        kinds = sorted((held.kind, held.player) for held in offer.info.seats if held.player)
        assert (offer.info.status, kinds) == ("playing", [("person", "p_0"), ("person", "p_2")])

    with_hall(tmp_path, do)


def test_to_sit_at_a_rematch_is_not_to_be_ready(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        seats = [Seat(0, "person", "p_0", "", True), verbs.bot_seat(1, "random", None)]
        info = verbs.new_info("claim", {}, seats, "p_0", rated=False)
        live, one = await verbs.create(hall, info, start=True), Somebody("p_0")
        await verbs.resign(hall, live, one, m.Resign(type="resign", table=info.id))
        again = m.Rematch(type="rematch", table=info.id, ready=False)
        await verbs.rematch(hall, live, one, again)
        following = await hall.get(live.info.rematch or "")
        assert following.info.status == "waiting"
        nonce = "ab" * 16
        again = m.Rematch(type="rematch", table=info.id, nonce=nonce)
        await verbs.rematch(hall, live, one, again)
        assert following.info.status == "playing"
        assert [held.nonce for held in following.info.seats] == [None, nonce]

    with_hall(tmp_path, do)


def test_two_workers_make_one_rematch(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        live = await over(hall)
        other = Hall(hall.config, hall.store)
        theirs = await other.get(live.info.id)
        again = m.Rematch(type="rematch", table=live.info.id)

        async def ask(hall: Hall, live: Live, player: str) -> None:
            async with live.lock:
                await verbs.rematch(hall, live, Somebody(player), again)

        for there in (hall, other):
            there.sync.bus.open()
        await asyncio.gather(ask(hall, live, "p_0"), ask(other, theirs, "p_1"))
        (found,) = await hall.store.infos(table_rows.c.rematch_of == live.info.id)
        assert found.id == live.info.rematch
        offer = await hall.get(found.id)
        await eventually(lambda: offer.info.status == "playing")
        await other.close()

    with_hall(tmp_path, do, workers=2)


# -- ratings --------------------------------------------------------------------------------------


async def rated(store: Store, *ids: str) -> Table:
    seats = [Seat(number, "person", id, "", True) for number, id in enumerate(ids)]
    info = verbs.new_info("claim", {}, seats, ids[0])
    info.begin(now_ms())
    await store.insert_table(info)
    return Table(info)


async def won_by_second(store: Store, *ids: str, choices: int = 4) -> None:
    """A match that the first resigns after some choices."""
    table = await rated(store, *ids)
    for _ in range(choices):
        token = table.look().legal[0]
        row = Row(table.turn, table.to_act, "play", token, now_ms())
        assert await write_row(store, table, row)
        table.apply(row)
    assert await write_row(store, table, table.check_end("resign", 0, now_ms()))


async def value(store: Store, id: str) -> float:
    found = await store.read(sa.select(ratings.c.mu).where(ratings.c.player == id))
    return float(found[0].mu) if found else 25.0


async def long_here(store: Store, count: int) -> list[str]:
    rows = [await People(store).new_guest() for _ in range(count)]
    await store.execute(sa.update(players).values(created=now_ms() - 2 * DAY))
    return [row.id for row in rows]


def test_a_match_counts_after_some_play(database: str) -> None:
    async def do(store: Store) -> None:
        loses, wins = await long_here(store, 2)
        await won_by_second(store, loses, wins, choices=1)
        assert await value(store, wins) == 25
        await won_by_second(store, loses, wins)
        assert await value(store, wins) > 25 > await value(store, loses)

    with_store(database, do)


def test_the_same_opponent_again_counts_less_and_then_nothing(database: str) -> None:
    async def do(store: Store) -> None:
        loses, wins, another = await long_here(store, 3)
        gains, before = [], 25.0
        for _ in range(5):
            await won_by_second(store, loses, wins)
            gains.append(await value(store, wins) - before)
            before += gains[-1]
        assert gains[0] > gains[1] > gains[2] > 0
        assert gains[3:] == [0, 0]
        await won_by_second(store, another, wins)
        assert await value(store, wins) > before

    with_store(database, do)


def test_many_who_came_today_are_worth_one_match_at_most(database: str) -> None:
    async def do(store: Store) -> None:
        (wins,) = await long_here(store, 1)
        for _ in range(8):
            guest = await People(store).new_guest()
            await won_by_second(store, guest.id, wins)
        farmed = await value(store, wins)
        honest, other = await long_here(store, 2)
        await won_by_second(store, other, honest)
        assert 25 < farmed < await value(store, honest)

    with_store(database, do)


def test_a_bot_in_ones_place_does_not_play_for_a_rating(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        live = await verbs.create(hall, new_table(ready=True), start=True)
        bot = m.StandIn(type="bot", table=live.info.id, seat=0)
        with pytest.raises(Refused, match="table/rated"):
            await verbs.stand_in(hall, live, Somebody("p_0"), bot)
        live.info.seats[1].stand_in = True
        assert rating.left_early(live.table) == {1}

    with_hall(tmp_path, do)
