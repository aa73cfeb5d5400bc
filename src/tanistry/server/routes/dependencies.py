"""What routes are handed: the worker's parts, and who asks."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import Depends, Request, Response

from tanistry.server.acts import Actor
from tanistry.server.answers.base import Answer
from tanistry.server.info import Data
from tanistry.server.refusals import Refused
from tanistry.server.sessions import Known, token_in
from tanistry.server.worker import Worker as TheWorker


async def _worker(request: Request) -> Any:
    return request.app.state.worker


Worker = Annotated[TheWorker, Depends(_worker)]


def is_secure(request: Request) -> bool:
    return request.url.scheme == "https"


def token(request: Request) -> str | None:
    return token_in(request.cookies, is_secure(request))


def _path(request: Request) -> str:
    return request.url.path.removeprefix("/api/v1")


def _to_be_left(path: str) -> bool:
    """Whether somebody only asks to be left alone: that is for everybody, banned or not."""
    return path.startswith("/notices/stop/") or path == "/me/pushes/ended"


async def _session(request: Request, worker: Worker) -> Any:
    if _to_be_left(_path(request)):
        return None
    return await worker.people.sessions.known(token(request))


Session = Annotated[Known | None, Depends(_session)]
"""Who asks and by which session, None if nobody; a refusal if they are banned."""


async def _perhaps(session: Session) -> Any:
    return session.row if session else None


Perhaps = Annotated[Any, Depends(_perhaps)]
"""The row of the player who asks, None if nobody."""


async def _me(row: Perhaps) -> Any:
    if row is None:
        raise Refused("auth/nobody")
    return row


Me = Annotated[Any, Depends(_me)]
"""The row of the player who asks; a refusal if nobody."""


OPEN = ("/me", "/session", "/invitations", "/account/recovery", "/account/mail/confirmation")
"""What strangers may ask for where one has to be invited: how to come in."""


async def let_in(request: Request, worker: Worker, session: Session) -> None:
    """Refuse who is banned, whatever they ask for, and strangers where one has to be invited."""
    path = _path(request)
    if worker.config.invited and session is None and path not in OPEN and not _to_be_left(path):
        raise Refused("auth/invitation")


async def _moderator(me: Me) -> Any:
    if me.role is None:
        raise Refused("auth/role")
    return Actor(me.id, me.role)


Moderator = Annotated[Actor, Depends(_moderator)]
"""Who asks, if they are a moderator or a host; a refusal if not."""


async def _host(me: Me) -> Any:
    if me.role != "host":
        raise Refused("auth/role")
    return Actor(me.id, me.role)


Host = Annotated[Actor, Depends(_host)]


def at_once(data: Data) -> Response:
    """An answer that may be long, written as it is: FastAPI would look at every value before."""
    return Response(orjson.dumps(data), media_type="application/json")


def gives(model: type[Answer], status: int = 200) -> dict[str, Any]:
    """What a route answers, for its description; built as plain data, and not checked anew."""
    return {
        "status_code": status,
        "response_model": None,
        "responses": {status: {"model": model, "description": model.__doc__}},
    }
