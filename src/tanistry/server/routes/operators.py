"""For operators: does it run, can it work, how much does it do."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from tanistry.server.refusals import Refused
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


@routes.get("/metrics")
async def numbers(worker: Worker) -> Response:
    if not worker.config.metrics:
        raise Refused("page/unknown")
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
