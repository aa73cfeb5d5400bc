"""The client for asyncio: one socket, any number of tables, back by itself when it is lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable
from itertools import count
from typing import Any, Self

from tanistry.client.http import Http, RefusedByServer

VERSION = 1
PAUSE, LONGEST_PAUSE = 0.25, 8.0
"""Seconds until a lost connection is looked for again, at first and at most."""
AGAIN = 1.0
"""Seconds until a table that the server could not show is asked for again."""
ONCE = {"hint"}
"""Questions that are not asked again after a lost connection."""

Data = dict[str, Any]


class AsyncTable:
    """A table as one client sees it, kept up to date."""

    def __init__(self, client: AsyncClient, data: Data) -> None:
        self.client = client
        self.id: str = data["id"]
        self.data = data
        self.view: Data | None = None
        self.turn = 0
        self.events: list[Data] = []
        self.labels: dict[str, str] = {}
        self.tally: Data = {}
        self.clocks: Data | None = None
        self.result: Data | None = None
        self.fresh = False  # whether a state has come since the last (re)connection
        self.promised = ""  # the commitment as it was before we gave our nonce
        self.nonce = ""
        self._refusal: Data | None = None  # why we may not follow it
        self.changed = asyncio.Condition()
        self.listeners: list[Callable[[Data], None]] = []

    # -- reading --------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        for seat in self.data["seats"]:
            if seat["you"]:
                return int(seat["seat"])
        return None

    @property
    def legal(self) -> list[str]:
        """The tokens you may play now; empty when it is not your turn."""
        return list((self.view or {}).get("legal", ()))

    @property
    def over(self) -> bool:
        return self.result is not None or self.data["status"] in ("over", "closed")

    @property
    def names(self) -> list[str]:
        return [seat["name"] for seat in self.data["seats"]]

    @property
    def refusal(self) -> Data | None:
        """Why the server will not let us follow it any more, or will not have us back at all."""
        return self._refusal or self.client.refusal

    @property
    def is_refused(self) -> bool:
        return self.refusal is not None

    # -- waiting --------------------------------------------------------------------------------

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition holds; it is checked after each message. RefusedByServer if we
        shall hear no more of the table."""
        async with self.changed:
            await self.changed.wait_for(lambda: holds() or self.refusal)
        if self.refusal and not holds():
            raise RefusedByServer(self.refusal)

    async def wake(self) -> None:
        """Let those who wait look again."""
        async with self.changed:
            self.changed.notify_all()

    async def lose(self, refusal: Data) -> None:
        """We may not follow it: whoever waits hears why."""
        self.client.tables.pop(self.id, None)
        self._refusal = refusal
        await self.wake()

    async def your_turn(self) -> bool:
        """Wait for your turn; False when the match is over instead."""
        await self.until(lambda: self.over or bool(self.legal))
        return not self.over

    async def ended(self) -> Data | None:
        """Wait for the end, and for the seed that is shown then; the result."""
        await self.until(lambda: self.data["status"] in ("over", "closed"))
        return self.data["result"] or self.result

    # -- doing ----------------------------------------------------------------------------------

    async def ask(self, type: str, **fields: Any) -> Data:
        return await self.client.ask(type, table=self.id, **fields)

    async def play(self, token: str) -> None:
        """Make your choice; returns once it is stored."""
        await self.ask("play", turn=self.turn, token=token)

    async def sit(self, seat: int | None = None) -> None:
        await self.ask("sit", **({} if seat is None else {"seat": seat}))

    async def ready(self, ready: bool = True) -> None:
        """Say that it may begin; adds a number of ours to the deal (docs/fairness.md)."""
        await self.ask("ready", ready=ready, nonce=self._number())

    def _number(self) -> str:
        """What we add to the deal, once the server's promise is kept."""
        self.promised = self.promised or self.data["fairness"]["commitment"]
        self.nonce = self.nonce or secrets.token_hex(16)
        return self.nonce

    async def start(self, bots: bool = False) -> None:
        await self.ask("start", bots=bots)

    async def resign(self) -> None:
        await self.ask("resign")

    async def hint(self) -> Data:
        return await self.ask("hint")

    async def undo(self) -> None:
        await self.ask("undo")

    async def rematch(self) -> AsyncTable:
        """Ask for a rematch, or accept one; returns the new table."""
        if self.data["rematch"] is None:
            await self.ask("rematch", ready=False)
            await self.until(lambda: self.data["rematch"] is not None)
        following = await self.client.watch(self.data["rematch"])
        await self.ask("rematch", nonce=following._number())
        return following

    # -- hearing --------------------------------------------------------------------------------

    async def _hear(self, message: Data) -> None:
        kind = message["type"]
        if kind == "table":
            self.data = message["table"]
        elif kind == "state":
            self._replace(message)
        elif kind == "played" and not message.get("again") and "change" in message:
            if message["turn"] == self.turn + 1 and self.view is not None and self.fresh:
                self._step(message)
            elif message["turn"] > self.turn:
                self.fresh = False
                self.client.send_watch(self)  # something is missing: replace, do not patch
        for listener in self.listeners:
            listener(message)
        await self.wake()

    def _replace(self, message: Data) -> None:
        self.view, self.turn, self.fresh = message["view"], message["turn"], True
        self.labels, self.tally = message.get("labels", {}), message.get("tally", {})
        self.clocks, self.result = message["clocks"], message["result"]
        self.events = (self.events if message["complete"] else []) + message["events"]

    def _step(self, message: Data) -> None:
        change = message["change"]
        view = {key: value for key, value in (self.view or {}).items() if key != "legal"}
        places = {**view["places"], **change["places"]}
        self.view = {**view, **change, "places": {k: v for k, v in places.items() if v}}
        self.turn = message["turn"]
        self.labels = message.get("labels", {})
        self.tally = message.get("tally", self.tally)  # untold: the same
        self.clocks = message.get("clocks")
        self.result = message.get("result")
        self.events += message["events"]


