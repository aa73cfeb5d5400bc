"""Tournaments over the wire, at the console, and in what somebody may take along."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path
from typing import Any

import orjson
import pytest

from tanistry.cli.app import run
from tanistry.client import AsyncClient, RefusedByServer
from tanistry.server.hall import Hall
from tanistry.server.settings import Settings
from tanistry.server.tournaments import reading
from tanistry.server.tournaments.rounds import Rounds
from tests.patience import PATIENCE, eventually
from tests.server.processes import Process
from tests.server.test_tournaments import with_rounds


def test_over_the_wire(own_server: Process) -> None:
    own_server.environment["TANISTRY_TOURNAMENTS"] = "members"
    own_server.start()
    host, guest = own_server.http(), own_server.http()

    def refused(http: Any, *request: Any) -> str:
        with pytest.raises(RefusedByServer) as found:
            http.request(*request)
        return found.value.code

    new = {"name": "<img src=x>", "game": "claim", "system": "robin"}
    told = guest.request("GET", "/tournaments")
    assert (told["may_make"], told["needs"]) == (False, "account")
    assert refused(guest, "POST", "/tournaments", new) == "tournament/not-yours"
    host.request("POST", "/account", {"login": "ailsa.here", "password": "rain on the glen"})
    told = host.request("GET", "/tournaments")
    assert (told["may_make"], told["needs"]) == (True, None)
    assert refused(host, "POST", "/tournaments", {**new, "system": "ladder"}) == "message/value"
    id = host.request("POST", "/tournaments", new)["id"]
    assert refused(guest, "POST", f"/tournaments/{id}/start") == "tournament/not-yours"
    assert refused(guest, "POST", f"/tournaments/{id}/cancel") == "tournament/not-yours"
    assert refused(guest, "POST", f"/tournaments/{id}/bots", {}) == "tournament/not-yours"
    assert refused(guest, "GET", "/tournaments/nothing") == "tournament/unknown"
    told = guest.request("POST", f"/tournaments/{id}/players")
    own = {"number": None, "here": True, "table": None, "due": None}
    assert told["you"] == {**own, "left": False, "removed": False}
    entry = told["players"][0]["entry"]
    path = f"/tournaments/{id}/players/{entry}"
    assert refused(guest, "DELETE", path) == "tournament/not-yours"
    for odd in ("nothing", "%C3%A9"):
        path = f"/tournaments/{id}/players/{odd}"
        assert refused(host, "DELETE", path) == "tournament/nobody"
    assert guest.request("DELETE", f"/tournaments/{id}/players/me")["you"] is None
    guest.request("POST", f"/tournaments/{id}/players")

    async def follow() -> None:
        async with AsyncClient(own_server.url, cookie=guest.cookie) as client:
            heard: list[Any] = []
            client.heard = heard.append
            first = await client.ask("tournament", tournament=id)
            assert first["tournament"]["count"] == 1
            bots = {"bot": "random", "count": 1}
            await asyncio.to_thread(host.request, "POST", f"/tournaments/{id}/bots", bots)
            await asyncio.to_thread(host.request, "POST", f"/tournaments/{id}/start")
            await eventually(lambda: any('"due":1' in str(frame) for frame in heard))
            assert (await client.ask("tournament", tournament=id, on=False))["type"] == "ok"

    asyncio.run(follow())
    told = guest.request("GET", f"/tournaments/{id}")
    table = guest.request("GET", f"/tables/{told['you']['table']}")
    assert (table["tournament"], table["solo"], table["status"]) == (id, False, "waiting")
    asyncio.run(_harm(own_server, guest.cookie or "", id, table["id"]))
    host.request("POST", f"/tournaments/{id}/cancel")
    assert guest.request("GET", f"/tables/{table['id']}")["status"] == "playing", "it goes on"
    listed = guest.request("GET", "/tournaments")["tournaments"]
    assert [(one["name"], one["status"]) for one in listed] == [("<img src=x>", "cancelled")]


SEATING = (
    ("sit", {}),
    ("stand", {}),
    ("seat", {"seat": 0, "kind": "open"}),
    ("start", {"bots": True}),
    ("close", {}),
)


async def _harm(server: Process, cookie: str, id: str, table: str) -> None:
    """Neither a stranger nor who sits there changes who plays; who follows the tournament hears
    nothing of the cards."""
    async with (
        AsyncClient(server.url, cookie=cookie) as player,
        AsyncClient(server.url) as stranger,
    ):
        heard: list[Any] = []
        stranger.heard = lambda frame: heard.append(orjson.loads(frame))
        assert (await stranger.ask("tournament", tournament=id))["tournament"]["you"] is None
        for client in (player, stranger):
            for verb, more in SEATING:
                with pytest.raises(RefusedByServer) as refused:
                    await client.ask(verb, table=table, **more)
                assert refused.value.code in ("table/tournament", "table/not-host"), verb
        with pytest.raises(RefusedByServer):
            await stranger.ask("ready", table=table)
        own = await player.watch(table)
        await own.ready()
        assert await own.your_turn()
        await own.play(own.legal[0])
        for verb in ("hint", "undo", "rematch"):
            with pytest.raises(RefusedByServer):
                await player.ask(verb, table=table)
        await eventually(
            lambda: any(m["type"] == "tournament" and "playing" in str(m["tournament"]["boards"])
                        for m in heard)
        )  # fmt: skip
        await stranger.ask("ping")
    assert {message["type"] for message in heard} <= {"welcome", "tournament", "refused", "pong"}
    for message in heard:
        if message["type"] == "tournament":
            assert set(message) <= {"type", "id", "now", "tournament"}
            (meetings,) = message["tournament"]["boards"]
            assert [set(one) for one in meetings] == [
                {"status", "players", "ranks", "absent", "tables"}
            ]


def test_a_family_has_neither_tournaments_nor_clubs(tmp_path: Path) -> None:
    assert Settings().has_tournaments
    assert not Settings(tournaments="none").has_tournaments
    server = Process(tmp_path, people=False).start()
    try:
        http = server.http()
        assert not http.request("GET", "/me")["tournaments"]
        for method, path in (
            ("GET", "/tournaments"),
            ("GET", "/tournaments/x"),
            ("POST", "/tournaments/x/players"),
            ("GET", "/tournaments/x/results"),
        ):
            with pytest.raises(RefusedByServer) as refused:
                http.request(method, path)
            assert refused.value.code == "tournament/off", path
        assert not http.request("GET", "/me")["clubs"]
        for method, path, body in (
            ("GET", "/clubs", None),
            ("POST", "/clubs", {"name": "Glen"}),
            ("GET", "/clubs/x", None),
            ("POST", "/clubs/x/members", {"key": "x"}),
        ):
            with pytest.raises(RefusedByServer) as refused:
                http.request(method, path, body)
            assert refused.value.code == "club/off", path
    finally:
        server.stop()


def test_at_the_console(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "test.db")

    async def nothing(halls: list[Hall], workers: list[Rounds]) -> None: ...

    with_rounds(database, nothing)

    def admin(*words: str, lang: str = "en") -> tuple[int, str]:
        status = run(["--lang", lang, "admin", "tournament", *words, "--database", database])
        said = capsys.readouterr()
        return status, (said.out + said.err).strip()

    status, id = admin("new", "Friday", "--system", "robin", "--bots", "3", "--bot", "random")
    assert (status, len(id)) == (0, 16)
    assert admin("list") == (0, f"{id}  open  claim  robin  3/32  Friday")
    assert admin("start", id)[0] == 0

    async def play(halls: list[Hall], workers: list[Rounds]) -> None:
        async with asyncio.timeout(PATIENCE):
            while (await reading.load(halls[0].store, id)).row.status != "over":
                await workers[0].look()
                await asyncio.sleep(0.05)

    with_rounds(database, play)
    status, results = admin("results", id)
    lines = list(csv.reader(io.StringIO(results)))
    assert lines[0][:4] == ["place", "number", "name", "points"]
    assert sum(float(line[3]) for line in lines[1:4]) == 3
    assert "tournoi est terminé" in admin("cancel", id, lang="fr")[1]
    for wrong, says in (
        (("new",), "needs a name"),
        (("begin", id), "list, new, start, cancel, results"),
        (("results", "nothing"), "no such tournament"),
        (("new", "X", "--system", "ladder"), "'robin', 'swiss'"),
        (("new", "X", "--bots", "2", "--bot", "people:strong"), "people:3"),
        (("new", "X", "--bots", "2", "--bot", "people:99"), "no bot people 99"),
        (("new", "X", "--bots", "2", "--bot", "people:"), "people:3"),
        (("new", "X", "--system", "tables"), "This game is for 2 players"),
        (("new", "🃏"), "a letter or a digit"),
    ):
        status, said = admin(*wrong)
        assert status != 0, wrong
        assert says in " ".join(said.split()), said
    assert len(admin("list")[1].splitlines()) == 1, "what was refused is not announced"
    status, many = admin("new", "Many", "--bots", "40", "--bot", "random")
    assert (status, admin("cancel", many)[0]) == (0, 0)
    assert run(["admin", "audit", "--database", database]) == 0
    acts = [line.split()[-4:] for line in capsys.readouterr().out.splitlines()]
    assert acts == [
        ["console", "tournament-cancel", "tournament:", "Many"],
        ["console", "tournament", "tournament:", "Many"],
        ["console", "tournament-start", "tournament:", "Friday"],
        ["console", "tournament", "tournament:", "Friday"],
    ]
