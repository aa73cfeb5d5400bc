"""The WebSocket: one connection, its messages in order, each answered once."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import orjson
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

import tanistry
from tanistry.server import blocks, metrics, talk, verbs
from tanistry.server import messages as m
from tanistry.server.broadcast import table_message
from tanistry.server.clocks import now_ms
from tanistry.server.guards import (
    Receive,
    Scope,
    Send,
    address_of,
    check_host,
    check_origin,
)
from tanistry.server.info import Data
from tanistry.server.limits import MESSAGES, SOCKETS, Bucket
from tanistry.server.refusals import Refused
from tanistry.server.sessions import Known, token_in
from tanistry.server.waiting import begin_if_all_agree
from tanistry.server.worker import Worker

log = logging.getLogger("tanistry.socket")

Write = Callable[[bytes], bool]

WATCHED = 64
"""Tables one connection may follow."""
FOLLOWING = ("sit", "ready", "start", "rematch")
"""What one says at a table to follow it from then on, or the next one."""
WRITE = "tanistry.write"
"""The extension by which a server lets us write a message at once, if it has such a way."""
MOST_UNSENT = 1 << 20
"""Bytes that may wait for a slow client before it is cut off; it comes back and resumes."""
PARTING = 5.0
"""Seconds to tell a client why it is cut off."""
POLICY, TRY_LATER = 1008, 1013


class Connection:
    """One client at the other end of a socket."""

    def __init__(
        self, worker: Worker, known: Known, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self.worker = worker
        self.session = known.session
        self.player: str = known.row.id
        self.name: str = known.row.name
        self.say: str | None = None
        self.greeted = False
        self.watching: set[str] = set()
        self.address = address_of(scope)
        self._receive, self._send = receive, send
        self._write: Write | None = scope.get("extensions", {}).get(WRITE)
        self._out: deque[bytes] = deque()
        self._unsent = 0
        self._more = asyncio.Event()
        self._listening: asyncio.Task[Any] | None = None  # while it waits for the client
        self._cut: tuple[int, str] | None = None
        self._bucket = Bucket(MESSAGES)

    async def run(self) -> None:
        """Handle messages until the client is gone, or has to go."""
        sending = asyncio.create_task(self._send_forever(), name="sending")
        try:
            await self._listen()
        finally:
            sending.cancel()
        if self._cut:
            code, reason = self._cut
            with suppress(OSError, RuntimeError, TimeoutError):
                async with asyncio.timeout(PARTING):
                    await self._flush()
                    await self._send({"type": "websocket.close", "code": code, "reason": reason})

    def cut(self, code: int, reason: str) -> None:
        """End the connection; what the client has said is still done."""
        self._cut = self._cut or (code, reason)
        if self._listening:
            self._listening.cancel()

    # -- out ------------------------------------------------------------------------------------

    def send(self, frame: bytes) -> None:
        """Send a message; never waits. Who does not read is cut off."""
        if self._write and not self._unsent and self._write(frame):
            return
        self._out.append(frame)
        self._unsent += len(frame)
        self._more.set()
        if self._unsent > MOST_UNSENT:
            self.cut(TRY_LATER, "too slow")

    async def _send_forever(self) -> None:
        with suppress(OSError, RuntimeError):  # the client is gone: `_listen` hears of it
            while await self._more.wait():
                await self._flush()
                self._more.clear()

    async def _flush(self) -> None:
        while self._out:
            frame = self._out.popleft()
            await self._send({"type": "websocket.send", "text": frame.decode()})
            self._unsent -= len(frame)

    def cut_off(self, refusal: Refused) -> None:
        """Say why, and close."""
        self.send(orjson.dumps({"type": "refused", **refusal.data()}))
        self.cut(POLICY, refusal.code)

    def answer(self, data: Data, id: Any) -> None:
        self.send(orjson.dumps(data if id is None else {"id": id, **data}))

    # -- in -------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        """Handle messages one after the other."""
        while not self._cut:
            self._listening = asyncio.current_task()
            try:
                message = await self._receive()
            except asyncio.CancelledError:
                if self._cut:
                    return
                raise
            finally:
                self._listening = None
            if message["type"] == "websocket.disconnect":
                return
            await self.handle(message.get("text") or message.get("bytes") or b"")
            await asyncio.sleep(0)  # others have their turn, however much has come

    async def handle(self, text: str | bytes) -> None:
        """One message: done, or refused; neither ends the connection."""
        id = None
        table = None
        try:
            too_fast = self.worker.limits.on and not self._bucket.take()
            message, id = m.read_message(text)
            table = getattr(message, "table", None)
            if too_fast:  # said of this very message: whoever sent it waits for that
                raise Refused("rate/messages")
            if not self.greeted and not isinstance(message, m.Hello):
                raise Refused("message/hello")
            found = await self._do(message)
            if found is not None:
                self.answer(found, id)
        except Exception as error:
            refusal = error if isinstance(error, Refused) else Refused("server/error")
            if refusal is not error:
                log.exception("a message could not be handled")
            metrics.refusals.labels(refusal.code).inc()
            found = {"type": "refused", **refusal.data()}
            if table is not None:
                found["table"] = table
            self.answer(found, id if id is not None else getattr(refusal, "id", None))

    async def _do(self, message: Any) -> Data | None:
        kind = message.type
        if kind == "hello":
            return await self._hello(message)
        if kind == "ping":
            return {"type": "pong", "now": now_ms()}
        if kind == "say":
            return await self._say(message)
        if kind == "lobby":
            return await self._lobby(message)
        if kind == "seek":
            self.worker.limits.take("tables", self.address)
            return await self.worker.pairing.seek(self, message)
        if kind == "unseek":
            await self.worker.pairing.stop(self)
            return {"type": "ok"}
        if kind == "tournament":
            return await self._follow(message)
        if kind == "watch":
            return await self._watch(message)
        if kind == "leave":
            self._leave(message.table)
            return {"type": "ok"}
        if kind in talk.KINDS:
            return await self.worker.talk.do(self, message)
        if kind in FOLLOWING:
            self._check_watched("" if kind == "rematch" else message.table)
        if kind in ("sit", "rematch"):
            await self.worker.check_tables(self.player, self.address)
        return await verbs.do(self.worker.hall, self, message)

    async def _hello(self, message: m.Hello) -> Data:
        if message.v != m.VERSION:
            raise Refused("protocol/version", version=m.VERSION)
        self.greeted = True
        self.say = message.say
        return {
            "type": "welcome",
            "v": m.VERSION,
            "now": now_ms(),
            "you": await self.worker.people.own_data(self.player),
            "say": self.say,
            "server": tanistry.__version__,
            "absent": self.worker.config.absent,
        }

    async def _say(self, message: m.Say) -> Data:
        self.say = message.lang
        for table in self.watching:
            live = self.worker.hall.registry.live.get(table)
            if live and self in live.watchers:  # not where only those who play may follow
                seat = live.watchers[self]
                self.send(orjson.dumps(live.seen_as(seat).whole(seat, now_ms(), self.say)))
        return {"type": "ok"}

    async def _lobby(self, message: m.Lobby) -> Data:
        hall = self.worker.hall
        if not message.on:
            hall.lobby.watchers.discard(self)
            return {"type": "ok"}
        hall.lobby.watchers.add(self)
        return await hall.lobby.message(self.player)

    async def _follow(self, message: m.Follow) -> Data:
        self.worker.check_tournaments()
        if not message.on:
            self.worker.rounds.gone(self, message.tournament)
            return {"type": "ok"}
        row = await self.worker.store.player(self.player)
        return await self.worker.rounds.follow(self, message.tournament, row)

    def _check_watched(self, table: str) -> None:
        if len(self.watching) >= WATCHED and table not in self.watching:
            raise Refused("rate/tables")

    async def _watch(self, message: m.Watch) -> Data:
        self._check_watched(message.table)
        hall = self.worker.hall
        live = await hall.get(message.table)
        async with live.lock:
            seat = live.info.seat_of(self.player)
            if seat is None and live.info.hidden:
                raise Refused("table/no-spectators")
            await blocks.check_look(hall.store, live.info, self.player)
            hall.arrive(live, self)
            await begin_if_all_agree(hall, live)
            self.answer(table_message(live, self), message.id)
            return live.seen_as(seat).state(seat, message.since, now_ms(), self.say)

    def _leave(self, table: str) -> None:
        self.watching.discard(table)
        if live := self.worker.hall.registry.live.get(table):
            self.worker.hall.depart(live, self)

    def gone(self) -> None:
        for table in list(self.watching):
            self._leave(table)
        self.worker.hall.lobby.watchers.discard(self)
        self.worker.pairing.gone(self)
        self.worker.rounds.gone(self)


async def accept(worker: Worker, scope: Scope, receive: Receive, send: Send) -> None:
    """A client asks for a connection: let it in if it is somebody, from a page of ours."""
    address = address_of(scope)
    await receive()  # websocket.connect
    try:
        known = await _known(worker, scope, address)
    except Refused as refusal:
        return await _refuse(send, refusal)
    connection = Connection(worker, known, scope, receive, send)
    worker.connections.add(connection)
    metrics.connections.inc()
    try:
        await send({"type": "websocket.accept"})
        await connection.run()
    finally:
        worker.connections.discard(connection)
        worker.limits.leave("sockets", address)
        metrics.connections.dec()
        connection.gone()


async def _known(worker: Worker, scope: Scope, address: str) -> Known:
    """Who it is that asks; counted as connected from now on."""
    worker.limits.take("requests", address)
    headers = Headers(scope=scope)
    check_host(worker.config, scope, headers)
    check_origin(worker.config, scope, headers)
    worker.check_address(address)
    cookies = HTTPConnection(scope).cookies
    known = await worker.people.sessions.known(token_in(cookies, scope["scheme"] == "wss"))
    if known is None:
        raise Refused("auth/nobody")
    if worker.draining or not worker.limits.enter("sockets", address, SOCKETS):
        raise Refused("rate/connections")
    return known


async def _refuse(send: Send, refusal: Refused) -> None:
    """Open just long enough to say why not."""
    await send({"type": "websocket.accept"})
    text = orjson.dumps({"type": "refused", **refusal.data()}).decode()
    await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.close", "code": POLICY, "reason": refusal.code})
