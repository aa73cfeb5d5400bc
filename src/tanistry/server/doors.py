"""The doors of `tanistry serve`: what a connection may do before the application hears of it.

These are uvicorn's own protocols, held to limits: nobody reads more than a little at a time, so
that whoever has sent much waits for the others; requests that do not come to an end are not waited
for; floods are cut off. The application knows nothing of this and runs behind any ASGI server;
there, the proxy in front has to see to it. What it is offered here is to write messages at once,
without a task that waits for it; and what it waits for it gets where it was read, without waiting
for the loop's next turn. All that leans on uvicorn's inside is in this module.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tanistry.server.limits import CONNECTIONS, FRAMES, Bucket, Limits
from tanistry.server.socket import WRITE

AT_ONCE = 512
"""Bytes that are taken in from a connection before others have their turn."""
MOST = 1 << 20
"""Bytes that may wait for theirs; nobody who means well sends so much ahead."""
HELD = 0.005
"""Seconds to wait for the application."""
LONGEST_HEAD = 16_384
"""Bytes of a request before its body."""
HEAD, BODY, LAST = 10.0, 30.0, 60.0
"""Seconds for the head of a request, for its body, and for a slow client to read the answer."""
PARTING = 10.0
"""Seconds after which a connection is gone, whether or not the client reads its farewell."""
FLOOD = 1008
TEXT = 0x81
"""The first byte of a text frame that is a whole message."""


class Door(asyncio.Protocol):
    """Takes in a little at a time; goes before uvicorn's protocol in a class's bases."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _later: bytearray | None = None  # what has been read, but has to wait

    def data_received(self, data: bytes) -> None:
        if self._later is None and len(data) <= AT_ONCE:
            return self.take_in(data)
        if self._later is None:
            self._later = bytearray()
            self.loop.call_soon(self._go_on)
        self._later += data
        self.transport.pause_reading()
        if len(self._later) > MOST:
            self.transport.abort()

    def _go_on(self) -> None:
        if self.transport.is_closing() or self._later is None:
            return
        if self.is_held():
            self.loop.call_later(HELD, self._go_on)
            return
        data = bytes(self._later[:AT_ONCE])
        del self._later[:AT_ONCE]
        self.take_in(data)
        if self._later:
            self.loop.call_soon(self._go_on)
            return
        self._later = None
        if not self.transport.is_closing() and not self.is_held():
            self.transport.resume_reading()

    def take_in(self, data: bytes) -> None:
        """What uvicorn does with what was read."""
        raise NotImplementedError

    def is_held(self) -> bool:
        """Whether the application has not taken what is there."""
        raise NotImplementedError


class Http(Door, HttpToolsProtocol):
    """A connection that speaks HTTP, and may become a WebSocket."""

    _timer: asyncio.TimerHandle | None = None
    _head = 0  # bytes of a head that has not come to its end
    _counted = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        limits = _limits(self)
        if limits is None:
            return
        if limits.enter("connections", _address(self), CONNECTIONS):
            self._counted = True
            self._hurry(HEAD)
        else:
            transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._rest()
        if self._counted:
            _leave(self)

    def handle_websocket_upgrade(self) -> None:
        self._rest()
        super().handle_websocket_upgrade()

    def is_held(self) -> bool:
        return bool(self.flow.read_paused)

    def take_in(self, data: bytes) -> None:
        if self._head:
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                return self.send_400_response("The request is too long.")
        HttpToolsProtocol.data_received(self, data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = 1
        self._hurry(HEAD)

    def on_headers_complete(self) -> None:
        self._head = 0
        self._hurry(BODY)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._rest()
        super().on_message_complete()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._hurry(LAST)  # nothing more is read; what was answered may still be on its way

    def _hurry(self, seconds: float) -> None:
        self._rest()
        if _limits(self):
            self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _rest(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


class Bell(asyncio.Future[None]):
    """A future whose waiter goes on where it is rung, not in the loop's next turn: when everything
    else that can be read has been."""

    def add_done_callback(
        self, wake: Callable[[Any], object], *, context: Context | None = None
    ) -> None:
        super().add_done_callback(wake, context=context)
        self._wake = wake
        self._context = copy_context() if context is None else context

    def ring(self) -> None:
        """Not to be called by a task: one cannot run inside another."""
        if not self.done():
            self.remove_done_callback(self._wake)
            self.set_result(None)
            self._context.run(self._wake, self)


class Post(asyncio.Queue[Any]):
    """What has come from a client, for the one task that takes it."""

    _bell: Bell | None = None

    async def get(self) -> Any:
        if self.empty():
            self._bell = Bell()
            await self._bell
        return self.get_nowait()

    def _put(self, item: Any) -> None:
        super()._put(item)
        asyncio.get_running_loop().call_soon(self.deliver)  # if nobody does it before

    def deliver(self) -> None:
        """Let whoever waits for what has come have it now; from within a task, a turn later."""
        if self._bell and not self.empty() and asyncio.current_task() is None:
            self._bell.ring()


class WebSocket(Door, WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    queue: Post

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._frames = Bucket(FRAMES)
        self.queue = Post()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        _leave(self)

    def take_in(self, data: bytes) -> None:
        WebSocketsSansIOProtocol.data_received(self, data)
        self.queue.deliver()

    def is_held(self) -> bool:
        return self.read_paused

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WRITE] = self.write

    def write(self, message: bytes) -> bool:
        """Send a text at once; False if this client has to be waited for, or is gone."""
        open = self.handshake_complete and not self.close_sent and not self.transport.is_closing()
        if not open or not self.writable.is_set():
            return False
        self.transport.write(_head(len(message)) + message)
        return True

    def handle_events(self) -> None:
        limits = _limits(self)
        if limits and limits.on and not self._frames.take(len(self.conn.events)):
            limits.send_out(_address(self))
            self.conn.fail(FLOOD, "too fast")
            return self.handle_parser_exception()
        super().handle_events()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.loop.call_later(PARTING, self.transport.abort)


def _head(size: int) -> bytes:
    """What a text of so many bytes begins with on the wire."""
    if size < 126:
        return bytes((TEXT, size))
    if size < 1 << 16:
        return bytes((TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((TEXT, 127)) + size.to_bytes(8, "big")


def _limits(door: Any) -> Limits | None:
    """The application's limits, once it has started."""
    found: Limits | None = door.app_state.get("limits")
    return found


def _address(door: Any) -> str:
    return door.client[0] if door.client else "?"


def _leave(door: Any) -> None:
    if limits := _limits(door):
        limits.leave("connections", _address(door))
