"""The HTTP half against its own description, with schemathesis: no 500, refusals in their shape."""

from __future__ import annotations

import json
from functools import cache
from http.client import HTTPConnection
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tanistry.server.app import create_app
from tanistry.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.processes import Process

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
