"""Cookies that are new when they should be, and worth nothing when they should be."""

from __future__ import annotations

import asyncio
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import argon2
import pytest
import sqlalchemy as sa

from tanistry.client import AsyncClient, RefusedByServer
from tanistry.client.http import Http
from tanistry.server.clocks import now_ms
from tanistry.server.people import NOBODY, People, check_password, clean_name
from tanistry.server.refusals import Refused
from tanistry.server.schema import sessions
from tanistry.server.sessions import device_name, token_in
from tanistry.server.store import Store
from tests.patience import PATIENCE, eventually
from tests.server.processes import Process
from tests.server.test_store import with_store

PASSWORD = "the heather on the hill"


class Hasty(People):
    """Where passwords are tried by the dozen: without the work that each is worth."""

    async def _hash(self, password: str) -> str:
        return "hashed " + password

    def _verify(self, hashed: str, password: str) -> bool:
        return hashed == "hashed " + password


def refusal(http: Http, method: str, path: str, body: Any = None) -> str:
    with pytest.raises(RefusedByServer) as caught:
        http.request(method, path, body)
    return caught.value.code


def login(server: Process) -> str:
    """One that nobody else has."""
    return "u" + server.http().request("GET", "/me")["id"][2:].lower()


def test_a_cookie_planted_before_is_worth_nothing_after(server: Process) -> None:
    device = server.http()
    planted = Http(server.url, device.cookie)
    assert planted.request("GET", "/me/devices")["devices"][0]["this"]
    name = login(server)
    device.request("POST", "/account", {"login": name, "password": PASSWORD})
    assert device.cookie != planted.cookie
    assert refusal(planted, "GET", "/me/devices") == "auth/nobody"
    two = server.http()
    before = two.cookie
    two.request("POST", "/session", {"login": name, "password": PASSWORD})
    assert len({before, two.cookie, device.cookie}) == 3
    assert refusal(Http(server.url, before), "GET", "/me/devices") == "auth/nobody"
    assert len(device.request("GET", "/me/devices")["devices"]) == 2
    two.request("PUT", "/account/password", {"password": PASSWORD, "new": PASSWORD + "s"})
    assert refusal(device, "GET", "/me/devices") == "auth/nobody"
    assert [found["this"] for found in two.request("GET", "/me/devices")["devices"]] == [True]


def test_devices_are_signed_out_with_their_sockets(server: Process) -> None:
    async def run() -> None:
        account = server.http()
        name = login(server)
        account.request("POST", "/account", {"login": name, "password": PASSWORD})
        other = server.http()
        other.request("POST", "/session", {"login": name, "password": PASSWORD})
        client = AsyncClient(server.url, cookie=other.cookie)
        await client.connect()
        table = await client.quick("claim", bot="random")
        (device,) = [d for d in account.request("GET", "/me/devices")["devices"] if not d["this"]]
        account.request("DELETE", f"/me/devices/{device['id']}")
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(
                RefusedByServer, match="does not know you"
            ):  # it came back as nobody
                await table.until(lambda: False)
            with pytest.raises(RefusedByServer, match="does not know you"):
                await table.resign()
        assert refusal(other, "GET", "/me/devices") == "auth/nobody"
        assert table.id in [
            found["id"] for found in account.request("GET", "/me/matches")["tables"]
        ]
        assert refusal(account, "DELETE", "/me/devices/nothing") == "auth/device"
        await client.close()

    asyncio.run(run())


def test_signing_out_ends_the_session(server: Process) -> None:
    device = server.http()
    again = Http(server.url, device.cookie)
    device.request("DELETE", "/session")
    assert refusal(again, "GET", "/me/devices") == "auth/nobody"


def test_sockets_in_other_workers_end_with_their_session(tmp_path: Path) -> None:
    async def run() -> None:
        server = Process(tmp_path, workers=2).start()
        device = server.http()
        clients = [AsyncClient(server.url, cookie=device.cookie) for _ in range(24)]
        try:
            await asyncio.gather(*(client.connect() for client in clients))  # so to both workers
            device.request("DELETE", "/session")
            await eventually(
                lambda: all(client._task and client._task.done() for client in clients)
            )
            assert {client.connections for client in clients} == {1}, "nobody was let in again"
        finally:
            for client in clients:
                await client.close()
            server.stop()

    asyncio.run(run())


