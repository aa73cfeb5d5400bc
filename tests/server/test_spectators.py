"""Spectators who see later: nothing that happens in the match is told them before its time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from tanistry.client import AsyncClient, AsyncTable
from tanistry.server.clocks import Clock
from tanistry.server.info import Seat
from tanistry.server.shadows import Shadow
from tanistry.server.tables import Row, Table
from tanistry.server.verbs import new_info
from tests.patience import PATIENCE, eventually
from tests.server.processes import Process, free_port
from tests.server.test_workers import get

NEVER = 3600
"""Seconds: longer than any test."""


class Party:
    """Two who play, as many tabs of theirs, and spectators with all they are told."""

    def __init__(self, url: str, tabs: int = 1) -> None:
        self.url = url
        self.tabs = tabs
        self.players: list[AsyncClient] = []
        self.spectators: list[AsyncClient] = []
        self.frames: list[list[Any]] = []
        self.id = ""

    async def begin(self, delay: int) -> None:
        one, two = [await self._come(self.players) for _ in range(2)]
        watched = {"allowed": True, "delay": delay}
        table = await one.create("claim", public=True, rated=False, spectators=watched)
        self.id = table.id
        await (await two.watch(self.id)).sit()
        await two.tables[self.id].ready()
        for client in (one, two) * (self.tabs - 1):
            tab = await self._come(self.players, client.http.cookie)
            await tab.watch(self.id)
        for _ in range(self.tabs):
            frames: list[Any] = []
            self.frames.append(frames)
            spectator = await self._come(self.spectators)
            spectator.heard = lambda frame, to=frames: to.append(orjson.loads(frame))
            await spectator.watch(self.id)
        await table.start()
        await self.everybody(lambda seen: seen.view is not None)

    async def _come(self, group: list[AsyncClient], cookie: str | None = None) -> AsyncClient:
        client = AsyncClient(self.url, cookie=cookie)
        await client.connect()
        group.append(client)
        return client

    async def leave(self) -> None:
        for client in self.players + self.spectators:
            await client.close()

    def seat(self, number: int) -> AsyncTable:
        return self.players[number].tables[self.id]

    async def everybody(self, holds: Any, who: list[AsyncClient] | None = None) -> None:
        for client in who or self.players + self.spectators:
            seen = client.tables[self.id]
            await asyncio.wait_for(seen.until(lambda seen=seen: holds(seen)), PATIENCE)

    async def play(self, choices: int) -> None:
        for _ in range(choices):
            both = [self.seat(number) for number in range(2)]
            await eventually(lambda both=both: any(table.legal for table in both))
            table = next(table for table in both if table.legal)
            turn = table.turn
            await table.play(table.legal[0])
            await self.everybody(lambda seen, turn=turn: seen.turn > turn, self.players)

    async def heard_meanwhile(self) -> list[Any]:
        """What spectators have heard, all of it, since this was asked last."""
        found = []
        for client, frames in zip(self.spectators, self.frames):
            await client.ask("ping")
            found += [frame for frame in frames if frame["type"] != "pong"]
            frames.clear()
        return found


@pytest.mark.parametrize("workers", [1, 2])
def test_nothing_is_told_before_its_time(workers: int, tmp_path: Path) -> None:
    async def run() -> None:
        server = Process(tmp_path, workers=workers, metrics=f"127.0.0.1:{free_port()}").start()
        party = Party(server.url, tabs=1 if workers == 1 else 4)
        try:
            await party.begin(delay=NEVER)
            await party.heard_meanwhile()
            await something_happens(party)
            assert await party.heard_meanwhile() == []
            for spectator in party.spectators:
                await nothing_to_be_found(spectator, party.id)
            assert get(server.port, "/metrics")[0] == 404, "choices are counted for the host alone"
            assert (await party.players[0].request("GET", f"/tables/{party.id}"))["turn"] > 3
            await party.seat(0).resign()
            turn = party.seat(0).turn
            await party.everybody(lambda seen: seen.data["status"] == "over")
            await party.everybody(lambda seen: seen.turn == turn)
            for spectator in party.spectators:
                assert spectator.tables[party.id].result["by"] == 0
                about = await spectator.request("GET", f"/tables/{party.id}")
                assert (about["turn"], about["result"]["by"]) == (turn, 0)
                assert await spectator.request("GET", f"/tables/{party.id}/record")
        finally:
            await party.leave()
            server.stop()

    asyncio.run(run())


async def something_happens(party: Party) -> None:
    """Choices, an offer that stands, and a bot that stands in."""
    await party.play(3)
    await party.seat(1).ask("bot", seat=1)
    await party.everybody(lambda seen: seen.data["seats"][1]["bot_plays"], party.players)
    await party.seat(1).ask("back")
    await party.everybody(lambda seen: not seen.data["seats"][1]["bot_plays"], party.players)
    await party.play(1)
    await party.seat(0).ask("draw", do="offer")
    await party.everybody(lambda seen: seen.data["draw_offer"] == 0, party.players)


async def nothing_to_be_found(spectator: AsyncClient, id: str) -> None:
    """Wherever a spectator looks, the match has just begun."""
    table = await spectator.request("GET", f"/tables/{id}")
    listed = (await spectator.request("GET", "/tables"))["tables"]
    live = (await spectator.ask("lobby", on=True))["tables"]
    await spectator.ask("lobby", on=False)
    for about in [table, *(found for found in listed + live if found["id"] == id)]:
        assert about["turn"] in (0, None)  # None: not live in the worker that lists it
        assert (about["status"], about["draw_offer"], about["revision"]) == ("playing", None, 0)
        assert not any(held["bot_plays"] or held["resigned"] for held in about["seats"])
    state = await spectator.request("GET", f"/tables/{id}/state?since=0")
    assert (state["turn"], state["events"], state["result"]) == (0, [], None)
    answers = await spectator.ask("watch", table=id, since=0)
    assert (answers["turn"], answers["events"]) == (0, [])


def test_everything_is_told_in_time(server: Process) -> None:
    async def run() -> None:
        party = Party(server.url)
        try:
            await party.begin(delay=1)
            await party.play(3)
            await party.seat(1).ask("draw", do="offer")
            await party.everybody(lambda seen: seen.turn == 3)
            await party.everybody(lambda seen: seen.data["draw_offer"] == 1)
            seen = party.spectators[0].tables[party.id]
            assert seen.data["revision"] > 0
            assert seen.view["to_act"] == party.seat(0).view["to_act"]
        finally:
            await party.leave()

    asyncio.run(run())


def test_a_shadow_is_the_table_of_a_while_ago() -> None:
    seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
    clock = Clock("fischer", seconds=60)
    info = new_info("claim", {}, seats, "p_0", clock=clock, delay=10)
    info.status, info.started, info.revision = "playing", 0, 5
    real = Table(info)
    shadow = Shadow(real, now=0)
    assert shadow.next_at() == 10_000
    assert shadow.table.info.revision == 0

    for at in (2_000, 4_000):
        real.apply(Row(real.turn, real.to_act, "play", real.look().legal[0], at))
    offered = replace(info, draw_offer=1, revision=6)
    shadow.change(offered, now=5_000)
    shadow.change(offered, now=6_000)  # read again: no news

    assert list(shadow.rows(11_999)) == []
    assert shadow.news(11_999)
    assert (shadow.table.info.revision, shadow.table.info.draw_offer) == (5, None)
    assert shadow.next_at() == 12_000
    assert [row.at for row in shadow.rows(12_000)] == [2_000]
    assert shadow.table.clocks(now=13_000) == {"left": [58_000, 59_000], "running": 1}
    assert [row.at for row in shadow.rows(14_000)] == [4_000]
    assert not shadow.news(14_999)
    assert shadow.news(15_000)
    assert shadow.table.info.draw_offer == 1
    assert shadow.next_at() is None

    real.apply(Row(real.turn, 0, "resign", None, 16_000))
    assert [row.kind for row in shadow.rows(16_000)] == ["resign"], "with the match the delay ends"
    assert Shadow(real, now=16_000).table.over
