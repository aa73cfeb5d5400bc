"""A process that has imported the server once, and forks itself whenever a test wants one.

Importing costs three seconds of processor time, everything else that a server does until it answers
less than one. What is asked comes as lines of JSON, and so does what is answered.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from argon2 import PasswordHasher

ROOT = Path(__file__).resolve().parents[2]


class Born:
    """A process of the nursery's, asked about as one of our own would be."""

    def __init__(self, nursery: Nursery, pid: int) -> None:
        self.pid = pid
        self._nursery = nursery
        self._ended: int | None = None

    def poll(self) -> int | None:
        """The status it has ended with, None while it runs."""
        if self._ended is None:
            self._ended = self._nursery.ask("poll", self.pid)
        return self._ended


class Nursery:
    """The near end: one for all tests of a worker."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *words: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        with self._lock:
            print(json.dumps(words), file=self._process.stdin, flush=True)
            return json.loads(self._process.stdout.readline())

    def bear(self, command: str, environment: Mapping[str, str], log: Path) -> Born:
        """Python that runs these lines, in a session of its own."""
        return Born(self, self.ask("bear", command, dict(environment), os.getcwd(), str(log)))


@cache
def nursery() -> Nursery:
    """It ends with whoever asks: nobody is left to read from then."""
    path = os.pathsep.join(map(str, (ROOT / "src", ROOT)))
    return Nursery({**os.environ, "PYTHONPATH": path})


def hasten() -> None:
    """Passwords that are quickly hashed, and a worker that often looks for what others ended."""
    people, worker = (import_module(f"tanistry.server.{name}") for name in ("people", "worker"))
    settings: Any = {"time_cost": 1, "memory_cost": 64, "parallelism": 1}
    people.PasswordHasher = partial(PasswordHasher, **settings)  # type: ignore[attr-defined]
    worker.LOOK = 0.5  # type: ignore[attr-defined]


# -- the far end ----------------------------------------------------------------------------------


def main() -> None:
    import_module("tanistry.cli.app")
    import_module("tanistry.server.doors")
    checking = import_module("tests.server.checking")
    checking.create_app()  # so that the models of all answers are built
    hasten()

    does: dict[str, Callable[..., int | None]] = {"bear": _bear, "poll": _poll}
    for line in sys.stdin:
        what, *given = json.loads(line)
        print(json.dumps(does[what](*given)), flush=True)


def _bear(*given: Any) -> int:
    if pid := os.fork():
        return pid
    _live(*given)
    sys.exit()  # as Python does after the last line


def _live(command: str, environment: Mapping[str, str], folder: str, log: str) -> None:
    """As if Python had been started with these lines, this environment, here."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    said = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for opened, stream in ((nothing, 0), (said, 1), (said, 2)):
        os.dup2(opened, stream)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    tempfile.tempdir = None
    main_module = sys.modules["__main__"] = ModuleType("__main__")
    exec(command, main_module.__dict__)


def _poll(pid: int) -> int | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


if __name__ == "__main__":
    main()
