"""Clubs: who is in one, who leads it, and whose tournaments are whose."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tanistry.cli.app import run
from tanistry.client import RefusedByServer
from tanistry.client.http import Http
from tanistry.server import belongings, clubs
from tanistry.server.acts import Actor
from tanistry.server.hall import Hall
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.schema import audit
from tanistry.server.schema import clubs as club_rows
from tanistry.server.schema import tournaments as cups
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.tournaments import deciding, reading
from tanistry.server.tournaments.rounds import Rounds
from tests.server.processes import Process
from tests.server.test_pairing import people
from tests.server.test_store import with_store
from tests.server.test_tournaments import announce, begin, with_rounds


async def club_of(store: Store, *members: str) -> str:
    """A club that the first of them founded and leads."""
    id = await clubs.found(store, "Glen", members[0])
    key = (await clubs.load(store, id)).row.key
    for player in members[1:]:
        await clubs.join(store, id, key, player)
    return id


async def parts(store: Store, id: str) -> dict[str, bool]:
    return {one.player: one.leader for one in (await clubs.load(store, id)).members}


def test_somebody_always_leads(database: str) -> None:
    async def do(store: Store) -> None:
        await people(store, 4)
        id = await club_of(store, "p_0", "p_1", "p_2")
        assert await parts(store, id) == {"p_0": True, "p_1": False, "p_2": False}
        with pytest.raises(Refused, match="club/last-leader"):
            await clubs.set_leader(store, id, "p_0", False, None)
        assert await parts(store, id) == {"p_0": True, "p_1": False, "p_2": False}, "no one else"
        await clubs.set_leader(store, id, "p_1", True, None)
        gone = (clubs.leave(store, id, "p_0"), clubs.leave(store, id, "p_1"))
        await asyncio.gather(*gone)
        assert await parts(store, id) == {"p_2": True}
        with pytest.raises(Refused, match="club/nobody"):
            await clubs.leave(store, id, "p_0")
        await announce(store, club=id)
        await clubs.leave(store, id, "p_2")
        with pytest.raises(Refused, match="club/unknown"):
            await clubs.load(store, id)
        assert [row.status for row in await store.read(sa.select(cups.c.status))] == ["cancelled"]

    with_store(database, do)


def test_who_is_put_out_does_not_come_back_by_the_link(tmp_path: Path) -> None:
    async def do(store: Store) -> None:
        await people(store, 3)
        id = await club_of(store, "p_0", "p_1")
        key = (await clubs.load(store, id)).row.key
        await clubs.remove(store, id, "p_1", Actor("p_2", "moderator"))
        for wrong in (key, "nothing"):
            with pytest.raises(Refused, match="club/link"):
                await clubs.join(store, id, wrong, "p_1")
        await clubs.join(store, id, "nothing", "p_0")  # who is in it needs no link
        assert await parts(store, id) == {"p_0": True}
        (act,) = await store.read(sa.select(audit))
        assert (act.by, act.act, act.player) == ("p_2", "club-remove", "p_1")
        assert act.details == {"club": "Glen"}

    with_store(str(tmp_path / "test.db"), do)


def test_there_is_room_for_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def do(store: Store) -> None:
        await people(store, 3)
        monkeypatch.setattr(clubs, "MOST_MEMBERS", 2)
        monkeypatch.setattr(clubs, "MOST_CLUBS", 1)
        id = await club_of(store, "p_0", "p_1")
        key = (await clubs.load(store, id)).row.key
        with pytest.raises(Refused, match="club/full"):
            await clubs.join(store, id, key, "p_2")
        with pytest.raises(Refused, match="club/many"):
            await club_of(store, "p_1")
        assert len(await store.read(sa.select(club_rows))) == 1, "nothing of it has happened"

    with_store(str(tmp_path / "test.db"), do)


def test_what_is_kept_of_a_member(tmp_path: Path) -> None:
    async def do(store: Store) -> None:
        await people(store, 4)
        id = await club_of(store, "p_0", "p_1", "p_2")
        kept = await belongings.everything(store, await store.player("p_0"))
        assert [(one["club_id"], one["leader"]) for one in kept["clubs"]] == [(id, True)]
        await People(store).adopt("p_0", "p_1")  # both are in it
        assert await parts(store, id) == {"p_1": True, "p_2": False}
        await People(store).adopt("p_2", "p_3")
        assert await parts(store, id) == {"p_1": True, "p_3": False}
        await belongings.erase(store, "p_1")
        assert await parts(store, id) == {"p_3": True}
        await belongings.erase(store, "p_3")
        assert await store.read(sa.select(club_rows)) == []

    with_store(str(tmp_path / "test.db"), do)


def test_its_tournaments_are_its_own(tmp_path: Path) -> None:
    async def do(halls: list[Hall], _workers: list[Rounds]) -> None:
        store = halls[0].store
        await people(store, 4)
        club = await club_of(store, "p_0", "p_1")
        id = await announce(store, club=club)
        cup = (await reading.load(store, id)).row
        rows = [await store.player(f"p_{n}") for n in range(4)]

        async def who_runs() -> list[bool]:
            by = await reading.organisers(store, cup)
            return [reading.runs(row, by) for row in rows]

        assert await who_runs() == [True, False, False, False]
        await clubs.set_leader(store, club, "p_1", True, None)
        assert await who_runs() == [True, True, False, False]
        await clubs.set_leader(store, club, "p_0", False, None)
        assert await who_runs() == [False, True, False, False], "who made it leads no longer"
        await deciding.join(store, id, rows[1])
        with pytest.raises(Refused, match="club/not-in"):
            await deciding.join(store, id, rows[2])
        for row, count in ((rows[1], 1), (rows[2], 0), (None, 0)):
            assert len(await reading.recent(store, reading.listed_for(row))) == count
        assert (await reading.recent(store))[0]["club"] == {"id": club, "name": "Glen"}
        await clubs.dissolve(store, club, None)
        assert (await reading.recent(store))[0]["club"] is None
        assert await reading.recent(store, reading.listed_for(rows[1])) == [], (
            "nor is it everybody's now"
        )

    with_rounds(str(tmp_path / "test.db"), do)


def test_who_is_in_the_club_no_longer_is_not_in_its_tournaments(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        store = hall.store
        who = await people(store, 5)
        club = await club_of(store, *(one.player for one in who))
        to_come, other = await announce(store, club=club), await announce(store, "robin")
        id = await announce(store, "robin", club=club)
        for open in (to_come, other):
            for one in who[3:]:
                await deciding.join(store, open, await store.player(one.player))
        await begin(store, id, who)
        await rounds.look()
        await clubs.leave(store, club, "p_3")
        await clubs.remove(store, club, "p_4", None)
        assert (await reading.load(store, to_come)).entrants == []
        assert len((await reading.load(store, other)).entrants) == 2, "it is not the club's"
        cup = await reading.load(store, id)
        left, put_out = cup.of("p_3"), cup.of("p_4")
        assert left
        assert put_out
        assert (left.here, left.removed, put_out.here, put_out.removed) == (
            False, False, False, True
        )  # fmt: skip
        for player in ("p_3", "p_4"):
            with pytest.raises(Refused, match="club/not-in"):
                await deciding.join(store, id, await store.player(player))
        while any(game.status == "waiting" for game in cup.games if _plays(cup, game, "p_4")):
            await rounds.look()
            cup = await reading.load(store, id)
        key = (await clubs.load(store, club)).row.key
        for player in ("p_3", "p_4"):
            await clubs.join(store, club, key, player)
        await deciding.join(store, id, await store.player("p_3"))  # who left may be back
        with pytest.raises(Refused, match="tournament/removed"):
            await deciding.join(store, id, await store.player("p_4"))

    with_rounds(str(tmp_path / "test.db"), do)


def _plays(cup: reading.Tournament, game: reading.Game, player: str) -> bool:
    one = cup.of(player)
    return one is not None and one.number in game.result.present


# -- over the wire --------------------------------------------------------------------------------


def refused(http: Http, *request: Any) -> str:
    with pytest.raises(RefusedByServer) as found:
        http.request(*request)
    return found.value.code


NAMES = {
    "\u202e": "talk/text", "x" * 61: "message/value", "": "message/value",
    "🃏🃏": "message/value", "../..": "message/value",
}  # fmt: skip
"""Names that cannot be, and why."""


def test_over_the_wire(own_server: Process) -> None:
    own_server.environment["TANISTRY_CLUBS"] = "members"
    own_server.start()
    leader, guest, stranger = (own_server.http() for _ in range(3))
    told = guest.request("GET", "/clubs")
    assert (told["may_found"], told["needs"]) == (False, "account")
    assert refused(guest, "POST", "/clubs", {"name": "Mine"}) == "club/not-yours"
    leader.request("POST", "/account", {"login": "ailsa.here", "password": "rain on the glen"})
    for wrong, code in NAMES.items():
        assert refused(leader, "POST", "/clubs", {"name": wrong}) == code
    club = leader.request("POST", "/clubs", {"name": "<b>Glen</b>"})
    path, me = f"/clubs/{club['id']}", guest.request("GET", "/me")["id"]
    told = stranger.request("GET", path)
    assert (told["name"], told["count"], told["you"]) == ("<b>Glen</b>", 1, None)
    assert (told["key"], told["members"], told["tournaments"]) == (None, [], [])
    joined = guest.request("POST", f"{path}/members", {"key": club["key"]})
    assert (joined["you"], joined["key"], joined["leads"]) == ("member", None, False)
    assert [one["id"] for one in guest.request("GET", "/clubs")["clubs"]] == [club["id"]]
    assert stranger.request("GET", "/clubs")["clubs"] == []
    lead = {"player": me, "leader": True}
    alone = {"player": leader.request("GET", "/me")["id"], "leader": False}
    assert refused(leader, "PUT", f"{path}/leaders", alone) == "club/last-leader"
    for http in (guest, stranger):
        for method, at, body in (
            ("PATCH", path, {"name": "Ours"}),
            ("DELETE", path, None),
            ("PUT", f"{path}/leaders", lead),
            ("DELETE", f"{path}/members/{leader.request('GET', '/me')['id']}", None),
        ):
            assert refused(http, method, at, body) == "club/not-yours"
    new = {"name": "Night", "game": "claim", "system": "swiss", "club": club["id"]}
    assert refused(guest, "POST", "/tournaments", new) == "club/not-yours"
    assert refused(leader, "POST", "/tournaments", {**new, "club": "none"}) == "club/unknown"
    assert refused(leader, "POST", "/tournaments", {**new, "club": None}) == "tournament/not-yours"
    cup = leader.request("POST", "/tournaments", new)
    assert cup["club"] == {"id": club["id"], "name": "<b>Glen</b>"}
    assert [one["id"] for one in guest.request("GET", path)["tournaments"]] == [cup["id"]]
    assert [one["id"] for one in guest.request("GET", "/tournaments")["tournaments"]] == [cup["id"]]
    assert stranger.request("GET", "/tournaments")["tournaments"] == []
    assert refused(stranger, "POST", f"/tournaments/{cup['id']}/players") == "club/not-in"
    guest.request("POST", f"/tournaments/{cup['id']}/players")
    leader.request("PUT", f"{path}/leaders", lead)
    assert guest.request("GET", f"/tournaments/{cup['id']}")["runs"], "who leads runs it"
    assert guest.request("PATCH", path, {"name": "Ours"})["name"] == "Ours"
    for odd in ("nobody", "%00", "é"):
        assert refused(guest, "DELETE", f"{path}/members/{odd}".replace("é", "%C3%A9"))
    assert guest.request("PATCH", path, {"new_key": True})["key"] != club["key"]
    assert refused(stranger, "POST", f"{path}/members", {"key": club["key"]}) == "club/link"
    assert [one["leader"] for one in guest.request("GET", "/me/data")["clubs"]] == [True]
    assert guest.request("DELETE", f"{path}/members/me") == {"ok": True}
    assert leader.request("DELETE", path) == {"ok": True}
    assert refused(leader, "GET", path) == "club/unknown"
    assert leader.request("GET", f"/tournaments/{cup['id']}")["status"] == "cancelled"
    _moderated(own_server, leader)


def _moderated(server: Process, leader: Http) -> None:
    """A moderator looks after names, and what they do is written down."""
    other = server.http()
    other.request("POST", "/account", {"login": "calum.here", "password": "rain on the glen"})
    club = leader.request("POST", "/clubs", {"name": "Beelzebub"})
    database = server.environment["TANISTRY_DATABASE"]
    assert run(["admin", "role", "calum.here", "moderator", "--database", database]) == 0
    other.request("POST", "/moderation/names", {"name": "beelzebub"})
    assert [one["name"] for one in other.request("GET", "/clubs")["clubs"]] == ["Beelzebub"]
    path = f"/clubs/{club['id']}"
    assert other.request("PATCH", path, {"name": "A club"})["name"] == "A club"
    assert refused(leader, "PATCH", path, {"name": "B3elzebub"}) == "auth/refused-name"
    assert refused(leader, "POST", "/clubs", {"name": "Beelzebub 2"}) == "auth/refused-name"
    new = {"name": "Night", "game": "claim", "system": "swiss", "club": club["id"]}
    assert refused(other, "POST", "/tournaments", new) == "club/not-yours", "hosts and leaders"
    act = other.request("GET", "/moderation/acts")["acts"][0]
    assert (act["act"], act["details"]) == ("club-name", {"club": "Beelzebub", "name": "A club"})
    other.request("DELETE", path)
    assert other.request("GET", "/moderation/acts")["acts"][0]["act"] == "club-end"


def test_who_wants_none_has_none() -> None:
    """What a server says then is in test_tournaments.py."""
    assert Settings().has_clubs
    for none in (Settings(clubs="none"), Settings(tournaments="none"), Settings(people=False)):
        assert not none.has_clubs


def test_at_the_console(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "test.db")

    async def two(store: Store) -> None:
        await people(store, 2)

    with_store(database, two)

    def admin(*words: str, lang: str = "en") -> tuple[int, str]:
        status = run(["--lang", lang, "admin", "club", *words, "--database", database])
        said = capsys.readouterr()
        return status, " ".join((said.out + said.err).split())

    status, said = admin("new", "Glen", "--site", "https://play.example.org")
    link, _, rest = said.partition(" ")
    assert (status, rest) == (0, "The first to join by this link leads the club.")
    id, _, key = link.removeprefix("https://play.example.org/clubs/").partition("#")
    assert admin("list") == (0, f"{id} 0 Glen")

    async def come(store: Store) -> None:
        await clubs.edit(store, id, "Other", False, None)  # it is there though nobody is in it
        for player in ("p_0", "p_1"):
            await clubs.join(store, id, key, player)
        assert await parts(store, id) == {"p_0": True, "p_1": False}

    with_store(database, come)
    for wrong, says in (
        ((), "list, new, close"),
        (("found",), "list, new, close"),
        (("new",), "needs a name"),
        (("close", "x"), "no such club"),
        (("new", "x" * 61), "60"),
    ):
        status, said = admin(*wrong)
        assert status != 0, wrong
        assert says in said, said
    assert admin("close", id, lang="fr") == (0, f"Le club {id} est dissous.")
    assert admin("list") == (0, "")
    assert run(["admin", "audit", "--database", database]) == 0
    acts = [line.split()[-4:] for line in capsys.readouterr().out.splitlines()]
    assert acts == [
        ["console", "club-end", "club:", "Other"], ["console", "club", "club:", "Glen"]
    ]  # fmt: skip
