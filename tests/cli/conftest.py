"""Running the command in this process: what it printed, and its exit status."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tanistry.cli.app import run


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Command = Callable[..., Done]


@pytest.fixture
def tanistry_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """`tanistry_command("play", "claim", typed="1\\n")`."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("tanistry.cli.prepare.PATIENCE", 600.0)  # a busy machine is no news here

    def call(*arguments: str, typed: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = run(arguments)
        out, err = capsys.readouterr()
        return Done(status, out, err)

    return call
