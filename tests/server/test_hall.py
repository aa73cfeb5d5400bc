"""The hall by itself, on a store that does not always take what it is given."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from math import inf
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tanistry.server import messages as m
from tanistry.server import recovery, verbs
from tanistry.server.clocks import Clock, now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Seat
from tanistry.server.live import Live
from tanistry.server.people import People
from tanistry.server.rating import shown_rating
from tanistry.server.refusals import Refused
from tanistry.server.replays import record
from tanistry.server.schema import players, ratings
from tanistry.server.schema import tables as table_rows
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.tables import Row
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
    monkeypatch.setattr("tanistry.server.timers.AGAIN", 0.01)
    monkeypatch.setattr("tanistry.server.timers.SELDOM", 0.04)
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


def test_a_bots_turn_waits_for_a_database_that_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where another worker stored the last choice, it is read again first."""
    monkeypatch.setattr("tanistry.server.timers.AGAIN", 0)
    monkeypatch.setattr("tanistry.server.timers.OTHERS_GRACE", 0)
    tries: list[Live] = []

    async def do(hall: Hall) -> None:
        store_row, read = hall.store_row, hall.sync.read_locked

        async def store_as_another(live: Live, *given: Any) -> Any:
            stored = await store_row(live, *given)
            live.ours = False
            return stored

        async def read_seldom(live: Live) -> None:
            tries.append(live)
            if len(tries) % 2:
                raise Refused("server/busy")
            await read(live)

        monkeypatch.setattr(hall, "store_row", store_as_another)
        monkeypatch.setattr(hall.sync, "read_locked", read_seldom)
        seats = [verbs.bot_seat(seat, "random", None) for seat in range(2)]
        live = await verbs.create(hall, verbs.new_info("claim", {}, seats, "one"), start=True)
        await eventually(lambda: live.info.status == "over")

    with_hall(tmp_path, do)
    assert len(tries) > 20


def test_a_flag_that_cannot_be_stored_falls_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tanistry.server.timers.AGAIN", 0.01)
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
        clock = Clock("fischer", seconds=0)
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
    monkeypatch.setattr("tanistry.server.recovery.PAGE", 2)
    timed, recent = [], []

    async def do(hall: Hall) -> None:
        for number in range(12):
            seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
            clock = Clock("days", days=30) if number % 3 == 0 else Clock()
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
        running = recovery._running

        async def counted(*given: Any) -> Any:
            found = await running(*given)
            pages.append(len(found))
            return found

        monkeypatch.setattr(recovery, "_running", counted)
        await recovery.recover(hall.store, hall.get)
        assert set(hall.registry.live) == {*timed, *recent}
        assert pages == [2, 2, 2, 2, 0]

    with_hall(tmp_path, do)


def test_what_others_did_where_nobody_watches_is_looked_up(tmp_path: Path) -> None:
    """Two workers that do not hear each other, as hosts without Redis or while it is away."""

    async def do(hall: Hall) -> None:
        other = Hall(hall.config, hall.store)
        seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
        info = verbs.new_info("claim", {}, seats, "p_0", rated=False)
        here = await verbs.create(hall, info)
        there = await other.get(info.id)
        who = Somebody("p_0")
        for seat in range(2):
            other.arrive(there, Somebody(f"p_{seat}"))
        await verbs.start(other, there, who, m.Start(type="start", table=info.id))
        assert (await hall.get(info.id)).info.status == "playing"
        await verbs.resign(other, there, who, m.Resign(type="resign", table=info.id))
        assert (await hall.get(info.id)) is here
        assert (here.info.status, here.table.turn) == ("over", 1)
        assert record(here.table)
        await other.close()

    with_hall(tmp_path, do, workers=2)


