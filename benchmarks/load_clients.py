"""Many clients in one process, as cheap as they can be made: a WebSocket by hand, two per match.

Called by load.py; prints one line of JSON. Both servers are driven by the same class of client, and
a move has come when its bytes have, before anybody decodes them: what is measured is the server.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gc
import os
import random
import resource
import struct
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any

import orjson

TOGETHER = 25
"""Matches that are opened at the same time."""


class Socket(asyncio.Protocol):
    """A WebSocket client: text frames out (masked with zeros), whole text frames in."""

    def __init__(self, path: str, place: str, headers: str, heard: Callable[[bytes], None]) -> None:
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: {place}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            f"Sec-WebSocket-Version: 13\r\n{headers}\r\n"
        ).encode()
        self.place, self.heard = place, heard
        self.data = b""
        self.parts = b""
        self.read_at = 0.0  # when what is being heard came, before anybody has looked at it
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        host, port = self.place.split(":")
        await asyncio.get_running_loop().create_connection(lambda: self, host, int(port))
        await self.opened

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.request)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed"))

    def send(self, text: bytes, code: int = 0x81) -> None:
        size = len(text)
        head = bytes((code, 0x80 | size)) if size < 126 else struct.pack("!BBH", code, 0xFE, size)
        self.transport.write(head + b"\0\0\0\0" + text)

    def data_received(self, data: bytes) -> None:
        self.read_at = time.perf_counter()
        data = self.data + data if self.data else data
        if not self.opened.done():
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self.data = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(data[:80].decode()))
                return
            self.opened.set_result(None)
            data = data[end + 4 :]
        at = 0
        while len(data) - at >= 2:
            first, size, start = data[at], data[at + 1], at + 2
            if size == 126:
                if len(data) - at < 4:
                    break
                size, start = struct.unpack_from("!H", data, at + 2)[0], at + 4
            elif size == 127:
                if len(data) - at < 10:
                    break
                size, start = struct.unpack_from("!Q", data, at + 2)[0], at + 10
            if len(data) < start + size:
                break
            body = data[start : start + size]
            at = start + size
            if first & 15 == 9:
                self.send(body, 0x8A)
            elif first & 15 == 8:
                self.transport.close()
            elif first & 0x80:
                self.heard(self.parts + body)
                self.parts = b""
            else:
                self.parts += body
        self.data = data[at:]


def http(place: str, method: str, path: str, body: Any = None, cookie: str = "") -> Any:
    connection = HTTPConnection(place, timeout=60)
    headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
    connection.request(method, path, None if body is None else orjson.dumps(body), headers)
    response = connection.getresponse()
    data = orjson.loads(response.read())
    if response.status >= 400:
        raise RuntimeError(f"{path}: {data}")
    for line in response.headers.get_all("Set-Cookie") or ():
        cookie = "; ".join(f"{k}={v.value}" for k, v in SimpleCookie(line).items())
    connection.close()
    return data, cookie


class Measure:
    """When moves were sent, and when the opponent had them."""

    def __init__(self, pace: float, seconds: float) -> None:
        self.pace = pace
        self.seconds = seconds
        self.sent: dict[tuple[str, int], float] = {}
        self.delays: list[float] = []
        self.over = 0
        self.began = 0.0
        self.last = 0.0
        self.running = False

    def wants_more(self) -> bool:
        return not self.seconds or time.perf_counter() - self.began < self.seconds

    def had(self, match: str, turn: int, at: float) -> None:
        if (sent := self.sent.pop((match, turn), None)) is not None:
            self.delays.append(at - sent)
            self.last = at

    def later(self, do: Callable[[], None]) -> None:
        if self.pace:
            wait = self.pace * random.uniform(0.5, 1.5)
            asyncio.get_running_loop().call_later(wait, do)
        else:
            do()


class OurClient:
    """One seat at one of our tables."""

    def __init__(self, measure: Measure, place: str, table: str, seat: int, cookie: str) -> None:
        self.measure, self.table, self.seat = measure, table, seat
        self.turn, self.done = 0, False
        self.legal: list[str] = []
        self.socket = Socket("/ws", place, f"Cookie: {cookie}\r\n", self.heard)
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        await self.socket.open()
        self.socket.send(b'{"type":"hello","v":1}')
        if self.seat == 1:
            self.socket.send(orjson.dumps({"type": "sit", "table": self.table}))
        self.socket.send(orjson.dumps({"type": "watch", "table": self.table}))
        self.socket.send(orjson.dumps({"type": "ready", "table": self.table}))
        await self.ready

    def heard(self, frame: bytes) -> None:
        message = orjson.loads(frame)
        kind = message["type"]
        if kind == "state" and message["view"]:
            self.turn = message["turn"]
            self.legal = message["view"].get("legal", [])
            if not self.ready.done():
                self.ready.set_result(None)
        elif kind == "played":
            self.turn = message["turn"]
            if message["seat"] != self.seat:
                self.measure.had(self.table, self.turn - 1, self.socket.read_at)
            if message.get("result"):
                self.done = True
                self.measure.over += 1
            self.legal = message["change"].get("legal", [])
            if self.legal and self.measure.running and self.measure.wants_more():
                self.measure.later(self.play)
        elif kind == "refused":
            raise RuntimeError(str(message))

    def play(self) -> None:
        token = random.choice(self.legal)
        self.measure.sent[self.table, self.turn] = time.perf_counter()
        self.socket.send(
            orjson.dumps({"type": "play", "table": self.table, "turn": self.turn, "token": token})
        )


class PeerClient:
    """One player of a boardgame.io match, over Socket.IO's own framing."""

    def __init__(self, measure: Measure, place: str, match: str, seat: int) -> None:
        self.measure, self.match, self.seat = measure, match, seat
        self.state: Any = None
        self.socket = Socket("/socket.io/?EIO=4&transport=websocket", place, "", self.heard)
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        await self.socket.open()
        self.socket.send(b"40/hands,")
        await self.ready

    def emit(self, *args: Any) -> None:
        self.socket.send(b"42/hands," + orjson.dumps(args))

    def heard(self, frame: bytes) -> None:
        if frame == b"2":
            self.socket.send(b"3")
        elif frame.startswith(b"40/hands"):
            self.emit("sync", self.match, str(self.seat), None, 2)
        elif frame.startswith(b"42/hands,"):
            name, *args = orjson.loads(frame[9:])
            if name == "sync":
                self.state = args[1]["state"]
                if not self.ready.done():
                    self.ready.set_result(None)
            elif name == "update":
                before, self.state = self.state, args[1]
                if before["ctx"]["currentPlayer"] != str(self.seat):
                    turn = self.state["_stateID"] - 1
                    self.measure.had(self.match, turn, self.socket.read_at)
                if self.state["ctx"].get("gameover"):
                    self.measure.over += 1
                elif self.my_turn() and self.measure.running and self.measure.wants_more():
                    self.measure.later(self.play)

    def my_turn(self) -> bool:
        return bool(self.state["ctx"]["currentPlayer"] == str(self.seat))

    @property
    def legal(self) -> bool:
        return self.my_turn()

    def play(self) -> None:
        card = random.choice(self.state["G"]["players"][str(self.seat)]["hand"])
        turn = self.state["_stateID"]
        self.measure.sent[self.match, turn] = time.perf_counter()
        payload = {"type": "play", "args": [card], "playerID": str(self.seat)}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self.emit("update", action, turn, self.match, str(self.seat))


