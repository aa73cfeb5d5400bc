"""The client for Python, at a server that does not always let it in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, serve

from tanistry.client import AsyncClient, RefusedByServer, live
from tests.patience import PATIENCE, eventually

WELCOME = {"type": "welcome", "you": {"id": "p_1"}}
LATER = {"type": "refused", "code": "rate/connections", "say": {"en": "Later."}}
NOBODY = {"type": "refused", "code": "auth/nobody", "say": {"en": "Who are you?"}}
APART = {"type": "refused", "code": "table/apart", "say": {"en": "Keep apart."}}
BUSY = {"type": "refused", "code": "server/busy", "say": {"en": "Try again."}}
STATE = {
    "type": "state", "view": {"places": {}}, "turn": 0, "clocks": None, "result": None,
    "complete": True, "events": [],
}  # fmt: skip


class Guest(AsyncClient):
    """Somebody who need not ask who they are."""

    async def request(self, method: str, path: str, body: Any = None) -> Any:
        return {"id": path.rpartition("/")[2], "seats": [], "status": "waiting"}


async def at_a_server(greetings: Iterator[Any], do: Any, *answers: Any) -> None:
    """One that greets each connection with the next of these, and answers with the next of those;
    then it refuses all that is asked."""
    rest = iter(answers)

    async def handle(socket: ServerConnection) -> None:
        await socket.recv()
        greeting = next(greetings)
        await socket.send(json.dumps(greeting))
        if greeting["type"] != "welcome":
            return
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "ping":
                return  # the line is lost
            about = {key: message[key] for key in ("id", "table") if key in message}
            await socket.send(json.dumps({**next(rest, APART), **about}))

    async with asyncio.timeout(PATIENCE), serve(handle, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        client = Guest(f"http://127.0.0.1:{port}")
        try:
            await do(client)
        finally:
            await client.close()


def test_it_waits_for_a_server_that_restarts() -> None:
    async def do(client: AsyncClient) -> None:
        await client.connect()
        assert client.connections == 1

    asyncio.run(at_a_server(iter([{"type": "bye"}, WELCOME]), do))


def test_who_is_refused_may_try_again() -> None:
    async def do(client: AsyncClient) -> None:
        with pytest.raises(RefusedByServer, match="Later"):
            await client.connect()
        await client.connect()
        assert client.connections == 1

    asyncio.run(at_a_server(iter([LATER, WELCOME]), do))


def test_a_passing_refusal_is_waited_out_and_another_is_told_to_all_who_wait() -> None:
    async def do(client: AsyncClient) -> None:
        await client.connect()
        with pytest.raises(RefusedByServer, match="Who are you"):
            await client.ask("ping")
        with pytest.raises(RefusedByServer, match="Who are you"):
            await client.ask("ping")
        assert client.is_refused

    asyncio.run(at_a_server(iter([WELCOME, LATER, NOBODY]), do))


def test_all_who_wait_for_a_table_hear_that_they_may_not_follow_it() -> None:
    async def do(client: AsyncClient) -> None:
        await client.connect()
        for _ in range(2):
            found = await asyncio.gather(
                client.watch("one"), client.watch("one"), return_exceptions=True
            )
            assert [type(one) for one in found] == [RefusedByServer] * 2
        assert not client.tables

    asyncio.run(at_a_server(iter([WELCOME]), do))


@pytest.mark.parametrize("waits", ["your_turn", "ended"])
def test_who_waits_at_a_table_hears_that_it_is_not_shown_again(waits: str) -> None:
    async def do(client: AsyncClient) -> None:
        await client.connect()
        table = await client.watch("one")
        waiting = asyncio.ensure_future(getattr(table, waits)())
        await client._socket.close()
        with pytest.raises(RefusedByServer, match="Keep apart"):
            await waiting
        assert not client.tables
        assert not client.is_refused

    asyncio.run(at_a_server(iter([WELCOME, WELCOME]), do, STATE))


def test_a_table_that_cannot_be_shown_for_now_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "AGAIN", 0.01)

    async def do(client: AsyncClient) -> None:
        await client.connect()
        table = await client.watch("one")
        client.send_watch(table)
        await table.until(lambda: table.turn == 1)

    ahead = {**STATE, "turn": 1}
    asyncio.run(at_a_server(iter([WELCOME]), do, STATE, BUSY, BUSY, ahead))


def test_another_table_may_be_asked_for_while_the_first_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send = ClientConnection.send

    async def do(client: AsyncClient) -> None:
        await client.connect()
        await client.watch("one")
        meanwhile: list[asyncio.Task[Any]] = []

        async def send_slowly(socket: ClientConnection, frame: str) -> None:
            if '"watch"' in frame and not meanwhile:
                meanwhile.append(asyncio.create_task(client.watch("two")))
                await eventually(lambda: "two" in client.tables)
            await send(socket, frame)

        monkeypatch.setattr(ClientConnection, "send", send_slowly)
        await client._socket.close()
        await eventually(lambda: bool(meanwhile))
        assert (await meanwhile[0]).id == "two"

    asyncio.run(at_a_server(iter([WELCOME, WELCOME]), do, STATE, STATE, STATE))
