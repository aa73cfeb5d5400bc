"""Waiting for something, however slow or busy the machine is: no test counts on a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

PATIENCE = 120.0
"""Seconds after which something will not come any more."""


def tries(what: str, every: float = 0.02) -> Iterator[None]:
    """Go on trying, by leaving the loop when it is done; AssertionError if it takes too long."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        yield
        time.sleep(every)
    raise AssertionError(f"{what}: not within {PATIENCE:.0f} s")


async def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds that other tasks bring about; TimeoutError if it never does."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


def until(holds: Callable[[], bool], what: str) -> None:
    for _ in tries(what):
        if holds():
            return
