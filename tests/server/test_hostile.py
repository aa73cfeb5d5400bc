"""What one hostile client does, the others do not notice; each attack we have thought of."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.datastructures import Headers

from tanistry.client import AsyncClient, RefusedByServer
from tanistry.server import guards, recovery, verbs
from tanistry.server.guards import check_origin
from tanistry.server.limits import MESSAGES, RATES, SHARE, STALE, WORTH_TELLING, Limits, household
from tanistry.server.pool import MOST, Pool
from tanistry.server.refusals import Refused
from tanistry.server.schema import moves
from tanistry.server.settings import Settings
from tanistry.server.worker import MOST_WAITING
from tests.patience import PATIENCE, until
from tests.server.processes import COMMAND, Process
from tests.server.test_hall import with_hall

addresses = (f"127.0.1.{number}" for number in count(1))
"""Each attacker comes from another one."""


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server with its limits on, that waits less for requests and never forgives a flood."""
    times = f"doors.HEAD = doors.BODY = 2; limits.OUT = {PATIENCE}; "
    process = Process(tmp_path_factory.mktemp("guarded"), limits=True, proxies="")
    process.command = "from tanistry.server import doors, limits; " + times + COMMAND
    yield process.start()
    process.stop()
    assert "Traceback" not in process.log.read_text(), process.log.read_text()


class Attacker:
    """Somebody with an address of their own."""

    def __init__(self, server: Process) -> None:
        self.port = server.port
        self.address = next(addresses)

    def connect(self) -> socket.socket:
        found = socket.create_connection(("127.0.0.1", self.port), PATIENCE, (self.address, 0))
        found.settimeout(PATIENCE)
        return found

    def request(
        self, path: str, method: str = "GET", body: Any = None, **headers: str
    ) -> tuple[int, Any]:
        connection = HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE, source_address=(self.address, 0)
        )
        kind = {"Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {**kind, **headers})
        response = connection.getresponse()
        lines = response.headers.get_all("Set-Cookie") or [""]
        self.cookie, *self.more_cookies = [line.partition(";")[0] for line in lines]
        found = response.read()
        connection.close()
        is_json = "json" in (response.headers["Content-Type"] or "")
        return response.status, json.loads(found) if is_json else found

    def become_somebody(self) -> str:
        assert self.request("/api/v1/me")[0] == 200
        return self.cookie

    def websocket(self, cookie: str) -> socket.socket:
        found = self.connect()
        found.sendall(
            f"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {cookie}\r\n\r\n".encode()
        )
        assert found.recv(4096).startswith(b"HTTP/1.1 101")
        return found

    def is_let_in(self) -> bool:
        try:
            return self.request("/healthz")[0] == 200
        except OSError:
            return False


def is_closed(connection: socket.socket) -> bool:
    """Whether the server ends a connection, whatever it says before."""
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def frames(first: int, body: bytes, number: int) -> bytes:
    return (struct.pack("!BB", first, 0x80 | len(body)) + b"\0\0\0\0" + body) * number


@pytest.mark.parametrize(
    "flood",
    [
        frames(0x81, b"x", 30_000),
        frames(0x89, b"", 30_000),
        frames(0x01, b"x", 1) + frames(0x00, b"x", 30_000),
    ],
    ids=["text", "ping", "fragments"],
)
def test_a_flood_of_frames_is_cut_off(flood: bytes, guarded: Process) -> None:
    attacker, other = Attacker(guarded), Attacker(guarded)
    with attacker.websocket(attacker.become_somebody()) as connection:
        with suppress(ConnectionError):
            connection.sendall(flood)
        assert is_closed(connection)
    assert not attacker.is_let_in()
    assert other.is_let_in()


def test_who_is_too_fast_hears_which_messages_were_too_many(guarded: Process) -> None:
    attacker = Attacker(guarded)

    async def hurry() -> list[Any]:
        client = AsyncClient(guarded.url, cookie=attacker.become_somebody().partition("=")[2])
        await client.connect()
        asked = [client.ask("ping") for _ in range(2 * MESSAGES.burst)]
        async with asyncio.timeout(PATIENCE):
            answers = await asyncio.gather(*asked, return_exceptions=True)
        await client.close()
        return answers

    answers = asyncio.run(hurry())
    refused = [answer for answer in answers if isinstance(answer, RefusedByServer)]
    assert {refusal.code for refusal in refused} == {"rate/messages"}
    assert len(answers) - len(refused) >= MESSAGES.burst - 2


@pytest.mark.parametrize(
    "begun",
    [b"", b"G", b"POST /api/v1/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"],
    ids=["nothing", "half a head", "half a body"],
)
def test_a_request_that_does_not_come_to_its_end_is_not_waited_for(
    begun: bytes, guarded: Process
) -> None:
    with Attacker(guarded).connect() as connection:
        connection.sendall(begun)
        assert is_closed(connection)


def test_a_head_has_an_end(guarded: Process) -> None:
    with Attacker(guarded).connect() as connection:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 1_000_000)
            assert connection.recv(100).startswith(b"HTTP/1.1 400")
        except ConnectionError:
            pass
        assert is_closed(connection)


