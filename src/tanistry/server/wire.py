"""The WebSocket itself: uvicorn's, with a short way for the frames that play consists of.

Whole text frames go straight to whoever listens, and out again without a task or a queue between;
all else (the handshake, pings, fragments, closing, errors) is left to uvicorn and `websockets`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # built without its C part
    from websockets.utils import apply_mask

EXTENSION = "tanistry.wire"
"""Where the application finds the wire in its scope."""
MOST_UNSENT = 1 << 20
"""Bytes that may wait for a slow client before it is cut off; it comes back and resumes."""
TEXT = 0x81
"""The first byte of a text frame that is a whole message."""
MASKED, SIZE = 0x80, 0x7F
"""The second byte: clients mask what they send; a small size is written here."""


class Wire(WebSocketsSansIOProtocol):
    """One connection. Set `heard` to get messages as bytes; `write` sends one."""

    heard: Callable[[bytes], None] | None = None
    _rest = b""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def data_received(self, data: bytes) -> None:
        if self.heard is None or self.close_sent:
            return super().data_received(data)
        data = self._rest + data if self._rest else data
        at = 0
        while (frame := _find_frame(data, at)) is not None:
            start, end = frame
            too_long = end - start > self.config.ws_max_size
            if end > len(data) and not too_long:
                break
            whole = data[at] == TEXT and data[at + 1] & MASKED and not self.frames
            if whole and not too_long:
                self.heard(apply_mask(data[start:end], data[start - 4 : start]))
            else:
                super().data_received(data[at:end])
            at = end
        self._rest = data[at:]

    def send_receive_event_to_app(self) -> None:
        if self.heard is None or self.close_sent:
            return super().send_receive_event_to_app()
        message = b"".join(self.frames)
        self.frames = []
        self.heard(message)

    def write(self, message: bytes) -> bool:
        """Send a message; False if this client has not read what it was sent before."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return True
        if not self.writable.is_set() and self.transport.get_write_buffer_size() > MOST_UNSENT:
            return False
        self.transport.write(_head(len(message)) + message)
        return True

    def shut(self, code: int, reason: str) -> None:
        """Close the connection, whether or not the client still reads."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        self.loop.call_later(self.close_timeout, self.transport.abort)


def _find_frame(data: bytes, at: int) -> tuple[int, int] | None:
    """Where the frame at `at` has its content and where it ends; None: too little is there."""
    if len(data) < at + 2:
        return None
    start, size = at + 2, data[at + 1] & SIZE
    if size > 125:
        start += 2 if size == 126 else 8
        if len(data) < start:
            return None
        size = int.from_bytes(data[at + 2 : start], "big")
    if data[at + 1] & MASKED:
        start += 4
    return start, start + size


def _head(size: int) -> bytes:
    if size < 126:
        return bytes((TEXT, size))
    if size < 1 << 16:
        return bytes((TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((TEXT, 127)) + size.to_bytes(8, "big")
