"""Where the matches of a study are played: on the cores of this machine, or on a Ray cluster.

An engine is handed shares of the work and gives back their counts, in whatever order they are done.
"""

from __future__ import annotations

import os
import platform
import socket
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from threading import local
from typing import Any, NamedTuple, Protocol

from tanistry.arguments import whole
from tanistry.errors import OptionError
from tanistry.processes import Workers, result_of
from tanistry.simulation.running import cores
from tanistry.studies.counting.layout import Numbers
from tanistry.studies.plan import Plan, Setting
from tanistry.studies.playing import Counter, Share

ENGINES = ("local", "ray")
ANSWER_WITHIN = 10.0
"""Seconds for a cluster to answer."""
AHEAD = 2
"""Shares handed out for each worker: one to play, one to go on with at once."""


class Played(NamedTuple):
    """A share, its counts, and the seconds it took."""

    share: Share
    numbers: Numbers
    seconds: float


class Engine(Protocol):
    """Plays shares. What it holds at any time is a few shares per worker, and no more."""

    def has_room(self, setting: Setting) -> bool:
        """Whether a worker that could play this would otherwise soon have nothing to do."""
        ...

    def submit(self, share: Share) -> None: ...

    def done(self) -> list[Played]:
        """Wait until something is done; empty if nothing was handed out."""
        ...

    def close(self) -> None:
        """Give up what is not done, and let the workers go."""
        ...


def make_engine(name: str, plan: Plan, workers: int | None) -> Engine:
    """An engine by its name, as `check_engine` has allowed it."""
    makers: dict[str, Callable[[Plan, int | None], Engine]] = {
        "local": LocalEngine,
        "ray": RayEngine,
    }
    return makers[name](plan, workers)


def check_engine(name: str, workers: int | None) -> int | None:
    """How many workers; OptionError if there is no such engine, or it is not installed."""
    if name not in ENGINES:
        allowed = ", ".join(ENGINES)
        raise OptionError("option/value", name="engine", value=name, allowed=allowed)
    if name == "ray":
        _import_ray()
    return None if workers is None else whole("workers", workers, 1)


# -- this machine ---------------------------------------------------------------------------------


class LocalEngine:
    """Threads for what is compiled (kernels let go of the interpreter), processes for bots."""

    def __init__(self, plan: Plan, workers: int | None) -> None:
        self.plan = plan
        self.workers = workers or cores()
        self._pending: dict[Future[Played], bool] = {}
        self._threads = ThreadPoolExecutor(self.workers)
        self._processes: Workers | None = None
        self._desk = local()

    def has_room(self, setting: Setting) -> bool:
        compiled = setting.is_compiled
        return sum(lane == compiled for lane in self._pending.values()) < AHEAD * self.workers

    def submit(self, share: Share) -> None:
        setting = self.plan.settings[share.setting]
        if setting.is_compiled:
            future = self._threads.submit(self._play_here, share)
        else:
            self._processes = self._processes or Workers(self.workers)
            future = self._processes.submit(play_elsewhere, *_order(self.plan, share))
        self._pending[future] = setting.is_compiled

    def _play_here(self, share: Share) -> Played:
        """In a thread, with counters of its own."""
        counters = self._desk.__dict__
        name = f"setting {share.setting}"
        if name not in counters:
            counters[name] = Counter(self.plan.settings[share.setting], self.plan.key)
        return _timed(counters[name], share)

    def done(self) -> list[Played]:
        finished, _ = wait(self._pending, return_when=FIRST_COMPLETED)
        for future in finished:
            del self._pending[future]
        return [result_of(future) for future in finished]

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        if self._processes:
            self._processes.dismiss()


@cache
def _counter(setting: Setting, key: bytes) -> Counter:
    return Counter(setting, key)


Order = tuple[Setting, dict[str, int | str], bytes, Share]


def _order(plan: Plan, share: Share) -> Order:
    """What somebody elsewhere must be told to play a share: with which versions, too."""
    setting = plan.settings[share.setting]
    return setting, setting.versions(), plan.key, share


def play_elsewhere(
    setting: Setting, versions: dict[str, int | str], key: bytes, share: Share
) -> Played:
    """In another process, here or on another machine; OptionError if that has other versions."""
    if setting.versions() != versions:
        raise OptionError("study/machine", name=platform.node())
    return _timed(_counter(setting, key), share)


def _timed(counter: Counter, share: Share) -> Played:
    began = time.perf_counter()
    numbers = counter.play(share.first, share.matches)
    return Played(share, numbers, time.perf_counter() - began)


# -- many machines --------------------------------------------------------------------------------


def _import_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told of a study
    try:
        import ray
    except ImportError:
        raise OptionError("study/extra", what="Ray", name="ray", extra="ray") from None
    return ray


def _check_answers(address: str) -> None:
    """OptionError if nobody is at an address: Ray itself would try for many minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal():
        return  # "auto", "local": Ray knows
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_WITHIN).close()
    except (OSError, OverflowError):
        raise OptionError("study/cluster", address=address) from None


class RayEngine:
    """Ray: the cluster of RAY_ADDRESS or of `ray.init`, else one on this machine for the while."""

    def __init__(self, plan: Plan, workers: int | None) -> None:
        self.plan = plan
        self._ray = _import_ray()
        self._ours = not self._ray.is_initialized()
        if self._ours:
            connecting = "RAY_ADDRESS" in os.environ
            if connecting:
                _check_answers(os.environ["RAY_ADDRESS"])
            self._ray.init(
                num_cpus=None if connecting else workers,
                include_dashboard=None if connecting else False,
                log_to_driver=False,
                logging_level="error",
            )
        there = int(self._ray.cluster_resources().get("CPU", 1))
        self.workers = min(workers or there, there)
        self._play = self._ray.remote(play_elsewhere)
        self._pending: dict[Any, None] = {}

    def has_room(self, setting: Setting) -> bool:
        return len(self._pending) < AHEAD * self.workers

    def submit(self, share: Share) -> None:
        self._pending[self._play.remote(*_order(self.plan, share))] = None

    def done(self) -> list[Played]:
        if not self._pending:
            return []
        finished, _ = self._ray.wait(list(self._pending), num_returns=1)
        for reference in finished:
            del self._pending[reference]
        return [Played(*self._fetch(reference)) for reference in finished]

    def _fetch(self, reference: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as wrong:  # raised by what was played, not by the cluster
            raise wrong.cause from None
        except errors.RayError:
            raise OptionError("worker/died") from None

    def close(self) -> None:
        for reference in self._pending:
            self._ray.cancel(reference, force=True)
        self._pending.clear()
        if self._ours:
            self._ray.shutdown()
