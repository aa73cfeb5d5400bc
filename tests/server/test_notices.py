"""Your turn: a word to a device or a letter, once, to whoever asked for it and is not there.

The push service here is a real one, as far as a server can tell: it speaks HTTP, and what it got is
opened with the device's own keys by another library than the one that sealed it.
"""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

from tanistry.client import AsyncClient, AsyncTable, RefusedByServer
from tanistry.client.http import Http
from tanistry.server import belongings, push, verbs
from tanistry.server.clocks import Clock, now_ms
from tanistry.server.info import Seat
from tanistry.server.people import People
from tanistry.server.schema import metadata, notices, pushes
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tests.patience import PATIENCE, until
from tests.server.processes import Process
from tests.server.services import Mailbox
from tests.server.test_letters import FROM, SITE, with_mail
from tests.server.test_store import with_store

http_ece = pytest.importorskip("http_ece")
vapid = pytest.importorskip("py_vapid")
ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")

OPTIONS = {"tactics": False}
"""Of Schotten Totten: two who choose in turn, and never have to."""


class Device:
    """A browser that wants to be told."""

    def __init__(self, service: PushService) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.path = "/" + os.urandom(16).hex()
        self.endpoint = service.url + self.path
        form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        self.public = self.key.public_key().public_bytes(*form)

    def data(self, lang: str = "en") -> dict[str, str]:
        def text(data: bytes) -> str:
            return base64.urlsafe_b64encode(data).decode().rstrip("=")

        keys = {"p256dh": text(self.public), "auth": text(self.auth)}
        return {"endpoint": self.endpoint, "lang": lang, **keys}

    def opened(self, body: bytes) -> Any:
        options = {"private_key": self.key, "auth_secret": self.auth, "version": "aes128gcm"}
        return json.loads(http_ece.decrypt(body, **options))


