"""The HTTP half against its own description, with schemathesis: no 500, refusals in their shape."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from websockets.sync.client import connect

from tanistry.cli.app import run
from tanistry.server import messages as m
from tanistry.server.app import create_app
from tanistry.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.processes import Process
from tests.server.services import Postgres

schemathesis = pytest.importorskip("schemathesis")

DESCRIPTION = create_app(Settings()).http.openapi()
schema = schemathesis.openapi.from_dict(DESCRIPTION)


@cache
def cookie(server: Process) -> str | None:
    return server.http().cookie


@schema.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_it(case: Any, server: Process) -> None:
    cookies = {"tanistry": cookie(server)}
    response = case.call(base_url=server.url, cookies=cookies, timeout=PATIENCE)
    assert response.status_code < 500, response.text
    if response.status_code >= 400:
        refusal = response.json()
        assert set(refusal) == {"code", "rule", "say"}
        assert set(refusal["say"]) == {"en", "fr"}
        if refusal["code"] == "message/value":
            assert refusal["say"]["en"] != refusal["say"]["fr"]
            assert "not possible" not in refusal["say"]["en"], "no words of its own"


def test_every_endpoint_is_described() -> None:
    for path, methods in DESCRIPTION["paths"].items():
        for method, about in methods.items():
            assert about["description"], (method, path)
            good = next(answer for code, answer in about["responses"].items() if code < "300")
            body = about.get("requestBody")
            content = good.get("content", {})
            assert any("example" in kind or "schema" in kind for kind in content.values()), path
            if body:
                shape = next(iter(body["content"].values()))["schema"]["$ref"].rpartition("/")[2]
                assert DESCRIPTION["components"]["schemas"][shape].get("examples"), shape


@pytest.mark.parametrize("path", ["/games/chess", "/games/chess/words/en", "/tables/chess"])
def test_what_is_not_there_is_not_found(path: str, server: Process) -> None:
    connection = HTTPConnection(server.url.removeprefix("http://"))
    connection.request("GET", f"/api/v1{path}")
    response = connection.getresponse()
    assert response.status == 404
    assert json.loads(response.read())["code"].endswith("/unknown")
    connection.close()


ODD: list[Any] = ["\0", "a\0b", "\ud800", "9" * 30, "x" * 3000, 2**40, 2**70, -1, [], {}, None]
"""Values that a database or its driver may not take."""


def _odd_bodies(example: Any) -> Iterator[Any]:
    """An example with each of its values in turn replaced by something odd."""
    yield from ODD
    for key in example if isinstance(example, dict) else range(len(example)):
        rest = copy.copy(example)
        for odd in _odd_bodies(example[key]) if isinstance(example[key], (dict, list)) else ODD:
            rest[key] = odd
            yield rest


def _odd_requests() -> Iterator[tuple[str, str, Any]]:
    """Method, path and body of whatever there is to ask for, with something odd in it."""
    for path, methods in DESCRIPTION["paths"].items():
        for method, about in methods.items():
            named = [one for one in about.get("parameters", ()) if one["in"] == "path"]
            asked = [one["name"] for one in about.get("parameters", ()) if one["in"] == "query"]
            good = path.format_map({one["name"]: "claim" for one in named})
            for odd in ("%00", "a%00b", "%ED%A0%80", "9" * 30, "x" * 3000):
                if named:
                    yield method, path.format_map({one["name"]: odd for one in named}), None
                for name in asked:
                    yield method, f"{good}?{name}={odd}", None
            if body := about.get("requestBody"):
                shape = next(iter(body["content"].values()))["schema"]["$ref"].rpartition("/")[2]
                (example, *_) = DESCRIPTION["components"]["schemas"][shape]["examples"]
                for odd in _odd_bodies(example):
                    yield method, good, odd


def _odd_messages(table: str) -> Iterator[bytes]:
    for kind, model in m.KINDS.items():
        good = {"type": kind, "id": 1, **model.example}
        if "table" in good:
            good["table"] = table
        for odd in _odd_bodies(good):
            yield json.dumps(odd).encode()


def test_nothing_odd_breaks_it_on_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    """Which takes less than SQLite: asked by a host, where everything may be done."""
    may = {"tournaments": "members", "clubs": "members"}
    broken: list[Any] = []
    with postgres.database() as database:
        server = Process(tmp_path, database=database, **may).start()
        try:
            host = server.http()
            host.request("POST", "/account", {"login": "ailsa", "password": "a granite stone"})
            assert run(["admin", "role", "ailsa", "host", "--database", database]) == 0
            connection = HTTPConnection(server.url.removeprefix("http://"), timeout=PATIENCE)
            heads = {"Content-Type": "application/json", "Cookie": f"tanistry={host.cookie}"}
            for method, path, body in _odd_requests():
                text = None if body is None else json.dumps(body)
                connection.request(method.upper(), path, text, heads)
                response = connection.getresponse()
                response.read()
                if response.status >= 500:
                    broken.append((response.status, method, path, text))
            connection.close()
            table = host.request("POST", "/tables", {"game": "claim"})["id"]
            url = server.url.replace("http", "ws") + "/ws"
            cookie = {"Cookie": heads["Cookie"]}
            with connect(url, additional_headers=cookie, open_timeout=PATIENCE) as socket:
                socket.send('{"type": "hello", "v": 1}')
                for odd in _odd_messages(table):
                    socket.send(odd)
                    socket.send('{"type": "ping", "id": "mark"}')
                    heard: Any = {}
                    while heard.get("id") != "mark":
                        heard = json.loads(socket.recv(PATIENCE))
                        if heard.get("code") in ("server/error", "server/busy"):
                            broken.append((heard, odd))
            assert host.request("GET", "/me")["role"] == "host"
        finally:
            server.stop()
    assert broken == []
    assert "Traceback" not in server.log.read_text(), server.log.read_text()
