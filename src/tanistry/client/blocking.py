"""The client without asyncio: the same, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from tanistry.client.live import AsyncClient, AsyncTable, Data

T = TypeVar("T")


class Table:
    """A table as you see it; `legal` is empty when it is not your turn."""

    def __init__(self, client: Client, table: AsyncTable) -> None:
        self._client = client
        self._table = table

    id = property(lambda self: self._table.id)
    data = property(lambda self: self._table.data)
    view = property(lambda self: self._table.view)
    turn = property(lambda self: self._table.turn)
    events = property(lambda self: self._table.events)
    labels = property(lambda self: self._table.labels)
    tally = property(lambda self: self._table.tally)
    seat = property(lambda self: self._table.seat)
    legal = property(lambda self: self._table.legal)
    over = property(lambda self: self._table.over)
    result = property(lambda self: self._table.result)
    names = property(lambda self: self._table.names)
    is_refused = property(lambda self: self._table.is_refused)

    def play(self, token: str, wait: bool = True) -> bool:
        """Make your choice, then wait for your next turn; False when the match is over."""
        self._client.run(self._table.play(token))
        return self.your_turn() if wait else not self.over

    def your_turn(self) -> bool:
        return self._client.run(self._table.your_turn())

    def ended(self) -> Data | None:
        return self._client.run(self._table.ended())

    def ask(self, type: str, **fields: Any) -> Data:
        """Any other verb of the protocol: `table.ask("resign")`."""
        return self._client.run(self._table.ask(type, **fields))

    def hint(self) -> Data:
        return self._client.run(self._table.hint())

    def undo(self) -> None:
        self._client.run(self._table.undo())

    def rematch(self) -> Table:
        return Table(self._client, self._client.run(self._table.rematch()))


class Client:
    """A player at a server; use it in a `with` statement, or call `close`."""

    def __init__(self, url: str, name: str | None = None, **more: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._client = self.run(self._make(url, name, more))
        except BaseException:
            self._stop()
            raise

    async def _make(self, url: str, name: str | None, more: dict[str, Any]) -> AsyncClient:
        client = AsyncClient(url, name, **more)
        await client.connect()
        return client

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if not self._loop.is_closed():
            self.run(self._client.close())
            self._stop()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        if not self._thread.is_alive():
            self._loop.close()

    @property
    def you(self) -> Data:
        return self._client.you

    @property
    def cookie(self) -> str | None:
        """Pass it to another client to be the same player again."""
        return self._client.http.cookie

    def request(self, method: str, path: str, body: Any = None) -> Any:
        return self._client.http.request(method, path, body)

    def quick(self, game: str, **choices: Any) -> Table:
        """Start a match against bots; returns when it is your turn."""
        table = Table(self, self.run(self._client.quick(game, **choices)))
        table.your_turn()
        return table

    def create(self, game: str, **choices: Any) -> Table:
        return Table(self, self.run(self._client.create(game, **choices)))

    def watch(self, table: str) -> Table:
        return Table(self, self.run(self._client.watch(table)))

    def sit(self, table: str, seat: int | None = None) -> Table:
        """Join a table by its id."""
        found = self.run(self._client.watch(table))
        self.run(found.sit(seat))
        return Table(self, found)
