"""Games in packages of their own, as `tanistry new-game` writes them, with something changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tanistry.cli.commands.new_game import files
from tanistry.games import registry

Change = Callable[[dict[str, str]], None]
"""What is done to the files of a package, by their paths inside it."""


def install(name: str, folder: Path, patch: pytest.MonkeyPatch, change: Change) -> None:
    """Have a game found by its entry point, until the test is over; each needs another name."""
    inside = f"{name}/"
    written = {path.removeprefix(inside): text for path, text in files(name).items()}
    change(written)
    for path, text in written.items():
        target = folder / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    patch.syspath_prepend(str(folder))
    point = EntryPoint(name, f"{name}:INFO", "tanistry.games")
    patch.setattr(registry, "entry_points", lambda **_: [point])
    patch.setattr(registry, "_found", cache(registry._found.__wrapped__))
