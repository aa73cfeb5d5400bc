"""Matches by the million on all cores; the same result however many threads share them.

Match number i of a simulation is dealt from the ChaCha stream with the seed as key and i as nonce;
its choices come from a fast generator started from the seed and i. So a match depends on nothing
but its number, and what is counted is the same in whatever order the matches are played.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanistry.arguments import whole
from tanistry.errors import OptionError
from tanistry.kernel import specialise, unwatched
from tanistry.match import Game
from tanistry.match.game import check_game, kernels_of
from tanistry.match.seeds import fast_seed, seed_bytes
from tanistry.simulation import playouts as templates
from tanistry.simulation.policies import (
    GREEDY,
    RANDOM,
    TRAINED,
    check_policy,
    choosing,
    new_thoughts,
)

DEVICES = ("cpu", "cuda")
SMALLEST_SHARE = 64
LARGEST_SHARE = {RANDOM: 1 << 14, GREEDY: 1 << 9, TRAINED: 1 << 4}
"""Matches a thread plays before it reports, by policy: at most a few tenths of a second."""
MOST_THREADS = 1 << 10
"""More than any machine has cores; at some number the system refuses."""
LOOK_EVERY = 0.1
"""Seconds between two reports of progress."""
GPU_SHARE = 1 << 27
"""Matches of one launch: a fraction of a second, so that progress shows and Ctrl-C is heard."""
MOST_MATCHES = 1 << 53

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Simulation:
    """What came of a number of matches."""

    matches: int
    steps: int
    """Choices made in all matches together."""
    seconds: float
    """Time on the wall, compiling not included."""
    wins: list[int]
    """Matches won, per seat; a match shared by several seats counts for none of them."""
    lengths: NDArray[np.int64]
    """`lengths[k]` matches had k choices."""

    @property
    def draws(self) -> int:
        """Matches without a single winner."""
        return self.matches - sum(self.wins)

    @property
    def steps_per_second(self) -> float:
        return self.steps / self.seconds if self.seconds else 0.0


class Interrupted(KeyboardInterrupt):
    """Ctrl-C came during a simulation; `counted` is what came of the matches played until then."""

    def __init__(self, counted: Simulation) -> None:
        super().__init__()
        self.counted = counted


def simulate(
    game: Game,
    n: int = 1_000_000,
    seed: int | bytes | None = None,
    device: str = "cpu",
    threads: int | None = None,
    progress: Progress | None = None,
    policy: str = RANDOM,
) -> Simulation:
    """Play `n` matches with uniformly random choices, or by another policy at every seat.

    With `policy="greedy"` every seat takes what looks best at once, with `policy="trained"` what
    the game's network likes best; both on the CPU.
    `threads` is the number of cores to use, by default all; it never changes the result.
    `progress` is called in the caller's thread with the number of matches played so far.
    Ctrl-C raises `Interrupted`, with what was counted until then (on a GPU nothing is).
    """
    n, threads = check_arguments(game, n, device, threads)
    check_policy(game, policy, device)
    if device == "cuda":
        return _on_gpu(game, n, seed_bytes(seed), progress)
    run = _Run(game, seed_bytes(seed), policy)
    run.warm_up()
    threads = min(threads or cores(), max(1, -(-n // SMALLEST_SHARE)))
    started = time.perf_counter()
    try:
        _share_out(run, n, threads, progress)
    except KeyboardInterrupt:
        raise Interrupted(run.counted(time.perf_counter() - started)) from None
    return run.counted(time.perf_counter() - started)


def _on_gpu(game: Game, n: int, key: bytes, progress: Progress | None) -> Simulation:
    from tanistry.simulation.gpu import GpuRun

    salt = fast_seed(key)[0]
    GpuRun(game, key, salt).play(0, 1)  # compile before the clock runs
    run = GpuRun(game, key, salt)
    started = time.perf_counter()
    for first in range(0, n, GPU_SHARE):
        share = min(GPU_SHARE, n - first)
        run.play(first, share)
        if progress:
            progress(first + share)
    seconds = time.perf_counter() - started
    counts = run.counts()
    longest = int(np.flatnonzero(counts.lengths)[-1]) if n else 0
    wins = [int(count) for count in counts.wins[: game.seats]]
    return Simulation(n, counts.steps, seconds, wins, counts.lengths[: longest + 1].copy())


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_arguments(
    game: object, n: object, device: object, threads: object, fewest: int = 0
) -> tuple[int, int | None]:
    """The numbers of matches and threads; OptionError if a simulation cannot be run like this."""
    check_game(game)
    matches = whole("n", n, fewest, MOST_MATCHES)
    if device not in DEVICES:
        allowed = ", ".join(DEVICES)
        raise OptionError("option/value", name="device", value=device, allowed=allowed)
    return matches, None if threads is None else whole("threads", threads, 1, MOST_THREADS)


class _Run:
    """One simulation: the kernel, the blank record, and what is counted."""

    def __init__(self, game: Game, key: bytes, policy: str = RANDOM) -> None:
        self.game = game
        self.policy = policy
        self.kernel = _playouts(game, policy)
        self.blank = np.array([game.new_record(key)], game.definition.dtype)
        self.salt = fast_seed(key)[0]
        self.steps = 0
        self.wins = np.zeros(max(game.info.seats), np.int64)
        self.lengths = np.zeros(templates.LONGEST + 1, np.int64)
        self.merging = Lock()

    def warm_up(self) -> None:
        """Compile before the clock runs."""
        self.work(iter([(0, 0)]), SimpleQueue())

    def work(self, shares: Iterator[tuple[int, int]], played: SimpleQueue[int]) -> None:
        """Play shares (first match, how many) until none is left: what each thread does."""
        table = self.blank.copy()
        dice = templates.new_dice(len(self.game.tokens), len(self.wins))
        lengths = np.zeros_like(self.lengths)
        # No two threads share a line of memory.
        notes = new_thoughts(self.game, self.policy, 2 * templates.APART_WORDS)
        steps = 0
        for first, n in shares:
            steps += int(self.kernel(table, self.blank, dice, notes, first, n, self.salt, lengths))
            played.put(n)
        with self.merging:
            self.steps += steps
            self.wins += dice["wins"][0]
            self.lengths += lengths

    def counted(self, seconds: float) -> Simulation:
        """What came of all matches that were played."""
        longest = int(np.flatnonzero(self.lengths)[-1]) if self.lengths.any() else 0
        wins = [int(count) for count in self.wins[: self.game.seats]]
        lengths = self.lengths[: longest + 1].copy()
        return Simulation(int(self.lengths.sum()), self.steps, seconds, wins, lengths)


def _playouts(game: Game, policy: str) -> Any:
    """The kernel of the playouts for a game, its choices made by a policy.

    Whoever chooses at random looks at nothing: what the rules do for onlookers is left out.
    """
    kernels = kernels_of(game.definition)
    given = {name: getattr(kernels, name) for name in ("deal", "legal", "play", "standing")}
    choose, name = choosing(game, policy)
    if policy == RANDOM:
        given, name = {key: unwatched(each) for key, each in given.items()}, f"{name}_unwatched"
    return specialise(templates, given | choose, name)["playouts"]


def _share_out(run: _Run, n: int, threads: int, progress: Progress | None) -> None:
    """Let threads take shares until none is left.

    The caller's thread looks only now and then: woken for every share it would take the
    interpreter from the workers, and on a busy machine sleep while it holds it.
    """
    shares = _Shares(_cut(n, threads, LARGEST_SHARE[run.policy]))
    played: SimpleQueue[int] = SimpleQueue()
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        workers = [pool.submit(run.work, shares, played) for _ in range(threads)]
        try:
            working = True
            while working:
                _, left = wait(workers, timeout=LOOK_EVERY, return_when=FIRST_EXCEPTION)
                working = bool(left) and not any(w.done() and w.exception() for w in workers)
                done += _drained(played)
                if progress:
                    progress(done)
        finally:  # an interrupted simulation does not play on
            shares.stop()
    for worker in workers:
        worker.result()


def _cut(n: int, threads: int, largest: int) -> Iterator[tuple[int, int]]:
    """Shares (first match, how many), smaller towards the end so that all threads end together."""
    first = 0
    while first < n:
        share = max(SMALLEST_SHARE, (n - first) // (4 * threads))
        share = min(share, largest, n - first)
        yield first, share
        first += share


def _drained(played: SimpleQueue[int]) -> int:
    total = 0
    with suppress(Empty):
        while True:
            total += played.get_nowait()
    return total


class _Shares:
    """An iterator that several threads may share, and that can be told to end."""

    def __init__(self, items: Iterator[tuple[int, int]]) -> None:
        self._items = items
        self._lock = Lock()

    def __iter__(self) -> _Shares:
        return self

    def __next__(self) -> tuple[int, int]:
        with self._lock:
            return next(self._items)

    def stop(self) -> None:
        with self._lock:
            self._items = iter(())
