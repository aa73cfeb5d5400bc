"""Matches played on a device against bots, sent to one's history."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import pytest

import tanistry
from tanistry.client import Client, RefusedByServer
from tanistry.server import keeping, replays
from tanistry.server.refusals import Refused
from tanistry.server.tables import Table
from tests.server.processes import Process


def played(seed: int = 5, choices: int = 1000) -> str:
    match = tanistry.game("claim").deal(seed=seed)
    while match.to_act is not None and len(match.history) < choices:
        match.play(match.legal()[0])
    return match.record(Seat0="Ailsa", Seat1="Flora", Bot1="ismcts:3")


def test_a_match_of_the_device_is_kept_once_and_never_rated(server: Process) -> None:
    with Client(server.url, name="Ailsa") as client:

        def send(record: str) -> dict[str, object]:
            return dict(client.request("POST", "/me/matches", {"record": record}))

        with pytest.raises(RefusedByServer, match="account"):
            send(played())
        login = {"login": "ailsa.keeps", "password": "correct horse"}
        client.request("POST", "/account", login)
        table = send(played())
        assert send(played())["id"] == table["id"]
        (listed,) = client.request("GET", "/me/matches?status=over")["tables"]
        assert listed["id"] == table["id"]
        assert not listed["rated"]
        assert listed["fairness"]["commitment"] == ""
        assert [seat["name"] for seat in listed["seats"]] == ["Ailsa", "Flora"]
        record = client.request("GET", f"/tables/{table['id']}/record")
        assert tanistry.replay(record).history == tanistry.replay(played()).history
        assert "Commitment" not in record
        assert "Salt" not in record
        with pytest.raises(RefusedByServer, match="Commitment"):
            client.request("POST", "/verify", {"record": record})
        assert len(client.request("GET", f"/tables/{table['id']}/replay")["steps"]) == 53
        assert client.request("GET", "/me")["ratings"] == {}


def test_a_replay_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tanistry.server.replays.MOST_KEPT", 2)
    asked: list[str] = []

    async def ask(steps: Any, table: Table, lang: str | None) -> Any:
        asked.append(f"{table.info.seats[0].name} {lang}")
        return steps(table, lang)

    async def run() -> None:
        shelf = replays.Shelf()
        table = Table(*keeping.read(played(), "p_1", "Ailsa"))
        for lang in (None, None, "fr", None):
            laid = orjson.loads(await shelf.steps(table, lang, ask))
            assert laid == orjson.loads(orjson.dumps(replays.steps(table, lang)))
        table.info.seats[0].name = "Isla"  # by a moderator, perhaps
        await shelf.steps(table, None, ask)
        await shelf.steps(table, "fr", ask)
        assert asked == ["Ailsa None", "Ailsa fr", "Isla None", "Isla fr"]
        table.info.status = "playing"
        with pytest.raises(Refused, match="table/running"):
            await replays.Shelf().steps(table, None, ask)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("greedy", ("greedy", None)),
        ("people:2", ("people", 2)),
        ("ismcts:9", (None, None)),
        ("greedy:٣", ("greedy", None)),
        ("ismcts:x", (None, None)),
        ("nobody:1", (None, None)),
        ("", (None, None)),
    ],
)
def test_bots_are_those_of_the_server(said: str, kept: tuple[str | None, int | None]) -> None:
    info, _ = keeping.read(played().replace("ismcts:3", said), "p_1", "Ailsa")
    assert (info.seats[1].bot, info.seats[1].level) == kept


def test_a_match_that_was_resigned_among_bots_is_whole() -> None:
    match = tanistry.game("kilt", seats=3).deal(seed=5)
    match.play(match.legal()[0])
    names = {"Seat1": "Ailsa", "Bot0": "people:1", "Bot2": "people:1"}
    info, rows = keeping.read(match.record(**names, EndedBy="resign 1"), "p_1", "Ailsa")
    assert (rows[-1].kind, rows[-1].seat) == ("resign", 1)
    assert info.result is not None
    assert info.result["ranking"] == [[0, 2], [1]]
    with pytest.raises(Refused, match="record/whole"):
        keeping.read(match.record(**names, EndedBy="resign 0"), "p_1", "Ailsa")


@pytest.mark.parametrize(
    "record",
    [
        played(choices=10),
        played().replace("0: ", "1: ", 1),
        played().replace('[Bot1 "ismcts:3"]\n', ""),
        played().replace('[Seat0 "Ailsa"]', '[Bot0 "ismcts:3"]'),
        played().replace('[Game "claim"]', '[Game "whist"]'),
        "nothing of ours",
    ],
    ids=["running", "wrong seat", "two people", "no person", "no game", "no record"],
)
def test_what_does_not_hold_is_refused(server: Process, record: str) -> None:
    with Client(server.url) as client:
        login = f"keeps{abs(hash(record)) % 10**9}"
        client.request("POST", "/account", {"login": login, "password": "correct horse"})
        with pytest.raises(RefusedByServer):
            client.request("POST", "/me/matches", {"record": record})
        assert client.request("GET", "/me/matches")["tables"] == []
