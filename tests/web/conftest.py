"""A browser, a server, and people who play in the one against the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browsers import CHROMIUM, WHOLE
from tests.server.processes import Process
from tests.web.people import FLAGS, PATIENCE, Room

HEIR = Path(__file__).parents[2] / "examples/heir"


class Interpreted(Process):
    """A server whose rules are run by Python itself: nobody waits for a compiler."""

    command = """
import tanistry
make = tanistry.game
tanistry.game = lambda *given, **options: make(*given, **options).interpreted()
from tanistry.server import from_environment, serve
serve(from_environment())
"""


class WithHeir(Interpreted):
    """A server that has a fifth game, which the client knows nothing about."""

    command = (
        f"""
import sys, tanistry
sys.path.append({str(HEIR)!r})
import heir
tanistry.register(heir.INFO)
"""
        + Interpreted.command
    )


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """One server for all tests that do not harm it."""
    needs_client()
    settings = {"absent": 0.2, "tournaments": "members", "clubs": "members"}
    process = Interpreted(tmp_path_factory.mktemp("web"), **settings).start()
    yield process
    process.stop()


@pytest.fixture
def own_served(tmp_path: Path) -> Iterator[Process]:
    """A server that a test may stop."""
    needs_client()
    process = Interpreted(tmp_path).start()
    yield process
    process.kill()


def needs_client() -> None:
    import tanistry.web

    if not tanistry.web.built():
        pytest.skip("the web client is not built: make web")
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """Starts browsers. Playwright leaves an event loop running until it is closed, which others'
    tests would find in their way."""
    needs_client()
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        yield p.chromium


@pytest.fixture(scope="package")
def browser(chromium: Any) -> Iterator[object]:
    """One for all pages."""
    found = chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE)
    yield found
    found.close()


@pytest.fixture
def room(browser: object, served: Process) -> Iterator[Room]:
    """Where people come in; all of them are looked over when they leave."""
    found = Room(browser, served.url)
    yield found
    found.close()


@pytest.fixture
def notified_room(chromium: Any, served: Process) -> Iterator[Room]:
    """Only a whole browser shows what its service worker tells."""
    if WHOLE is None:
        pytest.skip("there is no chromium with windows here")
    browser = chromium.launch(executable_path=WHOLE, args=FLAGS, timeout=PATIENCE)
    found = Room(browser, served.url)
    yield found
    found.close()
    browser.close()


@pytest.fixture
def heir_room(browser: object, tmp_path: Path) -> Iterator[Room]:
    needs_client()
    process = WithHeir(tmp_path).start()
    found = Room(browser, process.url)
    yield found
    found.close()
    process.kill()


@pytest.fixture
def compiled_room(browser: object, tmp_path: Path) -> Iterator[Room]:
    """A server as people run it: only compiled rules can be searched by a bot."""
    needs_client()
    process = Process(tmp_path).start()
    found = Room(browser, process.url)
    yield found
    found.close()
    process.kill()


@pytest.fixture
def own_room(browser: object, own_served: Process) -> Iterator[Room]:
    found = Room(browser, own_served.url)
    yield found
    found.close()