def test_an_address_has_so_many_connections(tmp_path: Path) -> None:
    server = Process(tmp_path, limits=True, proxies="")
    given = f"doors.CONNECTIONS = 5; doors.HEAD = {PATIENCE}; "
    server.command = "from tanistry.server import doors; " + given + COMMAND
    server.start()
    try:
        attacker = Attacker(server)
        opened = [attacker.connect() for _ in range(5)]
        with attacker.connect() as one_more:
            assert is_closed(one_more)
        for connection in opened:
            connection.setblocking(False)
            with pytest.raises(BlockingIOError):  # still open, and nothing is said
                connection.recv(1)
        assert Attacker(server).is_let_in()
        for connection in opened:
            connection.close()
        until(attacker.is_let_in, "the address is let in again")
    finally:
        server.stop()


@pytest.mark.parametrize("path", ["/", "/api/v1/games"])
def test_requests_are_limited_wherever_they_go(path: str, guarded: Process) -> None:
    attacker = Attacker(guarded)
    rate = RATES["requests" if path.startswith("/api") else "pages"]
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with attacker.connect() as connection:
        with suppress(ConnectionError):
            connection.sendall(request * int(10 * rate.burst))
        assert is_closed(connection), "who is too fast has to come back"
    assert Attacker(guarded).is_let_in()


def test_a_household_is_one() -> None:
    assert household("2001:db8::1") == household("2001:db8::ffff:1:2:3") == "2001:db8::/64"
    assert household("2001:db8:0:1::1") != household("2001:db8::1")
    assert household("::ffff:192.0.2.1") == household("192.0.2.1") == "192.0.2.1"


def told(limits: Limits) -> list[Any]:
    """What a worker tells the others next."""
    said: list[Any] = []
    limits.share(lambda **news: said.append({"from": "here", **news}))
    return said


def test_who_is_alone_counts_for_nobody_else() -> None:
    """Nobody would ever ask for it: it would grow with every address that comes by."""
    for alone, expected in ((True, 0), (False, 1)):
        limits = Limits(True, alone=alone)
        limits.take("requests", "192.0.2.1")
        assert len(told(limits)) == expected


