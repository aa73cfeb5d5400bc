"""Backing up as the hosting page says: while the server runs, and a match goes on from the copy."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from tanistry.client import Client
from tests.server.processes import ROOT, Process

HOSTING = (ROOT / "docs/hosting.md").read_text("utf-8")


def back_up(folder: Path) -> Path:
    """The command of the page that needs nothing but Python, to the letter."""
    found = re.search(r'^(python -c "import sqlite3.*)$', HOSTING, re.MULTILINE)
    assert found, "the hosting page says how to back up with Python"
    _, *arguments = shlex.split(found[1])
    subprocess.run([sys.executable, *arguments], cwd=folder, check=True)
    return folder / "copy.db"


def test_a_match_goes_on_from_a_backup(tmp_path: Path) -> None:
    process = Process(tmp_path, database=tmp_path / "tanistry.db").start()
    try:
        with Client(process.url, name="Ailsa") as client:
            table = client.quick("claim", bot="random")
            for _ in range(5):
                table.play(table.legal[0])
            copy, kept = back_up(tmp_path), table.view
            table.play(table.legal[0])  # after the backup: it will be gone
            cookie = client.cookie
    finally:
        process.kill()
    restored = Process(tmp_path, database=copy).start()
    try:
        with Client(restored.url, cookie=cookie) as client:
            again = client.watch(table.id)
            again.your_turn()
            assert again.view == kept
            while not again.over:
                again.play(again.legal[0])
    finally:
        restored.stop()
