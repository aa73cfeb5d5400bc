"""Throw-away servers on free ports of this machine: PostgreSQL and Redis from Debian's packages,
and one for mail."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from tests.patience import PATIENCE, until
from tests.server.processes import free_port, is_listening


class Postgres:
    """A PostgreSQL server of our own; run as the user postgres if we are root."""

    def __init__(self, owner: str = "tanistry") -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not found:
            pytest.skip("PostgreSQL is not installed (/usr/lib/postgresql)")
        self.bin = found[-1].parent
        self.owner = owner
        self._numbers = count()
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="tanistry-pg-"))
        self.as_user: list[str] = []
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.as_user = ["runuser", "-u", "postgres", "--"]
        data = self.folder / "data"
        command = [self.bin / "initdb", "-D", data, "-U", owner, "-A", "trust", "--no-sync"]
        self._run([*command, "-E", "UTF8", "--locale=C"])
        self.url = f"postgresql://{owner}@127.0.0.1:{self.port}/postgres"
        self.process: subprocess.Popen[bytes] | None = None

    def _run(self, command: list[object]) -> None:
        done = subprocess.run(
            [*self.as_user, *map(str, command)], cwd=self.folder, capture_output=True, timeout=120
        )
        assert done.returncode == 0, done.stderr.decode()

    def start(self) -> Postgres:
        data = self.folder / "data"
        settings = [f"port={self.port}", "listen_addresses=127.0.0.1", "max_connections=60"]
        settings.append(f"unix_socket_directories={self.folder}")
        command = [str(self.bin / "postgres"), "-D", str(data)]
        for setting in settings:
            command += ["-c", setting]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self.as_user, *command], cwd=self.folder, stdout=log, stderr=log
            )
        until(lambda: is_listening(self.port), "PostgreSQL")
        ready = [str(self.bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        until(lambda: not subprocess.run(ready, check=False).returncode, "PostgreSQL that answers")
        return self

    @contextmanager
    def database(self) -> Iterator[str]:
        """The address of an empty one; whoever is still connected in the end is cut off."""
        name = f"test_{next(self._numbers)}"
        where = ["-h", "127.0.0.1", "-p", self.port, "-U", self.owner]
        self._run([self.bin / "createdb", *where, name])
        yield f"postgresql://{self.owner}@127.0.0.1:{self.port}/{name}"
        self._run([self.bin / "dropdb", *where, "--force", name])

    def _leader(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def end(self, how: signal.Signals) -> None:
        """SIGKILL: the postmaster dies at once; SIGINT: it shuts down, cutting everybody off."""
        if self.process is None or self.process.poll() is not None:
            return
        os.kill(self._leader(), how)
        self.process.wait(PATIENCE)
        time.sleep(0.3)  # its children notice that it is gone
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def close(self) -> None:
        self.end(signal.SIGINT)
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis:
    """A Redis server of our own, without a disk."""

    def __init__(self) -> None:
        found = shutil.which("redis-server")
        if found is None:
            pytest.skip("redis-server is not installed")
        self.command = found
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Redis:
        command = [self.command, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            [*command, "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
        )
        until(lambda: is_listening(self.port), "Redis")
        return self

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait(PATIENCE)

    close = kill


LINK = re.compile(r"\S+/account#(confirm|reset)=([\w-]{43})\b")
"""As letters hold one."""


class Mailbox:
    """A mail server that keeps what it gets."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self._server = Controller(self, hostname="127.0.0.1", port=free_port())
        self._server.start()
        self.url = f"smtp://127.0.0.1:{self._server.port}"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.letters.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def links(self, kind: str, to: str) -> list[re.Match[str]]:
        """All that an address has got, the latest last."""
        found = [LINK.search(one.get_content()) for one in self.letters if one["To"] == to]
        return [link for link in found if link and link[1] == kind]

    def link(self, kind: str, to: str, nth: int = 1) -> re.Match[str]:
        """The latest, when there are so many."""
        until(lambda: len(self.links(kind, to)) >= nth, f"a letter to {to}")
        return self.links(kind, to)[-1]

    def token(self, kind: str, to: str, nth: int = 1) -> str:
        return self.link(kind, to, nth)[2]

    def close(self) -> None:
        self._server.stop()
