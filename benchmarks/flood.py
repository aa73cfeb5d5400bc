"""How long others wait while one address floods the server, in each way we know of.

    python benchmarks/flood.py                  # every attack, 5 seconds each
    python benchmarks/flood.py --only ping,half-open --seconds 10

The server, the attacker and the client whose pings are measured are three processes on this
machine; the attacker comes from another address (127.0.0.2) than the client, and goes on as fast
as it can, with a new connection whenever it is cut off. The server is started with its limits on,
as an operator would start it. Three processes share the cores with whatever else runs here: how
long server and client were ready but waited for one is told, too (Linux).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from load import free_port, running
from load_clients import Socket, http

HERE = Path(__file__).resolve().parent
ATTACKER = ("127.0.0.2", 0)
EVERY = 0.01
"""Seconds between two pings of the client that is measured."""
LATE = 60.0
"""Seconds after which a ping has got no answer."""


# -- the attacker ---------------------------------------------------------------------------------


def connect(port: int) -> socket.socket:
    found = socket.create_connection(("127.0.0.1", port), 5, ATTACKER)
    found.settimeout(5)
    return found


def guest(port: int) -> str:
    """A cookie of one's own."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30, source_address=ATTACKER)
    connection.request("GET", "/api/v1/me")
    response = connection.getresponse()
    response.read()
    return (response.headers["Set-Cookie"] or "").partition(";")[0]


def websocket(port: int, cookie: str) -> socket.socket:
    found = connect(port)
    found.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        f"Sec-WebSocket-Version: 13\r\n"
        f"Cookie: {cookie}\r\n\r\n".encode()
    )
    found.recv(4096)
    return found


def frames(first: int, body: bytes, count: int) -> bytes:
    return (struct.pack("!BB", first, 0x80 | len(body)) + b"\0\0\0\0" + body) * count


def by_frames(data: bytes) -> Callable[[int, str], None]:
    def attack(port: int, cookie: str) -> None:
        with websocket(port, cookie) as found:
            while True:
                found.sendall(data)

    return attack


def half_open(port: int, _cookie: str) -> None:
    """Connections that begin a request and never end it."""
    kept = []
    try:
        while True:
            kept.append(connect(port))
            kept[-1].sendall(b"G")
            if len(kept) > 1200:
                time.sleep(1)
                kept.pop(0).close()
    finally:
        for one in kept:
            one.close()


def long_head(port: int, _cookie: str) -> None:
    with connect(port) as found:
        found.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        while True:
            found.sendall(b"x" * 65_536)


def requests(path: str, body: bytes = b"") -> Callable[[int, str], None]:
    """Requests one after the other on one connection, without waiting for answers."""

    def attack(port: int, cookie: str) -> None:
        method = "POST" if body else "GET"
        request = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
        if body:
            request += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        with connect(port) as found:
            data = (request.encode() + b"\r\n" + body) * 50
            found.setblocking(False)
            while True:
                try:
                    found.sendall(data)
                except BlockingIOError:
                    time.sleep(0.001)
                try:
                    if not found.recv(1 << 16):
                        return
                except BlockingIOError:
                    pass

    return attack


@cache
def kept(port: int, cookie: str) -> tuple[str, str]:
    """The replay of the longest match there is, kept in an account; where it is, and its cookie."""
    import tanistry

    match = tanistry.game("lords", seats=5).deal(seed=1)
    while match.to_act is not None:
        match.play(match.legal()[-1])
    record = match.record(**{f"Bot{seat}": "random" for seat in range(1, 5)})
    account = {"login": "attacker", "password": "a boat on a silver sea"}
    _, cookie = ask(port, "POST", "/api/v1/account", cookie, account)
    table, _ = ask(port, "POST", "/api/v1/me/matches", cookie, {"record": record})
    return f"/api/v1/tables/{table['id']}/replay?say=fr", cookie


def ask(port: int, method: str, path: str, cookie: str, body: Any) -> tuple[Any, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=30, source_address=ATTACKER)
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    connection.request(method, path, json.dumps(body), headers)
    response = connection.getresponse()
    found = json.loads(response.read())
    assert response.status < 400, found
    return found, (response.headers["Set-Cookie"] or "").partition(";")[0]


def replays(port: int, cookie: str) -> None:
    path, cookie = kept(port, cookie)
    requests(path)(port, cookie)


