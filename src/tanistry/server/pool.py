"""Heavy work that people ask for: a thread of its own, and a short queue before it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tanistry.server.refusals import Refused

Found = TypeVar("Found")

MOST = 8
"""People who may wait; who comes then is told at once to come later."""


class Pool:
    """One thing at a time, and for each person one at a time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="asked")
        self._asking: set[str] = set()

    async def run(self, who: str, do: Callable[..., Found], *given: object) -> Found:
        if who in self._asking or len(self._asking) >= MOST:
            raise Refused("rate/later")
        self._asking.add(who)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, do, *given)
        finally:
            self._asking.discard(who)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
