"""Numbers for operators, in Prometheus' format. Nothing here names a player or a card.

They are served at an address of their own, where visitors do not get. Several workers write theirs
into files, which the process that started them adds up.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector

from tanistry.errors import OptionError

FILES = "PROMETHEUS_MULTIPROC_DIR"
"""How prometheus_client is told that there are several processes."""

moves = Counter("tanistry_moves", "Choices stored", ["game", "by"])
matches = Counter("tanistry_matches", "Matches", ["game", "event"])
refusals = Counter("tanistry_refusals", "Refusals by code", ["code"])
connections = Gauge(
    "tanistry_connections", "Open WebSocket connections", multiprocess_mode="livesum"
)
live_tables = Gauge("tanistry_live_tables", "Tables held in memory", multiprocess_mode="livesum")
commit_seconds = Histogram(
    "tanistry_commit_seconds",
    "Time of a transaction that stores choices",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
)
batch_size = Histogram(
    "tanistry_commit_choices",
    "Choices stored in one transaction",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 400),
)
thinking_seconds = Histogram(
    "tanistry_bot_seconds", "Time a bot thought", buckets=(0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10)
)


@cache
def moves_of(game: str, by: str) -> Counter:
    """The counter of one game's choices, looked up once."""
    return moves.labels(game, by)


def serve(address: str, workers: int) -> None:
    """Serve the numbers of this process, or of all workers it is about to start."""
    host, _, port = address.rpartition(":")
    registry = REGISTRY
    if workers > 1:
        folder = Path(tempfile.mkdtemp(prefix="tanistry-metrics-"))
        atexit.register(_remove, folder, os.getpid())
        os.environ[FILES] = str(folder)
        registry = CollectorRegistry()
        registry.register(_Workers(registry, folder))
    try:
        start_http_server(int(port), host.strip("[]") or "127.0.0.1", registry)
    except (ValueError, OverflowError):
        raise OptionError("settings/metrics", value=address) from None
    except OSError:
        raise OptionError("settings/metrics_taken", value=address) from None


def _remove(folder: Path, owner: int) -> None:
    """With the process that began it, not with the workers that are forked from it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


class _Workers(MultiProcessCollector):
    """The numbers of all workers; what is open in one that was killed is open no more."""

    def __init__(self, registry: CollectorRegistry, folder: Path) -> None:
        self._folder = folder
        super().__init__(registry, str(folder))  # type: ignore[no-untyped-call]

    def collect(self):  # type: ignore[no-untyped-def]
        for file in self._folder.glob("gauge_live*_*.db"):
            if not Path(f"/proc/{file.stem.rpartition('_')[2]}").exists():
                file.unlink(missing_ok=True)
        return super().collect()  # type: ignore[no-untyped-call]
