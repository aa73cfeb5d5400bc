"""Before and after every request: hosts, origins, sizes, rates; strict headers; refusals as
answers."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException

import tanistry.web
from tanistry.server import metrics
from tanistry.server.messages import invalid
from tanistry.server.refusals import Refused
from tanistry.server.settings import Settings, listed
from tanistry.server.worker import Worker

log = logging.getLogger("tanistry.server")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Handler = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_BODY = 200_000
LONGEST_PATH = 2_000
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; {styles}; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; media-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, ever. Cloth is woven in the browser: images from data."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}
STOP, FORM = "/api/v1/notices/stop/", "application/x-www-form-urlencoded"
"""Where mail programs send a form that says no more than that it was clicked (RFC 8058)."""
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


def address_of(scope: Mapping[str, Any]) -> str:
    return (scope.get("client") or ("?", 0))[0]


def check_host(config: Settings, scope: Scope, headers: Headers) -> None:
    """Names under which the server may be asked for; any, if none are set. One is given, and only
    one, lest a proxy and we see different ones; HTTP/1.0 knows of none."""
    given = len(headers.getlist("host"))
    if given > 1 or (given == 0 and scope.get("http_version") != "1.0"):
        raise Refused("message/unreadable")
    allowed = listed(config.hosts)
    host = headers.get("host", "")
    if allowed and host not in allowed and host.rpartition(":")[0] not in allowed:
        raise Refused("auth/host")


def check_origin(config: Settings, scope: Scope, headers: Headers) -> None:
    """Pages of other sites may not use a visitor's cookie; programs send no origin at all."""
    origin = headers.get("origin")
    if origin is None or origin in listed(config.origins):
        return
    try:
        given = urlsplit(origin)
    except ValueError:
        raise Refused("auth/origin") from None
    downgraded = scope["scheme"] in ("https", "wss") and given.scheme != "https"
    if downgraded or given.netloc != headers.get("host", ""):
        raise Refused("auth/origin")


def policy() -> str:
    """What pages may load and do; the styles inside the client's page are named by their hashes."""
    return POLICY.format(styles=" ".join(["style-src 'self'", *tanistry.web.styles()]))


class Guard:
    """Stands before all that is done by HTTP."""

    def __init__(self, app: Handler, worker: Worker) -> None:
        self._app = app
        self._worker = worker
        self._headers = {"Content-Security-Policy": policy(), **HEADERS}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        is_api = scope["path"].startswith("/api/")

        async def send_guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                if is_api:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            self._worker.limits.take("requests" if is_api else "pages", address_of(scope))
            if is_api:
                self._worker.check_address(address_of(scope))
            self._check(scope)
        except Refused as refusal:
            return await refusal_response(refusal)(scope, receive, send_guarded)
        await self._app(scope, receive, send_guarded)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        check_host(self._worker.config, scope, headers)
        if len(scope["path"]) > LONGEST_PATH or "\0" in scope["path"]:
            raise Refused("page/unknown")
        if scope["method"] not in UNSAFE:
            return
        check_origin(self._worker.config, scope, headers)
        length = headers.get("content-length", "0")
        chunked = "transfer-encoding" in headers
        if chunked or not length.isdigit() or int(length) > LONGEST_BODY:
            raise Refused("message/too-long")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "DELETE" or (kind == FORM and scope["path"].startswith(STOP)):
            return
        if kind != "application/json":
            raise Refused("message/unreadable")


# -- refusals -------------------------------------------------------------------------------------


def refusal_response(refusal: Refused) -> JSONResponse:
    """A refusal as an answer; who is too fast gets no second one on the same connection."""
    metrics.refusals.labels(refusal.code).inc()
    headers = {"Connection": "close"} if refusal.status == 429 else None
    return JSONResponse(refusal.data(), refusal.status, headers)


async def _on_refused(_request: Request, refusal: Any) -> Response:
    return refusal_response(refusal)


async def _on_invalid(_request: Request, error: Any) -> Response:
    unreadable = error.errors()[0]["type"] == "json_invalid"
    return refusal_response(Refused("message/unreadable") if unreadable else invalid(error))


async def _on_http(_request: Request, error: Any) -> Response:
    code = {404: "page/unknown", 405: "page/method"}.get(error.status_code)
    refusal = Refused(code or "message/unreadable")
    return JSONResponse(refusal.data(), error.status_code, headers=error.headers)


async def _on_bug(request: Request, _error: Any) -> Response:
    log.exception("%s %s failed", request.method, request.url.path)
    return refusal_response(Refused("server/error"))


def answer_refusals(app: FastAPI) -> None:
    app.add_exception_handler(Refused, _on_refused)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(ValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_bug)
