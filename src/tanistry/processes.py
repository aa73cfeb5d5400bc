"""Worker processes: deaf to Ctrl-C, which is for whoever waits for them, and gone when told so."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from tanistry.errors import OptionError

T = TypeVar("T")
Job = TypeVar("Job", bound=tuple[Any, ...])

AHEAD = 4
"""Jobs handed out per worker: nobody idles while results are written."""


class Workers:
    """So many processes, fresh ones: nothing of this one is in them."""

    def __init__(self, count: int) -> None:
        self._ours: set[BaseProcess] = set()
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(count, mp_context=context, initializer=_ignore_interrupts)

    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        before = set(multiprocessing.active_children())
        with _interrupts_held_back():
            future = self._pool.submit(work, *arguments)
        self._ours |= set(multiprocessing.active_children()) - before
        return future

    def dismiss(self) -> None:
        """Let them go at once: what is half done is lost (a match of strong bots takes minutes)."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in self._ours:
            process.terminate()

    def close(self) -> None:
        """Let them go when they have done what they were given."""
        self._pool.shutdown()


def result_of(future: Future[T]) -> T:
    """What a worker found; OptionError if it died over it."""
    try:
        return future.result()
    except BrokenProcessPool:
        raise OptionError("worker/died") from None


def spread(
    work: Callable[..., T],
    jobs: Iterable[Job],
    workers: int,
    until: float | None = None,
    patient: bool = True,
) -> Generator[tuple[Job, T], None, None]:
    """Do some work with the arguments of each job, on several cores; what came of each, once it is
    done.

    Jobs begin in the order given. After `until` seconds no more begin, and those under way are
    waited for, if one is patient; whoever stops asking before the end loses what is half done.
    """
    end = float("inf") if until is None else time.monotonic() + until
    pending: dict[Future[T], Job] = {}
    queue = iter(jobs)
    pool = Workers(workers)
    try:
        while True:
            left = end - time.monotonic()
            if left <= 0:
                if not patient:
                    return
                queue = iter(())
                pending = {future: job for future, job in pending.items() if not future.cancel()}
            for job in islice(queue, AHEAD * workers - len(pending)):
                pending[pool.submit(work, *job)] = job
            if not pending:
                break
            patience = None if patient or left == float("inf") else left
            for future in wait(pending, patience, FIRST_COMPLETED).done:
                yield pending.pop(future), result_of(future)
        pool.close()
    finally:
        pool.dismiss()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """A process that is killed dismisses nobody: whoever works for it would wait for ever."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let processes that are started meanwhile ignore Ctrl-C from the first moment.

    Ours hears an interruption a moment later: it is held back, not lost.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # its start would undo what is held back
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
