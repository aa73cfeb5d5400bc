"""The pages: the built web client, or a plain page that says how to build it."""

from __future__ import annotations

import orjson
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse

import tanistry.web
from tanistry.server import catalogue
from tanistry.server.refusals import Refused

NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tanistry</title>
<meta name="viewport" content="width=device-width"></head>
<body><h1>Tanistry</h1>
<p>The server runs; its web client has not been built. In a checkout: <code>make web</code>, then
start it again. The server can be played through <code>tanistry play --server</code> and through its
<a href="/api/v1/docs">protocol</a>.</p>
<p lang="fr">Le serveur tourne ; son client web n'a pas été construit. Dans une copie du
dépôt : <code>make web</code>, puis relancez-le.</p>
</body></html>
"""
API_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tanistry: HTTP</title></head>
<body><h1>Tanistry: HTTP</h1>
<p>The machine-readable description is <a href="/api/v1/openapi.json">openapi.json</a>; the whole
protocol, WebSocket included, is <code>docs/protocol.md</code>.</p>
{rows}
</body></html>
"""


routes = APIRouter(include_in_schema=False)


@routes.get("/api/v1/docs")
async def api_page(request: Request) -> Response:
    rows = "".join(
        f"<h2><code>{method.upper()} {path}</code></h2><p>{about.get('description', '')}</p>"
        for path, methods in request.app.openapi()["paths"].items()
        for method, about in methods.items()
    )
    return HTMLResponse(API_PAGE.format(rows=rows))


@routes.get("/api/{path:path}")
async def nothing(path: str) -> Response:
    raise Refused("page/unknown")


async def not_built() -> Response:
    return HTMLResponse(NOT_BUILT)


def add_pages(app: FastAPI) -> None:
    """The client on every path that is nothing else; it finds its way by the address."""
    app.include_router(routes)
    if tanistry.web.built():
        tanistry.web.mount(app, lambda: orjson.dumps(catalogue.games()))
    else:
        app.get("/", include_in_schema=False)(not_built)
