"""Work beside what people wait for: a failure is logged, never lost, and ends nothing else."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from tanistry.server.refusals import Refused

log = logging.getLogger("tanistry.background")


SILENT = 60.0
"""Seconds for which what goes wrong again and again is not told again."""
REMEMBERED = 1000

_told: dict[str, float] = {}  # when a failure was last told


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Whatever goes wrong here is logged, and what comes next is done."""
    try:
        yield
    except Refused as refusal:
        if _is_news(f"{what}: {refusal.code}"):
            log.warning("%s: refused, %s", what, refusal.code)
    except Exception as error:
        if _is_news(f"{what}: {error!r}"):
            log.exception("%s: failed", what)


def _is_news(failure: str) -> bool:
    now = time.monotonic()
    if now - _told.get(failure, -SILENT) < SILENT:
        return False
    if len(_told) >= REMEMBERED:
        _told.clear()
    _told[failure] = now
    return True


class Background:
    """The tasks of one worker that nobody waits for."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self.closing = False

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def every(
        self, seconds: float, do: Callable[[], Awaitable[None]], first: float | None = None
    ) -> None:
        """Do something again and again, however it ends; `first`: seconds before the first time, if
        not as many."""
        self.spawn(_repeat(seconds, do, seconds if first is None else first))

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            if isinstance(error, Refused):
                log.warning("refused in the background: %s", error.code)
            else:
                log.error("a background task failed", exc_info=error)

    async def close(self) -> None:
        self.closing = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _repeat(seconds: float, do: Callable[[], Awaitable[None]], first: float) -> None:
    await asyncio.sleep(first)
    while True:
        with guarded(getattr(do, "__qualname__", repr(do))):
            await do()
        await asyncio.sleep(seconds)
