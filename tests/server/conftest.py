"""Servers for tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.nursery import hasten
from tests.server.processes import Process
from tests.server.services import Postgres

hasten()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """One server for all tests that do not harm it."""
    settings = {"absent": 0.2, "tournaments": "members", "clubs": "members"}
    process = Process(tmp_path_factory.mktemp("server"), **settings).start()
    yield process
    process.stop()
    assert "Traceback" not in process.log.read_text(), process.log.read_text()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Process]:
    """A server that a test may kill."""
    process = Process(tmp_path)
    yield process
    process.kill()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for all tests that do not harm it, each with a database of its own."""
    found = Postgres().start()
    yield found
    found.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "test.db")
        return
    with request.getfixturevalue("postgres").database() as url:
        yield url