@pytest.mark.parametrize("reads", ["sync.look", "moved"])
def test_a_table_that_cannot_be_read_keeps_no_other_from_being_read(
    reads: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def do(hall: Hall) -> None:
        other = Hall(hall.config, hall.store)
        seats = [Seat(0, "person", "p_0", "", True), Seat(1)]
        infos = [verbs.new_info("claim", {}, seats, "p_0", rated=False) for _ in range(2)]
        here = [await verbs.create(hall, info) for info in infos]
        broken, sound = [await other.get(info.id) for info in infos]
        for live in here:
            await hall.change(live, lambda info: info.close(now_ms()))
        read = other.sync.read

        async def read_most(live: Live) -> None:
            if live is broken:
                raise ArithmeticError("a bug")
            await read(live)

        monkeypatch.setattr(other.sync, "read", read_most)
        for _ in range(3):
            await attrgetter(reads)(other)([info.id for info in infos])
        assert (broken.info.status, sound.info.status) == ("waiting", "closed")
        await other.close()

    with_hall(tmp_path, do, workers=2)
    assert sum("a bug" in (record.exc_text or "") for record in caplog.records) == 1, "told once"


def test_a_table_with_a_gap_keeps_no_other_from_being_taken_up(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
        made = []
        for number in range(2):
            info = verbs.new_info("claim", {}, seats, "p_0")
            info.status, info.created, info.started = "playing", number, now_ms()
            await hall.store.insert_table(info)
            made.append(info.id)
        await hall.store.write(made[1], Row(1, 0, "play", "K7", 1))  # the newest is read first
        await recovery.recover(hall.store, hall.get)
        assert list(hall.registry.live) == [made[0]]
        with pytest.raises(Refused, match="table/damaged"):
            await hall.get(made[1])

    with_hall(tmp_path, do)


class Somebody:
    """At the other end of a connection, and not listening."""

    name = ""
    say = None
    session = ""
    address = ""

    def __init__(self, player: str) -> None:
        self.player = player
        self.watching: set[str] = set()

    def send(self, frame: bytes) -> None:
        pass

    def cut_off(self, refusal: Refused) -> None:
        pass


async def two_persons(hall: Hall) -> tuple[Live, list[Somebody]]:
    """A match of two who may agree on a draw."""
    seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
    info = verbs.new_info("claim", {}, seats, "p_0", rated=False)
    live = await verbs.create(hall, info, start=True)
    return live, [Somebody(f"p_{seat}") for seat in range(2)]


def a_choice(live: Live) -> m.Play:
    token = live.table.look().legal[0]
    return m.Play(type="play", table=live.info.id, turn=live.table.turn, token=token)


def test_ratings_are_told_from_the_first_moment(tmp_path: Path) -> None:
    """Of who made a rated table, of who sits down, and in the match; not only after a reload."""

    async def do(hall: Hall) -> None:
        values = {"game": "claim", "sigma": 2.0, "matches": 3}
        for player, mu in (("p_0", 30.0), ("p_1", 20.0)):
            row = {"id": player, "name": player, "session": 0, "created": 1}
            await hall.store.execute(sa.insert(players).values(**row))
            await hall.store.execute(sa.insert(ratings).values(player=player, mu=mu, **values))
        known = [shown_rating(30.0), shown_rating(20.0)]
        held = [Seat(0, "person", "p_0", "", True), Seat(1)]
        live = await verbs.create(hall, verbs.new_info("claim", {}, held, "p_0"))

        def told() -> list[int | None]:
            return [seat["rating"] for seat in live.table.data(None, set())["seats"]]

        assert told() == [known[0], None]
        one, two = Somebody("p_0"), Somebody("p_1")
        hall.arrive(live, one)
        await verbs.sit(hall, live, two, m.Sit(type="sit", table=live.info.id))
        assert told() == known
        await verbs.ready(hall, live, two, m.Ready(type="ready", table=live.info.id))
        assert live.info.status == "playing"
        assert told() == known

    with_hall(tmp_path, do)


def test_an_offer_that_has_lapsed_is_none_for_any_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It follows from the choices that are stored: nothing else need be, and nothing can be lost
    between the two."""

    async def do(hall: Hall) -> None:
        live, persons = await two_persons(hall)
        asked = live.table.to_act or 0
        offer = m.Draw(type="draw", table=live.info.id, do="offer")
        accept = m.Draw(type="draw", table=live.info.id, do="accept")
        await verbs.draw(hall, live, persons[1 - asked], offer)
        other = Hall(hall.config, hall.store)
        theirs = await other.get(live.info.id)
        assert theirs.table.data(None, set())["draw_offer"] == 1 - asked

        async def away(_info: Any) -> bool:
            raise Refused("server/busy")

        with monkeypatch.context() as gone:
            gone.setattr(hall.store, "update_table", away)
            assert await verbs.play(hall, live, persons[asked], a_choice(live))
        restarted = Hall(hall.config, hall.store)
        for worker in (hall, other, restarted):
            seen = await worker.get(live.info.id)
            assert (seen.table.turn, seen.table.data(None, set())["draw_offer"]) == (1, None)
            with pytest.raises(Refused, match="table/no-offer"):
                await verbs.draw(worker, seen, persons[asked], accept)
        await verbs.draw(other, theirs, persons[asked], offer)
        assert (await hall.get(live.info.id)).table.draw_offer == asked
        await restarted.close()
        await other.close()

    with_hall(tmp_path, do, workers=2)


def test_an_offer_lapses_when_a_bot_chooses_for_who_was_asked(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        live, persons = await two_persons(hall)
        asked = live.table.to_act or 0
        offer = m.Draw(type="draw", table=live.info.id, do="offer")
        await verbs.draw(hall, live, persons[1 - asked], offer)
        bot = m.StandIn(type="bot", table=live.info.id, seat=asked)
        await verbs.stand_in(hall, live, persons[asked], bot)
        await eventually(lambda: live.table.turn > 0 and live.info.draw_offer is None)

    with_hall(tmp_path, do)


def test_two_who_offer_a_draw_at_once_by_two_workers_have_agreed(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        live, persons = await two_persons(hall)
        other = Hall(hall.config, hall.store)
        theirs = await other.get(live.info.id)
        offer = m.Draw(type="draw", table=live.info.id, do="offer")

        async def ask(hall: Hall, live: Live, who: Somebody) -> None:
            async with live.lock:
                await verbs.draw(hall, live, who, offer)

        await asyncio.gather(ask(hall, live, persons[0]), ask(other, theirs, persons[1]))
        (found,) = await hall.store.infos(table_rows.c.id == live.info.id)
        assert (found.status, (found.result or {})["ended_by"]) == ("over", "draw")
        for worker in (hall, other):
            assert (await worker.get(live.info.id)).info.status == "over"
        await other.close()

    with_hall(tmp_path, do, workers=2)


@pytest.mark.parametrize("verb", ["draw", "bot", "back"])
def test_nothing_is_changed_at_a_match_that_another_worker_has_ended(
    verb: str, tmp_path: Path
) -> None:
    async def do(hall: Hall) -> None:
        live, persons = await two_persons(hall)
        other = Hall(hall.config, hall.store)
        resigns = m.Resign(type="resign", table=live.info.id)
        await verbs.resign(other, await other.get(live.info.id), persons[1], resigns)
        assert live.info.status == "playing", "not heard of yet"
        message: Any = {
            "draw": m.Draw(type="draw", table=live.info.id, do="offer"),
            "bot": m.StandIn(type="bot", table=live.info.id, seat=0),
            "back": m.Back(type="back", table=live.info.id),
        }[verb]
        with pytest.raises(Refused, match="table/over"):
            await verbs.LOCKED[verb](hall, live, persons[0], message)  # type: ignore[operator]
        (found,) = await hall.store.infos(table_rows.c.id == live.info.id)
        assert (found.status, found.draw_offer) == ("over", None)
        assert not any(held.stand_in for held in found.seats)
        await other.close()

    with_hall(tmp_path, do, workers=2)


def test_who_resigned_is_in_lists_and_takes_nothing_back(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in (0, 1)]
        seats.append(verbs.bot_seat(2, "random", None))
        info = verbs.new_info("kilt", {}, seats, "p_0", rated=False)
        live = await verbs.create(hall, info, start=True)
        await eventually(lambda: live.table.to_act == 0)
        async with live.lock:
            token = live.table.look().legal[0]
            choice = live.table.check_play(0, live.table.turn, token, 1)
            assert choice is not None
            await hall.store_row(live, choice)
            await hall.store_row(live, live.table.check_end("resign", 0, 2))
            with pytest.raises(Refused, match="table/no-undo"):
                live.table.check_undo(0, 3)
            listed = hall.lobby.listed(live.info, "p_0")["seats"][0]
            assert (listed["resigned"], listed["bot_plays"]) == (True, True)

    with_hall(tmp_path, do)


def test_among_bots_alone_a_match_that_is_resigned_is_over(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        seats = [Seat(0, "person", "p_0", "", True)]
        seats += [verbs.bot_seat(seat, "random", None) for seat in (1, 2)]
        info = verbs.new_info("kilt", {}, seats, "p_0", rated=False)
        live = await verbs.create(hall, info, start=True)
        resign = m.Resign(type="resign", table=live.info.id)
        async with live.lock:
            told = await verbs.resign(hall, live, Somebody("p_0"), resign)
        ended = {"scores": None, "ranking": [[1, 2], [0]], "ended_by": "resign", "by": 0}
        assert (told["table"]["status"], told["table"]["result"]) == ("over", ended)

    with_hall(tmp_path, do)


def test_who_leaves_another_worker_has_been_away_since_then(tmp_path: Path) -> None:
    """Not since this worker took up the table: a bot would be let in at once."""

    async def do(hall: Hall) -> None:
        seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in (0, 1)]
        live = await verbs.create(hall, verbs.new_info("claim", {}, seats, "p_0"), start=True)
        live.loaded = -inf
        assert live.away(1) == inf
        for here in (True, False):
            news = {"from": "another", "table": live.info.id, "player": "p_1", "here": here}
            hall.sync._heard(news)
            assert (1 in live.present()) == here
        assert live.away(1) < inf

    with_hall(tmp_path, do, workers=2)


def test_other_workers_hear_of_seats_that_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[dict[str, Any]] = []

    async def do(hall: Hall) -> None:
        people = People(hall.store)
        guest, account = [await people.new_guest() for _ in range(2)]
        info = verbs.new_info("claim", {}, [Seat(0, "person", guest.id), Seat(1)], guest.id)
        live = await verbs.create(hall, info)
        monkeypatch.setattr(hall.sync.bus, "publish", lambda **news: said.append(news))
        await hall.moved(await people.adopt(guest.id, account.id))
        assert (live.info.host, live.info.seat_of(account.id)) == (account.id, 0)

    with_hall(tmp_path, do, workers=2)
    assert [news["revision"] for news in said if "revision" in news] == [1]


def test_an_end_that_an_older_server_did_not_store_is_made_up_for(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        seats = [verbs.bot_seat(seat, "random", None) for seat in range(2)]
        live = await verbs.create(hall, verbs.new_info("claim", {}, seats, "x"), start=True)
        await eventually(lambda: live.info.status == "over")
        gone = {"status": "playing", "result": None, "ended": None}
        await hall.store.execute(sa.update(table_rows).values(**gone))
        other = Hall(hall.config, hall.store)
        found = (await other.get(live.info.id)).info
        assert (found.status, found.result) == ("over", live.info.result)
        await other.close()

    with_hall(tmp_path, do)
