"""Workers who need no process of their own: nobody waits until one has imported everything."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any


class Here:
    """In place of `tanistry.processes.Workers`: what they are given is done at once, right here."""

    def __init__(self, count: int) -> None:
        self.count = count

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(*arguments))
        return done

    def close(self) -> None: ...
    def dismiss(self) -> None: ...
