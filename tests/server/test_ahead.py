"""What comes of a choice is worked out while the disk works; nobody hears of it before."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import orjson
import pytest

from tanistry.server import sqlite, verbs
from tanistry.server.ahead import Ahead
from tanistry.server.hall import Hall
from tanistry.server.info import Seat
from tanistry.server.live import Live
from tanistry.server.refusals import Refused
from tanistry.server.rows import new_values
from tanistry.server.tables import Row, Table
from tests.patience import eventually
from tests.server.test_hall import Somebody, a_choice, with_hall


class Listener(Somebody):
    """A player who keeps what it is told."""

    def __init__(self, player: str) -> None:
        super().__init__(player)
        self.heard: list[Any] = []

    def send(self, frame: bytes) -> None:
        self.heard.append(orjson.loads(frame))


async def begin(hall: Hall) -> tuple[Live, list[Listener]]:
    """A match of two, each of whom has seen the deal."""
    players = [Listener(f"p_{seat}") for seat in range(2)]
    seats = [Seat(i, "person", who.player, who.player, True) for i, who in enumerate(players)]
    live = await verbs.create(hall, verbs.new_info("claim", {}, seats, "p_0"), start=True)
    for who in players:
        hall.arrive(live, who)
        live.table.state(live.watchers[who], None, 0)
    for who in players:
        who.heard.clear()
    return live, players


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A disk that takes as long as one wants."""
    ready, store = threading.Event(), sqlite._store

    def wait(*given: Any) -> set[int]:
        ready.wait(60)
        return store(*given)

    monkeypatch.setattr(sqlite, "_store", wait)
    monkeypatch.setattr(sqlite, "QUICK", -1.0)  # so nobody waits for it but a thread
    return ready


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[Ahead]:
    """Those that found the time to look ahead."""
    found: list[Ahead] = []
    look = Ahead.look

    def noted(ahead: Ahead) -> None:
        look(ahead)
        found.append(ahead)

    monkeypatch.setattr(Ahead, "look", noted)
    return found


def test_nobody_hears_of_a_choice_before_it_is_stored(
    tmp_path: Path, disk: threading.Event, looked: list[Ahead]
) -> None:
    async def do(hall: Hall) -> None:
        live, players = await begin(hall)
        seat = live.table.to_act or 0
        before = live.table.state(1 - seat, None, 0)
        playing = asyncio.create_task(verbs.play(hall, live, players[seat], a_choice(live)))
        await eventually(lambda: bool(looked))
        assert (live.table.turn, players[0].heard, players[1].heard) == (0, [], [])
        assert live.table.state(1 - seat, None, 0) == before, "nor sees it at the table"
        disk.set()
        await playing
        assert live.table.turn == 1
        built = Table(live.info, live.table.rows)
        for number, who in enumerate(players):
            (told,) = who.heard
            assert told["events"] == [event.seen_by(number) for event in built.events[0]]
            assert told["change"]["to_act"] == built.to_act
            assert live.table.state(number, None, 0) == built.state(number, None, 0)

    with_hall(tmp_path, do)


def test_a_choice_that_is_not_stored_has_not_happened(
    tmp_path: Path, disk: threading.Event, looked: list[Ahead]
) -> None:
    async def do(hall: Hall) -> None:
        live, players = await begin(hall)
        seat = live.table.to_act or 0
        choice = a_choice(live)
        other = live.table.look().legal[1]
        playing = asyncio.create_task(verbs.play(hall, live, players[seat], choice))
        await eventually(lambda: bool(looked))
        values = new_values(live.info.id, Row(0, seat, "play", other, 1))
        async with hall.store.engine.begin() as connection:  # as another worker would
            await hall.store.insert_rows(connection, [values])
        disk.set()
        with pytest.raises(Refused, match="move/stale"):
            await playing
        assert [found.token for found in live.table.rows] == [other]
        assert all(who.heard for who in players), "they are told what was stored"

    with_hall(tmp_path, do)
