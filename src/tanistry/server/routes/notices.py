"""Being told that it is your turn: who wants that, and how it ends."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi.responses import RedirectResponse

from tanistry.server.answers.base import Done
from tanistry.server.answers.people import Player
from tanistry.server.bodies import EndedPush, NewNotices, NewPush
from tanistry.server.info import Data
from tanistry.server.routes.dependencies import Me, Session, Worker, gives

routes = APIRouter(tags=["people"])

StopToken = Annotated[str, Path(pattern=r"^[0-9A-Za-z_]{1,24}\.[0-9a-f]{64}$")]


@routes.put("/me/notices", **gives(Player))
async def set_notices(worker: Worker, me: Me, body: NewNotices) -> Data:
    """Whether letters tell you that it is your turn, in matches that take days."""
    await worker.notices.set_mail(me, body.lang if body.mail else None)
    return await worker.people.own_data(me.id)


@routes.post("/me/pushes", **gives(Done, 201))
async def add_push(worker: Worker, me: Me, session: Session, body: NewPush) -> Data:
    """Have this device told that it is your turn, as long as it is signed in."""
    assert session is not None
    await worker.notices.add_device(me.id, session.session, body.model_dump())
    return {"ok": True}


@routes.post("/me/pushes/ended", **gives(Done))
async def end_push(worker: Worker, body: EndedPush) -> Data:
    """Have a device told no more; its address is enough."""
    await worker.notices.remove_device(body.endpoint)
    return {"ok": True}


@routes.post("/notices/stop/{token}", **gives(Done))
async def stop_letters(worker: Worker, token: StopToken) -> Data:
    """End the letters about turns by the token of one of them, whoever asks (RFC 8058)."""
    await worker.notices.stop(token)
    return {"ok": True}


@routes.get("/notices/stop/{token}", include_in_schema=False)
async def ask_to_stop(token: StopToken) -> Response:
    """A person who has followed the header's address; only looking at it ends nothing."""
    return RedirectResponse(f"/stop#{token}", 303)