RECORD = b'{"record": "' + rb"[Game \"claim\"]\n[Seats \"2\"]\n" + b"0: K7" * 15_000 + b'"}'
ATTACKS: dict[str, Callable[[int, str], None]] = {
    "text": by_frames(frames(0x81, b"x", 30_000)),
    "ping": by_frames(frames(0x89, b"", 30_000)),
    "fragments": by_frames(frames(0x01, b"x", 1) + frames(0x00, b"x", 30_000)),
    "long-messages": by_frames(
        (struct.pack("!BBH", 0x81, 0xFE, 16_000) + b"\0\0\0\0" + b"[" * 16_000) * 20
    ),
    "searches": by_frames(
        frames(0x81, b'{"type":"hello"}', 1)
        + frames(0x81, b'{"type":"seek","game":"claim"}', 9_000)
    ),
    "half-open": half_open,
    "long-head": long_head,
    "pages": requests("/"),
    "requests": requests("/api/v1/games"),
    "guests": requests("/api/v1/me"),
    "verify": requests("/api/v1/verify", RECORD),
    "replays": replays,
}


def attack_forever(name: str, port: int) -> None:
    cookie = guest(port)
    if name == "replays":
        kept(port, cookie)
    sys.stdout.write("go\n")
    sys.stdout.flush()
    while True:
        try:
            ATTACKS[name](port, cookie)
        except OSError:
            time.sleep(0.001)  # cut off: again


# -- the client that is measured ------------------------------------------------------------------


async def measure(port: int, seconds: float) -> list[float]:
    """How long pings took, in milliseconds, sorted."""
    place = f"127.0.0.1:{port}"
    _, cookie = http(place, "GET", "/api/v1/me")
    found: list[float] = []
    answers: asyncio.Queue[float] = asyncio.Queue()
    client = Socket("/ws", place, f"Cookie: {cookie}\r\n", lambda _: answers.put_nowait(0))
    await client.open()
    client.send(b'{"type":"hello","v":1}')
    await asyncio.wait_for(answers.get(), LATE)
    end = time.perf_counter() + seconds
    pause = max(EVERY, 0.06)  # within what one client may send
    while time.perf_counter() < end:
        began = time.perf_counter()
        client.send(b'{"type":"ping"}')
        await asyncio.wait_for(answers.get(), LATE)
        found.append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(pause)
    client.transport.close()
    return sorted(found)


def waited(pid: int) -> float:
    """Milliseconds that a process has been ready to go on, but had no core."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e6
    except OSError:
        return 0.0


def show(name: str, server: int, port: int, seconds: float) -> None:
    """Measure, and print the figures."""
    before = [waited(pid) for pid in (server, os.getpid())]
    found = asyncio.run(measure(port, seconds))
    waits = [waited(pid) - was for pid, was in zip((server, os.getpid()), before, strict=True)]
    middle, late = found[len(found) // 2], found[min(len(found) - 1, len(found) * 99 // 100)]
    print(
        f"{name:<14} {len(found):>4} pings   median {middle:>6.2f} ms"
        f"   p99 {late:>7.1f} ms   longest {found[-1]:>7.1f} ms"
        f"   waited for a core: server {waits[0]:.0f} ms, client {waits[1]:.0f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--only", default=",".join(ATTACKS))
    parser.add_argument("--attack", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.attack:
        return attack_forever(args.attack[0], int(args.attack[1]))
    code = "from tanistry.server import from_environment, serve; serve(from_environment())"
    for name in ["nobody", *args.only.split(",")]:
        port = free_port()
        with tempfile.TemporaryDirectory() as folder:
            settings = {
                "TANISTRY_PORT": port,
                "TANISTRY_DATABASE": f"{folder}/flood.db",
                "TANISTRY_PROXIES": "",
                "TANISTRY_WARM": False,
                "TANISTRY_LOG_LEVEL": "error",
                "PYTHONPATH": os.pathsep.join([str(HERE.parent / "src"), *sys.path[1:]]),
            }
            with running([sys.executable, "-c", code], port, **settings) as server:
                if name == "nobody":
                    show(name, server.pid, port, args.seconds)
                    continue
                command = [sys.executable, __file__, "--attack", name, str(port)]
                attacker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
                try:
                    assert attacker.stdout is not None
                    attacker.stdout.readline()
                    time.sleep(0.5)
                    show(name, server.pid, port, args.seconds)
                finally:
                    attacker.kill()
                    attacker.wait()


if __name__ == "__main__":
    main()
