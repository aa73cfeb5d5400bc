"""For operators: does it run, can it work. How much it does: see metrics.py."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from tanistry.server.routes.dependencies import Worker

routes = APIRouter(include_in_schema=False)


@routes.get("/healthz")
async def alive() -> Response:
    """The process runs."""
    return PlainTextResponse("ok\n")


@routes.get("/readyz")
async def ready(worker: Worker) -> Response:
    """It can be given work: started, not going down, and the database takes what it is told."""
    good = worker.ready and worker.store.healthy()
    return PlainTextResponse("ready\n" if good else "not ready\n", 200 if good else 503)
