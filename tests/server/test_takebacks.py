"""Take-backs among people: one asks, the others say yes or no, and nothing happens without them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import tanistry
from tanistry.client import AsyncClient, RefusedByServer
from tanistry.server import messages as m
from tanistry.server import verbs
from tanistry.server.clocks import Clock
from tanistry.server.hall import Hall
from tanistry.server.info import Seat
from tanistry.server.live import Live
from tanistry.server.refusals import Refused
from tanistry.server.tables import Row, Table
from tests.patience import eventually
from tests.server.processes import Process
from tests.server.test_hall import Somebody, a_choice, with_hall
from tests.server.test_play import play_out, seat_two

OFFER = {"seat", "agreed", "revealed"}


async def refused(asking: Any) -> str:
    with pytest.raises(RefusedByServer) as found:
        await asking
    return found.value.code


def test_the_match_goes_back_for_everybody_and_stays_there(own_server: Process) -> None:
    """Also when the server is killed right after; the record is that of the match as it stands."""

    async def run() -> None:
        server = own_server.start()
        one, two, id = await seat_two(server, rated=False)
        watcher = AsyncClient(server.url)
        heard: list[str] = []
        watcher.heard = heard.append
        await watcher.connect()
        seen = await watcher.watch(id)
        mine, theirs = one.tables[id], two.tables[id]
        await mine.start()
        promised = mine.data["fairness"]["commitment"]
        await asyncio.gather(
            *(table.until(lambda table=table: table.view is not None) for table in (theirs, seen)),
            mine.your_turn(),
        )
        before = mine.view, theirs.view, seen.view
        assert await refused(mine.ask("undo")) == "table/no-undo"
        assert await refused(theirs.ask("undo", do="accept")) == "table/no-undo-offer"
        await mine.play(mine.legal[0])
        answer = await mine.ask("undo", do="offer")
        assert answer["table"]["undo_offer"] == {"seat": 0, "agreed": [], "revealed": False}
        assert await refused(mine.ask("undo", do="accept")) == "table/no-undo-offer"
        await mine.ask("undo", do="offer")  # one's own word is not enough, however often it is said
        assert mine.turn == 1
        await theirs.until(lambda: theirs.data["undo_offer"] is not None)
        assert await refused(theirs.ask("undo", do="offer")) == "table/undo-asked"
        assert await refused(seen.ask("undo", do="accept")) == "table/not-seated"
        state = await theirs.ask("undo", do="accept")
        assert (state["type"], state["turn"], state["events"]) == ("state", 2, [])
        for table, view in zip((mine, theirs, seen), before):
            await table.until(lambda table=table: table.turn == 2)
            assert table.view == view
            await table.until(lambda table=table: table.data["undo_offer"] is None)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        await asyncio.gather(play_out(mine), play_out(theirs))
        await mine.ended()
        record = await one.request("GET", f"/tables/{id}/record")
        match = tanistry.replay(record)
        assert len(match.history) == 52
        assert match.result.scores == mine.result["scores"]  # type: ignore[union-attr,index]
        found = await one.request("POST", "/verify", {"record": record})
        assert (found["holds"], found["commitment"]) == (True, promised)
        steps = (await one.request("GET", f"/tables/{id}/replay"))["steps"]
        assert [step["token"] for step in steps[1:]] == [token for _, token in match.history]
        for client in (one, two, watcher):
            await client.close()
        offers = [
            message["table"]["undo_offer"]
            for message in map(json.loads, heard)
            if message["type"] == "table" and message["table"]["undo_offer"]
        ]
        assert offers
        assert all(set(offer) == OFFER for offer in offers), "no more is told than who asks"

    asyncio.run(run())


def test_no_is_no(server: Process) -> None:
    async def run() -> None:
        one, two, id = await seat_two(server, rated=False)
        mine, theirs = one.tables[id], two.tables[id]
        await mine.start()
        await mine.your_turn()
        await mine.play(mine.legal[0])
        for who in (theirs, mine):  # declined, and thought better of
            await mine.ask("undo")
            await who.ask("undo", do="decline")
            await mine.until(lambda: mine.data["undo_offer"] is None)
        assert await refused(theirs.ask("undo", do="accept")) == "table/no-undo-offer"
        assert mine.turn == 1
        await one.close()
        await two.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("choices", "code"),
    [({"rated": True}, "table/rated-undo"), ({"takebacks": False}, "table/no-takebacks")],
)
def test_where_nothing_is_taken_back(server: Process, choices: Any, code: str) -> None:
    async def run() -> None:
        one, two, id = await seat_two(server, **{"rated": False, **choices})
        mine = one.tables[id]
        await mine.start()
        await mine.your_turn()
        await mine.play(mine.legal[0])
        assert await refused(mine.ask("undo")) == code
        await one.close()
        await two.close()

    asyncio.run(run())


# -- by the hall itself ---------------------------------------------------------------------------


async def match_of(hall: Hall, game: str, count: int, **more: Any) -> tuple[Live, list[Somebody]]:
    seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(count)]
    info = verbs.new_info(game, {}, seats, "p_0", **{"rated": False, **more})
    info.seed = bytes(32)  # the same cards each time
    live = await verbs.create(hall, info, start=True)
    return live, [Somebody(f"p_{seat}") for seat in range(count)]


def say(live: Live, do: Any = "offer") -> m.Undo:
    return m.Undo(type="undo", table=live.info.id, do=do)


def test_all_others_are_asked(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        live, people = await match_of(hall, "lords", 3)
        asks = live.table.to_act or 0
        others = [seat for seat in range(3) if seat != asks]
        await verbs.play(hall, live, people[asks], a_choice(live))
        assert await verbs.undo(hall, live, people[asks], say(live)) is None
        assert await verbs.undo(hall, live, people[others[0]], say(live, "accept")) is None
        offer = live.table.undo_offer or {}
        assert (offer["agreed"], live.table.turn) == ([others[0]], 1)
        found = await verbs.undo(hall, live, people[others[1]], say(live, "accept"))
        assert found is not None
        assert (live.table.turn, live.table.standing, live.table.to_act) == (2, [], asks)
        assert live.info.undo_offer is None

    with_hall(tmp_path, do)


def test_who_has_a_bot_play_cannot_be_asked(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        live, people = await match_of(hall, "claim", 2)
        first = live.table.to_act or 0
        await verbs.play(hall, live, people[first], a_choice(live))
        live.info.seats[1 - first].stand_in = True
        with pytest.raises(Refused, match="table/nobody-asked"):
            await verbs.undo(hall, live, people[first], say(live))

    with_hall(tmp_path, do)


def test_two_workers_agree(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        live, people = await match_of(hall, "claim", 2)
        first = live.table.to_act or 0
        await verbs.play(hall, live, people[first], a_choice(live))
        await verbs.undo(hall, live, people[first], say(live))
        other = Hall(hall.config, hall.store)
        theirs = await other.get(live.info.id)
        await verbs.undo(other, theirs, people[1 - first], say(theirs, "accept"))
        here = await hall.get(live.info.id)
        assert here.table.turn == theirs.table.turn == 2
        for seat in (None, 0, 1):
            assert here.table.state(seat, 0, 0) == theirs.table.state(seat, 0, 0)
        assert here.info.undo_offer is None
        await other.close()

    with_hall(tmp_path, do, workers=2)


def test_an_offer_is_over_when_its_update_was_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that dies between the choice and the offer's end leaves no offer behind."""

    async def do(hall: Hall) -> None:
        live, people = await match_of(hall, "claim", 2)
        first = live.table.to_act or 0
        await verbs.play(hall, live, people[first], a_choice(live))
        await verbs.undo(hall, live, people[first], say(live))

        async def away(_info: Any) -> bool:
            raise Refused("server/busy")

        with monkeypatch.context() as gone:
            gone.setattr(hall.store, "update_table", away)
            await verbs.undo(hall, live, people[1 - first], say(live, "accept"))
        restarted = Hall(hall.config, hall.store)
        again = await restarted.get(live.info.id)
        assert again.info.undo_offer is not None
        assert again.table.undo_offer is None
        with pytest.raises(Refused, match="table/no-undo-offer"):
            await verbs.undo(restarted, again, people[1 - first], say(again, "accept"))
        await restarted.close()

    with_hall(tmp_path, do)


