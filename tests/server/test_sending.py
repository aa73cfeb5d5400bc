"""Messages go out in order, at once where the server can; who does not read is cut off."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from tanistry.server.refusals import Refused
from tanistry.server.socket import MOST_UNSENT, TRY_LATER, WRITE, Connection


class Line:
    """What stands between a connection and its client; `reads`: whether that takes what comes."""

    def __init__(self) -> None:
        self.reads = True
        self.at_once: list[bytes] = []
        self.sent: list[Any] = []
        self.gone = asyncio.Event()
        self.may_go_on = asyncio.Event()

    def write(self, message: bytes) -> bool:
        if self.reads:
            self.at_once.append(message)
        return self.reads

    async def send(self, message: Any) -> None:
        if not self.reads:
            await self.may_go_on.wait()
        self.sent.append(message.get("text") or message.get("code"))

    async def receive(self) -> Any:
        await self.gone.wait()
        return {"type": "websocket.disconnect"}

    def connect(self, worker: Any = None, **extensions: Any) -> Connection:
        known: Any = SimpleNamespace(session="s", row=SimpleNamespace(id="p", name="P"))
        scope = {"client": ("::1", 1), "extensions": extensions}
        return Connection(worker, known, scope, self.receive, self.send)


async def a_moment() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_written_at_once_and_in_order() -> None:
    async def run() -> None:
        line = Line()
        connection = line.connect(**{WRITE: line.write})
        running = asyncio.create_task(connection.run())
        await a_moment()
        connection.send(b"1")
        assert line.at_once == [b"1"]
        line.reads = False
        connection.send(b"2")
        await a_moment()
        line.reads = True
        connection.send(b"3")
        assert line.at_once == [b"1"], "what waits goes first"
        line.may_go_on.set()
        await a_moment()
        assert line.sent == ["2", "3"]
        connection.send(b"4")
        assert line.at_once == [b"1", b"4"]
        line.gone.set()
        await running

    asyncio.run(run())


def test_a_server_without_the_extension_is_asked_to_send() -> None:
    async def run() -> None:
        line = Line()
        connection = line.connect()
        running = asyncio.create_task(connection.run())
        connection.send(b"1")
        await a_moment()
        assert line.sent == ["1"]
        line.gone.set()
        await running

    asyncio.run(run())


def test_who_does_not_read_is_cut_off() -> None:
    async def run() -> None:
        line = Line()
        line.reads = False
        connection = line.connect(**{WRITE: line.write})
        running = asyncio.create_task(connection.run())
        await a_moment()
        connection.send(b"x" * MOST_UNSENT)
        await a_moment()
        assert not running.done()
        connection.send(b"y")
        line.may_go_on.set()
        await running
        assert line.sent[-1] == TRY_LATER

    asyncio.run(run())


@pytest.mark.parametrize("error", [Refused("server/busy"), ArithmeticError("a bug")])
def test_whatever_goes_wrong_is_told_of_the_table_it_was_about(error: Exception) -> None:
    """A watch without a number has nothing else to be known by."""

    async def run() -> None:
        line = Line()
        hall = SimpleNamespace(get=AsyncMock(side_effect=error))
        connection = line.connect(SimpleNamespace(limits=SimpleNamespace(on=False), hall=hall))
        connection.greeted = True
        await connection.handle('{"type": "watch", "table": "one", "since": 0}')
        await connection._flush()
        answer = json.loads(line.sent[0])
        code = error.code if isinstance(error, Refused) else "server/error"
        assert (answer["type"], answer["code"], answer["table"]) == ("refused", code, "one")

    asyncio.run(run())
