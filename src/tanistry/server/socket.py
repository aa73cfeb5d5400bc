"""The WebSocket: one connection, its messages in order, each answered once."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import orjson
from starlette.requests import cookie_parser

import tanistry
from tanistry.server import messages as m
from tanistry.server import metrics, verbs
from tanistry.server.broadcast import table_message
from tanistry.server.guards import origin_allowed
from tanistry.server.limits import MESSAGES, Bucket
from tanistry.server.refusals import Refused
from tanistry.server.sessions import Known, token_in
from tanistry.server.store import now_ms
from tanistry.server.tables import Data
from tanistry.server.wire import EXTENSION, Wire
from tanistry.server.worker import Worker

log = logging.getLogger("tanistry.socket")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

WAITING = 64
"""Messages of one client that may wait for their turn before we stop reading from it."""
WATCHED = 64
"""Tables one connection may follow."""
POLICY, TRY_LATER = 1008, 1013


class Connection:
    """One client at the other end of a socket."""

    def __init__(self, worker: Worker, wire: Wire, known: Known) -> None:
        self.worker = worker
        self.session = known.session
        self.player: str = known.row.id
        self.name: str = known.row.name
        self.say: str | None = None
        self.greeted = False
        self.watching: set[str] = set()
        self._wire = wire
        self._in: deque[bytes] = deque()
        self._idle: asyncio.Future[None] | None = None
        self._ended = False
        self._bucket = Bucket(MESSAGES)

    # -- out ------------------------------------------------------------------------------------

    def send(self, frame: bytes) -> None:
        """Send a message; never waits. Who does not read is cut off."""
        if not self._wire.write(frame):
            self._wire.shut(TRY_LATER, "too slow")

    def cut_off(self, code: str) -> None:
        """Say why, and close."""
        self.send(orjson.dumps({"type": "refused", **Refused(code).data()}))
        self._wire.shut(POLICY, code)

    def answer(self, data: Data, id: Any) -> None:
        self.send(orjson.dumps(data if id is None else {"id": id, **data}))

    # -- in -------------------------------------------------------------------------------------

    def heard(self, message: bytes) -> None:
        """A message has come: it waits for those before it."""
        self._in.append(message)
        if len(self._in) == WAITING:
            self._wire.transport.pause_reading()
        self._wake()

    def end(self) -> None:
        """The client is gone: what it said before is still done."""
        self._ended = True
        self._wake()

    def _wake(self) -> None:
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    async def listen(self) -> None:
        """Handle messages one after the other, until the client is gone."""
        loop = asyncio.get_running_loop()
        while True:
            while self._in:
                if len(self._in) == WAITING:
                    self._wire.transport.resume_reading()
                await self.handle(self._in.popleft())
            if self._ended:
                return
            self._idle = loop.create_future()
            await self._idle

    async def handle(self, text: bytes) -> None:
        """One message: done, or refused; neither ends the connection."""
        id = None
        table = None
        try:
            if self.worker.limits.on and not self._bucket.take():
                raise Refused("rate/messages")
            message, id = m.read_message(text)
            table = getattr(message, "table", None)
            if not self.greeted and not isinstance(message, m.Hello):
                raise Refused("message/hello")
            found = await self._do(message)
            if found is not None:
                self.answer(found, id)
        except Refused as refusal:
            metrics.refusals.labels(refusal.code).inc()
            found = {"type": "refused", **refusal.data()}
            if table is not None:
                found["table"] = table
            self.answer(found, id if id is not None else getattr(refusal, "id", None))
        except Exception:
            log.exception("a message could not be handled")
            self.answer({"type": "refused", **Refused("server/error").data()}, id)

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
        if kind == "watch":
            return await self._watch(message)
        if kind == "leave":
            self._leave(message.table)
            return {"type": "ok"}
        found = await verbs.do(self.worker.hall, self, message)
        if kind == "sit":
            self.watching.add(message.table)
        return found

    async def _hello(self, message: m.Hello) -> Data:
        if message.v != m.VERSION:
            raise Refused("protocol/version", version=m.VERSION)
        self.greeted = True
        self.say = message.say
        row = await self.worker.store.player(self.player)
        return {
            "type": "welcome",
            "v": m.VERSION,
            "now": now_ms(),
            "you": await self.worker.people.data(row, own=True),
            "say": self.say,
            "server": tanistry.__version__,
        }

    async def _say(self, message: m.Say) -> Data:
        self.say = message.lang
        for table in self.watching:
            live = self.worker.hall.registry.live.get(table)
            if live and self in live.watchers:  # not where only those who play may follow
                seat = live.watchers[self]
                state = live.seen_as(seat).state(seat, 0, now_ms(), self.say)
                self.send(orjson.dumps({**state, "complete": False}))
        return {"type": "ok"}

    async def _lobby(self, message: m.Lobby) -> Data:
        hall = self.worker.hall
        if not message.on:
            hall.lobby.watchers.discard(self)
            return {"type": "ok"}
        hall.lobby.watchers.add(self)
        return await hall.lobby.message(self.player)

    async def _watch(self, message: m.Watch) -> Data:
        hall = self.worker.hall
        if len(self.watching) >= WATCHED and message.table not in self.watching:
            raise Refused("rate/tables")
        live = await hall.get(message.table)
        async with live.lock:
            seat = live.info.seat_of(self.player)
            if seat is None and live.info.hidden:
                raise Refused("table/no-spectators")
            self.watching.add(message.table)
            hall.arrive(live, self)
            self.answer(table_message(live, self), message.id)
            state = live.seen_as(seat).state(seat, message.since, now_ms(), self.say)
            return state

    def _leave(self, table: str) -> None:
        self.watching.discard(table)
        if live := self.worker.hall.registry.live.get(table):
            self.worker.hall.depart(live, self)

    def gone(self) -> None:
        for table in list(self.watching):
            self._leave(table)
        self.worker.hall.lobby.watchers.discard(self)


async def accept(worker: Worker, scope: Scope, receive: Receive, send: Send) -> None:
    """A client asks for a connection: let it in if it is somebody, from a page of ours."""
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    address = (scope.get("client") or ("?", 0))[0]
    await receive()  # websocket.connect
    if not origin_allowed(worker.config.origins, headers):
        return await _refuse(send, "auth/origin")
    try:
        cookies = cookie_parser(headers.get("cookie", ""))
        secure = scope.get("scheme") == "wss"
        known = await worker.people.sessions.known(token_in(cookies, secure))
    except Refused as refusal:
        return await _refuse(send, refusal.code)
    if known is None:
        return await _refuse(send, "auth/nobody")
    if worker.draining or not worker.limits.connect(address):
        return await _refuse(send, "rate/connections")
    wire: Wire = scope["extensions"][EXTENSION]
    connection = Connection(worker, wire, known)
    await send({"type": "websocket.accept"})
    worker.connections.add(connection)
    metrics.connections.inc()
    listening = asyncio.create_task(connection.listen(), name="socket")
    wire.heard = connection.heard
    try:
        while (message := await receive())["type"] != "websocket.disconnect":
            # Only what came before `heard` was set.
            connection.heard((message.get("text") or "").encode() or message.get("bytes") or b"")
    finally:
        worker.connections.discard(connection)
        worker.limits.disconnect(address)
        metrics.connections.dec()
        connection.end()
        try:
            await listening
        finally:
            connection.gone()


async def _refuse(send: Send, code: str) -> None:
    """Open just long enough to say why not."""
    await send({"type": "websocket.accept"})
    text = orjson.dumps({"type": "refused", **Refused(code).data()}).decode()
    await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.close", "code": POLICY, "reason": code})
