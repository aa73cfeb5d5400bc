"""The application under servers that know nothing of it: plain uvicorn, and Hypercorn."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.routing import Match

from tanistry.client import Client
from tanistry.server.app import create_app
from tanistry.server.settings import Settings
from tests.server.processes import Process

UVICORN = """
import uvicorn
from tanistry.server import from_environment
port = from_environment().port
uvicorn.run("tanistry.server.app:create_app", factory=True, port=port)
"""
HYPERCORN = """
import asyncio
from hypercorn.asyncio import serve
from hypercorn.config import Config
from tanistry.server.app import create_app
from tanistry.server import from_environment
settings = from_environment()
config = Config.from_mapping(bind=[f"127.0.0.1:{settings.port}"])
asyncio.run(serve(create_app(settings), config))
"""


@pytest.mark.parametrize("command", [UVICORN, HYPERCORN], ids=["uvicorn", "hypercorn"])
def test_a_match_behind_any_server(command: str, tmp_path: Path) -> None:
    server = Process(tmp_path)
    server.command = command
    server.start()
    try:
        with Client(server.url) as client:
            table = client.quick("claim", bot="random")
            while not table.over:
                table.play(table.legal[0])
            assert table.result is not None
            client.close()  # the end of the block does it again
    finally:
        server.stop()
    assert "Traceback" not in server.log.read_text(), server.log.read_text()


def test_routes_are_there_before_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Building them, FastAPI silences a warning for all threads, and another may take that back."""
    app = create_app(Settings()).http
    told: list[str] = []
    monkeypatch.setattr("warnings.simplefilter", lambda *_, **__: None)
    monkeypatch.setattr("warnings.warn", lambda message, *_, **__: told.append(str(message)))
    scope = {"type": "http", "method": "GET", "path": "/api/v1/me", "path_params": {}}
    assert any(route.matches(scope)[0] is Match.FULL for route in app.routes)
    assert told == []
