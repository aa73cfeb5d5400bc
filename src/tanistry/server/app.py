"""The application: HTTP by FastAPI, the socket beside it, one set of parts behind both."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

import tanistry
from tanistry.games import registry
from tanistry.server import metrics, rest, tidying, web
from tanistry.server.hall import Hall
from tanistry.server.limits import Limits
from tanistry.server.messages import invalid
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.settings import Settings, from_environment
from tanistry.server.socket import Connection, Receive, Scope, Send, accept, origin_allowed
from tanistry.server.store import Store

log = logging.getLogger("tanistry.server")

LONGEST_BODY = 1_100_000
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "media-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


class Server:
    """The parts of one worker."""

    people: People

    def __init__(self, config: Settings) -> None:
        self.config = config
        self.limits = Limits(config.limits)
        self.store = Store(config)
        self.hall = Hall(config, self.store)
        self.people = People(self.store, b"")
        self.connections: set[Connection] = set()
        self.draining = False
        self.ready = False

    async def open(self) -> None:
        await self.store.open()
        self.people.set_secret(await self.store.secret())
        await self.hall.open()
        if self.config.warm:
            self.hall.spawn(self.hall.thinking.warm(list(registry.games())))
        tidying.begin()
        self.hall.spawn(tidying.tidy_forever(lambda: self.store.stored_at))
        sys.setswitchinterval(0.001)  # threads in which bots think give way soon
        self.ready = True

    async def close(self) -> None:
        """In order: no new connections, a word to those there are, nothing unfinished."""
        self.draining = True
        self.ready = False
        bye = orjson.dumps({"type": "bye", "why": "restart"})
        for connection in list(self.connections):
            connection.send(bye)
        await asyncio.sleep(0.05 if self.connections else 0)
        await self.hall.close()
        await self.store.close()


class Application:
    """The ASGI application: the socket is handled here, the rest by FastAPI."""

    def __init__(self, config: Settings) -> None:
        self.server = Server(config)
        self.http = _http(self.server)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            await accept(self.server, scope, receive, send)
        else:
            await self.http(scope, receive, send)


def create_app(config: Settings | None = None) -> Application:
    """The application, from settings or the environment; uvicorn's workers call this."""
    return Application(config or from_environment())


def _http(server: Server) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await server.open()
        yield
        await server.close()

    app = FastAPI(
        title="Tanistry",
        version=tanistry.__version__,
        description="Tables, seats and matches. What is live goes over the WebSocket at `/ws`.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.include_router(rest.router(server))
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    _guard(app, server)
    _errors(app)
    _operators(app, server)
    web.add_pages(app)
    return app


def _guard(app: FastAPI, server: Server) -> None:
    """Before and after every request: sizes, origins, rates; strict headers."""

    @app.middleware("http")
    async def guard(request: Request, call_next: Any) -> Response:
        try:
            _check(request)
            if request.url.path.startswith("/api/"):
                server.limits.take("requests", rest.address(request))
            response: Response = await call_next(request)
        except Refused as refusal:
            response = refusal_response(refusal)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.url.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    def _check(request: Request) -> None:
        if request.method not in UNSAFE:
            return
        if not origin_allowed(server.config.origins, dict(request.headers)):
            raise Refused("auth/origin")
        length = request.headers.get("content-length", "0")
        chunked = "transfer-encoding" in request.headers
        if chunked or not length.isdigit() or int(length) > LONGEST_BODY:
            raise Refused("message/too-long")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.method != "DELETE" and kind != "application/json":
            raise Refused("message/unreadable")


def refusal_response(refusal: Refused) -> JSONResponse:
    metrics.refusals.labels(refusal.code).inc()
    return JSONResponse(refusal.data(), refusal.status)


def _errors(app: FastAPI) -> None:
    @app.exception_handler(Refused)
    async def on_refused(_request: Request, refusal: Refused) -> Response:
        return refusal_response(refusal)

    @app.exception_handler(RequestValidationError)
    async def on_invalid(_request: Request, error: RequestValidationError) -> Response:
        if error.errors()[0]["type"] == "json_invalid":
            return refusal_response(Refused("message/unreadable"))
        return refusal_response(invalid(error))

    @app.exception_handler(ValidationError)
    async def on_value(_request: Request, error: ValidationError) -> Response:
        return refusal_response(invalid(error))

    @app.exception_handler(HTTPException)
    async def on_http(_request: Request, error: HTTPException) -> Response:
        code = {404: "page/unknown", 405: "page/method"}.get(error.status_code)
        refusal = Refused(code or "message/unreadable")
        return JSONResponse(refusal.data(), error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def on_bug(request: Request, _error: Exception) -> Response:
        log.exception("%s %s failed", request.method, request.url.path)
        return refusal_response(Refused("server/error"))


def _operators(app: FastAPI, server: Server) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def alive() -> Response:
        """The process runs."""
        return PlainTextResponse("ok\n")

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> Response:
        """It can be given work: started, not going down, and the database answers."""
        good = server.ready and await server.store.healthy()
        return PlainTextResponse("ready\n" if good else "not ready\n", 200 if good else 503)

    if server.config.metrics:

        @app.get("/metrics", include_in_schema=False)
        async def numbers() -> Response:
            from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

            return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
