"""Talk at tables: who may say what to whom, what a line may hold, and what is never told."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import sqlalchemy as sa

from tanistry.client import AsyncClient, RefusedByServer
from tanistry.server import blocks, verbs
from tanistry.server import messages as m
from tanistry.server import talk as talking
from tanistry.server.clocks import now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Seat
from tanistry.server.live import Live
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.replays import record
from tanistry.server.schema import blocks as block_rows
from tanistry.server.schema import players
from tanistry.server.schema import talk as talk_rows
from tanistry.server.talk import Talk, clean_line
from tests.patience import eventually
from tests.server.processes import Process
from tests.server.test_hall import with_hall


class Ear:
    """At the other end of a connection, and listening."""

    say: str | None = None
    session = ""
    address = ""

    def __init__(self, player: str, name: str = "") -> None:
        self.player, self.name = player, name or player
        self.heard: list[dict[str, Any]] = []
        self.watching: set[str] = set()

    def send(self, frame: bytes) -> None:
        self.heard.append(orjson.loads(frame))

    def cut_off(self, refusal: Refused) -> None:
        self.heard.append({"type": "cut", "code": refusal.code})

    @property
    def lines(self) -> list[str]:
        said = [message for message in self.heard if message["type"] == "talk"]
        return [line["text"] for message in said for line in message["lines"]]


class Scene:
    """Two who play, Ann (the host) and Bob, and Zoe, who watches."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.talk = Talk(hall)

    async def begin(self, **more: Any) -> Scene:
        people = People(self.hall.store)
        ids = [(await people.new_guest()).id for _ in range(3)]
        names = ("Ann of Ayr", "Bob of Bute", "Zoe of Yell")
        for id, name in zip(ids, names, strict=True):
            await people.rename(id, name)
        self.ann, self.bob, self.zoe = map(Ear, ids, names)
        seats = [Seat(n, "person", who.player, who.name, True) for n, who in enumerate(self.two)]
        info = verbs.new_info("claim", {}, seats, self.ann.player, **more)
        self.live = await verbs.create(self.hall, info, start=True)
        for who in (self.ann, self.bob, self.zoe):
            self.hall.arrive(self.live, who)
        return self

    @property
    def two(self) -> tuple[Ear, Ear]:
        return self.ann, self.bob

    async def chat(self, who: Ear, text: str) -> dict[str, Any]:
        said = m.Chat(type="chat", table=self.live.info.id, text=text)
        return await self.talk.do(who, said)

    async def emote(self, who: Ear, emote: m.Emote) -> dict[str, Any]:
        said = m.SendEmote(type="emote", table=self.live.info.id, emote=emote)
        return await self.talk.do(who, said)

    async def allow(self, who: Ear, level: Any) -> dict[str, Any]:
        said = m.SetTalkers(type="talkers", table=self.live.info.id, who=level)
        return await self.talk.do(who, said)

    async def read(self, who: Ear) -> list[str]:
        asked = m.Talk(type="talk", table=self.live.info.id)
        return [line["text"] for line in (await self.talk.do(who, asked))["lines"]]


def scene(
    folder: Path,
    do: Callable[[Scene], Awaitable[None]],
    table: dict[str, Any] | None = None,
    **settings: Any,
) -> None:
    async def run(hall: Hall) -> None:
        await do(await Scene(hall).begin(**(table or {})))

    with_hall(folder, run, **settings)


# -- what a line may hold -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\u200d",
        "one\ntwo",
        "a\0b",
        "a\tb",
        "\x1b[2J",
        "\u202egnp.exe",
        "\u2066a\u2069",
        "a\u200eb",
        "a\u2028b",
        "\u3164",
        "\ue000",
        "\ufeffa",
        "Z\u0301\u0302\u0303\u0304algo",
        "\U000e0041\U000e0042",
        "x" * 201,
    ],
)
def test_what_hides_or_turns_a_line_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="talk/text"):
        clean_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "Bien joué\u00a0!",
        "<img src=x onerror=alert(1)>",
        "שלום",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "…",
        "x" * 200,
    ],
)
def test_what_people_write_is_kept_as_it_is(text: str) -> None:
    assert clean_line(text) == text
    assert clean_line(f"  {text} ") == text