# -- by the table itself --------------------------------------------------------------------------


def table_of(seats: list[Seat], seed: int = 0, clock: Clock | None = None) -> Table:
    info = verbs.new_info("claim", {}, seats, "p_0", rated=False, clock=clock or Clock())
    info.seed = bytes([seed]) * 32
    info.begin(0)
    return Table(info)


def people(count: int = 2) -> list[Seat]:
    return [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(count)]


def play_at(table: Table, at: int = 0) -> None:
    token = table.look().legal[0]
    table.apply(Row(table.turn, table.to_act, "play", token, at))


def test_an_offer_lapses_by_a_choice_and_by_nothing_less() -> None:
    table = table_of(people())
    lapsed = stood = 0
    while table.turn < 50:  # trick by trick
        leads = table.to_act or 0
        play_at(table)
        table.info.undo_offer = table.check_undo_offer(leads)
        forced = len(table.look().legal) == 1
        play_at(table)
        assert (table.undo_offer is not None) == forced
        lapsed, stood = lapsed + (not forced), stood + forced
    assert lapsed
    assert stood, "a single card is played for people"
    table = table_of([people()[0], Seat(1, "bot", None, "", True, "random")])
    play_at(table)
    table.info.undo_offer = {"seat": 0, "turn": 1, "remain": 0, "revealed": False, "agreed": []}
    play_at(table)
    assert table.undo_offer is not None, "bots do not wait for people"


