"""Seeds: 32 bytes that a match is dealt from, and fast generators for everything else."""

from __future__ import annotations

import hashlib
import os
from typing import Any

import numpy as np

from tanistry.arguments import as_whole
from tanistry.errors import SeedError


def seed_bytes(seed: int | bytes | None) -> bytes:
    """The 32 bytes of a seed; None asks the operating system."""
    if seed is None:
        return os.urandom(32)
    if isinstance(seed, bytes) and len(seed) == 32:
        return seed
    number = as_whole(seed)
    if number is not None and 0 <= number < 1 << 256:
        return number.to_bytes(32, "little")
    raise SeedError("seed", value=seed)


def seed_text(key: bytes) -> str:
    """A seed as people would write it: a number if it is a small one, else all its digits."""
    number = int.from_bytes(key, "little")
    return str(number) if number < 1 << 64 else key.hex()


def fast_seed(seed: int | bytes | None) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The state of a fast generator, from any seed."""
    digest = hashlib.sha256(b"fast" + seed_bytes(seed)).digest()
    return np.frombuffer(digest[:8], "<u8").astype(np.uint64)