# -- who may say what to whom ---------------------------------------------------------------------


def test_who_sits_chats_and_who_watches_sends_emotes(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        answer = await at.chat(at.ann, "Well met")
        assert answer["may"] == "chat"
        assert at.bob.lines == ["Well met"]
        assert at.zoe.lines == []
        with pytest.raises(Refused, match="talk/seated"):
            await at.chat(at.zoe, "I see backs")
        assert (await at.emote(at.zoe, "think"))["may"] == "emotes"
        assert at.bob.lines == ["Well met", "think"]
        assert at.ann.lines == ["Well met", "think"]
        assert await at.read(at.zoe) == ["think"]
        assert await at.read(at.bob) == ["Well met", "think"]
        assert "Well met" not in json.dumps([row.token for row in at.live.table.rows])

    scene(tmp_path, do)


def test_the_host_lets_spectators_in_or_ends_the_chat(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        await at.chat(at.ann, "between us")
        with pytest.raises(Refused, match="table/not-host"):
            await at.allow(at.bob, "everybody")
        await at.allow(at.ann, "everybody")
        await at.chat(at.zoe, "hello")
        assert at.ann.lines[-1] == "hello"
        assert await at.read(at.zoe) == ["everybody", "hello"], "what was said before stays"
        await at.allow(at.ann, "nobody")
        with pytest.raises(Refused, match="talk/off"):
            await at.chat(at.ann, "anybody?")
        await at.emote(at.ann, "bye")
        assert at.zoe.lines[-1] == "bye"

    scene(tmp_path, do)


@pytest.mark.parametrize("setting", ["emotes", "none"])
def test_a_server_without_chat(setting: str, tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        for attempt in (at.chat(at.ann, "hello"), at.allow(at.ann, "everybody")):
            with pytest.raises(Refused, match="talk/off"):
                await attempt
        if setting == "none":
            with pytest.raises(Refused, match="talk/off"):
                await at.emote(at.ann, "bye")
        else:
            await at.emote(at.ann, "bye")
            assert at.bob.lines == ["bye"]

    scene(tmp_path, do, talk=setting)


def test_who_does_not_follow_the_table_says_nothing_there(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        at.hall.depart(at.live, at.bob)
        with pytest.raises(Refused, match="talk/away"):
            await at.chat(at.bob, "from afar")

    scene(tmp_path, do)


def test_nobody_talks_without_end(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        for number in range(talking.MOST):
            await at.chat(at.ann, f"line {number}")
        for attempt in (at.chat(at.ann, "more"), at.emote(at.ann, "oops")):
            with pytest.raises(Refused, match="rate/talk"):
                await attempt
        await at.chat(at.bob, "I may")

    scene(tmp_path, do)


def test_old_lines_go_and_who_may_chat_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talking, "KEPT", 3)

    async def do(at: Scene) -> None:
        await at.allow(at.ann, "everybody")
        for number in range(5):
            await at.chat(at.bob, str(number))
        assert await at.read(at.ann) == ["everybody", "2", "3", "4"]
        assert await at.talk.level(at.live.info.id) == "everybody"

    scene(tmp_path, do)


def test_who_sees_later_hears_later(tmp_path: Path) -> None:
    """A remark about a card must not reach those who have not seen it yet."""

    async def do(at: Scene) -> None:
        await at.allow(at.ann, "everybody")
        await at.chat(at.ann, "what a move")
        assert at.bob.lines[-1] == "what a move"
        assert at.zoe.lines == []
        assert await at.read(at.zoe) == []
        await at.hall.store.execute(sa.update(talk_rows).values(at=now_ms() - 61_000))
        assert await at.read(at.zoe) == ["everybody", "what a move"]

    scene(tmp_path, do, {"delay": 60})


def test_a_muted_person_plays_on_in_silence(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        store = at.hall.store
        one = sa.update(players).where(players.c.id == at.bob.player)
        await store.execute(one.values(muted=now_ms() + 60_000))
        for attempt in (at.chat(at.bob, "psst"), at.emote(at.bob, "oops")):
            with pytest.raises(Refused, match="talk/muted"):
                await attempt
        await store.execute(one.values(muted=now_ms() - 1))
        await at.chat(at.bob, "again")

    scene(tmp_path, do)


def test_two_workers_hear_each_other(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        at = await Scene(hall).begin()
        other = Hall(hall.config, hall.store)
        theirs = Talk(other)
        far = Ear(at.bob.player)
        live = await other.get(at.live.info.id)
        other.arrive(live, far)
        hall.sync.bus.open()
        other.sync.bus.open()
        try:
            await at.chat(at.ann, "here")
            await eventually(lambda: far.lines == ["here"])
            both = [
                theirs.do(far, m.Chat(type="chat", table=live.info.id, text="there")),
                at.chat(at.ann, "at once"),
            ]
            await asyncio.gather(*both)
            await eventually(lambda: sorted(far.lines) == ["at once", "here", "there"])
            await eventually(lambda: sorted(at.ann.lines) == ["at once", "here", "there"])
        finally:
            await other.close()

    with_hall(tmp_path, do, workers=2)


# -- kept apart -----------------------------------------------------------------------------------


async def waiting(at: Scene, host: Ear, *others: Ear) -> Live:
    seats = [Seat(n, "person", who.player, who.name) for n, who in enumerate((host, *others))]
    info = verbs.new_info("claim", {}, [*seats, Seat(len(seats))][:2], host.player)
    return await verbs.create(at.hall, info)


def test_two_who_are_kept_apart_do_not_meet(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        hall, store = at.hall, at.hall.store
        await blocks.block(hall, at.ann.player, at.zoe.player)
        await blocks.block(hall, at.ann.player, at.zoe.player)  # twice is once
        assert at.zoe not in at.live.watchers, "who watched does so no longer"
        assert at.zoe.heard[-1]["code"] == "table/apart"
        with pytest.raises(Refused, match="talk/away"):
            await at.emote(at.zoe, "oops")
        with pytest.raises(Refused, match="table/apart"):
            await blocks.check_look(store, at.live.info, at.zoe.player)
        for host, guest in ((at.ann, at.zoe), (at.zoe, at.ann)):
            live = await waiting(at, host)
            with pytest.raises(Refused, match="table/apart"):
                await verbs.sit(hall, live, guest, m.Sit(type="sit", table=live.info.id))
            await verbs.sit(hall, live, at.bob, m.Sit(type="sit", table=live.info.id))
        await blocks.unblock(hall, at.ann.player, at.zoe.player)
        await blocks.check_look(store, at.live.info, at.zoe.player)

    scene(tmp_path, do)


def test_lists_of_other_workers_hear_that_two_may_meet_again(tmp_path: Path) -> None:
    async def do(hall: Hall) -> None:
        at = await Scene(hall).begin()
        other = Hall(hall.config, hall.store)
        far = Ear(at.zoe.player)
        info = verbs.new_info("claim", {}, [Seat(0), Seat(1)], at.ann.player, public=True)
        await verbs.create(hall, info)
        await blocks.block(hall, at.ann.player, at.zoe.player)
        other.lobby.watchers.add(far)
        for one in (hall, other):
            one.sync.bus.open()

        def listed() -> set[str]:
            lists = [heard for heard in far.heard if heard["type"] == "lobby"]
            return {table["id"] for table in lists[-1]["tables"]} if lists else set()

        try:
            other.lobby.changed()
            await eventually(lambda: any(heard["type"] == "lobby" for heard in far.heard))
            assert info.id not in listed()
            await blocks.unblock(hall, at.ann.player, at.zoe.player)
            await eventually(lambda: info.id in listed())
        finally:
            await other.close()

    with_hall(tmp_path, do, workers=2)


def test_a_match_goes_on_without_talk(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        await at.chat(at.bob, "before")
        await blocks.block(at.hall, at.ann.player, at.bob.player)
        await at.chat(at.bob, "do you hear me")
        await at.chat(at.ann, "peace")
        assert at.ann.lines == ["before", "peace"]
        assert at.bob.lines == ["before", "do you hear me"]
        assert await at.read(at.ann) == ["peace"]
        acting = at.ann if at.live.table.to_act == 0 else at.bob
        token = at.live.table.look().legal[0]
        play = m.Play(type="play", table=at.live.info.id, turn=0, token=token)
        await verbs.play(at.hall, at.live, acting, play)
        assert at.live.table.turn == 1
        await verbs.resign(at.hall, at.live, at.bob, m.Resign(type="resign", table=at.live.info.id))
        assert "hear me" not in record(at.live.table)
        for who in at.two:
            again = m.Rematch(type="rematch", table=at.live.info.id)
            with pytest.raises(Refused, match="table/apart"):
                await verbs.rematch(at.hall, at.live, who, again)

    scene(tmp_path, do)


def test_at_a_table_that_waits_one_stands_up(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        mine = await waiting(at, at.ann, at.zoe)
        theirs = await waiting(at, at.zoe, at.ann)
        for live in (mine, theirs):
            for who in (at.ann, at.zoe):
                at.hall.arrive(live, who)
        await blocks.block(at.hall, at.ann.player, at.zoe.player)
        assert [held.kind for held in mine.info.seats] == ["person", "open"]
        assert mine.info.seats[0].player == at.ann.player
        assert theirs.info.seats[0].player == at.zoe.player, "it is their table"
        assert theirs.info.seats[1].kind == "open"
        assert at.zoe not in mine.watchers
        assert at.ann not in theirs.watchers

    scene(tmp_path, do)


def test_a_guest_who_signs_in_stays_blocked(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        people = People(at.hall.store)
        account = await people.new_guest()
        await blocks.block(at.hall, at.ann.player, at.zoe.player)
        await blocks.block(at.hall, at.bob.player, at.zoe.player)
        await blocks.block(at.hall, at.bob.player, account.id)
        await people.adopt(at.zoe.player, account.id)
        rows = await at.hall.store.read(sa.select(block_rows.c.player, block_rows.c.blocked))
        expected = {(at.ann.player, account.id), (at.bob.player, account.id)}
        assert {tuple(row) for row in rows} == expected
        with pytest.raises(Refused, match="table/apart"):
            await blocks.check_look(at.hall.store, at.live.info, account.id)

    scene(tmp_path, do)


# -- over the wire --------------------------------------------------------------------------------


async def together(url: str) -> tuple[AsyncClient, AsyncClient, str]:
    ann, bob = AsyncClient(url), AsyncClient(url)
    await ann.connect()
    await bob.connect()
    table = await ann.create("claim")
    theirs = await bob.watch(table.id)
    await theirs.sit()
    await theirs.ready()
    await table.ready()
    return ann, bob, table.id


def test_what_was_said_survives_a_kill(own_server: Process) -> None:
    async def run() -> None:
        own_server.start()
        ann, bob, table = await together(own_server.url)
        for number in range(5):
            said = await ann.ask("chat", table=table, text=f"line {number}")
            assert said["lines"][0]["n"] == number
        await asyncio.to_thread(own_server.kill)
        await asyncio.to_thread(own_server.start)
        for client in (ann, bob):
            told = await client.ask("talk", table=table)
            assert [line["text"] for line in told["lines"]] == [f"line {n}" for n in range(5)]
        told = await bob.ask("talk", table=table, since=3)
        assert [line["n"] for line in told["lines"]] == [4]
        await ann.close()
        await bob.close()

    asyncio.run(run())


def test_blocked_over_the_wire_whichever_way_they_come(server: Process) -> None:
    async def run() -> None:
        ann, bob, table = await together(server.url)
        frames: list[str] = []
        zoe = AsyncClient(server.url)
        zoe.heard = frames.append
        await zoe.connect()
        await zoe.watch(table)
        await ann.ask("chat", table=table, text="for those who sit")
        await ann.request("POST", "/me/blocks", {"player": zoe.you["id"]})
        assert await ann.request("GET", "/me/blocks") == {
            "players": [{"id": zoe.you["id"], "name": zoe.you["name"]}]
        }
        tab = AsyncClient(server.url, cookie=zoe.http.cookie)  # another tab
        await tab.connect()
        another = await ann.create("claim")
        for way in (
            lambda: tab.ask("watch", table=table),
            lambda: zoe.ask("watch", table=table),
            lambda: tab.ask("sit", table=another.id),
            lambda: tab.ask("emote", table=table, emote="oops"),
            lambda: tab.request("GET", f"/tables/{table}/state"),
            lambda: tab.request("GET", f"/tables/{another.id}"),
            lambda: tab.request(
                "POST",
                "/tables",
                {
                    "game": "claim",
                    "seats": [{"kind": "me"}, {"kind": "person", "player": ann.you["id"]}],
                },
            ),
        ):
            with pytest.raises(RefusedByServer) as refused:
                await way()
            assert refused.value.code in ("table/apart", "talk/away")
        assert "for those who sit" not in "".join(frames)
        await ann.request("DELETE", f"/me/blocks/{zoe.you['id']}")
        await tab.ask("watch", table=table)
        for client in (ann, bob, zoe, tab):
            await client.close()

    asyncio.run(run())


def test_a_report_brings_its_evidence(own_server: Process) -> None:
    async def run() -> None:
        own_server.start()
        ann, bob, table = await together(own_server.url)
        await bob.ask("chat", table=table, text="<b>you fool</b>")
        told = {"player": bob.you["id"], "table": table, "why": "talk", "note": "Insults\0.\n"}
        await ann.request("POST", "/reports", told)
        with pytest.raises(RefusedByServer) as refused:
            await ann.request("POST", "/reports", {**told, "player": ann.you["id"]})
        assert refused.value.code == "player/unknown"
        await ann.close()
        await bob.close()

    asyncio.run(run())
    with sqlite3.connect(own_server.environment["TANISTRY_DATABASE"]) as database:
        query = "SELECT by, player, note, evidence FROM reports"
        by, about, note, evidence = database.execute(query).fetchone()
    assert by != about
    assert note == "Insults."
    assert [line["text"] for line in json.loads(evidence)] == ["<b>you fool</b>"]


def test_a_table_is_not_listed_for_who_is_kept_apart_from_somebody_there(server: Process) -> None:
    """Whichever of the two said so; live, and when it is asked for."""

    async def run() -> None:
        async with (
            AsyncClient(server.url) as host,
            AsyncClient(server.url) as other,
            AsyncClient(server.url) as third,
        ):
            table = await host.create("claim", public=True)
            theirs = await other.create("claim", public=True)
            clients = {host: table, other: theirs, third: table}

            def listed(client: AsyncClient) -> set[str]:
                return {found["id"] for found in client.lobby} & {table.id, theirs.id}

            for client in clients:
                await client.ask("lobby", on=True)
                await eventually(lambda client=client: listed(client) == {table.id, theirs.id})
            await host.request("POST", "/me/blocks", {"player": other.you["id"]})
            for client in (host, other):
                await eventually(lambda client=client: listed(client) == {clients[client].id})
                again = await client.ask("lobby", on=True)
                found = {one["id"] for one in again["tables"]}
                asked = {one["id"] for one in (await client.request("GET", "/tables"))["tables"]}
                for seen in (found, asked):
                    assert seen & {table.id, theirs.id} == {clients[client].id}
            assert listed(third) == {table.id, theirs.id}
            await host.request("DELETE", f"/me/blocks/{other.you['id']}")
            await eventually(lambda: listed(host) == listed(other) == {table.id, theirs.id})

    asyncio.run(run())
