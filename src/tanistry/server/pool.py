"""Heavy work that people ask for: a thread of its own, and a short queue before it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tanistry.server.refusals import Refused

Found = TypeVar("Found")

MOST, EACH = 8, 2
"""Requests that may wait, and how many of them for one person (who changes their mind while the
first is worked on); who comes then is told at once to come later."""


class Pool:
    """One thing at a time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="asked")
        self._asking: Counter[str] = Counter()

    async def run(self, who: str, do: Callable[..., Found], *given: object) -> Found:
        if self._asking[who] >= EACH or self._asking.total() >= MOST:
            raise Refused("rate/later")
        self._asking[who] += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, do, *given)
        finally:
            self._asking[who] -= 1
            self._asking += Counter()  # forgets who waits for nothing

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