def test_the_database_cannot_be_used_to_sign_in(database: str) -> None:
    async def do(store: Store) -> None:
        people = People(store)
        guest = await people.new_guest()
        token = await people.sessions.begin(guest.id, "Mozilla/5.0 (X11; Linux) Firefox/130.0")
        (row,) = await store.read(sa.select(sessions))
        assert token not in str(row)
        assert row.device == "Firefox · Linux"
        known = await people.sessions.known(token)
        assert known is not None
        assert known.row.id == guest.id
        assert await people.sessions.known(row.id) is None
        assert await people.sessions.known(token[:-1] + "\0") is None

    with_store(database, do)


def test_tries_are_counted_for_all_workers(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tanistry.server.tries.now_ms", lambda: 10**12)

    async def do(store: Store) -> None:
        workers = [Hasty(store), Hasty(store)]
        row = await workers[0].new_guest()
        await workers[0].make_account(row, "ailsa", PASSWORD)
        codes = []
        for number in range(14):
            with pytest.raises(Refused) as caught:
                await workers[number % 2].sign_in("ailsa", "wrong")
            codes.append(caught.value.code)
        assert codes == ["auth/wrong"] * 10 + ["rate/logins"] * 4
        with pytest.raises(Refused, match="rate/logins"):
            await workers[0].sign_in("ailsa", PASSWORD)
        with pytest.raises(Refused, match="auth/wrong"):
            await workers[1].sign_in("nobody\0", PASSWORD)

    with_store(database, do)


def test_tries_that_are_refused_keep_nobody_out(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def do(store: Store) -> None:
        people, began, codes = Hasty(store), now_ms(), []
        for second in [0] * 11 + [20, 40, 59, 61, 62]:
            now = began + 1000 * second
            monkeypatch.setattr("tanistry.server.tries.now_ms", lambda now=now: now)
            with pytest.raises(Refused) as caught:
                await people.sign_in("ailsa", "wrong")
            codes.append(caught.value.code)
        wrong, refused = "auth/wrong", "rate/logins"
        assert codes == [wrong] * 10 + [refused] * 4 + [wrong, refused]

    with_store(database, do)


def test_a_known_device_has_tries_of_its_own(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever floods an account with wrong passwords does not keep its owner out."""
    monkeypatch.setattr("tanistry.server.tries.now_ms", lambda: 10**12)  # no minute passes

    async def do(store: Store) -> None:
        people = Hasty(store)
        people.set_secret(b"secret")
        row = await people.new_guest()
        await people.make_account(row, "ailsa", PASSWORD)
        device = people.devices.cookie(row.id)
        for _ in range(10):
            with pytest.raises(Refused, match="auth/wrong"):
                await people.sign_in("ailsa", "wrong")
        for unknown in (None, "", "x.y", device + "0", people.devices.cookie("p_another")):
            with pytest.raises(Refused, match="rate/logins"):
                await people.sign_in("ailsa", PASSWORD, unknown)
        row = await people.sign_in("ailsa", PASSWORD, device)
        await people.check_owner(row, PASSWORD)
        for _ in range(10):
            with pytest.raises(Refused, match="auth/wrong"):
                await people.sign_in("ailsa", "wrong", device)
        with pytest.raises(Refused, match="rate/logins"):
            await people.sign_in("ailsa", PASSWORD, device)
        for _ in range(10):  # a login that is called like something else that is counted
            with pytest.raises(Refused, match="auth/wrong"):
                await people.sign_in(f"owner {row.id}", "wrong")
        await people.check_owner(row, PASSWORD)

    with_store(database, do)


def test_a_guest_becomes_one_account(database: str) -> None:
    """Of two who want a name, or of two requests of one guest, one succeeds."""

    async def do(store: Store) -> None:
        people = Hasty(store)
        row, other = await people.new_guest(), await people.new_guest()
        asked = [(row, "ailsa"), (row, "blair"), (row, "ailsa"), (other, "ailsa")]
        made = (people.make_account(guest, name, PASSWORD) for guest, name in asked)
        done = await asyncio.gather(*made, return_exceptions=True)
        logins = [
            found.login for found in (await store.player(row.id), await store.player(other.id))
        ]
        assert done.count(None) == sum(login is not None for login in logins)
        assert all(one is None or isinstance(one, Refused) for one in done)
        assert logins[0] in ("ailsa", "blair")

    with_store(database, do)


def test_an_old_password_is_worth_nothing_while_it_is_changed(database: str) -> None:
    """Looking at a password takes a while: it may be another when the session begins."""

    async def do(store: Store) -> None:
        people = People(store)
        row = await people.new_guest()
        await people.make_account(row, "ailsa", PASSWORD)
        signed = await people.sign_in("ailsa", PASSWORD)
        await people.sessions.begin(signed.id, password=signed.password)
        await people.set_password(signed, PASSWORD + " anew")
        before = await people.sessions.of(signed.id)
        with pytest.raises(Refused, match="auth/wrong"):
            await people.sessions.begin(signed.id, password=signed.password)
        assert await people.sessions.of(signed.id) == before

    with_store(database, do)


@pytest.mark.parametrize(
    "password",
    ["        ", "aaaaaaaa", "password", "PASSWORD123", "  short  ", "ailsa.mor", "ailsaailsa"],
)
def test_passwords_that_are_tried_first(password: str) -> None:
    with pytest.raises(Refused, match="auth/password"):
        check_password(password, "ailsa.mor", "Ailsa")


def test_an_unknown_login_costs_the_work_of_a_known_one() -> None:
    hashed = argon2.PasswordHasher().hash("a sentence about stones")
    assert argon2.extract_parameters(NOBODY) == argon2.extract_parameters(hashed)


def test_good_passwords() -> None:
    check_password(PASSWORD, "ailsa", "Ailsa")
    check_password("été à Édimbourg", "ailsa", "Ailsa")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("\u3164", "auth/name"), ("\u2800\u200b", "auth/name"), ("!!!", "auth/name"),
        ("a" + "\u0300\u0301\u0302\u0303", "auth/name"), ("Ismcts 5", "auth/bot-name"),
        ("bot 3", "auth/bot-name"), ("Robot", "auth/bot-name"), ("Random bot", "auth/bot-name"),
        ("Effie", "auth/bot-name"), ("ÉFFIE", "auth/bot-name"), ("Еffiе", "auth/bot-name"),
        ("Rοbοt", "auth/bot-name"),
    ],
)  # fmt: skip
def test_names_that_are_none(name: str, code: str) -> None:
    with pytest.raises(Refused, match=code):
        clean_name(name)


@pytest.mark.parametrize(
    "name", ["Ailsa", "Éilidh 2", "Effie M.", "Nell", "李小龙", "Bothwell", "O'Neil", "Робота"]
)
def test_good_names(name: str) -> None:
    assert clean_name(name) == name


def test_cookies_over_tls_have_a_name_that_others_cannot_set() -> None:
    plain, safe = {"tanistry": "a"}, {"tanistry": "a", "__Host-tanistry": "b"}
    assert token_in(plain, secure=False) == "a"
    assert token_in(plain, secure=True) is None
    assert token_in(safe, secure=True) == "b"
    assert token_in({"tanistry": "p_1.0.signature"}, secure=True), "an older server's"


def test_devices_have_names() -> None:
    assert device_name("Mozilla/5.0 (iPhone) Version/17 Safari/604") == "Safari · iPhone"
    assert device_name("python-urllib/3") == "python-urllib"
    assert device_name("") == ""


def test_a_cookie_over_https(tmp_path: Path) -> None:
    """Behind a proxy that speaks TLS."""
    process = Process(tmp_path).start()
    try:
        connection = HTTPConnection("127.0.0.1", process.port)
        connection.request("GET", "/api/v1/me", headers={"X-Forwarded-Proto": "https"})
        cookie = connection.getresponse().headers["Set-Cookie"]
        assert cookie.startswith("__Host-tanistry=")
        assert "Secure" in cookie
        assert "Path=/" in cookie
        assert "Domain" not in cookie
    finally:
        process.stop()
