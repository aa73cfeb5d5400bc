"""Who keeps the peace, by what right, and that it holds: roles, mutes, bans, names, invitations."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import sqlalchemy as sa
import websockets

from tanistry.cli.app import run as tanistry
from tanistry.client import AsyncClient, RefusedByServer
from tanistry.client.http import Http
from tanistry.server import belongings, blocks, clubs, verbs
from tanistry.server import messages as m
from tanistry.server.acts import CONSOLE, Actor
from tanistry.server.app import create_app
from tanistry.server.bodies import NewTournament
from tanistry.server.info import Seat
from tanistry.server.moderation import Moderation, skeleton
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.schema import metadata, players, seats
from tanistry.server.schema import tournaments as cups
from tanistry.server.settings import Settings
from tanistry.server.tournaments import deciding
from tests.patience import PATIENCE, until
from tests.server.processes import Process
from tests.server.test_store import unheard, with_store
from tests.server.test_talk import Scene, scene


def with_peace(folder: Path, do: Callable[[Moderation, list[Any]], Awaitable[None]]) -> None:
    """With three people: an ordinary one, a moderator, a host."""

    async def run(store: Any) -> None:
        people = People(store)
        peace = Moderation(people)
        rows = []
        for number, role in enumerate(("person", "moderator", "host")):
            row = await people.new_guest()
            values = {"login": f"person-{number}", "password": "x"}
            await store.execute(sa.update(players).where(players.c.id == row.id).values(**values))
            await peace.set_role(CONSOLE, await store.player(row.id), role)
            rows.append(await store.player(row.id))
        await do(peace, rows)

    with_store(str(folder / "test.db"), run)


def test_what_is_done_unheard_is_done_and_written_down_once(tmp_path: Path) -> None:
    """A moderator is not told that it went wrong when the database is gone just after it stored."""

    async def do(peace: Moderation, rows: list[Any]) -> None:
        person, _moderator, host = rows
        store, by = peace._people.store, Actor(host.id, "host")
        new = NewTournament(name="Cup", game="claim", system="swiss")
        token = await peace.invite(by, "The club", 2, 30)
        with unheard(store):
            await peace.accept(token)
        (invited,) = await peace.invitations()
        assert invited["left"] == 1
        acts: list[Callable[[], Awaitable[Any]]] = [
            lambda: peace.set_role(by, person, "person"),
            lambda: peace.sanction(by, "ban", person.id, 5, "Insults.", ["192.0.2.1"]),
            lambda: peace.lift(by, "ban", person.id),
            lambda: peace.ban_address(by, "192.0.2.1", 5, ""),
            lambda: peace.lift_address(by, "192.0.2.1"),
            lambda: peace.rename(by, person.id),
            lambda: peace.refuse_name(by, "Beelzebub"),
            lambda: peace.allow_name(by, "Beelzebub"),
            lambda: peace.uninvite(by, invited["id"]),
            lambda: peace.invite(by, "The other club", 1, 30),
            lambda: clubs.found(store, "Glen", None),
            lambda: deciding.create(store, new, ""),
        ]
        for act in acts:
            before = len(await peace.acts())
            with unheard(store):
                await act()
            assert len(await peace.acts()) == before + 1

    with_peace(tmp_path, do)


def test_nobody_is_sanctioned_by_one_without_more_rights(tmp_path: Path) -> None:
    async def do(peace: Moderation, rows: list[Any]) -> None:
        _person, moderator, host = rows
        by = Actor(moderator.id, "moderator")
        for row in (moderator, host):
            with pytest.raises(Refused, match="auth/role"):
                await peace.sanction(by, "ban", row.id, 1, "")
            with pytest.raises(Refused, match="auth/role"):
                await peace.rename(by, row.id)
        await peace.sanction(Actor(host.id, "host"), "mute", moderator.id, 1, "")
        with pytest.raises(Refused, match="auth/role"):
            await peace.lift(by, "mute", moderator.id)
        await peace.lift(CONSOLE, "mute", moderator.id)
        with pytest.raises(Refused, match="peace/unknown"):
            await peace.lift(CONSOLE, "mute", moderator.id)
        guest = await peace._people.new_guest()
        with pytest.raises(Refused, match="auth/no-account"):
            await peace.set_role(CONSOLE, guest, "host")

    with_peace(tmp_path, do)


def test_every_act_is_written_down(tmp_path: Path) -> None:
    async def do(peace: Moderation, rows: list[Any]) -> None:
        person, moderator, _ = rows
        by = Actor(moderator.id, "moderator")
        await peace.sanction(by, "mute", person.id, 5, "  Insults.\0 ")
        await peace.lift(by, "mute", person.id)
        await peace.sanction(by, "ban", person.id, 5, "Insults.", ["192.0.2.1"])
        await peace.rename(by, person.id)
        await peace.refuse_name(by, "Beelzebub")
        await peace.allow_name(by, "beelzebub")
        token = await peace.invite(by, "The club", 2, 30)
        await peace.uninvite(by, (await peace.invitations())[0]["id"])
        acts = [act for act in await peace.acts() if act["by"] == by.id]
        assert sorted(act["act"] for act in acts) == sorted(
            ["uninvite", "invite", "allow", "refuse", "rename", "ban", "unmute", "mute"]
        )
        muted = next(act for act in acts if act["act"] == "mute")
        assert muted["details"] == {"hours": 5, "reason": "Insults.", "addresses": 0}
        assert "192.0.2.1" not in json.dumps(acts)
        with pytest.raises(Refused, match="auth/invitation-used"):
            await peace.accept(token)
        assert list(await peace.addresses()) == ["192.0.2.1"]
        await peace.lift(by, "ban", person.id)
        assert await peace.addresses() == {}

    with_peace(tmp_path, do)


@pytest.mark.parametrize(
    "name",
    [
        "Beelzebub", "BEELZEBUB 7", "xX Béel-zebub Xx", "B33lzebub", "Ｂｅｅｌｚｅｂｕｂ",
        "Вееlzеbub", "ΒΕΕLΖΕΒUΒ", "Beeӏzebub", "ʙᴇᴇʟᴢᴇʙᴜʙ", "Bee1zebub", "BeeIzebub", "Bee|zebub",
    ],
)  # fmt: skip
def test_a_refused_name_is_known_in_disguise(name: str, tmp_path: Path) -> None:
    async def do(peace: Moderation, _rows: list[Any]) -> None:
        await peace.refuse_name(CONSOLE, "Beelzebub")
        await peace.refuse_name(CONSOLE, "beelzebub!")  # the same
        assert await peace.names() == ["beelzebub"]
        with pytest.raises(Refused, match="auth/refused-name"):
            await peace.check_name(name)
        for fine in ("Ailsa", "Борис", "Ελένη", "Łukasz"):
            await peace.check_name(fine)
        with pytest.raises(Refused, match="peace/name"):
            await peace.refuse_name(CONSOLE, "!")

    with_peace(tmp_path, do)
    assert skeleton(name)


def test_a_name_in_another_script_is_shown_as_it_was_given(tmp_path: Path) -> None:
    async def do(peace: Moderation, _rows: list[Any]) -> None:
        await peace.refuse_name(CONSOLE, "Вельзевул")
        assert await peace.names() == ["вельзевул"]
        with pytest.raises(Refused, match="auth/refused-name"):
            await peace.check_name("ВЕЛЬЗЕВУЛ 7")
        await peace.allow_name(CONSOLE, "Вельзевул!")
        await peace.check_name("Вельзевул")

    with_peace(tmp_path, do)


# -- over the wire --------------------------------------------------------------------------------


def account(server: Process, login: str) -> Http:
    found = server.http()
    found.request("POST", "/account", {"login": login, "password": "rain on the glen"})
    return found


def refused(do: Callable[[], Any]) -> str:
    with pytest.raises(RefusedByServer) as caught:
        do()
    return str(caught.value.code)


def socket_of(server: Process, http: Http) -> websockets.connect:
    cookie = {"Cookie": f"tanistry={http.cookie}"}
    url = server.url.replace("http", "ws") + "/ws"
    return websockets.connect(url, additional_headers=cookie, open_timeout=PATIENCE)


async def banned_on(socket: Any) -> None:
    """The socket says until when and why."""
    heard = orjson.loads(await socket.recv())
    assert heard["code"] == "auth/banned"
    for sentence in heard["say"].values():
        assert "Stalling." in sentence
        assert "UTC" in sentence


def admin(server: Process, *words: str) -> int:
    return tanistry(["admin", *words, "--database", str(server.environment["TANISTRY_DATABASE"])])


def test_a_ban_ends_everything_at_once_and_holds(
    own_server: Process, capsys: pytest.CaptureFixture[str]
) -> None:
    own_server.start()
    keeper, rowdy = account(own_server, "keeper"), account(own_server, "rowdy")
    assert refused(lambda: keeper.request("GET", "/moderation")) == "auth/role"
    assert admin(own_server, "role", "keeper", "moderator") == 0
    assert keeper.request("GET", "/me")["role"] == "moderator"

    async def run() -> None:
        other = AsyncClient(own_server.url)
        client = AsyncClient(own_server.url, cookie=rowdy.cookie)
        await other.connect()
        await client.connect()
        table = await other.create("claim")
        await client.watch(table.id)
        told = {"player": client.you["id"], "table": table.id, "why": "play", "note": "Stalls"}
        await other.request("POST", "/reports", told)
        (report,) = keeper.request("GET", "/moderation")["reports"]
        assert (report["name"], report["note"]) == (client.you["name"], "Stalls")
        ban = {"kind": "ban", "player": report["player"], "hours": 2, "reason": "Stalling."}
        async with socket_of(own_server, rowdy) as open_already:
            await asyncio.to_thread(keeper.request, "POST", "/moderation/sanctions", ban)
            await banned_on(open_already)
        async with socket_of(own_server, rowdy) as new:
            await banned_on(new)
        keeper.request("POST", "/moderation/reports/closed", {"report": report["id"]})
        await table.until(lambda: table.data["spectators"]["watching"] == 0)
        await client.close()
        await other.close()

    asyncio.run(run())
    with pytest.raises(RefusedByServer) as caught:
        rowdy.request("GET", "/me")  # another tab
    assert caught.value.code == "auth/banned"
    assert "Stalling." in str(caught.value)
    for method, path in (("GET", "/tables"), ("DELETE", "/session"), ("GET", "/me/matches")):
        assert refused(lambda: rowdy.request(method, path)) == "auth/banned"
    signed = {"login": "rowdy", "password": "rain on the glen"}
    assert refused(lambda: own_server.http().request("POST", "/session", signed)) == "auth/banned"
    peace = keeper.request("GET", "/moderation")
    assert peace["reports"] == []
    assert [one["kind"] for one in peace["sanctions"]] == ["ban"]
    assert [act["act"] for act in keeper.request("GET", "/moderation/acts")["acts"]] == [
        "close", "ban", "role",
    ]  # fmt: skip
    own_server.kill()
    own_server.start()
    assert refused(lambda: rowdy.request("GET", "/me")) == "auth/banned"
    assert admin(own_server, "unban", "rowdy") == 0
    assert rowdy.request("GET", "/me")["login"] == "rowdy"
    for nowhere in ("not-an-ip", "127.0.0.0/8", "300.1.1.1"):
        assert admin(own_server, "ban", "rowdy", "--address", nowhere, "--hours", "1") == 2
    assert rowdy.request("GET", "/me")["login"] == "rowdy"
    assert admin(own_server, "ban", "--address", " 127.0.0.1", "--hours", "1") == 0
    until(lambda: _is_out(keeper), "the server looks for bans")
    assert admin(own_server, "unban", "--address", "127.0.0.1") == 0
    until(lambda: not _is_out(keeper), "the address may come again")
    assert "banned" in capsys.readouterr().out


def test_who_is_banned_gets_nowhere(own_server: Process) -> None:
    """Whatever there is to ask for, now or later; but they may ask to be told nothing more."""
    own_server.environment |= {"TANISTRY_CLUBS": "members", "TANISTRY_TOURNAMENTS": "members"}
    own_server.start()
    rowdy = account(own_server, "rowdy")
    club = rowdy.request("POST", "/clubs", {"name": "Glen"})["id"]
    new = {"name": "Night", "game": "claim", "system": "swiss", "club": club}
    cup = rowdy.request("POST", "/tournaments", new)["id"]
    table = rowdy.request("POST", "/tables", {"game": "claim"})["id"]
    assert admin(own_server, "ban", "rowdy") == 0
    there = {"club": club, "tournament": cup, "table": table, "game": "claim", "lang": "en"}
    answered = []
    for path, methods in create_app(Settings()).http.openapi()["paths"].items():
        at = path.removeprefix("/api/v1").format_map(defaultdict(lambda: "me", there))
        for method in methods:
            if (
                refused(lambda at=at, how=method: rowdy.request(how.upper(), at, {}))
                != "auth/banned"
            ):
                answered.append(path.removeprefix("/api/v1"))
    assert answered == ["/me/pushes/ended", "/notices/stop/{token}"]


def _is_out(http: Http) -> bool:
    try:
        http.request("GET", "/me")
    except RefusedByServer as caught:
        return caught.code == "auth/address"
    return False


def test_by_invitation_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = Process(tmp_path, invited=True).start()
    try:
        stranger = Http(server.url)
        for path in ("/me", "/tables", "/games", "/players?game=claim"):
            assert refused(lambda: stranger.request("GET", path)) == "auth/invitation"
        assert admin(server, "invite", "The club", "--people", "1") == 0
        token = capsys.readouterr().out.split("#")[1].split()[0]
        bad = {"token": "x" * 43}
        assert refused(lambda: stranger.request("POST", "/invitations", bad)) == (
            "auth/invitation-used"
        )
        name = stranger.request("POST", "/invitations", {"token": token})["name"]
        assert stranger.request("GET", "/me")["name"] == name
        assert stranger.request("GET", "/tables") == {"tables": []}
        late = Http(server.url)
        assert refused(lambda: late.request("POST", "/invitations", {"token": token})) == (
            "auth/invitation-used"
        )
        signed = {"login": "ailsa", "password": "rain on the glen"}
        stranger.request("POST", "/account", signed)
        assert late.request("POST", "/session", signed)["login"] == "ailsa"
        assert late.request("GET", "/tables") == {"tables": []}
    finally:
        server.stop()


@pytest.mark.parametrize("words", [[], ["--lang", "fr"]])
def test_the_console_says_what_it_needs(
    words: list[str], own_server: Process, capsys: pytest.CaptureFixture[str]
) -> None:
    own_server.start()
    account(own_server, "ailsa")
    for wrong in (
        ["mute"],
        ["ban"],
        ["mute", "nobody"],
        ["role", "ailsa", "king"],
        ["delete", "ailsa"],
        ["close", "x"],
    ):
        assert admin(own_server, *wrong, *words) == 2, wrong
    said = capsys.readouterr().err
    assert "person, moderator, host" in said
    assert "--yes" in said
    for good in (
        ["mute", "ailsa", "--hours", "2"],
        ["unmute", "ailsa"],
        ["names", "Beelzebub"],
        ["names", "Beelzebub", "--remove"],
        ["reports"],
        ["audit"],
        ["export", "ailsa"],
    ):
        assert admin(own_server, *good, *words) == 0, good
    assert '"login": "ailsa"' in capsys.readouterr().out


# -- a person's data ------------------------------------------------------------------------------


SECRET = "bob-at-home"
"""Part of an address, a password, and whatever else is his."""
ACTS = {("audit", "by"), ("audit", "player"), ("reports", "closed_by"), ("sanctions", "by")}
ACTS |= {("invitations", "by"), ("refused_names", "by")}
"""What was done for the peace, and to whom; the number by which they were known stays with it."""


def is_person(column: sa.Column[Any]) -> bool:
    """Whether a column says who somebody is."""
    names = ("player", "blocked", "by", "closed_by", "host", "bound")
    refers = any(key.column is players.c.id for key in column.foreign_keys)
    return (refers or column.name in names) and (column.table.name, column.name) not in ACTS


async def have_everything(at: Scene, player: str) -> None:
    """Let somebody be wherever the database can name a person: a new place is filled, too."""
    store = at.hall.store
    await verbs.create(at.hall, verbs.new_info("claim", {}, [Seat(0), Seat(1)], player))
    own = {"login": SECRET, "password": SECRET, "mail": f"{SECRET}@x", "turn_mail": "en"}
    await store.execute(sa.update(players).where(players.c.id == player).values(**own))
    club = await clubs.found(store, "Glen", at.ann.player)
    new = NewTournament(name="Cup", game="claim", system="swiss")
    there = {"tables": at.live.info.id, "clubs": club, "players": at.ann.player}
    for status in ("playing", "open"):
        there["tournaments"] = await deciding.create(store, new, player)
        await deciding.join(store, there["tournaments"], await store.player(player))
        same = cups.c.id == there["tournaments"]
        await store.execute(sa.update(cups).where(same).values(status=status))
    await store.execute(sa.update(seats).where(seats.c.player == player).values(bound=player))
    for table in metadata.sorted_tables:
        for column in filter(is_person, table.columns):
            if await store.read(sa.select(table).where(column == player)):
                continue
            values = {one.name: some_value(one, there) for one in table.columns}
            row = values | {column.name: player}
            await store.execute(sa.insert(table).values(**row))


def some_value(column: sa.Column[Any], there: dict[str, str]) -> Any:
    """As little as fits; another row where one is referred to."""
    for key in column.foreign_keys:
        return there[key.column.table.name]
    if column.nullable:
        return None
    if isinstance(column.type, sa.String):
        return SECRET[: column.type.length]
    fitting = {sa.JSON: [], sa.Float: 1.0, sa.Boolean: False, sa.LargeBinary: b"1"}
    return fitting.get(type(column.type), 1)


def test_what_is_kept_is_handed_out_and_taken_away(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        store = at.hall.store
        await at.chat(at.bob, "a secret of mine")
        await at.chat(at.ann, "mine stays")
        await blocks.block(at.hall, at.bob.player, at.zoe.player)
        peace = Moderation(People(store))
        ann = await store.player(at.ann.player)
        await peace.report(ann, at.zoe.player, at.live.info, "talk", "")
        await peace.report(ann, at.bob.player, at.live.info, "talk", "")
        resign = m.Resign(type="resign", table=at.live.info.id)
        await verbs.resign(at.hall, at.live, at.bob, resign)
        by_bob = await store.player(at.bob.player)
        await peace.report(by_bob, at.zoe.player, at.live.info, "play", SECRET)
        await have_everything(at, by_bob.id)
        bob = await store.player(at.bob.player)
        told = await belongings.everything(store, bob)
        assert told["account"]["name"] == bob.name
        assert [line["text"] for line in told["chat"]] == ["a secret of mine"]
        assert at.live.info.id in [match["id"] for match in told["matches"]]
        assert at.zoe.player in [one["blocked"] for one in told["blocked"]]
        assert all(told.values()), "something of everything"
        changed = await belongings.erase(store, bob.id)
        assert at.live.info.id in changed
        await at.hall.moved(changed)
        assert [held.name for held in at.live.info.seats] == [ann.name, belongings.NOBODY]
        for table in metadata.sorted_tables:
            kept = str([tuple(row) for row in await store.read(sa.select(table))])
            assert "a secret of mine" not in kept, table.name
            assert bob.name not in kept, table.name
            assert SECRET not in kept, table.name
            assert table.name == "audit" or bob.id not in kept, table.name
        assert await at.read(at.ann) == ["mine stays"]
        assert at.live.info.result is not None

    scene(tmp_path, do)


def test_a_name_that_is_taken_away_is_gone_from_tables_too(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        peace = Moderation(People(at.hall.store))
        name, changed = await peace.rename(CONSOLE, at.bob.player)
        await at.hall.moved(changed)
        assert changed == [at.live.info.id]
        assert at.live.info.seats[1].name == name

    scene(tmp_path, do)


def test_where_somebody_still_plays_a_bot_takes_over(tmp_path: Path) -> None:
    async def do(at: Scene) -> None:
        store = at.hall.store
        info = verbs.new_info("claim", {}, [Seat(0, "person", at.bob.player, "Bob"),
                                            Seat(1)], at.bob.player)  # fmt: skip
        live = await verbs.create(at.hall, info)
        await at.hall.moved(await belongings.erase(store, at.bob.player))
        assert live.info.status == "closed"
        held = at.live.info.seats[1]
        assert (held.name, held.stand_in, held.player) == (
            belongings.NOBODY, True, at.bob.player,
        )  # fmt: skip
        row = await store.player(at.bob.player)
        assert (row.name, row.login, row.password, row.mail) == ("—", None, None, None)

    scene(tmp_path, do)


def test_who_goes_is_gone_everywhere(server: Process) -> None:
    """With their password: a cookie alone is not enough."""
    goes = account(server, f"goes.{server.http().request('GET', '/me')['id'][2:].lower()}")
    me = goes.request("GET", "/me")
    login = me["login"]

    async def run() -> None:
        client = AsyncClient(server.url, cookie=goes.cookie)
        other = AsyncClient(server.url)
        await client.connect()
        await other.connect()
        table = await other.create("claim")
        theirs = await client.watch(table.id)
        await theirs.sit()
        await theirs.ready()
        await table.ready()
        await client.ask("chat", table=table.id, text="remember me")
        kept = goes.request("GET", "/me/data")
        assert kept["account"]["login"] == login
        assert [line["text"] for line in kept["chat"]] == ["remember me"]
        assert [match["id"] for match in kept["matches"]] == [table.id]
        assert len(kept["devices"]) == 1
        wrong = lambda: goes.request("POST", "/me/deletion", {"password": "no"})  # noqa: E731
        assert refused(wrong) == "auth/wrong"
        goes.request("POST", "/me/deletion", {"password": "rain on the glen"})
        await table.until(lambda: table.data["seats"][1]["name"] == belongings.NOBODY)
        assert table.data["seats"][1]["bot_plays"]
        told = await other.ask("talk", table=table.id)
        assert told["lines"] == []
        await client.close()
        await other.close()

    asyncio.run(run())
    assert refused(lambda: goes.request("GET", "/me/matches")) == "auth/nobody"
    signed = {"login": login, "password": "rain on the glen"}
    assert refused(lambda: server.http().request("POST", "/session", signed)) == "auth/wrong"
    assert goes.request("GET", "/me")["id"] != me["id"], "somebody new"