class PushService:
    """Keeps what it gets, and answers as it is told to."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: dict[str, int] = {}
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.got.append((self.path, dict(self.headers), body))
                self.send_response(service.answers.get(self.path, 201))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.place}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def to(self, device: Device) -> list[tuple[dict[str, str], bytes]]:
        return [(headers, body) for path, headers, body in self.got if path == device.path]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    found = Mailbox()
    yield found
    found.close()


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    found = PushService()
    yield found
    found.close()


@pytest.fixture(scope="module")
def server(
    mailbox: Mailbox, service: PushService, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Process]:
    more = {"mail": mailbox.url, "mail_from": FROM, "site": SITE, "push_hosts": service.place}
    process = Process(tmp_path_factory.mktemp("notices"), log_level="debug", **more).start()
    yield process
    process.stop()
    said = process.log.read_text()
    assert "Traceback" not in said, said
    for path, _, _ in service.got:
        assert path not in said, "the address of a device in the log"


async def by_days(server: Process, away: Http) -> tuple[AsyncClient, AsyncTable]:
    """A match that has begun; the other one, `away`, is ready and has left."""
    host = AsyncClient(server.url, name="Ailsa")
    await host.connect()
    table = await host.create(
        "schotten", options=OPTIONS, rated=False, clock={"kind": "days", "days": 1}
    )
    async with AsyncClient(server.url, cookie=away.cookie) as guest:
        await (await guest.watch(table.id)).sit()
        await guest.tables[table.id].ready()
    other = lambda: table.data["seats"][1]  # noqa: E731
    await table.until(lambda: other()["ready"] and not other()["present"])
    await table.ready()
    await table.your_turn()
    return host, table


def test_a_device_is_told_once_and_not_while_the_table_is_open(
    server: Process, service: PushService
) -> None:
    away, device = server.http(), Device(service)  # a guest
    away.request("POST", "/me/pushes", device.data())

    async def run() -> None:
        host, table = await by_days(server, away)
        await table.play(table.legal[0])
        await asyncio.to_thread(until, lambda: len(service.to(device)) == 1, "a word")
        async with AsyncClient(server.url, cookie=away.cookie) as back:
            theirs = await back.watch(table.id)
            await theirs.your_turn()
            await theirs.play(theirs.legal[0])
            await table.your_turn()
            await table.play(table.legal[0])  # they are there
            await theirs.your_turn()
            await theirs.play(theirs.legal[0])
            await table.your_turn()
        await table.until(lambda: not table.data["seats"][1]["present"])
        # Elsewhere than before: a third card at one stone may let it be claimed, which is a choice.
        await table.play(table.legal[-1])
        await asyncio.to_thread(until, lambda: len(service.to(device)) >= 2, "another word")
        for headers, body in service.to(device):
            told = device.opened(body)
            assert told == {
                "title": "Schotten Totten: it is your turn",
                "body": f"With {table.names[0]}",
                "path": f"/t/{table.id}",
                "stop": "Stop these",
            }
            assert vapid.Vapid02.verify(headers["Authorization"])
            assert headers["Content-Encoding"] == "aes128gcm"
            assert int(headers["TTL"]) > 0
            assert table.id.encode() not in body, "the service reads nothing of it"
        assert len(service.to(device)) == 2
        await host.close()

    asyncio.run(run())
    key = away.request("GET", "/me")["push_key"]
    assert key in service.to(device)[0][0]["Authorization"]
    kept = away.request("GET", "/me/data")["pushes"]
    assert [one["endpoint"] for one in kept] == [device.endpoint]


@pytest.mark.parametrize("how", ["gone", "ended", "signed out"])
def test_a_device_that_is_gone_is_forgotten(
    server: Process, service: PushService, how: str
) -> None:
    away, devices = server.http(), [Device(service), Device(service)]
    service.answers[devices[0].path] = 410
    for device in devices:
        away.request("POST", "/me/pushes", device.data("fr"))
    if how == "ended":  # by whoever knows the address, as a service worker without a cookie
        Http(server.url).request("POST", "/me/pushes/ended", {"endpoint": devices[0].endpoint})
    other = Http(server.url)
    other.cookie = away.cookie
    if how == "signed out":
        other.request("DELETE", "/session")
        return asyncio.run(_nobody_is_told(server))

    async def run() -> None:
        host, table = await by_days(server, away)
        await table.play(table.legal[0])
        await asyncio.to_thread(until, lambda: service.to(devices[1]) != [], "a word")
        (_, body) = service.to(devices[1])[0]
        assert devices[1].opened(body)["title"] == "Schotten Totten\u00a0: à vous de jouer"
        await host.close()

    asyncio.run(run())
    until(
        lambda: (
            [one["endpoint"] for one in away.request("GET", "/me/data")["pushes"]]
            == [devices[1].endpoint]
        ),
        "one device left",
    )
    assert len(service.to(devices[0])) == (how == "gone")


def test_a_browser_is_told_of_the_turns_of_who_is_signed_in_there(
    server: Process, service: PushService
) -> None:
    """Ailsa asks to be told, signs out, and Blair signs in to the same browser: of her turns it
    hears nothing more, and nothing of his unless he asks; then of his alone."""
    first, second, browser = server.http(), server.http(), Device(service)
    for one, login in ((first, "ailsa.told"), (second, "blair.told")):
        one.request("POST", "/account", {"login": login, "password": "rain on the glen"})
    blair = {"login": "blair.told", "password": "rain on the glen"}
    elsewhere = Http(server.url)  # where she is signed in too
    elsewhere.request("POST", "/session", {**blair, "login": "ailsa.told"})
    first.request("POST", "/me/pushes", browser.data())

    async def turn(of: Http) -> AsyncClient:
        host, table = await by_days(server, of)
        await table.play(table.legal[0])
        return host

    async def run() -> None:
        hosts = [await turn(first)]
        await asyncio.to_thread(until, lambda: len(service.to(browser)) == 1, "a word")
        first.request("POST", "/session", blair)  # the same cookie jar: it is his now
        hosts += [await turn(elsewhere), await turn(second)]
        # Whoever is told, is told in the order of turns: a word to somebody who is.
        third, device = server.http(), Device(service)
        third.request("POST", "/me/pushes", device.data())
        hosts.append(await turn(third))
        await asyncio.to_thread(until, lambda: len(service.to(device)) == 1, "a word")
        assert len(service.to(browser)) == 1, "neither of hers nor of his"
        first.request("POST", "/me/pushes", browser.data())
        hosts += [await turn(elsewhere), await turn(first)]
        await asyncio.to_thread(until, lambda: len(service.to(browser)) == 2, "his turn")
        for host in hosts:
            await host.close()

    asyncio.run(run())
    assert elsewhere.request("GET", "/me/data")["pushes"] == [], "the browser is his"


async def _nobody_is_told(server: Process) -> None:
    """Who has signed out has no session, and a word goes to sessions alone."""
    store = Store(Settings(database=server.environment["TANISTRY_DATABASE"]))
    try:
        orphans = sa.text(
            "SELECT count(*) FROM pushes JOIN sessions ON sessions.id = pushes.session"
            " AND sessions.player = pushes.player"
        )
        rows = await store.read(orphans)
        everyone = await store.read(sa.select(sa.func.count()).select_from(pushes))
        assert everyone[0][0] - rows[0][0] >= 2
    finally:
        await store.close()


@pytest.mark.parametrize(
    "endpoint",
    [
        "", "x", "http://push.example/1", "ftp://push.example/1", "https:///1",
        "https://somebody@push.example/1", "https://push.example:22/1", "https://push.example:x/",
        "https://127.0.0.1/1", "https://[::1]/1", "https://10.0.0.1/1", "https://169.254.169.254/1",
        "https://[::ffff:192.168.0.1]/1", "https://0.0.0.0/", "https://pu\u0455h.example/",
    ],
)  # fmt: skip
def test_nothing_is_sent_to_addresses_that_a_stranger_has_thought_out(
    server: Process, service: PushService, endpoint: str
) -> None:
    data = {**Device(service).data(), "endpoint": endpoint}
    with pytest.raises(RefusedByServer) as refused:
        server.http().request("POST", "/me/pushes", data)
    assert refused.value.code == "push/address"


def test_a_name_that_leads_to_this_network_is_not_followed() -> None:
    place = push.place_of("https://localhost/1", "")
    assert place is not None, "a name is looked up when something is sent"
    with pytest.raises(ConnectionRefusedError, match="not a public address"):
        push._connect(place, trusted=False)
    assert push.is_public("2001:4860:4860::8888")


def test_a_key_that_is_none_ends_it(service: PushService) -> None:
    config = Settings(site=SITE, push_hosts=service.place)
    pusher = push.Pusher(config, push.new_key())
    device = Device(service)
    device.p256dh, device.auth = "A" * 87, "A" * 22  # type: ignore[attr-defined]
    assert asyncio.run(pusher.send(device, b"{}", "x")) is None
    assert service.to(device) == []
    pusher.close()


def post_form(server: Process, path: str) -> int:
    """As a mail program does it: a form, no cookie, no origin."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", path, "List-Unsubscribe=One-Click", kind)
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_letter_and_its_end(server: Process, mailbox: Mailbox) -> None:
    away, login, mail = with_mail(server, mailbox)
    with pytest.raises(RefusedByServer) as refused:
        server.http().request("PUT", "/me/notices", {"mail": True})
    assert refused.value.code == "mail/address"
    assert not away.request("GET", "/me")["turn_mail"], "nobody is written to who has not asked"
    assert away.request("PUT", "/me/notices", {"mail": True, "lang": "fr"})["turn_mail"]

    async def run() -> str:
        host, table = await by_days(server, away)
        await table.play(table.legal[0])
        await host.close()
        return table.id

    table = asyncio.run(run())
    until(lambda: any(table in one.get_content() for one in mailbox.letters), "a letter")
    (letter,) = (one for one in mailbox.letters if table in one.get_content())
    assert letter["To"] == mail
    assert letter["Subject"] == "Tanistry\u00a0: c'est à vous de jouer à Schotten Totten"
    text = letter.get_content()
    assert f"{SITE}/t/{table}" in text
    assert login in text
    assert "Ailsa" not in text, "letters hold no words of strangers"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert dict(letter.raw_items())["List-Unsubscribe"].startswith(f"<{SITE}/"), "as it is sent"
    path = urlsplit(letter["List-Unsubscribe"].strip("<>")).path
    token = path.rpartition("/")[2]
    assert f"{SITE}/stop#{token}" in text.replace("\n", "")
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location")) == (303, f"/stop#{token}")
    connection.close()
    assert away.request("GET", "/me")["turn_mail"], "looking at it ends nothing"
    wrong = path[:-1] + ("0" if path[-1] != "0" else "1")
    assert post_form(server, wrong) == 403
    assert post_form(server, "/api/v1/me/notices") == 400
    assert away.request("GET", "/me")["turn_mail"]
    assert post_form(server, path) == 200
    assert not away.request("GET", "/me")["turn_mail"]
    assert post_form(server, path) == 200, "as often as one likes"


def test_each_turn_is_told_of_once(database: str) -> None:
    async def do(store: Store) -> None:
        seats = [Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
        info = verbs.new_info("claim", {}, seats, "p_0", clock=Clock("days", days=1))
        await store.insert_table(info)
        key = {"table_id": info.id, "seat": 0}
        told = [await store.raise_to(notices, key, "turn", turn) for turn in (1, 1, 3, 2, 3)]
        assert told == [True, False, True, False, False]
        assert await store.kept("vapid", "one") == await store.kept("vapid", "two") == "one"

    with_store(database, do)


def test_who_goes_takes_their_devices_along(tmp_path: Path) -> None:
    async def do(store: Store) -> None:
        row = await People(store).new_guest()
        values = {"id": "x", "player": row.id, "session": "y", "endpoint": "https://secret/1"}
        values |= {"p256dh": "k", "auth": "a", "lang": "en"}
        await store.execute(sa.insert(pushes).values(**values, at=now_ms()))
        assert (await belongings.everything(store, row))["pushes"][0]["endpoint"]
        await belongings.erase(store, row.id)
        for table in metadata.sorted_tables:
            assert "secret" not in str(await store.read(sa.select(table))), table.name

    with_store(str(tmp_path / "test.db"), do)
