"""A server in a process of its own, on a free port, with a database in a temporary folder."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

from tanistry.client.http import Http
from tests.patience import PATIENCE, tries, until
from tests.server.checking import UNFIT
from tests.server.nursery import ROOT, Born, nursery

COMMAND = """
from tanistry.server import from_environment, run
run.APPLICATION = "tests.server.checking:create_app"
run.serve(from_environment())
"""
"""`tanistry serve`, with everything it says held against its models."""

FORKED = (
    """
import multiprocessing, uvicorn._subprocess
uvicorn._subprocess.spawn = multiprocessing.get_context("fork")
"""
    + COMMAND
)
"""The same, but further workers need not import everything anew, which takes them ten seconds."""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), PATIENCE).close()
    except OSError:
        return False
    return True


class Process:
    """A running server that can be killed and started again."""

    command = FORKED

    def __init__(self, folder: Path, **settings: object) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        given = {
            "port": self.port,
            "database": folder / "test.db",
            "limits": False,
            "bot_pause": 0,
            "warm": False,
            **settings,
        }
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT))),
            **{f"TANISTRY_{name.upper()}": str(value) for name, value in given.items()},
        }
        self.process: Born | None = None

    def start(self) -> Process:
        self.process = nursery().bear(self.command, self.environment, self.log)
        for _ in tries("a server that answers"):
            if self.has_ended:
                raise RuntimeError(self.log.read_text())
            if is_listening(self.port):
                break
        return self

    @property
    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def kill(self) -> None:
        """SIGKILL: no chance to put anything in order."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, how)
            until(lambda: self.has_ended, "the end of a server")
        said = self.log.read_text() if self.log.exists() else ""
        assert UNFIT not in said, said[said.index(UNFIT) :][:2000]

    def http(self) -> Http:
        """A new guest."""
        found = Http(self.url)
        found.request("GET", "/me")
        return found
