"""A server in a process of its own, on a free port, with a database in a temporary folder."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tanistry.client.http import Http
from tests.patience import PATIENCE, tries
from tests.server.checking import UNFIT

ROOT = Path(__file__).resolve().parents[2]
COMMAND = """
from tanistry.server import from_environment, run
run.APPLICATION = "tests.server.checking:create_app"
run.serve(from_environment())
"""
"""`tanistry serve`, with everything it says held against its models."""


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

    command = COMMAND

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
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Process:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", self.command],
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        for _ in tries("a server that answers"):
            if self.process.poll() is not None:
                raise RuntimeError(self.log.read_text())
            if is_listening(self.port):
                break
        return self

    def kill(self) -> None:
        """SIGKILL: no chance to put anything in order."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, how)
            self.process.wait(PATIENCE)
        said = self.log.read_text() if self.log.exists() else ""
        assert UNFIT not in said, said[said.index(UNFIT) :][:2000]

    def http(self) -> Http:
        """A new guest."""
        found = Http(self.url)
        found.request("GET", "/me")
        return found