def test_workers_count_open_connections_together(monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = Limits(True), Limits(True)
    most = 2 * WORTH_TELLING
    for _ in range(WORTH_TELLING):
        assert here.enter("connections", "2001:db8::1", most)
    news = told(here)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    there.heard(news[0])
    there.heard(news[0])  # said again, not more of them
    for _ in range(WORTH_TELLING):
        assert there.enter("connections", "2001:db8::2", most)
    assert not there.enter("connections", "2001:db8::3", most)
    assert there.enter("sockets", "2001:db8::3", most)
    assert there.enter("connections", "2001:db8:0:1::1", most)
    monkeypatch.setattr(
        time, "monotonic", lambda: now + STALE
    )  # a worker that was killed has none open
    assert there.enter("connections", "2001:db8::3", most)


@pytest.mark.parametrize(
    ("proxies", "known", "others"),
    [
        ("", [], ["127.0.0.1"]),
        ("127.0.0.1, 2001:db8::1", ["127.0.0.1", "2001:0db8::1"], ["127.0.0.2", "nobody"]),
        ("172.18.0.0/16", ["172.18.4.7"], ["172.19.0.1", "2001:db8::1"]),
        ("*", ["127.0.0.1", "nobody"], []),
    ],
)
def test_proxies_are_addresses_and_networks(
    proxies: str, known: list[str], others: list[str]
) -> None:
    limits = Limits(True, proxies)
    assert all(map(limits.is_proxy, known))
    assert not any(map(limits.is_proxy, others))


def test_workers_grant_together_what_one_would(monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = Limits(True), Limits(True)
    for _ in range(int(RATES["logins"].burst)):
        here.take("logins", "2001:db8::1")
    said, now = told(here), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)  # nothing is granted anew
    for news in said:
        there.heard(news)
    with pytest.raises(Refused, match="rate/logins"):
        there.take("logins", "2001:db8::2")
    there.take("logins", "2001:db8:0:1::1")


def _granted_twice(attacker: Attacker) -> float:
    """How many new guests an address is granted beyond what one worker would."""
    rate, began = RATES["guests"], time.monotonic()
    burst = int(rate.burst)
    made = 0
    for number in range(2 * burst):
        made += attacker.request("/api/v1/me")[0] == 200
        if number >= burst:  # the workers tell each other meanwhile
            time.sleep(SHARE / 2)
    return made - burst - rate.per_second * (time.monotonic() - began)


def test_two_workers_count_together(tmp_path: Path) -> None:
    server = Process(tmp_path, workers=2, limits=True, proxies="").start()
    try:
        until(Attacker(server).is_let_in, "a worker that answers")
        # On a machine that is busy elsewhere one may not hear of the other in time.
        assert any(_granted_twice(Attacker(server)) < RATES["guests"].burst / 3 for _ in range(4))
    finally:
        server.stop()


def test_nobody_fills_the_lobby(guarded: Process) -> None:
    attacker = Attacker(guarded)
    cookie = attacker.become_somebody()
    answers = [
        attacker.request("/api/v1/tables", "POST", {"game": "claim"}, Cookie=cookie)
        for _ in range(MOST_WAITING + 1)
    ]
    assert [status for status, _ in answers[:-1]] == [201] * MOST_WAITING
    assert answers[-1][1]["code"] == "rate/tables"


def test_nor_sits_at_more_tables_than_one_may_make(guarded: Process) -> None:
    hosts = [Attacker(guarded) for _ in range(2)]
    tables: list[str] = []
    for host in hosts:
        cookie = host.become_somebody()
        for _ in range(MOST_WAITING // 2 + 1):
            made = host.request("/api/v1/tables", "POST", {"game": "claim"}, Cookie=cookie)[1]
            tables.append(made["id"])
    attacker = Attacker(guarded)

    async def sit_everywhere() -> list[str]:
        client = AsyncClient(guarded.url, cookie=attacker.become_somebody().partition("=")[2])
        await client.connect()
        refused = []
        for table in tables[: MOST_WAITING + 1]:
            try:
                await (await client.watch(table)).sit()
            except RefusedByServer as refusal:
                refused.append(refusal.code)
        await client.close()
        return refused

    assert asyncio.run(sit_everywhere()) == ["rate/tables"]
    waiting = attacker.request("/api/v1/me/matches?limit=100", Cookie=attacker.cookie)[1]["tables"]
    assert len(waiting) == MOST_WAITING


def test_records_are_played_again_for_somebody_only(guarded: Process) -> None:
    status, refusal = Attacker(guarded).request("/api/v1/verify", "POST", {"record": "x"})
    assert (status, refusal["code"]) == (401, "auth/nobody")


def test_heavy_work_says_later_early() -> None:
    async def run() -> None:
        pool = Pool()
        held = asyncio.Event()
        loop = asyncio.get_running_loop()

        def work() -> None:
            asyncio.run_coroutine_threadsafe(held.wait(), loop).result()

        asked = [asyncio.create_task(pool.run(f"p_{number}", work)) for number in range(MOST)]
        await asyncio.sleep(0)
        for who in ("p_0", "somebody else"):
            with pytest.raises(Refused, match="rate/later"):
                await pool.run(who, work)
        held.set()
        await asyncio.gather(*asked)
        await pool.run("p_0", work)
        pool.close()

    asyncio.run(run())


def test_a_broken_table_ends_no_list(own_server: Process) -> None:
    own_server.start()
    http = own_server.http()
    made = [http.request("POST", "/tables", {"game": "claim", "public": True}) for _ in range(4)]
    ids = [table["id"] for table in made]
    with sqlite3.connect(own_server.log.parent / "test.db") as database:
        database.execute("UPDATE tables SET options = '{' WHERE id = ?", [ids[1]])
    assert {table["id"] for table in http.request("GET", "/tables")["tables"]} == {*ids} - {ids[1]}
    found, path = [], "/me/matches?limit=2"
    while path:
        page = http.request("GET", path)
        found += [table["id"] for table in page["tables"]]
        path = f"/me/matches?limit=2&before={page['next']}" if page["next"] else ""
    assert sorted(found) == sorted({*ids} - {ids[1]})


# -- odd requests ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"), [("/%00", 404), ("/" + "x" * 5000, 404), ("/assets/" + "é" * 300, 404)]
)
def test_odd_paths_lead_nowhere(path: str, expected: int, guarded: Process) -> None:
    assert Attacker(guarded).request(path.replace("é", "%C3%A9"))[0] == expected


@pytest.mark.parametrize("origin", ["http://[::1", "null", "", "http://elsewhere", "file://"])
def test_odd_origins_are_refused(origin: str, guarded: Process) -> None:
    status, refusal = Attacker(guarded).request("/api/v1/tables", "POST", {}, Origin=origin)
    assert (status, refusal["code"]) == (403, "auth/origin")


@pytest.mark.parametrize(
    ("scheme", "origin", "is_allowed"),
    [
        ("http", "http://play.example", True),
        ("https", "https://play.example", True),
        ("wss", "https://play.example", True),
        ("wss", "http://play.example", False),
        ("https", "http://play.example", False),
        ("https", "https://play.example:8443", False),
    ],
)
def test_the_scheme_of_an_origin_counts(scheme: str, origin: str, is_allowed: bool) -> None:
    headers = Headers({"host": "play.example", "origin": origin})
    try:
        check_origin(Settings(), {"scheme": scheme}, headers)
    except Refused:
        assert not is_allowed
    else:
        assert is_allowed


@pytest.mark.parametrize("path", ["/api/v1/games", "/ws"])
@pytest.mark.parametrize(
    ("version", "hosts", "is_allowed"),
    [
        ("1.1", [], False), ("1.1", ["a", "b"], False), ("1.1", ["a", "a"], False),
        ("1.1", ["a"], True), ("1.0", ["a", "b"], False), ("1.0", [], True),
    ],
)  # fmt: skip
def test_one_host_is_named(
    path: str, version: str, hosts: list[str], is_allowed: bool, guarded: Process
) -> None:
    """None, or two, of which a proxy may have looked at the other."""
    head = [f"GET {path} HTTP/{version}", *(f"Host: {host}" for host in hosts)]
    if path == "/ws":
        head += ["Connection: Upgrade", "Upgrade: websocket"]
        head += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
    connection = Attacker(guarded).connect()
    connection.sendall("\r\n".join([*head, "", ""]).encode())
    said, ends = b"", (b'"games"', b"auth/nobody", b"message/unreadable", b" 400 ")
    while not any(end in said for end in ends) and (more := connection.recv(1000)):
        said += more
    connection.close()
    refused = b" 400 " in said or b"message/unreadable" in said
    assert refused != is_allowed or (path, version) == ("/ws", "1.0"), said


def test_a_device_is_known_after_it_has_signed_out(guarded: Process) -> None:
    """Whoever floods an account with wrong passwords does not keep its owner out."""
    owner, flood = Attacker(guarded), Attacker(guarded)
    account = {"login": "ailsa.mor", "password": "the heather on the hill"}
    cookie = owner.become_somebody()
    assert owner.request("/api/v1/account", "POST", account, Cookie=cookie)[0] == 201
    (device,) = owner.more_cookies
    assert device.startswith("tanistry-device=")
    for _ in range(10):
        tried = flood.request("/api/v1/session", "POST", {**account, "password": "wrong"})
        assert tried[0] == 401
    assert owner.request("/api/v1/session", "POST", account, Cookie=device)[0] == 200


@pytest.mark.parametrize(
    ("host", "is_allowed"),
    [("play.example", True), ("play.example:8000", True), ("evil.example", False), ("", False)],
)
def test_a_server_knows_its_names(host: str, is_allowed: bool) -> None:
    try:
        settings = Settings(hosts="play.example, www.example")
        guards.check_host(settings, {}, Headers({"host": host}))
    except Refused:
        assert not is_allowed
    else:
        assert is_allowed


def test_cookies_of_others_do_not_matter(guarded: Process) -> None:
    attacker = Attacker(guarded)
    cookie = attacker.become_somebody()
    with attacker.websocket(f'prefs={{"a":1}}; {cookie}; b="x') as connection:
        connection.sendall(frames(0x81, b'{"type":"hello","v":1}', 1))
        assert b'"welcome"' in connection.recv(4096)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/session", {"login": "a\0b", "password": "long enough"}),
        ("/api/v1/tables", {"game": "claim", "seats": [{"kind": "person", "player": "p\0"}]}),
    ],
)
def test_what_no_database_stores_is_refused_at_once(path: str, body: Any, guarded: Process) -> None:
    attacker = Attacker(guarded)
    cookie = attacker.become_somebody()
    status, refusal = attacker.request(path, "POST", body, Cookie=cookie)
    assert (status, refusal["code"]) == (422, "message/value")


