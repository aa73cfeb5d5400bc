"""What routes are handed: the worker's parts, and who asks."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request

from tanistry.server.people import COOKIE
from tanistry.server.refusals import Refused
from tanistry.server.worker import Worker as TheWorker


def address(request: Request) -> str:
    return request.client.host if request.client else "?"


async def _worker(request: Request) -> Any:
    return request.app.state.worker


Worker = Annotated[TheWorker, Depends(_worker)]


async def _perhaps(request: Request, worker: Worker) -> Any:
    return await worker.people.known(request.cookies.get(COOKIE))


Perhaps = Annotated[Any, Depends(_perhaps)]
"""The row of the player who asks, None if nobody."""


async def _me(row: Perhaps) -> Any:
    if row is None:
        raise Refused("auth/nobody")
    return row


Me = Annotated[Any, Depends(_me)]
"""The row of the player who asks; a refusal if nobody."""


def shows(data: Any, text: str = "As described in the protocol") -> dict[int | str, dict[str, Any]]:
    """An example of a good answer, for the OpenAPI page."""
    return {200: {"description": text, "content": {"application/json": {"example": data}}}}
