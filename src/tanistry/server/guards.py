"""Before and after every request: sizes, origins, rates; strict headers; refusals as answers."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from tanistry.server import metrics
from tanistry.server.messages import invalid
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import address
from tanistry.server.worker import Worker

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


def origin_allowed(origins: str, headers: dict[str, str]) -> bool:
    """Pages of other sites may not use a visitor's cookie; programs send no origin at all."""
    origin = headers.get("origin")
    if origin is None:
        return True
    if origin in [allowed.strip() for allowed in origins.split(",") if allowed.strip()]:
        return True
    return urlsplit(origin).netloc == headers.get("host", "")


async def guard(request: Request, call_next: Any) -> Response:
    """The middleware around all requests."""
    worker: Worker = request.app.state.worker
    is_api = request.url.path.startswith("/api/")
    try:
        _check(request, worker.config.origins)
        if is_api:
            worker.limits.take("requests", address(request))
        response: Response = await call_next(request)
    except Refused as refusal:
        response = refusal_response(refusal)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if is_api:
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _check(request: Request, origins: str) -> None:
    if request.method not in UNSAFE:
        return
    if not origin_allowed(origins, dict(request.headers)):
        raise Refused("auth/origin")
    length = request.headers.get("content-length", "0")
    chunked = "transfer-encoding" in request.headers
    if chunked or not length.isdigit() or int(length) > LONGEST_BODY:
        raise Refused("message/too-long")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method != "DELETE" and kind != "application/json":
        raise Refused("message/unreadable")


# -- refusals -------------------------------------------------------------------------------------


def refusal_response(refusal: Refused) -> JSONResponse:
    metrics.refusals.labels(refusal.code).inc()
    return JSONResponse(refusal.data(), refusal.status)


async def _on_refused(_request: Request, refusal: Any) -> Response:
    return refusal_response(refusal)


async def _on_unreadable(_request: Request, error: Any) -> Response:
    if error.errors()[0]["type"] == "json_invalid":
        return refusal_response(Refused("message/unreadable"))
    return refusal_response(invalid(error))


async def _on_invalid(_request: Request, error: Any) -> Response:
    return refusal_response(invalid(error))


async def _on_http(_request: Request, error: Any) -> Response:
    code = {404: "page/unknown", 405: "page/method"}.get(error.status_code)
    refusal = Refused(code or "message/unreadable")
    return JSONResponse(refusal.data(), error.status_code, headers=error.headers)


async def _on_bug(request: Request, _error: Any) -> Response:
    log.exception("%s %s failed", request.method, request.url.path)
    return refusal_response(Refused("server/error"))


def add_guards(app: FastAPI) -> None:
    app.middleware("http")(guard)
    app.add_exception_handler(Refused, _on_refused)
    app.add_exception_handler(RequestValidationError, _on_unreadable)
    app.add_exception_handler(ValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_bug)