def test_there_is_one_policy_and_it_is_strict(guarded: Process) -> None:
    for path in ("/", "/healthz", "/api/v1/games", "/nothing", "/t/x"):
        connection = HTTPConnection("127.0.0.1", guarded.port, timeout=PATIENCE)
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        assert response.headers.get_all("Content-Security-Policy") == [guards.policy()], path
        connection.close()
    assert "connect-src 'self';" in guards.policy()
    assert "'unsafe-inline'" not in guards.policy().replace("style-src-attr 'unsafe-inline'", "")


# -- tables ---------------------------------------------------------------------------------------


def test_what_nobody_may_watch_stays_closed_after_the_end(server: Process) -> None:
    host, stranger = server.http(), server.http()
    seats = [{"kind": "me"}, {"kind": "open"}]
    new = {"game": "claim", "seats": seats, "spectators": {"allowed": False}}
    table = host.request("POST", "/tables", new)["id"]

    async def play() -> None:
        client = AsyncClient(server.url, cookie=host.cookie)
        await client.connect()
        seen = await client.watch(table)
        await seen.start(bots=True)
        await seen.resign()
        await client.close()

    asyncio.run(play())
    for path in ("record", "replay", "state"):
        assert host.request("GET", f"/tables/{table}/{path}")
        with pytest.raises(Exception, match=r"spectators|watch"):
            stranger.request("GET", f"/tables/{table}/{path}")


