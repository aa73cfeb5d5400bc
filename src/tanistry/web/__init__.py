"""The web client as the server hands it out: the files Vite built into `dist`, compressed.

`mount(app)` comes last in the app: it answers what nothing before it did. Nothing here knows about
matches; the client talks to the API and the WebSocket like any other.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Callable
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

DIST = Path(__file__).parent / "dist"
NETWORKS = Path(__file__).parents[1] / "simulation/networks"
"""What bots learnt lies there once, for bots here and for those in browsers."""
PAGES = (
    "play", "t", "r", "analysis", "account", "mine", "check", "rules", "learn", "history",
    "pairing", "p", "best", "moderation", "invite", "turns", "stop",
    "tournaments", "clubs", "puzzles",
)  # fmt: skip
"""First parts of paths that are pages of the client; it finds its way from there."""

ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
TYPES = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}
FOREVER = "public, max-age=31536000, immutable"


def built() -> bool:
    """Is there a client to hand out?"""
    return (DIST / "index.html").is_file()


def styles() -> list[str]:
    """The styles inside the page, as a content security policy names them."""
    if not built():
        return []
    found = re.findall(rb"<style[^>]*>(.*?)</style>", (DIST / "index.html").read_bytes(), re.S)
    digests = (base64.b64encode(hashlib.sha256(style).digest()) for style in found)
    return [f"'sha256-{digest.decode()}'" for digest in digests]


def mount(app: Starlette, games: Callable[[], bytes]) -> None:
    """Serve the client from every path the app has not taken.

    `games` is what `GET /games` answers: the start page has it inside, and need not ask.
    """

    @lru_cache(maxsize=1)
    def start_page(_built: float) -> tuple[bytes, bytes]:
        page = _with_games((DIST / "index.html").read_bytes(), games())
        return page, gzip.compress(page)

    async def serve(request: Request) -> Response:
        if request.path_params["path"] == "" and built():
            page, packed = start_page((DIST / "index.html").stat().st_mtime)
            if "gzip" in request.headers.get("accept-encoding", ""):
                headers = _headers("") | {"Content-Encoding": "gzip"}
                return Response(packed, headers=headers, media_type="text/html")
            return Response(page, headers=_headers(""), media_type="text/html")
        return _serve(request)

    app.router.routes.append(Route("/{path:path}", serve, methods=["GET", "HEAD"]))


def _with_games(page: bytes, games: bytes) -> bytes:
    safe = games.replace(b"<", b"\\u003c")  # nothing in it may end the element
    return page.replace(b'id="games">null<', b'id="games">' + safe + b"<")


def _headers(path: str) -> dict[str, str]:
    return {
        # What has its hash in its name or, as networks do, in its address never changes.
        "Cache-Control": FOREVER
        if path.startswith("assets/") or path.endswith(".net")
        else "no-cache",
        "Vary": "Accept-Encoding",
    }


def _serve(request: Request) -> Response:
    path = request.path_params["path"]
    file, status = _find(path), 200
    if file is None:
        if not built():
            return PlainTextResponse("The web client is not built: run `make web`.", 503)
        if "text/html" not in request.headers.get("accept", ""):
            return PlainTextResponse("There is nothing here.", 404)
        path, file, status = "", DIST / "index.html", 404  # the client says so, and the way home
    headers = _headers(path)
    kind = TYPES.get(file.suffix) or guess_type(file.name)[0] or "application/octet-stream"
    accepted = request.headers.get("accept-encoding", "")
    for encoding, suffix in ENCODINGS:
        twin = file.with_name(file.name + suffix)
        if encoding in accepted and twin.is_file():
            headers["Content-Encoding"] = encoding
            return FileResponse(twin, status, headers, kind)
    return FileResponse(file, status, headers, kind)


def _find(path: str) -> Path | None:
    """The file for a path: itself, or the one page for every page of the client."""
    if path == "" or path.split("/", 1)[0] in PAGES:
        return DIST / "index.html" if built() else None
    if path.startswith("engines/") and path.endswith(".net"):
        folder, name = NETWORKS, path.removeprefix("engines/")
    else:
        folder, name = DIST, path
    try:
        file = (folder / name).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # no name of a file
        return None
