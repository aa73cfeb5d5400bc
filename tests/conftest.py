"""What all tests count on, wherever and however they are started."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.browsers import CHROMIUM
from tests.workers import Here

# A machine that is busy with something else is no fault of ours. Where a change waits to land, it
# is tried on the same examples each time; new ones are looked for on everybody's own machine.
settings.register_profile(
    "steady",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("steady")

HERE = Path(__file__).parent
UNSTEADY = (HERE / "server", HERE / "web")
"""Processes, sockets and browsers, which share the machine with whatever else runs on it."""

# A shell that starts the tests in the background lets them ignore Ctrl-C, and with them every
# process that they start and interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Workers often wait for servers, so there is one more than cores; but each with a browser of
    its own keeps a core busy (docs/decisions/0044)."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (cores or 1) + (CHROMIUM is None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give what leans on a machine's mood two more tries, which the summary counts as reruns."""
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in UNSTEADY):
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What arenas and studies would hand to processes is done in this one."""
    monkeypatch.setattr("tanistry.processes.Workers", Here)
    monkeypatch.setattr("tanistry.studies.engines.Workers", Here)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of a run share."""
    mine = tmp_path_factory.getbasetemp()
    folder = mine.parent if mine.name.startswith("popen-") else mine
    folder = folder / "shared"
    folder.mkdir(exist_ok=True)
    return folder
