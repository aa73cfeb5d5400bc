"""Where compiled kernels are kept.

Numba's own disk cache does not notice a change in a function that another file calls, so our cache
folder is named after a hash of the sources a kernel may reach: this package, the table that all
games stand on, and the folders of the kernel itself and of those it is given.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

HERE = Path(__file__).parent
SHARED = {HERE, HERE.parent / "table"}
"""Whose kernels all others may call."""


def cache_root() -> Path:
    """TANISTRY_CACHE or the user's cache folder; a folder of this run where that takes no files."""
    named = os.environ.get("TANISTRY_CACHE")
    return _writable(Path(named) if named else user_cache_path("tanistry", appauthor=False))


@cache
def _writable(folder: Path) -> Path:
    """The folder, or one that is gone with the process: compiled code is read from nowhere else."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as wrong:
        print(
            f"Compiled rules cannot be kept in {folder} ({wrong.strerror}), so each start compiles "
            "them anew; TANISTRY_CACHE names another folder.",
            file=sys.stderr,
        )
    passing = tempfile.TemporaryDirectory(prefix="tanistry-")
    atexit.register(passing.cleanup)
    return Path(passing.name)


@cache
def _source_hash(folder: Path) -> bytes:
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def cache_folder(folders: Iterable[Path]) -> Path:
    """For kernels whose own sources lie in these folders."""
    return cache_root() / "kernels" / _hash_of(frozenset(SHARED.union(folders)))


@cache
def _hash_of(folders: frozenset[Path]) -> str:
    digest = hashlib.sha256()
    for folder in sorted(folders):
        digest.update(_source_hash(folder))
    return digest.hexdigest()[:20]
