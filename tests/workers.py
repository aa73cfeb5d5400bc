"""Workers: those of arenas and studies, and those that the tests themselves are shared among."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any


class Here:
    """In place of `tanistry.processes.Workers`: what they are given is done at once, right here.

    Nobody waits until a process has imported everything.
    """

    def __init__(self, count: int) -> None:
        self.count = count

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(*arguments))
        return done

    def close(self) -> None: ...
    def dismiss(self) -> None: ...


def made_once(made: Path, make: Callable[[], Any]) -> None:
    """Make a file, unless another worker of the tests has, or is about to."""
    with Path(f"{made}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make()