def ours(places: list[str], number: int, measure: Measure) -> list[OurClient]:
    place, other = places[number % len(places)], places[(number + 1) % len(places)]
    _, one = http(place, "GET", "/api/v1/me")
    _, two = http(other, "GET", "/api/v1/me")
    table, _ = http(place, "POST", "/api/v1/tables", {"game": "claim", "rated": False}, one)
    return [
        OurClient(measure, place, table["id"], 0, one),
        OurClient(measure, other, table["id"], 1, two),
    ]


def peers(places: list[str], number: int, measure: Measure) -> list[PeerClient]:
    """A match of the peer's is made when its first client asks for it."""
    return [PeerClient(measure, places[0], f"match-{number}", seat) for seat in (0, 1)]


async def run(args: argparse.Namespace) -> dict[str, Any]:
    gc.disable()  # nothing here lives long enough to need it, and nobody is to wait for it
    measure = Measure(args.pace, args.seconds)
    make = ours if args.kind == "ours" else peers
    clients: list[Any] = []
    places = args.place.split(",")
    for first in range(0, args.matches, TOGETHER):
        numbers = range(first, min(first + TOGETHER, args.matches))
        some = [client for number in numbers for client in make(places, number, measure)]
        await asyncio.wait_for(asyncio.gather(*(client.open() for client in some)), 60)
        clients += some
    await asyncio.sleep(1)
    print("go", flush=True)
    sys.stdin.readline()  # load.py has read the server's CPU time
    measure.running = True
    measure.began = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_SELF)
    for client in clients:
        if client.legal:
            measure.later(client.play)
    deadline = measure.began + args.seconds + args.limit
    while time.perf_counter() < deadline:
        await asyncio.sleep(0.05)
        if args.seconds and not measure.wants_more() and not measure.sent:
            break
        if measure.over >= 2 * args.matches:
            break
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    spent = measure.last - measure.began
    delays = sorted(measure.delays)
    return {
        "matches": args.matches,
        "finished": measure.over // 2,
        "moves": len(delays),
        "seconds": round(spent, 3),
        "moves_per_second": round(len(delays) / spent, 1),
        "p50_ms": round(1000 * delays[len(delays) // 2], 2),
        "p99_ms": round(1000 * delays[int(len(delays) * 0.99)], 2),
        "client_us_per_move": round(1e6 * cpu / len(delays)),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["ours", "peer"])
    parser.add_argument("place")
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--limit", type=float, default=20.0)
    try:
        import uvloop

        found = uvloop.run(run(parser.parse_args()))
    except ImportError:
        found = asyncio.run(run(parser.parse_args()))
    print(orjson.dumps(found).decode(), flush=True)
    os._exit(0)