def test_one_broken_table_does_not_keep_the_others_down(tmp_path: Path) -> None:
    async def do(hall: Any) -> None:
        lives = []
        for _ in range(4):
            seats = [verbs.Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
            info = verbs.new_info("claim", {}, seats, "p_0", rated=False, public=True)
            live = await verbs.create(hall, info, start=True)
            for _ in range(3):
                seat = live.table.to_act
                token = live.table.look().legal[0]
                await hall.store_row(live, live.table.check_play(seat, live.table.turn, token, 1))
            lives.append(live)
        whole, gap, *damaged = [live.info.id for live in lives]
        await hall.store.execute(sa.delete(moves).where(moves.c.table_id == gap, moves.c.ply == 1))
        for id, column in zip(damaged, ("options", "clock")):
            unreadable = sa.text(f"update tables set {column} = 'xx' where id = :id")
            await hall.store.execute(unreadable.bindparams(id=id))
        hall.registry.live.clear()
        await recovery.recover(hall.store, hall.get)
        assert list(hall.registry.live) == [whole]
        listed = [table["id"] for table in await hall.lobby.tables(None)]
        assert sorted(listed) == sorted([whole, gap])
        for id in (gap, *damaged):
            with pytest.raises(Refused, match="table/damaged"):
                await hall.get(id)

    with_hall(tmp_path, do)


@pytest.mark.parametrize(("name", "code"), [("seats", "option/apart"), ("name", "option/name")])
def test_no_option_is_taken_for_another_argument(name: str, code: str) -> None:
    """Whatever a client calls it."""
    seats = [verbs.Seat(seat, "person", f"p_{seat}", "", True) for seat in range(2)]
    with pytest.raises(Refused, match=code):
        verbs.new_info("claim", {name: 2}, seats, "p_0")
