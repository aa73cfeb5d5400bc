"""The table of games in the documents is the one the code makes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tanistry
from tanistry.envs.__main__ import main
from tanistry.envs.summary import random_matches, table

PAGE = Path(__file__).parents[2] / "docs/environments.md"


def test_the_documents_have_this_table() -> None:
    assert table() in PAGE.read_text("utf-8")


def test_lengths_are_those_of_matches() -> None:
    length, branching = random_matches(tanistry.game("claim"), 20)
    assert length == 52
    assert 1 < branching < 13


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["envs", "lords", "--seats", "3"])
    main()
    assert "| army | 3 × 98 |" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["envs", "clam"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "no game 'clam'" in capsys.readouterr().err


def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "tanistry.envs", "claim"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
