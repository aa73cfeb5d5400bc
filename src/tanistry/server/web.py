"""The pages: the built web client, or a plain page that says how to build it."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse

from tanistry.server.refusals import Refused

NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tanistry</title>
<meta name="viewport" content="width=device-width"></head>
<body><h1>Tanistry</h1>
<p>The server runs; its web client has not been built. In a checkout: <code>make web</code>, then
reload. The server can be played through <code>tanistry play --server</code> and through its
<a href="/api/v1/docs">protocol</a>.</p>
<p lang="fr">Le serveur tourne ; son client web n'a pas été construit. Dans une copie du
dépôt : <code>make web</code>, puis rechargez.</p>
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
FOREVER = "public, max-age=31536000, immutable"


def add_pages(app: FastAPI, folder: Path) -> None:
    """Every path that is nothing else shows the client, which finds its way by the address."""

    @app.get("/api/v1/docs", include_in_schema=False)
    async def api_page() -> Response:
        rows = "".join(
            f"<h2><code>{method.upper()} {path}</code></h2><p>{about.get('description', '')}</p>"
            for path, methods in app.openapi()["paths"].items()
            for method, about in methods.items()
        )
        return HTMLResponse(API_PAGE.format(rows=rows))

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path.startswith("api/") or path == "ws":
            raise Refused("page/unknown")
        root = folder.resolve()
        if not (root / "index.html").is_file():
            return HTMLResponse(NOT_BUILT, 200 if path == "" else 404)
        wanted = _inside(root, path)
        if wanted is not None:
            hashed = path.startswith("assets/")
            return FileResponse(
                wanted, headers={"Cache-Control": FOREVER if hashed else "no-cache"}
            )
        if "." in path.rpartition("/")[2]:
            raise Refused("page/unknown")
        return FileResponse(root / "index.html", headers={"Cache-Control": "no-cache"})


def _inside(root: Path, path: str) -> Path | None:
    """A file of the folder, never one beside it."""
    if not path or "\0" in path:
        return None
    try:
        wanted = (root / path).resolve()
        return wanted if wanted.is_relative_to(root) and wanted.is_file() else None
    except OSError:
        return None
