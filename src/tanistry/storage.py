"""Files that are whole after any end, and of which one knows beforehand if they can be written."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tanistry.errors import FileError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A fresh file to write, which then takes the place of `path` in one go.

    Whoever looks, and whatever ends the process or the machine, finds the old file or the new one.
    No two writers share a fresh file.
    """
    fresh = _beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield fresh
        with fresh.open("r+b") as file:
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError as wrong:  # the disk is full, say
        raise FileError("file/write", path, wrong) from None
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def check_replaceable(path: Path) -> None:
    """Make the folder of a file and see whether one can write there, before work is done for it."""
    try:
        if path.is_dir():
            raise IsADirectoryError
        path.parent.mkdir(parents=True, exist_ok=True)
        trial = _beside(path)
        trial.touch()
        trial.unlink()
    except OSError as wrong:
        raise FileError("file/write", path, wrong) from None


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
