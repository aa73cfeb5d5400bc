"""Your matches that are over: looked through, and taken along."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from tanistry.errors import TanistryError
from tanistry.server import history, replays
from tanistry.server.answers.people import History
from tanistry.server.info import Data, Info
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import Me, Worker, gives
from tanistry.server.routes.devices import Here
from tanistry.server.routes.people import PLACE
from tanistry.server.tables import Row, Table
from tanistry.server.worker import Worker as TheWorker

routes = APIRouter(tags=["people"])


@routes.get("/me/history", **gives(History))
async def my_history(
    worker: Worker,
    me: Me,
    game: Annotated[str, Query(max_length=40, pattern=r"^[^\x00]*$")] | None = None,
    opponent: Annotated[str, Query(max_length=40, pattern=r"^[^\x00]*$")] | None = None,
    outcome: Literal["won", "drawn", "lost"] | None = None,
    rated: bool | None = None,
    before: Annotated[str, Query(pattern=PLACE)] | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Data:
    """Your matches that are over, the latest first; `opponent`: a part of a name, or an id."""
    wanted = history.Wanted(game, rated, outcome, opponent)
    found, more = await history.page(worker.store, me.id, wanted, before, limit)
    return {"matches": found, "next": more}


@routes.get(
    "/me/history/export",
    response_model=None,
    responses={200: {"model": History, "content": {"application/zip": {"example": "…"}}}},
)
async def export_history(
    worker: Worker, me: Me, here: Here, form: Literal["json", "records"] = "json"
) -> StreamingResponse:
    """All of it: as JSON, or the records of all matches, one file each in a ZIP archive."""
    here.take("exports")
    if form == "json":
        body, kind, name = _as_json(worker, me.id), "application/json", "tanistry-matches.json"
    else:
        body, kind, name = _as_records(worker, me.id), "application/zip", "tanistry-records.zip"
    heading = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(body, media_type=kind, headers=heading)


async def _as_json(worker: TheWorker, player: str) -> AsyncIterator[bytes]:
    yield b'{"matches": ['
    between = b"\n"
    async for match in history.everything(worker.store, player):
        yield between + orjson.dumps(match)
        between = b",\n"
    yield b'\n], "next": null}\n'


class _Sent(io.RawIOBase):
    """Where an archive is written to, bit by bit, and taken from."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._bytes += data
        return len(data)

    def take(self) -> bytes:
        taken = bytes(self._bytes)
        self._bytes.clear()
        return taken


async def _as_records(worker: TheWorker, player: str) -> AsyncIterator[bytes]:
    sent = _Sent()
    archive = zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED)
    async for match in history.everything(worker.store, player):
        await worker.hall.thinking.prepare(match["game"])
        loaded = await worker.store.load(match["table"])
        record = await asyncio.to_thread(_record, *loaded) if loaded else None
        if record is not None:
            archive.writestr(f"{match['game']}-{match['table']}.txt", record)
            yield sent.take()
    archive.close()
    yield sent.take()


def _record(info: Info, rows: list[Row]) -> str | None:
    """The record of a match; None if it cannot be played again by the rules of today."""
    try:
        return replays.record(Table(info, rows))
    except (Refused, TanistryError):
        return None