def test_what_was_seen_since_is_told() -> None:
    table = table_of(people())
    play_at(table)
    assert not table.check_undo_offer(0)["revealed"], "one's own card was known"
    play_at(table)
    assert table.check_undo_offer(0)["revealed"], "the other has shown a card"


def test_everybody_keeps_the_time_that_is_left() -> None:
    table = table_of(people(), clock=Clock("fischer", seconds=60, increment=0))
    play_at(table, 10_000)
    offer = table.check_undo_offer(0)
    table.apply(table.check_agreed(offer, 25_000))
    assert table.left == [50_000, 45_000]
    assert (table.to_act, table.flag_at()) == (0, 75_000)
    again = Table(table.info, table.rows)
    assert (again.left, again.since) == (table.left, table.since), "read anew, it is the same"
    days = table_of(people(), clock=Clock("days", days=1))
    play_at(days, 10_000)
    days.apply(days.check_agreed(days.check_undo_offer(0), 25_000))
    assert days.flag_at() == 25_000 + 86_400_000, "a whole day for the choice"


def test_spectators_who_see_later_hear_of_it_later(server: Process) -> None:
    async def run() -> None:
        delayed = {"allowed": True, "delay": 3600}
        one, two, id = await seat_two(server, rated=False, spectators=delayed)
        async with AsyncClient(server.url) as watcher:
            mine, theirs = one.tables[id], two.tables[id]
            await mine.start()
            await mine.your_turn()
            seen = await watcher.watch(id)
            await mine.play(mine.legal[0])
            await mine.ask("undo")
            await theirs.until(lambda: theirs.data["undo_offer"] is not None)
            await theirs.ask("undo", do="accept")
            await mine.until(lambda: mine.turn == 2)
            await watcher.ask("ping")
            assert (seen.turn, seen.data["undo_offer"]) == (0, None)
            await theirs.resign()
            await eventually(lambda: seen.turn == 3)
        await one.close()
        await two.close()

    asyncio.run(run())
