"""Files that are made from others: `--check` only says whether they are what they should be."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

Files = Iterable[tuple[Path, str]]
"""Each file, and what it should say."""


def stale(files: Files) -> list[Path]:
    """Those that say something else."""
    return [path for path, text in files if not path.exists() or path.read_text("utf-8") != text]


def main(module: str, files: Files) -> None:
    if "--check" not in sys.argv:
        for path, text in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    elif found := stale(files):
        sys.exit(f"stale, run python -m {module}: {', '.join(map(str, found))}")