class AsyncClient:
    """A player at a server."""

    def __init__(
        self, url: str, name: str | None = None, cookie: str | None = None, say: str | None = None
    ) -> None:
        self.http = Http(url, cookie)
        self.name = name
        self.say = say
        self.you: Data = {}
        self.tables: dict[str, AsyncTable] = {}
        self.lobby: list[Data] = []
        self.connections = 0
        self.refusal: Data | None = None  # why the server will not have us back
        self.heard: Callable[[str], None] | None = None  # every frame, for tests and logs
        self._numbers = count(1)
        self._asked: dict[int, tuple[Data, asyncio.Future[Data]]] = {}
        self._socket: Any = None
        self._online = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self) -> None:
        self.refusal = None
        self.you = await self.request("GET", "/me")
        if self.name:
            self.you = await self.request("PATCH", "/me", {"name": self.name})
        self._task = asyncio.create_task(self._stay())
        waiter = asyncio.create_task(self._online.wait())
        await asyncio.wait({self._task, waiter}, return_when=asyncio.FIRST_COMPLETED)
        waiter.cancel()
        self.check_welcome()
        if self._task.done():
            self._task.result()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for _, future in self._asked.values():
            future.cancel()

    async def request(self, method: str, path: str, body: Any = None) -> Any:
        """An HTTP request of the protocol."""
        return await asyncio.to_thread(self.http.request, method, path, body)

    # -- tables ---------------------------------------------------------------------------------

    async def quick(self, game: str, **choices: Any) -> AsyncTable:
        """Start a match against bots."""
        nonce = secrets.token_hex(16)
        new = {"game": game, "nonce": nonce, **choices}
        table = await self.watch((await self.request("POST", "/tables/quick", new))["id"])
        table.nonce = nonce
        return table

    async def create(self, game: str, **choices: Any) -> AsyncTable:
        """A new table; its id is what others need to join."""
        data = await self.request("POST", "/tables", {"game": game, **choices})
        return await self.watch(data["id"])

    async def watch(self, table: str) -> AsyncTable:
        """Follow a table: as your seat if you have one there, else as a spectator."""
        found = self.tables.get(table)
        if found is None:
            found = AsyncTable(self, await self.request("GET", f"/tables/{table}"))
            found = self.tables.setdefault(table, found)
            await self._follow(found)
        await found.until(lambda: found.fresh)
        return found

    async def _follow(self, table: AsyncTable) -> None:
        """Ask for a table; whoever else waits for it hears of a refusal, too."""
        try:
            await self.ask("watch", table=table.id, since=0)
        except RefusedByServer as refused:
            await table.lose(refused.refusal)

    # -- talking --------------------------------------------------------------------------------

    async def ask(self, type: str, **fields: Any) -> Data:
        """Send a message and wait for its answer, over as many connections as it takes."""
        self.check_welcome()
        number = next(self._numbers)
        message = {"type": type, "id": number, **fields}
        future: asyncio.Future[Data] = asyncio.get_running_loop().create_future()
        self._asked[number] = message, future
        try:
            if self._online.is_set():
                await self._send(message)
            answer = await future
        finally:
            self._asked.pop(number, None)
        if answer["type"] == "refused":
            raise RefusedByServer(answer)
        return answer

    def send_watch(self, table: AsyncTable) -> None:
        message = {"type": "watch", "table": table.id, "since": table.turn}
        self._background = asyncio.create_task(self._send(message))

    async def _send(self, message: Data) -> None:
        from websockets.exceptions import ConnectionClosed

        with contextlib.suppress(ConnectionClosed, AttributeError):
            await self._socket.send(json.dumps(message))

    async def _stay(self) -> None:
        """Keep a connection; after a loss wait a little longer each time."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidHandshake

        pause = PAUSE
        while True:
            try:
                async with connect(
                    self.http.socket_url,
                    additional_headers=self.http.cookie_header,
                    compression=None,
                    max_size=None,
                    open_timeout=10,
                ) as socket:
                    self._socket = socket
                    await self._greet()
                    pause = PAUSE
                    async for frame in socket:
                        await self._frame(str(frame))
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                pass
            except RefusedByServer as refusal:
                if not self.connections or not refusal.is_passing:
                    return await self._give_up(refusal.refusal)
            self._online.clear()
            for table in self.tables.values():
                table.fresh = False
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    @property
    def is_refused(self) -> bool:
        """Whether the server will not have us back."""
        return self.refusal is not None

    def check_welcome(self) -> None:
        """RefusedByServer if the server will not have us back: nothing can be asked any more."""
        if self.refusal:
            raise RefusedByServer(self.refusal)

    async def _give_up(self, refusal: Data) -> None:
        """Tell everybody who waits that the server will not have us back."""
        self.refusal = refusal
        for _, future in self._asked.values():
            if not future.done():
                future.set_exception(RefusedByServer(refusal))
        for table in list(self.tables.values()):
            await table.wake()

    async def _greet(self) -> None:
        from websockets.exceptions import ConnectionClosed

        socket = self._socket
        with contextlib.suppress(ConnectionClosed):  # who is not let in hears why at once
            await socket.send(json.dumps({"type": "hello", "v": VERSION, "say": self.say}))
        frame = str(await socket.recv())
        if self.heard:
            self.heard(frame)
        welcome = json.loads(frame)
        if welcome["type"] == "refused":
            raise RefusedByServer(welcome)
        if welcome["type"] != "welcome":  # it is about to restart
            raise ConnectionError(welcome["type"])
        self.connections += 1
        self.you = welcome["you"]
        for table in list(self.tables.values()):  # others may be asked for meanwhile
            message = {"type": "watch", "table": table.id, "since": table.turn}
            await socket.send(json.dumps(message))
        self._online.set()
        for message, future in list(self._asked.values()):
            if message["type"] in ONCE:
                future.cancel()
            else:
                await socket.send(json.dumps(message))

    async def _frame(self, frame: str) -> None:
        if self.heard:
            self.heard(frame)
        message = json.loads(frame)
        kind = message["type"]
        if kind == "lobby":
            self.lobby = message["tables"]
        place = message.get("table")
        name = place["id"] if isinstance(place, dict) else place
        if name in self.tables and kind in ("table", "state", "played"):
            await self.tables[name]._hear(message)
        elif name in self.tables and kind == "refused" and "id" not in message:
            await self._unasked(self.tables[name], message)
        asked = self._asked.get(message.get("id"))
        if asked and not asked[1].done():
            last = kind != "table" or asked[0]["type"] != "watch"
            if last:
                asked[1].set_result(message)

    async def _unasked(self, table: AsyncTable, refusal: Data) -> None:
        """What answers no question refuses to show us a table: for now, or for good."""
        if RefusedByServer(refusal).is_passing:
            asyncio.get_running_loop().call_later(AGAIN, self.send_watch, table)
        else:
            await table.lose(refusal)
