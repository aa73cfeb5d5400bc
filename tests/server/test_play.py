"""Matches through the client library, from quick play to the record."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import tanistry
from tanistry.client import AsyncClient, AsyncTable, Client, RefusedByServer
from tests.patience import PATIENCE, eventually
from tests.server.processes import COMMAND, Process


async def play_out(table: AsyncTable) -> None:
    while await table.your_turn():
        await table.play(table.legal[0])


async def seat_two(server: Process, **choices: object) -> tuple[AsyncClient, AsyncClient, str]:
    one = AsyncClient(server.url, name="Ailsa", say="en")
    two = AsyncClient(server.url, name="Rory")
    await one.connect()
    await two.connect()
    table = await one.create("claim", **choices)
    await (await two.watch(table.id)).sit()
    await two.tables[table.id].ready()
    return one, two, table.id


def test_quick_play_to_the_record(server: Process) -> None:
    with Client(server.url, name="Ailsa") as client:
        table = client.quick("claim", bot="random")
        assert table.seat == 0
        committed = table.data["fairness"]["commitment"]
        assert table.data["fairness"]["seed"] is None
        while not table.over:
            table.play(table.legal[0])
        table.ended()
        assert sorted(seat for group in table.result["ranking"] for seat in group) == [0, 1]
        record = client.request("GET", f"/tables/{table.id}/record")
        assert tanistry.replay(record).result.scores == table.result["scores"]
        assert client.request("POST", "/verify", {"record": record})["commitment"] == committed
        steps = client.request("GET", f"/tables/{table.id}/replay?say=fr")["steps"]
        assert len(steps) == 53
        assert all(steps[i]["events"] for i in range(1, 53))


def test_two_people_by_a_link(server: Process) -> None:
    async def run() -> None:
        one, two, id = await seat_two(server)
        assert one.tables[id].data["status"] == "waiting"
        await one.tables[id].ready()
        await asyncio.gather(play_out(one.tables[id]), play_out(two.tables[id]))
        result = await one.tables[id].ended()
        assert result is not None
        assert result["scores"] == (await two.tables[id].ended() or {})["scores"]
        assert one.tables[id].view["places"] == two.tables[id].view["places"]
        assert any("Ailsa" in event["text"] for event in one.tables[id].events)
        player = await one.request("GET", f"/players/{one.you['id']}")
        assert player["ratings"]["claim"]["matches"] == 1
        await one.close()
        await two.close()

    asyncio.run(run())


def test_refusals_are_answers(server: Process) -> None:
    with Client(server.url) as client:
        table = client.quick("claim", bot="random")
        with pytest.raises(RefusedByServer) as refused:
            table.ask("play", turn=0, token="no such card")
        assert refused.value.code == "move/unreadable"
        held = table.view["places"]["hand.0"]
        other = next(card for card in ("G1", "G2", "K2", "K3", "U1", "U2") if card not in held)
        with pytest.raises(RefusedByServer) as refused:
            table.ask("play", turn=0, token=other)
        assert (refused.value.code, refused.value.rule) == ("move/illegal", "common.illegal")
        assert set(refused.value.say) == {"en", "fr"}
        with pytest.raises(RefusedByServer) as refused:
            table.ask("play", turn=7, token=held[0])
        assert refused.value.code == "move/stale"
        with pytest.raises(RefusedByServer) as refused:
            client.request("GET", f"/tables/{table.id}/record")
        assert refused.value.code == "table/running"


def test_the_same_choice_twice_is_played_once(server: Process) -> None:
    with Client(server.url) as client:
        table = client.quick("claim", bot="random")
        token = table.legal[0]
        table.play(token)
        turn = table.turn
        assert table.ask("play", turn=0, token=token)["again"] is True
        assert table.turn == turn
        with pytest.raises(RefusedByServer) as refused:
            table.ask("play", turn=0, token="K2" if token != "K2" else "K3")
        assert refused.value.code == "move/stale"


def test_hint_and_take_back(server: Process) -> None:
    with Client(server.url, say="fr") as client:
        table = client.quick("claim", bot="random")
        before = table.view
        assert table.hint()["token"] in table.legal
        table.play(table.legal[0])
        assert table.turn > 1
        table.undo()
        assert table.view == before
        assert table.events == []
        table.play(table.legal[-1])
        with Client(server.url) as other:
            spectator = other.watch(table.id)
            with pytest.raises(RefusedByServer) as refused:
                spectator.ask("undo")
            assert refused.value.code == "table/not-seated"


def test_resign_draw_and_rematch(server: Process) -> None:
    async def run() -> None:
        one, two, id = await seat_two(server)
        await one.tables[id].start()
        await one.tables[id].until(lambda: one.tables[id].view is not None)
        await one.tables[id].ask("draw", do="offer")
        await two.tables[id].until(lambda: two.tables[id].data["draw_offer"] == 0)
        await two.tables[id].ask("draw", do="decline")
        await one.tables[id].until(lambda: one.tables[id].data["draw_offer"] is None)
        await two.tables[id].resign()
        result = await one.tables[id].ended()
        assert result is not None
        assert result["ranking"] == [[0], [1]]
        assert result["ended_by"] == "resign"
        new = await one.tables[id].rematch()
        assert new.data["status"] == "waiting"
        assert new.seat == 1
        again = await two.tables[id].rematch()
        assert again.id == new.id
        await new.until(lambda: new.data["status"] == "playing")
        await two.tables[new.id].ask("draw", do="offer")
        await new.until(lambda: new.data["draw_offer"] == 0)
        await new.ask("draw", do="accept")
        assert (await again.ended() or {})["ended_by"] == "draw"
        await one.close()
        await two.close()

    asyncio.run(run())


def test_a_bot_stands_in_for_the_absent(server: Process) -> None:
    async def run() -> None:
        one, two, id = await seat_two(server)
        await one.tables[id].start()
        with pytest.raises(RefusedByServer) as refused:
            await one.tables[id].ask("bot", seat=1)
        assert refused.value.code == "table/present"
        cookie = two.http.cookie
        frames: list[str] = []
        one.heard = frames.append
        await two.close()
        await one.tables[id].until(lambda: not one.tables[id].data["seats"][1]["present"])
        await asyncio.sleep(0.3)
        again = AsyncClient(server.url, cookie=one.http.cookie)  # as after a reload
        again.heard = frames.append
        await again.connect()
        await again.watch(id)
        await again.close()
        told = [json.loads(frame)["away"] for frame in frames if '"away"' in frame]
        assert 0 < told[0][1] < told[-1][1], "what is left to wait is the server's to say"
        assert not any(away[0] for away in told)
        await one.tables[id].ask("bot", seat=1)
        table = one.tables[id]
        await table.your_turn()
        await table.play(table.legal[0])
        assert await table.your_turn()
        back = AsyncClient(server.url, cookie=cookie)
        await back.connect()
        own = await back.watch(id)
        assert own.data["seats"][1]["bot_plays"]
        await own.ask("back")
        await asyncio.gather(play_out(table), play_out(own))
        assert (await table.ended() or {})["ended_by"] == "play"
        await one.close()
        await back.close()

    asyncio.run(run())


def test_clocks_flag(server: Process) -> None:
    async def run() -> None:
        clock = {"kind": "fischer", "seconds": 5, "increment": 0}
        one, two, id = await seat_two(server, clock=clock)
        await one.tables[id].start()
        await two.tables[id].until(lambda: two.tables[id].clocks is not None)
        result = await asyncio.wait_for(two.tables[id].ended(), PATIENCE)
        assert result is not None
        assert (result["ended_by"], result["by"], result["ranking"]) == ("flag", 0, [[1], [0]])
        await one.close()
        await two.close()

    asyncio.run(run())


def test_the_lobby_is_live(server: Process) -> None:
    async def run() -> None:
        async with AsyncClient(server.url) as one, AsyncClient(server.url) as two:
            await one.ask("lobby", on=True)
            table = await two.create("claim", public=True)
            hidden = await two.create("claim")
            await eventually(lambda: table.id in [found["id"] for found in one.lobby])
            assert hidden.id not in [found["id"] for found in one.lobby]
            await table.ask("close")
            await eventually(lambda: table.id not in [found["id"] for found in one.lobby])

    asyncio.run(run())


def test_every_table_is_on_a_page_though_made_in_one_millisecond(tmp_path: Path) -> None:
    server = Process(tmp_path)
    server.command = "from tanistry.server import verbs; verbs.now_ms = lambda: 5; " + COMMAND
    server.start()
    try:
        host = server.http()
        made = {host.request("POST", "/tables", {"game": "claim"})["id"] for _ in range(5)}
        found: list[str] = []
        path = more = "/me/matches?limit=2"
        while more:
            page = host.request("GET", more)
            found += [table["id"] for table in page["tables"]]
            more = page["next"] and f"{path}&before={page['next']}"
        assert len(found) == 5
        assert set(found) == made
        times = {"5": 0, "6": 5}  # as it was said once: those made before it
        for before, number in times.items():
            tables = host.request("GET", f"/me/matches?before={before}")["tables"]
            assert len(tables) == number
        for odd in ("-1", "x", "5.", "5.%00", "9" * 17):
            with pytest.raises(RefusedByServer, match="before"):
                host.request("GET", f"/me/matches?before={odd}")
    finally:
        server.stop()
