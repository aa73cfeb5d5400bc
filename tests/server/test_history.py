"""What somebody has played, profiles, and who is best; a database from before they were there."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import zipfile
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import tanistry
from tanistry.client import AsyncClient
from tanistry.client.http import Http, RefusedByServer
from tanistry.server import history, profiles
from tanistry.server.clocks import now_ms
from tanistry.server.history import Wanted, standing
from tanistry.server.info import Seat
from tanistry.server.refusals import Refused
from tanistry.server.schema import players, rating_changes, ratings
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.verbs import bot_seat, new_info
from tests.patience import PATIENCE
from tests.server.processes import Process
from tests.server.test_migrations import DATA, on
from tests.server.test_store import with_store

BEFORE = json.loads((DATA / "letters.json").read_text())
PEOPLE = {"p_me": "Ailsa", "p_b": "Blair", "p_c": "Éilidh", "p_guest": "Somebody 12"}


async def people(store: Store) -> None:
    for id, name in PEOPLE.items():
        login = None if id == "p_guest" else id
        values = {"id": id, "name": name, "login": login, "session": 0, "created": 1}
        await store.execute(sa.insert(players).values(**values))


async def played(store: Store, number: int, *seats: Seat, **more: Any) -> str:
    """A match that is over, in the order of its number."""
    ranking = more.pop("ranking", [[0], [1]])
    info = new_info(more.pop("game", "claim"), {}, list(seats), "p_me", **more)
    info.begin(number)
    info.status, info.ended = "over", number
    info.result = {"scores": None, "ranking": ranking, "ended_by": "play", "by": None}
    await store.insert_table(info)
    return info.id


def person(seat: int, id: str, **more: Any) -> Seat:
    return Seat(seat, "person", id, PEOPLE[id], True, **more)


async def all_pages(store: Store, wanted: Wanted, limit: int) -> list[Any]:
    found, before = [], None
    while True:
        page, before = await history.page(store, "p_me", wanted, before, limit)
        assert len(page) <= limit
        found += page
        if before is None:
            return found


def test_every_match_is_on_one_page(database: str) -> None:
    async def do(store: Store) -> None:
        await people(store)
        ids = [
            await played(store, 1 + number // 3, person(0, "p_me"), person(1, "p_b"))
            for number in range(25)
        ]
        await played(store, 99, person(0, "p_c"), person(1, "p_b"))
        for limit in (1, 4, 25, 100):
            found = [match["table"] for match in await all_pages(store, Wanted(), limit)]
            assert sorted(found) == sorted(ids), "each once, though many end in one moment"
        assert [m["ended"] for m in await all_pages(store, Wanted(), 7)] == sorted(
            (1 + number // 3 for number in range(25)), reverse=True
        )

    with_store(database, do)


def test_a_damaged_match_hides_no_other(tmp_path: Path) -> None:
    async def told(store: Store) -> None:
        await people(store)
        ids = [await played(store, n, person(0, "p_me"), person(1, "p_b")) for n in (1, 2, 3)]
        for id, harm in ((ids[0], "{"), (ids[2], "[]")):
            spoil = sa.text("UPDATE tables SET result = :harm WHERE id = :id")
            await store.execute(spoil.bindparams(harm=harm, id=id))
        found, _ = await history.page(store, "p_me", Wanted(), None, 10)
        assert [match["table"] for match in found] == [ids[1]]

    with_store(f"sqlite:///{tmp_path}/damaged.db", told)


def test_filters(database: str) -> None:
    async def do(store: Store) -> None:
        await people(store)
        me, blair, eilidh = person(0, "p_me"), person(1, "p_b"), person(1, "p_c")
        await played(store, 1, me, blair)
        await played(store, 2, me, eilidh, rated=False, ranking=[[1], [0]])
        await played(store, 3, me, eilidh, game="schotten", ranking=[[0, 1]])
        await played(store, 4, me, bot_seat(1, "random", None))

        async def told(**wanted: Any) -> list[int]:
            return [match["ended"] for match in await all_pages(store, Wanted(**wanted), 2)]

        assert await told(game="schotten") == [3]
        assert await told(outcome="won") == [4, 1]
        assert await told(outcome="drawn") == [3]
        assert await told(outcome="lost") == [2]
        assert await told(rated=True) == [3, 1]
        assert await told(rated=False) == [4, 2], "nobody is rated against bots"
        assert await told(opponent="ÉIL") == [3, 2], "capitals with accents, too"
        assert await told(opponent="p_b") == [1]
        assert await told(opponent="%") == await told(opponent="_b") == []
        assert await told(opponent="eilidh", game="claim") == []

    with_store(database, do)


def test_one_question_does_not_look_through_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PAGE", 2)
    monkeypatch.setattr(history, "MOST_LOOKED_AT", 4)

    async def do(store: Store) -> None:
        await people(store)
        for number in range(9):
            other = "p_c" if number == 0 else "p_b"
            await played(store, number, person(0, "p_me"), person(1, other))
        page, before = await history.page(store, "p_me", Wanted(opponent="Éilidh"), None, 5)
        assert (page, before is not None) == ([], True)
        assert [m["ended"] for m in await all_pages(store, Wanted(opponent="Éilidh"), 5)] == [0]

    with_store(str(tmp_path / "test.db"), do)


@pytest.mark.parametrize(
    ("ranking", "seat", "gone", "expected"),
    [
        ([[1], [0], [2]], 2, set(), (3, "lost")),
        ([[1, 2], [0]], 2, set(), (1, "drawn")),
        ([[1, 2], [0]], 0, set(), (3, "lost")),
        ([[0], [1], [2]], 0, {0}, (3, "lost")),
        ([[0], [1], [2]], 1, {0}, (1, "won")),
    ],
)
def test_places(
    ranking: list[list[int]], seat: int, gone: set[int], expected: tuple[int, str]
) -> None:
    assert standing(ranking, seat, gone) == expected


def test_a_profile_shows_what_its_owner_wants(database: str) -> None:
    async def do(store: Store) -> None:
        await people(store)
        for number in range(3):
            await played(store, number, person(0, "p_me"), person(1, "p_b"))
        await played(store, 3, person(0, "p_me"), person(1, "p_c"), ranking=[[1], [0]])
        table = await played(store, 4, person(0, "p_me"), person(1, "p_guest"), game="schotten")
        values = {"player": "p_me", "game": "schotten", "mu": 26.0}
        rated = sa.insert(ratings).values(**values, sigma=5.0, matches=1)
        await store.execute(rated)
        change = sa.insert(rating_changes).values(**values, table_id=table, seat=0, at=4)
        await store.execute(change.values(before=25.0))
        hide = sa.update(players).where(players.c.id == "p_c").values(private=True)
        await store.execute(hide)

        async def seen_by(viewer: str | None, id: str = "p_me") -> Any:
            return await profiles.profile(store, await store.player(id), viewer)

        own, others = await seen_by("p_me"), await seen_by(None)
        assert own["games"][0] == {"game": "claim", "matches": 4, "won": 3, "drawn": 0, "lost": 1}
        points = own["ratings"]["schotten"]["points"]
        assert points == [{"at": 4, "value": 1500}, {"at": 4, "value": 1540}]
        names = [one["name"] for one in own["opponents"]]
        assert names == ["Blair", "Éilidh", "Somebody 12"]
        assert [one["name"] for one in others["opponents"]] == ["Blair"]
        assert {**others, "opponents": [], "you": True} == {**own, "opponents": []}
        for id in ("p_c", "p_guest"):
            with pytest.raises(Refused, match="player/private"):
                await seen_by("p_me", id)
            assert (await seen_by(id, id))["you"]

    with_store(database, do)


def test_few_matches_make_nobody_the_best(database: str) -> None:
    async def do(store: Store) -> None:
        await people(store)
        found = {
            "p_me": (25, 1, 50),
            "p_b": (30, 1.0, 9),
            "p_c": (40, 8, 40),
            "p_guest": (40, 1, 90),
        }
        for id, (mu, sigma, matches) in found.items():
            values = {"player": id, "game": "claim", "mu": mu, "sigma": sigma, "matches": matches}
            await store.execute(sa.insert(ratings).values(**values))
        assert [one["id"] for one in await profiles.best(store, "claim", 20)] == ["p_me"]
        assert await profiles.best(store, "lords", 20) == []
        await store.execute(sa.update(players).values(private=True))
        assert await profiles.best(store, "claim", 20) == []

    with_store(database, do)


# -- over HTTP ------------------------------------------------------------------------------------


def raw(server: Process, http: Http, path: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", f"/api/v1{path}", headers={"Cookie": f"tanistry={http.cookie}"})
    answer = connection.getresponse()
    assert answer.status == 200
    found = answer.read()
    connection.close()
    return found


def test_a_device_s_match_is_in_the_history_and_taken_along(server: Process) -> None:
    http = server.http()
    login = {"login": "historian", "password": "a sentence about stones"}
    me = http.request("POST", "/account", login)
    match = tanistry.game("claim").deal(seed=5)
    while match.to_act is not None:
        match.play(match.legal()[0])
    record = match.record(Bot1="random", Seat0="<b>me</b>")
    kept = http.request("POST", "/me/matches", {"record": record})["id"]
    (found,) = http.request("GET", "/me/history")["matches"]
    assert (found["table"], found["kept"], found["rated"], found["rating"]) == (
        kept, True, False, None,
    )  # fmt: skip
    assert http.request("GET", "/me/history?rated=true") == {"matches": [], "next": None}
    assert json.loads(raw(server, http, "/me/history/export"))["matches"] == [found]
    archive = zipfile.ZipFile(io.BytesIO(raw(server, http, "/me/history/export?form=records")))
    (name,) = archive.namelist()
    assert name == f"claim-{kept}.txt"
    again = tanistry.replay(archive.read(name).decode())
    assert again.history == match.history
    profile = http.request("GET", f"/players/{me['id']}/profile")
    assert profile["counted"] == 1
    assert profile["opponents"] == []
    stranger = server.http()
    assert not stranger.request("GET", f"/players/{me['id']}/profile")["you"]
    assert stranger.request("GET", "/me/history")["matches"] == []
    assert http.request("PUT", "/me/profile", {"private": True})["private"]
    with pytest.raises(RefusedByServer) as refused:
        stranger.request("GET", f"/players/{me['id']}/profile")
    assert refused.value.code == "player/private"
    assert "private" not in stranger.request("GET", f"/players/{me['id']}")


def test_a_family_sees_none_of_it(own_server: Process) -> None:
    own_server.environment["TANISTRY_PEOPLE"] = "off"
    http = own_server.start().http()
    me = http.request("GET", "/me")
    assert me["people"] is False
    for path in ("/players?game=claim", f"/players/{me['id']}/profile", "/players/me/profile"):
        with pytest.raises(RefusedByServer) as refused:
            http.request("GET", path)
        assert refused.value.code == "people/off", path
    assert http.request("GET", "/me/history")["matches"] == []


# -- databases from before ------------------------------------------------------------------------


def test_a_database_from_before_keeps_everything(tmp_path: Path) -> None:
    database = tmp_path / "old.db"
    shutil.copy(DATA / "letters.db", database)

    def counted(connection: sa.Connection) -> dict[str, int]:
        count = "SELECT count(*) FROM {}"
        return {
            name: connection.execute(sa.text(count.format(name))).scalar_one()
            for name in BEFORE["counts"]
            if name not in ("settings", "outages")  # a server writes down that it lives
        }

    before = on(Settings(database=str(database)).database_url, counted)
    assert before.items() <= BEFORE["counts"].items()

    async def do(store: Store) -> None:
        for name, id in BEFORE["people"].items():
            row = await store.player(id)
            assert (row.name, row.private) == (name, False)
            assert await store.ratings_of(id) == BEFORE["ratings"][name]
            found, _ = await history.page(store, id, Wanted(), None, 10)
            assert [match["table"] for match in found] == [BEFORE["over"]]
            assert found[0]["rated"]
            assert found[0]["rating"] is None, "nobody wrote down what it did"
            told = await profiles.profile(store, row, id)
            assert told["ratings"]["claim"]["value"] == BEFORE["ratings"][name]["claim"]["value"]
        loaded = await store.load(BEFORE["playing"])
        assert loaded is not None
        assert len(loaded[1]) == 6

    with_store(str(database), do)
    assert on(Settings(database=str(database)).database_url, counted) == before


def test_a_rated_match_is_written_down(server: Process) -> None:
    async def run() -> None:
        async with AsyncClient(server.url) as one, AsyncClient(server.url) as two:
            table = await one.create("claim", rated=True)
            other = await two.watch(table.id)
            await other.sit()
            await other.ready()
            await table.ready()
            for turn in range(4):
                acting = (table, other)[table.view["to_act"]]
                await acting.your_turn()
                await acting.play(acting.legal[0])
                for each in (table, other):
                    await each.until(lambda each=each, turn=turn: each.turn > turn)
            await table.resign()
            await other.ended()
            (lost,) = (await one.request("GET", "/me/history"))["matches"]
            (won,) = (await two.request("GET", "/me/history"))["matches"]
            assert (lost["outcome"], won["outcome"]) == ("lost", "won")
            assert lost["ended"] <= now_ms()
            assert won["rating"]["before"] == lost["rating"]["before"] == 1500
            assert won["rating"]["after"] > 1500 > lost["rating"]["after"]
            for table_, match in ((table, lost), (other, won)):
                await table_.until(lambda own=table_: own.data["status"] == "over")
                assert table_.data["seats"][table_.seat]["rating_change"] == match["rating"]
            for client, match in ((one, lost), (two, won)):
                profile = await client.request("GET", "/players/me/profile")
                rating = profile["ratings"]["claim"]
                assert [point["value"] for point in rating["points"]] == [
                    1500, match["rating"]["after"],
                ]  # fmt: skip
                assert rating["value"] == match["rating"]["after"]

    asyncio.run(run())
