"""HTTP: who you are, games, tables, records. What is live goes over the socket."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends

from tanistry.server.answers.base import Refusal
from tanistry.server.routes import (
    clubs,
    games,
    history,
    notices,
    peace,
    people,
    profiles,
    puzzles,
    tables,
    tournaments,
)
from tanistry.server.routes.dependencies import let_in

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": text}
    for status, text in {
        400: "Unreadable",
        401: "The server does not know you",
        403: "Not allowed",
        404: "Unknown",
        405: "Not done this way",
        409: "Not now",
        413: "Too long",
        422: "Wrong values",
        429: "Too fast",
        503: "The store does not answer",
    }.items()
}

api = APIRouter(prefix="/api/v1", responses=REFUSALS, dependencies=[Depends(let_in)])
for part in (people, notices, history, profiles, games, puzzles, tables, tournaments, clubs, peace):
    api.include_router(part.routes)
