"""The application: HTTP by FastAPI, the socket beside it, one worker's parts behind both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware

import tanistry
from tanistry.server import web
from tanistry.server.guards import Guard, Receive, Scope, Send, answer_refusals
from tanistry.server.routes import api, operators
from tanistry.server.settings import Settings, from_environment
from tanistry.server.socket import accept
from tanistry.server.worker import Worker


class Application:
    """The ASGI application: the socket is handled here, the rest by FastAPI."""

    def __init__(self, config: Settings) -> None:
        self.worker = Worker(config)
        self.http = _http(self.worker)
        self._guarded = Guard(self.http, self.worker)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            await accept(self.worker, scope, receive, send)
        else:
            await self._guarded(scope, receive, send)


def create_app(config: Settings | None = None) -> Application:
    """The application, from settings or the environment; uvicorn's workers call this."""
    return Application(config or from_environment())


def _http(worker: Worker) -> FastAPI:
    app = FastAPI(
        title="Tanistry",
        version=tanistry.__version__,
        description="Tables, seats and matches. What is live goes over the WebSocket at `/ws`.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.worker = worker
    app.include_router(api)
    app.include_router(operators.routes)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=4)
    answer_refusals(app)
    web.add_pages(app)
    _build_routes(app)
    return app


def _build_routes(app: FastAPI) -> None:
    """FastAPI builds its routes when something is first asked for, and silences a warning meanwhile
    in a way that no other thread may cross; so we ask before there are threads that compile."""
    for route in app.routes:
        route.matches({"type": "http", "method": "GET", "path": "/api/", "path_params": {}})


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    worker: Worker = app.state.worker
    await worker.open()
    yield {"limits": worker.limits}  # for the doors, where they are ours
    await worker.close()
