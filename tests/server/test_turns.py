"""Matches that take days: whose turn it is."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tanistry.server import verbs
from tanistry.server.clocks import DAY, Clock, now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Seat
from tanistry.server.refusals import Refused
from tanistry.server.schema import tables as table_rows
from tanistry.server.tables import Row
from tanistry.server.turns import turns
from tests.server.processes import Process
from tests.server.test_hall import with_hall
from tests.server.test_play import seat_two


async def start(hall: Hall, clock: Clock, first: int, *people: str) -> str:
    """A match of some people, the rest bots; by its id."""
    seats = [Seat(seat, "person", player, player, True) for seat, player in enumerate(people)]
    seats += [verbs.bot_seat(seat, "random", None) for seat in range(len(people), 2)]
    info = verbs.new_info("claim", {"first": first}, seats, people[0], clock=clock)
    return (await verbs.create(hall, info, start=True)).info.id


def test_what_waits_for_me_comes_first(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        week, day = Clock("days", days=7), Clock("days", days=1)
        theirs = await start(hall, day, 1, "me", "other")
        later = await start(hall, week, 0, "me", "other")
        soon = await start(hall, day, 0, "me", "other")
        untimed = await start(hall, Clock(), 1, "other", "me")
        await start(hall, Clock(), 0, "me")  # with a bot
        await start(hall, day, 0, "other", "third")
        broken = await start(hall, day, 0, "me", "other")
        hall.registry.live.pop(broken).stop()
        await hall.store.write(broken, Row(1, 0, "play", "K7", 1))  # a gap
        found = await turns(hall, "me")
        order = [turn["table"]["id"] for turn in found["turns"]]
        assert order == [soon, later, untimed, theirs]
        assert [turn["mine"] for turn in found["turns"]] == [True, True, True, False]
        assert found["waiting"] == 3
        left = [turn["left"] for turn in found["turns"]]
        assert 0 < DAY - left[0] < DAY / 2
        assert left[2] is None

    with_hall(tmp_path, do)


def test_a_day_that_passed_while_nobody_looked_ends_the_match(tmp_path: Path) -> None:
    """Also when the server was started anew in between."""

    async def do(hall: Hall) -> None:
        id = await start(hall, Clock("days", days=1), 0, "me", "other")
        hall.registry.live.pop(id).stop()
        past = {"started": now_ms() - 2 * DAY}
        await hall.store.execute(table_rows.update().where(table_rows.c.id == id).values(**past))
        restarted = Hall(hall.config, hall.store)
        live = await restarted.get(id)
        async with asyncio.timeout(60):
            while live.info.status != "over":
                await asyncio.sleep(0.01)
        assert live.table.ended == {
            "scores": None, "ranking": [[1], [0]], "ended_by": "flag", "by": 0
        }  # fmt: skip
        await restarted.close()

    with_hall(tmp_path, do)


def test_turns_over_the_wire(server: Process) -> None:
    async def run() -> None:
        one, two, id = await seat_two(server, clock={"kind": "days", "days": 3})
        await two.close()
        await one.tables[id].ready()
        await one.tables[id].until(lambda: one.tables[id].view is not None)
        (turn,) = (await one.request("GET", "/me/turns"))["turns"]
        assert (turn["mine"], turn["table"]["id"]) == (True, id)
        await one.tables[id].play(one.tables[id].legal[0])
        found = await one.request("GET", "/me/turns")
        assert (found["waiting"], found["turns"][0]["mine"]) == (0, False)
        await one.close()

    asyncio.run(run())


def test_nobody_has_no_turns(server: Process) -> None:
    assert server.http().request("GET", "/me/turns")["turns"] == []
    assert Refused("table/by-days").say["fr"]
